import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Database } from '../../src/kernel/db/database.ts'
import { migrate } from '../../src/kernel/db/migrate.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { openEmbedded } from '../../src/kernel/embedded-postgres/embedded.ts'
import { cloneDatabase, openDatabase, stopOwnServer } from '../harness/postgres.ts'
import { hiring, temporaryFolder } from '../harness/process.ts'
import { until } from '../harness/receiver.ts'

after(stopOwnServer)

for (const PROCESSES of ['1', '2'])
  test(`hiring start: a statement that fails after requests are served ends PROCESSES=${PROCESSES} and leaves no process`, {
    timeout: 240_000,
  }, async () => {
    const database = await cloneDatabase()
    const db = openDatabase(database.connection, 2)
    try {
      // The last step of the start reads whether there are workspaces, and waits for this lock until its time is over.
      // The command counts as ended when no process has its output open any more.
      const ended = await db.transaction(async tx => {
        await tx.query(sql`set local idle_in_transaction_session_timeout = 0`)
        await tx.query(sql`lock table workspaces in access exclusive mode`)
        const settings = { DATABASE_URL: database.url, DATA_DIR: temporaryFolder(), DEMO: 'off', PORT: '0', PROCESSES }
        return hiring(['start'], { ...settings, LOG_LEVEL: 'silent' })
      })
      assert.equal(ended.code, 1, ended.stderr)
      assert.match(ended.stderr, /^hiring: /m)
    } finally {
      await db.close()
      await database.drop()
    }
  })

/** The database server of this folder, and the shell that watches it. */
const serversOf = (folder: string) =>
  execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8', maxBuffer: 1e8 })
    .split('\n')
    .filter(line => line.includes(folder))

const FAILING = {
  'a statement of a migration': (db: Database) => db.query(sql`create table workspaces (id text)`),
  'a statement after the migrations': async (db: Database) => {
    await migrate(db)
    await db.query(sql`alter table workspaces rename to elsewhere`)
  },
}
for (const [what, prepare] of Object.entries(FAILING))
  test(`hiring start: ${what} that fails ends a group with the embedded database, and both leave no process`, {
    timeout: 240_000,
  }, async () => {
    const DATA_DIR = temporaryFolder()
    const server = await openEmbedded({ directory: join(DATA_DIR, 'postgres'), durable: false })
    const db = openDatabase(server.connection, 2)
    try {
      await prepare(db)
      assert.notDeepEqual(serversOf(DATA_DIR), [])
    } finally {
      await db.close()
      await server.release()
    }
    await until('the server of the test has ended', () => serversOf(DATA_DIR).length === 0)
    const ended = await hiring(['start'], { DATA_DIR, DEMO: 'off', PORT: '0', PROCESSES: '2', LOG_LEVEL: 'info' })
    assert.equal(ended.code, 1, ended.stderr)
    assert.match(ended.stderr, /"msg":"PostgreSQL started /)
    assert.match(ended.stderr, /^hiring: .*"?workspaces"?.* exist/m)
    await until('the server of the group has ended', () => serversOf(DATA_DIR).length === 0)
  })
