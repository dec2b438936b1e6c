import { API_LIMITS } from '../../contract/limits.ts'
import type { Tier } from '../../contract/plans.ts'
import { batched } from '../async/batch.ts'
import type { Soon } from '../async/soon.ts'
import { type Database, DatastoreUnavailable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { fail } from '../errors/api-error.ts'
import { present } from '../errors/present.ts'
import type { Log } from '../telemetry/log.ts'
import { clock } from '../time/clock.ts'

/** The calls of a key in the current window of a tier, with this one, and the time until the window ends. */
export interface Counted {
  used: number
  resetSeconds: number
}

/**
 * Counts calls in windows of one minute that begin with the first call. The first `limit` calls of a window are
 * allowed, in all processes together.
 */
export interface Limiter {
  count(keyId: string, tier: Tier): Soon<Counted>
  /** throws while it is unavailable; for /readyz and `doctor` */
  check(): Promise<void>
  close(): Promise<void>
}

const WINDOW_MS = API_LIMITS.rateWindowSeconds * 1000
const UNAVAILABLE_RETRY_SECONDS = 1

/** From 1 to 60. Fractions, and a window that opened after the call began, would give a 61st second. */
export const wholeSeconds = (milliseconds: number): number =>
  Math.min(API_LIMITS.rateWindowSeconds, Math.max(1, Math.ceil(milliseconds / 1000)))

export interface Allowed extends Counted {
  limit: number
  remaining: number
}

let saidAt = Number.NEGATIVE_INFINITY
const SAY_EVERY_MS = 1_000

export function rateLimit(
  { limiter, log }: { limiter: Limiter; log: Log },
  keyId: string,
  tier: Tier,
  limit: number,
): Soon<Allowed> {
  const counted = limiter.count(keyId, tier)
  if (!(counted instanceof Promise)) return allowed(counted, limit)
  return counted.then(
    value => allowed(value, limit),
    error => refuseUncounted(error, log),
  )
}

const allowed = ({ used, resetSeconds }: Counted, limit: number): Allowed => ({
  used,
  resetSeconds,
  limit,
  remaining: Math.max(0, limit - used),
})

function refuseUncounted(error: unknown, log: Log): never {
  // limits that are counted in the database: it is the database that is unavailable
  if (error instanceof DatastoreUnavailable) throw error
  // logged once a second, because every request fails
  if (clock.monotonic() - saidAt > SAY_EVERY_MS) {
    saidAt = clock.monotonic()
    log.error({ err: error }, 'rate limiter unavailable')
  }
  return fail('limiter_unavailable', { retry_after_seconds: UNAVAILABLE_RETRY_SECONDS })
}

/** For one API process. */
export class MemoryLimiter implements Limiter {
  readonly #windows = new Map<string, { startedAt: number; used: number }>()

  count(keyId: string, tier: Tier): Counted {
    // monotonic: a wall clock that is set back would keep every window open
    const now = clock.monotonic() + clock.offset()
    const name = `${tier} ${keyId}`
    let window = this.#windows.get(name)
    if (!window || now - window.startedAt >= WINDOW_MS) {
      if (this.#windows.size > 10_000) this.#sweep(now)
      window = { startedAt: now, used: 0 }
      this.#windows.set(name, window)
    }
    window.used++
    return { used: window.used, resetSeconds: wholeSeconds(window.startedAt + WINDOW_MS - now) }
  }

  #sweep(now: number): void {
    for (const [name, { startedAt }] of this.#windows) if (now - startedAt >= WINDOW_MS) this.#windows.delete(name)
  }

  async check(): Promise<void> {}
  async close(): Promise<void> {}
}

/** For several processes with one database. One statement counts concurrent calls. */
export class PostgresLimiter implements Limiter {
  readonly #count: (call: { keyId: string; tier: Tier }) => Promise<Counted>
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
    this.#count = batched(calls => this.#countAll(calls))
  }

  count(keyId: string, tier: Tier): Promise<Counted> {
    return this.#count({ keyId, tier })
  }

  async #countAll(calls: { keyId: string; tier: Tier }[]): Promise<Counted[]> {
    const groups = new Map<string, { keyId: string; tier: Tier; calls: number }>()
    for (const { keyId, tier } of calls) {
      const group = groups.get(`${keyId} ${tier}`)
      if (group) group.calls++
      else groups.set(`${keyId} ${tier}`, { keyId, tier, calls: 1 })
    }
    // sorted, so that concurrent statements cannot deadlock
    const sorted = [...groups.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group)
    const rows = await this.#db.query(
      raiseWindows(
        sorted.map(g => g.keyId),
        sorted.map(g => g.tier),
        sorted.map(g => g.calls),
      ),
    )
    const counted = new Map(rows.map(row => [`${row.key_id} ${row.tier}`, row]))
    const given = new Map<string, number>()
    return calls.map(({ keyId, tier }) => {
      const name = `${keyId} ${tier}`
      const { used, reset } = present(counted.get(name), name)
      const { calls } = present(groups.get(name), name)
      const place = (given.get(name) ?? 0) + 1
      given.set(name, place)
      return { used: used - calls + place, resetSeconds: wholeSeconds(reset * 1000) }
    })
  }

  async check(): Promise<void> {
    await this.#db.query(sql`select 1 from rate_windows limit 1`)
  }
  async close(): Promise<void> {}
}

const raiseWindows = (keyIds: string[], tiers: string[], calls: number[]) =>
  sql<{ key_id: string; tier: string; used: number; reset: number }>`
    insert into rate_windows as w (key_id, tier, started_at, used)
    select key_id, tier, app_now(), calls
    from unnest(${keyIds}::text[], ${tiers}::text[], ${calls}::integer[]) as c (key_id, tier, calls)
    on conflict (key_id, tier) do update set
      started_at = case when w.started_at + ${WINDOW_MS}::integer * interval '1 millisecond' <= app_now() then app_now() else w.started_at end,
      used = case when w.started_at + ${WINDOW_MS}::integer * interval '1 millisecond' <= app_now() then excluded.used else w.used + excluded.used end
    returning key_id, tier, used, extract(epoch from started_at + ${WINDOW_MS}::integer * interval '1 millisecond' - app_now())::float8 as reset`
