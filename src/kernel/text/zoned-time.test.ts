import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endOfDay } from './zoned-time.ts'

const iso = (at: number) => new Date(at).toISOString()
const at = (text: string) => Date.parse(text)

test('endOfDay: the midnight that ends the day of an instant in a zone', () => {
  assert.equal(iso(endOfDay('Europe/Berlin', at('2026-03-29T00:30:00Z'))), '2026-03-29T22:00:00.000Z')
  assert.equal(iso(endOfDay('America/New_York', at('2026-11-19T04:59:00Z'))), '2026-11-19T05:00:00.000Z')
  assert.equal(iso(endOfDay('UTC', at('2026-11-19T00:00:00Z'))), '2026-11-20T00:00:00.000Z')
})
