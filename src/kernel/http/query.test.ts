import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseQuery } from './query.ts'

test('query string: read as URLSearchParams reads it', () => {
  for (const search of [
    '',
    'a=1',
    'a=1&b=2&a=3',
    'a',
    'a=',
    '=1',
    '&&a=1&',
    '?a=1',
    'a=?&?b=1',
    'a=b=c',
    'a=1;b=2',
    'a=x+y&b=%2B%C3%A9',
    'a=%zz',
    'a=\u00e9&__proto__=1',
    'a=1#b',
  ]) {
    assert.deepEqual(parseQuery(search), [...new URLSearchParams(search)], search)
  }
})
