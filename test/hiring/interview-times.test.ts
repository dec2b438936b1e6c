import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clashesAt, workingSpans } from '../../web/hiring/interviews/availability.ts'
import { momentOf, wallAt } from '../../web/hiring/interviews/zoned-time.ts'

const at = (day: string, time: string, zone: string) => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return new Date(momentOf({ day, minutes: hours * 60 + minutes }, zone)).toISOString()
}

test('times of a zone: 15:00 in Berlin is 14:00 UTC before clocks change, and 13:00 after; the change of the US is another day', () => {
  assert.equal(at('2027-03-15', '15:00', 'Europe/Berlin'), '2027-03-15T14:00:00.000Z')
  assert.equal(at('2027-03-29', '15:00', 'Europe/Berlin'), '2027-03-29T13:00:00.000Z')
  assert.equal(at('2027-03-15', '10:00', 'America/New_York'), '2027-03-15T14:00:00.000Z')
  assert.equal(at('2027-03-15', '15:00', 'Asia/Kolkata'), '2027-03-15T09:30:00.000Z')
})

test('times of a zone: one that clocks skip is an hour later, one that they show twice is the first', () => {
  assert.equal(at('2027-03-28', '02:30', 'Europe/Berlin'), '2027-03-28T01:30:00.000Z')
  assert.equal(at('2027-10-31', '02:30', 'Europe/Berlin'), '2027-10-31T00:30:00.000Z')
})

test('times of a zone: every half hour of the days around a change is found again', () => {
  for (const zone of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Auckland', 'UTC'])
    for (let ms = Date.parse('2027-03-10T00:00:00Z'); ms < Date.parse('2027-04-10T00:00:00Z'); ms += 1_800_000) {
      const wall = wallAt(ms, zone)
      assert.deepEqual(wallAt(momentOf(wall, zone), zone), wall, `${zone} ${new Date(ms).toISOString()}`)
    }
})

const nineToFive = [[9 * 60, 17 * 60]] as const
const WEEK = [nineToFive, nineToFive, nineToFive, nineToFive, nineToFive, [], []]
const person = (time_zone: string | null, busy: [string, string][] = []) => ({
  ...{ id: 'usr_1', name: 'Peng', time_zone, hours: WEEK },
  busy: busy.map(([starts_at, ends_at], n) => ({ interview_id: `i${n}`, starts_at, ends_at })),
})
const spans = (zone: string | null, day: string, shown: string) =>
  workingSpans(person(zone), day, shown).map(({ from, to }) => [from, to].map(ms => new Date(ms).toISOString()))

test('hours of a colleague: in their own zone, on the day of the reader; two parts of a day, and none on a weekend', () => {
  const monday = '2027-03-15'
  assert.deepEqual(spans('Europe/Berlin', monday, 'Europe/Berlin'), [
    ['2027-03-15T08:00:00.000Z', '2027-03-15T16:00:00.000Z'],
  ])
  assert.deepEqual(spans(null, monday, 'America/New_York'), [['2027-03-15T13:00:00.000Z', '2027-03-15T21:00:00.000Z']])
  assert.deepEqual(spans('Europe/Berlin', '2027-03-14', 'Europe/Berlin'), [])
  // Tuesday in Auckland begins on Monday in New York, and Monday there on Sunday
  assert.deepEqual(spans('Pacific/Auckland', monday, 'America/New_York'), [
    ['2027-03-15T20:00:00.000Z', '2027-03-16T04:00:00.000Z'],
  ])
})

test('clashes: another interview is named before hours, and the interview that is moved is none', () => {
  const span = { from: Date.parse('2027-03-15T09:00:00Z'), to: Date.parse('2027-03-15T10:00:00Z') }
  const on = { zone: 'Europe/Berlin', leftOut: undefined }
  const busy = person('Europe/Berlin', [['2027-03-15T09:30:00Z', '2027-03-15T10:30:00Z']])
  assert.deepEqual(
    clashesAt([busy], span, on).map(({ kind }) => kind),
    ['overlap'],
  )
  assert.deepEqual(clashesAt([busy], span, { ...on, leftOut: 'i0' }), [])
  assert.deepEqual(
    clashesAt([person('America/New_York')], span, on).map(({ kind }) => kind),
    ['outside'],
  )
  const after = person('Europe/Berlin', [['2027-03-15T10:00:00Z', '2027-03-15T11:00:00Z']])
  assert.deepEqual(clashesAt([after], span, on), [])
})
