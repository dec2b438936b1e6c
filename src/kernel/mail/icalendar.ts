import { createHash } from 'node:crypto'

/**
 * Calendar files (RFC 5545) and what invitations need of them (RFC 5546). Times are in UTC, so a file needs no rules of time
 * zones: an entry happens once.
 */
export interface CalendarEntry {
  /** the same for ever: programs find the entry of an earlier email by it */
  uid: string
  /** one more for each change that people have to notice */
  sequence: number
  startsAt: string
  endsAt: string
  summary: string
  description?: string
  location?: string
  url?: string
  organizer: CalendarPerson & { sentBy?: string }
  attendee?: CalendarPerson
  isCanceled: boolean
}

export interface CalendarPerson {
  name?: string
  address: string
}

/** REQUEST invites and changes, CANCEL removes; a PUBLISHed calendar is only read. */
export type CalendarMethod = 'REQUEST' | 'CANCEL' | 'PUBLISH'

/** `stampedAt`: when the file is written, in milliseconds since the epoch. */
export function writeCalendar(
  method: CalendarMethod,
  entries: readonly CalendarEntry[],
  { stampedAt, name }: { stampedAt: number; name?: string },
): string {
  const stamp = utc(new Date(stampedAt).toISOString())
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Hiring Partner//Interviews//EN',
    'CALSCALE:GREGORIAN',
    `METHOD:${method}`,
    ...(name === undefined ? [] : [`X-WR-CALNAME:${escapeText(name)}`]),
    ...entries.flatMap(entry => writeEntry(entry, stamp)),
    'END:VCALENDAR',
  ]
  return `${lines.map(fold).join('\r\n')}\r\n`
}

function writeEntry(entry: CalendarEntry, stamp: string): string[] {
  const { organizer, attendee } = entry
  const sentBy = organizer.sentBy === undefined ? '' : `;SENT-BY="mailto:${organizer.sentBy}"`
  return [
    'BEGIN:VEVENT',
    `UID:${escapeText(entry.uid)}`,
    `SEQUENCE:${entry.sequence}`,
    `DTSTAMP:${stamp}`,
    `DTSTART:${utc(entry.startsAt)}`,
    `DTEND:${utc(entry.endsAt)}`,
    `SUMMARY:${escapeText(entry.summary)}`,
    ...(entry.description ? [`DESCRIPTION:${escapeText(entry.description)}`] : []),
    ...(entry.location ? [`LOCATION:${escapeText(entry.location)}`] : []),
    ...(entry.url === undefined ? [] : [`URL:${entry.url}`]),
    `ORGANIZER${commonName(organizer)}${sentBy}:mailto:${organizer.address}`,
    ...(attendee
      ? [
          `ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE${commonName(attendee)}:mailto:${attendee.address}`,
        ]
      : []),
    `STATUS:${entry.isCanceled ? 'CANCELLED' : 'CONFIRMED'}`,
    'TRANSP:OPAQUE',
    'END:VEVENT',
  ]
}

/** `20270315T140000Z` */
const utc = (instant: string): string => new Date(instant).toISOString().replaceAll(/[-:]|\.\d{3}/g, '')

/** A parameter has no escapes: what ends it is replaced, and a backslash, which some readers take for an escape. */
const commonName = ({ name }: CalendarPerson): string => {
  const clean = (name ?? '')
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replaceAll('"', "'")
    .replaceAll('\\', '/')
    .trim()
  return clean === '' ? '' : `;CN="${clean}"`
}

/** RFC 5545, 3.3.11. No other control character can be in a file. */
const escapeText = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/\r\n?|\u2028|\u2029/g, '\n')
    .replaceAll(/(?![\t\n])\p{Cc}/gu, '')
    .replaceAll(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n')

const MAX_LINE_BYTES = 75

/** RFC 5545, 3.1: at most 75 bytes in a line; no character is cut. */
function fold(line: string): string {
  if (Buffer.byteLength(line) <= MAX_LINE_BYTES) return line
  const parts: string[] = []
  let part = ''
  let bytes = 0
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (bytes + size > MAX_LINE_BYTES) {
      parts.push(part)
      part = ' '
      bytes = 1
    }
    part += character
    bytes += size
  }
  return [...parts, part].join('\r\n')
}

/** A short name of what a calendar shows: who was notified the same needs no other email. */
export const calendarDigest = (shown: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(shown)).digest('base64url').slice(0, 22)
