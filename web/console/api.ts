import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { SessionAnswer } from '../../src/console/answers.ts'

/** An error in the service's own body; `status` 0: the service was not reached. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly requestId: string | null
  /** what is wrong with which field of the form */
  readonly fields: ReadonlyMap<string, string>
  constructor(status: number, detail: Partial<ErrorDetail>) {
    super(detail.message ?? 'The service cannot be reached. Check the connection and try again.')
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

export async function loadSession(): Promise<SessionAnswer> {
  const session = await read<SessionAnswer>('/session')
  csrfToken = session.csrf_token
  return session
}

export const read = <T>(path: string, signal?: AbortSignal): Promise<T> => request<T>('GET', path, undefined, signal)

/** A change. The token proves that it comes from our own page. */
export const send = <T>(path: string, body?: unknown): Promise<T> => request<T>('POST', path, body)

async function request<T>(method: string, path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  let response: Response
  try {
    response = await fetch(`/console/api${path}`, {
      method,
      headers: {
        ...(method === 'GET' ? {} : { 'X-CSRF-Token': csrfToken }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiError(0, {})
  }
  const answer = await response.json().catch(() => ({}))
  if (response.ok) return answer as T
  // the session ended: the page's own address leads to the sign-in and back
  if (response.status === 401) location.reload()
  throw new ApiError(response.status, answer.detail ?? {})
}

/** Query text without what is empty: `?a=b`, or nothing. */
export function queryOf(values: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== '')
  return given.length === 0 ? '' : `?${new URLSearchParams(given.map(([k, v]) => [k, String(v)]))}`
}

export interface Data<T> {
  data: T | undefined
  error: ApiError | undefined
  loading: boolean
  reload: () => void
}

/** One answer. While it is read again, or for another path, the one before stays to be shown. */
export function useData<T>(path: string): Data<T> {
  const [state, setState] = useState<{ data?: T; error?: ApiError; loading: boolean }>({ loading: true })
  const [round, setRound] = useState(0)
  useEffect(() => {
    const abort = new AbortController()
    setState(({ data }) => ({ ...(data === undefined ? {} : { data }), loading: true }))
    read<T>(path, abort.signal).then(
      data => setState({ data, loading: false }),
      error => {
        if (!abort.signal.aborted) setState({ error, loading: false })
      },
    )
    return () => abort.abort()
  }, [path, round])
  const reload = useCallback(() => setRound(n => n + 1), [])
  return { data: state.data, error: state.error, loading: state.loading, reload }
}

interface PageAnswer<T> {
  data: T[]
  next_cursor: string | null
}

export interface Pages<T> {
  /** undefined until the first page is there */
  rows: T[] | undefined
  error: ApiError | undefined
  loading: boolean
  more: boolean
  loadMore: () => void
  reload: () => void
}

/** A list that goes on: its first page, and the next ones as they are asked for. */
export function usePages<T>(path: string): Pages<T> {
  const [rows, setRows] = useState<T[]>()
  const [next, setNext] = useState<string | null>(null)
  const [error, setError] = useState<ApiError>()
  const [loading, setLoading] = useState(true)
  const [round, setRound] = useState(0)
  const current = useRef<AbortController>(undefined)

  const load = useCallback(
    (cursor: string | null) => {
      current.current?.abort()
      const abort = new AbortController()
      current.current = abort
      setLoading(true)
      setError(undefined)
      const mark = path.includes('?') ? '&' : '?'
      read<PageAnswer<T>>(cursor ? `${path}${mark}cursor=${encodeURIComponent(cursor)}` : path, abort.signal).then(
        answer => {
          setRows(before => (cursor ? [...(before ?? []), ...answer.data] : answer.data))
          setNext(answer.next_cursor)
          setLoading(false)
        },
        failure => {
          if (abort.signal.aborted) return
          setError(failure)
          setLoading(false)
        },
      )
    },
    [path],
  )
  useEffect(() => {
    load(null)
    return () => current.current?.abort()
  }, [load, round])
  const loadMore = useCallback(() => {
    if (next && !loading) load(next)
  }, [next, loading, load])
  const reload = useCallback(() => setRound(n => n + 1), [])
  return { rows, error, loading, more: next !== null, loadMore, reload }
}
