import { DatastoreUnavailable, timedOut } from '../db/errors.ts'
import type { Queryable } from '../db/queryable.ts'
import { raw, sql } from '../db/sql.ts'
import { pause } from '../time/pause.ts'
import { askDistributed } from './distributed.ts'

/** Runs a command that returns one value on each node of a cluster, the coordinator too; an error if one of them fails. */
async function runOnNodes(db: Queryable, command: string): Promise<{ node: string; result: string }[]> {
  const statement = sql<{ node: string; success: boolean; result: string }>`
    select coalesce(n.nodename || ':' || n.nodeport, 'coordinator') as node, r.success, r.result
    from run_command_on_all_nodes(${command}) r left join pg_dist_node n using (nodeid) order by n.groupid`
  const results = await db.query(statement).catch((error: Error) => {
    if (!timedOut(error)) throw error
    throw new DatastoreUnavailable('a node of the cluster does not respond to the coordinator', { cause: error.cause })
  })
  const failed = results.find(({ success }) => !success)
  if (failed)
    throw new DatastoreUnavailable(`the node ${failed.node} of the cluster does not run a command: ${failed.result}`)
  return results
}

/** Runs a command on the server, or on each node of a cluster. */
export async function runEverywhere(db: Queryable, command: string): Promise<void> {
  if (await askDistributed(db)) await runOnNodes(db, command)
  else await db.query(raw(command))
}

/** A change on several nodes that one of them has prepared, and neither committed nor rolled back yet. */
export interface PreparedChange {
  /** host and port */
  node: string
  /** the name of the transaction there */
  gid: string
  seconds: number
}

const PREPARED = `
  select coalesce(json_agg(json_build_object('gid', gid,
    'seconds', floor(extract(epoch from clock_timestamp() - prepared))) order by prepared), '[]')
  from pg_prepared_xacts where database = current_database() and starts_with(gid, 'citus_')`

export async function preparedChanges(db: Queryable): Promise<PreparedChange[]> {
  const found = await runOnNodes(db, PREPARED)
  return found.flatMap(({ node, result }) =>
    (JSON.parse(result) as Omit<PreparedChange, 'node'>[]).map(change => ({ node, ...change })),
  )
}

export const describePrepared = ({ node, gid, seconds }: PreparedChange): string =>
  `the node ${node} has not ended the transaction ${gid} of a change on several nodes, which it prepared ${seconds} s ago; Citus ends it by itself, and docs/citus.md says what to do if it does not ("Interrupted changes")`

const PREPARED_POLL_MS = 200
/** A node that was lost for longer makes the caller try again. */
const MAX_PREPARED_POLLS = 25

/**
 * Waits until the nodes of a cluster have ended every transaction that they have prepared now. A change on several nodes is
 * committed when the coordinator has noted it; a node that was lost at that moment shows the rows as they were until the
 * coordinator has ended the transaction there.
 */
export async function waitForPrepared(db: Queryable): Promise<void> {
  if (!(await askDistributed(db))) return
  const first = new Set((await preparedChanges(db)).map(({ gid }) => gid))
  for (let polls = 0; first.size > 0; polls++) {
    const open = (await preparedChanges(db)).find(({ gid }) => first.has(gid))
    if (!open) return
    if (polls === MAX_PREPARED_POLLS) throw new DatastoreUnavailable(describePrepared(open))
    await pause(PREPARED_POLL_MS)
  }
}
