import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { openErasures, runErasure } from '../../src/resources/erasures/index.ts'
import { removeUser } from '../../src/resources/users/index.ts'
import { apply, newTenant, startWorld, type World } from '../applications/setup.ts'
import { type Person, signedIn } from './setup.ts'

let home: World
let other: World
let owner: Person
let admin: Person
let stranger: Person

before(async () => {
  home = await startWorld()
  const { service } = home
  other = { service, ...(await newTenant(service)) }
  owner = await signedIn(service, home.workspace)
  admin = await signedIn(service, home.workspace, { role: 'admin' })
  stranger = await signedIn(service, (await service.workspace()).id)
})

const work = async () => {
  const { services } = home.service
  for (const { id } of await services.db.query(openErasures())) await runErasure(services, id)
}
const request = (email: string, more: object = {}) => ({
  email,
  reason: 'erasure_request',
  confirmation: email,
  ...more,
})

test('console erasures: 403 role_required: an admin can neither start an erasure nor look up a person, and nothing is erased', async () => {
  await apply(home, {}, { email: 'kept@example.org' })
  for (const path of ['/erasures', '/erasures/preview']) {
    const body = path === '/erasures' ? request('kept@example.org') : { email: 'kept@example.org' }
    const response = await admin.post(path, body)
    assert.equal(response.status, 403)
    assert.equal(response.body.detail.code, 'role_required')
  }
  assert.deepEqual((await admin.get('/erasures')).body.data, [])
})

test('console erasures: 400: without the address typed again, without an address, with both, or none that is one; it is not repeated', async () => {
  const wrong = [
    request('kept@example.org', { confirmation: 'kpet@example.org' }),
    { reason: 'erasure_request', confirmation: '' },
    request('kept@example.org', { linkedin_url: 'https://www.linkedin.com/in/kept' }),
    request('unknown'),
    request('kept@example.org', { reason: 'because' }),
  ]
  for (const body of wrong) assert.equal((await owner.post('/erasures', body)).status, 400, JSON.stringify(body))
  const response = await owner.post('/erasures', wrong[0])
  assert.equal(response.body.detail.param, 'confirmation')
  assert.deepEqual((await owner.get('/erasures')).body.data, [])
})

test('console erasures: the preview counts what this workspace holds, and reveals nothing of others', async () => {
  await apply(home, {}, { email: 'seen@example.org' })
  await apply(other, {}, { email: 'seen@example.org' })
  await apply(other, {}, { email: 'elsewhere@example.org' })
  const here = (await owner.post('/erasures/preview', { email: 'Seen@Example.org' })).body.held_here
  const counts = Object.fromEntries(here.map((h: { object: string; count: number }) => [h.object, h.count]))
  assert.equal(counts['applicant'], 1)
  assert.equal(counts['application'], 1)
  assert.deepEqual((await owner.post('/erasures/preview', { email: 'elsewhere@example.org' })).body, { held_here: [] })
})

test('console erasures: a request runs to its end in this workspace; its progress is seen, its person never; partners confirm', async () => {
  const { service } = home
  await apply(home, {}, { email: 'goes@example.org' })
  await apply(other, {}, { email: 'goes@example.org' })
  const unused = await service.key({ workspace: home.workspace, userEmail: owner.email, name: 'Never used' })
  const started = await owner.post('/erasures', request('goes@example.org', { confirmation: ' GOES@example.org' }))
  assert.equal(started.status, 200, started.text)
  assert.equal(started.body.is_new, true)
  const path = `/erasures/${started.body.id}`

  const running = (await owner.get(path)).body
  assert.equal(running.status, 'suppressed')
  assert.deepEqual([running.completed_at, running.running], [null, true])
  assert.deepEqual([running.requested_by, running.approved], ['Pia', false])
  assert.ok(running.progress.found > running.progress.done)

  await work()
  // a key that was made afterwards has nothing to confirm, nor has one that never made a call
  const late = await service.key({ workspace: home.workspace, userEmail: owner.email })
  assert.equal((await service.get('/jobs', late)).status, 200)
  await service.services.usage.flush()
  const done = (await owner.get(path)).body
  assert.equal(done.status, 'erased')
  assert.equal(done.progress.found, done.progress.done)
  assert.equal(done.running, false)
  assert.notEqual(done.completed_at, null)
  assert.ok(done.subjects.some((s: { object: string }) => s.object === 'applicant'))
  assert.match(done.identifiers[0].value, /^[0-9a-f]{64}$/)
  assert.deepEqual(
    done.waiting.map((key: { id: string }) => key.id),
    [home.key.id],
  )
  assert.equal((await service.get('/jobs', unused)).status, 200)
  await service.services.usage.flush()
  assert.deepEqual(
    (await owner.get(path)).body.waiting.map((key: { id: string }) => key.id),
    [unused.id, home.key.id],
  )
  const listed = async () =>
    (await owner.get('/erasures')).body.data.find((row: { id: string }) => row.id === started.body.id)
  assert.deepEqual([(await listed()).acknowledgements, (await listed()).unconfirmed], [0, 2])
  const acknowledged = { deleted_at: '2026-01-01T00:00:00Z' }
  const responses = await Promise.all(
    [home.key, unused, other.key].map(key =>
      service.post(`/suppressions/${started.body.id}/acknowledge`, key, acknowledged),
    ),
  )
  assert.deepEqual(
    responses.map(a => a.status),
    [200, 200, 404],
  )
  const confirmed = (await owner.get(path)).body
  assert.deepEqual([confirmed.waiting, confirmed.overdue, confirmed.acknowledgements], [[], false, 2])
  assert.deepEqual([(await listed()).acknowledgements, (await listed()).unconfirmed], [2, 0])
  assert.deepEqual(
    confirmed.confirmations.map((c: { key: { id: string } }) => c.key.id).toSorted(),
    [home.key.id, unused.id].toSorted(),
  )

  const list = await owner.get('/erasures')
  assert.equal(list.body.data[0].id, started.body.id)
  for (const text of [list.text, (await owner.get(path)).text]) {
    assert.ok(!text.includes('goes@'), 'the address is gone')
    assert.ok(!text.includes(other.workspace), 'nothing of other workspaces')
    assert.ok(!text.includes(other.key.id))
  }
  const again = await owner.post('/erasures', request('goes@example.org'))
  assert.deepEqual(again.body, { id: started.body.id, is_new: false })
})

test('GET /erasures/{id}: overdue once the time to confirm is over and a key has not', async () => {
  const { service } = home
  const { workspace, key, job } = await newTenant(service)
  const { cookie, ...person } = await signedIn(service, workspace)
  await apply({ service, key, job }, {}, { email: 'late@example.org' })
  const { id } = (await person.post('/erasures', request('late@example.org'))).body
  await work()
  await service.services.usage.flush()
  const overdue = async () => (await person.get(`/erasures/${id}`)).body.overdue
  assert.equal(await overdue(), false)
  // a session ends before eight days are over, so the deadline moves instead of the clock
  await service.services.db.query(
    sql`update suppressions set delete_by = app_now() - interval '1 hour' where id = ${id}`,
  )
  assert.equal(await overdue(), true)
  assert.equal(
    (await service.post(`/suppressions/${id}/acknowledge`, key, { deleted_at: '2026-01-01T00:00:00Z' })).status,
    200,
  )
  assert.equal(await overdue(), false)
})

test('console erasures: the requesting workspace sees its request about a person whom only others hold; the others see no erasure', async () => {
  await apply(other, {}, { email: 'theirs@example.org' })
  const { id } = (await owner.post('/erasures', request('theirs@example.org'))).body
  await work()
  const seen = (await owner.get(`/erasures/${id}`)).body
  assert.equal(seen.status, 'erased')
  assert.deepEqual([seen.subjects, seen.waiting, seen.confirmations, seen.records], [[], [], [], []])
  const theirs = await signedIn(home.service, other.workspace)
  const missing = await stranger.get('/erasures/00000000-0000-4000-8000-000000000000')
  for (const who of [theirs, stranger]) {
    assert.deepEqual((await who.get('/erasures')).body.data, [])
    const foreign = await who.get(`/erasures/${id}`)
    assert.equal(foreign.status, 404)
    assert.equal(foreign.body.detail.message, missing.body.detail.message)
  }
  assert.equal((await stranger.get('/erasures/x')).status, 404)
})

test('GET /erasures/{id}: a request by a removed owner is shown as a former member’s, not another workspace’s', async () => {
  const { service } = home
  const leaves = await signedIn(service, home.workspace)
  const { id } = (await leaves.post('/erasures', request('leaver@example.org'))).body
  await removeUser(service.services.db, { workspace: home.workspace, user: leaves.userId })
  assert.equal((await owner.get(`/erasures/${id}`)).body.requested_by, 'former_member')
})

test('console erasures: stop_processing is complete immediately and erases nothing', async () => {
  await apply(home, {}, { email: 'stays@example.org' })
  const { id } = (await owner.post('/erasures', request('stays@example.org', { reason: 'stop_processing' }))).body
  const row = (await owner.get(`/erasures/${id}`)).body
  assert.equal(row.status, 'suppressed')
  assert.notEqual(row.completed_at, null)
  const { held_here } = (await owner.post('/erasures/preview', { email: 'stays@example.org' })).body
  assert.ok(held_here.length > 0)
})

test('console erasures: a suppression that came with imported data is shown, and is not waited for', async () => {
  const id = '00000000-0000-4000-8000-00000000000a'
  const { db } = home.service.services
  await db.query(sql`
    insert into suppressions (id, status, reason, delete_by) values (${id}, 'suppressed', 'stop_processing', app_now())`)
  await db.query(sql`
    insert into workspace_suppressions (workspace_id, suppression_id, subjects)
    values (${home.workspace}, ${id}, '[{"object":"applicant","id":"apl_one"}]')`)
  const row = (await owner.get(`/erasures/${id}`)).body
  assert.deepEqual([row.requested_by, row.running, row.completed_at], [null, false, null])
  assert.deepEqual(row.subjects, [{ object: 'applicant', id: 'apl_one' }])
})
