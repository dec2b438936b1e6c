import type { Route } from '../kernel/http/route.ts'
import type { RawRoute } from '../kernel/http/route-table.ts'
import type { Services } from '../kernel/services/services.ts'
import type { Endpoint } from '../sign-in/endpoints/endpoint.ts'
import { programApi } from '../sign-in/endpoints/serve.ts'
import { apiForPeople } from './api-routes.ts'
import { creditEndpoints } from './credits.ts'
import { pageRoutes } from './serve-pages.ts'
import { sessionEndpoints } from './session.ts'
import { sourcingEndpoints } from './sourcing.ts'
import { sourcingExportEndpoints } from './sourcing-export.ts'
import { sourcingImportEndpoints } from './sourcing-import.ts'
import { sourcingRevealEndpoints } from './sourcing-reveal.ts'

/** What the pages need besides the endpoints of the API. A new area is one more line here. */
export const endpoints: readonly Endpoint[] = [
  ...sessionEndpoints,
  ...creditEndpoints,
  ...sourcingEndpoints,
  ...sourcingExportEndpoints,
  ...sourcingImportEndpoints,
  ...sourcingRevealEndpoints,
]

export const hiringRoutes = (services: Services, apiRoutes: readonly Route[]): RawRoute[] => [
  ...apiForPeople(services, apiRoutes),
  ...programApi(services, { path: '/hiring/api', name: 'hiring', endpoints }),
  ...pageRoutes(services),
]
