import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import ICAL from 'ical.js'
import { type CalendarEntry, writeCalendar } from '../../src/kernel/mail/icalendar.ts'

const ENTRY: CalendarEntry = {
  uid: '1b4e28ba-2fa1-11d2-883f-0016d3cca427@hiring.test',
  sequence: 2,
  startsAt: '2027-03-15T14:00:00.000Z',
  endsAt: '2027-03-15T14:45:00.000Z',
  summary: 'Interview',
  organizer: { name: 'Devika Menondas', address: 'devika@acme.test', sentBy: 'jobs@acme.test' },
  attendee: { name: 'Olga Kensington', address: 'olga@people.test' },
  isCanceled: false,
}
const STAMPED = { stampedAt: Date.parse('2027-03-01T09:00:00Z') }

const read = (text: string) => new ICAL.Component(ICAL.parse(text) as unknown[])
const eventIn = (text: string) => read(text).getFirstSubcomponent('vevent')!

test('calendar file: an independent parser reads method, UID, SEQUENCE, times in UTC, organizer and attendee', () => {
  const text = writeCalendar('REQUEST', [ENTRY], STAMPED)
  const calendar = read(text)
  assert.deepEqual(
    ['version', 'method', 'calscale'].map(name => calendar.getFirstPropertyValue(name)),
    ['2.0', 'REQUEST', 'GREGORIAN'],
  )
  const event = new ICAL.Event(eventIn(text))
  assert.deepEqual([event.uid, event.sequence, event.summary], [ENTRY.uid, 2, 'Interview'])
  assert.equal(event.startDate.toJSDate().toISOString(), ENTRY.startsAt)
  assert.equal(event.endDate.toJSDate().toISOString(), ENTRY.endsAt)
  assert.equal(event.startDate.zone, ICAL.Timezone.utcTimezone)
  const organizer = event.component.getFirstProperty('organizer')!
  assert.deepEqual(
    [organizer.getFirstValue(), organizer.getParameter('cn'), organizer.getParameter('sent-by')],
    ['mailto:devika@acme.test', 'Devika Menondas', 'mailto:jobs@acme.test'],
  )
  const attendee = event.component.getFirstProperty('attendee')!
  assert.deepEqual(
    [attendee.getFirstValue(), attendee.getParameter('cn'), attendee.getParameter('rsvp')],
    ['mailto:olga@people.test', 'Olga Kensington', 'TRUE'],
  )
  assert.equal(String(event.component.getFirstPropertyValue('dtstamp')), '2027-03-01T09:00:00Z')
  assert.equal(event.component.getFirstPropertyValue('status'), 'CONFIRMED')
  const canceled = eventIn(writeCalendar('CANCEL', [{ ...ENTRY, isCanceled: true }], STAMPED))
  assert.equal(canceled.getFirstPropertyValue('status'), 'CANCELLED')
})

test('calendar file: lines end with CR LF and have at most 75 bytes, and no character is cut', () => {
  const summary = '🧑‍💻 Gespräch über Łódź, naïveté; "quotes" \\ and 日本語 '.repeat(20)
  const text = writeCalendar('REQUEST', [{ ...ENTRY, summary, description: summary }], STAMPED)
  assert.ok(text.endsWith('\r\n'))
  assert.ok(!/[^\r]\n|\r[^\n]/.test(text))
  for (const line of text.split('\r\n')) {
    assert.ok(Buffer.byteLength(line) <= 75, line)
    assert.ok(!Buffer.from(line).toString().includes('\ufffd'))
  }
  assert.equal(new ICAL.Event(eventIn(text)).summary, summary)
})

/** What a calendar can show of a text: without control characters, and with one kind of line break. */
const shown = (text: string) =>
  text
    .toWellFormed()
    .replaceAll(/\r\n?|\u2028|\u2029/g, '\n')
    .replaceAll(/(?![\t\n])\p{Cc}/gu, '')

test('calendar file: whatever the texts are, an independent parser reads them as they were written', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc.string({ unit: fc.constantFrom(...'\\;,:"\r\n\t BEGIN:END:VEVENT'), maxLength: 200 }),
  )
  fc.assert(
    fc.property(text, text, text, text, (summary, description, location, name) => {
      const entry = { ...ENTRY, summary, description, location, attendee: { name, address: 'olga@people.test' } }
      const file = writeCalendar('REQUEST', [entry], STAMPED)
      for (const line of file.split('\r\n')) assert.ok(Buffer.byteLength(line) <= 75)
      const calendar = read(file)
      assert.equal(calendar.getAllSubcomponents().length, 1)
      const event = calendar.getFirstSubcomponent('vevent')!
      assert.equal(event.getFirstPropertyValue('uid'), ENTRY.uid)
      assert.equal(event.getFirstPropertyValue('summary'), shown(summary))
      assert.equal(event.getFirstPropertyValue('description') ?? '', shown(description))
      assert.equal(event.getFirstPropertyValue('location') ?? '', shown(location))
      assert.equal(event.getFirstProperty('attendee')!.getFirstValue(), 'mailto:olga@people.test')
      assert.deepEqual(event.getAllProperties('attendee').length, 1)
    }),
    { numRuns: 120, examples: [['', '', '', '\\\\:']] },
  )
})
