import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import * as client from 'openid-client'
import { apply, sharedWorld, upload } from '../applications/setup.ts'
import { ask, decide, installable, installer, installIn } from './setup.ts'

let world: Awaited<ReturnType<typeof sharedWorld>>
let app: Awaited<ReturnType<typeof installable>>

before(async () => {
  world = await sharedWorld()
  app = await installable(world.service, {
    scopes: ['applicants:read', 'applications:read', 'contact:read', 'notes:write'],
    optionalScopes: [],
  })
})

const because = (pattern: RegExp) => (error: Error) => pattern.test(String(error.cause))

/** What a publisher configures for one issuer; everything else is done by a library that we did not write. */
const configured = (origin: string, issuer = origin) => {
  const config = new client.Configuration(
    {
      issuer,
      authorization_endpoint: `${origin}/oauth/install`,
      token_endpoint: `${origin}/oauth/install/token`,
      authorization_response_iss_parameter_supported: true,
    },
    app.id,
    {},
    client.ClientSecretBasic(app.client_secret),
  )
  client.allowInsecureRequests(config)
  return config
}

const redirected = async (workspace: string) => {
  const { browser } = await installer(world.service, workspace)
  const asked = await ask(app)
  return { asked, url: new URL((await decide(browser, asked, { budget: '1' })).location!) }
}

test('openid-client: installs, and refuses the response of another issuer', async () => {
  const { origin } = world.service
  const { asked, url } = await redirected((await world.service.workspace()).id)
  const checks = { pkceCodeVerifier: asked.verifier, expectedState: asked.state }
  // the mix-up: the app began at one issuer, and the browser returns from another
  await assert.rejects(
    client.authorizationCodeGrant(configured(origin, 'https://hostile.example'), url, checks),
    because(/"iss"/),
  )
  await assert.rejects(
    client.authorizationCodeGrant(configured(origin), url, { ...checks, expectedState: 'other' }),
    because(/"state"/),
  )
  const tokens = await client.authorizationCodeGrant(configured(origin), url, checks)
  assert.match(tokens.access_token, /^svc_live_/)
  assert.match(String(tokens['installation_id']), /^ins_/)
  assert.equal(tokens['iss'], origin)
})

test('openid-client: client_credentials at the token endpoint get a token of the app', async () => {
  const { origin } = world.service
  const config = await client.discovery(new URL(origin), app.id, {}, client.ClientSecretPost(app.client_secret), {
    execute: [client.allowInsecureRequests],
  })
  const { access_token, expires_in } = await client.clientCredentialsGrant(config)
  assert.equal(expires_in, 3_600)
  assert.equal((await world.service.get('/installations', access_token)).status, 200)
})

test('installation: 429 personal_data_quota_exceeded for this installation alone; its notes have the app user as author', async () => {
  const { service, workspace } = world
  const { applicant_id: applicant, id } = await apply(
    world,
    { resume_upload_id: await upload(world) },
    { email: 'budget@example.org' },
  )
  const { access_token: key } = await installIn(service, app, workspace, { budget: '1' })
  const contact = (secret: string | { secret: string }) =>
    service.get(`/applicants/${applicant}/contact-info`, secret as string)
  const other = await service.key({ workspace, scopes: ['applicants:read', 'contact:read'] })
  const first = await contact(key)
  assert.deepEqual([first.status, first.headers.get('service-personal-data-remaining')], [200, '0'], first.text)
  const second = await contact(key)
  assert.deepEqual([second.status, second.body.detail.code], [429, 'personal_data_quota_exceeded'])
  assert.equal((await contact(other.secret)).status, 200)
  const note = await service.post(`/applications/${id}/notes`, key, { body: 'Passed.' })
  assert.equal(note.status, 201, note.text)
  const me = await service.get('/me', key)
  assert.equal(note.body.author_user_id, me.body.owner_user_id)
})
