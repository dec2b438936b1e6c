import type { Route } from '../kernel/http/route.ts'
import type { RawRoute } from '../kernel/http/route-table.ts'
import type { Services } from '../kernel/services/services.ts'
import type { Endpoint } from '../sign-in/endpoints/endpoint.ts'
import { programApi } from '../sign-in/endpoints/serve.ts'
import { apiForPeople } from './api-routes.ts'
import { messageEndpoints } from './messages.ts'
import { noteEndpoints } from './notes.ts'
import { scorecardEndpoints } from './scorecards.ts'
import { pageRoutes } from './serve-pages.ts'
import { sessionEndpoints } from './session.ts'
import { tagEndpoints } from './tags.ts'
import { taskEndpoints } from './tasks.ts'

/** What the pages need besides the endpoints of the API. A new area is one more line here. */
export const endpoints: readonly Endpoint[] = [
  ...sessionEndpoints,
  ...noteEndpoints,
  ...scorecardEndpoints,
  ...tagEndpoints,
  ...messageEndpoints,
  ...taskEndpoints,
]

export const hiringRoutes = (services: Services, apiRoutes: readonly Route[]): RawRoute[] => [
  ...apiForPeople(services, apiRoutes),
  ...programApi(services, { path: '/hiring/api', name: 'hiring', endpoints }),
  ...pageRoutes(services),
]
