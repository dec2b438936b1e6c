import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getOrCreate } from '../kernel/async/get-or-create.ts'
import type { Packed } from '../kernel/http/packed.ts'
import type { RawRoute } from '../kernel/http/route-table.ts'
import type { Services } from '../kernel/services/services.ts'
import { assetRoute, isAssetName, packAsset } from '../pages/assets.ts'
import { html } from '../pages/html.ts'
import { ICON, PRODUCT, page, STYLES, THEME } from '../pages/page.ts'
import { sendPage, sendRedirect } from '../pages/send.ts'
import { mayUseConsole } from '../sign-in/landing-page.ts'
import { sessionOf } from '../sign-in/sessions.ts'
import { builtConsole } from './build.ts'

/** Where people sign in; `return_to` brings them back. */
export const SIGN_IN_PATH = '/sign-in'

/** The pages of the console: one document for all URLs, whose script renders the pages, and its files. */
export function pageRoutes(services: Services): RawRoute[] {
  const program = async () => programIn((await builtConsole(services.config.DATA_DIR)).directory)
  const show: RawRoute['handler'] = async ({ request, response }) => {
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
    assetRoute('/console/assets/', async name => (await program()).assets.get(name)),
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
<p>You are signed in as <b>${email}</b>, but you are not an owner or admin of this workspace. Ask an owner to change your role, or sign in with another account.</p>
<div class="actions"><a class="button" href="/docs">Read the documentation</a><a class="button secondary" href="${SIGN_IN_PATH}?again">Use another account</a></div>`,
  })

interface Program {
  script: string
  style: string
  assets: ReadonlyMap<string, Packed>
}

const programs = new Map<string, Program>()

/** The built program, read once: a newer build may delete its folder. */
const programIn = (directory: string): Program =>
  getOrCreate(programs, directory, () => {
    const { file, css } = JSON.parse(readFileSync(join(directory, 'manifest.json'), 'utf8'))['main.tsx'] as {
      file: string
      css: string[]
    }
    const names = readdirSync(join(directory, 'assets')).filter(isAssetName)
    const read = (name: string) => packAsset(name, readFileSync(join(directory, 'assets', name)))
    return { script: file, style: css[0]!, assets: new Map(names.map(name => [name, read(name)])) }
  })
