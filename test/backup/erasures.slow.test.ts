import assert from 'node:assert/strict'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { deletionVerbs } from '../../src/cli/deletions.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { runNextDeletion } from '../../src/resources/deletions/index.ts'
import { requestErasure, runErasure } from '../../src/resources/erasures/index.ts'
import { body as application, apply, newTenant, upload, type World } from '../applications/setup.ts'
import { readFeed, typesOf } from '../harness/feed.ts'
import { cloneDatabase, type TestDatabase } from '../harness/postgres.ts'
import { temporaryFolder } from '../harness/process.ts'
import { CA_FILE, startReceiver, testNames, until } from '../harness/receiver.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { type MailServer, startMailServer } from '../harness/smtp.ts'
import { runVerb } from '../harness/verb.ts'
import { run, storeOf } from './setup.ts'

const receiver = await startReceiver()
const HOOKS = { WEBHOOK_ALLOW_HOSTS: receiver.host, WEBHOOK_CA: CA_FILE }
const service = await startTestService({ ROLES: 'api', ...HOOKS }, { resolveName: testNames() })
const { db } = service.services
const place = join(temporaryFolder(), 'backups')
const BACKUP_KEY = '0f'.repeat(32)
let world: World
let database: TestDatabase
let copy: TestService
let smtp: MailServer
let settingsOfCopy: Record<string, string>
let first: { applicant_id: string; id: string }
let other: { applicant_id: string; id: string }
let suppression: string
let gone: World
let reopened: string
let restored: Awaited<ReturnType<typeof run>>

const erase = async (email: string, reason = 'erasure_request') => {
  const { id, suppressionId } = await requestErasure(db, { email, reason, requestedBy: 'command_line' })
  await runErasure(service.services, id)
  return suppressionId
}

before(async () => {
  world = { service, ...(await newTenant(service)) }
  first = await apply(world, { resume_upload_id: await upload(world) }, { email: 'erased.later@example.org' })
  const url = receiver.url
  const hook = await service.post('/webhooks/endpoints', world.key, { url, event_types: ['application.created'] })
  assert.equal(hook.status, 201, hook.text)
  other = await apply(world, { resume_upload_id: await upload(world) }, { email: 'stays@people.dev' })
  await apply(world, {}, { email: 'stopped.later@example.org' })
  await db.query(sql`
    insert into candidate_mails (workspace_id, kind, address, application_id, applicant_id, language)
    values (${world.workspace}, 'confirmation', 'stays@people.dev', ${other.id}, ${other.applicant_id}, 'en')`)
  gone = { service, ...(await newTenant(service)) }
  await apply(gone, {}, { email: 'in.deleted@example.org' })
  const remove = (workspace: string, options: Record<string, string> = {}) =>
    runVerb(service, deletionVerbs, 'workspaces delete', [workspace], { yes: workspace, ...options })
  reopened = (await newTenant(service)).workspace
  await remove(reopened)
  await readFeed(service, world.workspace) // its webhooks wait
  const settings = { ...storeOf(service), BACKUP_KEY }
  const early = (await run('backup', [place], settings)).json.name
  suppression = await erase('erased.later@example.org')
  await erase('stopped.later@example.org', 'stop_processing')
  // someone whom the early backup does not have
  await apply(world, {}, { email: 'came.later@example.org' })
  await erase('came.later@example.org')
  await runVerb(service, deletionVerbs, 'workspaces restore', [reopened])
  await remove(gone.workspace, { now: '' })
  while (await runNextDeletion(service.services));
  await run('backup', [place], settings)

  database = await cloneDatabase('template0')
  const DATA_DIR = temporaryFolder()
  restored = await run('restore', [place, early], { DATA_DIR, DATABASE_URL: database.url, BACKUP_KEY })
  assert.equal(restored.json.erasures, 3)
  smtp = await startMailServer()
  settingsOfCopy = { DATA_DIR, SMTP_URL: smtp.url, MAIL_FROM: 'a@b.example', ...HOOKS }
  copy = await startTestService(settingsOfCopy, { database, resolveName: testNames() })
})

test('hiring restore: of an older backup: who was erased since is erased again, under the same suppression', async () => {
  assert.equal((await copy.get(`/applicants/${first.applicant_id}`, world.key)).status, 404)
  assert.equal((await copy.get(`/applicants/${other.applicant_id}`, world.key)).status, 200)
  const files: string[] = []
  for await (const file of copy.services.blobs.list('')) files.push(file)
  assert.equal(files.length, 1, 'the résumé of the other person')
  for (const email of ['erased.later@example.org', 'stopped.later@example.org', 'came.later@example.org']) {
    const again = await copy.post('/applications', world.key, application(world.job, {}, { email }))
    assert.deepEqual([again.status, again.body.detail.code], [409, 'applicant_suppressed'], email)
  }
  const rows = (await copy.get('/suppressions', world.key)).body.data
  assert.ok(rows.some((row: { id: string; status: string }) => row.id === suppression && row.status === 'erased'))
  const types = typesOf(await readFeed(copy, world.workspace))
  for (const type of ['data_subject.suppression_applied', 'applicant.deleted', 'data_subject.erasure_completed'])
    assert.ok(types.includes(type), type)
})

test('hiring restore: of an older backup: a workspace that was deleted since is closed and deleted without a new grace period', async () => {
  assert.deepEqual(restored.json.deletions, [gone.workspace])
  assert.match(
    restored.text,
    new RegExp(`closed 1 workspace that was deleted since, by a later backup: ${gone.workspace}`),
  )
  const { db } = copy.services
  assert.equal((await copy.get('/jobs', gone.key)).status, 401)
  await until('a worker deletes it, although nothing is sent', async () => {
    const left = await db.query(sql`select 1 from workspaces where id = ${gone.workspace}`)
    return left.length === 0
  })
  assert.equal((await copy.get('/jobs', world.key)).status, 200)
})

test('hiring restore: of an older backup: a workspace whose deletion was canceled since is open', async () => {
  assert.deepEqual(restored.json.reopened, [reopened])
  const left = await copy.services.db.query(sql`
    select 1 from workspaces w left join workspace_deletions d on d.workspace_id = w.id
    where w.id = ${reopened} and (w.closing_at is not null or d.workspace_id is not null)`)
  assert.equal(left.length, 0)
})

const waiting = () =>
  copy.services.db.query(sql<{ event: string; attempt: number }>`
    select event_id as event, attempt from webhook_deliveries
    where workspace_id = ${world.workspace} and status = 'pending' order by event_sequence`)

test('restored store: nothing is sent until hiring sending on: webhooks wait, and emails that may have been sent are not repeated', async () => {
  assert.equal(copy.services.sendingHeld, true)
  const mail = await copy.services.db.one(
    sql<{ due_at: string | null; sent_at: string | null }>`
      select due_at, sent_at from candidate_mails where workspace_id = ${world.workspace}`,
  )
  assert.deepEqual(mail, { due_at: null, sent_at: null })
  const to = { application_id: other.id }
  const headers = { 'Idempotency-Key': 'in-the-copy' }
  const sent = await copy.post('/messages', world.key, { to, subject: 'Hello', body_text: 'Hello' }, { headers })
  assert.ok(sent.status < 300, sent.text)
  assert.equal(smtp.arrived.length, 0, 'it is in the local outbox')

  const before = await waiting()
  assert.ok(before.length > 0, 'of the original')
  await apply({ ...world, service: copy }, {}, { email: 'in.the.copy@example.org' })
  await until('a worker queues the webhook', async () => (await waiting()).length === before.length + 1)
  // a worker that polls as often as the one that would send has done its work since
  const made = await copy.post('/exports', world.key, { resources: ['jobs'] })
  const isReady = sql`select 1 from exports where id = ${made.body.id} and status = 'ready'`
  await until('a worker writes the export', async () => (await copy.services.db.query(isReady)).length === 1)
  const held = await waiting()
  assert.deepEqual(
    held.map(({ attempt }) => attempt),
    held.map(() => 0),
  )
  assert.deepEqual([held.length, receiver.received.length, smtp.arrived.length], [before.length + 1, 0, 0])

  const settings = storeOf(copy)
  assert.equal((await run('sending', [], settings)).json.sending, 'off')
  assert.equal((await run('sending', ['on'], settings)).json.sending, 'on')
  await copy.stop()
  copy = await startTestService(settingsOfCopy, { database, resolveName: testNames() })
  assert.equal(copy.services.sendingHeld, false)
  await until('webhooks that waited are sent', async () => (await waiting()).length === 0)
  const ids = receiver.received.map(({ body }) => JSON.parse(body).id as string)
  assert.deepEqual(ids.sort(), held.map(({ event }) => event).sort(), 'each once')
  await copy.stop()
  await database.drop()
})
