import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import {
  applicationsOf,
  BEHIND_PROXY,
  DETAILS,
  type FormJob,
  formData,
  newFormJob,
  newSite,
  newVisitor,
  openForm,
  person,
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

const reserve = async (job: FormJob, from: string) => {
  const reply = await request(service, `${job.path}/uploads`, {
    method: 'POST',
    headers: { origin: service.origin, 'content-type': 'application/json', 'x-forwarded-for': from },
    body: JSON.stringify({
      token: await openForm(service, job),
      field: 'resume_upload_id',
      content_type: 'text/plain',
      filename: 'cv.txt',
      size_bytes: 10,
    }),
  })
  return { ...reply, body: JSON.parse(reply.text) }
}

test('careers form: of many files for one question the first is stored, the others are ignored', async () => {
  const job = await newFormJob(site, { fields: FIELDS })
  const earlier = await uploads()
  const files = Array.from({ length: 20 }, (_, i) => cv(`Skills ${i}`))
  const sent = await sendFiles(job, { token: await openForm(service, job), ...person() }, files)
  assert.equal(sent.status, 303)
  assert.equal(await uploads(), earlier + 1)
  const [application] = await applicationsOf(site, job)
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
  for (let i = 0; i < 10; i++) await sendForm(service, job, { token: opened }, { from })
  const late = await sendForm(service, job, { token: opened, ...person(), resume_upload_id: cv() }, { from })
  assert.equal(late.status, 429)
  assert.equal(await uploads(), earlier)
  // the proof of work comes before the files
  const solved = tokenIn((await request(service, job.path)).text)
  const values = { token: solved, work: solve(solved), ...person(), resume_upload_id: cv() }
  assert.equal((await sendForm(service, job, values, { from })).status, 303)
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
    const reply = await request(service, `${job.path}/token`, {
      method: 'POST',
      headers: { origin: service.origin, 'x-forwarded-for': from },
      body: '{}',
    })
    assert.equal(reply.status, 200)
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
