import { type Html, html } from '../../pages/html.ts'
import { notice, page } from '../../pages/page.ts'
import { type CompanySignInRow, FAILURES, type SignInFailure } from '../../resources/company-sign-in/index.ts'
import { messagePage } from '../pages.ts'
import { startPath } from './flow.ts'

const withReturn = (path: string, params: Readonly<Record<string, string | undefined>>): string => {
  const query = new URLSearchParams(Object.entries(params).filter((entry): entry is [string, string] => !!entry[1]))
  return query.size === 0 ? path : `${path}?${query}`
}

/** For every address of the domain the same, so it does not reveal who is a member. */
export const companyPage = (
  row: Pick<CompanySignInRow, 'workspace_id' | 'workspace_name' | 'issuer' | 'enforced'>,
  opts: { hint: string; returnTo: string | undefined },
): Html =>
  page({
    title: 'Sign in with your company',
    layout: 'card',
    body: html`<h1>Sign in with your company</h1>
<p>People with your email domain sign in to <strong>${row.workspace_name}</strong> at <strong>${new URL(row.issuer).host}</strong>.</p>
<div class="actions"><a class="button" href="${withReturn(startPath(row.workspace_id), { hint: opts.hint, return_to: opts.returnTo })}">Continue to ${new URL(row.issuer).host}</a></div>
<p class="soft small">${
      row.enforced
        ? 'Owners, and members of other workspaces, can also '
        : 'If you have no account there, or belong to another workspace, you can '
    }<a href="${withReturn('/sign-in', { with: 'address', return_to: opts.returnTo })}">use a password or an emailed link</a>.</p>`,
  })

export const NOT_SET_UP = messagePage(
  'Company sign-in is not set up here',
  'This workspace does not use the sign-in of a company, or the link is wrong. Sign in with your email address.',
  { href: '/sign-in', label: 'Sign in' },
)

/** Why the person was not signed in, and what to do. */
export const failurePageOf = (
  row: Pick<CompanySignInRow, 'workspace_id' | 'workspace_name'> | undefined,
  failure: SignInFailure,
): Html =>
  page({
    title: 'You were not signed in',
    layout: 'card',
    body: html`<h1>You were not signed in</h1>
<p>${FAILURES[failure.code].person}</p>
<div class="actions">${row && html`<a class="button" href="${startPath(row.workspace_id)}?again=1">Try again</a>`}<a class="button secondary" href="/sign-in?with=address">Sign in another way</a></div>
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
