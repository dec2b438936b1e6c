import { PLANS } from '../contract/plans.ts'
import { API_PREFIX } from '../contract/version.ts'
import type { RawRoute } from '../kernel/http/route-table.ts'
import type { Services } from '../kernel/services/services.ts'
import { allWorkspaces } from '../resources/workspaces/index.ts'
import { type Endpoint, get } from '../sign-in/endpoints/endpoint.ts'
import { SessionError } from '../sign-in/endpoints/errors.ts'
import { programApi } from '../sign-in/endpoints/serve.ts'
import { mayUseConsole } from '../sign-in/landing-page.ts'
import type { UserSession } from '../sign-in/sessions.ts'
import { alertEndpoints } from './alerts.ts'
import type { SessionResponse } from './api-types/session.ts'
import { appEndpoints } from './apps.ts'
import { auditEndpoints } from './audit.ts'
import { careEndpoints } from './care.ts'
import { careersSiteEndpoints } from './careers-site.ts'
import { companySignInEndpoints } from './company-sign-in.ts'
import { erasureRequestEndpoints } from './erasure-requests.ts'
import { erasureEndpoints } from './erasures.ts'
import { eventEndpoints } from './events.ts'
import { keyManagementRefused, requireKeyManager } from './key-management.ts'
import { keyEndpoints } from './keys.ts'
import { optOutEndpoints } from './opt-outs.ts'
import { hasOutbox, outboxEndpoints } from './outbox.ts'
import { overviewEndpoints } from './overview.ts'
import { peopleEndpoints } from './people.ts'
import { requestEndpoints } from './requests.ts'
import { pageRoutes } from './serve-pages.ts'
import { sessionEndpoints } from './sessions.ts'
import { settingsEndpoints } from './settings.ts'
import { webhookEndpoints } from './webhooks.ts'

const sessionEndpoint = get({
  path: '/session',
  handler: async ({ db, session, services }): Promise<SessionResponse> => {
    const [[workspace], refused] = await Promise.all([
      db.query(allWorkspaces(session.workspaceId)),
      keyManagementRefused(db, session),
    ])
    const { id, name, plan } = workspace!
    return {
      user: { id: session.userId, name: session.name, email: session.email, role: session.role as 'owner' | 'admin' },
      workspace: { id, name, plan: plan && { code: plan, name: PLANS[plan].name } },
      csrf_token: session.csrfToken,
      base_url: services.publicUrl + API_PREFIX,
      has_outbox: hasOutbox(services),
      key_management_refused: refused,
      erasure_reach: services.config.ERASURE_REACH,
    }
  },
})

/** Every endpoint of the console. A new area is one more line here. */
export const endpoints: readonly Endpoint[] = [
  sessionEndpoint,
  ...overviewEndpoints,
  ...alertEndpoints,
  ...keyEndpoints,
  ...webhookEndpoints,
  ...eventEndpoints,
  ...auditEndpoints,
  ...requestEndpoints,
  ...erasureEndpoints,
  ...erasureRequestEndpoints,
  ...optOutEndpoints,
  ...appEndpoints,
  ...peopleEndpoints,
  ...settingsEndpoints,
  ...companySignInEndpoints,
  ...careEndpoints,
  ...careersSiteEndpoints,
  ...outboxEndpoints,
  ...sessionEndpoints,
]

function requireConsole(session: UserSession): void {
  if (!mayUseConsole(session)) {
    throw new SessionError('role_required', 'The console is for owners and admins of the workspace.')
  }
}

export const consoleRoutes = (services: Services): RawRoute[] => [
  ...programApi(services, {
    path: '/console/api',
    name: 'console',
    endpoints,
    admit: requireConsole,
    requireKeyManager,
  }),
  ...pageRoutes(services),
]
