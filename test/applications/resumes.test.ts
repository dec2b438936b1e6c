import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { apply, newJob, sharedWorld, upload } from './setup.ts'

const world = await sharedWorld()
const { service, workspace, key } = world
const { db } = service.services

const PROFILE = {
  current_title: 'Engineer',
  current_company: 'Acme',
  seniority: 'senior',
  total_years_experience: 7.5,
  city: null,
  country: null,
  remote_ok: null,
  education_level: null,
  skills: ['sql'],
  languages: [],
  extraction_confidence: 0.8,
  experience: ['Engineer, Acme'],
  education: [],
  work_authorization: null,
  visa_required: null,
}
const LINKEDIN = 'https://www.linkedin.com/in/ada-resumes'

const withResume = async (more = {}, candidate = {}) =>
  apply(world, { resume_upload_id: await upload(world, undefined, undefined, 'cv.txt'), ...more }, candidate)
const store = (id: string, parsed: unknown, text = 'the full text') =>
  db.query(sql`
    update resumes set parse_status = 'parsed', parsed_at = app_now(), raw_text = ${text},
      parsed = ${JSON.stringify(parsed)}::jsonb where application_id = ${id}`)
const audited = async (keyId: string) =>
  (await db.query(sql`select 1 from personal_data_reads where key_id = ${keyId}`)).length

test('GET …/resume?raw_text=false: no text, named nowhere, no cost, no audit row, whatever the key holds', async () => {
  const app = await withResume()
  await store(app.id, PROFILE)
  for (const scopes of ['all', ['resume:read']] as const) {
    const own = await service.key({ workspace, scopes: scopes === 'all' ? 'all' : [...scopes] })
    const seen = await service.get(`/applications/${app.id}/resume?raw_text=false`, own)
    assert.equal(seen.status, 200, seen.text)
    assert.equal(seen.body.parsed.current_title, 'Engineer')
    assert.ok(!('raw_text' in seen.body.parsed))
    assert.ok(!('restricted' in seen.body) && !('restricted_reason' in seen.body))
    assert.doesNotMatch(seen.text, /the full text|raw_text/)
    assert.equal(seen.headers.get('service-personal-data-cost'), null)
    assert.equal(seen.headers.get('service-personal-data-remaining'), null)
    assert.equal(await audited(own.id), 0)
  }
  const full = await service.get(`/applications/${app.id}/resume?raw_text=true`, key)
  assert.deepEqual([full.body.parsed.raw_text, full.headers.get('service-personal-data-cost')], ['the full text', '1'])
  const bad = await service.get(`/applications/${app.id}/resume?raw_text=no`, key)
  assert.deepEqual([bad.status, bad.body.detail.param], [400, 'raw_text'])
})

test('GET …/resume?raw_text=false: 200 with an exhausted budget; 403 resume_locked when locked', async () => {
  const app = await withResume()
  await store(app.id, PROFILE)
  const own = await service.key({ workspace })
  await db.query(sql`
    insert into personal_data_usage (workspace_id, key_id, day, used)
    values (${workspace}, ${own.id}, app_now()::date, 100000)`)
  assert.equal((await service.get(`/applications/${app.id}/resume`, own)).status, 429)
  assert.equal((await service.get(`/applications/${app.id}/resume?raw_text=false`, own)).status, 200)
  await db.query(sql`update applications set applied_at = app_now() - interval '200 days' where id = ${app.id}`)
  const locked = await service.get(`/applications/${app.id}/resume?raw_text=false`, own)
  assert.deepEqual([locked.status, locked.body.detail.code], [403, 'resume_locked'])
})

test('résumé lists: every field of the résumé with parsed, never the text, no restricted, no charge', async () => {
  const app = await withResume({}, { linkedin_url: LINKEDIN })
  await store(app.id, PROFILE)
  const single = (await service.get(`/applications/${app.id}/resume?raw_text=false`, key)).body
  const person = (await service.get(`/people/resolve?linkedin_url=${encodeURIComponent(LINKEDIN)}`, key)).body
  for (const path of [`/applicants/${app.applicant_id}/resumes`, `/people/${person.id}/resumes`]) {
    for (const scopes of [['resume:read', 'people:resolve', 'applicants:read'], 'all'] as const) {
      const own = await service.key({ workspace, scopes: scopes === 'all' ? 'all' : [...scopes] })
      const list = await service.get(path, own)
      assert.equal(list.status, 200, list.text)
      const [row] = list.body.data
      assert.deepEqual(row, {
        ...single,
        job_id: world.job.id,
        has_parsed_profile: true,
        links: { detail: `/api/partner/v1/applications/${app.id}/resume`, ...single.links },
      })
      assert.doesNotMatch(list.text, /the full text|raw_text|restricted/)
      assert.equal(list.headers.get('service-personal-data-cost'), null)
      assert.equal(await audited(own.id), 0)
    }
  }
})

test('résumé lists: parsed is null before parsing and while locked', async () => {
  const fresh = await withResume()
  const [row] = (await service.get(`/applicants/${fresh.applicant_id}/resumes`, key)).body.data
  assert.deepEqual([row.parsed, row.has_parsed_profile, row.parse_status], [null, false, 'pending'])
  await store(fresh.id, PROFILE)
  await db.query(sql`update applications set applied_at = app_now() - interval '200 days' where id = ${fresh.id}`)
  const locked = await service.get(`/applicants/${fresh.applicant_id}/resumes`, key)
  const [old] = locked.body.data
  assert.deepEqual([old.parsed, old.has_parsed_profile, old.resume_access.state], [null, true, 'locked'])
  assert.doesNotMatch(locked.text, /Acme/)
})

test('parsed: experience, education, skills and languages are arrays whatever is stored', async () => {
  const email = 'odd-profile@example.org'
  for (const odd of [{}, { experience: null, education: 'MSc', skills: { a: 1 }, languages: 7 }, null]) {
    const app = await withResume({ job_id: (await newJob(service, workspace)).id }, { email })
    await store(app.id, odd === null ? { skills: [] } : { ...PROFILE, experience: undefined, ...odd })
    const expected = odd !== null && Object.keys(odd).length === 0
    for (const parsed of [
      (await service.get(`/applications/${app.id}/resume`, key)).body.parsed,
      (await service.get(`/applicants/${app.applicant_id}/resumes`, key)).body.data[0].parsed,
    ]) {
      assert.deepEqual(parsed.structured, { experience: [], education: [] })
      assert.deepEqual([parsed.skills, parsed.languages], [expected ? ['sql'] : [], []])
      assert.equal(typeof parsed.extraction_confidence, 'number')
    }
  }
})
