import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import type { Database, Transaction } from '../../src/kernel/db/database.ts'
import { raw, sql } from '../../src/kernel/db/sql.ts'
import { ApiError } from '../../src/kernel/errors/api-error.ts'
import type { Services } from '../../src/kernel/services/services.ts'
import { seeded } from '../random.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
/** When the replay ends: the midnight that the loader puts at the beginning of its own day. */
export const END = Date.UTC(2026, 10, 1)

export const daysAgo = (days: number): number => Math.floor(END - days * DAY)
export const iso = (ms: number): string => new Date(ms).toISOString()

/** A date begins with its year and month, in this many characters. */
const MONTH_LENGTH = 7

interface Step {
  at: number
  run: () => Promise<unknown>
}

/**
 * Runs the product's actions in the order of their times, one after the other, with the clock at each of them. The
 * process and the database both take the time from here, and handles and ids come from a seeded generator: the same
 * steps make the same rows. Only for the store of a build, whose `app_now()` is replaced.
 */
export class Replay {
  readonly services: Services
  readonly #steps: Step[] = []
  #now = 0

  constructor(services: Services) {
    this.services = services
  }

  get db(): Database {
    return this.services.db
  }

  get now(): number {
    return this.#now
  }

  async freeze(): Promise<void> {
    const random = seeded('handles and ids')
    const bytes = (size: number) => Buffer.from(Array.from({ length: size }, () => random.int(0, 255)))
    Object.assign(crypto, { randomBytes: bytes, randomUUID: random.uuid })
    // waits between webhook attempts do not vary
    Object.assign(Math, { random: () => 0.5 })
    Object.assign(Date, { now: () => this.#now })
    syncBuiltinESMExports()
    await this.db.query(sql`create table demo_clock (now timestamptz(3) not null)`)
    await this.db.query(sql`insert into demo_clock select now()`)
    await this.db.query(
      sql`${raw(`
      create or replace function app_now() returns timestamptz language sql stable parallel safe
      as 'select now from demo_clock'`)}`,
    )
  }

  async setClock(at: number): Promise<void> {
    this.#now = at
    await this.db.query(sql`update demo_clock set now = ${iso(at)}`)
  }

  /** Steps of the same time run in the order in which they were planned. A step may plan later ones. */
  plan(at: number, run: Step['run']): void {
    if (at > END) return
    let place = this.#steps.length
    while (place > 0 && this.#steps[place - 1]!.at > at) place--
    this.#steps.splice(place, 0, { at: Math.floor(at), run })
  }

  async run(): Promise<void> {
    let reported = ''
    for (let step = this.#steps.shift(); step; step = this.#steps.shift()) {
      const month = iso(step.at).slice(0, MONTH_LENGTH)
      if (month !== reported) console.log(`${month}: ${this.#steps.length} steps are left`)
      reported = month
      await this.setClock(Math.max(step.at, this.#now))
      await step.run()
    }
  }

  change<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.db.transaction(work)
  }
}

/** An action that returns its refusal instead of throwing it. */
export function accepted<T>(outcome: T | ApiError): T {
  if (outcome instanceof ApiError) throw outcome
  return outcome
}
