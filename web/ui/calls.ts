import type { Endpoint, Lines, Wire } from '../../src/programs/endpoint.ts'
import {
  type Data,
  type Pages,
  read,
  readAndStay,
  type SendOptions,
  send,
  sendFile,
  toQuery,
  useData,
  usePages,
} from './api.ts'
import { BASE } from './router.tsx'

/*
 * The calls of a program with the types of its endpoints on the server, which are imported as types alone. A path that
 * does not exist, a parameter of another name and a field that a handler no longer returns do not compile.
 */

type At<E extends Endpoint, M, P> = NonNullable<Extract<E, { method: M; path: P }>['~wire']>

export type PathOf<E extends Endpoint, M> = Extract<E, { method: M }>['path']
export type ResponseOf<E extends Endpoint, M, P> = At<E, M, P>['response']
export type BodyOf<E extends Endpoint, P> = At<E, 'POST', P>['body']
export type RowOf<E extends Endpoint, P> =
  ResponseOf<E, 'GET', P> extends { data: readonly (infer Row)[] } ? Row : never

type Value = string | number | undefined
/** Names of the path, and those of the query that it may have. The server checks the values. */
type Input<W extends Wire> = Readonly<Record<W['params'], string>> & { readonly [K in W['query']]?: Value }
type Given<T> = Record<never, never> extends T ? [input?: T] : [input: T]
/** Comes first where the path has names, or a change has a query. */
type Named<W extends Wire> = [W['params'] | W['query']] extends [never] ? [] : [input: Input<W>]
type Sent<W extends Wire> = [
  ...Named<W>,
  ...(undefined extends W['body'] ? [body?: W['body']] : [body: W['body']]),
  opts?: SendOptions,
]
export type LineOf<R> = R extends Lines<infer Line> ? Line : never

interface Client<E extends Endpoint> {
  read<P extends PathOf<E, 'GET'>>(
    path: P,
    ...given: [...Given<Input<At<E, 'GET', P>>>, signal?: AbortSignal]
  ): Promise<ResponseOf<E, 'GET', P>>
  /** As `read`, for the middle of a change: the page stays after the session ended, with what was typed. */
  readAndStay<P extends PathOf<E, 'GET'>>(
    path: P,
    ...given: Given<Input<At<E, 'GET', P>>>
  ): Promise<ResponseOf<E, 'GET', P>>
  /** A change: what its path and query name, then its body. */
  send<P extends PathOf<E, 'POST'>>(path: P, ...given: Sent<At<E, 'POST', P>>): Promise<ResponseOf<E, 'POST', P>>
  /** Sends a file whose response comes in lines while the work is done, and resolves when it is done. */
  sendFile<P extends PathOf<E, 'POST'>>(
    path: P,
    ...given: [...Named<At<E, 'POST', P>>, file: Blob, onLine: (line: LineOf<ResponseOf<E, 'POST', P>>) => void]
  ): Promise<void>
  useData<P extends PathOf<E, 'GET'>>(path: P, ...given: Given<Input<At<E, 'GET', P>>>): Data<ResponseOf<E, 'GET', P>>
  /** One response of a read that has the form of a POST. */
  useQuery<P extends PathOf<E, 'POST'>>(path: P, body: At<E, 'POST', P>['body']): Data<ResponseOf<E, 'POST', P>>
  usePages<P extends PathOf<E, 'GET'>>(path: P, ...given: Given<Input<At<E, 'GET', P>>>): Pages<RowOf<E, P>>
  /** The address of a file, for a link. */
  href<P extends PathOf<E, 'GET'>>(path: P, ...given: Given<Input<At<E, 'GET', P>>>): string
}

/** `/keys/{id}` with its names replaced; what is left of the input is the query. */
export function buildAddress(path: string, input: Readonly<Record<string, Value>> = {}): string {
  const rest = { ...input }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest[name])
    delete rest[name]
    return encodeURIComponent(value)
  })
  return filled + toQuery(rest)
}

export const createClient = <E extends Endpoint>(): Client<E> =>
  ({
    read: (path: string, input?: object, signal?: AbortSignal) => read(buildAddress(path, { ...input }), signal),
    readAndStay: (path: string, input?: object) => readAndStay(buildAddress(path, { ...input })),
    send: (path: string, ...given: unknown[]) => {
      // a file whose address has a query comes after it
      const isNamed = path.includes('{') || given[1] instanceof Blob
      const [params, body, opts] = isNamed ? given : [{}, ...given]
      return send(buildAddress(path, { ...(params as object) }), body, opts as SendOptions)
    },
    sendFile: (path: string, ...given: unknown[]) => {
      const [params, file, onLine] = given[0] instanceof Blob ? [{}, ...given] : given
      return sendFile(buildAddress(path, { ...(params as object) }), file as Blob, onLine as () => void)
    },
    useQuery: (path: string, body: object) => useData(path, body),
    useData: (path: string, input?: object) => useData(buildAddress(path, { ...input })),
    usePages: (path: string, input?: object) => usePages(buildAddress(path, { ...input })),
    href: (path: string, input?: object) => `${BASE}/api${buildAddress(path, { ...input })}`,
  }) as unknown as Client<E>
