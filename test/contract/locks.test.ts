import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { LOCKS, TEXT_LOCKS } from '../../src/kernel/db/locks.ts'
import { SQLSTATE } from '../../src/kernel/db/sqlstate.ts'

const ROOT = join(import.meta.dirname, '../..')
const files = ['src', 'demo', 'tools']
  .flatMap(folder =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(file => join(folder, file)),
  )
  .filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map(file => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }))

test('advisory locks: no two uses share a number or a word', () => {
  const numbers = Object.values(LOCKS)
  const words = Object.values(TEXT_LOCKS)
  assert.equal(new Set(numbers).size, numbers.length)
  assert.equal(new Set(words).size, words.length)
  // `new export ws_…` must not be a lock of another use whose word is `new`
  for (const word of words) {
    assert.deepEqual(
      words.filter(other => other !== word && other.startsWith(`${word} `)),
      [],
    )
  }
})

test('advisory locks: every one in src, demo and tools, with or without a text, is of the table', () => {
  const outside = files.flatMap(({ file, text }) =>
    [...text.matchAll(/pg_(?:try_)?advisory_\w+\(\s*([^`]{0,60})/g)]
      .filter(([, argument]) => !/^(\$\{(LOCKS[.[]|textLock\()|hashtextextended\(\$\{TEXT_LOCKS\.)/.test(argument!))
      .map(([call]) => `${file}: ${call}`),
  )
  assert.deepEqual(outside, [])
  assert.ok(files.filter(({ text }) => /pg_(?:try_)?advisory_/.test(text)).length >= 12, 'the search finds them')
})

test('advisory locks: every row of the table is used', () => {
  const text = files.map(file => file.text).join('\n')
  const unused = [
    ...Object.keys(LOCKS).filter(name => !text.includes(`LOCKS.${name}`) && !text.includes(`, '${name}', log)`)),
    ...Object.keys(TEXT_LOCKS).filter(name => !text.includes(`textLock('${name}'`)),
  ]
  assert.deepEqual(unused, [])
})

test('SQL states: named in db/sqlstate.ts alone, by no literal elsewhere', () => {
  // the classes of PostgreSQL, appendix A; '256MB' is a setting
  const states = /(['"`])(?!\d+MB\1)(?:[0-5][0-9A-Z]|72|F0|HV|P0|XX)[0-9A-Z]{3}\1/g
  const outside = files
    .filter(({ file }) => file !== 'src/kernel/db/sqlstate.ts')
    .flatMap(({ file, text }) => [...text.matchAll(states)].map(([state]) => `${file}: ${state}`))
  assert.deepEqual(outside, [])
  const known = Object.values(SQLSTATE).map(state => `'${state}'`)
  assert.deepEqual(known.join(' ').match(states), known, 'the search finds them')
})
