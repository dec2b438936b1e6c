import { randomUUID } from 'node:crypto'
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { connect } from 'node:net'
import { type FeedEvent, SIGNATURE_HEADER, signWebhook } from '../../sdk/src/index.ts'
import { CommandError } from './command.ts'
import { oneLine } from './text.ts'

/** As the service waits for a receiver. */
const TIMEOUT_MS = 10_000
/** How much of a response is shown, and how long it is waited for after the headers. */
const SHOWN_BYTES = 1_024
const BODY_MS = 1_000
const LONGEST_RETRY_AFTER_SECONDS = 300
/** Nothing was sent: the receiver does not run, or its name is unknown. */
const NOT_RUNNING = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ECONNABORTED'])

export interface Outcome {
  /** null if there was no response */
  status: number | null
  /** as the delivery log of the service names it; null: acknowledged */
  error: 'timeout' | 'connection_failed' | 'tls_failed' | 'redirect_refused' | 'http_status' | null
  /** nothing listens: the request did not reach a receiver */
  notRunning: boolean
  /** what happened, for people */
  detail: string
  durationMs: number
  responseBody: string | null
  /** the longest wait that is honoured is five minutes */
  retryAfterSeconds: number | undefined
}

export interface Delivery {
  id: string
  attempt: number
  /** the kind of the workspace: `live` or `test` */
  environment: string
}

/** Posts events as the service does: the same body, headers, signature, deadline and rules for redirects. */
export class Receiver {
  readonly url: URL
  readonly #secret: string
  readonly #agent: HttpAgent

  constructor(url: string, secret: string, options: { skipVerify: boolean }) {
    this.url = readForwardUrl(url)
    this.#secret = secret
    this.#agent =
      this.url.protocol === 'https:'
        ? new HttpsAgent({ keepAlive: true, rejectUnauthorized: !options.skipVerify })
        : new HttpAgent({ keepAlive: true })
  }

  /** One attempt to deliver an event. Rejects with the reason of the signal if that is aborted first. */
  async send(event: FeedEvent, delivery: Delivery, signal: AbortSignal): Promise<Outcome> {
    // the service builds its events with JSON.stringify, so these are the bytes of the feed
    const body = JSON.stringify(event)
    const headers = {
      Host: this.url.host,
      'Content-Type': 'application/json',
      'User-Agent': 'Service-Webhooks/1.0',
      [SIGNATURE_HEADER]: await signWebhook(body, this.#secret),
      'Service-Event-Id': event.id,
      'Service-Delivery-Id': delivery.id,
      'Service-Delivery-Attempt': String(delivery.attempt),
      'Service-Api-Version': event.api_version,
      'Service-Partner-Api-Version': event.api_version,
      'Service-Environment': delivery.environment,
      'Content-Length': String(Buffer.byteLength(body)),
    }
    const begin = performance.now()
    const took = () => Math.round(performance.now() - begin)
    try {
      const { response, durationMs } = await this.#post(headers, body, signal, took)
      const status = response.statusCode ?? 0
      const isRedirect = status >= 300 && status < 400
      const isAccepted = status >= 200 && status < 300
      return {
        status,
        error: isAccepted ? null : isRedirect ? 'redirect_refused' : 'http_status',
        notRunning: false,
        detail: isRedirect ? 'redirects are not followed' : '',
        durationMs,
        responseBody: await readBody(response),
        retryAfterSeconds: isAccepted ? undefined : readRetryAfter(response.headers['retry-after']),
      }
    } catch (error) {
      if (signal.aborted) throw signal.reason
      return failure(error, took())
    }
  }

  /** Whether something accepts connections there. */
  isRunning(): Promise<boolean> {
    const { hostname, port, protocol } = this.url
    const host = hostname.replace(/^\[|\]$/g, '')
    return new Promise(resolve => {
      const socket = connect({ host, port: Number(port || (protocol === 'https:' ? 443 : 80)) })
      const end = (running: boolean) => {
        socket.destroy()
        resolve(running)
      }
      socket.setTimeout(2_000, () => end(false))
      socket.on('connect', () => end(true)).on('error', () => end(false))
    })
  }

  close(): void {
    this.#agent.destroy()
  }

  async #post(
    headers: Record<string, string>,
    body: string,
    signal: AbortSignal,
    took: () => number,
    isRepeat = false,
  ): Promise<{ response: IncomingMessage; durationMs: number }> {
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(new Error('timeout')), TIMEOUT_MS)
    const request = (this.url.protocol === 'https:' ? requestHttps : requestHttp)(this.url, {
      method: 'POST',
      headers,
      agent: this.#agent,
      signal: AbortSignal.any([deadline.signal, signal]),
    })
    try {
      return await new Promise((resolve, reject) => {
        request.on('response', response => resolve({ response, durationMs: took() })).on('error', reject)
        request.end(body)
      })
    } catch (error) {
      if (deadline.signal.aborted) throw deadline.signal.reason
      // the receiver closed a kept connection before this request arrived, as a restarted one does
      if (!isRepeat && request.reusedSocket && codeOf(error) === 'ECONNRESET') {
        return this.#post(headers, body, signal, took, true)
      }
      throw error
    } finally {
      clearTimeout(timer)
    }
  }
}

export const newDeliveryId = (): string => randomUUID()

function readForwardUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new CommandError('--forward-to must be an http or https URL, such as http://localhost:3000/webhooks')
  }
  url.hash = ''
  return url
}

const codeOf = (error: unknown): string => {
  const { code, errors } = error as { code?: string; errors?: { code?: string }[] }
  return code ?? errors?.[0]?.code ?? ''
}

function failure(error: unknown, durationMs: number): Outcome {
  const code = codeOf(error)
  const none = { status: null, durationMs, responseBody: null, retryAfterSeconds: undefined }
  if ((error as Error).message === 'timeout') {
    return { ...none, error: 'timeout', notRunning: false, detail: `no response within ${TIMEOUT_MS / 1000} s` }
  }
  const isTls = /CERT|SELF_SIGNED|UNABLE_TO|^ERR_TLS|^ERR_SSL|EPROTO|HOSTNAME_MISMATCH/.test(code)
  if (isTls) {
    const detail = `${code}: --skip-verify accepts any certificate`
    return { ...none, error: 'tls_failed', notRunning: false, detail }
  }
  const detail = code === 'ECONNRESET' ? 'the connection was closed without a response' : code || String(error)
  return { ...none, error: 'connection_failed', notRunning: NOT_RUNNING.has(code), detail }
}

/** Seconds; the form with a date is not part of the contract. */
const readRetryAfter = (header: string | undefined): number | undefined =>
  header !== undefined && /^\d+$/.test(header.trim())
    ? Math.min(Number(header), LONGEST_RETRY_AFTER_SECONDS)
    : undefined

/** The beginning of a text, on one line; null if it is empty or not text. The rest is read so that the connection is kept. */
function readBody(response: IncomingMessage): Promise<string | null> {
  return new Promise(resolve => {
    const chunks: Buffer[] = []
    let bytes = 0
    const done = () => {
      const first = Buffer.concat(chunks).subarray(0, SHOWN_BYTES)
      const isBinary = first.includes(0) || response.headers['content-encoding'] !== undefined
      const text = isBinary ? '' : oneLine(new TextDecoder().decode(first, { stream: true }), SHOWN_BYTES)
      resolve(text === '' ? null : text)
    }
    const slow = setTimeout(() => response.destroy(), BODY_MS)
    response.on('data', (chunk: Buffer) => {
      if (bytes < SHOWN_BYTES) chunks.push(chunk)
      bytes += chunk.length
    })
    response.on('error', () => {})
    response.on('close', () => {
      clearTimeout(slow)
      done()
    })
  })
}
