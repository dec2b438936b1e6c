import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { sql } from '../../src/kernel/db/sql.ts'
import { body, newJob, startWorld } from './setup.ts'

// without workers, whose statements belong to no request
const world = await startWorld({ REQUEST_LOG: 'off', ROLES: 'api' })
const { service, key, job } = world
await service.services.usage.stop() // its statements belong to no request
const { name: database } = (await service.services.db.one(sql<{ name: string }>`select current_database() as name`))!

/** How often the service waited for the database: a statement that is sent while another is in flight waits with it. */
async function roundTrips(work: () => Promise<unknown>): Promise<number> {
  const { query } = pg.Client.prototype as { query: (...args: unknown[]) => unknown }
  const inFlight = new Map<unknown, number>()
  let count = 0
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const statement = args[0] as { text?: string; callback?: (...result: unknown[]) => void }
    const { text, callback } = statement
    // the lease of the process, and its hint to the one that orders the feed: no request waits for them
    if (text?.includes('key_caches') || text?.includes('pg_notify')) return query.apply(this, args)
    // other services run in this process, too
    if (this.database !== database) return query.apply(this, args)
    const others = inFlight.get(this) ?? 0
    if (others === 0) count++
    inFlight.set(this, others + 1)
    const end = () => inFlight.set(this, inFlight.get(this)! - 1)
    if (callback) {
      statement.callback = (...result) => {
        end()
        callback(...result)
      }
      return query.apply(this, args)
    }
    const sent = query.apply(this, args) as Promise<unknown>
    sent.then(end, end)
    return sent
  } as typeof pg.Client.prototype.query
  try {
    await work()
    return count
  } finally {
    pg.Client.prototype.query = query as typeof pg.Client.prototype.query
  }
}

const create = async (more: Record<string, unknown> = {}, candidate: Record<string, unknown> = {}) => {
  const headers = { 'Idempotency-Key': crypto.randomUUID() }
  const response = await service.post('/applications', key, body(job, more, candidate), { headers })
  assert.equal(response.status, 201, response.text)
  return response.body
}

test('round trips: 201: the creation of an application waits for the database at most 8 times', async () => {
  await create() // opens connections
  const known = { email: 'known@example.org' }
  await create({}, known)
  for (const [more, candidate] of [
    [{}, {}],
    [{ source: { system: 'acme_ats', external_id: crypto.randomUUID() } }, {}],
    [{ job_id: (await newJob(service, world.workspace)).id }, known],
  ]) {
    const count = await roundTrips(() => create(more, candidate))
    assert.ok(count > 1 && count <= 8, `${count}`)
  }
})

test('round trips: 200: the move of an application waits for the database at most 5 times', async () => {
  const { id } = await create()
  const move = async (stage: string) => {
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const response = await service.post(`/applications/${id}/move`, key, { stage_id: stage }, { headers })
    assert.equal(response.status, 200, response.text)
  }
  const count = await roundTrips(() => move(job.stages[1]!))
  assert.ok(count > 1 && count <= 5, `${count}`)
})
