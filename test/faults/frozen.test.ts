import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Database } from '../../src/kernel/db/database.ts'
import { Replica } from '../../src/kernel/db/replica.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { createLog } from '../../src/kernel/telemetry/log.ts'
import { until } from '../harness/receiver.ts'
import { startPair } from '../harness/standby.ts'

/** Instead of 17 seconds; in the address, which the driver prefers. */
const LIMIT_MS = 3_000
const CONNECTIONS = 5

const { primary, standby } = await startPair({ synchronous: false })
const log = createLog('silent')

test('replica that is frozen: the wait for it ends, its session can be closed, each statement has a time limit', async () => {
  const open = (url: string, role: 'any' | 'primary' = 'primary') =>
    new Database({ connectionString: url }, { connections: 4, role, log })
  const db = open(primary.url)
  const replica = new Replica(db, open(standby.url, 'any'), log)
  await replica.start()
  await until('it is used', () => replica.check().then(Boolean, () => false))
  const session = await replica.session()
  const limit = await session.one(sql<{ statement_timeout: string }>`show statement_timeout`)
  assert.equal(limit!.statement_timeout, '2min')
  const idle = await replica.session()
  standby.signal('SIGSTOP')
  try {
    await assert.rejects(replica.caughtUp(session), /does not respond/)
    await Promise.all([session.close(), idle.close()])
  } finally {
    standby.signal('SIGCONT')
    await replica.close()
    await db.close()
  }
})

test('primary that is frozen, standby promoted: one statement times out, then all connections lead to the new primary', async () => {
  const hosts = primary.url.replace(primary.host, `${primary.host},${standby.host}`)
  const db = new Database(
    { connectionString: `${hosts}?target_session_attrs=read-write&query_timeout=${LIMIT_MS}` },
    { connections: 2 * CONNECTIONS, waitMs: 20_000, log },
  )
  // as many connections as there may be, all idle afterwards
  let begun = 0
  const all = Promise.withResolvers<void>()
  const warm = () =>
    db.transaction(async tx => {
      await tx.query(sql`select 1`)
      if (++begun === CONNECTIONS) all.resolve()
      await all.promise
    })
  await Promise.all(Array.from({ length: CONNECTIONS }, warm))
  assert.equal(db.connections().idle, CONNECTIONS)
  const server = sql<{ port: number }>`select inet_server_port() as port`
  const shared = await db.one(server)
  assert.equal(`127.0.0.1:${shared!.port}`, primary.host)

  primary.signal('SIGSTOP')
  try {
    await standby.query('select pg_promote(true, 60)')
    await assert.rejects(
      db.transaction(tx => tx.one(server)),
      /Query read timeout|Connection terminated/,
    )
    for (let i = 0; i < 2 * CONNECTIONS; i++) {
      const row = i % 2 ? await db.one(server) : await db.transaction(tx => tx.one(server))
      assert.equal(`127.0.0.1:${row!.port}`, standby.host)
    }
  } finally {
    primary.signal('SIGCONT')
    await db.close()
  }
})
