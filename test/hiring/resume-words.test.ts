import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PARSE_ERRORS } from '../../src/resources/resumes/shape.ts'
import { whyUnreadable } from '../../web/hiring/candidate/resume-words.ts'

test('candidate page: a résumé that could not be read says why, for every fault of the file', () => {
  const plain = 'The file could not be read. It can be downloaded under Files.'
  for (const error of PARSE_ERRORS) {
    const words = whyUnreadable(error)
    if (error === 'internal') assert.equal(words, plain)
    else assert.match(words, /^The file could not be read: [a-z].+\. It can be downloaded under Files\.$/, error)
  }
  assert.equal(whyUnreadable(null), plain)
})
