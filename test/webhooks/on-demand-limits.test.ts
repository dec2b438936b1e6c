import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { ON_DEMAND_PER_MINUTE } from '../../src/contract/limits.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { signedIn } from '../console/setup.ts'
import { CA_FILE, startReceiver, testNames } from '../harness/receiver.ts'
import { startTestService, type TestResponse } from '../harness/service.ts'

const receiver = await startReceiver()
const settings = { WEBHOOK_ALLOW_HOSTS: receiver.host, WEBHOOK_CA: CA_FILE, ROLES: 'api' }
const service = await startTestService(settings, { resolveName: testNames() })
// each test has a minute of its own
beforeEach(() => clock.advance(120_000))
after(() => clock.reset())

/** Two keys of a workspace, each with an endpoint at the same host. */
async function twoKeys() {
  const { id: workspace, userEmail } = await service.workspace('enterprise')
  const owners = []
  for (const path of ['/a', '/b']) {
    const key = await service.key({ workspace, userEmail })
    const url = new URL(path, receiver.url).href
    const made = await service.post('/webhooks/endpoints', key, { url, event_types: ['job.published'] })
    assert.equal(made.status, 201, made.text)
    owners.push({ key, endpoint: made.body.id as string })
  }
  return { workspace, owners }
}

/** The calls that passed; those that did not are 429 and say how long to wait. */
async function passedOf(most: number, calls: readonly (() => Promise<TestResponse>)[]): Promise<number> {
  const responses = await Promise.all(Array.from({ length: most + 4 }, (_, i) => calls[i % calls.length]!()))
  const refused = responses.filter(({ status }) => status !== 202)
  for (const { status, body, headers } of refused) {
    assert.deepEqual([status, body.detail.code], [429, 'rate_limit_exceeded'])
    assert.match(body.detail.message, new RegExp(`^More than ${most} .* in a minute for this workspace`))
    const wait = Number(headers.get('retry-after'))
    assert.ok(wait >= 1 && wait <= 60)
  }
  return responses.length - refused.length
}

test('POST …/endpoints/{id}/test: 429: counted for the workspace, whichever key or member asks; another workspace is not', async () => {
  const { workspace, owners } = await twoKeys()
  const most = ON_DEMAND_PER_MINUTE.test
  const tests = owners.map(
    ({ key, endpoint }) =>
      () =>
        service.post(`/webhooks/endpoints/${endpoint}/test`, key),
  )
  assert.equal(await passedOf(most, tests), most)
  const owner = await signedIn(service, workspace)
  const inConsole = await owner.post(`/webhooks/${owners[0]!.endpoint}/test`)
  assert.deepEqual([inConsole.status, inConsole.body.detail.code], [429, 'rate_limit_exceeded'])

  const [other] = (await twoKeys()).owners
  assert.equal((await service.post(`/webhooks/endpoints/${other!.endpoint}/test`, other!.key)).status, 202)
  clock.advance(61_000)
  assert.equal((await tests[0]!()).status, 202)
})

test('POST …/deliveries/{id}/redeliver: 429: counted for the workspace, apart from tests', async () => {
  const { workspace, owners } = await twoKeys()
  const most = ON_DEMAND_PER_MINUTE.redelivery
  const deliveries: string[] = []
  const again = []
  for (const { key, endpoint } of owners) {
    const { body } = await service.post(`/webhooks/endpoints/${endpoint}/test`, key)
    deliveries.push(body.id)
    again.push(() => service.post(`/webhooks/deliveries/${body.id}/redeliver`, key))
  }
  assert.equal(await passedOf(most, again), most)
  const owner = await signedIn(service, workspace)
  assert.equal((await owner.post(`/deliveries/${deliveries[0]}/redeliver`)).status, 429)
  assert.equal((await service.post(`/webhooks/endpoints/${owners[0]!.endpoint}/test`, owners[0]!.key)).status, 202)
})

test('POST …/endpoints/{id}/recover: 429: counted for the workspace, apart from tests and redeliveries', async () => {
  const { workspace, owners } = await twoKeys()
  const most = ON_DEMAND_PER_MINUTE.recovery
  const [first] = owners
  const recoveries = owners.map(
    ({ key, endpoint }) =>
      () =>
        service.post(`/webhooks/endpoints/${endpoint}/recover`, key, { after: 0 }),
  )
  assert.equal(await passedOf(most, recoveries), most)
  const owner = await signedIn(service, workspace)
  assert.equal((await owner.post(`/webhooks/${first!.endpoint}/recover`, { after: 0 })).status, 429)
  assert.equal((await service.post(`/webhooks/endpoints/${first!.endpoint}/test`, first!.key)).status, 202)

  const [other] = (await twoKeys()).owners
  const elsewhere = await service.post(`/webhooks/endpoints/${other!.endpoint}/recover`, other!.key, { after: 0 })
  assert.equal(elsewhere.status, 202)
  clock.advance(61_000)
  assert.equal((await recoveries[0]!()).status, 202)
})
