import type { KoaContextWithOIDC, ResourceServer } from 'oidc-provider'
import { errors } from 'oidc-provider'
import { ALL_SCOPES, isAppScope } from '../../contract/scopes.ts'
import { API_PREFIX } from '../../contract/version.ts'
import { MCP_PATH } from '../../kernel/access/caller.ts'
import type { Services } from '../../kernel/services/services.ts'
import { activeApp } from '../../resources/connected-apps/index.ts'
import { AUTHORIZATION } from './urls.ts'

const API_SCOPES: ReadonlySet<string> = new Set(ALL_SCOPES.filter(isAppScope))

/**
 * RFC 8707: what a token can be requested for. Without a resource it is for the API. A token for the MCP server is not
 * valid at the API, and the other way round.
 */
export function resourceServer(publicUrl: string, resource: string): ResourceServer {
  const known = [publicUrl, publicUrl + API_PREFIX, publicUrl + MCP_PATH]
  const wanted = known.find(url => url === withoutSlash(resource))
  if (wanted === undefined) throw new errors.InvalidTarget(`resource must be one of ${known.join(', ')}`)
  return { scope: [...API_SCOPES].join(' '), audience: wanted, accessTokenFormat: 'opaque' }
}

const withoutSlash = (url: string) => (URL.canParse(url) ? new URL(url).href.replace(/\/$/, '') : url)

/**
 * Clients of the MCP server request every scope that its metadata lists, or none, because they cannot know which their
 * app was registered with. They get those of the app: scopes that it does not have are dropped instead of refused.
 */
export const limitToApp =
  ({ db, publicUrl }: Services) =>
  async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    const { resource, client_id: id, scope } = ctx.query
    const ofMcp = typeof resource === 'string' && withoutSlash(resource) === publicUrl + MCP_PATH
    if (ctx.path === AUTHORIZATION && ofMcp && typeof id === 'string' && !Array.isArray(scope)) {
      const app = await activeApp(db, id)
      const asked = scope?.split(' ').filter(Boolean) ?? app?.scopes.filter(name => API_SCOPES.has(name))
      if (app && asked) ctx.query = { ...ctx.query, scope: asked.filter(name => app.scopes.includes(name)).join(' ') }
    }
    return next()
  }
