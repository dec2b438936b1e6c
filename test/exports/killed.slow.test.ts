import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { createLog } from '../../src/kernel/telemetry/log.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { runNextExport } from '../../src/resources/exports/index.ts'
import { newTenant, startWorld } from '../applications/setup.ts'
import { until } from '../harness/receiver.ts'
import { killWorker, startWorker } from '../harness/worker-process.ts'
import { downloadRows } from './setup.ts'

const { service } = await startWorld()
const { db, blobs } = service.services

test('exports: a process killed with SIGKILL while it writes: the export is written by another', async () => {
  const { workspace, key } = await newTenant(service)
  // in parts: a cluster copies each row to its shard, and a busy machine needs longer for all than a statement may last
  for (let from = 1; from < 40_000; from += 5_000)
    await db.query(sql`
      insert into applicants (workspace_id, id, full_name)
      select ${workspace}, 'apl_' || lpad(n::text, 20, '0'), 'Person ' || n
      from generate_series(${from}::integer, ${from + 4_999}::integer) n`)
  const { id } = (await service.post('/exports', key, { resources: ['applicants'] })).body
  const status = async () =>
    (await db.one(sql<{ status: string }>`select status from exports where id = ${id}`))!.status
  const worker = await startWorker({
    DATABASE_URL: service.database.url,
    DATA_DIR: service.services.config.DATA_DIR,
  })
  // The child has no offset of the test's clock: it sees the export, made in its future, all the same.
  await until('claimed', async () => (await status()) !== 'pending')
  await killWorker(worker)
  if ((await status()) === 'running') {
    clock.advance(61_000)
    while (await runNextExport({ db, blobs, log: createLog('silent'), publicUrl: service.services.publicUrl }));
  }
  const made = (await service.get(`/exports/${id}`, key)).body
  assert.deepEqual([made.status, made.files[0].rows], ['ready', 40_000])
  assert.equal(new Set((await downloadRows(made, 'applicants')).map(row => row.id)).size, 40_000)
})
