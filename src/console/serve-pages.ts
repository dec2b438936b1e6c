import { existsSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { Failure } from '../kernel/failure.ts'
import type { RawRoute } from '../kernel/http/server.ts'
import { remember } from '../kernel/remember.ts'
import type { Services } from '../kernel/services.ts'
import { sessionOf } from '../sign-in/sessions.ts'
import { builtConsole } from './build.ts'
import { mayUseConsole } from './endpoint.ts'

/** Where people sign in; `return_to` brings them back. */
export const SIGN_IN_PATH = '/sign-in'

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const SAFETY = {
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
}

/** The pages of the console: one document for all addresses, which the program in it turns into pages, and its files. */
export function pageRoutes(services: Services): RawRoute[] {
  const { DATA_DIR } = services.config
  const page: RawRoute['handler'] = async (request, response) => {
    const session = await sessionOf(services, request)
    if (!session) {
      const back = encodeURIComponent(request.url ?? '/console')
      response.writeHead(303, { Location: `${SIGN_IN_PATH}?return_to=${back}`, 'Cache-Control': 'no-store' }).end()
      return
    }
    const { script, style } = entry((await builtConsole(DATA_DIR)).directory)
    const theme = /(?:^|;\s*)theme=(light|dark)(?:;|$)/.exec(request.headers.cookie ?? '')?.[1]
    const head = { style, theme }
    if (mayUseConsole(session)) return html(response, 200, documentOf({ ...head, script, body: LOADING }))
    html(response, 403, documentOf({ ...head, body: notForYou(session.email) }))
  }
  return [
    { methods: ['GET', 'HEAD'], path: '/console', handler: page },
    { methods: ['GET', 'HEAD'], path: '/console/*', handler: page },
    {
      methods: ['GET', 'HEAD'],
      path: '/console/assets/*',
      handler: async (request, response, rest) =>
        sendAsset((await builtConsole(DATA_DIR)).directory, rest.slice(1), request, response),
    },
  ]
}

interface Document {
  style: string
  theme: string | undefined
  script?: string
  body: string
}

const documentOf = ({ style, theme, script, body }: Document) => `<!doctype html>
<html lang="en"${theme ? ` data-theme="${theme}"` : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Console · Hiring Partner API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/console/${style}">
${script ? `<script type="module" src="/console/${script}"></script>\n` : ''}</head>
<body>${body}</body>
</html>
`

const LOADING = `<div id="app"></div><noscript><p class="notice">The console needs JavaScript. Everything it does can also be done with <code>npx hiring --help</code>.</p></noscript>`

const notForYou = (email: string) => `<main class="lone">
<h1>The console is for owners and admins</h1>
<p>You are signed in as <b>${escape(email)}</b>, who is neither in this workspace. Ask an owner to change your role, or sign in as somebody else.</p>
<p><a class="button" href="/docs">Read the documentation</a> <a class="button" href="${SIGN_IN_PATH}">Sign in as somebody else</a></p>
</main>`

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

function html(response: ServerResponse, status: number, text: string): void {
  const headers = { ...SAFETY, 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' }
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(text) }).end(text)
}

const entries = new Map<string, { script: string; style: string }>()

const entry = (directory: string) =>
  remember(entries, directory, () => {
    const manifest = JSON.parse(readFileSync(join(directory, 'manifest.json'), 'utf8'))
    const { file, css } = manifest['main.tsx'] as { file: string; css: string[] }
    return { script: file, style: css[0]! }
  })

interface Asset {
  type: string
  plain: Buffer
  gzip: Buffer
  br: Buffer
}
const assets = new Map<string, Asset>()
const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
}

/** Names carry a hash of the content, so a browser never asks twice. */
function sendAsset(directory: string, name: string, request: IncomingMessage, response: ServerResponse): void {
  const type = TYPES[/^[\w-]+\.(js|css)$/.exec(name)?.[1] ?? '']
  const path = join(directory, 'assets', name)
  if (!type || !existsSync(path)) throw new Failure('not_found')
  const asset = remember(assets, path, () => {
    const plain = readFileSync(path)
    return { type, plain, gzip: gzipSync(plain), br: brotliCompressSync(plain) }
  })
  const accepted = String(request.headers['accept-encoding'] ?? '')
  const encoding = /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : undefined
  const body = encoding ? asset[encoding] : asset.plain
  response.writeHead(200, {
    'Content-Type': asset.type,
    'Content-Length': body.length,
    ...(encoding ? { 'Content-Encoding': encoding } : {}),
    Vary: 'Accept-Encoding',
    'Cache-Control': 'public, max-age=31536000, immutable',
    'X-Content-Type-Options': 'nosniff',
  })
  response.end(body)
}
