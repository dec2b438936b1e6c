import {
  ApiConnectionError,
  type ApiError,
  ApiTimeoutError,
  HiringError,
  parseError,
  UnexpectedResponseError,
} from './errors.ts'
import { CursorPages, type ListEnvelope, type LogEnvelope, LogPages, type PagePromise, paginate } from './page.ts'
import { type Path, toPath } from './path.ts'
import { type ApiPromise, type ApiResponse, unwrapBody } from './response.ts'
import { retryDelay } from './retry.ts'
import { API_VERSION, VERSION } from './version.ts'

const API_PREFIX = '/api/partner/v1'
const DEFAULT_TIMEOUT_MS = 30_000
const DEFAULT_RETRIES = 3
/** The longest wait that a limit per minute asks for. */
const DEFAULT_MAX_RETRY_AFTER_MS = 60_000

export type QueryValue = string | number | boolean | readonly (string | number)[] | null | undefined
export type Query = Readonly<Record<string, QueryValue>>

export interface ClientOptions {
  /** Where the service runs: its origin, or its base URL with `/api/partner/v1`. */
  baseUrl: string
  /** An API key, or an access token of the sign-in flow. A function is called for each attempt. */
  apiKey: string | (() => string | Promise<string>)
  /** For keys with access to several workspaces: the workspace of every call. */
  workspaceId?: string
  /** How long one attempt may take, response included. Default 30 seconds. */
  timeoutMs?: number
  /** Further attempts after the first one fails. Default 3. */
  maxRetries?: number
  /** The longest `Retry-After` to wait for. Default 60 seconds; a longer one is thrown as the error it came with. */
  maxRetryAfterMs?: number
  /** Used instead of the global fetch. */
  fetch?: typeof fetch
  /** Sent with every request. */
  headers?: Readonly<Record<string, string>>
  /** Called after every attempt, for logs and metrics. */
  onAttempt?: (attempt: Attempt) => void
  /** Waiting and chance, for tests. */
  runtime?: Partial<Runtime>
  /** An API key in a page can be read by every visitor of the page, so browsers get an error without this. */
  dangerouslyAllowApiKeyInBrowser?: boolean
}

export interface Runtime {
  /** Resolves after `ms`; rejects with the signal's reason when it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** from 0 up to 1 */
  random(): number
}

export interface Attempt {
  method: string
  /** the template of the path, such as `/jobs/{job_handle}`: a label of metrics */
  path: string
  /** from 1 */
  attempt: number
  durationMs: number
  status: number | undefined
  requestId: string | undefined
  /** The headers of the response, with rate limits and the personal-data budget; undefined if there was no response. */
  headers: Headers | undefined
  error: unknown
  /** milliseconds until the next attempt; undefined if this was the last one */
  retryInMs: number | undefined
}

/** What every call accepts besides its own parameters. */
export interface RequestOptions {
  signal?: AbortSignal
  timeoutMs?: number
  maxRetries?: number
  maxRetryAfterMs?: number
  /** For writes. Made automatically otherwise: one for each call, the same for all its attempts. */
  idempotencyKey?: string
  workspaceId?: string
  headers?: Readonly<Record<string, string>>
}

export interface RequestInput extends RequestOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the base URL (`/jobs`), or a path of `links` (`/api/partner/v1/jobs/…`). */
  path: string | Path
  query?: Query
  body?: unknown
  /** How to read the response. Default `json`. */
  as?: 'json' | 'blob' | 'text'
}

export const defaultRuntime: Runtime = {
  random: Math.random,
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const stop = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop)
        resolve()
      }, ms)
      signal?.addEventListener('abort', stop, { once: true })
    }),
}

/** Requests with authentication, retries, timeouts and typed errors. The endpoints are built on it. */
export class Core {
  /** with the API's prefix, without a slash at its end */
  readonly baseUrl: string
  readonly runtime: Runtime
  readonly #options: ClientOptions

  constructor(options: ClientOptions) {
    if (!options.apiKey) throw new HiringError('apiKey is missing')
    this.baseUrl = baseUrlOf(options.baseUrl)
    this.runtime = { ...defaultRuntime, ...options.runtime }
    this.#options = options
    if (isPage() && !options.dangerouslyAllowApiKeyInBrowser) refuseKey(options.apiKey)
  }

  /** The options of this client, to make another one that differs in some. */
  get options(): Readonly<ClientOptions> {
    return this.#options
  }

  /** One call, repeated where that can help. Resolves to the body of the response. */
  request<T>(input: RequestInput): ApiPromise<T> {
    return unwrapBody(this.requestRaw<T>(input))
  }

  /** The same, with status and headers. */
  async requestRaw<T>(input: RequestInput): Promise<ApiResponse<T>> {
    const method = input.method ?? 'GET'
    const idempotencyKey = input.idempotencyKey ?? (method === 'GET' ? undefined : randomKey())
    const { template } = toPath(input.path)
    return this.retrying(method, template, input, () => this.#attempt<T>(method, input, idempotencyKey))
  }

  /** Runs attempts until one succeeds or another one would be useless, and reports each to `onAttempt`. */
  async retrying<T extends { status: number; headers: Headers }>(
    method: string,
    path: string,
    options: RequestOptions,
    run: (attempt: number) => Promise<T>,
  ): Promise<T> {
    const limits = {
      maxRetries: options.maxRetries ?? this.#options.maxRetries ?? DEFAULT_RETRIES,
      maxRetryAfterMs: options.maxRetryAfterMs ?? this.#options.maxRetryAfterMs ?? DEFAULT_MAX_RETRY_AFTER_MS,
      random: this.runtime.random,
    }
    for (let attempt = 1; ; attempt++) {
      const begin = performance.now()
      const report = (from: Partial<ApiError>, error?: unknown, retryInMs?: number) =>
        this.#options.onAttempt?.({
          method,
          path,
          attempt,
          durationMs: performance.now() - begin,
          status: from.status,
          requestId: from.headers?.get('service-request-id') ?? undefined,
          headers: from.headers,
          error,
          retryInMs,
        })
      try {
        const response = await run(attempt)
        report(response)
        return response
      } catch (error) {
        const wait = options.signal?.aborted ? undefined : retryDelay(error, attempt, limits)
        report(error as Partial<ApiError>, error, wait)
        if (wait === undefined) throw error
        await this.runtime.sleep(wait, options.signal)
      }
    }
  }

  get<T>(path: string | Path, query: object = {}, options: RequestOptions = {}): ApiPromise<T> {
    return this.request({ ...options, path, query: query as Query })
  }

  post<T>(path: string | Path, body?: unknown, options: RequestOptions = {}): ApiPromise<T> {
    return this.request({ ...options, method: 'POST', path, body })
  }

  /** A file. */
  download(path: string | Path, query: object = {}, options: RequestOptions = {}): ApiPromise<Blob> {
    return this.request({ ...options, path, query: query as Query, as: 'blob' })
  }

  /** A list with pages, to await (its first page) or to iterate (all its rows). */
  list<T, E extends ListEnvelope<T> = ListEnvelope<T>>(
    path: string | Path,
    query: object = {},
    options: RequestOptions = {},
  ): PagePromise<T, E> {
    return paginate(new CursorPages<T, E>(this, path, query as Query, options))
  }

  /** A log, which continues after a sequence. */
  log<T, E extends LogEnvelope<T>>(
    path: string | Path,
    query: object = {},
    options: RequestOptions = {},
  ): PagePromise<T, E> {
    return paginate(new LogPages<T, E>(this, path, query as Query, options))
  }

  /** The URL of a path and query, as it is requested. */
  url(path: string, query: Query = {}, workspaceId: string | undefined = this.#options.workspaceId): URL {
    const url = new URL(this.baseUrl + (path.startsWith(`${API_PREFIX}/`) ? path.slice(API_PREFIX.length) : path))
    const values: Query = workspaceId === undefined ? query : { workspace_id: workspaceId, ...query }
    for (const [name, value] of Object.entries(values)) {
      if (value !== undefined && value !== null) url.searchParams.set(name, String(value)) // arrays become comma lists
    }
    return url
  }

  async #attempt<T>(method: string, input: RequestInput, idempotencyKey: string | undefined): Promise<ApiResponse<T>> {
    const { apiKey } = this.#options
    const token = typeof apiKey === 'function' ? await apiKey() : apiKey
    const headers = new Headers({
      accept: input.as === undefined || input.as === 'json' ? 'application/json' : '*/*',
      authorization: `Bearer ${token}`,
      'service-api-version': API_VERSION,
      ...this.#options.headers,
      ...input.headers,
    })
    if (!isPage()) headers.set('user-agent', `hiring-partner-sdk/${VERSION}`)
    if (idempotencyKey) headers.set('idempotency-key', idempotencyKey)
    if (input.body !== undefined) headers.set('content-type', 'application/json')
    return this.fetchOnce(
      this.url(toPath(input.path).filled, input.query, input.workspaceId),
      {
        method,
        headers,
        redirect: 'manual',
        ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
      },
      input,
      async response => ({
        data: (await (input.as === 'blob'
          ? response.blob()
          : input.as === 'text'
            ? response.text()
            : json(response))) as T,
        status: response.status,
        headers: response.headers,
        requestId: response.headers.get('service-request-id') ?? undefined,
        replayed: response.headers.get('idempotent-replayed') === 'true',
      }),
    )
  }

  /** One attempt within the time limit, also for URLs outside the API; `read` gets a response that is 2xx. */
  async fetchOnce<T>(
    url: URL | string,
    init: RequestInit,
    options: RequestOptions,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const { signal, timeoutMs = this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS } = options
    signal?.throwIfAborted()
    const attempt = new AbortController()
    const stop = () => attempt.abort()
    const timer = setTimeout(stop, timeoutMs)
    signal?.addEventListener('abort', stop, { once: true })
    try {
      const response = await (this.#options.fetch ?? fetch)(url, { ...init, signal: attempt.signal })
      if (response.ok) return await read(response)
      if (response.status < 400) {
        // without the query, which can have a personal value
        const target = response.headers.get('location')?.replace(/[?#].*/, '') ?? 'another URL'
        throw new UnexpectedResponseError(`The service redirected to ${target}: set baseUrl to it.`, response.status)
      }
      throw parseError(response.status, await response.text(), response.headers)
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      if (attempt.signal.aborted)
        throw new ApiTimeoutError(`No complete response within ${timeoutMs} ms.`, { cause: error })
      if (error instanceof HiringError) throw error
      throw new ApiConnectionError(`The request failed without a response: ${(error as Error).message}`, {
        cause: error,
      })
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
    }
  }

  /** The body of a signed URL as a stream. `timeoutMs` is the longest pause of the sender. */
  async openUrl(url: string, options: RequestOptions = {}): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
    const { signal, timeoutMs = this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS } = options
    signal?.throwIfAborted()
    const transfer = new AbortController()
    const stop = () => transfer.abort(signal?.reason)
    signal?.addEventListener('abort', stop, { once: true })
    const within = async <T>(step: Promise<T>): Promise<T> => {
      const timer = setTimeout(
        () => transfer.abort(new ApiTimeoutError(`Nothing arrived for ${timeoutMs} ms.`)),
        timeoutMs,
      )
      try {
        return await step
      } catch (error) {
        if (signal?.aborted) throw signal.reason
        throw new ApiConnectionError('The download was cut.', { cause: error })
      } finally {
        clearTimeout(timer)
      }
    }
    const response = await within((this.#options.fetch ?? fetch)(url, { signal: transfer.signal }))
    if (!response.ok) throw parseError(response.status, await within(response.text()), response.headers)
    const source = response.body!.getReader()
    return new ReadableStream({
      async pull(controller) {
        const { value, done } = await within(source.read())
        if (!done) return controller.enqueue(value)
        signal?.removeEventListener('abort', stop)
        controller.close()
      },
      cancel: () => transfer.abort(),
    })
  }
}

/** The endpoints of one resource. */
export class Resource {
  protected readonly core: Core

  constructor(core: Core) {
    this.core = core
  }
}

/** Known texts, and those that a later version of the service adds. */
export type Open<Known extends string> = Known | (string & {})

/** Reads the whole text first: a connection that is cut rejects here, and the attempt is repeated. */
async function json(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch (error) {
    const message = 'The response is not JSON. Check the base URL and any proxy.'
    throw new UnexpectedResponseError(message, response.status, { cause: error })
  }
}

function baseUrlOf(text: string): string {
  if (!URL.canParse(text)) throw new HiringError(`baseUrl is not a URL: ${text}`)
  const url = new URL(text)
  const path = url.pathname.replace(/\/+$/, '')
  return url.origin + (path === '' ? API_PREFIX : path)
}

/** An Idempotency-Key. `crypto.randomUUID` does not exist in pages without TLS. */
export const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')

/** Whether this runs in a page of a browser; Node, Deno, Bun and workers have no document. */
const isPage = (): boolean => 'document' in globalThis

function refuseKey(apiKey: ClientOptions['apiKey']): void {
  if (typeof apiKey === 'string' && /^svc_(live|test)_/.test(apiKey)) {
    throw new HiringError(
      'An API key in a page can be read by every visitor. Call the API from a server, or use a sign-in token.',
    )
  }
}
