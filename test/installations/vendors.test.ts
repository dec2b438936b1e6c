import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approveApp, changeInstallable } from '../../src/resources/installations/index.ts'
import { apply } from '../applications/setup.ts'
import { signedIn as signedInConsole } from '../console/setup.ts'
import { orderEvents, packageBody, sharedWorld, type Vendor } from '../orders/setup.ts'
import { ask, codeFor, exchange, installable, installer, installIn } from './setup.ts'

const world = await sharedWorld()
const { service } = world
const { db } = service.services

const VENDOR_SCOPES = ['orders:fulfill', 'orders:candidate:read', 'events:read']
const app = await installable(service, { scopes: VENDOR_SCOPES, optionalScopes: ['jobs:read'] })
const HOST = 'tests.vendor.example'
const body = (more: object = {}) =>
  packageBody({ candidate_host: HOST, privacy_url: `https://${HOST}/privacy`, ...more })
const link = { external_id: 'A-1', candidate_url: `https://${HOST}/t/1` }
const uninstall = (key: string, id: string) =>
  service.post(`/installations/${id}/uninstall`, key, { client_secret: app.client_secret })

const place = async (packageId: string) => {
  const placed = await service.post('/orders', world.key, {
    application_id: (await apply(world)).id,
    package_id: packageId,
  })
  assert.equal(placed.status, 201, placed.text)
  return placed.body
}

test('packages of an installation: 201 active, of the vendor ins_ with the name of the app; another host is 400', async () => {
  const { access_token: key, installation_id: id } = await installIn(service, app, world.workspace)
  const made = await service.post('/packages', key, body())
  assert.deepEqual(
    [made.status, made.body.status, made.body.vendor],
    [201, 'active', { id, name: 'Skill Checks' }],
    made.text,
  )
  for (const host of ['tests.example.com', 'evilvendor.example']) {
    const refused = await service.post('/packages', key, body({ candidate_host: host }))
    assert.deepEqual([refused.status, refused.body.detail.param], [400, 'candidate_host'], host)
  }
  assert.equal((await service.post('/packages', key, body({ candidate_host: 'VENDOR.example' }))).status, 201)
  for (const param of ['privacy_url', 'info_url'])
    for (const url of ['https://tests.example.com/page', 'https://vendor.example@evilvendor.example/']) {
      const refused = await service.post('/packages', key, body({ [param]: url }))
      assert.deepEqual([refused.status, refused.body.detail.param], [400, param], url)
    }
  assert.equal((await service.post('/packages', key, body({ info_url: 'https://VENDOR.example/about' }))).status, 201)
  assert.equal((await uninstall(key, id)).status, 200)
})

test('packages of an installation: 400 for another kind of a check whose findings stay with the vendor', async () => {
  const { access_token: key, installation_id: id } = await installIn(service, app, world.workspace)
  for (const kind of ['background_check', 'identity_check']) {
    const check = body({ kind })
    assert.equal((await service.post('/packages', key, check)).status, 201)
    const refused = await service.post('/packages', key, { ...check, kind: 'other' })
    assert.deepEqual([refused.status, refused.body.detail.param], [400, 'kind'])
    assert.equal((await service.post('/packages', key, { ...check, name: 'Register' })).status, 200)
  }
  const test = body()
  assert.equal((await service.post('/packages', key, test)).status, 201)
  assert.equal((await service.post('/packages', key, { ...test, kind: 'work_sample' })).status, 200)
  assert.equal((await uninstall(key, id)).status, 200)
})

test('a rotated and an upgraded key of an installation: 200 for its packages, orders and events', async () => {
  const mine = await installable(service, { scopes: VENDOR_SCOPES, optionalScopes: [] })
  const { browser } = await installer(service, world.workspace)
  const first = await installIn(service, mine, world.workspace, { browser })
  const id = first.installation_id
  const made = await service.post('/packages', first.access_token, body())
  const order = await place(made.body.id)
  await orderEvents(world)
  const reads = async (key: string) => {
    const one = await service.get(`/orders/${order.id}`, key)
    const list = await service.get('/packages', key)
    const events = await service.get('/events', key)
    return [one.status, list.body.data.map((row: { id: string }) => row.id), events.body.data.at(-1)?.data.object.id]
  }
  const all = [200, [made.body.id], order.id]
  assert.deepEqual(await reads(first.access_token), all)
  const rotated = await service.post(`/installations/${id}/rotate-key`, first.access_token, {
    client_secret: mine.client_secret,
  })
  assert.equal(rotated.status, 200, rotated.text)
  assert.deepEqual(await reads(rotated.body.access_token), all)

  await changeInstallable(db, mine.id, { scopes: [...VENDOR_SCOPES, 'jobs:read'] })
  await approveApp(db, mine.id)
  const asked = await ask(mine)
  const upgraded = await exchange(service, mine, {
    code: await codeFor(browser, asked),
    code_verifier: asked.verifier,
  })
  assert.deepEqual([upgraded.status, upgraded.body.installation_id], [200, id])
  const key = upgraded.body.access_token
  assert.deepEqual(await reads(key), all)
  assert.deepEqual(await reads(rotated.body.access_token), all, 'the key before it, until its overlap ends')
  const accepted = await service.post(`/orders/${order.id}/accept`, key, link)
  assert.deepEqual([accepted.status, accepted.body.status], [200, 'invited'], accepted.text)
  const other = await installIn(service, app, world.workspace)
  assert.deepEqual(await reads(other.access_token), [404, [], undefined], 'another app')
  await uninstall(other.access_token, other.installation_id)
})

test('POST /installations/{h}/uninstall: its packages are withdrawn and its open orders canceled, others stay', async () => {
  const { access_token: key, installation_id: id } = await installIn(service, app, world.workspace)
  const made = await service.post('/packages', key, body())
  const [open, invited, declined] = [await place(made.body.id), await place(made.body.id), await place(made.body.id)]
  assert.equal((await service.post(`/orders/${invited.id}/accept`, key, link)).status, 200)
  assert.equal((await service.post(`/orders/${declined.id}/decline`, key, { code: 'other' })).status, 200)
  const ended = await uninstall(key, id)
  assert.deepEqual([ended.status, ended.body.status], [200, 'ended'], ended.text)
  assert.equal((await service.get(`/packages/${made.body.id}`, world.key)).body.status, 'withdrawn')
  for (const { id: handle } of [open, invited]) {
    const { body: order } = await service.get(`/orders/${handle}`, world.key)
    assert.deepEqual([order.status, order.status_reason.code], ['canceled', 'app_uninstalled'])
  }
  assert.equal((await service.get(`/orders/${declined.id}`, world.key)).body.status, 'declined')
  const canceled = (await orderEvents(world)).filter(({ data }) => data.object.status === 'canceled')
  assert.deepEqual(canceled.map(({ data }) => data.object.id).toSorted(), [open.id, invited.id].toSorted())
  const again = await service.post('/orders', world.key, {
    application_id: (await apply(world)).id,
    package_id: made.body.id,
  })
  assert.deepEqual([again.status, again.body.detail.code], [409, 'package_not_available'])
})

test('uninstall while packages are published and ordered: no package stays active and no order open', async () => {
  const { access_token: key, installation_id: id } = await installIn(service, app, world.workspace)
  const made = await service.post('/packages', key, body())
  const applications = await Promise.all(Array.from({ length: 8 }, () => apply(world)))
  const outcomes = await Promise.all([
    ...applications.map(({ id: application_id }) =>
      service.post('/orders', world.key, { application_id, package_id: made.body.id }),
    ),
    ...Array.from({ length: 4 }, () => service.post('/packages', key, body())),
    uninstall(key, id),
  ])
  for (const { status, text } of outcomes) assert.ok([200, 201, 401, 409].includes(status), text)
  const { body: packages } = await service.get('/packages?limit=100', world.key)
  const { body: orders } = await service.get('/orders?limit=100', world.key)
  const ofIt = ({ vendor }: { vendor: Vendor['key'] }) => vendor.id === id
  assert.deepEqual([...new Set(packages.data.filter(ofIt).map((row: { status: string }) => row.status))], ['withdrawn'])
  for (const { status } of orders.data.filter(ofIt)) assert.equal(status, 'canceled')
})

test('POST /console/api/installations/{id}/uninstall: 200, the orders of the app are canceled too', async () => {
  const { access_token: key, installation_id: id } = await installIn(service, app, world.workspace)
  const order = await place((await service.post('/packages', key, body())).body.id)
  const owner = await signedInConsole(service, world.workspace)
  assert.equal((await owner.post(`/installations/${id}/uninstall`, {})).status, 200)
  assert.equal((await service.get(`/orders/${order.id}`, world.key)).body.status_reason.code, 'app_uninstalled')
})

test('POST /console/api/packages/{id}/offer: 409 package_not_available, once the app was uninstalled', async () => {
  const { access_token: key, installation_id: id } = await installIn(service, app, world.workspace)
  const { body: made } = await service.post('/packages', key, body())
  const owner = await signedInConsole(service, world.workspace)
  assert.equal((await owner.post(`/packages/${made.id}/withdraw`, {})).status, 200)
  const offer = async () => {
    const { updated_at: expected_updated_at } = (await owner.get(`/packages/${made.id}`)).body
    return owner.post(`/packages/${made.id}/offer`, { expected_updated_at })
  }
  assert.equal((await offer()).status, 200)
  assert.equal((await uninstall(key, id)).status, 200)
  const refused = await offer()
  assert.deepEqual([refused.status, refused.body.detail?.code], [409, 'package_not_available'], refused.text)
  assert.equal((await service.get(`/packages/${made.id}`, world.key)).body.status, 'withdrawn')
})
