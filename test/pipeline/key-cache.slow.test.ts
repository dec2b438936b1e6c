import assert from 'node:assert/strict'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { knownSecrets } from '../../src/kernel/access/authenticate.ts'
import { openWorkspaces } from '../../src/kernel/access/workspace.ts'
import { Database, DatastoreUnavailable } from '../../src/kernel/db/database.ts'
import { LEASE_MS } from '../../src/kernel/db/key-caches.ts'
import { raw, sql } from '../../src/kernel/db/sql.ts'
import { createLog } from '../../src/kernel/telemetry/log.ts'
import { pause } from '../../src/kernel/time/pause.ts'
import { scheduleDeletion } from '../../src/resources/deletions/index.ts'
import { type IssuedKey, revokeKey, rotateKey } from '../../src/resources/keys/index.ts'
import { changeRole, createUser, removeUser } from '../../src/resources/users/index.ts'
import { changeLimits } from '../../src/resources/workspaces/index.ts'
import { startProcess, temporaryFolder } from '../harness/process.ts'
import { startTestService } from '../harness/service.ts'
import { recordStatements } from '../harness/statements.ts'

const SECRET_KEY = '7'.repeat(64)
const service = await startTestService({ LIMITER: 'postgres', ROLES: 'api', REQUEST_LOG: 'off', SECRET_KEY })
await service.services.usage.stop() // its statements belong to no request
const { db } = service.services
const { id: workspace, userEmail } = await service.workspace()
const newKey = () => service.key({ workspace, userEmail })

/** Another API process on the same store, over a network that can be cut. */
const network = await cuttable(service.database.url)
const other = await startProcess({
  DATABASE_URL: network.url,
  DATA_DIR: temporaryFolder(),
  SECRET_KEY,
  LIMITER: 'postgres',
  ROLES: 'api',
  // a busy machine must not look like a database that is gone; the last test waits that long for one that is
  DATABASE_WAIT_SECONDS: '10',
})
after(() => void other.child.kill('SIGCONT'))

/** Further connections to the store, as of another process that changes keys. */
function another(connections = 4, name = 'hiring'): Database {
  const url = new URL(service.database.url)
  url.searchParams.set('application_name', name)
  const opened = new Database({ connectionString: url.href }, { connections, log: createLog('silent'), waitMs: 30_000 })
  after(() => opened.close())
  return opened
}

async function callOther(key: IssuedKey, path = '/me') {
  const response = await fetch(other.baseUrl + path, { headers: { authorization: `Bearer ${key.secret}` } })
  await response.body?.cancel()
  return response
}
const useAtOther = async (key: IssuedKey, path?: string) => (await callOther(key, path)).status
/** The statuses of both processes. The first request of a key also caches it. */
const use = async (key: IssuedKey, path = '/me') => [(await service.get(path, key)).status, await useAtOther(key, path)]

async function waitFor(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await pause(20)
}

/** Until the other process has a lease, so that what it is asked next is cached there. */
const waitForLease = (live = 2) =>
  waitFor(async () => {
    const row = await db.one(sql<{ live: number }>`
      select count(*)::int as live from key_caches where renewed_at > clock_timestamp() - interval '1 second'`)
    return row!.live >= live
  })

test('key cache: 200: a known key is not looked for', async () => {
  const statements = recordStatements(db)
  const key = await newKey()
  await waitFor(async () => {
    const caused = await statements.during(async () => assert.equal((await service.get('/jobs', key)).status, 200))
    return !caused.some(text => text.includes('api_key_secrets'))
  })
})

test('key cache: a call that finds the change already made waits for the caches as well', async () => {
  const changes = async () =>
    (await db.one(sql<{ count: number }>`select count(*)::int as count from key_changes`))!.count
  const member = await createUser(db, { workspace, email: 'again@acme.example', role: 'member' })
  const key = await service.key({ workspace, userEmail: 'again@acme.example' })
  const repeated = {
    role: () => changeRole(db, { workspace, user: member.id }, 'member'),
    revocation: () => revokeKey(db, key.id),
  }
  for (const [name, call] of Object.entries(repeated)) {
    await call()
    const before = await changes()
    await call()
    assert.equal(await changes(), before + 1, name)
  }
})

test('key cache: every column that is cached has a trigger that tells the caches of its changes', async () => {
  for (const [name, statement] of Object.entries({ keys: knownSecrets([]), workspaces: openWorkspaces([]) })) {
    await db.query(sql`create view ${raw(`cached_${name}`)} as ${raw(statement.text.replaceAll('$1', "'{}'"))}`)
  }
  const missing = await db.query(sql`
    select distinct u.table_name, u.column_name from information_schema.view_column_usage u
    where u.view_name in ('cached_keys', 'cached_workspaces') and not exists (
      select from pg_trigger t
      join pg_attribute a on a.attrelid = t.tgrelid and a.attname = u.column_name
      where t.tgrelid = u.table_name::regclass and t.tgfoid = 'note_key_change'::regproc and t.tgenabled = 'O'
        and t.tgtype & 16 > 0 and t.tgqual is null
        and (t.tgattr::text = '' or a.attnum = any(string_to_array(t.tgattr::text, ' ')::int[]))
        -- and one for rows that are deleted
        and exists (select from pg_trigger d
          where d.tgrelid = t.tgrelid and d.tgfoid = t.tgfoid and d.tgtype & 8 > 0 and d.tgenabled = 'O')
    )`)
  assert.deepEqual(missing, [])
  await db.query(sql`drop view cached_keys, cached_workspaces`)
})

test('key cache: in both processes by the next request after each change that takes something away', async () => {
  await waitForLease()
  const allows = async (key: IssuedKey) => [
    (await service.get('/me', key)).headers.get('x-ratelimit-limit'),
    (await callOther(key)).headers.get('x-ratelimit-limit'),
  ]
  const revoked = await newKey()
  assert.deepEqual(await use(revoked), [200, 200])
  await revokeKey(db, revoked.id)
  assert.deepEqual(await use(revoked), [401, 401])

  const rotated = await newKey()
  assert.deepEqual(await use(rotated), [200, 200])
  await rotateKey(db, rotated.id, 0)
  assert.deepEqual(await use(rotated), [401, 401])

  const own = await service.workspace()
  const key = await service.key({ workspace: own.id, userEmail: own.userEmail })
  const toAll = await service.key({ workspace, userEmail, reach: 'all' })
  const toBoth = await service.key({ workspace, userEmail, reach: [workspace, own.id] })
  const path = `/jobs?workspace_id=${own.id}`
  assert.deepEqual(await use(key), [200, 200])
  const before = await allows(key)
  await changeLimits(db, own.id, { set: { general_per_minute: '50' }, reset: [] })
  assert.deepEqual(await allows(key), ['50', '50'])
  assert.notDeepEqual(before, ['50', '50'])
  await db.query(sql`update api_keys set ip_allowlist = '{192.0.2.1}' where id = ${key.id}`)
  assert.deepEqual(await use(key), [401, 401])
  await db.query(sql`update api_keys set ip_allowlist = '{}' where id = ${key.id}`)
  assert.deepEqual(await use(key, '/applications'), [200, 200])
  const second = await createUser(db, { workspace: own.id, email: 'second@acme.example', role: 'admin' })
  const theirs = await service.key({ workspace: own.id, userEmail: 'second@acme.example' })
  assert.deepEqual(await use(theirs, '/webhooks/endpoints'), [200, 200])
  await changeRole(db, { workspace: own.id, user: second.id }, 'viewer')
  assert.deepEqual(await use(theirs, '/webhooks/endpoints'), [403, 403])
  await removeUser(db, { workspace: own.id, user: second.id })
  assert.deepEqual(await use(theirs), [401, 401])
  assert.deepEqual(
    [await use(toAll, path), await use(toBoth, path)],
    [
      [200, 200],
      [200, 200],
    ],
  )
  await scheduleDeletion(db, own.id, { userId: null, graceDays: 7 })
  assert.deepEqual(
    [await use(key), await use(toAll, path), await use(toBoth, path)],
    [
      [401, 401],
      [404, 404],
      [404, 404],
    ],
  )

  const { id } = await service.workspace() // without a key
  assert.deepEqual(await use(toAll, `/jobs?workspace_id=${id}`), [200, 200])
  await db.query(sql`delete from workspaces where id = ${id}`)
  assert.deepEqual(await use(toAll, `/jobs?workspace_id=${id}`), [404, 404])
})

test('key cache: 401 by the next request after a connection that does not know of caches deleted the secret', async () => {
  await waitForLease()
  const [single, inTransaction] = [await newKey(), await newKey()]
  assert.deepEqual(
    [await use(single), await use(inTransaction)],
    [
      [200, 200],
      [200, 200],
    ],
  )
  const session = await db.session() // as of an older version
  await session.query(sql`delete from api_key_secrets where key_id = ${single.id}`)
  assert.deepEqual(await use(single), [401, 401])
  assert.deepEqual(await use(inTransaction), [200, 200])
  await session.script(
    `begin isolation level repeatable read; delete from api_key_secrets where key_id = '${inTransaction.id}'; commit`,
  )
  assert.deepEqual(await use(inTransaction), [401, 401])
  await session.close()
})

test('key cache: statements in one pipeline each wait for the caches', async () => {
  await waitForLease()
  const keys = await Promise.all([newKey(), newKey(), newKey()])
  for (const key of keys) assert.deepEqual(await use(key), [200, 200])
  await Promise.all(
    keys.map(async key => {
      await db.query(sql`delete from api_key_secrets where key_id = ${key.id}`)
      assert.deepEqual(await use(key), [401, 401])
    }),
  )
})

test('key cache: 401 while sessions of the lease are ended again and again', async () => {
  const stop = new AbortController()
  const ending = (async () => {
    while (!stop.signal.aborted) {
      // in two parts, so that connections that ran this statement are not among them
      await db.query(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query like '%update key' || '_caches set%'`)
      await pause(30)
    }
  })()
  ending.catch(() => {}) // awaited below
  for (let i = 0; i < 2; i++) {
    const key = await newKey()
    assert.equal(await useAtOther(key), 200)
    await revokeKey(db, key.id)
    assert.equal(await useAtOther(key), 401)
  }
  stop.abort()
  await ending
})

test('key cache: 401 from a process that was stopped while the key was revoked, also after a crash emptied the leases', async () => {
  await waitForLease()
  const key = await newKey()
  assert.equal(await useAtOther(key), 200)
  other.child.kill('SIGSTOP')
  await db.query(sql`truncate key_caches, key_changes`)
  await revokeKey(db, key.id) // returns when the lease of the stopped process has run out
  const late = useAtOther(key)
  await pause(50) // the request waits in the stopped process
  other.child.kill('SIGCONT')
  assert.equal(await late, 401)
})

test('key cache: 401 by the next request where the server sends no notices, and after its clock was set back', async () => {
  const ofFuture = () => db.query(sql`select from key_caches where renewed_at > clock_timestamp()`)
  const addDead = () =>
    // the process ended before the clock was set back
    db.query(sql`
      insert into key_caches (id, renewed_at, applied)
      values (gen_random_uuid(), clock_timestamp() + interval '1 hour', pg_current_snapshot())`)
  await waitForLease()
  const [waited, unnoticed] = [await newKey(), await newKey()]
  assert.deepEqual(
    [await use(waited), await use(unnoticed)],
    [
      [200, 200],
      [200, 200],
    ],
  )
  const session = await db.session()
  await session.script(`do $$ begin
    execute format('alter database %I set client_min_messages = error', current_database());
  end $$`)
  const quiet = another() // its connections ask for notices all the same
  await addDead()
  await revokeKey(quiet, waited.id)
  assert.deepEqual(await use(waited), [401, 401])
  assert.deepEqual(await ofFuture(), [], 'no further change waits for it')

  // a pooler in between may change the setting; then the trigger waits itself
  await waitForLease()
  assert.deepEqual(await use(unnoticed), [200, 200])
  await addDead()
  await session.script('set client_min_messages = warning; set hiring.waits_for_key_caches = on')
  await session.query(sql`delete from api_key_secrets where key_id = ${unnoticed.id}`)
  assert.deepEqual(await use(unnoticed), [401, 401])
  await db.query(sql`delete from key_caches where renewed_at > clock_timestamp()`)
  await session.script(`do $$ begin
    execute format('alter database %I reset client_min_messages', current_database());
  end $$`)
  await session.close()
})

test('key cache: a change returns while every other connection of its process is busy, as many as there are or more', async () => {
  await waitForLease()
  const keys = await Promise.all([newKey(), newKey(), newKey(), newKey()])
  for (const key of keys) assert.deepEqual(await use(key), [200, 200])
  const small = another(2)
  const LOCK = 424_242
  const session = await db.session()
  await session.query(sql`select pg_advisory_lock(${LOCK})`)
  // statements of one tick, more than one connection takes
  const blocked = Promise.all(Array.from({ length: 16 }, () => small.query(sql`select pg_advisory_xact_lock(${LOCK})`)))
  await Promise.all(
    keys.map(key => small.transaction(tx => tx.query(sql`delete from api_key_secrets where key_id = ${key.id}`))),
  )
  for (const key of keys) assert.deepEqual(await use(key), [401, 401])
  await session.close()
  await blocked
})

test('key cache: a wait that fails is an error although the change is made; the retry waits until no process uses the key', async () => {
  await waitForLease()
  const key = await newKey()
  assert.deepEqual(await use(key), [200, 200])
  const writer = another(2, 'writer')
  const session = await db.session()
  other.child.kill('SIGSTOP')
  await session.script('begin; lock table key_caches in access exclusive mode')
  const failed = assert.rejects(revokeKey(writer, key.id), DatastoreUnavailable)
  const endWait = sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'writer' and wait_event_type = 'Lock' and query like '%key_caches%'`
  await waitFor(async () => (await db.query(endWait)).length > 0)
  await failed
  await session.script('rollback')
  await session.close()
  const made = await db.one(sql<{ revoked: boolean }>`
    select revoked_at is not null as revoked from api_keys where id = ${key.id}`)
  assert.equal(made!.revoked, true)
  await revokeKey(writer, key.id)
  const late = useAtOther(key)
  await pause(50) // the request waits in the stopped process
  other.child.kill('SIGCONT')
  assert.deepEqual([(await service.get('/me', key)).status, await late], [401, 401])
})

test('key cache: 429 datastore_unavailable, not 200, from a process that the database cannot reach', async () => {
  await waitForLease()
  const key = await newKey()
  assert.equal(await useAtOther(key), 200)
  network.hang()
  await revokeKey(db, key.id)
  const late = useAtOther(key)
  await pause(50) // the request waits for a response of the database
  network.cut()
  assert.equal(await late, 429)
  // its lease has run out: no change waits for it any more
  const row = await db.one(sql<{ live: number }>`
    select count(*)::int as live from key_caches
    where renewed_at > clock_timestamp() - ${LEASE_MS}::int * interval '1 millisecond'`)
  assert.equal(row!.live, 1)
})

/** A network to the database that can stop to carry anything. */
async function cuttable(databaseUrl: string) {
  const target = new URL(databaseUrl)
  const folder = target.searchParams.get('host') // of a socket; a cluster has none
  const open = () =>
    folder ? connect(`${folder}/.s.PGSQL.${target.port}`) : connect(Number(target.port), target.hostname)
  const sockets = new Set<Socket>()
  let isHanging = false
  const server = createServer(incoming => {
    sockets.add(incoming)
    incoming.on('error', () => {})
    if (isHanging) return
    const outgoing = open()
    sockets.add(outgoing)
    outgoing.on('error', () => {})
    incoming.pipe(outgoing).pipe(incoming)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  after(() => {
    cut()
    server.close()
  })
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.search = ''
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    hang() {
      isHanging = true
      for (const socket of sockets) socket.unpipe().pause()
    },
    cut,
  }
}
