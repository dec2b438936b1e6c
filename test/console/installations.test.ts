import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sharedTestService, type TestService } from '../harness/service.ts'
import { installable, installIn } from '../installations/setup.ts'
import { signedIn } from './setup.ts'

let service: TestService
let app: Awaited<ReturnType<typeof installable>>

before(async () => {
  service = await sharedTestService()
  app = await installable(service)
})

const installed = async () => {
  const workspace = (await service.workspace()).id
  const { access_token: key, installation_id: id } = await installIn(service, app, workspace)
  return { workspace, key, id, admin: await signedIn(service, workspace, { role: 'admin' }) }
}

test('console installations: listed with scopes, use and who installed it; another workspace’s is 404', async () => {
  const { admin, id, key } = await installed()
  await service.get('/me', key)
  const [row, ...more] = (await admin.get('/installations')).body.data
  assert.deepEqual([row.id, row.app, row.status, more], [id, { id: app.id, name: 'Skill Checks' }, 'active', []])
  assert.deepEqual([row.scopes, row.budget, row.personal_data_today], [['applications:read', 'notes:write'], 500, 0])
  assert.equal(row.installed_by, 'Ada Byron')
  assert.equal((await admin.get(`/installations/${id}`)).body.id, id)
  const { admin: stranger } = await installed()
  for (const path of ['', '/suspend', '/resume', '/uninstall']) {
    const response = await (path === ''
      ? stranger.get(`/installations/${id}`)
      : stranger.post(`/installations/${id}${path}`))
    assert.equal(response.status, 404, path)
  }
})

test('console installations: suspended, the key is 401; resumed, 200; uninstalled, 401 permanently', async () => {
  const { admin, id, key } = await installed()
  const status = async () => (await service.get('/me', key)).status
  assert.equal((await admin.post(`/installations/${id}/suspend`)).body.suspended_by, 'workspace')
  assert.equal(await status(), 401)
  assert.equal((await admin.post(`/installations/${id}/resume`)).body.status, 'active')
  assert.equal(await status(), 200)
  const ended = await admin.post(`/installations/${id}/uninstall`)
  assert.deepEqual([ended.body.status, await status()], ['ended', 401])
  assert.equal((await admin.post(`/installations/${id}/resume`)).body.status, 'ended')
  assert.equal(await status(), 401)
})

test('console: the key of an installation is not rotated, its user is not a person, its app is not one to sign in to', async () => {
  const { workspace, admin, id } = await installed()
  const owner = await signedIn(service, workspace)
  const { credential_id } = (await admin.get(`/installations/${id}`)).body
  const rotated = await owner.post(`/keys/${credential_id}/rotate`, { overlap_hours: 0 })
  assert.equal(rotated.status, 400)
  const key = (await owner.get('/keys')).body.data.find((row: { id: string }) => row.id === credential_id)
  assert.equal(key.can_rotate, false)
  const people = (await admin.get('/people')).body.data.map((row: { name: string }) => row.name)
  assert.ok(!people.includes('Skill Checks'), people.join())
  const home = await signedIn(service, app.workspace_id)
  assert.equal((await home.get(`/apps/${app.id}`)).status, 404)
  assert.equal((await home.post(`/apps/${app.id}/rotate`, { overlap_hours: 0 })).status, 404)
})

test('console settings: only owners decide who installs apps', async () => {
  const { workspace, admin } = await installed()
  assert.equal((await admin.post('/settings', { app_installs: 'off' })).status, 403)
  const owner = await signedIn(service, workspace)
  assert.equal((await owner.post('/settings', { app_installs: 'off' })).body.app_installs, 'off')
  assert.equal((await owner.post('/settings', { app_installs: 'anyone' })).status, 400)
})
