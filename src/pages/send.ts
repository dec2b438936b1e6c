import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import type { Html } from './html.ts'

/** What every page and file of ours carries. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  // Not `no-referrer`: with that, browsers send `Origin: null` with a form to our own address.
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
}

/**
 * For pages on the way to an app. Apps may open these pages in a popup and wait there for the result; a page of
 * ours that is `same-origin` would cut that window off from them permanently. What the app can do with it is to close it or
 * to lead it elsewhere, as with any window that it opened.
 */
export const KEEPS_OPENER = { 'Cross-Origin-Opener-Policy': 'unsafe-none' } as const

export interface PageOptions {
  status?: number
  /** origins that a form response may redirect to, besides our own: browsers check redirects against form-action */
  formTargets?: readonly string[]
  /** origins that a script of the page may send files to, besides our own: the store of uploads */
  connectTargets?: readonly string[]
  /** the page shows documents of ours in frames */
  frames?: true
  /** how a browser may cache the page; by default it revalidates, and does not store pages with personal data */
  cache?: 'public' | 'private'
  /**
   * The client takes gzip. Only for pages without a secret that lasts: where a reader can choose a part of the page, its
   * compressed length tells others something about the rest.
   */
  zipped?: boolean
  headers?: Readonly<Record<string, string | readonly string[]>>
}

/** The content security policy of every page: only files of this origin, nothing inline, no framing. */
export const contentPolicy = (formTargets: readonly string[] = [], connectTargets: readonly string[] = []): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src ${["'self'", ...connectTargets].join(' ')}`,
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/**
 * For a document that draws a file of a stranger in a frame of ours: no origin, no connection, nothing but our own code.
 * `sandbox` is in the policy, too, so that the document is harmless wherever it is opened.
 */
export const framePolicy = (): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    'img-src data: blob:',
    'font-src data:',
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-scripts',
  ].join('; ')

/**
 * For a page that secrets are pasted into: its scripts can send nothing, not even to this service, and no form can be
 * submitted.
 */
export const isolatedPolicy = (): string =>
  contentPolicy()
    .replace("connect-src 'self'", "connect-src 'none'")
    .replace("form-action 'self'", "form-action 'none'")

export const cacheControl = (cache: PageOptions['cache']): string =>
  cache === 'public' ? 'public, no-cache' : 'no-store'

/** Sends a page. */
export function sendPage(response: ServerResponse, page: Html, opts: PageOptions = {}): void {
  const body = opts.zipped ? gzipSync(page.text) : Buffer.from(page.text)
  const headers: OutgoingHttpHeaders = {
    ...SECURITY_HEADERS,
    'Content-Security-Policy':
      contentPolicy(opts.formTargets, opts.connectTargets) + (opts.frames ? "; frame-src 'self'" : ''),
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': body.length,
    ...(opts.zipped && { 'Content-Encoding': 'gzip' }),
    'Cache-Control': cacheControl(opts.cache),
    ...(opts.headers as OutgoingHttpHeaders),
  }
  response.writeHead(opts.status ?? 200, headers)
  // The server omits the body of a response to HEAD.
  response.end(body)
}

/** Sends the browser elsewhere, with a GET. */
export function sendRedirect(response: ServerResponse, location: string, headers: PageOptions['headers'] = {}): void {
  response
    .writeHead(303, { ...SECURITY_HEADERS, 'Cache-Control': 'no-store', ...headers, Location: location } as Record<
      string,
      string
    >)
    .end()
}
