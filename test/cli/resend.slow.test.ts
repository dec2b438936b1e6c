import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyWebhook } from '../../packages/sdk/src/index.ts'
import { emit } from '../harness/events.ts'
import { CA_FILE, startReceiver, testNames, until } from '../harness/receiver.ts'
import { startTestService } from '../harness/service.ts'
import { runCommand, startLocalReceiver } from './run-cli.ts'

const remote = await startReceiver()
const service = await startTestService(
  { WEBHOOK_ALLOW_HOSTS: remote.host, WEBHOOK_CA: CA_FILE },
  { resolveName: testNames() },
)

async function newTenant() {
  const { id: workspace, userEmail } = await service.workspace('enterprise')
  const key = await service.key({ workspace, userEmail })
  const env = { HIRING_API_KEY: key.secret, HIRING_BASE_URL: service.origin }
  const events = async () => (await service.get('/events', key)).body.data
  return { workspace, key, env, events }
}

test('hiring-partner resend --forward-to: posts the events again, signed; exit 1 if one is not accepted', async () => {
  const { workspace, env, events } = await newTenant()
  const local = await startLocalReceiver()
  await emit(service.services.db, workspace, ['job.published', 'job.closed'])
  await until('they are in the feed', async () => (await events()).length === 2)
  const ids = (await events()).map((event: { id: string }) => event.id)
  const secret = ['--secret', 'whsec_for-this-test']
  const { code, stdout } = await runCommand(['resend', ...ids, '--forward-to', local.url, ...secret], env)
  assert.equal(code, 0)
  assert.deepEqual(
    stdout.split('\n').map(line => line.replace(/\d+ ms/, 'N ms')),
    [`${ids[0]}  job.published  to ${local.url}: 200  N ms`, `${ids[1]}  job.closed  to ${local.url}: 200  N ms`, ''],
  )
  for (const [i, { body, headers }] of local.received.entries()) {
    const signature = String(headers['service-signature'])
    assert.equal((await verifyWebhook({ body, signature }, 'whsec_for-this-test')).id, ids[i])
  }
  local.respond = response => void response.writeHead(422).end('no such job')
  const failed = await runCommand(['resend', ids[0], '--forward-to', local.url, '--json'], env)
  assert.equal(failed.code, 1)
  const [row] = JSON.parse(failed.stdout).data
  assert.deepEqual(
    [row.event_id, row.status, row.error, row.response_body],
    [ids[0], 422, 'http_status', 'no such job'],
  )

  await local.close()
  const stopped = await runCommand(['resend', ids[0], '--forward-to', local.url], env)
  assert.equal(stopped.code, 1)
  assert.match(stopped.stderr, /nothing listens on http:\/\/localhost:\d+ \(ECONNREFUSED\): start your receiver/)
})

test('hiring-partner resend: the service delivers the event again to each endpoint that had it, and the result is shown', async () => {
  const { workspace, key, env, events } = await newTenant()
  const endpoints = await Promise.all(
    ['one', 'two'].map(async path => {
      const url = `${remote.url}/${path}`
      return (await service.post('/webhooks/endpoints', key, { url, event_types: ['job.published'] })).body.id as string
    }),
  )
  await emit(service.services.db, workspace, ['job.published'])
  await until('both have it', () => remote.received.length === 2)
  const delivered = async () => (await service.get('/webhooks/deliveries?status=delivered', key)).body.data.length
  await until('both are recorded', async () => (await delivered()) === 2)
  const [{ id }] = await events()
  const { code, stdout, stderr } = await runCommand(['resend', id], env)
  assert.equal(code, 0, stderr)
  for (const endpoint of endpoints)
    assert.match(stdout, new RegExp(`${id}  job\\.published  to ${endpoint}: 200  \\d+ ms`))
  assert.equal(remote.received.length, 4)

  remote.respond = (_request, response) => void response.writeHead(500).end('the table is locked')
  const again = await runCommand(['resend', id, '--endpoint', endpoints[0]!], env)
  assert.equal(again.code, 1)
  assert.match(again.stdout, /: status 500 {2}\d+ ms\n {2}the table is locked\n$/)
  assert.equal(remote.received.length, 5)
})

test('hiring-partner resend: exit 1 and what to do: an event that does not exist, one without a delivery, no scope for webhooks', async () => {
  const { workspace, env, events } = await newTenant()
  await emit(service.services.db, workspace, ['job.published'])
  await until('it is in the feed', async () => (await events()).length === 1)
  const [{ id }] = await events()
  const missing = await runCommand(['resend', 'evt_00000000000000000000', '--forward-to', 'http://localhost:1'], env)
  assert.match(missing.stderr, /there is no event evt_0+ that the key can read/)
  const none = await runCommand(['resend', id], env)
  assert.match(none.stderr, /no webhook endpoint of this key has a delivery of evt_\w+\. .*--forward-to/)
  const narrow = await service.key({ workspace, scopes: ['events:read', 'jobs:read'] })
  const refused = await runCommand(['resend', id], { ...env, HIRING_API_KEY: narrow.secret })
  assert.match(refused.stderr, /the key lacks the scope webhooks:read/)
  assert.deepEqual([missing.code, none.code, refused.code], [1, 1, 1])
  assert.equal((await runCommand(['resend'], env)).code, 2)
})
