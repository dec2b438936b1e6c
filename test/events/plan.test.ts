import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { EventType } from '../../src/contract/events.ts'
import type { Sql } from '../../src/kernel/db/sql.ts'
import { FORCE_INDEX, lockLogs, publishBatch, selectOldest } from '../../src/kernel/feed/publish-batch.ts'
import { sequenceBatch } from '../../src/kernel/feed/sequencer.ts'
import { addChanges } from '../../src/resources/analytics/rollup-store.ts'
import { emit } from '../harness/events.ts'
import { explain, rowsHandled } from '../harness/plans.ts'
import { startTestService } from '../harness/service.ts'

/** Far more than a batch, so that a plan that reads all of them for each shows. */
const WAITING = 5_000
const BATCH = 200

const service = await startTestService({ ROLES: 'api' })
const { db } = service.services
const session = await db.session({ timeouts: 'off' })
after(() => session.close())
const { id: workspace } = await service.workspace('enterprise')
for (const table of ['outbox', 'funnel_changes', 'events', 'event_logs'])
  await session.script(`alter table ${table} set (autovacuum_enabled = false)`)

/** How statistics of a queue are when they were collected at a moment at which nothing waited. */
const STATES: Record<string, (queue: string) => Promise<unknown>> = {
  'no statistics': async () => {},
  'statistics of an empty table': queue => session.script(`vacuum analyze ${queue}`),
  'statistics of a table with nothing but deleted rows': queue => session.script(`analyze ${queue}`),
}

/** In a transaction that is rolled back: the rows that the plan for all values handles. */
async function handled(statement: Sql, before: readonly Sql[]): Promise<number> {
  await session.script('begin')
  try {
    for (const each of before) await session.query(each)
    return rowsHandled(await explain(session, statement))
  } finally {
    await session.script('rollback')
  }
}

for (const [state, collect] of Object.entries(STATES)) {
  test(`sequencer: a batch handles a bounded number of rows, whatever waits: ${state}`, async () => {
    await emit(db, workspace, Array<EventType>(300).fill('job.updated'))
    while ((await sequenceBatch(db)) > 0);
    await collect('outbox')
    await emit(db, workspace, Array<EventType>(WAITING).fill('job.updated'))
    const batch = publishBatch(selectOldest([workspace], BATCH), [workspace])
    const rows = await handled(batch, [lockLogs([workspace]), FORCE_INDEX])
    assert.ok(rows < BATCH * 30, `${rows} rows for ${BATCH} events`)
    while ((await sequenceBatch(db)) > 0);
  })

  test(`funnel rollup: a batch handles a bounded number of rows, whatever waits: ${state}`, async () => {
    const fill = (rows: number) =>
      session.script(`insert into funnel_changes (workspace_id, applied_on, job, source, code, n)
        select '${workspace}', date '2026-11-01', 1, 1, 0, 1 from generate_series(1, ${rows})`)
    await fill(300)
    await session.script('delete from funnel_changes')
    await collect('funnel_changes')
    await fill(WAITING)
    const rows = await handled(
      addChanges({ rows: [{ workspace_id: workspace }], only: undefined }, [workspace], BATCH),
      [],
    )
    assert.ok(rows < WAITING * 10, `${rows} rows for ${BATCH} of ${WAITING} changes`)
    await session.script('delete from funnel_changes')
  })
}
