import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { JobRole } from '../../src/contract/job-rights.ts'
import { endpoints } from '../../src/hiring/routes.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { apply, newJob, startWorld, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'

let world: World
let owner: Person
let admin: Person
let recruiter: Person
let author: Person
let peng: Person

before(async () => {
  world = await startWorld()
  const enter = (role: 'owner' | 'admin' | 'member') =>
    signedIn(world.service, world.workspace, { role, program: 'hiring' })
  owner = await enter('owner')
  admin = await enter('admin')
  recruiter = await enter('member')
  author = await enter('member')
  peng = await enter('member')
  await join(peng, 'interviewer')
  await world.service.services.db.query(
    sql`update users set job_access = 'team' where workspace_id = ${world.workspace} and id = ${peng.userId}`,
  )
})

const join = (person: Person, role: JobRole) =>
  owner.post(`/jobs/${world.job.id}/team`, { add: [person.userId], remove: [], roles: { [person.userId]: role } })

const panel = async (person: Person, id: string) => (await person.get(`/applications/${id}/scorecards`)).body
const ask = async (id: string, ...people: Person[]) => {
  const asked = await owner.post(`/applications/${id}/scorecard-requests`, {
    user_ids: people.map(({ userId }) => userId),
  })
  assert.equal(asked.status, 200, asked.text)
}
const write = async (person: Person, id: string, summary: string, more: object = {}) => {
  const written = await person.post(`/v1/applications/${id}/scorecards`, {
    recommendation: 'yes',
    summary,
    ratings: [{ name: 'Depth', score: 4, comment: `because ${summary}` }],
    ...more,
  })
  assert.equal(written.status, 201, written.text)
  return written.body.id as string
}
const summaries = (body: { cards: { summary: string }[] }) => body.cards.map(card => card.summary).sort()

test('asked people, owners too: a number and nothing else until their own card is in; then all', async () => {
  const { id } = await apply(world)
  await ask(id, owner, peng)
  await write(author, id, 'quick-mind')
  for (const [n, person] of [owner, peng].entries()) {
    const before = await panel(person, id)
    assert.deepEqual([before.cards, before.hidden], [[], 1 + n])
    assert.deepEqual(
      before.requests.map((one: { user: { id: string } }) => one.user.id),
      [person.userId],
      'requests of others would show who has written one',
    )
    await write(person, id, `by-${person.userId}`)
  }
  for (const person of [owner, peng]) {
    const after = await panel(person, id)
    assert.deepEqual([after.cards.length, after.hidden, after.asked], [3, 0, null])
  }
  // who was not asked saw them all the time
  assert.equal((await panel(recruiter, id)).cards.length, 3)
})

test('asking later hides them again for that person alone, until the next card', async () => {
  const { id } = await apply(world)
  await write(author, id, 'first')
  await write(admin, id, 'own-of-before')
  assert.deepEqual(summaries(await panel(admin, id)), ['first', 'own-of-before'])
  await ask(id, admin)
  const hidden = await panel(admin, id)
  assert.deepEqual([summaries(hidden), hidden.hidden], [['own-of-before'], 1])
  assert.equal((await panel(owner, id)).cards.length, 2)
  await write(admin, id, 'second-own')
  assert.equal((await panel(admin, id)).cards.length, 3)
})

test('per stage: cards of other stages stay visible; who is asked again before writing is asked about all stages', async () => {
  const { id } = await apply(world)
  const [applied, screen] = world.job.stages
  await write(author, id, 'of-first-stage', { stage_id: applied })
  await owner.post(`/v1/applications/${id}/move`, { stage_id: screen })
  await ask(id, admin)
  await write(author, id, 'of-second-stage', { stage_id: screen })
  const seen = await panel(admin, id)
  assert.deepEqual([summaries(seen), seen.hidden, seen.asked.stage_name], [['of-first-stage'], 1, 'Screen'])
  assert.equal(seen.stage_id, screen, 'the form writes about the stage that was asked about')
  // a card about another stage opens nothing
  await write(admin, id, 'elsewhere', { stage_id: applied })
  assert.equal((await panel(admin, id)).hidden, 1)
  // asked again in another stage, while the first request is open
  await owner.post(`/v1/applications/${id}/move`, { stage_id: applied })
  await ask(id, admin)
  const wide = await panel(admin, id)
  assert.deepEqual([summaries(wide), wide.hidden], [['elsewhere'], 2])
  await write(admin, id, 'at-last', { stage_id: screen })
  assert.equal((await panel(admin, id)).hidden, 0)
})

test('an interviewer reads cards of the stages that they wrote about, and no others', async () => {
  const { id } = await apply(world)
  const [applied, screen] = world.job.stages
  await ask(id, peng)
  await write(author, id, 'in-first', { stage_id: applied })
  await write(author, id, 'in-second', { stage_id: screen })
  await write(peng, id, 'mine', { stage_id: applied })
  const seen = await panel(peng, id)
  assert.deepEqual([summaries(seen), seen.hidden], [['in-first', 'mine'], 0])
})

test('the people of a planned interview are asked from its planning on; a canceled one asks no one', async () => {
  const { id } = await apply(world)
  await write(author, id, 'before-the-talk')
  const starts = clock.now() + 86_400_000
  const planned = await owner.post(`/applications/${id}/interviews`, {
    kind: 'video',
    time_zone: 'Europe/Berlin',
    starts_at: new Date(starts).toISOString(),
    ends_at: new Date(starts + 3_600_000).toISOString(),
    interviewer_user_ids: [peng.userId, admin.userId],
    invite_candidate: false,
  })
  assert.equal(planned.status, 200, planned.text)
  for (const person of [peng, admin]) assert.deepEqual((await panel(person, id)).cards, [])
  assert.equal((await panel(admin, id)).hidden, 1)
  assert.equal((await panel(owner, id)).cards.length, 1)
  assert.equal((await owner.post(`/applications/${id}/interviews/${planned.body.id}/cancel`, {})).status, 200)
  assert.equal((await panel(admin, id)).cards.length, 1)
})

test('400: an asked person does not withdraw the request to themselves while cards are hidden; others do', async () => {
  const { id } = await apply(world)
  await ask(id, admin)
  await write(author, id, 'hidden-one')
  const path = `/applications/${id}/scorecard-requests/${admin.userId}/withdraw`
  const refused = await admin.post(path)
  assert.deepEqual([refused.status, refused.body.detail.errors[0].param], [400, 'user'])
  assert.deepEqual((await panel(admin, id)).cards, [])
  assert.equal((await owner.post(path)).status, 200)
  assert.equal((await panel(admin, id)).cards.length, 1)
})

test('average: the mean of all ratings from two cards on, with the tally; nothing of it for who was asked', async () => {
  const job = await newJob(world.service, world.workspace)
  const { id } = await apply({ ...world, job })
  const read = async (person: Person) => (await person.get(`/candidates/${id}`)).body.scorecards
  const column = async (person: Person) =>
    (await person.get(`/candidates?job_id=${job.id}`)).body.data[0].scorecard_average
  assert.equal(await read(owner), null)
  await ask(id, admin)
  await write(author, id, 'one', {
    ratings: [
      { name: 'A', score: 5 },
      { name: 'B', score: 4 },
    ],
  })
  assert.deepEqual([(await read(owner)).cards, (await read(owner)).average], [1, null])
  await write(recruiter, id, 'two', { recommendation: 'no', ratings: [{ name: 'A', score: 2 }] })
  const summary = await read(owner)
  assert.deepEqual([summary.cards, summary.hidden, summary.average], [2, 0, 3.7])
  assert.deepEqual(summary.recommendations, { strong_yes: 0, yes: 1, no_decision: 0, no: 1, strong_no: 0 })
  assert.equal(await column(owner), 3.7)
  assert.deepEqual(await read(admin), {
    cards: 2,
    hidden: 2,
    average: null,
    recommendations: null,
  })
  assert.equal(await column(admin), null)
  await write(admin, id, 'three', { ratings: [{ name: 'A', score: 5 }] })
  assert.deepEqual([(await read(admin)).average, await column(admin)], [4, 4])
})

/** What no response may have before the asked person has submitted. */
const WORDS = ['tangerine-summary', 'tangerine-comment', 'tangerine-remark']
/** the recommendation and the average */
const VALUES = ['strong_no', '1.5']

test('no read of the pages or the API has a word of others, for an asked owner and an asked interviewer', async () => {
  const { id, applicant_id } = await apply(world)
  await ask(id, owner, peng)
  const rest = { recommendation: 'strong_no', ratings: [{ name: 'Depth', score: 1, comment: 'tangerine-comment' }] }
  const card = await write(author, id, 'tangerine-summary', rest)
  await write(recruiter, id, 'tangerine-summary', { ...rest, ratings: [{ name: 'Depth', score: 2 }] })
  const remark = { body: 'tangerine-remark' }
  assert.equal((await author.post(`/applications/${id}/scorecards/${card}/remarks`, remark)).status, 200)
  const values: Readonly<Record<string, string>> = {
    application: id,
    id,
    application_handle: id,
    applicant_handle: applicant_id ?? '',
    job: world.job.id,
    job_id: world.job.id,
    job_handle: world.job.id,
    scorecard: card,
    user: author.userId,
  }
  const filled = (path: string) => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? 'x')
  const own = endpoints.filter(({ method, sends }) => method === 'GET' && (sends === 'json' || sends === 'page'))
  const { body: openapi } = await world.service.get('/openapi.json', world.key)
  const api = Object.entries(openapi.paths as Record<string, object>)
    .filter(([, item]) => 'get' in item)
    .map(([path]) => `/v1${path.replace(/^\/v1/, '')}`)
  const paths = [
    ...own.map(({ path }) => filled(path)),
    ...own.map(({ path }) => filled(path.replace('{id}', '{job}'))),
    ...api.map(filled),
    `/search?q=tangerine`,
    `/candidates?q=tangerine`,
    `/applications/${id}/activity?show=feedback`,
  ]
  assert.ok(paths.length > 100, String(paths.length))
  const shown: string[] = []
  for (const person of [owner, peng]) {
    for (const path of paths) {
      const { status, text } = await person.get(path)
      if (status === 200) shown.push(path)
      for (const secret of WORDS) assert.ok(!text.includes(secret), `${path} has ${secret}`)
      if (path.includes(id)) for (const value of VALUES) assert.ok(!text.includes(value), `${path} has ${value}`)
    }
    const lines = (await person.get(`/applications/${id}/activity?show=feedback`)).body.data
    assert.deepEqual(lines, [], 'not even who has submitted')
  }
  for (const path of [`/applications/${id}/scorecards`, `/candidates/${id}`, '/tasks'])
    assert.ok(shown.includes(path), path)
})

test('no change returns a word of others either: remarks, drafts, cards and notes of the asked person', async () => {
  const { id } = await apply(world)
  await ask(id, admin)
  const card = await write(author, id, 'tangerine-summary')
  const before = [
    await admin.post(`/applications/${id}/scorecards/${card}/remarks`, { body: 'x' }),
    await admin.post(`/applications/${id}/scorecard-draft`, { content: null, expected_version: null }),
    await admin.post(`/applications/${id}/notes`, { body: 'x', mentions: [] }),
    await admin.post(`/v1/applications/${id}/tags`, {}),
    await admin.post('/applications/changes', { application_ids: [id], change: { kind: 'tag', tag: 'a' } }),
  ]
  for (const { text } of before) assert.ok(!text.includes('tangerine'), text)
  assert.equal(before[0]!.status, 404, 'a remark to a card of someone else')
  assert.deepEqual((await panel(admin, id)).cards, [])
})
