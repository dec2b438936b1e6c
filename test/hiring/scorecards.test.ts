import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { sendNextMails } from '../../src/kernel/mail/queue.ts'
import { teamMails } from '../../src/resources/hiring-team/index.ts'
import { apply, newJob, newTenant, sharedWorld, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'

let world: World
let owner: Person
let admin: Person
let member: Person
let viewer: Person

before(async () => {
  // a service of its own: the emails of the whole installation are sent
  world = await sharedWorld()
  const enter = (role: 'owner' | 'admin' | 'member' | 'viewer') =>
    signedIn(world.service, world.workspace, { role, program: 'hiring' })
  owner = await enter('owner')
  admin = await enter('admin')
  member = await enter('member')
  viewer = await enter('viewer')
})

const panel = (person: Person, application: string) => person.get(`/applications/${application}/scorecards`)
const write = (person: Person, application: string, summary: string, recommendation = 'yes') =>
  person.post(`/v1/applications/${application}/scorecards`, {
    recommendation,
    summary,
    ratings: [{ name: 'Communication', score: 4, comment: `because ${summary}` }],
  })

const summaries = (body: { cards: { summary: string }[] }) => body.cards.map(card => card.summary)

test('hiring scorecards: who was not asked reads all of them; so do partners with the scope, always', async () => {
  const { id } = await apply(world)
  assert.equal((await write(member, id, 'clear-thinker')).status, 201)
  for (const person of [owner, admin]) {
    const { body } = await panel(person, id)
    assert.deepEqual([summaries(body), body.hidden, body.asked], [['clear-thinker'], 0, null])
  }
  // the list of the API is not among the calls of the pages
  assert.equal((await owner.get(`/v1/applications/${id}/scorecards`)).status, 404)
  assert.equal((await world.service.get(`/applications/${id}/scorecards`, world.key)).body.data.length, 1)
  assert.equal((await panel(viewer, id)).status, 403)
  assert.equal((await write(viewer, id, 'no')).status, 403)
})

test('hiring scorecards: 404 for another workspace; empty after the processing of the person was stopped', async () => {
  const other = await newTenant(world.service)
  const away = await apply({ service: world.service, ...other })
  for (const id of [away.id, 'app_none']) {
    assert.equal((await panel(owner, id)).status, 404)
    assert.equal(
      (await owner.post(`/applications/${id}/scorecard-requests`, { user_ids: [member.userId] })).status,
      404,
    )
  }
  const application = await apply(world)
  await write(owner, application.id, 'before')
  await world.service.services.db.query(
    sql`update applicants set suppressed_at = app_now() where id = ${application.applicant_id}`,
  )
  assert.deepEqual((await panel(owner, application.id)).body.cards, [])
})

test('hiring scorecards: who is asked is listed until the card is in, gets one email, and is asked again later', async () => {
  const { id } = await apply(world)
  const path = `/applications/${id}/scorecard-requests`
  const mails = async () =>
    (await world.service.services.db.query(sql`select user_id from team_mails where application_id = ${id}`)).length
  assert.equal((await owner.post(path, { user_ids: [member.userId, admin.userId] })).status, 200)
  assert.equal((await owner.post(path, { user_ids: [member.userId] })).status, 200)
  assert.equal(await mails(), 2)
  while (await sendNextMails(world.service.services, teamMails));
  const open = async () =>
    (await panel(owner, id)).body.requests.map((one: { user: { id: string }; done: boolean }) => [
      one.user.id,
      one.done,
    ])
  assert.deepEqual(
    (await open()).toSorted(),
    [
      [member.userId, false],
      [admin.userId, false],
    ].toSorted(),
  )
  await write(member, id, 'done')
  assert.deepEqual(
    (await open()).find(([user]: [string, boolean]) => user === member.userId),
    [member.userId, true],
  )
  await owner.post(path, { user_ids: [member.userId] })
  assert.equal(await mails(), 3)
  assert.equal((await owner.post(`${path}/${admin.userId}/withdraw`)).status, 200)
  assert.equal((await owner.post(`${path}/${admin.userId}/withdraw`)).status, 404)
  assert.deepEqual(await open(), [[member.userId, false]])

  const refused = await owner.post(path, { user_ids: [viewer.userId] })
  assert.deepEqual([refused.status, refused.body.detail.errors[0].param], [400, 'user_ids[0]'])
})

test('hiring criteria: owners to members change them, everyone reads them; faults are named', async () => {
  const job = await newJob(world.service, world.workspace)
  const path = `/jobs/${job.id}/criteria`
  const empty = (await viewer.get(path)).body
  assert.deepEqual(empty.criteria, [])
  const saved = await member.post(path, {
    criteria: [{ name: ' Communication ', description: 'Listens first' }, { name: 'Depth' }],
    expected_version: empty.version,
  })
  assert.equal(saved.status, 200)
  assert.deepEqual(saved.body.criteria, [
    { name: 'Communication', description: 'Listens first' },
    { name: 'Depth', description: null },
  ])
  assert.deepEqual((await viewer.get(path)).body, saved.body)
  const { version } = saved.body
  assert.equal((await viewer.post(path, { criteria: [], expected_version: version })).status, 403)
  const refused = await owner.post(path, {
    criteria: [{ name: 'Depth' }, { name: 'DEPTH' }, { name: '  ' }, { name: 'x'.repeat(121) }],
    expected_version: version,
  })
  assert.deepEqual(
    refused.body.detail.errors.map((fault: { param: string }) => fault.param),
    ['criteria[1].name', 'criteria[2].name', 'criteria[3].name'],
  )
  const application = await apply({ ...world, job })
  assert.equal((await panel(member, application.id)).body.criteria.length, 2)
})

test('hiring criteria: 409 stale_resource: the second of two editors changes nothing', async () => {
  const job = await newJob(world.service, world.workspace)
  const path = `/jobs/${job.id}/criteria`
  const { version } = (await owner.get(path)).body
  assert.equal((await owner.post(path, { criteria: [{ name: 'First' }], expected_version: version })).status, 200)
  const late = await admin.post(path, { criteria: [{ name: 'Second' }], expected_version: version })
  assert.deepEqual([late.status, late.body.detail.code], [409, 'stale_resource'])
  assert.equal((await owner.get(path)).body.criteria[0].name, 'First')
  const other = await newTenant(world.service)
  for (const id of [other.job.id, 'job_none']) {
    assert.equal((await owner.get(`/jobs/${id}/criteria`)).status, 404)
    assert.equal((await owner.post(`/jobs/${id}/criteria`, { criteria: [], expected_version: version })).status, 404)
  }
})
