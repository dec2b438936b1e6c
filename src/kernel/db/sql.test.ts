import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joinWithCommas, none, plannedEachTime, raw, sql } from './sql.ts'

test('sql: values become parameters, in order', () => {
  const statement = sql`select * from t where a = ${1} and b = ${'x'}`
  assert.equal(statement.text, 'select * from t where a = $1 and b = $2')
  assert.deepEqual(statement.values, [1, 'x'])
})

test('sql: nested statements become text, and their parameters are numbered on', () => {
  const page = (after?: number) => (after === undefined ? none : sql`and id > ${after} limit ${10}`)
  const list = (workspace: string, after?: number) =>
    sql`select ${raw('id')} from t where w = ${workspace} ${page(after)} and z = ${true}`
  assert.equal(list('w').text, 'select id from t where w = $1  and z = $2')
  assert.deepEqual(list('w').values, ['w', true])
  assert.equal(list('w', 5).text, 'select id from t where w = $1 and id > $2 limit $3 and z = $4')
  assert.deepEqual(list('w', 5).values, ['w', 5, 10, true])
  assert.deepEqual(list('v', 6).values, ['v', 6, 10, true])
})

test('sql: a list: its parts with commas, and their parameters are numbered on', () => {
  const row = (a: number, b: string) => sql`(${a}, ${b})`
  const insert = (rows: [number, string][]) =>
    sql`insert into t values ${joinWithCommas(rows.map(each => row(...each)))} ${raw('x')}`
  const two = insert([
    [1, 'a'],
    [2, 'b'],
  ])
  assert.equal(two.text, 'insert into t values ($1, $2), ($3, $4) x')
  assert.deepEqual(two.values, [1, 'a', 2, 'b'])
  assert.equal(
    two.name,
    insert([
      [3, 'c'],
      [4, 'd'],
    ]).name,
  )
  assert.equal(insert([[1, 'a']]).text, 'insert into t values ($1, $2) x')
  assert.equal(joinWithCommas([sql`${1}`, raw('now()'), sql`${2}`]).text, '$1, now(), $2')
})

test('sql: the same text has the same name, another text another', () => {
  const one = (id: number) => sql`select ${id}`
  assert.equal(one(1).name, one(2).name)
  assert.notEqual(one(1).name, sql`select ${1}, 2`.name)
  const either = (column: string) => sql`select ${raw(column)} from t where x = ${1}`
  assert.equal(either('a').name, either('a').name)
  assert.notEqual(either('a').name, either('b').name)
})

test('sql: a value that is a text is never taken for SQL', () => {
  const statement = sql`select ${'1; drop table t'} ${raw('from t')}`
  assert.equal(statement.text, 'select $1 from t')
  assert.deepEqual(statement.values, ['1; drop table t'])
})

test('sql: planned each time: the same text and values, without a name', () => {
  const { text, values, name } = plannedEachTime(sql`select ${1}`)
  assert.deepEqual({ text, values, name }, { text: 'select $1', values: [1], name: '' })
})
