import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { workspaceVerbs } from '../../src/cli/workspaces.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { isHandle } from '../../src/kernel/ids/handles.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { runTestClocks, takeTestOrdersFurther } from '../../src/resources/test-workspaces/index.ts'
import { TEST_PACKAGES, TEST_VENDOR, type TestPackageName } from '../../src/resources/test-workspaces/vendor-rules.ts'
import { playTestVendor } from '../../src/workers/play-test-vendor.ts'
import { signedIn } from '../console/setup.ts'
import { startTestService } from '../harness/service.ts'
import { runVerb } from '../harness/verb.ts'
import { apply, newOrder, newVendor, orderEvents } from '../orders/setup.ts'
import { newTestTenant, type TestTenant } from './setup.ts'

const service = await startTestService({ ROLES: 'api' })
const { services } = service
const { db } = services
const DAY = 86_400

afterEach(() => clock.reset())

const get = async ({ key }: Pick<TestTenant, 'key'>, path: string) => (await service.get(path, key)).body

/** A test workspace with the packages of the vendor, each by its name. */
async function seeded(): Promise<TestTenant & { packages: Record<TestPackageName, string> }> {
  const tenant = await newTestTenant(service)
  const done = await service.post('/test/seed', tenant.key, { seed: 'checks' })
  assert.deepEqual([done.status, done.body.seed], [202, 'checks'])
  const { data } = await get(tenant, '/packages?limit=100')
  const named = data.filter(({ vendor }: { vendor: { id: string } }) => vendor.id === TEST_VENDOR.id)
  return {
    ...tenant,
    packages: Object.fromEntries(named.map((row: { external_id: string; id: string }) => [row.external_id, row.id])),
  } as TestTenant & { packages: Record<TestPackageName, string> }
}

const order = async (tenant: Awaited<ReturnType<typeof seeded>>, name: TestPackageName): Promise<string> => {
  const { id: application_id } = await apply(tenant)
  const placed = await service.post('/orders', tenant.key, { application_id, package_id: tenant.packages[name] })
  assert.deepEqual([placed.status, placed.body?.status], [201, 'requested'], placed.text)
  return placed.body.id
}

/** What the worker does, until nothing is left. */
async function play(): Promise<void> {
  while ((await takeTestOrdersFurther(services, 100)) > 0);
}

async function advance({ key }: Pick<TestTenant, 'key'>, days: number): Promise<void> {
  assert.equal((await service.post('/test/clock/advance', key, { by_seconds: days * DAY })).status, 202)
  await runTestClocks(services, true, new AbortController().signal)
}

test('seed checks: the records of small and the packages of the built-in vendor, active; a repeat changes no package', async () => {
  const tenant = await seeded()
  assert.ok(isHandle('credential', TEST_VENDOR.id))
  assert.deepEqual(Object.keys(tenant.packages).toSorted(), Object.keys(TEST_PACKAGES).toSorted())
  const before = await get(tenant, '/packages?limit=100')
  for (const { status, vendor } of before.data)
    assert.deepEqual([status, vendor], ['active', { id: TEST_VENDOR.id, name: TEST_VENDOR.name }])
  assert.ok((await get(tenant, '/applications?limit=100')).data.length >= 8)
  assert.equal((await service.post('/test/seed', tenant.key, { seed: 'checks' })).status, 202)
  assert.deepEqual((await get(tenant, '/packages?limit=100')).data, before.data)
  const reset = await service.post('/test/reset', tenant.key, { seed: 'checks' })
  assert.deepEqual([reset.status, reset.body.seed], [202, 'checks'])
  assert.equal((await get(tenant, '/packages?limit=100')).data.length, 5)
  await service.post('/test/reset', tenant.key, { seed: 'small' })
  assert.equal((await get(tenant, '/packages?limit=100')).data.length, 0)
})

test('the built-in vendor: passes and fails are completed with a score, by events of any vendor; others wait', async () => {
  const tenant = await seeded()
  const names = Object.keys(TEST_PACKAGES) as TestPackageName[]
  const orders = Object.fromEntries(
    await Promise.all(names.map(async name => [name, await order(tenant, name)] as const)),
  )
  await play()
  await play()
  const shown = async (name: string) => {
    const { status, waiting_on, result } = await get(tenant, `/orders/${orders[name]}`)
    return [status, waiting_on, result?.outcome ?? null, result?.score_pct ?? null]
  }
  assert.deepEqual(await shown('passes'), ['completed', null, 'recommended', 84])
  assert.deepEqual(await shown('fails'), ['completed', null, 'not_recommended', 31])
  assert.deepEqual(await shown('expires'), ['invited', 'candidate', null, null])
  assert.deepEqual(await shown('never_answers'), ['requested', 'vendor', null, null])
  assert.deepEqual(await shown('needs_candidate'), ['in_progress', 'candidate', null, null])
  const emitted = (await orderEvents(tenant)).filter(({ data }) => data.object['id'] === orders['passes'])
  assert.deepEqual(
    emitted.map(({ type, data }) => [type, data.object['status']]),
    [
      ['order.created', 'requested'],
      ['order.updated', 'invited'],
      ['order.updated', 'in_progress'],
      ['order.updated', 'completed'],
    ],
  )

  await advance(tenant, 2)
  assert.equal((await shown('expires'))[0], 'expired')
  await advance(tenant, 6)
  const failed = await get(tenant, `/orders/${orders['never_answers']}`)
  assert.deepEqual([failed.status, failed.status_reason.code], ['failed', 'vendor_timeout'])
  const canceled = await service.post(`/orders/${orders['needs_candidate']}/cancel`, tenant.key)
  assert.equal(canceled.body.status, 'canceled')
  await play()
  const again = await service.post(`/orders/${orders['fails']}/repeat`, tenant.key)
  await play()
  assert.equal((await get(tenant, `/orders/${again.body.id}`)).status, 'completed')
})

test('the built-in vendor: an order that a person places is invited and completed, too', async () => {
  const tenant = await seeded()
  const { id } = await apply(tenant)
  const hiring = await signedIn(service, tenant.workspace, { program: 'hiring' })
  const placed = await hiring.post(`/applications/${id}/orders`, { package_id: tenant.packages.passes })
  assert.equal(placed.status, 200, placed.text)
  await play()
  const { data } = await get(tenant, `/applications/${id}/orders`)
  assert.deepEqual(
    data.map((row: { status: string; invitation: { by: string; sent_at: string | null } }) => [
      row.status,
      row.invitation.by,
      row.invitation.sent_at !== null,
    ]),
    [['completed', 'service', true]],
  )
})

test('the built-in vendor: orders of other vendors stay as they are; one that ended in the meantime does not stop the others', async () => {
  const tenant = await seeded()
  const vendor = await newVendor(tenant)
  const other = await newOrder(tenant, { vendor, package: { external_id: 'passes' } })
  const [canceled, passes] = [await order(tenant, 'passes'), await order(tenant, 'passes')]
  await Promise.all([
    takeTestOrdersFurther(services, 100),
    takeTestOrdersFurther(services, 100),
    service.post(`/orders/${canceled}/cancel`, tenant.key),
  ])
  await play()
  assert.equal((await get(tenant, `/orders/${other.id}`)).status, 'requested')
  assert.equal((await get(tenant, `/orders/${canceled}`)).status, 'canceled')
  assert.equal((await get(tenant, `/orders/${passes}`)).status, 'completed')
  const events = (await orderEvents(tenant)).filter(({ data }) => data.object['id'] === passes)
  assert.equal(events.length, 4)
})

test('play-test-vendor: carries out its orders by itself, which an index finds, and stops on request', async () => {
  const tenant = await seeded()
  const id = await order(tenant, 'passes')
  const stop = new AbortController()
  const running = playTestVendor(services).run(stop.signal)
  while ((await get(tenant, `/orders/${id}`)).status !== 'completed');
  stop.abort()
  await running
  const [found] = await db.query(sql<{ definition: string }>`
    select indexdef as definition from pg_indexes where indexname = 'orders_of_test_vendor'`)
  assert.ok(found!.definition.includes(`'${TEST_VENDOR.id}'`))
})

test('hiring workspaces create --test --seed checks: created and filled; errors for an unknown seed and without --test', async () => {
  const run = (options: Record<string, string>) =>
    runVerb(service, workspaceVerbs, 'workspaces create', [], { name: 'Sandbox', ...options })
  const create = (options: Record<string, string>) => run({ ...options, test: '' })
  const { json } = await create({ seed: 'checks' })
  const { id } = json as { id: string }
  const packages = await db.query(sql`select 1 from packages where workspace_id = ${id} and status = 'active'`)
  assert.equal(packages.length, 5)
  const empty = await create({})
  const jobs = await db.query(sql`select 1 from jobs where workspace_id = ${(empty.json as { id: string }).id}`)
  assert.equal(jobs.length, 0)
  await assert.rejects(create({ seed: 'huge' }), /--seed must be one of none, small, checks/)
  await assert.rejects(run({ seed: 'small' }), /--seed is given with --test/)
})
