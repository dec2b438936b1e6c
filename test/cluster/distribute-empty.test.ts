import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clusterStatus } from '../../src/kernel/citus/cluster.ts'
import { WORKSPACE_TABLES } from '../../src/kernel/citus/placement.ts'
import { Database } from '../../src/kernel/db/database.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { createLog } from '../../src/kernel/telemetry/log.ts'
import { startCitus, withoutCitus } from '../harness/citus.ts'
import { hiring, temporaryFolder } from '../harness/process.ts'

const DISTRIBUTE = ['cluster', 'distribute', '--shards', '4', '--json']

test('hiring cluster distribute: an empty store is distributed without a question; with a workspace the command asks', {
  skip: withoutCitus,
}, async () => {
  const citus = await startCitus(2, { fast: true })
  const env = { DATABASE_URL: citus.url, DATA_DIR: temporaryFolder(), SECRET_KEY: '3'.repeat(64), DEMO: 'off' }
  const db = new Database({ connectionString: citus.url }, { connections: 2, log: createLog('silent') })
  try {
    assert.equal((await hiring(['migrate'], env)).code, 0)
    await db.query(sql`insert into workspaces (id, name) values ('ws_one', 'Name')`)
    const asked = await hiring(DISTRIBUTE, env)
    assert.match(asked.stderr, /There is no terminal to confirm it: use --yes/)
    assert.notEqual(asked.code, 0)
    assert.equal((await clusterStatus(db)).distributed, 0)

    await db.query(sql`delete from workspaces`)
    // neither a terminal nor --yes
    const { code, stdout, stderr } = await hiring(DISTRIBUTE, env)
    assert.equal(code, 0, stderr)
    assert.deepEqual(JSON.parse(stdout).tables, WORKSPACE_TABLES)
    assert.equal((await clusterStatus(db)).distributed, WORKSPACE_TABLES.length)
    // again: there is nothing to distribute, and nothing to confirm
    const again = await hiring(DISTRIBUTE, env)
    assert.equal(again.code, 0, again.stderr)
    assert.deepEqual(JSON.parse(again.stdout).tables, [])
  } finally {
    await db.close()
  }
})
