import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ageIn, relativeTime, shortAge, wholeDays } from '../../web/ui/age.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

test('ages: all forms say the same number of the same age, the whole units that have passed', () => {
  for (let ms = 0; ms < 7 * DAY; ms += 7 * MINUTE + 1) {
    const { count, unit } = ageIn(ms)
    const size = { minute: MINUTE, hour: HOUR, day: DAY }[unit]
    assert.ok(count * size <= ms && ms < (count + 1) * size, `${ms} ms: ${count} ${unit}`)
    const inWords = relativeTime(-ms)!
    assert.equal(inWords, count === 0 ? 'just now' : inWords.replace(/\d+/, String(count)), `${ms} ms`)
    assert.equal(shortAge(ms), count === 0 ? 'now' : shortAge(ms).replace(/\d+/, String(count)), `${ms} ms`)
    assert.equal(wholeDays(ms), unit === 'day' ? count : 0, `${ms} ms`)
  }
})

test('ages: nothing is rounded up, in either direction, and a week and more is no age', () => {
  assert.deepEqual(
    [30_000, 1.9 * MINUTE, 1.9 * HOUR, 1.9 * DAY, 6.9 * DAY, 7 * DAY].map(ms => relativeTime(-ms)),
    ['just now', '1 min ago', '1 hr ago', '1 day ago', '6 days ago', undefined],
  )
  assert.deepEqual([30_000, 2.9 * DAY].map(relativeTime), ['in a moment', 'in 2 days'])
  assert.deepEqual([-MINUTE, 0.9 * MINUTE, 59 * MINUTE, 23.9 * HOUR, 39.9 * DAY].map(shortAge), [
    'now',
    'now',
    '59 min',
    '23 h',
    '39 d',
  ])
})
