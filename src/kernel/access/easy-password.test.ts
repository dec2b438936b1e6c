import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isEasyPassword } from './easy-password.ts'
import { generatePassword } from './password.ts'

const email = 'rosalind.acker@acme-robotics.example'

test('easy passwords: common passwords are easy in any spelling, combination or numbering', () => {
  for (const password of [
    'password123',
    'P4$$w0rd!!',
    'Passwort2026!',
    'qwertyuiop',
    'qwerty12345',
    'asdfghjkl1',
    '1234567890',
    '0987654321',
    'abcdefghijkl',
    'aaaaaaaaaaaa',
    'aaaabbbbccccdddd',
    'welcome welcome',
    'Summer2026!!',
    'iloveyou1234567',
    'letmein-letmein',
    'HiringHiring1',
    'changemeplease',
    'Spring-Summer2026!',
  ])
    assert.equal(isEasyPassword(email, password), true, password)
})

test('easy passwords: parts of an email address are easy only for the user with that address', () => {
  for (const password of ['Rosalind1985', 'acker-rosalind', 'acmerobotics1', 'Acme-2026-Acme!']) {
    assert.equal(isEasyPassword(email, password), true, password)
  }
  assert.equal(isEasyPassword('other@somewhere.example', 'acker-rosalind'), false)
})

test('easy passwords: several words that do not belong together, and letters without a meaning, are not', () => {
  for (const password of [
    'correct horse battery',
    'a newer password',
    'kettle under bridge',
    'Tr0ub4dor&3',
    'xk7-qpw-m2z9',
    '&%)§/=?*#+~',
    'почтовый ящик',
    '漢字仮名交じり文の鍵',
  ])
    assert.equal(isEasyPassword(email, password), false, password)
  for (let i = 0; i < 50; i++) assert.equal(isEasyPassword(email, generatePassword()), false)
})

test('easy passwords: any text is checked quickly; repetitions and sequences are easy at every length', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 400 }),
      text => typeof isEasyPassword(email, text) === 'boolean',
    ),
  )
  fc.assert(fc.property(fc.integer({ min: 10, max: 200 }), length => isEasyPassword(email, 'x'.repeat(length))))
})
