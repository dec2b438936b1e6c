import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { installableVerbs } from '../../src/cli/installable-apps.ts'
import type { EventType } from '../../src/contract/events.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import {
  approveApp,
  changeInstallable,
  readInstallation,
  revokeInstallable,
  suspendApp,
  suspendInstallation,
} from '../../src/resources/installations/index.ts'
import { checkTarget } from '../../src/resources/webhooks/index.ts'
import { emit } from '../harness/events.ts'
import { CA_FILE, type Receiver, startReceiver, testNames, until } from '../harness/receiver.ts'
import { startTestService } from '../harness/service.ts'
import { runVerb } from '../harness/verb.ts'
import { newTestTenant } from '../test-workspaces/setup.ts'
import { appToken, ask, codeFor, exchange, installable, installer, installIn } from './setup.ts'

const receiver = await startReceiver()
const service = await startTestService(
  { WEBHOOK_ALLOW_HOSTS: receiver.host, WEBHOOK_CA: CA_FILE },
  { resolveName: testNames() },
)
const { db, keyring } = service.services

const responders = new Map<string, Receiver['respond']>()
receiver.respond = (request, response, body) => {
  const respond = responders.get(request.url!.split('/')[2]!)
  if (respond) respond(request, response, body)
  else response.end()
}
const down: Receiver['respond'] = (_request, response) => void response.writeHead(503).end()

const customer = async () => (await service.workspace('enterprise', 'Customer')).id
const SCOPES = ['events:read', 'jobs:read']
let apps = 0

/** An approved app whose URLs have paths of their own at the receiver. */
async function appWithUrls(
  eventTypes: EventType[] = ['job.published', 'application.created'],
  input: Parameters<typeof installable>[1] = {},
) {
  const name = `app${++apps}`
  const urls = { live: `${receiver.url}/${name}/live`, test: `${receiver.url}/${name}/test` }
  const app = await installable(service, {
    scopes: SCOPES,
    optionalScopes: ['applications:read'],
    domains: ['vendor.example', 'hooks.test'],
    webhooks: {
      keyring,
      live: await checkTarget(urls.live, service.services),
      test: await checkTarget(urls.test, service.services),
      eventTypes,
    },
    ...input,
  })
  const secretOf = (environment: string) => app.webhooks.find(one => one.environment === environment)!.signing_secret!
  const received = (path = '') =>
    receiver.received
      .filter(one => one.path.startsWith(`/hook/${name}/${path}`))
      .map(one => ({ ...one, event: JSON.parse(one.body) }))
  return {
    ...app,
    secretOf,
    received,
    events: (path?: string) => received(path).filter(({ event }) => event.sequence > 0),
    notices: () =>
      received()
        .filter(({ event }) => event.type.startsWith('installation.'))
        .map(({ event }) => [event.type, event.data.object.reason, event.data.object.id]),
    respondWith: (respond: Receiver['respond']) => void responders.set(name, respond),
  }
}

type App = Awaited<ReturnType<typeof appWithUrls>>

function assertSigned({ headers, body }: App['received'] extends () => (infer One)[] ? One : never, secret: string) {
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers['service-signature'] as string)!
  assert.equal(v1, createHmac('sha256', secret).update(`${t}.${body}`).digest('hex'))
}

const derivedIn = async (token: string, workspace: string) =>
  (await service.get(`/webhooks/endpoints?workspace_id=${workspace}`, token)).body.data[0]

test('app webhooks: one URL gets the events of all workspaces, each with its workspace_id and installation', async () => {
  const app = await appWithUrls()
  const [one, two] = [await installIn(service, app, await customer()), await installIn(service, app, await customer())]
  for (const { workspace_id } of [one, two]) {
    const { userEmail } = (await db.one(
      sql<{ userEmail: string }>`
        select email as "userEmail" from users where workspace_id = ${workspace_id} and kind = 'person' limit 1`,
    ))!
    const key = await service.key({ workspace: workspace_id, userEmail })
    const pushed = await service.post('/jobs', key, {
      source: { system: 'acme', external_id: '1' },
      title: 'Welder',
    })
    assert.equal(pushed.status, 201, pushed.text)
    await emit(db, workspace_id, ['job.published'])
  }
  await until('both events arrive', () => app.events().length === 2)
  for (const { installation_id, workspace_id, access_token } of [one, two]) {
    const got = app.events().find(({ event }) => event.workspace_id === workspace_id)!
    assert.equal(got.path.endsWith('/live'), true)
    assert.equal(got.headers['service-installation-id'], installation_id)
    assert.equal(got.headers['service-environment'], 'live')
    assertSigned(got, app.secretOf('live'))
    const feed = await service.get('/events?type=job.published', access_token)
    assert.ok(feed.text.includes(got.body), 'the body is the row of the feed')
  }
})

test('app webhooks: events of a test workspace go to the test URL only, signed with its secret', async () => {
  const app = await appWithUrls()
  const { workspace } = await newTestTenant(service)
  const { installation_id } = await installIn(service, app, workspace)
  await emit(db, workspace, ['job.published'])
  await until('the event arrives', () => app.events('test').length === 1)
  await until('the notice arrives', () => app.notices().length === 1)
  const [got] = app.events('test')
  assert.deepEqual(
    [got!.headers['service-environment'], got!.headers['service-installation-id']],
    ['test', installation_id],
  )
  assertSigned(got!, app.secretOf('test'))
  assert.equal(app.received('live').length, 0)
  const [notice] = app.received('test').filter(({ event }) => event.type === 'installation.created')
  assert.equal(notice!.headers['service-environment'], 'test')
  assert.equal(notice!.event.data.object.environment, 'test')
})

test('app webhooks: event types are cut to what the installation may read; the endpoint does not count towards the 20', async () => {
  const app = await appWithUrls()
  const workspace = await customer()
  await installIn(service, app, workspace)
  await emit(db, workspace, ['application.created', 'job.closed', 'job.published'])
  await until('the event arrives', () => app.events().length === 1)
  const { queued } = await db.only(sql<{ queued: number }>`
    select (select count(*) from webhook_deliveries where workspace_id = ${workspace})::integer
      + (select count(*) from webhook_handovers where workspace_id = ${workspace})::integer as queued`)
  assert.equal(queued, 1)
  assert.equal(app.events()[0]!.event.type, 'job.published')
  const wide = await appWithUrls()
  await installIn(service, wide, workspace, { optional: ['applications:read'] })
  await emit(db, workspace, ['application.created'])
  await until('the event arrives', () => wide.events().length === 1)
  const { counted } = await db.only(sql<{ counted: number }>`
    select count(*)::integer as counted from webhook_endpoints where workspace_id = ${workspace} and source_id is null`)
  assert.equal(counted, 0)
})

test('uninstall: installation.deleted arrives signed after an outage of the receiver, and names the old installation', async () => {
  const app = await appWithUrls()
  const workspace = await customer()
  const { browser } = await installer(service, workspace)
  const first = await installIn(service, app, workspace, { browser })
  await until('the first notice', () => app.notices().length === 1)
  app.respondWith(down)
  const path = `/installations/${first.installation_id}/uninstall`
  const ended = await service.post(path, first.access_token, { client_secret: app.client_secret })
  assert.equal(ended.status, 200, ended.text)
  assert.equal((await service.get('/me', first.access_token)).status, 401)
  await until('an attempt fails', () => app.notices().length === 2)
  const second = await installIn(service, app, workspace, { browser })
  assert.notEqual(second.installation_id, first.installation_id)
  await until('another attempt fails', () => app.notices().length === 3)
  const token = await appToken(service, app)
  await until('both wait for a retry', async () => {
    const { body } = await service.get('/webhooks/deliveries?status=retrying', token)
    return body.data.length === 2
  })
  app.respondWith((_request, response) => void response.end())
  clock.advance(60_000)
  try {
    await until('both arrive', () => app.notices().length === 5)
  } finally {
    clock.reset()
  }
  const late = app.received().slice(-2)
  const deleted = late.find(({ event }) => event.type === 'installation.deleted')!
  assertSigned(deleted, app.secretOf('live'))
  const { object } = deleted.event.data
  assert.deepEqual(
    [object.id, object.status, object.reason, object.delete_by, deleted.event.sequence],
    [first.installation_id, 'ended', 'uninstalled_by_app', ended.body.delete_by, 0],
  )
  assert.equal(deleted.headers['service-installation-id'], first.installation_id)
  assert.equal(deleted.event.workspace_id, workspace)
  const feed = await service.get('/events', second.access_token)
  assert.ok(!feed.text.includes('installation.deleted'))
})

test('suspension: no event is sent; after resume, recover delivers what was missed; the publisher is notified of each', async () => {
  const app = await appWithUrls()
  const one = await installIn(service, app, await customer())
  const token = await appToken(service, app)
  const { id } = await derivedIn(token, one.workspace_id)
  await until('created', () => app.notices().length === 1)
  await suspendApp(db, app.id, true)
  assert.equal((await service.get('/me', one.access_token)).status, 401)
  await emit(db, one.workspace_id, ['job.published'])
  const logged = sql`select from events where workspace_id = ${one.workspace_id} and type = 'job.published'`
  await until('the event is in the log', async () => (await db.query(logged)).length === 1)
  await until('the notice of the suspension', () => app.notices().length === 2)
  assert.equal(app.notices()[1]![1], 'suspended')
  await suspendApp(db, app.id, false)
  assert.equal((await service.get('/me', one.access_token)).status, 200)
  await until('the notice of the end', () => app.notices().length === 3)
  assert.equal(app.notices()[2]![1], 'resumed')
  assert.equal(app.events().length, 0)
  const path = `/webhooks/endpoints/${id}/recover?workspace_id=${one.workspace_id}`
  const recovered = await service.post(path, token, { after: 0 })
  assert.deepEqual([recovered.status, recovered.body.queued], [202, 1], recovered.text)
  await until('the missed event arrives', () => app.events().length === 1)

  const row = (await readInstallation(db, one.workspace_id, one.installation_id))!
  await db.transaction(tx => suspendInstallation(tx, row, true, 'usr_x'))
  const off = await service.get(`/webhooks/endpoints/${id}?workspace_id=${one.workspace_id}`, token)
  assert.deepEqual([off.body.enabled, off.body.disabled_reason], [false, 'key_revoked'])
  const refused = await service.post(path, token, { after: 0 })
  assert.deepEqual([refused.status, refused.body.detail.code], [409, 'webhook_endpoint_disabled'])
  const [sent] = (await service.get(`/webhooks/deliveries?workspace_id=${one.workspace_id}`, token)).body.data
  const again = await service.post(`/webhooks/deliveries/${sent.id}/redeliver?workspace_id=${one.workspace_id}`, token)
  assert.deepEqual([again.status, again.body.detail.code], [400, 'event_type_not_permitted'])
})

test('app token: reads endpoints and deliveries, tests and redelivers; it changes nothing and sees no other app', async () => {
  const [app, other] = [await appWithUrls(), await appWithUrls()]
  const one = await installIn(service, app, await customer())
  const token = await appToken(service, app)
  const own = await service.get('/webhooks/endpoints', token)
  assert.deepEqual(
    own.body.data.map(({ url }: { url: string }) => url.split('/').at(-1)).sort(),
    ['live', 'test'],
    own.text,
  )
  const at = `workspace_id=${one.workspace_id}`
  const derived = await derivedIn(token, one.workspace_id)
  assert.deepEqual(
    [derived.url, derived.event_types, derived.enabled, derived.signing_secret_version],
    [app.webhooks[0]!.url, app.webhooks[0]!.event_types, true, 1],
  )
  const ping = await service.post(`/webhooks/endpoints/${derived.id}/test?${at}`, token)
  assert.equal(ping.status, 202, ping.text)
  await until('the ping arrives', () => app.received().some(({ event }) => event.type === 'ping'))
  const pinged = app.received().find(({ event }) => event.type === 'ping')!
  assert.equal(pinged.headers['service-installation-id'], one.installation_id)
  assertSigned(pinged, app.secretOf('live'))
  await emit(db, one.workspace_id, ['job.published'])
  await until('the event arrives', () => app.events().length === 1)
  const { body: log } = await service.get(`/webhooks/deliveries?${at}&event_type=job.published`, token)
  assert.equal(log.data.length, 1)
  const again = await service.post(`/webhooks/deliveries/${log.data[0].id}/redeliver?${at}`, token)
  assert.equal(again.status, 202, again.text)
  await until('it arrives again', () => app.events().length === 2)
  assert.equal((await service.get(`/webhooks/deliveries/${log.data[0].id}?${at}`, token)).body.attempts.length, 1)

  const code = async (response: Promise<{ status: number; body: { detail: { code: string } } }>) => {
    const { status, body } = await response
    return [status, body.detail.code]
  }
  const url = { url: receiver.url, event_types: ['job.published'] }
  assert.deepEqual(await code(service.post('/webhooks/endpoints', token, url)), [403, 'insufficient_scope'])
  assert.deepEqual(await code(service.post(`/webhooks/endpoints/${derived.id}?${at}`, token, url)), [
    403,
    'insufficient_scope',
  ])
  for (const action of ['rotate-secret', 'disable', 'enable'])
    assert.deepEqual(await code(service.post(`/webhooks/endpoints/${derived.id}/${action}?${at}`, token)), [
      403,
      'insufficient_scope',
    ])
  assert.deepEqual(await code(service.get('/jobs', token)), [403, 'insufficient_scope'])
  assert.deepEqual(await code(service.get(`/jobs?${at}`, token)), [403, 'insufficient_scope'])
  const foreign = await appToken(service, other)
  assert.deepEqual(await code(service.get(`/webhooks/endpoints?${at}`, foreign)), [404, 'not_found'])
  assert.deepEqual(await code(service.get(`/webhooks/endpoints/${derived.id}`, foreign)), [404, 'not_found'])
  const keyed = await service.get('/webhooks/endpoints', one.access_token)
  assert.deepEqual([keyed.status, keyed.body.detail.required_scope], [403, 'webhooks:read'])
})

test('app webhooks: an installation in the home of the app has its endpoint there, besides those of the app', async () => {
  const app = await appWithUrls()
  await installIn(service, app, app.workspace_id)
  await emit(db, app.workspace_id, ['job.published'])
  await until('the event arrives, once', () => app.events().length === 1)
  const { body } = await service.get('/webhooks/endpoints', await appToken(service, app))
  assert.equal(body.data.length, 3)
})

test('scope upgrade: what waits is sent after the old key ended; the log is one', async () => {
  const app = await appWithUrls()
  const workspace = await customer()
  const { browser } = await installer(service, workspace)
  const first = await installIn(service, app, workspace, { browser })
  app.respondWith(down)
  await emit(db, workspace, ['job.published'])
  await until('an attempt fails', () => app.events().length === 1)
  const token = await appToken(service, app)
  const waiting = async () =>
    (await service.get(`/webhooks/deliveries?workspace_id=${workspace}&status=retrying`, token)).body.data
  await until('it waits for a retry', async () => (await waiting()).length === 1)
  const asked = await ask(app)
  const second = await exchange(service, app, {
    code: await codeFor(browser, asked, { optional: ['applications:read'] }),
    code_verifier: asked.verifier,
  })
  assert.equal(second.body.installation_id, first.installation_id)
  assert.equal((await waiting()).length, 1)
  app.respondWith((_request, response) => void response.end())
  clock.advance(24 * 3_600_000 + 60_000)
  try {
    assert.equal((await service.get('/me', first.access_token)).status, 401)
    await until('it arrives', () => app.events().length === 2)
    await emit(db, workspace, ['application.created'])
    await until('the new key reads more', () => app.events().length === 3)
  } finally {
    clock.reset()
  }
  await until('the notice arrives', () => app.notices().some(([, reason]) => reason === 'access_granted'))
})

test('notices: new scopes that wait, scopes that were given up, and the end of the app', async () => {
  const app = await appWithUrls()
  const { installation_id: id } = await installIn(service, app, await customer())
  const reasons = () => app.notices().map(([type, reason]) => `${type} ${reason}`)
  await changeInstallable(db, app.id, { scopes: [...SCOPES, 'users:read'] })
  await approveApp(db, app.id)
  await changeInstallable(db, app.id, { scopes: SCOPES, optionalScopes: [] })
  await revokeInstallable(db, app.id)
  await until('all arrive', () => reasons().length >= 4)
  assert.deepEqual(reasons().toSorted(), [
    'installation.created installed',
    'installation.deleted ended_by_operator',
    'installation.updated access_dropped',
    'installation.updated access_requested',
  ])
  const asked = app.received().find(({ event }) => event.data.object.reason === 'access_requested')!
  assert.deepEqual(asked.event.data.object.scopes_pending, ['users:read'])
  assert.equal(asked.event.data.object.id, id)
})

test('hiring apps change: URLs are below the domains and are read when events are sent; none ends them', async () => {
  const app = await appWithUrls(['job.published'], { webhooks: undefined })
  const settings = { WEBHOOK_ALLOW_HOSTS: receiver.host }
  const change = (options: Record<string, string>) =>
    runVerb(service, installableVerbs, 'apps change', [app.id], options, settings)
  await assert.rejects(change({ 'event-types': 'job.published' }), /need a webhook URL/)
  await assert.rejects(change({ 'live-url': `${receiver.url}/cli` }), /name the event types/)
  await assert.rejects(
    change({ 'live-url': 'https://elsewhere.example/hook', 'event-types': 'job.published' }),
    /not below one of the domains/,
  )
  await assert.rejects(
    change({ 'live-url': `${receiver.url}/cli`, 'event-types': 'message.sent' }),
    /does not ask for the scopes/,
  )
  const one = await installIn(service, app, await customer())
  await emit(db, one.workspace_id, ['job.published'])
  const first = await change({ 'live-url': `${receiver.url}/cli`, 'event-types': 'job.published' })
  assert.match(first.text, /live signing secret: whsec_/)
  const of = (path: string) => receiver.received.filter(({ path: at }) => at.startsWith(`/hook/${path}`))
  await emit(db, one.workspace_id, ['job.published'])
  await until('the event arrives', () => of('cli').length === 1)
  const second = await change({ 'live-url': `${receiver.url}/moved` })
  assert.doesNotMatch(second.text, /whsec_/)
  await emit(db, one.workspace_id, ['job.published'])
  await until('the next event arrives', () => of('moved').length === 1)
  const rotated = await runVerb(service, installableVerbs, 'apps rotate-webhook-secret', [app.id], {
    environment: 'live',
  })
  const [before, after] = [first.json, rotated.json] as [
    { webhooks: { signing_secret: string }[] },
    { signing_secret: string },
  ]
  await emit(db, one.workspace_id, ['job.published'])
  await until('an event arrives with both signatures', () => of('moved').length === 2)
  const { headers, body } = of('moved')[1]!
  const [t, ...signatures] = String(headers['service-signature']).split(',')
  assert.deepEqual(
    signatures,
    [after.signing_secret, before.webhooks[0]!.signing_secret].map(
      secret =>
        `v1=${createHmac('sha256', secret)
          .update(`${t!.slice(2)}.${body}`)
          .digest('hex')}`,
    ),
  )
  await assert.rejects(change({ domain: 'vendor.example' }), /not below one of the domains/)
  await change({ 'live-url': 'none' })
  const token = await appToken(service, app)
  assert.deepEqual((await service.get(`/webhooks/endpoints?workspace_id=${one.workspace_id}`, token)).body.data, [])
  await emit(db, one.workspace_id, ['job.published'])
  const feed = async () => (await service.get('/events?type=job.published', one.access_token)).body.data.length
  await until('it is published', async () => (await feed()) === 5)
  assert.deepEqual([of('cli').length, of('moved').length], [1, 2])
})
