import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestHttp,
} from 'node:http'
import { Agent as HttpsAgent, type RequestOptions, request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { createSecureContext, getCACertificates, type SecureContext, type TLSSocket } from 'node:tls'
import { sameAddress } from './public-address.ts'

/** A POST to addresses that were checked before; the host name serves for TLS and the Host header alone. */
export interface Post {
  addresses: readonly string[]
  hostname: string
  port: number
  /** true for http; only targets on this machine are posted to without TLS */
  insecure?: boolean
  path: string
  headers: Readonly<Record<string, string>>
  body: string
  /** ends everything: connecting, TLS, sending and waiting for the head of the response */
  signal: AbortSignal
}

export interface PostResponse {
  status: number
  headers: IncomingHttpHeaders
  /**
   * The first bytes of the body, at most `RETAINED_BODY_BYTES`: what arrives within a second of the head, or before the
   * request is aborted. Never rejected: a body that breaks off does not change the response.
   */
  firstBytes: Promise<Buffer>
}

/** No response came, and why. */
export class PostFailed extends Error {
  readonly reason: 'connection_failed' | 'tls_failed'
  constructor(reason: PostFailed['reason'], cause: unknown) {
    super(reason, { cause })
    this.reason = reason
  }
}

const MAX_HEAD_BYTES = 16_384
/** How much of a body is returned. */
export const RETAINED_BODY_BYTES = 1_024
/** How much of a body is read so that its connection can be reused. */
const MAX_BODY_BYTES = 65_536
const BODY_MS = 1_000
/** How long one of several addresses may take to connect before the next is tried. */
const CONNECT_MS = 3_000
const IDLE_MS = 4_000
const IDLE_PER_HOST = 64

type Phase = 'connecting' | 'securing' | 'waiting'

interface Try {
  response: Promise<PostResponse>
  phase: () => Phase
  /** a reused connection turned out to be closed before anything was written to it */
  died: () => boolean
}

/**
 * Sends requests to receivers that may be slow, broken or hostile. It connects to literal addresses only, so nothing is
 * looked up behind the caller's back; connections are pooled by address and name; redirects are not
 * followed; the head of a response is limited, and of its body only a little is read, after the response was reported.
 */
export class Poster {
  readonly #agent: HttpsAgent
  readonly #insecureAgent: HttpAgent
  readonly #ca: Buffer | undefined
  #context: SecureContext | undefined

  constructor(opts: { ca?: Buffer } = {}) {
    const pooling = { keepAlive: true, maxFreeSockets: IDLE_PER_HOST, timeout: IDLE_MS, scheduling: 'lifo' } as const
    this.#agent = new HttpsAgent(pooling)
    this.#insecureAgent = new HttpAgent(pooling)
    this.#ca = opts.ca
  }

  /** One for all connections, made for the first: reading the list of authorities takes a tenth of a second. */
  #secureContext(): SecureContext {
    this.#context ??= createSecureContext(
      this.#ca ? { ca: [...getCACertificates('default'), this.#ca.toString('latin1')] } : {},
    )
    return this.#context
  }

  async post(post: Post): Promise<PostResponse> {
    for (const [i, address] of post.addresses.entries()) {
      const others = i < post.addresses.length - 1
      const first = this.#try(post, address, post.insecure ? this.#insecureAgent : this.#agent, others)
      try {
        return await first.response
      } catch (error) {
        if (post.signal.aborted) throw post.signal.reason
        // A reused connection that the other side had closed before: nothing was sent, so nothing is sent twice.
        if (first.died()) return await this.#fresh(post, address)
        if (!(others && first.phase() === 'connecting')) throw new PostFailed(reasonOf(first.phase(), error), error)
      }
    }
    throw new PostFailed('connection_failed', new Error('no address'))
  }

  async #fresh(post: Post, address: string): Promise<PostResponse> {
    const second = this.#try(post, address, false, false)
    try {
      return await second.response
    } catch (error) {
      if (post.signal.aborted) throw post.signal.reason
      throw new PostFailed(reasonOf(second.phase(), error), error)
    }
  }

  #try(post: Post, address: string, agent: HttpAgent | HttpsAgent | false, hurry: boolean): Try {
    const { hostname, port, path, body, signal, insecure = false } = post
    let phase: Phase = 'connecting'
    const options: RequestOptions & { secureContext?: SecureContext } = {
      agent,
      method: 'POST',
      host: address,
      port,
      path,
      servername: isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? hostname : '',
      ...(insecure ? {} : { secureContext: this.#secureContext() }),
      setHost: false,
      maxHeaderSize: MAX_HEAD_BYTES,
      headers: {
        Host: port === (insecure ? 80 : 443) ? hostname : `${hostname}:${port}`,
        ...post.headers,
        'Content-Length': Buffer.byteLength(body),
      },
      signal,
    }
    const outgoing = insecure ? requestHttp(options) : requestHttps(options)
    let written = false
    const send = () => {
      if (outgoing.destroyed) return
      written = true
      outgoing.end(body)
    }
    outgoing.on('socket', socket => {
      if (!socket.connecting && outgoing.reusedSocket) {
        phase = 'waiting'
        // Two turns of the loop, so that a close which has already arrived is noticed before anything is written: after
        // writing, it is unknown whether the receiver has the request.
        setImmediate(() => setImmediate(send))
        return
      }
      send()
      const slow = hurry
        ? setTimeout(() => socket.destroy(new Error('connecting took too long')), CONNECT_MS)
        : undefined
      socket.once('close', () => clearTimeout(slow))
      socket.once('connect', () => {
        clearTimeout(slow)
        phase = insecure ? 'waiting' : 'securing'
        if (!sameAddress(socket.remoteAddress ?? '', address)) socket.destroy(new Error('connected to another address'))
      })
      ;(socket as TLSSocket).once('secureConnect', () => {
        phase = 'waiting'
      })
    })
    const response = new Promise<PostResponse>((resolve, reject) => {
      outgoing.on('error', reject)
      outgoing.on('close', () => reject(new Error('closed without a response')))
      outgoing.on('response', response => {
        const { statusCode: status = 0, headers } = response
        resolve({ status, headers, firstBytes: readBody(outgoing, response) })
      })
    })
    return { response, phase: () => phase, died: () => outgoing.reusedSocket && !written }
  }

  close(): void {
    this.#agent.destroy()
    this.#insecureAgent.destroy()
  }
}

/**
 * Returns the first bytes of a body and reads the rest of a short one, so that the connection can be reused; a long or
 * slow one costs the connection.
 */
function readBody(outgoing: ClientRequest, response: IncomingMessage): Promise<Buffer> {
  return new Promise(resolve => {
    let bytes = 0
    const retained: Buffer[] = []
    const done = () => resolve(Buffer.concat(retained).subarray(0, RETAINED_BODY_BYTES))
    const cut = () => {
      done()
      outgoing.destroy()
    }
    const slow = setTimeout(cut, BODY_MS)
    response.on('data', (chunk: Buffer) => {
      if (bytes < RETAINED_BODY_BYTES) retained.push(chunk)
      bytes += chunk.length
      if (bytes >= RETAINED_BODY_BYTES) done()
      if (bytes > MAX_BODY_BYTES) cut()
    })
    response.on('end', done)
    response.on('error', () => {}) // the response was reported; the rest of its body does not matter
    response.on('close', () => {
      clearTimeout(slow)
      done()
    })
  })
}

const codeOf = (error: unknown): string => (error as { code?: string }).code ?? ''

const NOT_TLS = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ECONNREFUSED', 'ECONNABORTED'])

const reasonOf = (phase: Phase, error: unknown): PostFailed['reason'] =>
  phase === 'securing' && !NOT_TLS.has(codeOf(error)) ? 'tls_failed' : 'connection_failed'
