import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { ReadCache } from './read-cache.ts'
import { BASE, isBackNavigation } from './router.tsx'
import type { SignedIn } from './session.ts'

/** What a program shows instead of the message of an error; undefined where there is none. */
type Explain = (detail: Partial<ErrorDetail>) => string | undefined

let explain: Explain = ({ message }) => message

/** For the whole program, before its first call. */
export const explainErrors = (by: Explain): void => {
  explain = by
}

/** An error in the service's own body; `status` 0: the service was not reached. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly requestId: string | null
  /** what is wrong with which field of the form */
  readonly fields: ReadonlyMap<string, string>
  constructor(status: number, detail: Partial<ErrorDetail>) {
    super(explain(detail) ?? 'The service is unavailable. Check your connection and try again.')
    this.status = status
    this.code = detail.code ?? 'unreachable'
    this.requestId = detail.request_id ?? null
    this.fields = new Map((detail.errors ?? []).map(({ param, message }) => [param, message]))
  }
}

interface ErrorDetail {
  code: string
  message: string
  request_id: string
  errors: { param: string; message: string }[]
}

let csrfToken = ''
/** whose page this is, and of which workspace */
let shownTo = ''

const holderOf = ({ user, workspace }: SignedIn) => `${workspace.id} ${user.id}`

export async function loadSession<S extends SignedIn>(): Promise<S> {
  const session = await read<S>('/session')
  csrfToken = session.csrf_token
  shownTo = holderOf(session)
  return session
}

/** After another user signed in in another tab, this tab must not show their data under the old name. */
export function watchSession(): () => void {
  const look = async () => {
    if (document.visibilityState !== 'visible') return
    const session = await request<SignedIn>('GET', '/session', undefined, { stay: true }).catch(() => undefined)
    if (session && holderOf(session) !== shownTo) location.reload()
  }
  document.addEventListener('visibilitychange', look)
  return () => document.removeEventListener('visibilitychange', look)
}

/** After a session ended and another began, perhaps in another tab: a change is made only for whom the page was drawn. */
async function renewToken(): Promise<void> {
  const session = await request<SignedIn>('GET', '/session', undefined, { stay: true })
  if (holderOf(session) !== shownTo) {
    throw new ApiError(403, { message: 'Another user is signed in now. Reload the page to continue as that user.' })
  }
  csrfToken = session.csrf_token
}

export const read = <T>(path: string, signal?: AbortSignal): Promise<T> =>
  request<T>('GET', path, undefined, { signal })

/** As `read`, for the middle of a change: the page stays after the session ended, with what was typed. */
export const readAndStay = <T>(path: string): Promise<T> => request<T>('GET', path, undefined, { stay: true })

export interface ReadFile {
  bytes: ArrayBuffer
  type: string
  /** personal values that the reader may still look at today; null if the response does not say */
  remaining: number | null
}

/** A file, read into memory: it may be shown only here. */
export async function readDownload(path: string, signal?: AbortSignal): Promise<ReadFile> {
  let response: Response
  try {
    response = await fetch(`${BASE}/api${path}`, signal ? { signal } : {})
    if (response.ok) {
      const bytes = await response.arrayBuffer()
      const remaining = response.headers.get('service-personal-data-remaining')
      const type = response.headers.get('content-type') ?? ''
      return { bytes, type, remaining: remaining === null ? null : Number(remaining) }
    }
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiError(0, {})
  }
  const body = (await response.json().catch(() => ({}))) as { detail?: Partial<ErrorDetail> }
  throw new ApiError(response.status, body.detail ?? {})
}

/** A change; the body is JSON, or a file as it is. The token proves that it comes from our own page; that of a session that ended is of no use any more. */
export async function send<T>(path: string, body?: unknown, opts: SendOptions = {}): Promise<T> {
  if (csrfToken === '') await renewToken()
  try {
    return await request<T>('POST', path, body, { stay: true, ...opts })
  } catch (error) {
    const { status, code } = error as ApiError
    if (status === 401) csrfToken = ''
    if (code === 'confirmation_required' && (await confirmIdentity())) return send<T>(path, body, opts)
    throw error
  }
}

let confirmIdentity: () => Promise<boolean> = async () => false

/** What asks the person to prove the second factor again; resolves to false where they do not want to. */
export const askToConfirm = (by: () => Promise<boolean>): void => {
  confirmIdentity = by
}

/**
 * Sends a file whose response comes in lines of JSON while the work is done; each is given to `onLine`. Resolves when the
 * work is done.
 */
export async function sendFile<T>(path: string, file: Blob, onLine: (line: T) => void): Promise<void> {
  if (csrfToken === '') await renewToken()
  responseCache.clear()
  const headers = { 'X-CSRF-Token': csrfToken, 'Content-Type': 'application/octet-stream' }
  try {
    const response = await fetch(`${BASE}/api${path}`, { method: 'POST', headers, body: file })
    if (!response.ok) {
      const { detail } = (await response.json().catch(() => ({}))) as { detail?: Partial<ErrorDetail> }
      throw new ApiError(response.status, detail ?? {})
    }
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    let rest = ''
    for (let { done, value = '' } = await reader.read(); !done; { done, value = '' } = await reader.read()) {
      const lines = (rest + value).split('\n')
      rest = lines.pop()!
      for (const line of lines) onLine(JSON.parse(line))
    }
  } catch (error) {
    throw error instanceof ApiError ? error : new ApiError(0, {})
  }
}

export interface SendOptions {
  /** what a repeat after a lost response is recognized by; some endpoints need it */
  idempotencyKey?: string
  /** a read in the form of a POST, which changes nothing */
  query?: true
  /** changes nothing that was read for the back button */
  keepReads?: true
  /** sent even if the page is closed in this moment */
  keepalive?: true
  /** what the file that is sent is called */
  filename?: string
}

interface RequestOptions extends SendOptions {
  signal?: AbortSignal | undefined
  /** unsaved input would be lost by a reload */
  stay?: true
}

async function request<T>(method: string, path: string, body: unknown, opts: RequestOptions): Promise<T> {
  const { signal, stay, idempotencyKey, query, keepReads, keepalive, filename } = opts
  if (method !== 'GET' && !query && !keepReads) responseCache.clear()
  const isFile = body instanceof Blob
  let response: Response
  let result: { detail?: Partial<ErrorDetail> }
  try {
    response = await fetch(`${BASE}/api${path}`, {
      method,
      headers: {
        ...(method === 'GET' ? {} : { 'X-CSRF-Token': csrfToken }),
        ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
        // a header has no letters beyond those of the alphabet
        ...(filename === undefined ? {} : { 'X-Filename': encodeURIComponent(filename) }),
        ...(body === undefined ? {} : { 'Content-Type': isFile ? 'application/octet-stream' : 'application/json' }),
      },
      ...(body === undefined ? {} : { body: isFile ? body : JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
      ...(keepalive ? { keepalive } : {}),
    })
    // a truncated response counts as none; of a proxy's error page only the status is used
    result = await response.json().catch(error => {
      if (response.ok) throw error
      return {}
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiError(0, {})
  }
  if (response.ok) return result as T
  // the page's own address leads to the setup
  if (result.detail?.code === 'second_factor_required' && !stay) location.reload()
  if (response.status !== 401) throw new ApiError(response.status, result.detail ?? {})
  // the session ended: the page's own address leads to the sign-in and back
  if (!stay) location.reload()
  throw new ApiError(401, {
    code: 'signed_out',
    message: 'You are signed out. Sign in in another tab, then try again.',
  })
}

/**
 * Responses of the last few paths, for back navigation: the page appears as it was left, with its scroll position. Any
 * change makes them worthless.
 */
const responseCache = new ReadCache<unknown>(20)

/** Query text without what is empty: `?a=b`, or nothing. */
export function toQuery(values: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== '')
  return given.length === 0 ? '' : `?${new URLSearchParams(given.map(([k, v]) => [k, String(v)]))}`
}

export interface Data<T> {
  data: T | undefined
  /** why the last read failed; what was read of this path before stays in `data` */
  error: ApiError | undefined
  loading: boolean
  reload: () => void
}

interface DataState<T> {
  /** the path that `data` was read from */
  path: string
  data?: T
  error?: ApiError
  loading: boolean
}

/**
 * One response. While it is read again, or for another path, the previous one stays visible. With `query`, the read has
 * the form of a POST with that body.
 */
export function useData<T>(path: string, query?: object): Data<T> {
  const body = query && JSON.stringify(query)
  const key = body === undefined ? path : `${path} ${body}`
  const [state, setState] = useState<DataState<T>>(() => {
    const data = isBackNavigation() ? (responseCache.get(key) as T | undefined) : undefined
    return { path: key, ...(data === undefined ? {} : { data }), loading: true }
  })
  const [round, setRound] = useState(0)
  useEffect(() => {
    const abort = new AbortController()
    setState(({ error: _, ...before }) => ({ ...before, loading: true }))
    const { signal } = abort
    const response =
      body === undefined
        ? read<T>(path, signal)
        : request<T>('POST', path, JSON.parse(body), { signal, stay: true, query: true })
    response.then(
      data => {
        if (abort.signal.aborted) return
        responseCache.set(key, data)
        setState({ path: key, data, loading: false })
      },
      error => {
        if (abort.signal.aborted) return
        // the response of a previous path must not replace this one
        setState(before => ({ ...(before.path === key ? before : { path: key }), error, loading: false }))
      },
    )
    return () => abort.abort()
  }, [path, body, key, round])
  const reload = useCallback(() => setRound(n => n + 1), [])
  return { data: state.data, error: state.error, loading: state.loading, reload }
}

/** Polls while `active` and the tab is visible; never while a read is in flight. */
export function usePolling({ loading, reload }: Data<unknown>, active: boolean, everyMs: number): void {
  useEffect(() => {
    if (!active || loading) return
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') reload()
    }, everyMs)
    return () => clearInterval(timer)
  }, [active, loading, reload, everyMs])
}

export interface PageResponse<T> {
  data: T[]
  next_cursor?: string | null
  next_before?: number | null
  unfinished?: boolean
}

export interface Pages<T> {
  /** undefined until the first page is there */
  rows: T[] | undefined
  error: ApiError | undefined
  loading: boolean
  more: boolean
  /** query text of the next page */
  next: string | null
  /** nothing more was found in what was looked at, but there is more to look at */
  unfinished: boolean
  loadMore: () => void
  reload: () => void
  /** retries what failed */
  retry: () => void
}

interface PagesState<T> {
  /** the path that the rows were read from */
  path: string
  rows?: T[]
  /** query text of the next page */
  next: string | null
  unfinished: boolean
  error?: ApiError
  loading: boolean
}

export function buildNextQuery({ next_cursor: cursor, next_before: before }: PageResponse<unknown>): string | null {
  if (cursor) return `cursor=${encodeURIComponent(cursor)}`
  return before === null || before === undefined ? null : `before=${before}`
}

/** A list that continues: its first page, and the next ones as they are asked for. */
export function usePages<T>(path: string): Pages<T> {
  const before = useRef(
    isBackNavigation() ? (responseCache.get(`list ${path}`) as PagesState<T> | undefined) : undefined,
  )
  const [state, setState] = useState<PagesState<T>>(
    before.current ?? { path, next: null, unfinished: false, loading: true },
  )
  const [round, setRound] = useState(0)
  const current = useRef<AbortController>(undefined)
  const asked = useRef<string | null>(null)

  const load = useCallback(
    (page: string | null) => {
      current.current?.abort()
      const abort = new AbortController()
      current.current = abort
      asked.current = page
      setState(({ error: _, ...now }) => ({ ...now, loading: true }))
      const address = page ? `${path}${path.includes('?') ? '&' : '?'}${page}` : path
      read<PageResponse<T>>(address, abort.signal).then(
        response => {
          if (abort.signal.aborted) return
          setState(now => {
            const rows = page ? [...(now.rows ?? []), ...response.data] : response.data
            const next = {
              path,
              rows,
              next: buildNextQuery(response),
              unfinished: response.unfinished ?? false,
              loading: false,
            }
            responseCache.set(`list ${path}`, next)
            return next
          })
        },
        error => {
          if (abort.signal.aborted) return
          // the rows of other filters would be taken for those of these
          setState(now => ({
            ...(now.path === path ? now : { path, next: null, unfinished: false }),
            error,
            loading: false,
          }))
        },
      )
    },
    [path],
  )
  useEffect(() => {
    if (before.current) before.current = undefined
    else load(null)
    return () => current.current?.abort()
  }, [load, round])
  const { rows, next, unfinished, error, loading } = state
  const loadMore = useCallback(() => {
    if (next && !loading && state.path === path) load(next)
  }, [next, loading, load, path, state.path])
  const reload = useCallback(() => setRound(n => n + 1), [])
  const retry = useCallback(() => load(asked.current), [load])
  return { rows, error, loading, more: next !== null, next, unfinished, loadMore, reload, retry }
}
