import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isReservedAddress } from '../../src/kernel/text/person-keys.ts'
import { inventPerson, TEST_POOL_SIZE } from '../../src/resources/pool/invented-people.ts'
import { signedIn } from '../console/setup.ts'
import { startTestService } from '../harness/service.ts'
import { newTestTenant } from './setup.ts'

const service = await startTestService({ ROLES: 'api' })
const tenant = await newTestTenant(service)
const { key } = tenant
const search = async (body: object, on = key) => {
  const { status, body: found, text } = await service.post('/pool/search', on, body)
  assert.equal(status, 200, text)
  return found.data
}

test('test pool: 500 invented people, no two of one name, with addresses in reserved domains alone', () => {
  const people = Array.from({ length: TEST_POOL_SIZE }, (_, number) => inventPerson(number))
  assert.equal(new Set(people.map(({ full_name }) => full_name)).size, 500)
  for (const { company_website, summary } of people) {
    assert.ok(isReservedAddress(`someone@${new URL(company_website).hostname}`), company_website)
    assert.match(summary ?? '', /^Invented/)
  }
  assert.deepEqual(people[42], inventPerson(42))
})

test('test pool: each place and trade has people, so that filters and searches find some and leave some out', () => {
  const people = Array.from({ length: TEST_POOL_SIZE }, (_, number) => inventPerson(number))
  for (const field of ['location_full', 'department', 'company_name', 'management_level'] as const) {
    const counts = [...Map.groupBy(people, person => person[field]).values()].map(group => group.length)
    assert.ok(counts.length > 3 && Math.min(...counts) > 5 && Math.max(...counts) < 400, `${field} ${counts}`)
  }
})

test('POST /pool/search in a test workspace: best matches first, by every kind of word, with a spelling corrected', async () => {
  const found = await search({ terms: { titles: ['Welder'], skills: ['TIG welding'] }, limit: 5 })
  assert.equal(found.length, 5)
  for (const row of found) {
    assert.match(row.job_title, /Welder/)
    assert.ok(row.match_score > 0 && row.match_tier && row.provenance.provider === 'test_pool', JSON.stringify(row))
    assert.equal(row.linkedin_url, null)
  }
  assert.match((await search({ query: 'weldr' }))[0].job_title, /Welder/)
  for (const row of await search({ terms: { companies: ['Lorem Foods'] }, limit: 3 })) {
    assert.equal(row.company_name, 'Lorem Foods')
  }
  assert.deepEqual(await search({ query: '--' }), [])
  assert.deepEqual(await search({ query: 'zzyzxqwv' }), [])
})

test('GET /pool/profiles in a test workspace: all 500 page by page, the newest first, none twice; filters and single reads', async () => {
  const rows: { id: string; last_seen_at: string }[] = []
  let cursor = ''
  do {
    const { status, body, text } = await service.get(`/pool/profiles?limit=90${cursor}`, key)
    assert.equal(status, 200, text)
    rows.push(...body.data)
    cursor = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`
  } while (cursor)
  assert.equal(new Set(rows.map(({ id }) => id)).size, 500)
  const times = rows.map(row => row.last_seen_at)
  assert.deepEqual(times, times.toSorted().toReversed())

  const read = async (query: string) => (await service.get(`/pool/profiles?limit=100&${query}`, key)).body.data
  const germans = await read('country=germany&title=WELD')
  assert.ok(germans.length > 0)
  for (const row of germans) assert.ok(row.location_country === 'Germany' && /Welder/.test(row.job_title))
  assert.equal((await read(`updated_after=${encodeURIComponent(times[10]!)}`)).length, 10)
  assert.deepEqual(await read('company=noone'), [])

  const first = rows[0]!
  const { match_score: _, match_tier: __, ...single } = (await service.get(`/pool/profiles/${first.id}`, key)).body
  assert.deepEqual(single, first)
  const elsewhere = await newTestTenant(service)
  assert.equal((await service.get(`/pool/profiles/${first.id}`, elsewhere.key)).status, 200)
})

test('the test pool is no one’s but that of test workspaces: 404 and nothing found in a live one', async () => {
  const [invented] = await search({ query: 'welder' })
  const { id: live, userEmail } = await service.workspace('enterprise')
  const liveKey = await service.key({ workspace: live, userEmail })
  assert.equal((await service.get(`/pool/profiles/${invented.id}`, liveKey)).status, 404)
  assert.deepEqual(await search({ query: 'welder' }, liveKey), [])
  assert.deepEqual((await service.get('/pool/profiles', liveKey)).body.data, [])
})

test('a profile of the test pool: saved once, revealed for play credits, erased and gone with a reset', async () => {
  const own = await newTestTenant(service)
  const hiring = await signedIn(service, own.workspace, { program: 'hiring' })
  const [found] = await search({ query: 'welder' }, own.key)
  const save = async () => {
    const list = (await service.post('/lists', own.key, { name: 'Welders' })).body
    const { status, body, text } = await hiring.post('/sourcing/pool/save', {
      list_id: list.id,
      profiles: [{ id: found.id, match_score: 90, match_tier: 'strong' }],
    })
    assert.equal(status, 200, text)
    return body.results[0]
  }
  const first = await save()
  assert.equal(first.status, 'added')
  assert.equal((await save()).profile_id, first.profile_id)
  const { saved } = (await hiring.post('/sourcing/pool/saved', { pool_ids: [found.id] })).body
  assert.deepEqual(saved, [{ pool_id: found.id, profile_id: first.profile_id }])
  const profile = (await service.get(`/sourced-profiles/${first.profile_id}`, own.key)).body
  assert.deepEqual([profile.full_name, profile.job_title], [found.full_name, found.job_title])

  const reveal = (value: string) =>
    hiring.post(`/sourcing/profiles/${first.profile_id}/reveal`, { values: [{ field: 'email', value, kind: 'work' }] })
  assert.equal((await reveal('welder@people.dev')).status, 400)
  assert.equal((await reveal('welder@example.org')).status, 200)
  const credits = async () => (await hiring.get('/credits')).body.balance
  assert.ok((await credits()) < 10_000)

  const owner = await signedIn(service, own.workspace)
  const email = 'welder@example.org'
  const erased = await owner.post('/erasures', { email, reason: 'erasure_request', confirmation: email })
  assert.equal(erased.status, 200, erased.text)
  assert.equal((await save()).status, 'stopped')
  assert.equal((await search({ query: 'welder' }))[0].id, found.id)

  assert.equal((await service.post('/test/reset', own.key, { seed: 'none' })).status, 202)
  assert.equal((await service.get(`/sourced-profiles/${first.profile_id}`, own.key)).status, 404)
  assert.equal(await credits(), 10_000)
  assert.equal((await search({ query: 'welder' }, own.key))[0].id, found.id)
  assert.equal((await save()).status, 'added')
})
