import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../../src/app.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { probeRoutes } from '../harness/probe-routes.ts'
import { startTestService } from '../harness/service.ts'

const service = await startTestService({}, { routes: [...routes, ...probeRoutes] })
const [a, b, c] = [await service.workspace(), await service.workspace(), await service.workspace()]
const single = await service.key({ workspace: a.id, userEmail: a.userEmail })
const pair = await service.key({ workspace: a.id, reach: [a.id, b.id] })
const listOfOne = await service.key({ workspace: a.id, reach: [b.id] })
const everywhere = await service.key({ workspace: a.id, reach: 'all' })
const withoutId = (text: string) => text.replace(/req_\w+/, 'req_x')

test('workspace and scope: 200: a key of one workspace never needs to name it, and may', async () => {
  assert.equal((await service.get('/probes', single)).status, 200)
  assert.equal((await service.get(`/probes?workspace_id=${a.id}`, single)).status, 200)
})

test('workspace and scope: 404 not_found: naming another workspace is like naming none there is', async () => {
  const foreign = await service.get(`/probes?workspace_id=${b.id}`, single)
  const missing = await service.get(`/probes?workspace_id=${newHandle('workspace')}`, single)
  const malformed = await service.get('/probes?workspace_id=nonsense', single)
  assert.equal(foreign.status, 404)
  assert.equal(withoutId(foreign.text), withoutId(missing.text))
  assert.equal(withoutId(foreign.text), withoutId(malformed.text))
})

test('workspace and scope: 404: another spelling of the parameter names the same workspace', async () => {
  assert.equal((await service.get(`/probes?work%73pace_id=${b.id}`, single)).status, 404)
  assert.equal((await service.get(`/probes?work%73pace_id=${a.id}`, single)).status, 200)
  assert.equal((await service.get(`/ping?workspace_id=${a.id}`)).status, 400)
})

test('workspace and scope: 400 workspace_id_required: a key of several workspaces must name one', async () => {
  for (const key of [pair, everywhere]) {
    const response = await service.get('/probes', key)
    assert.equal(response.status, 400)
    assert.equal(response.body.detail.code, 'workspace_id_required')
    assert.equal(response.body.detail.param, 'workspace_id')
    assert.equal((await service.get(`/probes?workspace_id=${b.id}`, key)).status, 200)
  }
})

test('workspace and scope: 404: a list key does not reach a workspace outside its list, a key of all reaches each', async () => {
  assert.equal((await service.get(`/probes?workspace_id=${c.id}`, pair)).status, 404)
  assert.equal((await service.get(`/probes?workspace_id=${c.id}`, everywhere)).status, 200)
  assert.equal((await service.get(`/probes?workspace_id=${newHandle('workspace')}`, everywhere)).status, 404)
  assert.equal((await service.get('/probes?workspace_id=nonsense', everywhere)).status, 404)
})

test('workspace and scope: 200: a list key of one workspace need not name it', async () => {
  const me = await service.get('/me', listOfOne)
  assert.equal(me.body.workspace_id_required, false)
  assert.deepEqual(me.body.workspace_ids, [b.id])
  assert.equal((await service.get(`/workspaces/${b.id}`, listOfOne)).status, 200)
  assert.equal((await service.get(`/workspaces/${a.id}`, listOfOne)).status, 404)
})

test('workspace and scope: 200: /me, /me/access, /workspaces and the audit list need no workspace named', async () => {
  for (const path of ['/me', '/me/access', '/workspaces', '/audit/personal-data-reads']) {
    assert.equal((await service.get(path, everywhere)).status, 200, path)
    assert.equal((await service.get(`${path}?workspace_id=${b.id}`, everywhere)).status, 200, path)
    assert.equal((await service.get(`${path}?workspace_id=${c.id}`, pair)).status, 404, path)
  }
})

test('workspace and scope: me: says what a key reaches', async () => {
  const of = async (key: typeof single) => {
    const { body } = await service.get('/me', key)
    return [body.workspace_scope, body.workspace_ids.toSorted(), body.workspace_id_required]
  }
  assert.deepEqual(await of(single), ['single', [a.id], false])
  assert.deepEqual(await of(pair), ['list', [a.id, b.id].toSorted(), true])
  assert.deepEqual(await of(everywhere), ['all', [a.id, b.id, c.id].toSorted(), true])
})

test('workspace and scope: workspaces: lists what the key reaches and nothing else', async () => {
  const ids = async (key: typeof single) =>
    (await service.get('/workspaces', key)).body.data.map((w: { id: string }) => w.id).toSorted()
  assert.deepEqual(await ids(single), [a.id])
  assert.deepEqual(await ids(pair), [a.id, b.id].toSorted())
  assert.deepEqual(await ids(everywhere), [a.id, b.id, c.id].toSorted())
})

test('workspace and scope: workspace: fields and links', async () => {
  const { body } = await service.get(`/workspaces/${a.id}`, single)
  assert.deepEqual(Object.keys(body), ['object', 'id', 'name', 'environment', 'created_at', 'updated_at', 'links'])
  assert.equal(body.object, 'workspace')
  assert.deepEqual(Object.keys(body.links), ['self', 'users', 'jobs'])
  for (const link of Object.values(body.links)) assert.match(String(link), /^\/api\/partner\/v1\//)
})

test('workspace and scope: users: the whole membership in one page; a member of another workspace is a 404 like a missing one', async () => {
  const list = await service.get(`/workspaces/${a.id}/users`, single)
  assert.equal(list.body.next_cursor, null)
  assert.equal(list.body.has_more, false)
  const [user] = list.body.data
  assert.deepEqual(Object.keys(user), [
    'object',
    'id',
    'workspace_id',
    'email',
    'first_name',
    'last_name',
    'is_verified',
    'role',
    'kind',
    'photo_url',
    'created_at',
    'updated_at',
    'last_login_at',
    'links',
  ])
  assert.deepEqual((await service.get(`/users/${user.id}`, single)).body, user)
  const foreign = await service.get(`/users/${b.userId}`, single)
  const missing = await service.get(`/users/${newHandle('user')}`, single)
  const wrongType = await service.get(`/users/${a.id}`, single)
  assert.equal(foreign.status, 404)
  assert.equal(withoutId(foreign.text), withoutId(missing.text))
  assert.equal(wrongType.status, 404)
  assert.equal((await service.get(`/workspaces/${b.id}/users`, single)).status, 404)
  assert.equal((await service.get(`/workspaces/${a.id}/users?limit=5`, single)).status, 200)
})

test('workspace and scope: 403 insufficient_scope: names the scope that is missing', async () => {
  const narrow = await service.key({ workspace: a.id, scopes: ['jobs:read'] })
  const response = await service.get('/workspaces', narrow)
  assert.equal(response.status, 403)
  assert.equal(response.body.detail.code, 'insufficient_scope')
  assert.equal(response.body.detail.type, 'permission')
  assert.equal(response.body.detail.required_scope, 'workspaces:read')
  assert.match(response.body.detail.message, /workspaces:read/)
  assert.equal((await service.get('/me', narrow)).status, 200)
})

test('workspace and scope: 403 write_requires_api_key: a key without a user reads and does not write', async () => {
  const ownerless = await service.key({ workspace: a.id })
  assert.equal((await service.get('/probes', ownerless)).status, 200)
  const response = await service.post('/probes', ownerless, { name: 'x' })
  assert.equal(response.status, 403)
  assert.equal(response.body.detail.code, 'write_requires_api_key')
  assert.equal((await service.get('/probes', ownerless)).body.data.length, 0)
})

test('workspace and scope: keys: paid scopes can be granted only where there is a plan', async () => {
  const free = await service.workspace('none')
  for (const scope of ['notes:write', 'scorecards:write', 'messages:send', 'webhooks:write']) {
    await assert.rejects(service.key({ workspace: free.id, scopes: [scope] }), /no plan/)
  }
  const all = await service.key({ workspace: free.id, scopes: 'all' })
  assert.equal(all.scopes.length, 30)
})

test('workspace and scope: me/access: every field of every resource, visible or restricted with its reason', async () => {
  const narrow = await service.key({ workspace: a.id, scopes: ['users:read'] })
  const { body } = await service.get('/me/access?limit=100', narrow)
  const [workspaces, users] = ['workspaces', 'users'].map(name =>
    body.data.find((row: { resource: string }) => row.resource === name),
  )
  assert.equal(workspaces.object, 'resource_access')
  assert.equal(workspaces.readable, false)
  assert.ok(workspaces.fields.every((f: { reason: string }) => f.reason === 'scope_required:workspaces:read'))
  assert.equal(users.readable, true)
  assert.ok(users.fields.every((f: { state: string; reason: null }) => f.state === 'visible' && f.reason === null))
})
