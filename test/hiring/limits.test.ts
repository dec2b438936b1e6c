import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { PERSON_ALLOWANCES, type Tier } from '../../src/contract/plans.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { apply, startWorld, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import type { TestResponse } from '../harness/service.ts'

/** Calls of a person in a minute: our own endpoints and those of the API are counted together. */

let world: World
const enter = (role: 'member' | 'viewer' = 'member') =>
  signedIn(world.service, world.workspace, { role, program: 'hiring' })

before(async () => {
  world = await startWorld()
})

/** As if the person had made all calls of the minute but so many. */
async function spend({ userId }: Person, tier: Tier, left = 0): Promise<void> {
  const { limiter } = world.service.services
  let { used } = await limiter.count(userId, tier)
  while (used < PERSON_ALLOWANCES.perMinute[tier] - left) ({ used } = await limiter.count(userId, tier))
}

function assertLimited({ status, headers, body }: TestResponse, what: string): number {
  assert.deepEqual([status, body.detail.code], [429, 'rate_limit_exceeded'], what)
  const wait = Number(headers.get('retry-after'))
  assert.ok(wait >= 1 && wait <= 60, what)
  assert.equal(body.detail.retry_after_seconds, wait, what)
  return wait
}

test('hiring API: 429 rate_limit_exceeded with Retry-After: after the last call of the minute, for reads, writes, the candidate page and the API', async () => {
  const person = await enter()
  const { id } = await apply(world)
  await spend(person, 'general', 1)
  assert.equal((await person.get('/jobs')).status, 200)
  const refused = {
    read: await person.get('/jobs'),
    write: await person.post(`/applications/${id}/tags`, { add: 'late' }),
    candidate: await person.get(`/candidates/${id}`),
    API: await person.get('/v1/jobs'),
  }
  const waits = Object.entries(refused).map(([what, response]) => assertLimited(response, what))
  const other = await enter()
  assert.deepEqual(
    (await other.get(`/tags/of-applications?application_ids=${id}`)).body.tags,
    {},
    'nothing was written',
  )
  assert.equal((await person.get('/sourcing/import/columns.csv')).status, 200, 'another tier')
  clock.advance(Math.max(...waits) * 1000)
  assert.equal((await person.get('/jobs')).status, 200)
  clock.reset()
})

test('GET /candidates/{id}: 200: counts as one call of the minute, whatever it is made of', async () => {
  const person = await enter()
  const { id } = await apply(world)
  await spend(person, 'general', 2)
  assert.equal((await person.get(`/candidates/${id}`)).status, 200)
  assert.equal((await person.get(`/candidates/${id}`)).status, 200)
  assertLimited(await person.get(`/candidates/${id}`), 'the next one')
})

test('hiring API: 429: expensive endpoints of the pages and of the API have one limit together, apart from the others', async () => {
  const person = await enter()
  await spend(person, 'expensive', 1)
  assert.equal((await person.get('/sourcing/import/columns.csv')).status, 200)
  assertLimited(await person.get('/sourcing/profiles.csv'), 'CSV')
  assertLimited(await person.postFile('/sourcing/import/check', Buffer.from('full_name\nAda\n'), 'text/csv'), 'import')
  assertLimited(await person.post('/v1/pool/search', { query: 'welder' }), 'search of the pool')
  assert.equal((await person.get('/jobs')).status, 200)
})

test('hiring API: every call with a session is counted once, also one that the role, the CSRF token or the path refuses', async () => {
  const viewer = await enter('viewer')
  const { limiter } = world.service.services
  const used = async () => (await limiter.count(viewer.userId, 'general')).used
  const wrongToken = { 'x-csrf-token': 'other' }
  const calls: [status: number, call: () => Promise<TestResponse>][] = [
    [403, () => viewer.get('/tasks')],
    [403, () => viewer.post('/member-settings', { language: 'de' }, wrongToken)],
    [404, () => viewer.get('/no-such-endpoint')],
    [404, () => viewer.get('/jobs/%20')],
    [403, () => viewer.post('/v1/lists', { name: 'x' }, wrongToken)],
    [403, () => viewer.post('/v1/lists', { name: 'x' })],
    [400, () => viewer.get('/v1/jobs?nonsense=1')],
    [404, () => viewer.get('/candidates/none')],
  ]
  for (const [status, call] of calls) {
    const before = await used()
    assert.equal((await call()).status, status, String(call))
    assert.equal((await used()) - before, 2, `this one and ${call}`)
  }
  await spend(viewer, 'general')
  for (const [, call] of calls) assertLimited(await call(), String(call))
})
