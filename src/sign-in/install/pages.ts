import { receivableTypes } from '../../contract/events.ts'
import { SCOPES, type Scope } from '../../contract/scopes.ts'
import { sha256 } from '../../kernel/crypto/signing.ts'
import { shownName } from '../../kernel/text/names.ts'
import { type Html, html, type Part } from '../../pages/html.ts'
import { notice, page } from '../../pages/page.ts'
import type { InstallableApp, InstallationRow } from '../../resources/installations/index.ts'
import { csrfField, messagePage } from '../pages.ts'
import type { UserSession } from '../sessions.ts'
import { INSTALL_PATH, type InstallRequest } from './request.ts'

/** The name of an app was chosen by its publisher, and could mislead the person who decides. */
export const appName = (app: Pick<InstallableApp, 'name' | 'id'>): string =>
  shownName(app.name, 'app') ?? `the app ${app.id}`

export const faultyPage = (fault: string): Html =>
  page({
    title: 'The app cannot be installed',
    layout: 'card',
    body: html`<h1>The app cannot be installed</h1>
<p>The link that you opened is not a valid install link. Go back to the app and try again.</p>
<p class="soft small">Details for the developer of the app: ${fault}.</p>`,
  })

export const refusedPage = (app: InstallableApp, session: UserSession, reason: string): Html =>
  messagePage(`${appName(app)} cannot be installed in ${session.workspaceName}`, `The reason: ${reason}.`, {
    href: '/account',
    label: 'Your account',
  })

export const wrongWorkspacePage = (app: InstallableApp, session: UserSession, signIn: string): Html =>
  messagePage(
    'This link is for another workspace',
    `You are signed in to ${session.workspaceName} as ${session.email}. The link to install ${appName(app)} names another workspace. Sign in to that workspace to continue.`,
    { href: signIn, label: 'Sign in to another workspace' },
  )

/** For members who may not install apps: there is nothing to send, only a link that others can open. */
export const askPage = (app: InstallableApp, session: UserSession, reason: string, link: string): Html =>
  page({
    title: 'Ask an owner or admin',
    isTest: session.environment === 'test',
    layout: 'card',
    body: html`<h1>Ask an owner or admin</h1>
<p>You cannot install <strong>${appName(app)}</strong> in <strong>${session.workspaceName}</strong>: ${reason}.</p>
<p>Send this link to someone who can. Nothing was installed, and the app does not know that you opened it.</p>
<div class="field">
  <label for="link">Install link</label>
  <input id="link" type="text" readonly value="${link}">
</div>
<p class="soft small">The app may have to start again for the other person. If the link does not work, ask them to begin in the app.</p>
<div class="actions"><a class="button secondary" href="/account">Your account</a></div>`,
  })

export interface ConsentParts {
  request: InstallRequest
  session: UserSession
  required: readonly Scope[]
  optional: readonly Scope[]
  /** asked for, and not part of the plan */
  unpaid: readonly Scope[]
  /** what the workspace granted before; undefined: it is not installed */
  installed: InstallationRow | undefined
  budget: { proposed: number; most: number }
  /** the path of the logo of the workspace, which people recognize before its name */
  logo: string | undefined
  /** where the app gets events of such workspaces */
  webhook: { url: string | null; event_types: readonly string[] } | undefined
  signIn: string
}

/** Names what the page shows of the app and its wishes, so that the form is a consent to nothing else. */
export function digestAsked({
  request: { app },
  required,
  optional,
  webhook,
}: Pick<ConsentParts, 'request' | 'required' | 'optional' | 'webhook'>): string {
  const wishes = [required, optional, webhook?.url ?? null, webhook?.event_types ?? []]
  return sha256(JSON.stringify([app.name, app.publisher, app.domains, wishes])).toString('base64url')
}

export function consentPage(parts: ConsentParts): Html {
  const { request, session, installed } = parts
  const name = appName(request.app)
  const title = installed ? `Review access of ${name}` : `Install ${name}?`
  const host = new URL(request.redirectUri).host
  return page({
    title,
    isTest: session.environment === 'test',
    layout: 'card',
    body: html`<h1>${title}</h1>
<dl class="pairs">
  <dt>Workspace</dt><dd>${parts.logo && html`<img src="${parts.logo}" alt="" height="32"> `}<strong>${session.workspaceName}</strong> <span class="soft small">${session.workspaceId}</span></dd>
  <dt>App</dt><dd>${name}</dd>
  <dt>Publisher</dt><dd>${shownName(request.app.publisher, 'app') ?? 'unknown'}</dd>
  <dt>Domain</dt><dd>${request.app.domains.join(', ')}</dd>
  <dt>You continue at</dt><dd><strong>${host}</strong></dd>
</dl>
${request.app.review_status !== 'approved' && notice('warn', 'The operator of this service has not approved the app. It can be installed in its own workspace and in test workspaces only.')}
<form method="post" action="${INSTALL_PATH}">
  ${csrfField(session.csrfToken)}
  <input type="hidden" name="workspace" value="${session.workspaceId}">
  <input type="hidden" name="asks_for" value="${digestAsked(parts)}">
  ${[...request.params].map(([field, value]) => html`<input type="hidden" name="${field}" value="${value}">`)}
  ${scopeParts(parts)}
  ${budgetPart(parts)}
  ${webhookPart(parts)}
  ${offersPackages(parts) && html`<p>It can offer tests and checks, which your team can order for candidates immediately. It reads what each of them says that it shares, such as name and email address, while the order is open.</p>`}
  <p class="soft small">The app gets a key and a user of its own. It keeps working after you leave the workspace. Owners and admins can suspend or uninstall it in the console at any time.</p>
  <p class="soft small">You are signed in as ${session.name} (${session.email}). <a href="${parts.signIn}">Use another account</a>.</p>
  <div class="actions">
    <button class="button" type="submit" name="decision" value="allow">${installed ? 'Allow' : 'Install'}</button>
    <button class="button secondary" type="submit" name="decision" value="deny">Do not allow</button>
  </div>
</form>`,
  })
}

const offersPackages = ({ required, optional }: ConsentParts): boolean =>
  [...required, ...optional].includes('orders:fulfill')

function scopeParts({ required, optional, unpaid, installed }: ConsentParts): Part {
  const isNew = (scope: Scope) => installed !== undefined && !installed.scopes.includes(scope)
  return html`<fieldset class="choices">
  <legend>It will be able to</legend>
  <ul>${required.map(scope => html`<li>${scopeWords(scope, isNew(scope))}</li>`)}</ul>
</fieldset>
${
  optional.length > 0 &&
  html`<fieldset class="choices">
  <legend>It also asks for this. Untick what it does not need.</legend>
  ${optional.map(
    scope =>
      html`<label class="check"><input type="checkbox" name="optional" value="${scope}" checked> <span>${scopeWords(scope, isNew(scope))}</span></label>`,
  )}
</fieldset>`
}
${unpaid.length > 0 && html`<p class="soft small">Your plan does not include this, and the app will not get it: ${unpaid.join(', ')}.</p>`}`
}

/** Types of events that no scope lets it read are not sent. */
function webhookPart({ webhook, required, optional }: ConsentParts): Part {
  const readable: readonly string[] = receivableTypes(new Set([...required, ...optional]))
  const types = webhook?.event_types.filter(type => readable.includes(type)) ?? []
  if (types.length === 0 || !webhook?.url) return null
  return html`<p>It is sent these events at <strong>${new URL(webhook.url).host}</strong>: ${types.join(', ')}. They name records and have no personal data.</p>`
}

const number = new Intl.NumberFormat('en')

const scopeWords = (scope: Scope, isNew: boolean): Part => {
  const { description, personal, access } = SCOPES[scope]
  return html`${description}${personal && html` <strong class="tag warn">personal data</strong>`}${access === 'write' && html` <strong class="tag">changes data</strong>`}${isNew && html` <strong class="tag">new</strong>`}`
}

/** Only for an app that reads values which are counted. */
function budgetPart({ required, optional, budget }: ConsentParts): Part {
  const isMetered = [...required, ...optional].some(scope => SCOPES[scope].metered)
  if (!isMetered) return html`<input type="hidden" name="budget" value="${String(budget.proposed)}">`
  return html`<div class="field">
    <label for="budget">Personal values a day</label>
    <input id="budget" name="budget" type="number" inputmode="numeric" min="0" max="${String(budget.most)}" step="1" required value="${String(budget.proposed)}" aria-describedby="budget-hint">
    <p id="budget-hint" class="hint">Email addresses, phone numbers, résumé texts and files that the app can read each day. At most ${number.format(budget.most)}.</p>
  </div>`
}
