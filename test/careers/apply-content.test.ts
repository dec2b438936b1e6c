import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { lockedDocx, lockedPdf, protectedPdf } from '../../packages/resume-parser/test/locked-files.ts'
import { toDoc } from '../../packages/resume-parser/test/resume-files.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import {
  BEHIND_PROXY,
  callForm,
  DETAILS,
  type FormJob,
  newFormJob,
  newSite,
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

before(async () => {
  service = await startTestService(BEHIND_PROXY)
  site = await newSite(service)
  job = await newJob()
})

const newJob = () =>
  newFormJob(site, {
    fields: [
      ...DETAILS,
      { label: 'Résumé', type: 'file', required: true, candidate_field: 'resume' },
      { label: 'Certificate', type: 'file' },
    ],
  })

const LOCKED = 'This file needs a password. Save it without one, or choose another file.'
const WRONG = 'The content of this file is not of the type that its name says. Choose another file.'
const PROGRAM = Buffer.concat([Buffer.from('MZ'), Buffer.alloc(500, 1)])
const RESUME = 'resume_upload_id'
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

/** Uploads as a script that sends no first bytes, or others than those of the file. */
async function upload(
  token: string,
  content: Buffer,
  { field = RESUME, head = '', to = job, type = 'application/pdf' } = {},
): Promise<string> {
  const filename = type === DOCX ? 'cv.docx' : 'cv.pdf'
  return storeFile(service, to, content, { field, content_type: type, filename, token, head })
}

const pdf = (content: Buffer) => new File([new Uint8Array(content)], 'cv.pdf', { type: 'application/pdf' })

const pending = async () =>
  (await service.services.db.one(sql<{ n: number }>`
    select count(*)::integer as n from uploads where workspace_id = ${site.workspace} and spent_at is null`))!.n

test('careers form: the stored bytes of a file decide, whatever the script said of them', async () => {
  for (const head of ['', Buffer.from('%PDF-1.7').toString('base64')]) {
    const token = await openForm(service, job)
    const before = await pending()
    const ticket = await upload(token, PROGRAM, { head })
    const values = person()
    const sent = await sendForm(service, job, { token, ...values, [`ticket.${RESUME}`]: ticket })
    assert.equal(sent.status, 422)
    assert.ok(sent.text.includes(`“Résumé”: ${WRONG}`))
    assert.ok(sent.text.includes(values['candidate.email']), 'what was typed is kept')
    assert.equal(await pending(), before, 'the file is discarded')
  }
  const token = await openForm(service, job)
  const field = `files.${job.ids['Certificate']}`
  const ticket = await upload(token, PROGRAM, { field })
  const resume = await upload(token, protectedPdf())
  const sent = await sendForm(service, job, {
    token,
    ...person(),
    [`ticket.${field}`]: ticket,
    [`ticket.${RESUME}`]: resume,
  })
  assert.equal(sent.status, 422)
  assert.ok(sent.text.includes(`“Certificate”: ${WRONG}`))
  assert.deepEqual(await readApplications(site, job), [])
})

test('careers form: a file that needs a password is refused at its field, with scripts and without, in both languages', async () => {
  const to = await newJob()
  for (const [name, label] of [
    [RESUME, 'Résumé'],
    [`files.${to.ids['Certificate']}`, 'Certificate'],
  ] as const) {
    const resume = new File(['Maria'], 'cv.txt', { type: 'text/plain' })
    const sent = await sendForm(service, to, {
      token: await openForm(service, to),
      ...person(),
      [RESUME]: resume,
      [name]: pdf(lockedPdf()),
    })
    assert.equal(sent.status, 422)
    assert.ok(sent.text.includes(`“${label}”: ${LOCKED}`), label)
  }
  const token = await openForm(service, job)
  const ticket = await upload(token, lockedPdf())
  const scripted = await sendForm(service, job, { token, ...person(), [`ticket.${RESUME}`]: ticket })
  assert.deepEqual([scripted.status, scripted.text.includes(`“Résumé”: ${LOCKED}`)], [422, true])
  const german = { ...to, path: `${to.path}?lang=de` }
  const another = await openForm(service, to)
  const inGerman = await sendForm(service, german, { token: another, ...person(), [RESUME]: pdf(lockedPdf()) })
  assert.match(inGerman.text, /Diese Datei ist mit einem Passwort geschützt/)
  for (const [language, note] of [
    ['en', 'up to 5 MB, without a password.'],
    ['de', 'bis 5 MB, ohne Passwort.'],
  ])
    assert.ok((await request(service, `${to.path}?lang=${language}`)).text.includes(note!))
})

test('careers form: a PDF that is protected against changes and opens without a password is accepted', async () => {
  const to = await newJob()
  const token = await openForm(service, to)
  const sent = await sendForm(service, to, { token, ...person(), [RESUME]: pdf(protectedPdf()) })
  assert.equal(sent.status, 303)
  assert.equal((await readApplications(site, to)).length, 1)
})

test('careers form: the bytes of a Word file say whether it needs a password', async () => {
  const to = await newJob()
  for (const [name, content, type, status] of [
    ['cv.doc', toDoc('Maria von Stein, robotics engineer'), 'application/msword', 303],
    ['cv.doc', toDoc('Maria von Stein', { encrypted: true }), 'application/msword', 422],
    ['cv.docx', lockedDocx(), DOCX, 422],
  ] as const) {
    const token = await openForm(service, to)
    const file = new File([new Uint8Array(content)], name, { type })
    const sent = await sendForm(service, to, { token, ...person(), [RESUME]: file })
    assert.equal(sent.status, status, name)
    assert.equal(sent.text.includes(`“Résumé”: ${LOCKED}`), status === 422)
  }
})

test('careers form: the files of a form with faults, or of one that was sent, are not read', async t => {
  const to = await newJob()
  const token = await openForm(service, to)
  const ticket = `ticket.${RESUME}`
  const values = { token, ...person(), [ticket]: await upload(token, protectedPdf(), { to }) }
  const get = t.mock.method(service.services.blobs, 'get')
  const faulty = await sendForm(service, to, { ...values, 'candidate.email': 'no address' })
  assert.equal(faulty.status, 422)
  assert.equal(get.mock.callCount(), 0)
  assert.equal((await sendForm(service, to, values)).status, 303)
  const reads = get.mock.callCount()
  assert.ok(reads > 0)
  assert.equal((await sendForm(service, to, values)).status, 303)
  assert.equal(get.mock.callCount(), reads)
})

test('careers form: POST …/reading: a wrong file and one with a password are faults for the person, and are discarded', async () => {
  for (const [content, fault, type] of [
    [PROGRAM, WRONG, 'application/pdf'],
    [lockedDocx(), LOCKED, DOCX],
  ] as const) {
    const token = await openForm(service, job)
    const before = await pending()
    const ticket = await upload(token, content, { type })
    const { status, body } = await callForm(service, job, '/reading', { token, ticket })
    assert.deepEqual([status, body], [200, { fields: {}, fault }])
    assert.equal(await pending(), before)
  }
})
