import { clock } from '../time/clock.ts'
import { pause } from '../time/pause.ts'
import { DatastoreUnavailable } from './errors.ts'
import { onlyRow } from './queryable.ts'
import { type Sql, sql } from './sql.ts'

/** The SQLSTATE of the notice that `note_key_change` raises, whose detail is the transaction. */
export const KEY_CHANGED = 'HPK01'

/** How long a change waits for a process that does not renew its lease. `note_key_change` has the same number. */
export const LEASE_MS = 3_000

/** The row that is not a cache: without it the table was emptied by a crash or a failover. */
const COMPLETE = '00000000-0000-0000-0000-000000000000'

/** How often a change looks for the caches: first soon, then less often. */
const POLLS_MS = [2, 3, 5, 10, 20]
const LONGEST_POLL_MS = 50

/** On a connection that changes no keys: it would wait for itself. */
interface Connection {
  run<Row>(statement: Sql<Row>): Promise<Row[]>
}

/** Waits until no cache of keys holds what the transaction changed. See access/key-cache.ts. */
export async function waitForKeyCaches(connection: Connection, transaction: string): Promise<void> {
  const startedAt = clock.monotonic()
  let first: ReadonlySet<string> | undefined
  for (let poll = 0; ; poll++) {
    const { stale, complete } = onlyRow(await connection.run(staleCaches(transaction)))
    const waited = clock.monotonic() - startedAt
    first ??= new Set(stale)
    const known = first
    if (!complete) await connection.run(markComplete())
    // a lease that was not renewed for as long as one lasts is none, whatever the database's clock says
    else if (stale.every(lease => waited > LEASE_MS && known.has(lease))) {
      // or every further change would wait for it, until the database's clock has passed it
      if (stale.length > 0) await connection.run(endLeases(stale))
      return
    }
    // leases end by themselves; this ends a wait that is a fault of ours
    if (waited > 3 * LEASE_MS) throw new DatastoreUnavailable('a cache of keys did not apply a change')
    await pause(POLLS_MS[poll] ?? LONGEST_POLL_MS)
  }
}

interface StaleCaches {
  /** each with the time of its renewal */
  stale: string[]
  complete: boolean
}

/** An id with the time of its renewal. */
const LEASE = sql`id::text || ' ' || renewed_at::text`

/** Ends leases that were not renewed since. Their processes, if they run, register again, with an empty cache. */
const endLeases = (leases: readonly string[]) => sql`delete from key_caches where ${LEASE} = any(${leases}::text[])`

const staleCaches = (transaction: string) =>
  sql<StaleCaches>`
    select coalesce(array_agg(${LEASE}) filter (
        where renewed_at > clock_timestamp() - ${LEASE_MS}::int * interval '1 millisecond'
          and not pg_visible_in_snapshot(${transaction}::xid8, applied)
      ), '{}') as stale,
      coalesce(bool_or(id = ${COMPLETE}::uuid), false) as complete
    from key_caches`

/** From here on the table is complete, apart from leases that were given before: they last as long as this one. */
export const markComplete = () => sql`
  insert into key_caches (id, renewed_at, applied) values (${COMPLETE}::uuid, clock_timestamp(), '1:1:')
  on conflict (id) do nothing`

/** Deletes the rows of processes that ended without a word. */
export const pruneKeyCaches = () => sql`
  delete from key_caches where renewed_at < clock_timestamp() - interval '1 hour' and id <> ${COMPLETE}::uuid`
