import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { ApiError } from '../../src/kernel/errors/api-error.ts'
import { createJob, type FormFieldInput, moveJob, setForm, setTemplateForm } from '../../src/resources/jobs/index.ts'
import { body, readEvents, sharedWorld } from './setup.ts'

const world = await sharedWorld()
const { service, workspace, key } = world
const { db } = service.services

async function jobWith(fields: readonly FormFieldInput[]): Promise<string> {
  return db.transaction(async tx => {
    const id = await createJob(tx, workspace, { title: 'Welder', content: { summary: 'Text' } })
    await setForm(tx, workspace, id, fields)
    await moveJob(tx, workspace, id, 'publish')
    return id
  })
}
const setFields = (job: string, fields: readonly FormFieldInput[]) =>
  db.transaction(tx => setForm(tx, workspace, job, fields))

interface Shown {
  id: string
  label: string
  condition: { field_id: string; values: string[] } | null
}
const formOf = async (job: string): Promise<Shown[]> =>
  (await service.get(`/jobs/${job}/application-form`, key)).body.fields

const apply = (job: string, answers: unknown[] = []) =>
  service.post('/applications', key, body({ id: job, stages: [] }, { answers }))

const shifts: FormFieldInput = { label: 'Shift', type: 'select', options: ['Day', 'Night'] }
const FORM: FormFieldInput[] = [
  shifts,
  { label: 'Nights a month', type: 'number', required: true, condition: { position: 0, values: ['Night'] } },
  { label: 'Driving', type: 'boolean' },
  { label: 'Licence', type: 'section', condition: { position: 2, values: ['true'] } },
  { label: 'Class', type: 'text', required: true },
  { label: 'I may be checked', type: 'consent', required: true },
  { label: 'More', type: 'section' },
]

test('GET /jobs/{h}/application-form: 200 with the condition of each field, null where there is none', async () => {
  const fields = await formOf(await jobWith(FORM))
  assert.deepEqual(
    fields.map(field => field.condition && { ...field.condition, field_id: labelOf(fields, field.condition.field_id) }),
    [null, { field_id: 'Shift', values: ['Night'] }, null, { field_id: 'Driving', values: ['true'] }, null, null, null],
  )
})
const labelOf = (fields: readonly Shown[], id: string) => fields.find(field => field.id === id)?.label

test('POST /applications: 201 without answers to required questions and consents that are not shown', async () => {
  assert.equal((await apply(await jobWith(FORM))).status, 201)
})

test('POST /applications: 400 missing_required_answers, 409 candidate_consent_required for what an answer shows', async () => {
  const job = await jobWith(FORM)
  const [shift, nights, driving, , licenceClass] = await formOf(job)
  const night = { field_id: shift!.id, value: 'Night' }
  const missing = await apply(job, [night])
  assert.deepEqual(
    [missing.status, missing.body.detail.code, missing.body.detail.errors],
    [
      400,
      'missing_required_answers',
      [{ param: 'answers', message: `required question ${nights!.id} is not answered` }],
    ],
  )
  assert.equal((await apply(job, [night, { field_id: nights!.id, value: '4' }])).status, 201)
  assert.equal((await apply(job, [{ field_id: shift!.id, value: 'Day' }])).status, 201)
  const drives = { field_id: driving!.id, value: true }
  const consent = await apply(job, [drives, { field_id: licenceClass!.id, value: 'B' }])
  assert.deepEqual([consent.status, consent.body.detail.code], [409, 'candidate_consent_required'])
  assert.equal((await apply(job, [{ ...drives, value: false }])).status, 201)
})

test('POST /applications: 201 stores no answer to a question that is not shown; a wrong one is 400', async () => {
  const job = await jobWith(FORM)
  const [shift, nights] = await formOf(job)
  const day = { field_id: shift!.id, value: 'Day' }
  const made = await apply(job, [day, { field_id: nights!.id, value: '4' }])
  assert.equal(made.status, 201)
  const { answers } = (await service.get(`/applications/${made.body.id}/answers`, key)).body
  assert.deepEqual(answers, { [shift!.id]: 'Day' })
  const wrong = await apply(job, [day, { field_id: nights!.id, value: 'four' }])
  assert.deepEqual([wrong.status, wrong.body.detail.code], [400, 'invalid_answer_value'])
})

test('a condition: on the answer of a hidden question is not met; a list meets it with one of its values', async () => {
  const job = await jobWith([
    { label: 'Tools', type: 'multiselect', options: ['Saw', 'Drill', 'Lathe'] },
    { label: 'Certified', type: 'boolean', condition: { position: 0, values: ['Saw', 'Lathe'] } },
    { label: 'Number', type: 'text', required: true, condition: { position: 1, values: ['true'] } },
  ])
  const [tools, certified] = await formOf(job)
  const certifiedYes = { field_id: certified!.id, value: true }
  assert.equal((await apply(job, [certifiedYes])).status, 201)
  assert.equal((await apply(job, [{ field_id: tools!.id, value: ['Drill'] }, certifiedYes])).status, 201)
  assert.equal((await apply(job, [{ field_id: tools!.id, value: ['Drill', 'Saw'] }, certifiedYes])).status, 400)
})

const REFUSED: readonly (readonly [string, FormFieldInput[], RegExp])[] = [
  [
    'itself',
    [{ label: 'A', type: 'boolean', condition: { position: 0, values: ['true'] } }],
    /must name an earlier field/,
  ],
  [
    'a later field',
    [{ label: 'A', type: 'boolean', condition: { position: 1, values: ['true'] } }, shifts],
    /must name an earlier field/,
  ],
  [
    'a field of another form',
    [shifts, { label: 'A', type: 'text', condition: { field_id: 'email', values: ['Day'] } }],
    /must name an earlier field/,
  ],
  [
    'a question without options',
    [
      { label: 'T', type: 'text' },
      { label: 'A', type: 'text', condition: { position: 0, values: ['x'] } },
    ],
    /with options or of type boolean/,
  ],
  [
    'an equal-opportunity question',
    [
      { label: 'Gender', type: 'eeo', options: ['Woman', 'Man'] },
      { label: 'A', type: 'text', condition: { position: 0, values: ['Woman'] } },
    ],
    /with options or of type boolean/,
  ],
  [
    'a value that is no option',
    [shifts, { label: 'A', type: 'text', condition: { position: 0, values: ['Dusk'] } }],
    /a value that Shift cannot have/,
  ],
  [
    'a value of a boolean other than true and false',
    [
      { label: 'B', type: 'boolean' },
      { label: 'A', type: 'text', condition: { position: 0, values: ['yes'] } },
    ],
    /a value that B cannot have/,
  ],
  [
    'something, on the question for the name',
    [shifts, { label: 'N', type: 'text', candidate_field: 'name', condition: { position: 0, values: ['Day'] } }],
    /fields\[1\]\.condition: name and email address cannot depend on a condition/,
  ],
  [
    'something, on the section of the question for the email address',
    [
      shifts,
      { label: 'S', type: 'section', condition: { position: 0, values: ['Day'] } },
      { label: 'M', type: 'email', candidate_field: 'email' },
    ],
    /fields\[2\]\.condition: name and email address cannot depend on a condition/,
  ],
]
for (const [what, fields, message] of REFUSED) {
  test(`setForm: refuses a condition that names ${what}`, async () => {
    const job = await jobWith([])
    await assert.rejects(setFields(job, fields), (error: unknown) => {
      assert.ok(error instanceof ApiError && error.code === 'invalid_request')
      assert.match(error.message, message)
      return true
    })
  })
}

const versionsOf = async (job: string | null) => {
  const rows = await db.query(sql<{ version: number }>`
    select version from form_fields where workspace_id = ${workspace} and job_id is not distinct from ${job}
      and deleted_at is null order by position`)
  return rows.map(row => row.version)
}

test('setForm: the version of a field rises with its label, help text or options, and with nothing else', async () => {
  const terms: FormFieldInput = { label: 'I agree', type: 'consent', help_text: 'For a year.' }
  const job = await jobWith([shifts, terms])
  const [first, second] = await formOf(job)
  const [one, two] = [
    { ...shifts, id: first!.id },
    { ...terms, id: second!.id },
  ]
  const steps: readonly (readonly [FormFieldInput[], number[]])[] = [
    [
      [one, two],
      [1, 1],
    ],
    [
      [one, { ...two, required: true, section: 'End', condition: { field_id: one.id, values: ['Day'] } }],
      [1, 1],
    ],
    [
      [one, { ...two, help_text: 'For two years.' }],
      [1, 2],
    ],
    [
      [
        { ...one, options: ['Day', 'Night', 'Any'] },
        { ...two, help_text: 'For two years.', max_length: 5 },
      ],
      [2, 2],
    ],
    [
      [
        { ...one, options: ['Night', 'Day', 'Any'] },
        { ...two, label: 'I do agree' },
      ],
      [3, 3],
    ],
    [
      [two, one],
      [4, 4],
    ],
    [
      [two, { ...one, label: ' Shift ' }],
      [4, 4],
    ],
  ]
  for (const [fields, versions] of steps) {
    await setFields(job, fields)
    assert.deepEqual(await versionsOf(job), versions)
  }
  const before = (await readEvents(world, workspace)).length
  await setFields(job, [two, one])
  assert.equal((await readEvents(world, workspace)).length, before, 'the same form again changes nothing')
})

test('setForm: a changed condition is a change of the form; setTemplateForm counts versions, too', async () => {
  const job = await jobWith([shifts, { label: 'Nights', type: 'number' }])
  const [shift, nights] = await formOf(job)
  const kept = { ...shifts, id: shift!.id }
  const conditional = (values: string[]): FormFieldInput[] => [
    kept,
    { id: nights!.id, label: 'Nights', type: 'number', condition: { field_id: shift!.id, values } },
  ]
  const changes = async () => (await readEvents(world, workspace)).filter(e => e.type === 'job.sections_updated').length
  const before = await changes()
  await setFields(job, conditional(['Night']))
  await setFields(job, conditional(['Night']))
  await setFields(job, conditional(['Night', 'Day']))
  await setFields(job, [kept, { id: nights!.id, label: 'Nights', type: 'number' }])
  assert.equal((await changes()) - before, 3)
  const email: FormFieldInput = { id: 'email', label: 'Email', type: 'email', candidate_field: 'email' }
  await db.transaction(tx => setTemplateForm(tx, workspace, [email]))
  await db.transaction(tx => setTemplateForm(tx, workspace, [{ ...email, required: true }]))
  assert.deepEqual(await versionsOf(null), [2])
})
