import type { IncomingMessage, ServerResponse } from 'node:http'
import type Provider from 'oidc-provider'
import { fail } from '../../kernel/errors/api-error.ts'
import type { Arrived, RawRoute } from '../../kernel/http/route-table.ts'
import type { Services } from '../../kernel/services/services.ts'
import { KEEPS_OPENER, sendPage } from '../../pages/send.ts'
import { pageRoutes } from '../../programs/page.ts'
import { signInArea } from '../area.ts'
import { waitInWords } from '../describe.ts'
import { countAttemptOf } from '../limits.ts'
import { tooManyPage } from '../pages.ts'
import { readSession } from '../sessions.ts'
import { interactionPages } from './interaction.ts'
import { AUTHORIZATION, forceForwarded } from './urls.ts'

const ENDPOINTS: readonly (readonly [path: string, ...methods: string[]])[] = [
  ['/.well-known/openid-configuration', 'GET', 'OPTIONS'],
  ['/.well-known/oauth-authorization-server', 'GET', 'OPTIONS'],
  [AUTHORIZATION, 'GET'],
  [`${AUTHORIZATION}/*`, 'GET'],
  ['/oauth/token', 'POST', 'OPTIONS'],
  ['/oauth/userinfo', 'GET', 'POST', 'OPTIONS'],
  ['/oauth/jwks', 'GET', 'OPTIONS'],
  ['/oauth/revoke', 'POST', 'OPTIONS'],
  ['/oauth/introspect', 'POST', 'OPTIONS'],
]

/**
 * OpenID Connect. The provider is loaded and created at its first use, because it is a fifth of the service's code and
 * its issuer is the public URL, which is known only after the server listens.
 */
export function oidcRoutes(services: Services): RawRoute[] {
  let made: Promise<Provider> | undefined
  const provider = () => {
    made ??= import('./provider.ts')
      .then(({ createProvider }) => createProvider(services))
      .catch(error => {
        made = undefined
        throw error
      })
    return made
  }
  return [
    ...ENDPOINTS.map(([path, ...methods]) => ({
      path,
      methods,
      handler: async ({ request, response, address }: Arrived) => {
        // the parameters are stored until the user has decided, and PostgreSQL text cannot contain NUL
        if (/%00/.test(request.url ?? '')) fail('invalid_request', { message: 'The address holds a NUL character.' })
        if (path === AUTHORIZATION && (await isTooMuch(services, request, response, address))) return
        const serve = (await provider()).callback()
        if (response.headersSent) return // its body did not arrive in time
        forceForwarded(request, services.publicUrl, address)
        await serve(request, response)
      },
    })),
    ...pageRoutes(services, signInArea, interactionPages(provider)),
  ]
}

/** Limited, because each request of an app is stored until it is completed and needs no credentials. */
async function isTooMuch(
  services: Services,
  request: IncomingMessage,
  response: ServerResponse,
  address: string,
): Promise<boolean> {
  const session = await readSession(services, request)
  const source = { account: session?.userId ?? '', address, browser: session?.id }
  const wait = await countAttemptOf(services, 'authorization', source)
  if (!wait) return false
  const text = `Too many requests came from your network. Go back to the app and try again in ${waitInWords(wait)}.`
  sendPage(response, tooManyPage(text), { status: 429, headers: { ...KEEPS_OPENER, 'Retry-After': String(wait) } })
  return true
}
