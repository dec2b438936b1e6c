import type { ApplicationStatus } from '../../contract/application-status.ts'
import { isOpen } from '../../contract/application-status.ts'
import type { Keyring } from '../../kernel/crypto/signing.ts'
import { fail } from '../../kernel/errors/api-error.ts'
import type { InputFault } from '../../kernel/http/faults.ts'
import { calendarDigest } from '../../kernel/mail/icalendar.ts'
import type { SealedColumn } from '../../kernel/services/sealed-columns.ts'
import { lineFault } from '../../kernel/text/names.ts'
import type { InterviewKind, InterviewState, InterviewStatus } from './shape.ts'

/*
 * An interview is proposed, as times that the candidate can choose from, or scheduled. Offered times expire; a scheduled
 * interview is held once its end has passed. Both can be canceled. Someone who did not come is a no-show, which can be taken
 * back. Moving a scheduled interview leaves it scheduled.
 */

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

export const MAX_OFFERED_TIMES = 10
export const MAX_INTERVIEWERS = 20
/** Open interviews of one application: more is a mistake. */
export const MAX_OPEN_INTERVIEWS = 20
/** An offered time can be chosen until so long before it. */
export const CHOICE_HOURS = 12
/** Offered times can be chosen for so long. */
export const OFFER_DAYS = 14
const MIN_MINUTES = 5
const MAX_MINUTES = 12 * 60
/** Furthest ahead that an interview is planned. */
const MAX_DAYS_AHEAD = 400

export const DEFAULT_FEEDBACK_HOURS = 24
export const FEEDBACK_HOURS = { min: 4, max: 168 } as const

/** Seconds until an email about a change leaves, so that the change can be undone before anyone hears of it. */
export const UNDO_SECONDS = 10

export interface Span {
  starts_at: string
  ends_at: string
}

interface Timed {
  state: InterviewState
  starts_at: string | null
  ends_at: string | null
  offered_until: string | null
}

/** `now` and all times in milliseconds, so that texts of different precision compare. */
export function statusAt({ state, ends_at, offered_until }: Timed, now: number): InterviewStatus {
  if (state === 'scheduled') return ends_at !== null && Date.parse(ends_at) <= now ? 'held' : 'scheduled'
  if (state === 'proposed') return offered_until !== null && Date.parse(offered_until) <= now ? 'expired' : 'proposed'
  return state
}

/** From which statuses each change is made. */
const FROM = {
  choose: ['proposed'],
  offer: ['proposed', 'expired'],
  schedule: ['proposed', 'expired', 'scheduled'],
  edit: ['proposed', 'expired', 'scheduled'],
  cancel: ['proposed', 'expired', 'scheduled'],
  restore: ['canceled'],
  ask_to_move: ['scheduled'],
  mark_no_show: ['scheduled', 'held'],
  take_back_no_show: ['no_show'],
} as const satisfies Record<string, readonly InterviewStatus[]>

export type InterviewAct = keyof typeof FROM

export function isAllowed(act: InterviewAct, status: InterviewStatus): boolean {
  const allowed: readonly InterviewStatus[] = FROM[act]
  return allowed.includes(status)
}

const STATUS_WORDS: Readonly<Record<InterviewStatus, string>> = {
  proposed: 'waits for the choice of the candidate',
  scheduled: 'is planned',
  held: 'was held',
  no_show: 'did not take place: the candidate did not come',
  canceled: 'was canceled',
  expired: 'was not chosen in time',
}

/** Refuses what the status does not allow. */
export function requireAct(act: InterviewAct, status: InterviewStatus): void {
  if (!isAllowed(act, status)) fail('invalid_application_state', { message: `The interview ${STATUS_WORDS[status]}.` })
}

/** Interviews are planned with people who can still be decided about. */
export function requireOpenApplication(status: ApplicationStatus): void {
  if (!isOpen(status)) fail('invalid_application_state', { message: `The application is ${status}.` })
}

export const overlaps = (a: Span, b: Span): boolean =>
  Date.parse(a.starts_at) < Date.parse(b.ends_at) && Date.parse(b.starts_at) < Date.parse(a.ends_at)

/** What is wrong with a time, as rows of an error. `leadHours`: how far ahead it must begin. */
export function spanFaults(span: Span, now: number, at = '', leadHours = 0): InputFault[] {
  const [from, to] = [Date.parse(span.starts_at), Date.parse(span.ends_at)]
  if (from <= now + leadHours * HOUR_MS)
    return [
      {
        param: `${at}starts_at`,
        message: leadHours > 0 ? `must be more than ${leadHours} hours ahead` : 'must be in the future',
      },
    ]
  if (from > now + MAX_DAYS_AHEAD * DAY_MS)
    return [{ param: `${at}starts_at`, message: `must be at most ${MAX_DAYS_AHEAD} days ahead` }]
  const minutes = (to - from) / MINUTE_MS
  return minutes >= MIN_MINUTES && minutes <= MAX_MINUTES
    ? []
    : [
        {
          param: `${at}ends_at`,
          message: `must be ${MIN_MINUTES} minutes to ${MAX_MINUTES / 60} hours after starts_at`,
        },
      ]
}

/** Offered times are all ahead, and no two begin at the same time. */
export function offerFaults(slots: readonly Span[], now: number): InputFault[] {
  const seen = new Set<number>()
  return slots.flatMap((slot, i) => {
    const begins = Date.parse(slot.starts_at)
    const isRepeated = seen.has(begins)
    seen.add(begins)
    return isRepeated
      ? [{ param: `slots[${i}].starts_at`, message: 'is in the list already' }]
      : spanFaults(slot, now, `slots[${i}].`, CHOICE_HOURS)
  })
}

/** Until when one of the times can be chosen at all. */
export const offeredUntil = (slots: readonly Span[], now: number): string =>
  new Date(
    Math.min(
      now + OFFER_DAYS * DAY_MS,
      Math.max(...slots.map(slot => Date.parse(slot.starts_at))) - CHOICE_HOURS * HOUR_MS,
    ),
  ).toISOString()

/** Those of the offered times that can be chosen now. */
export const openTimes = <S extends Span>(slots: readonly S[], until: string | null, now: number): S[] =>
  until === null || Date.parse(until) <= now
    ? []
    : slots.filter(slot => Date.parse(slot.starts_at) - CHOICE_HOURS * HOUR_MS > now)

/** What is sealed: only people who may see the interview read it. */
export interface Details {
  title: string | null
  place: string | null
  meeting_url: string | null
  /** for the candidate, in the invitation and on their page */
  candidate_text: string | null
  /** for the interviewers alone */
  internal_text: string | null
}

export const NO_DETAILS: Details = {
  title: null,
  place: null,
  meeting_url: null,
  candidate_text: null,
  internal_text: null,
}

export const detailFaults = (details: Partial<Details>): InputFault[] =>
  (['title', 'place'] as const).flatMap(param => {
    const message = lineFault(details[param] ?? '')
    return message === undefined ? [] : [{ param, message }]
  })

/** The context of the sealed columns of an interview. */
export const sealContext = (workspace: string, id: string): string => `interview ${workspace} ${id}`

export interface SealedIn {
  workspace_id: string
  id: string
}

export const sealDetails = (keyring: Keyring, { workspace_id, id }: SealedIn, details: Details): Buffer =>
  keyring.seal(Buffer.from(JSON.stringify(details)), sealContext(workspace_id, id))

export const openDetails = (keyring: Keyring, row: SealedIn & { details_sealed: Buffer }): Details => ({
  ...NO_DETAILS,
  ...JSON.parse(keyring.unseal(row.details_sealed, sealContext(row.workspace_id, row.id)).toString()),
})

export const sealWords = (keyring: Keyring, { workspace_id, id }: SealedIn, words: string): Buffer =>
  keyring.seal(Buffer.from(words), sealContext(workspace_id, id))

export const openWords = (keyring: Keyring, row: SealedIn & { answer_sealed: Buffer | null }): string | null =>
  row.answer_sealed === null
    ? null
    : keyring.unseal(row.answer_sealed, sealContext(row.workspace_id, row.id)).toString()

/** What calendars show, except the texts about it. */
export interface Shown {
  kind: InterviewKind
  starts_at: string | null
  ends_at: string | null
  place: string | null
  meeting_url: string | null
}

/** Whether a change has to reach the entries in calendars under a new number. */
export const needsNewSequence = (before: Shown, after: Shown): boolean =>
  before.starts_at !== after.starts_at ||
  before.ends_at !== after.ends_at ||
  before.place !== after.place ||
  before.meeting_url !== after.meeting_url

/** What an invitation to interviewers says, as a digest. */
export const teamDigest = (shown: Shown, details: Details, people: readonly string[]): string =>
  calendarDigest(['team', ...shownValues(shown), details.title, details.internal_text, [...people].sort()])

/** What an invitation to the candidate says, as a digest. */
export const candidateDigest = (shown: Shown, details: Details, people: readonly string[]): string =>
  calendarDigest(['candidate', ...shownValues(shown), details.candidate_text, [...people].sort()])

/** What an offer of times says, as a digest. */
export const offerDigest = (slots: readonly Span[], details: Details): string =>
  calendarDigest(['offer', slots.map(slot => [slot.starts_at, slot.ends_at]), details.candidate_text])

export const CANCELED = 'canceled'

const shownValues = ({ kind, starts_at, ends_at, place, meeting_url }: Shown) => [
  kind,
  starts_at,
  ends_at,
  place,
  meeting_url,
]

/** The entry of an interview in every calendar. */
export const interviewUid = (id: string, publicUrl: string): string => `${id}@${new URL(publicUrl).host}`

/** `O. K.` */
export const initials = (first: string | null, last: string | null): string =>
  [first, last]
    .flatMap(name => {
      const [letter] = new Intl.Segmenter().segment((name ?? '').trim())
      return letter ? [`${letter.segment.toUpperCase()}.`] : []
    })
    .join(' ')

export const ANSWER_LENGTH = 2_000

/** Hours of a week, Monday first: of each day the times as minutes from midnight. */
export type WeeklyHours = readonly (readonly (readonly [from: number, to: number])[])[]

const OFFICE_DAY = [[9 * 60, 17 * 60]] as const
export const DEFAULT_HOURS: WeeklyHours = [OFFICE_DAY, OFFICE_DAY, OFFICE_DAY, OFFICE_DAY, OFFICE_DAY, [], []]

/** Each day has its times in order, and none of them overlap. */
export const hoursFaults = (hours: WeeklyHours): InputFault[] =>
  hours.flatMap((day, i) =>
    day.flatMap(([from, to], j) => {
      const after = day[j - 1]?.[1] ?? 0
      return from >= after && to > from
        ? []
        : [{ param: `hours[${i}][${j}]`, message: 'must begin after the one before and end after it begins' }]
    }),
  )

const sealedIn = (column: string): SealedColumn => ({
  table: 'interviews',
  column,
  identifiedBy: ['workspace_id', 'id'],
  context: row => sealContext(String(row['workspace_id']), String(row['id'])),
})

export const interviewSealedColumns: readonly SealedColumn[] = [sealedIn('details_sealed'), sealedIn('answer_sealed')]
