import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { readData, shifted } from '../../demo/data.ts'
import { type DemoSummary, demoKeyExists, demoSecret, loadDemo } from '../../demo/index.ts'
import { routes } from '../../src/app.ts'
import { EVENT_TYPES } from '../../src/contract/events.ts'
import { LIVE_SCOPES } from '../../src/contract/scopes.ts'
import { demoHandles } from '../../src/docs/demo-handles.ts'
import { readSample, routeName } from '../../src/docs/samples.ts'
import { hashSecret, isWellFormed } from '../../src/kernel/access/key-format.ts'
import type { Blobs } from '../../src/kernel/blobs/blobs.ts'
import { openFolderBlobs } from '../../src/kernel/blobs/folder.ts'
import { Keyring, sha256 } from '../../src/kernel/crypto/signing.ts'
import { Database } from '../../src/kernel/db/database.ts'
import { raw, sql } from '../../src/kernel/db/sql.ts'
import { composer } from '../../src/kernel/mail/compose.ts'
import { Outbox } from '../../src/kernel/mail/outbox.ts'
import { createLog } from '../../src/kernel/telemetry/log.ts'
import { checkFunnel, hasDifferences } from '../../src/resources/analytics/index.ts'
import { MODEL_VERSION, scoreMatch } from '../../src/resources/applications/score-rules.ts'
import { readUnsubscribeToken } from '../../src/resources/messages/unsubscribe-link.ts'
import { secretContext } from '../../src/resources/webhooks/index.ts'
import { cloneDatabase, stopOwnServer, type TestDatabase } from '../harness/postgres.ts'
import { COVERAGE } from './coverage.ts'

const folder = mkdtempSync(join(tmpdir(), 'hiring-demo-'))
const log = createLog('silent')
const keyring = new Keyring(Buffer.alloc(32, 5))
const DAY = 86_400_000
const publicUrl = 'http://127.0.0.1:8080'
const outbox = new Outbox(join(folder, 'outbox'), composer({ address: 'no-reply@localhost' }))
const target = () => ({ db, blobs, outbox, keyring, publicUrl, log })
let database: TestDatabase
let db: Database
let blobs: Blobs
let summary: DemoSummary
let acme: string

before(async () => {
  database = await cloneDatabase()
  db = new Database(database.connection, { connections: 8, log })
  const place = {
    folder: join(folder, 'blobs'),
    publicUrl: () => 'http://127.0.0.1',
    signingKeys: (): [Buffer] => [Buffer.alloc(32, 6)],
  }
  blobs = await openFolderBlobs({ ...place, now: () => db.now() })
})

after(async () => {
  await db?.close()
  await database?.drop()
  await stopOwnServer()
  rmSync(folder, { recursive: true, force: true })
})

// biome-ignore lint/suspicious/noExplicitAny: rows of every kind
const query = (text: string) => db.query(sql<any>`${raw(text)}`)

/** The different values that Acme's rows have in a column, sorted; null is among them as `null`. */
async function valuesIn(table: string, column: string): Promise<string[]> {
  const found = await query(`select distinct coalesce((${column})::text, 'null') as value from ${table}
    where workspace_id = '${acme}' order by 1`)
  return found.map(row => row.value).sort()
}

async function count(table: string, condition = 'true'): Promise<number> {
  const [row] = await query(`select count(*) as n from ${table} where workspace_id = '${acme}' and ${condition}`)
  return row.n
}

async function blobKeys(): Promise<string[]> {
  const keys: string[] = []
  for await (const key of blobs.list('')) keys.push(key)
  return keys
}

test('demo secret: depends on the installation alone, and is well formed', () => {
  assert.equal(demoSecret(keyring), demoSecret(new Keyring(Buffer.alloc(32, 5))))
  assert.notEqual(demoSecret(keyring), demoSecret(new Keyring(Buffer.alloc(32, 8))))
  assert.ok(isWellFormed(demoSecret(keyring)))
  assert.match(demoSecret(keyring), /^svc_test_[0-9A-Za-z]{47}$/)
})

test('demo data: holds no secret, and only reserved names and numbers', () => {
  const { tables } = readData()
  const rowsOf = (table: string) => JSON.parse(tables.find(({ name }) => name === table)!.rows)
  for (const table of ['api_key_secrets', 'connected_app_secrets'])
    for (const row of rowsOf(table)) assert.equal(row.secret_hash, '', table)
  for (const row of rowsOf('webhook_secrets')) assert.equal(row.sealed, '')
  for (const row of rowsOf('users')) assert.equal(row.password_hash, null)
  for (const row of rowsOf('webhook_endpoints')) assert.match(new URL(row.url).hostname, /\.example$/)
  for (const { value } of rowsOf('contact_values'))
    assert.match(value, /^[a-z0-9.-]+@[a-z0-9.-]+[.]example$|^[+]1 [0-9]{3} 555 01[0-9]{2}$/i)
})

test('demo data: times move by whole days, inside event bodies too; versions named by a day do not', () => {
  const day = (text: string) => ({
    end: '2026-11-01T00:00:00.000Z',
    files: [],
    mails: [],
    tables: [{ name: 'events', rows: text }],
  })
  const now = Date.parse('2027-03-03T17:00:00Z')
  const { tables } = shifted(day('"2026-10-31T23:59:59.999Z" \\"at\\":\\"2026-10-01T08:00:00.000Z\\" 2026-11-01'), now)
  assert.equal(tables[0]!.rows, '"2027-03-02T23:59:59.999Z" \\"at\\":\\"2027-01-31T08:00:00.000Z\\" 2026-11-01')
})

test('demo data: has every column that needs a value, and no other; if not, npm run demo:build', async () => {
  const columns = await query(`select table_name as table, column_name as name,
      is_nullable = 'NO' and column_default is null and is_identity = 'NO' as required
    from information_schema.columns where table_schema = 'public' and is_generated = 'NEVER'`)
  for (const { name, rows } of readData().tables) {
    const stored = columns.filter(column => column.table === name)
    for (const row of JSON.parse(rows)) {
      const given = Object.keys(row)
      const known = stored.filter(column => column.required || given.includes(column.name)).map(column => column.name)
      assert.deepEqual(given.sort(), known.sort(), name)
    }
  }
})

test('loading the demo: a column that a later migration adds is null or has its default', async () => {
  const { connection, drop } = await cloneDatabase()
  const later = new Database(connection, { connections: 8, log })
  try {
    for (const table of ['jobs', 'pool_profiles', 'events'])
      await later.query(sql`
        alter table ${raw(table)} add column added_later text, add column added_flag boolean not null default true`)
    assert.ok(await loadDemo({ ...target(), db: later }))
    for (const table of ['jobs', 'pool_profiles', 'events'])
      assert.deepEqual(
        await later.query(sql`select distinct added_later, added_flag from ${raw(table)}`),
        [{ added_later: null, added_flag: true }],
        table,
      )
  } finally {
    await later.close()
    await drop()
  }
})

test('loading the demo: a full file store leaves neither rows nor files', async () => {
  let puts = 0
  const full: Blobs = Object.assign(Object.create(blobs), {
    list: blobs.list.bind(blobs),
    removeAll: blobs.removeAll.bind(blobs),
    put: async (...args: Parameters<Blobs['put']>) => {
      if (++puts > 100) throw new Error('no space left')
      return blobs.put(...args)
    },
  })
  await assert.rejects(loadDemo({ ...target(), blobs: full }), /no space left/)
  assert.deepEqual(await query('select id from workspaces'), [])
  assert.deepEqual(await query('select id from events'), [])
  assert.deepEqual(await blobKeys(), [])
  assert.deepEqual(await outbox.list(), [])
  assert.equal(await demoKeyExists(db, keyring), false)
})

test('loading the demo: of two processes one loads it, and a later one does not', async t => {
  const other = new Database(database.connection, { connections: 4, log })
  try {
    const both = await Promise.all([db, other].map(one => loadDemo({ ...target(), db: one })))
    const loaded = both.filter(one => one !== undefined)
    assert.equal(loaded.length, 1)
    summary = loaded[0]!
  } finally {
    await other.close()
  }
  assert.equal(await loadDemo(target()), undefined)
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
    if (table === 'files') continue
    const [row] = await query(`select count(*) as n from ${table}`)
    assert.equal(row.n, rows, table)
  }
})

test('demo key: has every scope in Acme, until it is revoked', async () => {
  assert.equal(await demoKeyExists(db, keyring), true)
  const [key] = await query(`
    select k.*, u.role from api_keys k
    join api_key_secrets s on s.key_id = k.id join users u on u.workspace_id = k.workspace_id and u.id = k.user_id
    where s.secret_hash = '${hashSecret(demoSecret(keyring))}'`)
  assert.deepEqual(
    [key.name, key.role, key.workspace_id, key.environment, key.workspace_scope],
    ['Demo key', 'owner', acme, 'test', 'single'],
  )
  assert.deepEqual(key.scopes, LIVE_SCOPES)
  await query(`update api_keys set revoked_at = app_now() where id = '${key.id}'`)
  assert.equal(await demoKeyExists(db, keyring), false)
  await query(`update api_keys set revoked_at = null where id = '${key.id}'`)
})

test('demo: there is enough of everything', async () => {
  const least = {
    jobs: 25,
    applications: 300,
    applicants: 250,
    sourced_profiles: 220,
    projects: 3,
    lists: 5,
    messages: 8,
    personal_data_reads: 20,
    request_stats: 100,
    request_log: 300,
    webhook_deliveries: 100,
    connected_apps: 1,
  }
  for (const [table, rows] of Object.entries(least)) assert.ok((await count(table)) >= rows, table)
  assert.ok(summary.counts['pool_profiles']! >= 2000)
  for (const [name, jobs, applications] of [['Globex', 10, 35] as const, ['Initech', 3, 8] as const]) {
    const [row] = await query(`select (select count(*) from jobs j where j.workspace_id = w.id) as jobs,
      (select count(*) from applications a where a.workspace_id = w.id) as applications
      from workspaces w where name = '${name}'`)
    assert.equal(row.jobs, jobs)
    assert.ok(row.applications >= applications, name)
  }
})

test('demo: every state and kind is shown', async () => {
  for (const [table, column, values] of COVERAGE)
    assert.deepEqual(await valuesIn(table, column), values.split(' '), `${table}.${column}`)
  const suppressions = await query('select distinct status || reason as kind from suppressions order by 1')
  assert.deepEqual(
    suppressions.map(row => row.kind),
    ['erasederasure_request', 'erasedlegal_request', 'suppressedstop_processing'],
  )
  for (const condition of ['close_at > app_now()', 'external_apply_url is not null', 'dial_in_code is not null'])
    assert.ok((await count('jobs', condition)) > 0, condition)
  assert.ok((await count('form_fields', 'deleted_at is not null')) > 0)
  assert.ok((await count('application_private_answers')) > 0)
  // another workspace asks for an erasure, which waits for Acme's decision
  assert.ok((await count('erasure_requests', "state = 'open'")) > 0)
})

test('demo: scores are those that the rules of this version give', async () => {
  const rows = await query(`
    select s.match_pct, s.gaps, s.rationale, s.model_version, r.parsed, r.raw_text, j.skills_required,
      j.skills_preferred, j.experience_level, j.years_min
    from application_scores s join applications a on a.id = s.application_id
    join resumes r on r.application_id = a.id join jobs j on j.id = a.job_id`)
  assert.ok(rows.length > 200)
  for (const row of rows) {
    const { match_pct, gaps, rationale, parsed } = row
    const score = scoreMatch(
      {
        skillsRequired: row.skills_required,
        skillsPreferred: row.skills_preferred,
        experienceLevel: row.experience_level,
        yearsMin: row.years_min,
      },
      {
        skills: parsed.skills,
        text: row.raw_text,
        seniority: parsed.seniority,
        years: parsed.total_years_experience,
      },
    )
    assert.deepEqual({ match_pct, gaps, rationale }, { ...score })
    assert.equal(row.model_version, MODEL_VERSION)
  }
})

test('demo: the hiring funnel counts what was loaded', async () => {
  assert.equal(hasDifferences(await checkFunnel(db)), false)
})

test('demo: the same people appear in several places, and one of them is suppressed everywhere', async () => {
  const everywhere = await query(`
    select a.linkedin_key,
      a.suppressed_at is not null and s.suppressed_at is not null and p.suppressed_at is not null as gone
    from applicants a join pool_profiles p using (linkedin_key)
    join sourced_profiles s on s.workspace_id = a.workspace_id and s.linkedin_key = a.linkedin_key
    where a.workspace_id = '${acme}'`)
  assert.ok(everywhere.length >= 5)
  const gone = everywhere.filter(row => row.gone)
  assert.equal(gone.length, 1)
  const hash = sha256(String(gone[0].linkedin_key)).toString('hex')
  const held = await query(`
    select distinct w.workspace_id from suppressed_identifiers i join workspace_suppressions w using (suppression_id)
    where i.kind = 'linkedin_url' and i.sha256 = '\\x${hash}' and w.workspace_id is not null`)
  assert.deepEqual(
    held.map(row => row.workspace_id).sort(),
    summary.workspaces
      .slice(0, 2)
      .map(({ id }) => id)
      .sort(),
  )
})

test('reference on a new demo: each call and its response are the recorded ones', async () => {
  const handles = await demoHandles({ db, keyring }, async () => acme)
  assert.ok(handles)
  // the times of a notice and of a due date move with the demo
  for (const route of routes.filter(({ path }) => !/\/(acknowledge|extend)$/.test(path)))
    assert.deepEqual(readSample(route, handles), readSample(route), routeName(route))
})

test('demo files: are stored under the keys of their rows, with the length and type of the row', async () => {
  const rows = await query(
    `select blob_key, bytes, mime from resumes union all select blob_key, bytes, mime from attachments
     union all select blob_key, bytes, mime from application_files
     union all select blob_key, bytes, mime from order_reports`,
  )
  for (const row of rows) assert.deepEqual(await blobs.stat(row.blob_key), { bytes: row.bytes, contentType: row.mime })
  const logos = await query(`select logo_blob_key, logo_mime from career_sites where logo_blob_key is not null`)
  for (const { logo_blob_key, logo_mime } of logos)
    assert.equal((await blobs.stat(logo_blob_key))?.contentType, logo_mime)
  assert.equal((await blobKeys()).length, rows.length + logos.length)
})

test('demo outbox: has the messages that were sent, with their times and working links to unsubscribe', async () => {
  const sent = await query(`select id, sent_at, applicant_id from messages where status = 'sent' order by sent_at desc`)
  const mails = await outbox.list()
  assert.deepEqual(
    mails.map(({ id, at }) => [id, at]),
    sent.map(row => [row.id, Date.parse(row.sent_at)]),
  )
  for (const { text, audience } of mails) {
    assert.deepEqual(audience, { workspaceId: acme })
    const token = /Unsubscribe: http:\/\/127\.0\.0\.1:8080\/unsubscribe\/(\S+)/.exec(text)![1]!
    assert.equal(readUnsubscribeToken(keyring, token)?.workspace, acme)
  }
})

test('demo webhooks: the signing secrets are sealed with the installation’s own key', async () => {
  const rows = await query('select endpoint_id, version, sealed from webhook_secrets')
  assert.ok(rows.length >= 4)
  for (const { endpoint_id, version, sealed } of rows)
    assert.match(keyring.unseal(sealed, secretContext(endpoint_id, version)).toString(), /^whsec_/)
})

test('demo feed: has events of every type; each carries the time of its change, none is in the future', async () => {
  const events = await query(
    `select type, created_at, body from events where workspace_id = '${acme}' order by sequence`,
  )
  assert.deepEqual([...new Set(events.map(event => event.type))].sort(), [...EVENT_TYPES].sort())
  const now = await db.now()
  const [log] = await query(`select * from event_logs where workspace_id = '${acme}'`)
  const newest = Math.max(...events.map(event => Date.parse(event.created_at)))
  assert.ok(newest <= now && newest > now - 2 * DAY)
  assert.equal(log.last_sequence - log.oldest_sequence + 1, events.length)
  for (const { created_at, body } of events) assert.equal(JSON.parse(body).created_at, created_at)
  const scores = new Map<string, number>(
    (await query('select application_id, match_pct from application_scores')).map(row => [
      row.application_id,
      row.match_pct,
    ]),
  )
  const scored = new Map(
    events
      .filter(event => event.type === 'application.scored')
      .map(event => JSON.parse(event.body).data.object)
      .map(object => [object.id, object.match_pct]),
  )
  for (const [id, match_pct] of scored) if (scores.has(id)) assert.equal(match_pct, scores.get(id))
})
