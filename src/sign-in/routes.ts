import type { RawRoute } from '../kernel/http/route-table.ts'
import type { Services } from '../kernel/services/services.ts'
import { pageRoutes } from '../programs/page.ts'
import { accountPages } from './account.ts'
import { accountArea, signInArea } from './area.ts'
import { companyLogoutPages } from './company/logout.ts'
import { PublishedKeysCache } from './company/published-keys.ts'
import { companyPages } from './company/routes.ts'
import { entryPages } from './entry-routes.ts'
import { installPages } from './install/routes.ts'
import { installTokenRoute } from './install/token.ts'
import { oidcRoutes } from './oidc/routes.ts'
import { passkeyPages } from './second-factor/passkey-routes.ts'
import { factorPages } from './second-factor/routes.ts'

export const signInPages = [...installPages, ...entryPages, ...companyPages, ...factorPages, ...passkeyPages]

/** Sign-in, the second factor and the account of people, and the sign-in of apps on their behalf. */
export const signInRoutes = (services: Services): RawRoute[] => [
  ...pageRoutes(services, signInArea, signInPages),
  ...pageRoutes(services, signInArea, companyLogoutPages(new PublishedKeysCache(services))),
  ...pageRoutes(services, accountArea, accountPages),
  ...oidcRoutes(services),
  installTokenRoute(services),
]
