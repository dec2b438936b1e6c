import { existsSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { Failure } from '../kernel/failure.ts'
import type { RawRoute } from '../kernel/http/server.ts'
import { remember } from '../kernel/remember.ts'
import type { Services } from '../kernel/services.ts'
import { html } from '../pages/html.ts'
import { ICON, PRODUCT, page, STYLES, THEME } from '../pages/page.ts'
import { SECURITY_HEADERS, sendPage, sendRedirect } from '../pages/send.ts'
import { sessionOf } from '../sign-in/sessions.ts'
import { builtConsole } from './build.ts'
import { mayUseConsole } from './endpoint.ts'

/** Where people sign in; `return_to` brings them back. */
export const SIGN_IN_PATH = '/sign-in'

/** The pages of the console: one document for all addresses, which the program in it turns into pages, and its files. */
export function pageRoutes(services: Services): RawRoute[] {
  const { DATA_DIR } = services.config
  const show: RawRoute['handler'] = async (request, response) => {
    const session = await sessionOf(services, request)
    if (!session) {
      return sendRedirect(response, `${SIGN_IN_PATH}?return_to=${encodeURIComponent(request.url ?? '/console')}`)
    }
    if (!mayUseConsole(session)) return sendPage(response, notForYou(session.email), { status: 403 })
    sendPage(response, documentOf(entry((await builtConsole(DATA_DIR)).directory)))
  }
  return [
    { methods: ['GET', 'HEAD'], path: '/console', handler: show },
    { methods: ['GET', 'HEAD'], path: '/console/*', handler: show },
    {
      methods: ['GET', 'HEAD'],
      path: '/console/assets/*',
      handler: async (request, response, rest) =>
        sendAsset((await builtConsole(DATA_DIR)).directory, rest.slice(1), request, response),
    },
  ]
}

const documentOf = ({ script, style }: { script: string; style: string }) => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Console · ${PRODUCT}</title>
<link rel="icon" href="${ICON}" type="image/svg+xml">
${[...STYLES, `/console/${style}`].map(href => html`<link rel="stylesheet" href="${href}">`)}
<script src="${THEME}"></script>
<script type="module" src="/console/${script}"></script>
</head>
<body>
<div id="app"></div>
<noscript><p class="lone">The console needs JavaScript. What it does can also be done with <code>npx hiring --help</code>.</p></noscript>
</body>
</html>
`

const notForYou = (email: string) =>
  page({
    title: 'The console is for owners and admins',
    layout: 'card',
    body: html`<h1>The console is for owners and admins</h1>
<p>You are signed in as <b>${email}</b>, who is neither in this workspace. Ask an owner to change your role, or sign in as somebody else.</p>
<div class="actions"><a class="button" href="/docs">Read the documentation</a><a class="button secondary" href="${SIGN_IN_PATH}?again">Sign in as somebody else</a></div>`,
  })

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
    ...SECURITY_HEADERS,
    'Content-Type': asset.type,
    'Content-Length': body.length,
    ...(encoding ? { 'Content-Encoding': encoding } : {}),
    Vary: 'Accept-Encoding',
    'Cache-Control': 'public, max-age=31536000, immutable',
  })
  response.end(body)
}
