import type { RawRoute } from '../kernel/http/route-table.ts'
import type { FindDemo, Services } from '../kernel/services/services.ts'
import { pageRoutes } from '../programs/page.ts'
import { accentRoutes } from './accent.ts'
import { applyPages } from './apply/routes.ts'
import { plainArea, siteArea } from './area.ts'
import { candidateRoutes } from './candidate/routes.ts'
import { feedPages, installationFeeds } from './feeds/routes.ts'
import { frontPages, otherPaths } from './front.ts'
import { iconPage } from './icon.ts'
import { jobRoute } from './job/routes.ts'
import { listRoute } from './list/routes.ts'
import { logoPage } from './logo.ts'
import { unsubscribePage } from './unsubscribe.ts'

/** What everyone sees of a site. */
export const sitePages = [logoPage, iconPage, listRoute, jobRoute, ...applyPages, ...feedPages, otherPaths]

/** What belongs to no site. */
export const plainPages = (findDemo: FindDemo) => [...installationFeeds, ...frontPages(findDemo), unsubscribePage]

/** Every page of the careers sites. */
export const careersRoutes = (services: Services, findDemo: FindDemo): RawRoute[] => [
  ...accentRoutes(),
  ...pageRoutes(services, siteArea, sitePages),
  ...candidateRoutes(services),
  ...pageRoutes(services, plainArea, plainPages(findDemo)),
]
