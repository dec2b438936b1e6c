import type { ApplicationStatus } from '../../contract/application-status.ts'
import { API_LIMITS } from '../../contract/limits.ts'
import { addressFault } from '../../kernel/access/workspace-kind.ts'
import type { Blobs } from '../../kernel/blobs/blobs.ts'
import { DatastoreUnavailable, type Queryable, type Transaction } from '../../kernel/db/database.ts'
import { ApiError, fail } from '../../kernel/errors/api-error.ts'
import { present } from '../../kernel/errors/present.ts'
import { UserError } from '../../kernel/errors/user-error.ts'
import { type InputFault, refuseIfAny } from '../../kernel/http/faults.ts'
import { isHandle } from '../../kernel/ids/handles.ts'
import { emailKey } from '../../kernel/text/person-keys.ts'
import { lockApplicantByEmail, lockPerson, unsubscribedAddress } from '../applicants/index.ts'
import { lockSuppressionsShared } from '../suppressions/index.ts'
import { consumeUpload, type StoredUpload, uploadById } from '../uploads/index.ts'
import { showApplication } from './hide-stopped.ts'
import {
  answerFaults,
  answersById,
  type CandidateInput,
  candidateFaults,
  type FormAnswer,
  type FormField,
  identityFaults,
  missingAnswers,
  needsConsent,
  shownFields,
} from './rules.ts'
import {
  applicationByApplicant,
  byExternalId,
  jobForApplying,
  lockExternalId,
  selectApplyingForm,
  selectJobStages,
  withResumeAccess,
} from './store.ts'
import {
  type ClaimedFile,
  type CreateOutcome,
  findOrCreateApplicant,
  findUpload,
  firstStageFaults,
  placeFirstOrders,
  refuseSuppressed,
  startStage,
  storeApplication,
} from './write-application.ts'

export interface CreateApplication {
  jobId: string
  candidate: CandidateInput
  from: { system: string; externalId?: string | undefined }
  resumeUploadId?: string | undefined
  answers: readonly FormAnswer[]
  stageId?: string | undefined
  originKeyId: string | null
}

/**
 * Creates an application, or finds the one there is. In this order: the person may be processed at all; the duplicate
 * rules, before any validation, so that a retry succeeds after the form changed; the rules of job, form, stage and
 * file; then the writes. Creations for one person take turns by a lock, so that of many at the same time one creates and the
 * others find. A refused file spends its upload: that failure is returned, and committed, not thrown.
 */
export async function createApplication(
  tx: Transaction,
  blobs: Blobs,
  workspace: string,
  input: CreateApplication,
): Promise<CreateOutcome | ApiError> {
  const { candidate, resumeUploadId, originKeyId } = input
  const { system, externalId } = input.from
  refuseIfAny(identityFaults(system, candidate.email))
  const key = present(emailKey(candidate.email), 'the email address')
  if (!isHandle('job', input.jobId)) fail('not_found')
  // Sent together, run in this order: each statement sees what was committed before the locks were taken. Always the
  // person before the external id, and both before the record: two requests never wait for each other in a circle.
  const [job, , , , person, addressFaults] = await Promise.all([
    tx.one(jobForApplying(workspace, input.jobId)),
    tx.query(lockSuppressionsShared()),
    tx.query(lockPerson(workspace, key)),
    externalId === undefined ? undefined : tx.query(lockExternalId(workspace, input.jobId, system, externalId)),
    tx.one(lockApplicantByEmail(workspace, key)),
    mailboxFaults(tx, workspace, key),
  ])
  refuseIfAny(addressFaults)
  if (!job) fail('not_found')
  const [, ofExternalId, ofPerson, unsubscribed, fields, stages, upload] = await Promise.all([
    refuseSuppressed(tx, workspace, key, candidate.linkedin_url),
    externalId === undefined ? undefined : tx.one(byExternalId(workspace, job.id, system, externalId)),
    person && tx.one(applicationByApplicant(workspace, job.id, person.id)),
    tx.one(unsubscribedAddress(workspace, key)),
    tx.query(selectApplyingForm(workspace, job)),
    tx.query(selectJobStages(workspace, job.id)),
    resumeUploadId === undefined ? undefined : findUpload(tx, workspace, resumeUploadId),
  ])
  const existing = ofExternalId ?? ofPerson
  if (existing) return { application: await showApplication(tx, withResumeAccess(existing)), isNew: false }
  const answers = answersById(input.answers)
  const shown = shownFields(fields, answers)
  const faults = [
    ...firstStageFaults(stages, input.stageId),
    ...formFaults(fields, candidate, input.answers),
    ...(resumeUploadId === undefined ? [] : uploadFaults(upload)),
  ]
  const ofCandidate = candidateFaults(candidate)
  if (ofCandidate.length > 0) refuseIfAny([...ofCandidate, ...faults])
  if (job.status !== 'published' || !job.accept_applications) fail('job_not_accepting_applications')
  // an address shared by role, or one that the record got later, is not on the list; the record is
  if (person?.suppressed) fail('applicant_suppressed')
  if (person?.unsubscribed || unsubscribed) fail('applicant_unsubscribed')
  if (needsConsent(shown)) fail('candidate_consent_required')
  refuseIfAny(faults)
  const stage = present(startStage(stages, input.stageId), 'the stage')
  const file = resumeUploadId === undefined ? undefined : await claimFile(tx, blobs, workspace, resumeUploadId, upload)
  if (file instanceof ApiError) return file

  const applicantId = await findOrCreateApplicant(tx, workspace, person, candidate, system, originKeyId)
  const row = await storeApplication(tx, {
    workspace,
    jobId: job.id,
    applicantId,
    stage,
    status: 'new',
    source: `partner_api:${system}`,
    sourceSystem: system,
    sourceExternalId: externalId ?? null,
    voiceScreeningOptedOut: false,
    screeningPhone: null,
    unproved: false,
    appliedAt: null,
    answers: Object.fromEntries(shown.flatMap(({ id }) => (Object.hasOwn(answers, id) ? [[id, answers[id]!]] : []))),
    file,
    originKeyId,
  })
  // another writer created it without the lock, and it cannot be read back
  if (!row) return fail('application_conflict')
  await placeFirstOrders(tx, row, stage, { isUnproved: false, originKeyId })
  return { application: withResumeAccess(row), isNew: true }
}

export interface ImportApplication {
  jobId: string
  applicantId: string
  system: string
  externalId: string
  status: ApplicationStatus
  /** when the person applied there */
  appliedAt: string
  stageId?: string
  resumeUploadId?: string
}

/** An application of another system, with its own date and status. Found again by that system's id: nothing changes. */
export async function importApplication(
  tx: Transaction,
  blobs: Blobs,
  workspace: string,
  input: ImportApplication,
): Promise<{ id: string; isNew: boolean }> {
  const { jobId, applicantId, system, externalId } = input
  await tx.query(lockExternalId(workspace, jobId, system, externalId))
  const existing = await tx.one(byExternalId(workspace, jobId, system, externalId))
  if (existing) return { id: existing.id, isNew: false }
  const stages = await tx.query(selectJobStages(workspace, jobId))
  const stage = input.stageId === undefined ? stages[0] : stages.find(s => s.id === input.stageId)
  if (!stage) throw new UserError(`job ${jobId} has no such stage`)
  const { resumeUploadId } = input
  const file =
    resumeUploadId === undefined
      ? undefined
      : await claimFile(tx, blobs, workspace, resumeUploadId, await findUpload(tx, workspace, resumeUploadId))
  if (file instanceof ApiError) throw file
  const row = await storeApplication(tx, {
    workspace,
    jobId,
    applicantId,
    stage,
    status: input.status,
    source: `import:${system}`,
    sourceSystem: system,
    sourceExternalId: externalId,
    voiceScreeningOptedOut: false,
    screeningPhone: null,
    unproved: false,
    appliedAt: input.appliedAt,
    answers: {},
    file,
    originKeyId: null,
  })
  if (!row) throw new UserError(`applicant ${applicantId} already has an application for job ${jobId}`)
  return { id: row.id, isNew: true }
}

/** What the form finds wrong: with the answers that were given, and with those that were not. */
function formFaults(
  fields: readonly FormField[],
  candidate: Partial<CandidateInput>,
  given: readonly FormAnswer[],
): InputFault[] {
  const answers = answersById(given)
  const missing = missingAnswers(shownFields(fields, answers), answers, {
    linkedin: candidate.linkedin_url !== undefined,
  })
  return [...answerFaults(fields, given), ...missing]
}

/** The faults that a creation would find besides those of a body's shape. What can be read of the body is judged. */
export async function furtherFaults(db: Queryable, workspace: string, body: unknown): Promise<InputFault[]> {
  const { job_id, candidate, answers, stage_id, resume_upload_id } = membersOf(body)
  const details = membersOf(candidate)
  const key = isText(details['email']) ? emailKey(details['email']) : undefined
  const faults = [...candidateFaults(details), ...(key === undefined ? [] : await mailboxFaults(db, workspace, key))]
  const job = isText(job_id) && isHandle('job', job_id) ? await db.one(jobForApplying(workspace, job_id)) : undefined
  if (!job) return faults
  const uploadId = isText(resume_upload_id) ? resume_upload_id : undefined
  const [fields, stages, upload] = await Promise.all([
    db.query(selectApplyingForm(workspace, job)),
    db.query(selectJobStages(workspace, job.id)),
    uploadId !== undefined && isHandle('upload', uploadId) ? db.one(uploadById(workspace, uploadId)) : undefined,
  ])
  const readable = (Array.isArray(answers) ? answers : []).map(answer => membersOf(answer) as unknown as FormAnswer)
  return [
    ...faults,
    ...(stage_id === undefined || isText(stage_id) ? firstStageFaults(stages, stage_id) : []),
    ...formFaults(fields, details as Partial<CandidateInput>, readable),
    ...(uploadId === undefined ? [] : uploadFaults(upload)),
  ]
}

/** A test workspace takes no one with a real mailbox. */
async function mailboxFaults(db: Queryable, workspace: string, key: string): Promise<InputFault[]> {
  const message = await addressFault(db, workspace, key)
  return message === undefined ? [] : [{ param: 'candidate.email', message }]
}

const isText = (value: unknown): value is string => typeof value === 'string'
const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

/** One that was used is known, whether or not it has expired since. Those of the public form and of orders belong to them alone. */
export const uploadFaults = (upload: StoredUpload | undefined): InputFault[] =>
  upload && !upload.public_form && upload.order_id === null && (upload.consumed || !upload.expired)
    ? []
    : [{ param: 'resume_upload_id', message: 'is unknown or has expired', code: 'upload_not_found' }]

export async function claimFile(
  tx: Transaction,
  blobs: Blobs,
  workspace: string,
  uploadId: string,
  upload: StoredUpload | undefined,
): Promise<ClaimedFile | ApiError> {
  const param = 'resume_upload_id'
  refuseIfAny(uploadFaults(upload))
  if (!upload || upload.consumed) return fail('upload_already_used', { param })
  const stat = await blobs.stat(upload.blob_key).catch((cause: Error) => {
    throw new DatastoreUnavailable('file store unavailable', { cause })
  })
  if (!stat) return fail('upload_not_completed', { param })
  if (stat.bytes < 1 || stat.bytes > API_LIMITS.resumeFileBytes) {
    await tx.query(consumeUpload(workspace, uploadId, null))
    return new ApiError('resume_rejected', { param })
  }
  const { filename, content_type: mime, blob_key: blobKey } = upload
  return { uploadId, filename, mime, bytes: stat.bytes, blobKey }
}
