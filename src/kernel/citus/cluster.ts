import { type Database, type DbSession, type Queryable, withUnlimitedSession } from '../db/database.ts'
import { LOCKS } from '../db/locks.ts'
import { sql } from '../db/sql.ts'
import { present } from '../errors/present.ts'
import { UserError } from '../errors/user-error.ts'
import { applySettings, applyWorkerSettings, type WorkerFault, workersWithoutSettings } from './cluster-settings.ts'
import {
  type DistributionProgress,
  describeTables,
  distributionProgress,
  hasCopies,
  outsideKeys,
  requireSameSchema,
} from './distribution.ts'
import { noteChanges } from './distribution-changes.ts'
import { distributeEmpty, makeCopies } from './distribution-copies.ts'
import { dropCopies, dropOldTables } from './distribution-end.ts'
import { compareCopies, copyRows } from './distribution-rows.ts'
import { switchTables } from './distribution-switch.ts'
import { WORKSPACE_TABLES } from './placement.ts'

/**
 * A store on a Citus cluster: the tables of workspaces are distributed by workspace_id (placement.ts), so that all rows of
 * a workspace are on one node. Citus does the distribution, the routing of statements and the moving; this file calls it.
 */

/** All others are colocated with it. */
export const FIRST_TABLE = present(WORKSPACE_TABLES[0], 'a distributed table')
export const DEFAULT_SHARDS = 32
/** how many rows of a store in use are copied in one transaction */
const BATCH_ROWS = 10_000

const citusVersion = () =>
  sql<{ version: string }>`select extversion as version from pg_extension where extname = 'citus'`

/** Finds which of the tables to distribute are distributed; none are without the extension. */
export async function distributedTables(db: Queryable): Promise<Set<string>> {
  const known = await db.only(sql<{ citus: boolean }>`select to_regclass('pg_dist_partition') is not null as citus`)
  if (!known.citus) return new Set()
  const rows = await db.query(
    sql<{ name: string }>`select logicalrelid::text as name from pg_dist_partition where partmethod = 'h'`,
  )
  return new Set(rows.map(({ name }) => name))
}

export interface ClusterNode {
  name: string
  port: number
  /** 0: the coordinator */
  group_id: number
  is_active: boolean
  has_shards: boolean
}

export const listNodes = () => sql<ClusterNode>`
  select nodename as name, nodeport as port, groupid as group_id, isactive as is_active, shouldhaveshards as has_shards
  from pg_dist_node where noderole = 'primary' order by groupid`

const holdersOf = (nodes: readonly ClusterNode[]) => nodes.filter(node => node.is_active && node.has_shards)

/** Refuses a database that is not the coordinator of a cluster, and says what is missing. */
export async function requireCluster(db: Queryable): Promise<{ version: string; nodes: ClusterNode[] }> {
  const citus = await db.one(citusVersion())
  if (!citus) {
    throw new UserError(
      'the database is plain PostgreSQL: the extension citus is not installed in it (see docs/citus.md)',
    )
  }
  const here = await db.only(sql<{ is_coordinator: boolean }>`select citus_is_coordinator() as is_coordinator`)
  if (!here.is_coordinator) throw new UserError('this is a node of a cluster: set DATABASE_URL to its coordinator')
  return { version: citus.version, nodes: await db.query(listNodes()) }
}

/**
 * For the function `job_words_like`, which sets a parameter for itself: it runs whole on the node of its workspace. Once: a
 * second call would be an error.
 */
const distributeFunction = sql`
  select create_distributed_function('job_words_like(text,text)', '$1', colocate_with => 'job_words')
  where not exists (select from pg_dist_object where classid = 'pg_proc'::regclass
    and objid = 'job_words_like(text,text)'::regprocedure and distribution_argument_index is not null)`

/**
 * Distributes tables that a migration has made, in its transaction; nothing where no table is distributed yet, as on plain
 * PostgreSQL.
 */
export async function distributeNewTables(
  session: DbSession,
  tables: readonly string[],
  onProgress: (line: string) => void,
): Promise<void> {
  const done = await distributedTables(session)
  if (!done.has(FIRST_TABLE)) return
  // those that a later migration makes do not exist yet
  const found = await session.query(sql<{ name: string }>`
    select name from unnest(${tables}::text[]) as name where to_regclass(name) is not null`)
  const names = found.map(({ name }) => name)
  const left = names.filter(name => !done.has(name))
  for (const { statement } of left.length > 0 ? await session.query(outsideKeys(left, names)) : [])
    await session.script(statement)
  await distributeEmpty(session, left, { first: FIRST_TABLE, shards: 0 })
  for (const name of left) onProgress(`${name} is distributed`)
}

export interface TableSize {
  name: string
  /** an estimate */
  rows: number
  bytes: number
}

const sizesOf = (tables: readonly string[]) => sql<TableSize>`
  select c.relname::text as name, greatest(c.reltuples, 0)::float8 as rows, pg_total_relation_size(c.oid)::float8 as bytes
  from pg_class c join unnest(${tables}::text[]) with ordinality as t (name, place) on c.oid = t.name::regclass
  order by t.place`

export interface DistributionPlan {
  shards: number
  nodes: ClusterNode[]
  /** to be distributed, in this order */
  tables: TableSize[]
  /** foreign keys that are dropped at the end */
  statements: string[]
}

/** Plans what `distribute` will do. Refuses where it would fail later. */
export async function planDistribution(db: Queryable, wanted?: number): Promise<DistributionPlan> {
  const { nodes } = await requireCluster(db)
  const holders = holdersOf(nodes)
  if (holders.length === 0) {
    throw new UserError(
      "the cluster has no node for shards: add one with select citus_add_node('HOST', PORT) on the coordinator, or give it the coordinator's own with citus_set_node_property",
    )
  }
  const done = await distributedTables(db)
  const left = WORKSPACE_TABLES.filter(name => !done.has(name))
  const given = done.has(FIRST_TABLE) ? await countShards(db) : (await distributionProgress(db))?.shards || undefined
  if (given !== undefined && wanted !== undefined && wanted !== given)
    throw new UserError(`the tables have ${given} shards already; that cannot be changed by distributing`)
  const shards = given ?? wanted ?? DEFAULT_SHARDS
  await requireRights(db)
  await requireLocks(db, left, shards, holders.length)
  await describeTables(db, left)
  const keys = left.length > 0 ? await db.query(outsideKeys(left, WORKSPACE_TABLES)) : []
  return {
    shards,
    nodes,
    tables: left.length > 0 ? await db.query(sizesOf(left)) : [],
    statements: keys.map(({ statement }) => statement),
  }
}

async function countShards(db: Queryable): Promise<number> {
  const counted = await db.only(
    sql<{ n: number }>`select count(*)::integer as n from pg_dist_shard where logicalrelid = ${FIRST_TABLE}::regclass`,
  )
  return counted.n
}

async function requireRights(db: Queryable): Promise<void> {
  const user = await db.only(sql<{ name: string; can_copy: boolean; can_set: boolean }>`
    select quote_ident(current_user) as name,
      has_parameter_privilege('session_replication_role', 'set') as can_copy,
      pg_has_role(datdba, 'usage') as can_set
    from pg_database where datname = current_database()`)
  if (!user.can_copy) {
    throw new UserError(
      `triggers must not run while rows are copied: grant set on parameter session_replication_role to ${user.name} on all nodes, or use a superuser`,
    )
  }
  if (!user.can_set) throw new UserError('settings of the database are changed: use its owner or a superuser')
}

/**
 * All copies are made in one transaction, which has a lock on each table, index and TOAST table of each shard that a
 * node gets. A node whose table of locks is too small would end it after minutes.
 */
async function requireLocks(db: Queryable, tables: readonly string[], shards: number, nodes: number): Promise<void> {
  const { relations, capacity } = await db.only(sql<{ relations: number; capacity: number }>`
    select (select count(*)::integer from pg_class c where c.oid = any(${tables}::text[]::regclass[])
        or c.oid in (select reltoastrelid from pg_class where oid = any(${tables}::text[]::regclass[]))
        or c.oid in (select indexrelid from pg_index where indrelid = any(${tables}::text[]::regclass[]))) as relations,
      current_setting('max_locks_per_transaction')::integer
        * (current_setting('max_connections')::integer + current_setting('max_prepared_transactions')::integer) as capacity`)
  const needed = relations * Math.ceil(shards / nodes)
  if (needed <= capacity) return
  throw new UserError(
    `${needed} locks are needed on each node, and it has space for ${capacity}: raise max_locks_per_transaction on all nodes and restart them, or use fewer --shards`,
  )
}

export interface Distributed {
  tables: string[]
  /** how long writes waited, in milliseconds */
  writesWaitedMs: number
}

/**
 * Distributes what is not distributed yet, while the store is in use: fills distributed copies of the tables, and puts all
 * of them in the place of the tables in one transaction, so that no statement finds some tables here and others there.
 * Interrupted at any moment before it, the tables are as they were; the next run goes on, or `cancelDistribution` removes
 * the copies. Interrupted after it, the next run drops the tables that are no longer used.
 */
export function distribute(
  db: Database,
  opts: { shards?: number | undefined; batchRows?: number; onProgress: (line: string) => void },
): Promise<Distributed> {
  return distributing(db, async session => {
    const { onProgress } = opts
    const plan = await planDistribution(session, opts.shards)
    const names = plan.tables.map(table => table.name)
    let writesWaitedMs = 0
    // before the first copy: sessions that are older than that are ended at the switch
    await applyWorkerSettings(session)
    if (names.length > 0) {
      await applySettings(session)
      const resumes = await hasCopies(session)
      if (resumes) await requireSameSchema(session, names)
      else
        await makeCopies(
          session,
          { tables: names, distributed: WORKSPACE_TABLES, first: FIRST_TABLE, shards: plan.shards },
          onProgress,
        )
      onProgress(
        `${names.length} tables have ${plan.shards} empty shards each on ${holdersOf(plan.nodes).length} nodes`,
      )
      const tables = await describeTables(session, names)
      await noteChanges(session, tables, onProgress)
      const sizes = new Map(plan.tables.map(table => [table.name, table] as const))
      await copyRows(session, tables, { sizes, resumes, batchRows: opts.batchRows ?? BATCH_ROWS }, onProgress)
      await compareCopies(session, tables, onProgress)
      writesWaitedMs = await switchTables(
        session,
        tables,
        { distributed: WORKSPACE_TABLES, afterwards: distributeFunction },
        onProgress,
      )
      onProgress(`the tables are distributed; writes waited for ${(writesWaitedMs / 1_000).toFixed(1)} s`)
    }
    await dropOldTables(session, onProgress)
    // the samples of the comparison may have rows that an erasure removed since
    for (const name of names) await session.script(`analyze ${name}`)
    return { tables: names, writesWaitedMs }
  })
}

/** Removes what a distribution made that has not come to its end. False: there is none. */
export function cancelDistribution(db: Database, onProgress: (line: string) => void): Promise<boolean> {
  return distributing(db, async session => {
    if (!(await hasCopies(session))) return false
    if ((await distributedTables(session)).has(FIRST_TABLE))
      throw new UserError('the tables are distributed already: run hiring cluster distribute to end it')
    await dropCopies(session, onProgress)
    if (!(await session.one(citusVersion())))
      onProgress('the extension citus is gone: drop the databases on the workers, which may still have the copies')
    return true
  })
}

function distributing<T>(db: Database, work: (session: DbSession) => Promise<T>): Promise<T> {
  return withUnlimitedSession(db, async session => {
    const { held } = await session.only(
      sql<{ held: boolean }>`select pg_try_advisory_lock(${LOCKS.distribution}) as held`,
    )
    if (!held) throw new UserError('another process distributes this database: try again later')
    return work(session)
  })
}

export interface NodeStatus extends ClusterNode {
  shards: number
  bytes: number
}

export interface ClusterStatus {
  version: string
  nodes: NodeStatus[]
  /** groups of colocated shards: each has all rows of its workspaces */
  groups: number
  largest_group_bytes: number
  /** Compares the node with the most bytes to the mean of all that may have shards; 1 is even, null without data. */
  skew: number | null
  distributed: number
  not_distributed: string[]
  /** Is set while one is in progress, or after it was interrupted. */
  distribution: DistributionProgress | null
  /** Workers of a distributed store that lack the settings they need. */
  worker_faults: WorkerFault[]
}

export async function clusterStatus(db: Queryable): Promise<ClusterStatus> {
  const { version, nodes } = await requireCluster(db)
  const done = await distributedTables(db)
  const groups = await db.query(sql<{ name: string; port: number; shards: number; bytes: number }>`
    select c.nodename as name, c.nodeport as port, count(*)::integer as shards, sum(c.shard_size)::float8 as bytes
    from citus_shards c join pg_dist_shard s on s.shardid = c.shardid
    where c.table_name = any(${WORKSPACE_TABLES.filter(name => done.has(name))}::text[]::regclass[])
    group by c.nodename, c.nodeport, s.shardminvalue`)
  const shown = nodes.map(node => {
    const own = groups.filter(group => group.name === node.name && group.port === node.port)
    const sum = (of: 'shards' | 'bytes') => own.reduce((total, group) => total + group[of], 0)
    return { ...node, shards: sum('shards'), bytes: sum('bytes') }
  })
  const holders = shown.filter(node => node.has_shards)
  const mean = holders.reduce((total, node) => total + node.bytes, 0) / holders.length
  return {
    version,
    nodes: shown,
    groups: groups.length,
    largest_group_bytes: Math.max(0, ...groups.map(group => group.bytes)),
    skew: mean > 0 ? Math.max(...holders.map(node => node.bytes)) / mean : null,
    distributed: WORKSPACE_TABLES.filter(name => done.has(name)).length,
    not_distributed: WORKSPACE_TABLES.filter(name => !done.has(name)),
    distribution: await distributionProgress(db),
    worker_faults: done.has(FIRST_TABLE) ? await workersWithoutSettings(db) : [],
  }
}
