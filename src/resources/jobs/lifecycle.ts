import type { EventType } from '../../contract/events.ts'
import type { JobStatus } from '../../contract/job-status.ts'
import { type PublishReadiness, publishBlockers } from '../../contract/publish-readiness.ts'
import { ApiError, fail } from '../../kernel/errors/api-error.ts'
import type { InputFault } from '../../kernel/http/faults.ts'
import type { PushBody } from './fields.ts'

/**
 * The life cycle of a job. It begins as a draft. Publishing makes it public, unpublishing returns it to draft; closing
 * ends a public job, reopening makes a closed one public again. A draft is never closed and a closed job never becomes
 * a draft. A transition to the status that the job has changes nothing and is not an error; any other is refused. A job with
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
  const [first] = blockers
  if (first) {
    const { param, message } = first
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
