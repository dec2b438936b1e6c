import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { hasSqlState } from '../../src/kernel/db/sqlstate.ts'
import { cloneDatabase, openDatabase, stopOwnServer } from '../harness/postgres.ts'

const database = await cloneDatabase()
const db = openDatabase({ connectionString: database.url }, 4)
await db.query(sql`create table marks (n integer primary key)`)
after(async () => {
  await db.close()
  await database.drop()
  await stopOwnServer()
})

const marks = async () => (await db.query(sql<{ n: number }>`select n from marks order by n`)).map(row => row.n)
const mark = (n: number) => sql`insert into marks (n) values (${n}::integer)`
const isDuplicate = (error: unknown) => hasSqlState(error, 'uniqueViolation')

test('deferred statements: run in their place and are committed', async () => {
  const seen = await db.transaction(async tx => {
    tx.defer(mark(1))
    tx.defer(mark(2))
    return tx.one(sql<{ count: number }>`select count(*) from marks`)
  })
  assert.deepEqual([seen!.count, await marks()], [2, [1, 2]])
})

test('deferred statements: one that fails undoes the transaction, with its own error; what follows a commit does not run', async () => {
  let followed = false
  const last = db.transaction(async tx => {
    tx.afterCommit(() => (followed = true))
    await tx.query(mark(3))
    tx.defer(mark(1))
  })
  await assert.rejects(last, isDuplicate)
  const before = db.transaction(async tx => {
    tx.defer(mark(1))
    await tx.query(mark(4))
  })
  await assert.rejects(before, isDuplicate)
  assert.deepEqual([followed, await marks()], [false, [1, 2]])
})

test('deferred statements: one that fails in an attempt undoes the attempt alone', async () => {
  await db.transaction(async tx => {
    tx.defer(mark(5))
    const attempt = tx.attempt(async () => {
      tx.defer(mark(6))
      tx.defer(mark(1))
    })
    await assert.rejects(attempt, isDuplicate)
    tx.defer(mark(7))
  })
  assert.deepEqual(await marks(), [1, 2, 5, 7])
})

test('statements sent together: the one that failed by itself is seen first', async () => {
  const together = db.transaction(tx =>
    Promise.all([tx.query(mark(1)).catch(error => Promise.reject(error)), tx.query(mark(8))]),
  )
  await assert.rejects(together, isDuplicate)
})
