import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type Sql, sql } from '../../src/kernel/db/sql.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { moveApplication } from '../../src/resources/applications/index.ts'
import { createJob, setStages } from '../../src/resources/jobs/index.ts'
import { apply, type Job, newJob, readEvents, sharedWorld, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { lockWaits } from '../harness/lock-waits.ts'
import type { TestResponse } from '../harness/service.ts'

let world: World
const people = {} as Record<'owner' | 'admin' | 'member' | 'viewer', Person>
let stranger: Person

before(async () => {
  world = await sharedWorld()
  for (const role of ['owner', 'admin', 'member', 'viewer'] as const)
    people[role] = await signedIn(world.service, world.workspace, { role, program: 'hiring' })
  stranger = await signedIn(world.service, (await world.service.workspace()).id, { program: 'hiring' })
})

const query = <R>(statement: Sql<R>) => world.service.services.db.query(statement)
const assertFault = ({ status, body }: TestResponse, code: string, param: string, message?: RegExp) => {
  assert.deepEqual([status, body.detail.code], [400, code])
  const found = body.detail.errors.find((fault: { param: string }) => fault.param === param)
  assert.ok(found, JSON.stringify(body.detail.errors))
  if (message) assert.match(found.message, message)
}

interface Stage {
  id: string
  name: string
  type: string
  is_terminal: boolean
  application_count: number
}
const kept = ({ id, name, type, is_terminal }: Stage) => ({ id, name, type, is_terminal })

const stagesOf = async (job: Job) => (await people.member.get(`/jobs/${job.id}/stages`)).body
const applicationsIn = (job: Job) =>
  query(sql<{ id: string; stage_id: string }>`
    select id, stage_id from applications where workspace_id = ${world.workspace} and job_id = ${job.id} order by id`)
const freshJob = (more?: Parameters<typeof newJob>[2]) => newJob(world.service, world.workspace, more)

test('job setup: 401 without a session; 403 for people who may not change it; 404 for another workspace, as for a missing job', async () => {
  const job = await freshJob()
  const paths = ['stages', 'form', 'questions'].map(part => `/jobs/${job.id}/${part}`)
  for (const path of [...paths, '/template-form']) {
    const visitor = await world.service.call('GET', `${world.service.origin}/hiring/api${path}`, {})
    assert.equal(visitor.status, 401, path)
  }
  const bodies = {
    stages: { stages: [{ name: 'A', type: 'custom' }] },
    form: { fields: [] },
    questions: { questions: [] },
  }
  for (const [part, body] of Object.entries(bodies)) {
    const path = `/jobs/${job.id}/${part}`
    const refused = await people.viewer.post(path, body)
    assert.deepEqual([refused.status, refused.body.detail.code], [403, 'role_required'], path)
    const missing = [await stranger.get(path), await stranger.get(`/jobs/${newHandle('job')}/${part}`)]
    const unwritten = [await stranger.post(path, body), await stranger.post(`/jobs/${newHandle('job')}/${part}`, body)]
    for (const { status, body } of [...missing, ...unwritten])
      assert.deepEqual([status, body.detail.code], [404, 'not_found'])
  }
  // what the API shows only with jobs:screening:read is not shown here either
  assert.deepEqual(await Promise.all(paths.map(async path => (await people.viewer.get(path)).status)), [200, 200, 403])
  for (const role of ['owner', 'admin', 'member'] as const)
    for (const path of paths) assert.equal((await people[role].get(path)).status, 200, `${role} ${path}`)
  assert.equal((await people.viewer.post(`/jobs/${job.id}/form/use-template`, {})).status, 403)
  assert.equal((await stranger.post(`/jobs/${job.id}/form/use-template`, {})).status, 404)
  assert.deepEqual((await stagesOf(job)).stages.length, 5)
})

test('stages: 200 with counts and version; added, renamed, ordered and retyped in one change with one event', async () => {
  const job = await freshJob()
  await apply({ ...world, job })
  const read = await stagesOf(job)
  assert.deepEqual(read.job, { id: job.id, title: 'Engineer', status: 'published' })
  assert.deepEqual(
    read.stages.map((stage: Stage) => [stage.name, stage.application_count]),
    [
      ['Applied', 1],
      ['Screen', 0],
      ['Interview', 0],
      ['Hired', 0],
      ['Rejected', 0],
    ],
  )
  const [applied, screen, interview, hired, rejected] = read.stages.map(kept)
  const stages = [
    applied,
    { name: ' Trial day ', type: 'custom' },
    { ...interview, name: 'Panel' },
    { ...screen, type: 'assessment' },
    hired,
    rejected,
  ]
  const before = (await readEvents(world, world.workspace)).length
  const { status, body } = await people.member.post(`/jobs/${job.id}/stages`, {
    stages,
    expected_version: read.version,
  })
  assert.equal(status, 200)
  assert.deepEqual(
    body.stages.map((stage: Stage) => [stage.name, stage.type, stage.is_terminal]),
    [
      ['Applied', 'applied', false],
      ['Trial day', 'custom', false],
      ['Panel', 'interview', false],
      ['Screen', 'assessment', false],
      ['Hired', 'hired', true],
      ['Rejected', 'rejected', true],
    ],
  )
  assert.equal(body.stages[2].id, interview.id)
  assert.notEqual(body.version, read.version)
  assert.equal((await stagesOf(job)).version, body.version)
  const events = (await readEvents(world, world.workspace)).slice(before)
  assert.deepEqual(
    events.map(event => [event.type, event.data.object['changed']]),
    [['job.sections_updated', ['pipeline_stages']]],
  )
  const again = await people.member.post(`/jobs/${job.id}/stages`, {
    stages: body.stages.map(kept),
    expected_version: body.version,
  })
  assert.deepEqual([again.status, again.body.version], [200, body.version])
  assert.equal((await readEvents(world, world.workspace)).length, before + 1)
})

test('stages: 400: a stage with applications is not removed without a place for them; nothing is changed', async () => {
  const job = await freshJob()
  await apply({ ...world, job })
  const read = await stagesOf(job)
  const rest = read.stages.slice(1).map(kept)
  const remove = (moves?: unknown) => people.member.post(`/jobs/${job.id}/stages`, { stages: rest, moves })
  assertFault(await remove(), 'invalid_request', 'moves', /stage Applied has applications/)
  const [applied] = job.stages
  assertFault(await remove([{ from: applied, to: 9 }]), 'invalid_request', 'moves[0].to')
  assertFault(await remove([{ from: applied, to: 2 }]), 'invalid_request', 'moves[0].to', /must not be a final stage/)
  assertFault(await remove([{ from: job.stages[1], to: 0 }]), 'invalid_request', 'moves[0].from')
  const twice = [
    { from: applied, to: 0 },
    { from: applied, to: 1 },
  ]
  assertFault(await remove(twice), 'invalid_request', 'moves[1].from', /occurs twice/)
  assert.equal((await stagesOf(job)).version, read.version)
  assert.deepEqual(
    (await applicationsIn(job)).map(({ stage_id }) => stage_id),
    [applied],
  )
})

test('stages: 200: the applications of a removed stage go to the chosen one, each with its step and its event', async () => {
  const job = await freshJob()
  const first = await apply({ ...world, job })
  const second = await apply({ ...world, job })
  await query(sql`update applicants set suppressed_at = app_now() where id = ${second.applicant_id}`)
  const read = await stagesOf(job)
  const before = (await readEvents(world, world.workspace)).length
  const { status, body } = await people.member.post(`/jobs/${job.id}/stages`, {
    stages: [{ name: 'New', type: 'applied' }, ...read.stages.slice(1).map(kept)],
    moves: [{ from: job.stages[0], to: 0 }],
    expected_version: read.version,
  })
  assert.equal(status, 200)
  assert.deepEqual([body.stages[0].name, body.stages[0].application_count], ['New', 2])
  const target = body.stages[0].id
  assert.deepEqual(new Set((await applicationsIn(job)).map(({ stage_id }) => stage_id)), new Set([target]))
  const events = (await readEvents(world, world.workspace)).slice(before)
  assert.deepEqual(
    events.map(event => event.type),
    ['application.stage_changed', 'application.stage_changed', 'job.sections_updated'],
  )
  for (const event of events.slice(0, 2)) {
    assert.deepEqual(event.data.previous_attributes, { stage_id: job.stages[0] })
    assert.deepEqual([event.data.object['stage_id'], event.data.object['job_id']], [target, job.id])
    assert.ok(!('origin' in event.data.object))
  }
  const shown = (await people.member.get(`/v1/applications/${first.id}`)).body
  assert.equal(shown.stage_id, target)
  assert.ok(shown.updated_at > first.updated_at)
  const steps = (await people.owner.get(`/v1/applications/${first.id}/stage-transitions`)).body.data
  assert.deepEqual([steps.at(-1).from_stage_id, steps.at(-1).to_stage_id], [job.stages[0], target])
  assert.equal(steps.at(-1).at, shown.updated_at)
})

test('stages: 200: what is in a removed final stage may go to another final stage', async () => {
  const job = await freshJob()
  const application = await apply({ ...world, job })
  const [, , , hired, rejected] = job.stages
  await query(sql`update applications set stage_id = ${rejected} where id = ${application.id}`)
  const read = await stagesOf(job)
  const { status } = await people.member.post(`/jobs/${job.id}/stages`, {
    stages: read.stages.slice(0, 4).map(kept),
    moves: [{ from: rejected, to: 3 }],
  })
  assert.equal(status, 200)
  assert.deepEqual(await applicationsIn(job), [{ id: application.id, stage_id: hired }])
})

test('stages: 200: a stage with more applications than one statement moves; every one has one event', async () => {
  const job = await freshJob()
  const ids = Array.from({ length: 1_100 }, () => newHandle('application'))
  await query(sql`
    insert into applications (workspace_id, id, job_id, stage_id, source)
    select ${world.workspace}, id, ${job.id}, ${job.stages[1]}, 'public_board' from unnest(${ids}::text[]) as id`)
  const read = await stagesOf(job)
  const { status, body } = await people.member.post(`/jobs/${job.id}/stages`, {
    stages: read.stages.filter((stage: Stage) => stage.id !== job.stages[1]).map(kept),
    moves: [{ from: job.stages[1], to: 0 }],
  })
  assert.equal(status, 200)
  assert.equal(body.stages[0].application_count, ids.length)
  const events = await readEvents(world, world.workspace)
  const moved = events.filter(
    event => event.type === 'application.stage_changed' && event.data.object['job_id'] === job.id,
  )
  assert.equal(moved.length, ids.length)
  assert.equal(new Set(moved.map(event => event.data.object['id'])).size, ids.length)
})

test('stages: 409 stale_resource: a version that is not the current one changes nothing; a change of the form does not count', async () => {
  const job = await freshJob()
  const read = await stagesOf(job)
  const stages = read.stages.map(kept)
  const renamed = stages.map((stage: Stage, i: number) => (i === 0 ? { ...stage, name: 'Inbox' } : stage))
  await people.owner.post(`/jobs/${job.id}/form`, { fields: [{ label: 'Why?', type: 'textarea' }] })
  const first = await people.owner.post(`/jobs/${job.id}/stages`, { stages: renamed, expected_version: read.version })
  assert.equal(first.status, 200)
  const second = await people.member.post(`/jobs/${job.id}/stages`, {
    stages: [...stages, { name: 'Late', type: 'custom' }],
    expected_version: read.version,
  })
  assert.deepEqual([second.status, second.body.detail.code], [409, 'stale_resource'])
  assert.match(second.body.detail.message, /Someone changed the stages/)
  assert.equal((await stagesOf(job)).version, first.body.version)
})

test('stages: 400: a published job keeps a stage that is not final; a foreign stage, an empty list and a blank name are refused', async () => {
  const job = await freshJob()
  const other = await freshJob()
  const set = (stages: unknown) => people.member.post(`/jobs/${job.id}/stages`, { stages })
  assertFault(await set([{ name: 'Hired', type: 'hired' }]), 'invalid_request', 'stages', /not final/)
  assertFault(await set([{ id: other.stages[0], name: 'A', type: 'custom' }]), 'invalid_request', 'stages[0].id')
  assertFault(await set([]), 'invalid_request', 'stages')
  assertFault(await set([{ name: ' ', type: 'custom' }]), 'invalid_request', 'stages[0].name')
  assertFault(await set([{ name: 'A', type: 'other' }]), 'invalid_request', 'stages[0].type')
  assert.equal((await stagesOf(job)).stages.length, 5)
  const draft = await freshJob({ status: 'draft' })
  const ended = await people.member.post(`/jobs/${draft.id}/stages`, { stages: [{ name: 'Hired', type: 'hired' }] })
  assert.equal(ended.status, 200)
})

/** Until a statement waits for a lock. */
async function blocked(): Promise<void> {
  while ((await lockWaits(world.service.services.db)) === 0) {}
}

test('stages: 200: an application that is moved into a removed stage at the same time is moved on', async () => {
  const job = await freshJob()
  const waiting = await apply({ ...world, job })
  const other = await apply({ ...world, job })
  const { workspace } = world
  const [applied, screen, interview] = job.stages
  await query(sql`update applications set stage_id = ${screen} where id = ${waiting.id}`)
  const read = await stagesOf(job)
  let removal!: Promise<TestResponse>
  await world.service.services.db.transaction(async tx => {
    await moveApplication(tx, { workspace, id: other.id, stageId: screen!, originKeyId: null })
    removal = people.member.post(`/jobs/${job.id}/stages`, {
      stages: read.stages.filter((stage: Stage) => stage.id !== screen).map(kept),
      moves: [{ from: screen, to: 1 }],
    })
    await blocked()
  })
  const { status, body } = await removal
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(new Set((await applicationsIn(job)).map(({ stage_id }) => stage_id)), new Set([interview]))
  assert.deepEqual(body.stages[0].id, applied)
})

test('stages: 400: an application that is moved into a removed stage at the same time keeps it, without a place for it', async () => {
  const job = await freshJob()
  const application = await apply({ ...world, job })
  const { workspace } = world
  const [, screen] = job.stages
  const read = await stagesOf(job)
  let removal!: Promise<TestResponse>
  await world.service.services.db.transaction(async tx => {
    await moveApplication(tx, { workspace, id: application.id, stageId: screen!, originKeyId: null })
    const stages = read.stages.filter((stage: Stage) => stage.id !== screen).map(kept)
    removal = people.member.post(`/jobs/${job.id}/stages`, { stages })
    await blocked()
  })
  assertFault(await removal, 'invalid_request', 'moves', /stage Screen has applications/)
  assert.deepEqual(await applicationsIn(job), [{ id: application.id, stage_id: screen }])
})

test('POST /applications/{h}/move: 409 application_modified_concurrently: the stage is removed while the move waits', async () => {
  const job = await freshJob()
  const application = await apply({ ...world, job })
  const { workspace } = world
  const { stages } = await stagesOf(job)
  let move!: Promise<TestResponse>
  await world.service.services.db.transaction(async tx => {
    await setStages(tx, workspace, job.id, stages.filter((stage: Stage) => stage.id !== job.stages[1]).map(kept))
    move = world.service.post(`/applications/${application.id}/move`, world.key, { stage_id: job.stages[1] })
    await blocked()
  })
  const { status, body } = await move
  assert.deepEqual([status, body.detail.code], [409, 'application_modified_concurrently'])
  assert.deepEqual(await applicationsIn(job), [{ id: application.id, stage_id: job.stages[0] }])
})

const EVERY_TYPE = [
  { label: 'Full name', type: 'text', candidate_field: 'name', required: true },
  { label: 'Email', type: 'email', candidate_field: 'email', required: true },
  { label: 'About the work', type: 'section', help_text: 'Two minutes.' },
  { label: 'Shift', type: 'select', options: ['Day', 'Night'], required: true },
  { label: 'Tools', type: 'multiselect', options: ['Drill', 'Saw'] },
  { label: 'Do you drive?', type: 'boolean' },
  { label: 'License', type: 'text', max_length: 40, condition: { position: 5, values: ['true'] } },
  { label: 'Letter', type: 'textarea', max_length: 2000 },
  { label: 'Years', type: 'number' },
  { label: 'Start', type: 'date' },
  { label: 'Portfolio', type: 'url' },
  { label: 'Second address', type: 'email' },
  { label: 'Second phone', type: 'phone' },
  { label: 'Certificate', type: 'file', help_text: 'PDF or picture.' },
  { label: 'Gender', type: 'eeo', options: ['Woman', 'Man', 'Other'] },
  { label: 'I agree', type: 'consent', help_text: 'We keep your data for six months.', required: true },
]

interface FieldRead {
  id: string
  label: string
  type: string
  version: number
  condition: { field_id: string; values: string[] } | null
  [name: string]: unknown
}
const WRITTEN = [
  'id',
  'label',
  'type',
  'required',
  'section',
  'help_text',
  'options',
  'max_length',
  'candidate_field',
  'condition',
]
const written = (field: FieldRead) => Object.fromEntries(WRITTEN.map(name => [name, field[name]]))

test('form: 200: every type of field, a condition and a consent are stored and shown to candidates; its text has a version', async () => {
  const job = await freshJob()
  const read = (await people.member.get(`/jobs/${job.id}/form`)).body
  assert.deepEqual([read.is_template, read.fields], [true, []])
  const before = (await readEvents(world, world.workspace)).length
  const saved = await people.member.post(`/jobs/${job.id}/form`, { fields: EVERY_TYPE, expected_version: read.version })
  assert.equal(saved.status, 200, saved.text)
  const fields: FieldRead[] = saved.body.fields
  assert.deepEqual(
    fields.map(field => [field.label, field.type]),
    EVERY_TYPE.map(({ label, type }) => [label, type]),
  )
  assert.deepEqual(fields[6]!.condition, { field_id: fields[5]!.id, values: ['true'] })
  assert.equal(saved.body.is_template, false)
  const shown = (await people.viewer.get(`/v1/jobs/${job.id}/application-form`)).body
  assert.deepEqual(
    shown.fields.map((field: FieldRead) => field.id),
    fields.map(field => field.id),
  )
  const consent = fields.at(-1)!
  assert.equal(consent.version, 1)
  const next = fields.map(field => written(field.type === 'consent' ? { ...field, help_text: 'One year.' } : field))
  const again = await people.member.post(`/jobs/${job.id}/form`, { fields: next, expected_version: saved.body.version })
  assert.equal(again.body.fields.at(-1).version, 2)
  assert.deepEqual(
    again.body.fields.slice(0, -1).map((field: FieldRead) => field.version),
    Array(EVERY_TYPE.length - 1).fill(1),
  )
  const events = (await readEvents(world, world.workspace)).slice(before)
  assert.deepEqual(
    events.map(event => [event.type, event.data.object['changed']]),
    Array(2).fill(['job.sections_updated', ['application_form']]),
  )
})

test('form: 400 names each wrong field: no label, no options, options of another type, a condition on a later field', async () => {
  const job = await freshJob()
  const set = (fields: unknown) => people.member.post(`/jobs/${job.id}/form`, { fields })
  assertFault(await set([{ label: ' ', type: 'text' }]), 'invalid_request', 'fields[0].label')
  const wrong = await set([
    { label: 'A', type: 'select' },
    { label: 'B', type: 'text', options: ['x'] },
    { label: 'C', type: 'text', condition: { position: 3, values: ['true'] } },
    { label: 'D', type: 'boolean' },
    { id: 'email', label: 'E', type: 'email' },
  ])
  assert.deepEqual(
    wrong.body.detail.errors.map((fault: { param: string }) => fault.param),
    ['fields[0].options', 'fields[1].options', 'fields[2].condition', 'fields[4].id'],
  )
  assert.equal((await people.member.get(`/jobs/${job.id}/form`)).body.is_template, true)
})

test('form: 409 stale_resource for the form and for the way back to the template; then 200 uses the template', async () => {
  const job = await freshJob()
  const path = `/jobs/${job.id}/form`
  const read = (await people.member.get(path)).body
  const saved = (await people.owner.post(path, { fields: [{ label: 'Why?', type: 'text' }] })).body
  for (const [to, body] of [
    [path, { fields: [{ label: 'When?', type: 'text' }], expected_version: read.version }],
    [`${path}/use-template`, { expected_version: read.version }],
  ] as const) {
    const stale = await people.member.post(to, body)
    assert.deepEqual([stale.status, stale.body.detail.code], [409, 'stale_resource'])
  }
  assert.equal((await people.member.get(path)).body.version, saved.version)
  const back = await people.member.post(`${path}/use-template`, { expected_version: saved.version })
  assert.deepEqual([back.status, back.body.is_template, back.body.fields], [200, true, []])
  assert.ok(back.body.template.some((field: FieldRead) => field['candidate_field'] === 'email'))
})

test('template form: 403 for members and viewers, who may read it; 200 for owners and admins', async () => {
  for (const role of ['member', 'viewer'] as const) {
    assert.equal((await people[role].get('/template-form')).status, 200)
    const refused = await people[role].post('/template-form', { fields: [] })
    assert.deepEqual([refused.status, refused.body.detail.code], [403, 'role_required'])
  }
  const read = (await people.admin.get('/template-form')).body
  const fields = [...read.fields.map(written), { label: 'Earliest start', type: 'date' }]
  const saved = await people.admin.post('/template-form', { fields, expected_version: read.version })
  assert.equal(saved.status, 200, saved.text)
  const stale = await people.owner.post('/template-form', { fields: [], expected_version: read.version })
  assert.deepEqual([stale.status, stale.body.detail.code], [409, 'stale_resource'])
  assert.equal((await people.owner.get('/template-form')).body.version, saved.body.version)
})

test('template form: 200 in a workspace without jobs shows the default form; a change counts and notifies the jobs that use it', async () => {
  const { id: workspace } = await world.service.workspace()
  const owner = await signedIn(world.service, workspace, { program: 'hiring' })
  const empty = (await owner.get('/template-form')).body
  assert.deepEqual(empty.jobs, { published: 0, draft: 0, closed: 0, own: 0 })
  assert.ok(
    empty.fields.length > 3 && empty.fields.every((field: { is_default_label: boolean }) => field.is_default_label),
  )
  const make = (title: string) => world.service.services.db.transaction(tx => createJob(tx, workspace, { title }))
  const [user, loner] = [await make('User'), await make('Loner')]
  await owner.post(`/jobs/${loner}/form`, { fields: [{ label: 'Own', type: 'text' }] })
  const read = (await owner.get('/template-form')).body
  assert.equal(read.version, empty.version)
  assert.deepEqual(read.jobs, { published: 0, draft: 1, closed: 0, own: 1 })
  assert.deepEqual(read.own_forms, [{ id: loner, title: 'Loner', status: 'draft' }])
  const before = (await readEvents(world, workspace)).length
  const fields = read.fields.map((field: FieldRead) => written({ ...field, required: true }))
  const saved = await owner.post('/template-form', { fields, expected_version: read.version })
  assert.deepEqual([saved.status, saved.body.emitting], [200, false])
  const events = (await readEvents(world, workspace)).slice(before)
  assert.deepEqual(
    events.map(event => [event.type, event.data.object['id'], event.data.object['changed']]),
    [['job.sections_updated', user, ['application_form']]],
  )
})

test('questions: 200: common ones and up to five of the job; 400 and 409 change nothing; roles without the scope see none', async () => {
  const job = await freshJob()
  const path = `/jobs/${job.id}/questions`
  const read = (await people.member.get(path)).body
  assert.deepEqual([read.questions, read.dial_in_code], [[], null])
  const question = (kind: string, n: number) => ({
    kind,
    prompt: `Question ${n}?`,
    response_key: `${kind}_${n}`,
    answer_type: 'text',
  })
  const questions = [
    question('common', 1),
    { ...question('adaptive', 1), answer_type: 'choice', choices: ['Yes', 'No'], required: true },
  ]
  const saved = await people.member.post(path, { questions, expected_version: read.version })
  assert.equal(saved.status, 200, saved.text)
  assert.deepEqual(
    saved.body.questions.map((q: Record<string, unknown>) => [q['kind'], q['choices'], q['source']]),
    [
      ['common', null, 'recruiter'],
      ['adaptive', ['Yes', 'No'], 'recruiter'],
    ],
  )
  const stale = await people.owner.post(path, { questions: [], expected_version: read.version })
  assert.deepEqual([stale.status, stale.body.detail.code], [409, 'stale_resource'])
  const six = Array.from({ length: 6 }, (_, n) => question('adaptive', n))
  assertFault(await people.member.post(path, { questions: six }), 'invalid_request', 'questions', /at most 5/)
  const same = [question('common', 1), question('common', 1)]
  assertFault(await people.member.post(path, { questions: same }), 'invalid_request', 'questions[1].response_key')
  const bare = [{ ...question('common', 1), answer_type: 'choice' }]
  assertFault(await people.member.post(path, { questions: bare }), 'invalid_request', 'questions[0].choices')
  assert.equal((await people.member.get(path)).body.version, saved.body.version)
  assert.equal((await people.member.get(`/jobs/${job.id}/form`)).body.questions.length, 2)
  assert.deepEqual((await people.viewer.get(`/jobs/${job.id}/form`)).body.questions, [])
})
