import type { IncomingMessage, ServerResponse } from 'node:http'
import type Provider from 'oidc-provider'
import { fail } from '../../kernel/failure.ts'
import type { RawRoute } from '../../kernel/http/server.ts'
import type { Services } from '../../kernel/services.ts'
import { interactionRoutes } from './interaction.ts'
import { createProvider } from './provider.ts'

const ENDPOINTS: readonly (readonly [path: string, ...methods: string[]])[] = [
  ['/.well-known/openid-configuration', 'GET', 'OPTIONS'],
  ['/.well-known/oauth-authorization-server', 'GET', 'OPTIONS'],
  ['/oauth/authorize', 'GET'],
  ['/oauth/authorize/*', 'GET'],
  ['/oauth/token', 'POST', 'OPTIONS'],
  ['/oauth/userinfo', 'GET', 'POST', 'OPTIONS'],
  ['/oauth/jwks', 'GET', 'OPTIONS'],
  ['/oauth/revoke', 'POST', 'OPTIONS'],
  ['/oauth/introspect', 'POST', 'OPTIONS'],
]

/** OpenID Connect. The provider is made at its first use: its issuer is the public address, known once we listen. */
export function oidcRoutes(services: Services): RawRoute[] {
  let made: Promise<Provider> | undefined
  const provider = () => {
    made ??= createProvider(services).catch(error => {
      made = undefined
      throw error
    })
    return made
  }
  return [
    ...ENDPOINTS.map(([path, ...methods]) => ({
      path,
      methods,
      handler: async (request: IncomingMessage, response: ServerResponse) => {
        // what an app sends along is kept until the person has answered, and the store's text cannot hold it
        if (/%00/.test(request.url ?? '')) fail('invalid_request', { message: 'The address holds a NUL character.' })
        const serve = (await provider()).callback()
        asAskedPublicly(request, services.publicUrl)
        await serve(request, response)
      },
    })),
    ...interactionRoutes(services, provider),
  ]
}

/** The provider reads where it is from the request; what counts is the public address, whatever the caller claims. */
export function asAskedPublicly(request: IncomingMessage, publicUrl: string): void {
  const { protocol, host } = new URL(publicUrl)
  request.headers['x-forwarded-proto'] = protocol.slice(0, -1)
  request.headers['x-forwarded-host'] = host
}
