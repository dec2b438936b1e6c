import type { RawRoute } from '../../kernel/http/route-table.ts'
import type { Services } from '../../kernel/services/services.ts'
import { candidatePageRoutes } from './area.ts'
import { checkPages } from './check-routes.ts'
import { dataPages } from './data-routes.ts'
import { detailsPages } from './details-routes.ts'
import { interviewPages } from './interview-routes.ts'
import { linkPages } from './link-routes.ts'
import { overviewPages } from './overview-routes.ts'
import { resumePages } from './resume-routes.ts'
import { writePages } from './write-routes.ts'

/** What candidates see after a mailed link: their applications and data in one workspace. */
export const candidatePages = [
  ...linkPages,
  ...overviewPages,
  ...checkPages,
  ...interviewPages,
  ...resumePages,
  ...writePages,
  ...detailsPages,
  ...dataPages,
]

export const candidateRoutes = (services: Services): RawRoute[] => candidatePageRoutes(services, candidatePages)
