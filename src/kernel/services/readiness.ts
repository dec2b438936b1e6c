import { statfs } from 'node:fs/promises'
import type { Database } from '../db/database.ts'
import { LOCKS } from '../db/locks.ts'
import { isMigrated, readMigrations } from '../db/migrate.ts'
import { sql } from '../db/sql.ts'
import { ownEventsWaiting } from '../feed/sequencer.ts'
import { describeError } from '../telemetry/log.ts'
import { clock } from '../time/clock.ts'
import type { Supervisor } from '../work/supervisor.ts'
import type { Services } from './services.ts'

/** A part that requests need, of the outside world or of this process. */
export interface ReadinessPart {
  name: string
  /** whether the process is not ready without it */
  required: boolean
  /** how long a good result is valid: probes are frequent and need no key */
  cacheMs: number
  check: () => Promise<unknown>
}

export interface ReadinessReport {
  ready: boolean
  checks: Record<string, 'ok' | 'failing'>
}

/** Longer than the timeouts of the clients that are checked, so that theirs is what is logged. */
const LIMIT_MS = 4_000
/** A part that failed is checked again after this time at the latest. */
const FAILING_CACHE_MS = 5_000

/** An event that waits longer than this: the process that publishes events is stuck. */
const LATE_SECONDS = 60
/** Below this, a database or an upload can fill the file system of `DATA_DIR` at any time. */
const LEAST_FREE_BYTES = 256 * 1024 ** 2

/**
 * The report of /readyz. A replica, mail, workers and disk space are reported and do not count for requests: only messages and mailed
 * links need a mail server, events wait for the next worker, and taking every process out of service because of them would
 * make that much worse. The loops of a process that serves no requests are all that it is for, so there they count.
 */
const partsOf = (services: Services, supervisor: Supervisor): ReadinessPart[] => {
  const { config, db, replica } = services
  const migrations = readMigrations()
  const migrated = async () => {
    if (!(await isMigrated(services.db, migrations))) throw new Error('the schema is not up to date')
  }
  return [
    { name: 'database', required: true, cacheMs: 1_000, check: () => services.db.now() },
    ...(replica ? [{ name: 'replica', required: false, cacheMs: 1_000, check: () => replica.check() }] : []),
    { name: 'migrations', required: true, cacheMs: 1_000, check: migrated },
    { name: 'limiter', required: true, cacheMs: 1_000, check: () => services.limiter.check() },
    { name: 'files', required: true, cacheMs: 5_000, check: () => services.blobs.check() },
    {
      name: 'workers',
      required: !config.ROLES.has('api'),
      cacheMs: 1_000,
      check: () => checkWorkers(db, supervisor),
    },
    { name: 'disk', required: false, cacheMs: 5_000, check: () => checkDisk(config.DATA_DIR) },
    { name: 'mail', required: false, cacheMs: 60_000, check: () => services.mailer.check() },
  ]
}

/** The loops of this process run, and some process leads them. */
async function checkWorkers(db: Database, supervisor: Supervisor): Promise<void> {
  const failing = supervisor.health().filter(worker => !worker.running)
  if (failing.length > 0) throw new Error(`waiting to be restarted: ${failing.map(worker => worker.name).join(', ')}`)
  await checkLeader(db)
}

/** Some process publishes events of workspaces, without delay. Those of the pool wait while a process of 0.2.0 leads. */
export async function checkLeader(db: Database): Promise<void> {
  const [leader, feed] = await Promise.all([db.one(leaderExists), db.only(ownEventsWaiting)])
  if (!leader) throw new Error('no worker process publishes events')
  if (feed.oldest_seconds > LATE_SECONDS) throw new Error(`an event waits for ${Math.round(feed.oldest_seconds)} s`)
}

const leaderExists = sql`
  select 1 from pg_locks
  where locktype = 'advisory' and objid = ${LOCKS.eventSequencer}::bigint::oid and classid = 0 and objsubid = 1 and granted
    and database = (select oid from pg_database where datname = current_database())`

/** How much is free; an error if that is too little. */
export async function checkDisk(folder: string): Promise<string> {
  const { bavail, bsize } = await statfs(folder)
  const free = `${Math.round((bavail * bsize) / 1024 ** 2)} MB free`
  if (bavail * bsize < LEAST_FREE_BYTES) throw new Error(free)
  return free
}

/** Without the stack: it is the same at every check. */
function reasonOf(error: unknown): string {
  const described = describeError(error)
  return typeof described === 'string' ? described : described.message
}

/** Probes come every second, so the log has a line only when something changes. */
export class Readiness {
  readonly #parts: readonly ReadinessPart[]
  readonly #results = new Map<ReadinessPart, { at: number; ok: Promise<boolean>; failed: boolean }>()
  readonly #services: Services
  readonly #failing = new Set<string>()
  #ready: boolean | undefined

  /** `further`: parts that the kernel does not know. */
  constructor(services: Services, supervisor: Supervisor, further: readonly ReadinessPart[] = []) {
    this.#services = services
    this.#parts = [...partsOf(services, supervisor), ...further]
  }

  async report(): Promise<ReadinessReport> {
    const results = await Promise.all(this.#parts.map(async part => ({ ...part, ok: await this.#check(part) })))
    const ready = results.every(({ required, ok }) => ok || !required)
    if (ready !== this.#ready) this.#services.log[ready ? 'info' : 'warn']({}, ready ? 'ready' : 'not ready')
    this.#ready = ready
    return {
      ready,
      checks: Object.fromEntries(results.map(({ name, ok }) => [name, ok ? 'ok' : 'failing'] as const)),
    }
  }

  /** Probes that come at the same time share a check. */
  #check(part: ReadinessPart): Promise<boolean> {
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

  async #run({ name, check }: ReadinessPart): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no result within ${LIMIT_MS / 1000} seconds`)), LIMIT_MS)
    })
    try {
      await Promise.race([check(), late])
      if (this.#failing.delete(name)) this.#services.log.info({ part: name }, 'a part works again')
      return true
    } catch (error) {
      if (!this.#failing.has(name)) this.#services.log.warn({ part: name, reason: reasonOf(error) }, 'a part fails')
      this.#failing.add(name)
      return false
    } finally {
      clearTimeout(timer)
    }
  }
}
