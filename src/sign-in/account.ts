import { type HashSource, samePassword } from '../kernel/access/password.ts'
import { QueueFullError } from '../kernel/async/bounded-queue.ts'
import { UserError } from '../kernel/errors/user-error.ts'
import { network } from '../kernel/net/network.ts'
import type { Services } from '../kernel/services/services.ts'
import { timeInWords } from '../kernel/text/dates.ts'
import { type Html, html, type Part } from '../pages/html.ts'
import { page as framed, notice } from '../pages/page.ts'
import { APP_SCOPES, listConsents, revokeConsent, scopeInWords } from '../resources/connected-apps/index.ts'
import { type Factor, type Factors, readFactors } from '../resources/second-factors/index.ts'
import { setPassword } from '../resources/users/index.ts'
import { page, type ShownPage, type SignedInVisit } from './area.ts'
import { browserInWords, waitInWords } from './describe.ts'
import { waitHeader } from './enter.ts'
import { attempt, resetAttempts } from './limits.ts'
import { BUSY, csrfField } from './pages.ts'
import { FACTORS_PATH } from './second-factor/paths.ts'
import { endSession, listSessions, type UserSession, whoOf } from './sessions.ts'
import { type Method, membersById, type SessionRow } from './store.ts'

const passwordSource = ({ session, address }: SignedInVisit) => ({
  account: session.email,
  address,
  browser: session.id,
})

const faulty = async (
  { services, session }: SignedInVisit,
  status: number,
  text: string,
  retryAfter?: number,
): Promise<ShownPage> => ({
  show: await accountPage(services, session, text),
  status,
  headers: waitHeader(retryAfter),
})

/** The account page of a user: sessions, connected apps, password. */
export const accountPages = [
  page({
    path: '/account',
    session: 'needed',
    show: async ({ services, session }) => ({ show: await accountPage(services, session) }),
  }),
  page({
    path: '/account/sessions/end',
    session: 'needed',
    csrf: 'session',
    submit: async ({ services, session, form }) => {
      await endSession(services.db, session, form.get('session') ?? '')
      return { to: '/account' }
    },
  }),
  page({
    path: '/account/apps/revoke',
    session: 'needed',
    csrf: 'session',
    submit: async visit => {
      const { services, session, form } = visit
      try {
        await revokeConsent(services.db, session.workspaceId, form.get('consent') ?? '', { user: session.userId })
      } catch (error) {
        if (!(error instanceof UserError)) throw error
        return faulty(visit, 404, `Access was not revoked: ${error.message}.`)
      }
      return { to: '/account' }
    },
  }),
  page({
    path: '/account/password',
    session: 'needed',
    csrf: 'session',
    limit: attempt('password', passwordSource),
    refuse: (visit, { wait }) =>
      wait === 0
        ? undefined
        : faulty(visit as SignedInVisit, 429, `Too many attempts. Try again in ${waitInWords(wait)}.`, wait),
    submit: async visit => {
      const { services, session, form, address } = visit
      const hashSource = { from: network(address), known: true }
      try {
        if (!(await mayReplacePassword(services, session, form.get('current') ?? '', hashSource))) {
          return faulty(visit, 401, `The current password is wrong. ${FORGOTTEN}`)
        }
        await resetAttempts(services, 'password', passwordSource(visit))
        const opts = { keepSession: session.id, hashSource }
        await setPassword(services.db, services.passwords, whoOf(session), form.get('password') ?? '', opts)
      } catch (error) {
        if (error instanceof QueueFullError) return faulty(visit, 503, BUSY, error.retryAfterSeconds)
        if (error instanceof UserError) return faulty(visit, 400, `Not changed: ${error.message}.`)
        throw error
      }
      return { to: '/account' }
    },
  }),
]

/** How long after sign-in by an emailed link a user may set a password without the current one. */
export const LINK_PROVES_SECONDS = 1_800

const FORGOTTEN =
  'If you have no password or forgot it, sign out and sign in again with an emailed link. For 30 minutes after that you can set a new password without the current one.'

const cameByLink = ({ method, ageSeconds }: UserSession): boolean =>
  method === 'link' && ageSeconds <= LINK_PROVES_SECONDS

/** Needs the current password, so that someone else in an open session cannot lock the owner out. */
async function mayReplacePassword(
  { db, passwords }: Services,
  session: UserSession,
  current: string,
  hashSource: HashSource,
): Promise<boolean> {
  if (cameByLink(session)) return true
  const [[member], hash] = await Promise.all([
    db.query(membersById([session.userId])),
    passwords.hash(session.email, current, hashSource),
  ])
  return member !== undefined && samePassword(hash, member.password_hash)
}

async function accountPage(services: Services, session: UserSession, fault?: string): Promise<Html> {
  const [sessions, consents, factors] = await Promise.all([
    listSessions(services.db, session),
    listConsents(services.db, session.workspaceId, { user: session.userId }),
    readFactors(services.db, whoOf(session)),
  ])
  return framed({
    title: 'Your account',
    isTest: session.environment === 'test',
    body: html`<h1>Your account</h1>
<p>${session.name} · ${session.email} · ${session.role} of ${session.workspaceName}</p>
${fault && notice('bad', fault, { alert: true })}
<form class="actions" method="post" action="/sign-out">${csrfField(session.csrfToken)}<button class="button secondary" type="submit">Sign out</button></form>
<h2>Where you are signed in</h2>
<table><tbody>${sessions.map(row => sessionLine(row, session))}</tbody></table>
<h2>Second factor</h2>
<p>${factors.any ? html`<span class="tag good">On</span> ${factorsInWords(factors)}` : html`<span class="soft">Off. Anyone who knows your password or reads your email can sign in as you.</span>`}</p>
<p><a class="button secondary" href="${FACTORS_PATH}">${factors.any ? 'Change your second factor' : 'Set up a second factor'}</a></p>
<h2>Apps that act for you</h2>
${consents.length === 0 && html`<p class="soft">None.</p>`}
${consents.map(
  consent => html`<section><h3>${consent.app_name}</h3>
<ul class="small">${APP_SCOPES.filter(scope => consent.scopes.includes(scope)).map(scope => html`<li>${scopeInWords(scope)}</li>`)}</ul>
<form class="actions" method="post" action="/account/apps/revoke">${csrfField(session.csrfToken)}<input type="hidden" name="consent" value="${consent.id}"><button class="button small danger" type="submit">Revoke access</button></form></section>`,
)}
<h2>Password</h2>
<form method="post" action="/account/password">
  ${csrfField(session.csrfToken)}
  <input type="text" name="username" autocomplete="username" value="${session.email}" hidden>
  ${
    cameByLink(session)
      ? html`<p class="soft small">You signed in with an emailed link, so the current password is not needed.</p>`
      : html`<div class="field"><label for="current">Current password</label><input id="current" name="current" type="password" autocomplete="current-password" maxlength="400"></div>`
  }
  <div class="field"><label for="password">New password</label><input id="password" name="password" type="password" autocomplete="new-password" minlength="10" maxlength="400" required></div>
  <p class="soft small">This signs you out everywhere else, and connected apps ask you to sign in again.</p>
  <div class="actions"><button class="button" type="submit">Change password</button></div>
</form>`,
  })
}

const METHOD_WORDS: Readonly<Record<Method, string>> = {
  password: 'with the password',
  link: 'with an emailed link',
  passkey: 'with a passkey',
  company: 'through your company',
}
const FACTOR_WORDS: Readonly<Record<Factor, string>> = {
  totp: 'an authenticator app',
  recovery: 'a recovery code',
  passkey: 'a passkey',
}

const factorsInWords = ({ appSince, passkeys, recoveryCodes }: Factors): string =>
  [
    ...(appSince === null ? [] : ['an authenticator app']),
    ...(passkeys === 0 ? [] : [passkeys === 1 ? '1 passkey' : `${passkeys} passkeys`]),
    `${recoveryCodes} recovery codes left`,
  ].join(' · ')

function sessionLine(row: SessionRow, session: UserSession): Part {
  const end = html`<form method="post" action="/account/sessions/end">${csrfField(session.csrfToken)}<input type="hidden" name="session" value="${row.id}"><button class="button small secondary" type="submit">End</button></form>`
  const how = `${METHOD_WORDS[row.method]}${row.factor && row.method !== 'passkey' ? ` and ${FACTOR_WORDS[row.factor]}` : ''}`
  return html`<tr><td><strong>${browserInWords(row.user_agent)}</strong>${row.id === session.id && html` <span class="tag good">This browser</span>`}
<br><span class="soft small">${row.address} · signed in ${how} ${timeInWords(row.created_at)} · last used ${timeInWords(row.last_seen_at)}</span></td><td>${row.id !== session.id && end}</td></tr>`
}
