import type { Sql } from '../kernel/db/sql.ts'
import { ApiError } from '../kernel/errors/api-error.ts'
import type { BrowserSession } from '../kernel/http/browser-session.ts'
import type { Packed } from '../kernel/http/packed.ts'
import type { Arrived, RawRoute } from '../kernel/http/route-table.ts'
import type { Services } from '../kernel/services/services.ts'
import { readForm } from '../pages/form.ts'
import type { Html } from '../pages/html.ts'
import { sendPacked } from '../pages/packed.ts'
import { cacheControl, type PageOptions, SECURITY_HEADERS, sendPage, sendRedirect } from '../pages/send.ts'
import { runChecks } from './checks.ts'
import { SessionError } from './errors.ts'
import type { Area, Csrf, Limit, NamesIn, Policy, Presence, Visit } from './policy.ts'

/**
 * What a handler returns: a page for the frame of its area, another address, JSON for a script of the page, a file, a whole
 * body that is compressed already, or what writes the response. `after` runs when the response was sent, so that its
 * duration reveals nothing.
 */
export type Shown<T> = (
  | ({ show: T } & PageOptions)
  | { to: string; headers?: PageOptions['headers'] }
  | { json: object; status?: number; headers?: PageOptions['headers'] }
  | { file: Buffer; type: string; name: string }
  | { packed: Packed; headers?: PageOptions['headers'] }
  | { write: () => Promise<void> | void }
) & { after?: () => Promise<void> }

type Handler<V, T> = (visit: V) => Promise<Shown<T>> | Shown<T>
type Refusal<V, T> = (visit: V, refused: Refused) => Promise<Shown<T> | undefined> | Shown<T> | undefined

/** Why a request was not let through: a code of `SESSION_ERRORS`, or too many with the seconds to wait. */
export interface Refused {
  code: SessionError['code'] | 'rate_limit_exceeded'
  wait: number
}

/**
 * A page that the server renders, as a record: its policy, what a GET shows and what its form does. `limit` and `sensitive`
 * concern the form, if there is one.
 */
export interface Page<V extends Visit = Visit, T = unknown> extends Policy {
  readonly path: string
  readonly headers?: PageOptions['headers']
  readonly cache?: PageOptions['cache']
  /** what the area reads together with what the request is about: `visit.row` */
  readonly row?: (workspace: string, params: never) => Sql<unknown>
  /** the handler reads the form itself, and looks for the token among its fields: one with files, or of any encoding */
  readonly form?: 'files' | 'any'
  /** the most that a form with a long text may have; each character of some languages is nine bytes */
  readonly formBytes?: number
  readonly show?: Handler<V, T>
  readonly submit?: Handler<V, T>
  /** undefined: as the area does */
  readonly refuse?: Refusal<V, T>
}

export interface PageArea<S extends BrowserSession, V extends Visit, T> extends Area<S, V> {
  /** What a request is about; undefined: its response was sent. */
  open(services: Services, arrived: Arrived, page: Page<V, T>): Promise<V | undefined>
  frame(visit: V, shown: T): Html
  /** default: `sendPage` */
  send?(visit: V, page: Html, options: PageOptions): void
  /** not needed where nothing is checked; undefined: the error has the page of a failure */
  refuse?(visit: V, refused: Refused): Shown<T> | undefined
  readonly headers?: PageOptions['headers']
}

type With<V, S, K, P extends string> = V & { params: Readonly<Record<NamesIn<P>, string>> } & (K extends 'needed'
    ? { session: S }
    : K extends 'optional'
      ? { session?: S }
      : { session?: never })

/** The constructor of an area's pages. One with a form must say how its form proves where it comes from. */
export const createPageBuilder =
  <S extends BrowserSession, V extends Visit, T>() =>
  <const P extends string, const K extends Presence, R = undefined>(
    spec: Omit<Page, 'show' | 'submit' | 'refuse' | 'csrf' | 'limit' | 'row'> & {
      path: P
      session: K
      row?: (workspace: string, params: Readonly<Record<NamesIn<P>, string>>) => Sql<R>
      limit?: Limit<With<V, S, K, P> & { form: URLSearchParams }>
      refuse?: Refusal<V & { form: URLSearchParams }, T>
      show?: Handler<With<V, S, K, P> & { row: R | undefined }, T>
    } & ({ submit: Handler<With<V, S, K, P> & { form: URLSearchParams }, T>; csrf: Csrf } | { submit?: never }),
  ): Page<V, T> =>
    spec as unknown as Page<V, T>

/** A page with a form has two routes: what it shows has neither the limit nor the proof of its form. */
export const pageRoutes = <S extends BrowserSession, V extends Visit, T>(
  services: Services,
  area: PageArea<S, V, T>,
  pages: readonly Page<V, T>[],
): RawRoute[] =>
  pages.flatMap(page => {
    const { show, submit, limit, sensitive, ...rest } = page
    const route = (methods: readonly string[], handler: Handler<V, T>, policy: Policy): RawRoute => ({
      methods,
      path: area.path + page.path,
      record: policy,
      handler: arrived => servePage(services, area, page, arrived, handler, policy),
      ...(page.form === 'files' && { bodySeconds: services.config.UPLOAD_TIMEOUT_SECONDS }),
    })
    return [
      ...(show ? [route(['GET', 'HEAD'], show, submit ? rest : page)] : []),
      ...(submit ? [route(['POST'], submit, page)] : []),
    ]
  })

async function servePage<S extends BrowserSession, V extends Visit, T>(
  services: Services,
  area: PageArea<S, V, T>,
  page: Page<V, T>,
  arrived: Arrived,
  handler: Handler<V, T>,
  policy: Policy,
): Promise<void> {
  const visit = await area.open(services, arrived, page)
  if (!visit) return
  if (arrived.request.method === 'POST' && !page.form) visit.form = await readForm(arrived.request, page.formBytes)
  let shown: Shown<T>
  try {
    await runChecks(visit, policy, area as unknown as Area)
    shown = await handler(visit)
  } catch (error) {
    const refused = refusedBy(error)
    const refusal = refused && ((await page.refuse?.(visit, refused)) ?? area.refuse?.(visit, refused))
    if (!refusal) throw error
    shown = refusal
  }
  await send(visit, shown, area, page)
  await shown.after?.()
}

function refusedBy(error: unknown): Refused | undefined {
  if (error instanceof SessionError) return { code: error.code, wait: 0 }
  if (!(error instanceof ApiError) || error.code !== 'rate_limit_exceeded') return undefined
  return { code: error.code, wait: error.details.retry_after_seconds ?? 0 }
}

function send<S extends BrowserSession, V extends Visit, T>(
  visit: V,
  shown: Shown<T>,
  area: PageArea<S, V, T>,
  { headers, cache }: Page<V, T>,
): Promise<void> | void {
  const { request, response } = visit
  if ('write' in shown) return shown.write()
  const all = { ...area.headers, ...headers }
  const common = { ...SECURITY_HEADERS, 'Cache-Control': 'no-store', ...(all as Record<string, string>) }
  if ('to' in shown) sendRedirect(response, shown.to, { ...headers, ...shown.headers })
  else if ('show' in shown) {
    const { show, ...opts } = shown
    const options = { ...(cache && { cache }), ...opts, headers: { ...all, ...opts.headers } }
    const framed = area.frame(visit, show)
    if (area.send) area.send(visit, framed, options)
    else sendPage(response, framed, options)
  } else if ('packed' in shown) {
    const own = { 'Cache-Control': cacheControl(cache), ...all, ...shown.headers }
    sendPacked(request, response, shown.packed, own as Record<string, string>)
  } else if ('json' in shown) {
    const { json, status = 200, headers: own } = shown
    const text = JSON.stringify(json)
    const type = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': Buffer.byteLength(text) }
    response.writeHead(status, { ...common, ...type, ...(own as Record<string, string>) }).end(text)
  } else {
    const { file, type, name } = shown
    const disposition = `attachment; filename="${name}"`
    const own = { 'Content-Type': type, 'Content-Length': file.length, 'Content-Disposition': disposition }
    response.writeHead(200, { ...common, ...own }).end(file)
  }
}
