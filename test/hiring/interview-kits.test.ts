import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { apply, newJob, newTenant, sharedWorld, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'

let world: World
let owner: Person
let member: Person
let peng: Person
let viewer: Person

before(async () => {
  world = await sharedWorld()
  const enter = (role: 'owner' | 'member' | 'viewer') =>
    signedIn(world.service, world.workspace, { role, program: 'hiring' })
  owner = await enter('owner')
  member = await enter('member')
  peng = await enter('member')
  viewer = await enter('viewer')
  await limit(peng)
})

const limit = (person: Person) =>
  world.service.services.db.query(
    sql`update users set job_access = 'team' where workspace_id = ${world.workspace} and id = ${person.userId}`,
  )

const NAMES = ['Depth', 'Clarity', 'Drive']

async function jobWithCriteria() {
  const job = await newJob(world.service, world.workspace)
  const { version } = (await owner.get(`/jobs/${job.id}/criteria`)).body
  const criteria = NAMES.map(name => ({ name }))
  assert.equal((await owner.post(`/jobs/${job.id}/criteria`, { criteria, expected_version: version })).status, 200)
  return job
}

const EMPTY = { intro: null, questions: [], criteria: null, minutes: null, interviewer_user_ids: [] as string[] }
const kits = async (job: string, person = owner) => (await person.get(`/jobs/${job}/kits`)).body
interface KitStage {
  id: string
  version: string
  kit: typeof EMPTY
}
const stageIn = (setup: { stages: KitStage[] }, id: string | undefined) => {
  const found = setup.stages.find(stage => stage.id === id)
  assert.ok(found)
  return found
}
const save = async (person: Person, job: string, stage: string | undefined, kit: object, version?: string) =>
  person.post(`/jobs/${job}/kits`, {
    stage_id: stage ?? '',
    kit: { ...EMPTY, ...kit },
    expected_version: version ?? stageIn(await kits(job), stage).version,
  })

test('a kit of a stage: text, questions, criteria that count, length and people, for those who set up the job', async () => {
  const job = await jobWithCriteria()
  const setup = await kits(job.id)
  assert.deepEqual(
    setup.stages.map((stage: { name: string; kit: object }) => [stage.name, stage.kit]),
    ['Applied', 'Screen', 'Interview'].map(name => [name, EMPTY]),
  )
  const kit = {
    intro: ' Be kind. ',
    questions: [
      { text: 'Why CAN bus?', criterion: 'depth' },
      { text: '  ', criterion: null },
      { text: 'What drives you?', criterion: null },
    ],
    criteria: ['Drive', 'Depth'],
    minutes: 45,
    interviewer_user_ids: [member.userId, member.userId],
  }
  const saved = await save(member, job.id, job.stages[1], kit)
  assert.equal(saved.status, 200, saved.text)
  assert.deepEqual(stageIn(saved.body, job.stages[1]).kit, {
    intro: 'Be kind.',
    questions: [
      { text: 'Why CAN bus?', criterion: 'Depth' },
      { text: 'What drives you?', criterion: null },
    ],
    criteria: ['Drive', 'Depth'],
    minutes: 45,
    interviewer_user_ids: [member.userId],
  })
  assert.deepEqual(await kits(job.id, viewer), saved.body)
  assert.equal((await save(viewer, job.id, job.stages[1], {})).status, 403)
  // emptied again, nothing of it is left
  assert.equal((await save(member, job.id, job.stages[1], {})).status, 200)
  const left = await world.service.services.db.query(sql`select 1 from interview_kits where job_id = ${job.id}`)
  assert.equal(left.length, 0)
})

test('a scorecard is written with the kit of its stage: the criteria that count there, in the order of the job', async () => {
  const job = await jobWithCriteria()
  const { id } = await apply({ ...world, job })
  await save(owner, job.id, job.stages[1], {
    intro: 'Ask first.',
    questions: [{ text: 'Why?', criterion: null }],
    criteria: ['Drive', 'Depth'],
    minutes: 30,
    interviewer_user_ids: [member.userId],
  })
  const panel = async () => (await member.get(`/applications/${id}/scorecards`)).body
  const names = (body: { criteria: { name: string }[] }) => body.criteria.map(({ name }) => name)
  const before = await panel()
  assert.deepEqual([before.kit, names(before), before.stage_name], [null, NAMES, 'Applied'])
  await owner.post(`/v1/applications/${id}/move`, { stage_id: job.stages[1] })
  const after = await panel()
  assert.deepEqual(after.kit, { intro: 'Ask first.', minutes: 30, questions: [{ text: 'Why?', criterion: null }] })
  assert.deepEqual([names(after), after.stage_id], [['Depth', 'Drive'], job.stages[1]])
  // criteria that the job has no longer count for nothing
  const { version } = (await owner.get(`/jobs/${job.id}/criteria`)).body
  await owner.post(`/jobs/${job.id}/criteria`, { criteria: [{ name: 'Calm' }], expected_version: version })
  assert.deepEqual(names(await panel()), ['Calm'])
})

test('400 names what is wrong: unknown criteria, people without access, lengths; 404 for stages of other jobs', async () => {
  const job = await jobWithCriteria()
  const refused = await save(owner, job.id, job.stages[0], {
    questions: [
      { text: 'x', criterion: 'Charm' },
      { text: 'x'.repeat(501), criterion: null },
    ],
    criteria: ['Depth', 'Charm'],
    interviewer_user_ids: [member.userId, peng.userId, viewer.userId, 'usr_none'],
  })
  assert.deepEqual(refused.body.detail.errors.map((fault: { param: string }) => fault.param).sort(), [
    'kit.criteria[1]',
    'kit.interviewer_user_ids[1]',
    'kit.interviewer_user_ids[2]',
    'kit.interviewer_user_ids[3]',
    'kit.questions[0].criterion',
    'kit.questions[1].text',
  ])
  for (const minutes of [4, 481]) assert.equal((await save(owner, job.id, job.stages[0], { minutes })).status, 400)
  const { version } = stageIn(await kits(job.id), job.stages[0])
  const away = await newTenant(world.service)
  for (const stage of [world.job.stages[0], away.job.stages[0], 'stg_none'])
    assert.equal((await save(owner, job.id, stage, {}, version)).status, 404, stage)
  for (const other of [away.job.id, 'job_none']) {
    assert.equal((await owner.get(`/jobs/${other}/kits`)).status, 404)
    assert.equal((await save(owner, other, job.stages[0], {}, version)).status, 404)
  }
  // a limited person who is not on the team does not know of the job
  assert.equal((await peng.get(`/jobs/${job.id}/kits`)).status, 404)
})

test('409 stale_resource: the second of two editors of a stage changes nothing; other stages are free', async () => {
  const job = await jobWithCriteria()
  const { version } = stageIn(await kits(job.id), job.stages[0])
  assert.equal((await save(owner, job.id, job.stages[0], { intro: 'First' }, version)).status, 200)
  const late = await save(member, job.id, job.stages[0], { intro: 'Second' }, version)
  assert.deepEqual([late.status, late.body.detail.code], [409, 'stale_resource'])
  assert.equal(stageIn(await kits(job.id), job.stages[0]).kit.intro, 'First')
  assert.equal((await save(member, job.id, job.stages[1], { intro: 'Free' }, version)).status, 200)
})

test('a copy of a job has its criteria and kits, stage by stage; those of the other job stay', async () => {
  const job = await jobWithCriteria()
  await save(owner, job.id, job.stages[2], { intro: 'Last', criteria: ['Clarity'], minutes: 60 })
  const { id: copy } = (await owner.post(`/jobs/${job.id}/duplicate`, { title: 'Second team' })).body
  const copied = await kits(copy)
  assert.deepEqual(
    copied.stages.map((stage: { kit: { intro: string } }) => stage.kit.intro),
    [null, null, 'Last'],
  )
  assert.deepEqual(copied.stages[2].kit, { ...EMPTY, intro: 'Last', criteria: ['Clarity'], minutes: 60 })
  assert.deepEqual(
    copied.criteria.map(({ name }: { name: string }) => name),
    NAMES,
  )
  await owner.post(`/jobs/${copy}/kits`, {
    stage_id: copied.stages[2].id,
    kit: { ...EMPTY, intro: 'Changed' },
    expected_version: copied.stages[2].version,
  })
  assert.equal(stageIn(await kits(job.id), job.stages[2]).kit.intro, 'Last')
})

test('interview defaults: length and people of each stage, without those who can no longer interview', async () => {
  const job = await jobWithCriteria()
  const { id } = await apply({ ...world, job })
  const gone = await signedIn(world.service, world.workspace, { role: 'member', program: 'hiring' })
  await save(owner, job.id, job.stages[1], { minutes: 45, interviewer_user_ids: [member.userId, gone.userId] })
  const read = async (person = owner) => await person.get(`/applications/${id}/interview-defaults`)
  const { stages } = (await read()).body
  assert.deepEqual(
    stages.map((stage: { stage_id: string; minutes: number; people: { id: string }[] }) => [
      stage.stage_id,
      stage.minutes,
      stage.people.map(one => one.id),
    ]),
    [[job.stages[1], 45, [member.userId, gone.userId]]],
  )
  await limit(gone)
  assert.deepEqual(
    (await read()).body.stages[0].people.map((one: { id: string }) => one.id),
    [member.userId],
  )
  assert.equal((await read(viewer)).status, 403)
  assert.equal((await read(gone)).status, 404)
})

test('a kit goes with its stage', async () => {
  const job = await jobWithCriteria()
  await save(owner, job.id, job.stages[1], { intro: 'Gone soon' })
  await world.service.services.db.query(
    sql`delete from pipeline_stages where workspace_id = ${world.workspace} and id = ${job.stages[1]}`,
  )
  const left = await world.service.services.db.query(sql`select 1 from interview_kits where job_id = ${job.id}`)
  assert.equal(left.length, 0)
})
