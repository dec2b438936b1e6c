import type { RawRoute } from '../kernel/http/route-table.ts'
import type { Services } from '../kernel/services/services.ts'
import { accentRoutes } from './accent.ts'
import { logoRoutes } from './logo.ts'

/** Every page of the careers sites, by part. */
export const careersRoutes = (services: Services): RawRoute[] => [...accentRoutes(), ...logoRoutes(services)]
