import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { ageResumeAccess, unlockResume } from '../../src/resources/resumes/index.ts'
import { resumeAccess } from '../../src/resources/resumes/shape.ts'
import { ageResumeAccessWorker } from '../../src/workers/age-resume-access.ts'
import { apply, readEvents, startWorld, upload } from './setup.ts'

const world = await startWorld()
const { service, workspace, key } = world
const { db } = service.services
const DAY = 86_400_000

const withResume = async () => apply(world, { resume_upload_id: await upload(world, undefined, undefined, 'cv.txt') })
const parse = (id: string, text = 'the full text') =>
  db.query(sql`
    update resumes set parse_status = 'parsed', parsed_at = app_now(), raw_text = ${text}, parsed = ${JSON.stringify({
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
    })}::jsonb where application_id = ${id}`)
/** Moves the clock so that the application is exactly this old. */
async function setAge(id: string, ms: number) {
  clock.reset()
  const applied = await db.one(sql<{ applied_at: string }>`select applied_at from applications where id = ${id}`)
  clock.advance(Date.parse(applied!.applied_at) + ms - Date.now())
}
const audit = (keyId: string) =>
  db.query(sql<{ subject_object: string; subject_id: string; field: string }>`
    select subject_object, subject_id, field from personal_data_reads where key_id = ${keyId} order by id`)

test('resumeAccess: at every instant exactly one state, boundaries belong to the later one', () => {
  const applied = Date.parse('2026-01-01T00:00:00.000Z')
  const at = (ms: number, unlocked: string | null = null) =>
    resumeAccess(new Date(applied).toISOString(), unlocked, new Date(applied + ms).toISOString())
  assert.equal(at(90 * DAY - 1).state, 'open')
  assert.equal(at(90 * DAY).state, 'view_only')
  assert.equal(at(120 * DAY - 1).state, 'view_only')
  assert.equal(at(120 * DAY).state, 'locked')
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 200 * DAY }), ms => {
      const access = at(ms)
      assert.equal(access.can_view, access.state !== 'locked')
      assert.equal(access.can_download, access.state === 'open')
      assert.equal(access.unlock_credits, 50)
      if (access.state_changes_at !== null) {
        const then = Date.parse(access.state_changes_at) - applied
        assert.ok(then > ms)
        assert.equal(at(then - 1).state, access.state)
        assert.notEqual(at(then).state, access.state)
      } else assert.equal(access.state, 'locked')
      const unlocked = at(ms, new Date(applied).toISOString())
      assert.deepEqual(
        [unlocked.state, unlocked.state_changes_at, unlocked.can_view, unlocked.can_download],
        ['unlocked', null, true, true],
      )
    }),
  )
})

test('résumé access: 200 resume: the specified fields; parsed null until parsed; 404 without a résumé', async () => {
  const bare = await apply(world)
  assert.equal((await service.get(`/applications/${bare.id}/resume`, key)).status, 404)
  assert.equal((await service.get(`/applications/${bare.id}/resume/download`, key)).status, 404)
  const app = await withResume()
  const before = await service.get(`/applications/${app.id}/resume`, key)
  assert.equal(before.body.parsed, null)
  assert.equal(before.headers.get('service-personal-data-cost'), null)
  await parse(app.id)
  const seen = await service.get(`/applications/${app.id}/resume`, key)
  const FIELDS = 'object id application_id filename mime bytes parse_status parse_error resume_access parsed links'
  assert.deepEqual(Object.keys(seen.body), FIELDS.split(' '))
  assert.deepEqual(
    [seen.body.object, seen.body.filename, seen.body.mime, seen.body.bytes],
    ['resume', 'cv.txt', 'text/plain', 19],
  )
  assert.deepEqual(seen.body.links, { download: `/api/partner/v1/applications/${app.id}/resume/download` })
  assert.deepEqual(Object.keys(seen.body.parsed), [
    'current_title',
    'current_company',
    'seniority',
    'total_years_experience',
    'city',
    'country',
    'remote_ok',
    'education_level',
    'skills',
    'languages',
    'extraction_confidence',
    'parsed_at',
    'structured',
    'work_authorization',
    'visa_required',
    'raw_text',
  ])
  assert.equal(seen.body.parsed.total_years_experience, 7.5)
  assert.deepEqual(seen.body.parsed.structured, { experience: ['Engineer, Acme'], education: [] })
})

test('résumé access: the full text costs a unit and is audited on the résumé; without its scope it is restricted and free', async () => {
  const app = await withResume()
  await parse(app.id)
  const full = await service.key({ workspace })
  const seen = await service.get(`/applications/${app.id}/resume`, full)
  assert.equal(seen.body.parsed.raw_text, 'the full text')
  assert.equal(seen.headers.get('service-personal-data-cost'), '1')
  assert.deepEqual(await audit(full.id), [{ subject_object: 'resume', subject_id: seen.body.id, field: 'resume_text' }])
  const reader = await service.key({ workspace, scopes: ['resume:read'] })
  const partial = await service.get(`/applications/${app.id}/resume`, reader)
  assert.deepEqual(partial.body.restricted, ['parsed.raw_text'])
  assert.deepEqual(partial.body.restricted_reason, { 'parsed.raw_text': 'scope_required:resume:raw_text:read' })
  assert.doesNotMatch(partial.text, /the full text/)
  assert.equal(partial.body.parsed.current_title, 'Engineer')
  assert.deepEqual(await audit(reader.id), [])
})

test('résumé access: 200 download: a signed address for 300 seconds, one unit, audited; it cannot be altered', async () => {
  const app = await withResume()
  const own = await service.key({ workspace })
  const got = await service.get(`/applications/${app.id}/resume/download`, own)
  assert.deepEqual(Object.keys(got.body), [
    'object',
    'application_id',
    'url',
    'expires_in',
    'filename',
    'mime',
    'bytes',
  ])
  assert.equal(got.body.object, 'resume_download')
  assert.equal(got.body.expires_in, 300)
  assert.equal(got.headers.get('service-personal-data-cost'), '1')
  assert.equal(got.headers.get('ratelimit-limit'), '300')
  const [row] = await audit(own.id)
  assert.deepEqual([row!.subject_object, row!.field], ['resume', 'resume_file'])
  const file = await fetch(got.body.url)
  assert.equal(await file.text(), 'Ada Byron\nEngineer\n')
  assert.match(file.headers.get('content-disposition') ?? '', /^attachment; filename\*=UTF-8''cv\.txt$/)
  const expires = /expires=(\d+)/.exec(got.body.url)![1]!
  for (const altered of [
    got.body.url.replace(expires, String(Number(expires) + 1)),
    got.body.url.replace('cv.txt', 'cv.exe'),
    got.body.url.replace('text%2Fplain', 'text%2Fhtml'),
    got.body.url.replace(/res/, 'rfs'),
    got.body.url.slice(0, -1),
  ]) {
    assert.notEqual(altered, got.body.url)
    assert.equal((await fetch(altered)).status, 404)
  }
  assert.equal((await fetch(got.body.url, { method: 'PUT', body: 'x' })).status, 404)
  clock.advance(240_000)
  assert.equal((await fetch(got.body.url)).status, 200)
  clock.advance(60_001)
  assert.equal((await fetch(got.body.url)).status, 404)
  clock.reset()
})

test('résumé access: HEAD, Range and an aborted call give nothing free of charge', async () => {
  const app = await withResume()
  await parse(app.id)
  const own = await service.key({ workspace })
  for (const path of ['resume', 'resume/download'])
    assert.equal((await service.call('HEAD', `/applications/${app.id}/${path}`, { key: own })).status, 405)
  assert.equal((await service.call('HEAD', `/applicants/${app.applicant_id}/contact-info`, { key: own })).status, 405)
  assert.deepEqual(await audit(own.id), [])
  const ranged = await service.get(`/applications/${app.id}/resume/download`, own, { headers: { range: 'bytes=0-3' } })
  assert.equal(ranged.status, 200)
  const abort = new AbortController()
  const call = fetch(`${service.base}/applications/${app.id}/resume`, {
    headers: { authorization: `Bearer ${own.secret}` },
    signal: abort.signal,
  })
  await call
  abort.abort()
  assert.equal((await audit(own.id)).length, 2)
})

test('résumé access: 429: an exhausted budget returns neither text, nor URL, nor contact value', async () => {
  const app = await withResume()
  await parse(app.id)
  const own = await service.key({ workspace })
  await db.query(sql`
    insert into personal_data_usage (workspace_id, key_id, day, used)
    values (${workspace}, ${own.id}, app_now()::date, 100000)`)
  for (const path of [
    `/applications/${app.id}/resume`,
    `/applications/${app.id}/resume/download`,
    `/applicants/${app.applicant_id}/contact-info`,
  ]) {
    const response = await service.get(path, own)
    assert.deepEqual([response.status, response.body.detail.code], [429, 'personal_data_quota_exceeded'])
    assert.doesNotMatch(response.text, /full text|storage|example\.org/)
  }
  assert.deepEqual(await audit(own.id), [])
})

test('résumé access: 403 resume_locked: view_only gives the profile and no file, locked gives neither, unlocked both', async () => {
  const app = await withResume()
  await parse(app.id)
  const own = await service.key({ workspace })
  const look = async (path: string) => {
    const response = await service.get(`/applications/${app.id}/${path}`, own)
    if (response.status === 403) {
      assert.equal(response.body.detail.code, 'resume_locked')
      assert.equal(response.body.detail.type, 'payment_required')
      assert.equal(response.body.detail.unlock_credits, 50)
      assert.doesNotMatch(response.text, /full text|Engineer/)
      return response.body.detail.state
    }
    return response.status
  }
  const single = async () => (await service.get(`/applications/${app.id}`, own)).body.resume_access
  for (const [age, resume, download, state] of [
    [0, 200, 200, 'open'],
    [90 * DAY - 60_000, 200, 200, 'open'],
    [90 * DAY + 1, 200, 'view_only', 'view_only'],
    [120 * DAY - 60_000, 200, 'view_only', 'view_only'],
    [120 * DAY + 1, 'locked', 'locked', 'locked'],
  ] as const) {
    await setAge(app.id, age)
    assert.deepEqual([await look('resume'), await look('resume/download')], [resume, download], state)
    assert.equal((await single()).state, state)
  }
  assert.equal((await single()).state_changes_at, null)
  const before = (await audit(own.id)).length
  await look('resume/download')
  assert.equal((await audit(own.id)).length, before)
  await db.transaction(tx => unlockResume(tx, workspace, app.id, null))
  assert.deepEqual([await look('resume'), await look('resume/download')], [200, 200])
  assert.equal((await single()).state, 'unlocked')
  clock.reset()
})

test('resume.access_changed: once for each change, even if no one reads it; immediately when unlocked, and never after', async () => {
  const app = await withResume()
  const seen = async () =>
    (await readEvents(world, workspace))
      .filter(e => e.type === 'resume.access_changed' && e.data.object['application_id'] === app.id)
      .map(e => [e.data.previous_attributes?.['state'], e.data.object['state'], e.data.object['updated_at']])
  const age = async () => {
    await Promise.all([ageResumeAccess(db), ageResumeAccess(db), ageResumeAccess(db)])
    while ((await ageResumeAccess(db)) > 0);
  }
  await age()
  assert.deepEqual(await seen(), [])
  const { free_until, view_until } = app.resume_access
  await setAge(app.id, 90 * DAY + 1)
  await age()
  assert.deepEqual(await seen(), [['open', 'view_only', free_until]])
  await setAge(app.id, 120 * DAY + 1)
  await age()
  await age()
  assert.deepEqual((await seen())[1], ['view_only', 'locked', view_until])
  await db.transaction(tx => unlockResume(tx, workspace, app.id, null))
  await db.transaction(tx => unlockResume(tx, workspace, app.id, null))
  await age()
  const all = await seen()
  assert.deepEqual(
    all.map(e => e[1]),
    ['view_only', 'locked', 'unlocked'],
  )
  clock.reset()
  assert.equal((await service.get(`/applications/${app.id}`, key)).body.resume_access.state, 'unlocked')
})

test('resume.access_changed: the loop emits what began while nothing ran', async () => {
  const app = await withResume()
  await setAge(app.id, 130 * DAY)
  const stop = new AbortController()
  const loop = ageResumeAccessWorker({ db }).run(stop.signal)
  const emitted = async () =>
    (await readEvents(world, workspace)).filter(
      e => e.type === 'resume.access_changed' && e.data.object['application_id'] === app.id,
    )
  while ((await emitted()).length === 0);
  stop.abort()
  await loop
  clock.reset()
  // two changes slept through are one event
  assert.deepEqual(
    (await emitted()).map(e => [e.data.previous_attributes?.['state'], e.data.object['state']]),
    [['open', 'locked']],
  )
})

test('résumé access: 200 applicant résumés: one for each application, each with its own access', async () => {
  const app = await withResume()
  await parse(app.id)
  const list = await service.get(`/applicants/${app.applicant_id}/resumes`, key)
  assert.equal(list.status, 200, list.text)
  const [row] = list.body.data
  assert.deepEqual(Object.keys(row), [
    'object',
    'id',
    'application_id',
    'job_id',
    'filename',
    'mime',
    'bytes',
    'parse_status',
    'parse_error',
    'resume_access',
    'has_parsed_profile',
    'parsed',
    'links',
  ])
  assert.equal(row.has_parsed_profile, true)
  assert.deepEqual(row.links, {
    detail: `/api/partner/v1/applications/${app.id}/resume`,
    download: `/api/partner/v1/applications/${app.id}/resume/download`,
  })
  assert.equal(list.headers.get('service-personal-data-cost'), null)
})

test('résumé access: 200 contact_info: each value one unit, labelled with its record; phones need their scope', async () => {
  const app = await apply(world, {}, { email: 'Contact.Me@example.org', phone: '+1 (555) 010-0199' })
  const own = await service.key({ workspace })
  const seen = await service.get(`/applicants/${app.applicant_id}/contact-info`, own)
  const subject = { object: 'applicant', id: app.applicant_id }
  const common = {
    kind: 'submitted',
    status: 'unverified',
    verified_at: null,
    source: { ...subject, workspace_id: workspace },
    licence: { redistributable: false },
  }
  assert.deepEqual(seen.body, {
    object: 'contact_info',
    subject,
    emails: [{ value: 'Contact.Me@example.org', ...common }],
    phones: [{ value: '+1 (555) 010-0199', ...common }],
    unsubscribed: false,
  })
  assert.equal(seen.headers.get('service-personal-data-cost'), '2')
  assert.deepEqual(
    (await audit(own.id)).map(r => [r.subject_object, r.subject_id, r.field]),
    [
      ['applicant', app.applicant_id, 'email'],
      ['applicant', app.applicant_id, 'phone'],
    ],
  )
  await db.query(sql`
    insert into unsubscribes (workspace_id, email_key, source) values (${workspace}, 'contact.me@example.org', 'opt_out')`)
  assert.equal((await service.get(`/applicants/${app.applicant_id}/contact-info`, key)).body.unsubscribed, true)
  const noPhones = await service.key({ workspace, scopes: ['contact:read'] })
  const partial = await service.get(`/applicants/${app.applicant_id}/contact-info`, noPhones)
  assert.deepEqual(partial.body.restricted, ['phones'])
  assert.ok(!('phones' in partial.body))
  assert.doesNotMatch(partial.text, /\(555\)/)
  assert.equal((await audit(noPhones.id)).length, 1)
  await db.query(sql`update applicants set suppressed_at = app_now() where id = ${app.applicant_id}`)
  const stopped = await service.get(`/applicants/${app.applicant_id}/contact-info`, key)
  assert.deepEqual([stopped.body.emails, stopped.body.phones], [[], []])
})
