import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { enter, linkIn, pathOf } from '../careers/candidate-setup.ts'
import { type Person as Member, signedIn } from '../console/setup.ts'
import type { Visitor } from '../sign-in/visitor.ts'
import { type Applied, type InterviewWorld, inDays, plan, readPanel, readSent, startInterviews } from './setup.ts'

let world: InterviewWorld
before(async () => {
  world = await startInterviews()
})
after(() => clock.reset())

const base = (id: string) => `/careers/${world.slug}/me/interviews/${id}`

/** Times are offered to a person; returns a browser that has opened the mailed link. */
async function offer(
  person: Applied,
  slots: object[],
  people: string[],
  by: Member = world.devika,
): Promise<{ id: string; visitor: Visitor }> {
  await world.deliverAll()
  const offered = await by.post(`/applications/${person.applicationId}/interviews`, {
    kind: 'video',
    time_zone: 'Europe/Berlin',
    interviewer_user_ids: people,
    slots,
  })
  assert.equal(offered.status, 200, JSON.stringify(offered.body))
  clock.advance(11_000)
  const [mail] = await world.deliver()
  const visitor = world.visitor()
  const entered = await enter(visitor, pathOf(await linkIn(mail!)))
  assert.equal(entered.status, 303)
  assert.match(entered.location ?? '', new RegExp(`/me/interviews/${offered.body.id}`))
  return { id: offered.body.id, visitor }
}

const withoutId = (text: string) => text.replaceAll(/req_\w+/g, '')

const choose = async (visitor: Visitor, id: string, startsAt: string, zone = 'Europe/Berlin') => {
  const page = await visitor.get(`${base(id)}?lang=en`)
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.html)![1]!
  return visitor.post(`${base(id)}/choose?lang=en`, { csrf, starts_at: startsAt, zone })
}

test('candidate page of an interview: shows the offered times in the zone of the organizer or in the chosen one', async () => {
  const olga = await world.candidate()
  const slot = { starts_at: '2027-03-15T15:00:00+01:00', ends_at: '2027-03-15T15:45:00+01:00' }
  const offered = await world.devika.post(`/applications/${olga.applicationId}/interviews`, {
    kind: 'phone',
    time_zone: 'Europe/Berlin',
    interviewer_user_ids: [world.peng.userId],
    slots: [slot],
  })
  assert.equal(offered.status, 200)
  const visitor = await world.signedIn({ email: olga.email! })
  const berlin = await visitor.get(`${base(offered.body.id)}?lang=en`)
  assert.match(berlin.html, /Monday, 15 March 2027/)
  assert.match(berlin.html, /15:00–15:45/)
  const newYork = await visitor.get(`${base(offered.body.id)}?lang=en&zone=America%2FNew_York`)
  assert.match(newYork.html, /10:00–10:45/)
  assert.match(newYork.html, /New York \(UTC-4\)/)
  const german = await visitor.get(`${base(offered.body.id)}?lang=de`)
  assert.match(german.html, /Diese Zeit nehmen/)
  assert.match(german.html, /Montag, 15\. März 2027/)
})

test('candidate page of an interview: a time that is taken invites everyone, in the zone of the candidate', async () => {
  const olga = await world.candidate()
  const slots = [inDays(3), inDays(3, 12), inDays(4)]
  const { id, visitor } = await offer(olga, slots, [world.peng.userId, world.tomas.userId])
  const chosen = await choose(visitor, id, slots[1]!.starts_at, 'America/New_York')
  assert.equal(chosen.status, 303)
  const sent = await world.deliverAll()
  assert.deepEqual(sent.map(mail => mail.to).sort(), [olga.email, 'peng@acme.test', 'tomas@acme.test'].sort())
  for (const { invite } of sent)
    assert.deepEqual([invite?.method, invite?.sequence, invite?.startsAt], ['REQUEST', 0, slots[1]!.starts_at])
  const theirs = sent.find(mail => mail.to === olga.email)!
  assert.match(theirs.text, /America\/New York, UTC-5/)
  const [interview] = (await readPanel(world.devika, olga.applicationId)).interviews
  assert.deepEqual(
    [interview.status, interview.starts_at, interview.is_chosen],
    ['scheduled', slots[1]!.starts_at, true],
  )
  // the same again changes nothing
  assert.equal((await choose(visitor, id, slots[1]!.starts_at)).status, 303)
  assert.deepEqual(await world.deliverAll(), [])
})

test('candidate page of an interview: two candidates take one time of one person concurrently: one gets it, the other is notified', async () => {
  const people = await Promise.all([
    world.candidate(),
    world.candidate({ first_name: 'Ruben', last_name: 'Wainwright' }),
  ])
  const slots = [inDays(8, 9), inDays(8, 11)]
  const [first, second] = [
    await offer(people[0]!, slots, [world.peng.userId]),
    await offer(people[1]!, slots, [world.peng.userId, world.tomas.userId]),
  ]
  const outcomes = await Promise.all([
    choose(first.visitor, first.id, slots[0]!.starts_at),
    choose(second.visitor, second.id, slots[0]!.starts_at),
  ])
  assert.deepEqual(outcomes.map(({ status }) => status).sort(), [303, 409])
  const refused = outcomes.find(({ status }) => status === 409)!
  assert.match(refused.html, /This time was just taken\. Choose another\./)
  assert.ok(!refused.html.includes(`value="${slots[0]!.starts_at}"`), 'it is no longer offered')
  assert.ok(refused.html.includes(`value="${slots[1]!.starts_at}"`))
})

test('candidate page of an interview: None fits needs words, which come back to the team with an email that has none of them', async () => {
  const olga = await world.candidate()
  const { id, visitor } = await offer(olga, [inDays(5)], [world.peng.userId])
  const page = await visitor.get(`${base(id)}?lang=en`)
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.html)![1]!
  const empty = await visitor.post(`${base(id)}/none?lang=en`, { csrf, words: ' ' })
  assert.equal(empty.status, 422)
  assert.match(empty.html, /Write when you could come\./)
  assert.equal((await visitor.post(`${base(id)}/none?lang=en`, { csrf, words: 'Any Friday works.' })).status, 303)
  const [interview] = (await readPanel(world.devika, olga.applicationId)).interviews
  assert.deepEqual(
    [interview.status, interview.answer, interview.answer_text],
    ['proposed', 'none_fits', 'Any Friday works.'],
  )
  const sent = await world.deliverAll()
  assert.deepEqual(
    sent.map(mail => mail.to),
    ['devika@acme.test'],
  )
  assert.ok(!sent[0]!.raw.includes('Friday'))
  // who writes again is read in the same place: no second email
  assert.equal((await visitor.post(`${base(id)}/none?lang=en`, { csrf, words: 'Or a Monday.' })).status, 303)
  assert.equal((await readPanel(world.devika, olga.applicationId)).interviews[0].answer_text, 'Or a Monday.')
  assert.deepEqual(await world.deliverAll(), [])
  // other times are an answer
  const other = await world.devika.post(`/applications/${olga.applicationId}/interviews/${id}`, { slots: [inDays(6)] })
  assert.equal(other.status, 200)
  assert.equal((await readPanel(world.devika, olga.applicationId)).interviews[0].answer, null)
})

test('candidate page of an interview: what the candidate says goes to the interviewers where the organizer has left', async () => {
  const { service, workspace } = world
  const person = { role: 'admin', firstName: 'Lea', email: 'lea@acme.test', program: 'hiring' } as const
  const leaving = await signedIn(service, workspace, person)
  const olga = await world.candidate()
  const { id, visitor } = await offer(olga, [inDays(5)], [world.peng.userId], leaving)
  await service.services.db.query(sql`delete from users where workspace_id = ${workspace} and id = ${leaving.userId}`)
  const page = await visitor.get(`${base(id)}?lang=en`)
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.html)![1]!
  assert.equal((await visitor.post(`${base(id)}/none?lang=en`, { csrf, words: 'Any Friday works.' })).status, 303)
  assert.deepEqual(
    (await world.deliverAll()).map(mail => mail.to),
    ['peng@acme.test'],
  )
})

test('candidate page of an interview: asks once for another time, and cancels; calendars of interviewers lose the entry', async () => {
  const olga = await world.candidate()
  const slots = [inDays(9, 15)]
  const { id, visitor } = await offer(olga, slots, [world.tomas.userId])
  await choose(visitor, id, slots[0]!.starts_at)
  await world.deliverAll()
  const page = await visitor.get(`${base(id)}?lang=en`)
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.html)![1]!
  assert.equal((await visitor.post(`${base(id)}/move`, { csrf, words: 'Later, please.' })).status, 303)
  assert.equal((await visitor.post(`${base(id)}/move`, { csrf, words: 'Later again.' })).status, 409)
  await world.deliverAll()
  assert.equal((await visitor.post(`${base(id)}/cancel`, { csrf, words: '' })).status, 303)
  const sent = await world.deliverAll()
  const entries = sent.filter(mail => mail.invite).map(({ to, invite }) => [to, invite?.method, invite?.sequence])
  assert.deepEqual(
    entries.sort(),
    [
      [olga.email, 'CANCEL', 1],
      ['tomas@acme.test', 'CANCEL', 1],
    ].sort(),
  )
  const [interview] = (await readPanel(world.devika, olga.applicationId)).interviews
  assert.deepEqual([interview.status, interview.answer], ['canceled', 'canceled'])
})

test('POST …/forget: 409 when the candidate has chosen a time on their page before the email left', async () => {
  const olga = await world.candidate()
  const visitor = await world.signedIn({ email: olga.email! })
  const slot = inDays(5, 16)
  const times = { starts_at: undefined, ends_at: undefined, slots: [slot], interviewer_user_ids: [world.peng.userId] }
  const { id } = await plan(world.devika, olga.applicationId, times)
  assert.equal((await choose(visitor, id, slot.starts_at)).status, 303)
  const forgotten = await world.devika.post(`/applications/${olga.applicationId}/interviews/${id}/forget`, {})
  assert.deepEqual([forgotten.status, forgotten.body.detail.code], [409, 'invalid_application_state'])
  assert.equal((await world.deliverAll()).length, 2)
})

test('candidate page of an interview: a rejected candidate is offered no time, and one that they send is 409', async () => {
  const olga = await world.candidate()
  const slot = inDays(5)
  const { id, visitor } = await offer(olga, [slot], [world.peng.userId])
  const page = await visitor.get(`${base(id)}?lang=en`)
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.html)![1]!
  const rejected = await world.service.post(`/applications/${olga.applicationId}/reject`, world.key, {
    reason: 'Others',
  })
  assert.equal(rejected.status, 200)
  const sent = await visitor.post(`${base(id)}/choose?lang=en`, { csrf, starts_at: slot.starts_at, zone: 'UTC' })
  assert.equal(sent.status, 409)
  assert.doesNotMatch(sent.html, /name="starts_at"/)
  assert.doesNotMatch((await visitor.get(`${base(id)}?lang=en`)).html, /name="starts_at"/)
  assert.equal((await readPanel(world.devika, olga.applicationId)).interviews[0].status, 'proposed')
  assert.deepEqual(await world.deliverAll(), [])
})

test('POST …/withdraw: interviews and offers ahead are canceled with it, and calendars lose their entries', async () => {
  const olga = await world.candidate()
  await plan(world.devika, olga.applicationId, { ...inDays(6), interviewer_user_ids: [world.tomas.userId] })
  const { visitor } = await offer(olga, [inDays(7)], [world.peng.userId])
  const asked = await visitor.get(`/careers/${world.slug}/me/applications/${olga.applicationId}/withdraw`)
  assert.equal((await visitor.submit(asked, {})).status, 303)
  const { interviews } = await readPanel(world.devika, olga.applicationId)
  assert.deepEqual(
    interviews.map(({ status }: { status: string }) => status),
    ['canceled', 'canceled'],
  )
  const entries = (await world.deliverAll())
    .filter(({ invite }) => invite)
    .map(({ to, invite }) => [to, invite?.method])
  assert.deepEqual(
    entries.toSorted(),
    [
      [olga.email, 'CANCEL'],
      ['tomas@acme.test', 'CANCEL'],
    ].toSorted(),
  )
})

test('candidate page of an interview: 404 for an interview of someone else, as for a missing one; times end 12 h before', async () => {
  const [olga, ruben] = [await world.candidate(), await world.candidate({ first_name: 'Ruben' })]
  const slots = [inDays(2, 20)]
  const { id, visitor } = await offer(olga, slots, [])
  const stranger = await world.signedIn({ email: ruben.email! })
  const [theirs, missing] = [
    await stranger.get(`${base(id)}?lang=en`),
    await stranger.get(`${base('1b4e28ba-2fa1-11d2-883f-0016d3cca427')}?lang=en`),
  ]
  assert.deepEqual([theirs.status, missing.status], [404, 404])
  assert.equal(withoutId(theirs.html), withoutId(missing.html))
  const { db } = world.service.services
  await db.query(sql`update interview_times set starts_at = app_now() + interval '11 hours', ends_at = app_now() + interval '12 hours'
    where workspace_id = ${world.workspace} and interview_id = ${id}::uuid`)
  const shown = await visitor.get(`${base(id)}?lang=en`)
  assert.ok(!shown.html.includes('name="starts_at"'))
})

test('candidate page of an interview: who unsubscribed gets the invitation after they chose a time themselves', async () => {
  const olga = await world.candidate()
  const slots = [inDays(10)]
  const { id, visitor } = await offer(olga, slots, [])
  await world.service.services.db.query(sql`
    update applicants set unsubscribed_at = app_now() where workspace_id = ${world.workspace} and id = ${olga.id}`)
  await choose(visitor, id, slots[0]!.starts_at)
  const sent = await Promise.all((await world.deliver()).map(readSent))
  assert.deepEqual(
    sent.map(({ to, invite }) => [to, invite?.method]),
    [[olga.email, 'REQUEST']],
  )
})
