import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { requestErasure } from '../../src/resources/erasures/index.ts'
import { deleteExpiredUploads } from '../../src/resources/uploads/index.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import {
  BEHIND_PROXY,
  callForm,
  DETAILS,
  type FormJob,
  formData,
  newFormJob,
  newSite,
  newVisitor,
  openForm,
  pathTo,
  person,
  readApplications,
  request,
  type Site,
  sendForm,
  solve,
  tokenIn,
  type Values,
} from './application-form.ts'

let service: TestService
let site: Site

const FIELDS = [
  ...DETAILS,
  { label: 'Résumé', type: 'file', required: true, candidate_field: 'resume' },
  { label: 'Certificate', type: 'file' },
] as const

before(async () => {
  service = await startTestService(BEHIND_PROXY)
  site = await newSite(service)
})

const FILE = { field: 'resume_upload_id', content_type: 'text/plain', filename: 'cv.txt', size_bytes: 10 }
const cv = (text = 'Skills: welding') => new File([text], 'cv.txt', { type: 'text/plain' })
const uploads = async ({ workspace }: Site = site): Promise<number> =>
  (await service.services.db.one(
    sql<{ n: number }>`select count(*)::integer as n from uploads where workspace_id = ${workspace}`,
  ))!.n

/** The form with several files of one name. */
const sendFiles = (job: FormJob, values: Values, files: readonly File[], from = newVisitor()) => {
  const body = formData(values)
  for (const file of files) body.append('resume_upload_id', file)
  return request(service, job.path, {
    method: 'POST',
    body,
    headers: { origin: service.origin, 'x-forwarded-for': from },
  })
}

const reserve = async (job: FormJob, from: string) =>
  callForm(service, job, '/uploads', { ...FILE, token: await openForm(service, job) }, from)

test('careers form: of many files for one question the first is stored, the others are ignored', async () => {
  const job = await newFormJob(site, { fields: FIELDS })
  const earlier = await uploads()
  const files = Array.from({ length: 20 }, (_, i) => cv(`Skills ${i}`))
  const sent = await sendFiles(job, { token: await openForm(service, job), ...person() }, files)
  assert.equal(sent.status, 303)
  assert.equal(await uploads(), earlier + 1)
  const [application] = await readApplications(site, job)
  const resume = await service.services.db.one(sql<{ bytes: number }>`
    select bytes from resumes where workspace_id = ${site.workspace} and application_id = ${application.id}`)
  assert.equal(resume!.bytes, 'Skills 0'.length)
})

test('careers form: no file is stored of a form that is too fast, has a filled trap or is beyond its limit', async () => {
  const job = await newFormJob(site, { fields: FIELDS })
  const earlier = await uploads()
  const token = tokenIn((await request(service, job.path)).text)
  const fast = await sendForm(service, job, { token, ...person(), resume_upload_id: cv() })
  assert.equal(fast.status, 422)
  assert.match(fast.text, /That was very quick/)
  assert.equal(await uploads(), earlier)
  const opened = await openForm(service, job)
  const trapped = await sendForm(service, job, { token: opened, homepage: 'x', ...person(), resume_upload_id: cv() })
  assert.equal(trapped.status, 303)
  assert.equal(await uploads(), earlier)
  const from = newVisitor()
  for (let i = 0; i < 60; i++) await sendForm(service, job, { token: opened }, { from })
  const late = await sendForm(service, job, { token: opened, ...person(), resume_upload_id: cv() }, { from })
  assert.equal(late.status, 429)
  assert.equal(await uploads(), earlier)
  // the proof of work comes before the files
  const solved = tokenIn((await request(service, job.path)).text)
  const values = { token: solved, work: solve(solved), ...person(), resume_upload_id: cv() }
  assert.equal((await sendForm(service, job, values)).status, 303)
  assert.equal(await uploads(), earlier + 1)
})

test('careers form: one network has at most 20 pending uploads of a workspace, by any way; others go on', async () => {
  const own = await newSite(service)
  const [job, other] = [await newFormJob(own, { fields: FIELDS }), await newFormJob(own, { fields: FIELDS })]
  const from = newVisitor()
  const incomplete = async (to: FormJob, more: Values) => {
    const token = await openForm(service, to)
    return sendForm(service, to, { token, 'candidate.email': 'x', ...more }, { from })
  }
  for (let i = 0; i < 3; i++) assert.equal((await incomplete(job, { resume_upload_id: cv() })).status, 422)
  for (let i = 0; i < 17; i++) assert.equal((await reserve(i % 2 ? job : other, from)).status, 200)
  assert.equal(await uploads(own), 20)
  const refused = await reserve(job, from)
  assert.equal(refused.status, 429)
  assert.match(refused.body.message, /in \d+ minutes/)
  const values = person()
  const token = await openForm(service, other)
  const back = await sendForm(service, other, { token, ...values, resume_upload_id: cv() }, { from })
  assert.equal(back.status, 422)
  assert.match(back.text, /The file did not arrive/)
  assert.ok(back.text.includes(values['candidate.email']))
  const pasted = await sendForm(service, other, { token, ...values, resume_text: 'Pasted résumé' }, { from })
  assert.equal(pasted.status, 422)
  assert.ok(pasted.text.includes(values['candidate.email']) && pasted.text.includes('Pasted résumé'))
  assert.equal(await uploads(own), 20)
  assert.equal((await reserve(job, newVisitor())).status, 200)
})

test('careers form: files of applications that were sent are not counted as pending', async () => {
  const own = await newSite(service)
  const from = newVisitor()
  for (let forms = 0; forms < 3; forms++) {
    const job = await newFormJob(own, { fields: FIELDS })
    for (let i = 0; i < 8; i++) {
      const resume: Values = i % 2 ? { resume_upload_id: cv() } : { resume_text: 'Skills' }
      const values = { token: await openForm(service, job), ...person(), ...resume }
      assert.equal((await sendForm(service, job, values, { from })).status, 303)
    }
  }
})

test('careers form: files that come with forms count against the uploads of the network', async () => {
  const job = await newFormJob(site, { fields: FIELDS })
  const from = newVisitor()
  for (let i = 0; i < 55; i++) {
    const reply = await request(service, `${job.path}/uploads`, {
      method: 'POST',
      headers: { origin: service.origin, 'x-forwarded-for': from },
      body: '{}',
    })
    assert.equal(reply.status, 403)
  }
  const send = async () => {
    const token = await openForm(service, job)
    return sendForm(service, job, { token, ...person(), resume_upload_id: cv() }, { from })
  }
  for (let i = 0; i < 5; i++) assert.equal((await send()).status, 303)
  const earlier = await uploads()
  assert.equal((await send()).status, 422)
  assert.equal(await uploads(), earlier)
})

test('careers form: files are spent for a new, a duplicate and a suppressed person alike; used again, the response is the same', async () => {
  const { db } = service.services
  const fields = [...FIELDS, { label: 'Phone', type: 'phone', candidate_field: 'phone' }] as const
  const job = await newFormJob(site, { fields })
  const known = person()
  const first = { token: await openForm(service, job), ...known, resume_upload_id: cv() }
  assert.equal((await sendForm(service, job, first)).status, 303)
  const stopped = person()
  await requestErasure(db, { email: stopped['candidate.email'], requestedBy: 'operator' })
  const seen: unknown[] = []
  for (const values of [person(), known, stopped]) {
    const { body } = await reserve(job, newVisitor())
    assert.equal((await fetch(body.url, { method: 'PUT', headers: body.headers, body: 'Skills: 10' })).status, 200)
    const ticket = { 'ticket.resume_upload_id': body.ticket }
    const token = await openForm(service, job)
    const sent = await sendForm(service, job, { token, ...values, ...ticket })
    const spent = await db.one(sql<{ spent: boolean }>`
      select spent_at is not null as spent from uploads
      where workspace_id = ${site.workspace} and id = ${body.ticket.split('.')[0]}`)
    // by the same person, and by someone else
    const again: unknown[] = []
    for (const next of [values, person()]) {
      const reply = await sendForm(service, job, { token: await openForm(service, job), ...next, ...ticket })
      let text = reply.text.replaceAll(/name="token" value="[^"]*"/g, 'token')
      for (const typed of Object.values(next)) text = text.replaceAll(typed, 'typed')
      again.push(reply.status, text)
    }
    const reading = await request(service, `${job.path}/reading`, {
      method: 'POST',
      headers: { origin: service.origin, 'x-forwarded-for': newVisitor() },
      body: JSON.stringify({ token: await openForm(service, job), ticket: body.ticket }),
    })
    seen.push([sent.status, pathTo(sent), spent, again, reading.text])
  }
  assert.deepEqual(seen[1], seen[0])
  assert.deepEqual(seen[2], seen[0])
  assert.deepEqual((seen[0] as unknown[])[2], { spent: true })
  // a duplicate waits for a choice with its file; what belongs to no application is deleted like an upload that expired
  const unused = await db.query(sql<{ blob_key: string }>`
    select blob_key from uploads where workspace_id = ${site.workspace} and spent_at is not null and application_id is null`)
  assert.ok(unused.length >= 1)
  clock.advance(3_700_000)
  await deleteExpiredUploads(db, 1_000)
  const noted = await db.query(sql<{ blob_key: string }>`
    select blob_key from file_deletions where blob_key = any(${unused.map(({ blob_key }) => blob_key)}::text[])`)
  assert.equal(noted.length, unused.length)
})

test('careers form: an application with the address of a known person changes nothing in their record', async () => {
  const { db } = service.services
  const fields = [
    ...DETAILS,
    { label: 'Phone', type: 'phone', candidate_field: 'phone' },
    { label: 'LinkedIn profile', type: 'url', candidate_field: 'linkedin' },
  ] as const
  const [job, other] = [await newFormJob(site, { fields }), await newFormJob(site, { fields })]
  const victim = person()
  assert.equal((await sendForm(service, job, { token: await openForm(service, job), ...victim })).status, 303)
  const [{ applicant_id: id }] = await readApplications(site, job)
  const record = () =>
    db.query(sql<{ row: object }>`
      select jsonb_build_array(first_name, last_name, full_name, email, phone, linkedin_url, linkedin_key, email_key) as row from applicants p where workspace_id = ${site.workspace} and id = ${id}
      union all select to_jsonb(c) from contact_values c where workspace_id = ${site.workspace} and subject_id = ${id}`)
  const earlier = await record()
  const details = {
    'candidate.phone': '+49 30 7654321',
    'candidate.linkedin_url': 'https://www.linkedin.com/in/stranger',
  }
  const sent = await sendForm(service, other, { token: await openForm(service, other), ...victim, ...details })
  assert.equal(sent.status, 303)
  const [second] = await readApplications(site, other)
  assert.equal(second.applicant_id, id)
  assert.deepEqual(await record(), earlier)
  const kept = await db.one(sql<{ screening_phone: string | null }>`
    select screening_phone from applications where workspace_id = ${site.workspace} and id = ${second.id}`)
  assert.equal(kept!.screening_phone, '+49 30 7654321')
  // a new person's details are their record
  const fresh = { ...person(), ...details }
  assert.equal((await sendForm(service, job, { token: await openForm(service, job), ...fresh })).status, 303)
  const [made] = await db.query(sql<{ phone: string; linkedin_url: string }>`
    select phone, linkedin_url from applicants
    where workspace_id = ${site.workspace} and email = ${fresh['candidate.email']}`)
  assert.deepEqual(made, { phone: '+49 30 7654321', linkedin_url: 'https://www.linkedin.com/in/stranger' })
})

test('careers form: an own address with the LinkedIn URL of a suppressed person is stored and confirmed; no one else sees the URL', async () => {
  const { db } = service.services
  const fields = [...DETAILS, { label: 'LinkedIn profile', type: 'url', candidate_field: 'linkedin' }] as const
  const job = await newFormJob(site, { fields })
  const taken = 'https://www.linkedin.com/in/zq-erased-here'
  await requestErasure(db, { linkedinUrl: taken, requestedBy: 'operator' })
  const seen: unknown[] = []
  for (const linkedin of [taken, 'https://www.linkedin.com/in/zq-no-one']) {
    const values = { ...person(), 'candidate.linkedin_url': linkedin }
    const sent = await sendForm(service, job, { token: await openForm(service, job), ...values })
    const [mail] = await db.query(sql<{ kind: string; applicant_id: string }>`
      select kind, applicant_id from candidate_mails where workspace_id = ${site.workspace}
        and address = ${values['candidate.email']}`)
    seen.push([sent.status, pathTo(sent), sent.text, mail?.kind])
    const row = await db.one(sql<{ linkedin_key: string | null }>`
      select linkedin_key from applicants where workspace_id = ${site.workspace} and email = ${values['candidate.email']}`)
    assert.equal(row?.linkedin_key, linkedin === taken ? null : 'linkedin.com/in/zq-no-one')
    const { body } = await service.get(`/applicants/${mail?.applicant_id}`, site.key)
    assert.equal(body.linkedin_url, linkedin === taken ? null : linkedin)
  }
  assert.deepEqual(seen[0], seen[1])
  assert.equal((seen[0] as unknown[])[3], 'confirmation')
})

test('careers form: a job with another form takes no application here: 409, also for the script; the form leads there', async () => {
  const job = await newFormJob(site, { fields: DETAILS })
  const token = await openForm(service, job)
  await service.services.db.query(sql`
    update jobs set external_apply_url = 'https://jobs.example/1' where workspace_id = ${site.workspace} and id = ${job.id}`)
  const sent = await sendForm(service, job, { token, ...person() })
  assert.deepEqual([sent.status, sent.location], [409, null])
  assert.equal((await request(service, job.path)).location, 'https://jobs.example/1')
  assert.deepEqual(await readApplications(site, job), [])
  const headers = { origin: service.origin, 'x-forwarded-for': newVisitor() }
  const renewed = await request(service, `${job.path}/token`, { method: 'POST', headers, body: '{}' })
  assert.equal(renewed.status, 409)
})

test('careers form: a broken body is 400 with a page in the frame of the site for browsers', async () => {
  const job = await newFormJob(site, { fields: DETAILS })
  for (const type of ['multipart/form-data', 'multipart/form-data; boundary=b', 'text/plain']) {
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8'
    const headers = { origin: service.origin, 'x-forwarded-for': newVisitor(), accept, 'content-type': type }
    const reply = await request(service, job.path, { method: 'POST', headers, body: '--b\r\nx' })
    assert.equal(reply.status, 400)
    assert.match(reply.text, /<body class="careers">[\s\S]*class="site-name"/)
  }
})
