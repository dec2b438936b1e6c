import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { UserError } from '../errors/user-error.ts'
import { csvDelimiter, csvLine, csvRecords } from './csv.ts'

const read = (text: string, delimiter = ',') =>
  [...csvRecords(text, delimiter)].filter(({ blank }) => !blank).map(({ line, cells }) => [line, cells])

test('CSV: what csvLine writes, csvRecords reads', () => {
  // a cell that looks like a formula gets an apostrophe
  const cell = fc.string({ unit: fc.constantFrom('a', ' ', '"', ',', ';', '\n', '\r', 'é') })
  const row = fc.array(cell, { minLength: 1, maxLength: 4 }).map(cells => ['x', ...cells.map(c => `b${c}`)])
  fc.assert(
    fc.property(fc.array(row), rows => {
      const text = rows.map(cells => csvLine(cells)).join('')
      assert.deepEqual(
        [...csvRecords(text, ',')].map(({ cells }) => cells),
        rows,
      )
    }),
  )
})

test('CSV: any text is read to its end, with lines that grow', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r') }), text => {
      const records = [...csvRecords(text, ',')]
      assert.ok(records.every(({ line }, i) => i === 0 || line > records[i - 1]!.line))
      assert.ok(records.every(({ end }) => end <= text.length))
    }),
  )
})

test('CSV: line numbers count line breaks in quotes; the last line needs no end; an open quote ends with the text; a line without text says so', () => {
  assert.deepEqual(read('a,b\r\n"x\ny",z\r\n\r\nlast'), [
    [1, ['a', 'b']],
    [2, ['x\ny', 'z']],
    [5, ['last']],
  ])
  const blank = [...csvRecords('\na,b\n , \r\n""\nc', ',')].map(record => [record.line, record.blank])
  assert.deepEqual(blank, [
    [1, true],
    [2, false],
    [3, true],
    [4, true],
    [5, false],
  ])
  assert.deepEqual(read('"open, and\nmore'), [[1, ['open, and\nmore']]])
  assert.deepEqual(read('a,\n'), [[1, ['a', '']]])
})

test('CSV: the delimiter is the most frequent one of the first line, outside quotes', () => {
  assert.equal(csvDelimiter('a;b;"c,d,e,f"\n1,2,3,4,5'), ';')
  assert.equal(csvDelimiter('a\tb'), '\t')
  assert.equal(csvDelimiter('a'), ',')
})

test('CSV: UserError for what no table of a person has: cells, characters and blank lines without end, in little time', () => {
  const read = (text: string) => () => [...csvRecords(text, ',')]
  for (const text of [
    ','.repeat(10_000_000),
    '"'.repeat(10_000_000),
    'x'.repeat(10_000_000),
    '\n'.repeat(10_000_000),
  ]) {
    assert.throws(read(`Name\n${text}`), UserError)
  }
  assert.equal(csvDelimiter(`${';'.repeat(3)}${','.repeat(1_000_000)}`), ',')
})

test('CSV: no cell begins with a formula in a program that splits at semicolons or tabs', () => {
  const line = csvLine([
    'a',
    'x;=HYPERLINK("https://x.example")',
    'y\t@sum',
    'z\n+1',
    'a; -b',
    'c;d',
    'x;"=1',
    'y\t""@b',
  ])
  for (const sign of [';', '\t', '\n']) for (const cell of line.split(sign)) assert.doesNotMatch(cell, /^"*[=+\-@]/)
  assert.ok(line.includes('a; -b') && line.includes('c;d'))
})
