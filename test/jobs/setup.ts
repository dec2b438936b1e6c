import assert from 'node:assert/strict'
import { sql } from '../../src/kernel/db/sql.ts'
import { sequenceBatch } from '../../src/kernel/feed/sequencer.ts'
import { guardedPaths, guardReason, type Shape } from '../../src/kernel/http/shape.ts'
import { lockWaits } from '../harness/lock-waits.ts'
import { startTestService, type TestResponse } from '../harness/service.ts'

export interface FeedEvent {
  id: string
  type: string
  links: { self: string; record?: string }
  data: { object: Record<string, unknown>; previous_attributes?: Record<string, unknown> }
}

/** A service, and what tests of jobs ask of its store. */
export async function startJobs() {
  const service = await startTestService({ LOG_LEVEL: 'silent' })
  const { db } = service.services
  /** The events of a record so far, oldest first. */
  const eventsOf = async (id: string): Promise<FeedEvent[]> => {
    while (await db.one(sql`select 1 from outbox limit 1`)) await sequenceBatch(db)
    const rows = await db.query(sql<{ body: string }>`
      select body from events where body::jsonb #>> '{data,object,id}' = ${id} order by sequence`)
    return rows.map(row => JSON.parse(row.body) as FeedEvent)
  }
  return {
    service,
    db,
    eventsOf,
    typesOf: async (id: string) => (await eventsOf(id)).map(event => event.type),
    /** A workspace with a plan that no test exhausts, and a key of its owner with every scope. */
    async newWorkspace() {
      const { id, userEmail } = await service.workspace('enterprise')
      return { workspace: id, userEmail, key: await service.key({ workspace: id, userEmail }) }
    },
    /**
     * Waits until the store's clock has passed the last change of every job: several changes in one transaction are dated
     * ahead by a millisecond each, and the next job must be the most recently updated one.
     */
    async afterAllJobs(): Promise<void> {
      while (await db.one(sql`select 1 from jobs where updated_at >= app_now()::timestamptz(3) limit 1`));
    },
    /** Waits until so many statements wait for a lock. */
    async blocked(statements = 1): Promise<void> {
      while ((await lockWaits(db)) < statements) {}
    },
  }
}

let counter = 0

/** A body that every rule accepts. */
export const buildPush = (over: Record<string, unknown> = {}) => ({
  source: { system: 'partner_ats', external_id: `req-${++counter}` },
  title: 'Software Engineer',
  content: { summary: 'Builds things.' },
  ...over,
})

export function assertFailure(response: TestResponse, status: number, code: string, param?: string): void {
  assert.equal(response.status, status, response.text)
  assert.equal(response.body.detail.code, code, response.text)
  if (param !== undefined) assert.equal(response.body.detail.param, param)
}

/**
 * A response to a key that holds no scope of a guarded field names each of them, with the reason. Which fields have a guard
 * is pinned in test/contract/guarded-fields.test.ts.
 */
export function assertWithheld(body: TestResponse['body'], of: Shape, path: string, reason: string): void {
  const reasons = Object.fromEntries(guardedPaths(of.fields).map(field => [field.path, guardReason(field.guard)]))
  assert.equal(reasons[path], reason)
  assert.deepEqual(body.restricted, Object.keys(reasons))
  assert.deepEqual(body.restricted_reason, reasons)
}

/** What is wrong, by field. */
export const faultsOf = (response: TestResponse): Record<string, string> =>
  Object.fromEntries(
    response.body.detail.errors.map((row: { param: string; message: string }) => [row.param, row.message]),
  )
