import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { unsubscribeApplicant } from '../../src/resources/applicants/index.ts'
import { requestErasure, runErasure } from '../../src/resources/erasures/index.ts'
import { sealDetails, sealWords } from '../../src/resources/interviews/rules.ts'
import { setForm, setQuestions } from '../../src/resources/jobs/index.ts'
import { newTenant, upload } from '../applications/setup.ts'
import { signedIn } from '../console/setup.ts'
import { newPerson, type Person, parse } from '../messages/setup.ts'
import type { Seen, Visitor } from '../sign-in/visitor.ts'
import { person as applicantDetails, DETAILS, newFormJob, openForm, sendForm } from './application-form.ts'
import { enter, linkIn, pathOf, press, readFeed, readSlug, startCandidateWorld } from './candidate-setup.ts'

const world = await startCandidateWorld()
const { service, workspace, slug, key } = world
const { db } = service.services
const ME = `/careers/${slug}/me`
after(() => clock.reset())

const eventsAfter = async (work: () => Promise<unknown>) => {
  const before = await readFeed(world)
  await work()
  return (await readFeed(world)).slice(before.length)
}

const setStatus = (person: Person, status: string) =>
  db.query(sql`update applications set status = ${status} where id = ${person.applicationId}`)

const formOf = (page: Seen, action: string): string => {
  const form = [...page.html.matchAll(/<form[^>]*action="([^"]*)"[^>]*>[\s\S]*?<\/form>/g)].find(
    ([, at]) => at!.split('?')[0] === action,
  )
  assert.ok(form, `no form ${action}`)
  return form[0]
}

/** A résumé and an answer in a file, as the form stores them. */
async function addFiles(person: Person): Promise<{ resume: string; file: string }> {
  const stored = async (): Promise<string> => {
    const id = await upload(world, Buffer.from('Ada Lovelace\nAnalyst of engines\n'), 'text/plain', 'ada.txt')
    return (await db.one(sql<{ blob_key: string }>`select blob_key from uploads where id = ${id}`))!.blob_key
  }
  const resume = newHandle('resume')
  await db.query(sql`
    insert into resumes (workspace_id, id, application_id, applicant_id, filename, mime, bytes, blob_key, parse_status, parsed,
      raw_text)
    values (${workspace}, ${resume}, ${person.applicationId}, ${person.id}, 'ada.txt',
      'text/plain', 32, ${await stored()}, 'parsed', '{"headline": "Analyst"}', 'Analyst of engines')`)
  const file = (await db.one(sql<{ id: string }>`
    insert into application_files (workspace_id, application_id, field_id, filename, mime, bytes, blob_key)
    values (${workspace}, ${person.applicationId}, 'cover', 'letter.txt', 'text/plain', 32, ${await stored()}) returning id`))!
    .id
  return { resume, file }
}

/** A form with a file, as a browser without scripts sends it: its fields come before the file. */
async function sendFile(
  visitor: Visitor,
  path: string,
  file: File | undefined,
  fields: Record<string, string>,
  origin: string,
): Promise<{ status: number; location: string | null; html: string }> {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  if (file) body.append('resume_upload_id', file)
  const cookie = visitor.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const response = await fetch(service.origin + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin, cookie },
    body,
  })
  return { status: response.status, location: response.headers.get('location'), html: await response.text() }
}

test('GET …/me: 200 with every application and its public state; never the stage, the reason or another person', async () => {
  const person = await world.person({ first_name: 'Grace', last_name: 'Hopper' })
  const other = await world.person({ first_name: 'Zuse', last_name: 'Konrad' })
  const visitor = await world.signedIn(person)
  for (const [status, shown] of [
    ['new', 'Received'],
    ['in_review', 'In review'],
    ['advanced', 'In review'],
    ['rejected', 'Decided'],
    ['hired', 'Decided'],
    ['withdrawn', 'Withdrawn by you'],
  ] as const) {
    await setStatus(person, status)
    await db.query(
      sql`update applications set rejection_reason = 'zq secret reason' where id = ${person.applicationId}`,
    )
    const page = await visitor.get(ME)
    assert.equal(page.status, 200)
    assert.match(page.html, new RegExp(`<span class="tag[^"]*">${shown}</span>`), status)
    assert.doesNotMatch(page.html, /Applied|zq secret|rejected|advanced|hired/)
    assert.equal(page.html.includes('/withdraw'), ['new', 'in_review', 'advanced'].includes(status), status)
    assert.ok(!page.html.includes(other.email) && !page.html.includes('Konrad'))
  }
  await db.query(sql`update applications set withdrawn_by = 'team' where id = ${person.applicationId}`)
  const noted = (await visitor.get(ME)).html
  assert.match(noted, /The company noted that you withdrew/)
  assert.ok(!noted.includes('by you') && !noted.includes('You withdrew'))
  const page = await visitor.get(ME)
  assert.match(page.html, /<a href="\/careers\/[^"]+\/jobs\/[^"]+">Engineer<\/a>/)
  assert.equal(page.headers.get('cache-control'), 'no-store')
  assert.equal(page.headers.get('x-robots-tag'), 'noindex')
  await db.query(
    sql`update jobs set status = 'draft' where id = (select job_id from applications where id = ${person.applicationId})`,
  )
  assert.doesNotMatch((await visitor.get(ME)).html, /\/jobs\//)
})

test('GET …/me/files: 303 to a short-lived address of a file that the person sent; 404 for those of others', async () => {
  const person = await world.person()
  const other = await world.person()
  const mine = await addFiles(person)
  const theirs = await addFiles(other)
  const visitor = await world.signedIn(person)
  const page = await visitor.get(ME)
  assert.match(page.html, /ada\.txt[\s\S]*letter\.txt|letter\.txt[\s\S]*ada\.txt/)
  for (const path of [`resume/${mine.resume}`, `file/${mine.file}`]) {
    const found = await visitor.get(`${ME}/files/${path}`)
    assert.equal(found.status, 303)
    const file = await fetch(found.location!)
    assert.deepEqual([file.status, await file.text()], [200, 'Ada Lovelace\nAnalyst of engines\n'])
    clock.advance(301_000)
    assert.notEqual((await fetch(found.location!)).status, 200)
    clock.reset()
  }
  for (const path of [`resume/${theirs.resume}`, `file/${theirs.file}`, 'resume/x', 'file/x', `other/${mine.file}`]) {
    assert.equal((await visitor.get(`${ME}/files/${path}`)).status, 404, path)
  }
})

test('POST …/withdraw: a confirmation step, 303, the reason stored, application.withdrawn; 409 the second time', async () => {
  const person = await world.person()
  const visitor = await world.signedIn(person)
  const path = `${ME}/applications/${person.applicationId}/withdraw`
  const asked = await visitor.get(path)
  assert.match(asked.html, /<h1>Withdraw your application\?<\/h1>/)
  const long = await visitor.submit(asked, { reason: 'x'.repeat(2_001) })
  assert.equal(long.status, 422)
  assert.match(long.html, /x{2001}<\/textarea>/, 'what was typed is kept')
  const events = await eventsAfter(async () => {
    const done = await visitor.submit(asked, { reason: 'Another offer <b>' })
    assert.deepEqual([done.status, done.location], [303, `${ME}?done=withdrawn`])
    assert.match((await visitor.follow(done)).html, /role="status">Your application was withdrawn/)
  })
  assert.deepEqual(
    events.map(e => [e.type, e.data.object['id'], e.data.previous_attributes]),
    [['application.withdrawn', person.applicationId, { status: 'new' }]],
  )
  const row = await db.one(sql`select status, withdrawal_reason from applications where id = ${person.applicationId}`)
  assert.deepEqual(row, { status: 'withdrawn', withdrawal_reason: 'Another offer <b>' })
  assert.equal((await visitor.submit(asked, {})).status, 409)
})

test('candidate pages: 404 for an application of another person, 403 without the CSRF token of the session', async () => {
  const person = await world.person()
  const other = await world.person()
  const visitor = await world.signedIn(person)
  const theirs = `${ME}/applications/${other.applicationId}/withdraw`
  assert.equal((await visitor.get(theirs)).status, 404)
  const me = await visitor.get(ME)
  const csrf = /name="csrf" value="([^"]*)"/.exec(me.html)![1]!
  assert.equal((await visitor.post(theirs, { csrf })).status, 404)
  assert.equal((await visitor.get(`${ME}/applications/nonsense/withdraw`)).status, 404)

  const second = await world.signedIn(other)
  const foreign = /name="csrf" value="([^"]*)"/.exec((await second.get(ME)).html)![1]!
  assert.notEqual(foreign, csrf)
  const posts: Record<string, Record<string, string>> = {
    '/emails': { subscribed: 'no' },
    '/details': { first_name: 'X' },
    '/email': { email: 'x@people.dev' },
    '/erasure': { confirm: 'yes' },
    '/link': {},
    '/sign-out': {},
    [`/applications/${person.applicationId}/withdraw`]: {},
  }
  for (const [path, fields] of Object.entries(posts)) {
    assert.equal((await visitor.post(ME + path, fields)).status, 403, path)
    assert.equal((await visitor.post(ME + path, { ...fields, csrf: foreign })).status, 403, path)
    const evil = { origin: 'https://evil.example' }
    assert.equal((await visitor.post(ME + path, { ...fields, csrf }, evil)).status, 403, path)
  }
  assert.equal(
    (await db.one(sql<{ status: string }>`select status from applications where id = ${other.applicationId}`))!.status,
    'new',
  )
})

test('candidate pages: a session of one workspace opens nothing of another, also with its cookie sent there', async () => {
  const person = await world.person()
  const tenant = await newTenant(service)
  const elsewhere = await readSlug(world, tenant.workspace)
  await newPerson(world, tenant.workspace, { email: person.email })
  const visitor = await world.signedIn(person)
  const cookie = `hiring_candidate=${visitor.cookie('hiring_candidate')}`
  for (const path of ['', '/data', '/data.json', '/details', '/erasure']) {
    const page = await visitor.get(`/careers/${elsewhere}/me${path}`, { cookie })
    assert.equal(page.status, 303, path)
  }
})

test('POST …/me/details: saves and emits applicant.updated; 422 with every fault and what was typed', async () => {
  const person = await world.person({ phone: '+43 1 234' })
  const visitor = await world.signedIn(person)
  const page = await visitor.get(`${ME}/details`)
  assert.match(page.html, /id="phone"[^>]*value="\+43 1 234"/)
  const bad = await visitor.submit(page, {
    first_name: '',
    last_name: '',
    phone: 'call me',
    location: 'x'.repeat(201),
    linkedin_url: 'https://example.com/in/ada',
    portfolio_url: 'javascript:alert(1)',
  })
  assert.equal(bad.status, 422)
  for (const id of ['first_name', 'phone', 'location', 'linkedin_url', 'portfolio_url'])
    assert.ok(bad.html.includes(`href="#${id}"`) && bad.html.includes(`id="${id}-fault"`), id)
  assert.match(bad.html, /value="call me"/)
  for (const id of ['first_name', 'location']) assert.match(bad.html, new RegExp(`id="${id}"[^>]* dir="auto"`))
  // each entry names its field, so that the list is understood without the form
  for (const [id, words] of [
    ['phone', 'phone number'],
    ['location', '“Place of residence” must have at most 200 characters'],
    ['linkedin_url', 'LinkedIn profile'],
    ['portfolio_url', 'portfolio or website'],
  ] as const)
    assert.match(bad.html, new RegExp(`<li><a href="#${id}">[^<]*${words}`))

  const good = {
    first_name: 'Augusta Ada',
    last_name: 'King',
    phone: '+44 20 7946 0000',
    location: 'London',
    linkedin_url: 'linkedin.com/in/augusta-king',
    portfolio_url: 'https://engines.dev/ada',
  }
  const events = await eventsAfter(async () => {
    const saved = await visitor.submit(page, good)
    assert.deepEqual([saved.status, saved.location], [303, `${ME}?done=details`])
  })
  const [updated] = events.filter(e => e.type === 'applicant.updated')
  assert.deepEqual(
    (updated!.data.object['changed'] as string[]).toSorted(),
    ['full_name', 'linkedin_url', 'location', 'contact_info', 'portfolio_url'].toSorted(),
  )
  const { body } = await service.get(`/applicants/${person.id}`, key)
  assert.deepEqual([body.full_name, body.location], ['Augusta Ada King', 'London'])
  const none = await eventsAfter(() => visitor.submit(page, good))
  assert.deepEqual(none, [], 'the same again changes nothing')
  await visitor.submit(page, { ...good, phone: '030/123 456' })
  const written = await db.one(sql`select phone from applicants where id = ${person.id}`)
  assert.deepEqual(written, { phone: '030 123 456' }, 'as the application form stores it')
  await visitor.submit(page, { ...good, phone: '', linkedin_url: '' })
  const cleared = await db.one(sql`select phone, linkedin_url from applicants where id = ${person.id}`)
  assert.deepEqual(cleared, { phone: null, linkedin_url: null })
})

test('POST …/me/details: the LinkedIn URL of a suppressed person is shown to who typed it like any other; no one else sees it, and it finds no one', async () => {
  const taken = 'https://www.linkedin.com/in/zq-suppressed'
  const gone = await world.person({ linkedin_url: taken })
  await requestErasure(db, { email: gone.email, reason: 'stop_processing', requestedBy: 'test', reach: workspace })
  const own = 'https://www.linkedin.com/in/zq-own'
  const person = await world.person({ linkedin_url: own })
  const visitor = await world.signedIn(person)
  const page = await visitor.get(`${ME}/details`)
  const answers = []
  for (const linkedin_url of [taken, 'https://www.linkedin.com/in/zq-unknown']) {
    const listed = linkedin_url === taken
    const fields = { first_name: 'Ada', location: listed ? 'Graz' : 'Linz' }
    const seen: unknown[] = []
    // the second correction leaves the URL as it is
    for (const location of [fields.location, `${fields.location} 2`]) {
      const saved = await visitor.submit(page, { ...fields, location, linkedin_url })
      const details = await visitor.get(`${ME}/details`)
      const data = JSON.parse((await visitor.get(`${ME}/data.json`)).html)
      assert.ok(details.html.includes(`value="${linkedin_url}"`))
      assert.equal(data.person.linkedin_url, linkedin_url)
      seen.push(saved.status, saved.location, saved.html, details.status)
      const row = await db.one(sql`select location, linkedin_key from applicants where id = ${person.id}`)
      assert.deepEqual(row, { location, linkedin_key: listed ? null : 'linkedin.com/in/zq-unknown' })
      const { body } = await service.get(`/applicants/${person.id}`, key)
      assert.equal(body.linkedin_url, listed ? null : linkedin_url)
    }
    const { status } = await service.get(`/people/resolve?linkedin_url=${encodeURIComponent(linkedin_url)}`, key)
    assert.equal(status, listed ? 404 : 200)
    assert.ok(await world.mail('access', { email: person.email }), 'links are mailed as before')
    answers.push(seen)
  }
  assert.deepEqual(answers[0], answers[1])
  assert.deepEqual((answers[0] as unknown[]).slice(0, 2), [303, `${ME}?done=details`])
})

test('POST …/me/email: changes nothing before the link at the new address is opened; then links and sessions of before end', async () => {
  const person = await world.person()
  const visitor = await world.signedIn(person)
  const before = pathOf(await linkIn((await world.mail('confirmation', person))!))
  const page = await visitor.get(`${ME}/details`)
  const action = `${ME}/email`
  assert.equal((await visitor.submit(page, { email: 'nothing' }, { action })).status, 422)
  assert.equal((await visitor.submit(page, { email: person.email }, { action })).status, 422)
  const asked = await visitor.submit(page, { email: 'ada.new@people.dev' }, { action })
  assert.deepEqual([asked.status, asked.location], [303, `${ME}/details?done=email`])
  const [mail, ...more] = await world.deliver()
  assert.deepEqual([mail!.to, more], [['ada.new@people.dev'], []])
  const stored = async () =>
    (await db.one(sql<{ email: string }>`select email from applicants where id = ${person.id}`))!.email
  const link = pathOf(await linkIn(mail!))
  const opened = await world.visitor().get(link)
  assert.match(opened.html, /Test workspace will write to ada\.new@people\.dev from now on/)
  assert.equal(await stored(), person.email)
  const events = await eventsAfter(async () => {
    const changed = await press(world.visitor(), opened)
    assert.equal(changed.status, 200)
    assert.deepEqual(changed.headers.getSetCookie(), [], 'it begins no session')
  })
  assert.deepEqual(
    events.map(e => [e.type, e.data.object['changed']]),
    [['applicant.updated', ['contact_info']]],
  )
  assert.equal(await stored(), 'ada.new@people.dev')
  assert.equal((await press(world.visitor(), opened)).status, 410)
  assert.equal((await world.visitor().get(before)).status, 410)
  assert.equal((await visitor.get(ME)).status, 303)
  await world.deliver()
})

/** Confirms another address of the person. */
async function changeAddress(person: Person, email: string, language = 'en') {
  const link = pathOf(await linkIn((await world.mail('email_change', { ...person, email }, language))!))
  assert.equal((await enter(world.visitor(), link)).status, 200)
}

test('POST …/link/email: the previous address is notified what changed and when, without a link that lets anyone in', async () => {
  for (const [language, subject, day] of [
    ['en', 'Your email address at Test workspace was changed', { dateStyle: 'long', timeZone: 'UTC' }],
    ['de', 'Ihre E-Mail-Adresse bei Test workspace wurde geändert', { dateStyle: 'long', timeZone: 'UTC' }],
  ] as const) {
    const person = await world.person()
    await db.transaction(tx => unsubscribeApplicant(tx, workspace, person.id, 'link'))
    const at = new Date(await db.now())
    await changeAddress(person, `next-${language}@people.dev`, language)
    const [mail, ...more] = await world.deliver()
    assert.deepEqual([mail!.to, more], [[person.email], []], 'although they unsubscribed: it warns')
    const { subject: shown, text, html } = await parse(mail!)
    assert.equal(shown, subject)
    const date = new Intl.DateTimeFormat(language === 'de' ? 'de-DE' : 'en-GB', day).format(at)
    assert.ok(text!.includes(date), text)
    assert.ok(text!.includes(`${service.origin}/careers/${slug}`))
    assert.doesNotMatch(`${text}${html}`, /token|next-/)
    const links = await db.query(sql`select 1 from candidate_links where applicant_id = ${person.id}`)
    assert.deepEqual(links, [])
  }
})

test('POST …/link/email: the previous address is not notified of a change that did not happen, nor of a person who is suppressed since', async () => {
  const same = await world.person()
  await changeAddress(same, same.email)
  assert.deepEqual(await world.deliver(), [])
  const person = await world.person()
  await changeAddress(person, 'next-stopped@people.dev')
  await requestErasure(db, { email: 'next-stopped@people.dev', requestedBy: 'test', reach: workspace })
  await eraseAll()
  assert.deepEqual(await world.deliver(), [])
})

test('POST …/link/email: 409 if another applicant has the address by now; 429 after five requests', async () => {
  const person = await world.person()
  const visitor = await world.signedIn(person)
  const page = await visitor.get(`${ME}/details`)
  const action = `${ME}/email`
  await visitor.submit(page, { email: 'taken@people.dev' }, { action })
  const [mail] = await world.deliver()
  await world.person({ email: 'taken@people.dev' })
  const failed = await enter(world.visitor(), pathOf(await linkIn(mail!)))
  assert.equal(failed.status, 409)
  for (let i = 0; i < 4; i++)
    assert.equal((await visitor.submit(page, { email: `e${i}@people.dev` }, { action })).status, 303)
  assert.equal((await visitor.submit(page, { email: 'e9@people.dev' }, { action })).status, 429)
  await world.deliver()
})

test('POST …/me/email: 429 for the fourth email in a day to one mailbox, from all candidates together and with any tag', async () => {
  const ask = async (email: string) => {
    const visitor = await world.signedIn(await world.person())
    const asked = await visitor.submit(await visitor.get(`${ME}/details`), { email }, { action: `${ME}/email` })
    return [asked.status, (await world.deliver()).length]
  }
  for (const email of ['Target@people.dev', 'target+a@people.dev', 'target+b@people.dev'])
    assert.deepEqual(await ask(email), [303, 1])
  assert.deepEqual(await ask('target+c@people.dev'), [429, 0])
  assert.deepEqual(await ask('other-target@people.dev'), [303, 1])
})

test('POST …/me/email: 429 beyond twenty emails in a day that one network caused', async () => {
  const visitors = [await world.signedIn(await world.person()), await world.signedIn(await world.person())]
  const ask = async (visitor: (typeof visitors)[0], email: string) =>
    (await visitor.submit(await visitor.get(`${ME}/details`), { email }, { action: `${ME}/email` })).status
  await db.query(sql`delete from sign_in_attempts`)
  assert.equal(await ask(visitors[0]!, 'network-1@people.dev'), 303)
  await db.query(sql`update sign_in_attempts set used = 20`)
  assert.equal(await ask(visitors[1]!, 'network-2@people.dev'), 429)
  await db.query(sql`delete from sign_in_attempts`)
  await world.deliver()
})

test('POST …/me/emails: unsubscribes with applicant.unsubscribed, subscribes again with applicant.updated', async () => {
  const person = await world.person()
  const visitor = await world.signedIn(person)
  const action = `${ME}/emails`
  const off = await eventsAfter(async () => visitor.submit(await visitor.get(ME), {}, { action }))
  assert.deepEqual(
    off.map(e => [e.type, e.data.object['id']]),
    [['applicant.unsubscribed', person.id]],
  )
  assert.equal(await world.mail('confirmation', person), undefined)
  assert.ok(await world.mail('access', { email: person.email }))
  const page = await visitor.get(ME)
  assert.match(formOf(page, action), /Subscribe again/)
  const on = await eventsAfter(async () => visitor.submit(page, {}, { action }))
  assert.deepEqual(
    on.map(e => [e.type, e.data.object['changed']]),
    [['applicant.updated', ['provenance.consent.unsubscribed']]],
  )
  assert.ok(await world.mail('confirmation', person))
})

test('candidate pages: 429 with Retry-After in the frame of the site after 30 changes of a person in an hour, in their language', async () => {
  const person = await world.person()
  const other = await world.signedIn(await world.person())
  const visitor = await world.signedIn(person)
  const page = await visitor.get(ME)
  const csrf = /name="csrf" value="([^"]*)"/.exec(page.html)![1]!
  for (let i = 0; i < 30; i++)
    assert.equal((await visitor.post(`${ME}/emails`, { csrf, subscribed: i % 2 ? 'yes' : 'no' })).status, 303)
  const posts: Record<string, Record<string, string>> = {
    '/emails': { subscribed: 'no' },
    '/details': { first_name: 'Changed' },
    '/email': { email: 'limited@people.dev' },
    '/erasure': { confirm: 'yes' },
    [`/applications/${person.applicationId}/withdraw`]: {},
  }
  const events = await eventsAfter(async () => {
    for (const [path, fields] of Object.entries(posts)) {
      const refused = await visitor.post(ME + path, { ...fields, csrf })
      assert.equal(refused.status, 429, path)
      assert.ok(Number(refused.headers.get('retry-after')) > 0)
      assert.match(refused.html, /<h1>Too many changes<\/h1>[\s\S]*Try again in \d+ minutes/)
      assert.ok(refused.html.includes(`href="/careers/${slug}"`), 'the frame of the site')
    }
  })
  assert.deepEqual(events, [])
  for (const page of ['/data.json', '/data']) assert.equal((await visitor.get(ME + page)).status, 429, page)
  assert.match(
    (await visitor.post(`${ME}/emails?lang=de`, { csrf })).html,
    /<html lang="de">[\s\S]*Zu viele Änderungen/,
  )
  assert.equal((await visitor.get(ME)).status, 200)
  assert.equal((await other.submit(await other.get(ME), {}, { action: `${ME}/emails` })).status, 303)
  clock.advance(3_601_000)
  const later = await world.signedIn(person)
  assert.equal((await later.submit(await later.get(ME), {}, { action: `${ME}/emails` })).status, 303)
  clock.reset()
})

test('GET …/me: says that a résumé could not be read while it can be replaced, in both languages; not for a fault of ours', async () => {
  const person = await world.person()
  const { resume } = await addFiles(person)
  const visitor = await world.signedIn(person)
  const fail = (error: string) =>
    db.query(sql`update resumes set parse_status = 'failed', parse_error = ${error} where id = ${resume}`)
  const note = /We could not read the file of your résumé/
  assert.doesNotMatch((await visitor.get(ME)).html, note)
  await fail('encrypted')
  assert.match((await visitor.get(ME)).html, note)
  assert.match((await visitor.get(`${ME}?lang=de`)).html, /Wir konnten die Datei mit Ihrem Lebenslauf nicht lesen/)
  await fail('internal')
  assert.doesNotMatch((await visitor.get(ME)).html, note)
  await fail('unreadable')
  await db.query(sql`update applications set status = 'rejected' where id = ${person.applicationId}`)
  assert.doesNotMatch((await visitor.get(ME)).html, note)
})

test('POST …/me/applications/{id}/resume: replaces or adds the résumé of an open application, with an event; the earlier file is deleted', async () => {
  const person = await world.person()
  const visitor = await world.signedIn(person)
  const path = `${ME}/applications/${person.applicationId}/resume`
  const overview = await visitor.get(ME)
  assert.match(overview.html, new RegExp(`href="${path}"[^>]*>Add résumé<`))
  const page = await visitor.get(path)
  assert.match(page.html, /<h1>Add a résumé<\/h1>/)
  const csrf = /name="csrf" value="([^"]*)"/.exec(page.html)![1]!
  const post = (
    file: File | undefined,
    fields: Record<string, string> = { csrf },
    at = path,
    origin = service.origin,
  ) => sendFile(visitor, at, file, fields, origin)
  const text = (words: string, name = 'cv.txt') => new File([words], name, { type: 'text/plain' })
  const stored = () =>
    db.query(sql<{ filename: string; parse_status: string; blob_key: string }>`
      select filename, parse_status, blob_key from resumes where application_id = ${person.applicationId}`)

  const events = await eventsAfter(async () => {
    assert.deepEqual(await post(text('Ada, analyst')), { status: 303, location: `${ME}?done=resume`, html: '' })
  })
  assert.deepEqual(
    events.map(({ type, data }) => [type, data.object['changed']]),
    [['application.updated', ['resume']]],
  )
  const [first] = await stored()
  assert.deepEqual([first!.filename, first!.parse_status], ['cv.txt', 'pending'])
  const after = await visitor.get(`${ME}?done=resume`)
  assert.match(after.html, /Your résumé was sent\.[\s\S]*>Replace résumé<[\s\S]*cv\.txt/)

  assert.equal((await post(text('Ada, engineer', 'newer.txt'))).status, 303)
  assert.deepEqual(
    (await stored()).map(({ filename }) => filename),
    ['newer.txt'],
  )
  assert.equal((await db.query(sql`select 1 from file_deletions where blob_key = ${first!.blob_key}`)).length, 1)
  const { body } = await service.get(`/applications/${person.applicationId}`, key)
  assert.equal(body.has_resume, true)

  // what cannot be used is refused, and changes nothing
  for (const [file, said] of [
    [undefined, /Choose the file of your résumé/],
    [new File(['MZ and more'], 'cv.pdf', { type: 'application/pdf' }), /not of the type that its name says/],
    [new File(['x'], 'cv.exe', { type: 'application/x-msdownload' }), /Files of this type are not accepted/],
    [text(''), /The file is empty/],
  ] as const) {
    const refused = await post(file)
    assert.equal(refused.status, 422)
    assert.match(refused.html, said)
    assert.match(refused.html, /aria-describedby="resume-hint resume-fault" aria-invalid="true"/)
  }
  assert.equal((await post(text('x'), {})).status, 403)
  assert.equal((await post(text('x'), { csrf }, path, 'https://elsewhere.example')).status, 403)
  const other = await world.person()
  assert.equal((await post(text('x'), { csrf }, `${ME}/applications/${other.applicationId}/resume`)).status, 404)
  await setStatus(person, 'rejected')
  assert.doesNotMatch((await visitor.get(ME)).html, /Replace résumé/)
  for (const closed of [await visitor.get(path), await post(text('too late'))]) {
    assert.equal(closed.status, 409)
    assert.match(closed.html, /cannot be replaced any more/)
  }
  assert.deepEqual(
    (await stored()).map(({ filename }) => filename),
    ['newer.txt'],
  )
  assert.match((await visitor.get(`${path}?lang=de`)).html, /kann nicht mehr ersetzt werden/)
})

test('candidate pages: 403 for an email change and an erasure after the link of a confirmation, until a link that was asked for is opened', async () => {
  const person = await world.person()
  const visitor = world.visitor()
  for (const kind of ['confirmation', 'already_applied'] as const) {
    const link = pathOf(await linkIn((await world.mail(kind, person))!))
    assert.equal((await enter(visitor, link)).status, 303)
    assert.equal((await visitor.get(ME)).status, 200)
    const details = await visitor.get(`${ME}/details`)
    const erasure = await visitor.get(`${ME}/erasure`)
    assert.ok(!details.html.includes(`action="${ME}/email"`) && !erasure.html.includes(`action="${ME}/erasure"`))
    for (const page of [details, erasure]) assert.match(formOf(page, `${ME}/link`), /Email me a link/)
    const csrf = /name="csrf" value="([^"]*)"/.exec(details.html)![1]!
    for (const [path, fields] of [
      ['/email', { email: 'robbed@people.dev' }],
      ['/erasure', { confirm: 'yes' }],
    ] as const) {
      const refused = await visitor.post(ME + path, { ...fields, csrf })
      assert.equal(refused.status, 403, path)
      assert.match(formOf(refused, `${ME}/link`), /Email me a link/)
    }
    assert.equal((await visitor.submit(details, { first_name: 'Ada' })).status, 303, 'other details can be corrected')
  }
  assert.deepEqual(await world.deliver(), [])
  assert.deepEqual(
    await db.query(sql`select 1 from applicants where id = ${person.id} and suppressed_at is not null`),
    [],
  )

  const page = await visitor.get(`${ME}/erasure?lang=de`)
  const asked = await visitor.submit(page, {}, { action: `${ME}/link?lang=de` })
  assert.equal(asked.status, 200)
  assert.match(asked.html, /Prüfen Sie Ihr Postfach/)
  assert.ok(asked.html.includes(person.email), 'the page names the address')
  const [mail] = await world.deliver()
  assert.deepEqual(mail!.to, [person.email])
  const entered = await enter(visitor, pathOf(await linkIn(mail!)))
  assert.deepEqual([entered.status, entered.location], [303, `${ME}/erasure?lang=de`], 'back where it was asked for')
  const details = await visitor.get(`${ME}/details`)
  assert.equal(
    (await visitor.submit(details, { email: 'moved@people.dev' }, { action: `${ME}/email` })).location,
    `${ME}/details?done=email`,
  )
  assert.equal((await erase(visitor)).status, 303)
  await eraseAll()
  await world.deliver()
})

test('POST …/me/link: the mailbox gets at most three emails in ten minutes, and the page stays the same', async () => {
  const person = await world.person()
  const visitor = world.visitor()
  await enter(visitor, pathOf(await linkIn((await world.mail('confirmation', person))!)))
  const page = await visitor.get(`${ME}/erasure`)
  for (let i = 0; i < 5; i++) assert.equal((await visitor.submit(page, {}, { action: `${ME}/link` })).status, 200)
  assert.equal((await world.deliver()).length, 3)
})

/** An interview that is planned, with words of the candidate and of the team. */
async function addInterview(person: Person, invitesCandidate: boolean): Promise<void> {
  const { keyring } = service.services
  const interview = { workspace_id: workspace, id: crypto.randomUUID() }
  const details = sealDetails(keyring, interview, {
    title: 'zq internal title',
    place: invitesCandidate ? 'Engine Street 1' : 'zq internal hall',
    meeting_url: null,
    candidate_text: 'Please ring twice',
    internal_text: 'zq internal text',
  })
  await db.query(sql`
    insert into interviews (workspace_id, id, application_id, job_id, stage_id, state, kind, starts_at, ends_at, time_zone,
      organizer_id, invites_candidate, answer, answered_at, details_sealed, answer_sealed)
    select workspace_id, ${interview.id}, id, job_id, stage_id, 'scheduled', 'onsite', app_now() + interval '1 day',
      app_now() + interval '25 hours', 'Europe/Berlin', ${world.userId}, ${invitesCandidate}, 'move', app_now(), ${details},
      ${sealWords(keyring, interview, 'Later that day?')}
    from applications where workspace_id = ${workspace} and id = ${person.applicationId}`)
  await db.query(sql`
    insert into interview_people (workspace_id, interview_id, user_id, position)
    values (${workspace}, ${interview.id}, ${world.userId}, 0)`)
}

async function fullPerson(): Promise<Person> {
  const person = await world.person({
    first_name: 'Mary',
    last_name: 'Shelley',
    phone: '+44 1 23',
    linkedin_url: 'https://www.linkedin.com/in/mary-s',
  })
  await addFiles(person)
  const application = person.applicationId
  await db.query(sql`
    insert into application_scores (workspace_id, application_id, match_pct, gaps, rationale, model_version)
    values (${workspace}, ${application}, 71, '["Go"]', 'Two of three skills', 'rules-1')`)
  await db.query(sql`
    insert into status_transitions (workspace_id, application_id, from_status, to_status, at, user_id)
    values (${workspace}, ${application}, 'new', 'in_review', app_now(), ${world.userId})`)
  await db.query(sql`
    insert into notes (workspace_id, id, application_id, body, author_user_id)
    values (${workspace}, gen_random_uuid(), ${application}, 'zq internal note', ${world.userId})`)
  await db.query(sql`
    insert into scorecards (workspace_id, id, application_id, recommendation, summary, author_user_id)
    values (${workspace}, gen_random_uuid(), ${application}, 'no', 'zq internal scorecard', ${world.userId})`)
  for (const invites_candidate of [true, false]) await addInterview(person, invites_candidate)
  return person
}

test('GET …/me/data.json: everything that is stored about the person, and nothing of others or of internal texts', async () => {
  const person = await fullPerson()
  await world.mail('confirmation', person)
  const read = await service.get(`/applicants/${person.id}/contact-info`, key)
  assert.equal(read.status, 200)
  await world.send({ to: { applicant_id: person.id }, subject: 'Hello', body_text: 'zq message text' })
  const visitor = await world.signedIn(person)
  const response = await visitor.get(`${ME}/data.json`)
  assert.equal(response.status, 200)
  assert.match(response.headers.get('content-type')!, /^application\/json/)
  assert.match(response.headers.get('content-disposition')!, /^attachment; filename="[\w-]+\.json"$/)
  assert.equal(response.headers.get('cache-control'), 'no-store')
  const data = JSON.parse(response.html)
  assert.equal(data.person.full_name, 'Mary Shelley')
  assert.deepEqual(
    [data.person.origin, data.person.acquisition, data.person.consent_basis],
    ['applicant', 'inbound_application', 'candidate_submitted'],
  )
  assert.deepEqual(
    data.contact_values.map((c: { value: string }) => c.value).toSorted(),
    ['+44 1 23', person.email].toSorted(),
  )
  const [application] = data.applications
  assert.equal(application.state, 'received')
  assert.equal(application.score.match_pct, 71)
  const { notes, scorecards, interviews: internal } = application.internal
  assert.deepEqual([notes.length, scorecards.length, internal.length], [1, 1, 1])
  assert.deepEqual(
    data.interviews.map((i: Record<string, unknown>) => [
      i['interview_status'],
      i['place'],
      i['text'],
      i['candidate_words'],
    ]),
    [['scheduled', 'Engine Street 1', 'Please ring twice', 'Later that day?']],
  )
  assert.equal(application.internal.status_changes.length, 1)
  assert.deepEqual(data.files.map((f: { filename: string }) => f.filename).toSorted(), ['ada.txt', 'letter.txt'])
  assert.deepEqual(
    [data.resume_profiles[0].profile.headline, data.resume_profiles[0].text],
    ['Analyst', 'Analyst of engines'],
  )
  assert.deepEqual(data.emails.map((e: { kind: string; status: string }) => [e.kind, e.status]).toSorted(), [
    ['access', 'sent'],
    ['confirmation', 'sent'],
    ['message', 'sent'],
  ])
  assert.deepEqual([...new Set(data.recipients.map((r: { name: string }) => r.name))], [key.name])
  const message = data.emails.find((e: { kind: string }) => e.kind === 'message')
  assert.deepEqual([message.subject, message.text], ['Hello', 'zq message text'])
  assert.doesNotMatch(response.html, /zq internal|blob_key|email_key|Applied|rejection|_sealed|organizer/)
  assert.ok(!response.html.includes(world.userId))
})

test('GET …/me/data: the same for people, in their language, with a way to what the company wrote', async () => {
  const person = await fullPerson()
  const visitor = await world.signedIn(person)
  const page = await visitor.get(`${ME}/data`)
  assert.equal(page.status, 200)
  for (const shown of [
    'Mary Shelley',
    'Two of three skills',
    'letter.txt',
    'Analyst of engines',
    '1 note, 1 assessment',
    '1 interview without an invitation',
    'Engine Street 1',
    'Later that day?',
  ])
    assert.ok(page.html.includes(shown), shown)
  assert.doesNotMatch(page.html, /zq internal/)
  assert.match((await visitor.get(`${ME}/data?lang=de`)).html, /Was Test workspace über Sie gespeichert hat/)
})

test('GET …/me/data: times are in UTC, which they say, and marked for the script that writes them in the zone of the reader', async () => {
  const visitor = await world.signedIn(await world.person())
  const { html } = await visitor.get(`${ME}/data?lang=de`)
  assert.match(html, /data-times="de-DE"/)
  assert.match(html, /Stand: <time datetime="\d{4}-\d\d-\d\dT[^"]+">[^<]+ UTC<\/time>/)
  const script = /<script src="(\/assets\/times\.[^"]+)" defer>/.exec(html)![1]!
  assert.equal((await fetch(service.origin + script)).status, 200)
})

test('GET …/me/data: every answer with its question, also after the company removed the questions', async () => {
  const job = await newFormJob(world, {
    fields: [
      ...DETAILS,
      { label: 'Why this job', type: 'textarea' },
      { label: 'Do you drive?', type: 'boolean' },
      { label: 'Languages', type: 'multiselect', options: ['German', 'Danish'] },
      { label: 'Gender', type: 'eeo', options: ['Woman', 'Man'] },
      { label: 'I agree to the terms', type: 'consent', help_text: 'They are short.' },
    ],
    questions: [{ kind: 'common', prompt: 'Can you work shifts?', response_key: 'shifts', answer_type: 'boolean' }],
  })
  const id = (label: string) => job.ids[label]!
  // a domain to which emails are sent
  const email = 'zora@people.dev'
  const sent = await sendForm(service, job, {
    token: await openForm(service, job),
    ...applicantDetails(),
    'candidate.email': email,
    [`answers.${id('Why this job')}`]: 'Lightning',
    [`answers.${id('Do you drive?')}`]: 'false',
    [`answers.${id('Languages')}`]: ['German', 'Danish'],
    [`equal_opportunity.${id('Gender')}`]: 'Woman',
    [`consents.${id('I agree to the terms')}`]: '1',
    [`prescreen.${id('Can you work shifts?')}`]: 'true',
  })
  assert.equal(sent.status, 303, sent.text)
  await db.transaction(async tx => {
    await setForm(tx, workspace, job.id, DETAILS)
    await setQuestions(tx, workspace, job.id, [])
  })
  await world.deliver()
  const visitor = await world.signedIn({ email })

  const [application] = JSON.parse((await visitor.get(`${ME}/data.json`)).html).applications
  assert.deepEqual(application.answers, [
    { field_id: id('Why this job'), question: 'Why this job', type: 'textarea', answer: 'Lightning' },
    { field_id: id('Do you drive?'), question: 'Do you drive?', type: 'boolean', answer: false },
    { field_id: id('Languages'), question: 'Languages', type: 'multiselect', answer: ['German', 'Danish'] },
  ])
  assert.deepEqual(application.equal_opportunity, [
    { field_id: id('Gender'), question: 'Gender', type: 'eeo', answer: 'Woman' },
  ])
  assert.deepEqual(application.prescreen, [
    { question_id: id('Can you work shifts?'), question: 'Can you work shifts?', type: 'boolean', answer: true },
  ])
  const [{ at, ...consent }, ...others] = application.consents
  assert.ok(at)
  assert.deepEqual(others, [])
  assert.deepEqual(consent, {
    field_id: id('I agree to the terms'),
    label: 'I agree to the terms',
    help_text: 'They are short.',
    accepted: true,
    version: 1,
    language: 'en',
  })

  const { html } = await visitor.get(`${ME}/data`)
  for (const shown of [
    '<dt>Why this job</dt><dd dir="auto">Lightning</dd>',
    '<dt>Do you drive?</dt><dd dir="auto">no</dd>',
    '<dt>Languages</dt><dd dir="auto"><ul><li>German</li><li>Danish</li></ul></dd>',
    '<dt>Gender</dt><dd dir="auto">Woman</dd>',
    '<dt>Can you work shifts?</dt><dd dir="auto">yes</dd>',
    'I agree to the terms',
    'They are short.',
  ])
    assert.ok(html.includes(shown), shown)
  for (const field of Object.values(job.ids)) assert.ok(!html.includes(field), 'no handle of a question')
  clock.reset()
})

test('GET …/me/data.json: a LinkedIn URL that someone typed shows nothing of the person it belongs to', async () => {
  const victim = 'https://www.linkedin.com/in/zq-victim'
  await db.query(sql`
    insert into sourced_profiles (workspace_id, id, full_name, linkedin_url, linkedin_key, origin, acquisition)
    values (${workspace}, ${newHandle('sourced_profile')}, 'Victoria Victim', ${victim}, 'linkedin.com/in/zq-victim', 'sourced', 'xray_search')`)
  const attacker = await world.person({ linkedin_url: victim })
  const visitor = await world.signedIn(attacker)
  assert.ok(!(await visitor.get(`${ME}/data.json`)).html.includes('Victoria'))

  const erased = await erase(visitor)
  assert.equal(erased.status, 303)
  await eraseAll()
  const left = await db.one(sql<{ suppressed: boolean }>`
    select suppressed_at is not null as suppressed from sourced_profiles where full_name = 'Victoria Victim'`)
  assert.deepEqual(left, { suppressed: false }, 'nor does it erase them')
})

async function erase(visitor: Visitor): Promise<Seen> {
  const page = await visitor.get(`${ME}/erasure`)
  return visitor.submit(page, { confirm: 'yes' })
}

async function eraseAll(): Promise<void> {
  for (const { id } of await db.query(sql<{ id: string }>`select id from erasures where completed_at is null`))
    await runErasure(service.services, id)
}

test('POST …/me/erasure: 422 without the tick; then the person is suppressed, signed out and erased, with the data-subject events', async () => {
  const person = await fullPerson()
  const visitor = await world.signedIn(person)
  const page = await visitor.get(`${ME}/erasure`)
  const missing = await visitor.submit(page, {})
  assert.equal(missing.status, 422)
  assert.match(missing.html, /href="#confirm"/)
  const second = await world.signedIn(person)
  const waiting = pathOf(await linkIn((await world.mail('confirmation', person))!))
  const kept = visitor.cookie('hiring_candidate')!

  const events = await eventsAfter(async () => {
    const sent = await visitor.submit(page, { confirm: 'yes' })
    assert.equal(sent.status, 303)
    const begun = await visitor.follow(sent)
    const forged = sent.location!.replace('by=2', 'by=3')
    assert.equal((await visitor.get(forged)).location, `/careers/${slug}/applications`)
    assert.match(begun.html, /Your data is being deleted/)
    const row = (await db.one(sql<{ delete_by: string; requested_by: string; reach: string }>`
      select s.delete_by, e.requested_by, s.reach from suppressions s join erasures e on e.suppression_id = s.id
      order by e.requested_at desc limit 1`))!
    assert.deepEqual([row.requested_by, row.reach], ['candidate', workspace])
    const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(row.delete_by))
    assert.ok(begun.html.includes(day))
    assert.equal(visitor.cookies.length, 0)
    visitor.cookies.push({ name: 'hiring_candidate', value: kept, path: '/', attributes: '' })
    for (const path of ['', '/data.json', '/details']) assert.equal((await visitor.get(ME + path)).status, 303, path)
    assert.equal((await second.get(ME)).status, 303, 'every session of the person ends')
    assert.equal((await world.visitor().get(waiting)).status, 410)
    await eraseAll()
  })
  const types = events.map(e => e.type)
  // with the suppression both interviews ahead are canceled
  assert.deepEqual(types.slice(0, 3), [
    'application.updated',
    'application.updated',
    'data_subject.suppression_applied',
  ])
  assert.equal(types.at(-1), 'data_subject.erasure_completed')
  assert.ok(types.includes('applicant.deleted') && types.includes('application.deleted'))
  assert.deepEqual(events[2]!.data.object['reason'], 'erasure_request')
  assert.equal((await service.get(`/applicants/${person.id}`, key)).status, 404)
  const listed = await (await signedIn(service, workspace)).get('/erasures')
  assert.equal(listed.body.data[0].requested_by, 'candidate')
  const left = await db.query(sql`
    select 1 from candidate_mails where applicant_id = ${person.id}
    union all select 1 from candidate_links where applicant_id = ${person.id}
    union all select 1 from candidate_sessions where applicant_id = ${person.id}
    union all select 1 from application_files where application_id = ${person.applicationId}`)
  assert.deepEqual(left, [])
  assert.equal(await world.mail('access', { email: person.email }), undefined)
})

test('POST …/me/consents: withdraws a consent, once; the feed and the download say so', async () => {
  const job = await newFormJob(world, {
    fields: [...DETAILS, { label: 'Keep my data for a year', type: 'consent' }],
  })
  const field = job.ids['Keep my data for a year']!
  const email = 'consent@people.dev'
  const sent = await sendForm(service, job, {
    token: await openForm(service, job),
    ...applicantDetails(),
    'candidate.email': email,
    [`consents.${field}`]: '1',
  })
  assert.equal(sent.status, 303, sent.text)
  await world.deliver()
  const visitor = await world.signedIn({ email })
  const before = await visitor.get(ME)
  assert.match(before.html, /Keep my data for a year/)
  const [, form] = /<form[^>]*action="[^"]*\/me\/consents[^"]*">([\s\S]*?)<\/form>/.exec(before.html)!
  const fields = Object.fromEntries(
    [...form!.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(([, name, value]) => [
      name!,
      value!,
    ]),
  )
  const [application] = JSON.parse((await visitor.get(`${ME}/data.json`)).html).applications
  const withdrawn = await visitor.post(`${ME}/consents`, fields)
  assert.equal(withdrawn.status, 303, withdrawn.html)
  assert.equal((await visitor.post(`${ME}/consents`, fields)).status, 404, 'once')
  assert.match((await visitor.get(`${ME}?done=consent`)).html, /You withdrew this consent on/)
  const [after] = JSON.parse((await visitor.get(`${ME}/data.json`)).html).applications
  assert.ok(Date.parse(after.consents[0].withdrawn_at) >= Date.parse(after.consents[0].at))
  const events = (await readFeed(world)).filter(
    ({ type, data }) => type === 'application.updated' && data.object['id'] === application.id,
  )
  assert.deepEqual(
    events.map(({ data }) => data.object['changed']),
    [['consents']],
  )
  const stranger = await world.signedIn(await world.person())
  const csrf = /name="csrf" value="([^"]*)"/.exec((await stranger.get(ME)).html)![1]!
  assert.equal((await stranger.post(`${ME}/consents`, { ...fields, csrf })).status, 404, 'of another person')
})
