import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { writeCandidateMail } from '../../src/careers/candidate/mails.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { sendNextMails } from '../../src/kernel/mail/queue.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { unsubscribeApplicant } from '../../src/resources/applicants/index.ts'
import { candidateMails, queueMail } from '../../src/resources/candidates/index.ts'
import { requestErasure, runErasure } from '../../src/resources/erasures/index.ts'
import { until } from '../harness/receiver.ts'
import { killWorker, startWorker } from '../harness/worker-process.ts'
import { header, parse } from '../messages/setup.ts'
import { linkIn, startCandidateWorld } from './candidate-setup.ts'

const world = await startCandidateWorld()
const { service, workspace, mails, slug } = world
const { db } = service.services
after(() => clock.reset())

const setTemplate = (template: object) =>
  db.query(sql`
    update career_sites set confirmations = ${JSON.stringify(template)}::jsonb where workspace_id = ${workspace}`)

const rename = (name: string | null) =>
  db.query(sql`update career_sites set display_name = ${name} where workspace_id = ${workspace}`)

test('candidate mails: a confirmation has text and HTML with one link, unsubscribe footer and headers, and a Message-ID of its row', async () => {
  await rename('Brightwater <& Co>')
  const person = await world.person({ first_name: 'Ada' })
  const sent = (await world.mail('confirmation', person))!
  const mail = await parse(sent)
  assert.deepEqual(sent.to, [person.email])
  assert.equal(mail.subject, 'Your application: Engineer')
  assert.match(mail.text!, /^Hello Ada,\n\nThank you for applying for “Engineer” at Brightwater <& Co>\./)
  const link = await linkIn(sent)
  assert.ok(link.startsWith(`${service.origin}/careers/${slug}/link?token=`), link)
  assert.match(mail.html!, /Brightwater &lt;&amp; Co&gt;/)
  assert.ok(mail.html!.includes(`href="${link.replaceAll('&', '&amp;')}"`))
  assert.doesNotMatch(mail.html!, /<script|<img|src=|<link|url\(/)
  assert.match(mail.text!, /----\nYou are receiving this email because you applied to Brightwater/)
  const unsubscribe = (await header(sent, 'list-unsubscribe'))!.replace(/[<>]/g, '')
  assert.ok(mail.text!.includes(`Unsubscribe: ${unsubscribe}`) && mail.html!.includes(unsubscribe))
  assert.equal(await header(sent, 'list-unsubscribe-post'), 'List-Unsubscribe=One-Click')
  assert.equal(await header(sent, 'reply-to'), undefined)
  const row = (await db.one(sql<{ id: string }>`select id from candidate_mails where applicant_id = ${person.id}`))!
  assert.equal(mail.messageId, `<candidate-${row.id}@mail.hiring.dev>`)
  await rename(null)
})

const setSite = (contact: string | null, color: string | null, logo: string | null) =>
  db.query(sql`
    update career_sites set contact_email = ${contact}, accent_color = ${color}, logo_blob_key = ${logo},
      logo_mime = ${logo && 'image/png'} where workspace_id = ${workspace}`)

test('candidate mails: from the company by name; replies go to its contact address, which the text names', async () => {
  const person = await world.person()
  await rename('Brightwater')
  await setSite('jobs@brightwater.dev', null, null)
  for (const language of ['en', 'de']) {
    const sent = (await world.mail('email_changed', { ...person, email: 'earlier@people.dev' }, language))!
    const { from, replyTo, text, html } = await parse(sent)
    assert.deepEqual([from?.name, from?.address], ['Brightwater', 'no-reply@mail.hiring.dev'])
    assert.deepEqual(
      replyTo?.map(({ name, address }) => [name, address]),
      [['Brightwater', 'jobs@brightwater.dev']],
    )
    for (const rendering of [text!, html!])
      assert.match(rendering, language === 'en' ? /reply to this email/ : /antworten Sie .*auf diese E-Mail/)
    assert.match(text!, /jobs@brightwater\.dev/)
  }
  await setSite(null, null, null)
  for (const language of ['en', 'de']) {
    const sent = (await world.mail('email_changed', { ...person, email: 'earlier@people.dev' }, language))!
    const { replyTo, text, html } = await parse(sent)
    assert.equal(replyTo, undefined)
    assert.doesNotMatch(`${text}${html}`, /reply|antworte/i)
  }
  await rename(null)
})

test('candidate mails: the HTML has a width, a button in the accent color, and the logo or the name of the company', async () => {
  const person = await world.person()
  await rename('Brightwater')
  await setSite(null, '#0e8462', null)
  const named = (await parse((await world.mail('access', person))!)).html!
  assert.match(named, /max-width:560px/)
  assert.match(named, /<td style="background-color:#0e8462[^>]*><a href="[^"]*" style="[^"]*color:#ffffff/)
  assert.match(named, /font-weight:600[^>]*>Brightwater<\/td>/)
  await setSite(null, null, 'logos/x')
  const branded = (await parse((await world.mail('access', person))!)).html!
  assert.match(
    branded,
    new RegExp(`<img src="${service.origin}/careers/${slug}/logo\\?v=[0-9a-f]{12}" alt="Brightwater"`),
  )
  assert.match(branded, /background-color:#4b47d6/)
  await setSite(null, null, null)
  await rename(null)
})

test('candidate mails: in English the sentence after the greeting begins with a capital letter', async () => {
  for (const kind of ['confirmation', 'already_applied', 'access', 'email_change', 'email_changed'] as const) {
    const mail = await parse((await world.mail(kind, await world.person()))!)
    // the address of a change is not proved, so that email has no name
    assert.match(mail.text!, kind === 'email_change' ? /^Hello,\n\n[A-Z]/ : /^Hello Ada,\n\n[A-Z]/, kind)
  }
})

test('candidate mails: in German where the page was, with the texts of the catalogue', async () => {
  const person = await world.person({ first_name: 'Jürgen' })
  const mail = await parse((await world.mail('confirmation', person, 'de'))!)
  assert.equal(mail.subject, 'Ihre Bewerbung: Engineer')
  assert.match(mail.text!, /^Guten Tag Jürgen,/)
  assert.match(mail.html!, /<html lang="de">/)
  for (const kind of ['already_applied', 'access', 'email_change'] as const) {
    const other = await parse((await world.mail(kind, person, 'de'))!)
    assert.match(other.text!, /Sie erhalten diese E-Mail, weil/, kind)
  }
  const unknown = await parse((await world.mail('access', person, 'xx'))!)
  assert.match(unknown.text!, /^Hello/)
})

test('candidate mails: links of a German email open German pages with the logo of the company, whatever the browser prefers', async () => {
  await rename('Brightwater')
  await setSite(null, null, 'logos/x')
  const person = await world.person()
  for (const kind of ['confirmation', 'already_applied', 'access'] as const) {
    const sent = (await world.mail(kind, person, 'de'))!
    const { text, html } = await parse(sent)
    const link = await linkIn(sent)
    assert.equal(new URL(link).searchParams.get('lang'), 'de', kind)
    const [, unsubscribe] = /<(.+)>/.exec((await header(sent, 'list-unsubscribe'))!)!
    assert.match(unsubscribe!, /\/unsubscribe\/[^?]+\?lang=de$/)
    assert.ok(text!.includes(`E-Mails abbestellen: ${unsubscribe}`), kind)
    assert.match(html!, /<img src="[^"]+\/logo\?v=[0-9a-f]{12}" alt="Brightwater"/)
    for (const url of [unsubscribe!, link]) {
      const page = await service.call('GET', url, { headers: { 'accept-language': 'en' } })
      assert.match(page.text, /<html lang="de">/, url)
      assert.match(
        page.text,
        /<a class="site-name" href="[^"]+\?lang=de"><img src="[^"]+\/logo\?v=[0-9a-f]{12}" alt="Brightwater"/,
      )
    }
  }
  await setSite(null, null, null)
  await rename(null)
})

test('candidate mails: those to an address that is not proved to be the person’s have no unsubscribe link', async () => {
  const person = await world.person()
  for (const kind of ['email_change', 'email_changed'] as const) {
    const sent = (await world.mail(kind, { ...person, email: 'unproved@people.dev' }))!
    assert.deepEqual(sent.to, ['unproved@people.dev'])
    const { text, html } = await parse(sent)
    assert.doesNotMatch(`${text}${html}`, /unsubscribe/i, kind)
    assert.equal(await header(sent, 'list-unsubscribe'), undefined)
    assert.equal(await header(sent, 'list-unsubscribe-post'), undefined)
    assert.equal(await header(sent, 'auto-submitted'), 'auto-generated')
  }
})

test('candidate mails: the one to an address that is not proved to be the person’s has no name that they chose', async () => {
  const person = await world.person({ first_name: 'Freemoney', last_name: 'Claimnow' })
  const sent = (await world.mail('email_change', { ...person, email: 'unproved@people.dev' }))!
  const { to, text, html } = await parse(sent)
  assert.doesNotMatch(JSON.stringify([to, text, html]), /Freemoney|Claimnow/)
  assert.match(text!, /^Hello,\n/)
})

test('candidate mails: a template of the workspace is used for its language; variables are filled in, unknown ones left out, HTML escaped', async () => {
  await setTemplate({
    en: {
      subject: 'Thanks {{first_name}}: {{job_title}} {{stage}}',
      body: 'Hi {{ first_name }},\r\n\r\n<b>{{company}}</b> has it.\nBye {{unknown}}\n\n\n',
    },
  })
  const person = await world.person({ first_name: 'Grace' })
  const mail = await parse((await world.mail('confirmation', person))!)
  assert.equal(mail.subject, 'Thanks Grace: Engineer')
  assert.match(mail.text!, /^Hi Grace,\n\n<b>Test workspace<\/b> has it\.\nBye\s*\n\nView your application/)
  assert.match(mail.html!, /<p[^>]*>&lt;b&gt;Test workspace&lt;\/b&gt; has it\.<br>Bye\s*<\/p>/)
  const nameless = await world.person({ first_name: null, last_name: 'Hopper' })
  assert.match((await parse((await world.mail('confirmation', nameless))!)).text!, /^Hi,\n/)
  const german = await parse((await world.mail('confirmation', person, 'de'))!)
  assert.equal(german.subject, 'Ihre Bewerbung: Engineer')
  const already = await parse((await world.mail('already_applied', person))!)
  assert.equal(already.subject, 'Another application to Test workspace with your address')
  await setTemplate({})
})

test('candidate mails: not sent to an address that no one has, a reserved one, a suppressed or an unsubscribed person; their rows are gone', async () => {
  await db.query(sql`delete from candidate_mails`)
  assert.equal(await world.mail('access', { email: 'no-one@people.dev' }), undefined)
  assert.equal(await world.mail('access', { email: 'not an address' }), undefined)
  assert.equal(await world.mail('confirmation', await world.person({ email: 'ada@jobs.example.org' })), undefined)

  const gone = await world.person()
  await db.transaction(tx => unsubscribeApplicant(tx, workspace, gone.id, 'link'))
  assert.equal(await world.mail('confirmation', gone), undefined)
  assert.equal(await world.mail('already_applied', gone), undefined)
  assert.deepEqual(await world.queued(), [])
  assert.ok(await world.mail('access', { email: gone.email }), 'a link that the person asked for is sent')

  const stopped = await world.person()
  await requestErasure(db, { email: stopped.email, reason: 'stop_processing', requestedBy: 'test', reach: workspace })
  assert.equal(await world.mail('confirmation', stopped), undefined)
  assert.equal(await world.mail('access', { email: stopped.email }), undefined)
  assert.equal(await world.mail('email_change', { ...gone, email: stopped.email }), undefined)
  assert.deepEqual(
    (await world.queued()).map(({ kind, sent }) => [kind, sent]),
    [['access', true]],
  )
})

test('candidate mails: an address of another spelling gets the link at the address of the record, and never the typed one', async () => {
  const person = await world.person({ email: 'Mixed.Case@people.dev' })
  const sent = (await world.mail('access', { email: ' mixed.case@PEOPLE.dev ' }))!
  assert.deepEqual(sent.to, [person.email])
})

test('candidate mails: nothing is sent while the site is switched off', async () => {
  const person = await world.person()
  const set = (on: boolean) => db.query(sql`update career_sites set enabled = ${on} where workspace_id = ${workspace}`)
  await set(false)
  assert.equal(await world.mail('access', person), undefined)
  await set(true)
})

test('candidate mails: a refused email is tried again after growing waits, and given up after a day', async () => {
  await db.query(sql`delete from candidate_mails`)
  const person = await world.person()
  mails.behaviour = 'refuse recipient'
  await world.mail('confirmation', person)
  const waits: (number | null)[] = []
  for (;;) {
    const [row] = await world.queued()
    waits.push(row!.waits)
    if (row!.waits === null) break
    assert.ok(waits.length < 20)
    clock.advance((row!.waits + 1) * 1000)
    await world.deliver()
  }
  const grown = waits.slice(0, -1) as number[]
  assert.ok(grown.every((wait, i) => i === 0 || wait >= grown[i - 1]!) && grown.at(-1)! > grown[0]!, String(waits))
  assert.ok(grown.reduce((a, b) => a + b) <= 86_400)
  assert.equal((await world.queued())[0]!.sent, false)
  const links = await db.query(sql`select 1 from candidate_links where applicant_id = ${person.id}`)
  assert.equal(links.length, 0, 'links of emails that were not sent are not valid')
  clock.reset()
  mails.behaviour = 'accept'
  clock.advance(86_400_000)
  assert.deepEqual(await world.deliver(), [])
  clock.reset()
})

test('candidate mails: the attempt after a refusal is sent, once', async () => {
  const person = await world.person()
  mails.behaviour = 'cut before data'
  await world.mail('confirmation', person)
  mails.behaviour = 'accept'
  assert.deepEqual(await world.deliver(), [], 'not before its time')
  clock.advance(61_000)
  assert.equal((await world.deliver()).length, 1)
  clock.advance(86_400_000)
  assert.deepEqual(await world.deliver(), [])
  clock.reset()
})

test('candidate mails: an email in doubt is never repeated', async () => {
  const person = await world.person()
  mails.behaviour = 'cut after data'
  const before = mails.begun
  await world.mail('confirmation', person)
  mails.behaviour = 'accept'
  clock.advance(3 * 86_400_000)
  await world.deliver()
  assert.equal(mails.begun, before + 1)
  clock.reset()
})

test('candidate mails: several processes send each email once', async () => {
  const people = await Promise.all(Array.from({ length: 12 }, () => world.person()))
  await db.transaction(async tx => {
    for (const { id: applicantId, email: address } of people)
      await queueMail(tx, { workspace, kind: 'access', address, applicantId, language: 'en' })
  })
  const before = mails.arrived.length
  await Promise.all([1, 2, 3].map(() => sendNextMails(service.services, candidateMails(writeCandidateMail))))
  await world.deliver()
  const to = mails.arrived.slice(before).flatMap(mail => mail.to)
  assert.deepEqual(to.toSorted(), people.map(({ email }) => email).toSorted())
})

test('candidate mails: a worker that is killed before the text is sent loses nothing; killed after it, the copy has the same Message-ID', async () => {
  const settings = {
    DATABASE_URL: service.database.url,
    DATA_DIR: service.services.config.DATA_DIR,
    SMTP_URL: mails.url,
    PUBLIC_URL: service.origin,
    MAIL_FROM: 'Hiring <no-reply@mail.hiring.dev>',
  }
  for (const point of ['recipient', 'text'] as const) {
    const person = await world.person()
    const { id: applicantId, email: address } = person
    const stop = mails.stopAt(point)
    const before = mails.arrived.length
    const worker = await startWorker(settings)
    await db.transaction(tx => queueMail(tx, { workspace, kind: 'confirmation', address, applicantId, language: 'en' }))
    await stop.reached
    await killWorker(worker)
    stop.goOn()
    assert.deepEqual(await world.deliver(), [], 'another process waits for the end of the lease')
    clock.advance(301_000)
    assert.equal((await world.deliver()).length, 1)
    await until('the sessions have ended', async () => mails.arrived.length === before + (point === 'text' ? 2 : 1))
    const ids = await Promise.all(mails.arrived.slice(before).map(async mail => (await parse(mail)).messageId))
    assert.equal(new Set(ids).size, 1)
    clock.reset()
  }
})

test('candidate mails: an erasure waits for an email that is being sent', async () => {
  const person = await world.person()
  const { id: applicantId, email: address } = person
  await db.transaction(tx => queueMail(tx, { workspace, kind: 'confirmation', address, applicantId, language: 'en' }))
  const stop = mails.stopAt('text')
  const sending = sendNextMails(service.services, candidateMails(writeCandidateMail))
  await stop.reached
  const { id } = await requestErasure(db, { email: person.email, requestedBy: 'test', reach: workspace })
  const erasing = runErasure(service.services, id)
  const progress = async () =>
    (await db.one(sql<{ left: number }>`
      select count(*)::integer as left from erasure_targets where erasure_id = ${id} and done_at is null`))!.left
  await until('the email alone is left', async () => (await progress()) === 1)
  stop.goOn()
  await Promise.all([sending, erasing])
  assert.equal(await progress(), 0)
  assert.deepEqual(await db.query(sql`select 1 from candidate_mails where applicant_id = ${person.id}`), [])
})

test('candidate mails: an erasure deletes rows, links and sessions of the person, and requests for their address', async () => {
  const person = await world.person()
  await world.mail('confirmation', person)
  await db.transaction(tx =>
    queueMail(tx, { workspace, kind: 'access', address: person.email.toUpperCase(), language: 'en' }),
  )
  const { id } = await requestErasure(db, { email: person.email, requestedBy: 'test', reach: workspace })
  await runErasure(service.services, id)
  const left = await db.query(sql`
    select 1 from candidate_mails where workspace_id = ${workspace} and (applicant_id = ${person.id} or address = ${person.email})
    union all select 1 from candidate_links where applicant_id = ${person.id}`)
  assert.deepEqual(left, [])
  assert.deepEqual(await world.deliver(), [])
})

test('candidate mails: a person gets at most 6 about applications in ten minutes, and links by a limit of their own', async () => {
  const person = await world.person()
  const sent: boolean[] = []
  for (let i = 0; i < 8; i++) {
    sent.push((await world.mail(i % 2 === 0 ? 'confirmation' : 'already_applied', person)) !== undefined)
    clock.advance(1_000)
  }
  assert.deepEqual(sent, [true, true, true, true, true, true, false, false])
  assert.ok(await world.mail('access', { email: person.email }))
  clock.advance(700_000)
  assert.ok(await world.mail('already_applied', person))
  clock.reset()
})

test('candidate mails: a new link replaces those of the same purpose that were not used', async () => {
  const person = await world.person()
  const first = await linkIn((await world.mail('access', person))!)
  const second = await linkIn((await world.mail('access', person))!)
  const statuses = [(await fetch(first)).status, (await fetch(second)).status]
  assert.deepEqual(statuses, [410, 200])
})

test('candidate mails: of two that are prepared at the same time only one link works', async () => {
  const person = await world.person()
  // new links wait until both emails have come this far
  await db.query(sql`
    create function hold_links() returns trigger language plpgsql as
      'begin perform pg_advisory_xact_lock_shared(4711); return new; end'`)
  await db.query(
    sql`create trigger hold_links before insert on candidate_links for each row execute function hold_links()`,
  )
  await db.transaction(async tx => {
    for (let i = 0; i < 2; i++)
      await queueMail(tx, { workspace, kind: 'access', address: person.email, language: 'en' })
  })
  const before = mails.arrived.length
  let sending: Promise<boolean> | undefined
  await db.transaction(async tx => {
    await tx.query(sql`select pg_advisory_xact_lock(4711)`)
    sending = sendNextMails(service.services, candidateMails(writeCandidateMail))
    const waiting = async () =>
      (await tx.one(sql<{ n: number }>`
        select count(*)::integer as n from pg_locks where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`))!.n
    await until('both wait', async () => (await waiting()) === 2)
  })
  await sending
  await db.query(sql`drop function hold_links cascade`)
  const links = await Promise.all(mails.arrived.slice(before).map(linkIn))
  const statuses = await Promise.all(links.map(async link => (await fetch(link)).status))
  assert.deepEqual(statuses.toSorted(), [200, 410])
})

test('candidate mails: a first name that is no name is not in the greeting', async () => {
  for (const name of ['Win 500', 'see evil.example', 'https://x', 'A'.repeat(41)]) {
    const person = await world.person({ first_name: name })
    assert.match((await parse((await world.mail('confirmation', person))!)).text!, /^Hello,\n/)
    assert.match((await parse((await world.mail('confirmation', person, 'de'))!)).text!, /^Guten Tag,\n/)
  }
})
