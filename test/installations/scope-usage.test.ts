import assert from 'node:assert/strict'
import { afterEach, before, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { createJob } from '../../src/resources/jobs/index.ts'
import { checkTarget } from '../../src/resources/webhooks/index.ts'
import { signedIn } from '../console/setup.ts'
import { emit } from '../harness/events.ts'
import { CA_FILE, type Receiver, startReceiver, testNames, until } from '../harness/receiver.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { installable, installIn } from './setup.ts'

const DAY_MS = 86_400_000
let receiver: Receiver
let service: TestService

before(async () => {
  receiver = await startReceiver()
  service = await startTestService(
    { WEBHOOK_ALLOW_HOSTS: receiver.host, WEBHOOK_CA: CA_FILE },
    { resolveName: testNames() },
  )
})
afterEach(() => clock.reset())

/** An installation with these scopes, and what the console says of it. */
async function installed(scopes: string[], input: Parameters<typeof installable>[1] = {}) {
  const workspace = (await service.workspace('enterprise')).id
  const app = await installable(service, { scopes, optionalScopes: [], ...input })
  const { access_token: key, installation_id: id } = await installIn(service, app, workspace)
  const unused = async (): Promise<string[]> => {
    await service.services.usage.flush()
    const admin = await signedIn(service, workspace, { role: 'admin' })
    return (await admin.get(`/installations/${id}`)).body.unused_scopes.toSorted()
  }
  const get = async (path: string, status = 200) => {
    const response = await service.get(path, key)
    assert.equal(response.status, status, response.text)
  }
  return { workspace, app, key, id, unused, get }
}

test('scopes of an installation: unused only after 90 days without a use, counted by day', async () => {
  const { workspace, id, unused, get } = await installed(['jobs:read', 'notes:write'])
  assert.deepEqual(await unused(), [])
  clock.advance(10 * DAY_MS)
  await get('/jobs')
  await get('/jobs')
  clock.advance(79 * DAY_MS)
  assert.deepEqual(await unused(), [], 'it has none of them for 90 days')
  clock.advance(DAY_MS)
  assert.deepEqual(await unused(), ['notes:write'])
  clock.advance(11 * DAY_MS)
  assert.deepEqual(await unused(), ['jobs:read', 'notes:write'])
  await get('/jobs')
  await get('/applications', 403)
  assert.deepEqual(await unused(), ['notes:write'])
  const rows = await service.services.db.query(sql`
    select scope, last_used_on = app_now()::date as today from scope_usage
    where workspace_id = ${workspace} and installation_id = ${id}`)
  assert.deepEqual(rows, [{ scope: 'jobs:read', today: true }])
})

test('scopes of an installation: a scope of guarded fields or of included records is used by the response that has them', async () => {
  const scopes = [
    'applicants:read',
    'applications:internal:read',
    'applications:read',
    'jobs:read',
    'jobs:screening:read',
  ]
  const { workspace, unused, get } = await installed(scopes)
  const { db } = service.services
  const job = await db.transaction(tx => createJob(tx, workspace, { title: 'Welder' }))
  clock.advance(91 * DAY_MS)
  assert.deepEqual(await unused(), scopes)
  await get('/applications')
  assert.deepEqual(await unused(), ['applicants:read', 'jobs:read', 'jobs:screening:read'])
  await get('/applications?include=applicant')
  assert.deepEqual(await unused(), ['jobs:read', 'jobs:screening:read'])
  await get('/jobs')
  assert.deepEqual(await unused(), ['jobs:screening:read'], 'rows of the list have no questions')
  await get(`/jobs/${job}`)
  assert.deepEqual(await unused(), [])
})

test('scopes of an installation: one that was allowed later is unused 90 days after that, the others after theirs', async () => {
  const { workspace, app, unused, id } = await installed(['jobs:read'], { optionalScopes: ['lists:read'] })
  clock.advance(60 * DAY_MS)
  const renewed = await installIn(service, app, workspace, { optional: ['lists:read'] })
  assert.deepEqual([renewed.installation_id, renewed.scope], [id, 'jobs:read lists:read'])
  clock.advance(31 * DAY_MS)
  assert.deepEqual(await unused(), ['jobs:read'])
  clock.advance(60 * DAY_MS)
  assert.deepEqual(await unused(), ['jobs:read', 'lists:read'])
})

test('scopes of an installation: reading the feed uses those of event types; a full export those of its resources', async () => {
  const feed = await installed(['events:read', 'jobs:read', 'users:read'])
  const copy = await installed(['jobs:read', 'lists:read', 'users:read'])
  clock.advance(91 * DAY_MS)
  await feed.get('/events')
  assert.deepEqual(await feed.unused(), ['users:read'])
  assert.equal((await service.post('/exports', copy.key, { resources: ['jobs'] })).status, 201)
  assert.deepEqual(await copy.unused(), ['users:read'])
})

test('scopes of an installation: a delivered webhook uses the scopes of its type alone', async () => {
  const scopes = ['applications:read', 'events:read', 'jobs:read']
  const url = `${receiver.url}/scopes`
  const { workspace, unused } = await installed(scopes, {
    domains: ['vendor.example', 'hooks.test'],
    webhooks: {
      keyring: service.services.keyring,
      live: await checkTarget(url, service.services),
      eventTypes: ['job.published', 'application.created'],
    },
  })
  clock.advance(91 * DAY_MS)
  assert.deepEqual(await unused(), scopes)
  await emit(service.services.db, workspace, ['job.published'])
  await until('the use is stored', async () => (await unused()).length < 3)
  assert.deepEqual(await unused(), ['applications:read'])
})
