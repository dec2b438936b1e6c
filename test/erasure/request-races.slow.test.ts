import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import {
  approveRequest,
  erasureById,
  openErasures,
  requestErasure,
  runErasure,
} from '../../src/resources/erasures/index.ts'
import { apply, body, endlessKeys, newJob, newTenant, startWorld, upload, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { readFeed } from '../harness/feed.ts'
import { lockWaits } from '../harness/lock-waits.ts'
import { until } from '../harness/receiver.ts'
import { killWorker, startWorker } from '../harness/worker-process.ts'
import { askAllHolders } from './holders.ts'

const home = await startWorld()
const { service } = home
const { db } = service.services
const other: World = { service, ...(await newTenant(service)) }
const third: World = { service, ...(await newTenant(service)) }
let owner: Person
let otherOwner: Person
let thirdOwner: Person

before(async () => {
  owner = await signedIn(service, home.workspace)
  otherOwner = await signedIn(service, other.workspace)
  thirdOwner = await signedIn(service, third.workspace)
})

async function work(): Promise<void> {
  for (const { id } of await db.query(openErasures())) await runErasure(service.services, id)
}
async function ask(who: Person, email: string) {
  const response = await who.post('/erasures', { email, reason: 'erasure_request', confirmation: email })
  await askAllHolders(db)
  return response
}
const openRequests = async (who: Person) => (await who.get('/erasure-requests?state=open')).body.data
const stateOf = async (who: Person, id: string) => (await who.get(`/erasure-requests/${id}`)).body.state
const heldIn = async (at: World, email: string) =>
  (await service.get(`/applicants?email=${email}`, at.key)).body.data.length
/** Deletions and data-subject events of a workspace, each of which must come once. */
async function assertEmittedOnce(at: World): Promise<void> {
  const events = (await readFeed(service, at.workspace))
    .filter(event => /deleted$|^data_subject/.test(event.type))
    .map(event => `${event.type} ${event.data.object.id}`)
  assert.deepEqual(events, [...new Set(events)])
}

test('erasure request races: two workspaces request one person at the same time: each erases its own, neither waits for the other, a third is notified once', async () => {
  const email = 'same.time@example.org'
  for (const at of [home, other, third]) await apply(at, {}, { email })
  const responses = await Promise.all([ask(owner, email), ask(otherOwner, email)])
  assert.deepEqual(
    responses.map(a => [a.status, a.body.is_new]),
    [
      [200, true],
      [200, true],
    ],
  )
  await work()
  assert.deepEqual([await heldIn(home, email), await heldIn(other, email), await heldIn(third, email)], [0, 0, 1])
  assert.deepEqual([await openRequests(owner), await openRequests(otherOwner)], [[], []])
  assert.equal((await openRequests(thirdOwner)).length, 1)
  for (const at of [home, other]) await assertEmittedOnce(at)
})

test('erasure request races: approved while the person applies again and again: nothing is left there, and the rest of the installation continues', async () => {
  const email = 'applies.on@example.org'
  for (const at of [home, other, third]) await apply(at, {}, { email })
  await ask(owner, email)
  const [request] = await openRequests(otherOwner)
  const jobs = await Promise.all(Array.from({ length: 4 }, () => newJob(service, other.workspace)))
  const statuses = new Set<number>()
  let stop = false
  const writers = jobs.map(async (job, i) => {
    const nextKey = endlessKeys(other)
    for (let n = 0; !stop; n++) {
      const candidate = body(jobs[(i + n) % jobs.length] ?? job, {}, { email })
      statuses.add((await service.post('/applications', await nextKey(), candidate)).status)
    }
  })
  try {
    await until('applications are stored', () => statuses.has(201) || statuses.has(200))
    assert.equal((await otherOwner.post(`/erasure-requests/${request.id}/approve`)).status, 200)
    await work()
    await until('the next is refused', () => statuses.has(409))
  } finally {
    stop = true
    await Promise.all(writers)
  }
  assert.equal(await heldIn(other, email), 0)
  assert.equal(await heldIn(third, email), 1)
  assert.equal(
    (await service.post('/applications', third.key, body(await newJob(service, third.workspace), {}, { email })))
      .status,
    201,
  )
  await assertEmittedOnce(other)
})

test('erasure request races: approved twice at the same time: one erasure, every event once', async () => {
  const email = 'approved.twice@example.org'
  for (const at of [home, other]) await apply(at, {}, { email })
  await ask(owner, email)
  const [request] = await openRequests(otherOwner)
  const responses = await Promise.all([1, 2, 3].map(() => otherOwner.post(`/erasure-requests/${request.id}/approve`)))
  assert.deepEqual(
    responses.map(a => a.status),
    [200, 200, 200],
  )
  assert.equal(new Set(responses.map(a => a.body.erasure_id)).size, 1)
  await work()
  assert.equal(await heldIn(other, email), 0)
  await assertEmittedOnce(other)
})

test('erasure request races: approved and declined at the same time: one decision holds, and the records follow it', async () => {
  for (const email of ['either.one@example.org', 'either.two@example.org']) {
    for (const at of [home, other]) await apply(at, {}, { email })
    await ask(owner, email)
    const [request] = await openRequests(otherOwner)
    const [approved, declined] = await Promise.all([
      otherOwner.post(`/erasure-requests/${request.id}/approve`),
      otherOwner.post(`/erasure-requests/${request.id}/decline`, {}),
    ])
    assert.deepEqual([approved.status, declined.status].toSorted(), [200, 400])
    await work()
    const won = approved.status === 200
    assert.equal(await stateOf(otherOwner, request.id), won ? 'approved' : 'declined')
    assert.equal(await heldIn(other, email), won ? 0 : 1)
  }
})

test('erasure request races: the operator erases while an owner approves: all is erased, in either order', async () => {
  const email = 'operator.too@example.org'
  for (const at of [home, other, third]) await apply(at, {}, { email })
  await ask(owner, email)
  const [request] = await openRequests(otherOwner)
  const [, approved] = await Promise.all([
    requestErasure(db, { email, requestedBy: 'command_line' }),
    otherOwner.post(`/erasure-requests/${request.id}/approve`),
  ])
  assert.ok([200, 400].includes(approved.status), approved.text)
  await work()
  assert.equal(await stateOf(otherOwner, request.id), approved.status === 200 ? 'approved' : 'superseded')
  for (const at of [home, other, third]) {
    assert.equal(await heldIn(at, email), 0)
    await assertEmittedOnce(at)
  }
  const left = await db.query(sql`select 1 from erasure_requests where identifiers::text like '%operator.too%'`)
  assert.deepEqual(left, [])
})

test('erasure request races: declined, then erased by the operator: the person is erased, the decision stays on record', async () => {
  const email = 'declined.first@example.org'
  for (const at of [home, other]) await apply(at, {}, { email })
  await ask(owner, email)
  const [request] = await openRequests(otherOwner)
  await otherOwner.post(`/erasure-requests/${request.id}/decline`, {})
  const { id } = await requestErasure(db, { email, requestedBy: 'command_line' })
  await runErasure(service.services, id)
  assert.equal(await heldIn(other, email), 0)
  assert.equal(await stateOf(otherOwner, request.id), 'declined')
})

test('erasure request races: a crash after any step of an approved erasure: the next process continues, and other workspaces lose nothing', async () => {
  const email = 'steps@example.org'
  for (const at of [home, other, third]) await apply(at, { resume_upload_id: await upload(at) }, { email })
  await ask(owner, email)
  const [request] = await openRequests(otherOwner)
  const { id } = (await approveRequest(db, {
    id: request.id,
    workspace: other.workspace,
    decidedBy: otherOwner.userId,
  }))!
  const completed = async () => (await db.one(erasureById(id)))!.completed_at !== null
  for (let runs = 0; !(await completed()); runs++) {
    assert.ok(runs < 50)
    const dying = () => {
      throw new Error('died')
    }
    await assert.rejects(runErasure(service.services, id, dying), /died/)
  }
  assert.equal(await heldIn(other, email), 0)
  assert.equal(await heldIn(third, email), 1)
  await assertEmittedOnce(other)
})

test('erasure request races: kill -9 of the worker in the middle of an approved erasure: another one completes it, in that workspace alone', async () => {
  const email = 'killed.after@example.org'
  for (const at of [home, other, third]) await apply(at, { resume_upload_id: await upload(at) }, { email })
  await ask(owner, email)
  await work()
  const [request] = await openRequests(otherOwner)
  const { id } = (await approveRequest(db, {
    id: request.id,
    workspace: other.workspace,
    decidedBy: otherOwner.userId,
  }))!
  const settings = { DATABASE_URL: service.database.url, DATA_DIR: service.services.config.DATA_DIR }
  const held = async () => (await lockWaits(db)) > 0
  const holder = await db.session()
  await holder.script('begin')
  await holder.query(sql`
    select 1 from applicants where workspace_id = ${other.workspace} and email_key = ${email} for update`)
  const first = await startWorker(settings)
  await until('the worker waits for the applicant', held)
  await killWorker(first)
  await holder.script('rollback')
  await holder.close()
  assert.equal(await heldIn(other, email), 1)
  const second = await startWorker(settings)
  await until('another worker completed it', async () => (await db.one(erasureById(id)))!.completed_at !== null)
  await killWorker(second)
  assert.deepEqual([await heldIn(other, email), await heldIn(third, email)], [0, 1])
  await assertEmittedOnce(other)
})
