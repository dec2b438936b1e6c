import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { Database } from '../../src/kernel/db/database.ts'
import { Replica } from '../../src/kernel/db/replica.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { createLog } from '../../src/kernel/telemetry/log.ts'
import { createKey, revokeKey } from '../../src/resources/keys/index.ts'
import { freePort } from '../harness/free-port.ts'
import { hasHaproxy, startHaproxy } from '../harness/haproxy.ts'
import { until } from '../harness/receiver.ts'
import { type Server, startPair } from '../harness/standby.ts'
import { readiness, startInstallation } from './cluster.ts'
import { assertNothingLost, Load } from './load.ts'

/** What a service may take after the promotion. */
const RESUMED_MS = 5_000
const REFUSALS = [
  '429 datastore_unavailable',
  // the suppression list is in the same database, and its check has a code of its own
  '429 suppression_check_unavailable',
]

const { primary, standby } = await startPair({ synchronous: true })
const hosts = `${primary.host},${standby.host}`
const url = `${primary.url.replace(primary.host, hosts)}?target_session_attrs=read-write`
const cluster = await startInstallation({ url })
const { db, workspace } = cluster

/** One process finds the primary among several hosts, the other is connected to it by HAProxy, where that is installed. */
const nodes = [
  await cluster.start('api'),
  await cluster.start('api', hasHaproxy() ? { DATABASE_URL: await proxiedUrl([primary, standby]) } : {}),
]
const worker = await cluster.start('worker')
const load = new Load(cluster, () => nodes)

/** HAProxy asks an agent next to each server whether it is the primary, as Patroni provides one. */
async function proxiedUrl(servers: readonly Server[]): Promise<string> {
  const port = await freePort()
  const lines = await Promise.all(
    servers.map(async (server, i) => {
      const isPrimary = () =>
        server.query<{ is: boolean }>('select not pg_is_in_recovery() as is').then(
          ([row]) => row!.is,
          () => false,
        )
      const agent = createServer(async (_, response) => response.writeHead((await isPrimary()) ? 200 : 503).end())
      await new Promise<void>(resolve => agent.listen(0, '127.0.0.1', resolve))
      after(() => agent.close())
      return `server s${i} ${server.host} check port ${(agent.address() as AddressInfo).port}`
    }),
  )
  await startHaproxy(
    `
defaults
  mode tcp
  timeout connect 2s
  timeout check 10s
  timeout client 30m
  timeout server 30m
listen postgres
  bind 127.0.0.1:${port}
  option httpchk GET /primary
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
  ${lines.join('\n  ')}`,
    port,
  )
  return primary.url.replace(primary.host, `127.0.0.1:${port}`)
}

const exported = async (id: string) => {
  await until('the export is ready', async () => {
    const row = await db.one(sql<{ status: string }>`
      select status from exports where workspace_id = ${workspace} and id = ${id}`)
    assert.notEqual(row!.status, 'failed')
    return row!.status === 'ready'
  })
  const { as_of_sequence, files } = await load.call('GET', `/exports/${id}`)
  const file = Buffer.from(await (await fetch(files[0].url)).arrayBuffer())
  const ids = gunzipSync(file)
    .toString()
    .trim()
    .split('\n')
    .map(line => JSON.parse(line).id as string)
  const published = await db.query(sql<{ id: string }>`
    select distinct body::jsonb #>> '{data,object,id}' as id from events
    where workspace_id = ${workspace} and type = 'job.published' and sequence <= ${as_of_sequence}::bigint`)
  assert.deepEqual(ids.toSorted(), published.map(row => row.id).toSorted(), 'the rows are those of its position')
}

test('primary killed with SIGKILL under load, standby promoted: 429 until then, service within 5 s, nothing lost', async t => {
  await load.start()
  const key = await createKey(db, { workspace, userEmail: 'owner@test.example', scopes: ['jobs:read'] })
  const statuses = () =>
    Promise.all(
      nodes.map(async node => {
        const response = await fetch(`${node.base}/jobs`, { headers: { authorization: `Bearer ${key.secret}` } })
        await response.body?.cancel()
        return response.status
      }),
    )
  const all = (status: number) =>
    until(`both respond ${status}`, async () => (await statuses()).every(one => one === status))
  await all(200)

  // an export that waits for its snapshot when the primary dies: this transaction holds a lock that it needs
  const copied = await load.call('POST', '/exports', { resources: ['jobs'] })
  const began = performance.now()
  const held = db.transaction(async tx => {
    await tx.query(sql`select from event_logs where workspace_id = ${workspace} for update`)
    await until('the export runs', async () => {
      const row = await db.one(sql<{ status: string }>`
        select status from exports where workspace_id = ${workspace} and id = ${copied.id}`)
      return row!.status !== 'pending'
    })
    primary.signal('SIGKILL')
    await tx.query(sql`select 1`)
  })
  await assert.rejects(held)

  await until('calls are refused', () => load.refusals(began).includes('429 datastore_unavailable'))
  for (const node of [...nodes, worker]) {
    await until('not ready', async () => {
      const { status, failing } = await readiness(node)
      return status === 503 && failing.includes('database')
    })
  }
  const before = load.acknowledged.length
  await standby.query('select pg_promote(true, 60)')
  const promoted = performance.now()
  await until('a change is acknowledged', () => load.acknowledged.length > before)
  const resumed = performance.now() - promoted
  const published = load.acknowledged.at(-1)!.split(' ')[1]!
  await until('its event is in the feed', async () =>
    Boolean(
      await db.one(sql`
        select from events where workspace_id = ${workspace} and body::jsonb #>> '{data,object,id}' = ${published}`),
    ),
  )
  const fed = performance.now() - promoted
  assert.ok(resumed < RESUMED_MS && fed < RESUMED_MS, `${resumed} ms to a change, ${fed} ms to its event`)
  t.diagnostic(`${Math.round(resumed)} ms from the promotion to a change, ${Math.round(fed)} ms to its event`)
  for (const node of [...nodes, worker]) {
    await until('ready', async () => (await readiness(node)).status === 200)
  }
  assert.deepEqual(
    load.refusals(began).filter(refusal => !REFUSALS.includes(refusal)),
    [],
  )

  // the table of leases of key caches is empty on the new primary: a change still waits for every cache
  await all(200)
  await revokeKey(db, key.id)
  assert.ok(!(await statuses()).includes(200))
  await all(401)

  await load.progress()
  await exported(copied.id)
  await exported((await load.call('POST', '/exports', { resources: ['jobs'] })).id)
  await load.stop()
  await assertNothingLost(cluster, load)
})

test('an old primary that comes back is not used, although it accepts writes and is named first', async () => {
  await primary.start()
  const [row] = await primary.query<{ writes: boolean }>('select not pg_is_in_recovery() as writes')
  assert.ok(row!.writes)
  const port = () => db.one(sql<{ port: number }>`select inet_server_port() as port`)
  for (let i = 0; i < 3; i++) {
    await standby.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'hiring'`)
    await until('connected again', async () => {
      const found = await port().catch(() => undefined)
      if (found) assert.equal(`127.0.0.1:${found.port}`, standby.host)
      return found !== undefined
    })
  }
})

test('an old primary that comes back as a standby and has more than the new one is not read from', async () => {
  const at = async (server: Server, text: string) =>
    (await server.query<{ at: string }>(`select (${text} - '0/0')::text as at`))[0]!.at
  const promotedAt = BigInt(await at(standby, 'pg_current_wal_flush_lsn()'))
  // not transactions: those wait for a standby that it does not have any more
  const ahead = async () => {
    await primary.query(`select pg_logical_emit_message(false, 'test', 'more')`)
    return BigInt(await at(primary, 'pg_switch_wal()')) > promotedAt + 100_000_000n
  }
  await until('it is ahead', ahead)
  await primary.restartAsStandbyOf(standby)
  assert.ok(BigInt(await at(primary, 'pg_last_wal_replay_lsn()')) > promotedAt)
  const log = createLog('silent')
  const old = new Database({ connectionString: primary.url }, { connections: 4, role: 'any', log })
  const replica = new Replica(db, old, log)
  await replica.start()
  try {
    await assert.rejects(replica.check(), /^Error: a standby that does not follow the primary$/)
    await assert.rejects(replica.session(), /does not follow/)
  } finally {
    await replica.close()
  }
})
