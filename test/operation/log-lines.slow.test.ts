import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LOCKS } from '../../src/kernel/db/locks.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { cloneDatabase } from '../harness/postgres.ts'
import { startProcess, temporaryFolder } from '../harness/process.ts'
import { startTestService } from '../harness/service.ts'

interface Line {
  msg: string
  part?: string
  reason?: string
  process?: string
  pid?: number
}

test('readiness: the log has a line when a part or the whole changes, and none for further probes', async () => {
  const service = await startTestService({ ROLES: 'api', LOG_LEVEL: 'silent' })
  const { db } = service.services
  let seen = 0
  /** What three probes log, each past the time for which results are cached. */
  const probed = async () => {
    for (let i = 0; i < 3; i++) {
      clock.advance(61_000)
      await service.call('GET', `${service.origin}/readyz`)
    }
    const lines = service.logLines.slice(seen).map(line => JSON.parse(line) as Line & { err?: unknown })
    seen = service.logLines.length
    return lines
      .filter(({ msg }) => /ready|a part/.test(msg))
      .map(({ msg, part, reason }) => [msg, part, reason].filter(Boolean).join(': '))
  }
  assert.deepEqual(await probed(), ['a part fails: workers: no worker process publishes events', 'ready'])
  const leader = await db.session()
  await leader.query(sql`select pg_advisory_lock(${LOCKS.eventSequencer})`)
  assert.deepEqual(await probed(), ['a part works again: workers'])
  await db.query(sql`update schema_migrations set hash = hash || 'x' where version = 1`)
  assert.deepEqual(await probed(), ['a part fails: migrations: the schema is not up to date', 'not ready'])
  await db.query(sql`update schema_migrations set hash = left(hash, -1) where version = 1`)
  assert.deepEqual(await probed(), ['a part works again: migrations', 'ready'])
  assert.deepEqual(await probed(), [])
  await leader.close()
  clock.reset()
})

test('start in several processes: every line of the log names its process', async () => {
  const database = await cloneDatabase()
  const group = await startProcess({
    DATABASE_URL: database.url,
    DATA_DIR: temporaryFolder(),
    DEMO: 'off',
    PROCESSES: '2',
    LOG_LEVEL: 'info',
    PROCESS_NAME: 'node-7',
    SECRET_KEI: 'x',
  })
  const origin = new URL(group.baseUrl).origin
  for (let i = 0; i < 4; i++) await fetch(`${origin}/readyz`, { headers: { connection: 'close' } })
  process.kill(group.processes!['worker-1']!, 'SIGKILL')
  await fetch(`${origin}/readyz`)
  group.child.kill('SIGTERM')
  const { stderr } = await group.ended
  const lines = stderr
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map(line => JSON.parse(line) as Line)
  assert.deepEqual(
    lines.filter(line => typeof line.process !== 'string' || typeof line.pid !== 'number'),
    [],
  )
  const pids = new Map(lines.map(line => [line.process, line.pid]))
  assert.equal(pids.get('node-7'), group.pid)
  assert.equal(pids.get('node-7/api-1'), group.processes!['api-1'])
  assert.equal(pids.get('node-7/api-2'), group.processes!['api-2'])
  await database.drop()
})
