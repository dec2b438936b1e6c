import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { apply, newTenant, type World } from '../applications/setup.ts'
import { startTestService } from '../harness/service.ts'
import { signedIn } from './setup.ts'

const service = await startTestService({ ROLES: 'api', RETENTION_APPLICATION_MAX_MONTHS: '24' })
const { db } = service.services

test('console retention: 200, an owner sets periods; the preview lists the applications that would be deleted', async () => {
  const world: World = { service, ...(await newTenant(service)) }
  const { id } = await apply(world)
  await service.post(`/applications/${id}/reject`, world.key, { reason: 'No match' })
  clock.advance(70 * 86_400_000)
  const owner = await signedIn(service, world.workspace)
  const saved = await owner.post('/retention', { applications: 2, request_log: 30 })
  assert.equal(saved.status, 200, saved.text)
  const row = (kind: string) => saved.body.rows.find((r: { kind: string }) => r.kind === kind)
  assert.deepEqual([row('applications').own, row('applications').value, row('applications').fallback], [2, 2, 24])
  assert.deepEqual([row('request_log').value, row('audit').value, saved.body.longest_months], [30, 0, 24])
  const preview = await owner.get('/retention/preview')
  assert.deepEqual(preview.body.would_delete[0].n, 1)
  assert.deepEqual(
    preview.body.applications.map((a: { id: string }) => a.id),
    [id],
  )
  const other = await signedIn(service, (await newTenant(service)).workspace)
  assert.deepEqual((await other.get('/retention/preview')).body.applications, [])
  clock.reset()
})

test('console retention: 403 role_required for an admin who shortens a period; a longer one is theirs to set', async () => {
  const { workspace } = await newTenant(service)
  const owner = await signedIn(service, workspace)
  const admin = await signedIn(service, workspace, { role: 'admin' })
  assert.equal((await owner.post('/retention', { applications: 12, request_log: 20 })).status, 200)
  for (const body of [{ applications: 1 }, { applications: 18, request_log: 10 }, { audit: 90 }]) {
    const refused = await admin.post('/retention', body)
    assert.deepEqual([refused.status, refused.body.detail.code], [403, 'role_required'])
  }
  const { rows } = (await owner.get('/retention')).body
  const own = Object.fromEntries(rows.map((row: { kind: string; own: number | null }) => [row.kind, row.own]))
  assert.deepEqual([own.applications, own.request_log, own.audit], [12, 20, null])
  assert.equal((await admin.post('/retention', { applications: 18 })).status, 200)
  assert.equal((await owner.post('/retention', { applications: 2 })).status, 200)
})

test('console retention: 400 with the field, and nothing of the body is stored', async () => {
  const { workspace } = await newTenant(service)
  const owner = await signedIn(service, workspace)
  for (const [body, param] of [
    [{ request_log: 20, events: 10 }, 'events'],
    [{ request_log: 20, applications: 25 }, 'applications'],
    [{ request_log: 20, applications: 0 }, 'applications'],
  ] as const) {
    const refused = await owner.post('/retention', body)
    assert.deepEqual([refused.status, refused.body.detail.param], [400, param])
  }
  const { rows } = (await owner.get('/retention')).body
  assert.ok(rows.every((row: { own: number | null }) => row.own === null))
})

test('console workspace deletion: 403 for an admin and for an old session, 400 for another name; then everyone is signed out', async () => {
  const { id: workspace } = await service.workspace('enterprise', 'Windmill')
  const admin = await signedIn(service, workspace, { role: 'admin' })
  const body = { name: 'Windmill' }
  const refused = await admin.post('/workspace-deletion', body)
  assert.deepEqual([refused.status, refused.body.detail.code], [403, 'role_required'])

  const late = await signedIn(service, workspace)
  clock.advance(16 * 60_000)
  assert.equal((await late.get('/workspace-deletion')).body.recently_signed_in, false)
  const old = await late.post('/workspace-deletion', body)
  assert.deepEqual([old.status, old.body.detail.code], [403, 'recent_sign_in_required'])

  const owner = await signedIn(service, workspace)
  assert.deepEqual((await owner.get('/workspace-deletion')).body, { grace_days: 7, recently_signed_in: true })
  const wrong = await owner.post('/workspace-deletion', { name: 'Wind' })
  assert.deepEqual([wrong.status, wrong.body.detail.param], [400, 'name'])
  const closed = await owner.post('/workspace-deletion', body)
  assert.equal(closed.status, 200, closed.text)
  const days = (Date.parse(closed.body.delete_at) - clock.now()) / 86_400_000
  assert.ok(days > 6.9 && days <= 7, String(days))
  for (const person of [owner, admin, late]) assert.equal((await person.get('/session')).status, 401)
  const log = await db.one(sql<{ action: string; user_id: string }>`
    select action, user_id from workspace_log where workspace_id = ${workspace}`)
  assert.deepEqual(log, { action: 'deletion_scheduled', user_id: owner.userId })
  clock.reset()
})
