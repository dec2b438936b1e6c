import type Provider from 'oidc-provider'
import type { InteractionResults } from 'oidc-provider'
import { isScope, SCOPES } from '../../contract/scopes.ts'
import { hashToken } from '../../kernel/http/browser-session.ts'
import type { Services } from '../../kernel/services/services.ts'
import { shownName } from '../../kernel/text/names.ts'
import { type Html, html, type Part } from '../../pages/html.ts'
import { page as framed } from '../../pages/page.ts'
import { KEEPS_OPENER } from '../../pages/send.ts'
import { type AppRow, activeApp, giveConsent, grantable, scopeInWords } from '../../resources/connected-apps/index.ts'
import { page, type ShownPage, type SignInVisit } from '../area.ts'
import { csrfField, messagePage } from '../pages.ts'
import { signInAgain } from '../second-factor/paths.ts'
import { type UserSession, usable } from '../sessions.ts'
import { toFormTarget } from './form-targets.ts'
import { hasPlan, newGrant, readResource } from './grants.ts'
import { beganSince } from './store.ts'
import { forceForwarded } from './urls.ts'

/**
 * An interaction is between the authorization request of an app and its response. The provider redirects the browser
 * here with a prompt: `login` (a user must sign in) or `consent`. If a user is already signed in and need not
 * authenticate again, `login` is completed immediately. Otherwise the browser goes to the sign-in page and returns
 * here.
 */
export const interactionPages = (provider: () => Promise<Provider>) => [
  page({
    path: '/oauth/interaction/*',
    session: 'optional',
    csrf: 'session',
    show: async visit => {
      const found = await findInteraction(visit, await provider())
      if (!found) return EXPIRED
      const { services } = visit
      const { op, details, app, uid } = found
      const session = usable(visit.session)
      const here = `/oauth/interaction/${uid}`
      const signIn = `/sign-in?again=1&return_to=${encodeURIComponent(here)}`
      if (!session) return { to: `/sign-in?return_to=${encodeURIComponent(here)}`, headers: KEEPS_OPENER }
      if (session.workspaceId !== app.workspace_id)
        return { show: wrongWorkspacePage(app, session, signIn), headers: KEEPS_OPENER }
      if (details.prompt.name === 'login') {
        if (!(await isFresh(services, details.prompt.reasons, session, uid)))
          return { to: signInAgain(here, session), headers: KEEPS_OPENER }
        if (isHinted(details.params['id_token_hint'], session))
          return finish(op, visit, { login: { accountId: session.userId } })
        const description = 'another person than the one in id_token_hint signed in'
        return finish(op, visit, { error: 'login_required', error_description: description })
      }
      const asked = scopesOf(details.params)
      const can = grantable(asked, session, await hasPlan(services.db, app.workspace_id))
      return {
        show: consentPage({ app, session, asked, can, here, signIn }),
        formTargets: [toFormTarget(String(details.params['redirect_uri']))],
        headers: KEEPS_OPENER,
      }
    },
    submit: async visit => {
      const found = await findInteraction(visit, await provider())
      const session = usable(visit.session)
      if (!found || !session) return EXPIRED
      const { services, form } = visit
      const { op, details, app } = found
      if (session.workspaceId !== app.workspace_id || details.prompt.name !== 'consent') return EXPIRED
      if (form.get('decision') !== 'allow')
        return finish(op, visit, { error: 'access_denied', error_description: 'the user denied access' })
      const asked = scopesOf(details.params)
      const can = grantable(asked, session, await hasPlan(services.db, app.workspace_id))
      const user = session.userId
      await giveConsent(services.db, { workspace: app.workspace_id, app: app.id, user, scopes: can })
      const grant = await newGrant(op, { user, app: app.id, asked, can, resource: readResource(details.params) })
      return finish(op, visit, { consent: { grantId: grant.jti } })
    },
  }),
]

/** The provider responds. An error replaces what earlier prompts of the interaction had as their result. */
const finish = (op: Provider, { request, response }: SignInVisit, result: InteractionResults): ShownPage => ({
  write: () => op.interactionFinished(request, response, result, { mergeWithLastSubmission: !('error' in result) }),
})

const EXPIRED: ShownPage = {
  show: messagePage(
    'This request has expired',
    'It was completed already, or took too long. Go back to the app and try again.',
    { href: '/sign-in', label: 'Back to sign-in' },
  ),
  status: 410,
  headers: KEEPS_OPENER,
}

/** The interaction of this browser: the URL alone is not enough, its cookie must be present. */
async function findInteraction({ request, response, rest, services, address }: SignInVisit, op: Provider) {
  forceForwarded(request, services.publicUrl, address)
  const details = await op.interactionDetails(request, response).catch(async error => {
    const { errors } = await import('oidc-provider')
    if (error instanceof errors.SessionNotFound) return undefined
    throw error
  })
  if (!details || details.uid !== rest) return undefined
  const app = await activeApp(services.db, String(details.params['client_id']))
  return app && { op, details, app, uid: details.uid }
}

/**
 * An existing session is enough if the only reason is `no_session`. For all other reasons (a new authentication, a
 * particular user) the user must have signed in after this interaction began.
 */
async function isFresh(
  { db }: Services,
  reasons: readonly string[],
  session: UserSession,
  uid: string,
): Promise<boolean> {
  if (reasons.every(reason => reason === 'no_session')) return true
  return (await db.one(beganSince(session.id, hashToken(uid))))?.since === true
}

/** The provider has already verified the signature of the hint; this only reads its subject. */
function isHinted(hint: unknown, session: UserSession): boolean {
  if (typeof hint !== 'string') return true
  const claims = Buffer.from(hint.split('.')[1] ?? '', 'base64url').toString()
  return (JSON.parse(claims) as { sub?: unknown }).sub === session.userId
}

const scopesOf = (params: Record<string, unknown>): string[] =>
  String(params['scope'] ?? '')
    .split(' ')
    .filter(Boolean)

const wrongWorkspacePage = (app: AppRow, session: UserSession, signIn: string): Html =>
  messagePage(
    `${shownName(app.name, 'app') ?? 'The app'} is in another workspace`,
    `You are signed in to ${session.workspaceName} as ${session.email}. Sign in to the workspace that the app belongs to.`,
    { href: signIn, label: 'Sign in to that workspace' },
  )

interface ConsentParts {
  app: AppRow
  session: UserSession
  asked: readonly string[]
  can: readonly string[]
  here: string
  signIn: string
}

function consentPage({ app, session, asked, can, here, signIn }: ConsentParts): Html {
  // the name of the app was chosen by the user who registered it, and could mislead the user who decides
  const name = shownName(app.name, 'app') ?? `the app ${app.id}`
  const cannot = asked.filter(scope => !can.includes(scope))
  return framed({
    title: `Allow ${name}?`,
    isTest: session.environment === 'test',
    layout: 'card',
    body: html`<h1>Allow ${name}?</h1>
<p><strong>${name}</strong> wants to act for you in <strong>${session.workspaceName}</strong>. It would be able to:</p>
<ul>${can.map(scope => scopeLine(scope))}</ul>
${cannot.length > 0 && html`<p class="soft small">It also requested access that your role does not have, and will not get it: ${cannot.join(', ')}.</p>`}
<p class="soft small">You are signed in as ${session.name} (${session.email}). <a href="${signIn}">Use another account</a>. You can revoke access at any time in <a href="/account">your account</a>.</p>
<form method="post" action="${here}">
  ${csrfField(session.csrfToken)}
  <div class="actions">
    <button class="button" type="submit" name="decision" value="allow">Allow</button>
    <button class="button secondary" type="submit" name="decision" value="deny">Do not allow</button>
  </div>
</form>`,
  })
}

function scopeLine(scope: string): Part {
  const { personal, access } = isScope(scope) ? SCOPES[scope] : {}
  return html`<li>${scopeInWords(scope)}${personal && html` <strong class="tag warn">personal data</strong>`}${access === 'write' && html` <strong class="tag">changes data</strong>`}</li>`
}
