import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Database } from '../../src/kernel/db/database.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { apply, type Job, newJob, newTenant, sharedWorld, upload, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'

let world: World
let db: Database
let owner: Person
let member: Person
let viewer: Person

before(async () => {
  world = await sharedWorld()
  db = world.service.services.db
  const enter = (role: 'owner' | 'member' | 'viewer') =>
    signedIn(world.service, world.workspace, { role, program: 'hiring' })
  owner = await enter('owner')
  member = await enter('member')
  viewer = await enter('viewer')
})

interface Profile {
  current_title?: string
  current_company?: string
  skills?: string[]
}

/** Applies, with a résumé that was parsed. */
async function candidate(name: string, profile?: Profile, more: Record<string, unknown> = {}, job = world.job) {
  const [first_name, ...rest] = name.split(' ')
  const last_name = rest.join(' ')
  const resume_upload_id = profile && (await upload(world))
  const made = await apply({ ...world, job }, { resume_upload_id }, { first_name, last_name, ...more })
  if (profile)
    await db.query(sql`
      update resumes set parse_status = 'parsed', parsed = ${JSON.stringify(profile)}::jsonb
      where workspace_id = ${world.workspace} and application_id = ${made.id}`)
  return made as { id: string; applicant_id: string; job_id: string }
}

const search = async (q: string, person: Person = member) => {
  const { status, body, text } = await person.get(`/search?q=${encodeURIComponent(q)}`)
  assert.equal(status, 200, text)
  return body
}

const names = async (q: string, person: Person = member): Promise<string[]> =>
  (await search(q, person)).candidates.map((found: { name: string }) => found.name)

test('GET /search: 200 finds names without accents, in German forms, by beginnings, parts and similar spellings', async () => {
  await candidate('Zoë Corvantes')
  await candidate('Jürgen Müller-Größ')
  await candidate('Søren Łukasz')
  for (const q of ['zoe', 'Zoë', 'ZOE', 'corvantes', 'zo', 'corv', 'zoe corvantes', 'rvante', 'korvantes', 'corvantez'])
    assert.ok((await names(q)).includes('Zoë Corvantes'), q)
  for (const q of ['müller', 'muller', 'mueller', 'juergen', 'jurgen muell', 'groess', 'größ', 'muller-gross'])
    assert.ok((await names(q)).includes('Jürgen Müller-Größ'), q)
  for (const q of ['soren', 'lukasz', 'Łukasz']) assert.ok((await names(q)).includes('Søren Łukasz'), q)
  for (const q of ['z', '%', '_', "'", ':*', '& |', '\\', 'qqqqq', "zoe' | 'x"]) {
    const found = await names(q)
    assert.ok(q === "zoe' | 'x" || !found.includes('Zoë Corvantes'), q)
  }
})

test('GET /search: 200 finds by title, employer, skill, tag and job title, and says by which', async () => {
  const job = await newJob(world.service, world.workspace)
  await db.query(
    sql`update jobs set title = 'Perception Lead' where workspace_id = ${world.workspace} and id = ${job.id}`,
  )
  const profile = {
    current_title: 'Lidar Technician',
    current_company: 'Nordlicht GmbH',
    skills: ['Kubernetes', 'C++'],
  }
  const made = await candidate('Odalys Trennt', profile, {}, job)
  await member.post(`/applications/${made.id}/tags`, { add: 'Relocates' })
  const matchOf = async (q: string) =>
    (await search(q)).candidates.find((found: { name: string }) => found.name === 'Odalys Trennt')?.match
  assert.deepEqual(await matchOf('kubern'), { by: 'skill', text: 'Kubernetes' })
  assert.deepEqual(await matchOf('c++'), { by: 'skill', text: 'C++' })
  assert.deepEqual(await matchOf('lidar'), { by: 'title' })
  assert.deepEqual(await matchOf('Nordlicht'), { by: 'employer' })
  assert.deepEqual(await matchOf('relocates'), { by: 'tag', text: 'Relocates' })
  assert.deepEqual(await matchOf('perception'), { by: 'job' })
  assert.deepEqual(await matchOf('odalys kubernetes'), { by: 'skill', text: 'Kubernetes' })
  assert.equal(await matchOf('odalys terraform'), undefined)
  const [row] = (await search('nordlicht')).candidates
  assert.deepEqual(
    [row.title, row.company, row.job_title, row.stage_name, row.status],
    ['Lidar Technician', 'Nordlicht GmbH', 'Perception Lead', 'Applied', 'new'],
  )
})

test('GET /search: 200 finds no one by a locked résumé, and again by an unlocked one', async () => {
  const made = await candidate('Ruben Wainwright', { skills: ['Hydroforming'] })
  assert.deepEqual(await names('hydroforming'), ['Ruben Wainwright'])
  await db.query(sql`
    update applications set applied_at = app_now() - interval '121 days' where workspace_id = ${world.workspace} and id = ${made.id}`)
  assert.deepEqual(await names('hydroforming'), [], 'to the second, before a worker drops the words')
  await db.query(sql`
    update applications set resume_access_state = 'locked' where workspace_id = ${world.workspace} and id = ${made.id}`)
  const words = sql<{ terms: string }>`
    select terms::text from application_search where workspace_id = ${world.workspace} and application_id = ${made.id}`
  assert.doesNotMatch((await db.only(words)).terms, /hydroforming/)
  assert.deepEqual(await names('ruben'), ['Ruben Wainwright'])
  await db.query(sql`
    update applications set resume_access_state = 'unlocked', resume_unlocked_at = app_now()
    where workspace_id = ${world.workspace} and id = ${made.id}`)
  assert.deepEqual(await names('hydroforming'), ['Ruben Wainwright'])
})

test('GET /search: 200 finds by a whole email address or number without showing it, with an audit row of 0 units', async () => {
  const made = await candidate('Imke Vandenberg', undefined, {
    email: 'Imke.Vdb@example.org',
    phone: '+49 151 2345 6789',
  })
  const found = await owner.get(`/search?q=${encodeURIComponent('imke.vdb@EXAMPLE.org')}`)
  assert.deepEqual(
    found.body.candidates.map((row: { name: string }) => row.name),
    ['Imke Vandenberg'],
  )
  assert.deepEqual(found.body.candidates[0].match, { by: 'email' })
  assert.doesNotMatch(found.text, /example\.org/i)
  assert.deepEqual(await names('imke.vdb', owner), [], 'half of it')
  assert.deepEqual(await names('imke@', owner), [], 'half of it, with words of the name')
  assert.deepEqual(await names('vdb@example', owner), [])
  for (const q of ['0151 23456789', '+4915123456789', '(0049) 151/2345-6789'])
    assert.deepEqual((await search(q, owner)).candidates[0]?.match, { by: 'phone' }, q)
  assert.deepEqual(await names('23456789', owner), [], 'eight digits')
  const refused = await search('0151 23456789', member)
  assert.deepEqual([refused.candidates, refused.phone_refused], [[], true])
  const audit = await db.query(sql<{ field: string; units: number; acting_user_id: string }>`
    select field, units, acting_user_id from personal_data_reads
    where workspace_id = ${world.workspace} and subject_id = ${made.applicant_id} order by id`)
  assert.deepEqual(audit, [
    { field: 'email', units: 0, acting_user_id: owner.userId },
    ...Array.from({ length: 3 }, () => ({ field: 'phone', units: 0, acting_user_id: owner.userId })),
  ])
})

test('GET /search: 429 rate_limit_exceeded for more than 30 searches by address in a minute; words go on', async () => {
  const person = await signedIn(world.service, world.workspace, { role: 'member', program: 'hiring' })
  for (let i = 0; i < 30; i++) assert.equal((await person.get(`/search?q=noone${i}@example.org`)).status, 200)
  const refused = await person.get('/search?q=noone@example.org')
  assert.deepEqual([refused.status, refused.body.detail.code], [429, 'rate_limit_exceeded'])
  assert.equal((await person.get('/candidates?q=noone@example.org')).status, 429)
  assert.equal((await person.get('/search?q=noone')).status, 200)
})

test('GET /search: 200 finds a stopped person by name alone', async () => {
  const made = await candidate('Edda Steinbrück', { skills: ['Glaziology'] }, { email: 'edda@example.org' })
  await member.post(`/applications/${made.id}/tags`, { add: 'Iceland' })
  await db.query(sql`
    update applicants set suppressed_at = app_now() where workspace_id = ${world.workspace} and id = ${made.applicant_id}`)
  for (const q of ['glaziology', 'iceland', 'edda@example.org']) assert.deepEqual(await names(q), [], q)
  assert.deepEqual(await names('steinbruck'), ['Edda Steinbrück'])
  assert.deepEqual(await names('steinbrueck'), ['Edda Steinbrück'])
})

test('GET /search: 200 ranks whole names, beginnings, parts and words; open before decided, own jobs, then activity', async () => {
  const job = await newJob(world.service, world.workspace)
  const inJob = (name: string, profile?: Profile) => candidate(name, profile, {}, job)
  await inJob('Tess Worker', { skills: ['Quillan'] })
  await inJob('Mac Aquillan')
  await inJob('Quillan Baker')
  const closed = await inJob('Quillan Carver')
  await member.post('/applications/changes', { changes: [{ id: closed.id, action: 'reject', reason: 'Other' }] })
  assert.deepEqual(await names('quillan'), ['Quillan Baker', 'Quillan Carver', 'Mac Aquillan', 'Tess Worker'])
  await inJob('Quillan Bakerly')
  assert.deepEqual((await names('quillan baker')).slice(0, 2), ['Quillan Baker', 'Quillan Bakerly'])
})

test('limited people search and list applications of their jobs alone; viewers list without names, and search nothing', async () => {
  const inside = await newJob(world.service, world.workspace)
  const outside = await newJob(world.service, world.workspace)
  const email = 'both.jobs@example.org'
  const mine = await candidate('Vesna Bothjobs', { skills: ['Insideskill'] }, { email }, inside)
  await candidate('Vesna Bothjobs', { skills: ['Outsideskill'] }, { email }, outside)
  await candidate('Vesna Elsewhere', undefined, {}, outside)
  const limited = await signedIn(world.service, world.workspace, { role: 'member', program: 'hiring' })
  const boss = await signedIn(world.service, world.workspace, { role: 'owner', program: 'console' })
  await boss.post(`/people/${limited.userId}/job-access`, { job_access: 'team' })
  await owner.post(`/jobs/${inside.id}/team`, { add: [limited.userId], remove: [] })
  assert.deepEqual(await names('vesna', limited), ['Vesna Bothjobs'])
  assert.deepEqual(await names(email, limited), ['Vesna Bothjobs'])
  assert.deepEqual(await names('outsideskill', limited), [])
  assert.deepEqual(await names('vesna elsewhere', limited), [])
  assert.deepEqual(await names('vesna bothjob', owner), ['Vesna Bothjobs'], 'one row for one person')
  const list = await limited.get('/candidates')
  assert.deepEqual(
    list.body.data.map((row: { application_id: string; others: number }) => [row.application_id, row.others]),
    [[mine.id, 0]],
  )
  assert.equal((await limited.get(`/candidates?job_id=${outside.id}`)).status, 404)

  assert.deepEqual((await search('vesna', viewer)).candidates, [])
  const unnamed = await viewer.get('/candidates?limit=1')
  assert.deepEqual([unnamed.status, unnamed.body.data[0].name, unnamed.body.data[0].title], [200, null, null])
  for (const query of ['q=vesna', 'skills=Insideskill', 'sort=name'])
    assert.equal((await viewer.get(`/candidates?${query}`)).status, 403, query)
})

interface Listed {
  application_id: string
  name: string
  others: number
}

test('GET /candidates: 200 has one row for each person, the latest application first, page by page in every order', async () => {
  const own = await newTenant(world.service)
  const here: World = { ...world, ...own }
  const person = await signedIn(world.service, own.workspace, { role: 'owner', program: 'hiring' })
  const jobs: Job[] = [here.job, await newJob(world.service, own.workspace)]
  const ids: Record<string, string> = {}
  for (const [name, job] of [
    ['Ada', 0],
    ['Grace', 0],
    ['Alan', 0],
    ['Ada', 1],
    ['Edsger', 1],
  ] as const)
    ids[`${name} ${job}`] = (
      await apply(
        { ...here, job: jobs[job]! },
        {},
        { first_name: name, last_name: 'X', email: `${name}@list.example.org` },
      )
    ).id
  const score = (key: string, pct: number) =>
    db.query(sql`insert into application_scores (workspace_id, application_id, match_pct, gaps, model_version)
      values (${own.workspace}, ${ids[key]!}, ${pct}, '[]', 'v')`)
  await score('Ada 1', 40)
  await score('Grace 0', 90)
  await person.post(`/v1/applications/${ids['Alan 0']}/move`, { stage_id: jobs[0]!.stages[1] })
  const paged = async (query: string) => {
    const found: Listed[] = []
    let cursor = ''
    do {
      const { status, body, text } = await person.get(`/candidates?limit=1&${query}${cursor}`)
      assert.equal(status, 200, text)
      found.push(...body.data)
      cursor = body.next_cursor === null ? '' : `&cursor=${encodeURIComponent(body.next_cursor)}`
    } while (cursor !== '')
    return found.map(row => row.name.split(' ')[0])
  }
  assert.deepEqual(await paged(''), ['Edsger', 'Ada', 'Alan', 'Grace'])
  assert.deepEqual(await paged('sort=activity'), ['Alan', 'Edsger', 'Ada', 'Grace'])
  assert.deepEqual((await paged('sort=score')).slice(0, 2), ['Grace', 'Ada'])
  assert.equal((await paged('sort=in_stage')).at(-1), 'Alan')
  assert.deepEqual(await paged('sort=name'), ['Ada', 'Alan', 'Edsger', 'Grace'])
  const rows = async (query: string) => (await person.get(`/candidates?${query}`)).body.data as Listed[]
  const [, ada] = await rows('')
  assert.deepEqual([ada?.application_id, ada?.others], [ids['Ada 1'], 1])
  const [older] = await rows(`job_id=${jobs[0]!.id}&q=ada`)
  assert.deepEqual([older?.application_id, older?.others], [ids['Ada 0'], 1], 'the latest that passes the filter')
  const filtered = async (query: string) => (await rows(query)).map(row => row.name.split(' ')[0])
  assert.deepEqual(await filtered('stage_type=screen'), ['Alan'])
  assert.deepEqual(await filtered('score_from=50'), ['Grace'])
  assert.deepEqual(await filtered('status=rejected,hired'), [])
  assert.deepEqual(await filtered('has_resume=true'), [])
  assert.deepEqual(await filtered('source=partner_api:acme_ats&has_resume=false&q=grace'), ['Grace'])
  await person.post(`/applications/${ids['Edsger 1']}/tags`, { add: 'Night Shift' })
  assert.deepEqual(await filtered('tag=night%20shift'), ['Edsger'])
  assert.deepEqual(await filtered('skills=c%2B%2B'), [])
  for (const query of ['sort=age', 'score_from=101', 'stage_type=limbo', 'status=lost'])
    assert.equal((await person.get(`/candidates?${query}`)).status, 400, query)
  assert.equal((await person.get('/candidates?job_id=nothing')).status, 404)
})
