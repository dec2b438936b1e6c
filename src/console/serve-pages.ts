import { readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { Failure } from '../kernel/failure.ts'
import type { RawRoute } from '../kernel/http/server.ts'
import { remember } from '../kernel/remember.ts'
import type { Services } from '../kernel/services.ts'
import { html } from '../pages/html.ts'
import { ICON, PRODUCT, page, STYLES, THEME } from '../pages/page.ts'
import { SECURITY_HEADERS, sendPage, sendRedirect } from '../pages/send.ts'
import { mayUseConsole } from '../sign-in/home.ts'
import { sessionOf } from '../sign-in/sessions.ts'
import { builtConsole } from './build.ts'

/** Where people sign in; `return_to` brings them back. */
export const SIGN_IN_PATH = '/sign-in'

/** The pages of the console: one document for all addresses, which the program in it turns into pages, and its files. */
export function pageRoutes(services: Services): RawRoute[] {
  const program = async () => programIn((await builtConsole(services.config.DATA_DIR)).directory)
  const show: RawRoute['handler'] = async (request, response) => {
    const session = await sessionOf(services, request)
    if (!session) {
      return sendRedirect(response, `${SIGN_IN_PATH}?return_to=${encodeURIComponent(request.url ?? '/console')}`)
    }
    if (!mayUseConsole(session)) return sendPage(response, notForYou(session.email), { status: 403 })
    sendPage(response, documentOf(await program()))
  }
  return [
    { methods: ['GET', 'HEAD'], path: '/console', handler: show },
    { methods: ['GET', 'HEAD'], path: '/console/*', handler: show },
    {
      methods: ['GET', 'HEAD'],
      path: '/console/assets/*',
      handler: async (request, response, rest) =>
        sendAsset((await program()).assets.get(rest.slice(1)), request, response),
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

interface Asset {
  type: string
  plain: Buffer
  gzip: Buffer
}

interface Program {
  script: string
  style: string
  assets: ReadonlyMap<string, Asset>
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}

const programs = new Map<string, Program>()

/** The built program, read once: a newer build beside it may take its folder away. */
const programIn = (directory: string): Program =>
  remember(programs, directory, () => {
    const { file, css } = JSON.parse(readFileSync(join(directory, 'manifest.json'), 'utf8'))['main.tsx'] as {
      file: string
      css: string[]
    }
    const names = readdirSync(join(directory, 'assets')).filter(name => extname(name) in TYPES)
    const assets = names.map((name): [string, Asset] => {
      const plain = readFileSync(join(directory, 'assets', name))
      return [name, { type: TYPES[extname(name)]!, plain, gzip: gzipSync(plain) }]
    })
    return { script: file, style: css[0]!, assets: new Map(assets) }
  })

/** Names carry a hash of the content, so a browser never asks twice. */
function sendAsset(asset: Asset | undefined, request: IncomingMessage, response: ServerResponse): void {
  if (!asset) throw new Failure('not_found')
  const zipped = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
  const body = zipped ? asset.gzip : asset.plain
  response.writeHead(200, {
    ...SECURITY_HEADERS,
    'Content-Type': asset.type,
    'Content-Length': body.length,
    ...(zipped ? { 'Content-Encoding': 'gzip' } : {}),
    Vary: 'Accept-Encoding',
    'Cache-Control': 'public, max-age=31536000, immutable',
  })
  response.end(body)
}
