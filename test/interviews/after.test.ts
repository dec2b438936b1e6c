import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { requestErasure } from '../../src/resources/erasures/index.ts'
import { askAfterInterviews, remindOfCards } from '../../src/resources/hiring-team/index.ts'
import { openAnswers } from '../../src/resources/tasks/store.ts'
import { readFeed } from '../careers/candidate-setup.ts'
import { signedIn } from '../console/setup.ts'
import { explain, listPlanNodes } from '../harness/plans.ts'
import { recordStatements } from '../harness/statements.ts'
import { type InterviewWorld, inDays, plan, readInvite, startInterviews } from './setup.ts'

let world: InterviewWorld
before(async () => {
  world = await startInterviews()
})
after(() => clock.reset())

test('GET /applications/{h}/interviews: 200 with the interview; place, link and title need applications:internal:read', async () => {
  const { devika, peng, service, workspace, key } = world
  const olga = await world.candidate()
  const time = inDays(3)
  const { id } = await plan(devika, olga.applicationId, {
    ...time,
    title: 'Systems',
    place: 'Berlin, Hall 7',
    interviewer_user_ids: [peng.userId],
  })
  const path = `/applications/${olga.applicationId}/interviews`
  const { status, body } = await service.get(path, key)
  assert.equal(status, 200)
  const [row] = body.data
  assert.deepEqual(
    [row.object, row.id, row.application_id, row.status, row.kind, row.starts_at, row.ends_at, row.time_zone],
    ['interview', id, olga.applicationId, 'scheduled', 'video', time.starts_at, time.ends_at, 'Europe/Berlin'],
  )
  assert.deepEqual(
    [row.interviewer_user_ids, row.title, row.place, row.meeting_url],
    [[peng.userId], 'Systems', 'Berlin, Hall 7', 'https://meet.acme.test/hall-7'],
  )
  const narrow = await service.get(path, await service.key({ workspace, scopes: ['applications:read'] }))
  assert.ok(!('place' in narrow.body.data[0]) && !('meeting_url' in narrow.body.data[0]))
  assert.deepEqual(narrow.body.data[0].restricted.sort(), ['meeting_url', 'place', 'title'])
  const other = await service.get(path, await service.key({ workspace: (await service.workspace('enterprise')).id }))
  assert.equal(other.status, 404)
  const changed = (await readFeed(world)).filter(event => event.data.object['id'] === olga.applicationId)
  assert.deepEqual(changed.at(-1)?.data.object['changed'], ['interviews'])
  // nothing readable is stored
  const stored = await service.services.db.query(
    sql<{ row: string }>`select i::text as row from interviews i where workspace_id = ${workspace}`,
  )
  assert.ok(!JSON.stringify(stored).includes('Hall 7'))
})

test('interview: an erasure removes the entry from calendars of members, by an email without anything about the person', async () => {
  const { devika, peng, service, workspace } = world
  const olga = await world.candidate()
  await plan(devika, olga.applicationId, { ...inDays(3), interviewer_user_ids: [peng.userId] })
  await world.deliverAll()
  await requestErasure(service.services.db, {
    email: olga.email!,
    requestedBy: 'candidate',
    reach: workspace,
    onlyNamed: true,
  })
  const sent = await world.deliverAll()
  assert.deepEqual(
    sent.map(({ to, invite }) => [to, invite?.method, invite?.sequence]),
    [['peng@acme.test', 'CANCEL', 1]],
  )
  for (const part of ['O. K.', 'Kensington', olga.email!, olga.applicationId])
    assert.ok(!`${sent[0]!.raw}${sent[0]!.invite!.file}`.includes(part), part)
  const refused = await devika.post(`/applications/${olga.applicationId}/interviews`, {
    kind: 'phone',
    time_zone: 'UTC',
    ...inDays(4),
    interviewer_user_ids: [],
  })
  assert.equal(refused.status, 409)
})

test('calendar of a member: 200 with their interviews; a replaced or unknown address is 404; the secret is not stored', async () => {
  const { devika, tomas, service } = world
  const olga = await world.candidate()
  const { id } = await plan(devika, olga.applicationId, { ...inDays(5), interviewer_user_ids: [tomas.userId] })
  const { url } = (await tomas.post('/calendar-address')).body
  const read = async (address: string) => {
    const response = await fetch(`${service.origin}${new URL(address).pathname}`)
    return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
  }
  const calendar = await read(url)
  assert.deepEqual([calendar.status, calendar.type], [200, 'text/calendar; charset=utf-8'])
  assert.match(readInvite(calendar.text).uid, new RegExp(`^${id}@`))
  assert.ok(!calendar.text.includes('Kensington'))
  const next = (await tomas.post('/calendar-address')).body.url
  assert.deepEqual([(await read(url)).status, (await read(next)).status], [404, 200])
  const stored = await service.services.db.query(sql<{ row: string }>`select c::text as row from member_calendars c`)
  assert.ok(!JSON.stringify(stored).includes(new URL(next).pathname.slice(17, 40)))
})

test('calendar of a member: times, candidates and members of all interviews are read together', async () => {
  const { devika, peng, service } = world
  for (let i = 0; i < 3; i++) {
    const { applicationId } = await world.candidate()
    await plan(devika, applicationId, { ...inDays(5), interviewer_user_ids: [peng.userId] })
  }
  const { url } = (await peng.post('/calendar-address')).body
  let calendar = ''
  const sent = await recordStatements(service.services.db).during(async () => {
    calendar = await (await fetch(`${service.origin}${new URL(url).pathname}`)).text()
  })
  assert.ok(calendar.split('BEGIN:VEVENT').length > 3)
  for (const part of ['from interview_times', 'p.full_name', 'from users u'])
    assert.equal(sent.filter(text => text.includes(part)).length, 1, part)
})

test('GET /tasks: 200 with the interviews of the member today, and with what candidates said about those they planned', async () => {
  const { devika, tomas } = world
  const olga = await world.candidate()
  const time = inDays(0, 20)
  const { id } = await plan(devika, olga.applicationId, { ...time, interviewer_user_ids: [tomas.userId] })
  const later = await plan(devika, olga.applicationId, { ...inDays(3), interviewer_user_ids: [tomas.userId] })
  const { interviews } = (await tomas.get('/tasks')).body
  assert.deepEqual(
    interviews.map((task: Record<string, unknown>) => [
      task['interview_id'],
      task['starts_at'],
      task['applicant_name'],
    ]),
    [[id, time.starts_at, 'Olga Kensington']],
  )
  const counts = async () => (await tomas.get('/tasks/count')).body.interviews
  assert.equal(await counts(), 1)
  assert.deepEqual((await devika.get('/tasks')).body.interviews, [])
  assert.ok(!JSON.stringify(interviews).includes(later.id))
})

test('GET /tasks: what candidates said is read by an index of what waits for a member', async () => {
  const who = {
    workspace: world.workspace,
    userId: world.devika.userId,
    limited: false,
    interviews: false,
    view: 'open',
  } as const
  const nodes = await world.service.services.db.transaction(async tx => {
    await tx.query(sql`set local enable_seqscan = off`)
    return listPlanNodes(await explain(tx, openAnswers(who)))
  })
  assert.ok(nodes.some(node => node['Index Name'] === 'interviews_answered'))
})

test('hours of a member: 200 after they were set; 400 names times that overlap and an unknown zone', async () => {
  const { peng } = world
  const week = [
    [
      [540, 720],
      [780, 1020],
    ],
    [],
    [],
    [],
    [],
    [],
    [],
  ]
  assert.equal((await peng.post('/member-hours', { time_zone: 'Europe/Berlin', hours: week })).status, 200)
  assert.deepEqual((await peng.get('/member-hours')).body.hours, week)
  const wrong = [
    [
      [540, 720],
      [700, 1020],
    ],
    [],
    [],
    [],
    [],
    [],
    [],
  ]
  const refused = await peng.post('/member-hours', { time_zone: 'Mars/Base', hours: wrong })
  assert.deepEqual(
    [refused.status, refused.body.detail.errors.map((fault: { param: string }) => fault.param)],
    [400, ['time_zone', 'hours[0][1]']],
  )
})

test('interview: when it has ended its people are asked for a scorecard, due 24 h later with an email unless it was decided', async () => {
  const { devika, peng, service } = world
  const { db } = service.services
  const olga = await world.candidate()
  const decided = await world.candidate()
  for (const { applicationId } of [olga, decided])
    await plan(devika, applicationId, { ...inDays(1), interviewer_user_ids: [peng.userId] })
  await world.deliverAll()
  await askAfterInterviews(db, 10)
  const due = async () =>
    (
      await db.query(sql`
        select user_id from scorecard_requests
        where workspace_id = ${world.workspace} and application_id = ${olga.applicationId} and user_id = ${peng.userId}`)
    ).length
  assert.equal(await due(), 0)
  clock.advance(2 * 86_400_000 - 12 * 3_600_000)
  while ((await askAfterInterviews(db, 10)) > 0);
  assert.equal(await due(), 1)
  await db.query(sql`
    update applications set status = 'rejected'
    where workspace_id = ${world.workspace} and id = ${decided.applicationId}`)
  await world.deliverAll()
  clock.advance(26 * 3_600_000)
  await remindOfCards(db, 10)
  const sent = await world.deliverAll()
  assert.deepEqual(
    sent.filter(mail => mail.to.startsWith('peng')).map(mail => [mail.to, mail.subject]),
    [['peng@acme.test', 'Your scorecard is needed']],
  )
  await remindOfCards(db, 10)
  assert.deepEqual(await world.deliverAll(), [])
})

test('interviews of a job that the member may not see any more: in no task, calendar or invitation; they come back with it', async () => {
  const { service, workspace } = world
  const { db } = service.services
  // to noon of a day on which the others are not signed in any more
  clock.advance(1.5 * 86_400_000 - (clock.now() % 86_400_000))
  const admin = await signedIn(service, workspace, { role: 'admin', program: 'hiring', email: 'gwen@acme.test' })
  const member = await signedIn(service, workspace, { role: 'member', program: 'hiring', email: 'osei@acme.test' })
  const olga = await world.candidate()
  const job = (await admin.get(`/candidates/${olga.applicationId}`)).body.application.job_id
  const soon = new Date(clock.now() + 3_600_000).toISOString()
  const ends_at = new Date(clock.now() + 7_200_000).toISOString()
  await plan(admin, olga.applicationId, { starts_at: soon, ends_at, interviewer_user_ids: [member.userId] })
  const { url } = (await member.post('/calendar-address')).body
  const seen = async () => {
    const [tasks, count, calendar] = [await member.get('/tasks'), await member.get('/tasks/count'), await fetch(url)]
    const entries = (await calendar.text()).split('BEGIN:VEVENT').length - 1
    return [tasks.body.interviews.length, count.body.interviews, entries]
  }
  const before = await seen()
  assert.deepEqual(before, [1, 1, 1])
  const limit = (access: string) =>
    db.query(sql`update users set job_access = ${access} where workspace_id = ${workspace} and id = ${member.userId}`)
  await limit('team')
  assert.deepEqual(await seen(), [0, 0, 0])
  const invited = (await world.deliverAll()).filter(({ to }) => to === member.email)
  assert.deepEqual(invited, [])
  const joined = { add: [member.userId], remove: [], roles: { [member.userId]: 'interviewer' } }
  assert.equal((await admin.post(`/jobs/${job}/team`, joined)).status, 200)
  assert.deepEqual(await seen(), before)
  await admin.post(`/jobs/${job}/team`, { add: [], remove: [member.userId] })
  await limit('all')
})
