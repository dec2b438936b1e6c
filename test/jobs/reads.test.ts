import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import type { NewJobInput } from '../../src/resources/jobs/fields.ts'
import { createJob, editJob, moveJob, setForm, setQuestions, setStages } from '../../src/resources/jobs/index.ts'
import { jobShape, sectionsShape } from '../../src/resources/jobs/shape.ts'
import { assertFailure, assertWithheld, startJobs } from './setup.ts'

const { afterAllJobs, db, newWorkspace, service } = await startJobs()

const { workspace, key, userEmail } = await newWorkspace()
const plain = await service.key({ workspace, userEmail, scopes: ['jobs:read'] })
const other = await newWorkspace()

async function add(input: NewJobInput, status: 'draft' | 'published' | 'closed' = 'published', into = workspace) {
  await afterAllJobs()
  return db.transaction(async tx => {
    const id = await createJob(tx, into, { content: { summary: `About ${input.title}` }, ...input })
    if (status !== 'draft') await moveJob(tx, into, id, 'publish')
    if (status === 'closed') await moveJob(tx, into, id, 'close')
    return id
  })
}

const jobs = {
  draft: await add({ title: 'Draft', department: 'Engineering' }, 'draft'),
  closed: await add({ title: 'Closed', employment_type: 'contract', location_type: 'onsite' }, 'closed'),
  remote: await add({ title: 'Remote', department: 'Engineering', location_type: 'remote' }),
  intern: await add({ title: 'Intern', employment_type: 'intern', department: 'engineering' }),
}
const titles = async (query: string) => {
  const response = await service.get(`/jobs${query}`, key)
  assert.equal(response.status, 200, response.text)
  return response.body.data.map((row: { title: string }) => row.title)
}

test('GET /jobs: published and closed by default, most recently updated first', async () => {
  assert.deepEqual(await titles(''), ['Intern', 'Remote', 'Closed'])
})

test('GET /jobs: a list row has exactly the fields of the specification, public_url and language', async () => {
  const { body } = await service.get('/jobs', plain)
  const [row] = body.data
  assert.deepEqual(Object.keys(row), [
    'object',
    'id',
    'workspace_id',
    'slug',
    'status',
    'title',
    'department',
    'team',
    'employment_type',
    'location_type',
    'locations',
    'experience_level',
    'years_min',
    'years_max',
    'compensation',
    'accept_applications',
    'external_apply_url',
    'public_url',
    'language',
    'source',
    'published_at',
    'close_at',
    'created_at',
    'updated_at',
    'links',
    'summary',
  ])
  assert.equal(row.object, 'job')
  assert.equal(row.summary, 'About Intern')
  assert.deepEqual(row.source, {
    system: 'tahoe_native',
    external_id: null,
    company_name: null,
    company_logo_url: null,
    canonical_url: null,
  })
  const at = `/api/partner/v1/jobs/${row.id}`
  assert.deepEqual(row.links, {
    self: at,
    applications: `${at}/applications`,
    application_form: `${at}/application-form`,
    prescreen_questions: `${at}/prescreen-questions`,
    pipeline_stages: `${at}/pipeline-stages`,
    sections: `${at}/sections`,
  })
})

test('job reads: status: a list of statuses, and drafts with the opt-in', async () => {
  assert.deepEqual(await titles('?status=closed'), ['Closed'])
  assert.deepEqual(await titles('?status=published'), ['Intern', 'Remote'])
  assert.deepEqual(await titles('?status=closed,published'), ['Intern', 'Remote', 'Closed'])
  assert.deepEqual(await titles('?include_unpublished=true'), ['Intern', 'Remote', 'Closed', 'Draft'])
  assert.deepEqual(await titles('?include_unpublished=true&status=draft'), ['Draft'])
  assert.deepEqual(await titles('?include_unpublished=true&status=draft,closed'), ['Closed', 'Draft'])
  assert.deepEqual(await titles('?include_unpublished=false'), ['Intern', 'Remote', 'Closed'])
})

test('job reads: 400 unpublished_requires_opt_in: drafts without include_unpublished=true', async () => {
  for (const query of ['status=draft', 'status=published,draft', 'status=draft&include_unpublished=false']) {
    assertFailure(await service.get(`/jobs?${query}`, key), 400, 'unpublished_requires_opt_in', 'status')
  }
})

test('job reads: department is exact; location_type, employment_type and published bounds filter', async () => {
  assert.deepEqual(await titles('?department=Engineering'), ['Remote'])
  assert.deepEqual(await titles('?department=engineering'), ['Intern'])
  assert.deepEqual(await titles('?department=Engineer'), [])
  // counted in characters, as in the body that stores it
  assert.deepEqual(await titles(`?department=${encodeURIComponent('😀'.repeat(200))}`), [])
  assert.equal((await service.get(`/jobs?department=${encodeURIComponent('😀'.repeat(201))}`, key)).status, 400)
  assert.deepEqual(await titles('?location_type=remote'), ['Remote'])
  assert.deepEqual(await titles('?employment_type=intern&department=engineering'), ['Intern'])
  assert.deepEqual(await titles('?employment_type=temp'), [])
  const published = (await service.get(`/jobs/${jobs.remote}`, key)).body.published_at
  assert.deepEqual(await titles(`?published_after=${published}`), ['Intern'])
  assert.deepEqual(await titles(`?published_before=${published}`), ['Closed'])
  const updated = (await service.get(`/jobs/${jobs.remote}`, key)).body.updated_at
  assert.deepEqual(await titles(`?updated_after=${updated}`), ['Intern'])
  assert.deepEqual(await titles(`?updated_before=${updated}`), ['Closed'])
  assert.deepEqual(await titles('?order=asc'), ['Closed', 'Remote', 'Intern'])
})

test('job reads: 400: invalid filters', async () => {
  for (const [query, code, param] of [
    ['status=open', 'invalid_request', 'status'],
    ['location_type=moon', 'invalid_request', 'location_type'],
    ['employment_type=gig', 'invalid_request', 'employment_type'],
    ['include_unpublished=1', 'invalid_request', 'include_unpublished'],
    ['published_after=yesterday', 'invalid_timestamp', 'published_after'],
    ['updated_after=2026-01-01', 'invalid_timestamp', 'updated_after'],
    ['q=', 'invalid_request', 'q'],
    ['q=%20', 'invalid_request', 'q'],
    ['titel=x', 'invalid_request', 'titel'],
  ]) {
    assertFailure(await service.get(`/jobs?${query}`, key), 400, code!, param)
  }
})

test('GET /jobs/{h}: content instead of summary, application_count, and the phone code for those who may read it', async () => {
  const { body } = await service.get(`/jobs/${jobs.remote}`, key)
  assert.equal(body.summary, undefined)
  assert.deepEqual(Object.keys(body.content), [
    'summary',
    'description_md',
    'responsibilities',
    'requirements',
    'nice_to_have',
    'skills_required',
    'skills_preferred',
    'benefits',
  ])
  assert.equal(body.application_count, 0)
  assert.match(body.voice_screening.dial_in_code, /^\d{6}$/)
  assert.equal(body.restricted, undefined)
  const seen = (await service.get(`/jobs/${jobs.remote}`, plain)).body
  assert.deepEqual(seen.voice_screening, {})
  assertWithheld(seen, jobShape, 'voice_screening.dial_in_code', 'scope_required:jobs:screening:read')
  assert.doesNotMatch(JSON.stringify(seen), new RegExp(body.voice_screening.dial_in_code))
})

test('GET /jobs/{h}: drafts too', async () => {
  assert.equal((await service.get(`/jobs/${jobs.draft}`, key)).body.status, 'draft')
})

test('GET /jobs/by-slug/{slug}: the same response', async () => {
  const byHandle = await service.get(`/jobs/${jobs.remote}`, key)
  const bySlug = await service.get(`/jobs/by-slug/${byHandle.body.slug}`, key)
  assert.deepEqual(bySlug.body, byHandle.body)
  assertFailure(await service.get('/jobs/by-slug/none-such', key), 404, 'not_found')
  const cyrillic = await add({ title: 'Инженер' })
  const found = await service.get(`/jobs/by-slug/${encodeURIComponent('инженер')}`, key)
  assert.equal(found.body.id, cyrillic)
})

async function withSections() {
  const id = await add({ title: 'With sections' })
  await db.transaction(async tx => {
    await setForm(tx, workspace, id, [
      { label: 'E-mail', type: 'email', required: true, candidate_field: 'email' },
      { label: 'Languages', type: 'multiselect', options: ['English', 'Norwegian'], section: 'About you' },
    ])
    await setQuestions(tx, workspace, id, [
      { kind: 'adaptive', prompt: 'Years of Go?', response_key: 'go_years', answer_type: 'number' },
      {
        kind: 'common',
        prompt: 'May you work here?',
        response_key: 'permit',
        answer_type: 'boolean',
        required: true,
        source: 'template',
      },
      {
        kind: 'adaptive',
        prompt: 'Shift?',
        response_key: 'shift',
        answer_type: 'choice',
        choices: ['day', 'night'],
        source: 'ai',
      },
    ])
  })
  return id
}

test('job reads: GET …/application-form, …/prescreen-questions and …/sections', async () => {
  const id = await withSections()
  const form = (await service.get(`/jobs/${id}/application-form`, plain)).body
  assert.deepEqual(form, {
    object: 'application_form',
    job_id: id,
    is_template: false,
    fields: [
      {
        id: form.fields[0].id,
        label: 'E-mail',
        type: 'email',
        required: true,
        section: null,
        help_text: null,
        options: [],
        max_length: null,
        condition: null,
      },
      {
        id: form.fields[1].id,
        label: 'Languages',
        type: 'multiselect',
        required: false,
        section: 'About you',
        help_text: null,
        options: ['English', 'Norwegian'],
        max_length: null,
        condition: null,
      },
    ],
  })
  const questions = (await service.get(`/jobs/${id}/prescreen-questions`, key)).body
  assert.equal(questions.object, 'prescreen_questions')
  assert.equal(questions.job_id, id)
  assert.deepEqual(
    questions.adaptive.map((q: Record<string, unknown>) => [
      q['position'],
      q['response_key'],
      q['choices'],
      q['source'],
    ]),
    [
      [0, 'go_years', null, 'recruiter'],
      [1, 'shift', ['day', 'night'], 'ai'],
    ],
  )
  assert.deepEqual(questions.common, [
    {
      id: questions.common[0].id,
      position: 0,
      prompt: 'May you work here?',
      response_key: 'permit',
      answer_type: 'boolean',
      choices: null,
      required: true,
      source: 'template',
    },
  ])
  const stages = (await service.get(`/jobs/${id}/pipeline-stages`, key)).body
  assert.equal(stages.object, 'list')
  assert.equal(stages.next_cursor, null)
  assert.deepEqual(Object.keys(stages.data[0]), [
    'object',
    'id',
    'job_id',
    'name',
    'position',
    'type',
    'is_terminal',
    'application_count',
  ])
  const job = (await service.get(`/jobs/${id}`, key)).body
  const sections = (await service.get(`/jobs/${id}/sections`, key)).body
  assert.deepEqual(sections, {
    ...job,
    pipeline_stages: stages.data,
    application_form: form,
    prescreen_questions: questions,
  })
  const seen = (await service.get(`/jobs/${id}/sections`, plain)).body
  assert.equal(seen.prescreen_questions, undefined)
  assertWithheld(seen, sectionsShape, 'prescreen_questions', 'scope_required:jobs:screening:read')
})

test('job reads: 403 insufficient_scope: prescreen-questions needs jobs:screening:read, everything else jobs:read', async () => {
  const refused = await service.get(`/jobs/${jobs.remote}/prescreen-questions`, plain)
  assertFailure(refused, 403, 'insufficient_scope')
  assert.equal(refused.body.detail.required_scope, 'jobs:screening:read')
  const blind = await service.key({ workspace, scopes: ['lists:read'] })
  for (const path of [
    '',
    '/by-slug/x',
    ...['', '/sections', '/pipeline-stages', '/application-form', '/publish-readiness'].map(p => `/${jobs.remote}${p}`),
  ]) {
    const response = await service.get(`/jobs${path}`, blind)
    assertFailure(response, 403, 'insufficient_scope')
    assert.equal(response.body.detail.required_scope, 'jobs:read', path)
  }
})

test('job reads: pipeline stages and jobs count their applications', async () => {
  const id = await add({ title: 'Counted' })
  const { data } = (await service.get(`/jobs/${id}/pipeline-stages`, key)).body
  for (const stage of [data[0], data[0], data[2]]) {
    await db.query(sql`
      insert into applications (workspace_id, id, job_id, stage_id, source)
      values (${workspace}, ${newHandle('application')}, ${id}, ${stage.id}, 'public_board')`)
  }
  const counted = (await service.get(`/jobs/${id}/pipeline-stages`, key)).body.data
  assert.deepEqual(
    counted.map((s: { application_count: number }) => s.application_count),
    [2, 0, 1, 0, 0, 0],
  )
  assert.equal((await service.get(`/jobs/${id}`, key)).body.application_count, 3)
  assert.equal((await service.get(`/jobs/${id}/sections`, key)).body.pipeline_stages[0].application_count, 2)
})

test('job reads: publish-readiness: what a job lacks and what would make it better', async () => {
  const poor = await add({ title: 'Poor', content: {} }, 'draft')
  const { body } = await service.get(`/jobs/${poor}/publish-readiness`, plain)
  assert.deepEqual(Object.keys(body), ['object', 'job_id', 'ready', 'errors', 'hints'])
  assert.equal(body.object, 'publish_readiness')
  assert.equal(body.ready, false)
  assert.deepEqual(body.errors, [{ param: 'content', message: 'needs a summary or a description' }])
  assert.ok(body.hints.some((h: { param: string }) => h.param === 'compensation'))
  await db.transaction(async tx => {
    await setStages(tx, workspace, poor, [{ name: 'End', type: 'hired' }])
    await editJob(tx, workspace, poor, { close_at: '2020-01-01T00:00:00Z' })
  })
  const worse = (await service.get(`/jobs/${poor}/publish-readiness`, key)).body
  assert.deepEqual(
    worse.errors.map((e: { param: string }) => e.param),
    ['content', 'pipeline_stages', 'close_at'],
  )
  const rich = await add({
    title: 'Rich',
    department: 'A',
    employment_type: 'temp',
    location_type: 'remote',
    compensation: { salary_min: 1 },
    content: { summary: 's', description_md: 'd', skills_required: ['x'] },
  })
  const good = (await service.get(`/jobs/${rich}/publish-readiness`, key)).body
  assert.deepEqual([good.ready, good.errors, good.hints], [true, [], []])
})

test('job reads: 404 not_found: identical for missing, malformed and another workspace’s', async () => {
  const foreign = await add({ title: 'Foreign' }, 'published', other.workspace)
  const { slug } = (await service.get(`/jobs/${foreign}`, other.key)).body
  const handles = [newHandle('job'), 'job_x', foreign]
  const bodies = new Set<string>()
  for (const path of [
    '',
    '/sections',
    '/pipeline-stages',
    '/application-form',
    '/prescreen-questions',
    '/publish-readiness',
  ]) {
    for (const handle of handles) {
      const response = await service.get(`/jobs/${handle}${path}`, key)
      assertFailure(response, 404, 'not_found')
      bodies.add(JSON.stringify({ ...response.body.detail, request_id: '' }))
    }
  }
  const bySlug = await service.get(`/jobs/by-slug/${slug}`, key)
  assertFailure(bySlug, 404, 'not_found')
  bodies.add(JSON.stringify({ ...bySlug.body.detail, request_id: '' }))
  assert.equal(bodies.size, 1)
  const { body } = await service.get('/jobs?include_unpublished=true&limit=100', key)
  assert.ok(body.data.every((row: { workspace_id: string }) => row.workspace_id === workspace))
})

test('job reads: a page is read in pages without loss, with and without filters', async () => {
  const own = await newWorkspace()
  for (let i = 0; i < 12; i++)
    await add({ title: `Job ${i}`, department: i % 2 ? 'A' : 'B' }, 'published', own.workspace)
  for (const filter of ['', '&department=A', '&q=job', '&q=job&department=A', '&order=asc&q=job']) {
    const seen: string[] = []
    let cursor = ''
    do {
      const { body } = await service.get(`/jobs?limit=5${filter}${cursor && `&cursor=${cursor}`}`, own.key)
      seen.push(...body.data.map((row: { title: string }) => row.title))
      cursor = body.next_cursor ?? ''
    } while (cursor)
    const expected = Array.from({ length: 12 }, (_, i) => i).filter(i => !filter.includes('department') || i % 2)
    if (!filter.includes('asc')) expected.reverse()
    assert.deepEqual(
      seen,
      expected.map(i => `Job ${i}`),
      filter,
    )
  }
})

test('job reads: openapi.json: the list row, the single read and the sections are three schemas', async () => {
  const { body } = await service.get('/openapi.json')
  const of = (path: string) => body.paths[path].get.responses['200'].content['application/json'].schema
  assert.equal(of('/jobs').$ref, '#/components/schemas/job_page')
  const { job_page } = body.components.schemas
  assert.equal(job_page.properties.data.items.$ref, '#/components/schemas/job_summary')
  assert.equal(of('/jobs/{job_handle}').$ref, '#/components/schemas/job')
  assert.equal(of('/jobs/{job_handle}/sections').$ref, '#/components/schemas/job_sections')
  assert.deepEqual(
    Object.keys(body.paths['/jobs'].post.responses).filter(status => status < '300'),
    ['200', '201'],
  )
  const { job, job_summary, job_content, job_sections } = body.components.schemas
  assert.equal(job.properties.object.const, 'job')
  assert.equal(job_summary.properties.content, undefined)
  assert.equal(job.properties.content.$ref, '#/components/schemas/job_content')
  assert.match(job_content.properties.description_md.description, /[Ss]anitize/)
  assert.equal(job_sections.properties.application_form.$ref, '#/components/schemas/application_form')
  assert.ok(body.components.schemas.application_form)
})
