import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Step } from '../../src/hiring/authors.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { withdrawApplication } from '../../src/resources/applications/index.ts'
import { apply, newJob, sharedWorld, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'

let world: World
let owner: Person
let member: Person
const ownerName = 'Olga Kensington'
const memberName = 'Tom Ibarrola'

before(async () => {
  world = await sharedWorld()
  const enter = (role: 'owner' | 'member', name: string) => {
    const [firstName, lastName] = name.split(' ') as [string, string]
    return signedIn(world.service, world.workspace, { role, firstName, lastName, program: 'hiring' })
  }
  owner = await enter('owner', ownerName)
  member = await enter('member', memberName)
})

const db = () => world.service.services.db

const historyOf = async (id: string, reader = owner): Promise<Step[]> =>
  (await reader.get(`/candidates/${id}`)).body.history.data

/** What a step did, in the names of stages, and who did it. */
const inShort = ({ from_stage_id, to_stage_id, from_status, to_status, own, by }: Step) => {
  const stage = (id: string | null) =>
    id === null ? null : ['applied', 'screen', 'interview', 'hired', 'rejected'][world.job.stages.indexOf(id)]
  return {
    stage: to_stage_id === null ? null : [stage(from_stage_id), stage(to_stage_id)],
    status: to_status === null ? null : [from_status, to_status],
    by: by.kind === 'person' ? by.name : by.kind === 'service' ? null : `${by.kind} ${by.name}`,
    own,
  }
}

const change = async (person: Person, changes: object[]) => {
  const { status, body } = await person.post('/applications/changes', { changes })
  assert.equal(status, 200)
  return body.results
}

test('GET /candidates/{id}: the history names the person of every move and decision', async () => {
  const { id } = await apply(world)
  const [, screen, interview] = world.job.stages
  await change(member, [{ id, action: 'move', stage_id: screen }])
  await owner.post(`/v1/applications/${id}/move`, { stage_id: interview })
  await change(member, [{ id, action: 'reject', reason: 'Too far away' }])
  await change(member, [{ id, action: 'undo' }])
  await owner.post(`/v1/applications/${id}/hire`)
  assert.deepEqual((await historyOf(id)).map(inShort), [
    { stage: ['interview', 'hired'], status: ['in_review', 'hired'], by: ownerName, own: true },
    { stage: null, status: ['rejected', 'in_review'], by: memberName, own: false },
    { stage: null, status: ['in_review', 'rejected'], by: memberName, own: false },
    { stage: ['screen', 'interview'], status: null, by: ownerName, own: true },
    { stage: ['applied', 'screen'], status: ['new', 'in_review'], by: memberName, own: false },
    { stage: [null, 'applied'], status: null, by: `key ${world.key.name}`, own: false },
  ])
})

test('GET /candidates/{id}: a withdrawal names the member, and no one if the candidate did it', async () => {
  const [byTeam, byCandidate] = [await apply(world), await apply(world)]
  await change(member, [{ id: byTeam.id, action: 'withdraw', reason: 'Called us' }])
  await db().transaction(tx => withdrawApplication(tx, world.workspace, byCandidate.id))
  assert.deepEqual(inShort((await historyOf(byTeam.id))[0]!), {
    stage: null,
    status: ['new', 'withdrawn'],
    by: memberName,
    own: false,
  })
  assert.equal(inShort((await historyOf(byCandidate.id))[0]!).by, null)
})

test('GET /candidates/{id}: the history names the key of a change by the API', async () => {
  const { id } = await apply(world)
  await world.service.post(`/applications/${id}/move`, world.key, { stage_id: world.job.stages[1] })
  await world.service.post(`/applications/${id}/reject`, world.key, { reason: 'No' })
  const authors = (await historyOf(id)).map(step => inShort(step).by)
  assert.deepEqual(authors, Array(3).fill(`key ${world.key.name}`))
})

test('GET /candidates/{id}: who removes a stage has moved the people who were in it', async () => {
  const job = await newJob(world.service, world.workspace)
  const { id } = await apply({ ...world, job })
  const { body } = await owner.get(`/jobs/${job.id}/stages`)
  const [first, ...stages] = body.stages
  const { status } = await owner.post(`/jobs/${job.id}/stages`, {
    expected_version: body.version,
    stages: stages.map(({ id, name, type }: Record<string, string>) => ({ id, name, type })),
    moves: [{ from: first.id, to: 0 }],
  })
  assert.equal(status, 200)
  const [moved] = await historyOf(id)
  assert.deepEqual([moved!.to_stage_id, moved!.by.name], [stages[0].id, ownerName])
})

test('GET /candidates/{id}: a person who has left is not named; a step of earlier releases has no author', async () => {
  const { id } = await apply(world)
  const [, screen] = world.job.stages
  const leaving = await signedIn(world.service, world.workspace, { role: 'member', program: 'hiring' })
  await change(leaving, [{ id, action: 'move', stage_id: screen }])
  await db().query(sql`delete from users where workspace_id = ${world.workspace} and id = ${leaving.userId}`)
  assert.deepEqual((await historyOf(id))[0]!.by, { kind: 'person', name: null })
  await db().query(sql`
    update status_transitions set user_id = null where workspace_id = ${world.workspace} and application_id = ${id}`)
  await db().query(sql`
    update stage_transitions set user_id = null where workspace_id = ${world.workspace} and application_id = ${id}`)
  assert.deepEqual((await historyOf(id))[0]!.by, { kind: 'service', name: null })
})

test('GET /candidates/{id}: members read the history of their jobs; a viewer reads who made the last step alone', async () => {
  const { id } = await apply(world)
  await change(owner, [{ id, action: 'move', stage_id: world.job.stages[1] }])
  assert.equal((await historyOf(id, member)).length, 2)
  const viewer = await signedIn(world.service, world.workspace, { role: 'viewer', program: 'hiring' })
  const { body } = await viewer.get(`/candidates/${id}`)
  assert.equal(body.history.refused.required_scope, 'applications:internal:read')
  assert.deepEqual([body.latest_step.own, body.latest_step.by], [false, { kind: 'person', name: ownerName }])
})

test('POST /applications/changes: a change that came too late names the person who was faster', async () => {
  const { id } = await apply(world)
  const [applied, screen, interview] = world.job.stages
  const expected = { stage_id: applied, status: 'new' }
  await change(owner, [{ id, action: 'move', stage_id: screen, expected }])
  const [refused] = await change(member, [{ id, action: 'move', stage_id: interview, expected }])
  assert.deepEqual([refused.ok, refused.code], [false, 'stale_resource'])
  assert.deepEqual([refused.latest.own, refused.latest.by], [false, { kind: 'person', name: ownerName }])
  const [again] = await change(owner, [{ id, action: 'reject', reason: 'No', expected }])
  assert.equal(again.latest.own, true)
})

test('GET /applications/{h}/stage-transitions: has the same fields as before', async () => {
  const { id } = await apply(world)
  const { body } = await world.service.get(`/applications/${id}/stage-transitions`, world.key)
  assert.deepEqual(Object.keys(body.data[0]).toSorted(), ['at', 'from_stage_id', 'object', 'to_stage_id'])
})
