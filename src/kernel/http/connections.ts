import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Config } from '../config/config.ts'
import { ApiError } from '../errors/api-error.ts'
import { clock } from '../time/clock.ts'
import { failBody } from './body.ts'
import { Places } from './places.ts'

const SLOWEST_HEAD_MS = 15_000
/** How often late heads and responses that are not read are looked for, unless the limits are shorter. */
const CHECK_MS = 1_000
/** Requests that a client may send on one connection before it has the first response: they are processed concurrently. */
const MAX_PIPELINED = 32
/** Whether a part of a write was read cannot be seen, so a write gets the idle time once for each such part. */
const RESPONSE_CHUNK_BYTES = 262_144

/** How long a client may keep a connection without getting on, in milliseconds, and how many connections there may be. */
export interface ConnectionLimits {
  headMs: number
  bodyMs: number
  /** the longest time that any route allows for a body */
  longestBodyMs: number
  responseIdleMs: number
  /** between two requests */
  keepAliveMs: number
  connections: number
  /** whose connections are those of many clients */
  proxies: readonly string[]
}

export const connectionLimits = (config: Config): ConnectionLimits => ({
  headMs: Math.min(SLOWEST_HEAD_MS, config.REQUEST_TIMEOUT_SECONDS * 500),
  bodyMs: config.REQUEST_TIMEOUT_SECONDS * 1000,
  longestBodyMs: Math.max(config.REQUEST_TIMEOUT_SECONDS, config.UPLOAD_TIMEOUT_SECONDS) * 1000,
  responseIdleMs: config.RESPONSE_IDLE_SECONDS * 1000,
  keepAliveMs: config.KEEP_ALIVE_SECONDS * 1000,
  connections: config.MAX_CONNECTIONS,
  proxies: config.TRUST_PROXY,
})

/** Options of Node's HTTP server and of its TLS server. */
export const serverOptions = ({ headMs }: ConnectionLimits) => ({
  headersTimeout: headMs,
  handshakeTimeout: headMs,
  connectionsCheckingInterval: Math.min(CHECK_MS, Math.ceil(headMs / 4)),
})

/** The request of a connection whose body is still arriving. There is one at most: the next head comes after the body. */
interface Arriving {
  request: IncomingMessage
  response: ServerResponse
  refuse: (failure: ApiError) => void
}

/** A connection with a response in flight. */
interface Busy {
  /** more than one with pipelining */
  responses: number
  /** bytes of finished writes when this last grew, and when that was */
  written: number
  since: number
  /** ends when its responses are out */
  ending: boolean
}

/**
 * The open connections of the server, and what each is doing. No client can hold one without a limit:
 *
 * - the head of a request has `headMs`, by Node's own clock;
 * - its body has one deadline, from the head on, whatever arrives in between; where a route gives it longer than others,
 *   a byte has to arrive within `responseIdleMs`;
 * - a response is cut when no write of it finishes for `responseIdleMs`, or a multiple of that if the write is large;
 * - a connection with more than MAX_PIPELINED requests in flight is cut;
 * - the next head is complete when the keep-alive time and that of a head have passed, whatever arrives in between (Node
 *   begins its keep-alive time again with every blank line);
 * - there are at most `connections` of them, of which one network has a share (`Places`), and all are cut when the server
 *   has to stop.
 */
export class Connections {
  readonly #open = new Set<Socket>()
  readonly #busy = new Map<Socket, Busy>()
  /** connections between two requests, and since when */
  readonly #idle = new Map<Socket, number>()
  readonly #arriving = new WeakMap<Socket, Arriving>()
  /** bodies with more time than others have: the bytes of the connection when they last grew, and when that was */
  readonly #long = new Map<Socket, { read: number; since: number }>()
  /** connections that carried a request */
  readonly #seen = new WeakSet<Socket>()
  readonly #limits: ConnectionLimits
  readonly #places: Places
  #timer: NodeJS.Timeout | undefined
  #onLastClosed = () => {}

  constructor(limits: ConnectionLimits) {
    this.#limits = limits
    this.#places = new Places(limits)
  }

  get count(): number {
    return this.#open.size
  }

  watch(server: Server): void {
    const { responseIdleMs, keepAliveMs } = this.#limits
    // with TLS these are the connections below it: one that never shakes hands is among them
    server.on('connection', (socket: Socket) => {
      this.#open.add(socket)
      this.#places.add(socket)
      socket.once('close', () => {
        this.#open.delete(socket)
        if (this.#open.size === 0) this.#onLastClosed()
      })
    })
    this.#timer = setInterval(
      () => {
        this.#cutUnread()
        this.#failSilent()
        this.#cutIdle()
      },
      Math.min(CHECK_MS, responseIdleMs / 4, keepAliveMs / 4),
    )
    this.#timer.unref()
  }

  #cutUnread(): void {
    const now = clock.monotonic()
    for (const [socket, busy] of this.#busy) {
      const waiting = socket.writableLength
      const written = socket.bytesWritten - waiting
      if (waiting === 0 || written > busy.written) {
        busy.written = written
        busy.since = now
      } else if (now - busy.since > this.#limits.responseIdleMs * Math.ceil(waiting / RESPONSE_CHUNK_BYTES)) {
        socket.destroy()
      }
    }
  }

  #failSilent(): void {
    const now = clock.monotonic()
    for (const [socket, long] of this.#long) {
      if (socket.bytesRead > long.read) Object.assign(long, { read: socket.bytesRead, since: now })
      else if (now - long.since > this.#limits.responseIdleMs) {
        this.#long.delete(socket)
        this.fail(socket, new ApiError('request_timeout'))
      }
    }
  }

  #cutIdle(): void {
    const now = clock.monotonic()
    const { keepAliveMs, headMs } = this.#limits
    for (const [socket, since] of this.#idle) if (now - since > keepAliveMs + headMs) socket.destroy()
  }

  /** One listener for the life of a connection, however many requests it carries. With TLS this is not the socket of `#open`. */
  #forgetWhenClosed(socket: Socket): void {
    if (this.#seen.has(socket)) return
    this.#seen.add(socket)
    socket.once('close', () => this.#idle.delete(socket))
  }

  /**
   * The head of a request has arrived; `refuse` responds where no handler is reading the body. False: the connection was
   * cut, because there are too many and this is not a health check.
   */
  begin(arriving: Arriving, { bodyMs = this.#limits.bodyMs, isProbe = false } = {}): boolean {
    const { request, response } = arriving
    const { socket } = request
    this.#forgetWhenClosed(socket)
    if (!this.#places.occupy(socket)) {
      if (!isProbe) {
        socket.destroy()
        return false
      }
      response.shouldKeepAlive = false
    }
    const busy = this.#busy.get(socket) ?? { responses: 0, written: 0, since: clock.monotonic(), ending: false }
    busy.responses++
    this.#busy.set(socket, busy)
    this.#idle.delete(socket)
    if (busy.responses > MAX_PIPELINED) socket.destroy()
    response.once('close', () => {
      busy.responses--
      if (busy.responses > 0) return
      this.#busy.delete(socket)
      if (busy.ending) socket.destroySoon()
      if (socket.destroyed) return
      this.#idle.set(socket, clock.monotonic())
      this.#places.rest(socket)
    })
    if (!hasBody(request)) return true
    this.#arriving.set(socket, arriving)
    const deadline = setTimeout(() => {
      if (!request.complete) this.fail(socket, new ApiError('request_timeout'))
    }, bodyMs)
    // Node does not close a request whose connection is cut after its response: the timer must not hold up the process
    deadline.unref()
    if (bodyMs > this.#limits.bodyMs) this.#long.set(socket, { read: socket.bytesRead, since: clock.monotonic() })
    request.once('end', () => this.#long.delete(socket))
    request.once('close', () => {
      clearTimeout(deadline)
      this.#long.delete(socket)
      if (this.#arriving.get(socket) === arriving) this.#arriving.delete(socket)
    })
    return true
  }

  /**
   * Nothing more can come from this connection. The request whose body is missing fails, responses in flight are
   * finished, then the connection ends. False if there is neither: then nothing was sent.
   */
  fail(socket: Socket, failure: ApiError): boolean {
    const arriving = this.#arriving.get(socket)
    if (arriving && !arriving.request.complete && !arriving.response.headersSent) {
      // the response says that the connection ends, and Node ends it after the response
      arriving.response.shouldKeepAlive = false
      if (failBody(arriving.request, failure)) return true
      // another reader of this body would never end: Node does not close a request whose response is finished
      arriving.response.once('close', () => arriving.request.destroy())
      arriving.refuse(failure)
      return true
    }
    const busy = this.#busy.get(socket)
    if (busy) busy.ending = true
    else if (arriving) socket.destroySoon()
    else return false
    return true
  }

  /** Resolves as soon as none is open. */
  async allClosed(): Promise<void> {
    if (this.#open.size > 0) await new Promise<void>(resolve => (this.#onLastClosed = resolve))
  }

  /** Cuts what is still open. */
  destroyAll(): void {
    clearInterval(this.#timer)
    for (const socket of this.#open) socket.destroy()
  }
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
