import { isMigrated, readMigrations } from '../db/migrate.ts'
import { clock } from '../time/clock.ts'
import type { Services } from './services.ts'

/** A part of the outside world that requests need. */
interface Part {
  name: string
  /** whether the process is not ready without it */
  required: boolean
  /** how long a good result is valid: probes are frequent and need no key */
  cacheMs: number
  check: () => Promise<unknown>
}

export interface Report {
  ready: boolean
  checks: Record<string, 'ok' | 'failing'>
}

/** Longer than the timeouts of the clients that are checked, so that theirs is what is logged. */
const LIMIT_MS = 4_000
/** A part that failed is checked again after this time at the latest. */
const FAILING_CACHE_MS = 5_000

/**
 * What /readyz reports. Mail is reported and does not count: only messages and mailed links need it, and taking every
 * process out of service because the mail server is down would make that much worse.
 */
const partsOf = (services: Services): Part[] => {
  const migrations = readMigrations()
  const migrated = async () => {
    if (!(await isMigrated(services.db, migrations))) throw new Error('the schema is not up to date')
  }
  return [
    { name: 'database', required: true, cacheMs: 1_000, check: () => services.db.now() },
    { name: 'migrations', required: true, cacheMs: 1_000, check: migrated },
    { name: 'limiter', required: true, cacheMs: 1_000, check: () => services.limiter.check() },
    { name: 'files', required: true, cacheMs: 5_000, check: () => services.blobs.check() },
    { name: 'mail', required: false, cacheMs: 60_000, check: () => services.mailer.check() },
  ]
}

export class Readiness {
  readonly #parts: readonly Part[]
  readonly #results = new Map<Part, { at: number; ok: Promise<boolean>; failed: boolean }>()
  readonly #services: Services

  constructor(services: Services) {
    this.#services = services
    this.#parts = partsOf(services)
  }

  async report(): Promise<Report> {
    const results = await Promise.all(this.#parts.map(async part => ({ ...part, ok: await this.#check(part) })))
    return {
      ready: results.every(({ required, ok }) => ok || !required),
      checks: Object.fromEntries(results.map(({ name, ok }) => [name, ok ? 'ok' : 'failing'] as const)),
    }
  }

  /** Probes that come at the same time share a check. */
  #check(part: Part): Promise<boolean> {
    const now = clock.monotonic() + clock.offset()
    const known = this.#results.get(part)
    if (known && now - known.at < (known.failed ? Math.min(part.cacheMs, FAILING_CACHE_MS) : part.cacheMs)) {
      return known.ok
    }
    const result = { at: now, failed: false, ok: this.#run(part) }
    result.ok.then(ok => {
      result.failed = !ok
    })
    this.#results.set(part, result)
    return result.ok
  }

  async #run({ name, check }: Part): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no result within ${LIMIT_MS / 1000} seconds`)), LIMIT_MS)
    })
    try {
      await Promise.race([check(), late])
      return true
    } catch (error) {
      this.#services.log.warn({ err: error, part: name }, 'not ready')
      return false
    } finally {
      clearTimeout(timer)
    }
  }
}
