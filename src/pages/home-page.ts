import { API_PREFIX } from '../contract/version.ts'
import { fail } from '../kernel/errors/api-error.ts'
import type { RawRoute } from '../kernel/http/route-table.ts'
import type { Services } from '../kernel/services/services.ts'
import { COPY, codeFigure } from './code-figure.ts'
import { type Html, html } from './html.ts'
import { PRODUCT, page } from './page.ts'
import { sendPage } from './send.ts'

interface Card {
  href: string
  name: string
  text: string
}

const TASKS: readonly Card[] = [
  {
    href: '/docs/guides/pushing-jobs',
    name: 'Push jobs',
    text: 'Keep the jobs of your system in a workspace, and publish and close them.',
  },
  {
    href: '/docs/guides/submitting-applications',
    name: 'Submit applications',
    text: 'Send candidates with their résumé; it is parsed and scored.',
  },
  {
    href: '/docs/guides/moving-and-hiring',
    name: 'Move and hire',
    text: 'Take applications through the stages; add notes and scorecards.',
  },
  {
    href: '/docs/guides/sync-from-zero',
    name: 'Keep a complete copy',
    text: 'An export for the start, then an ordered feed of every change.',
  },
  {
    href: '/docs/guides/webhooks',
    name: 'Receive webhooks',
    text: 'Signed events within seconds, retried for almost three days.',
  },
  {
    href: '/docs/guides/sign-in',
    name: 'Sign people in',
    text: 'OpenID Connect for apps that act on behalf of a person.',
  },
]

const PARTS: readonly Card[] = [
  {
    href: '/careers',
    name: 'Careers',
    text: 'The open jobs as candidates see them: search, read and apply.',
  },
  {
    href: '/hiring',
    name: 'Hiring',
    text: 'For the team: jobs, candidates, decisions, sourcing and insight.',
  },
  { href: '/docs', name: 'Documentation', text: 'Guides, every endpoint, field, error and event, with search.' },
  {
    href: '/console',
    name: 'Console',
    text: 'For owners and admins: keys, webhooks, the event feed, audit log, erasures, people and settings.',
  },
  {
    href: '/partner',
    name: 'Partner’s page',
    text: 'Sign in with an API key: usage, limits, deliveries, audit rows and access.',
  },
  { href: '/account', name: 'Your account', text: 'Your password, your sessions, and the apps that act for you.' },
  { href: '/docs/changelog', name: 'Changelog', text: 'Releases, versions of the API, and deprecations.' },
]

const cards = (rows: readonly Card[]): Html =>
  html`<ul class="cards">${rows.map(({ href, name, text }) => html`<li><a href="${href}"><strong>${name}</strong>${text}</a></li>`)}</ul>`

/** In two lines, because it is too long for one in the column of text. */
const firstCall = (origin: string): string => `curl -s "${origin}${API_PREFIX}/me" \\
  -H "Authorization: Bearer $API_KEY"`

const homePage = (origin: string): Html =>
  page({
    title: PRODUCT,
    layout: 'text',
    scripts: [COPY],
    description:
      'A self-hosted partner API for hiring products: jobs, applications, candidates, a change feed and webhooks.',
    body: html`<div class="home"><h1>Build on a hiring workspace</h1>
<p class="lead">${PRODUCT} opens the jobs, applications and candidates of a hiring team to the systems it works with: job boards, assessment and background-check vendors, HR systems, dashboards and sourcing tools. It is plain JSON over HTTPS, and it runs on the hiring company’s own servers.</p>
<div class="actions"><a class="button" href="/docs/guides/first-call">First call in five minutes</a><a class="button secondary" href="/careers">Careers site</a><a class="button secondary" href="/hiring">Hiring</a><a class="button secondary" href="/console">Console</a><a class="button secondary" href="/docs">Documentation</a></div>
${codeFigure('A first call', html`${firstCall(origin)}`)}
<h2>What you can build</h2>
${cards(TASKS)}
<h2>What it guarantees</h2>
<ul class="guarantees">
<li><b>Nothing is lost.</b> Every change is in one ordered feed for 30 days; webhooks carry the same events, and an export is exact at one point of the feed.</li>
<li><b>Nothing happens twice.</b> Retry a write with its <code>Idempotency-Key</code> until you get a response.</li>
<li><b>Personal data is protected.</b> Scopes for each kind of value, a daily budget, an audit log, and erasure that reaches your copies.</li>
<li><b>Errors tell you what to do.</b> A stable code, the cause, the remedy, and whether to retry.</li>
</ul>
<h2>Where to go</h2>
${cards(PARTS)}
<p class="small soft">You need a key: owners and admins of a workspace create it in the console. The API is at <code>${API_PREFIX}</code>; its <a href="${API_PREFIX}/openapi.json">OpenAPI description</a> and <a href="/llms.txt">llms.txt</a> need none.</p></div>`,
  })

/** What a person sees who opens the address of the service. The router also takes other targets, such as `*`, for `/`. */
export const homeRoutes = (services: Pick<Services, 'publicUrl'>): RawRoute[] => [
  {
    methods: ['GET', 'HEAD'],
    path: '/',
    handler: ({ request, response }) => {
      if (!/^\/(?:\?|$)/.test(request.url ?? '')) fail('not_found')
      sendPage(response, homePage(services.publicUrl), { cache: 'public' })
    },
  },
]
