import assert from 'node:assert/strict'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { demoSecret, loadDemo } from '../../demo/index.ts'
import { HiringClient } from '../../packages/sdk/src/index.ts'
import { type BackupTarget, openTarget } from '../../src/kernel/backup/target.ts'
import { readConfig } from '../../src/kernel/config/config.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { sequenceBatch } from '../../src/kernel/feed/sequencer.ts'
import { secretSource } from '../../src/kernel/services/secret-keys.ts'
import { namedFiles } from '../../src/resources/backups/actions.ts'
import { backUp } from '../../src/resources/backups/index.ts'
import { secretContext } from '../../src/resources/webhooks/index.ts'
import { apply, endlessKeys, newTenant, upload, type World } from '../applications/setup.ts'
import { runCommand } from '../cli/run-cli.ts'
import { cloneDatabase, type TestDatabase } from '../harness/postgres.ts'
import { hiring, temporaryFolder } from '../harness/process.ts'
import { until } from '../harness/receiver.ts'
import { startTestService } from '../harness/service.ts'
import { connect, digests, run, storeOf } from './setup.ts'

const service = await startTestService(
  { ROLES: 'api' },
  { beforeListening: async services => void (await loadDemo(services)) },
)
const { db, blobs, keyring } = service.services
const key = demoSecret(keyring)
const place = join(temporaryFolder(), 'backups')
const keyed = { BACKUP_KEY: 'ab'.repeat(32) }

const publish = async () => {
  while ((await sequenceBatch(db)) > 0);
}

/** Writes of a partner over HTTP, one after the other, until it is stopped: applications with a résumé. */
class Writer {
  count = 0
  readonly #ended: Promise<void>
  readonly #failed: Promise<never>
  #stopped = false

  constructor(world: World) {
    this.#ended = this.#run(world)
    this.#failed = new Promise((_, reject) => void this.#ended.catch(reject))
    this.#failed.catch(() => {})
  }

  async #run(world: World): Promise<void> {
    const keys = endlessKeys(world, 20)
    while (!this.#stopped) {
      const own = { ...world, key: await keys() }
      await apply(own, { resume_upload_id: await upload(own, Buffer.from(`Ada Writer ${this.count}`)) })
      this.count++
    }
  }

  /** Until so many more were written; fails if the writer does. */
  async more(number: number): Promise<void> {
    const wanted = this.count + number
    await Promise.race([until('more is written', () => this.count >= wanted), this.#failed])
  }

  stop(): Promise<void> {
    this.#stopped = true
    return this.#ended
  }
}

/** Holds every table at the moment of the snapshot. */
let atSnapshot: Record<string, string>
let filesAtSnapshot: string[]
let name: string

const NAMED = `
  select blob_key as key from resumes union select blob_key from attachments union select blob_key from application_files
  union select blob_key from order_reports
  union select f ->> 'blob_key' from pending_submissions, jsonb_array_elements(files) f
  union select logo_blob_key from career_sites where logo_blob_key is not null
  union select f ->> 'key' from exports, jsonb_array_elements(files) f where status = 'ready' order by 1`

async function lookAt(snapshot: string): Promise<void> {
  const client = await connect(service.database.connection)
  await client.query('begin isolation level repeatable read read only')
  await client.query(`set transaction snapshot '${snapshot}'`)
  atSnapshot = await digests(client)
  filesAtSnapshot = (await client.query<{ key: string }>(NAMED)).rows.map(row => row.key)
  await client.end()
}

before(async () => {
  await publish()
  const config = readConfig({ ...storeOf(service), ...keyed })
  const target: BackupTarget = await openTarget(config, place, { key: config.BACKUP_KEY, create: true })
  const writer = new Writer({ service, ...(await newTenant(service)) })
  await writer.more(2)
  const source = {
    db,
    blobs,
    secretKeys: secretSource(config)
      .read()
      .map(key => key.toString('hex')),
    release: '0.0.0',
  }
  const manifest = await backUp(source, target, {
    signal: new AbortController().signal,
    onProgress: () => {},
    onSnapshot: async snapshot => {
      await lookAt(snapshot)
      // what is written now must not be in the backup
      await writer.more(2)
    },
  })
  name = manifest.name
  await writer.stop()
  await target.close()
})

test('hiring backup: online: a copy in another PostgreSQL has every row of every table and every file of the snapshot', async () => {
  const database = await cloneDatabase('template0')
  const DATA_DIR = temporaryFolder()
  try {
    const { json } = await run('restore', [place], { DATA_DIR, DATABASE_URL: database.url, ...keyed })
    assert.equal(json.name, name)
    const client = await connect(database.connection)
    const restored = await digests(client)
    await client.end()
    assert.deepEqual(restored, atSnapshot)
    const filled = Object.values(restored).filter(digest => !digest.startsWith('0 '))
    assert.ok(filled.length > 60, `the demo fills most tables: ${filled.length}`)
    await compareServices(database, DATA_DIR)
  } finally {
    await database.drop()
  }
})

/** The copy as its users see it, next to the original. */
async function compareServices(database: TestDatabase, DATA_DIR: string): Promise<void> {
  const copy = await startTestService({ ROLES: 'api', DATA_DIR }, { database })
  const files: string[] = []
  for await (const file of copy.services.blobs.list('')) files.push(file)
  const uploads = await copy.services.db.query(sql<{ blob_key: string }>`select blob_key from uploads`)
  const named = new Set([...filesAtSnapshot, ...uploads.map(row => row.blob_key)])
  const missing = filesAtSnapshot.filter(file => !files.includes(file))
  const unnamed = files.filter(file => !named.has(file))
  assert.deepEqual({ missing, unnamed }, { missing: [], unnamed: [] })
  assert.ok(files.length > 400)
  for (const file of files)
    assert.deepEqual(await contentOf(copy.services.blobs, file), await contentOf(blobs, file), file)

  assert.equal((await copy.get('/me', key)).status, 200, 'a key of the original works')
  const secrets = await copy.services.db.query(
    sql<{
      endpoint_id: string
      version: number
      sealed: Buffer
    }>`select endpoint_id, version, sealed from webhook_secrets`,
  )
  assert.ok(secrets.length > 0)
  for (const { endpoint_id, version, sealed } of secrets)
    assert.ok(copy.services.keyring.unseal(sealed, secretContext(endpoint_id, version)).length > 20)
  const job = { source: { system: 'acme_ats', external_id: 'in-the-copy' }, title: 'Welder' }
  assert.equal((await copy.post('/jobs', key, job)).status, 201, 'numbers continue after those of the original')

  await readersNotice(copy.origin)
  await copy.stop()
}

async function contentOf(store: typeof blobs, file: string): Promise<{ type: string; body: string }> {
  const { stat, stream } = (await store.get(file))!
  const parts: Buffer[] = []
  for await (const part of stream as AsyncIterable<Buffer>) parts.push(part)
  return { type: stat.contentType, body: Buffer.concat(parts).toString('base64') }
}

/** A partner who followed the original is given the copy instead. */
async function readersNotice(copyOrigin: string): Promise<void> {
  await service.post('/jobs', key, { source: { system: 'acme_ats', external_id: 'after' }, title: 'After the backup' })
  await publish()
  const clientOf = (baseUrl: string) => new HiringClient({ baseUrl, apiKey: key })
  const end = await clientOf(service.origin).events.end()
  const follow = async (baseUrl: string) => {
    for await (const _ of clientOf(baseUrl).events.list({ after: end.after, epoch: end.epoch }));
  }
  await follow(service.origin)
  await assert.rejects(follow(copyOrigin), { name: 'FeedGapError', reason: 'epoch_changed' })
  const { body } = await service.call('GET', `${copyOrigin}/api/partner/v1/events?after=${end.after}`, { key })
  assert.deepEqual([body.gap, body.epoch === end.epoch], [true, false], 'a reader beyond the backup has a gap')

  const env = { HIRING_API_KEY: key, HIRING_BASE_URL: copyOrigin }
  const tail = await runCommand(['events', 'tail', '--from', String(end.after)], env)
  assert.notEqual(tail.code, 0, tail.stdout)
  assert.match(tail.stderr, /full copy|gap|no longer/i)
}

test('hiring backup: every file of the store and every column with the key of a file is among the named ones', async () => {
  const named = await namedFiles({ partsOf: table => [{ session: db, relation: table }] })
  const unnamed: string[] = []
  for await (const file of blobs.list('')) if (!named.has(file)) unnamed.push(file)
  assert.deepEqual(unnamed, [])
  const columns = await db.query(
    sql<{ name: string }>`
      select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and column_name like '%blob_key' order by 1`,
  )
  assert.deepEqual(
    columns.map(({ name }) => name),
    [
      'application_files.blob_key',
      'attachments.blob_key',
      'blob_deletions.blob_key', // files that are about to be removed
      'career_sites.logo_blob_key',
      'file_deletions.blob_key', // likewise
      'order_reports.blob_key',
      'resumes.blob_key',
      'uploads.blob_key',
    ],
  )
})

test('hiring restore: into a fresh embedded database, by the command: a new epoch, the secret key, and sending is held', async () => {
  const settings = { DATA_DIR: temporaryFolder(), ...keyed }
  const done = await hiring(['restore', place, '--json'], settings)
  assert.equal(done.code, 0, done.stderr)
  const { epoch, files } = JSON.parse(done.stdout)
  assert.ok(files > 400)
  assert.notEqual(epoch, (await service.get('/events?limit=1', key)).body.epoch)
  // a store opens only with the secret key that it was made with
  const sending = await hiring(['sending', '--json'], settings)
  assert.deepEqual([sending.code, JSON.parse(sending.stdout).sending], [0, 'off'], sending.stderr)
  const again = await hiring(['restore', place], settings)
  assert.deepEqual([again.code, again.stderr.includes('the database is not empty')], [1, true])
})
