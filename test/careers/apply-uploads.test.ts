import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { before, test } from 'node:test'
import { readForForm } from '../../src/careers/apply/reading.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { splitName } from '../../src/kernel/text/person-name.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { until } from '../harness/receiver.ts'
import { startS3 } from '../harness/s3.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import {
  BEHIND_PROXY,
  callForm,
  DETAILS,
  type FormJob,
  newFormJob,
  newSite,
  newVisitor,
  openForm,
  person,
  readApplications,
  request,
  type Site,
  sendForm,
  storeFile,
} from './application-form.ts'

let service: TestService
let site: Site
let job: FormJob

const FIELDS = [
  ...DETAILS,
  { label: 'Phone', type: 'phone', candidate_field: 'phone' },
  { label: 'LinkedIn profile', type: 'url', candidate_field: 'linkedin' },
  { label: 'Résumé', type: 'file', required: true, candidate_field: 'resume' },
  { label: 'Certificate', type: 'file' },
  { label: 'GitHub', type: 'url' },
] as const

before(async () => {
  service = await startTestService(BEHIND_PROXY)
  site = await newSite(service)
  job = await newFormJob(site, { fields: FIELDS })
})

const call = (below: '/uploads' | '/reading' | '/token', body: object, to = job, from?: string) =>
  callForm(service, to, below, body, from)

const TEXT = `Maria von Stein
Berlin, Germany
maria.vonstein@applicants.example | +49 30 1234567
linkedin.com/in/maria-von-stein | github.com/mvonstein

Experience
Robotics engineer, Nordlicht Robotics, 2019 - 2026
- Built arms and rovers

Skills
TypeScript, PostgreSQL
`

const pdf = { field: 'resume_upload_id', content_type: 'text/plain', filename: 'cv.txt', size_bytes: TEXT.length }

const uploaded = (token: string, body = TEXT) => storeFile(service, job, body, { ...pdf, token })

test('careers form: a file goes straight to the store, and its ticket is sent with the form', async () => {
  const token = await openForm(service, job)
  const ticket = await uploaded(token)
  const sent = await sendForm(service, job, { token, ...person(), 'ticket.resume_upload_id': ticket })
  assert.equal(sent.status, 303)
  const [application] = await readApplications(site, job)
  const file = await service.services.db.one(sql<{ filename: string; bytes: number }>`
    select filename, bytes from resumes where workspace_id = ${site.workspace} and application_id = ${application.id}`)
  assert.deepEqual(file, { filename: 'cv.txt', bytes: TEXT.length })
  const [upload] = await service.services.db.query(sql<{ public_form: boolean; key_id: string | null }>`
    select public_form, key_id from uploads where workspace_id = ${site.workspace} and application_id = ${application.id}`)
  assert.deepEqual(upload, { public_form: true, key_id: null })
})

test('careers form: POST …/uploads: 400 with a message for people, in their language', async () => {
  const token = await openForm(service, job)
  const said = async (change: object) => {
    const { status, body } = await call('/uploads', { ...pdf, token, ...change })
    return [status, body.message]
  }
  assert.deepEqual(await said({ size_bytes: 5_242_881 }), [400, 'The file is larger than 5 MB. Choose a smaller one.'])
  assert.deepEqual(await said({ size_bytes: 0 }), [400, 'The file is empty. Choose another one.'])
  const type = 'Files of this type are not accepted here. Choose a PDF, for example.'
  assert.deepEqual(await said({ content_type: 'image/png', filename: 'cv.png' }), [400, type])
  assert.deepEqual(await said({ field: 'candidate.email' }), [400, 'The file did not arrive. Choose it again.'])
  assert.deepEqual((await said({ token: 'x' }))[0], 403)
  const german = await request(service, `${job.path}/uploads?lang=de`, {
    method: 'POST',
    headers: { origin: service.origin },
    body: JSON.stringify({ ...pdf, token, size_bytes: 0 }),
  })
  assert.match(german.text, /Die Datei ist leer/)
  // an answer may be a picture
  const field = `files.${job.ids['Certificate']}`
  assert.equal((await said({ field, content_type: 'image/png', filename: 'c.png' }))[0], 200)
})

test('careers form: a ticket is of no use for another question or another form, and a made-up one neither', async () => {
  const token = await openForm(service, job)
  const ticket = await uploaded(token)
  const other = await newFormJob(site, { fields: FIELDS })
  const missing = /Add your résumé: choose a file or paste its text/
  const elsewhere = await sendForm(service, other, {
    token: await openForm(service, other),
    ...person(),
    'ticket.resume_upload_id': ticket,
  })
  assert.match(elsewhere.text, missing)
  const wrong = await sendForm(service, job, { token, ...person(), [`ticket.files.${job.ids['Certificate']}`]: ticket })
  assert.match(wrong.text, missing)
  const uploadId = ticket.split('.')[0]
  for (const made of [`${uploadId}.AAAA`, uploadId!, '.']) {
    const sent = await sendForm(service, job, { token, ...person(), 'ticket.resume_upload_id': made })
    assert.match(sent.text, missing)
  }
})

test('careers form: an upload that expired or never arrived is a fault of its question, and the form is kept', async () => {
  const token = await openForm(service, job)
  const late = await uploaded(token)
  const values = person()
  const { body } = await call('/uploads', { ...pdf, token })
  const never = await sendForm(service, job, { token, ...values, 'ticket.resume_upload_id': body.ticket })
  assert.match(never.text, /The file did not arrive\. Choose it again\./)
  clock.advance(3_700_000)
  const gone = await sendForm(service, job, { token, ...values, 'ticket.resume_upload_id': late })
  assert.equal(gone.status, 422)
  assert.match(gone.text, /no longer stored\. Choose it again\./)
  assert.ok(gone.text.includes(values['candidate.email']))
})

/** The form goes on without a reader that is late, as it is now and then on a busy machine: then it is asked again. */
async function inTime<T>(read: () => Promise<T>, isRead: (result: T) => boolean): Promise<T> {
  for (let tries = 1; ; tries++) {
    const result = await read()
    if (isRead(result) || tries === 4) return result
  }
}

test('careers form: POST …/reading: the values of the résumé that fit the form; nothing of it is stored', async () => {
  const token = await openForm(service, job)
  const ticket = await uploaded(token)
  const body = await inTime(
    async () => (await call('/reading', { token, ticket })).body,
    ({ unreadable }) => !unreadable,
  )
  assert.deepEqual(body.fields, {
    'candidate.first_name': 'Maria',
    'candidate.last_name': 'von Stein',
    'candidate.email': 'maria.vonstein@applicants.example',
    'candidate.phone': '+49 30 1234567',
    'candidate.linkedin_url': 'https://linkedin.com/in/maria-von-stein',
    [`answers.${job.ids['GitHub']}`]: 'https://github.com/mvonstein',
  })
})

test('careers form: POST …/reading: only uploads of this form; a file that cannot be read fills in nothing', async () => {
  const token = await openForm(service, job)
  const ticket = await uploaded(token)
  const other = await newFormJob(site, { fields: FIELDS })
  const nothing = { fields: {} }
  assert.deepEqual((await call('/reading', { token: await openForm(service, other), ticket }, other)).body, nothing)
  assert.deepEqual((await call('/reading', { token: 'x', ticket })).body, nothing)
  assert.deepEqual((await call('/reading', { token, ticket: 'upl_x.y' })).body, nothing)
  assert.deepEqual((await call('/reading', { token })).body, nothing)
  const reserved = await call('/uploads', { ...pdf, token, content_type: 'application/pdf', filename: 'cv.pdf' })
  const unreadable = { fields: {}, unreadable: true }
  assert.deepEqual((await call('/reading', { token, ticket: reserved.body.ticket })).body, unreadable)
})

test('careers form: one résumé of a workspace is read at a time; another one is refused as busy', async () => {
  const token = await openForm(service, job)
  const [first, second] = [await uploaded(token), await uploaded(token)]
  const { busy, read } = await inTime(
    async () => {
      const replies = await Promise.all([first, second].map(ticket => call('/reading', { token, ticket })))
      return {
        busy: replies.filter(({ body }) => body.busy === true),
        read: replies.filter(({ body }) => body.fields['candidate.email'] !== undefined),
      }
    },
    ({ read }) => read.length > 0,
  )
  assert.deepEqual([busy.length, read.length], [1, 1])
  // and it is free again
  const uploadId = second.split('.')[0]!
  const again = await inTime(
    () => readForForm(service.services, site.workspace, uploadId, []),
    reading => reading !== 'unreadable',
  )
  assert.deepEqual(again, { fields: {} })
})

test('careers form: 429 for uploads and readings beyond their limits, with the wait in words', async () => {
  const token = await openForm(service, job)
  const from = newVisitor()
  for (let i = 0; i < 60; i++)
    assert.equal((await call('/uploads', { ...pdf, token, size_bytes: 0 }, job, from)).status, 400)
  const refused = await call('/uploads', { ...pdf, token }, job, from)
  assert.equal(refused.status, 429)
  assert.match(refused.body.message, /you can send them again in \d\d minutes/)
  for (let i = 0; i < 30; i++) assert.equal((await call('/reading', { token }, job, from)).status, 200)
  assert.equal((await call('/reading', { token }, job, from)).status, 429)
})

test('careers form: POST …/token: another token for a page that was open for long', async () => {
  const { status, body } = await call('/token', {})
  assert.equal(status, 200)
  clock.advance(10_000)
  const ticket = await uploaded(body.token)
  const sent = await sendForm(service, job, { token: body.token, ...person(), 'ticket.resume_upload_id': ticket })
  assert.equal(sent.status, 303)
})

test('careers form: a body that is no form, or breaks off, is refused and stores nothing', async () => {
  const post = (contentType: string, body: string) =>
    request(service, job.path, {
      method: 'POST',
      headers: { origin: service.origin, 'content-type': contentType, 'x-forwarded-for': newVisitor() },
      body,
    })
  assert.equal((await post('application/x-www-form-urlencoded', 'token=x')).status, 400)
  assert.equal((await post('multipart/form-data', 'x')).status, 400)
  assert.equal(
    (await post('multipart/form-data; boundary=b', '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx')).status,
    400,
  )
  const many = `${'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n'.repeat(800)}--b--\r\n`
  assert.equal((await post('multipart/form-data; boundary=b', many)).status, 413)
  const long = `--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n${'x'.repeat(1_000_001)}\r\n--b--\r\n`
  assert.equal((await post('multipart/form-data; boundary=b', long)).status, 413)
})

test('careers form: names of people are cut at the last word or the first particle', () => {
  assert.deepEqual(splitName('Maria von der Heide'), { first: 'Maria', last: 'von der Heide' })
  assert.deepEqual(splitName('ANNA-LENA SCHMIDT'), { first: 'Anna-Lena', last: 'Schmidt' })
  assert.deepEqual(splitName('Jean Paul Martin'), { first: 'Jean Paul', last: 'Martin' })
  assert.deepEqual(splitName('Prince'), {})
})

test('careers form: with files in S3, the policy of the page names the store, and a form without scripts is stored there', async () => {
  const store = await startS3()
  const onS3 = await startTestService({ ...BEHIND_PROXY, ...store.settings })
  const there = await newSite(onS3)
  const form = await newFormJob(there, { fields: FIELDS })
  const { headers } = await request(onS3, form.path)
  const policy = headers.get('content-security-policy')!
  assert.ok(policy.includes(`connect-src 'self' ${store.settings['S3_ENDPOINT']};`), policy)
  const { headers: elsewhere } = await request(onS3, `${form.path}/done`)
  assert.ok(elsewhere.get('content-security-policy')!.includes("connect-src 'self';"))
  const token = await openForm(onS3, form)
  const resume_upload_id = new File([TEXT], 'cv.txt', { type: 'text/plain' })
  assert.equal((await sendForm(onS3, form, { token, ...person(), resume_upload_id })).status, 303)
  assert.deepEqual(
    [...store.objects.values()].map(({ body, type }) => [String(body), type]),
    [[TEXT, 'text/plain']],
  )
})

test('careers form: a sender that disconnects in the middle of a file leaves no application and no error', async () => {
  const token = await openForm(service, job)
  const { hostname, port } = new URL(service.origin)
  const part = (name: string, more = '') => `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n`
  const body = `${part('token')}\r\n${token}\r\n${part('resume_upload_id', '; filename="cv.pdf"')}Content-Type: application/pdf\r\n\r\n${'x'.repeat(200_000)}`
  const head = [
    `POST ${job.path} HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    `Origin: ${service.origin}`,
    `X-Forwarded-For: ${newVisitor()}`,
    'Content-Type: multipart/form-data; boundary=b',
    'Content-Length: 1000000',
  ]
  const pending = sql<{ n: number }>`
    select count(*)::integer as n from uploads where workspace_id = ${site.workspace} and filename = 'cv.pdf'
      and spent_at is null and content_type = 'application/pdf'`
  const { n: before } = (await service.services.db.one(pending))!
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  await until('the file is reserved', async () => (await service.services.db.one(pending))!.n > before)
  socket.destroy()
  // the next form is served as usual
  assert.equal((await request(service, job.path)).status, 200)
  assert.ok(service.logLines.every(line => !line.includes('"level":"error"')))
})

const WRONG: readonly [name: string, content: Buffer][] = [
  ['fake.pdf', Buffer.concat([Buffer.from('MZ'), Buffer.alloc(500, 1)])],
  ['fake.docx', Buffer.from('%PDF-1.7 text')],
  ['fake.txt', Buffer.from([0x4d, 0x5a, 0, 0, 1, 2])],
]
const TYPES: Record<string, string> = {
  'fake.pdf': 'application/pdf',
  'fake.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'fake.txt': 'text/plain',
}
const WRONG_TEXT = /The content of this file is not of the type that its name says/

test('careers form: a file whose first bytes are not of its type is refused, with and without scripts', async () => {
  for (const [filename, content] of WRONG) {
    const token = await openForm(service, job)
    const head = content.subarray(0, 1024).toString('base64')
    const reply = await call('/uploads', {
      field: 'resume_upload_id',
      content_type: TYPES[filename],
      filename,
      size_bytes: content.length,
      token,
      head,
    })
    assert.equal(reply.status, 400, filename)
    assert.match(reply.body.message, WRONG_TEXT)
    const file = new File([new Uint8Array(content)], filename, { type: TYPES[filename]! })
    const sent = await sendForm(service, job, { token, ...person(), resume_upload_id: file })
    assert.equal(sent.status, 422, filename)
    assert.match(sent.text, WRONG_TEXT)
  }
})

test('careers form: a résumé that cannot be read is reported to the script, so that the person can check it', async () => {
  const token = await openForm(service, job)
  const broken = `%PDF-1.7\n${'broken '.repeat(50)}`
  const head = Buffer.from(broken).toString('base64')
  const file = { field: 'resume_upload_id', content_type: 'application/pdf', filename: 'cv.pdf', head, token }
  const ticket = await storeFile(service, job, broken, file)
  const reading = await call('/reading', { token, ticket })
  assert.deepEqual([reading.status, reading.body], [200, { fields: {}, unreadable: true }])
})
