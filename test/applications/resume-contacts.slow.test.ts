import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CONTACT_RULES } from '../../packages/resume-parser/src/index.ts'
import { CONTACTS, collectTexts, MORE_OTHERS, OTHERS } from '../../packages/resume-parser/test/contact-forms.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { parseNext } from '../../src/resources/applications/index.ts'
import { cleanStoredProfiles } from '../../src/resources/resumes/index.ts'
import { apply, startWorld, upload } from './setup.ts'

const world = await startWorld()
const { service, workspace, key } = world
const { db, blobs, log } = service.services

test('GET /applications/{h}/resume: a contact line at the end of the résumé is not part of parsed', async () => {
  const text = `Jane Canary\nEngineer\n\nExperience\nEngineer, Blue Ocean, 2019 - present\ncanary.job@private-mail.org\n
Skills\nGo, linkedin.com/in/canary, Rust, +49 151 23456789\n\nEducation\nMSc Computer Science, TU Berlin, 2014\n
Jane Canary | canary.footer@private-mail.org | +49 151 23456789\n`
  const app = await apply(world, { resume_upload_id: await upload(world, Buffer.from(text)) })
  while (await parseNext(db, blobs, log));
  const narrow = await service.key({ workspace, scopes: ['resume:read', 'applications:read'] })
  const read = await service.get(`/applications/${app.id}/resume`, narrow)
  assert.equal(read.status, 200)
  assert.doesNotMatch(JSON.stringify(read.body.parsed), /private-mail|151 2345|linkedin|Jane Canary/)
  assert.deepEqual(read.body.parsed.structured.education, ['MSc Computer Science, TU Berlin, 2014'])
  assert.deepEqual(read.body.parsed.skills, ['Go', 'Rust'])
  assert.equal(read.headers.get('Service-Personal-Data-Cost'), null)
  assert.match((await service.get(`/applications/${app.id}/resume`, key)).body.parsed.raw_text, /canary\.footer@/)
})

test('résumé worker: profiles that older rules made are cleaned by the rules of today, once', async () => {
  const stale = async (parsed: unknown, text: string | null) => {
    const app = await apply(world, { resume_upload_id: await upload(world) })
    await db.query(sql`
      update resumes set parsed = ${JSON.stringify(parsed)}::jsonb, raw_text = ${text}, parse_status = 'parsed',
        parsed_at = app_now(), contact_rules = 0
      where application_id = ${app.id}`)
    return async () =>
      (await db.one(
        sql<{ parsed: Record<string, unknown>; contact_rules: number }>`
          select parsed, contact_rules from resumes where application_id = ${app.id}`,
      ))!
  }
  const clean = {
    current_title: 'Engineer',
    total_years_experience: 7.5,
    skills: ['Go', 'ASP.NET'],
    education: [...OTHERS, ...MORE_OTHERS],
  }
  const cleaned = await stale(clean, null)
  const dirty = await stale(
    {
      current_title: 'Engineer',
      current_company: 'GitHub, jcanary',
      city: null,
      skills: ['Go', ...CONTACTS.map(([contact]) => contact), 'Rust'],
      education: CONTACTS.map(([contact]) => `BSc Physics, Example University, ${contact}, 2009 - 2012`),
      experience: ['2019 - 2021 · Engineer · jane.can · Blue Ocean', 'jane.can'],
    },
    'Jane Canary\n\nExperience\n2019 - 2021\nEngineer\njane.can\nary@example.org\nBlue Ocean\n',
  )
  while (await cleanStoredProfiles(db));
  assert.deepEqual(await cleaned(), { parsed: clean, contact_rules: CONTACT_RULES })
  const { parsed, contact_rules } = await dirty()
  for (const [, left] of CONTACTS) for (const text of collectTexts(parsed)) assert.doesNotMatch(text, left, text)
  assert.deepEqual(parsed['skills'], ['Go', 'Rust'])
  assert.deepEqual(parsed['experience'], ['2019 - 2021 · Engineer · Blue Ocean'])
  assert.deepEqual([parsed['current_title'], parsed['current_company']], ['Engineer', null])
  assert.equal((parsed['education'] as string[]).length, CONTACTS.length)
  assert.equal(contact_rules, CONTACT_RULES)
  assert.equal(await cleanStoredProfiles(db), false)
})

test('résumé worker: a profile that is read now is stored with the rules of today', async () => {
  const app = await apply(world, { resume_upload_id: await upload(world) })
  while (await parseNext(db, blobs, log));
  const row = await db.one(
    sql<{ contact_rules: number }>`select contact_rules from resumes where application_id = ${app.id}`,
  )
  assert.equal(row!.contact_rules, CONTACT_RULES)
})
