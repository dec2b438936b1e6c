import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { distribute } from '../../src/kernel/db/cluster.ts'
import { Database } from '../../src/kernel/db/database.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { createLog } from '../../src/kernel/telemetry/log.ts'
import { apply, newTenant } from '../applications/setup.ts'
import { run, storeOf } from '../backup/setup.ts'
import { startCitus, withoutCitus } from '../harness/citus.ts'
import { temporaryFolder } from '../harness/process.ts'
import { startTestService } from '../harness/service.ts'

test('hiring backup, restore: a plain store is restored on a coordinator and then distributed; a distributed one is refused', {
  skip: withoutCitus,
}, async t => {
  const service = await startTestService({ ROLES: 'api' })
  const world = { service, ...(await newTenant(service)) }
  const { id } = await apply(world)
  const folder = temporaryFolder()
  const place = join(folder, 'backups')
  await run('backup', [place], storeOf(service), { 'with-secret': '' })
  assert.ok(existsSync(join(place, 'blobs/manifests')))

  const { url } = await startCitus()
  const settings = { DATA_DIR: join(folder, 'data'), DATABASE_URL: url }
  await run('restore', [place], settings)
  const db = new Database({ connectionString: url }, { connections: 4, log: createLog('silent') })
  t.after(() => db.close())
  await distribute(db, { shards: 4, onProgress: () => {} })
  const found = await db.query(
    sql<{ id: string }>`select id from applications where workspace_id = ${world.workspace} and id = ${id}`,
  )
  assert.deepEqual(found, [{ id }])

  const other = join(folder, 'other')
  await assert.rejects(run('backup', [other], settings), /distributed over a cluster/)
  assert.equal(existsSync(join(other, 'blobs/manifests')), false)
  await assert.rejects(run('restore', [place], settings), /empty/)
})
