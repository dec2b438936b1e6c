import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, dayOf, parseDate, parseTime, weekdayOf } from '../../web/ui/parse-date.ts'

/** A Thursday. */
const TODAY = '2026-11-19'

test('dates as people type them: the same day in English and in German, numbers day first', () => {
  for (const [typed, day] of [
    ['20 Nov', '2026-11-20'],
    ['20. November', '2026-11-20'],
    ['20 november 2027', '2027-11-20'],
    ['Nov 20', '2026-11-20'],
    ['November 20, 2027', '2027-11-20'],
    ['20.11.', '2026-11-20'],
    ['20.11', '2026-11-20'],
    ['20.11.26', '2026-11-20'],
    ['20.11.2026', '2026-11-20'],
    ['20/11/2026', '2026-11-20'],
    ['2026-11-20', '2026-11-20'],
    ['3 März', '2027-03-03'],
    ['3. maerz', '2027-03-03'],
    ['1 Mai', '2027-05-01'],
    ['1 Dez', '2026-12-01'],
    ['1 dec', '2026-12-01'],
    ['today', TODAY],
    ['heute', TODAY],
    ['tomorrow', '2026-11-20'],
    [' Morgen ', '2026-11-20'],
    ['übermorgen', '2026-11-21'],
    ['yesterday', '2026-11-18'],
    ['+3', '2026-11-22'],
    ['+2w', '2026-12-03'],
    ['-1', '2026-11-18'],
    ['Friday', '2026-11-20'],
    ['fr', '2026-11-20'],
    ['Do.', '2026-11-26'],
    ['thu', '2026-11-26'],
    ['montag', '2026-11-23'],
  ] as const)
    assert.equal(parseDate(typed, TODAY), day, typed)
})

test('dates as people type them: without a year the next such day, with `past` the last one', () => {
  assert.equal(parseDate('19 Nov', TODAY), TODAY)
  assert.equal(parseDate('18.11.', TODAY), '2027-11-18')
  assert.equal(parseDate('18.11.', TODAY, { past: true }), '2026-11-18')
  assert.equal(parseDate('20.11.', TODAY, { past: true }), '2025-11-20')
  assert.equal(parseDate('29 Feb', TODAY), '2028-02-29')
  assert.equal(parseDate('Friday', TODAY, { past: true }), '2026-11-13')
})

test('dates as people type them: what is none is undefined', () => {
  for (const typed of ['', 'x', '31.2.', '0.1.', '32.1.2026', '2026-02-30', '20 Foo', '1.13.', '20', '1.1.1066', '++3'])
    assert.equal(parseDate(typed, TODAY), undefined, typed)
  assert.equal(parseDate('constructor', TODAY), undefined)
})

test('dates as people type them: every day of four years is found again from each form', () => {
  const formats = ['en-GB', 'de-DE', 'en-US'].flatMap(locale =>
    (['short', 'long'] as const).map(
      month => new Intl.DateTimeFormat(locale, { day: 'numeric', month, year: 'numeric', timeZone: 'UTC' }),
    ),
  )
  for (let n = 0, day = '2026-01-01'; n < 1461; n++, day = addDays(day, 1)) {
    const [year, month, date] = day.split('-').map(Number) as [number, number, number]
    assert.equal(dayOf(year, month, date), day)
    for (const typed of [day, `${date}.${month}.${year}`, `${date}/${month}/${year}`])
      assert.equal(parseDate(typed, TODAY), day, typed)
    for (const format of formats) {
      const typed = format.format(new Date(day))
      assert.equal(parseDate(typed, TODAY), day, typed)
    }
    assert.equal(weekdayOf(day), (weekdayOf('2026-01-01') + n) % 7)
  }
})

test('times as people type them', () => {
  for (const [typed, time] of [
    ['9', '09:00'],
    ['930', '09:30'],
    ['0930', '09:30'],
    ['9:30', '09:30'],
    ['9.30', '09:30'],
    ['14 Uhr', '14:00'],
    ['2pm', '14:00'],
    ['12 am', '00:00'],
    ['12:15 pm', '12:15'],
    ['23:59', '23:59'],
    ['24:00', undefined],
    ['9:60', undefined],
    ['13 pm', undefined],
    ['noon', undefined],
    ['', undefined],
  ] as const)
    assert.equal(parseTime(typed), time, typed)
})
