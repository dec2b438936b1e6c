import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { deleteApplication, withdrawApplication } from '../../src/resources/applications/index.ts'
import { offerPackage } from '../../src/resources/packages/index.ts'
import {
  acceptance,
  accepted,
  act,
  apply,
  newOrder,
  newVendor,
  offeredPackage,
  orderEvents,
  otherTenant,
  packageBody,
  sharedWorld,
  shown,
} from './setup.ts'

const world = await sharedWorld()
const { service, key, workspace } = world
const { db } = service.services

test('POST /packages: 201, then 200 with the same package for the same external_id; 403 names orders:fulfill', async () => {
  const vendor = await newVendor(world)
  const body = packageBody()
  const [first, second] = [
    await service.post('/packages', vendor.key, body),
    await service.post('/packages', vendor.key, body),
  ]
  assert.deepEqual([first.status, second.status, second.body.id], [201, 200, first.body.id])
  assert.deepEqual(second.body, first.body)
  assert.deepEqual(
    [first.body.status, first.body.vendor.id, first.body.completion_days],
    ['pending', vendor.key.id, 14],
  )
  const reader = await service.key({ workspace, scopes: ['orders:read'] })
  const refused = await service.post('/packages', reader, packageBody())
  assert.deepEqual([refused.status, refused.body.detail.required_scope], [403, 'orders:fulfill'])
})

test('POST /packages: a field that is left out stays, null clears it; 400 names what does not fit', async () => {
  const vendor = await newVendor(world)
  const body = packageBody({ description: 'Ten minutes', countries: ['DE', 'DE'], languages: ['pt-br'] })
  const first = (await service.post('/packages', vendor.key, body)).body
  assert.deepEqual([first.countries, first.languages], [['DE'], ['pt-BR']])
  const { description: _, ...rest } = body
  const second = await service.post('/packages', vendor.key, { ...rest, countries: null })
  assert.deepEqual([second.body.description, second.body.countries], ['Ten minutes', []])
  const wrong = await service.post(
    '/packages',
    vendor.key,
    packageBody({ candidate_host: 'https://x', languages: ['??'] }),
  )
  assert.deepEqual(
    [wrong.status, wrong.body.detail.errors.map((e: { param: string }) => e.param).toSorted()],
    [400, ['candidate_host', 'languages']],
  )
  const unfit = await service.post('/packages', vendor.key, packageBody({ candidate_host: null }))
  assert.deepEqual([unfit.status, unfit.body.detail.param], [400, 'candidate_host'])
})

test('POST /packages: an offered package waits for an admin again when it shares more or shows candidates something else', async () => {
  const vendor = await newVendor(world)
  const body = packageBody()
  const id = await offeredPackage(world, vendor, body)
  const publish = async (more: object) =>
    (await service.post('/packages', vendor.key, { ...body, ...more })).body.status
  assert.equal(await publish({ description: 'Ten minutes' }), 'active')
  assert.equal(await publish({ shares: [] }), 'active')
  for (const more of [
    { shares: ['email', 'resume'] },
    { name: 'Typing test 2' },
    { kind: 'work_sample' },
    { privacy_url: 'https://tests.example.com/other' },
    { candidate_host: 'other.example.com' },
  ]) {
    assert.equal(await publish(more), 'pending', JSON.stringify(more))
    await service.post('/packages', vendor.key, body)
    await service.services.db.transaction(tx => offerPackage(tx, { workspace: world.workspace, id }))
  }
  const withdrawn = await service.post(`/packages/${id}/withdraw`, vendor.key)
  assert.deepEqual([withdrawn.status, withdrawn.body.status], [200, 'withdrawn'])
  assert.equal(await publish({ name: 'Typing test 3' }), 'withdrawn')
})

test('POST /packages: 400 for a name with a link or a second line, which emails in the name of the company would show', async () => {
  const vendor = await newVendor(world)
  for (const name of [
    'Pay at https://evil.example',
    'open evil.example/login',
    'Your account\nis locked',
    '\u202etset',
  ]) {
    const refused = await service.post('/packages', vendor.key, packageBody({ name }))
    assert.deepEqual([refused.status, refused.body.detail.param], [400, 'name'], name)
  }
  assert.equal((await service.post('/packages', vendor.key, packageBody({ name: 'Test: 2/3 & more' }))).status, 201)
})

test('GET /packages: 200 for a vendor with its own alone, filtered; 404 for the package of another', async () => {
  const [vendor, other] = [await newVendor(world), await newVendor(world)]
  const own = await offeredPackage(world, vendor, { kind: 'work_sample', countries: ['FR'] })
  const foreign = await offeredPackage(world, other)
  const list = async (query: string) =>
    (await service.get(`/packages?${query}`, vendor.key)).body.data.map((row: { id: string }) => row.id)
  assert.deepEqual(await list(''), [own])
  assert.deepEqual([await list('country=FR&kind=work_sample&status=active'), await list('country=DE')], [[own], []])
  assert.equal((await service.get(`/packages/${foreign}`, vendor.key)).status, 404)
  assert.equal((await service.get(`/packages/${foreign}`, key)).status, 200)
})

test('POST /orders: 201 requested without an email; order.created has no name; again: 200, the same order, no event', async () => {
  const mails = () => db.query(sql`select id from candidate_mails where workspace_id = ${workspace}`)
  const before = (await mails()).length
  const ordered = await newOrder(world)
  const { placed } = ordered
  assert.deepEqual(
    [placed.status, placed.waiting_on, placed.attempt, placed.invitation.by],
    ['requested', 'vendor', 1, 'caller'],
  )
  assert.deepEqual(placed.placed_by, { object: 'credential', id: key.id })
  const again = await service.post('/orders', key, { application_id: ordered.application, package_id: ordered.package })
  assert.deepEqual([again.status, again.body.id], [200, ordered.id])
  assert.equal((await mails()).length, before)
  const events = (await orderEvents(world)).filter(event => event.data.object['id'] === ordered.id)
  assert.deepEqual(
    events.map(event => event.type),
    ['order.created'],
  )
  assert.deepEqual(Object.keys(events[0]!.data.object).toSorted(), [
    'application_id',
    'attempt',
    'id',
    'job_id',
    'object',
    'origin',
    'package_id',
    'status',
    'updated_at',
    'workspace_id',
  ])
})

test('POST /orders: the same source finds its order, whatever became of it', async () => {
  const vendor = await newVendor(world)
  const package_id = await offeredPackage(world, vendor)
  const application_id = (await apply(world)).id
  const body = { application_id, package_id, source: { system: 'acme_ats', external_id: vendor.key.id } }
  const first = await service.post('/orders', key, body)
  assert.equal((await service.post(`/orders/${first.body.id}/cancel`, key)).body.status, 'canceled')
  const second = await service.post('/orders', key, body)
  assert.deepEqual([second.status, second.body.id, second.body.status], [200, first.body.id, 'canceled'])
  const wrong = await service.post('/orders', key, { ...body, source: { system: 'tahoe_x', external_id: '1' } })
  assert.deepEqual(shown(wrong), [400, 'unsupported_source_system'])
  const found = await service.get(`/orders?source_system=acme_ats&external_id=${vendor.key.id}`, key)
  assert.deepEqual(
    found.body.data.map((row: { id: string }) => row.id),
    [first.body.id],
  )
})

test('POST /orders: 409 package_not_available, invalid_application_state and 404 change nothing', async () => {
  const vendor = await newVendor(world)
  const pending = (await service.post('/packages', vendor.key, packageBody())).body.id
  const application_id = (await apply(world)).id
  const place = (package_id: string, application = application_id) =>
    service.post('/orders', key, { application_id: application, package_id })
  assert.deepEqual(shown(await place(pending)), [409, 'package_not_available'])
  const active = await offeredPackage(world, vendor)
  const rejected = (await apply(world)).id
  await service.post(`/applications/${rejected}/reject`, key, { reason: 'No' })
  assert.deepEqual(shown(await place(active, rejected)), [409, 'invalid_application_state'])
  const other = await otherTenant(world)
  const foreign = (await apply(other)).id
  assert.deepEqual(shown(await place(active, foreign)), [404, 'not_found'])
  assert.deepEqual(shown(await place(await offeredPackage(other, await newVendor(other)))), [404, 'not_found'])
  const soon = await service.post('/orders', key, {
    application_id,
    package_id: active,
    due_at: new Date().toISOString(),
  })
  assert.deepEqual([soon.status, soon.body.detail.param], [400, 'due_at'])
  assert.match(soon.body.detail.message, /1 hour to 90 days/)
  assert.equal((await service.get(`/applications/${application_id}/orders`, key)).body.data.length, 0)
})

test('POST /orders: 409 applicant_suppressed and applicant_unsubscribed where the vendor invites', async () => {
  const vendor = await newVendor(world)
  const inviting = await offeredPackage(world, vendor, { invitation: 'vendor', candidate_host: null })
  const invited = await offeredPackage(world, vendor)
  const application = await apply(world)
  const place = (package_id: string) => service.post('/orders', key, { application_id: application.id, package_id })
  await db.query(sql`
    update applicants set unsubscribed_at = app_now() where workspace_id = ${workspace} and id = ${application.applicant_id}`)
  assert.deepEqual(shown(await place(inviting)), [409, 'applicant_unsubscribed'])
  assert.equal((await place(invited)).status, 201)
  await db.query(sql`
    update applicants set suppressed_at = app_now() where workspace_id = ${workspace} and id = ${application.applicant_id}`)
  assert.deepEqual(shown(await place(await offeredPackage(world, vendor))), [409, 'applicant_suppressed'])
})

test('GET /orders/{h}: 404 for another vendor and another workspace, also in lists and feed; 200 with orders:read', async () => {
  const ordered = await newOrder(world)
  const stranger = await newVendor(world)
  const other = await otherTenant(world)
  for (const reader of [stranger.key, other.key]) {
    assert.equal((await service.get(`/orders/${ordered.id}`, reader)).status, 404)
    assert.equal((await service.get('/orders', reader)).body.data.length, 0)
  }
  assert.equal((await act(world, { ...ordered, vendor: stranger }, 'accept', acceptance())).status, 404)
  await orderEvents(world)
  const seen = async (reader: typeof key) =>
    (await service.get('/events?limit=100&type=order.created', reader)).body.data.map(
      (event: { data: { object: { id: string } } }) => event.data.object.id,
    )
  assert.deepEqual([await seen(stranger.key), await seen(ordered.vendor.key)], [[], [ordered.id]])
  const [event] = (await service.get('/events?type=order.created', ordered.vendor.key)).body.data
  assert.equal((await service.get(`/events/${event.id}`, ordered.vendor.key)).status, 200)
  assert.equal((await service.get(`/events/${event.id}`, stranger.key)).status, 404)
  assert.equal((await service.get(`/orders/${ordered.id}`, ordered.vendor.key)).status, 200)
  const reader = await service.key({ workspace, scopes: ['orders:read'] })
  assert.equal((await service.get(`/orders/${ordered.id}`, reader)).status, 200)
  const none = await service.key({ workspace, scopes: ['jobs:read'] })
  const refused = await service.get(`/orders/${ordered.id}`, none)
  assert.deepEqual([refused.status, refused.body.detail.required_scope], [403, 'orders:read'])
})

test('POST /orders/{h}/accept: 400 for another host, 200 invited for the right one, again 200 without event; 409 for another id', async () => {
  const ordered = await newOrder(world)
  const body = acceptance()
  for (const candidate_url of [
    'https://evil.example/t',
    'https://tests.example.com:8443/t',
    'https://x.tests.example.com/t',
  ])
    assert.deepEqual(shown(await act(world, ordered, 'accept', { ...body, candidate_url })), [
      400,
      'candidate_url_not_allowed',
    ])
  const missing = await act(world, ordered, 'accept', { external_id: 'x' })
  assert.deepEqual([missing.status, missing.body.detail.param], [400, 'candidate_url'])
  const first = await act(world, ordered, 'accept', body)
  assert.deepEqual(shown(first), [200, 'invited'])
  assert.equal(Date.parse(first.body.due_at) - Date.parse(first.body.accepted_at), 14 * 86_400_000)
  const again = await act(world, ordered, 'accept', body)
  assert.deepEqual([again.status, again.body], [200, first.body])
  assert.deepEqual(shown(await act(world, ordered, 'accept', acceptance())), [409, 'invalid_order_state'])
  const events = (await orderEvents(world)).filter(event => event.data.object['id'] === ordered.id)
  assert.deepEqual(
    events.map(event => event.type),
    ['order.created', 'order.updated'],
  )
  assert.deepEqual(events[1]!.data.previous_attributes, { status: 'requested' })
  const other = await newOrder(world, { vendor: ordered.vendor })
  assert.deepEqual(shown(await act(world, other, 'accept', body)), [409, 'invalid_order_state'])
})

test('GET /orders/{h}/candidate: 200 costs a unit for each value and is audited; after the end 404 and free', async () => {
  const ordered = await accepted(world, await newOrder(world))
  const read = () => service.get(`/orders/${ordered.id}/candidate`, ordered.vendor.key)
  const shownNow = await read()
  assert.deepEqual([shownNow.status, shownNow.headers.get('service-personal-data-cost')], [200, '1'])
  assert.match(shownNow.body.email, /@example\.org$/)
  assert.deepEqual(shownNow.body.restricted, ['phone', 'resume'])
  assert.equal(shownNow.body.restricted_reason.phone, 'never_exposed:consent_scope')
  assert.ok(!('phone' in shownNow.body))
  const audited = await service.get('/audit/personal-data-reads', ordered.vendor.key)
  assert.deepEqual(
    audited.body.data.map((row: { subject: object; field: string }) => [row.subject, row.field]),
    [[{ object: 'order', id: ordered.id }, 'email']],
  )
  assert.equal((await act(world, ordered, 'complete', { outcome: 'recommended' })).status, 200)
  const after = await read()
  assert.deepEqual([after.status, after.headers.get('service-personal-data-cost')], [404, null])
  assert.equal((await service.get('/audit/personal-data-reads', ordered.vendor.key)).body.data.length, 1)
  const own = await service.get(`/orders/${ordered.id}/candidate`, (await newVendor(world)).key)
  assert.equal(own.status, 404)
})

test('POST /orders/{h}/complete: score_pct, the same body changes nothing, another one is the next revision', async () => {
  const ordered = await accepted(world, await newOrder(world))
  const body = { score: { value: 42, min: 0, max: 60 } }
  const first = await act(world, ordered, 'complete', body)
  assert.deepEqual(shown(first), [200, 'completed'])
  const result = async () => (await service.get(`/orders/${ordered.id}/result`, key)).body
  assert.deepEqual([(await result()).score_pct, (await result()).revision, (await result()).outcome], [70, 1, 'none'])
  assert.equal((await act(world, ordered, 'complete', body)).status, 200)
  assert.equal((await act(world, ordered, 'complete', { score: { value: 48, min: 0, max: 60 } })).status, 200)
  assert.deepEqual([(await result()).score_pct, (await result()).revision], [80, 2])
  const changes = (await orderEvents(world))
    .filter(event => event.data.object['id'] === ordered.id && event.type === 'order.updated')
    .map(event => event.data.object['changed'])
  assert.deepEqual(changes.slice(1), [['status', 'waiting_on', 'completed_at', 'result'], ['result']])
  const full = (await service.get(`/orders/${ordered.id}`, key)).body
  assert.deepEqual([full.result_received, full.result.revision, full.result.late], [true, 2, false])
})

test('POST /orders/{h}/complete: the same result is no revision, whatever the order of its fields', async () => {
  const ordered = await accepted(world, await newOrder(world))
  for (const score of [
    { value: 42, min: 0, max: 60 },
    { max: 60, min: 0, value: 42 },
    { passing: null, unit: 'points', value: 42, min: 0, max: 60 },
  ]) {
    const sections = [{ name: 'Speed', score }]
    assert.deepEqual(shown(await act(world, ordered, 'complete', { sections, score })), [200, 'completed'])
  }
  const { body } = await service.get(`/orders/${ordered.id}/result`, key)
  assert.deepEqual([body.revision, body.score_pct], [1, 70])
})

test('POST /orders/{h}/complete: 400 for a scale of which no percentage can be computed', async () => {
  const ordered = await accepted(world, await newOrder(world))
  for (const score of [
    { value: 1e308, min: -1e308, max: 1e308 },
    { value: 1e307, min: 0, max: 1e307 },
  ]) {
    const { status, body } = await act(world, ordered, 'complete', { score, sections: [{ name: 'A', score }] })
    const params = body.detail.errors.map((e: { param: string }) => e.param)
    assert.deepEqual([status, params], [400, ['score.max', 'sections[0].score.max']])
  }
  assert.equal((await act(world, ordered, 'complete', { score: { value: 1e15, min: 0, max: 1e15 } })).status, 200)
})

test('POST /orders/{h}/complete: 400 names a score outside of its scale; ranks have no score_pct', async () => {
  const ordered = await newOrder(world)
  const complete = (more: object) => act(world, ordered, 'complete', { external_id: ordered.id, ...more })
  const wrong = await complete({
    score: { value: 61, min: 0, max: 60 },
    sections: [{ name: 'A', score: { value: 1, min: 2, max: 2 } }],
  })
  assert.deepEqual(
    [wrong.status, wrong.body.detail.errors.map((e: { param: string }) => e.param)],
    [400, ['score.value', 'sections[0].score.max']],
  )
  const unknown = await complete({ outcome: 'great' })
  assert.deepEqual([unknown.status, unknown.body.detail.param], [400, 'outcome'])
  const missing = await act(world, ordered, 'complete', {})
  assert.deepEqual([missing.status, missing.body.detail.param], [400, 'external_id'])
  const many = await complete({
    sections: Array.from({ length: 31 }, () => ({ name: 'A' })),
    report_upload_ids: ['1', '2', '3', '4', '5', '6'],
  })
  assert.match(JSON.stringify(many.body.detail.errors), /30 items.*5 items|5 items.*30 items/)
  assert.equal((await complete({ score: { value: 93, min: 0, max: 100, unit: 'percentile' } })).status, 200)
  const { body } = await service.get(`/orders/${ordered.id}/result`, key)
  assert.deepEqual([body.score_pct, body.score.unit, body.score.passing], [null, 'percentile', null])
})

test('GET /orders/{h}: without orders:results:read result is restricted, also before there is one; candidate_url without orders:write', async () => {
  const ordered = await newOrder(world)
  const reader = await service.key({ workspace, scopes: ['orders:read'] })
  const { body } = await service.get(`/orders/${ordered.id}`, reader)
  assert.deepEqual(body.restricted.toSorted(), ['candidate_url', 'result'])
  const [row] = (await service.get(`/orders?application_id=${ordered.application}`, reader)).body.data
  assert.deepEqual([row.restricted, 'result' in row], [['candidate_url'], false])
  assert.equal((await service.get(`/orders/${ordered.id}/result`, reader)).status, 403)
  assert.equal((await service.get(`/orders/${ordered.id}/result`, ordered.vendor.key)).status, 404)
})

test('POST /orders/{h}/complete: 400 for findings of a background check; an outcome changes no application', async () => {
  const ordered = await accepted(world, await newOrder(world, { package: { kind: 'background_check' } }))
  const before = (await service.get(`/applications/${ordered.application}`, key)).body
  const score = { value: 1, min: 0, max: 2 }
  for (const [param, value] of Object.entries({
    summary: 'Found',
    score,
    sections: [{ name: 'A' }],
    report_upload_ids: ['upl_x'],
  })) {
    const refused = await act(world, ordered, 'complete', { outcome: 'consider', [param]: value })
    assert.deepEqual([refused.status, refused.body.detail.param], [400, param])
  }
  const report = await act(world, ordered, 'reports', { size_bytes: 10, content_type: 'application/pdf' })
  assert.equal(report.status, 400)
  assert.deepEqual(shown(await act(world, ordered, 'complete', { outcome: 'consider' })), [200, 'completed'])
  assert.deepEqual((await service.get(`/applications/${ordered.application}`, key)).body, before)
})

test('POST /orders/{h}/complete: 400 for findings of what was ordered as a background check, whatever its package is by now', async () => {
  const vendor = await newVendor(world)
  const body = packageBody({ kind: 'background_check' })
  const packageId = await offeredPackage(world, vendor, body)
  const order = await accepted(world, await newOrder(world, { vendor, packageId }))
  const changed = await service.post('/packages', vendor.key, { ...body, kind: 'other' })
  assert.deepEqual([changed.status, changed.body.status], [200, 'pending'])
  await service.services.db.transaction(tx => offerPackage(tx, { workspace: world.workspace, id: packageId }))
  const refused = await act(world, order, 'complete', { outcome: 'clear', summary: 'Nothing found' })
  assert.deepEqual([refused.status, refused.body.detail.param], [400, 'summary'])
})

test('POST /applications/{h}/reject and withdrawals: open orders are canceled with the reason; then progress is 409', async () => {
  const ordered = await accepted(world, await newOrder(world))
  await service.post(`/applications/${ordered.application}/reject`, key, { reason: 'No' })
  const { body } = await service.get(`/orders/${ordered.id}`, key)
  assert.deepEqual(
    [body.status, body.status_reason, body.waiting_on],
    ['canceled', { code: 'application_rejected', message: null }, null],
  )
  assert.deepEqual(shown(await act(world, ordered, 'progress')), [409, 'invalid_order_state'])
  await service.post(`/applications/${ordered.application}/reopen`, key)
  assert.equal((await service.get(`/orders/${ordered.id}`, key)).body.status, 'canceled')
})

test('orders: an application that is withdrawn cancels its open orders with application_withdrawn', async () => {
  const ordered = await accepted(world, await newOrder(world))
  await db.transaction(tx => withdrawApplication(tx, workspace, ordered.application))
  const { body } = await service.get(`/orders/${ordered.id}`, key)
  assert.deepEqual([body.status, body.status_reason], ['canceled', { code: 'application_withdrawn', message: null }])
})

test('POST /orders/{h}/fail: 200 failed, again 200 without an event, 409 for another reason and before it is accepted', async () => {
  const ordered = await newOrder(world)
  const fail = (body: object) => act(world, ordered, 'fail', body)
  assert.deepEqual(shown(await fail({ code: 'other' })), [409, 'invalid_order_state'])
  await accepted(world, ordered)
  const failed = await fail({ code: 'vendor_error', message: 'No seats' })
  assert.deepEqual(shown(failed), [200, 'failed'])
  assert.deepEqual(failed.body.status_reason, { code: 'vendor_error', message: 'No seats' })
  const events = async () => (await orderEvents(world)).filter(event => event.data.object['id'] === ordered.id)
  const before = await events()
  assert.deepEqual(before.at(-1)!.data.previous_attributes, { status: 'invited' })
  const again = await fail({ code: 'vendor_error', message: 'No seats' })
  assert.deepEqual([again.status, again.body], [200, failed.body])
  assert.deepEqual(shown(await fail({ code: 'other' })), [409, 'invalid_order_state'])
  assert.equal((await events()).length, before.length)
})

test('POST /orders/{h}/decline: 200 declined, again 200; 409 after accept', async () => {
  const [declined, invited] = [await newOrder(world), await accepted(world, await newOrder(world))]
  const reason = { code: 'unsupported_country' }
  for (const _ of [1, 2]) assert.deepEqual(shown(await act(world, declined, 'decline', reason)), [200, 'declined'])
  assert.deepEqual(shown(await act(world, invited, 'decline', reason)), [409, 'invalid_order_state'])
  assert.equal((await service.get(`/orders/${invited.id}`, key)).body.status, 'invited')
})

test('POST /orders/{h}/cancel: 409 for an order that is completed, declined or failed; changes nothing', async () => {
  const vendor = await newVendor(world)
  const ends = [
    ['complete', 'completed', { outcome: 'recommended' }],
    ['fail', 'failed', { code: 'other' }],
    ['decline', 'declined', { code: 'other' }],
  ] as const
  for (const [name, status, body] of ends) {
    const ordered = await newOrder(world, { vendor })
    if (name !== 'decline') await accepted(world, ordered)
    assert.deepEqual(shown(await act(world, ordered, name, body)), [200, status])
    assert.deepEqual(shown(await service.post(`/orders/${ordered.id}/cancel`, key)), [409, 'invalid_order_state'])
    assert.equal((await service.get(`/orders/${ordered.id}`, key)).body.status, status)
  }
})

test('orders: deleted with their application: 404, and order.deleted with application_deleted or retention', async () => {
  for (const [why, reason] of [
    ['duplicate', 'application_deleted'],
    ['retention', 'retention'],
  ] as const) {
    const ordered = await accepted(world, await newOrder(world))
    await db.transaction(tx => deleteApplication(tx, { workspace, id: ordered.application, originKeyId: null }, why))
    assert.equal((await service.get(`/orders/${ordered.id}`, key)).status, 404)
    const [event] = (await orderEvents(world)).slice(-1)
    const { object } = event!.data
    assert.deepEqual(
      [event!.type, object['id'], object['reason'], object['package_id']],
      ['order.deleted', ordered.id, reason, ordered.package],
    )
    assert.ok(!('status' in object))
  }
})
