import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joinedLookups } from '../../src/kernel/net/resolve-name.ts'
import { emit } from '../harness/events.ts'
import { CA_FILE, startReceiver, until } from '../harness/receiver.ts'
import { startTestService } from '../harness/service.ts'

const OUTSIDE = { local: false }

/** Lookups that the test resolves by hand, in the order in which they began. */
function byHand() {
  const begun: { hostname: string; response: (addresses: string[]) => void; fail: () => void }[] = []
  const names = joinedLookups(
    hostname =>
      new Promise((resolve, reject) => {
        begun.push({ hostname, response: resolve, fail: () => reject(new Error('no servers')) })
      }),
  )
  return { begun, names }
}
const turn = () => new Promise(resolve => setImmediate(() => setImmediate(resolve)))

test('DNS lookups: many that ask for one name at the same time are one question; another name is another', async () => {
  const { begun, names } = byHand()
  const asked = Array.from({ length: 100 }, () => names('a.example', OUTSIDE))
  const other = names('b.example', OUTSIDE)
  await turn()
  assert.deepEqual(begun.map(b => b.hostname).sort(), ['a.example', 'b.example'])
  begun.find(b => b.hostname === 'a.example')!.response(['8.8.8.8'])
  for (const addresses of await Promise.all(asked)) assert.deepEqual(addresses, ['8.8.8.8'])
  begun.find(b => b.hostname === 'b.example')!.response(['9.9.9.9'])
  assert.deepEqual(await other, ['9.9.9.9'])
})

test('DNS lookups: a caller never gets a response that was already in flight: that lookup began before the call', async () => {
  const { begun, names } = byHand()
  const early = names('a.example', OUTSIDE)
  await turn()
  const late = [names('a.example', OUTSIDE), names('a.example', OUTSIDE)]
  await turn()
  assert.equal(begun.length, 1, 'one query in flight at a time')
  begun[0]!.response(['8.8.8.8'])
  assert.deepEqual(await early, ['8.8.8.8'])
  await turn()
  assert.equal(begun.length, 2)
  begun[1]!.response(['127.0.0.1'])
  assert.deepEqual(await Promise.all(late), [['127.0.0.1'], ['127.0.0.1']])
})

test('DNS lookups: a lookup that fails, fails for all who shared it; the next one queries again', async () => {
  const { begun, names } = byHand()
  const asked = [names('a.example', OUTSIDE), names('a.example', OUTSIDE)]
  await turn()
  begun[0]!.fail()
  for (const { status } of await Promise.allSettled(asked)) assert.equal(status, 'rejected')
  const again = names('a.example', OUTSIDE)
  await turn()
  begun[1]!.response([])
  assert.deepEqual(await again, [])
})

test('DNS lookups: many deliveries to one host: few lookups, and yet a change of the name counts for the very next one', async () => {
  const receiver = await startReceiver('many.hooks.test')
  let lookups = 0
  let addresses = ['127.0.0.1']
  const service = await startTestService(
    { WEBHOOK_ALLOW_HOSTS: receiver.host, WEBHOOK_CA: CA_FILE },
    {
      resolveName: async () => {
        lookups++
        return addresses
      },
    },
  )
  const { id: workspace, userEmail } = await service.workspace('enterprise')
  const key = await service.key({ workspace, userEmail })
  await service.post('/webhooks/endpoints', key, { url: receiver.url, event_types: ['job.updated'] })
  lookups = 0
  await emit(service.services.db, workspace, Array(400).fill('job.updated'))
  await until('all have arrived', () => receiver.received.length === 400)
  assert.ok(lookups < 200, `${lookups} lookups for 400 deliveries`)
  // the sender asks again for each delivery: a name without addresses ends the next attempt immediately
  addresses = []
  await emit(service.services.db, workspace, ['job.updated'])
  const ended = async () =>
    (await service.get('/webhooks/deliveries?status=retrying', key)).body.data.find(
      (d: { error: string }) => d.error === 'connection_failed',
    )
  await until('the attempt ended', async () => (await ended()) !== undefined)
  assert.equal(receiver.received.length, 400)
})
