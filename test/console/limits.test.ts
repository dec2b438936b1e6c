import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { PERSON_ALLOWANCES } from '../../src/contract/plans.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { CA_FILE, startReceiver, testNames } from '../harness/receiver.ts'
import { startTestService } from '../harness/service.ts'
import { signedIn } from './setup.ts'

const receiver = await startReceiver()
const settings = { WEBHOOK_ALLOW_HOSTS: receiver.host, WEBHOOK_CA: CA_FILE, ROLES: 'api' }
const service = await startTestService(settings, { resolveName: testNames() })
// each test has a minute of its own
beforeEach(() => clock.advance(120_000))
after(() => clock.reset())

test('console: 429 rate_limit_exceeded: calls of a person are counted, expensive ones apart', async () => {
  const { id: workspace } = await service.workspace('enterprise')
  const owner = await signedIn(service, workspace)
  const { expensive } = PERSON_ALLOWANCES.perMinute
  let refused = await owner.get('/requests/figures?range=7d')
  let served = 0
  // a minute may end in between, and the next one has a limit of its own
  for (; refused.status === 200 && served < 3 * expensive; served++)
    refused = await owner.get('/requests/figures?range=7d')
  assert.ok(served >= expensive)
  assert.deepEqual([refused.status, refused.body.detail.code], [429, 'rate_limit_exceeded'])
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  assert.equal((await owner.get('/settings')).status, 200)
  const other = await signedIn(service, workspace)
  assert.equal((await other.get('/requests/figures?range=7d')).status, 200)
})

test('console: 429 rate_limit_exceeded: calls that the role refuses are counted, too', async () => {
  const { id: workspace } = await service.workspace('enterprise')
  const { expensive } = PERSON_ALLOWANCES.perMinute
  const member = await signedIn(service, workspace, { role: 'member' })
  const statuses = []
  // a minute may end in between, and the next one has a limit of its own
  for (let i = 0; i < 3 * expensive && statuses.at(-1) !== 429; i++)
    statuses.push((await member.get('/requests/figures?range=7d')).status)
  assert.ok(statuses.length > expensive)
  assert.equal(statuses.at(-1), 429)
  assert.ok(statuses.slice(0, -1).every(status => status === 403))
})

test('console: 429 rate_limit_exceeded: ten tests of webhooks in a minute for a workspace, and no more requests go out', async () => {
  const { id: workspace } = await service.workspace('enterprise')
  const people = [await signedIn(service, workspace), await signedIn(service, workspace, { role: 'admin' })]
  assert.equal((await people[0]!.post('/alert-webhook', { url: receiver.url, muted_kinds: [] })).status, 200)
  const statuses = await Promise.all(
    Array.from({ length: 14 }, async (_, i) => (await people[i % 2]!.post('/alert-webhook/test')).status),
  )
  assert.deepEqual(statuses.toSorted(), [...Array(10).fill(200), ...Array(4).fill(429)])
  assert.equal(receiver.received.length, 10)
  clock.advance(61_000)
  assert.equal((await people[0]!.post('/alert-webhook/test')).status, 200)
})

test('console lists: 400 invalid_cursor for the cursor of another member', async () => {
  const { id: workspace, userEmail } = await service.workspace('enterprise')
  const key = await service.key({ workspace, userEmail })
  for (let i = 0; i < 3; i++) assert.equal((await service.get('/me', key)).status, 200)
  const owner = await signedIn(service, workspace)
  const other = await signedIn(service, workspace)
  const { next_cursor } = (await owner.get('/requests?limit=1')).body
  const path = `/requests?limit=1&cursor=${encodeURIComponent(next_cursor)}`
  assert.equal((await owner.get(path)).status, 200)
  const refused = await other.get(path)
  assert.deepEqual([refused.status, refused.body.detail.code], [400, 'invalid_cursor'])
})
