import { createHash } from 'node:crypto'
import type { InputFault } from '../../kernel/http/faults.ts'
import { lineFault } from '../../kernel/text/names.ts'
import { charactersIn } from '../../kernel/text/text.ts'
import type { RECOMMENDATIONS } from '../applications/shape.ts'

/** People whom one note can name. */
export const MAX_MENTIONS = 20
/** For so long the author of a note can change it. */
export const EDIT_MINUTES = 15
export const MAX_CRITERIA = 50
export const MAX_TAGS = 20
const TAG_LENGTH = 40
const CRITERION_LENGTH = 120

/** Days in a stage after which a candidate is waiting, until the workspace chooses others. */
export const DEFAULT_WAITING_DAYS = 7

export interface Criterion {
  name: string
  description: string | null
}

/** As a line of the job's history. */
export const criterionWords = ({ name, description }: Criterion): string =>
  description === null ? name : `${name}: ${description}`

/** What the reader of criteria has seen, so that a change of someone else in the meantime is noticed. */
export const criteriaVersion = (criteria: readonly Criterion[]): string =>
  createHash('sha256')
    .update(JSON.stringify(criteria.map(({ name, description }) => [name, description])))
    .digest('hex')
    .slice(0, 16)

/** Spaces at the ends and repeated ones mean nothing. */
const squeezed = (text: string): string => text.normalize('NFC').trim().replaceAll(/\s+/g, ' ')

/** Spellings of a name that count as the same. */
export const nameKey = (name: string): string => squeezed(name).toLowerCase()

export const cleanCriteria = (
  given: readonly { name: string; description?: string | null | undefined }[],
): Criterion[] =>
  given.map(({ name, description }) => ({ name: squeezed(name), description: description?.trim() || null }))

export function criteriaFaults(criteria: readonly Criterion[]): InputFault[] {
  const seen = new Set<string>()
  return criteria.flatMap(({ name }, i) => {
    const param = `criteria[${i}].name`
    const key = nameKey(name)
    if (key === '') return [{ param, message: 'must not be blank' }]
    if (charactersIn(name) > CRITERION_LENGTH)
      return [{ param, message: `must be at most ${CRITERION_LENGTH} characters` }]
    if (seen.has(key)) return [{ param, message: 'is in the list already' }]
    seen.add(key)
    return []
  })
}

/** A scorecard that is not submitted: what is not chosen yet is null. */
export interface CardDraft {
  recommendation: (typeof RECOMMENDATIONS)[number] | null
  summary: string
  ratings: { name: string; score: number | null; comment: string }[]
  /** questions of the kit that were asked, by their text */
  asked: string[]
}

export const MAX_KIT_QUESTIONS = 50
export const MAX_KIT_PEOPLE = 20
export const KIT_MINUTES = { least: 5, most: 480 } as const

export interface TagName {
  key: string
  name: string
}

export const tagName = (text: string): TagName => ({ key: nameKey(text), name: squeezed(text) })

/** Why a text cannot be a tag; undefined if it can. */
export function tagFault(text: string): string | undefined {
  const { name } = tagName(text)
  if (name === '') return 'must not be blank'
  if (charactersIn(name) > TAG_LENGTH) return `must be at most ${TAG_LENGTH} characters`
  return name.includes(',') ? 'must be without commas' : lineFault(name)
}

/**
 * Emails of a day to members, so that no one can flood a colleague. What exceeds a limit is in a summary, and in My tasks
 * like everything else.
 */
export const MAIL_LIMITS = {
  /** Limits emails of one kind from one member to another. */
  fromOneToOne: 20,
  /** Limits emails of one kind to one member. */
  toOne: 40,
  /** caused by one member */
  fromOne: 200,
  /** a summary collects for so long */
  summaryHours: 4,
} as const

/** Emails of the last 24 hours, counted by kind, receiver and the member who caused them. */
export interface RecentMails {
  kind: string
  user_id: string
  sent_by: string | null
  n: number
}

/** Who of the users gets an email as far as the limits allow. */
export function receiversWithin(
  { kind, by, users }: { kind: string; by: string; users: readonly string[] },
  recent: readonly RecentMails[],
): string[] {
  const sent = (counts: (row: RecentMails) => boolean) => recent.filter(counts).reduce((sum, { n }) => sum + n, 0)
  const left = MAIL_LIMITS.fromOne - sent(row => row.sent_by === by)
  return users
    .filter(
      user =>
        sent(row => row.user_id === user && row.kind === kind) < MAIL_LIMITS.toOne &&
        sent(row => row.user_id === user && row.kind === kind && row.sent_by === by) < MAIL_LIMITS.fromOneToOne,
    )
    .sort()
    .slice(0, Math.max(0, left))
}

/** Waits between attempts of an email, in seconds. After the last attempt it is given up; the task itself stays. */
const MAIL_RETRY_SECONDS = [60, 600, 3_600, 21_600] as const

/** How long after a failed attempt the next one follows; null: there is none. */
export const teamRetryDelay = (attempt: number): number | null => MAIL_RETRY_SECONDS[attempt - 1] ?? null
