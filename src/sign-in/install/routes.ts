import type { Services } from '../../kernel/services/services.ts'
import { selectSite, sitePathOf } from '../../resources/careers/index.ts'
import {
  appRefusal,
  DEFAULT_BUDGET,
  installerRefusal,
  issueCode,
  isUnpaid,
  knownScopes,
  planBudget,
  readAppWebhooks,
  readInstalled,
  readInstaller,
} from '../../resources/installations/index.ts'
import { page, type ShownPage } from '../area.ts'
import { countAttemptOf } from '../limits.ts'
import { toFormTarget } from '../oidc/form-targets.ts'
import { provedLately } from '../second-factor/confirm.ts'
import { confirmPath, signInAgain } from '../second-factor/paths.ts'
import { type UserSession, usable } from '../sessions.ts'
import { askPage, consentPage, digestAsked, faultyPage, refusedPage, wrongWorkspacePage } from './pages.ts'
import { INSTALL_PATH, type InstallRequest, readInstallRequest } from './request.ts'

/**
 * The consent of an owner or admin to an app. The page keeps no state: its form sends the whole request again, which is
 * checked again, with the token of the session. Nothing exists before the decision, and after it only a code.
 */
export const installPages = [
  page({
    path: INSTALL_PATH,
    session: 'optional',
    csrf: 'session',
    limit: {
      name: 'install decisions',
      count: ({ services, session, address }) =>
        countAttemptOf(services, 'authorization', { account: session?.userId ?? '', address, browser: session?.id }),
    },
    show: async ({ services, session: found, query }) => {
      const request = await readInstallRequest(services, query)
      if (typeof request === 'string') return { show: faultyPage(request), status: 400 }
      const here = `${INSTALL_PATH}?${request.params}`
      const session = usable(found)
      if (!session) return { to: `/sign-in?return_to=${encodeURIComponent(here)}` }
      const stop = await stopFor(services, request, session, here)
      if (stop) return stop
      return {
        show: consentPage(await readConsent(services, request, session, here)),
        formTargets: [toFormTarget(request.redirectUri)],
      }
    },
    submit: async ({ services, session: found, form }) => {
      const request = await readInstallRequest(services, form)
      if (typeof request === 'string') return { show: faultyPage(request), status: 400 }
      const here = `${INSTALL_PATH}?${request.params}`
      const session = usable(found)
      // the page was shown for another workspace, and the browser signed in to this one since
      if (!session || form.get('workspace') !== session.workspaceId) return { to: here }
      const stop = await stopFor(services, request, session, here)
      if (stop) return stop
      if (form.get('decision') !== 'allow') return { to: backTo(services, request, { error: 'access_denied' }) }
      const consent = await readConsent(services, request, session, here)
      // the app asks for something else since: no one consents to what they were not shown
      if (form.get('asks_for') !== digestAsked(consent)) return { to: here }
      const budget = wantedBudget(form.get('budget'), consent.budget.most)
      if (budget === undefined) return { show: faultyPage('budget is not a number of the form'), status: 400 }
      const unticked = consent.optional.filter(scope => !form.getAll('optional').includes(scope))
      const scopes = [...consent.required, ...consent.optional].filter(scope => !unticked.includes(scope))
      const { app, redirectUri, challenge } = request
      const offered = [...app.scopes, ...app.optional_scopes]
      const [workspace, user] = [session.workspaceId, session.userId]
      const decision = { app, workspace, user, redirectUri, challenge, scopes, offered, budget }
      return { to: backTo(services, request, { code: await issueCode(services.db, decision) }) }
    },
  }),
]

/** What the person gets instead of the consent page. */
async function stopFor(
  services: Services,
  request: InstallRequest,
  session: UserSession,
  here: string,
): Promise<ShownPage | undefined> {
  const { app, workspaceHint } = request
  if (workspaceHint && workspaceHint !== session.workspaceId)
    return { show: wrongWorkspacePage(app, session, signInAgain(here, session)), status: 403 }
  const refused = appRefusal(app, { id: session.workspaceId, environment: session.environment })
  if (refused !== undefined) return { show: refusedPage(app, session, refused), status: 403 }
  const installer = await readInstaller(services.db, session.workspaceId, session.userId)
  const reason = installerRefusal(installer)
  if (reason !== undefined) return { show: askPage(app, session, reason, services.publicUrl + here), status: 403 }
  const installed = await readInstalled(services.db, session.workspaceId, app.id)
  if (installed?.status === 'suspended') {
    const text = 'it is installed and suspended; an owner or admin can resume it in the console'
    return { show: refusedPage(app, session, text), status: 403 }
  }
  const { hasPlan } = await planBudget(services.db, session.workspaceId)
  const unpaid = knownScopes(app.scopes).filter(scope => isUnpaid(scope, hasPlan))
  if (unpaid.length > 0)
    return { show: refusedPage(app, session, `it needs a plan for ${unpaid.join(', ')}`), status: 403 }
  // signing in is proof enough for people who have no second factor
  return (await provedLately(services.db, session)) ? undefined : { to: confirmPath(here) }
}

async function readConsent(services: Services, request: InstallRequest, session: UserSession, here: string) {
  const { app, scopes } = request
  const { db } = services
  const [{ most, hasPlan }, installed, webhooks, site] = await Promise.all([
    planBudget(db, session.workspaceId),
    readInstalled(db, session.workspaceId, app.id),
    readAppWebhooks(db, app),
    db.one(selectSite(session.workspaceId)),
  ])
  const optional = knownScopes(app.optional_scopes.filter(scope => scopes.includes(scope)))
  const proposed = Math.min(installed?.personal_data_reads_per_day ?? DEFAULT_BUDGET, most)
  return {
    request,
    session,
    required: knownScopes(app.scopes),
    optional: optional.filter(scope => !isUnpaid(scope, hasPlan)),
    unpaid: optional.filter(scope => isUnpaid(scope, hasPlan)),
    installed,
    budget: { proposed, most },
    logo: site?.enabled && site.logo_blob_key !== null ? `${sitePathOf(site.slug)}/logo` : undefined,
    webhook: webhooks.find(({ environment }) => environment === session.environment),
    signIn: signInAgain(here, session),
  }
}

function wantedBudget(text: string | null, most: number): number | undefined {
  const value = /^\d{1,9}$/.test(text ?? '') ? Number(text) : Number.NaN
  return value <= most ? value : undefined
}

/** The response to the app (RFC 9207: with the issuer). The address is one that is registered for it. */
function backTo(
  { publicUrl }: Services,
  { redirectUri, state }: InstallRequest,
  result: Record<string, string>,
): string {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries({ ...result, state, iss: publicUrl })) url.searchParams.set(name, value)
  return url.href
}
