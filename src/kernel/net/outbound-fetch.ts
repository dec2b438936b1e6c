import { request as requestHttp } from 'node:http'
import { type RequestOptions, request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import { getOrCreate } from '../async/get-or-create.ts'
import { isPublicAddress, sameAddress } from './public-address.ts'
import type { ResolveName } from './resolve-name.ts'

/** Where requests may go besides public https addresses. */
export interface OutboundRules {
  /** `host` or `host:port` whose IP addresses need not be public; on loopback also without TLS */
  allowHosts: readonly string[]
  /** http URLs of this machine, on any port */
  loopback: boolean
  ca: Buffer | undefined
  resolveName: ResolveName
}

export interface OutboundLimits {
  /** from the DNS lookup to the last byte of the body */
  timeoutMs: number
  maxBytes: number
}

export type OutboundReason =
  | 'blocked_url'
  | 'blocked_address'
  | 'unresolved'
  | 'connection_failed'
  | 'timeout'
  | 'redirected'
  | 'too_large'

/** No response that may be used, and why. */
export class OutboundFailed extends Error {
  readonly reason: OutboundReason
  readonly host: string
  constructor(reason: OutboundReason, host: string, cause?: unknown) {
    super(`${reason} (${host})`, { cause })
    this.reason = reason
    this.host = host
  }
}

const PORTS = [443, 8443]
const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]']
const MAX_HEAD_BYTES = 16_384

/** One for each authority: reading the list of public ones takes milliseconds. */
const contexts = new Map<string, SecureContext>()

const contextOf = (ca: Buffer | undefined): SecureContext =>
  getOrCreate(contexts, ca?.toString('latin1') ?? '', () =>
    createSecureContext(ca ? { ca: [...getCACertificates('default'), ca.toString('latin1')] } : {}),
  )

/**
 * A request to a URL that a stranger chose. The host is looked up once, every IP address must be allowed, and the
 * connection goes to one of them, so a DNS change after the check has no effect. Redirects are not followed, and the body
 * is limited. Every request of a conversation goes through here: a provider also names the URLs of its other endpoints.
 */
export async function outboundFetch(
  text: string,
  init: { method: string; headers: Readonly<Record<string, string>>; body?: string | undefined },
  rules: OutboundRules,
  limits: OutboundLimits,
): Promise<Response> {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url) throw new OutboundFailed('blocked_url', '')
  const signal = AbortSignal.timeout(limits.timeoutMs)
  const { allowed, port } = checkUrl(url, rules)
  const hostname = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = await unlessAborted(rules.resolveName(hostname, { local: allowed }), signal, url.host)
  if (addresses.length === 0) throw new OutboundFailed('unresolved', url.host)
  if (!allowed && !addresses.every(isPublicAddress)) throw new OutboundFailed('blocked_address', url.host)
  let failure: unknown
  for (const address of addresses) {
    try {
      return await send(url, address, port, init, rules, limits, signal)
    } catch (error) {
      if (error instanceof OutboundFailed) throw error
      if (signal.aborted) throw new OutboundFailed('timeout', url.host, error)
      failure = error
      // after the request was written, the other side may have processed it
      if (!(error as { code?: string }).code?.startsWith('ECONNREFUSED')) break
    }
  }
  throw new OutboundFailed('connection_failed', url.host, failure)
}

function checkUrl(url: URL, { allowHosts, loopback }: OutboundRules): { allowed: boolean; port: number } {
  const insecure = url.protocol === 'http:'
  const port = url.port === '' ? (insecure ? 80 : 443) : Number(url.port)
  const onMachine = LOOPBACK_HOSTS.includes(url.hostname)
  const allowed =
    allowHosts.includes(`${url.hostname}:${port}`) ||
    (allowHosts.includes(url.hostname) && PORTS.includes(port)) ||
    (loopback && onMachine)
  const refused =
    (insecure ? !(allowed && onMachine) : url.protocol !== 'https:') ||
    url.username !== '' ||
    url.password !== '' ||
    (!allowed && (!PORTS.includes(port) || isIP(url.hostname) !== 0 || url.hostname.startsWith('[')))
  if (refused) throw new OutboundFailed('blocked_url', url.host)
  return { allowed, port }
}

function send(
  url: URL,
  address: string,
  port: number,
  init: { method: string; headers: Readonly<Record<string, string>>; body?: string | undefined },
  { ca }: OutboundRules,
  { maxBytes }: OutboundLimits,
  signal: AbortSignal,
): Promise<Response> {
  const hostname = url.hostname.replace(/^\[|\]$/g, '')
  const options: RequestOptions & { secureContext?: SecureContext } = {
    agent: false,
    method: init.method,
    host: address,
    port,
    path: url.pathname + url.search,
    setHost: false,
    maxHeaderSize: MAX_HEAD_BYTES,
    headers: {
      ...init.headers,
      Host: url.host,
      // a compressed body could be much larger than the limit
      'Accept-Encoding': 'identity',
      ...(init.body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(init.body)) }),
    },
    signal,
  }
  const outgoing =
    url.protocol === 'http:'
      ? requestHttp(options)
      : requestHttps({
          ...options,
          servername: isIP(hostname) === 0 ? hostname : '',
          secureContext: contextOf(ca),
        } as RequestOptions)
  return new Promise<Response>((resolve, reject) => {
    const fail = (reason: OutboundReason) => {
      reject(new OutboundFailed(reason, url.host))
      outgoing.destroy()
    }
    outgoing.on('socket', socket => {
      socket.once('connect', () => {
        if (!sameAddress(socket.remoteAddress ?? '', address)) fail('blocked_address')
      })
    })
    outgoing.on('error', reject)
    outgoing.on('close', () => reject(new Error('closed without a complete response')))
    outgoing.on('response', response => {
      const { statusCode: status = 0 } = response
      if (status >= 300 && status < 400) return fail('redirected')
      const chunks: Buffer[] = []
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > maxBytes) return fail('too_large')
        chunks.push(chunk)
      })
      response.on('error', reject)
      response.on('end', () => {
        const type = response.headers['content-type']
        const body = status === 204 ? null : Buffer.concat(chunks)
        resolve(new Response(body, { status, headers: type === undefined ? {} : { 'content-type': type } }))
      })
    })
    outgoing.end(init.body)
  })
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal, host: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new OutboundFailed('timeout', host))
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
