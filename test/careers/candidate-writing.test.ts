import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { requestErasure, runErasure } from '../../src/resources/erasures/index.ts'
import { signedIn } from '../console/setup.ts'
import type { Person } from '../messages/setup.ts'
import { readFeed, startCandidateWorld } from './candidate-setup.ts'

const world = await startCandidateWorld()
const { service, workspace, slug } = world
const { db, blobs, outbox } = service.services
const ME = `/careers/${slug}/me`
const recruiter = await signedIn(service, workspace, { role: 'member', program: 'hiring' })

const pathFor = ({ applicationId }: Person) => `${ME}/applications/${applicationId}/write`
const messagesOf = async ({ applicationId }: Person) =>
  (await recruiter.get(`/applications/${applicationId}/messages`)).body.data as Record<string, unknown>[]
const stored = ({ id }: Person) =>
  db.query(sql<{ key_id: string; text: string }>`
    select key_id, m::text as text from messages m where workspace_id = ${workspace} and applicant_id = ${id}`)

test('POST …/write: the text is in the messages of the team, sealed in the database, and emits no event', async () => {
  const person = await world.person()
  const visitor = await world.signedIn(person)
  const me = await visitor.get(ME)
  assert.match(me.html, new RegExp(`href="${pathFor(person)}"[^>]*>Write to `))
  const page = await visitor.get(pathFor(person))
  assert.match(page.html, /<h1>Write to /)
  const before = await readFeed(world)
  const sent = await visitor.submit(page, { text: 'I can start in May.\r\n<b>Gladly</b>' })
  assert.deepEqual([sent.status, sent.location], [303, `${ME}?done=written`])
  assert.match((await visitor.follow(sent)).html, /role="status">Your message was sent/)
  assert.equal((await readFeed(world)).length, before.length)

  const [line] = await messagesOf(person)
  assert.deepEqual(
    [line?.['direction'], line?.['status'], line?.['body'], line?.['sender'], line?.['application_id']],
    ['in', 'received', 'I can start in May.\n<b>Gladly</b>', null, person.applicationId],
  )
  const [row] = await stored(person)
  assert.equal(row?.key_id, person.id)
  assert.ok(!row?.text.includes('start in May'))
  const activity = (await recruiter.get(`/applications/${person.applicationId}/activity?show=messages`)).body.data
  assert.deepEqual([activity[0].direction, activity[0].by.kind], ['in', 'candidate'])
  const download = (await visitor.get(`${ME}/data.json`)).html
  assert.ok(download.includes('I can start in May.'), 'the person finds it in their data')
})

test('POST …/write: the same form again, as after a double click, is stored once; another form with the same text is not the same', async () => {
  const person = await world.person()
  const visitor = await world.signedIn(person)
  const page = await visitor.get(pathFor(person))
  const both = await Promise.all([visitor.submit(page, { text: 'Yes.' }), visitor.submit(page, { text: 'Yes.' })])
  assert.deepEqual(
    both.map(({ status }) => status),
    [303, 303],
  )
  assert.equal((await messagesOf(person)).length, 1)
  await visitor.submit(await visitor.get(pathFor(person)), { text: 'Yes.' })
  assert.equal((await messagesOf(person)).length, 2)
})

test('POST …/write: 422 for no text, more than 5,000 characters and control characters; what was typed is kept', async () => {
  const person = await world.person()
  const visitor = await world.signedIn(person)
  const page = await visitor.get(pathFor(person))
  for (const [text, reason] of [
    [' \n ', /Write a message\./],
    ['x'.repeat(5_001), /Shorten the message to 5,000 characters/],
    ['a\u0007b', /signs that cannot be stored/],
  ] as const) {
    const refused = await visitor.submit(page, { text })
    assert.equal(refused.status, 422)
    assert.match(refused.html, reason)
  }
  assert.match((await visitor.submit(page, { text: 'y'.repeat(5_001) })).html, /y{5001}<\/textarea>/)
  assert.equal((await visitor.submit(page, { text: '\u{1f600}'.repeat(5_000) })).status, 303, 'characters are counted')
  assert.equal((await messagesOf(person)).length, 1)
})

test('POST …/write: 404 for the application of someone else, 403 without the token of the session, 429 after 30 changes', async () => {
  const person = await world.person()
  const other = await world.person()
  const visitor = await world.signedIn(person)
  assert.equal((await visitor.get(pathFor(other))).status, 404)
  const page = await visitor.get(pathFor(person))
  const csrf = /name="csrf" value="([^"]*)"/.exec(page.html)?.[1] ?? ''
  assert.equal((await visitor.post(pathFor(other), { csrf, text: 'Hello' })).status, 404)
  assert.equal((await visitor.post(pathFor(person), { text: 'Hello' })).status, 403)
  assert.deepEqual(await messagesOf(person), [])
  assert.deepEqual(await messagesOf(other), [])
  const statuses: number[] = []
  for (let i = 0; i < 31; i++) statuses.push((await visitor.submit(page, { text: `No. ${i}` })).status)
  assert.deepEqual([statuses[0], statuses.at(-1)], [303, 429])
})

test('a text of a candidate is gone with the erasure of the person', async () => {
  const person = await world.person()
  const visitor = await world.signedIn(person)
  await visitor.submit(await visitor.get(pathFor(person)), { text: 'Please forget this.' })
  const { id } = await requestErasure(db, {
    email: person.email,
    reason: 'erasure_request',
    requestedBy: recruiter.userId,
  })
  await runErasure({ db, blobs, outbox }, id)
  const left = await db.query(sql<{ n: number }>`
    select count(*)::integer as n from messages
    where workspace_id = ${workspace} and applicant_id = ${person.id} and (body_sealed is not null or subject_sealed is not null)`)
  assert.deepEqual(left, [{ n: 0 }])
})

test('POST …/write: in German, where the site is read in German', async () => {
  const person = await world.person()
  const visitor = await world.signedIn(person, 'de')
  const page = await visitor.get(`${pathFor(person)}?lang=de`)
  assert.match(page.html, /<h1>An .* schreiben<\/h1>/)
})
