import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { cloneDatabase, openDatabase, stopOwnServer } from '../harness/postgres.ts'
import { hiring, temporaryFolder } from '../harness/process.ts'

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
