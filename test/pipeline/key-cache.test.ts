import assert from 'node:assert/strict'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { LEASE_MS } from '../../src/kernel/db/key-caches.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { pause } from '../../src/kernel/time/pause.ts'
import { type IssuedKey, revokeKey, rotateKey } from '../../src/resources/keys/index.ts'
import { startProcess, temporaryFolder } from '../harness/process.ts'
import { startTestService } from '../harness/service.ts'
import { recordStatements } from '../harness/statements.ts'

const SECRET_KEY = '7'.repeat(64)
const service = await startTestService({ LIMITER: 'postgres', ROLES: 'api', REQUEST_LOG: 'off', SECRET_KEY })
await service.services.usage.stop() // its statements belong to no request
const { db } = service.services
const { id: workspace, userEmail } = await service.workspace()
const newKey = () => service.key({ workspace, userEmail })

/** Another API process on the same store, at which a key was used, so that it is cached there. */
async function otherProcess(databaseUrl = service.database.url) {
  const started = await startProcess({
    DATABASE_URL: databaseUrl,
    DATA_DIR: temporaryFolder(),
    SECRET_KEY,
    LIMITER: 'postgres',
    ROLES: 'api',
    DATABASE_WAIT_SECONDS: '1',
  })
  const use = async (key: IssuedKey) => {
    const response = await fetch(`${started.baseUrl}/me`, { headers: { authorization: `Bearer ${key.secret}` } })
    await response.body?.cancel()
    return response.status
  }
  after(async () => {
    started.child.kill('SIGCONT')
    started.child.kill('SIGKILL')
    await started.ended.catch(() => {})
  })
  return { ...started, use }
}

async function waitFor(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await pause(20)
}

test('key cache: 200: a known key is not looked for', async () => {
  const statements = recordStatements(db)
  const key = await newKey()
  await waitFor(async () => {
    const caused = await statements.during(async () => assert.equal((await service.get('/jobs', key)).status, 200))
    return !caused.some(text => text.includes('api_key_secrets'))
  })
})

test('key cache: 401 in every process by the next request after a revocation or a rotation without overlap', async () => {
  const other = await otherProcess()
  for (let i = 0; i < 10; i++) {
    const key = await newKey()
    assert.deepEqual([(await service.get('/me', key)).status, await other.use(key)], [200, 200])
    if (i % 2 === 0) await revokeKey(db, key.id)
    else await rotateKey(db, key.id, 0)
    assert.deepEqual([(await service.get('/me', key)).status, await other.use(key)], [401, 401])
  }
})

test('key cache: 401 while sessions of the lease are ended again and again', async () => {
  const other = await otherProcess()
  const stop = new AbortController()
  const ending = (async () => {
    while (!stop.signal.aborted) {
      await db.query(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and query ilike '%key_caches%'`)
      await pause(30)
    }
  })()
  for (let i = 0; i < 5; i++) {
    const key = await newKey()
    assert.equal(await other.use(key), 200)
    await revokeKey(db, key.id)
    assert.equal(await other.use(key), 401)
  }
  stop.abort()
  await ending
})

test('key cache: 401 from a process that was stopped while the key was revoked', async () => {
  const other = await otherProcess()
  const key = await newKey()
  const cached = async () => assert.equal(await other.use(key), 200)
  for (let i = 0; i < 20; i++) await cached()
  other.child.kill('SIGSTOP')
  await revokeKey(db, key.id) // returns when the lease of the stopped process has run out
  const late = other.use(key)
  await pause(50) // the request waits in the stopped process
  other.child.kill('SIGCONT')
  assert.equal(await late, 401)
})

test('key cache: 429 datastore_unavailable, not 200, from a process that the database cannot reach', async () => {
  const network = await cuttable(service.database.url)
  const other = await otherProcess(network.url)
  const key = await newKey()
  for (let i = 0; i < 20; i++) assert.equal(await other.use(key), 200)
  network.hang()
  await revokeKey(db, key.id)
  const late = other.use(key)
  await pause(50) // the request waits for a response of the database
  network.cut()
  assert.equal(await late, 429)
})

test('key cache: a process that has ended is waited for at most as long as its lease', async () => {
  const other = await otherProcess()
  const key = await newKey()
  assert.equal(await other.use(key), 200)
  other.child.kill('SIGKILL')
  await revokeKey(db, key.id)
  const row = await db.one(sql<{ live: number }>`
    select count(*)::int as live from key_caches
    where renewed_at > clock_timestamp() - ${LEASE_MS}::int * interval '1 millisecond'`)
  assert.equal(row!.live, 1)
})

test('key cache: 404 by the next request: a deleted workspace, for a key of all workspaces', async () => {
  const key = await service.key({ workspace, userEmail, reach: 'all' })
  const { id } = await service.workspace()
  const read = async () => (await service.get(`/jobs?workspace_id=${id}`, key)).status
  for (let i = 0; i < 5; i++) assert.equal(await read(), 200)
  await db.query(sql`delete from workspaces where id = ${id}`)
  assert.equal(await read(), 404)
})

/** A network to the database that can stop to carry anything. */
async function cuttable(databaseUrl: string) {
  const target = new URL(databaseUrl)
  const socket = `${target.searchParams.get('host')}/.s.PGSQL.${target.port}`
  const sockets = new Set<Socket>()
  let isHanging = false
  const server = createServer(incoming => {
    sockets.add(incoming)
    incoming.on('error', () => {})
    if (isHanging) return
    const outgoing = connect(socket)
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
