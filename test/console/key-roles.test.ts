import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { keyVerbs } from '../../src/cli/keys.ts'
import { LIVE_SCOPES, ROLE_SCOPES } from '../../src/contract/scopes.ts'
import { claimDeliveries } from '../../src/delivery/lease.ts'
import { FIRST_ENDPOINT } from '../../src/delivery/lease-store.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { sequenceBatch } from '../../src/kernel/feed/sequencer.ts'
import { runNextExport } from '../../src/resources/exports/index.ts'
import type { IssuedKey } from '../../src/resources/keys/index.ts'
import { disableExpiredEndpoints } from '../../src/resources/webhooks/index.ts'
import { apply, newTenant, type World } from '../applications/setup.ts'
import { exportNow } from '../exports/setup.ts'
import { startTestService } from '../harness/service.ts'
import { runVerb } from '../harness/verb.ts'
import { type Person, signedIn } from './setup.ts'

let world: World
let owner: Person
let application: { id: string; applicant_id: string }

before(async () => {
  const service = await startTestService({ ROLES: 'api' }, { resolveName: async () => ['8.8.8.8'] })
  world = { service, ...(await newTenant(service)) }
  owner = await signedIn(service, world.workspace)
  application = await apply(world, {}, { email: 'reached@example.org' })
})

/** An admin with a key of their own that may do everything. */
async function adminWithKey(): Promise<{ admin: Person; key: IssuedKey }> {
  const admin = await signedIn(world.service, world.workspace, { role: 'admin' })
  return { admin, key: await world.service.key({ workspace: world.workspace, userEmail: admin.email }) }
}

const setRole = async (person: Person, role: string) =>
  assert.equal((await owner.post(`/people/${person.userId}/role`, { role })).status, 200)

const scopesNow = async (key: IssuedKey) => (await world.service.get('/me', key)).body.scopes

test('key roles: key: 403 insufficient_scope from the next request on for what the new role of its person does not allow', async () => {
  const { service } = world
  const { admin, key } = await adminWithKey()
  const contact = () => service.get(`/applicants/${application.applicant_id}/contact-info`, key)
  assert.equal((await contact()).status, 200)
  await setRole(admin, 'viewer')
  const refused = await contact()
  assert.deepEqual([refused.status, refused.body.detail.required_scope], [403, 'contact:read'])
  const write = await service.post(`/applications/${application.id}/reject`, key, { reason: 'No' })
  assert.deepEqual([write.status, write.body.detail.required_scope], [403, 'applications:write'])
  assert.equal((await service.get('/events', key)).body.detail.required_scope, 'events:read')
  assert.equal((await service.get('/applications', key)).status, 200, 'what a viewer sees')

  await setRole(admin, 'member')
  assert.equal((await contact()).body.restricted[0], 'phones', 'a member reads addresses, not phone numbers')
  const { body } = await service.get(`/applications/${application.id}`, key)
  assert.ok(body.restricted.includes('rejection_reason'))
  await setRole(admin, 'admin')
  assert.deepEqual(await scopesNow(key), LIVE_SCOPES, 'what was granted is back with the role')
})

test('GET /me and /me/access: the effective scopes for the role of the user', async () => {
  const { service } = world
  const { admin, key } = await adminWithKey()
  await setRole(admin, 'viewer')
  assert.deepEqual(new Set(await scopesNow(key)), new Set(ROLE_SCOPES.viewer))
  const { data } = (await service.get('/me/access', key)).body
  const readable = data.filter((row: { readable: boolean }) => row.readable).map((row: { scope: string }) => row.scope)
  for (const scope of readable) assert.ok(scope === null || ROLE_SCOPES.viewer.includes(scope), scope)
})

test('key roles: key: a promotion adds nothing that was not granted when the key was created', async () => {
  const { service, workspace } = world
  const person = await signedIn(service, workspace, { role: 'viewer' })
  const key = await service.key({ workspace, userEmail: person.email, scopes: ['jobs:read', 'contact:read'] })
  assert.deepEqual(await scopesNow(key), ['jobs:read'])
  await setRole(person, 'owner')
  assert.deepEqual((await scopesNow(key)).sort(), ['contact:read', 'jobs:read'])
})

test('key roles: key created while the role of its person is lowered: never more than the new role', async () => {
  const { service, workspace } = world
  for (let i = 0; i < 5; i++) {
    const person = await signedIn(service, workspace, { role: 'admin' })
    const [key] = await Promise.all([service.key({ workspace, userEmail: person.email }), setRole(person, 'viewer')])
    assert.deepEqual(new Set(await scopesNow(key)), new Set(ROLE_SCOPES.viewer))
  }
})

test('console and command line: a key shows its granted and its effective scopes', async () => {
  const { service, workspace } = world
  const { admin, key } = await adminWithKey()
  await setRole(admin, 'viewer')
  const { body } = await owner.get(`/keys/${key.id}`)
  assert.deepEqual(new Set(body.scopes), new Set(ROLE_SCOPES.viewer))
  assert.deepEqual(body.granted_scopes, LIVE_SCOPES)
  const options = { workspace, user: admin.email, scopes: 'jobs:read,contact:read' }
  const { text } = await runVerb(service, keyVerbs, 'keys create', [], options)
  assert.match(text, /2 scopes, 1 in effect/)
})

const endpointOf = async (key: IssuedKey): Promise<string> => {
  const body = { url: 'https://receiver.example/hook', event_types: ['application.status_changed'] }
  const made = await world.service.post('/webhooks/endpoints', key, body)
  assert.equal(made.status, 201, made.text)
  return made.body.id
}

const sequenceAll = async () => {
  const { db } = world.service.services
  while ((await sequenceBatch(db)) > 0);
}

/** One change of an application, which makes an event. */
const change = async () => {
  const { id } = await apply(world, {}, { email: `changed-${Math.random().toString(36).slice(2)}@example.org` })
  assert.equal((await world.service.post(`/applications/${id}/reject`, world.key, { reason: 'No' })).status, 200)
  await sequenceAll()
}

const deliveriesTo = async (endpoint: string): Promise<{ id: string; status: string }[]> =>
  (await owner.get(`/deliveries?endpoint_id=${endpoint}`)).body.data

test('webhooks: no delivery is made, waits or leaves for a key whose person may no longer read the events', async () => {
  const { db } = world.service.services
  const { admin, key } = await adminWithKey()
  const endpoint = await endpointOf(key)
  await change()
  assert.deepEqual(
    (await deliveriesTo(endpoint)).map(d => d.status),
    ['pending'],
  )
  await setRole(admin, 'viewer')
  const [waiting] = await deliveriesTo(endpoint)
  assert.equal(waiting!.status, 'canceled', 'what waited is canceled')
  await change()
  assert.equal((await deliveriesTo(endpoint)).length, 1, 'new events make none')

  const again = await owner.post(`/deliveries/${waiting!.id}/redeliver`)
  assert.equal(again.status, 400, again.text)
  assert.match(again.body.detail.message, /can no longer read/)

  // a sequencer that read the role a moment before: it is neither claimed nor left waiting
  await db.query(sql`update webhook_deliveries set status = 'pending', ready = true, next_attempt_at = app_now()
    where id = ${waiting!.id}::uuid`)
  const claim = { slow: false, perEndpoint: 9, perFastEndpoint: 9, limit: 100, after: FIRST_ENDPOINT, ended: [] }
  const { deliveries } = await claimDeliveries(db, claim)
  assert.ok(!deliveries.some(d => d.id === waiting!.id))
  await disableExpiredEndpoints(db)
  assert.equal((await deliveriesTo(endpoint))[0]!.status, 'canceled')

  await setRole(admin, 'admin')
  await change()
  assert.equal((await deliveriesTo(endpoint))[0]!.status, 'pending', 'with the role the events come again')
})

test('exports: files with fields that the key may no longer read are unavailable, and none are written', async () => {
  const { service } = world
  const { db } = service.services
  const { admin, key } = await adminWithKey()
  const made = await exportNow(service, key, ['applications'])
  assert.equal(made.status, 'ready')
  const kept = await exportNow(service, key, ['lists'])
  const waiting = (await service.post('/exports', key, { resources: ['applicants'] })).body
  await setRole(admin, 'viewer')
  while (await runNextExport(service.services));
  const stateOf = async (id: string) =>
    (await db.one(sql<{ status: string; files: unknown[] }>`select status, files from exports where id = ${id}`))!
  assert.deepEqual(await stateOf(made.id), { status: 'expired', files: [] }, 'written with rejection reasons')
  assert.deepEqual(await stateOf(waiting.id), { status: 'failed', files: [] })
  assert.equal((await stateOf(kept.id)).status, 'ready', 'lists are a viewer’s to read')
  assert.equal((await service.get(`/exports/${waiting.id}`, key)).status, 403)
  assert.equal((await service.get(`/exports/${kept.id}`, key)).status, 200)
})

test('key roles: Idempotency-Key: a replay shows nothing that the key may no longer read', async () => {
  const { service } = world
  const { admin, key } = await adminWithKey()
  const { id } = await apply(world, {}, { email: 'replayed@example.org' })
  const reject = () =>
    service.post(
      `/applications/${id}/reject`,
      key,
      { reason: 'Internal' },
      { headers: { 'Idempotency-Key': 'replay-0001' } },
    )
  assert.equal((await reject()).body.rejection_reason, 'Internal')
  await setRole(admin, 'member')
  const again = await reject()
  assert.ok(!again.text.includes('Internal'), again.text)
})
