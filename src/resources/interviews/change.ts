import type { Keyring } from '../../kernel/crypto/signing.ts'
import type { Transaction } from '../../kernel/db/database.ts'
import { limitLockWait } from '../../kernel/db/locks.ts'
import { hasSqlState } from '../../kernel/db/sqlstate.ts'
import { fail } from '../../kernel/errors/api-error.ts'
import { present } from '../../kernel/errors/present.ts'
import { appendEvents } from '../../kernel/feed/append.ts'
import { isUuid } from '../../kernel/http/params.ts'
import { requireUnchanged } from '../shared/unchanged.ts'
import { lockSuppressionsShared } from '../suppressions/index.ts'
import { type Details, openDetails } from './rules.ts'
import {
  type InterviewChange,
  type InterviewedApplication,
  interviewById,
  interviewedApplication,
  lockInterview,
  lockInterviewedApplication,
  type StoredInterview,
  touchInterviewed,
  updateInterview,
} from './store.ts'

/** An application, and the member who does something about its interviews. */
export interface OnInterviews {
  workspace: string
  applicationId: string
  userId: string
}

/** An interview while its application is locked. */
export interface LockedInterview {
  interview: StoredInterview
  details: Details
  application: InterviewedApplication
  /** the database's time, in milliseconds */
  now: number
}

/** A change that hangs must not hold up the others. */
const LOCK_WAIT_MS = 3_000

/** undefined: there is no such application. Nothing is written about a person whose processing was stopped. */
export async function lockApplicationOf(
  tx: Transaction,
  { workspace, applicationId }: Pick<OnInterviews, 'workspace' | 'applicationId'>,
): Promise<InterviewedApplication | undefined> {
  // no one is excluded between the look at the person and the end of the transaction
  const [, , locked] = await Promise.all([
    tx.query(lockSuppressionsShared()),
    tx.query(limitLockWait(LOCK_WAIT_MS)),
    tx.one(lockInterviewedApplication(workspace, applicationId)),
  ]).catch(error => {
    if (hasSqlState(error, 'lockNotAvailable')) fail('application_modified_concurrently')
    throw error
  })
  if (!locked) return undefined
  // in a statement of its own: it sees what was committed while the lock was waited for
  const application = await tx.one(interviewedApplication(workspace, applicationId))
  if (application?.suppressed) fail('applicant_suppressed')
  return application
}

interface ChangeOf {
  workspace: string
  applicationId: string
  id: string
  expectedUpdatedAt?: string | undefined
}

/** Changes of the interviews of an application take turns. undefined: the application has no such interview. */
export async function whileInterviewLocked<T>(
  tx: Transaction,
  keyring: Keyring,
  { workspace, applicationId, id, expectedUpdatedAt }: ChangeOf,
  work: (locked: LockedInterview) => Promise<T>,
): Promise<T | undefined> {
  if (!isUuid(id)) return undefined
  const application = await lockApplicationOf(tx, { workspace, applicationId })
  if (!application || !(await tx.one(lockInterview(workspace, applicationId, id)))) return undefined
  const interview = present(await tx.one(interviewById(workspace, id)), 'the locked interview')
  requireUnchanged(expectedUpdatedAt, interview.updated_at)
  return work({ interview, details: openDetails(keyring, interview), application, now: Date.parse(application.now) })
}

/** Interviews are part of what partners know of an application, so its time moves with them. */
export async function noteInterviews(
  tx: Transaction,
  { workspace_id: workspace, application_id: id }: Pick<StoredInterview, 'workspace_id' | 'application_id'>,
): Promise<void> {
  const { updated_at: updatedAt, ...values } = await tx.only(touchInterviewed(workspace, id))
  await appendEvents(tx, [
    {
      type: 'application.updated',
      workspaceId: workspace,
      id,
      updatedAt,
      values,
      changed: ['interviews'],
      originKeyId: null,
    },
  ])
}

const stateOf = (i: StoredInterview): InterviewChange => ({
  state: i.state,
  kind: i.kind,
  starts_at: i.starts_at,
  ends_at: i.ends_at,
  time_zone: i.time_zone,
  candidate_time_zone: i.candidate_time_zone,
  offered_until: i.offered_until,
  picked_at: i.picked_at,
  answer: i.answer,
  answered_at: i.answered_at,
  asked_to_move: i.asked_to_move,
  sequence: i.sequence,
  details_sealed: i.details_sealed,
  answer_sealed: i.answer_sealed,
})

/** A member has seen to what the candidate said. */
export const NO_ANSWER = { answer: null, answered_at: null, answer_sealed: null } as const

/** Stores a change, emits it, and returns the interview as it is now. */
export async function storeChange(
  tx: Transaction,
  interview: StoredInterview,
  change: Partial<InterviewChange>,
): Promise<StoredInterview> {
  const { workspace_id: workspace, id } = interview
  await tx.query(updateInterview(workspace, id, { ...stateOf(interview), ...change }))
  await noteInterviews(tx, interview)
  return present(await tx.one(interviewById(workspace, id)), 'the changed interview')
}
