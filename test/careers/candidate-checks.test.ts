import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { cancelOrder, checkToken, placeOrder } from '../../src/resources/orders/index.ts'
import { newTenant } from '../applications/setup.ts'
import { checkVendor, HOST } from '../hiring/checks-setup.ts'
import type { Person } from '../messages/setup.ts'
import { readSlug, startCandidateWorld } from './candidate-setup.ts'

const world = await startCandidateWorld()
const { service, workspace, slug } = world
const { db, keyring } = service.services
const ME = `/careers/${slug}/me`
const vendor = checkVendor(world)

async function order(person: Person, name = 'Skills test', more: Record<string, unknown> = {}): Promise<string> {
  const packageId = await vendor.package({ name, duration_minutes: 45, ...more })
  const wanted = { workspace, applicationId: person.applicationId, packageId, byPerson: true, originKeyId: null }
  const placed = await db.transaction(tx => placeOrder(tx, { ...wanted, placedBy: { object: 'user', id: 'usr_x' } }))
  assert.ok(placed)
  return placed.order.id
}

const setStatus = (id: string, status: string) =>
  db.query(
    sql`update orders set status = ${status}, result_received = false where workspace_id = ${workspace} and id = ${id}`,
  )

const rename = (id: string, name: string) =>
  db.query(sql`update orders set package_name = ${name} where workspace_id = ${workspace} and id = ${id}`)

const pageOf = (id: string, language = 'en') =>
  world.visitor().get(`/careers/${slug}/checks/${checkToken(keyring, { workspace, order: id })}?lang=${language}`)

/** What a reader sees of a page. */
const textOf = (html: string): string =>
  html
    .replace(/^[\s\S]*<main/, '<main')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')

test('GET …/me: what there is to do until when, in progress, done, no longer needed; never a score or an outcome', async () => {
  const person = await world.person()
  const [todo, running, done, over, asked] = [
    await order(person, 'To-do test'),
    await order(person, 'Running test'),
    await order(person, 'Done test'),
    await order(person, 'Over test'),
    await order(person, 'Asked test'),
  ]
  for (const id of [todo, running, done, over]) await vendor.accept(id)
  await rename(over, 'Your account\nis locked')
  await vendor.progress(running)
  await vendor.complete(done, {
    outcome: 'not_recommended',
    score: { value: 12, min: 0, max: 60, passing: 30, unit: 'points' },
    summary: 'Weak in C',
  })
  await db.transaction(tx => cancelOrder(tx, { workspace, id: over, originKeyId: null }))
  await world.deliver()
  const visitor = await world.signedIn(person)
  const { status, html } = await visitor.get(ME)
  assert.equal(status, 200)
  const text = textOf(html)
  for (const words of ['To do until', 'In progress', 'Done', 'No longer needed']) assert.ok(text.includes(words), words)
  assert.ok(text.includes('Test or check') && !text.includes('locked'), 'a name of two lines')
  assert.ok(!text.includes('Asked test'), 'not before the vendor has accepted')
  for (const secret of ['Weak in C', 'not_recommended', 'Not recommended', '20%', 'https://vendor.example'])
    assert.ok(!html.includes(secret), secret)
  assert.deepEqual(
    [todo, running, done, over, asked].map(id => html.includes(`/checks/${workspace}.${id}.`)),
    [true, true, false, false, false],
  )
  const german = textOf((await visitor.get(`${ME}?lang=de`)).html)
  for (const words of ['Zu erledigen bis', 'Läuft', 'Erledigt', 'Nicht mehr nötig'])
    assert.ok(german.includes(words), words)
})

test('GET …/me: a check whose vendor invites says who sends the link', async () => {
  const person = await world.person()
  const id = await order(person, 'Phone interview', { invitation: 'vendor', candidate_host: null })
  await vendor.accept(id)
  await world.deliver()
  const visitor = await world.signedIn(person)
  const { html } = await visitor.get(ME)
  assert.ok(textOf(html).includes('Codecraft sends you an email with the link.'))
  assert.ok(!html.includes(`/checks/${workspace}.${id}.`))
})

test('GET …/checks/{token}: 200 names vendor, host, time and whom to ask, and links to the host; German, too', async () => {
  const person = await world.person()
  const id = await order(person, 'Firmware test')
  await vendor.accept(id)
  const page = await pageOf(id)
  assert.equal(page.status, 200)
  const text = textOf(page.html)
  for (const words of [
    'Firmware test',
    'Codecraft',
    HOST,
    '45 minutes',
    'Please be done by',
    'Privacy notice of Codecraft',
  ])
    assert.ok(text.includes(words), words)
  assert.ok(page.html.includes(`href="https://${HOST}/t/${id}"`))
  assert.equal(page.headers.get('referrer-policy'), 'no-referrer')
  assert.equal(page.headers.get('x-robots-tag'), 'noindex')
  assert.ok(!page.html.includes(person.email), 'anyone with the address can open it')
  assert.ok(textOf((await pageOf(id, 'de')).html).includes(`Weiter zu ${HOST}`))
})

test('GET …/checks/{token}: 200 without the name that a check has from before the rule, where it has a link', async () => {
  const id = await order(await world.person(), 'Firmware test')
  await vendor.accept(id)
  await rename(id, 'Pay at https://evil.example')
  const page = await pageOf(id)
  assert.deepEqual([page.status, page.html.includes('evil.example')], [200, false])
  assert.ok(textOf(page.html).includes('Test or check'))
})

test('GET …/checks/{token}: 200 without a link after cancel, expiry and completion, and before the vendor is ready', async () => {
  const person = await world.person()
  const id = await order(person)
  const words = async () => {
    const { status, html } = await pageOf(id)
    assert.equal(status, 200)
    assert.ok(!html.includes(`https://${HOST}`))
    return textOf(html)
  }
  assert.ok((await words()).includes('not ready yet'))
  await vendor.accept(id)
  for (const [status, said] of [
    ['canceled', 'no longer needed'],
    ['failed', 'no longer needed'],
    ['expired', 'has ended'],
    ['completed', 'You are done'],
  ] as const) {
    await setStatus(id, status)
    assert.ok((await words()).includes(said), status)
  }
})

test('GET …/checks/{token}: 404 for a changed token, another site, and a person whose processing was stopped', async () => {
  const person = await world.person()
  const id = await order(person)
  await vendor.accept(id)
  const token = checkToken(keyring, { workspace, order: id })
  const visitor = world.visitor()
  for (const bad of [`${token}x`, token.slice(0, -2), 'x', `${workspace}.${id}.AAAA`])
    assert.equal((await visitor.get(`/careers/${slug}/checks/${bad}`)).status, 404, bad)
  const other = await newTenant(service)
  assert.equal((await visitor.get(`/careers/${await readSlug(world, other.workspace)}/checks/${token}`)).status, 404)
  assert.equal((await pageOf(id)).status, 200)
  await db.query(
    sql`update applicants set suppressed_at = app_now() where workspace_id = ${workspace} and id = ${person.id}`,
  )
  const stopped = await pageOf(id)
  assert.equal(stopped.status, 404)
  assert.ok(!stopped.html.includes('Codecraft'))
})

test('GET …/me/data.json: orders with vendor, dates and status; results by their time alone', async () => {
  const person = await world.person()
  const id = await order(person, 'Firmware test')
  await vendor.accept(id)
  await vendor.complete(id, { outcome: 'not_recommended', summary: 'Weak in C' })
  await world.deliver()
  const visitor = await world.signedIn(person)
  const file = await visitor.get(`${ME}/data.json`)
  const [application] = JSON.parse(file.html).applications
  const [check] = application.checks
  assert.deepEqual([check.name, check.vendor, check.order_status], ['Firmware test', 'Codecraft', 'completed'])
  assert.ok(check.requested_at && check.due_at && check.completed_at)
  assert.equal(application.internal.check_results.length, 1)
  const page = await visitor.get(`${ME}/data`)
  const text = textOf(page.html)
  for (const words of ['Tests and checks', 'Codecraft', 'Carried out by', '1 result of tests and checks'])
    assert.ok(text.includes(words), words)
  for (const html of [file.html, page.html])
    for (const secret of ['Weak in C', 'not_recommended']) assert.ok(!html.includes(secret), secret)
})
