import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { sql } from '../../src/kernel/db/sql.ts'
import { withdrawPackage } from '../../src/resources/packages/index.ts'
import { apply, newJob, newTenant, sharedWorld, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { type CheckVendor, checkVendor, readMailKinds } from './checks-setup.ts'

let world: World
let owner: Person
let member: Person
let viewer: Person
let vendor: CheckVendor

before(async () => {
  world = await sharedWorld()
  const enter = (role: 'owner' | 'member' | 'viewer') =>
    signedIn(world.service, world.workspace, { role, program: 'hiring', firstName: 'Rosalind', lastName: 'Acker' })
  owner = await enter('owner')
  member = await enter('member')
  viewer = await enter('viewer')
  vendor = checkVendor(world)
})

const checks = (person: Person, application: string) => person.get(`/applications/${application}/orders`)
const order = async (application: string, packageId: string, person = owner): Promise<string> => {
  const placed = await person.post(`/applications/${application}/orders`, { package_id: packageId })
  assert.equal(placed.status, 200, placed.text)
  return placed.body.id
}
const act = (application: string, id: string, what: string, body?: unknown, person = owner) =>
  person.post(`/applications/${application}/orders/${id}/${what}`, body)
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
interface Mark {
  status: string
  score_pct: number | null
}

interface Stage {
  id: string
  name: string
  type: string
  is_terminal: boolean
}

const statusOf = (id: string) =>
  world.service.services.db.only(
    sql<{ status: string; placed_by_id: string; invitation_by: string }>`
      select status, placed_by_id, invitation_by from orders where workspace_id = ${world.workspace} and id = ${id}`,
  )

/** Orders of rules, keys and people who left are tasks of the team. */
const joinTeam = async (person: Person) => {
  const joined = await owner.post(`/jobs/${world.job.id}/team`, { add: [person.userId], remove: [] })
  assert.equal(joined.status, 200)
}

test('POST …/orders: 200 places an order as the person; the same again is the same order; no email before the vendor accepts', async () => {
  const { id } = await apply(world)
  const packageId = await vendor.package()
  const first = await owner.post(`/applications/${id}/orders`, { package_id: packageId, due_at: inDays(5) })
  assert.deepEqual([first.status, first.body.status, first.body.is_new], [200, 'requested', true])
  const again = await member.post(`/applications/${id}/orders`, { package_id: packageId })
  assert.deepEqual([again.body.id, again.body.is_new], [first.body.id, false])
  const stored = await statusOf(first.body.id)
  assert.deepEqual([stored.placed_by_id, stored.invitation_by], [owner.userId, 'service'])
  assert.deepEqual(await readMailKinds(world, first.body.id), [])
  await vendor.accept(first.body.id)
  assert.deepEqual(await readMailKinds(world, first.body.id), ['check_invitation'])
})

test('GET …/orders: 200 with who placed each, what is waited for and what can be done; viewers are refused', async () => {
  const { id } = await apply(world)
  const placed = await order(id, await vendor.package({ name: 'Firmware' }), member)
  const shown = (await checks(owner, id)).body
  assert.deepEqual([shown.orderable, shown.unsubscribed, shown.orders.length], [true, false, 1])
  const [check] = shown.orders
  assert.deepEqual(check.placed_by, { kind: 'person', name: 'Rosalind Acker', own: false })
  assert.deepEqual([check.package_name, check.vendor.name, check.status], ['Firmware', 'Codecraft', 'requested'])
  assert.deepEqual(check.can, {
    invite: false,
    remind: false,
    extend: false,
    cancel: true,
    repeat: false,
    notify: false,
  })
  assert.ok(!('candidate_url' in check))
  await vendor.accept(placed)
  const [invited] = (await checks(member, id)).body.orders
  assert.deepEqual([invited.placed_by.own, invited.invitation.by], [true, 'service'])
  assert.ok(invited.invitation.sent_at)
  assert.deepEqual(invited.can, {
    invite: false,
    remind: true,
    extend: true,
    cancel: true,
    repeat: false,
    notify: true,
  })
  assert.equal((await checks(viewer, id)).status, 403)
  assert.equal((await viewer.post(`/applications/${id}/orders`, { package_id: 'pkg_x' })).status, 403)
})

test('POST …/orders: refused for a package that is not offered, an ended application, a stopped person and a bad due date; nothing is placed', async () => {
  const offered = await vendor.package()
  const open = await apply(world)
  const place = (id: string, body: object) => owner.post(`/applications/${id}/orders`, body)
  const pending = await place(open.id, { package_id: await vendor.package({}, 'pending') })
  assert.deepEqual([pending.status, pending.body.detail.code], [409, 'package_not_available'])
  const late = await place(open.id, { package_id: offered, due_at: inDays(91) })
  assert.deepEqual([late.status, late.body.detail.errors[0].param], [400, 'due_at'])
  assert.equal((await place(open.id, { package_id: 'pkg_unknown' })).status, 404)
  const rejected = await apply(world)
  await owner.post(`/v1/applications/${rejected.id}/reject`, { reason: 'No' })
  assert.equal((await place(rejected.id, { package_id: offered })).body.detail.code, 'invalid_application_state')
  const stopped = await apply(world)
  await world.service.services.db.query(
    sql`update applicants set suppressed_at = app_now() where id = ${stopped.applicant_id}`,
  )
  assert.equal((await place(stopped.id, { package_id: offered })).body.detail.code, 'applicant_suppressed')
  assert.deepEqual((await checks(owner, stopped.id)).body.orderable, false)
  assert.deepEqual((await checks(owner, open.id)).body.orders, [])
})

test('orders of another application or workspace: 404 for every change, as for one that does not exist', async () => {
  const [mine, other] = [await apply(world), await apply(world)]
  const placed = await order(other.id, await vendor.package())
  const elsewhere = await newTenant(world.service)
  const theirs = await apply({ service: world.service, ...elsewhere })
  const stranger = await signedIn(world.service, elsewhere.workspace, { program: 'hiring' })
  const bodies: Record<string, object | undefined> = {
    invite: undefined,
    remind: undefined,
    extend: { due_at: inDays(3) },
    cancel: { notify_candidate: false },
    repeat: undefined,
    reviewed: { reviewed: true },
  }
  for (const [what, body] of Object.entries(bodies)) {
    assert.equal((await act(mine.id, placed, what, body)).status, 404, what)
    assert.equal((await act(other.id, 'ord_unknown', what, body)).status, 404, what)
    assert.equal((await act(theirs.id, placed, what, body, stranger)).status, 404, what)
  }
  assert.equal((await checks(stranger, other.id)).status, 404)
  assert.equal((await statusOf(placed)).status, 'requested')
})

test('remind: 200 at most twice, then 409 and no email; extend: 200 also after the due date', async () => {
  const { id } = await apply(world)
  const placed = await order(id, await vendor.package())
  assert.equal((await act(id, placed, 'remind')).body.detail.code, 'invalid_order_state')
  await vendor.accept(placed)
  assert.equal((await act(id, placed, 'remind')).status, 200)
  assert.equal((await act(id, placed, 'remind')).status, 200)
  assert.equal((await act(id, placed, 'remind')).status, 409)
  assert.equal((await readMailKinds(world, placed)).filter(kind => kind === 'check_reminder').length, 2)
  assert.equal((await act(id, placed, 'extend', { due_at: inDays(20) })).status, 200)
  assert.equal((await act(id, placed, 'extend', { due_at: inDays(200) })).status, 400)
  assert.equal((await checks(owner, id)).body.orders[0].can.remind, false)
})

test('cancel: mails the candidate only where the person ticked it; order again makes a further attempt', async () => {
  const packageId = await vendor.package()
  for (const notify_candidate of [false, true]) {
    const { id } = await apply(world)
    const placed = await order(id, packageId)
    await vendor.accept(placed)
    assert.equal((await act(id, placed, 'repeat')).status, 409, 'it is open')
    const canceled = await act(id, placed, 'cancel', { reason: 'Not needed', notify_candidate })
    assert.deepEqual([canceled.status, canceled.body.status], [200, 'canceled'])
    assert.equal((await readMailKinds(world, placed)).includes('check_canceled'), notify_candidate)
    const [check] = (await checks(owner, id)).body.orders
    assert.deepEqual(check.status_reason, { code: 'canceled_by_workspace', message: 'Not needed' })
    const repeated = await act(id, placed, 'repeat')
    assert.deepEqual([repeated.status, repeated.body.status], [200, 'requested'])
    assert.deepEqual(
      (await checks(owner, id)).body.orders.map((one: { attempt: number }) => one.attempt),
      [2, 1],
    )
  }
})

test('invite and remind: 409 says why no email can be sent; nothing is counted', async () => {
  const { db } = world.service.services
  const { id, applicant_id } = await apply(world)
  const [uninvited, invited] = [await order(id, await vendor.package()), await order(id, await vendor.package())]
  await vendor.accept(invited)
  const setEmail = (email: string | null) =>
    db.query(
      sql`update applicants set email = ${email} where workspace_id = ${world.workspace} and id = ${applicant_id}`,
    )
  await setEmail(null)
  await vendor.accept(uninvited)
  for (const [placed, name] of [
    [uninvited, 'invite'],
    [invited, 'remind'],
  ] as const) {
    const { status, body } = await act(id, placed, name)
    assert.deepEqual([status, body.detail.code], [409, 'invalid_order_state'])
    assert.match(body.detail.message, /no email address/)
  }
  const { orders } = (await checks(owner, id)).body
  assert.deepEqual(
    orders.map((one: { invitation: { reminders: number } }) => one.invitation.reminders),
    [0, 0],
  )
  await setEmail('back@example.org')
  assert.equal((await act(id, uninvited, 'invite')).status, 200)
  assert.deepEqual(await readMailKinds(world, uninvited), ['check_invitation'])
})

test('invite: an order of a rule or a key gets its invitation when a person sends it, once', async () => {
  const { id } = await apply(world)
  const placed = await order(id, await vendor.package())
  await world.service.services.db.query(
    sql`update orders set invitation_by = 'caller', placed_by_object = 'credential', placed_by_id = 'pk_gone'
      where workspace_id = ${world.workspace} and id = ${placed}`,
  )
  await vendor.accept(placed)
  assert.deepEqual(await readMailKinds(world, placed), [])
  const [check] = (await checks(owner, id)).body.orders
  assert.deepEqual([check.can.invite, check.placed_by], [true, { kind: 'key', name: null, own: false }])
  await joinTeam(owner)
  const tasks = async () =>
    (await owner.get('/tasks')).body.checks.filter((task: { order_id: string }) => task.order_id === placed)
  assert.deepEqual(
    (await tasks()).map((task: { reason: string }) => task.reason),
    ['not_invited'],
  )
  assert.equal((await act(id, placed, 'invite')).status, 200)
  assert.equal((await act(id, placed, 'invite')).status, 200)
  assert.deepEqual(await readMailKinds(world, placed), ['check_invitation'])
  assert.deepEqual(await tasks(), [])
})

test('an unsubscribed person: no email, and the response says so; a package whose vendor writes is refused', async () => {
  const { id, applicant_id } = await apply(world)
  await world.service.services.db.query(
    sql`update applicants set unsubscribed_at = app_now() where id = ${applicant_id}`,
  )
  const placed = await order(id, await vendor.package())
  await vendor.accept(placed)
  assert.deepEqual(await readMailKinds(world, placed), [])
  const { body } = await checks(owner, id)
  assert.deepEqual([body.unsubscribed, body.orders[0].can.invite, body.orders[0].can.remind], [true, false, false])
  const unsent = await act(id, placed, 'invite')
  assert.deepEqual([unsent.status, unsent.body.detail.code], [409, 'invalid_order_state'])
  assert.match(unsent.body.detail.message, /unsubscribed/)
  const byVendor = await vendor.package({ invitation: 'vendor', candidate_host: null })
  const refused = await owner.post(`/applications/${id}/orders`, { package_id: byVendor })
  assert.deepEqual([refused.status, refused.body.detail.code], [409, 'applicant_unsubscribed'])
})

test('POST /jobs/{j}/orders: orders for those who can have it; the preview says who is left out and why', async () => {
  const job = await newJob(world.service, world.workspace)
  const here = { ...world, job }
  const [fine, busy, rejected, stopped, away] = [
    await apply(here),
    await apply(here),
    await apply(here),
    await apply(here),
    await apply(world),
  ]
  const packageId = await vendor.package()
  await order(busy.id, packageId)
  await owner.post(`/v1/applications/${rejected.id}/reject`, { reason: 'No' })
  await world.service.services.db.query(
    sql`update applicants set suppressed_at = app_now() where id = ${stopped.applicant_id}`,
  )
  const body = { application_ids: [fine, busy, rejected, stopped, away].map(({ id }) => id), package_id: packageId }
  const left = [
    { application_id: busy.id, reason: 'already_open' },
    { application_id: rejected.id, reason: 'closed' },
    { application_id: stopped.id, reason: 'stopped' },
    { application_id: away.id, reason: 'not_found' },
  ]
  const preview = await owner.post(`/jobs/${job.id}/orders/preview`, body)
  assert.deepEqual([preview.status, preview.body], [200, { ready: 1, left_out: left }])
  const done = await owner.post(`/jobs/${job.id}/orders`, body)
  assert.deepEqual([done.status, done.body], [200, { ordered: 1, left_out: left }])
  assert.equal((await checks(owner, fine.id)).body.orders.length, 1)
  const many = { ...body, application_ids: Array.from({ length: 51 }, i => `app_${i}`) }
  assert.equal((await owner.post(`/jobs/${job.id}/orders`, many)).status, 400)
})

test('POST /jobs/{j}/orders: 200 leaves out who was not ordered for yet when the package was withdrawn; 409 where it was for all', async () => {
  const { db } = world.service.services
  const job = await newJob(world.service, world.workspace)
  const here = { ...world, job }
  const [first, second, third] = [await apply(here), await apply(here), await apply(here)]
  const packageId = await vendor.package()
  const send = () =>
    owner.post(`/jobs/${job.id}/orders`, {
      application_ids: [first.id, second.id, third.id],
      package_id: packageId,
    })
  const { sent } = await db.transaction(async tx => {
    await tx.query(
      sql`select 1 from applications where workspace_id = ${world.workspace} and id = ${second.id} for update`,
    )
    const sent = send()
    while ((await checks(owner, first.id)).body.orders.length === 0) await setTimeout(10)
    await db.transaction(other => withdrawPackage(other, { workspace: world.workspace, id: packageId }))
    return { sent }
  })
  const done = await sent
  assert.deepEqual(
    [done.status, done.body],
    [
      200,
      {
        ordered: 1,
        left_out: [second, third].map(({ id }) => ({ application_id: id, reason: 'not_offered' })),
      },
    ],
  )
  await owner.post(`/v1/applications/${first.id}/reject`, { reason: 'No' })
  const refused = await send()
  assert.deepEqual([refused.status, refused.body.detail.code], [409, 'package_not_available'])
})

test('GET /jobs/{j}/board/cards: the mark of the newest order that was not canceled, and the filter by its status', async () => {
  const job = await newJob(world.service, world.workspace)
  const here = { ...world, job }
  const [none, invited, scored] = [await apply(here), await apply(here), await apply(here)]
  const packageId = await vendor.package()
  await vendor.accept(await order(invited.id, packageId))
  const second = await order(invited.id, await vendor.package())
  await act(invited.id, second, 'cancel', { notify_candidate: false })
  const done = await order(scored.id, packageId)
  await vendor.accept(done)
  await vendor.complete(done, { score: { value: 42, min: 0, max: 50, passing: null, unit: 'points' } })
  const cards = async (person: Person, more = ''): Promise<Record<string, Mark>> =>
    Object.fromEntries(
      (await person.get(`/jobs/${job.id}/board/cards${more}`)).body.data.map((card: { id: string; check: unknown }) => [
        card.id,
        card.check,
      ]),
    )
  const marks = await cards(member)
  assert.equal(marks[none.id], null)
  assert.deepEqual([marks[invited.id]?.status, marks[invited.id]?.score_pct], ['invited', null])
  assert.deepEqual([marks[scored.id]?.status, marks[scored.id]?.score_pct], ['completed', 84])
  assert.deepEqual(Object.keys(await cards(owner, '?check=completed')), [scored.id])
  assert.deepEqual(Object.keys(await cards(owner, '?check=none,invited')).toSorted(), [none.id, invited.id].toSorted())
  assert.deepEqual(Object.values(await cards(viewer)), [null, null, null])
  assert.equal((await viewer.get(`/jobs/${job.id}/board/cards?check=invited`)).status, 403)
})

test('POST /jobs/{j}/stages: order_package_ids are stored for open stages, at most three, and only what is offered', async () => {
  const job = await newJob(world.service, world.workspace)
  const packageId = await vendor.package({ name: 'On entry' })
  const read = async () => (await owner.get(`/jobs/${job.id}/stages`)).body
  const { stages, version, packages } = await read()
  assert.ok(packages.some(({ id }: { id: string }) => id === packageId))
  const save = (change: (i: number) => object, expected_version = version) =>
    owner.post(`/jobs/${job.id}/stages`, {
      stages: stages.map(({ id, name, type, is_terminal }: Stage, i: number) => ({
        ...{ id, name, type, is_terminal },
        ...change(i),
      })),
      expected_version,
    })
  const saved = await save(i => (i === 1 ? { order_package_ids: [packageId] } : {}))
  assert.equal(saved.status, 200, saved.text)
  assert.deepEqual(
    saved.body.stages.map((stage: { order_package_ids: string[] }) => stage.order_package_ids),
    [[], [packageId], [], [], []],
  )
  // left out, it stays
  const kept = await save(() => ({}), saved.body.version)
  assert.deepEqual(kept.body.stages[1].order_package_ids, [packageId])
  const faults = async (change: (i: number) => object) =>
    (await save(change, kept.body.version)).body.detail.errors.map((fault: { param: string }) => fault.param)
  const withdrawn = await vendor.package({}, 'withdrawn')
  assert.deepEqual(await faults(i => (i === 3 ? { order_package_ids: [packageId] } : {})), [
    'stages[3].order_package_ids',
  ])
  assert.deepEqual(await faults(i => (i === 0 ? { order_package_ids: [withdrawn] } : {})), [
    'stages[0].order_package_ids',
  ])
  assert.deepEqual(await faults(i => (i === 0 ? { order_package_ids: [packageId, packageId] } : {})), [
    'stages[0].order_package_ids',
  ])
  // one that is withdrawn later may stay where it is
  const { db } = world.service.services
  await db.transaction(tx => withdrawPackage(tx, { workspace: world.workspace, id: packageId }))
  assert.equal((await save(() => ({ name: 'Renamed' }), kept.body.version)).status, 200)
  const four = await Promise.all([1, 2, 3, 4].map(() => vendor.package()))
  assert.equal((await save(i => (i === 0 ? { order_package_ids: four } : {}))).status, 400)
})

test('GET /tasks: declined, waiting on the team and results, for whom placed them; done by a click, and by another attempt', async () => {
  const { id } = await apply(world)
  const [declined, waiting, result] = [
    await order(id, await vendor.package(), member),
    await order(id, await vendor.package(), member),
    await order(id, await vendor.package(), member),
  ]
  await vendor.decline(declined, 'No seats')
  await vendor.accept(waiting)
  await vendor.progress(waiting, 'workspace', 'Which country?')
  await vendor.accept(result)
  await vendor.complete(result)
  const tasks = async (person: Person): Promise<Record<string, string>> =>
    Object.fromEntries(
      (await person.get('/tasks')).body.checks
        .filter((task: { application_id: string }) => task.application_id === id)
        .map((task: { order_id: string; reason: string }) => [task.order_id, task.reason]),
    )
  assert.deepEqual(await tasks(member), {
    [declined]: 'declined',
    [waiting]: 'waiting_on_workspace',
    [result]: 'result',
  })
  await joinTeam(owner)
  assert.deepEqual(await tasks(owner), {}, 'a colleague placed them')
  const { db } = world.service.services
  const { checks: before } = (await owner.get('/tasks/count')).body
  await db.query(
    sql`update orders set placed_by_id = 'usr_left' where workspace_id = ${world.workspace} and id = ${waiting}`,
  )
  assert.deepEqual(await tasks(owner), { [waiting]: 'waiting_on_workspace' }, 'who placed it has left')
  assert.equal((await owner.get('/tasks/count')).body.checks, before + 1)
  await db.query(
    sql`update orders set placed_by_id = ${member.userId} where workspace_id = ${world.workspace} and id = ${waiting}`,
  )
  const { checks: counted } = (await member.get('/tasks/count')).body
  assert.ok(counted >= 3)
  assert.equal((await act(id, result, 'reviewed', { reviewed: true }, member)).status, 200)
  await act(id, declined, 'repeat', undefined, member)
  assert.deepEqual(await tasks(member), { [waiting]: 'waiting_on_workspace' })
  assert.equal((await act(id, result, 'reviewed', { reviewed: false }, member)).status, 200)
  assert.equal((await tasks(member))[result], 'result')
  assert.equal((await act(id, result, 'reviewed', { reviewed: true }, member)).status, 200)
  await vendor.complete(result)
  assert.equal((await tasks(member))[result], undefined, 'the same result again')
  await vendor.complete(result, { outcome: 'not_recommended' })
  assert.equal((await tasks(member))[result], 'result', 'a correction')
})

test('reject after an adverse result: the notice is stored with the rejection, shown to who reads reasons, and gone when it is reopened', async () => {
  const { id } = await apply(world)
  const placed = await order(id, await vendor.package({ kind: 'background_check' }))
  await vendor.accept(placed)
  await vendor.complete(placed, { outcome: 'consider' })
  const fine = await apply(world)
  const asked = await owner.post('/applications/adverse-results', { application_ids: [id, fine.id] })
  assert.deepEqual([asked.status, asked.body], [200, { adverse: [id] }])
  const reject = (notice_given_on: string) =>
    owner.post('/applications/changes', { changes: [{ id, action: 'reject', reason: 'No', notice_given_on }] })
  for (const day of ['2026-02-30', '2999-01-01', 'yesterday']) {
    const refused = await reject(day)
    assert.deepEqual([refused.status, refused.body.detail.errors[0].param], [400, 'changes[0].notice_given_on'], day)
  }
  assert.equal((await reject('2026-01-31')).status, 200)
  const noticeOf = async (person: Person) => (await person.get(`/candidates/${id}`)).body.notice_given_on
  assert.deepEqual([await noticeOf(owner), await noticeOf(member)], ['2026-01-31', '2026-01-31'])
  assert.equal(await noticeOf(viewer), null)
  const read = await world.service.get(`/applications/${id}`, world.key)
  assert.ok(!read.text.includes('2026-01-31'))
  await owner.post(`/v1/applications/${id}/reopen`, {})
  assert.equal(await noticeOf(owner), null)
  const board = await owner.post('/applications/changes', {
    changes: [{ id, action: 'reject', reason: 'No', notice_given_on: '2026-01-30' }],
  })
  assert.deepEqual([board.status, board.body.results[0].ok, await noticeOf(owner)], [200, true, '2026-01-30'])
})
