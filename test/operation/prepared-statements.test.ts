import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { cloneDatabase, openDatabase, stopOwnServer } from '../harness/postgres.ts'

const database = await cloneDatabase()
const db = openDatabase({ connectionString: database.url }, 4)
after(async () => {
  await db.close()
  await database.drop()
  await stopOwnServer()
})

const everyKind = (id: number) => sql`
  select ${id}::integer as id, 'a "b"'::text as words, null::text as none, true as yes, 12345678901::bigint as large,
    1.5::numeric as exact, '2026-11-15 03:02:35.12+00'::timestamptz as at, '2026-11-15'::date as day,
    array['x', null, 'y,z'] as list, '{"a": [1, null]}'::jsonb as json, 1 as twice, 2 as twice`

test('prepared statement: each execution on a connection returns the same kinds of values', async () => {
  const session = await db.session()
  const row = (id: number) => ({
    id,
    words: 'a "b"',
    none: null,
    yes: true,
    large: 12345678901,
    exact: 1.5,
    at: '2026-11-15T03:02:35.120Z',
    day: '2026-11-15',
    list: ['x', null, 'y,z'],
    json: { a: [1, null] },
    twice: 2,
  })
  // the second is sent before the columns of the first are known
  const [first, second] = await Promise.all([session.query(everyKind(1)), session.query(everyKind(2))])
  assert.deepEqual([first, second, await session.query(everyKind(3))], [[row(1)], [row(2)], [row(3)]])
  await session.close()
})

test('prepared statement: one without columns returns no rows, one of no rows an empty list', async () => {
  const session = await db.session()
  await session.script('create temporary table things (id integer)')
  for (const id of [1, 2, 3]) {
    assert.deepEqual(await session.query(sql`insert into things values (${id}::integer)`), [])
    assert.deepEqual(await session.query(sql`select id from things where id > ${id}::integer`), [])
  }
  await session.close()
})

test('prepared statement: a failed execution changes nothing for the next one', async () => {
  const session = await db.session()
  const divide = (by: number) => sql`select 6 / ${by}::integer as result`
  await assert.rejects(session.query(divide(0)), /division by zero/)
  assert.deepEqual(await session.query(divide(2)), [{ result: 3 }])
  await assert.rejects(session.query(divide(0)), /division by zero/)
  assert.deepEqual(await session.query(divide(3)), [{ result: 2 }])
  await session.close()
})

test('prepared statement: columns that have changed since are an error, never rows with wrong names', async () => {
  const session = await db.session()
  await session.script('create temporary table things (id integer); insert into things values (1)')
  const all = () => session.query(sql`select * from things`)
  assert.deepEqual([await all(), await all()], [[{ id: 1 }], [{ id: 1 }]])
  await session.script('alter table things rename id to number')
  await assert.rejects(all(), /cached plan must not change result type/)
  await session.close()
})

test('prepared statement: the stack of its error leads to the code that ran it', async () => {
  const run = async () => await db.query(sql`select 1 / ${0}::integer as result`)
  await assert.rejects(run, (error: Error) => error.stack!.includes(import.meta.filename))
})
