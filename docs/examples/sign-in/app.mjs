// A web app that people sign in to with their account on the service. It needs `npm install openid-client`.
//
//   ISSUER=https://hiring.example CLIENT_ID=… CLIENT_SECRET=… PORT=3000 node app.mjs
//
// Register it with the redirect URI <APP_URL>/callback: an HTTPS URL of yours, or http://127.0.0.1:3000/callback for a
// native app, which has no secret.
import { createServer } from 'node:http'
import * as oidc from 'openid-client'

const { ISSUER, CLIENT_ID, CLIENT_SECRET, PORT = '3000' } = process.env
const APP_URL = process.env.APP_URL ?? `http://127.0.0.1:${PORT}`
const SCOPE = 'openid profile email offline_access jobs:read applications:read'

const config = await oidc.discovery(
  new URL(ISSUER),
  CLIENT_ID,
  undefined,
  CLIENT_SECRET ? oidc.ClientSecretBasic(CLIENT_SECRET) : oidc.None(),
  // a service on your own machine uses plain HTTP
  ISSUER.startsWith('http://') ? { execute: [oidc.allowInsecureRequests] } : undefined,
)

// The session of each visitor, by their session cookie. In production use your session store.
const sessions = new Map()

const pages = {
  // Redirect the person to the service, and store what proves that the callback belongs to this browser.
  async '/'(session) {
    session.verifier = oidc.randomPKCECodeVerifier()
    session.state = oidc.randomState()
    session.nonce = oidc.randomNonce()
    return oidc.buildAuthorizationUrl(config, {
      redirect_uri: `${APP_URL}/callback`,
      scope: SCOPE,
      code_challenge: await oidc.calculatePKCECodeChallenge(session.verifier),
      code_challenge_method: 'S256',
      state: session.state,
      nonce: session.nonce,
    })
  },

  // The person returns with a code, which is valid for 60 seconds and works once.
  async '/callback'(session, url) {
    session.tokens = await oidc.authorizationCodeGrant(config, url, {
      pkceCodeVerifier: session.verifier,
      expectedState: session.state,
      expectedNonce: session.nonce,
    })
    session.person = session.tokens.claims()
    return new URL('/jobs', APP_URL)
  },

  // Call the API on behalf of the person. The token is valid for one hour: refresh it when the service rejects it.
  async '/jobs'(session) {
    if (!session.tokens) return new URL('/', APP_URL)
    const read = () =>
      fetch(`${ISSUER}/api/partner/v1/jobs?limit=1`, {
        headers: { Authorization: `Bearer ${session.tokens.access_token}` },
      })
    let jobs = await read()
    if (jobs.status === 401) {
      const { refresh_token } = session.tokens
      session.tokens = undefined
      // without a refresh token, or after the person revoked access, they sign in again
      if (refresh_token) session.tokens = await oidc.refreshTokenGrant(config, refresh_token).catch(() => undefined)
      if (!session.tokens) return new URL('/', APP_URL)
      // each refresh token works once: the response has the next one
      jobs = await read()
    }
    const { name, workspace_role } = session.person
    return { name, workspace_role, scope: session.tokens.scope, jobs: (await jobs.json()).data }
  },

  // Sign-out revokes all tokens of the session.
  async '/sign-out'(session) {
    const { refresh_token, access_token } = session.tokens ?? {}
    if (access_token) await oidc.tokenRevocation(config, refresh_token ?? access_token)
    session.tokens = undefined
    return { signed_out: true }
  },
}

createServer(async (request, response) => {
  const url = new URL(request.url, APP_URL)
  const known = /(?:^|; )session=(\w+)/.exec(request.headers.cookie ?? '')?.[1]
  const id = sessions.has(known) ? known : oidc.randomState().replaceAll(/\W/g, '')
  const session = sessions.get(id) ?? {}
  sessions.set(id, session)
  response.setHeader('Set-Cookie', `session=${id}; HttpOnly; SameSite=Lax; Path=/`)
  try {
    const page = pages[url.pathname]
    const result = page ? await page(session, url) : { error: 'There is no such page.' }
    if (result instanceof URL) response.writeHead(302, { Location: result.href }).end()
    else response.writeHead(page ? 200 : 404, { 'Content-Type': 'application/json' }).end(JSON.stringify(result))
  } catch (error) {
    // the person denied access, or the callback belongs to another browser
    response.writeHead(400, { 'Content-Type': 'application/json' }).end(JSON.stringify({ error: error.message }))
  }
}).listen(Number(PORT), '127.0.0.1', () => console.log(`listening on ${PORT}`))
