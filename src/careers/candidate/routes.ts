import type { RawRoute } from '../../kernel/http/route-table.ts'
import type { Services } from '../../kernel/services/services.ts'
import { dataRoutes } from './data-routes.ts'
import { detailsRoutes } from './details-routes.ts'
import { linkRoutes } from './link-routes.ts'
import { overviewRoutes } from './overview-routes.ts'
import { resumeRoutes } from './resume-routes.ts'

/** What candidates see after a mailed link: their applications and data in one workspace. */
export const candidateRoutes = (services: Services): RawRoute[] => [
  ...linkRoutes(services),
  ...overviewRoutes(services),
  ...resumeRoutes(services),
  ...detailsRoutes(services),
  ...dataRoutes(services),
]
