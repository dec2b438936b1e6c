import assert from 'node:assert/strict'
import { test } from 'node:test'
import { packageVerbs } from '../../src/cli/packages.ts'
import { API_LIMITS } from '../../src/contract/limits.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { requestErasure, runErasure } from '../../src/resources/erasures/index.ts'
import { cancelOrdersOfVendor } from '../../src/resources/orders/index.ts'
import { unconfirmedKeys } from '../../src/resources/suppressions/index.ts'
import { expireOnce } from '../../src/workers/expire-files.ts'
import { upload } from '../applications/setup.ts'
import { runVerb } from '../harness/verb.ts'
import {
  accepted,
  act,
  apply,
  newOrder,
  newVendor,
  type Ordered,
  offeredPackage,
  orderEvents,
  packageBody,
  report as sendReport,
  shown,
  startWorld,
  VENDOR_SCOPES,
} from './setup.ts'

const world = await startWorld()
const { service, key, workspace } = world
const { db, blobs } = service.services

const report = (ordered: Ordered, file?: Buffer<ArrayBuffer>) => sendReport(world, ordered, file)

const erase = async (email: string, reason: 'erasure_request' | 'stop_processing') => {
  const { id } = await requestErasure(db, { email, requestedBy: 'command_line', reason })
  if (reason === 'erasure_request') await runErasure(service.services, id)
}

test('reports: uploaded for one order, read for a unit and audited as the order; 409 and 400 for uploads that cannot be used', async () => {
  const ordered = await accepted(world, await newOrder(world))
  const upload = await report(ordered)
  const other = await accepted(world, await newOrder(world, { vendor: ordered.vendor }))
  const complete = (of: Ordered, ids: string[], more = {}) =>
    act(world, of, 'complete', { outcome: 'recommended', report_upload_ids: ids, ...more })
  assert.deepEqual(shown(await complete(other, [upload])), [400, 'upload_not_found'])
  const reserved = await act(world, ordered, 'reports', { size_bytes: 5, content_type: 'application/pdf' })
  assert.deepEqual(shown(await complete(ordered, [reserved.body.upload_id])), [409, 'upload_not_completed'])
  const text = await act(world, ordered, 'reports', { size_bytes: 5, content_type: 'text/plain' })
  assert.deepEqual(shown(text), [400, 'invalid_upload'])
  const page = await report(ordered, Buffer.from('<script>alert(1)</script>'))
  const refused = await complete(ordered, [page])
  assert.deepEqual(shown(refused), [400, 'resume_rejected'])
  assert.match(refused.body.detail.message, /not a PDF/)
  assert.equal(refused.body.detail.param, 'report_upload_ids[0]')
  assert.deepEqual(shown(await complete(ordered, [page])), [409, 'upload_already_used'])
  assert.deepEqual(shown(await complete(ordered, [upload])), [200, 'completed'])
  assert.deepEqual(shown(await complete(ordered, [upload])), [200, 'completed'])
  const result = (await service.get(`/orders/${ordered.id}/result`, key)).body
  assert.deepEqual([result.revision, result.reports.length, result.reports[0].filename], [1, 1, 'report.pdf'])
  const path = result.reports[0].links.content.slice('/api/partner/v1'.length)
  const file = await service.get(path, key)
  assert.deepEqual(
    [file.status, file.headers.get('content-type'), file.headers.get('service-personal-data-cost')],
    [200, 'application/pdf', '1'],
  )
  assert.equal((await service.get(path, ordered.vendor.key)).status, 200)
  assert.equal((await service.get(path, (await newVendor(world)).key)).status, 404)
  const [read] = (await service.get('/audit/personal-data-reads', ordered.vendor.key)).body.data
  assert.deepEqual([read.subject, read.field], [{ object: 'order', id: ordered.id }, 'report_file'])
  // a correction that keeps the report, and one that leaves it out
  assert.deepEqual(shown(await complete(ordered, [upload], { summary: 'Good' })), [200, 'completed'])
  assert.equal((await service.get(path, key)).status, 200)
  assert.deepEqual(shown(await complete(ordered, [])), [200, 'completed'])
  assert.equal((await service.get(path, key)).status, 404)
  // the upload of a report is no résumé
  const resume = await service.post('/applications', key, {
    job_id: world.job.id,
    candidate: { first_name: 'Eve', last_name: 'Byron', email: 'eve.report@example.org' },
    source: { system: 'acme_ats' },
    resume_upload_id: await report(other),
  })
  assert.deepEqual(shown(resume), [400, 'upload_not_found'])
})

/** As if an order had this many reservations of reports already. */
const reserveReports = (of: Ordered, most: number) =>
  db.query(sql`
    insert into uploads (workspace_id, id, content_type, size_bytes, filename, blob_key, order_id, put_expires_at, expires_at)
    select ${workspace}, 'upl_' || n || ${of.id}, 'application/pdf', 1, 'a.pdf', 'none/' || n, ${of.id},
      app_now() + interval '1 hour', app_now() + interval '1 hour'
    from generate_series(1, ${most}::integer) as n`)

test('POST /orders/{h}/reports: 429 beyond 10 of an order and 100 of a vendor; résumés and other vendors have their own limits', async () => {
  const reserve = (of: Ordered) => act(world, of, 'reports', { size_bytes: 5, content_type: 'application/pdf' })
  const full = [429, 'too_many_pending_uploads']
  const vendor = await newVendor(world)
  const [one, two, three] = [
    await newOrder(world, { vendor }),
    await newOrder(world, { vendor }),
    await newOrder(world, { vendor }),
  ]
  await reserveReports(one, API_LIMITS.pendingReportsPerOrder - 1)
  const outcomes = await Promise.all(Array.from({ length: 4 }, () => reserve(one)))
  assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), [201, 429, 429, 429])
  assert.deepEqual(shown(await reserve(one)), full)
  await reserveReports(two, API_LIMITS.pendingReportsPerVendor - API_LIMITS.pendingReportsPerOrder - 1)
  assert.equal((await reserve(three)).status, 201)
  assert.deepEqual(shown(await reserve(three)), full)
  assert.equal((await reserve(await newOrder(world))).status, 201)
  await reserveReports(three, API_LIMITS.pendingUploadsPerWorkspace)
  const resume = await service.post('/uploads', key, { content_type: 'application/pdf', size_bytes: 10 })
  assert.equal(resume.status, 201)
})

test('orders: an erasure removes order, report and result; subjects name the order; order.deleted says why', async () => {
  const email = 'gone.order@example.org'
  const application = await apply(world, {}, { email })
  const ordered = await accepted(world, await newOrder(world, { application: application.id }))
  await act(world, ordered, 'complete', { outcome: 'recommended', report_upload_ids: [await report(ordered)] })
  const path = (await service.get(`/orders/${ordered.id}/result`, key)).body.reports[0].links.content.slice(15)
  await erase(email, 'erasure_request')
  for (const at of [`/orders/${ordered.id}`, `/orders/${ordered.id}/result`, path])
    assert.equal((await service.get(at, key)).status, 404, at)
  const { data } = (await service.get('/suppressions', ordered.vendor.key)).body
  assert.ok(data.at(-1).subjects.some((subject: { id: string }) => subject.id === ordered.id))
  const [last] = (await orderEvents(world)).slice(-1)
  assert.deepEqual([last!.type, last!.data.object['reason']], ['order.deleted', 'erasure_request'])
  await orderEvents(world)
  const own = (await service.get('/events?type=order.deleted', ordered.vendor.key)).body.data
  assert.deepEqual(
    own.map((event: { data: { object: { id: string } } }) => event.data.object.id),
    [ordered.id],
  )
})

test('reports: the file of an upload that is sent after the erasure is deleted when the upload expires', async () => {
  const email = 'gone.upload@example.org'
  const application = (await apply(world, {}, { email })).id
  const ordered = await accepted(world, await newOrder(world, { application }))
  const { upload, upload_id } = (
    await act(world, ordered, 'reports', { filename: 'Eve.pdf', size_bytes: 5, content_type: 'application/pdf' })
  ).body
  await erase(email, 'erasure_request')
  assert.equal((await fetch(upload.url, { method: 'PUT', headers: upload.headers, body: '%PDF-' })).status, 200)
  const file = `reports/${workspace}/${upload_id}`
  assert.ok(await blobs.stat(file))
  const [kept] = await db.query(sql<{ filename: string }>`
    update uploads set expires_at = app_now() where workspace_id = ${workspace} and id = ${upload_id} returning filename`)
  assert.equal(kept?.filename, 'report.pdf')
  await expireOnce(db, blobs)
  assert.equal(await blobs.stat(file), null)
})

test('GET /suppressions: a vendor without other rights sees, confirms and owes what names its orders, without identifiers', async () => {
  const email = 'shared.order@example.org'
  const application = (await apply(world, {}, { email })).id
  const [one, two] = [await newOrder(world, { application }), await newOrder(world, { application })]
  const third = await newVendor(world)
  const wider = await newVendor(world, [...VENDOR_SCOPES, 'jobs:read'] as never)
  await erase(email, 'erasure_request')
  const all = (await service.get('/suppressions?limit=100', key)).body.data.at(-1)
  assert.ok(all.identifiers.length > 0)
  assert.ok(all.subjects.every((subject: object) => Object.keys(subject).toSorted().join() === 'id,object'))
  const read = async (vendor: Ordered['vendor']) => (await service.get('/suppressions?limit=100', vendor.key)).body
  for (const { vendor, id } of [one, two]) {
    const { data, next_after } = await read(vendor)
    assert.deepEqual(
      data.map(({ id, subjects, identifiers }: typeof all) => ({ id, subjects, identifiers })),
      [{ id: all.id, subjects: [{ object: 'order', id }], identifiers: [] }],
    )
    assert.equal(next_after, all.sequence)
  }
  assert.deepEqual((await read(third)).data, [])
  assert.deepEqual((await read(wider)).data.at(-1), all)
  const owing = async () => (await unconfirmedKeys(db, workspace, [all.id])).map(({ id }) => id)
  // the service stores later that a key made a call
  const keys = [one.vendor, two.vendor, third, wider].map(({ key }) => key.id)
  await db.query(sql`
    update api_key_secrets set last_used_at = app_now()
    where workspace_id = ${workspace} and key_id = any(${keys}::text[])`)
  const before = await owing()
  const isOwing = ({ key }: Ordered['vendor']) => before.includes(key.id)
  assert.deepEqual([one.vendor, two.vendor, third, wider].map(isOwing), [true, true, false, true])
  const confirm = async (vendor: Ordered['vendor']) => {
    const deleted_at = new Date().toISOString()
    return (await service.post(`/suppressions/${all.id}/acknowledge`, vendor.key, { deleted_at })).status
  }
  assert.deepEqual([await confirm(third), await confirm(one.vendor)], [404, 200])
  assert.ok(!(await owing()).includes(one.vendor.key.id))
})

test('orders: when processing stops, open orders are canceled, and candidate, result and reports are 404', async () => {
  const email = 'stopped.order@example.org'
  const application = (await apply(world, {}, { email })).id
  const open = await accepted(world, await newOrder(world, { application }))
  const done = await accepted(world, await newOrder(world, { application, vendor: open.vendor }))
  await act(world, done, 'complete', { outcome: 'recommended', report_upload_ids: [await report(done)] })
  const path = (await service.get(`/orders/${done.id}/result`, key)).body.reports[0].links.content.slice(15)
  await erase(email, 'stop_processing')
  const canceled = (await service.get(`/orders/${open.id}`, key)).body
  assert.deepEqual([canceled.status, canceled.status_reason.code], ['canceled', 'processing_stopped'])
  assert.equal(canceled.candidate_url, null)
  for (const at of [`/orders/${done.id}/result`, path]) assert.equal((await service.get(at, key)).status, 404)
  const { body } = await service.get(`/orders/${done.id}`, key)
  assert.deepEqual([body.status, body.result_received, body.result], ['completed', false, null])
  assert.equal((await service.get(`/orders/${open.id}/candidate`, open.vendor.key)).status, 404)
  assert.deepEqual(
    shown(await service.post('/orders', key, { application_id: application, package_id: open.package })),
    [409, 'applicant_suppressed'],
  )
})

test('orders: when processing stops, the text of a vendor is null, and the hidden result is last in sort=score', async () => {
  const email = 'stopped.text@example.org'
  const application = (await apply(world, {}, { email })).id
  const best = await accepted(world, await newOrder(world, { application }))
  const failed = await accepted(world, await newOrder(world, { application, vendor: best.vendor }))
  const second = await accepted(world, await newOrder(world, { vendor: best.vendor, packageId: best.package }))
  await act(world, best, 'complete', { score: { value: 90, min: 0, max: 100 } })
  await act(world, second, 'complete', { score: { value: 10, min: 0, max: 100 } })
  await act(world, failed, 'fail', { code: 'other', message: 'Eve was ill' })
  const ranked = async () =>
    (await service.get(`/orders?package_id=${best.package}&sort=score`, key)).body.data.map(
      (row: { id: string }) => row.id,
    )
  assert.deepEqual(await ranked(), [best.id, second.id])
  await erase(email, 'stop_processing')
  assert.deepEqual(await ranked(), [second.id, best.id])
  const shownReasons = [
    (await service.get(`/orders/${failed.id}`, key)).body,
    (await service.get(`/orders/${failed.id}`, failed.vendor.key)).body,
    (await service.get(`/orders?application_id=${application}&status=failed`, key)).body.data[0],
    (await service.get(`/applications/${application}?include=orders`, key)).body.included.orders.find(
      ({ id }: { id: string }) => id === failed.id,
    ),
  ]
  for (const { status_reason } of shownReasons) assert.deepEqual(status_reason, { code: 'other', message: null })
})

test('orders: 409 applicant_suppressed for what a vendor sends, or a due date, after processing has stopped; stores nothing', async () => {
  const email = 'stopped.later@example.org'
  const application = (await apply(world, {}, { email })).id
  const done = await accepted(world, await newOrder(world, { application }))
  const late = await accepted(world, await newOrder(world, { application, vendor: done.vendor }))
  const before = await report(done)
  await act(world, done, 'complete', { outcome: 'recommended' })
  await db.query(sql`
    update orders set status = 'expired', final_at = app_now(), next_check_at = null
    where workspace_id = ${workspace} and id = ${late.id}`)
  await erase(email, 'stop_processing')
  const reserved = { size_bytes: 5, content_type: 'application/pdf' }
  assert.deepEqual(shown(await act(world, done, 'reports', reserved)), [409, 'applicant_suppressed'])
  for (const order of [done, late]) {
    const sent = { summary: 'About a person', report_upload_ids: order === done ? [before] : [] }
    assert.deepEqual(shown(await act(world, order, 'complete', sent)), [409, 'applicant_suppressed'])
  }
  const due_at = new Date(Date.now() + 86_400_000).toISOString()
  assert.deepEqual(shown(await service.post(`/orders/${late.id}/extend`, key, { due_at })), [
    409,
    'applicant_suppressed',
  ])
  const stored = await db.query(sql<{ summary: string | null }>`
    select summary from order_results where workspace_id = ${workspace} and order_id in (${done.id}, ${late.id})`)
  assert.deepEqual(stored, [{ summary: null }])
  assert.equal((await service.get(`/orders/${late.id}`, key)).body.status, 'expired')
})

test('POST /orders/{h}/extend: 409 invalid_application_state for an expired order of an application that was rejected', async () => {
  const ordered = await accepted(world, await newOrder(world))
  await db.query(sql`
    update orders set status = 'expired', final_at = app_now(), next_check_at = null
    where workspace_id = ${workspace} and id = ${ordered.id}`)
  assert.equal((await service.post(`/applications/${ordered.application}/reject`, key, { reason: 'no' })).status, 200)
  const due_at = new Date(Date.now() + 86_400_000).toISOString()
  const refused = await service.post(`/orders/${ordered.id}/extend`, key, { due_at })
  assert.deepEqual(shown(refused), [409, 'invalid_application_state'])
  assert.equal((await service.get(`/orders/${ordered.id}/candidate`, ordered.vendor.key)).status, 404)
})

test('GET /orders/{h}/resume/download: 200 for a unit where the package shares it, 403 resume_locked, 404 otherwise', async () => {
  const application = await apply(world, { resume_upload_id: await upload(world) })
  const shared = await newOrder(world, { application: application.id, package: { shares: ['resume', 'phone'] } })
  const download = (of: Ordered) => service.get(`/orders/${of.id}/resume/download`, of.vendor.key)
  const got = await download(shared)
  assert.deepEqual([got.status, got.headers.get('service-personal-data-cost'), got.body.expires_in], [200, '1', 300])
  assert.equal(await (await fetch(got.body.url)).text(), 'Ada Byron\nEngineer\n')
  const candidate = await service.get(`/orders/${shared.id}/candidate`, shared.vendor.key)
  assert.deepEqual([candidate.body.restricted, candidate.body.resume.mime], [['email'], 'text/plain'])
  await db.query(sql`
    update applications set applied_at = app_now() - interval '200 days' where workspace_id = ${workspace} and id = ${application.id}`)
  assert.deepEqual(shown(await download(shared)), [403, 'resume_locked'])
  assert.equal((await download(await newOrder(world, { application: application.id }))).status, 404)
})

test('webhooks: a key with orders:fulfill alone registers order events, and gets those of its own orders', async () => {
  const host = 'hooks.example.com'
  const [one, two] = [
    await newVendor(world, [
      'orders:fulfill',
      'events:read',
      'orders:candidate:read',
      'webhooks:write',
      'webhooks:read',
    ] as never),
    await newVendor(world, [
      'orders:fulfill',
      'events:read',
      'orders:candidate:read',
      'webhooks:write',
      'webhooks:read',
    ] as never),
  ]
  const endpoint = async (vendor: typeof one, path: string) => {
    await db.query(sql`
      insert into webhook_endpoints (workspace_id, id, key_id, url, event_types)
      values (${workspace}, gen_random_uuid(), ${vendor.key.id}, ${`https://${host}/${path}`}, '{}')`)
  }
  const refused = await service.post('/webhooks/endpoints', one.key, {
    url: 'https://localhost/',
    event_types: ['order.created', 'job.updated'],
  })
  assert.deepEqual(refused.body.detail.errors.map((e: { param: string }) => e.param).toSorted(), [
    'event_types[1]',
    'url',
  ])
  await endpoint(one, 'one')
  await endpoint(two, 'two')
  const ordered = await newOrder(world, { vendor: one })
  await orderEvents(world)
  const queued = await db.query(sql<{ key_id: string; event_type: string }>`
    select key_id, event_type from webhook_deliveries where workspace_id = ${workspace} and event_type like 'order.%'
    union all
    select key_id, event_type from webhook_handovers where workspace_id = ${workspace} and event_type like 'order.%'`)
  assert.deepEqual(queued, [{ key_id: one.key.id, event_type: 'order.created' }])
  assert.equal(ordered.placed.vendor.id, one.key.id)
})

test('orders: cancelOrdersOfVendor cancels the open orders of one vendor with the code app_uninstalled', async () => {
  const [mine, other] = [await newOrder(world), await newOrder(world)]
  assert.equal(await db.transaction(tx => cancelOrdersOfVendor(tx, workspace, mine.vendor.key.id)), 1)
  const { body } = await service.get(`/orders/${mine.id}`, key)
  assert.deepEqual([body.status, body.status_reason.code], ['canceled', 'app_uninstalled'])
  assert.equal((await service.get(`/orders/${other.id}`, key)).body.status, 'requested')
})

test('POST /orders and POST /packages: 409 order_limit_reached for the 51st order and the 201st package', async () => {
  const ordered = await newOrder(world)
  await db.query(sql`
    insert into orders (workspace_id, id, application_id, job_id, package_id, package_name, kind, vendor_id, vendor_name,
      shares, completion_days, status, placed_by_object, placed_by_id, invitation_by)
    select workspace_id, 'ord_' || lpad(i::text, 20, '0'), application_id, job_id, package_id, package_name, kind, vendor_id,
      vendor_name, shares, 14, 'canceled', 'user', 'usr_1', 'caller'
    from orders, generate_series(1, 49) i where workspace_id = ${workspace} and id = ${ordered.id}`)
  const package_id = await offeredPackage(world, ordered.vendor)
  const full = await service.post('/orders', key, { application_id: ordered.application, package_id })
  assert.deepEqual(shown(full), [409, 'order_limit_reached'])
  await db.query(sql`
    insert into packages (workspace_id, id, vendor_id, vendor_name, external_id, kind, name, privacy_url, invitation, status)
    select ${workspace}, 'pkg_' || lpad(i::text, 20, '0'), ${ordered.vendor.key.id}, 'V', i::text, 'other', 'N',
      'https://x.example', 'vendor', 'withdrawn'
    from generate_series(1, 198) i`)
  assert.deepEqual(shown(await service.post('/packages', ordered.vendor.key, packageBody())), [
    409,
    'order_limit_reached',
  ])
})

test('hiring packages: offer, list, withdraw and disconnect', async () => {
  const vendor = await newVendor(world)
  const id = (await service.post('/packages', vendor.key, packageBody())).body.id
  const run = (name: string, args: string[]) => runVerb(service, packageVerbs, name, args, { workspace })
  const status = async () => (await service.get(`/packages/${id}`, key)).body.status
  const { text } = await run('packages offer', [id])
  for (const words of ['Typing test', 'Example Tests', 'skills_test', 'name, email', 'tests.example.com/privacy'])
    assert.ok(String(text).includes(words), words)
  assert.equal(await status(), 'active')
  const listed = (await run('packages list', [])).json as { id: string; status: string }[]
  assert.equal(listed.find(row => row.id === id)?.status, 'active')
  await run('packages withdraw', [id])
  assert.equal(await status(), 'withdrawn')
  await assert.rejects(run('packages offer', ['pkg_unknown']), /no package/)
  const ordered = await newOrder(world, { vendor })
  const { json } = await run('packages disconnect', [vendor.key.id])
  assert.deepEqual(json, { vendor_id: vendor.key.id, withdrawn: 1, canceled: 1 })
  assert.equal((await service.get(`/orders/${ordered.id}`, key)).body.status, 'canceled')
})

test('GET /orders: sort=score shows the best first and needs orders:results:read; include reads three relations', async () => {
  const vendor = await newVendor(world)
  const packageId = await offeredPackage(world, vendor)
  const values = [10, 30, 20]
  for (const value of values) {
    const ordered = await newOrder(world, { vendor, packageId })
    await act(world, ordered, 'complete', { external_id: ordered.id, score: { value, min: 0, max: 100 } })
  }
  await newOrder(world, { vendor, packageId })
  const query = `/orders?package_id=${packageId}&sort=score&limit=3`
  const first = await service.get(query, key)
  const second = await service.get(`${query}&cursor=${first.body.next_cursor}`, key)
  const results = []
  for (const row of [...first.body.data, ...second.body.data])
    results.push((await service.get(`/orders/${row.id}/result`, key)).body.score_pct ?? null)
  assert.deepEqual(results, [30, 20, 10, null])
  const reader = await service.key({ workspace, scopes: ['orders:read'] })
  const refused = await service.get(query, reader)
  assert.deepEqual([refused.status, refused.body.detail.required_scope], [403, 'orders:results:read'])
  assert.equal((await service.get('/orders?sort=score', key)).status, 400)
  const [row] = (await service.get(`/orders?package_id=${packageId}&include=application,applicant,job`, key)).body.data
  assert.deepEqual(Object.keys(row.included).toSorted(), ['applicant', 'application', 'job'])
  const hidden = (await service.get(`/orders?package_id=${packageId}&include=applicant`, reader)).body.data[0]
  assert.ok(hidden.restricted.includes('included.applicant'))
  const applications = (await service.get(`/applications/${row.application_id}?include=orders`, key)).body
  assert.equal(applications.included.orders[0].id, row.id)
})
