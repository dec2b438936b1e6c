import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statementText } from './statement-text.ts'

test('text of a statement: one line, parameters kept, every literal left out', () => {
  const cases = {
    'select  a\n  from b where c = $1': 'select a from b where c = $1',
    "select 'ann@example.com', $1 || 'x'": "select '?', $1 || '?'",
    "select 'it''s', 1": "select '?', 1",
    "select E'it\\'s hers', 1": "select '?', 1",
    "split_part(a, '\\', 'ann')": "split_part(a, '?', '?')",
    'do $$ begin perform 1; end $$': "do '?'",
    'select $body$ it costs $1 $$ $body$, $2, $3': "select '?', $2, $3",
    "select ''": "select '?'",
  }
  for (const [text, expected] of Object.entries(cases)) assert.equal(statementText(text), expected)
})
