import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endOfDay, nextWeekday } from './zoned-time.ts'

const iso = (at: number) => new Date(at).toISOString()
const at = (text: string) => Date.parse(text)

test('nextWeekday: 8:00 on the clocks of a zone, also after they change; the next Monday after a Friday', () => {
  // Friday; clocks in Berlin change on Sunday 29 March 2026
  assert.equal(iso(nextWeekday('Europe/Berlin', 8, at('2026-03-27T06:59:59Z'))), '2026-03-27T07:00:00.000Z')
  assert.equal(iso(nextWeekday('Europe/Berlin', 8, at('2026-03-27T07:00:00Z'))), '2026-03-30T06:00:00.000Z')
  assert.equal(iso(nextWeekday('America/New_York', 8, at('2026-03-28T12:00:00Z'))), '2026-03-30T12:00:00.000Z')
  assert.equal(iso(nextWeekday('Pacific/Auckland', 8, at('2026-11-15T18:59:00Z'))), '2026-11-15T19:00:00.000Z')
})

test('endOfDay: the midnight that ends the day of an instant in a zone', () => {
  assert.equal(iso(endOfDay('Europe/Berlin', at('2026-03-29T00:30:00Z'))), '2026-03-29T22:00:00.000Z')
  assert.equal(iso(endOfDay('America/New_York', at('2026-11-19T04:59:00Z'))), '2026-11-19T05:00:00.000Z')
  assert.equal(iso(endOfDay('UTC', at('2026-11-19T00:00:00Z'))), '2026-11-20T00:00:00.000Z')
})
