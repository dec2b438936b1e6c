import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import type { IssuedKey } from '../../src/resources/keys/index.ts'
import {
  acceptance,
  accepted,
  act,
  newOrder,
  newVendor,
  offeredPackage,
  orderEvents,
  otherTenant,
  report,
  sharedWorld,
} from './setup.ts'

const world = await sharedWorld()
const { service, key } = world

/** Every call of a vendor about an order; null: a GET. */
const calls = (reportId: string) =>
  [
    ['', null],
    ['/candidate', null],
    ['/resume/download', null],
    ['/result', null],
    [`/reports/${reportId}/content`, null],
    ['/accept', acceptance()],
    ['/decline', { code: 'other' }],
    ['/fail', { code: 'other' }],
    ['/progress', {}],
    ['/reports', { size_bytes: 5, content_type: 'application/pdf' }],
    ['/complete', { outcome: 'none' }],
  ] as const

/** Without what differs between two responses to the same call. */
const bodyOf = (text: string): string => text.replaceAll(/(req|ord)_\w+/g, '')

test('orders: for another vendor and another workspace every call is the 404 of an order that does not exist, and free', async () => {
  const ordered = await accepted(world, await newOrder(world, { package: { shares: ['email', 'phone', 'resume'] } }))
  await act(world, ordered, 'complete', { outcome: 'clear', report_upload_ids: [await report(world, ordered)] })
  const before = (await service.get(`/orders/${ordered.id}`, key)).body
  const events = (await orderEvents(world)).length
  const strangers = [(await newVendor(world)).key, (await newVendor(await otherTenant(world))).key]
  for (const [name, body] of calls(before.result.reports[0].id)) {
    const call = (id: string, reader: IssuedKey) =>
      body === null ? service.get(`/orders/${id}${name}`, reader) : service.post(`/orders/${id}${name}`, reader, body)
    for (const stranger of strangers) {
      const [theirs, none] = [await call(ordered.id, stranger), await call(newHandle('order'), stranger)]
      assert.deepEqual([theirs.status, bodyOf(theirs.text)], [404, bodyOf(none.text)], name)
      assert.equal(theirs.headers.get('service-personal-data-cost'), null, name)
    }
  }
  for (const stranger of strangers) {
    assert.equal((await service.post(`/packages/${ordered.package}/withdraw`, stranger)).status, 404)
    for (const filter of [`package_id=${ordered.package}`, `application_id=${ordered.application}`, 'status=completed'])
      assert.deepEqual((await service.get(`/orders?${filter}`, stranger)).body.data, [], filter)
  }
  assert.deepEqual((await service.get(`/orders/${ordered.id}`, key)).body, before)
  assert.equal((await orderEvents(world)).length, events)
})

test('orders: a vendor reads no application, applicant or job along with its orders', async () => {
  const ordered = await newOrder(world)
  const { body } = await service.get('/orders?include=application,applicant,job', ordered.vendor.key)
  const [row] = body.data
  assert.deepEqual([row.id, row.included], [ordered.id, {}])
  for (const name of ['application', 'applicant', 'job']) assert.ok(row.restricted.includes(`included.${name}`), name)
})

test('orders: a hire cancels nothing, and a background check can be ordered after it', async () => {
  const ordered = await accepted(world, await newOrder(world))
  assert.equal((await service.post(`/applications/${ordered.application}/hire`, key)).status, 200)
  assert.equal((await service.get(`/orders/${ordered.id}`, key)).body.status, 'invited')
  assert.equal((await service.get(`/orders/${ordered.id}/candidate`, ordered.vendor.key)).status, 200)
  const package_id = await offeredPackage(world, ordered.vendor, { kind: 'background_check' })
  const placed = await service.post('/orders', key, { application_id: ordered.application, package_id })
  assert.equal(placed.status, 201)
  assert.equal((await act(world, ordered, 'complete', { outcome: 'recommended' })).status, 200)
})
