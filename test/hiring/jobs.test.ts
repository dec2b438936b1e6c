import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Role } from '../../src/contract/scopes.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import {
  closeDueJobs,
  editJob,
  setForm,
  setQuestions,
  setStages,
  setTemplateForm,
} from '../../src/resources/jobs/index.ts'
import { apply, newTenant, sharedWorld, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { nextInstant } from '../harness/next-instant.ts'

let world: World
const people = {} as Record<Role, Person>
let stranger: Person

before(async () => {
  world = await sharedWorld()
  for (const role of ['owner', 'admin', 'member', 'viewer'] as const) {
    people[role] = await signedIn(world.service, world.workspace, { role, program: 'hiring' })
  }
  stranger = await signedIn(world.service, (await newTenant(world.service)).workspace, { program: 'hiring' })
})

const change: World['service']['services']['db']['transaction'] = work => world.service.services.db.transaction(work)

const create = async (job: Record<string, unknown>, by: Person = people.member): Promise<string> => {
  const { status, body, text } = await by.post('/jobs', { job: { content: { summary: 'Text' }, ...job } })
  assert.equal(status, 200, text)
  return body.id
}

const read = async (id: string) => (await people.owner.get(`/v1/jobs/${id}`)).body
const historyOf = async (id: string) => (await people.viewer.get(`/jobs/${id}/history`)).body.data

/** Everything that a body may set. */
const EVERYTHING = {
  title: 'Boat builder',
  department: 'Yard',
  team: 'Hulls',
  employment_type: 'full_time',
  location_type: 'hybrid',
  locations: ['Lyon, France', 'Kiel, Germany'],
  experience_level: 'senior',
  language: 'de',
  years_min: 2.5,
  years_max: 8,
  compensation: {
    salary_min: 40_000,
    salary_max: 52_000,
    currency: 'EUR',
    interval: 'annual',
    equity: '0.1 %',
    commission: true,
  },
  accept_applications: false,
  external_apply_url: 'https://apply.example/boats',
  source: {
    company_name: 'Acme Boats',
    company_logo_url: 'https://acme.example/logo.png',
    canonical_url: 'https://acme.example/jobs/1',
  },
  close_at: '2099-01-01T00:00:00.000Z',
  content: {
    summary: 'Builds boats.',
    description_md: '## The yard',
    responsibilities: ['Plan', 'Build'],
    requirements: ['Hands'],
    nice_to_have: ['Sailing'],
    skills_required: ['Welding'],
    skills_preferred: ['Rigging'],
    benefits: ['A boat'],
  },
}

test('POST /jobs: 200 a draft with every field that the specification lets a job have', async () => {
  const job = await read(await create(EVERYTHING))
  assert.equal(job.status, 'draft')
  assert.equal(job.source.system, 'tahoe_native')
  for (const [name, value] of Object.entries(EVERYTHING)) {
    if (typeof value === 'object' && !Array.isArray(value)) {
      for (const [inner, expected] of Object.entries(value)) assert.deepEqual(job[name][inner], expected, inner)
    } else assert.deepEqual(job[name], value, name)
  }
})

test('POST /jobs: 400 lists every fault by the name of its field, and creates nothing', async () => {
  const before = (await people.owner.get('/jobs')).body.data.length
  const job = { title: ' ', years_min: 99, compensation: { salary_min: 5, salary_max: 4 }, external_apply_url: 'ftp:x' }
  const { status, body } = await people.member.post('/jobs', { job })
  assert.equal(status, 400)
  assert.deepEqual(body.detail.errors.map((row: { param: string }) => row.param).toSorted(), [
    'compensation.salary_max',
    'external_apply_url',
    'title',
    'years_min',
  ])
  assert.equal((await people.owner.get('/jobs')).body.data.length, before)
})

test('POST /jobs/{id}: 200 changes what is sent; 409 stale_resource after another change, and changes nothing', async () => {
  const id = await create({ title: 'Cook', department: 'Kitchen' })
  const seen = (await read(id)).updated_at
  const first = await people.member.post(`/jobs/${id}`, {
    changes: { title: 'Head cook', department: null },
    expected_updated_at: seen,
  })
  assert.equal(first.status, 200)
  const now = await read(id)
  assert.deepEqual([now.title, now.department, now.content.summary], ['Head cook', null, 'Text'])

  const second = await people.admin.post(`/jobs/${id}`, { changes: { title: 'Chef' }, expected_updated_at: seen })
  assert.deepEqual([second.status, second.body.detail.code], [409, 'stale_resource'])
  assert.deepEqual(await read(id), now)
})

test('jobs of the pages: 403 for a viewer who changes one, and for a member who deletes one; 404 in another workspace', async () => {
  const id = await create({ title: 'Baker' })
  const writes: readonly (readonly [string, unknown])[] = [
    ['/jobs', { job: { title: 'x' } }],
    [`/jobs/${id}`, { changes: { title: 'x' } }],
    [`/jobs/${id}/duplicate`, { title: 'x' }],
    [`/jobs/${id}/delete`, { reason: 'x' }],
    [`/v1/jobs/${id}/publish`, {}],
  ]
  for (const [path, body] of writes) assert.equal((await people.viewer.post(path, body)).status, 403, path)
  assert.equal((await people.member.post(`/jobs/${id}/delete`, { reason: 'x' })).status, 403)
  for (const [path, body] of writes.slice(1, 4)) {
    const { status, body: error } = await stranger.post(path, body)
    assert.deepEqual([status, error.detail.code], [404, 'not_found'], path)
    const none = await stranger.post(path.replace(id, 'job_none'), body)
    assert.deepEqual({ ...none.body.detail, request_id: '' }, { ...error.detail, request_id: '' })
  }
  assert.equal((await stranger.get(`/jobs/${id}/history`)).status, 404)
  assert.equal(
    (await stranger.get('/jobs')).body.data.some((job: { id: string }) => job.id === id),
    false,
  )
  assert.equal((await read(id)).title, 'Baker')
  for (const path of ['/jobs', '/job-words', `/jobs/${id}/history`]) {
    assert.equal((await people.viewer.get(path)).status, 200, path)
  }
})

test('GET /jobs: active applications by stage; rejected ones are not counted', async () => {
  const own = await newTenant(world.service)
  const reader = await signedIn(world.service, own.workspace, { role: 'viewer', program: 'hiring' })
  const at = { ...world, ...own }
  const [first, , third] = [await apply(at), await apply(at), await apply(at)]
  const key = own.key
  await world.service.post(`/applications/${third.id}/reject`, key, { reason: 'No.' })
  await world.service.post(`/applications/${first.id}/move`, key, { stage_id: own.job.stages[1] })
  const [job, ...others] = (await reader.get('/jobs')).body.data
  assert.equal(others.length, 0)
  assert.equal(job.id, own.job.id)
  assert.deepEqual(
    job.stages.map((stage: { name: string; active: number }) => [stage.name, stage.active]),
    [
      ['Applied', 1],
      ['Screen', 1],
      ['Interview', 0],
      ['Hired', 0],
      ['Rejected', 0],
    ],
  )
  assert.ok(!JSON.stringify(job).includes('Ada'))
})

test('GET /jobs: filters, words and pages', async () => {
  const own = await newTenant(world.service)
  const person = await signedIn(world.service, own.workspace, { role: 'member', program: 'hiring' })
  const add = async (job: Record<string, unknown>) => {
    await nextInstant(world.service.services.db)
    return create(job, person)
  }
  const welder = await add({ title: 'Welder', department: 'Yard', location_type: 'onsite', locations: ['Kiel'] })
  const clerk = await add({ title: 'Clerk', department: 'Office', team: 'Pay', location_type: 'remote' })
  await person.post(`/v1/jobs/${clerk}/publish`)
  const idsOf = async (query: string) => {
    const { status, body, text } = await person.get(`/jobs${query}`)
    assert.equal(status, 200, text)
    return body.data.map((job: { id: string }) => job.id)
  }
  assert.deepEqual(await idsOf(''), [clerk, welder, own.job.id])
  assert.deepEqual(await idsOf('?status=draft'), [welder])
  assert.deepEqual(await idsOf('?department=Yard'), [welder])
  assert.deepEqual(await idsOf('?location_type=remote&status=published,closed'), [clerk])
  assert.deepEqual(await idsOf('?q=weldr'), [welder])
  const page = (await person.get('/jobs?limit=2')).body
  assert.deepEqual(page.data.length, 2)
  assert.deepEqual(await idsOf(`?limit=2&cursor=${encodeURIComponent(page.next_cursor)}`), [own.job.id])
  assert.equal((await person.get('/jobs?status=open')).status, 400)
  assert.deepEqual((await person.get('/job-words')).body, {
    departments: ['Office', 'Yard'],
    teams: ['Pay'],
    locations: ['Kiel'],
  })
})

test('POST /job-currency: that of the places of the job where it is certain, else that of the workspace; never of another country', async () => {
  const own = await newTenant(world.service)
  const person = await signedIn(world.service, own.workspace, { role: 'member', program: 'hiring' })
  const setCountry = (country: string | null) =>
    world.service.services.db.query(sql`
      insert into career_sites (workspace_id, slug, country) values (${own.workspace}, 'currencies', ${country})
      on conflict (workspace_id) do update set country = excluded.country`)
  const currencyFor = async (...locations: string[]) => {
    const { status, body, text } = await person.post('/job-currency', { locations })
    assert.equal(status, 200, text)
    return body.currency
  }
  for (const [country, currency] of [
    [null, null],
    ['DE', 'EUR'],
    ['CH', 'CHF'],
    ['AQ', null],
    ['US', 'USD'],
  ] as const) {
    await setCountry(country)
    assert.equal(await currencyFor(), currency, String(country))
    assert.equal(await currencyFor('Remote'), currency, String(country))
    assert.equal(await currencyFor('Kleinkleckersdorf'), currency, String(country))
    assert.equal(await currencyFor('Berlin'), 'EUR', String(country))
    assert.equal(await currencyFor('Berlin, Germany', 'Remote (Paris, France)'), 'EUR', String(country))
    assert.equal(await currencyFor('Zürich', 'Kleinkleckersdorf'), 'CHF', String(country))
    assert.equal(await currencyFor('Berlin', 'Austin, TX'), null, String(country))
    assert.equal(await currencyFor('Remote - EU'), null, String(country))
  }
})

test('GET /jobs/{id}/history: who, when and which fields, for changes of people, of a key and of the service', async () => {
  const { service, workspace, key } = world
  const source = { system: 'acme_ats', external_id: 'history-1' }
  const pushed = await service.post('/jobs', key, { source, title: 'Diver', content: { summary: 'Dives.' } })
  const id = pushed.body.id
  const tomorrow = new Date(Date.parse(pushed.body.updated_at) + 86_400_000).toISOString()
  const edit = { title: 'Deep diver', close_at: tomorrow, locations: ['Brest'], content: { summary: 'Dives deep.' } }
  assert.equal((await people.member.post(`/jobs/${id}`, { changes: edit })).status, 200)
  assert.equal((await people.admin.post(`/v1/jobs/${id}/publish`)).status, 200)
  // nothing changes, so nothing is written
  await people.admin.post(`/v1/jobs/${id}/publish`)
  await service.post('/jobs', key, { source, title: 'Deep diver' })
  const moved = await change(tx => editJob(tx, workspace, id, { close_at: '2020-01-01T00:00:00Z' }, { by: null }))
  assert.equal(moved, undefined)
  await change(tx => closeDueJobs(tx, 10))

  const rows = await historyOf(id)
  assert.deepEqual(
    rows.map((row: { action: string; by: object }) => [row.action, row.by]),
    [
      ['closed', { kind: 'service', name: null }],
      ['edited', { kind: 'service', name: null }],
      ['published', { kind: 'person', name: 'Pia' }],
      ['edited', { kind: 'person', name: 'Pia' }],
      [
        'created',
        {
          kind: 'key',
          name: (await service.services.db.one(sql<{ name: string }>`select name from api_keys where id = ${key.id}`))!
            .name,
        },
      ],
    ],
  )
  const own = (await people.member.get(`/jobs/${id}/history`)).body.data.map((row: { own: boolean }) => row.own)
  assert.deepEqual(own, [false, false, false, true, false])
  assert.deepEqual(rows[3].fields, [
    { name: 'title', from: 'Diver', to: 'Deep diver' },
    { name: 'locations' },
    { name: 'close_at', from: null, to: tomorrow },
    { name: 'content.summary' },
  ])
  const times = rows.map((row: { at: string }) => row.at)
  assert.deepEqual(times, times.toSorted().reverse())
  assert.equal(times[0], (await read(id)).updated_at)
})

test('GET /jobs/{id}/history: stages, form, questions and the form of the workspace; a push that creates and publishes', async () => {
  const { service, workspace, key } = world
  const by = { userId: people.owner.userId }
  const id = await create({ title: 'Carver' }, people.owner)
  await change(tx => setStages(tx, workspace, id, [{ name: 'New', type: 'applied' }], { by }))
  const { stages: made } = (await people.owner.get(`/jobs/${id}/stages`)).body
  const renamed = [
    { id: made[0].id, name: 'Inbox', type: 'applied' as const },
    { name: 'Talk', type: 'interview' as const },
  ]
  await change(tx => setStages(tx, workspace, id, renamed, { by }))
  await change(tx => setTemplateForm(tx, workspace, [{ label: 'Name', type: 'text', candidate_field: 'name' }], { by }))
  await change(tx =>
    setForm(tx, workspace, id, [{ label: 'Your name', type: 'text', candidate_field: 'name' }], { by }),
  )
  const question = { kind: 'common', prompt: 'Ready?', response_key: 'ready', answer_type: 'boolean' } as const
  await change(tx => setQuestions(tx, workspace, id, [question], { by }))
  const rows = (await historyOf(id)).slice(0, 5)
  assert.deepEqual(
    rows.map((row: { fields: { name: string }[] }) => row.fields.map(field => field.name).join()),
    ['prescreen_questions', 'application_form', 'application_form', 'pipeline_stages', 'pipeline_stages'],
  )
  assert.ok(rows.every((row: { by: { kind: string } }) => row.by.kind === 'person'))
  // before and after, a line for each entry; the questions for those who may read them
  const stages = rows[4].fields[0]
  assert.deepEqual([stages.from[0], stages.to], ['Applied (applied)', ['New (applied)']])
  assert.deepEqual(rows[3].fields[0], {
    name: 'pipeline_stages',
    from: ['New (applied)'],
    to: ['Inbox (applied)', 'Talk (interview)'],
    renamed: [['New (applied)', 'Inbox (applied)']],
  })
  // a change of the workspace's form is listed like one of a job's own form
  const template = rows[2].fields[0]
  assert.deepEqual(template.to, ['Name (text)'])
  assert.ok(template.from.length > 1)
  assert.deepEqual(rows[1].fields[0], {
    name: 'application_form',
    from: ['the form of the workspace'],
    to: ['Your name (text)'],
  })
  assert.deepEqual(rows[0].fields, [{ name: 'prescreen_questions' }], 'a viewer')
  const [latest] = (await people.owner.get(`/jobs/${id}/history`)).body.data
  assert.deepEqual(latest.fields, [{ name: 'prescreen_questions', from: [], to: ['Ready? (boolean)'] }])

  const { version } = (await people.owner.get(`/jobs/${id}/criteria`)).body
  const criteria = [{ name: 'Carving', description: 'Oak and lime' }]
  const saved = await people.owner.post(`/jobs/${id}/criteria`, { criteria, expected_version: version })
  assert.equal(saved.status, 200, saved.text)
  const again = await people.owner.post(`/jobs/${id}/criteria`, { criteria, expected_version: saved.body.version })
  assert.equal(again.status, 200, again.text)
  const [first, second] = await historyOf(id)
  assert.deepEqual([first.action, first.by.kind], ['edited', 'person'])
  assert.deepEqual(first.fields, [{ name: 'scorecard_criteria', from: [], to: ['Carving: Oak and lime'] }])
  assert.equal(second.fields[0].name, 'prescreen_questions', 'saved without a change')

  const source = { system: 'acme_ats', external_id: 'history-2' }
  const pushed = await service.post('/jobs', key, { source, title: 'X', content: { summary: 'Y' }, publish: true })
  const [created, ...rest] = await historyOf(pushed.body.id)
  assert.equal(rest.length, 0)
  assert.equal(created.action, 'created')
  assert.deepEqual(created.fields.at(-1), { name: 'status', to: 'published' })
})

test('POST /jobs/{id}/duplicate: 200 a draft with content, stages, own form with conditions, and questions', async () => {
  const { workspace } = world
  const id = await create({ ...EVERYTHING, title: 'Sailor' })
  await change(async tx => {
    await setStages(tx, workspace, id, [
      { name: 'Inbox', type: 'applied' },
      { name: 'Trial trip', type: 'custom' },
      { name: 'Gone', type: 'rejected' },
    ])
    await setForm(tx, workspace, id, [
      { label: 'Name', type: 'text', candidate_field: 'name', required: true },
      { label: 'Licence?', type: 'boolean' },
      { label: 'Number', type: 'text', max_length: 20, condition: { position: 1, values: ['true'] } },
    ])
    await setQuestions(tx, workspace, id, [
      { kind: 'adaptive', prompt: 'Seasick?', response_key: 'seasick', answer_type: 'choice', choices: ['no', 'yes'] },
    ])
  })
  const made = await people.member.post(`/jobs/${id}/duplicate`, { title: ' Second sailor ' })
  assert.equal(made.status, 200, made.text)
  const sectionsOf = async (job: string) => (await people.owner.get(`/v1/jobs/${job}/sections`)).body
  const [original, copy] = [await sectionsOf(id), await sectionsOf(made.body.id)]
  assert.deepEqual([copy.title, copy.status, copy.close_at], ['Second sailor', 'draft', null])
  assert.deepEqual(copy.content, original.content)
  assert.deepEqual(copy.compensation, original.compensation)
  assert.deepEqual([copy.source.company_name, copy.source.canonical_url], ['Acme Boats', null])
  assert.notEqual(copy.voice_screening.dial_in_code, original.voice_screening.dial_in_code)

  type Named = { id: string; [name: string]: unknown }
  const plain = (rows: Named[]) => rows.map(({ id: _, job_id: __, condition: ___, ...row }) => row)
  for (const [theirs, ours] of [
    [original.pipeline_stages, copy.pipeline_stages],
    [original.application_form.fields, copy.application_form.fields],
    [original.prescreen_questions.adaptive, copy.prescreen_questions.adaptive],
  ] as [Named[], Named[]][]) {
    assert.deepEqual(plain(ours), plain(theirs))
    assert.ok(ours.every((row, i) => row.id !== theirs[i]!.id))
  }
  assert.equal(copy.application_form.is_template, false)
  const [, licence, number] = copy.application_form.fields
  assert.deepEqual(number.condition, { field_id: licence.id, values: ['true'] })
  assert.equal((await people.member.post(`/jobs/${id}/duplicate`, { title: ' ' })).status, 400)
})

test('POST /jobs/{id}/delete: 200 for an admin, with its history; 400 with a reason for a job with applications', async () => {
  const id = await create({ title: 'Typo' })
  assert.equal((await people.admin.post(`/jobs/${id}/delete`, { reason: 'Created twice' })).status, 200)
  assert.equal((await people.admin.get(`/v1/jobs/${id}`)).status, 404)
  const left = sql`select 1 from job_history where workspace_id = ${world.workspace} and job_id = ${id}`
  assert.equal(await world.service.services.db.one(left), undefined)

  await apply(world)
  const refused = await people.admin.post(`/jobs/${world.job.id}/delete`, { reason: 'Gone' })
  assert.equal(refused.status, 400)
  assert.match(refused.body.detail.message, /has applications; close it instead/)
})

test('POST /markdown-preview: 200 with what the careers site would show, without scripts, pictures and styles; 403 for a viewer', async () => {
  const text = '# Us\n\n**Bold** [site](https://acme.example)\n\n<script>alert(1)</script><img src=x onerror=alert(1)>'
  const { status, body } = await people.member.post('/markdown-preview', { text })
  assert.equal(status, 200)
  assert.match(
    body.html,
    /<h2>Us<\/h2>\s*<p><strong>Bold<\/strong> <a href="https:\/\/acme.example" rel="noopener nofollow">site<\/a>/,
  )
  assert.ok(!/script|img|onerror/.test(body.html), body.html)
  const refused = await people.viewer.post('/markdown-preview', { text })
  assert.deepEqual([refused.status, refused.body.detail.code], [403, 'role_required'])
})

test('GET /jobs/{id}/description: 200 with the stored text for everyone who reads jobs; 404 in another workspace as for a missing job', async () => {
  const id = await create({ title: 'Welder', content: { description_md: '**Bold** <script>alert(1)</script>' } })
  const { status, body } = await people.viewer.get(`/jobs/${id}/description`)
  assert.equal(status, 200)
  assert.match(body.html, /<p><strong>Bold<\/strong>/)
  assert.ok(!body.html.includes('script'))
  assert.deepEqual((await people.viewer.get(`/jobs/${await create({ title: 'Cook' })}/description`)).body, { html: '' })
  const stranger = await signedIn(world.service, (await world.service.workspace()).id, { program: 'hiring' })
  const [other, missing] = await Promise.all([id, 'job_none'].map(one => stranger.get(`/jobs/${one}/description`)))
  assert.deepEqual([other!.status, missing!.status], [404, 404])
  assert.equal(other!.body.detail.message, missing!.body.detail.message)
})
