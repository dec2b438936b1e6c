import { randomBytes, type X509Certificate } from 'node:crypto'
import { type Config, ConfigError, hostInUrl, isLocalOnly } from '../kernel/config/config.ts'
import { SETTINGS } from '../kernel/config/settings.ts'
import { describeUnknown, IGNORED, readUnknownSettings } from '../kernel/config/unknown-settings.ts'
import { Keyring } from '../kernel/crypto/signing.ts'
import { readCertificate } from '../kernel/net/certificate.ts'
import { checkDisk } from '../kernel/services/readiness.ts'
import { createLog } from '../kernel/telemetry/log.ts'
import { clock } from '../kernel/time/clock.ts'
import { attemptOrFail, type DoctorCheck, describeFailure } from './check.ts'
import { checkStore } from './doctor-store.ts'
import { table, type Verb, type VerbInput, type VerbOutput } from './verb.ts'

export const doctorVerb: Verb = {
  name: 'doctor',
  description: 'Checks the configuration and the services that it uses.',
  run: async input => {
    const { config, checks } = readSettings(input)
    for (const [name, check] of Object.entries(PARTS)) checks.push(...(await linesOf(name, () => check(config))))
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

/** A setting that cannot be used is a line of its own, and the other parts are checked without it. */
function readSettings(input: VerbInput): { config: Config; checks: DoctorCheck[] } {
  const checks: DoctorCheck[] = []
  const leftOut: Record<string, string> = {}
  for (;;) {
    try {
      return { config: input.config(leftOut), checks }
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      const isFirst = (name: string) => !(name in leftOut)
      const faults = error.faults.map(detail => ({ detail, names: namesIn(detail) }))
      if (!faults.some(({ names }) => names.some(isFirst))) throw error
      for (const { detail, names } of faults) {
        checks.push({ name: 'settings', configured: names.join(', '), state: 'failing', detail })
        for (const name of names) leftOut[name] = ''
      }
    }
  }
}

const namesIn = (fault: string): string[] =>
  (fault.match(/\b[A-Z][A-Z0-9_]+\b/g) ?? []).filter(name => name in SETTINGS)

/** In the order in which they are shown; one that fails hides none of the others. */
const PARTS: Readonly<Record<string, (config: Config) => DoctorCheck | Promise<DoctorCheck | DoctorCheck[]>>> = {
  settings: checkSettings,
  database: checkStore,
  redis: checkRedis,
  files: checkFiles,
  disk: ({ DATA_DIR }) => attemptOrFail('disk', DATA_DIR, () => checkDisk(DATA_DIR)),
  certificate: checkCertificate,
  mail: checkMail,
  service: checkHttp,
  metrics: checkMetrics,
  webhooks: checkWebhooks,
  'résumé reader': checkResumeReader,
}

async function linesOf(
  name: string,
  check: () => DoctorCheck | Promise<DoctorCheck | DoctorCheck[]>,
): Promise<DoctorCheck[]> {
  try {
    return [await check()].flat()
  } catch (error) {
    return [{ name, configured: '-', state: 'failing', detail: describeFailure(error) }]
  }
}

const shown = (value: unknown): string =>
  value === undefined
    ? '-'
    : value instanceof Set
      ? [...value].join(',')
      : Buffer.isBuffer(value)
        ? `${value.length} bytes`
        : String(value) || '-'

/** A misspelled name would otherwise only be noticed by what its setting does not do. */
function checkSettings(): DoctorCheck {
  const unknown = readUnknownSettings()
  const check = { name: 'settings', configured: '.env and environment' }
  if (unknown.length === 0) return { ...check, state: 'ok', detail: 'every name is known' }
  return { ...check, state: 'warning', detail: `${IGNORED}: ${unknown.map(describeUnknown).join(', ')}` }
}

/** Certificates are renewed long before. */
const EXPIRY_DAYS = 14

async function checkCertificate(config: Config): Promise<DoctorCheck> {
  const name = 'certificate'
  const configured = config.TLS_CERT ? 'TLS_CERT' : (config.PUBLIC_URL ?? '-')
  try {
    const found = await readCertificate(config)
    if (found) return dated(found, { name, configured })
    return { name, configured: '-', state: 'not used', detail: 'TLS_CERT is not set, and PUBLIC_URL is not https' }
  } catch (error) {
    return { name, configured, state: 'warning', detail: `not seen from here: ${describeFailure(error)}` }
  }
}

function dated({ validTo, subject }: X509Certificate, check: Pick<DoctorCheck, 'name' | 'configured'>): DoctorCheck {
  const days = Math.floor((Date.parse(validTo) - clock.now()) / 86_400_000)
  const detail = `${subject.split('\n').at(-1)}, valid for ${days} more days`
  if (days < 0) return { ...check, state: 'failing', detail: `expired on ${validTo}` }
  return { ...check, state: days < EXPIRY_DAYS ? 'warning' : 'ok', detail }
}

async function checkRedis(config: Config): Promise<DoctorCheck> {
  const url = config.REDIS_URL
  if (!url)
    return { name: 'redis', configured: '-', state: 'not used', detail: `rate limits are counted in ${config.limiter}` }
  return attemptOrFail('redis', 'REDIS_URL', async () => {
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

async function checkFiles(config: Config): Promise<DoctorCheck> {
  return attemptOrFail('files', config.S3_BUCKET ? 'S3_BUCKET' : 'DATA_DIR', async () => {
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
async function checkMetrics({ METRICS_PORT: port, METRICS_HOST: host }: Config): Promise<DoctorCheck> {
  if (!port)
    return { name: 'metrics', configured: '-', state: 'not used', detail: 'not served: METRICS_PORT is not set' }
  const origin = `http://${hostInUrl(host)}:${port}`
  const check = await attemptOrFail('metrics', origin, async () => {
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

async function checkHttp(config: Config): Promise<DoctorCheck> {
  const origin = config.publicUrl
  if (!origin)
    return { name: 'service', configured: 'PORT=0', state: 'not used', detail: 'the port is chosen at startup' }
  const check = await attemptOrFail('service', origin, async () => {
    const response = await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(3_000) })
    const body = (await response.json()) as { checks: Record<string, string> }
    if (!response.ok) throw new Error(`not ready: ${JSON.stringify(body.checks)}`)
    return 'ready'
  })
  // a service that is not running is not a fault of the configuration
  return check.detail === 'fetch failed' ? { ...check, state: 'not used', detail: 'not running' } : check
}

/** As the service decides it at its start. */
function webhookTargets(config: Config): string {
  const text = 'sent only to public IP addresses'
  if (config.DEMO === 'off') return text
  return `${text}; with demo data also to ${isLocalOnly(config) ? 'http://localhost and ' : ''}the receiver of the demo`
}

function checkWebhooks(config: Config): DoctorCheck {
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

async function checkResumeReader({ DATA_DIR }: Config): Promise<DoctorCheck> {
  const { detectSandbox } = await import('../../packages/resume-parser/src/index.ts')
  const { name, network, description } = await detectSandbox([DATA_DIR])
  return { name: 'résumé reader', configured: name, state: network ? 'ok' : 'warning', detail: description }
}

async function checkMail(config: Config): Promise<DoctorCheck> {
  const { openTransport } = await import('../kernel/services/open-mailer.ts')
  const signed = config.DKIM_DOMAIN ? `, signed by ${config.DKIM_DOMAIN}` : ''
  const check = await attemptOrFail('mail', config.SMTP_URL ? 'SMTP_URL' : 'local outbox', async () => {
    const { transport } = openTransport(config)
    return `${await transport.check()}; from ${config.MAIL_FROM}${signed}`
  })
  // mail programs offer their unsubscribe button for https alone (RFC 8058)
  if (check.state !== 'ok' || !config.SMTP_URL || config.publicUrl?.startsWith('https:')) return check
  const links = config.publicUrl ? `lead to ${config.publicUrl}` : 'have no fixed origin'
  return { ...check, state: 'warning', detail: `${check.detail}; its unsubscribe links ${links}: set PUBLIC_URL` }
}
