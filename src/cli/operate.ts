import { randomBytes, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { isIP } from 'node:net'
import { connect } from 'node:tls'
import { readInstallation } from '../kernel/backup/installation.ts'
import { type Config, hostInUrl, isLocalOnly, SETTINGS } from '../kernel/config/config.ts'
import { Keyring } from '../kernel/crypto/signing.ts'
import { tryWorkerSettings } from '../kernel/db/cluster-settings.ts'
import type { Database } from '../kernel/db/database.ts'
import { askDistributed } from '../kernel/db/distributed.ts'
import { isMigrated, migrationStatus } from '../kernel/db/migrate.ts'
import { sql } from '../kernel/db/sql.ts'
import { UserError } from '../kernel/errors/user-error.ts'
import { openReplica, openStore } from '../kernel/services/open-store.ts'
import { checkDisk } from '../kernel/services/readiness.ts'
import { createLog } from '../kernel/telemetry/log.ts'
import { clock } from '../kernel/time/clock.ts'
import type { Check } from './check.ts'
import { checkCluster } from './check-cluster.ts'
import { table, type Verb, type VerbInput, type VerbOutput } from './verb.ts'
import { withStore } from './with-store.ts'

export const migrateVerb: Verb = {
  name: 'migrate',
  description: 'Brings the database schema up to date, while other processes use it.',
  options: { status: { description: 'show which migrations are applied and which would be, and change nothing' } },
  run: input =>
    input.flag('status')
      ? showMigrations(input)
      : withStore(
          input,
          async ({ db, applied }) => {
            const warnings = (await askDistributed(db)) ? await tryWorkerSettings(db) : []
            const done = applied.length === 0 ? ['the schema is up to date'] : applied.map(name => `applied ${name}`)
            return {
              json: { applied, ...(warnings.length > 0 && { warnings }) },
              text: [...done, ...warnings].join('\n'),
            }
          },
          line => void (input.json || process.stderr.write(`${line}\n`)),
        ),
}

const RUNS = {
  transaction: 'in a transaction',
  outside: 'statement by statement',
  batches: 'in batches of rows',
} as const

/** The versions of the program and of the schema may differ: see docs/upgrading.md. */
async function showMigrations(input: VerbInput): Promise<VerbOutput> {
  const store = await openStore(input.config({ DATABASE_CONNECTIONS: '4' }), createLog('error'))
  try {
    const migrations = await migrationStatus(store.db)
    const rows = migrations.map(({ version, name, applied, runs }) => [
      String(version).padStart(6, '0'),
      name,
      applied ? 'applied' : `to be applied ${RUNS[runs]}`,
    ])
    return { json: { migrations }, text: table(rows) }
  } finally {
    await store.close()
  }
}

export const demoVerb: Verb = {
  name: 'demo',
  description: 'Loads the demo workspaces into an empty database.',
  run: input =>
    withStore(input, async ({ db, keyring }) => {
      const { demoCredentials, loadDemo } = await import('../../demo/index.ts')
      const { openBlobs } = await import('../kernel/services/open-services.ts')
      const { openMailer } = await import('../kernel/services/open-mailer.ts')
      const config = input.config()
      const publicUrl = config.publicUrl ?? ''
      const blobs = await openBlobs(config, { db, keyring, publicUrl })
      const { outbox } = openMailer(config)
      try {
        const summary = await loadDemo({ db, blobs, outbox, keyring, publicUrl, log: createLog('error') })
        if (!summary)
          throw new UserError('the database is not empty; demo data can only be loaded into an empty database')
        const rows = Object.entries(summary.counts).map(([name, count]) => [name, String(count)])
        const { key, sign_in } = await demoCredentials(db, keyring)
        return {
          json: { ...summary, key, sign_in },
          text: `${table(rows)}\nkey: ${key}\nsign in: ${sign_in?.email}\npassword: ${sign_in?.password}`,
        }
      } finally {
        await blobs.close()
      }
    }),
}

export const demoCredentialsVerb: Verb = {
  name: 'demo credentials',
  description: 'Shows the API key and the credentials of the demo workspaces.',
  run: input =>
    withStore(input, async ({ db, keyring }) => {
      const { demoCredentials } = await import('../../demo/index.ts')
      const { key, sign_in } = await demoCredentials(db, keyring)
      if (key === null && sign_in === null) {
        throw new UserError('there is no demo, or its key was revoked and its password changed')
      }
      const rows = [
        ...(sign_in
          ? [
              ['Sign in', sign_in.email],
              ['Password', sign_in.password],
            ]
          : []),
        ...(key ? [['Demo key', key]] : []),
      ]
      return { json: { key, sign_in }, text: table(rows) }
    }),
}

export const doctorVerb: Verb = {
  name: 'doctor',
  description: 'Checks the configuration and the services that it uses.',
  run: async input => {
    const config = input.config()
    const checks = [
      ...(await checkStore(config)),
      await checkRedis(config),
      await checkFiles(config),
      await attempt('disk', config.DATA_DIR, () => checkDisk(config.DATA_DIR)),
      await checkCertificate(config),
      await checkMail(config),
      await checkHttp(config),
      await checkMetrics(config),
      checkWebhooks(config),
      await checkResumeReader(config),
    ]
    const failing = checks.some(check => check.state === 'failing')
    const settings = Object.entries(SETTINGS)
      .filter(([, s]) => !('secret' in s))
      .map(([name]) => [name, shown(config[name as keyof Config])])
    return {
      json: { healthy: !failing, checks, settings: Object.fromEntries(settings) },
      text: [table(checks.map(c => [c.state.toUpperCase(), c.name, c.configured, c.detail])), '', table(settings)].join(
        '\n',
      ),
      exitCode: failing ? 1 : 0,
    } satisfies VerbOutput
  },
}

const shown = (value: unknown): string =>
  value === undefined
    ? '-'
    : value instanceof Set
      ? [...value].join(',')
      : Buffer.isBuffer(value)
        ? `${value.length} bytes`
        : String(value) || '-'

async function attempt(name: string, configured: string, work: () => Promise<string>): Promise<Check> {
  try {
    return { name, configured, state: 'ok', detail: await work() }
  } catch (error) {
    return { name, configured, state: 'failing', detail: (error as Error).message.split('\n')[0]! }
  }
}

async function checkStore(config: Config): Promise<Check[]> {
  const configured = config.DATABASE_URL ? 'DATABASE_URL' : 'embedded'
  const log = createLog('silent')
  let store: Awaited<ReturnType<typeof openStore>>
  try {
    store = await openStore(config, log)
  } catch (error) {
    return [{ name: 'database', configured, state: 'failing', detail: (error as Error).message }]
  }
  try {
    return [
      await attempt('database', configured, async () => {
        const row = await store.db.one(sql<{ version: string }>`select current_setting('server_version') as version`)
        return `PostgreSQL ${row!.version}`
      }),
      ...(await checkReplica(config, store.db)),
      await attempt('schema', 'migrations/', async () => {
        if (!(await isMigrated(store.db))) throw new Error('not up to date: run hiring migrate')
        return 'up to date'
      }),
      ...(await checkCluster(store.db)),
      await checkClock(store.db),
      await checkBacklog(store.db),
      await checkBackup(store.db, config),
      await checkSending(store.db),
      await checkSearch(store.db, config),
    ]
  } finally {
    await store.close()
  }
}

/** Nothing but reads that may be old uses it, and the primary serves them without it. */
async function checkReplica(config: Config, db: Database): Promise<Check[]> {
  if (!config.DATABASE_REPLICA_URL) return []
  const check = await attempt('replica', 'DATABASE_REPLICA_URL', async () => {
    const replica = await openReplica(config, db, createLog('silent'))
    try {
      return await replica!.check()
    } finally {
      await replica!.close()
    }
  })
  return [check.state === 'failing' ? { ...check, state: 'warning' } : check]
}

/** Links, sessions and signatures are valid for minutes by the clock of the database. */
const MOST_SKEW_MS = 2_000

async function checkClock(db: Database): Promise<Check> {
  const check = await attempt('clock', 'this machine and the database', async () => {
    const sentAt = clock.now()
    const there = await db.now()
    const skew = there - (sentAt + clock.now()) / 2
    if (Math.abs(skew) > MOST_SKEW_MS) throw new Error(`they differ by ${(Math.abs(skew) / 1000).toFixed(1)} s`)
    return 'the same time'
  })
  return check.state === 'failing' ? { ...check, state: 'warning' } : check
}

/** Queues of a service that does not run are no fault: nothing is done there. */
const LATE_QUEUE_SECONDS = 900

async function checkBacklog(db: Database): Promise<Check> {
  const { readQueues } = await import('../app.ts')
  const { checkLeader } = await import('../kernel/services/readiness.ts')
  const led = await checkLeader(db).then(
    () => null,
    (error: Error) => error.message,
  )
  const queues = await readQueues({ db, log: createLog('silent') })
  const late = [...queues]
    .filter(([, queue]) => queue.oldest_seconds > LATE_QUEUE_SECONDS)
    .map(
      ([name, queue]) => `${name} (${queue.waiting} wait, the oldest for ${Math.round(queue.oldest_seconds / 60)} min)`,
    )
  const faults = [...(led ? [led] : []), ...(late.length > 0 ? [`late: ${late.join(', ')}`] : [])]
  const name = 'background work'
  return faults.length === 0
    ? { name, configured: '-', state: 'ok', detail: 'a worker process runs, and no queue is late' }
    : { name, configured: '-', state: 'warning', detail: faults.join('; ') }
}

/** Who backs up by other means sees a warning, which is right: this program cannot know. */
async function checkBackup(db: Database, { BACKUP_MAX_AGE_HOURS: most }: Config): Promise<Check> {
  const check = await attempt('backup', `at most ${most} h old`, async () => {
    const { last_backup_at, last_backup_name } = await readInstallation(db)
    if (last_backup_at === null) throw new Error('never made: run hiring backup')
    const hours = ((await db.now()) - Date.parse(last_backup_at)) / 3_600_000
    const detail = `${last_backup_name}, ${hours < 1 ? 'less than an hour' : `${Math.floor(hours)} h`} old`
    if (hours > most) throw new Error(`the last one is too old: ${detail}`)
    return detail
  })
  return check.state === 'failing' ? { ...check, state: 'warning' } : check
}

async function checkSending(db: Database): Promise<Check> {
  const check = await attempt('sending', '-', async () => {
    const { sending_held_at } = await readInstallation(db)
    if (sending_held_at === null) return 'webhooks and email are sent'
    throw new Error('held, because this store was restored: run hiring sending on if it replaces the original')
  })
  return check.state === 'failing' ? { ...check, state: 'warning' } : check
}

async function checkSearch(db: Database, { SEARCH_URL, SEARCH_INDEX }: Config): Promise<Check> {
  if (SEARCH_URL.length === 0)
    return { name: 'search', configured: '-', state: 'not used', detail: 'every process has its own index of the pool' }
  return attempt('search', `SEARCH_URL, ${SEARCH_INDEX}`, async () => {
    const { poolWriter } = await import('../resources/pool/index.ts')
    const { indexes } = await poolWriter(db)!.status()
    const used = indexes.find(index => index.state === 'in use')
    if (!used) throw new Error('no index is in use; a process with the role worker builds one')
    return `${used.name}, ${used.documents} documents`
  })
}

/** Certificates are renewed long before. */
const EXPIRY_DAYS = 14
const CONNECT_MS = 3_000

/** The one that callers see: of the service itself, or of the proxy at PUBLIC_URL. */
async function checkCertificate({ TLS_CERT, PUBLIC_URL }: Config): Promise<Check> {
  const name = 'certificate'
  if (TLS_CERT) return dated(new X509Certificate(TLS_CERT), { name, configured: 'TLS_CERT' })
  const { protocol, hostname, port, origin } = new URL(PUBLIC_URL ?? 'http://unknown')
  if (protocol !== 'https:') {
    return { name, configured: '-', state: 'not used', detail: 'TLS_CERT is not set, and PUBLIC_URL is not https' }
  }
  try {
    const found = await certificateAt(hostname, port === '' ? 443 : Number(port))
    return dated(found, { name, configured: origin })
  } catch (error) {
    return { name, configured: origin, state: 'warning', detail: `not seen from here: ${(error as Error).message}` }
  }
}

/** Trusted or not: only its dates are looked at. */
async function certificateAt(host: string, port: number): Promise<X509Certificate> {
  const names = isIP(host) === 0 ? { servername: host } : {}
  const socket = connect({ host, port, ...names, rejectUnauthorized: false, timeout: CONNECT_MS })
  socket.on('timeout', () => socket.destroy(new Error('no response')))
  try {
    await once(socket, 'secureConnect')
    const found = socket.getPeerX509Certificate()
    if (!found) throw new Error('no certificate')
    return found
  } finally {
    socket.destroy()
  }
}

function dated({ validTo, subject }: X509Certificate, check: Pick<Check, 'name' | 'configured'>): Check {
  const days = Math.floor((Date.parse(validTo) - clock.now()) / 86_400_000)
  const detail = `${subject.split('\n').at(-1)}, valid for ${days} more days`
  if (days < 0) return { ...check, state: 'failing', detail: `expired on ${validTo}` }
  return { ...check, state: days < EXPIRY_DAYS ? 'warning' : 'ok', detail }
}

async function checkRedis(config: Config): Promise<Check> {
  const url = config.REDIS_URL
  if (!url)
    return { name: 'redis', configured: '-', state: 'not used', detail: `rate limits are counted in ${config.limiter}` }
  return attempt('redis', 'REDIS_URL', async () => {
    const { RedisLimiter } = await import('../kernel/access/rate-limit-redis.ts')
    const limiter = new RedisLimiter(url, createLog('silent'))
    try {
      await limiter.ready()
      return 'reachable'
    } finally {
      await limiter.close()
    }
  })
}

async function checkFiles(config: Config): Promise<Check> {
  return attempt('files', config.S3_BUCKET ? 'S3_BUCKET' : 'DATA_DIR', async () => {
    const { openBlobs } = await import('../kernel/services/open-services.ts')
    // nothing is signed here, and no database is needed
    const keyring = new Keyring(randomBytes(32))
    const blobs = await openBlobs(config, { keyring, publicUrl: '', db: { now: async () => clock.now() } })
    try {
      return await blobs.check()
    } finally {
      await blobs.close()
    }
  })
}

/** Without a service there is no port that metrics are served on. */
async function checkMetrics({ METRICS_PORT: port, METRICS_HOST: host }: Config): Promise<Check> {
  if (!port)
    return { name: 'metrics', configured: '-', state: 'not used', detail: 'not served: METRICS_PORT is not set' }
  const origin = `http://${hostInUrl(host)}:${port}`
  const check = await attempt('metrics', origin, async () => {
    const response = await fetch(`${origin}/metrics`, { signal: AbortSignal.timeout(3_000) })
    await response.text()
    if (!response.ok) throw new Error(`status ${response.status}`)
    return 'served'
  })
  if (check.detail === 'fetch failed') return { ...check, state: 'not used', detail: 'not running' }
  if (check.state !== 'ok' || isLoopback(host)) return check
  return {
    ...check,
    state: 'warning',
    detail: 'served without credentials on an address that other machines can reach',
  }
}

const isLoopback = (host: string) => host === 'localhost' || host === '::1' || host.startsWith('127.')

async function checkHttp(config: Config): Promise<Check> {
  const origin = config.publicUrl
  if (!origin)
    return { name: 'service', configured: 'PORT=0', state: 'not used', detail: 'the port is chosen at startup' }
  const check = await attempt('service', origin, async () => {
    const response = await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(3_000) })
    const body = (await response.json()) as { checks: Record<string, string> }
    if (!response.ok) throw new Error(`not ready: ${JSON.stringify(body.checks)}`)
    return 'ready'
  })
  // a service that is not running is no fault of the configuration
  return check.detail === 'fetch failed' ? { ...check, state: 'not used', detail: 'not running' } : check
}

/** As the service decides it at its start. */
function webhookTargets(config: Config): string {
  const text = 'sent only to public IP addresses'
  if (config.DEMO === 'off') return text
  return `${text}; with demo data also to ${isLocalOnly(config) ? 'http://localhost and ' : ''}the receiver of the demo`
}

function checkWebhooks(config: Config): Check {
  const hosts = config.WEBHOOK_ALLOW_HOSTS
  return hosts.length === 0
    ? { name: 'webhooks', configured: '-', state: 'ok', detail: webhookTargets(config) }
    : {
        name: 'webhooks',
        configured: 'WEBHOOK_ALLOW_HOSTS',
        state: 'warning',
        detail: `webhooks may be sent to private IP addresses: ${hosts.join(', ')}`,
      }
}

async function checkResumeReader({ DATA_DIR }: Config): Promise<Check> {
  const { detectSandbox } = await import('../resources/resumes/index.ts')
  const { name, network, description } = await detectSandbox([DATA_DIR])
  return { name: 'résumé reader', configured: name, state: network ? 'ok' : 'warning', detail: description }
}

async function checkMail(config: Config): Promise<Check> {
  const { openMailer } = await import('../kernel/services/open-mailer.ts')
  const signed = config.DKIM_DOMAIN ? `, signed by ${config.DKIM_DOMAIN}` : ''
  const check = await attempt('mail', config.SMTP_URL ? 'SMTP_URL' : 'local outbox', async () => {
    const { mailer } = openMailer(config)
    return `${await mailer.check()}; from ${config.MAIL_FROM}${signed}`
  })
  // mail programs offer their unsubscribe button for https alone (RFC 8058)
  if (check.state !== 'ok' || !config.SMTP_URL || config.publicUrl?.startsWith('https:')) return check
  const links = config.publicUrl ? `lead to ${config.publicUrl}` : 'have no fixed origin'
  return { ...check, state: 'warning', detail: `${check.detail}; its unsubscribe links ${links}: set PUBLIC_URL` }
}
