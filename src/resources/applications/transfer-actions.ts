import { isOpen } from '../../contract/application-status.ts'
import type { Blobs } from '../../kernel/blobs/blobs.ts'
import type { Transaction } from '../../kernel/db/database.ts'
import { ApiError, fail } from '../../kernel/errors/api-error.ts'
import { present } from '../../kernel/errors/present.ts'
import { refuseIfAny, refuseInput } from '../../kernel/http/faults.ts'
import { lockApplicantById } from '../applicants/index.ts'
import { noteAccess } from '../resumes/index.ts'
import { lockSuppressionsShared } from '../suppressions/index.ts'
import { rejectApplication } from './actions.ts'
import { readOpenJob } from './adding-actions.ts'
import { applicationsInJob, keepUnlocked } from './adding-store.ts'
import { claimFile } from './create.ts'
import { applicationById } from './store.ts'
import { statusInStage } from './team-decisions.ts'
import { findUpload, firstStageFaults, placeFirstOrders, startStage, storeApplication } from './write-application.ts'

export interface Transfer {
  workspace: string
  /** the application that the person has */
  id: string
  userId: string
  jobId: string
  stageId?: string | undefined
  /** it stays open, next to the new one */
  keep: boolean
  /** why it is rejected otherwise */
  reason: { id: string; text: string }
  /** a copy of its résumé */
  resumeUploadId?: string | undefined
}

/**
 * Considers a person for another job: a new application, and the one that they have is rejected without a message, unless it
 * is kept or has been decided. Both have the time at which the person applied, so the clock of the résumé goes on. Of many
 * at the same time one makes the application and the others find it. undefined: there is no such application.
 */
export async function transferApplication(
  tx: Transaction,
  blobs: Blobs,
  transfer: Transfer,
): Promise<{ outcome: 'added' | 'already_in_job'; application_id: string } | undefined> {
  const { workspace, id, jobId, userId, keep, reason, resumeUploadId } = transfer
  const stages = await readOpenJob(tx, transfer)
  await tx.query(lockSuppressionsShared())
  const before = await tx.one(applicationById(workspace, id))
  if (!before) return undefined
  if (before.job_id === jobId) refuseInput([{ param: 'job_id', message: 'is the job of the application' }])
  refuseIfAny(firstStageFaults(stages, transfer.stageId))
  const person =
    before.applicant_id === null ? undefined : await tx.one(lockApplicantById(workspace, before.applicant_id))
  if (!person || person.suppressed) return fail('applicant_suppressed')
  const [found] = await tx.query(applicationsInJob(workspace, jobId, [person.id]))
  if (found) return { outcome: 'already_in_job', application_id: found.id }
  const stage = present(startStage(stages, transfer.stageId), 'the stage')
  const upload = resumeUploadId === undefined ? undefined : await findUpload(tx, workspace, resumeUploadId)
  const file = resumeUploadId === undefined ? undefined : await claimFile(tx, blobs, workspace, resumeUploadId, upload)
  if (file instanceof ApiError) throw file
  const row = await storeApplication(tx, {
    workspace,
    jobId,
    applicantId: person.id,
    stage,
    status: statusInStage('new', stage.type),
    source: 'team:transfer',
    sourceSystem: 'team:transfer',
    sourceExternalId: id,
    voiceScreeningOptedOut: before.voice_screening_opted_out,
    screeningPhone: null,
    unproved: false,
    appliedAt: before.applied_at,
    answers: {},
    file,
    originKeyId: null,
    userId,
  })
  if (!row) return fail('application_conflict')
  if (file && before.resume_unlocked_at !== null) {
    await tx.query(keepUnlocked(workspace, row.id, before.resume_unlocked_at))
    await tx.query(noteAccess(workspace, row.id, 'unlocked', null))
  }
  await placeFirstOrders(tx, row, stage, { isUnproved: false, originKeyId: null })
  if (!keep && isOpen(before.status))
    await rejectApplication(tx, { workspace, id, originKeyId: null, userId, reason: reason.text, reasonId: reason.id })
  return { outcome: 'added', application_id: row.id }
}
