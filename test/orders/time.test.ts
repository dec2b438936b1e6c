import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { ALL_ROWS } from '../../src/kernel/http/list.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { checkAlerts, describeAlert, selectAlerts } from '../../src/resources/alerts/index.ts'
import { attendDueOrders } from '../../src/resources/orders/index.ts'
import { attendOrders } from '../../src/workers/attend-orders.ts'
import { acceptance, accepted, act, newOrder, type Ordered, orderEvents, shown, startWorld } from './setup.ts'

const world = await startWorld()
const { service, key } = world
const { db } = service.services
const DAY = 86_400_000

afterEach(() => clock.reset())

/** What falls due in so many days, in the order of time. */
async function pass(days: number): Promise<void> {
  clock.advance(days * DAY)
  while ((await attendDueOrders(db, 100)) > 0);
}

const read = async ({ id }: Pick<Ordered, 'id'>) => {
  const { body } = await service.get(`/orders/${id}`, key)
  return body
}

test('orders: expired at the due date, with one event; a later result is late, and 409 after 30 days', async () => {
  const [one, two] = [await accepted(world, await newOrder(world)), await accepted(world, await newOrder(world))]
  await pass(15)
  assert.deepEqual([(await read(one)).status, (await read(one)).waiting_on], ['expired', null])
  const events = (await orderEvents(world)).filter(event => event.data.object['id'] === one.id)
  assert.deepEqual(events.at(-1)!.data.object['changed'], ['status', 'waiting_on'])
  assert.equal(events.filter(event => event.data.object['status'] === 'expired').length, 1)
  assert.deepEqual(shown(await act(world, one, 'complete', { outcome: 'recommended' })), [200, 'completed'])
  assert.equal((await read(one)).result.late, true)
  clock.advance(31 * DAY)
  const refused = await act(world, two, 'complete', { outcome: 'recommended' })
  assert.deepEqual(shown(refused), [409, 'invalid_order_state'])
  assert.match(refused.body.detail.message, /30 days/)
})

test('orders: before a worker has looked: a result after the due date is late, 409 after 30 days, and the candidate is 404', async () => {
  const [one, two] = [await accepted(world, await newOrder(world)), await accepted(world, await newOrder(world))]
  const silent = await newOrder(world)
  const candidate = async ({ id, vendor }: Ordered) => (await service.get(`/orders/${id}/candidate`, vendor.key)).status
  assert.deepEqual([await candidate(one), await candidate(silent)], [200, 200])
  clock.advance(15 * DAY)
  assert.equal((await read(one)).status, 'invited')
  assert.deepEqual([await candidate(one), await candidate(silent)], [404, 404])
  assert.deepEqual(shown(await act(world, one, 'complete', { outcome: 'recommended' })), [200, 'completed'])
  assert.equal((await read(one)).result.late, true)
  clock.advance(31 * DAY)
  assert.equal((await read(two)).status, 'invited')
  assert.deepEqual(shown(await act(world, two, 'complete', { outcome: 'recommended' })), [409, 'invalid_order_state'])
  // a result that was stored can be corrected later
  assert.deepEqual(shown(await act(world, one, 'complete', { outcome: 'none' })), [200, 'completed'])
})

test('alerts: an order without a response for 24 hours is an alert of its vendor until there is one', async () => {
  const { workspace } = world
  await pass(8)
  clock.reset()
  const [one, two] = [await newOrder(world), await newOrder(world)]
  const alerts = async () => {
    assert.ok(await checkAlerts(db))
    const rows = await db.query(selectAlerts(workspace, 'open', ALL_ROWS))
    return rows.filter(({ kind }) => kind === 'order_waiting').map(describeAlert)
  }
  clock.advance(DAY - 60_000)
  assert.deepEqual(await alerts(), [])
  clock.advance(120_000)
  const open = await alerts()
  assert.equal(open.length, 2, 'one for each vendor')
  assert.deepEqual(shown(await act(world, one, 'accept', acceptance())), [200, 'invited'])
  assert.deepEqual(shown(await act(world, two, 'decline', { code: 'other' })), [200, 'declined'])
  assert.deepEqual(await alerts(), [])
})

test('POST /orders/{h}/progress and complete: 400 for a time in the future; five minutes are the clock of the vendor', async () => {
  const ordered = await accepted(world, await newOrder(world))
  const inMinutes = (minutes: number) => new Date(clock.now() + minutes * 60_000).toISOString()
  for (const [name, param] of [
    ['progress', 'started_at'],
    ['complete', 'completed_at'],
  ] as const) {
    const { status, body } = await act(world, ordered, name, { [param]: inMinutes(10) })
    assert.deepEqual([status, body.detail?.param], [400, param])
    assert.equal((await act(world, ordered, name, { [param]: inMinutes(4) })).status, 200, name)
  }
})

test('orders: vendor_timeout after 7 days without a response; then the package can be ordered again', async () => {
  const ordered = await newOrder(world)
  await pass(6)
  assert.equal((await read(ordered)).status, 'requested')
  await pass(1.1)
  const failed = await read(ordered)
  assert.deepEqual([failed.status, failed.status_reason.code], ['failed', 'vendor_timeout'])
  const again = await service.post(`/orders/${ordered.id}/repeat`, key)
  assert.deepEqual([again.status, again.body.attempt, again.body.previous_order_id], [201, 2, ordered.id])
  assert.deepEqual(shown(await service.post(`/orders/${again.body.id}/repeat`, key)), [409, 'invalid_order_state'])
})

test('POST /orders/{h}/extend: another due date; an expired order is open again; 400 beyond 90 days', async () => {
  const ordered = await accepted(world, await newOrder(world))
  const inDays = async (days: number) => new Date((await db.now()) + days * DAY).toISOString()
  const later = await inDays(20)
  const extended = await service.post(`/orders/${ordered.id}/extend`, key, { due_at: later })
  assert.deepEqual([extended.status, extended.body.due_at], [200, later])
  await pass(15)
  assert.equal((await read(ordered)).status, 'invited')
  await pass(6)
  assert.equal((await read(ordered)).status, 'expired')
  const reopened = await service.post(`/orders/${ordered.id}/extend`, key, { due_at: await inDays(3) })
  assert.deepEqual(shown(reopened), [200, 'invited'])
  const far = await service.post(`/orders/${ordered.id}/extend`, key, { due_at: await inDays(91) })
  assert.deepEqual([far.status, far.body.detail.param], [400, 'due_at'])
})

test('attend-orders: expires what is due, by itself, and stops on request', async () => {
  const ordered = await accepted(world, await newOrder(world))
  clock.advance(15 * DAY)
  const stop = new AbortController()
  const running = attendOrders({ db }).run(stop.signal)
  const open = sql`select 1 from orders where id = ${ordered.id} and status <> 'expired'`
  while ((await db.query(open)).length > 0);
  stop.abort()
  await running
  assert.equal((await read(ordered)).status, 'expired')
})
