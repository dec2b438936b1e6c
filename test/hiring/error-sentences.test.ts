import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ERRORS } from '../../src/contract/errors.ts'
import { toSentence } from '../../web/hiring/error-sentences.ts'

test('hiring pages: no error of the API is shown with names of its fields, keys or scopes', () => {
  for (const [code, { message }] of Object.entries(ERRORS)) {
    const shown = toSentence({ code, message })!
    assert.doesNotMatch(shown, /[a-z]_[a-z]|\bkey\b|\bscope\b|\bparameter\b/, code)
    assert.match(shown, /^[A-Z].*\.$/s, code)
  }
})

test('hiring pages: what is wrong with an entry is said without its field; other messages stay as they are', () => {
  const errors = [{ param: 'rejection_reason', message: 'must be at most 2000 characters' }]
  const message = 'The request has a missing, malformed or contradictory parameter or body field.'
  assert.equal(
    toSentence({ code: 'invalid_request', message, errors }),
    'What was entered must be at most 2000 characters.',
  )
  assert.equal(
    toSentence({ code: 'invalid_application_state', message: 'The application is in_review.' }),
    'Someone changed the application in the meantime, and this is no longer possible.',
  )
  const own = 'Someone else changed the criteria while you were editing them.'
  assert.equal(toSentence({ code: 'stale_resource', message: own }), own)
  assert.equal(toSentence({}), undefined)
})
