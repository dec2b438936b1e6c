import { join } from 'node:path'
import type { Credential } from '../../packages/sdk/src/generated.ts'
import { timeInWords } from '../kernel/text/dates.ts'
import { asset } from '../pages/assets.ts'
import { type Html, html, type Part } from '../pages/html.ts'
import { notice, page } from '../pages/page.ts'
import { csrfField } from '../sign-in/pages.ts'
import type { PartnerSession } from './sessions.ts'

const STYLES = [asset(join(import.meta.dirname, 'assets', 'partner.css'))]

export const TEST_WORKSPACES_PATH = '/partner/test-workspaces'

/** The pages, in the order of the navigation. */
const PAGES = [
  { path: '/partner', title: 'Usage' },
  { path: '/partner/requests', title: 'Requests' },
  { path: '/partner/webhooks', title: 'Webhooks' },
  { path: '/partner/audit', title: 'Audit' },
  { path: '/partner/access', title: 'Access' },
  { path: TEST_WORKSPACES_PATH, title: 'Test workspaces' },
] as const

export interface PartnerPage {
  path: (typeof PAGES)[number]['path']
  title: string
  description: string
  body: Part
  me: Credential
  session: PartnerSession
  /** whether the key may create test workspaces here */
  offersTests: boolean
  /** the workspace that is shown; empty for a key that has only one */
  workspace: string
  done?: string | undefined
  fault?: string | undefined
}

export const partnerPage = (p: PartnerPage): Html =>
  page({
    title: p.title,
    isTest: p.session.authenticated.caller.workspaceEnvironment === 'test',
    layout: 'bare',
    styles: STYLES,
    nav: html`<a class="top-link" href="/docs">Documentation</a>`,
    body: html`<div class="partner">
<div class="partner-head">
<p class="partner-key"><strong>${p.me.name}</strong> <span class="tag">${p.me.environment}</span> <code>${p.me.id}</code></p>
<form method="post" action="/partner/sign-out">${csrfField(p.session.csrfToken)}<button class="button secondary small" type="submit">Sign out</button></form>
</div>
<nav class="tabs" aria-label="Partner's page"><ul>${PAGES.filter(
      ({ path }) => path !== TEST_WORKSPACES_PATH || p.offersTests,
    ).map(
      ({ path, title }) =>
        html`<li><a href="${path}${p.workspace !== '' && `?workspace_id=${p.workspace}`}"${path === p.path && html` aria-current="page"`}>${title}</a></li>`,
    )}</ul></nav>
<main id="content" tabindex="-1">
<h1>${p.title}</h1>
<p class="soft">${p.description}</p>
${p.fault && notice('bad', p.fault, { alert: true })}
${p.done && notice('good', p.done, { alert: true })}
${p.body}
</main>
<p class="soft small partner-foot">This session ends ${timeInWords(p.session.endsAt)}, or as soon as the key is rotated, revoked or expires. Pages cost nothing; actions count as calls of the key. Personal values are not shown here.</p>
</div>`,
  })

export const keySignInPage = (opts: { fault?: string; ended?: boolean } = {}): Html =>
  page({
    title: 'Sign in with an API key',
    layout: 'card',
    description: 'Usage, limits, webhook deliveries, audit rows and access of an API key.',
    body: html`<h1>Sign in with an API key</h1>
<p class="soft">See the usage and limits of your key, its webhook deliveries, its audit rows and what it can read.</p>
${opts.fault && notice('bad', opts.fault, { alert: true })}
${opts.ended && notice('info', 'Your session has ended. Sign in again.', { alert: true })}
<form method="post" action="/partner/sign-in" autocomplete="off">
  <div class="field">
    <label for="key">API key</label>
    <input id="key" name="key" type="password" autocomplete="off" spellcheck="false" autocapitalize="off" required maxlength="200" autofocus aria-describedby="key-hint">
    <p class="hint" id="key-hint">It starts with <code>svc_live_</code> or <code>svc_test_</code>. It is not stored, and the session ends after an hour.</p>
  </div>
  <div class="actions"><button class="button" type="submit">Sign in</button></div>
</form>
<p class="small soft">Members of a workspace use the <a href="/console">console</a>. No key yet? The workspace creates it for you.</p>`,
  })

const number = new Intl.NumberFormat('en')

export const count = (value: number): string => number.format(value)

const WARN_AT = 0.8

/** A value against its limit: as text, and as a bar. */
export function meter(name: string, used: number, limit: number | null, note?: Part): Html {
  const share = limit === null ? 0 : Math.min(1, used / Math.max(1, limit))
  const tone = share >= 1 ? 'bad' : share >= WARN_AT ? 'warn' : 'accent'
  return html`<div class="meter">
<p><span>${name}</span> <span><strong>${count(used)}</strong> ${limit === null ? 'unlimited' : `of ${count(limit)}`}</span></p>
<svg class="bar ${tone}" viewBox="0 0 100 2" preserveAspectRatio="none" aria-hidden="true"><rect class="rest" width="100" height="2"/><rect class="used" width="${(share * 100).toFixed(1)}" height="2"/></svg>
${note && html`<p class="soft small">${note}</p>`}
</div>`
}
