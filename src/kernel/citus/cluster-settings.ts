import type { DbSession, Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { UserError } from '../errors/user-error.ts'
import { askDistributed } from './distributed.ts'

/**
 * Sessions of the database need these: triggers on distributed tables, and SET LOCAL on the nodes as well. Citus gives them
 * to the workers, also to those that are added later.
 */
export const CLUSTER_SETTINGS = {
  'citus.enable_unsafe_triggers': 'on',
  'citus.propagate_set_commands': 'local',
} as const

/**
 * Sessions on the workers need these, and those on the coordinator must not have them. Statements of triggers reach shards of the
 * same worker, and Citus 13.2.1 to 14.0.1 loses about 62 kB of memory each time a session does that with a generic plan. On
 * the coordinator such plans save the planning of each statement.
 */
export const WORKER_SETTINGS = { plan_cache_mode: 'force_custom_plan' } as const

const WANTED = Object.entries(WORKER_SETTINGS)
const shown = WANTED.map(([name, value]) => `${name} = ${value}`).join(', ')

export async function applySettings(session: DbSession): Promise<void> {
  const { name } = await session.only(sql<{ name: string }>`select quote_ident(current_database()) as name`)
  for (const [setting, value] of Object.entries(CLUSTER_SETTINGS)) {
    await session.script(`alter database ${name} set ${setting} = '${value}'`)
    await session.script(`set ${setting} = '${value}'`)
  }
}

/** As new sessions have it: one of Citus that runs this may have been opened before. */
const LACKS = `select count(*) from (values ${WANTED.map(([name, value]) => `('${name}', '${value}')`).join(', ')}) w (name, value)
  where current_setting(name) <> value and not exists (
    select from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase, pg_options_to_table(s.setconfig) o
    where d.datname = current_database() and s.setrole = 0 and o.option_name = w.name and o.option_value = w.value)`

/** On this node alone, which Citus refuses otherwise. */
const APPLY = `do $do$ begin
  set local citus.enable_ddl_propagation = off;
  ${WANTED.map(([name, value]) => `execute format('alter database %I set ${name} = %L', current_database(), '${value}');`).join('\n')}
end $do$`

/** A worker, as host and port. */
export interface WorkerFault {
  node: string
  fault: string
}

const onWorkers = (command: string) => sql<{ node: string; success: boolean; result: string }>`
  select nodename || ':' || nodeport as node, success, result from run_command_on_workers(${command})`

/** Workers whose sessions lack the settings, or that do not say so. */
export async function workersWithoutSettings(db: Queryable): Promise<WorkerFault[]> {
  const results = await db.query(onWorkers(LACKS))
  return results
    .filter(({ success, result }) => !success || result !== '0')
    .map(({ node, success, result }) => ({ node, fault: success ? `lacks ${shown}` : result }))
}

/** `applyWorkerSettings` of a distributed store, for commands that go on if it fails. Returns the errors, to be shown as warnings. */
export async function tryWorkerSettings(db: Queryable): Promise<string[]> {
  if (!(await askDistributed(db))) return []
  try {
    await applyWorkerSettings(db)
    return []
  } catch (error) {
    return [(error as Error).message]
  }
}

/**
 * Gives the settings to workers that lack them. A session of the coordinator that has a connection to such a worker goes on
 * without them.
 */
export async function applyWorkerSettings(db: Queryable): Promise<void> {
  if ((await workersWithoutSettings(db)).length === 0) return
  const failed = (await db.query(onWorkers(APPLY))).find(({ success }) => !success)
  if (failed)
    throw new UserError(
      `cannot set ${shown} for the database on the worker ${failed.node}: ${failed.result}. Use the owner of the database on every node, and run hiring migrate when all of them respond`,
    )
}
