import { shown } from '../../ui/language.ts'
import { addDays, type Day, weekdayOf } from '../../ui/parse-date.ts'
import { dayOfReader } from '../../ui/time.tsx'
import type { Body, Read } from '../api.ts'
import { clockText, minutesOf, momentOf, wallAt } from './zoned-time.ts'

export type InterviewPanel = Read<'/applications/{application}/interviews'>
export type Interview = InterviewPanel['interviews'][number]
export type Kind = Interview['kind']
type Plan = Body<'/applications/{application}/interviews'>
type Edit = Body<'/applications/{application}/interviews/{interview}'>

export const KINDS = ['video', 'onsite', 'phone'] as const satisfies readonly Kind[]
export const LENGTHS = [15, 30, 45, 60, 90, 120, 180, 240] as const
/** As the service has them. */
export const MAX_OFFERED_TIMES = 10
export const CHOICE_HOURS = 12

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const SATURDAY = 5

/** What was entered in the dialog. */
export interface PlanDraft {
  /** the id of the new interview: what is sent twice is planned once */
  id: string
  mode: 'fixed' | 'offer'
  kind: Kind
  title: string
  day: Day
  /** `09:30`, or empty */
  time: string
  minutes: number
  zone: string
  people: string[]
  place: string
  link: string
  forCandidate: string
  forTeam: string
  /** beginnings of offered times, in milliseconds */
  offered: number[]
  invites: boolean
  moves: boolean
}

/** That of the account, else of the browser. */
export const readerZone = (): string => shown.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone

/** The day after this one that is not on a weekend. */
export function nextWorkday(today: Day): Day {
  const next = addDays(today, 1)
  const weekday = weekdayOf(next)
  return weekday < SATURDAY ? next : addDays(next, 7 - weekday)
}

const HEX_OF = (byte: number): string => byte.toString(16).padStart(2, '0')

/** Not `randomUUID`, which browsers have on encrypted pages alone. */
function newUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) % 16) | 0x40
  bytes[8] = ((bytes[8] ?? 0) % 64) | 0x80
  const hex = [...bytes].map(HEX_OF).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

export const emptyPlan = (): PlanDraft => ({
  id: newUuid(),
  mode: 'fixed',
  kind: 'video',
  title: '',
  day: nextWorkday(dayOfReader(new Date())),
  time: '',
  minutes: 60,
  zone: readerZone(),
  people: [],
  place: '',
  link: '',
  forCandidate: '',
  forTeam: '',
  offered: [],
  invites: true,
  moves: true,
})

/** An interview as the dialog that moves it begins. */
export function planFrom(interview: Interview): PlanDraft {
  const { kind, time_zone: zone, starts_at, ends_at, times } = interview
  const span = starts_at !== null && ends_at !== null ? { starts_at, ends_at } : times[0]
  const begins = starts_at === null ? undefined : wallAt(Date.parse(starts_at), zone)
  return {
    ...emptyPlan(),
    mode: starts_at === null ? 'offer' : 'fixed',
    kind,
    zone,
    title: interview.title ?? '',
    place: interview.place ?? '',
    link: interview.meeting_url ?? '',
    forCandidate: interview.candidate_text ?? '',
    forTeam: interview.internal_text ?? '',
    people: interview.people.map(({ id }) => id),
    ...(begins && { day: begins.day, time: clockText(begins.minutes) }),
    ...(span && { minutes: (Date.parse(span.ends_at) - Date.parse(span.starts_at)) / MINUTE_MS }),
    offered: times.map(time => Date.parse(time.starts_at)).filter(at => at > Date.now()),
    invites: interview.invites_candidate,
    moves: false,
  }
}

/** The moment of the fields Day and Time; undefined while they are not filled in. */
export const enteredMoment = ({ day, time, zone }: Pick<PlanDraft, 'day' | 'time' | 'zone'>): number | undefined =>
  day === '' || time === '' ? undefined : momentOf({ day, minutes: minutesOf(time) }, zone)

/** The offered times with the one that was typed last, in their order. */
export function offeredTimes(draft: PlanDraft): number[] {
  const typed = enteredMoment(draft)
  const all = typed === undefined ? draft.offered : [...draft.offered, typed]
  return [...new Set(all)].toSorted((a, b) => a - b)
}

/** Every time that is planned: the fixed one, or the offered ones. */
export function plannedTimes(draft: PlanDraft): number[] {
  if (draft.mode === 'offer') return offeredTimes(draft)
  const at = enteredMoment(draft)
  return at === undefined ? [] : [at]
}

/** Whether a time can be planned at all: an offered one can be chosen until half a day before it. */
export const isAhead = (at: number, mode: PlanDraft['mode']): boolean =>
  at > Date.now() + (mode === 'offer' ? CHOICE_HOURS * HOUR_MS : 0)

const textOf = (text: string): string | null => text.trim() || null

/** People copy addresses without their beginning. */
function linkOf(text: string): string | null {
  const link = text.trim()
  return link === '' ? null : /^[a-z]+:\/\//i.test(link) ? link : `https://${link}`
}

/** What the service is sent; undefined while something is missing. */
function sharedPlan(draft: PlanDraft) {
  const times = plannedTimes(draft)
  const [first] = times
  if (first === undefined || times.length > MAX_OFFERED_TIMES) return undefined
  if (times.some(at => !isAhead(at, draft.mode))) return undefined
  const spans = times.map(at => ({
    starts_at: new Date(at).toISOString(),
    ends_at: new Date(at + draft.minutes * MINUTE_MS).toISOString(),
  }))
  const [fixed] = spans
  return {
    kind: draft.kind,
    title: textOf(draft.title),
    time_zone: draft.zone,
    place: textOf(draft.place),
    meeting_url: linkOf(draft.link),
    candidate_text: textOf(draft.forCandidate),
    internal_text: textOf(draft.forTeam),
    interviewer_user_ids: draft.people,
    ...(draft.mode === 'offer' ? { slots: spans } : fixed),
  }
}

export function buildPlan(draft: PlanDraft, moveTo: string | undefined): Plan | undefined {
  const plan = sharedPlan(draft)
  if (!plan) return undefined
  return {
    id: draft.id,
    ...plan,
    ...(draft.mode === 'fixed' ? { invite_candidate: draft.invites } : {}),
    ...(draft.moves && moveTo !== undefined ? { move_to: moveTo } : {}),
  }
}

export function buildEdit(draft: PlanDraft, before: Interview): Edit | undefined {
  const plan = sharedPlan(draft)
  return plan && { ...plan, expected_updated_at: before.updated_at }
}

/** An interview as it was, for Undo. */
export function asBefore(before: Interview, changedAt: string): Edit {
  const { kind, title, place, meeting_url, candidate_text, internal_text, time_zone, starts_at, ends_at } = before
  const slots = before.times
    .filter(({ open }) => open)
    .map(time => ({ starts_at: time.starts_at, ends_at: time.ends_at }))
  return {
    ...{ kind, title, place, meeting_url, candidate_text, internal_text, time_zone },
    interviewer_user_ids: before.people.map(({ id }) => id),
    ...(starts_at !== null && ends_at !== null ? { starts_at, ends_at } : slots.length > 0 ? { slots } : {}),
    expected_updated_at: changedAt,
  }
}
