import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameFault, shownName } from './names.ts'

test('names: people and companies as they are called', () => {
  for (const name of [
    'Zoë',
    'J.R.R. Tolkien',
    "Siobhán O'Brien-Şahin",
    'St.John',
    'نیم\u200cفاصله',
    'Booking.com',
    'Payroll <sync> & more: 2/3',
    '李小龍 👩\u200d💻',
  ]) {
    assert.equal(nameFault(name, 'app'), undefined, name)
  }
})

test('names: no second line, nothing invisible that reorders, no link, no essay', () => {
  for (const [name, fault] of [
    ['Your account\nis locked', /one line/],
    ['Your account\u2028is locked', /one line/],
    ['Tab\there', /one line/],
    ['\u202egnorw', /one line/],
    ['zero\u200bwidth', /one line/],
    ['see https://evil.example', /link/],
    ['javascript://x', /link/],
    ['WWW.evil.example', /link/],
    ['open evil.example/login now', /link/],
    ['mailto:a', /link/],
    ['é'.repeat(101), /at most 100 characters/],
  ] as const) {
    assert.match(nameFault(name, 'app') ?? 'no fault', fault, name)
    assert.equal(shownName(name, 'app'), null)
  }
  assert.equal(nameFault('é'.repeat(100), 'app'), undefined)
  assert.equal(shownName(' Acme ', 'workspace'), 'Acme')
  assert.equal(shownName('  ', 'workspace'), null)
})
