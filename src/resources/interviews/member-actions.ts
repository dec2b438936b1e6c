import { randomBytes } from 'node:crypto'
import { sha256 } from '../../kernel/crypto/signing.ts'
import type { Database, Queryable } from '../../kernel/db/database.ts'
import { refuseIfAny } from '../../kernel/http/faults.ts'
import { isTimeZone } from '../../kernel/text/dates.ts'
import { DEFAULT_HOURS, hoursFaults, type Span, type WeeklyHours } from './rules.ts'
import { busySpans, calendarBySecret, deleteCalendarSecret, putCalendarSecret, putHours, selectHours } from './store.ts'

/** When a member can usually be planned for. `time_zone` is null until they have chosen one. */
export interface Hours {
  time_zone: string | null
  hours: WeeklyHours
}

const DEFAULTS: Hours = { time_zone: null, hours: DEFAULT_HOURS }

export async function readHours(db: Queryable, workspace: string, userId: string): Promise<Hours> {
  const [own] = await db.query(selectHours(workspace, [userId]))
  return own ? { time_zone: own.time_zone, hours: own.hours } : DEFAULTS
}

export async function setHours(
  db: Database,
  workspace: string,
  userId: string,
  { time_zone, hours }: { time_zone: string; hours: WeeklyHours },
): Promise<Hours> {
  refuseIfAny([
    ...(isTimeZone(time_zone) ? [] : [{ param: 'time_zone', message: 'must be an IANA time zone' }]),
    ...hoursFaults(hours),
  ])
  const stored = await db.only(putHours(workspace, userId, time_zone, hours))
  return { time_zone: stored.time_zone, hours: stored.hours }
}

/** When members can be planned for in a span of time, and what else they have. */
export interface Availability extends Hours {
  user_id: string
  busy: (Span & { interview_id: string })[]
}

export async function readAvailability(
  db: Queryable,
  workspace: string,
  users: readonly string[],
  { starts_at, ends_at }: Span,
): Promise<Availability[]> {
  const [hours, busy] = await Promise.all([
    db.query(selectHours(workspace, users)),
    db.query(busySpans(workspace, users, starts_at, ends_at)),
  ])
  return users.map(user_id => {
    const { time_zone, hours: own } = hours.find(row => row.user_id === user_id) ?? DEFAULTS
    const theirs = busy.filter(row => row.user_id === user_id)
    return {
      user_id,
      time_zone,
      hours: own,
      busy: theirs.map(({ interview_id, starts_at, ends_at }) => ({ interview_id, starts_at, ends_at })),
    }
  })
}

const hashOf = (secret: string): string => sha256(secret).toString('hex')

/** Another address replaces the one before, which then opens nothing. The secret is returned once: only its hash is stored. */
export async function renewCalendarSecret(db: Database, workspace: string, userId: string): Promise<string> {
  const secret = randomBytes(24).toString('base64url')
  await db.query(putCalendarSecret(workspace, userId, hashOf(secret)))
  return secret
}

export const endCalendar = async (db: Database, workspace: string, userId: string): Promise<void> => {
  await db.query(deleteCalendarSecret(workspace, userId))
}

/** Whose calendar a secret opens; undefined: none. */
export const findCalendar = (db: Queryable, secret: string) => db.one(calendarBySecret(hashOf(secret)))
