import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldWords } from '../../src/resources/jobs/history-rules.ts'
import { inBuilderWords, OTHER_TYPES, QUESTION_TYPES } from '../../web/hiring/setup/question-types.ts'

test('history of a form: every type of the form builder has the name that the builder gives it', () => {
  for (const { type, title } of [...QUESTION_TYPES, ...OTHER_TYPES]) {
    const field = { label: 'Letter (short)', type, required: true, options: ['One (text)'], condition: null }
    const expected = `Letter (short) (${title.toLowerCase()}, required, One (text))`
    assert.equal(inBuilderWords(fieldWords(field)), expected)
    const bare = { ...field, label: 'Letter', required: false, options: [] }
    assert.equal(inBuilderWords(fieldWords(bare)), `Letter (${title.toLowerCase()})`)
  }
})
