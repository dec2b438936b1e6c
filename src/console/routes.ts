import { PLANS } from '../contract/plans.ts'
import { API_PREFIX } from '../contract/version.ts'
import type { RawRoute } from '../kernel/http/route-table.ts'
import type { Services } from '../kernel/services/services.ts'
import { endpointRoutes } from '../programs/serve-endpoints.ts'
import { allWorkspaces } from '../resources/workspaces/index.ts'
import { alertEndpoints } from './alerts.ts'
import { appEndpoints } from './apps.ts'
import { auditEndpoints } from './audit.ts'
import { careEndpoints } from './care.ts'
import { careersSiteEndpoints } from './careers-site.ts'
import { companySignInEndpoints } from './company-sign-in.ts'
import { erasureRequestEndpoints } from './erasure-requests.ts'
import { erasureEndpoints, reachOf } from './erasures.ts'
import { eventEndpoints } from './events.ts'
import { installationEndpoints } from './installations.ts'
import { keyManagementRefused } from './key-management.ts'
import { keyEndpoints } from './keys.ts'
import { optOutEndpoints } from './opt-outs.ts'
import { hasOutbox, outboxEndpoints } from './outbox.ts'
import { overviewEndpoints } from './overview.ts'
import { packageEndpoints } from './packages.ts'
import { peopleEndpoints } from './people.ts'
import { consoleArea, get } from './program.ts'
import { publishedAppEndpoints } from './published-apps.ts'
import { requestEndpoints } from './requests.ts'
import { consolePageRoutes } from './serve-pages.ts'
import { sessionEndpoints } from './sessions.ts'
import { settingsEndpoints } from './settings.ts'
import { testWorkspaceEndpoints } from './test-workspaces.ts'
import { webhookEndpoints } from './webhooks.ts'

const sessionEndpoint = get({
  path: '/session',
  handler: async ({ db, session, services }) => {
    const [{ id, name, plan, environment }, refused] = await Promise.all([
      db.only(allWorkspaces(session.workspaceId)),
      keyManagementRefused(db, session),
    ])
    return {
      user: { id: session.userId, name: session.name, email: session.email, role: session.role as 'owner' | 'admin' },
      workspace: { id, name, environment, plan: plan && { code: plan, name: PLANS[plan].name } },
      csrf_token: session.csrfToken,
      /** where partners call the API */
      base_url: services.publicUrl + API_PREFIX,
      /** mails stay in the local outbox: no mail server is configured */
      has_outbox: hasOutbox(services),
      /** null: this person may manage keys and connected apps; else why not */
      key_management_refused: refused,
      /** how far an erasure that is asked for here reaches */
      erasure_reach: reachOf(services, session) === 'installation' ? ('installation' as const) : ('workspace' as const),
    }
  },
})

/** Every endpoint of the console. A new area is one more line here. */
export const endpoints = [
  sessionEndpoint,
  ...overviewEndpoints,
  ...testWorkspaceEndpoints,
  ...alertEndpoints,
  ...keyEndpoints,
  ...installationEndpoints,
  ...publishedAppEndpoints,
  ...webhookEndpoints,
  ...eventEndpoints,
  ...auditEndpoints,
  ...requestEndpoints,
  ...erasureEndpoints,
  ...erasureRequestEndpoints,
  ...optOutEndpoints,
  ...appEndpoints,
  ...packageEndpoints,
  ...peopleEndpoints,
  ...settingsEndpoints,
  ...companySignInEndpoints,
  ...careEndpoints,
  ...careersSiteEndpoints,
  ...outboxEndpoints,
  ...sessionEndpoints,
]

/** What the browser knows of them: `web/console/api.ts`. */
export type ConsoleEndpoint = (typeof endpoints)[number]

export const consoleRoutes = (services: Services): RawRoute[] => [
  ...endpointRoutes(services, consoleArea, endpoints),
  ...consolePageRoutes(services),
]
