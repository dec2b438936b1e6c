import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { until } from '../harness/receiver.ts'
import { startTestService } from '../harness/service.ts'
import { partnerBrowser } from '../partner/setup.ts'
import { appFor, createMember, PASSWORD } from '../sign-in/setup.ts'
import { Visitor } from '../sign-in/visitor.ts'

const service = await startTestService({ ROLES: 'api' })

test('log: one line for each API request, with exactly its id, workspace, key, route, status, code and milliseconds', async () => {
  const { id: workspace, userEmail } = await service.workspace('enterprise')
  const key = await service.key({ workspace, userEmail })
  const linesOf = async (call: Promise<{ headers: Headers }>) => {
    const id = (await call).headers.get('service-request-id')
    const found = () => service.logLines.map(line => JSON.parse(line)).filter(line => line.requestId === id)
    await until('its line', () => found().length > 0) // it is written after the response
    const lines = found()
    assert.equal(lines.length, 1)
    const { time, ms, ...rest } = lines[0]
    assert.match(time, /^\d{4}-\d\d-\d\dT/)
    assert.ok(Number.isInteger(ms) && ms >= 0)
    assert.equal(rest.requestId, id)
    delete rest.requestId
    return rest
  }
  const line = { level: 'info', msg: 'request', method: 'GET', workspace, key: key.id }
  // neither the path with its handle nor the query string
  assert.deepEqual(await linesOf(service.get('/jobs?limit=3&source_system=secret-system', key)), {
    ...line,
    route: '/jobs',
    status: 200,
  })
  assert.deepEqual(await linesOf(service.get('/jobs/job_doesnotexist00000000', key)), {
    ...line,
    route: '/jobs/{job_handle}',
    status: 404,
    code: 'not_found',
  })
  const body = { source: { system: 'acme', external_id: 'person-77' }, title: 'Welder' }
  assert.deepEqual(await linesOf(service.post('/jobs', key, body)), {
    ...line,
    method: 'POST',
    route: '/jobs',
    status: 201,
  })
  assert.deepEqual(await linesOf(service.get('/me')), {
    level: 'info',
    msg: 'request',
    method: 'GET',
    route: '/me',
    status: 401,
    code: 'unauthenticated',
  })
  assert.doesNotMatch(service.logLines.join(), /secret-system|person-77|Welder|doesnotexist/)
  assert.ok(!service.logLines.some(l => l.includes(key.secret)))
})

test('log: no line has the IP address of a client, behind a proxy neither', async () => {
  const proxied = await startTestService({ ROLES: 'api', TRUST_PROXY: '127.0.0.1' })
  const { id: workspace, userEmail } = await proxied.workspace('enterprise')
  const address = '198.51.100.77'
  const headers = { 'x-forwarded-for': address }
  const key = await proxied.key({ workspace, userEmail })
  for (const path of ['/me', '/jobs?limit=0', '/no-such-endpoint']) await proxied.call('GET', path, { key, headers })
  const form = { email: 'stranger@line.example', password: 'wrong' }
  const options = { method: 'POST', headers: { ...headers, origin: proxied.origin }, body: new URLSearchParams(form) }
  assert.equal((await fetch(`${proxied.origin}/sign-in`, options)).status, 401)
  const requests = () => proxied.logLines.filter(line => line.includes('"msg":"request"'))
  await until('their lines', () => requests().length >= 4)
  assert.deepEqual(
    proxied.logLines.filter(line => line.includes(address) || line.includes('"127.0.0.1')),
    [],
  )
})

test('log: one line for each request for a page, a file, a form and the sign-in of apps: pattern, status, code, and who', async () => {
  const { id: workspace, userEmail } = await service.workspace('enterprise')
  const { db } = service.services
  const email = 'ada.lovelace@line.example'
  const { id: user } = await createMember(service, workspace, email)
  const key = await service.key({ workspace, userEmail })
  const app = await appFor(service, workspace)
  const { slug } = (await db.one(
    sql<{ slug: string }>`select slug from career_sites where workspace_id = ${workspace}`,
  ))!
  const lines = () => service.logLines.map(line => JSON.parse(line)).filter(line => line.msg === 'request')
  const before = lines().length
  let sent = 0
  /** The line of this request: those of all earlier ones are there. */
  const lineOf = async (request: Promise<{ headers: Headers }>) => {
    const { headers } = await request
    sent++
    await until('its line', () => lines().length >= before + sent)
    assert.equal(lines().length, before + sent)
    const { time, ms, requestId, msg, ...line } = lines().at(-1)!
    assert.ok(Number.isInteger(ms) && ms >= 0 && /^req_/.test(requestId))
    const shown = headers.get('service-request-id')
    if (shown) assert.equal(requestId, shown)
    return line
  }
  const browser = new Visitor(service.origin)
  const partner = partnerBrowser(service)
  const at = { level: 'info', method: 'GET', status: 200 }
  const who = { workspace, user }

  assert.deepEqual(await lineOf(browser.get('/sign-in?return_to=%2Fsecret-place')), { ...at, route: '/sign-in' })
  assert.deepEqual(await lineOf(browser.post('/sign-in', { email, password: 'wrong-password-7' })), {
    ...at,
    method: 'POST',
    route: '/sign-in',
    status: 401,
  })
  assert.deepEqual(await lineOf(browser.post('/sign-in', { email, password: PASSWORD })), {
    ...at,
    method: 'POST',
    route: '/sign-in',
    ...who,
    status: 303,
  })
  assert.deepEqual(await lineOf(browser.get('/account')), { ...at, route: '/account', ...who })
  assert.deepEqual(await lineOf(browser.get('/console/keys/secret-part')), { ...at, route: '/console/*', ...who })
  assert.deepEqual(await lineOf(browser.get('/console/api/keys')), { ...at, route: '/console/api/keys', ...who })
  assert.deepEqual(await lineOf(browser.get('/console/api/secret-part')), {
    ...at,
    route: '/console/api/*',
    ...who,
    status: 404,
    code: 'not_found',
  })
  assert.deepEqual(await lineOf(browser.post('/console/api/keys', {})), {
    ...at,
    method: 'POST',
    route: '/console/api/keys',
    ...who,
    status: 403,
    code: 'csrf_token_invalid',
  })
  // an endpoint of the API in the hands of a person has the line of the API
  assert.deepEqual(await lineOf(browser.get('/hiring/api/v1/jobs')), { ...at, route: '/jobs', via: 'pages', ...who })
  assert.deepEqual(await lineOf(new Visitor(service.origin).get('/hiring/api/v1/jobs')), {
    ...at,
    route: '/hiring/api/v1/jobs',
    status: 401,
    code: 'sign_in_required',
  })
  assert.deepEqual(await lineOf(browser.get(`/careers/${slug}/link?token=secret-token`)), {
    ...at,
    route: '/careers/{slug}/link',
    workspace,
    status: 410,
  })
  assert.deepEqual(await lineOf(partner.signIn(key.secret)), {
    ...at,
    method: 'POST',
    route: '/partner/sign-in',
    status: 303,
  })
  assert.deepEqual(await lineOf(partner.get('/partner')), { ...at, route: '/partner', workspace, key: key.id })
  assert.deepEqual(await lineOf(browser.get('/storage/secret-file?signature=secret-signature')), {
    ...at,
    route: '/storage/*',
    status: 404,
    code: 'not_found',
  })
  const grant = { grant_type: 'refresh_token', refresh_token: 'secret-refresh', client_id: app.client_id }
  assert.deepEqual(await lineOf(browser.post('/oauth/token', grant)), {
    ...at,
    method: 'POST',
    route: '/oauth/token',
    status: 400,
  })
  // no pattern: the path can be anything
  assert.deepEqual(await lineOf(browser.get('/secret-path/lovelace')), {
    level: 'info',
    method: 'GET',
    status: 404,
    code: 'not_found',
  })
  // probes come every few seconds
  assert.deepEqual(await lineOf(browser.get('/healthz')), { ...at, level: 'debug', route: '/healthz' })
  for (const text of ['secret-', 'lovelace', 'wrong-password', slug, key.secret, PASSWORD]) {
    assert.ok(!service.logLines.some(line => line.includes(text)), text)
  }
})
