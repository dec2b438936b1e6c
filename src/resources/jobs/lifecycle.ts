import type { EventType } from '../../contract/events.ts'
import { ApiError, fail } from '../../kernel/errors/api-error.ts'
import type { InputFault } from '../../kernel/http/faults.ts'
import type { JobFields, PushBody } from './fields.ts'
import type { JobStatus } from './shape.ts'

/**
 * The life cycle of a job. It begins as a draft. Publishing makes it public, unpublishing returns it to draft; closing
 * ends a public job, reopening makes a closed one public again. A draft is never closed and a closed job never becomes
 * a draft. A transition to the status that the job has changes nothing and is no error; any other is refused. A job with
 * `publishBlockers` does not become public. `published_at` is set by publishing, cleared by unpublishing, and unchanged
 * by closing and reopening: a job that was closed for a while is the same posting.
 */
export interface Transition {
  from: JobStatus
  to: JobStatus
  event: EventType
  verb: 'published' | 'unpublished' | 'closed' | 'reopened'
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

/** What decides whether a job can be published. */
export interface PublishReadiness extends Pick<JobFields, 'title' | 'summary' | 'description_md'> {
  non_terminal_stages: number
  close_at_passed: boolean
}

const blank = (text: string | null) => text === null || text.trim() === ''

/** What prevents a job from being published. */
export function publishBlockers(job: PublishReadiness): ReadinessRow[] {
  const blockers: ReadinessRow[] = []
  if (blank(job.title)) blockers.push({ param: 'title', message: 'is blank' })
  if (blank(job.summary) && blank(job.description_md)) {
    blockers.push({ param: 'content', message: 'needs a summary or a description' })
  }
  if (job.non_terminal_stages === 0)
    blockers.push({ param: 'pipeline_stages', message: 'needs at least one stage that is not final' })
  if (job.close_at_passed) blockers.push({ param: 'close_at', message: 'is in the past' })
  return blockers
}

/** What would improve a posting and does not prevent publishing. */
export function publishHints(job: JobFields): ReadinessRow[] {
  const hints: ReadinessRow[] = []
  const hint = (missing: boolean, param: string, message: string) => {
    if (missing) hints.push({ param, message })
  }
  hint(job.department === null, 'department', 'is missing')
  hint(job.employment_type === null, 'employment_type', 'is missing')
  hint(job.location_type === null, 'location_type', 'is missing')
  hint(job.location_type !== 'remote' && job.locations.length === 0, 'locations', 'is missing')
  hint(job.salary_min === null && job.salary_max === null, 'compensation', 'has no salary')
  hint(blank(job.summary), 'content.summary', 'is missing; lists show it')
  hint(blank(job.description_md), 'content.description_md', 'is missing')
  hint(job.skills_required.length === 0, 'content.skills_required', 'is empty, so applications cannot be matched')
  hint(
    job.years_min !== null && job.years_max !== null && job.years_max < job.years_min,
    'years_max',
    'is less than years_min',
  )
  hint(
    !job.accept_applications && job.external_apply_url === null,
    'accept_applications',
    'is off and there is no external_apply_url: candidates cannot apply',
  )
  return hints
}

/** The call that leaves a status in which a transition was refused. */
const INSTEAD: Readonly<Record<JobStatus, string>> = {
  draft: 'Publish it first: POST /jobs/{job_handle}/publish.',
  published: 'Close or unpublish it first: POST /jobs/{job_handle}/close or POST /jobs/{job_handle}/unpublish.',
  closed: 'Reopen it first: POST /jobs/{job_handle}/reopen.',
}

type TransitionInput = PublishReadiness & { status: JobStatus; id: string }

/** Whether a transition changes anything; throws if it is not allowed. */
export function checkTransition(transition: Transition, job: TransitionInput): boolean {
  if (job.status === transition.to) return false
  if (job.status !== transition.from) {
    const instead = INSTEAD[job.status].replaceAll('{job_handle}', job.id)
    fail('invalid_job_transition', { message: `A ${job.status} job cannot be ${transition.verb}. ${instead}` })
  }
  if (transition.to !== 'published') return true
  const blockers = publishBlockers(job)
  if (blockers.length > 0) {
    const { param, message } = blockers[0]!
    fail('job_not_publishable', {
      param,
      message: `The job cannot be published: ${param} ${message}.`,
      errors: blockers,
    })
  }
  return true
}

/** The transition that a push requests. */
export const pushedTransition = (body: PushBody): Transition | undefined =>
  body.publish ? TRANSITIONS.publish : body.status === 'closed' ? TRANSITIONS.close : undefined

/** The same decision for a push, which stores its fields even if the transition is refused. */
export function attemptTransition(
  transition: Transition | undefined,
  job: TransitionInput,
): Transition | ApiError | undefined {
  if (!transition) return undefined
  try {
    return checkTransition(transition, job) ? transition : undefined
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

/** Drafts need an opt-in, so that a partner does not show them by mistake. */
export const statusFaults = (wanted: readonly JobStatus[] | undefined, unpublished: boolean): InputFault[] =>
  wanted?.includes('draft') && !unpublished
    ? [{ param: 'status', message: 'draft needs include_unpublished=true', code: 'unpublished_requires_opt_in' }]
    : []

/** The statuses a list shows. */
export const shownStatuses = (wanted: readonly JobStatus[] | undefined, unpublished: boolean): readonly JobStatus[] =>
  wanted ?? (unpublished ? ['draft', 'published', 'closed'] : ['published', 'closed'])
