import { timeInWords } from '../../kernel/text/dates.ts'
import { type Html, html, type Part } from '../../pages/html.ts'
import { notice, page } from '../../pages/page.ts'
import {
  base32,
  type ChangeRow,
  type Factors,
  type PasskeyRow,
  RECOVERY_CODES,
  SIGN_IN_CHANGES,
} from '../../resources/second-factors/index.ts'
import { csrfField } from '../pages.ts'
import type { UserSession } from '../sessions.ts'
import { PASSKEY_SCRIPT, passkeyForm } from './passkey-form.ts'
import { confirmPath, enrolPath, FACTORS_PATH } from './paths.ts'
import { qrCode } from './qr-code.ts'

/** Where the reader goes afterwards. */
const back = (returnTo: string | undefined): Part =>
  returnTo && html`<input type="hidden" name="return_to" value="${returnTo}">`

interface CodeParts {
  /** where the forms are sent */
  action: string
  title: string
  intro: Part
  factors: Factors
  /** whether this service can use passkeys at all */
  passkeys: boolean
  returnTo: string | undefined
  csrf?: string
  fault?: string | undefined
}

/** Asks for a second factor: after the first at a sign-in, or to confirm who uses an open session. */
export const codePage = ({ action, title, intro, factors, passkeys, returnTo, csrf, fault }: CodeParts): Html => {
  const hidden = html`${csrf && csrfField(csrf)}${back(returnTo)}`
  const recovery = html`<form method="post" action="${action}">
  ${hidden}
  <div class="field">
    <label for="recovery">Recovery code</label>
    <input id="recovery" name="code" autocomplete="off" autocapitalize="none" spellcheck="false" required maxlength="40">
    <p class="hint">Each code works once. You have ${factors.recoveryCodes} left.</p>
  </div>
  <div class="actions"><button class="button" type="submit">Use this code</button></div>
</form>`
  return page({
    title,
    layout: 'card',
    scripts: [PASSKEY_SCRIPT],
    body: html`<h1>${title}</h1>
<p>${intro}</p>
${fault && notice('bad', fault, { alert: true })}
${
  passkeys &&
  factors.passkeys > 0 &&
  passkeyForm({
    kind: 'get',
    action: `${action}/passkey`,
    options: `${action}/options`,
    hidden,
    label: 'Use a passkey',
    button: factors.appSince === null ? '' : 'secondary',
  })
}
${
  factors.appSince !== null &&
  html`<form method="post" action="${action}">
  ${hidden}
  <div class="field">
    <label for="code">Code from your authenticator app</label>
    <input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" required maxlength="12" autofocus>
  </div>
  <div class="actions"><button class="button" type="submit">Continue</button></div>
</form>`
}
<details class="other-way"><summary>Use a recovery code</summary>${recovery}</details>
<p class="soft small">Lost your device and your recovery codes? An owner of your workspace can remove your second factor in the console, under People.</p>`,
  })
}

interface FactorsParts {
  session: UserSession
  factors: Factors
  passkeys: readonly PasskeyRow[]
  newPasskey: 'possible' | 'unconfirmed' | 'impossible'
  changes: readonly ChangeRow[]
  /** the names of those who made the changes, by handle */
  names: ReadonlyMap<string, string>
  returnTo: string | undefined
  fault?: string | undefined
}

export function factorsPage(parts: FactorsParts): Html {
  const { session, factors, passkeys, newPasskey, changes, names, returnTo, fault } = parts
  const { csrfToken, mustEnrol } = session
  const button = (path: string, label: string, kind = 'secondary') =>
    html`<form class="actions" method="post" action="${FACTORS_PATH}${path}">${csrfField(csrfToken)}${back(returnTo)}<button class="button ${kind}" type="submit">${label}</button></form>`
  return page({
    title: 'Second factor',
    scripts: [PASSKEY_SCRIPT],
    body: html`<h1>Second factor</h1>
<p>${session.name} · ${session.email} · ${session.workspaceName}</p>
${mustEnrol && !factors.any && notice('warn', 'Your workspace requires a second factor. Set one up to continue.', { alert: true })}
${
  mustEnrol &&
  factors.any &&
  html`${notice('warn', 'Your workspace requires a second factor, and you removed the one that you signed in with. Confirm that it is you with another one to continue.', { alert: true })}
<p><a class="button" href="${confirmPath(returnTo ?? '/account')}">Confirm that it is you</a></p>`
}
${fault && notice('bad', fault, { alert: true })}
<p>With a second factor, someone who knows your password or reads your email cannot sign in as you.</p>
<h2>Authenticator app</h2>
${
  factors.appSince === null
    ? html`<p class="soft">Not set up. An app on your phone, or a password manager, shows a new code every 30 seconds.</p>
${button('/app', 'Set up an authenticator app', mustEnrol ? '' : 'secondary')}`
    : html`<p><span class="tag good">On</span> since ${timeInWords(factors.appSince)}</p>
${button('/app/remove', 'Remove the app', 'danger')}`
}
<h2>Passkeys</h2>
<p class="soft">A passkey is in your phone, computer, password manager or security key, which asks for your fingerprint, face or PIN. It is a second factor, and also signs you in by itself. No one can trick you into giving it away.</p>
${passkeys.length > 0 && html`<table><tbody>${passkeys.map(passkey => passkeyLine(passkey, csrfToken))}</tbody></table>`}
${
  newPasskey === 'possible' &&
  passkeyForm({
    kind: 'create',
    action: `${FACTORS_PATH}/passkeys`,
    options: `${FACTORS_PATH}/passkeys/options`,
    hidden: html`${csrfField(csrfToken)}${back(returnTo)}`,
    fields: html`<div class="field"><label for="name">Name of the new passkey</label><input id="name" name="name" maxlength="60" autocomplete="off" placeholder="Such as: work laptop"></div>`,
    label: 'Add a passkey',
  })
}
${newPasskey === 'unconfirmed' && html`<p><a class="button secondary" href="${confirmPath(enrolPath(returnTo))}">Confirm that it is you to add a passkey</a></p>`}
${newPasskey === 'impossible' && html`<p class="soft small">This service cannot use passkeys, because its address is an IP address or has no TLS.</p>`}
${
  factors.any &&
  html`<h2>Recovery codes</h2>
<p>${factors.recoveryCodes} of ${RECOVERY_CODES} codes are left. With one of them you can sign in without your device.</p>
${factors.recoveryCodes <= 2 && notice('warn', 'Create new codes before you run out of them.')}
${button('/codes', 'Create new recovery codes')}
<p class="soft small">The codes that you have now stop working.</p>`
}
${
  changes.length > 0 &&
  html`<h2>Recent changes</h2>
<table><tbody>${changes.map(
    ({ change, at, by_user: by }) =>
      html`<tr><td>${SIGN_IN_CHANGES[change]}</td><td class="soft small">${timeInWords(at)}, by ${by === null ? 'the operator of this installation' : by === session.userId ? 'you' : (names.get(by) ?? by)}</td></tr>`,
  )}</tbody></table>`
}
${
  mustEnrol
    ? html`<form class="actions" method="post" action="/sign-out">${csrfField(csrfToken)}<button class="button secondary" type="submit">Sign out</button></form>`
    : html`<p><a href="/account">Back to your account</a></p>`
}`,
  })
}

const passkeyLine = ({ id, name, backed_up, created_at, last_used_at }: PasskeyRow, csrf: string): Html =>
  html`<tr><td><strong>${name}</strong>
<br><span class="soft small">added ${timeInWords(created_at)} · ${last_used_at === null ? 'never used' : `last used ${timeInWords(last_used_at)}`} · ${backed_up ? 'synced between your devices' : 'on one device only'}</span></td>
<td><form method="post" action="${FACTORS_PATH}/passkeys/remove">${csrfField(csrf)}<input type="hidden" name="passkey" value="${id}"><button class="button small danger" type="submit" aria-label="Remove the passkey ${name}">Remove</button></form></td></tr>`

/** Groups of four are easier to type. */
const grouped = (text: string): string => (text.match(/.{1,4}/g) ?? []).join(' ')

export const setUpAppPage = (
  session: UserSession,
  setup: { secret: Buffer; address: string; returnTo: string | undefined; fault?: string },
): Html =>
  page({
    title: 'Set up an authenticator app',
    layout: 'card',
    body: html`<h1>Set up an authenticator app</h1>
${setup.fault && notice('bad', setup.fault, { alert: true })}
<ol>
<li>Scan this code with the app.
<div class="qr-frame">${qrCode(setup.address, 'QR code for your authenticator app. The secret below is the same as text.')}</div>
<p class="small">Or type this secret: <code>${grouped(base32(setup.secret))}</code></p></li>
<li>Enter the code that the app shows.</li>
</ol>
<form method="post" action="${FACTORS_PATH}/app/confirm">
  ${csrfField(session.csrfToken)}${back(setup.returnTo)}
  <div class="field"><label for="code">Code with 6 digits</label><input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" required maxlength="12" autofocus></div>
  <div class="actions"><button class="button" type="submit">Turn on</button><a class="button secondary" href="${FACTORS_PATH}">Cancel</a></div>
</form>`,
  })

/** Shows recovery codes, which no other page does. */
export const recoveryCodesPage = (codes: readonly string[], next: string): Html =>
  page({
    title: 'Recovery codes',
    layout: 'card',
    body: html`<h1>Your recovery codes</h1>
<p>Store these codes where you can find them without your device, such as a password manager. Each works once, and signs you in if you lose your second factor.</p>
${notice('warn', 'They are not shown again.')}
<pre class="codes" tabindex="0">${codes.join('\n')}</pre>
<div class="actions"><a class="button" href="${next}">I stored the codes</a></div>`,
  })
