import { type Database, type Queryable, withUnlimitedSession } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { UserError } from '../errors/user-error.ts'
import { distributedTables, FIRST_TABLE, listNodes, requireCluster } from './cluster.ts'
import { tryWorkerSettings } from './cluster-settings.ts'
import { WORKSPACE_TABLES } from './placement.ts'

export interface WorkspacePlace {
  shard_id: number
  name: string
  port: number
  /** the size includes all shards that are colocated with it */
  bytes: number
  /** no other workspace can be in these shards */
  is_isolated: boolean
}

/** The shards that have a workspace, and the node that they are on. */
export async function readPlacement(db: Queryable, workspace: string): Promise<WorkspacePlace> {
  await requireDistributed(db)
  const found = await db.one(sql<WorkspacePlace>`
    select s.shardid::float8 as shard_id, p.nodename as name, p.nodeport as port,
      s.shardminvalue = s.shardmaxvalue as is_isolated,
      (select coalesce(sum(c.shard_size), 0)::float8 from citus_shards c join pg_dist_shard o on o.shardid = c.shardid
        where o.shardminvalue = s.shardminvalue and c.table_name = any(${WORKSPACE_TABLES}::text[]::regclass[])) as bytes
    from pg_dist_shard s join pg_dist_shard_placement p on p.shardid = s.shardid
    where s.shardid = get_shard_id_for_distribution_column(${FIRST_TABLE}, ${workspace}::text)`)
  if (!found) throw new UserError(`there is no shard for ${workspace}`)
  return found
}

async function requireDistributed(db: Queryable): Promise<void> {
  await requireCluster(db)
  if (!(await distributedTables(db)).has(FIRST_TABLE))
    throw new UserError('the tables are not distributed yet: run hiring cluster distribute')
}

/**
 * Moves the shards of a workspace, with those of the workspaces that share them, to another node. Citus copies them by
 * logical replication; writes wait at the end only, for the last changes.
 */
export async function moveWorkspace(
  db: Database,
  workspace: string,
  to: { name: string; port: number },
): Promise<WorkspacePlace> {
  const from = await readPlacement(db, workspace)
  const target = (await db.query(listNodes())).find(node => node.name === to.name && node.port === to.port)
  if (!target?.is_active) throw new UserError(`the cluster has no active node ${to.name}:${to.port}`)
  if (from.name === to.name && from.port === to.port) throw new UserError(`${workspace} is on ${to.name}:${to.port}`)
  await withUnlimitedSession(db, session =>
    session.query(sql`
      select citus_move_shard_placement(${from.shard_id}::bigint, ${from.name}, ${from.port}::integer, ${to.name},
        ${to.port}::integer, ${TRANSFER}::citus.shard_transfer_mode)`),
  )
  return readPlacement(db, workspace)
}

/** Copies by logical replication, while the rows are written. */
const TRANSFER = 'force_logical'

/**
 * Gives a workspace shards of its own, on the node where it is; then it can be moved alone. Without `blocksWrites` each
 * node must allow Citus to decode its log: PostgreSQL has the setting output_plugin_libraries for that.
 */
export async function isolateWorkspace(
  db: Database,
  workspace: string,
  opts: { blocksWrites: boolean },
): Promise<WorkspacePlace> {
  const place = await readPlacement(db, workspace)
  if (place.is_isolated) throw new UserError(`${workspace} has shards of its own already`)
  await withUnlimitedSession(db, session =>
    session.query(sql`
      select isolate_tenant_to_new_shard(${FIRST_TABLE}, ${workspace}::handle, 'CASCADE',
        shard_transfer_mode => ${opts.blocksWrites ? 'block_writes' : TRANSFER}::citus.shard_transfer_mode)`),
  )
  return readPlacement(db, workspace)
}

export interface RebalanceStatus {
  state: string
  /** tasks by state: blocked, runnable, running, done, error, … */
  tasks: Record<string, number>
}

/** Moves shards from full nodes to empty ones, in the background of the coordinator. Not started: they are even. */
export async function startRebalance(db: Database): Promise<{ started: boolean; warnings: string[] }> {
  await requireDistributed(db)
  const warnings = await tryWorkerSettings(db) // a node that was added has none of them
  const started = await db.only(
    sql<{ job: number | null }>`
      select citus_rebalance_start(shard_transfer_mode => ${TRANSFER}::citus.shard_transfer_mode) as job`,
  )
  return { started: started.job !== null, warnings }
}

export async function stopRebalance(db: Database): Promise<void> {
  await requireDistributed(db)
  await db.query(sql`select citus_rebalance_stop()`)
}

/** Returns the state of the last rebalancing; null if there was none. */
export async function rebalanceStatus(db: Queryable): Promise<RebalanceStatus | null> {
  await requireDistributed(db)
  const rows = await db.query(sql<{ state: string; task: string | null; n: number }>`
    with last as (select job_id, state::text as state from pg_dist_background_job
      where job_type = 'rebalance' order by job_id desc limit 1)
    select l.state, t.status::text as task, count(t.task_id)::integer as n
    from last l left join pg_dist_background_task t on t.job_id = l.job_id group by 1, 2`)
  const [row] = rows
  if (!row) return null
  return {
    state: row.state,
    tasks: Object.fromEntries(rows.flatMap(({ task, n }) => (task === null ? [] : [[task, n]]))),
  }
}
