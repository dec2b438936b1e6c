import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { lockWaits } from '../harness/lock-waits.ts'
import { type InterviewWorld, inDays, plan, readPanel, type Sent, startInterviews } from './setup.ts'

let world: InterviewWorld
before(async () => {
  world = await startInterviews()
})
after(() => clock.reset())

const to = (sent: readonly Sent[], address: string) => sent.find(mail => mail.to === address)

test('interview: planning sends one entry to the candidate and one to each interviewer, with one UID, 10 s later', async () => {
  const { devika, peng, tomas } = world
  const olga = await world.candidate()
  const time = inDays(3)
  const { id } = await plan(devika, olga.applicationId, {
    ...time,
    interviewer_user_ids: [peng.userId, tomas.userId],
    candidate_text: 'Please bring a question.',
    internal_text: 'Ask about CAN bus.',
  })
  const queue = sql<{ n: number }>`
    select count(*)::integer as n from team_mails where workspace_id = ${world.workspace} and due_at <= app_now()`
  assert.equal((await world.service.services.db.only(queue)).n, 0)
  const sent = await world.deliverAll()
  assert.deepEqual(sent.map(mail => mail.to).sort(), [olga.email, 'peng@acme.test', 'tomas@acme.test'].sort())

  const theirs = to(sent, olga.email!)!
  const invite = theirs.invite!
  assert.deepEqual(
    [invite.method, invite.uid, invite.sequence, invite.status, invite.attendee],
    ['REQUEST', `${id}@${new URL(world.service.services.publicUrl).host}`, 0, 'CONFIRMED', `mailto:${olga.email}`],
  )
  assert.deepEqual([invite.startsAt, invite.endsAt], [time.starts_at, time.ends_at])
  assert.equal(invite.organizer, 'mailto:devika@acme.test')
  assert.match(invite.file, /SENT-BY="mailto:no-reply@mail\.hiring\.dev"/)
  assert.match(invite.description, /Please bring a question/)
  assert.match(invite.description, /Peng Liangmoor, Tomas Ibarrola/)
  assert.ok(invite.description.includes(`/careers/${world.slug}/me/interviews/${id}`))
  // no address of a colleague but the organizer's, and nothing of the internal text
  for (const hidden of ['peng@', 'tomas@', 'CAN bus'])
    assert.ok(!`${theirs.raw}${invite.file}`.includes(hidden), hidden)
  // the same part inside the alternative and as a file
  assert.match(
    theirs.raw,
    /Content-Type: multipart\/alternative[\s\S]*Content-Type: text\/calendar; charset=utf-8; method=REQUEST/i,
  )
  const attached = /filename=invite\.ics[\s\S]*?\r\n\r\n([A-Za-z0-9+/=\r\n]+)/.exec(theirs.raw)?.[1]
  assert.match(Buffer.from(attached ?? '', 'base64').toString(), /^BEGIN:VCALENDAR\r\nVERSION:2\.0\r\n/)

  const team = to(sent, 'peng@acme.test')!.invite!
  assert.deepEqual([team.uid, team.sequence, team.method], [invite.uid, 0, 'REQUEST'])
  assert.equal(team.summary, 'Interview O. K., Engineer')
  assert.equal(team.attendee, 'mailto:peng@acme.test')
  assert.ok(team.description.includes(`/hiring/applications/${olga.applicationId}`))
  const all = to(sent, 'peng@acme.test')!.raw + team.file
  for (const hidden of ['Kensington', olga.email!]) assert.ok(!all.includes(hidden), hidden)
})

test('interview: another time is SEQUENCE 1 for everyone; a cancellation is METHOD:CANCEL with SEQUENCE 2', async () => {
  const { devika, peng } = world
  const olga = await world.candidate()
  const { id } = await plan(devika, olga.applicationId, { ...inDays(3), interviewer_user_ids: [peng.userId] })
  await world.deliverAll()
  const later = inDays(4, 13)
  const path = `/applications/${olga.applicationId}/interviews/${id}`
  assert.equal((await devika.post(path, later)).status, 200)
  const moved = await world.deliverAll()
  assert.deepEqual(
    moved.map(({ to, invite }) => [to, invite?.method, invite?.sequence, invite?.startsAt]).sort(),
    [
      [olga.email, 'REQUEST', 1, later.starts_at],
      ['peng@acme.test', 'REQUEST', 1, later.starts_at],
    ].sort(),
  )
  assert.match(to(moved, olga.email!)!.subject, /^Changed: /)
  assert.equal((await devika.post(`${path}/cancel`, {})).status, 200)
  const canceled = await world.deliverAll()
  assert.deepEqual(
    canceled.map(({ to, invite }) => [to, invite?.method, invite?.sequence, invite?.status]).sort(),
    [
      [olga.email, 'CANCEL', 2, 'CANCELLED'],
      ['peng@acme.test', 'CANCEL', 2, 'CANCELLED'],
    ].sort(),
  )
  const uids = new Set([...moved, ...canceled].map(({ invite }) => invite?.uid))
  assert.equal(uids.size, 1)
  assert.deepEqual(
    (await readPanel(devika, olga.applicationId)).interviews.map((i: { status: string }) => i.status),
    ['canceled'],
  )
})

test('interview: one person leaves: they get CANCEL, the others REQUEST; a new one gets REQUEST', async () => {
  const { devika, peng, tomas } = world
  const olga = await world.candidate()
  const { id } = await plan(devika, olga.applicationId, {
    ...inDays(5),
    interviewer_user_ids: [peng.userId, tomas.userId],
    invite_candidate: false,
  })
  await world.deliverAll()
  const path = `/applications/${olga.applicationId}/interviews/${id}`
  await devika.post(path, { interviewer_user_ids: [tomas.userId, devika.userId] })
  const sent = await world.deliverAll()
  assert.deepEqual(sent.map(({ to, invite }) => [to, invite?.method, invite?.sequence]).sort(), [
    ['devika@acme.test', 'REQUEST', 1],
    ['peng@acme.test', 'CANCEL', 1],
    ['tomas@acme.test', 'REQUEST', 1],
  ])
  assert.equal(to(sent, 'peng@acme.test')!.invite!.summary, 'Interview canceled')
})

test('interview: what is undone within 10 s sends nothing: planning, moving and canceling', async () => {
  const { devika, peng } = world
  const olga = await world.candidate()
  const time = { ...inDays(6), interviewer_user_ids: [peng.userId] }
  const first = await plan(devika, olga.applicationId, time)
  const base = `/applications/${olga.applicationId}/interviews`
  assert.equal((await devika.post(`${base}/${first.id}/forget`, {})).status, 200)
  assert.deepEqual(await world.deliverAll(), [])
  assert.deepEqual((await readPanel(devika, olga.applicationId)).interviews, [])

  const { id } = await plan(devika, olga.applicationId, time)
  assert.equal((await world.deliverAll()).length, 2)
  const refused = await devika.post(`${base}/${id}/forget`, {})
  assert.deepEqual([refused.status, refused.body.detail.code], [409, 'invalid_application_state'])
  await devika.post(`${base}/${id}`, inDays(7))
  await devika.post(`${base}/${id}`, { starts_at: time.starts_at, ends_at: time.ends_at })
  assert.deepEqual(await world.deliverAll(), [])
  await devika.post(`${base}/${id}/cancel`, {})
  assert.equal((await devika.post(`${base}/${id}/restore`, {})).status, 200)
  assert.deepEqual(await world.deliverAll(), [])
  await devika.post(`${base}/${id}/cancel`, {})
  assert.equal((await world.deliverAll()).length, 2)
  assert.equal((await devika.post(`${base}/${id}/restore`, {})).status, 409)
})

test('interview: Undo while a worker begins to send is 409: the calendar entry would stay, or come back with an old SEQUENCE', async () => {
  const { devika, peng, service, workspace } = world
  const { db } = service.services
  const olga = await world.candidate()
  const base = `/applications/${olga.applicationId}/interviews`
  /** The worker has taken the emails of the interview, and its statement ends after the request has begun. */
  const undoWhileTaken = async (id: string, undo: 'forget' | 'restore') => {
    const [undone] = await db.transaction(async tx => {
      await tx.query(sql`
        update team_mails set attempt = attempt + 1
        where workspace_id = ${workspace} and interview_id = ${id}::uuid and attempt = 0`)
      const request = devika.post(`${base}/${id}/${undo}`, {})
      while ((await lockWaits(db, /team_mails/)) === 0) await setImmediate()
      return [request]
    })
    return (await undone!).status
  }
  const time = { ...inDays(6), interviewer_user_ids: [peng.userId] }
  assert.equal(await undoWhileTaken((await plan(devika, olga.applicationId, time)).id, 'forget'), 409)
  const { id } = await plan(devika, olga.applicationId, time)
  await world.deliverAll()
  assert.equal((await devika.post(`${base}/${id}/cancel`, {})).status, 200)
  assert.equal(await undoWhileTaken(id, 'restore'), 409)
  await world.deliverAll()
})

test('interview: 15:00 in Berlin on 15 March 2027 is 14:00 UTC, and the email says the zone with its offset', async () => {
  const olga = await world.candidate()
  await plan(world.devika, olga.applicationId, {
    starts_at: '2027-03-15T15:00:00+01:00',
    ends_at: '2027-03-15T15:45:00+01:00',
    interviewer_user_ids: [world.peng.userId],
  })
  const sent = await world.deliverAll()
  const theirs = to(sent, olga.email!)!
  assert.match(theirs.invite!.file, /DTSTART:20270315T140000Z\r?\nDTEND:20270315T144500Z/)
  assert.match(theirs.text, /Monday, 15 March 2027, 15:00–15:45 \(Europe\/Berlin, UTC\+1\)/)
  assert.match(to(sent, 'peng@acme.test')!.text, /Mon, 15 Mar 2027, 15:00 to 15:45 \(Europe\/Berlin, UTC\+1\)/)
})

test('interview: the setting Full names in calendars names the candidate to interviewers', async () => {
  const { devika, peng } = world
  const settings = { feedback_hours: 24, full_names_in_calendars: true }
  assert.equal((await devika.post('/interview-settings', settings)).status, 200)
  const olga = await world.candidate()
  await plan(devika, olga.applicationId, { ...inDays(3), interviewer_user_ids: [peng.userId] })
  const sent = await world.deliverAll()
  assert.equal(to(sent, 'peng@acme.test')!.invite!.summary, 'Interview Olga Kensington, Engineer')
  await devika.post('/interview-settings', { ...settings, full_names_in_calendars: false })
  assert.equal((await peng.post('/interview-settings', settings)).status, 403)
})

test('interview: who unsubscribed gets no invitation, and the page says so; interviewers get theirs', async () => {
  const { devika, peng } = world
  const olga = await world.candidate()
  await world.service.services.db.query(sql`
    update applicants set unsubscribed_at = app_now() where workspace_id = ${world.workspace} and id = ${olga.id}`)
  await plan(devika, olga.applicationId, { ...inDays(3), interviewer_user_ids: [peng.userId] })
  assert.deepEqual(
    (await world.deliverAll()).map(({ to }) => to),
    ['peng@acme.test'],
  )
  assert.equal((await readPanel(devika, olga.applicationId)).blocked, 'unsubscribed')
})

test('interview: without a careers site a fixed time is invited to, without a link; times cannot be offered', async () => {
  const { devika, peng, workspace } = world
  const { db } = world.service.services
  const olga = await world.candidate()
  await db.query(sql`update career_sites set enabled = false where workspace_id = ${workspace}`)
  try {
    const offered = await devika.post(`/applications/${olga.applicationId}/interviews`, {
      kind: 'video',
      time_zone: 'Europe/Berlin',
      interviewer_user_ids: [],
      slots: [inDays(3)],
    })
    assert.deepEqual(
      [offered.status, offered.body.errors?.[0]?.param ?? offered.body.detail.errors[0].param],
      [400, 'slots'],
    )
    await plan(devika, olga.applicationId, { ...inDays(3), interviewer_user_ids: [peng.userId] })
    const sent = to(await world.deliverAll(), olga.email!)!
    assert.equal(sent.invite!.method, 'REQUEST')
    assert.ok(!sent.text.includes('/careers/'))
    assert.match(sent.text, /reply to this email/)
  } finally {
    await db.query(sql`update career_sites set enabled = true where workspace_id = ${workspace}`)
  }
})
