import { type Html, html } from '../../pages/html.ts'
import { notice, page } from '../../pages/page.ts'
import { type CompanySignInRow, FAILURES, type SignInFailure } from '../../resources/company-sign-in/index.ts'
import { messagePage } from '../pages.ts'
import type { UserSession } from '../sessions.ts'
import { startPath } from './paths.ts'
import type { Prompt } from './provider.ts'

const withReturn = (path: string, params: Readonly<Record<string, string | undefined>>): string => {
  const query = new URLSearchParams(Object.entries(params).filter((entry): entry is [string, string] => !!entry[1]))
  return query.size === 0 ? path : `${path}?${query}`
}

const hostOf = (row: Pick<CompanySignInRow, 'issuer'>): string => new URL(row.issuer).host

const startForm = (
  row: Pick<CompanySignInRow, 'workspace_id'>,
  fields: Readonly<Record<string, string | undefined>>,
  label: string,
): Html => html`<form method="post" action="${startPath(row.workspace_id)}">
  ${Object.entries(fields).map(([name, value]) => value && html`<input type="hidden" name="${name}" value="${value}">`)}
  <div class="actions"><button class="button" type="submit">${label}</button></div>
</form>`

const promptFields = (prompt: Prompt | undefined): Readonly<Record<string, string>> =>
  prompt === undefined ? {} : prompt === 'login' ? { again: '1' } : { choose: '1' }

/** Where a link to the company's sign-in leads. It says whose session the browser has, because the sign-in ends it. */
export const startPage = (
  row: Pick<CompanySignInRow, 'workspace_id' | 'workspace_name' | 'issuer'>,
  opts: {
    returnTo: string | undefined
    prompt: Prompt | undefined
    session: Pick<UserSession, 'email' | 'workspaceName'> | undefined
  },
): Html =>
  page({
    title: 'Sign in with your company',
    layout: 'card',
    body: html`<h1>Sign in with your company</h1>
<p>You are about to sign in to <strong>${row.workspace_name}</strong> through <strong>${hostOf(row)}</strong>.</p>
${
  opts.session &&
  notice(
    'warn',
    html`This browser is signed in to <strong>${opts.session.workspaceName}</strong> as <strong>${opts.session.email}</strong>. Continue only if you want to end that session.`,
  )
}
${startForm(row, { return_to: opts.returnTo, ...promptFields(opts.prompt) }, `Sign in to ${row.workspace_name} through ${hostOf(row)}`)}`,
  })

/** Between the form and the provider, for browsers that do not follow `Refresh`. */
export const exitPage = (row: Pick<CompanySignInRow, 'issuer'>, url: string): Html =>
  messagePage('Sign in with your company', 'You are being sent to the sign-in of your company.', {
    href: url,
    label: `Continue to ${hostOf(row)}`,
  })

/** Between the sign-out here and at the provider. */
export const signingOutPage = (url: string): Html =>
  messagePage(
    'You are signed out',
    'You are signed out here. You are being sent to your company, to sign out there as well.',
    {
      href: url,
      label: `Continue to ${new URL(url).host}`,
    },
  )

/** For every address of the domain the same, so it does not reveal who is a member. */
export const companyPage = (
  row: Pick<CompanySignInRow, 'workspace_id' | 'workspace_name' | 'issuer' | 'enforced'>,
  opts: { hint: string; returnTo: string | undefined; again: boolean },
): Html =>
  page({
    title: 'Sign in with your company',
    layout: 'card',
    body: html`<h1>Sign in with your company</h1>
<p>People with your email domain sign in to <strong>${row.workspace_name}</strong> at <strong>${hostOf(row)}</strong>.</p>
${startForm(row, { hint: opts.hint, return_to: opts.returnTo, again: opts.again ? '1' : undefined }, `Continue to ${hostOf(row)}`)}
<p class="soft small">${
      row.enforced
        ? 'Owners, and members of other workspaces, can also '
        : 'If you have no account there, or belong to another workspace, you can '
    }<a href="${withReturn('/sign-in', { with: 'address', return_to: opts.returnTo })}">use a password or an emailed link</a>.</p>`,
  })

export const NOT_SET_UP = messagePage(
  'Company sign-in is not set up here',
  'This workspace does not use the sign-in of a company, or the link is wrong. Sign in with your email address.',
)

/** Why the person was not signed in, and what to do. */
export const buildFailurePage = (
  row: Pick<CompanySignInRow, 'workspace_id' | 'workspace_name'> | undefined,
  failure: SignInFailure,
): Html =>
  page({
    title: 'You were not signed in',
    layout: 'card',
    body: html`<h1>You were not signed in</h1>
<p>${FAILURES[failure.code].person}</p>
${row && startForm(row, { choose: '1' }, 'Try again')}
<p><a href="/sign-in?with=address">Sign in another way</a></p>
<p class="soft small">Code for your workspace’s owner: <code>${failure.code}</code>${row && html` in ${row.workspace_name}`}</p>`,
  })

/** What a test shows: what the provider sent, and what would have happened. */
export const testPage = (
  result: { outcome: string; good: boolean },
  claims: Readonly<Record<string, unknown>> | undefined,
): Html =>
  page({
    title: 'Test of company sign-in',
    body: html`<h1>Test of company sign-in</h1>
${notice(result.good ? 'good' : 'bad', result.outcome, { alert: true })}
<p>Nothing was changed, and no one was signed in. The claims below are not stored.</p>
${
  claims &&
  html`<h2>Claims that your provider sent</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Claims"><table><thead><tr><th scope="col">Claim</th><th scope="col">Value</th></tr></thead><tbody>${Object.entries(
    claims,
  ).map(
    ([name, value]) =>
      html`<tr><th scope="row"><code>${name}</code></th><td><code>${typeof value === 'string' ? value : JSON.stringify(value)}</code></td></tr>`,
  )}</tbody></table></div>`
}
<div class="actions"><a class="button" href="/console/company-sign-in">Back to the settings</a></div>`,
  })
