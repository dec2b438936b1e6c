import type { EventType } from '../../contract/events.ts'
import { ApiError, fail } from '../../kernel/errors/api-error.ts'
import type { InputFault } from '../../kernel/http/faults.ts'
import { editDistance } from '../../kernel/nearest.ts'
import type { JobFields, PushBody } from './fields.ts'
import type { JobStatus } from './shape.ts'

/**
 * The life of a job. It begins as a draft. Publishing makes it public, unpublishing takes it back to draft; closing
 * ends a public job, reopening makes a closed one public again. A draft is never closed and a closed job never becomes
 * a draft. A move to where the job is already changes nothing and is no error; any other is refused. Nothing becomes
 * public that `gapsOf` finds wanting. `published_at` is set by publishing, cleared by unpublishing, and kept by closing
 * and reopening: a job that was closed for a while is the same posting.
 */
export interface Transition {
  from: JobStatus
  to: JobStatus
  event: EventType
  verb: string
}

export const TRANSITIONS = {
  publish: { from: 'draft', to: 'published', event: 'job.published', verb: 'published' },
  unpublish: { from: 'published', to: 'draft', event: 'job.unpublished', verb: 'unpublished' },
  close: { from: 'published', to: 'closed', event: 'job.closed', verb: 'closed' },
  reopen: { from: 'closed', to: 'published', event: 'job.reopened', verb: 'reopened' },
} as const satisfies Record<string, Transition>

export type TransitionName = keyof typeof TRANSITIONS

export interface ReadinessRow {
  param: string
  message: string
}

/** What readiness is judged by. */
export interface PublishReadiness extends Pick<JobFields, 'title' | 'summary' | 'description_md'> {
  open_stages: number
  close_at_passed: boolean
}

const blank = (text: string | null) => text === null || text.trim() === ''

/** What keeps a job from being public. */
export function publishBlockers(job: PublishReadiness): ReadinessRow[] {
  const gaps: ReadinessRow[] = []
  if (blank(job.title)) gaps.push({ param: 'title', message: 'is blank' })
  if (blank(job.summary) && blank(job.description_md)) {
    gaps.push({ param: 'content', message: 'needs a summary or a description' })
  }
  if (job.open_stages === 0) gaps.push({ param: 'pipeline_stages', message: 'has no stage that is not final' })
  if (job.close_at_passed) gaps.push({ param: 'close_at', message: 'lies in the past' })
  return gaps
}

/** What would make a posting better and keeps nothing back. */
export function publishHints(job: JobFields): ReadinessRow[] {
  const hints: ReadinessRow[] = []
  const hint = (missing: boolean, param: string, message: string) => {
    if (missing) hints.push({ param, message })
  }
  hint(job.department === null, 'department', 'is not given')
  hint(job.employment_type === null, 'employment_type', 'is not given')
  hint(job.location_type === null, 'location_type', 'is not given')
  hint(job.location_type !== 'remote' && job.locations.length === 0, 'locations', 'names no place')
  hint(job.salary_min === null && job.salary_max === null, 'compensation', 'gives no salary')
  hint(blank(job.summary), 'content.summary', 'is what lists show, and is missing')
  hint(blank(job.description_md), 'content.description_md', 'is missing')
  hint(job.skills_required.length === 0, 'content.skills_required', 'is empty: applications cannot be matched')
  hint(
    job.years_min !== null && job.years_max !== null && job.years_max < job.years_min,
    'years_max',
    'is below years_min',
  )
  hint(
    !job.accept_applications && job.external_apply_url === null,
    'accept_applications',
    'is off and there is no external_apply_url: nobody can apply',
  )
  return hints
}

/** The call that takes a job out of a status in which a move was refused. */
const INSTEAD: Readonly<Record<JobStatus, string>> = {
  draft: 'Publish it first: POST /jobs/{job_handle}/publish.',
  published: 'Close or unpublish it first: POST /jobs/{job_handle}/close or POST /jobs/{job_handle}/unpublish.',
  closed: 'Reopen it first: POST /jobs/{job_handle}/reopen.',
}

type Movable = PublishReadiness & { status: JobStatus; id: string }

/** Whether a move changes anything; throws where it cannot be made. */
export function checkTransition(move: Transition, job: Movable): boolean {
  if (job.status === move.to) return false
  if (job.status !== move.from) {
    const instead = INSTEAD[job.status].replaceAll('{job_handle}', job.id)
    fail('invalid_job_transition', { message: `A job that is ${job.status} cannot be ${move.verb}. ${instead}` })
  }
  if (move.to !== 'published') return true
  const gaps = publishBlockers(job)
  if (gaps.length > 0) {
    const { param, message } = gaps[0]!
    fail('job_not_publishable', { param, message: `The job cannot be published: ${param} ${message}.`, errors: gaps })
  }
  return true
}

/** The move that a push asks for. */
export const pushedTransition = (body: PushBody): Transition | undefined =>
  body.publish ? TRANSITIONS.publish : body.status === 'closed' ? TRANSITIONS.close : undefined

/** The same decision for a push, which stores its fields whatever becomes of the move. */
export function attemptTransition(move: Transition | undefined, job: Movable): Transition | ApiError | undefined {
  if (!move) return undefined
  try {
    return checkTransition(move, job) ? move : undefined
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

/** Drafts need an opt-in, so that they are not made public by mistake. */
export const statusFaults = (wanted: readonly JobStatus[] | undefined, unpublished: boolean): InputFault[] =>
  wanted?.includes('draft') && !unpublished
    ? [{ param: 'status', message: 'draft needs include_unpublished=true', code: 'unpublished_requires_opt_in' }]
    : []

/** The statuses a list shows. */
export const shownStatuses = (wanted: readonly JobStatus[] | undefined, unpublished: boolean): readonly JobStatus[] =>
  wanted ?? (unpublished ? ['draft', 'published', 'closed'] : ['published', 'closed'])

const SLUG_LENGTH = 60

/**
 * A readable name for an address: letters and digits of any script, joined by hyphens. Accents of Latin, Greek and
 * Cyrillic letters go; the marks of other scripts are vowels and tones, without which the words are others.
 */
export function slugOf(title: string): string {
  const plain = title
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\p{Join_Control}\p{Variation_Selector}]+/gu, '')
    .toLowerCase()
    .normalize('NFC')
  const joined = plain.match(/[\p{L}\p{N}][\p{L}\p{N}\p{Mn}\p{Mc}]*/gu)?.join('-') ?? ''
  const cut = [...joined].slice(0, SLUG_LENGTH).join('')
  return cut.replace(/-$/, '') || 'job'
}

/** A word that some job of the workspace has used. */
export interface KnownWord {
  word: string
  lexeme: string
}

/** A word of a search. */
export interface SearchWord extends KnownWord {
  /** too common in English to say anything */
  stop: boolean
  number: boolean
  /** stems of the known words that begin with it or share its stem */
  stems: readonly string[]
}

/** Beyond this many stems the store is asked for the beginning itself. */
export const MAX_STEMS = 20

/** Words of a search that count, those that say something before the others. */
export const MAX_WORDS = 8

/** With fewer letters a beginning is asked of the store itself, and nothing is taken for a misspelling. */
const KNOWN_LENGTH = 3

/** Words nobody has used: they may be misspelt. Short ones and numbers are meant as they are. */
export const isUnknown = (word: SearchWord): boolean => word.stems.length === 0

/**
 * The query for the words of `q`: each must occur, in any of its forms, as the beginning of a word, or, where nothing
 * is known of it, as the known words nearest to it. undefined: nothing can match.
 */
export function searchQuery(words: readonly SearchWord[], alike: ReadonlyMap<string, readonly KnownWord[]>) {
  const asked = askedWords(words)
  if (asked.length === 0) return undefined
  return asked.map(word => wordQuery(word, alike.get(word.word))).join(' & ')
}

/** Stop words count only where there is nothing else. */
export function askedWords(words: readonly SearchWord[]): readonly SearchWord[] {
  const telling = words.filter(word => !word.stop)
  return telling.length > 0 ? telling : words
}

/** The query for one word. Stems differ from the words they are of, so a beginning is asked for beside them. */
export function wordQuery({ word, lexeme, number, stems }: SearchWord, alike: readonly KnownWord[] = []): string {
  const short = word.length < KNOWN_LENGTH && !number
  if (short || stems.length > MAX_STEMS) {
    const others = stems.filter(stem => !stem.startsWith(word))
    return `(${[`${quoted(word)}:*`, ...others.map(quoted)].join(' | ')})`
  }
  const meant = [...new Set([...stems, ...nearest(word, alike)])]
  return `(${(meant.length > 0 ? meant : [lexeme]).map(quoted).join(' | ')})`
}

/** Whether another word may have been meant, if no job has this one. */
export const mayBeMisspelt = ({ word, number }: SearchWord): boolean => word.length >= KNOWN_LENGTH && !number

const quoted = (lexeme: string) => `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

/** Stems of the candidates with the fewest typing mistakes, if few enough: one in a short word, two in a longer one. */
export function nearest(word: string, candidates: readonly KnownWord[]): string[] {
  const most = [...word].length <= 5 ? 1 : 2
  const measured = candidates.map(({ word: other, lexeme }) => ({ lexeme, mistakes: editDistance(word, other, most) }))
  const least = Math.min(most, ...measured.map(m => m.mistakes))
  return [...new Set(measured.filter(m => m.mistakes === least).map(m => m.lexeme))]
}
