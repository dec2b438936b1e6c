import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { API_PREFIX } from '../../src/contract/version.ts'
import { cloneDatabase, type TestDatabase } from '../harness/postgres.ts'
import { FOR_SPEED } from '../harness/process.ts'
import { startTestService } from '../harness/service.ts'
import { body, newTenant, readEvents } from './setup.ts'

/** A second and a third process on the store of the first. Returns the addresses of their APIs. */
async function startProcesses(database: TestDatabase, count: number) {
  const folders = Array.from({ length: count }, () => mkdtempSync(join(tmpdir(), 'hiring-data-')))
  const children = folders.map(DATA_DIR => {
    const settings = { PORT: '0', DATA_DIR, DATABASE_URL: database.url }
    const env = { ...FOR_SPEED, SETTINGS: JSON.stringify({ ...settings, ...SHARED, LOG_LEVEL: 'error' }) }
    return fork(join(import.meta.dirname, 'service-process.ts'), { env })
  })
  const bases = await Promise.all(
    children.map(async child => {
      const [message] = (await once(child, 'message')) as [{ port: number }]
      return `http://127.0.0.1:${message.port}${API_PREFIX}`
    }),
  )
  const stop = async () => {
    for (const child of children) {
      const ended = once(child, 'exit')
      child.disconnect()
      assert.deepEqual(await ended, [0, null], 'its responses are as described')
    }
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  }
  return { bases, stop }
}

const SHARED = { LIMITER: 'postgres', ROLES: 'api', SECRET_KEY: 'ab'.repeat(32) }

test('POST /applications: one person, one job, many at the same time over three processes: one 201, one row, one event each', async () => {
  const database = await cloneDatabase()
  const first = await startTestService(SHARED, { database })
  const { bases, stop } = await startProcesses(database, 2)
  const tenant = await newTenant(first)
  const addresses = [first.base, ...bases].map(base => `${base}/applications`)
  for (let round = 0; round < 15; round++) {
    const email = `race${round}@example.org`
    const spell = (i: number) => (i % 2 ? email : email.toUpperCase())
    const external = { system: 'acme_ats', external_id: `race-${round}` }
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        first.post(
          addresses[i % 3]!,
          tenant.key,
          body(tenant.job, i % 4 === 0 ? { source: external } : {}, { email: spell(i) }),
        ),
      ),
    )
    assert.deepEqual(responses.map(a => a.status).toSorted(), [...Array(11).fill(200), 201])
    assert.equal(new Set(responses.map(a => a.body.id)).size, 1)
  }
  const events = await readEvents({ service: first }, tenant.workspace)
  assert.equal(events.filter(e => e.type === 'application.created').length, 15)
  assert.equal(events.filter(e => e.type === 'applicant.created').length, 15)
  assert.equal(events.length, 30)
  await stop()
  await first.stop()
  await database.drop()
})
