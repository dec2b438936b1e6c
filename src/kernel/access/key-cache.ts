import { deleteOldest } from '../async/delete-oldest.ts'
import type { Database, DbSession } from '../db/database.ts'
import { markComplete, pruneKeyCaches } from '../db/key-caches.ts'
import { sql } from '../db/sql.ts'
import type { Log } from '../telemetry/log.ts'
import { clock } from '../time/clock.ts'
import { pause, Wakeable } from '../time/pause.ts'
import type { Caller } from './caller.ts'

/**
 * Keys without a query for each request, and revocation that is exact all the same: a request that begins after the call
 * that revoked its key has returned is refused, in every process.
 *
 * - A process may use its cache while it holds a lease, which it renews every half second. It measures the lease from the
 *   moment it asked for it, so its own view ends before the database's. Without a lease each request queries the database.
 * - Every renewal returns a snapshot of the database, and whether a key changed since the snapshot before. If one did, the
 *   cache is emptied, and only then is the snapshot stored as applied.
 * - A change of a key commits and then waits until each cache has applied a snapshot that contains it, or its lease has
 *   run out. A trigger asks for that (`note_key_change`), so no statement can leave it out; on a connection that does not
 *   know of it, such as that of an older version, the trigger itself keeps leases from being renewed and waits until they
 *   have run out. The trigger also notifies, so that a change takes milliseconds; where notifications do not arrive, it
 *   takes until the next renewal.
 * - A crash or a failover of the server empties the table of leases. Then changes wait until the leases that it does not
 *   show any more have run out.
 * - Emptied means replaced: what a request reads from the database goes into the cache that it began with.
 *
 * Only what was found is cached: a new key is valid immediately.
 */

/** How often a lease is renewed. */
const RENEW_MS = 500
/**
 * How long a process uses its cache after the moment it asked for the lease. A change waits a second longer (`LEASE_MS`),
 * so that clocks may differ in speed, and the database's may be set forward by less than that.
 */
export const TRUSTED_MS = 2_000
/** How many renewals pass between two removals of old rows. */
const PRUNE_EVERY = 1_000
const SIZE = 10_000

export interface CachedKey {
  caller: Caller
  /** in milliseconds of the database's clock */
  expiresAt: number | null
}

/** The keys that one process knows. It is replaced by an empty one when a key has changed. */
export class KeyCache {
  readonly #keys = new Map<string, CachedKey>()
  readonly #workspaces = new Set<string>()

  key = (hash: string): CachedKey | undefined => this.#keys.get(hash)
  hasWorkspace = (id: string): boolean => this.#workspaces.has(id)

  addKey(hash: string, key: CachedKey): void {
    if (this.#keys.size >= SIZE) deleteOldest(this.#keys)
    this.#keys.set(hash, key)
  }

  addWorkspace(id: string): void {
    if (this.#workspaces.size >= SIZE) this.#workspaces.clear()
    this.#workspaces.add(id)
  }
}

export interface Renewal {
  snapshot: string
  /** whether a key changed since the snapshot that was given */
  changed: boolean
  /** the database's time in milliseconds, without an offset */
  now: number
}

/** The statements of a lease. */
export interface LeaseStore {
  /** A new lease of an empty cache. */
  register(): Promise<Renewal>
  /** Stores that the snapshot was applied. undefined: the lease is unknown and must be registered again. */
  renew(applied: string): Promise<Renewal | undefined>
}

interface Time {
  monotonic(): number
  wall(): number
}

const TIME: Time = { monotonic: clock.monotonic, wall: Date.now }
const NEVER = { monotonic: Number.NEGATIVE_INFINITY, wall: 0 }

/** The lease of one process: what it may use of its cache, and when. */
export class KeyLease {
  readonly #time: Time
  #cache = new KeyCache()
  #applied: string | undefined
  /** when the last renewal was asked for; before the first, never */
  #asked = NEVER
  /** the database's clock minus the monotonic one */
  #clockOffset = 0

  constructor(time = TIME) {
    this.#time = time
  }

  /** The cache, if the lease lasts: nothing may be awaited between this call and the use of what it returned. */
  trusted(): KeyCache | undefined {
    const { monotonic, wall } = this.#asked
    if (this.#time.monotonic() - monotonic >= TRUSTED_MS) return undefined
    // The monotonic clock may not run while a machine is suspended; the wall clock does.
    return Math.abs(this.#time.wall() - wall) < TRUSTED_MS ? this.#cache : undefined
  }

  /** The database's time in whole milliseconds, as exact as a round trip. Only while the lease lasts. */
  databaseNow = (): number => Math.floor(this.#clockOffset + this.#time.monotonic()) + clock.offset()

  /** Renews until what was applied is what the database has. */
  async renew(store: LeaseStore): Promise<void> {
    for (;;) {
      const asked = { monotonic: this.#time.monotonic(), wall: this.#time.wall() }
      const renewal = this.#applied === undefined ? undefined : await store.renew(this.#applied)
      if (renewal === undefined) {
        // what another lease allowed does not count for this one
        this.drop()
        this.#accept(await store.register(), asked)
        return
      }
      // After a lapse no change waited for this cache: one may have been made that this renewal does not see yet.
      if (renewal.changed || !this.trusted()) this.#cache = new KeyCache()
      this.#accept(renewal, asked)
      if (!renewal.changed) return
    }
  }

  /** Ends the use of the cache until the next renewal. */
  drop(): void {
    this.#cache = new KeyCache()
    this.#applied = undefined
    this.#asked = NEVER
  }

  #accept({ snapshot, now }: Renewal, asked: { monotonic: number; wall: number }): void {
    this.#applied = snapshot
    this.#asked = asked
    // from the moment of the question: a key may seem expired a round trip too early, never too late
    this.#clockOffset = now - asked.monotonic
  }
}

/** Renews the lease of a process until `signal` is aborted. Without the database there is no lease. */
export async function holdLease(db: Database, lease: KeyLease, log: Log, signal: AbortSignal): Promise<void> {
  const wakeable = new Wakeable(signal)
  // the id belongs to the process, not to the session: a lost session is replaced, and no change waits for it
  const id = crypto.randomUUID()
  let failing = false
  while (!signal.aborted) {
    let session: Awaited<ReturnType<Database['session']>> | undefined
    try {
      session = await db.session()
      await session.listen('key_changes', wakeable.wake)
      const store = leaseStore(session, id)
      lease.drop()
      for (let renewals = 0; !signal.aborted; renewals++) {
        wakeable.rearm()
        await lease.renew(store)
        if (renewals % PRUNE_EVERY === 0) await store.prune()
        failing = false
        await wakeable.pause(RENEW_MS)
      }
      lease.drop() // first: without a lease nothing may be used
      await store.release()
      await session.close()
    } catch (error) {
      if (!failing) log.warn({ err: error }, 'keys are read for each request until the lease of their cache is renewed')
      failing = true
      await pause(RENEW_MS, signal)
    } finally {
      lease.drop()
      // Not awaited: the end of a connection that is lost may never be reported, and the next one must not wait for it.
      session?.close().catch(() => {})
    }
  }
  wakeable.close()
}

const leaseStore = (db: DbSession, id: string): LeaseStore & { prune(): Promise<void>; release(): Promise<void> } => ({
  register: async () => {
    await db.query(markComplete())
    return db.only(sql<Renewal>`
      insert into key_caches (id, renewed_at, applied) values (${id}::uuid, clock_timestamp(), pg_current_snapshot())
      on conflict (id) do update set renewed_at = excluded.renewed_at, applied = excluded.applied
      returning applied::text as snapshot, false as changed, extract(epoch from clock_timestamp()) * 1000 as now`)
  },
  renew: applied =>
    db.one(sql<Renewal>`
      update key_caches set renewed_at = clock_timestamp(), applied = ${applied}::pg_snapshot where id = ${id}::uuid
      returning pg_current_snapshot()::text as snapshot, extract(epoch from clock_timestamp()) * 1000 as now,
        exists (
          select from key_changes where not pg_visible_in_snapshot(id, ${applied}::pg_snapshot)
            -- rows that were copied from another server may be of the future
            and pg_visible_in_snapshot(id, pg_current_snapshot())
        ) as changed`),
  prune: async () => {
    await db.query(pruneKeyCaches())
    await db.query(sql`delete from key_changes where made_at < clock_timestamp() - interval '1 hour'`)
  },
  release: async () => {
    await db.query(sql`delete from key_caches where id = ${id}::uuid`)
  },
})
