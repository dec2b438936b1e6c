import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { ApiError } from '../../src/kernel/errors/api-error.ts'
import { RefusedInput } from '../../src/kernel/http/faults.ts'
import { applyOnForm, type PublicForm, type Submission } from '../../src/resources/applications/index.ts'
import {
  createJob,
  type FormFieldInput,
  moveJob,
  type PublicFormView,
  readPublicForm,
  setForm,
  setQuestions,
} from '../../src/resources/jobs/index.ts'
import { ALL, downloadText, exportNow } from '../exports/setup.ts'
import { recordStatements, stopLoops } from '../harness/statements.ts'
import { formUpload, newTenant, readEvents, startWorld } from './setup.ts'

const world = await startWorld()
const { service, workspace, key } = world
const { db, blobs } = service.services

const FORM: FormFieldInput[] = [
  { label: 'Full name', type: 'text', required: true, candidate_field: 'name' },
  { label: 'Mail', type: 'email', required: true, candidate_field: 'email' },
  { label: 'Phone', type: 'phone', required: true, candidate_field: 'phone' },
  { label: 'Résumé', type: 'file', required: true, candidate_field: 'resume' },
  { label: 'Why us?', type: 'textarea', required: true, max_length: 40 },
  { label: 'Shift', type: 'select', options: ['Day', 'Night'], required: true },
  { label: 'Nights a month', type: 'number', required: true, condition: { position: 5, values: ['Night'] } },
  { label: 'Certificate', type: 'file', required: true },
  { label: 'Reference', type: 'file' },
  { label: 'I agree to the terms', type: 'consent', required: true, help_text: 'Kept for a year.' },
  { label: 'You may contact me later', type: 'consent' },
  { label: 'Gender', type: 'eeo', options: ['Woman', 'Man', 'Other'] },
]

/** A published job with the form and two pre-screen questions. */
async function newForm(fields = FORM): Promise<PublicFormView> {
  const id = await db.transaction(async tx => {
    const job = await createJob(tx, workspace, { title: 'Welder', content: { summary: 'Text' } })
    await setForm(tx, workspace, job, fields)
    await setQuestions(tx, workspace, job, [
      { kind: 'common', prompt: 'May you work here?', response_key: 'may', answer_type: 'boolean', required: true },
      {
        kind: 'adaptive',
        prompt: 'Metals?',
        response_key: 'metals',
        answer_type: 'multi_choice',
        choices: ['Fe', 'Al'],
      },
    ])
    await moveJob(tx, workspace, job, 'publish')
    return job
  })
  return (await readPublicForm(db, workspace, { id }))!
}
const idOf = (form: PublicFormView, label: string) => form.fields.find(field => field.label === label)!.id

type Input = Submission & { jobId: string }
let people = 0

async function filledIn(form: PublicFormView): Promise<{ input: Input; publicForm: PublicForm }> {
  const id = (label: string) => idOf(form, label)
  const publicForm: PublicForm = {
    language: 'de',
    consents: { [id('I agree to the terms')]: 1 },
    equalOpportunity: { [id('Gender')]: 'Other' },
    prescreen: { [form.questions[0]!.id]: true, [form.questions[1]!.id]: ['Al'] },
    files: { [id('Certificate')]: await formUpload(world, 'answer', PNG) },
    voiceScreeningOptedOut: false,
    screeningPhone: '+1 555 0199',
  }
  const input = {
    jobId: form.id,
    candidate: { first_name: 'Pia', last_name: 'Form', email: `pia${++people}@example.org`, phone: '+1 555 0170' },
    form: publicForm,
    resumeUploadId: await formUpload(world),
    answers: [
      { field_id: id('Why us?'), value: 'Sparks' },
      { field_id: id('Shift'), value: 'Day' },
    ],
  }
  return { input, publicForm }
}
const PNG = { body: Buffer.from('not really a picture'), contentType: 'image/png', filename: 'Zeugnis.png' }

const submit = ({ jobId, ...submission }: Input) =>
  db.transaction(tx => applyOnForm(tx, blobs, workspace, jobId, submission))

async function made(input: Input): Promise<string> {
  const outcome = await submit(input)
  assert.ok(!(outcome instanceof ApiError) && outcome.isNew)
  return outcome.application.id
}

async function faultsOf(input: Input): Promise<(readonly [string, string | undefined])[]> {
  const error = await submit(input).catch((e: unknown) => e)
  assert.ok(error instanceof RefusedInput, `${error}`)
  return error.faults.map(fault => [fault.param, fault.reason] as const)
}

const counted = async (): Promise<Record<string, number>> => {
  const [row] = await db.query(sql<Record<string, number>>`
    select (select count(*)::integer from applications where workspace_id = ${workspace}) as applications,
      (select count(*)::integer from applicants where workspace_id = ${workspace}) as applicants,
      (select count(*)::integer from application_files where workspace_id = ${workspace}) as files,
      (select count(*)::integer from application_private_answers where workspace_id = ${workspace}) as answers,
      (select count(*)::integer from uploads where workspace_id = ${workspace} and spent_at is not null) as spent`)
  return { ...row!, events: (await readEvents(world, workspace)).length }
}

test('public form: everything is stored in its place, and events name the application and the applicant', async () => {
  const form = await newForm()
  const { input, publicForm } = await filledIn(form)
  const before = (await readEvents(world, workspace)).length
  const id = await made(input)
  const events = (await readEvents(world, workspace)).slice(before)
  assert.deepEqual(
    events.map(event => event.type),
    ['applicant.created', 'application.created'],
  )
  const answers = (await service.get(`/applications/${id}/answers`, key)).body.answers
  assert.deepEqual(answers, { [idOf(form, 'Why us?')]: 'Sparks', [idOf(form, 'Shift')]: 'Day' })
  const [stored] = await db.query(sql<Record<string, unknown>>`
    select p.equal_opportunity, p.consents, p.prescreen, a.screening_phone, a.voice_screening_opted_out, a.source,
      a.applied_at
    from application_private_answers p join applications a on a.workspace_id = p.workspace_id and a.id = p.application_id
    where a.workspace_id = ${workspace} and a.id = ${id}`)
  const { applied_at: at, ...rest } = stored!
  assert.deepEqual(rest, {
    equal_opportunity: publicForm.equalOpportunity,
    prescreen: Object.fromEntries(
      form.questions.map(({ id: question, prompt, answer_type }) => [
        question,
        { question: prompt, type: answer_type, answer: publicForm.prescreen[question] },
      ]),
    ),
    consents: {
      [idOf(form, 'I agree to the terms')]: {
        accepted: true,
        version: 1,
        label: 'I agree to the terms',
        help_text: 'Kept for a year.',
        language: 'de',
        at,
      },
    },
    screening_phone: '+1 555 0199',
    voice_screening_opted_out: false,
    source: 'public_board',
  })
  const files = await db.query(sql<Record<string, unknown> & { blob_key: string }>`
    select f.field_id, f.filename, f.mime, f.bytes, f.blob_key, u.application_id from application_files f
    join uploads u on u.workspace_id = f.workspace_id and u.blob_key = f.blob_key
    where f.workspace_id = ${workspace} and f.application_id = ${id}`)
  assert.deepEqual(
    files.map(({ blob_key: _, ...file }) => file),
    [
      {
        field_id: idOf(form, 'Certificate'),
        filename: 'Zeugnis.png',
        mime: 'image/png',
        bytes: PNG.body.length,
        application_id: id,
      },
    ],
  )
  assert.equal((await blobs.stat(files[0]!.blob_key))?.bytes, PNG.body.length)
})

test('public form: what the candidate alone gives is in no response, export, event or log line', async () => {
  const word = `w${randomUUID().replaceAll('-', '')}`
  const form = await newForm([
    { label: `Gender ${word}eeo`, type: 'eeo' },
    { label: `Terms ${word}consent`, type: 'consent' },
    { label: 'Certificate', type: 'file' },
  ])
  const { input, publicForm } = await filledIn(await newForm())
  await db.transaction(tx =>
    setQuestions(tx, workspace, form.id, [
      { kind: 'common', prompt: 'Ever?', response_key: 'ever', answer_type: 'text' },
    ]),
  )
  const [question] = (await readPublicForm(db, workspace, { id: form.id }))!.questions
  const id = await made({
    ...input,
    jobId: form.id,
    answers: [],
    form: {
      ...publicForm,
      language: `${word}language`,
      consents: { [form.fields[1]!.id]: 1 },
      equalOpportunity: { [form.fields[0]!.id]: `${word} equal` },
      prescreen: { [question!.id]: `${word} prescreen` },
      files: { [idOf(form, 'Certificate')]: await formUpload(world, 'answer', { ...PNG, filename: `${word}.png` }) },
      screeningPhone: '+1 555 0111999',
    },
  })
  const [secrets] = await db.query(sql<{ n: number }>`
    select count(*)::integer as n from application_private_answers
    where application_id = ${id} and equal_opportunity::text like ${`%${word} equal%`}
      and prescreen::text like ${`%${word} prescreen%`} and consents::text like ${`%${word}language%`}`)
  assert.equal(secrets!.n, 1)
  const { applicant_id, job_id } = (await service.get(`/applications/${id}`, key)).body
  const paths = ['', '/answers', '/score', '/screening', '/stage-transitions', '/resume', '/resume/parsed', '/notes']
  for (const path of [
    ...paths.map(below => `/applications/${id}${below}`),
    `/applications?job_id=${job_id}`,
    `/applicants/${applicant_id}`,
    `/applicants/${applicant_id}/applications`,
    `/applicants/${applicant_id}/resumes`,
    `/applicants/${applicant_id}/contact-info`,
    '/events?limit=100',
  ]) {
    const response = await service.get(path, key)
    assert.ok(!response.text.includes(word) && !response.text.includes('0111999'), path)
  }
  for (const event of await readEvents(world, workspace)) assert.ok(!JSON.stringify(event).includes(word))
  for (const view of ['list', 'full'])
    for (const file of (await exportNow(service, key, ALL, { view })).files)
      assert.ok(!(await downloadText(file)).includes(word), `${view} ${file.resource}`)
  for (const line of service.logLines) assert.ok(!line.includes(word))
})

test('public form: every fault is reported, each once with its place and reason; nothing is stored', async () => {
  const form = await newForm()
  const { input, publicForm } = await filledIn(form)
  const id = (label: string) => idOf(form, label)
  const [may, metals] = form.questions.map(question => question.id)
  const before = await counted()
  const bad: Input = {
    ...input,
    candidate: { first_name: ' ', last_name: 'x'.repeat(101), email: 'nowhere', phone: 'call me' },
    resumeUploadId: await formUpload(world, 'answer', PNG),
    answers: [
      { field_id: id('Why us?'), value: 'y'.repeat(41) },
      { field_id: id('Shift'), value: 'Night' },
      { field_id: id('Nights a month'), value: 'some' },
      { field_id: 'not-a-question', value: 'ignored' },
    ],
    form: {
      ...publicForm,
      consents: { [id('You may contact me later')]: 2 },
      equalOpportunity: { [id('Gender')]: 'Yes' },
      prescreen: { [metals!]: ['Fe', 'Au'] },
      files: {
        [id('Reference')]: publicForm.files[id('Certificate')]!.replace(/.$/, last => (last === 'x' ? 'y' : 'x')),
      },
      screeningPhone: 'x',
    },
  }
  assert.deepEqual(
    (await faultsOf(bad)).toSorted(),
    [
      ['candidate.first_name', 'required'],
      ['candidate.last_name', 'too_long'],
      ['candidate.email', 'not_an_email'],
      ['candidate.phone', 'not_a_phone'],
      ['resume_upload_id', 'file_type'],
      [`answers.${id('Why us?')}`, 'too_long'],
      [`answers.${id('Nights a month')}`, 'not_a_number'],
      [`files.${id('Certificate')}`, 'required'],
      [`files.${id('Reference')}`, 'upload_gone'],
      [`consents.${id('I agree to the terms')}`, 'consent_required'],
      [`consents.${id('You may contact me later')}`, 'consent_outdated'],
      [`equal_opportunity.${id('Gender')}`, 'not_an_option'],
      [`prescreen.${may}`, 'required'],
      [`prescreen.${metals}`, 'not_an_option'],
      ['screening_phone', 'not_a_phone'],
    ].toSorted(),
  )
  assert.deepEqual(await counted(), before)
  await made(input) // the uploads can still be used
})

test('public form: a form whose consent text changed while it was open is a fault of that consent alone', async () => {
  const form = await newForm()
  const { input, publicForm } = await filledIn(form)
  const terms = idOf(form, 'I agree to the terms')
  const fields = FORM.map((field, i) => ({ ...field, id: form.fields[i]!.id }))
  await db.transaction(tx =>
    setForm(
      tx,
      workspace,
      form.id,
      fields.map(field => (field.id === terms ? { ...field, help_text: 'Kept for ever.' } : field)),
    ),
  )
  const before = await counted()
  assert.deepEqual(await faultsOf(input), [[`consents.${terms}`, 'consent_outdated']])
  assert.deepEqual(await counted(), before)
  const read = { ...publicForm, consents: { [terms]: 2 } }
  const id = await made({ ...input, form: read })
  const [stored] = await db.query(sql<{ consents: Record<string, { help_text: string; version: number }> }>`
    select consents from application_private_answers where application_id = ${id}`)
  const { help_text, version } = stored!.consents[terms]!
  assert.deepEqual([help_text, version], ['Kept for ever.', 2])
})

test('public form: hidden questions of every kind are neither required nor stored', async () => {
  const when = { position: 0, values: ['Yes'] }
  const form = await newForm([
    { label: 'More?', type: 'select', options: ['Yes', 'No'] },
    { label: 'Details', type: 'section', condition: when },
    { label: 'Text', type: 'text', required: true },
    { label: 'Box', type: 'consent', required: true },
    { label: 'Gender', type: 'eeo', required: true },
    { label: 'File', type: 'file', required: true },
    { label: 'Phone', type: 'phone', required: true, candidate_field: 'phone' },
    { label: 'Résumé', type: 'file', required: true, candidate_field: 'resume' },
  ])
  const id = (label: string) => idOf(form, label)
  const { input, publicForm } = await filledIn(await newForm())
  const file = await formUpload(world, 'answer', PNG)
  const sent = {
    ...input,
    jobId: form.id,
    answers: [
      { field_id: id('More?'), value: 'No' },
      { field_id: id('Text'), value: 'secret' },
    ],
    form: {
      ...publicForm,
      prescreen: { [form.questions[0]!.id]: false },
      consents: { [id('Box')]: 1 },
      equalOpportunity: { [id('Gender')]: 'Woman' },
      files: { [id('File')]: file },
    },
  }
  const application = await made(sent)
  const [stored] = await db.query(sql<Record<string, unknown>>`
    select s.answers, p.consents, p.equal_opportunity, a.has_resume, q.phone,
      (select count(*)::integer from application_files f
        where f.workspace_id = ${workspace} and f.application_id = a.id) as files,
      (select spent_at from uploads where workspace_id = ${workspace} and id = ${file}) as spent
    from applications a
    join application_answers s on s.workspace_id = a.workspace_id and s.application_id = a.id
    join application_private_answers p on p.workspace_id = a.workspace_id and p.application_id = a.id
    join applicants q on q.workspace_id = a.workspace_id and q.id = a.applicant_id
    where a.workspace_id = ${workspace} and a.id = ${application}`)
  assert.deepEqual(stored, {
    answers: { [id('More?')]: 'No' },
    consents: {},
    equal_opportunity: {},
    has_resume: false,
    phone: null,
    files: 0,
    spent: null,
  })
  const shown = { ...sent, candidate: { ...input.candidate, email: 'shown@example.org' } }
  const empty = {
    ...publicForm,
    consents: {},
    equalOpportunity: {},
    files: {},
    prescreen: sent.form.prescreen,
  }
  const { phone: _, ...withoutPhone } = shown.candidate
  assert.deepEqual(
    (
      await faultsOf({
        ...shown,
        candidate: withoutPhone,
        resumeUploadId: undefined,
        answers: [{ field_id: id('More?'), value: 'Yes' }],
        form: empty,
      })
    ).map(([param]) => param),
    [
      `answers.${id('Text')}`,
      `consents.${id('Box')}`,
      `equal_opportunity.${id('Gender')}`,
      `files.${id('File')}`,
      'candidate.phone',
      'resume_upload_id',
    ],
  )
})

test('public form: submissions of one person at the same time, with the same files, make one application', async () => {
  const form = await newForm()
  const { input } = await filledIn(form)
  const before = await counted()
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => submit(input)))
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
  assert.equal((await counted()).applications, before.applications! + 1)
  assert.deepEqual(
    (await faultsOf(input)).map(([, reason]) => reason),
    ['upload_used', 'upload_used'],
    'the files are spent for the same person, too',
  )
  const other = { ...input, candidate: { ...input.candidate, email: 'other@example.org' } }
  assert.deepEqual(
    (await faultsOf(other)).map(([, reason]) => reason),
    ['upload_used', 'upload_used'],
    'files of another person’s application',
  )
})

test('public form: an incomplete form does not tell whether the person applied or was erased', async () => {
  const form = await newForm()
  const { input } = await filledIn(form)
  await made(input)
  const incomplete = { ...(await filledIn(form)).input, candidate: input.candidate, answers: [] }
  const faults = [
    [`answers.${idOf(form, 'Why us?')}`, 'required'],
    [`answers.${idOf(form, 'Shift')}`, 'required'],
  ]
  assert.deepEqual(await faultsOf(incomplete), faults)
  await db.query(sql`
    with s as (
      insert into suppressions (id, status, reason, delete_by)
      values (gen_random_uuid(), 'suppressed', 'stop_processing', app_now()) returning id
    ) insert into suppressed_identifiers (kind, sha256, suppression_id)
    select 'email', sha256('gone@example.org'), id from s`)
  const { input: fresh } = await filledIn(form)
  const erased = { ...fresh, candidate: { ...fresh.candidate, email: 'gone@example.org' } }
  assert.deepEqual(await faultsOf({ ...erased, answers: [] }), faults)
  const before = await counted()
  const refused = await submit(erased)
  assert.ok(refused instanceof ApiError && refused.code === 'applicant_suppressed')
  assert.deepEqual(await counted(), { ...before, spent: before.spent! + 2 }, 'only its uploads are spent')
})

test('public form: 409 job_not_accepting_applications once the job was closed, 404 for a job of another workspace', async () => {
  const form = await newForm()
  const { input } = await filledIn(form)
  await db.transaction(tx => moveJob(tx, workspace, form.id, 'close'))
  const before = await counted()
  await assert.rejects(submit({ ...input, answers: [] }), { code: 'job_not_accepting_applications' })
  await assert.rejects(submit(input), { code: 'job_not_accepting_applications' })
  assert.deepEqual(await counted(), before)
  const elsewhere = await newTenant(service)
  await assert.rejects(submit({ ...input, jobId: elsewhere.job.id }), { code: 'not_found' })
  await assert.rejects(submit({ ...input, jobId: 'nonsense' }), { code: 'not_found' })
})

test('public form: a job that closes during the submission either takes the application or refuses it', async () => {
  const form = await newForm()
  const { input } = await filledIn(form)
  const [outcome] = await Promise.allSettled([
    submit(input),
    db.transaction(tx => moveJob(tx, workspace, form.id, 'close')),
  ])
  const stored = await db.query(sql`select 1 from applications where job_id = ${form.id}`)
  if (outcome.status === 'fulfilled') assert.equal(stored.length, 1)
  else assert.deepEqual([outcome.reason.code, stored.length], ['job_not_accepting_applications', 0])
})

test('public form: a blank phone number is none: one fault where it is required', async () => {
  const { input } = await filledIn(await newForm())
  const blank = { ...input, candidate: { ...input.candidate, phone: ' ', linkedin_url: '' } }
  assert.deepEqual(await faultsOf(blank), [['candidate.phone', 'required']])
})

test('public form: opting out of the phone pre-screen stores no number; unstorable text is a fault', async () => {
  const form = await newForm()
  const { input, publicForm } = await filledIn(form)
  const id = await made({ ...input, form: { ...publicForm, voiceScreeningOptedOut: true } })
  const [stored] = await db.query(sql<Record<string, unknown>>`
    select screening_phone, voice_screening_opted_out from applications where id = ${id}`)
  assert.deepEqual(stored, { screening_phone: null, voice_screening_opted_out: true })
  const { input: next } = await filledIn(form)
  const answers = next.answers.map((answer, i) => (i === 0 ? { ...answer, value: 'a\0b' } : answer))
  assert.deepEqual(await faultsOf({ ...next, answers }), [[`answers.${idOf(form, 'Why us?')}`, 'bad_text']])
})

test('readPublicForm: one statement; by id and slug; default labels are marked; nothing of another workspace', async () => {
  const job = await db.transaction(tx => createJob(tx, workspace, { title: 'Baker' }))
  const { slug } = (await service.get(`/jobs/${job}`, key)).body
  let form: PublicFormView | undefined
  await stopLoops(service)
  const statements = await recordStatements(db).during(async () => {
    form = await readPublicForm(db, workspace, { slug })
  })
  assert.equal(statements.length, 1)
  assert.deepEqual(form, await readPublicForm(db, workspace, { id: job }))
  assert.deepEqual(
    form!.fields.map(field => [field.id, field.is_default_label, field.is_default_help_text]),
    [
      ['name', true, false],
      ['email', true, false],
      ['phone', true, false],
      ['linkedin', true, false],
      ['resume', true, true],
      ['cover_letter', true, false],
    ],
  )
  assert.deepEqual([form!.title, form!.status, form!.accept_applications], ['Baker', 'draft', true])
  const own = await newForm()
  assert.deepEqual(
    own.fields.filter(field => field.is_default_label).map(field => field.label),
    ['Full name', 'Phone', 'Résumé'],
  )
  assert.equal(own.questions.length, 2)
  const elsewhere = await newTenant(service)
  assert.equal(await readPublicForm(db, elsewhere.workspace, { id: job }), undefined)
  assert.equal(await readPublicForm(db, elsewhere.workspace, { slug }), undefined)
})
