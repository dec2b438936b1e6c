import { type Html, html, type Part } from '../pages/html.ts'
import { notice, page } from '../pages/page.ts'
import { PASSKEY_SCRIPT, passkeyForm } from './second-factor/passkey-form.ts'
import type { MemberRow } from './store.ts'

const SENT =
  'If this email address belongs to a member, a link is on its way, or was sent in the last ten minutes. It works once and expires after 15 minutes.'

export const WRONG = 'The email address or the password is wrong.'

interface SignInParts {
  email?: string
  returnTo?: string | undefined
  fault?: string | undefined
  sent?: boolean
  /** a workspace of the installation uses the sign-in of its company */
  company?: boolean
  /** the person chose a password or a link instead of the company's sign-in */
  withAddress?: boolean
  /** the person has to authenticate again, at a company's provider, too */
  again?: boolean
  /** whether this service can use passkeys */
  passkeys: boolean
}

const back = (returnTo: string | undefined): Part =>
  returnTo && html`<input type="hidden" name="return_to" value="${returnTo}">`

export const csrfField = (token: string): Html => html`<input type="hidden" name="csrf" value="${token}">`

export const signInPage = ({
  email = '',
  returnTo,
  fault,
  sent,
  company,
  withAddress,
  again,
  passkeys,
}: SignInParts): Html =>
  page({
    title: 'Sign in',
    layout: 'card',
    scripts: passkeys ? [PASSKEY_SCRIPT] : [],
    body: html`<h1>Sign in</h1>
${fault && notice('bad', fault, { alert: true })}
${sent && notice('good', SENT, { alert: true })}
<form method="post" action="/sign-in">
  ${back(returnTo)}${withAddress && html`<input type="hidden" name="with" value="address">`}${again && html`<input type="hidden" name="again" value="1">`}
  <div class="field">
    <label for="email">Email address</label>
    <input id="email" name="email" type="email" autocomplete="username" required maxlength="254" value="${email}"${email === '' && html` autofocus`}>
  </div>
  <div class="field">
    <label for="password">Password</label>
    <input id="password" name="password" type="password" autocomplete="current-password" maxlength="400"${email !== '' && html` autofocus`}>
  </div>
  <div class="actions">
    <button class="button" type="submit">Sign in</button>
    <button class="button secondary" type="submit" formaction="/sign-in/link">Send me a link instead</button>
    ${company && html`<button class="button secondary" type="submit" formaction="/sign-in/company">Sign in with your company</button>`}
  </div>
</form>
${
  passkeys &&
  passkeyForm({
    kind: 'get',
    action: '/sign-in/passkey',
    options: '/sign-in/passkey/options',
    hidden: back(returnTo),
    label: 'Sign in with a passkey',
  })
}`,
  })

/** The page of an emailed link. Only its button signs in, so mail scanners that open links do not use them up. */
export const linkPage = (token: string, returnTo: string | undefined, members: readonly MemberRow[]): Html =>
  page({
    title: 'Sign in',
    layout: 'card',
    body: html`<h1>Sign in</h1>
<p>You are about to sign in as <strong>${members[0]?.email}</strong>.</p>
<form method="post" action="/sign-in/link/use">
  ${back(returnTo)}
  <input type="hidden" name="token" value="${token}">
  <div class="actions"><button class="button" type="submit" autofocus>Sign in</button></div>
</form>`,
  })

export const choicePage = (members: readonly MemberRow[], returnTo: string | undefined): Html =>
  page({
    title: 'Choose a workspace',
    layout: 'card',
    body: html`<h1>Choose a workspace</h1>
<p>Your email address belongs to more than one workspace.</p>
<form method="post" action="/sign-in/workspace">
  ${back(returnTo)}
  <div class="actions">${members.map(
    member =>
      html`<button class="button secondary" type="submit" name="workspace" value="${member.workspace_id}">${member.workspace_name} <span class="soft">${member.role}</span></button>`,
  )}</div>
</form>`,
  })

/** A page with one message and a link. */
export const messagePage = (title: string, text: Part, link = { href: '/sign-in', label: 'Sign in' }): Html =>
  page({
    title,
    layout: 'card',
    body: html`<h1>${title}</h1><p>${text}</p><div class="actions"><a class="button" href="${link.href}">${link.label}</a></div>`,
  })

export const tooManyPage = (text: string): Html =>
  messagePage('Too many requests', text, { href: '/sign-in', label: 'Back to sign-in' })

export const BUSY =
  'Too many people are signing in right now. Your password was not checked. Try again in a few seconds.'
