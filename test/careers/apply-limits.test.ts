import assert from 'node:assert/strict'
import { before, beforeEach, test } from 'node:test'
import { writeCandidateMail } from '../../src/careers/candidate/mails.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { sendNextMails } from '../../src/kernel/mail/queue.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { candidateMails } from '../../src/resources/candidates/index.ts'
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
  request,
  type Site,
  sendForm,
  solve,
  tokenIn,
  type Values,
} from './application-form.ts'

const FIELDS = [
  ...DETAILS,
  { label: 'Résumé', type: 'file', candidate_field: 'resume' },
  { label: 'Certificate', type: 'file' },
] as const

let service: TestService
let site: Site
let job: FormJob

before(async () => {
  service = await startTestService(BEHIND_PROXY)
})

beforeEach(async () => {
  site = await newSite(service)
  job = await newFormJob(site, { fields: FIELDS })
  await service.services.db.query(sql`delete from sign_in_attempts`)
})

/** As if everything that was counted so far had been counted very often. */
const exhaust = () => service.services.db.query(sql`update sign_in_attempts set used = 1000000`)

const cv = (text = 'Skills: welding') => new File([text], 'cv.txt', { type: 'text/plain' })
const FILE = { field: 'resume_upload_id', content_type: 'text/plain', filename: 'cv.txt', size_bytes: 10 }

const call = (below: '/uploads' | '/reading' | '/token', body: object, from?: string) =>
  callForm(service, job, below, body, from)

/** Uploads of other visitors, which are pending. */
const fillUploads = (count: number) =>
  service.services.db.query(sql`
    insert into uploads (workspace_id, id, content_type, size_bytes, filename, blob_key, public_form, expires_at, put_expires_at)
    select ${site.workspace}, 'upl_full' || n, 'text/plain', 1, 'cv.txt', ${site.workspace} || n, true,
      app_now() + interval '1 hour', app_now() + interval '1 hour' from generate_series(1, ${count}::integer) n`)

const freshToken = async () => tokenIn((await request(service, job.path)).text)
const send = (values: Values, from = newVisitor()) => sendForm(service, job, { ...person(), ...values }, { from })

test('careers form: requests without a valid token use up no limit of others', async () => {
  await call('/uploads', { ...FILE, token: 'x' })
  await call('/reading', { token: 'x' })
  await call('/token', {})
  await send({ token: 'x', resume_upload_id: cv() })
  await send({ token: await freshToken() })
  await exhaust()
  const token = await openForm(service, job)
  assert.equal((await call('/uploads', { ...FILE, token })).status, 200)
  assert.equal((await call('/reading', { token })).status, 200)
  assert.equal((await call('/token', {})).status, 200)
  assert.equal((await send({ token, resume_upload_id: cv() })).status, 303)
})

test('careers form: beyond the limit of a form 429 without a proof of work; with it uploads, readings and forms go on', async () => {
  const token = await openForm(service, job)
  const { ticket } = (await call('/uploads', { ...FILE, token })).body
  assert.equal((await call('/reading', { token, ticket })).status, 200)
  assert.equal((await send({ token, resume_upload_id: cv() })).status, 303)
  await exhaust()
  const plain = await openForm(service, job)
  const refused = await call('/uploads', { ...FILE, token: plain })
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  assert.equal((await call('/reading', { token: plain, ticket })).status, 429)
  assert.equal((await send({ token: plain })).status, 429)
  const solved = await freshToken()
  const work = solve(solved)
  assert.equal((await call('/uploads', { ...FILE, token: solved, work })).status, 200)
  assert.equal((await call('/reading', { token: solved, work, ticket })).status, 200)
  assert.equal((await send({ token: solved, work, resume_upload_id: cv() })).status, 303)
})

test('careers form: with a proof of work a network still has its own limits', async () => {
  const from = newVisitor()
  const token = await freshToken()
  const work = solve(token)
  assert.equal((await call('/uploads', { ...FILE, token, work }, from)).status, 200)
  await exhaust()
  assert.equal((await call('/uploads', { ...FILE, token, work }, from)).status, 429)
  assert.equal((await call('/uploads', { ...FILE, token, work })).status, 200)
})

test('careers form: POST …/uploads: 403 for a form that was just opened, without a proof of work', async () => {
  const token = await freshToken()
  const { status, body } = await call('/uploads', { ...FILE, token })
  assert.equal(status, 403)
  assert.match(body.message, /That was very quick/)
  assert.equal((await call('/uploads', { ...FILE, token, work: solve(token) })).status, 200)
})

test('careers form: other tokens use up no uploads', async () => {
  const from = newVisitor()
  await call('/token', {}, from)
  await exhaust()
  assert.equal((await call('/token', {}, from)).status, 429)
  assert.equal((await call('/uploads', { ...FILE, token: await openForm(service, job) }, from)).status, 200)
})

test('careers form: an IPv6 network is counted by its /64, /56 and /48', async () => {
  const renew = async (address: string) => (await call('/token', {}, address)).status
  // 60 for a form from a /64, four times as many from a /56, sixteen times from a /48
  const set = (from: number, to: number) =>
    service.services.db.query(sql`update sign_in_attempts set used = ${to}::integer where used = ${from}::integer`)
  assert.equal(await renew('2001:db8:1:100::1'), 200)
  await set(1, 60)
  assert.equal(await renew('2001:db8:1:100::2'), 429)
  assert.equal(await renew('2001:db8:1:101::1'), 200)
  await service.services.db.query(sql`delete from sign_in_attempts`)
  assert.equal(await renew('2001:db8:1:100::1'), 200)
  await set(1, 240)
  assert.equal(await renew('2001:db8:1:101::1'), 429)
  assert.equal(await renew('2001:db8:1:200::1'), 200)
  await service.services.db.query(sql`delete from sign_in_attempts`)
  assert.equal(await renew('2001:db8:1:100::1'), 200)
  await set(1, 960)
  assert.equal(await renew('2001:db8:1:200::1'), 429)
  assert.equal(await renew('2001:db8:2:100::1'), 200)
})

test('careers form: refused uploads are not pending; the form shows the wait', async () => {
  const from = newVisitor()
  const token = await openForm(service, job)
  const reserve = () => call('/uploads', { ...FILE, token }, from)
  const { body: first } = await reserve()
  for (let i = 1; i < 20; i++) assert.equal((await reserve()).status, 200)
  for (let i = 0; i < 10; i++) {
    const refused = await reserve()
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
  }
  const back = await sendForm(
    service,
    job,
    { token, ...person(), resume_upload_id: cv(), [`files.${job.ids['Certificate']}`]: cv() },
    { from },
  )
  assert.equal(back.status, 422)
  assert.match(back.text, /The file did not arrive/)
  assert.match(
    back.text,
    /class="notice warn"[^>]*>[^<]*Your entries are kept: you can send them again in \d\d minutes/,
  )
  // one of them is used: another can be sent, although many were refused
  const put = await fetch(first.url, { method: 'PUT', headers: first.headers, body: 'Skills: 10' })
  assert.equal(put.status, 200)
  const sent = await send({ token, 'ticket.resume_upload_id': first.ticket }, from)
  assert.equal(sent.status, 303)
  assert.equal((await reserve()).status, 200)
  assert.equal((await reserve()).status, 429)
})

test('careers form: where half of the pending uploads of a workspace are taken, a network gets four more in an hour', async () => {
  await fillUploads(250)
  const from = newVisitor()
  const token = await openForm(service, job)
  for (let i = 0; i < 4; i++) assert.equal((await call('/uploads', { ...FILE, token }, from)).status, 200)
  assert.equal((await call('/uploads', { ...FILE, token }, from)).status, 429)
  assert.equal((await call('/uploads', { ...FILE, token })).status, 200)
})

test('careers form: files that are empty or too large, and uploads that the workspace has no space for, are not pending', async () => {
  const from = newVisitor()
  const { db } = service.services
  const large = new File([Buffer.alloc(5 * 1024 * 1024 + 1)], 'cv.txt', { type: 'text/plain' })
  for (const [file, said] of [
    [cv(''), /The file is empty/],
    [large, /The file is larger than 5 MB/],
  ] as const) {
    const back = await send({ token: await openForm(service, job), resume_upload_id: file }, from)
    assert.match(back.text, said)
  }
  const pending = () =>
    db.one(sql<{ n: number }>`
      select count(*)::integer as n from uploads where workspace_id = ${site.workspace} and spent_at is null`)
  assert.deepEqual(await pending(), { n: 0 })
  const keys = await db.query(sql<{ blob_key: string }>`
    select blob_key from uploads where workspace_id = ${site.workspace}`)
  assert.equal(keys.length, 2)
  for (const { blob_key } of keys) assert.equal(await service.services.blobs.stat(blob_key), null, 'no space is taken')
  // as many as the forms of a workspace may have
  await fillUploads(500)
  const token = await openForm(service, job)
  for (let i = 0; i < 3; i++) assert.equal((await call('/uploads', { ...FILE, token }, from)).status, 429)
  const back = await send({ token, resume_upload_id: cv() }, from)
  assert.equal(back.status, 422)
  assert.match(back.text, /you can send them again in/)
  await db.query(sql`delete from uploads where workspace_id = ${site.workspace} and id like 'upl_full%'`)
  for (let i = 0; i < 20; i++) assert.equal((await call('/uploads', { ...FILE, token }, from)).status, 200)
  assert.equal((await call('/uploads', { ...FILE, token }, from)).status, 429)
})

test('careers form: a stranger of another network does not use up the emails of the person whose address they type', async () => {
  const { services } = service
  const email = 'typed-by-many@applicants.example'
  /** The emails that were sent, after the worker has dropped those that are too many. */
  const sent = async () => {
    while (await sendNextMails(services, candidateMails(writeCandidateMail)));
    return (
      await services.db.query(sql<{ kind: string }>`
        select kind from candidate_mails where workspace_id = ${site.workspace} and sent_at is not null
        order by created_at, id`)
    ).map(({ kind }) => kind)
  }
  const apply = async (from: string, to = job) => {
    const values = { ...person(), token: await openForm(service, to), 'candidate.email': email }
    assert.equal((await sendForm(service, to, values, { from })).status, 303)
  }
  const [stranger, home] = [newVisitor(), newVisitor()]
  for (let i = 0; i < 4; i++) await apply(stranger)
  assert.deepEqual(await sent(), ['confirmation', 'already_applied'], 'two for a job in a day from one network')
  await apply(home)
  assert.deepEqual((await sent()).slice(2), ['already_applied'])

  const others = [await newFormJob(site), await newFormJob(site), await newFormJob(site)]
  for (const other of others.slice(0, 2)) await apply(stranger, other)
  assert.equal((await sent()).length, 4, 'three in ten minutes from one network')
  await apply(home, others[2])
  assert.deepEqual((await sent()).slice(4), ['confirmation'])

  // many networks together cannot flood the mailbox
  for (let i = 0; i < 4; i++) await apply(newVisitor())
  assert.equal((await sent()).length, 6)
  clock.reset()
})

test('careers form: a mailbox gets six emails about applications in ten minutes and twenty in a day, with any tag; the responses stay the same', async () => {
  const { db } = service.services
  // each for another job: those for one job have a limit of their own
  const apply = async (tag: string) => {
    const other = await newFormJob(site)
    const values = { token: await openForm(service, other), 'candidate.email': `mailbox${tag}@applicants.example` }
    return (await sendForm(service, other, { ...person(), ...values }, { from: newVisitor() })).status
  }
  const mails = async () =>
    (await db.one(sql<{ n: number }>`
      select count(*)::integer as n from candidate_mails where workspace_id = ${site.workspace}`))!.n
  for (let i = 0; i < 8; i++) assert.equal(await apply(`+${i}`), 303)
  assert.equal(await mails(), 6)
  // what was not accepted sends nothing, and is not counted
  clock.advance(700_000)
  for (let i = 0; i < 8; i++) {
    const token = await openForm(service, job)
    const faulty = { token, 'candidate.email': `mailbox+f${i}@applicants.example`, 'candidate.last_name': '' }
    assert.equal((await send(faulty)).status, 422)
  }
  for (let i = 0; i < 8; i++) assert.equal(await apply(`+more${i}`), 303)
  assert.equal(await mails(), 12)
  for (let i = 0; i < 10; i++) {
    clock.advance(700_000)
    assert.equal(await apply(`+late${i}`), 303)
  }
  assert.equal(await mails(), 20)
  assert.equal((await send({ token: await openForm(service, job) })).status, 303)
  assert.equal(await mails(), 21, 'others get theirs')
})
