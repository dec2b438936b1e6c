import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Sql, sql } from '../../src/kernel/db/sql.ts'
import type { Page } from '../../src/kernel/http/list.ts'
import { vendorsWithoutResponse } from '../../src/resources/alerts/store-causes.ts'
import { countOrderTasks } from '../../src/resources/orders/index.ts'
import { ordersPage } from '../../src/resources/orders/store.ts'
import { newJob } from '../applications/setup.ts'
import { explain, listPlanNodes, rowsHandled } from '../harness/plans.ts'
import { newOrder, sharedWorld } from './setup.ts'

const world = await sharedWorld()
const { service, workspace, userId } = world
const session = await service.services.db.session({ timeouts: 'off' })
after(() => session.close())

const MANY = 10_000
const FEW = 10

/** Copies of an order: canceled, seen by the team, or due in a month; and a few of another job that wait for someone. */
const { id } = await newOrder(world)
const otherJob = (await newJob(service, workspace)).id
const copies = (prefix: string, count: number, state: Sql, of: { job?: string; isApplication?: boolean } = {}) =>
  session.query(sql`
    insert into orders (workspace_id, id, application_id, applicant_id, job_id, package_id, package_name, kind, vendor_id,
      vendor_name, shares, completion_days, placed_by_object, placed_by_id, invitation_by, status, reviewed_at, requested_at,
      next_check_at, updated_at)
    select o.workspace_id, ${prefix}::text || lpad(i::text, 19, '0'),
      ${of.isApplication ? sql`o.application_id` : sql`'app_' || lpad(i::text, 20, '0')`}, o.applicant_id,
      coalesce(${of.job ?? null}, o.job_id), o.package_id, o.package_name, o.kind, o.vendor_id, o.vendor_name, o.shares, 14,
      'credential', 'key_1', 'caller', ${state}, app_now() - i * interval '1 second'
    from orders o, generate_series(1, ${count}::integer) i where o.workspace_id = ${workspace} and o.id = ${id}`)
const before = sql`app_now() - interval '40 days'`
await session.script('set session_replication_role = replica') // rows that are copied need no triggers
await session.query(sql`
  insert into applications
  select (jsonb_populate_record(a, jsonb_build_object('id', 'app_' || lpad(i::text, 20, '0'), 'applicant_id', null))).*
  from applications a, generate_series(1, ${MANY}::integer) i where a.workspace_id = ${workspace}`)
await copies('ord_a', MANY, sql`'canceled', null::timestamptz, ${before}, null::timestamptz`)
await copies('ord_b', MANY, sql`'completed', app_now(), ${before}, null::timestamptz`)
await copies('ord_c', MANY, sql`'in_progress', null::timestamptz, ${before}, app_now() + interval '30 days'`)
await copies('ord_d', FEW, sql`'failed', null::timestamptz, ${before}, null::timestamptz`, {
  job: otherJob,
  isApplication: true,
})
await session.script('vacuum analyze orders, applications')

/** The indexes of a plan and how many rows its nodes handled. */
async function planOf(statement: Sql) {
  await session.script('begin')
  try {
    const plan = await explain(session, statement)
    const indexes = listPlanNodes(plan).flatMap(node => node['Index Name'] ?? [])
    return { rows: rowsHandled(plan), indexes: indexes.filter(name => name.startsWith('orders_')) }
  } finally {
    await session.script('rollback')
  }
}

test('GET /orders?job_id=: reads the orders of the job alone', async () => {
  const page = { by: 'updated_at', clause: sql`order by o.updated_at desc, o.id desc limit 26` } as unknown as Page
  const { rows, indexes } = await planOf(ordersPage(workspace, { jobId: otherJob }, page))
  assert.deepEqual(indexes, ['orders_job'])
  assert.ok(rows < FEW * 10, `${rows} rows`)
})

test('tasks: reads the orders that can be a task alone', async () => {
  const { rows, indexes } = await planOf(
    countOrderTasks({ workspace, userId, limited: false, interviews: false, gone: [], view: 'open' }, 100),
  )
  assert.ok(indexes.includes('orders_unreviewed'), indexes.join())
  assert.ok(rows < FEW * 50, `${rows} rows`)
})

test('alerts: reads the orders whose next check is near alone', async () => {
  const { rows, indexes } = await planOf(vendorsWithoutResponse())
  assert.deepEqual(indexes, ['orders_next_check'])
  assert.ok(rows < FEW * 10, `${rows} rows`)
})
