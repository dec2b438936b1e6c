import type { Queryable } from '../../src/kernel/db/database.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { clusterOfRun } from './citus.ts'

/**
 * How many statements wait for a lock, of those whose text matches. On a cluster they wait on the nodes, where tables have
 * the schema in front and the number of the shard behind their names.
 */
export async function lockWaits(db: Pick<Queryable, 'query'>, statement = /^/): Promise<number> {
  const waiting = (pattern: string) =>
    `select count(*)::integer as n from pg_stat_activity
     where wait_event_type = 'Lock' and datname = current_database() and query ~* '${pattern}'`
  const [here] = await db.query<{ n: number }>({ text: waiting(statement.source), values: [], name: '' })
  if (!clusterOfRun()) return here!.n
  const there = await db.query(sql<{ result: string }>`
    select result from run_command_on_workers(${waiting(statement.source.replaceAll(/(?<=into |update |from )/g, 'public.'))})`)
  return there.reduce((sum, { result }) => sum + Number(result), here!.n)
}
