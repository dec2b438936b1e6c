import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { sql } from '../../src/kernel/db/sql.ts'
import { deleteApplication } from '../../src/resources/applications/index.ts'
import { completeOrder, placeOrder } from '../../src/resources/orders/index.ts'
import { lockWaits } from '../harness/lock-waits.ts'
import {
  acceptance,
  accepted,
  act,
  apply,
  newOrder,
  newVendor,
  offeredPackage,
  orderEvents,
  report,
  sharedWorld,
  shown,
} from './setup.ts'

const world = await sharedWorld()
const { service, key, workspace } = world
const { db, blobs } = service.services
const times = <T>(n: number, call: (i: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: n }, (_, i) => call(i)))

const eventsOfOrder = async (id: string) => (await orderEvents(world)).filter(event => event.data.object['id'] === id)

test('POST /orders/{h}/complete: 20 at the same time leave one result of revision 1 and one event', async () => {
  const ordered = await accepted(world, await newOrder(world))
  const before = (await eventsOfOrder(ordered.id)).length
  const all = await times(20, () => act(world, ordered, 'complete', { score: { value: 1, min: 0, max: 2 } }))
  assert.deepEqual(new Set(all.map(response => response.status)), new Set([200]))
  const { body } = await service.get(`/orders/${ordered.id}/result`, key)
  assert.deepEqual([body.revision, body.score_pct], [1, 50])
  assert.equal((await eventsOfOrder(ordered.id)).length, before + 1)
})

test('POST /orders: 10 at the same time place one order', async () => {
  const vendor = await newVendor(world)
  const body = { application_id: (await apply(world)).id, package_id: await offeredPackage(world, vendor) }
  const all = await times(10, () => service.post('/orders', key, body))
  assert.deepEqual(all.map(response => response.status).toSorted(), [...Array(9).fill(200), 201])
  assert.equal(new Set(all.map(response => response.body.id)).size, 1)
})

test('POST /orders: one source for several applications at the same time places one order', async () => {
  const vendor = await newVendor(world)
  const package_id = await offeredPackage(world, vendor)
  const applications = [(await apply(world)).id, (await apply(world)).id, (await apply(world)).id]
  const source = { system: 'acme_ats', external_id: package_id }
  const all = await Promise.all(
    applications.map(application_id => service.post('/orders', key, { application_id, package_id, source })),
  )
  assert.deepEqual(all.map(response => response.status).toSorted(), [200, 200, 201])
  assert.equal(new Set(all.map(response => response.body.id)).size, 1)
})

test('POST /orders/{h}/accept: of two orders that get one external_id at the same time, one is 409', async () => {
  const one = await newOrder(world)
  const two = await newOrder(world, { vendor: one.vendor })
  const body = acceptance()
  const both = await Promise.all([act(world, one, 'accept', body), act(world, two, 'accept', body)])
  assert.deepEqual(both.map(response => response.status).toSorted(), [200, 409])
})

test('orders: cancel and complete at the same time: one of them wins, and the other is 409', async () => {
  const ordered = await accepted(world, await newOrder(world))
  const [canceled, completed] = await Promise.all([
    service.post(`/orders/${ordered.id}/cancel`, key, { reason: 'Filled' }),
    act(world, ordered, 'complete', { outcome: 'recommended' }),
  ])
  assert.deepEqual([canceled.status, completed.status].toSorted(), [200, 409])
  const { body } = await service.get(`/orders/${ordered.id}`, key)
  assert.equal(body.status, canceled.status === 200 ? 'canceled' : 'completed')
  if (canceled.status === 200) assert.equal((await service.post(`/orders/${ordered.id}/cancel`, key)).status, 200)
})

test('POST /orders/{h}/…: 409 stale_resource for an older expected_updated_at; a repeated Idempotency-Key replays', async () => {
  const ordered = await newOrder(world)
  const { updated_at } = ordered.placed
  const body = acceptance({ expected_updated_at: updated_at })
  const headers = { 'idempotency-key': `accept-${ordered.id}` }
  const first = await service.post(`/orders/${ordered.id}/accept`, ordered.vendor.key, body, { headers })
  const second = await service.post(`/orders/${ordered.id}/accept`, ordered.vendor.key, body, { headers })
  assert.deepEqual([first.status, second.status, second.headers.get('idempotent-replayed')], [200, 200, 'true'])
  for (const [name, more] of [
    ['progress', {}],
    ['fail', { code: 'other' }],
    ['complete', {}],
  ] as const)
    assert.deepEqual(shown(await act(world, ordered, name, { ...more, expected_updated_at: updated_at })), [
      409,
      'stale_resource',
    ])
  for (const name of ['cancel', 'repeat'])
    assert.deepEqual(
      shown(await service.post(`/orders/${ordered.id}/${name}`, key, { expected_updated_at: updated_at })),
      [409, 'stale_resource'],
    )
})

/** Deletes the application while `work`, which has locked something of it, is not committed. */
async function deleteDuring(application: string, work: Parameters<typeof db.transaction>[0]): Promise<void> {
  let deletion: Promise<void> | undefined
  await db.transaction(async tx => {
    await work(tx)
    const before = await lockWaits(db)
    deletion = db.transaction(tx =>
      deleteApplication(tx, { workspace, id: application, originKeyId: null }, 'duplicate'),
    )
    while ((await lockWaits(db)) === before) await setImmediate()
  })
  await deletion
}

const deletedEvents = async (id: string) =>
  (await eventsOfOrder(id)).flatMap(({ type, data }) => (type === 'order.deleted' ? [data.object['reason']] : []))

test('orders: the deletion of an application waits for a completion, and notes the file of its report', async () => {
  const ordered = await accepted(world, await newOrder(world))
  const upload = await report(world, ordered)
  await deleteDuring(ordered.application, tx =>
    completeOrder(
      tx,
      blobs,
      { workspace, id: ordered.id, originKeyId: null },
      { outcome: 'recommended', score: null, sections: [], summary: null, report_upload_ids: [upload] },
    ),
  )
  const noted = await db.query(sql<{ blob_key: string }>`
    select blob_key from file_deletions where workspace_id = ${workspace} and blob_key = ${`reports/${workspace}/${upload}`}`)
  assert.equal(noted.length, 1)
  assert.deepEqual(await deletedEvents(ordered.id), ['application_deleted'])
})

test('orders: the deletion of an application waits for a placing, and emits order.deleted for its order', async () => {
  const packageId = await offeredPackage(world, await newVendor(world))
  const applicationId = (await apply(world)).id
  const placedBy = { object: 'credential', id: key.id } as const
  let id = ''
  await deleteDuring(applicationId, async tx => {
    const placed = await placeOrder(tx, {
      workspace,
      applicationId,
      packageId,
      placedBy,
      byPerson: false,
      originKeyId: key.id,
    })
    id = placed!.order.id
  })
  assert.deepEqual(await deletedEvents(id), ['application_deleted'])
})
