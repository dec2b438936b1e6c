import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { endpoints } from '../../src/console/routes.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { type Person, signedIn } from './setup.ts'

let service: TestService
let workspace: string
let owner: Person

before(async () => {
  service = await startTestService()
  workspace = (await service.workspace()).id
  owner = await signedIn(service, workspace)
})

const address = (path: string) => `${service.origin}/console/api${path.replace(/\{\w+\}/g, 'x')}`

test('console access: 401 sign_in_required: every endpoint, without a session and with one that does not exist', async () => {
  for (const { method, path } of endpoints) {
    for (const cookie of [undefined, 'hiring_session=unknown']) {
      const response = await service.call(method, address(path), { headers: cookie ? { cookie } : {} })
      assert.equal(response.status, 401, `${method} ${path}`)
      assert.equal(response.body.detail.code, 'sign_in_required')
      assert.equal(response.headers.get('cache-control'), 'no-store')
    }
  }
})

test('console access: an API key opens nothing of the console', async () => {
  const { secret } = await service.key({ workspace })
  const response = await service.call('GET', address('/keys'), { key: secret })
  assert.equal(response.status, 401)
})

test('console access: 403 role_required: every endpoint, for a member and a viewer', async () => {
  for (const role of ['member', 'viewer'] as const) {
    const person = await signedIn(service, workspace, { role })
    for (const { method, path } of endpoints) {
      const response = await service.call(method, address(path), { headers: { cookie: person.cookie } })
      assert.equal(response.status, 403, `${method} ${path}`)
      assert.equal(response.body.detail.code, 'role_required')
    }
  }
})

test('console access: an admin may use it as an owner may', async () => {
  const admin = await signedIn(service, workspace, { role: 'admin' })
  const response = await admin.get('/session')
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('cache-control'), 'no-store')
  assert.equal(response.body.user.role, 'admin')
  assert.equal(response.body.workspace.id, workspace)
  assert.equal(response.body.base_url, `${service.base}`)
})

test('console access: 403 csrf_token_invalid: every change, without the token, with another, and from another origin', async () => {
  for (const { method, path } of endpoints.filter(e => e.method !== 'GET')) {
    const wrong: Record<string, string>[] = [
      { 'x-csrf-token': '' },
      { 'x-csrf-token': 'x'.repeat(43) },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ]
    for (const headers of wrong) {
      const response = await owner.post(path.replace(/\{\w+\}/g, 'x'), {}, headers)
      assert.equal(response.status, 403, `${method} ${path} ${JSON.stringify(headers)}`)
      assert.equal(response.body.detail.code, 'csrf_token_invalid')
    }
  }
  assert.equal((await owner.get('/keys')).body.data.length, 1)
})

test("console access: the token of one session is not another's", async () => {
  const other = await signedIn(service, workspace)
  const token = (await other.get('/session')).body.csrf_token
  const response = await owner.post('/keys/x/revoke', undefined, { 'x-csrf-token': token })
  assert.equal(response.body.detail.code, 'csrf_token_invalid')
})

test('console access: 404 not_found: an unknown path; 405: another method', async () => {
  assert.equal((await owner.get('/nothing')).body.detail.code, 'not_found')
  assert.equal((await service.call('DELETE', address('/keys'), { headers: { cookie: owner.cookie } })).status, 405)
})

test('console access: 400 invalid_request: unknown parameters and fields are named', async () => {
  assert.equal((await owner.get('/overview?rnage=7d')).body.detail.param, 'rnage')
  const response = await owner.post('/keys/x/rotate', { overlap_hours: 1, more: true })
  assert.equal(response.status, 400)
  assert.equal(response.body.detail.param, 'more')
  assert.match(response.body.detail.request_id, /^req_/)
  assert.equal(response.headers.get('service-request-id'), response.body.detail.request_id)
})

test('console access: 413 payload_too_large: a body over 256 KB', async () => {
  const response = await owner.post('/keys', { name: 'x'.repeat(300_000) })
  assert.equal(response.status, 413)
})

test('console access: a session that has ended, and a person whose role was taken, are out with the next request', async () => {
  const person = await signedIn(service, workspace)
  assert.equal((await person.get('/keys')).status, 200)
  clock.advance(13 * 3_600_000)
  assert.equal((await person.get('/keys')).status, 401)
  clock.reset()
  const demoted = await signedIn(service, workspace)
  await service.services.db.query(sql`update users set role = 'viewer' where id = ${demoted.userId}`)
  assert.equal((await demoted.get('/keys')).body.detail.code, 'role_required')
})
