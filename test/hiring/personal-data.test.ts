import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, test } from 'node:test'
import { crc32, inflateRawSync } from 'node:zlib'
import { writeCandidateMail } from '../../src/careers/candidate/mails.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { sendNextMails } from '../../src/kernel/mail/queue.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { candidateMails } from '../../src/resources/candidates/index.ts'
import { beginPlannedErasures, openErasures, requestErasure, runErasure } from '../../src/resources/erasures/index.ts'
import { beginTotp, confirmTotp, pendingTotp } from '../../src/resources/second-factors/index.ts'
import { codeOfStep, stepAt } from '../../src/resources/second-factors/totp-rules.ts'
import { apply, newTenant, readEvents, startWorld, upload } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { searchEverything } from '../erasure/search.ts'
import { startMailServer } from '../harness/smtp.ts'
import { parse } from '../messages/setup.ts'

const smtp = await startMailServer()
const world = await startWorld({ SMTP_URL: smtp.url, MAIL_FROM: 'jobs@acme.dev' })
const { service, workspace } = world
const { services } = service
const { db } = services
const enter = (role: 'owner' | 'admin' | 'member' | 'viewer' = 'owner', at = workspace, firstName = 'Rosalind') =>
  signedIn(service, at, { role, program: 'hiring', firstName })

let people = 0
const applicant = async (more: Record<string, unknown> = {}, candidate: Record<string, unknown> = {}) => {
  const n = ++people
  const { id, applicant_id } = await apply(world, more, {
    email: `zoe${n}@people.dev`,
    last_name: 'Corvantes',
    ...candidate,
  })
  return { id, applicant: applicant_id as string, email: `zoe${n}@people.dev` }
}
const ERASE = { confirm: 'Corvantes', reason: 'erasure_request' }
const erase = (by: Person, id: string, body: object = ERASE) => by.post(`/applicants/${id}/erase`, body)
const undo = (by: Person, id: string) => by.post(`/applicants/${id}/erase/undo`)
/** As the worker does it. */
async function work() {
  await beginPlannedErasures(db)
  for (const { id } of await db.query(openErasures())) await runErasure(services, id)
}
const isStored = async (id: string) => (await db.query(sql`select 1 from applicants where id = ${id}`)).length === 1
const suppressions = async () =>
  (await db.query(sql<{ reason: string }>`select reason from suppressions where reach = ${workspace}`)).length
const mailsTo = (email: string) => smtp.arrived.filter(({ to }) => to.includes(email))
const sendMails = async () => {
  while (await sendNextMails(services, candidateMails(writeCandidateMail)));
}

beforeEach(() => clock.reset())

test('POST /applicants/{p}/erase: begins ten seconds later, without an open page; then nothing is left', async () => {
  const owner = await enter()
  const word = `zqplant${Date.now()}`
  const person = await applicant({}, { last_name: word, first_name: 'Zoe' })
  const keys = { body: `about ${word}`, mentions: [] }
  assert.equal((await owner.post(`/applications/${person.id}/notes`, keys)).status, 200)
  const read = async () => (await owner.get(`/candidates/${person.id}`)).body.erasure
  assert.equal(await read(), null)

  const before = await db.now()
  const planned = await erase(owner, person.applicant, { confirm: word.toUpperCase(), reason: 'legal_request' })
  assert.deepEqual([planned.status, planned.body.reason], [200, 'legal_request'])
  const waits = Date.parse(planned.body.due_at) - before
  assert.ok(waits >= 10_000 && waits < 60_000, String(waits))
  const { due_at, ...shown } = await read()
  assert.deepEqual([due_at, shown.state, shown.reason], [planned.body.due_at, 'planned', 'legal_request'])
  await work()
  assert.ok(await isStored(person.applicant))

  clock.advance(60_000)
  await work()
  assert.equal(await isStored(person.applicant), false)
  assert.equal((await owner.get(`/candidates/${person.id}`)).status, 404)
  mkdirSync(join(services.config.DATA_DIR, 'outbox'), { recursive: true })
  assert.deepEqual((await searchEverything(service, [word])).get(word), [])
  const events = (await readEvents(world, workspace)).map(({ type, data }) => [type, data.object['id']])
  assert.ok(events.some(([type, id]) => type === 'application.deleted' && id === person.id))
  assert.ok(events.some(([type]) => type === 'data_subject.erasure_completed'))
  const rows = await db.query(sql`select 1 from planned_erasures where workspace_id = ${workspace}`)
  assert.equal(rows.length, 0)
  const asked = await db.one(sql<{ requested_by: string; asked_in: string }>`
    select requested_by, asked_in from erasures order by requested_at desc limit 1`)
  assert.deepEqual([asked?.requested_by, asked?.asked_in], [owner.userId, workspace])
})

test('POST /applicants/{p}/erase/undo: takes it back for ten seconds, also for another owner; 409 after that', async () => {
  const [owner, other] = [await enter(), await enter()]
  const { applicant: id } = await applicant()
  assert.equal((await erase(owner, id)).status, 200)
  assert.deepEqual((await undo(other, id)).body, { undone: true })
  const again = await undo(owner, id)
  assert.deepEqual([again.status, again.body.detail.code], [409, 'stale_resource'])
  clock.advance(60_000)
  await work()
  assert.ok(await isStored(id))

  clock.reset()
  await erase(owner, id)
  clock.advance(60_000)
  const late = await undo(await enter(), id)
  assert.equal(late.status, 409)
  await work()
  assert.equal(await isStored(id), false)
  assert.equal((await undo(await enter(), id)).status, 404)
})

test('POST /applicants/{p}/erase: 400 for another name, 403 for all but owners, 404 elsewhere: nothing is planned', async () => {
  const { applicant: id } = await applicant()
  const owner = await enter()
  const wrong = await erase(owner, id, { ...ERASE, confirm: 'Corvante' })
  assert.deepEqual([wrong.status, wrong.body.detail.param], [400, 'confirm'])
  assert.equal((await erase(owner, id, { ...ERASE, reason: 'stop_processing' })).status, 400)
  for (const role of ['admin', 'member', 'viewer'] as const) {
    const person = await enter(role)
    for (const path of ['erase', 'stop', 'erase/undo', ...(role === 'admin' ? [] : ['send-data', 'send-data/undo'])]) {
      const refused = await person.post(`/applicants/${id}/${path}`, path === 'erase' ? ERASE : undefined)
      assert.deepEqual([refused.status, refused.body.detail.code], [403, 'role_required'], `${role} ${path}`)
    }
    for (const path of ['erasure', 'data.zip'])
      assert.equal((await person.get(`/applicants/${id}/${path}`)).status, 403, `${role} ${path}`)
  }
  const stranger = await enter('owner', (await newTenant(service)).workspace)
  for (const path of ['erase', 'stop', 'erase/undo', 'send-data']) {
    const missing = await stranger.post(`/applicants/${id}/${path}`, path === 'erase' ? ERASE : undefined)
    assert.equal(missing.status, 404, path)
  }
  for (const path of ['erasure', 'data.zip', 'send-data'])
    assert.equal((await stranger.get(`/applicants/${id}/${path}`)).status, 404, path)
  assert.equal((await erase(owner, 'apl_unknown')).status, 404)
  assert.deepEqual(await db.query(sql`select 1 from planned_erasures where applicant_id = ${id}`), [])
})

test('POST /applicants/{p}/erase, stop: 403 confirmation_required for a second factor that was not proved lately', async () => {
  const owner = await enter()
  const who = { workspace, user: owner.userId }
  await beginTotp(db, services.keyring, who)
  const secret = (await pendingTotp(db, services.keyring, who))!
  const [session] = await db.query(sql<{ id: string }>`select id from sessions where user_id = ${owner.userId}`)
  await confirmTotp(db, services.keyring, who, codeOfStep(secret, stepAt(await db.now())), session!.id)
  const { applicant: id } = await applicant()
  await db.query(sql`update sessions set factor_at = app_now() - interval '1 hour' where id = ${session!.id}`)
  for (const [path, body] of [
    ['erase', ERASE],
    ['stop', undefined],
  ] as const) {
    const refused = await owner.post(`/applicants/${id}/${path}`, body)
    assert.deepEqual([refused.status, refused.body.detail.code], [403, 'confirmation_required'], path)
  }
  await db.query(sql`update sessions set factor_at = app_now() where id = ${session!.id}`)
  assert.equal((await erase(owner, id)).status, 200)
  assert.equal((await undo(owner, id)).status, 200)
})

test('GET /applicants/{p}/erasure: what is held here, and what has to be typed', async () => {
  const owner = await enter()
  const { applicant: id } = await applicant({ resume_upload_id: await upload(world) })
  const { status, body } = await owner.get(`/applicants/${id}/erasure`)
  assert.equal(status, 200)
  const { held_here, ...rest } = body
  assert.deepEqual(rest, { confirm: 'Corvantes', has_identifiers: true, asks_others: true })
  const counts = Object.fromEntries(held_here.map((h: { object: string; count: number }) => [h.object, h.count]))
  assert.deepEqual([counts.applicant, counts.application, counts.resume], [1, 1, 1])
})

test('POST /applicants/{p}/erase: erases people without an address; a role address stays usable by others', async () => {
  const owner = await enter()
  const plain = await applicant()
  await db.query(sql`
    update applicants set email = null, email_key = null, linkedin_key = null where id = ${plain.applicant}`)
  await db.query(sql`delete from contact_values where subject_id = ${plain.applicant}`)
  const preview = (await owner.get(`/applicants/${plain.applicant}/erasure`)).body
  assert.deepEqual([preview.has_identifiers, preview.asks_others], [false, false])
  const shared = await applicant({}, { email: 'jobs@people.dev' })
  await erase(owner, plain.applicant)
  await erase(owner, shared.applicant)
  clock.advance(60_000)
  await work()
  const left = await Promise.all([plain, shared].map(({ applicant: id }) => isStored(id)))
  assert.deepEqual(left, [false, false])
  assert.ok(await isStored((await applicant({}, { email: 'jobs@people.dev' })).applicant))
})

test('planned erasures: two processes, and one of the console at the same time, make one erasure', async () => {
  const owner = await enter()
  const person = await applicant()
  const nameless = await applicant()
  await db.query(sql`update applicants set email = null, email_key = null where id = ${nameless.applicant}`)
  await db.query(sql`delete from contact_values where subject_id = ${nameless.applicant}`)
  const before = await suppressions()
  for (const { applicant: id } of [person, nameless]) assert.equal((await erase(owner, id)).status, 200)
  clock.advance(60_000)
  const request = { email: person.email, requestedBy: owner.userId, askedIn: workspace, reach: workspace }
  await Promise.all([work(), requestErasure(db, request), work()])
  await work()
  assert.equal((await suppressions()) - before, 2)
  assert.deepEqual(await Promise.all([isStored(person.applicant), isStored(nameless.applicant)]), [false, false])
})

test('planned erasures: one whose worker died before it deleted the plan is not made twice', async () => {
  const owner = await enter()
  const { applicant: id } = await applicant()
  await erase(owner, id)
  clock.advance(60_000)
  const plan = sql`select * from planned_erasures where applicant_id = ${id}`
  const [row] = await db.query(plan)
  await beginPlannedErasures(db)
  const before = await suppressions()
  const columns = sql`workspace_id, applicant_id, reason, reach, requested_by, requested_at, due_at`
  await db.query(sql`
    insert into planned_erasures (${columns})
    select ${columns} from jsonb_populate_record(null::planned_erasures, ${JSON.stringify(row)}::jsonb)`)
  await beginPlannedErasures(db)
  assert.equal(await suppressions(), before)
})

test('POST /applicants/{p}/stop: the records stay and say so; an erasure that follows replaces a stop that has not begun', async () => {
  const owner = await enter()
  const person = await applicant()
  assert.equal((await owner.post(`/applicants/${person.applicant}/stop`)).body.reason, 'stop_processing')
  clock.advance(60_000)
  await work()
  const { status, body } = await (await enter('member')).get(`/candidates/${person.id}`)
  assert.deepEqual([status, body.erasure.state, body.erasure.reason], [200, 'begun', 'stop_processing'])
  assert.equal(body.applicant.data.provenance.consent.suppressed, true)
  const later = await enter()
  const zip = await later.get(`/applicants/${person.applicant}/data.zip`)
  assert.deepEqual([zip.status, zip.body.detail.code], [400, 'invalid_request'])
  assert.equal((await later.post(`/applicants/${person.applicant}/send-data`)).status, 400)
  assert.equal((await erase(later, person.applicant)).status, 200)
  clock.advance(60_000)
  await work()
  assert.equal(await isStored(person.applicant), false)

  clock.reset()
  const second = await applicant()
  await owner.post(`/applicants/${second.applicant}/stop`)
  assert.equal((await erase(owner, second.applicant)).body.reason, 'erasure_request')
  assert.equal((await owner.post(`/applicants/${second.applicant}/stop`)).body.reason, 'erasure_request')
})

test('POST /applicants/{p}/erase: 429 beyond the requests of a day, with the sentence of the console', async () => {
  const tenant = await newTenant(service)
  const owner = await enter('owner', tenant.workspace)
  const { applicant_id } = await apply({ ...tenant, service }, {}, { last_name: 'Corvantes' })
  await db.query(sql`
    insert into erasure_request_usage (workspace_id, day, used)
    values (${tenant.workspace}, (app_now() at time zone 'UTC')::date, 1000)`)
  const refused = await erase(owner, applicant_id)
  assert.equal(refused.status, 429)
  assert.match(refused.body.detail.message, /erasure requests today, which is the limit/)
})

const site = (enabled: boolean) =>
  db.query(sql`update career_sites set enabled = ${enabled} where workspace_id = ${workspace}`)

test('POST /applicants/{p}/send-data: mails the link to the data page ten seconds later; it opens that page', async () => {
  await site(true)
  const admin = await enter('admin', workspace, 'Devika')
  const person = await applicant()
  await db.query(sql`update applicants set unsubscribed_at = app_now() where id = ${person.applicant}`)
  const path = `/applicants/${person.applicant}/send-data`
  assert.deepEqual((await admin.get(path)).body, { cannot: null })
  const sent = await admin.post(path)
  assert.equal(sent.status, 200)
  assert.deepEqual((await admin.post(path)).body, sent.body)
  await sendMails()
  assert.deepEqual(mailsTo(person.email), [])
  const lines = (await admin.get(`/applications/${person.id}/activity`)).body.data
  const line = lines.find(({ kind }: { kind: string }) => kind === 'data')
  assert.deepEqual([line.name, line.by.name.split(' ')[0]], ['data_sent', 'Devika'])

  clock.advance(60_000)
  await sendMails()
  const [mail, ...more] = mailsTo(person.email)
  const { subject, text } = await parse(mail!)
  assert.deepEqual([more.length, /^Your data at/.test(subject!)], [0, true])
  const url = new URL(/http\S+\/link\?\S+/.exec(text!)![0])
  assert.equal(url.searchParams.get('opens'), 'data')
  const token = url.searchParams.get('token')!
  url.searchParams.delete('token')
  const opened = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: service.origin, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ token }),
  })
  assert.equal(opened.status, 303)
  assert.match(opened.headers.get('location')!, /\/me\/data/)
  assert.equal((await (await enter('admin')).post(`${path}/undo`)).status, 409)
})

test('POST /applicants/{p}/send-data/undo: no email leaves and no line stays; without address or site it says why', async () => {
  await site(true)
  const admin = await enter('admin')
  const person = await applicant()
  const path = `/applicants/${person.applicant}/send-data`
  await admin.post(path)
  assert.deepEqual((await admin.post(`${path}/undo`)).body, { undone: true })
  assert.deepEqual(await db.query(sql`select 1 from applicant_requests where applicant_id = ${person.applicant}`), [])
  clock.advance(60_000)
  await sendMails()
  assert.deepEqual(mailsTo(person.email), [])

  clock.reset()
  await site(false)
  assert.equal((await admin.get(path)).body.cannot, 'no_site')
  assert.equal((await admin.post(path)).status, 400)
  await site(true)
  await db.query(sql`update applicants set email = null, email_key = null where id = ${person.applicant}`)
  assert.equal((await admin.get(path)).body.cannot, 'no_address')
})

/** The files of an archive by their names, each with its checksum checked. */
function unzip(archive: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  const end = archive.lastIndexOf('PK\x05\x06')
  let at = archive.readUInt32LE(end + 16)
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const [crc, packed, size] = [16, 20, 24].map(field => archive.readUInt32LE(at + field))
    const name = archive.subarray(at + 46, at + 46 + archive.readUInt16LE(at + 28)).toString()
    const local = archive.readUInt32LE(at + 42)
    const start = local + 30 + archive.readUInt16LE(local + 26)
    const content = inflateRawSync(archive.subarray(start, start + packed!))
    assert.deepEqual([content.length, crc32(content)], [size, crc], name)
    files.set(name, content)
    at += 46 + archive.readUInt16LE(at + 28)
  }
  return files
}

async function download(person: Person, id: string): Promise<Map<string, Buffer>> {
  const response = await fetch(`${service.origin}/hiring/api/applicants/${id}/data.zip`, {
    headers: { cookie: person.cookie },
  })
  assert.equal(response.status, 200)
  assert.match(response.headers.get('content-disposition')!, /^attachment; .*data-apl_/)
  return unzip(Buffer.from(await response.arrayBuffer()))
}

test('GET /applicants/{p}/data.zip: JSON and files, opinions in a folder to check first; recorded, and a line says so', async () => {
  const owner = await enter()
  const file = Buffer.from('Zoe Corvantes\nWelder\n')
  const person = await applicant({ resume_upload_id: await upload(world, file, 'text/plain', 'Zoe cv.txt') })
  await owner.post(`/applications/${person.id}/notes`, { body: 'Knows Peng', mentions: [], visibility: 'private' })
  await db.query(sql`
    insert into application_private_answers (workspace_id, application_id, equal_opportunity, consents, prescreen)
    values (${workspace}, ${person.id}, '{"f1":"zqsecret"}', '{"f2":{"label":"zqsecret"}}', '{"q":{"said":"zqsecret"}}')
    on conflict (workspace_id, application_id) do update set equal_opportunity = excluded.equal_opportunity`)
  const card = await owner.post(`/v1/applications/${person.id}/scorecards`, { recommendation: 'yes' })
  const remark = { body: 'Rang back on Monday' }
  assert.equal((await owner.post(`/applications/${person.id}/scorecards/${card.body.id}/remarks`, remark)).status, 200)
  const files = await download(owner, person.applicant)
  const texts = [...files].map(([name, content]) => `${name} ${content}`)
  assert.ok(!texts.join().includes('zqsecret'))
  const folder = 'check-before-you-pass-it-on'
  const names = [...files.keys()]
  assert.deepEqual(names.slice(0, 5), [
    'README.txt',
    'data.json',
    ...['notes', 'scorecards', 'decisions'].map(name => `${folder}/${name}.json`),
  ])
  assert.match(names[5]!, new RegExp(`^files/${person.id}/\\w{8}-Zoe cv\\.txt$`))
  assert.deepEqual(files.get(names[5]!), file)
  assert.match(files.get(`${folder}/notes.json`)!.toString(), /Knows Peng/)
  const [written] = JSON.parse(files.get(`${folder}/scorecards.json`)!.toString())
  assert.deepEqual([written.recommendation, written.remarks[0].body], ['yes', 'Rang back on Monday'])
  const data = JSON.parse(files.get('data.json')!.toString())
  assert.deepEqual([data.person.last_name, data.applications.length], ['Corvantes', 1])
  assert.ok(!files.get('data.json')!.toString().includes('Knows Peng'))

  const audited = await db.query(sql<{ field: string; units: number; key_id: string }>`
    select field, units, key_id from personal_data_reads where workspace_id = ${workspace} and key_id = ${owner.userId}
    order by field`)
  assert.deepEqual(
    audited.map(({ field, units }) => [field, units]),
    [
      ['email', 0],
      ['resume_file', 0],
    ],
  )
  const lines = (await owner.get(`/applications/${person.id}/activity`)).body.data
  assert.equal(lines.find(({ kind }: { kind: string }) => kind === 'data').name, 'data_downloaded')
})

test('GET /applicants/{p}/data.zip: the file and text of a locked résumé are left out', async () => {
  const person = await applicant({ resume_upload_id: await upload(world) })
  await db.query(sql`update applications set applied_at = app_now() - interval '200 days' where id = ${person.id}`)
  const files = await download(await enter(), person.applicant)
  assert.ok(![...files.keys()].some(name => name.startsWith('files/')))
  assert.deepEqual(JSON.parse(files.get('data.json')!.toString()).resume_profiles, [])
  assert.match(files.get('README.txt')!.toString(), /locked/)
})
