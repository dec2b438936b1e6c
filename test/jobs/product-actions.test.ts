import assert from 'node:assert/strict'
import { test } from 'node:test'
import { API_PREFIX } from '../../src/contract/version.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { ApiError } from '../../src/kernel/errors/api-error.ts'
import { UserError } from '../../src/kernel/errors/user-error.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import {
  createJob,
  deleteJob,
  editJob,
  emitTemplateForms,
  setForm,
  setQuestions,
  setStages,
  setTemplateForm,
} from '../../src/resources/jobs/index.ts'
import { useTemplateForm } from '../../src/resources/jobs/set-sections.ts'
import { emitTemplateFormsWorker } from '../../src/workers/emit-template-forms.ts'
import { startJobs } from './setup.ts'

const { db, eventsOf, newWorkspace, service, typesOf } = await startJobs()

const { workspace, key } = await newWorkspace()
const other = await newWorkspace()

type Work = Parameters<typeof db.transaction<void>>[0]
const act = (work: Work) => db.transaction(work)
const add = (title = 'Job') => db.transaction(tx => createJob(tx, workspace, { title, content: { summary: 'Text' } }))
const read = async (id: string, path = '') => (await service.get(`/jobs/${id}${path}`, key)).body
const failsWith = (code: string) => (error: unknown) => error instanceof ApiError && error.code === code

test('createJob: a draft of the product with default stages and form; job.updated without origin', async () => {
  const id = await db.transaction(tx =>
    createJob(tx, workspace, {
      title: ' Baker ',
      close_at: '2030-01-01T01:00:00+01:00',
      external_apply_url: 'https://apply.example',
    }),
  )
  const job = await read(id)
  assert.equal(job.title, 'Baker')
  assert.equal(job.status, 'draft')
  assert.equal(job.close_at, '2030-01-01T00:00:00.000Z')
  assert.equal(job.external_apply_url, 'https://apply.example')
  assert.equal(job.source.system, 'tahoe_native')
  assert.equal((await read(id, '/pipeline-stages')).data.length, 6)
  const [event, ...rest] = await eventsOf(id)
  assert.equal(rest.length, 0)
  assert.equal(event?.type, 'job.updated')
  assert.equal(Object.hasOwn(event!.data.object, 'origin'), false)
  assert.deepEqual(event?.data.object['changed'], ['title', 'external_apply_url', 'close_at'])
})

test('createJob and editJob: invalid_request with every fault; nothing is written', async () => {
  const input = { title: ' ', years_min: 99, close_at: 'soon', source: { system: 'x' } }
  await assert.rejects(
    act(async tx => void (await createJob(tx, workspace, input as never))),
    (error: unknown) => {
      assert.ok(error instanceof ApiError)
      assert.deepEqual(error.details.errors?.map(e => e.param).toSorted(), [
        'close_at',
        'source.system',
        'title',
        'years_min',
      ])
      return true
    },
  )
  const id = await add()
  await assert.rejects(
    act(tx => editJob(tx, workspace, id, { close_at: 'soon' })),
    failsWith('invalid_request'),
  )
  await assert.rejects(
    act(tx => editJob(tx, workspace, id, { status: 'published' } as never)),
    failsWith('invalid_request'),
  )
  assert.deepEqual(await typesOf(id), ['job.updated'])
})

test('editJob: job.updated names what changed; the same again is nothing; a stale version is refused', async () => {
  const id = await add()
  const before = await read(id)
  await act(tx => editJob(tx, workspace, id, { department: 'Kitchen', title: 'Job' }))
  const event = (await eventsOf(id)).at(-1)!
  assert.deepEqual(event.data.object['changed'], ['department'])
  assert.deepEqual(event.data.previous_attributes, { department: null })
  const { updated_at } = await read(id)
  await act(tx => editJob(tx, workspace, id, { department: 'Kitchen' }))
  assert.equal((await read(id)).updated_at, updated_at)
  await assert.rejects(
    act(tx => editJob(tx, workspace, id, { team: 'x' }, { expectedUpdatedAt: before.updated_at })),
    failsWith('stale_resource'),
  )
  await assert.rejects(
    act(tx => editJob(tx, other.workspace, id, { team: 'x' })),
    failsWith('not_found'),
  )
})

test('job actions: setStages: order, names and handles; job.sections_updated once; a stage with applications stays', async () => {
  const id = await add()
  const stages = (await read(id, '/pipeline-stages')).data
  const before = await read(id)
  const [applied, screen, , , hired, rejected] = stages
  const next = [
    { id: screen.id, name: 'Call', type: 'screen' as const },
    { id: applied.id, name: 'Applied', type: 'applied' as const },
    { name: 'Trial day', type: 'custom' as const },
    { id: hired.id, name: 'Hired', type: 'hired' as const },
  ]
  await act(tx => setStages(tx, workspace, id, next))
  const after = (await read(id, '/pipeline-stages')).data
  assert.deepEqual(
    after.map((s: Record<string, unknown>) => [s['name'], s['position'], s['is_terminal']]),
    [
      ['Call', 0, false],
      ['Applied', 1, false],
      ['Trial day', 2, false],
      ['Hired', 3, true],
    ],
  )
  assert.equal(after[0].id, screen.id)
  assert.ok((await read(id)).updated_at > before.updated_at)
  const same = after.map(({ id: stage, name, type }: { id: string; name: string; type: 'custom' }) => ({
    id: stage,
    name,
    type,
  }))
  await act(tx => setStages(tx, workspace, id, same))
  const events = await eventsOf(id)
  assert.deepEqual(
    events.map(e => e.type),
    ['job.updated', 'job.sections_updated'],
  )
  assert.deepEqual(events[1]!.data.object['changed'], ['pipeline_stages'])
  assert.equal(events[1]!.data.object['status'], 'draft')

  await db.query(sql`
    insert into applications (workspace_id, id, job_id, stage_id, source)
    values (${workspace}, ${newHandle('application')}, ${id}, ${applied.id}, 'public_board')`)
  await assert.rejects(
    act(tx => setStages(tx, workspace, id, [{ id: screen.id, name: 'Call', type: 'screen' }])),
    (error: unknown) => failsWith('invalid_request')(error) && /Applied has applications/.test(String(error)),
  )
  assert.deepEqual((await read(id, '/pipeline-stages')).data.length, 4)
  await assert.rejects(
    act(tx => setStages(tx, workspace, id, [{ id: rejected.id, name: 'x', type: 'custom' }])),
    failsWith('invalid_request'),
  )
  await assert.rejects(
    act(tx => setStages(tx, workspace, id, [])),
    failsWith('invalid_request'),
  )
})

test('job actions: setForm: fields keep their ids, deleted ones leave the form; useTemplateForm goes back', async () => {
  const id = await add()
  await act(tx =>
    setForm(tx, workspace, id, [
      { label: 'One', type: 'text' },
      { label: 'Two', type: 'select', options: ['a', 'b'], required: true },
    ]),
  )
  const form = await read(id, '/application-form')
  assert.equal(form.is_template, false)
  const [one, two] = form.fields
  const again = [{ id: two.id, label: 'Two', type: 'select' as const, options: ['a', 'b'], required: true }]
  await act(tx => setForm(tx, workspace, id, again))
  await act(tx => setForm(tx, workspace, id, again))
  const shorter = await read(id, '/application-form')
  assert.deepEqual(
    shorter.fields.map((f: { id: string }) => f.id),
    [two.id],
  )
  const kept = await db.one(sql`select 1 from form_fields where workspace_id = ${workspace} and id = ${one.id}`)
  assert.ok(kept)
  await act(tx => useTemplateForm(tx, workspace, id))
  await act(tx => useTemplateForm(tx, workspace, id))
  assert.equal((await read(id, '/application-form')).is_template, true)
  const events = await eventsOf(id)
  assert.deepEqual(
    events.slice(1).map(e => [e.type, e.data.object['changed']]),
    Array(3).fill(['job.sections_updated', ['application_form']]),
  )
  await assert.rejects(
    act(tx => setForm(tx, workspace, id, [{ label: 'Pick', type: 'select' }])),
    failsWith('invalid_request'),
  )
  await assert.rejects(
    act(tx => setForm(tx, workspace, id, [{ id: 'email', label: 'x', type: 'text' }])),
    failsWith('invalid_request'),
  )
})

test('setTemplateForm: emits an event for every job that uses the template, and no other', async () => {
  const own = await newWorkspace()
  const make = () => db.transaction(tx => createJob(tx, own.workspace, { title: 'Job' }))
  const [user, loner] = [await make(), await make()]
  await act(tx => setForm(tx, own.workspace, loner, [{ label: 'Own', type: 'text' }]))
  await act(tx =>
    setTemplateForm(tx, own.workspace, [{ id: 'email', label: 'Mail', type: 'email', candidate_field: 'email' }]),
  )
  assert.deepEqual(await typesOf(user), ['job.updated', 'job.sections_updated'])
  assert.deepEqual(await typesOf(loner), ['job.updated', 'job.sections_updated'])
  const form = (await service.get(`/jobs/${user}/application-form`, own.key)).body
  assert.deepEqual(
    form.fields.map((f: { label: string }) => f.label),
    ['Mail'],
  )
  // a job made afterwards does not bring the deleted fields back
  const later = await make()
  assert.equal((await service.get(`/jobs/${later}/application-form`, own.key)).body.fields.length, 1)
})

test('setTemplateForm: emits the events of very many jobs in chunks, each once, and all in the end', async () => {
  const own = await newWorkspace()
  const ids = Array.from({ length: 1100 }, () => newHandle('job'))
  await db.query(sql`
    insert into jobs (workspace_id, id, slug, title, source_system)
    select ${own.workspace}, id, id, 'Job', 'tahoe_native' from unnest(${ids}::text[]) as id`)
  const touched = sql<{ n: number }>`
    select count(*) as n from jobs where workspace_id = ${own.workspace} and updated_at > created_at`
  await act(async tx => {
    const form = [{ id: 'email', label: 'Mail', type: 'email' as const, candidate_field: 'email' as const }]
    await setTemplateForm(tx, own.workspace, form, { by: 'key' })
    assert.equal((await tx.one(touched))!.n, 500)
  })
  const stop = new AbortController()
  const running = emitTemplateFormsWorker({ db }).run(stop.signal)
  while ((await db.one(touched))!.n < ids.length) {}
  stop.abort()
  await running
  assert.equal(await db.transaction(emitTemplateForms), false)
  for (const id of [ids[0]!, ids[600]!, ids.at(-1)!]) {
    const [event, ...more] = await eventsOf(id)
    assert.equal(more.length, 0)
    assert.equal(event?.type, 'job.sections_updated')
    assert.deepEqual(event?.data.object['changed'], ['application_form'])
    assert.equal(event?.data.object['origin'], 'api:key')
    // every job says what the form was and is
    const history = sql<{ previous: Record<string, string[]>; next: Record<string, string[]> }>`
      select previous, next from job_history where workspace_id = ${own.workspace} and job_id = ${id}`
    const { previous, next } = (await db.one(history))!
    assert.deepEqual(next['application_form'], ['Mail (email)'])
    assert.ok(previous['application_form']!.length > 1)
  }
})

test('job actions: setQuestions: at most five of the job; job.sections_updated only on a change', async () => {
  const id = await add()
  const question = (n: number, kind: 'common' | 'adaptive') => ({
    kind,
    prompt: `Question ${n}?`,
    response_key: `${kind}_${n}`,
    answer_type: 'text' as const,
  })
  const five = [question(0, 'common'), ...[1, 2, 3, 4, 5].map(n => question(n, 'adaptive'))]
  await act(tx => setQuestions(tx, workspace, id, five))
  const shown = await read(id, '/prescreen-questions')
  assert.equal(shown.common.length, 1)
  assert.equal(shown.adaptive.length, 5)
  const ids = [...shown.common, ...shown.adaptive].map((q: { id: string }) => q.id)
  await act(tx =>
    setQuestions(
      tx,
      workspace,
      id,
      five.map((q, i) => ({ ...q, id: ids[i]! })),
    ),
  )
  assert.deepEqual(await typesOf(id), ['job.updated', 'job.sections_updated'])
  const refusals = [
    [...five, question(6, 'adaptive')],
    [question(1, 'common'), question(1, 'common')],
    [{ ...question(1, 'common'), answer_type: 'choice' as const }],
  ]
  for (const bad of refusals) {
    await assert.rejects(
      act(tx => setQuestions(tx, workspace, id, bad)),
      failsWith('invalid_request'),
    )
  }
  await act(tx => setQuestions(tx, workspace, id, []))
  assert.deepEqual((await read(id, '/prescreen-questions')).adaptive, [])
})

test('job actions: deleteJob: earlier events keep links.record, which is 404 from then on; job.deleted has none', async () => {
  const id = await add()
  const before = await eventsOf(id)
  await act(tx => deleteJob(tx, workspace, id, 'Opened by mistake'))
  const events = await eventsOf(id)
  assert.deepEqual(events.slice(0, -1), before, 'an event never changes')
  for (const { id: event, type, links } of events) {
    const read = await service.get(`/events/${event}`, key)
    assert.deepEqual(read.body.links, links)
    assert.deepEqual(Object.keys(links), type === 'job.deleted' ? ['self'] : ['self', 'record'], type)
  }
  assert.equal(before[0]!.links.record, `${API_PREFIX}/jobs/${id}`)
  assert.equal((await service.get(`/jobs/${id}`, key)).status, 404)
})

test('job actions: deleteJob: no read returns the job, job.deleted carries the reason; refused with applications', async () => {
  const id = await add()
  const { updated_at: changedAt } = await read(id)
  await act(tx => deleteJob(tx, workspace, id, 'Opened by mistake'))
  assert.equal((await service.get(`/jobs/${id}`, key)).status, 404)
  const event = (await eventsOf(id)).at(-1)!
  assert.equal(event.type, 'job.deleted')
  assert.equal(event.data.object['reason'], 'Opened by mistake')
  assert.ok(String(event.data.object['updated_at']) > changedAt, 'the time of the deletion')
  assert.deepEqual(event.data.previous_attributes, { status: 'draft' })

  const used = await add()
  const [stage] = (await read(used, '/pipeline-stages')).data
  await db.query(sql`
    insert into applications (workspace_id, id, job_id, stage_id, source)
    values (${workspace}, ${newHandle('application')}, ${used}, ${stage.id}, 'public_board')`)
  await assert.rejects(
    act(tx => deleteJob(tx, workspace, used, 'x')),
    (error: unknown) => error instanceof UserError && /has applications/.test(error.message),
  )
  await assert.rejects(
    act(tx => deleteJob(tx, workspace, used, ' ')),
    UserError,
  )
  assert.equal((await read(used)).application_count, 1)
})

test('job actions: a failure after the change undoes the change and its event', async () => {
  const id = await add()
  const before = await read(id)
  await assert.rejects(
    act(async tx => {
      await editJob(tx, workspace, id, { title: 'Lost' })
      throw new Error('the process died here')
    }),
  )
  assert.deepEqual(await read(id), before)
  assert.deepEqual(await typesOf(id), ['job.updated'])
})

test('job actions: no two jobs of a workspace share a dial-in code', async () => {
  const [one, two] = [await add(), await add()]
  const { voice_screening } = await read(one)
  await assert.rejects(
    db.query(sql`
      update jobs set dial_in_code = ${voice_screening.dial_in_code} where workspace_id = ${workspace} and id = ${two}`),
    /jobs_dial_in_code/,
  )
})
