import type { Route } from '../kernel/http/route.ts'
import type { RawRoute } from '../kernel/http/route-table.ts'
import type { Services } from '../kernel/services/services.ts'
import { endpointRoutes } from '../programs/serve-endpoints.ts'
import { answerFileRoutes } from '../resources/applications/index.ts'
import { resumeFileRoutes } from '../resources/resumes/index.ts'
import { activityEndpoints } from './activity.ts'
import { addingEndpoints } from './adding.ts'
import { apiForPeople } from './api-routes.ts'
import { boardEndpoints } from './board.ts'
import { candidateEndpoints } from './candidate.ts'
import { candidateImportEndpoints } from './candidate-import.ts'
import { candidatesEndpoints } from './candidates.ts'
import { changeEndpoints } from './changes.ts'
import { creditEndpoints } from './credits.ts'
import { decisionReasonEndpoints } from './decision-reasons.ts'
import { insightEndpoints } from './insight.ts'
import { interviewEndpoints } from './interviews.ts'
import { jobListEndpoints } from './job-list.ts'
import { jobSetupEndpoints } from './job-setup.ts'
import { jobEndpoints } from './jobs.ts'
import { kitEndpoints } from './kits.ts'
import { liveEndpoints } from './live.ts'
import { memberCalendarEndpoints, memberCalendarRoutes } from './member-calendar.ts'
import { memberSettingsEndpoints } from './member-settings.ts'
import { messageEndpoints } from './messages.ts'
import { noteEndpoints } from './notes.ts'
import { orderEndpoints } from './orders.ts'
import { ownerEndpoints } from './owner.ts'
import { personalDataEndpoints } from './personal-data.ts'
import { hiringArea } from './program.ts'
import { savedViewEndpoints } from './saved-views.ts'
import { scorecardEndpoints } from './scorecards.ts'
import { searchEndpoints } from './search.ts'
import { hiringPageRoutes } from './serve-pages.ts'
import { sessionEndpoints } from './session.ts'
import { sourcingEndpoints } from './sourcing.ts'
import { sourcingExportEndpoints } from './sourcing-export.ts'
import { sourcingImportEndpoints } from './sourcing-import.ts'
import { sourcingRevealEndpoints } from './sourcing-reveal.ts'
import { tagEndpoints } from './tags.ts'
import { taskEndpoints } from './tasks.ts'
import { teamEndpoints } from './team.ts'

/** What the pages need besides the endpoints of the API. A new area is one more line here. */
export const endpoints = [
  ...sessionEndpoints,
  ...memberSettingsEndpoints,
  ...searchEndpoints,
  ...insightEndpoints,
  ...boardEndpoints,
  ...changeEndpoints,
  ...addingEndpoints,
  ...decisionReasonEndpoints,
  ...jobListEndpoints,
  ...savedViewEndpoints,
  ...jobEndpoints,
  ...jobSetupEndpoints,
  ...candidateEndpoints,
  ...activityEndpoints,
  ...personalDataEndpoints,
  ...candidatesEndpoints,
  ...candidateImportEndpoints,
  ...creditEndpoints,
  ...noteEndpoints,
  ...scorecardEndpoints,
  ...kitEndpoints,
  ...orderEndpoints,
  ...interviewEndpoints,
  ...memberCalendarEndpoints,
  ...ownerEndpoints,
  ...tagEndpoints,
  ...messageEndpoints,
  ...taskEndpoints,
  ...teamEndpoints,
  ...sourcingEndpoints,
  ...sourcingExportEndpoints,
  ...sourcingImportEndpoints,
  ...sourcingRevealEndpoints,
  ...liveEndpoints,
]

/** What the browser knows of them: `web/hiring/api.ts`. */
export type HiringEndpoint = (typeof endpoints)[number]

/** Endpoints in the form of the API's, with its checks, budget and audit, for our pages alone. */
export const teamRoutes: readonly Route[] = [...resumeFileRoutes, ...answerFileRoutes]

export const hiringRoutes = (services: Services, apiRoutes: readonly Route[]): RawRoute[] => [
  ...apiForPeople(services, [...apiRoutes, ...teamRoutes]),
  ...endpointRoutes(services, hiringArea, endpoints),
  ...memberCalendarRoutes(services),
  ...hiringPageRoutes(services),
]
