import { API_LIMITS } from '../../contract/limits.ts'
import type { Environment } from '../../kernel/access/key-format.ts'
import { readWorkspaceKind } from '../../kernel/access/workspace-kind.ts'
import { deleteOldest } from '../../kernel/async/delete-oldest.ts'
import { present } from '../../kernel/errors/present.ts'
import { apiVersionIn } from '../../kernel/feed/envelope.ts'
import { withWorkspace } from '../../kernel/http/present.ts'
import { Poster, PostFailed } from '../../kernel/net/poster.ts'
import type { ResolveName } from '../../kernel/net/resolve-name.ts'
import type { Services } from '../../kernel/services/services.ts'
import { secretContext } from './actions.ts'
import { readResponseBody } from './response-rules.ts'
import { type AttemptOutcome, readRetryAfter, signatureHeader } from './rules.ts'
import { SIGNATURE_HEADER } from './shape.ts'
import { checkTarget } from './targets.ts'

/** Why an attempt is aborted: it reached its limit of ten seconds, or this process stops. */
const TIMED_OUT = new Error('timed out')
export const PROCESS_STOPPING = new Error('stopping')
const TIMEOUT_MS = API_LIMITS.webhookTimeoutSeconds * 1_000

export interface AttemptContext extends Pick<Services, 'config' | 'db' | 'log' | 'ownReceiver' | 'isLocalDemo'> {
  secrets: UnsealedSecrets
  poster: Poster
  resolveName: ResolveName
}

/** What is sent, and where to. */
export interface AttemptPayload {
  workspace_id: string
  id: string
  endpoint_id: string
  attempt: number
  event_id: string
  /** null: a derived endpoint whose app has no URL any more */
  url: string | null
  /** null if the event is no longer retained */
  body: string | null
  /** the endpoint's key must name the workspace on every call, so every link in the body names it */
  names_workspace: boolean
  unix_seconds: number
  /** newest first */
  secret_versions: number[]
  secrets: Buffer[]
  /** the endpoint whose secrets these are, where it is another one */
  source_id?: string | null
  /** the installation whose derived endpoint it is */
  installation_id?: string | null
}

/**
 * Makes one attempt with one deadline, from the DNS lookup to the head of the response; of the body, what arrives until
 * then and within a second is kept. Returns undefined if `abort` is aborted with PROCESS_STOPPING before the head.
 */
export async function attemptDelivery(
  { secrets, db, log, poster, ...targets }: AttemptContext,
  delivery: AttemptPayload,
  abort: AbortController,
): Promise<AttemptOutcome | undefined> {
  const body = bodyFor(delivery)
  if (body === null) return outcome('event_expired')
  if (delivery.url === null) return outcome('url_refused: blocked_address')
  const timer = setTimeout(() => abort.abort(TIMED_OUT), TIMEOUT_MS)
  const { signal } = abort
  try {
    const target = await unlessAborted(checkTarget(delivery.url, targets), signal)
    if ('refused' in target) return outcome(target.unresolved ? 'connection_failed' : 'url_refused: blocked_address')
    const { addresses, hostname, port, path, insecure = false } = target
    const about = readNotice(body) ?? {
      installation: delivery.installation_id ?? null,
      environment: (await readWorkspaceKind(db, delivery.workspace_id))?.environment ?? 'live',
    }
    const headers = headersFor(delivery, body, about, secrets)
    const response = await poster.post({ addresses, hostname, port, insecure, path, headers, body, signal })
    const { status } = response
    const responseBody = readResponseBody(await response.firstBytes, response.headers)
    const received = (error: AttemptOutcome['error'], retryAfterSeconds: number | null = null) => ({
      ...outcome(error, status, retryAfterSeconds),
      response: responseBody === null ? null : { body: responseBody, about: handlesIn(body) },
    })
    if (status >= 200 && status < 300) return received(null)
    const retryAfter = readRetryAfter(response.headers['retry-after'])
    return received(status >= 300 && status < 400 ? 'redirect_refused' : 'http_status', retryAfter)
  } catch (error) {
    if (signal.aborted) return signal.reason === TIMED_OUT ? outcome('timeout') : undefined
    if (error instanceof PostFailed) return outcome(error.reason)
    // An internal error (for example a secret that cannot be decrypted) counts as a failed attempt: it appears in the
    // delivery log, is retried on the schedule, and fails after the last attempt.
    log.error({ delivery: delivery.id, err: error }, 'webhook attempt failed unexpectedly')
    return outcome('connection_failed')
  } finally {
    clearTimeout(timer)
  }
}

/** Posts to receivers; trusts the certificates of the operator and of the demo's receiver besides the usual ones. */
export function openPoster({ config, ownReceiver }: Pick<Services, 'config' | 'ownReceiver'>): Poster {
  const trusted = [ownReceiver?.certificate, config.WEBHOOK_CA].filter(certificate => certificate !== undefined)
  return new Poster(trusted.length > 0 ? { ca: Buffer.concat(trusted) } : {})
}

/** Unsealing costs more than signing, so the secrets of the endpoints that were last sent to are cached. */
const MAX_UNSEALED = 2_000

export class UnsealedSecrets {
  readonly #keyring: Services['keyring']
  /** by context: what was sealed, and the secret */
  readonly #known = new Map<string, { sealed: Buffer; secret: string }>()

  constructor(keyring: Services['keyring']) {
    this.#keyring = keyring
  }

  /** A secret is cached for the bytes that were read: what was sealed again is unsealed again. */
  get(sealed: Buffer, context: string): string {
    const known = this.#known.get(context)
    if (known?.sealed.equals(sealed)) return known.secret
    const secret = this.#keyring.unseal(sealed, context).toString()
    this.#known.delete(context)
    if (this.#known.size >= MAX_UNSEALED) deleteOldest(this.#known)
    this.#known.set(context, { sealed, secret })
    return secret
  }
}

const outcome = (
  error: AttemptOutcome['error'],
  responseStatus: number | null = null,
  retryAfterSeconds: number | null = null,
): AttemptOutcome => ({ error, responseStatus, retryAfterSeconds, response: null })

/** The handles of records in an event. */
const handlesIn = (body: string): string[] => [...new Set(body.match(/\b[a-z]{2,4}_[0-9a-z]{20}\b/g))]

/** The event exactly as the feed shows it to the endpoint's key. */
const bodyFor = ({ body, names_workspace, workspace_id }: AttemptPayload): string | null =>
  body !== null && names_workspace ? withWorkspace(body, workspace_id) : body

interface About {
  installation: string | null
  environment: Environment
}

const IS_NOTICE = /^\{"object":"event","id":"[^"]*","type":"installation\./

/** A notice is sent from the home of an app, and is about an installation in another workspace. */
function readNotice(body: string): About | undefined {
  if (!IS_NOTICE.test(body)) return undefined
  const { id, environment } = JSON.parse(body).data.object
  return { installation: id, environment }
}

function headersFor(
  delivery: AttemptPayload,
  body: string,
  { installation, environment }: About,
  unsealed: UnsealedSecrets,
): Record<string, string> {
  const owner = delivery.source_id ?? delivery.endpoint_id
  const secrets = delivery.secrets.map((sealed, i) =>
    unsealed.get(sealed, secretContext(owner, present(delivery.secret_versions[i], 'a version'))),
  )
  const version = apiVersionIn(body)
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Service-Webhooks/1.0',
    [SIGNATURE_HEADER]: signatureHeader(delivery.unix_seconds, body, secrets),
    'Service-Event-Id': delivery.event_id,
    'Service-Delivery-Id': delivery.id,
    'Service-Delivery-Attempt': String(delivery.attempt),
    'Service-Environment': environment,
    ...(installation === null ? {} : { 'Service-Installation-Id': installation }),
    'Service-Api-Version': version,
    'Service-Partner-Api-Version': version,
  }
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
