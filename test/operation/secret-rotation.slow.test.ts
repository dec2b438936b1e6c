import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { SEALED_COLUMNS } from '../../src/app.ts'
import { secretVerbs } from '../../src/cli/secret.ts'
import { deriveKeyId } from '../../src/kernel/crypto/signing.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import type { SecretKeyStatus } from '../../src/kernel/services/rotate-secret.ts'
import { secretCheck } from '../../src/kernel/services/secret-keys.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { unsubscribeToken } from '../../src/resources/messages/unsubscribe-link.ts'
import { createUser } from '../../src/resources/users/index.ts'
import { signedIn } from '../console/setup.ts'
import { cloneDatabase } from '../harness/postgres.ts'
import { hiring, startHiring } from '../harness/process.ts'
import { CA_FILE, startReceiver, testNames, until } from '../harness/receiver.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { runVerb } from '../harness/verb.ts'

const receiver = await startReceiver()
const folders: string[] = []
// after the services have stopped, which is registered before
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** Processes on one store; `start` begins another one. */
async function installation(settings: Record<string, string> = {}) {
  const database = await cloneDatabase()
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'hiring-secret-'))
  folders.push(DATA_DIR)
  const all = {
    DATA_DIR,
    LIMITER: 'postgres',
    ROLES: 'api',
    WEBHOOK_ALLOW_HOSTS: receiver.host,
    WEBHOOK_CA: CA_FILE,
    ...settings,
  }
  const start = (own: Record<string, string> = {}) =>
    startTestService({ ...all, ...own }, { database, resolveName: testNames() })
  return { database, start, env: { ...all, DATABASE_URL: database.url, DEMO: 'off' } }
}

const verb = async <T>(service: TestService, name: string, args: string[] = [], options: Record<string, string> = {}) =>
  (await runVerb(service, secretVerbs, name, args, options)).json as T
const statusOf = async (service: TestService): Promise<SecretKeyStatus[]> =>
  (await verb<{ keys: SecretKeyStatus[] }>(service, 'secret status')).keys
const fileOf = (service: TestService) =>
  readFileSync(join(service.services.config.DATA_DIR, 'secret.key'), 'utf8').trim().split('\n')

async function withEndpoint(service: TestService) {
  const { id: workspace, userEmail } = await service.workspace('enterprise')
  const key = await service.key({ workspace, userEmail })
  const url = `${receiver.url}/${workspace}`
  const made = await service.post('/webhooks/endpoints', key, { url, event_types: ['job.updated'] })
  assert.equal(made.status, 201, made.text)
  return { workspace, key, userEmail, endpoint: made.body.id as string, secret: made.body.signing_secret as string }
}

test('secret rotate: two processes refuse nothing during a rotation; what was signed before is valid until it is retired', async () => {
  const { start } = await installation()
  const one = await start({ ROLES: 'api,worker' })
  const two = await start()
  const [first] = fileOf(one)
  const { workspace, key, endpoint, secret } = await withEndpoint(one)
  const { db, keyring, blobs } = one.services
  for (let i = 0; i < 4; i++) assert.equal((await one.post('/lists', key, { name: `Welders ${i}` })).status, 201)
  const email = 'ada@rotation.example'
  const password = 'a long enough sentence'
  await createUser(db, { workspace, email, role: 'owner', password }, one.services.passwords)
  await blobs.put('rotation/file', Buffer.from('bytes'), { contentType: 'text/plain' })

  /** A message to the receiver carries the signature of the endpoint's secret, which a process has to open. */
  const isSigned = async () => {
    const before = receiver.received.length
    assert.equal((await two.post(`/webhooks/endpoints/${endpoint}/test`, key)).status, 202)
    await until('the message has arrived', () => receiver.received.length > before)
    const { body, headers } = receiver.received.at(-1)!
    const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers['service-signature'] as string)!
    assert.equal(v1, createHmac('sha256', secret).update(`${t}.${body}`).digest('hex'))
  }
  await isSigned()
  const page = (service: TestService, cursor?: string) =>
    service.get(`/lists?limit=1${cursor ? `&cursor=${cursor}` : ''}`, key)
  const signIn = (service: TestService) =>
    service.call('POST', `${service.origin}/sign-in`, {
      raw: new URLSearchParams({ email, password }).toString(),
      headers: { origin: service.origin, 'content-type': 'application/x-www-form-urlencoded' },
    })
  const file = (url: string) => fetch(two.origin + url.slice(one.origin.length)).then(response => response.status)

  const before = {
    cursor: (await page(one)).body.next_cursor as string,
    file: await blobs.signedGet('rotation/file', { expiresInSeconds: 600, filename: 'a', contentType: 'text/plain' }),
    link: `/unsubscribe/${unsubscribeToken(keyring, { workspace, applicant: newHandle('applicant') })}`,
    person: await signedIn(two, workspace),
  }
  assert.ok(before.cursor)
  const unsubscribe = (service: TestService) => service.call('GET', service.origin + before.link)
  const linkStatus = (await unsubscribe(two)).status

  // a cursor of one process is read by the other, without a pause, while the key is replaced
  let running = true
  const refused: string[] = []
  let pages = 0
  const load = (async () => {
    let cursor: string | undefined
    for (let i = 0; running; i++) {
      const response = await page(i % 2 ? one : two, cursor)
      if (response.status !== 200) refused.push(response.text)
      cursor = response.body.next_cursor ?? undefined
      pages++
      await delay(25) // far from the limit of the key, however long the rotation takes
    }
  })()
  const done = await verb<{ key: string; replaced: string[]; resealed: number }>(one, 'secret rotate')
  running = false
  await load
  assert.deepEqual(refused, [])
  assert.ok(pages > 5, `${pages} pages were read`)

  const old = deriveKeyId(Buffer.from(first!, 'hex'))
  assert.deepEqual([done.replaced, done.resealed], [[old], 1])
  assert.deepEqual(
    (await statusOf(one)).map(({ id, state, sealed_values, missing_in }) => ({ id, state, sealed_values, missing_in })),
    [
      { id: done.key, state: 'in use', sealed_values: 1, missing_in: [] },
      { id: old, state: 'replaced', sealed_values: 0, missing_in: [] },
    ],
  )
  const { text } = await runVerb(one, secretVerbs, 'secret status', [])
  assert.match(text, /^KEY +STATE +SEALED VALUES +NOT KNOWN TO +MAY BE RETIRED FROM\n/)
  for (const secret of fileOf(one)) assert.ok(!text.includes(secret))
  assert.equal(fileOf(one).length, 2)
  assert.equal((await page(two, before.cursor)).status, 200, 'a cursor of the old key')
  assert.equal(await file(before.file), 200, 'a file URL of the old key')
  const NEW_KEY = { name: 'One', scopes: ['jobs:read'], ip_allowlist: [], expires_in_days: null }
  assert.equal((await before.person.post('/keys', NEW_KEY)).status, 200, 'a page that was loaded before')
  assert.equal((await signIn(two)).status, 303)
  await isSigned()

  await assert.rejects(verb(one, 'secret retire', [old]), /valid until 20.*--now/)
  await assert.rejects(verb(one, 'secret retire', [done.key]), /is in use/)
  assert.deepEqual(await verb(one, 'secret retire', [old], { now: '' }), { retired: old })
  assert.equal(fileOf(one).length, 1)
  assert.notEqual(fileOf(one)[0], first)
  await until('both processes have dropped the key', () =>
    [one, two].every(({ services }) => !services.keyring.known.includes(old)),
  )
  const ended = await page(two, before.cursor)
  assert.deepEqual([ended.status, ended.body.detail?.code], [400, 'invalid_cursor'], ended.text)
  assert.equal(await file(before.file), 404)
  assert.equal((await unsubscribe(two)).status, linkStatus, 'links in emails are valid for ever')
  assert.equal((await signIn(one)).status, 303, 'passwords are not changed')
  await isSigned()

  // and the same again, after which what outlives the first key is sealed with the third
  const again = await verb<{ key: string; resealed: number }>(one, 'secret rotate')
  assert.equal(again.resealed, 2)
  await verb(one, 'secret retire', [done.key], { now: '' })
  await until('both processes have dropped the key', () =>
    [one, two].every(({ services }) => services.keyring.known.join() === again.key),
  )
  assert.equal((await unsubscribe(two)).status, linkStatus)
  assert.equal((await signIn(two)).status, 303)
  await isSigned()
})

test('secret retire: a key may go when the longest session that began with it has ended', async () => {
  const { start } = await installation()
  const service = await start()
  await verb(service, 'secret rotate')
  const replaced = (await statusOf(service)).find(key => key.state === 'replaced')!
  await assert.rejects(verb(service, 'secret retire', [replaced.id]), /are valid until/)
  clock.advance(7 * 86_400_000)
  try {
    assert.deepEqual(await verb(service, 'secret retire', [replaced.id]), { retired: replaced.id })
  } finally {
    clock.reset()
  }
})

test('secret rotate: a process that does not have the new key yet meets nothing of it; later the command continues', async () => {
  const { start, database } = await installation()
  const service = await start()
  await withEndpoint(service)
  const { db } = service.services
  // a process with a session of its own, which reports the old key alone, however long it is silent
  const silent = new pg.Client({ connectionString: database.url })
  await silent.connect()
  await silent.query(`insert into secret_key_holders (process, name, backend, backend_start, known, used, seen_at)
    select gen_random_uuid(), 'other 1', a.pid, a.backend_start, array[k.id], k.id, now() - interval '1 hour'
    from pg_stat_activity a, secret_keys k where a.pid = pg_backend_pid()`)
  await assert.rejects(
    verb(service, 'secret rotate', [], { wait: '0' }),
    /do not have the key [0-9a-f]{8} yet: .*other 1/,
  )
  await assert.rejects(verb(service, 'secret rotate', [], { wait: '0' }), /do not have the key/)
  await until('the process has the key', () => service.services.keyring.known.length === 2)
  await until('and says so', async () => (await statusOf(service)).every(key => key.missing_in.length < 2))
  const [added, used] = (await statusOf(service)).toSorted((a, b) => (a.state < b.state ? -1 : 1))
  assert.deepEqual([added!.state, added!.sealed_values, added!.missing_in], ['added', 0, ['other 1']])
  assert.deepEqual([used!.state, used!.sealed_values, service.services.keyring.used], ['in use', 1, used!.id])
  assert.equal((await withEndpoint(service)).secret.slice(0, 6), 'whsec_')
  assert.equal((await statusOf(service)).find(key => key.id === used!.id)!.sealed_values, 2)

  await silent.end()
  await until('its session has ended', async () => {
    const rows = await db.query(sql`select from secret_key_holders h join pg_stat_activity a on a.pid = h.backend
      where h.name = 'other 1'`)
    return rows.length === 0
  })
  const done = await verb<{ key: string; resealed: number }>(service, 'secret rotate')
  assert.deepEqual([done.key, done.resealed], [added!.id, 2])
})

test('secret rotate: killed while it seals again, it continues; every value can be opened all the time', async () => {
  const { start, env, database } = await installation()
  const service = await start()
  const { workspace, endpoint } = await withEndpoint(service)
  const { db, keyring } = service.services
  const VALUES = 1_000
  const sealed = Array.from({ length: VALUES }, (_, i) =>
    keyring.seal(Buffer.from(`secret ${i + 2}`), `webhook:${endpoint}:${i + 2}`),
  )
  await db.query(sql`
    insert into webhook_secrets (workspace_id, endpoint_id, version, sealed, expires_at)
    select ${workspace}, ${endpoint}, n + 1, s, app_now() from unnest(${sealed}::bytea[]) with ordinality as v (s, n)`)
  const openAll = async () => {
    const rows = await db.query(sql<{ version: number; sealed: Buffer }>`
      select version, sealed from webhook_secrets where workspace_id = ${workspace} and version > 1 order by version`)
    const texts = rows.map(row => keyring.unseal(row.sealed, `webhook:${endpoint}:${row.version}`).toString())
    assert.deepEqual([texts.length, texts[0], texts.at(-1)], [VALUES, 'secret 2', `secret ${VALUES + 1}`])
  }
  // the command gets as far as this row, and waits there until it is killed
  const holding = new pg.Client({ connectionString: database.url })
  await holding.connect()
  await holding.query('begin')
  await holding.query(`select 1 from webhook_secrets where version = ${VALUES / 2} for update`)
  const { child, ended } = startHiring(['secret', 'rotate'], env)
  let seen = ''
  child.stderr!.on('data', chunk => {
    seen += chunk
    if (/values sealed again/.test(seen)) child.kill('SIGKILL')
  })
  assert.equal((await ended).code, null, seen)
  await holding.end()
  const left = (await statusOf(service)).find(key => key.state === 'replaced')!
  assert.ok(left.sealed_values > 0 && left.sealed_values < VALUES, `${left.sealed_values} are left`)
  await openAll()
  await assert.rejects(verb(service, 'secret retire', [left.id], { now: '' }), /run hiring secret rotate first/)

  const again = await hiring(['secret', 'rotate', '--json'], env)
  assert.equal(again.code, 0, again.stderr)
  const { key, resealed } = JSON.parse(again.stdout) as { key: string; resealed: number }
  assert.deepEqual([key, resealed], [keyring.used, left.sealed_values])
  assert.equal((await statusOf(service)).find(one => one.id === left.id)!.sealed_values, 0)
  await openAll()
})

test('SECRET_KEY: both keys while processes are restarted one after the other; one that lacks a key is refused', async () => {
  const [old, next] = [randomBytes(32), randomBytes(32)]
  const [OLD, BOTH, NEXT] = [
    old.toString('hex'),
    `${next.toString('hex')},${old.toString('hex')}`,
    next.toString('hex'),
  ]
  const { start, env } = await installation()
  const one = await start({ SECRET_KEY: OLD })
  await withEndpoint(one)
  const rotate = (SECRET_KEY: string, wait = '0') =>
    hiring(['secret', 'rotate', '--wait', wait, '--json'], { ...env, SECRET_KEY })
  const alone = await rotate(OLD)
  assert.equal(alone.code, 1)
  assert.match(alone.stderr, /SECRET_KEY has no new key/)

  const two = await start({ SECRET_KEY: BOTH })
  const early = await rotate(BOTH)
  assert.match(early.stderr, /do not have the key [0-9a-f]{8} yet: .*restart them with it in SECRET_KEY/)
  await one.stop()
  const late = await start({ SECRET_KEY: BOTH })
  const done = await rotate(BOTH, '60')
  assert.equal(done.code, 0, done.stderr)
  assert.deepEqual((JSON.parse(done.stdout) as { resealed: number }).resealed, 1)
  const known = await late.services.db.one(sql<{ secret_check: Buffer }>`select secret_check from installation`)
  assert.deepEqual(known!.secret_check, secretCheck(next), 'what a version that knows one key compares with')
  await assert.rejects(start({ SECRET_KEY: OLD }), /the secret key is not the one this store was made with/)
  await assert.rejects(start({ SECRET_KEY: NEXT }), new RegExp(`the secret key ${deriveKeyId(old)} is missing`))

  const retire = ['secret', 'retire', deriveKeyId(old), '--now']
  const retired = await hiring(retire, { ...env, SECRET_KEY: BOTH })
  assert.match(retired.stdout, /is retired; remove it from SECRET_KEY/, retired.stderr)
  const last = await start({ SECRET_KEY: NEXT })
  assert.deepEqual(
    [last, late, two].map(({ services }) => services.keyring.used),
    Array(3).fill(deriveKeyId(next)),
  )
  await assert.rejects(start({ SECRET_KEY: OLD }), /the secret key is not the one this store was made with/)
})

/** Sealed values that are in a browser for minutes. */
const NOT_STORED = ['careers/apply/token.ts', 'sign-in/company/flow.ts']

test('sealed values: every column that holds some is declared, and every file that seals is known', async () => {
  const { start } = await installation()
  const { services } = await start()
  const columns = await services.db.query(sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and data_type = 'bytea' and column_name like '%sealed' order by 1`)
  const declared = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`)
  assert.deepEqual(
    columns.map(({ name }) => name).filter(name => !declared.includes(name)),
    [],
    'a sealed column is missing in SEALED_COLUMNS of app.ts: its values would be lost with the next secret key',
  )
  // a value in a column of another name: where it is sealed, its column must be declared, too
  const root = join(import.meta.dirname, '../../src')
  const sealing = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .filter(file => /\.seal\(/.test(readFileSync(join(root, file), 'utf8')))
  const lacking = sealing
    .filter(file => !file.startsWith('kernel/') && !NOT_STORED.includes(file))
    .filter(file => !/SealedColumn\b/.test(readFileSync(join(root, file), 'utf8')))
  assert.deepEqual(lacking, [], 'a file that seals declares its column, as SealedColumn, and app.ts lists it')
  // the declared primary keys are those of the database
  for (const { table, identifiedBy } of SEALED_COLUMNS) {
    const keys = await services.db.query(sql<{ name: string }>`
      select a.attname as name from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
      where i.indisprimary and i.indrelid = ${table}::regclass`)
    assert.deepEqual(keys.map(({ name }) => name).toSorted(), [...identifiedBy].toSorted(), table)
  }
})
