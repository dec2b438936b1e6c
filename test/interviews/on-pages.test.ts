import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { readFeed } from '../careers/candidate-setup.ts'
import { type Applied, type InterviewWorld, inDays, plan, readPanel, startInterviews, VIDEO } from './setup.ts'

/** What the hiring pages do with interviews besides planning them. */

let world: InterviewWorld
before(async () => {
  world = await startInterviews()
})
after(() => clock.reset())

const read = async ({ applicationId }: Applied) => (await world.devika.get(`/v1/applications/${applicationId}`)).body

const stagesOf = async (person: Applied) => {
  const { job_id } = await read(person)
  const { body } = await world.devika.get(`/jobs/${job_id}/board`)
  const named = new Map((body.stages as { id: string; type: string }[]).map(({ id, type }) => [type, id]))
  return { jobId: job_id as string, of: (type: string) => named.get(type) ?? '' }
}

const change = async (person: Applied, action: string, more: object = {}) => {
  const changes = [{ id: person.applicationId, action, ...more }]
  const { body } = await world.devika.post('/applications/changes', { changes })
  return body.results[0]
}

const statuses = async (person: Applied) =>
  (await readPanel(world.devika, person.applicationId)).interviews.map(({ status }: { status: string }) => status)

test('POST …/interviews with move_to: plan and move are one change; Undo of the move needs no more than the answer', async () => {
  const olga = await world.candidate()
  const { of } = await stagesOf(olga)
  const before = (await readFeed(world)).length
  const { status, body } = await world.devika.post(`/applications/${olga.applicationId}/interviews`, {
    ...{ ...VIDEO, ...inDays(3), interviewer_user_ids: [world.peng.userId] },
    move_to: of('interview'),
  })
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(body.moved, { stage_id: of('interview'), status: 'advanced' })
  const [interview] = (await readPanel(world.devika, olga.applicationId)).interviews
  assert.equal(interview.stage_id, of('interview'))
  const events = (await readFeed(world)).slice(before)
  assert.deepEqual(
    events.map(({ type }) => type),
    ['application.stage_changed', 'application.status_changed', 'application.updated'],
  )
  assert.equal((await change(olga, 'undo', { expected: body.moved })).status, 'new')
})

test('POST …/interviews with move_to: a stage of another job or a time in the past: 400, and nothing is changed', async () => {
  const olga = await world.candidate()
  const other = await stagesOf(await world.candidate())
  const own = await stagesOf(olga)
  const send = (more: object) =>
    world.devika.post(`/applications/${olga.applicationId}/interviews`, { ...VIDEO, interviewer_user_ids: [], ...more })
  const foreign = await send({ ...inDays(3), move_to: other.of('interview') })
  const past = await send({ ...inDays(-1), move_to: own.of('interview') })
  assert.deepEqual([foreign.status, past.status], [400, 400])
  assert.equal((await read(olga)).stage_id, own.of('applied'))
  assert.deepEqual(await statuses(olga), [])
})

test('POST …/interviews with id: sent again it plans nothing; the id of another application is 404', async () => {
  const [olga, ruben] = [await world.candidate(), await world.candidate()]
  const body = { ...VIDEO, ...inDays(4), id: randomUUID(), interviewer_user_ids: [] }
  const first = await world.devika.post(`/applications/${olga.applicationId}/interviews`, body)
  const second = await world.devika.post(`/applications/${olga.applicationId}/interviews`, body)
  assert.deepEqual([first.status, second.status], [200, 200])
  assert.deepEqual([first.body.id, second.body.id], [body.id, body.id])
  assert.deepEqual(await statuses(olga), ['scheduled'])
  assert.equal((await world.devika.post(`/applications/${ruben.applicationId}/interviews`, body)).status, 404)
  assert.deepEqual(await statuses(ruben), [])
  const { of } = await stagesOf(ruben)
  const moving = { ...body, move_to: of('interview') }
  assert.equal((await world.devika.post(`/applications/${ruben.applicationId}/interviews`, moving)).status, 404)
  assert.equal((await read(ruben)).stage_id, of('applied'))
})

test('reject and withdraw with cancel_interviews: what is ahead is canceled with it; Undo restores it, and no one hears of it', async () => {
  for (const action of ['reject', 'withdraw']) {
    const olga = await world.candidate()
    const reason = { reason_id: action === 'reject' ? 'salary' : 'withdraw_offer', reason: 'x' }
    await plan(world.devika, olga.applicationId, { ...inDays(5), interviewer_user_ids: [world.peng.userId] })
    await plan(world.devika, olga.applicationId, { ...inDays(6), interviewer_user_ids: [] })
    await world.deliverAll()
    const { jobId } = await stagesOf(olga)
    const facts = await world.devika.post('/applications/rejection-facts', {
      job_id: jobId,
      application_ids: [olga.applicationId],
    })
    assert.deepEqual(facts.body.with_interviews, [olga.applicationId])
    const decided = await change(olga, action, { ...reason, cancel_interviews: true })
    assert.equal(decided.ok, true, JSON.stringify(decided))
    assert.deepEqual(await statuses(olga), ['canceled', 'canceled'])
    const expected = { stage_id: decided.stage_id, status: decided.status }
    assert.equal((await change(olga, 'undo', { expected })).ok, true)
    assert.deepEqual(await statuses(olga), ['scheduled', 'scheduled'])
    assert.deepEqual(await world.deliverAll(), [])
    await change(olga, action, { ...reason, cancel_interviews: true })
    assert.deepEqual(
      (await world.deliverAll()).map(({ invite }) => [invite?.method, invite?.sequence]),
      [1, 2, 3].map(() => ['CANCEL', 1]),
    )
  }
})

test('reject without cancel_interviews: interviews stay; Undo restores none that was canceled before', async () => {
  const olga = await world.candidate()
  const { id } = await plan(world.devika, olga.applicationId, { ...inDays(5), interviewer_user_ids: [] })
  await plan(world.devika, olga.applicationId, { ...inDays(6), interviewer_user_ids: [] })
  await world.devika.post(`/applications/${olga.applicationId}/interviews/${id}/cancel`, {})
  clock.advance(2_000)
  const decided = await change(olga, 'reject', { reason_id: 'salary' })
  assert.deepEqual((await statuses(olga)).toSorted(), ['canceled', 'scheduled'])
  await change(olga, 'undo', { expected: { stage_id: decided.stage_id, status: decided.status } })
  assert.deepEqual((await statuses(olga)).toSorted(), ['canceled', 'scheduled'])
})

test('GET …/availability: 200 from the latest time that there is; 400 for more than 45 days', async () => {
  const { applicationId } = await world.candidate()
  const read = (query: string) => world.devika.get(`/applications/${applicationId}/availability?${query}`)
  assert.equal((await read('from=9999-12-31T00:00:00Z')).status, 200)
  assert.equal((await read('from=2027-03-01T00:00:00Z&to=2027-05-01T00:00:00Z')).status, 400)
})

test('GET …/interviews: mail says what became of the email to the candidate', async () => {
  const olga = await world.candidate()
  const mail = async () => (await readPanel(world.devika, olga.applicationId)).interviews[0].mail
  const { id } = await plan(world.devika, olga.applicationId, { ...inDays(5), interviewer_user_ids: [] })
  assert.equal(await mail(), 'waiting')
  await world.deliverAll()
  assert.equal(await mail(), 'sent')
  // given up: the server refused it for as long as it is tried
  await world.service.services.db.query(sql`
    update candidate_mails set sent_at = null, due_at = null where interview_id = ${id}::uuid`)
  assert.equal(await mail(), 'failed')
})

test('board and activity: the next interview of a card, and a line of each interview', async () => {
  const olga = await world.candidate()
  const { jobId } = await stagesOf(olga)
  const card = async () => (await world.devika.get(`/jobs/${jobId}/board/cards`)).body.data[0].next_interview_at
  assert.equal(await card(), null)
  const [late, soon] = [inDays(6), inDays(5)]
  await plan(world.devika, olga.applicationId, { ...late, interviewer_user_ids: [] })
  const { id } = await plan(world.devika, olga.applicationId, { ...soon, interviewer_user_ids: [] })
  assert.equal(await card(), soon.starts_at)
  await world.devika.post(`/applications/${olga.applicationId}/interviews/${id}/cancel`, {})
  assert.equal(await card(), late.starts_at)
  const { body } = await world.devika.get(`/applications/${olga.applicationId}/activity?show=all`)
  const lines = body.data.filter(({ kind }: { kind: string }) => kind === 'interview')
  assert.deepEqual(
    lines.map(({ by }: { by: { name: string } }) => by.name),
    ['Devika Menondas', 'Devika Menondas'],
  )
})
