import { createHmac, randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { EVENTS, isEventType, receivableTypes } from '../../contract/events.ts'
import { API_LIMITS } from '../../contract/limits.ts'
import type { Scope } from '../../contract/scopes.ts'
import { unknownTypeMessage } from '../../kernel/feed/unknown-type.ts'
import type { InputFault } from '../../kernel/http/faults.ts'
import type { DeliveryStatus } from './shape.ts'

/** The parsed URL of an endpoint. */
export interface WebhookTarget {
  /** the URL as it is stored and shown, normalized */
  url: string
  hostname: string
  port: number
  /** path and query, as in the request line */
  path: string
  /** http; only for a receiver on the machine of a demo */
  insecure?: true
  /** allowed by the operator: its IP addresses need not be public */
  allowed: boolean
}

export interface UrlRefused {
  refused: string
}

/** A URL after the checks that need no DNS lookup. */
export type ReadUrl = WebhookTarget | UrlRefused

/** What the operator allows in addition to public https URLs. */
export interface UrlExceptions {
  /** WEBHOOK_ALLOW_HOSTS: `host` or `host:port` */
  hosts: readonly string[]
  /** http URLs of this machine: a demo on a loopback address allows them */
  loopback: boolean
}

const PORTS = [443, 8443]
const HTTPS_PORT = 443
const HTTP_PORT = 80
const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]']
/** How to receive events on a machine that has no public URL. It ends the reasons that concern such a machine. */
const ON_YOUR_MACHINE =
  'to receive events on your machine, run `hiring-partner listen --forward-to URL`, which needs no endpoint (see the guide Webhooks)'
const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/

/**
 * The rules for endpoint URLs that need no DNS lookup. Both the text and the parsed URL are checked, because the parser
 * accepts backslashes, tabs and empty fragments, and turns 0x7f.1 into an IP address.
 */
export function readUrl(text: string, exceptions: UrlExceptions): ReadUrl {
  const refused = (reason: string): UrlRefused => ({ refused: reason })
  if (text.length > API_LIMITS.webhookUrlLength)
    return refused(`must be at most ${API_LIMITS.webhookUrlLength} characters`)
  const insecure = /^http:\/\//i.test(text)
  if (!insecure && !/^https:\/\//i.test(text)) return refused('must start with https://')
  if (!/^[\x21-\x7e]+$/.test(text) || text.includes('\\')) {
    return refused('must not contain spaces, backslashes or characters outside ASCII')
  }
  if (text.includes('#')) return refused('must not have a fragment')
  const [, authority = ''] = /^https?:\/\/([^/?]*)/i.exec(text) ?? []
  if (authority.includes('@')) return refused('must not have user info')
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url) return refused('is not a valid URL')
  const { hostname } = url
  const port = url.port !== '' ? Number(url.port) : insecure ? HTTP_PORT : HTTPS_PORT
  const path = url.pathname + url.search
  // not `href`, which keeps the question mark of an empty query: the same URL would have two spellings
  const target = { url: url.origin + path, hostname, port, path }
  if (target.url.length > API_LIMITS.webhookUrlLength) return refused('is too long with its characters escaped')
  const written = authority.replace(/:\d*$/, '').toLowerCase()
  if (insecure) return readInsecure(target, written, exceptions)
  const { hosts } = exceptions
  if (hosts.includes(`${hostname}:${port}`) || (hosts.includes(hostname) && PORTS.includes(port))) {
    return { ...target, allowed: true }
  }
  const labels = hostname.split('.')
  if (labels.at(-1) === 'localhost') {
    return refused(
      `must not name localhost, unless the operator of the service allows it with WEBHOOK_ALLOW_HOSTS; ${ON_YOUR_MACHINE}`,
    )
  }
  if (!PORTS.includes(port)) return refused('must use port 443 or 8443')
  if (isIP(hostname) !== 0 || hostname.startsWith('[')) return refused('must have a host name, not an IP address')
  const name = labels.length > 1 && hostname.length <= 253 && labels.every(label => LABEL.test(label))
  if (!name || written !== hostname) return refused('must have a DNS name as host')
  return { ...target, allowed: false }
}

/** An http URL: a receiver on the same machine as a demo, written in one of three ways, and nothing else. */
function readInsecure(
  target: Omit<WebhookTarget, 'allowed'>,
  written: string,
  { loopback }: UrlExceptions,
): WebhookTarget | UrlRefused {
  const isLocal = LOOPBACK_HOSTS.includes(target.hostname)
  if (!isLocal) return { refused: 'must start with https://' }
  if (!loopback) {
    return {
      refused: `must start with https://; only a service with demo data that listens on a loopback address accepts http://localhost; ${ON_YOUR_MACHINE}`,
    }
  }
  if (written !== target.hostname) return { refused: `must name the host as ${LOOPBACK_HOSTS.join(', ')}` }
  return { ...target, insecure: true, allowed: true }
}

/** `event_types` of a body must be types of the catalogue that this key may read. Accepts any value. */
export function eventTypeFaults(names: unknown, scopes: ReadonlySet<Scope>): InputFault[] {
  if (!Array.isArray(names)) return []
  const readable = new Set<string>(receivableTypes(scopes))
  return names.flatMap((name: unknown, i): InputFault[] => {
    const param = `event_types[${i}]`
    if (typeof name !== 'string' || readable.has(name)) return []
    if (!isEventType(name)) return [{ param, message: unknownTypeMessage(name), code: 'invalid_event_type' }]
    const needed = ['events:read' as const, EVENTS[name].scope].filter(scope => !scopes.has(scope))
    const message =
      needed.length > 0
        ? `${name} needs ${needed.join(' and ')}, which the key does not have`
        : `${name} is about people of the whole workspace; a key of a vendor reads GET /suppressions instead`
    return [{ param, message, code: 'event_type_not_permitted' }]
  })
}

export const urlFaults = (url: object): InputFault[] =>
  'refused' in url ? [{ param: 'url', message: String(url.refused), code: 'webhook_url_not_allowed' }] : []

export const newSigningSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** One `v1` for each active secret, newest first. */
export function signatureHeader(unixSeconds: number, body: string, secrets: readonly string[]): string {
  const signed = secrets.map(secret =>
    createHmac('sha256', secret).update(`${unixSeconds}.`).update(body).digest('hex'),
  )
  return [`t=${unixSeconds}`, ...signed.map(hex => `v1=${hex}`)].join(',')
}

export type AttemptError =
  | 'timeout'
  | 'connection_failed'
  | 'tls_failed'
  | 'redirect_refused'
  | 'http_status'
  | 'url_refused: blocked_address'
  | 'event_expired'

/** How an attempt ended. */
export interface AttemptOutcome {
  /** null: acknowledged */
  error: AttemptError | null
  responseStatus: number | null
  /** as returned by `readRetryAfter`: at most 24 hours */
  retryAfterSeconds: number | null
  /** the beginning of the response body, and the handles in the event that was sent; null if there is no text */
  response: { body: string; about: readonly string[] } | null
}

export type DeliveryKind = 'event' | 'ping' | 'redelivery'

export interface AttemptVerdict {
  status: DeliveryStatus
  error: AttemptError | null
  /** until the next attempt; null if there is none */
  delaySeconds: number | null
  /** the receiver returned 410 and must not be called again */
  gone: boolean
}

/** Longer than an attempt can take, so that no other process repeats one that is still in flight. */
export const LEASE_SECONDS = API_LIMITS.webhookTimeoutSeconds * 3

const MINUTE = 60
const HOUR = 60 * MINUTE
/** The wait after the first failed attempt, the second, … the ninth. */
export const RETRY_DELAYS = [10, 30, 2 * MINUTE, 10 * MINUTE, HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR, 24 * HOUR] as const
/** Jitter: waits vary by this fraction, so that after an outage not all retries reach a receiver at the same time. */
export const RETRY_JITTER = 0.2
const LONGEST_RETRY_AFTER = 24 * HOUR

/**
 * A delivery is `pending` until its first attempt ends. A 2xx response makes it `delivered`, permanently. Any other
 * result makes it `retrying`. The next attempt follows after the wait of the schedule (varied by `random`, from 0 to 1)
 * or the receiver's Retry-After, whichever is longer. After the tenth attempt it is `failed` with event_expired. A ping
 * and a redelivery have one attempt and end as `delivered`, or as `failed` with the cause. 410 makes any delivery
 * `failed` and disables its endpoint. The store makes waiting deliveries of a disabled endpoint `canceled`.
 */
export function judgeAttempt(
  kind: DeliveryKind,
  attempt: number,
  outcome: Omit<AttemptOutcome, 'response'>,
  random: number,
): AttemptVerdict {
  const { error, responseStatus, retryAfterSeconds } = outcome
  if (error === null) return { status: 'delivered', error, delaySeconds: null, gone: false }
  const failed = (as: AttemptError): AttemptVerdict => ({
    status: 'failed',
    error: as,
    delaySeconds: null,
    gone: responseStatus === 410,
  })
  if (responseStatus === 410 || error === 'event_expired' || kind !== 'event') return failed(error)
  const own = RETRY_DELAYS[attempt - 1]
  if (own === undefined) return failed('event_expired')
  const varied = own * (1 + RETRY_JITTER * (2 * random - 1))
  return { status: 'retrying', error, delaySeconds: Math.max(varied, retryAfterSeconds ?? 0), gone: false }
}

/** Accepts only the form in seconds; the form with a date is not part of the contract. */
export const readRetryAfter = (header: string | undefined): number | null =>
  header !== undefined && /^\d+$/.test(header.trim()) ? Math.min(Number(header), LONGEST_RETRY_AFTER) : null
