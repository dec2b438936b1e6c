import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { candidateCookie } from '../../src/careers/candidate/session.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { siteBySlug } from '../../src/resources/careers/index.ts'
import { requestErasure } from '../../src/resources/erasures/index.ts'
import { createWorkspace } from '../../src/resources/workspaces/index.ts'
import { pruneOnce } from '../../src/workers/prune-rows.ts'
import { parse } from '../messages/setup.ts'
import { enter, linkIn, pathOf, press, readSlug, startCandidateWorld } from './candidate-setup.ts'

const world = await startCandidateWorld()
const { service, workspace, slug, mails } = world
const { db } = service.services
const ask = `/careers/${slug}/applications`
after(() => clock.reset())

const bodyOf = (html: string) => html.replace(/\s+/g, ' ')

test('GET /careers/{slug}/applications: 200 with a form, never stored or indexed, no cookie', async () => {
  const page = await world.visitor().get(ask)
  assert.equal(page.status, 200)
  assert.match(page.html, /<form class="form" method="post" action="\/careers\/[^"]+\/applications"/)
  assert.equal(page.headers.get('cache-control'), 'no-store')
  assert.equal(page.headers.get('x-robots-tag'), 'noindex')
  assert.deepEqual(page.headers.getSetCookie(), [])
  assert.equal((await world.visitor().get('/careers/no-such-site/applications')).status, 404)
})

test('POST …/applications: 200 with the same page, the same work and a queued row whether or not the person applied', async () => {
  const person = await world.person()
  const pages = []
  for (const email of [person.email, 'stranger@people.dev']) {
    const before = (await world.queued()).length
    const page = await world.visitor().post(ask, { email })
    assert.equal((await world.queued()).length, before + 1)
    const headers = [...page.headers].filter(([name]) => name !== 'date')
    pages.push([page.status, headers, bodyOf(page.html)])
  }
  assert.deepEqual(pages[0], pages[1])
  assert.equal(pages[0]![0], 200)
  assert.deepEqual(
    (await world.deliver()).map(mail => mail.to),
    [[person.email]],
  )
})

test('POST …/applications: 422 for what is no address, with the fault at its field; 403 from another site', async () => {
  const page = await world.visitor().post(ask, { email: 'not <an> address' })
  assert.equal(page.status, 422)
  assert.match(page.html, /role="alert"[^>]*>.*href="#email"/s)
  assert.match(page.html, /aria-describedby="email-hint email-fault" aria-invalid="true"/)
  assert.match(page.html, /value="not &lt;an&gt; address"/)
  const foreign = await world.visitor().post(ask, { email: 'a@people.dev' }, { origin: 'https://evil.example' })
  assert.equal(foreign.status, 403)
})

test('POST …/applications: 429 with Retry-After after 5 requests for an address from one network; other sites and addresses are not affected', async () => {
  const email = 'often@people.dev'
  for (let i = 0; i < 5; i++) assert.equal((await world.visitor().post(ask, { email })).status, 200)
  const refused = await world.visitor().post(ask, { email: ' OFTEN@people.dev' })
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  assert.match(refused.html, /Too many requests\. Try again in \d+ minutes\./)
  const queued = await db.query(sql`select 1 from candidate_mails where address = ${email}`)
  assert.equal(queued.length, 3, 'at most three emails in ten minutes, whatever the page says')
  const other = await createWorkspace(db, { name: 'Elsewhere', plan: 'none' })
  const elsewhere = `/careers/${await readSlug(world, other.id)}/applications`
  assert.equal((await world.visitor().post(elsewhere, { email })).status, 200)
  clock.advance(3_601_000)
  assert.equal((await world.visitor().post(ask, { email })).status, 200)
  clock.reset()
})

test('POST …/applications: 429 after 30 requests from one network', async () => {
  await db.query(sql`delete from sign_in_attempts`)
  let refused = 0
  for (let i = 0; i < 31; i++) {
    if ((await world.visitor().post(ask, { email: `n${i}@people.dev` })).status === 429) refused++
  }
  assert.equal(refused, 1)
  await db.query(sql`delete from sign_in_attempts`)
  await db.query(sql`delete from candidate_mails`)
})

test('mailed link: GET shows a button and uses nothing; POST begins a session in a cookie of this site, once', async () => {
  const person = await world.person()
  const link = pathOf(await linkIn((await world.mail('access', { email: person.email }))!))
  const scanner = world.visitor()
  for (let i = 0; i < 3; i++) assert.equal((await scanner.get(link)).status, 200)
  const visitor = world.visitor()
  const page = await visitor.get(link)
  assert.equal(page.headers.get('referrer-policy'), 'no-referrer')
  assert.equal(page.headers.get('cache-control'), 'no-store')
  assert.equal(page.headers.get('x-robots-tag'), 'noindex')
  assert.deepEqual(page.headers.getSetCookie(), [])
  const entered = await press(visitor, page)
  assert.deepEqual([entered.status, entered.location], [303, `/careers/${slug}/me?lang=en`])
  assert.match(
    visitor.set[0]!,
    new RegExp(`^hiring_candidate=[\\w-]{43}; Path=/careers/${slug}; HttpOnly; SameSite=Lax; Max-Age=3600$`),
  )
  assert.equal((await visitor.get(`/careers/${slug}/me`)).status, 200)

  const again = world.visitor()
  assert.equal((await again.get(link)).status, 410)
  const second = await press(again, page)
  assert.equal(second.status, 410)
  assert.match(second.html, new RegExp(`href="/careers/${slug}/applications`))
  assert.deepEqual(again.set, [])
})

test('mailed link: two presses at the same time begin one session', async () => {
  const person = await world.person()
  const visitor = world.visitor()
  const page = await visitor.get(pathOf(await linkIn((await world.mail('access', { email: person.email }))!)))
  const both = await Promise.all([press(world.visitor(), page), press(world.visitor(), page)])
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [303, 410])
})

test('mailed link: 410 after 30 minutes on request, 14 days in a confirmation; expired rows are pruned', async () => {
  const person = await world.person()
  const other = await world.person()
  const asked = pathOf(await linkIn((await world.mail('access', { email: other.email }))!))
  const confirmed = pathOf(await linkIn((await world.mail('confirmation', person))!))
  clock.advance(29 * 60_000)
  assert.equal((await world.visitor().get(asked)).status, 200)
  clock.advance(2 * 60_000)
  assert.equal((await world.visitor().get(asked)).status, 410)
  clock.advance(13 * 86_400_000)
  assert.equal((await world.visitor().get(confirmed)).status, 200)
  clock.advance(86_400_000)
  assert.equal((await world.visitor().get(confirmed)).status, 410)
  await pruneOnce(db)
  assert.deepEqual(await db.query(sql`select 1 from candidate_links where applicant_id = ${person.id}`), [])
  clock.reset()
})

test('mailed link: 403 for a form of another site, 410 for a link of another site or purpose', async () => {
  const person = await world.person()
  const link = pathOf(await linkIn((await world.mail('access', { email: person.email }))!))
  const visitor = world.visitor()
  const page = await visitor.get(link)
  const token = new URL(page.url).searchParams.get('token')!
  const refused: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null', 'sec-fetch-site': 'cross-site' },
    { origin: 'null' },
  ]
  for (const headers of refused) {
    assert.equal((await visitor.post(`/careers/${slug}/link`, { token }, headers)).status, 403)
  }
  assert.equal((await visitor.post(`/careers/${slug}/link/email`, { token })).status, 410)
  const other = await createWorkspace(db, { name: 'Another', plan: 'none' })
  const elsewhere = await readSlug(world, other.id)
  assert.equal((await visitor.post(`/careers/${elsewhere}/link`, { token })).status, 410)
  assert.equal((await visitor.get(link.replace(slug, elsewhere))).status, 410)
  assert.equal((await press(visitor, page)).status, 303, 'and is still usable where it belongs')

  const change = pathOf(await linkIn((await world.mail('email_change', { ...person, email: 'new-one@people.dev' }))!))
  const changeToken = new URL(change, service.origin).searchParams.get('token')!
  assert.equal((await visitor.post(`/careers/${slug}/link`, { token: changeToken })).status, 410)
})

test('session: over https the cookie is Secure and has the prefix for cookies of a path', async () => {
  const site = (await db.one(siteBySlug(slug)))!
  const cookie = candidateCookie({ publicUrl: 'https://hiring.dev' }, site, 'token')
  assert.equal(
    cookie,
    `__Secure-hiring_candidate=token; Path=/careers/${slug}; HttpOnly; SameSite=Lax; Max-Age=3600; Secure`,
  )
})

test('session: ends after an hour, with a sign-out, and leads to the form that asks for a link', async () => {
  const person = await world.person()
  const visitor = await world.signedIn(person)
  assert.equal((await visitor.get(ask)).location, `/careers/${slug}/me`)
  clock.advance(3_601_000)
  const ended = await visitor.get(`/careers/${slug}/me`)
  assert.deepEqual([ended.status, ended.location], [303, `/careers/${slug}/applications?ended=yes`])
  assert.match((await visitor.follow(ended)).html, /You were signed out/)
  assert.equal(visitor.cookies.length, 0)
  clock.reset()

  const again = await world.signedIn(person)
  const page = await again.get(`/careers/${slug}/me`)
  const kept = again.cookie('hiring_candidate')!
  const out = await again.submit(page, {}, { action: `/careers/${slug}/me/sign-out` })
  assert.deepEqual([out.status, out.location], [303, `/careers/${slug}/applications?signed_out=yes`])
  assert.equal(again.cookies.length, 0)
  again.cookies.push({ name: 'hiring_candidate', value: kept, path: '/', attributes: '' })
  assert.equal((await again.get(`/careers/${slug}/me`)).status, 303)
})

test('session: only hashes of tokens are stored, and no token, address or name is in the log', async () => {
  const person = await world.person()
  const mail = (await world.mail('access', { email: person.email }))!
  const link = await linkIn(mail)
  const visitor = world.visitor()
  await enter(visitor, pathOf(link))
  await visitor.get(`/careers/${slug}/me`)
  await enter(world.visitor(), pathOf(link))
  await world.visitor().get(`/careers/${slug}/link?token=wrong-token-value`)
  const tokens = [new URL(link).searchParams.get('token')!, visitor.cookie('hiring_candidate')!, 'wrong-token-value']
  const stored = JSON.stringify([
    await db.query(sql`select * from candidate_links`),
    await db.query(sql`select * from candidate_sessions`),
    await db.query(sql`select * from request_log`),
  ])
  for (const token of tokens) {
    assert.ok(!stored.includes(token))
    assert.ok(!service.logLines.some(line => line.includes(token)))
  }
  // a line names the pattern of the path
  assert.ok(!service.logLines.some(line => line.includes(`${slug}/link`)))
})

test('session: a suppressed person gets no link, and a session that they have ends', async () => {
  const person = await world.person()
  const waiting = pathOf(await linkIn((await world.mail('confirmation', person))!))
  const visitor = await world.signedIn(person)
  await requestErasure(db, { email: person.email, reason: 'stop_processing', requestedBy: 'test', reach: workspace })
  assert.equal((await visitor.get(`/careers/${slug}/me`)).status, 303)
  assert.equal((await visitor.get(`/careers/${slug}/me/data.json`)).status, 303)
  assert.equal((await world.visitor().get(waiting)).status, 410)
  assert.equal((await world.visitor().post(ask, { email: person.email })).status, 200)
  const before = mails.arrived.length
  await world.deliver()
  assert.equal(mails.arrived.length, before)
})

test('language: German by the browser or the link, kept by links and forms and used for the email', async () => {
  const person = await world.person()
  const visitor = world.visitor()
  const page = await visitor.get(ask, { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' })
  assert.match(page.html, /<html lang="de">[\s\S]*Link senden/)
  assert.match(page.headers.get('vary') ?? '', /accept-language/i)
  const chosen = await visitor.get(`${ask}?lang=de`)
  const sent = await visitor.submit(chosen, { email: person.email })
  assert.match(sent.html, /Prüfen Sie Ihr Postfach/)
  const [mail] = await world.deliver()
  assert.equal((await parse(mail!)).subject, 'Ihre Bewerbungen bei Test workspace')
  const entered = await enter(visitor, pathOf(await linkIn(mail!)))
  assert.equal(entered.location, `/careers/${slug}/me?lang=de`)
  const me = await visitor.follow(entered)
  assert.match(me.html, /<h1>Ihre Bewerbungen<\/h1>[\s\S]*Eingegangen/)
  assert.match(me.html, new RegExp(`action="/careers/${slug}/me/emails\\?lang=de"`))
})

test('POST …/applications: a network gets a mailbox ten links in a day, then one whenever the last has expired, with any tag; a link that was used begins again', async () => {
  await db.query(sql`delete from candidate_mails`)
  await db.query(sql`delete from sign_in_attempts`)
  const people = [
    await world.person({ email: 'flooded@people.dev' }),
    await world.person({ email: 'flooded+news@people.dev' }),
  ]
  const askAll = async () => {
    for (const { email } of people) assert.equal((await world.visitor().post(ask, { email })).status, 200)
    return (await world.deliver()).length
  }
  const sent: number[] = []
  for (let i = 0; i < 6; i++) {
    sent.push(await askAll())
    clock.advance(1_300_000)
  }
  assert.deepEqual(sent, [2, 2, 2, 2, 2, 1])
  for (let i = 0; i < 3; i++) {
    clock.advance(1_800_000)
    assert.equal(await askAll(), 1)
  }
  clock.advance(3_600_000)
  await world.visitor().post(ask, { email: people[0]!.email })
  const [mail] = await world.deliver()
  assert.equal((await enter(world.visitor(), pathOf(await linkIn(mail!)))).status, 303)
  assert.equal(await askAll(), 2)
  clock.reset()
})
