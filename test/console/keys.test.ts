import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { mayManageKeys } from '../../src/resources/keys/index.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { type Person, signedIn } from './setup.ts'

let service: TestService
let workspace: string
let owner: Person

const NEW = {
  name: 'Payroll sync',
  scopes: ['jobs:read', 'contact:read'],
  ip_allowlist: [],
  expires_in_days: null,
}

before(async () => {
  service = await startTestService()
  workspace = (await service.workspace()).id
  owner = await signedIn(service, workspace)
})

test('console keys: a new key works immediately, belongs to its creator and has exactly the chosen scopes', async () => {
  const made = await owner.post('/keys', NEW)
  assert.equal(made.status, 200)
  const me = await service.get('/me', made.body.secret)
  assert.equal(me.status, 200)
  assert.equal(me.body.name, 'Payroll sync')
  assert.deepEqual(me.body.scopes.toSorted(), ['contact:read', 'jobs:read'])
  assert.equal(me.body.owner_user_id, owner.userId)
  assert.equal(me.body.workspace_scope, 'single')
  assert.equal(made.body.key.owner.name, 'Pia')
})

test('console keys: the secret is in the response that makes it and in no other', async () => {
  const { body } = await owner.post('/keys', { ...NEW, name: 'Shown once' })
  const reads = await Promise.all(
    ['/keys', `/keys/${body.key.id}`, '/session', '/overview'].map(path => owner.get(path)),
  )
  for (const { text } of reads) assert.ok(!text.includes(body.secret) && !/svc_(live|test)_/.test(text))
})

test('console keys: 400 invalid_request: scopes that are unknown, empty, or need a plan; a blank name; an invalid range', async () => {
  const refused = async (change: object, about: RegExp) => {
    const response = await owner.post('/keys', { ...NEW, ...change })
    assert.equal(response.status, 400)
    assert.equal(response.body.detail.code, 'invalid_request')
    assert.match(response.body.detail.message, about)
  }
  await refused({ scopes: ['jobs:read', 'everything'] }, /Unknown scope: everything/)
  await refused({ scopes: [] }, /scopes/)
  await refused({ name: '  ' }, /name: must not be blank/)
  await refused({ ip_allowlist: ['203.0.113.7', 'office'] }, /ip_allowlist\[1\]: must be an IP address/)
  await refused({ expires_in_days: 0 }, /expires_in_days/)

  const bare = (await service.workspace('none')).id
  const poor = await signedIn(service, bare)
  const response = await poor.post('/keys', { ...NEW, scopes: ['webhooks:write'] })
  assert.match(response.body.detail.message, /no plan, and these scopes need one: webhooks:write/)
})

test('console keys: the key enforces its allowlist and expiry', async () => {
  const elsewhere = await owner.post('/keys', { ...NEW, ip_allowlist: ['203.0.113.0/24'] })
  assert.equal((await service.get('/me', elsewhere.body.secret)).status, 401)
  const brief = await owner.post('/keys', { ...NEW, expires_in_days: 1 })
  assert.equal((await service.get('/me', brief.body.secret)).status, 200)
  clock.advance(25 * 3_600_000)
  assert.equal((await service.get('/me', brief.body.secret)).status, 401)
  clock.reset()
})

test('console keys: rotation: both secrets work for the overlap, and each says when, from where and by what it was last used', async () => {
  const { body: first } = await owner.post('/keys', NEW)
  const path = `/keys/${first.key.id}`
  await service.get('/me', first.secret, { headers: { 'user-agent': 'old-sync/1.0' } })
  await service.services.usage.flush()
  const { body: second } = await owner.post(`${path}/rotate`, { overlap_hours: 24 })
  assert.equal(second.key.id, first.key.id)
  await service.get('/me', second.secret, { headers: { 'user-agent': 'new-sync/2.0' } })
  await service.services.usage.flush()

  const { secrets } = (await owner.get(path)).body
  assert.equal(secrets.length, 2)
  assert.deepEqual(
    secrets.map((s: { current: boolean; last_used_agent: string; last_used_address: string }) => [
      s.current,
      s.last_used_agent,
      s.last_used_address,
    ]),
    [
      [true, 'new-sync/2.0', '127.0.0.1'],
      [false, 'old-sync/1.0', '127.0.0.1'],
    ],
  )
  assert.ok(secrets[1].last_used_at < secrets[0].created_at, 'the old one has not been used since')
  clock.advance(5 * 60_000)
  await service.get('/me', first.secret, { headers: { 'user-agent': `old-sync/1.1 ${'x'.repeat(500)}` } })
  await service.services.usage.flush()
  const [, old] = (await owner.get(path)).body.secrets
  assert.ok(old.last_used_at > secrets[0].created_at, 'it is still in use')
  assert.equal(old.last_used_agent.length, 200)

  clock.advance(25 * 3_600_000)
  const later = await signedIn(service, workspace)
  assert.equal((await service.get('/me', first.secret)).status, 401)
  assert.equal((await service.get('/me', second.secret)).status, 200)
  assert.equal((await later.get(path)).body.secrets.length, 1)
  clock.reset()
})

test('console keys: rotation without overlap ends the old secret immediately; 400 beyond seven days', async () => {
  const { body } = await owner.post('/keys', NEW)
  const rotated = await owner.post(`/keys/${body.key.id}/rotate`, { overlap_hours: 0 })
  assert.equal((await service.get('/me', body.secret)).status, 401)
  assert.equal((await service.get('/me', rotated.body.secret)).status, 200)
  assert.equal((await owner.post(`/keys/${body.key.id}/rotate`, { overlap_hours: 169 })).status, 400)
})

test('console keys: a revoked key is unknown from the next request on, stays in the list, and cannot be rotated', async () => {
  const { body } = await owner.post('/keys', NEW)
  const revoked = await owner.post(`/keys/${body.key.id}/revoke`)
  assert.equal(revoked.body.state, 'revoked')
  assert.equal((await service.get('/me', body.secret)).status, 401)
  const listed = (await owner.get('/keys')).body.data.find((key: { id: string }) => key.id === body.key.id)
  assert.equal(listed.state, 'revoked')
  const again = await owner.post(`/keys/${body.key.id}/rotate`, { overlap_hours: 1 })
  assert.equal(again.status, 400)
  assert.match(again.body.detail.message, /is revoked/)
})

test("console keys: 404 not_found: another workspace's key, as one that does not exist", async () => {
  const other = await service.workspace()
  const { id } = await service.key({ workspace: other.id })
  const missing = 'pk_00000000000000000000'
  const blank = (text: string) => text.replace(/req_\w+/, '')
  for (const path of ['/keys/{id}', '/keys/{id}/rotate', '/keys/{id}/revoke']) {
    const ask = (key: string) => {
      const to = path.replace('{id}', key)
      return path === '/keys/{id}'
        ? owner.get(to)
        : owner.post(to, path.endsWith('rotate') ? { overlap_hours: 1 } : undefined)
    }
    const [theirs, none] = [await ask(id), await ask(missing)]
    assert.equal(theirs.status, 404)
    assert.equal(blank(theirs.text), blank(none.text))
  }
  assert.equal(
    (await owner.get('/keys')).body.data.some((key: { id: string }) => key.id === id),
    false,
  )
})

test('console keys: a key with access to other workspaces is not rotated here: its secret would open them; it can be revoked', async () => {
  const other = await service.workspace()
  const wide = await service.key({ workspace, reach: [workspace, other.id] })
  const response = await owner.post(`/keys/${wide.id}/rotate`, { overlap_hours: 1 })
  assert.equal(response.status, 400)
  assert.match(response.body.detail.message, /access to other workspaces/)
  assert.equal((await owner.post(`/keys/${wide.id}/revoke`)).status, 200)
})

test('console keys: 403 role_required: an admin rotates no key of another person and of no person; its person and owners do', async () => {
  const admin = await signedIn(service, workspace, { role: 'admin' })
  const other = await signedIn(service, workspace, { role: 'admin' })
  const rotate = (who: Person, id: string) => who.post(`/keys/${id}/rotate`, { overlap_hours: 0 })
  const canRotate = async (who: Person, id: string) => {
    const listed = (await who.get('/keys')).body.data.find((key: { id: string }) => key.id === id)
    assert.equal((await who.get(`/keys/${id}`)).body.can_rotate, listed.can_rotate)
    return listed.can_rotate
  }
  const owned = (await owner.post('/keys', NEW)).body
  const unowned = await service.key({ workspace })
  const colleagues = (await other.post('/keys', NEW)).body
  for (const id of [owned.key.id, unowned.id, colleagues.key.id]) {
    const refused = await rotate(admin, id)
    assert.equal(refused.status, 403, refused.text)
    assert.equal(refused.body.detail.code, 'role_required')
    assert.ok(!refused.text.includes('svc_'), 'no secret')
    assert.equal(await canRotate(admin, id), false)
    assert.equal(await canRotate(owner, id), true)
  }
  assert.equal((await service.get('/me', owned.secret)).status, 200, 'nothing was changed')
  assert.equal(await canRotate(other, colleagues.key.id), true)
  assert.equal((await rotate(other, colleagues.key.id)).status, 200, 'one’s own')
  assert.equal((await rotate(owner, colleagues.key.id)).status, 200, 'an owner any')
  assert.equal((await admin.post(`/keys/${owned.key.id}/revoke`)).status, 200, 'others may revoke')
})

test('console keys: 403 email_domain_not_allowed: keys are managed by people of the allowed domains alone', async () => {
  const place = (await service.workspace()).id
  const { db } = service.services
  await db.query(
    sql`update workspace_settings set key_management_domains = ${['Allowed.example']}::text[] where workspace_id = ${place}`,
  )
  const outsider = await signedIn(service, place, { email: 'o@other.example' })
  const lookalike = await signedIn(service, place, { email: 'o@evil-allowed.example' })
  const insider = await signedIn(service, place, { email: 'i@allowed.EXAMPLE' })
  const key = await insider.post('/keys', NEW)
  assert.equal(key.status, 200)
  for (const person of [outsider, lookalike]) {
    const tries = [
      await person.post('/keys', NEW),
      await person.post(`/keys/${key.body.key.id}/rotate`, { overlap_hours: 0 }),
      await person.post(`/keys/${key.body.key.id}/revoke`),
    ]
    for (const response of tries) {
      assert.equal(response.status, 403)
      assert.equal(response.body.detail.code, 'email_domain_not_allowed')
    }
    assert.match((await person.get('/session')).body.key_management_refused, /Allowed\.example/)
    assert.equal((await person.get('/keys')).status, 200, 'they may look')
  }
  assert.equal((await insider.get('/session')).body.key_management_refused, null)
  assert.equal((await service.get('/me', key.body.secret)).status, 200, 'nothing was changed')
})

test('console keys: the domain of an address is what follows its last @, whole and in any case; an empty list allows all', () => {
  assert.ok(mayManageKeys('a@x.example', []))
  assert.ok(mayManageKeys('a@X.example', ['x.EXAMPLE']))
  assert.ok(!mayManageKeys('a@sub.x.example', ['x.example']))
  assert.ok(!mayManageKeys('a@x.example@y.example', ['x.example']))
  assert.ok(!mayManageKeys('', ['x.example']))
})
