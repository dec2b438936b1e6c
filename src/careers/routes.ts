import type { RawRoute } from '../kernel/http/route-table.ts'
import type { Services } from '../kernel/services/services.ts'
import { accentRoutes } from './accent.ts'
import { applyRoutes } from './apply/routes.ts'
import { candidateRoutes } from './candidate/routes.ts'
import { feedRoutes } from './feeds/routes.ts'
import { type FindDemo, frontRoutes } from './front.ts'
import { iconRoutes } from './icon.ts'
import { jobRoutes } from './job/routes.ts'
import { listRoutes } from './list/routes.ts'
import { logoRoutes } from './logo.ts'
import { unsubscribeRoutes } from './unsubscribe.ts'

/** Every page of the careers sites, by part. */
export const careersRoutes = (services: Services, findDemo: FindDemo): RawRoute[] => [
  ...accentRoutes(),
  ...logoRoutes(services),
  ...iconRoutes(services),
  ...listRoutes(services),
  ...jobRoutes(services),
  ...applyRoutes(services),
  ...candidateRoutes(services),
  ...feedRoutes(services),
  ...frontRoutes(services, findDemo),
  ...unsubscribeRoutes(services),
]
