import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { rejectApplication } from '../../src/resources/applications/index.ts'
import { requestErasure, runErasure } from '../../src/resources/erasures/index.ts'
import { signedIn } from '../console/setup.ts'
import type { Visitor } from '../sign-in/visitor.ts'
import {
  DETAILS,
  type FormJob,
  newFormJob,
  newVisitor,
  openForm,
  type PageReply,
  pathTo,
  type Site,
  sendForm,
  type Values,
} from './application-form.ts'
import { type CandidateWorld, enter, linkIn, pathOf, readFeed, startCandidateWorld } from './candidate-setup.ts'

let world: CandidateWorld
let site: Site

const FIELDS = [
  ...DETAILS,
  { label: 'Phone', type: 'phone', candidate_field: 'phone' },
  { label: 'LinkedIn profile', type: 'url', candidate_field: 'linkedin' },
  { label: 'Résumé', type: 'file', required: true, candidate_field: 'resume' },
  { label: 'Why this job', type: 'text', required: true },
  { label: 'Certificate', type: 'file' },
] as const

before(async () => {
  world = await startCandidateWorld({ TRUST_PROXY: '127.0.0.1', ROLES: 'api' })
  site = { service: world.service, workspace: world.workspace, slug: world.slug, key: world.key }
})
// mails are counted by time and mailbox; the forms of a test are some seconds apart
beforeEach(() => clock.advance(3_600_000))
after(() => clock.reset())

let people = 0
const newAddress = () => `victim.${++people}@people.dev`

const STRANGER = {
  first: 'Another',
  last: 'Name',
  phone: '+49 151 66600001',
  linkedin: 'other-profile',
  resume: 'JUNK RESUME OF THE STRANGER',
  why: 'Stranger reason',
}
const PERSON = {
  first: 'Petra',
  last: 'Person',
  phone: '+49 151 77700002',
  linkedin: 'real-profile',
  resume: 'REAL RESUME',
  why: 'Real reason',
}
type Sender = typeof PERSON

async function apply(
  job: FormJob,
  email: string,
  from: Sender,
  browser?: Visitor,
  network = newVisitor(),
): Promise<PageReply> {
  const values: Values = {
    token: await openForm(world.service, job),
    'candidate.first_name': from.first,
    'candidate.last_name': from.last,
    'candidate.email': email,
    'candidate.phone': from.phone,
    'candidate.linkedin_url': `https://www.linkedin.com/in/${from.linkedin}`,
    resume_upload_id: new File([from.resume], `${from.first}.txt`, { type: 'text/plain' }),
    [`answers.${job.ids['Why this job']}`]: from.why,
    [`files.${job.ids['Certificate']}`]: new File(['%PDF-1.7'], `${from.last}.pdf`, { type: 'application/pdf' }),
  }
  const cookie = browser?.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  return sendForm(world.service, job, values, { from: network, ...(cookie ? { headers: { cookie } } : {}) })
}

/** What the company has of an address: name, profile, numbers, and each application with its file and answer. */
async function stored(email: string) {
  const { service, key } = world
  const { db, blobs } = service.services
  const { body } = await service.get(`/applicants?email=${encodeURIComponent(email)}`, key)
  assert.equal(body.data.length, 1)
  const [{ id, full_name, linkedin_url }] = body.data
  const contact = (await service.get(`/applicants/${id}/contact-info`, key)).body
  const rows = await db.query(sql<{ id: string; job_id: string; status: string; blob_key: string; answers: string }>`
    select a.id, a.job_id, a.status, r.blob_key, w.answers::text as answers
    from applications a
    left join resumes r on r.workspace_id = a.workspace_id and r.application_id = a.id
    left join application_answers w on w.workspace_id = a.workspace_id and w.application_id = a.id
    where a.workspace_id = ${world.workspace} and a.applicant_id = ${id} order by a.applied_at, a.id`)
  const applications = []
  for (const { blob_key, answers, ...row } of rows) {
    const chunks: Buffer[] = []
    for await (const chunk of (await blobs.get(blob_key))!.stream) chunks.push(chunk as Buffer)
    applications.push({
      ...row,
      resume: Buffer.concat(chunks).toString(),
      answer: Object.values(JSON.parse(answers))[0],
    })
  }
  return {
    id,
    full_name,
    linkedin: linkedin_url?.split('/').at(-1),
    phones: contact.phones.map((phone: { value: string }) => phone.value),
    emails: contact.emails.map((address: { status: string }) => address.status),
    applications,
  }
}

/** A browser in which the person opened a link that they asked for. */
const letIn = async (email: string): Promise<Visitor> => {
  await world.deliver()
  return world.signedIn({ email })
}

const me = () => `/careers/${world.slug}/me`
const buttons = (html: string, what: 'use' | 'discard'): string[] =>
  [...html.matchAll(/action="([^"]*\/me\/submissions\/[^"]*)"/g)]
    .map(([, path]) => path!)
    .filter(path => path.endsWith(what))

/** Presses the button of the nth waiting form. */
async function choose(browser: Visitor, what: 'use' | 'discard', n = 0): Promise<string> {
  const page = await browser.get(me())
  const done = await browser.submit(page, {}, { action: buttons(page.html, what)[n]! })
  assert.equal(done.status, 303)
  return (await browser.follow(done)).html
}

async function withdraw(browser: Visitor, id: string): Promise<void> {
  const page = await browser.get(`${me()}/applications/${id}/withdraw`)
  const done = await browser.submit(page, {}, { action: `${me()}/applications/${id}/withdraw` })
  assert.equal(done.status, 303)
}

const isThanks = (reply: PageReply, job: FormJob) => reply.status === 303 && pathTo(reply) === `${job.path}/done`

test('careers form: the person who opens the mailed link replaces what a stranger sent before with the same address', async () => {
  const job = await newFormJob(site, { fields: FIELDS, title: 'Consultant' })
  const email = newAddress()
  assert.ok(isThanks(await apply(job, email, STRANGER), job))
  await world.deliver()
  assert.ok(isThanks(await apply(job, email, PERSON), job))
  const first = await stored(email)
  assert.deepEqual([first.full_name, first.applications.length], ['Another Name', 1])
  assert.deepEqual(first.emails, ['unverified'])

  const [mail] = await world.deliver()
  const browser = world.visitor()
  assert.equal((await enter(browser, pathOf(await linkIn(mail!)))).status, 303)
  const page = (await browser.get(me())).html
  assert.match(page, /Petra Person/)
  assert.match(page, /\+49 151 77700002/)
  assert.match(page, /Petra\.txt/)
  const events = (await readFeed(world)).length
  await choose(browser, 'use')

  const now = await stored(email)
  assert.deepEqual(now, {
    id: first.id,
    full_name: 'Petra Person',
    linkedin: 'real-profile',
    phones: ['+49 151 77700002'],
    emails: ['verified'],
    applications: [
      { id: first.applications[0]!.id, job_id: job.id, status: 'new', resume: 'REAL RESUME', answer: 'Real reason' },
    ],
  })
  const emitted = (await readFeed(world)).slice(events)
  assert.deepEqual(
    // another profile also makes another identity: person.identity_linked
    emitted.filter(({ type }) => !type.startsWith('person.')).map(({ type, data }) => [type, data.object['changed']]),
    [
      ['applicant.updated', ['full_name', 'contact_info', 'linkedin_url']],
      ['application.updated', ['answers', 'resume']],
    ],
  )
  assert.equal(buttons((await browser.get(me())).html, 'use').length, 0)
  const files = await world.service.services.db.query(sql<{ filename: string }>`
    select filename from application_files where application_id = ${now.applications[0]!.id}`)
  assert.deepEqual(files, [{ filename: 'Person.pdf' }])
})

test('careers form: after a withdrawal the same person applies again, and their details replace those of a stranger', async () => {
  const job = await newFormJob(site, { fields: FIELDS, title: 'Consultant' })
  const other = await newFormJob(site, { fields: FIELDS, title: 'Analyst' })
  const email = newAddress()
  await apply(job, email, STRANGER)
  await apply(job, email, PERSON)
  const before = await stored(email)
  await world.deliver()
  const browser = await letIn(email)
  await withdraw(browser, before.applications[0]!.id)
  assert.equal(buttons((await browser.get(me())).html, 'use').length, 0)

  // from another browser, which proves nothing
  assert.ok(isThanks(await apply(job, email, PERSON), job))
  assert.ok(isThanks(await apply(other, email, PERSON), other))
  const unproved = await stored(email)
  assert.deepEqual(
    unproved.applications.map(({ status, resume }) => [status, resume]),
    [
      ['withdrawn', STRANGER.resume],
      ['new', PERSON.resume],
      ['new', PERSON.resume],
    ],
  )
  assert.equal(unproved.full_name, 'Another Name')

  const again = await letIn(email)
  await choose(again, 'use')
  const now = await stored(email)
  assert.deepEqual([now.full_name, now.linkedin, now.phones], ['Petra Person', 'real-profile', [PERSON.phone]])
  assert.deepEqual(
    now.applications.slice(1).map(({ job_id, resume }) => [job_id, resume]),
    [
      [job.id, PERSON.resume],
      [other.id, PERSON.resume],
    ],
  )
  // the other form had the same details: nothing is left to choose
  assert.equal(buttons((await again.get(me())).html, 'use').length, 0)
})

test('careers form: in the session of a mailed link a form is proved, and used immediately', async () => {
  const job = await newFormJob(site, { fields: FIELDS, title: 'Consultant' })
  const other = await newFormJob(site, { fields: FIELDS, title: 'Analyst' })
  const email = newAddress()
  await apply(job, email, STRANGER)
  const browser = await letIn(email)
  assert.ok(isThanks(await apply(job, email, PERSON, browser), job))
  assert.ok(isThanks(await apply(other, email, PERSON, browser), other))
  const now = await stored(email)
  assert.deepEqual([now.full_name, now.linkedin, now.phones], ['Petra Person', 'real-profile', [PERSON.phone]])
  assert.deepEqual(
    now.applications.map(({ status, resume }) => [status, resume]),
    [
      ['new', PERSON.resume],
      ['new', PERSON.resume],
    ],
  )
  // a session proves its own address alone
  const target = newAddress()
  await apply(job, target, PERSON)
  await apply(job, target, STRANGER, browser)
  const kept = await stored(target)
  assert.deepEqual([kept.full_name, kept.applications[0]!.resume], ['Petra Person', PERSON.resume])
})

test('careers form: what a stranger sends later waits, is discarded with its files, and changes nothing', async () => {
  const job = await newFormJob(site, { fields: FIELDS, title: 'Consultant' })
  const email = newAddress()
  await apply(job, email, PERSON)
  const browser = await letIn(email)
  const before = await stored(email)
  const someone = await world.person()
  const events = (await readFeed(world)).length
  await apply(job, email, STRANGER)
  assert.deepEqual(await stored(email), before)
  const { db } = world.service.services
  const { key } = (await db.one(sql<{ key: string }>`
    select files -> 0 ->> 'blob_key' as key from pending_submissions where application_id = ${before.applications[0]!.id}`))!
  const page = (await browser.get(me())).html
  const [, file] = /href="([^"]*\/me\/files\/pending\/[^"]*)"/.exec(page)!
  assert.equal((await browser.get(file!)).status, 303)
  const elsewhere = await letIn(someone.email)
  assert.equal((await elsewhere.get(file!)).status, 404)
  const foreign = await elsewhere.get(me())
  const csrf = /name="csrf" value="([^"]*)"/.exec(foreign.html)![1]!
  await elsewhere.post(buttons(page, 'use')[0]!, { csrf })
  await elsewhere.post(buttons(page, 'discard')[0]!, { csrf })
  assert.deepEqual(await stored(email), before)
  assert.equal((await browser.post(buttons(page, 'use')[0]!, {})).status, 403)

  await choose(browser, 'discard')
  assert.deepEqual(await stored(email), before)
  assert.equal((await readFeed(world)).length, events)
  assert.equal(buttons((await browser.get(me())).html, 'use').length, 0)
  assert.ok(await db.one(sql`select 1 from file_deletions where blob_key = ${key}`))
})

test('careers form: an application that was rejected before anyone proved it is open again with the form of its person', async () => {
  const job = await newFormJob(site, { fields: FIELDS, title: 'Consultant' })
  const email = newAddress()
  const { db } = world.service.services
  await apply(job, email, STRANGER)
  const { applications } = await stored(email)
  const change = { workspace: world.workspace, id: applications[0]!.id, originKeyId: null }
  await db.transaction(tx => rejectApplication(tx, { ...change, reason: 'Junk' }))
  const browser = await letIn(email)
  await apply(job, email, PERSON, browser)
  const reopened = (await stored(email)).applications[0]!
  assert.deepEqual([reopened.status, reopened.resume], ['in_review', PERSON.resume])

  // now it is the person's: a second decision is final
  await db.transaction(tx => rejectApplication(tx, { ...change, reason: 'Someone else was better' }))
  await apply(job, email, { ...PERSON, resume: 'REAL RESUME, SECOND TRY' }, browser)
  const decided = (await stored(email)).applications[0]!
  assert.deepEqual([decided.status, decided.resume], ['rejected', PERSON.resume])
  assert.equal((await db.query(sql`select 1 from pending_submissions where application_id = ${decided.id}`)).length, 0)
})

test('careers form: twenty forms wait at most with an application, and the newest stays', async () => {
  const job = await newFormJob(site, { fields: FIELDS, title: 'Consultant' })
  const email = newAddress()
  for (let i = 0; i < 22; i++) await apply(job, email, { ...STRANGER, last: `Name ${String.fromCharCode(65 + i)}` })
  const browser = await letIn(email)
  const page = (await browser.get(me())).html
  assert.equal(buttons(page, 'use').length, 20)
  assert.ok(page.includes('Name V') && !page.includes('Name B<'))
  await choose(browser, 'use')
  assert.equal((await stored(email)).full_name, 'Another Name V')
})

test('careers form: a network that sends many forms replaces its own, and pushes out no one', async () => {
  const job = await newFormJob(site, { fields: FIELDS, title: 'Consultant' })
  const email = newAddress()
  const network = newVisitor()
  await apply(job, email, STRANGER, undefined, network)
  await apply(job, email, PERSON)
  for (let i = 0; i < 8; i++) {
    clock.advance(3_600_000)
    await apply(job, email, { ...STRANGER, last: `Junk ${String.fromCharCode(65 + i)}` }, undefined, network)
  }
  const browser = await letIn(email)
  const page = (await browser.get(me())).html
  assert.equal(buttons(page, 'use').length, 3)
  for (const name of ['Junk G', 'Junk H', 'Petra Person']) assert.ok(page.includes(name), name)
  await choose(browser, 'use', 2)
  assert.equal((await stored(email)).full_name, 'Petra Person')
})

test('careers form: the page of choice shows when a form was sent, its number to call and its answers', async () => {
  const job = await newFormJob(site, { fields: FIELDS, title: 'Consultant' })
  const email = newAddress()
  await apply(job, email, STRANGER)
  await apply(job, email, PERSON)
  const { db } = world.service.services
  await db.query(sql`
    update pending_submissions set content = jsonb_set(content, '{screening_phone}', '"+49 151 88800003"')
    where content ->> 'screening_phone' = ${PERSON.phone}`)
  const page = (await (await letIn(email)).get(me())).html
  for (const text of ['+49 151 88800003', PERSON.why]) assert.ok(page.includes(text), text)
  assert.match(page, /<dt>Why this job<\/dt><dd dir="auto">Real reason<\/dd>/)
  assert.match(page, /<dt>Résumé<\/dt><dd><a [^>]*>Petra\.txt<\/a>[\s\S]*<dt>Certificate<\/dt><dd><a [^>]*>Person\.pdf/)
  assert.match(page, /data-times="en-GB"[\s\S]*Sent on <time datetime="[^"]+Z">[^<]* UTC<\/time>/)
})

test('GET /candidates/{id}: details of a form are unproved until the person has opened the mailed link and chosen a form', async () => {
  const job = await newFormJob(site, { fields: FIELDS, title: 'Consultant' })
  const member = await signedIn(world.service, world.workspace, { role: 'member', program: 'hiring' })
  const isUnproved = async (id: string) => (await member.get(`/candidates/${id}`)).body.unproved
  const email = newAddress()
  await apply(job, email, PERSON)
  const [alone] = (await stored(email)).applications
  assert.equal(await isUnproved(alone!.id), true)
  const { body } = await world.service.get(`/applications/${alone!.id}`, world.key)
  assert.ok(!('unproved' in body), 'the API has no such field')
  await letIn(email)
  assert.equal(await isUnproved(alone!.id), false)

  const claimed = newAddress()
  await apply(job, claimed, STRANGER)
  await apply(job, claimed, PERSON)
  const [application] = (await stored(claimed)).applications
  const browser = await letIn(claimed)
  assert.equal(await isUnproved(application!.id), true, 'a form waits for the choice')
  await choose(browser, 'use')
  assert.equal(await isUnproved(application!.id), false)

  // a decision does not keep the mark
  const decided = newAddress()
  await apply(job, decided, PERSON)
  const { id } = (await stored(decided)).applications[0]!
  const { db } = world.service.services
  await db.query(
    sql`update applications set status = 'rejected' where workspace_id = ${world.workspace} and id = ${id}`,
  )
  assert.equal(await isUnproved(id), true)
  await letIn(decided)
  assert.equal(await isUnproved(id), false)
})

test('careers form: a number to call that came with a discarded form is not called', async () => {
  const [job, other] = [
    await newFormJob(site, { fields: FIELDS, title: 'Consultant' }),
    await newFormJob(site, { fields: FIELDS, title: 'Analyst' }),
  ]
  const email = newAddress()
  await apply(job, email, PERSON)
  const browser = await letIn(email)
  await apply(other, email, { ...PERSON, phone: STRANGER.phone })
  await choose(browser, 'discard')
  const { db } = world.service.services
  const rows = await db.query(sql<{ screening_phone: string | null }>`
    select distinct screening_phone from applications where workspace_id = ${world.workspace} and job_id = ${other.id}`)
  assert.deepEqual(rows, [{ screening_phone: PERSON.phone }])
})

test('careers form: details that only a stranger gave do not stay where the form of the person has none', async () => {
  const job = await newFormJob(site, { fields: FIELDS, title: 'Consultant' })
  const email = newAddress()
  await apply(job, email, STRANGER)
  await apply(job, email, { ...PERSON, phone: '' })
  await choose(await letIn(email), 'use')
  const now = await stored(email)
  assert.deepEqual([now.full_name, now.phones], ['Petra Person', []])
})

test('careers form: waiting forms are in the download of their person and go with an erasure', async () => {
  const job = await newFormJob(site, { fields: FIELDS, title: 'Consultant' })
  const email = newAddress()
  await apply(job, email, PERSON)
  await apply(job, email, STRANGER)
  const browser = await letIn(email)
  const data = JSON.parse((await browser.get(`${me()}/data.json`)).html)
  assert.equal(data.pending_submissions[0].details.first_name, 'Another')
  assert.equal(data.pending_submissions[0].answers[0].question, 'Why this job')
  assert.equal(data.files.filter((file: { kind: string }) => file.kind === 'pending').length, 2)
  assert.match((await browser.get(`${me()}/data`)).html, /Stranger reason/)
  const { db } = world.service.services
  const { files } = (await db.one(sql<{ files: { blob_key: string }[] }>`
    select s.files from pending_submissions s join applications a on a.id = s.application_id
    join applicants p on p.id = a.applicant_id where p.email = ${email}`))!
  const erasure = await requestErasure(db, { email, requestedBy: 'candidate', reach: world.workspace, onlyNamed: true })
  await runErasure(world.service.services, erasure.id)
  assert.equal(files.length, 2)
  for (const { blob_key } of files) assert.equal(await world.service.services.blobs.stat(blob_key), null)
})
