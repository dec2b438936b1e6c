import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { EVENT_TYPES } from '../contract/events.ts'
import { ALL_SCOPES } from '../contract/scopes.ts'
import { hashSecret, isWellFormed } from '../kernel/access/key-format.ts'
import { runCooperatively } from '../kernel/async/cooperative.ts'
import type { Blobs } from '../kernel/blobs/blobs.ts'
import { openFolderBlobs } from '../kernel/blobs/folder.ts'
import { Keyring, sha256 } from '../kernel/crypto/signing.ts'
import { Database } from '../kernel/db/database.ts'
import { type EmbeddedServer, openEmbedded } from '../kernel/db/embedded.ts'
import { migrate } from '../kernel/db/migrate.ts'
import { raw, sql } from '../kernel/db/sql.ts'
import { createLog } from '../kernel/telemetry/log.ts'
import { AGREEMENTS, COVERAGE } from './load.checks.ts'
import { type DemoSummary, demoKeyExists, demoSecret, loadDemo } from './load.ts'
import { tellStory } from './story.ts'

const folder = mkdtempSync(join(tmpdir(), 'hiring-demo-'))
const log = createLog('silent')
const keyring = new Keyring(Buffer.alloc(32, 5))
let server: EmbeddedServer
let db: Database
let blobs: Blobs
let summary: DemoSummary
let acme: string

before(async () => {
  server = await openEmbedded({ directory: join(folder, 'postgres'), durable: false })
  db = new Database(server.connection, { connections: 8, log })
  await migrate(db)
  const place = { folder: join(folder, 'blobs'), publicUrl: () => 'http://127.0.0.1', signingKey: Buffer.alloc(32, 6) }
  blobs = await openFolderBlobs({ ...place, now: () => db.now() })
})

after(async () => {
  await db?.close()
  await server?.release()
  rmSync(folder, { recursive: true, force: true })
})

const query = (text: string) => db.query(sql`${raw(text)}`)

/** The different values that Acme's rows have in a column, sorted; null is among them as `null`. */
async function valuesIn(table: string, column: string): Promise<string[]> {
  const found = await query(`select distinct coalesce((${column})::text, 'null') as value from ${table}
    where workspace_id = '${acme}' order by 1`)
  return found.map(row => row['value'] as string).sort()
}

async function count(table: string, condition = 'true'): Promise<number> {
  const [row] = await query(`select count(*) as n from ${table} where workspace_id = '${acme}' and ${condition}`)
  return row!['n'] as number
}

async function assertNone(what: string, text: string): Promise<void> {
  assert.deepEqual(await query(text), [], what)
}

async function blobKeys(): Promise<string[]> {
  const keys: string[] = []
  for await (const key of blobs.list('')) keys.push(key)
  return keys
}

test('the secret depends on the installation alone, and is well formed', () => {
  assert.equal(demoSecret(keyring), demoSecret(new Keyring(Buffer.alloc(32, 5))))
  assert.notEqual(demoSecret(keyring), demoSecret(new Keyring(Buffer.alloc(32, 8))))
  assert.ok(isWellFormed(demoSecret(keyring)))
  assert.match(demoSecret(keyring), /^svc_test_[0-9A-Za-z]{47}$/)
})

test('the same story every time', async () => {
  const tell = async () => {
    const { draft, events } = await runCooperatively(tellStory(Date.UTC(2026, 10, 15, 3), 'svc_test_'))
    const names = draft.rows('applicants').map(row => [row['full_name'], row['email'], row['created_at']])
    const states = draft.rows('applications').map(row => [row['status'], row['source'], row['updated_at']])
    const files = draft.files.map(file => sha256(file.body).toString('hex'))
    return [names, states, files, events.map(event => [event.type, event.updatedAt]), draft.counts()]
  }
  assert.deepEqual(await tell(), await tell())
})

test('a store without room: neither rows nor files are left', async () => {
  let puts = 0
  const full: Blobs = Object.assign(Object.create(blobs), {
    list: blobs.list.bind(blobs),
    removeAll: blobs.removeAll.bind(blobs),
    put: async (...args: Parameters<Blobs['put']>) => {
      if (++puts > 100) throw new Error('no room')
      return blobs.put(...args)
    },
  })
  await assert.rejects(loadDemo({ db, blobs: full, keyring, log }), /no room/)
  await assertNone('workspaces', 'select id from workspaces')
  await assertNone('events', 'select id from outbox')
  assert.deepEqual(await blobKeys(), [])
  assert.equal(await demoKeyExists(db, keyring), false)
})

test('of two that load at once one does, and a later one does not', async t => {
  const other = new Database(server.connection, { connections: 4, log })
  try {
    const both = await Promise.all([db, other].map(one => loadDemo({ db: one, blobs, keyring, log })))
    const loaded = both.filter(one => one !== undefined)
    assert.equal(loaded.length, 1)
    summary = loaded[0]!
  } finally {
    await other.close()
  }
  assert.equal(await loadDemo({ db, blobs, keyring, log }), undefined)
  t.diagnostic(`loaded in ${summary.milliseconds} ms`)
  assert.deepEqual(
    summary.workspaces.map(({ name, plan }) => [name, plan]),
    [
      ['Acme Robotics', 'starter'],
      ['Globex', 'growth'],
      ['Initech', null],
    ],
  )
  acme = summary.workspaces[0]!.id
  for (const [table, rows] of Object.entries(summary.counts)) {
    if (table === 'files' || table === 'events') continue
    const [row] = await query(`select count(*) as n from ${table}`)
    assert.equal(row!['n'], rows, table)
  }
})

test('the demo key opens everything in Acme', async () => {
  assert.equal(await demoKeyExists(db, keyring), true)
  const [key] = await query(`
    select k.*, u.role from api_keys k
    join api_key_secrets s on s.key_id = k.id join users u on u.workspace_id = k.workspace_id and u.id = k.user_id
    where s.secret_hash = '${hashSecret(demoSecret(keyring))}'`)
  assert.equal(key!['name'], 'Demo key')
  assert.equal(key!['role'], 'owner')
  assert.equal(key!['workspace_id'], acme)
  assert.equal(key!['environment'], 'test')
  assert.equal(key!['workspace_scope'], 'single')
  assert.deepEqual(key!['scopes'], ALL_SCOPES)
  await query(`update api_keys set revoked_at = app_now() where id = '${key!['id']}'`)
  assert.equal(await demoKeyExists(db, keyring), false)
  await query(`update api_keys set revoked_at = null where id = '${key!['id']}'`)
})

test('there is enough of everything', async () => {
  const least = {
    jobs: 25,
    applications: 300,
    applicants: 250,
    sourced_profiles: 220,
    projects: 3,
    lists: 5,
    messages: 5,
  }
  for (const [table, rows] of Object.entries(least)) assert.ok((await count(table)) >= rows, table)
  assert.equal(summary.counts['pool_profiles'], 2000)
  for (const [name, jobs, applications] of [['Globex', 10, 40] as const, ['Initech', 3, 10] as const]) {
    const [row] = await query(`select (select count(*) from jobs j where j.workspace_id = w.id) as jobs,
      (select count(*) from applications a where a.workspace_id = w.id) as applications
      from workspaces w where name = '${name}'`)
    assert.deepEqual({ ...row }, { jobs, applications })
  }
  assert.equal(await count('users', 'email is null'), 1)
  for (const table of ['webhook_endpoints', 'exports', 'uploads']) assert.equal(await count(table), 0)
})

test('every state and kind is there', async () => {
  for (const [table, column, values] of COVERAGE) {
    assert.deepEqual(await valuesIn(table, column), values.split(' '), `${table}.${column}`)
  }
  const stages = await valuesIn('list_memberships', 'stage')
  const keys = ['connected', 'declined', 'hired', 'interviewing', 'null', 'pending', 'requested']
  assert.deepEqual(
    stages.filter(stage => !keys.includes(stage)),
    ['Needs visa', 'Warm intro'],
  )
  assert.equal(stages.length, keys.length + 2)
  assert.deepEqual(
    (await query('select distinct status || reason as kind from suppressions order by 1')).map(row => row['kind']),
    ['erasederasure_request', 'erasedlegal_request', 'suppressedstop_processing'],
  )
  for (const condition of ['close_at > app_now()', 'external_apply_url is not null', 'dial_in_code is null']) {
    assert.ok((await count('jobs', condition)) > 0, condition)
  }
  assert.ok((await count('form_fields', 'deleted_at is not null')) > 0)
  assert.ok((await count('form_fields', "type = 'consent' and required")) > 0)
  assert.ok((await count('application_private_answers')) > 0)
  for (const type of ['string', 'boolean', 'array']) {
    const answered = `exists (select 1 from jsonb_each(answers) where jsonb_typeof(value) = '${type}')`
    assert.ok((await count('application_answers', answered)) > 0, type)
  }
  assert.ok(
    (await count('applications a', 'not exists (select 1 from application_scores s where s.application_id = a.id)')) >
      10,
  )
})

test('records agree with each other', async () => {
  for (const [what, text] of Object.entries(AGREEMENTS)) await assertNone(what, text)
})

test('the same people appear in several places, and one of them is suppressed everywhere', async () => {
  const everywhere = await query(`
    select a.linkedin_key,
      a.suppressed_at is not null and s.suppressed_at is not null and p.suppressed_at is not null as gone
    from applicants a join pool_profiles p using (linkedin_key)
    join sourced_profiles s on s.workspace_id = a.workspace_id and s.linkedin_key = a.linkedin_key
    where a.workspace_id = '${acme}'`)
  assert.ok(everywhere.length >= 5)
  const gone = everywhere.filter(row => row['gone'])
  assert.equal(gone.length, 1)
  const hash = sha256(String(gone[0]!['linkedin_key'])).toString('hex')
  const held = await query(`
    select w.subjects from suppressed_identifiers i join workspace_suppressions w using (suppression_id)
    where i.kind = 'linkedin_url' and i.sha256 = '\\x${hash}'`)
  assert.equal(held.length, 2)
})

test('files are where the rows say, as long as they say', async () => {
  const rows = await query(
    `select blob_key, bytes, mime from resumes union all select blob_key, bytes, mime from attachments`,
  )
  for (const row of rows) {
    const stat = await blobs.stat(row['blob_key'] as string)
    assert.deepEqual(stat, { bytes: row['bytes'], contentType: row['mime'] })
  }
  assert.equal((await blobKeys()).length, rows.length)
  const starts: Record<string, string> = { pdf: '%PDF-1.4', docx: 'PK\x03\x04', rtf: '{\\rtf1', png: '\x89PNG' }
  for (const [extension, start] of Object.entries(starts)) {
    const [row] = await query(`select blob_key from (select blob_key, filename from resumes
      union all select blob_key, filename from attachments) f where filename like '%.${extension}' limit 1`)
    const found = await blobs.get(row!['blob_key'] as string)
    const [head] = await found!.stream.take(1).toArray()
    assert.ok((head as Buffer).toString('latin1').startsWith(start), extension)
  }
})

test('the feed has events of every type, about records that exist', async () => {
  const events = await query('select type, head || 0 || tail as body from outbox order by id')
  assert.equal(events.length, summary.counts['events'])
  assert.ok(events.length >= 150)
  assert.deepEqual([...new Set(events.map(event => event['type'] as string))].sort(), [...EVENT_TYPES].sort())
  const ids = async (table: string) => new Set((await query(`select id from ${table}`)).map(row => row['id']))
  const known: Record<string, Set<unknown>> = {
    job: await ids('jobs'),
    application: await ids('applications'),
    applicant: await ids('applicants'),
    resume: await ids('resumes'),
    sourced_profile: await ids('sourced_profiles'),
    list: await ids('lists'),
    list_membership: await ids('list_memberships'),
  }
  for (const event of events) {
    const { data, workspace_id } = JSON.parse(event['body'] as string)
    assert.equal(workspace_id, event['type'] === 'pool.batch_upserted' ? null : acme)
    const gone = /[.](deleted|removed)$/.test(event['type'] as string)
    const table = known[data.object.object]
    if (table) assert.equal(table.has(data.object.id), !gone, event['type'] as string)
    if (data.object.stage_id) {
      const [stage] = await query(`select job_id from pipeline_stages where id = '${data.object.stage_id}'`)
      assert.equal(stage?.['job_id'], data.object.job_id)
    }
  }
})
