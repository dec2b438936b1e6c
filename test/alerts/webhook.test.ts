import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import type { Services } from '../../src/kernel/services/services.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { alertMails, checkAlerts, postDueAlerts } from '../../src/resources/alerts/index.ts'
import { postAlerts, watchAlerts } from '../../src/workers/check-alerts.ts'
import { sendMails } from '../../src/workers/send-mails.ts'
import { signedIn } from '../console/setup.ts'
import { emit } from '../harness/events.ts'
import { CA_FILE, type Receiver, startReceiver, testNames, until } from '../harness/receiver.ts'
import { startTestService } from '../harness/service.ts'

const receiver = await startReceiver()
const settings = { WEBHOOK_ALLOW_HOSTS: receiver.host, WEBHOOK_CA: CA_FILE, ROLES: 'api' }
const service = await startTestService(settings, { resolveName: testNames() })
const { db } = service.services
after(() => clock.reset())

const responders = new Map<string, Receiver['respond']>()
receiver.respond = (request, response, body) =>
  (responders.get(request.url!.split('/').at(-1)!) ?? ((_request, ok) => void ok.end()))(request, response, body)

const DAY = 86_400_000

const alertWorkers = (services: Services) => [
  watchAlerts(services),
  postAlerts(services),
  sendMails(services, alertMails),
]

async function newWorld() {
  const { id: workspace, userEmail } = await service.workspace()
  const owner = await signedIn(service, workspace)
  const key = await service.key({ workspace, userEmail, name: 'Sync' })
  const url = `${receiver.url}/${workspace}`
  const received = () =>
    receiver.received
      .filter(({ path }) => path.endsWith(workspace))
      .map(({ headers, body }) => ({ headers, body, event: JSON.parse(body) }))
  const use = (used: number) =>
    db.query(sql`
      insert into personal_data_usage (workspace_id, key_id, day, used)
      values (${workspace}, ${key.id}, app_now()::date, ${used}::integer)
      on conflict (workspace_id, key_id, day) do update set used = excluded.used`)
  const round = async () => {
    await checkAlerts(db)
    await postDueAlerts(service.services)
  }
  return { workspace, owner, key, url, received, use, round }
}

const signature = (secret: string, header: string, body: string) => {
  const [, time] = /^t=(\d+)/.exec(header)!
  return header.includes(`v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`)
}

test('alert webhook: an alert and its end are posted once each, signed like every webhook, with no personal data', async () => {
  const world = await newWorld()
  const saved = await world.owner.post('/alert-webhook', { url: world.url, muted_kinds: [] })
  assert.equal(saved.status, 200, saved.text)
  const secret: string = saved.body.signing_secret
  assert.match(secret, /^whsec_/)
  await world.use(4_500)
  await world.round()
  await world.round()
  const [opened, ...more] = world.received()
  assert.deepEqual(more, [])
  const { event, headers, body } = opened!
  assert.deepEqual(Object.keys(event), [
    ...['object', 'id', 'type', 'api_version', 'created_at', 'sequence', 'workspace_id', 'data', 'links'],
  ])
  assert.deepEqual([event.type, event.workspace_id], ['alert.opened', world.workspace])
  assert.ok(signature(secret, String(headers['service-signature']), body))
  assert.deepEqual([headers['service-event-id'], headers['service-delivery-attempt']], [event.id, '1'])
  const { object } = event.data
  assert.deepEqual(
    [object.object, object.kind, object.level, object.subject_id, object.resolved_at],
    ['alert', 'personal_data_budget', 'warning', world.key.id, null],
  )
  assert.equal(object.url, `${service.origin}/console/audit?key_id=${world.key.id}`)
  // at 100 % the alert is another one, and the subject is not in order
  await world.use(5_000)
  await world.round()
  assert.deepEqual(
    world.received().map(one => [one.event.type, one.event.data.object.level]),
    [
      ['alert.opened', 'warning'],
      ['alert.opened', 'critical'],
    ],
  )
  clock.advance(DAY)
  try {
    await world.round()
    const last = world.received().at(-1)!.event
    assert.deepEqual([world.received().length, last.type, last.data.object.level], [3, 'alert.resolved', 'critical'])
    assert.ok(Date.parse(last.data.object.resolved_at) > Date.parse(last.data.object.opened_at))
  } finally {
    clock.advance(-DAY)
  }
  const feed = await service.get('/events?after=0', world.key)
  assert.deepEqual(
    feed.body.data.filter((one: { type: string }) => one.type.startsWith('alert.')),
    [],
  )
})

test('alert webhook: a receiver that fails is retried on the schedule of webhooks with the same event id, and the settings show it', async () => {
  const world = await newWorld()
  await world.owner.post('/alert-webhook', { url: world.url, muted_kinds: [] })
  responders.set(world.workspace, (_request, response) => void response.writeHead(503).end())
  await world.use(4_500)
  await world.round()
  const { webhook } = (await world.owner.get('/alert-settings')).body
  assert.deepEqual([webhook.last_response_status, webhook.last_error], [503, 'http_status'])
  await world.round()
  assert.equal(world.received().length, 1, 'not before its time')
  responders.delete(world.workspace)
  clock.advance(13_000)
  try {
    await world.round()
  } finally {
    clock.advance(-13_000)
  }
  const [first, second] = world.received()
  assert.equal(second!.headers['service-delivery-attempt'], '2')
  assert.equal(first!.event.id, second!.event.id)
  assert.equal((await world.owner.get('/alert-settings')).body.webhook.last_error, null)
})

test('alert webhook: muted kinds are not posted; rotation signs with both secrets for a day; removal ends it', async () => {
  const world = await newWorld()
  const first = (await world.owner.post('/alert-webhook', { url: world.url, muted_kinds: ['personal_data_budget'] }))
    .body
  const changed = await world.owner.post('/alert-webhook', { url: `${world.url}`, muted_kinds: ['monthly_quota'] })
  assert.deepEqual([changed.status, changed.body.signing_secret], [200, null], 'shown once')
  await world.owner.post('/alert-webhook', { url: world.url, muted_kinds: ['personal_data_budget'] })
  await world.use(4_500)
  await world.round()
  assert.deepEqual(world.received(), [])

  const rotated = (await world.owner.post('/alert-webhook/rotate')).body
  assert.notEqual(rotated.webhook.previous_secret_expires_at, null)
  const tested = await world.owner.post('/alert-webhook/test')
  assert.deepEqual([tested.status, tested.body], [200, { response_status: 200, error: null }])
  const [{ headers, body, event }] = world.received() as [ReturnType<typeof world.received>[number]]
  assert.equal(event.type, 'alert.test')
  for (const { signing_secret } of [first, rotated])
    assert.ok(signature(signing_secret, String(headers['service-signature']), body))

  assert.equal((await world.owner.post('/alert-webhook/remove')).status, 200)
  for (const path of ['remove', 'test', 'rotate'])
    assert.equal((await world.owner.post(`/alert-webhook/${path}`)).status, 404)
  await world.use(5_000)
  await world.round()
  assert.equal(world.received().length, 1)
})

test('alert webhook: a URL that webhooks may not be sent to is 400 and not stored, and of another workspace nothing is seen', async () => {
  const world = await newWorld()
  for (const url of ['http://hooks.test/x', 'https://127.0.0.1/x', 'https://localhost/x', 'https://unknown.test/x']) {
    const { status, body } = await world.owner.post('/alert-webhook', { url, muted_kinds: [] })
    assert.deepEqual([status, body.detail.code, body.detail.param], [400, 'webhook_url_not_allowed', 'url'], url)
  }
  await world.owner.post('/alert-webhook', { url: world.url, muted_kinds: [] })
  const stranger = await newWorld()
  assert.equal((await stranger.owner.get('/alert-settings')).body.webhook, null)
  assert.equal((await stranger.owner.post('/alert-webhook/remove')).status, 404)
})

test('alert webhook: a receiver that does not respond, with many alerts due, delays neither those of another workspace nor emails', async () => {
  const slow = await newWorld()
  const other = await newWorld()
  for (const world of [slow, other]) await world.owner.post('/alert-webhook', { url: world.url, muted_kinds: [] })
  // held until the end of the test; each ends after ten seconds at most
  responders.set(slow.workspace, () => {})
  await db.query(sql`
    insert into webhook_endpoints (workspace_id, id, key_id, url, event_types, consecutive_failures, first_failure_at)
    select ${slow.workspace}, gen_random_uuid(), ${slow.key.id}, 'https://hooks.partner.example/' || n, '{}', 4,
      app_now() - interval '2 hours' from generate_series(1, 45) n`)
  await checkAlerts(db)
  const stop = new AbortController()
  const workers = Promise.all(alertWorkers(service.services).map(worker => worker.run(stop.signal)))
  try {
    await until('the slow one has an alert', () => slow.received().length > 0)
    await other.use(4_500)
    // the worker may be in the middle of a check, which began before
    await until('it is found', async () => (await checkAlerts(db)) !== undefined)
    await until('the other one has its alert', () => other.received().length === 1)
    await until('the email is sent', async () =>
      (await service.services.outbox.list()).some(mail => mail.to === other.owner.email),
    )
    assert.ok(slow.received().length < 10, `${slow.received().length} requests to the slow one, one after the other`)
  } finally {
    stop.abort()
    await workers
    await slow.owner.post('/alert-webhook/remove')
  }
})

test('alerts: an endpoint whose receiver fails for an hour is found, mailed and posted by the running workers', async () => {
  const failing = await startReceiver()
  failing.respond = (_request, response) => void response.writeHead(500).end()
  const running = await startTestService(
    { WEBHOOK_ALLOW_HOSTS: `${receiver.host},${failing.host}`, WEBHOOK_CA: CA_FILE },
    { resolveName: testNames() },
  )
  const { id: workspace, userEmail } = await running.workspace()
  const owner = await signedIn(running, workspace)
  const key = await running.key({ workspace, userEmail, name: 'Sync' })
  await owner.post('/alert-webhook', { url: `${receiver.url}/${workspace}`, muted_kinds: [] })
  const made = await running.post('/webhooks/endpoints', key, { url: failing.url, event_types: ['job.updated'] })
  await emit(running.services.db, workspace, ['job.updated'])
  const endpoint = async () => (await running.get(`/webhooks/endpoints/${made.body.id}`, key)).body
  await until('the attempt failed', async () => (await endpoint()).consecutive_failures > 0)
  clock.advance(3_700_000)
  const stop = new AbortController()
  // the service's own worker checks every minute of real time; another one checks when it starts
  const second = Promise.all(alertWorkers(running.services).map(worker => worker.run(stop.signal)))
  try {
    await until('it is posted', () => receiver.received.some(({ path }) => path.endsWith(workspace)))
    await until('it is mailed', async () =>
      (await running.services.outbox.list()).some(mail => mail.to === owner.email && /is failing/.test(mail.subject)),
    )
  } finally {
    stop.abort()
    await second
    clock.advance(-3_700_000)
  }
  assert.equal((await owner.get('/alerts/count')).body.waiting, 1)
})
