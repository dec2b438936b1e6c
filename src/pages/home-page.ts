import { API_PREFIX } from '../contract/version.ts'
import { fail } from '../kernel/errors/api-error.ts'
import type { RawRoute } from '../kernel/http/route-table.ts'
import { html } from './html.ts'
import { PRODUCT, page } from './page.ts'
import { sendPage } from './send.ts'

const PARTS: readonly { href: string; name: string; text: string }[] = [
  { href: '/docs/guides/first-call', name: 'First call', text: 'Go from zero to reading a record and its event.' },
  { href: '/docs', name: 'Documentation', text: 'Guides, every endpoint, error and event, and webhook receivers.' },
  {
    href: '/console',
    name: 'Console',
    text: 'Keys, webhooks, the event feed, audit log, erasures, people and settings.',
  },
  {
    href: '/partner',
    name: 'Partner’s page',
    text: 'Sign in with an API key: usage, limits, deliveries, audit rows and access.',
  },
  { href: '/account', name: 'Your account', text: 'Your password, your sessions, and the apps that act for you.' },
]

const HOME = page({
  title: PRODUCT,
  description: 'A self-hosted partner API for hiring products.',
  body: html`<h1>${PRODUCT}</h1>
<p class="lead">A JSON API for the jobs, applications and candidates of a hiring workspace, with an ordered change feed and signed webhooks.</p>
<ul class="cards">${PARTS.map(({ href, name, text }) => html`<li><a href="${href}"><strong>${name}</strong>${text}</a></li>`)}</ul>
<p class="small soft">The API is at <code>${API_PREFIX}</code>. Its <a href="${API_PREFIX}/openapi.json">OpenAPI description</a> needs no key.</p>`,
})

/** What a person sees who opens the address of the service. The router also takes other targets, such as `*`, for `/`. */
export const homeRoutes = (): RawRoute[] => [
  {
    methods: ['GET', 'HEAD'],
    path: '/',
    handler: ({ request, response }) => {
      if (!/^\/(?:\?|$)/.test(request.url ?? '')) fail('not_found')
      sendPage(response, HOME, { cache: 'public' })
    },
  },
]
