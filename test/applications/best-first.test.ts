import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type Sql, sql } from '../../src/kernel/db/sql.ts'
import { makePage } from '../../src/kernel/http/list.ts'
import { applicationsPage, BY_SCORE } from '../../src/resources/applications/store.ts'
import { explain, listPlanNodes, rowsHandled } from '../harness/plans.ts'
import { apply, startWorld } from './setup.ts'

const world = await startWorld()
const { workspace } = world
const { db } = world.service.services
const session = await db.session({ timeouts: 'off' })
after(() => session.close())

const copied = async (id: string) =>
  (
    await session.only(sql<{ usable_score: number | null }>`
    select usable_score from applications where workspace_id = ${workspace} and id = ${id}`)
  ).usable_score
const score = (id: string, percent: number) =>
  session.query(sql`
    insert into application_scores (workspace_id, application_id, match_pct, model_version)
    values (${workspace}, ${id}, ${percent}, 'rules-1')
    on conflict (workspace_id, application_id) do update set match_pct = excluded.match_pct`)
const stop = (applicant: string, at: Sql) =>
  session.query(sql`
    update applicants set suppressed_at = ${at} where workspace_id = ${workspace} and id = ${applicant}`)

test('usable_score: follows the score of an application: written, changed and removed', async () => {
  const { id } = await apply(world)
  const seen = [await copied(id)]
  await score(id, 40)
  seen.push(await copied(id))
  await score(id, 90)
  seen.push(await copied(id))
  await session.query(sql`
    delete from application_scores where workspace_id = ${workspace} and application_id = ${id}`)
  seen.push(await copied(id))
  assert.deepEqual(seen, [-1, 40, 90, -1])
})

test('usable_score: none while the processing of the person is stopped, also for a score that comes later', async () => {
  const { id, applicant_id } = await apply(world)
  await score(id, 70)
  await stop(applicant_id, sql`app_now()`)
  const seen = [await copied(id)]
  await score(id, 71)
  seen.push(await copied(id))
  await stop(applicant_id, sql`null`)
  seen.push(await copied(id))
  assert.deepEqual(seen, [-1, -1, 71])
})

test('usable_score: a stop that comes while a score is written wins over it', async () => {
  const { id, applicant_id } = await apply(world)
  let stopping: Promise<unknown> = Promise.resolve()
  await db.transaction(async tx => {
    await tx.query(sql`
      insert into application_scores (workspace_id, application_id, match_pct, model_version)
      values (${workspace}, ${id}, 55, 'rules-1')`)
    stopping = stop(applicant_id, sql`app_now()`)
    const waiting = sql`select from pg_stat_activity where wait_event_type = 'Lock' and query like '%suppressed_at%'`
    while ((await db.query(waiting)).length === 0);
  })
  await stopping
  assert.equal(await copied(id), -1)
})

test('usable_score: the migration fills the rows that were there, in batches', async () => {
  const [scored, stopped, without] = [await apply(world), await apply(world), await apply(world)]
  await score(scored.id, 12)
  await score(stopped.id, 99)
  await stop(stopped.applicant_id, sql`app_now()`)
  await session.query(sql`update applications set usable_score = null where workspace_id = ${workspace}`)
  const text = readFileSync(join(import.meta.dirname, '../../migrations/000065_usable_scores.sql'), 'utf8')
  const fill = { text: text.replace('1000', '2'), values: [], name: '' } as Sql<{ changed: number }>
  let batches = 0
  while ((await session.only(fill)).changed > 0) batches++
  assert.ok(batches > 1)
  assert.deepEqual([await copied(scored.id), await copied(stopped.id), await copied(without.id)], [12, -1, -1])
})

test('sort=score: a page reads the rows of the page, however many applications the job has', async () => {
  const MANY = 10_000
  const { id } = await apply(world)
  await session.script('set session_replication_role = replica') // rows that are copied need no triggers
  await session.query(sql`
    insert into applications
    select (jsonb_populate_record(a, jsonb_build_object('id', 'app_' || lpad(i::text, 20, '0'), 'applicant_id', null,
      'source_external_id', null, 'usable_score', i % 102 - 1,
      'status', (array['new', 'rejected', 'in_review'])[1 + i % 3]))).*
    from applications a, generate_series(1, ${MANY}::integer) i where a.workspace_id = ${workspace} and a.id = ${id}`)
  await session.script('vacuum analyze applications')
  const limit = 25
  const first = makePage(BY_SCORE, { limit }, undefined)
  const later = makePage(BY_SCORE, { limit }, { after: [50, 'app_5'], rows: 5_000 })
  for (const page of [first, later]) {
    for (const filter of [{}, { status: ['rejected' as const] }, { minScore: 20 }, { status: ['hired' as const] }]) {
      await session.script('begin')
      const plan = await explain(session, applicationsPage(workspace, { jobId: world.job.id, ...filter }, page))
      await session.script('rollback')
      const indexes = listPlanNodes(plan).flatMap(node => node['Index Name'] ?? [])
      assert.deepEqual([...new Set(indexes)], ['applications_best'])
      assert.ok(rowsHandled(plan) < 12 * limit, `${rowsHandled(plan)} rows for ${JSON.stringify(filter)}`)
    }
  }
})
