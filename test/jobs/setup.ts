import assert from 'node:assert/strict'
import { sql } from '../../src/kernel/db/sql.ts'
import { sequenceBatch } from '../../src/kernel/feed/sequencer.ts'
import { guardedPaths, reasonOf, type Shape } from '../../src/kernel/http/shape.ts'
import { lockWaits } from '../harness/lock-waits.ts'
import { startTestService, type TestResponse } from '../harness/service.ts'

export const service = await startTestService({ LOG_LEVEL: 'silent' })
export const { db } = service.services

/** A workspace with a plan that no test exhausts, and a key of its owner with every scope. */
export async function newWorkspace() {
  const { id, userEmail } = await service.workspace('enterprise')
  return { workspace: id, userEmail, key: await service.key({ workspace: id, userEmail }) }
}

export interface FeedEvent {
  type: string
  data: { object: Record<string, unknown>; previous_attributes?: Record<string, unknown> }
}

/** The events of a record so far, oldest first. */
export async function eventsOf(id: string): Promise<FeedEvent[]> {
  while (await db.one(sql`select 1 from outbox limit 1`)) await sequenceBatch(db)
  const rows = await db.query(sql<{ body: string }>`
    select body from events where body::jsonb #>> '{data,object,id}' = ${id} order by sequence`)
  return rows.map(row => JSON.parse(row.body) as FeedEvent)
}

export const typesOf = async (id: string) => (await eventsOf(id)).map(event => event.type)

let counter = 0

/** A body that every rule accepts. */
export const pushOf = (over: Record<string, unknown> = {}) => ({
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
  const reasons = Object.fromEntries(guardedPaths(of.fields).map(field => [field.path, reasonOf(field.guard)]))
  assert.equal(reasons[path], reason)
  assert.deepEqual(body.restricted, Object.keys(reasons))
  assert.deepEqual(body.restricted_reason, reasons)
}

/** What is wrong, by field. */
export const faultsOf = (response: TestResponse): Record<string, string> =>
  Object.fromEntries(
    response.body.detail.errors.map((row: { param: string; message: string }) => [row.param, row.message]),
  )

/**
 * Until the store's clock has passed the last change of every job: several changes in one transaction are dated ahead by
 * a millisecond each, and the next job must be the most recently updated one.
 */
export async function afterAllJobs(): Promise<void> {
  while (await db.one(sql`select 1 from jobs where updated_at >= app_now()::timestamptz(3) limit 1`));
}

/** Until so many statements wait for a lock. */
export async function blocked(statements = 1): Promise<void> {
  while ((await lockWaits(db)) < statements) {}
}
