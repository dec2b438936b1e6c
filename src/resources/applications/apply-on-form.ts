import { randomUUID } from 'node:crypto'
import { isOpen } from '../../contract/application-status.ts'
import { addressFault } from '../../kernel/access/workspace-kind.ts'
import type { Blobs } from '../../kernel/blobs/blobs.ts'
import { DatastoreUnavailable, type Transaction } from '../../kernel/db/database.ts'
import { ApiError, fail } from '../../kernel/errors/api-error.ts'
import { present } from '../../kernel/errors/present.ts'
import { appendEvents } from '../../kernel/feed/append.ts'
import { refuseIfAny } from '../../kernel/http/faults.ts'
import { isHandle } from '../../kernel/ids/handles.ts'
import { emailKey } from '../../kernel/text/person-keys.ts'
import { type ApplicantDetails, lockApplicantByEmail, lockPerson } from '../applicants/index.ts'
import { applicantRecord } from '../applicants/shape.ts'
import { lockSuppressionsShared } from '../suppressions/index.ts'
import { consumeUpload } from '../uploads/index.ts'
import {
  type Accepted,
  checkSubmission,
  type FormFault,
  type PrescreenQuestion,
  type PublicForm,
  type Submission,
  type UploadedFile,
} from './form-rules.ts'
import { buildApplicationEvent } from './locked-change.ts'
import { differs, keepSubmission, putResume, readIsReplaceable, useSubmission } from './pending-actions.ts'
import { dropResume, lockProof, type SubmittedDetails, setHasResume } from './pending-store.ts'
import type { CandidateInput } from './rules.ts'
import {
  applicationByApplicant,
  insertFiles,
  insertPrivateAnswers,
  jobForApplying,
  lockApplication,
  type StoredApplication,
  selectApplyingForm,
  selectJobStages,
  selectPrescreen,
  withResumeAccess,
} from './store.ts'
import {
  type ClaimedFile,
  type CreateOutcome,
  findOrCreateApplicant,
  findUpload,
  placeFirstOrders,
  refuseSuppressed,
  startStage,
  storeApplication,
} from './write-application.ts'

/**
 * An application on the public form, or the one that the person has. The form is checked before the person is looked up:
 * otherwise an incomplete form with someone's address would tell whether they applied. All faults are reported together
 * (`RefusedInput`), and with any of them nothing is stored and no upload is consumed. Submissions of one person take turns
 * by a lock. Someone who unsubscribed may apply, and stays unsubscribed.
 *
 * Without faults the uploads are consumed whatever the outcome: otherwise their further use would tell whether the person
 * applied or is suppressed. That is why `applicant_suppressed` is returned, and committed, not thrown. Files that belong
 * to no application are deleted when their upload expires.
 *
 * The sender did not prove that the mailbox is theirs, unless the form came in a session of its person. So nothing is
 * written into the record of a person who is known, and nothing into an application that is there: a number to call stays
 * with a new application, and what differs waits with it until the person who opens the mailed link has chosen
 * (pending-actions.ts). A new person's record has all details, unproved; the profile URL of someone who is suppressed
 * has no key in it, so that it identifies no one and only the person sees it. After a withdrawal the application is a new one.
 */
export async function applyOnForm(
  tx: Transaction,
  blobs: Blobs,
  workspace: string,
  jobId: string,
  submission: Submission,
): Promise<CreateOutcome | ApiError> {
  const { form } = submission
  const job = (isHandle('job', jobId) && (await tx.one(jobForApplying(workspace, jobId)))) || fail('not_found')
  if (job.status !== 'published' || !job.accept_applications) fail('job_not_accepting_applications')
  const key = emailKey(submission.candidate.email)
  await tx.query(lockSuppressionsShared())
  if (key !== undefined) await tx.query(lockPerson(workspace, key))
  const uploadIds = new Set([submission.resumeUploadId ?? [], Object.values(form.files)].flat())
  const [fields, questions, stages, files] = await Promise.all([
    tx.query(selectApplyingForm(workspace, job)),
    tx.query(selectPrescreen(workspace, job.id)),
    tx.query(selectJobStages(workspace, job.id)),
    filesOf(tx, blobs, workspace, [...uploadIds]),
  ])
  const stage = startStage(stages, undefined) ?? fail('job_not_accepting_applications')
  const { faults, accepted } = checkSubmission(fields, questions, submission, files)
  refuseIfAny([...faults, ...(key === undefined ? [] : await mailboxFaults(tx, workspace, key))])
  const { candidate, resumeUploadId } = accepted
  for (const id of [resumeUploadId ?? [], Object.values(accepted.files)].flat())
    await tx.query(consumeUpload(workspace, id, null))
  // by the address alone: anyone can type a profile URL, and a confirmation that does not come would say whom it belongs to
  const address = present(key, 'the email address')
  const suppressed = await refuseSuppressed(tx, workspace, address, undefined).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'applicant_suppressed') return error
    throw error
  })
  if (suppressed) return suppressed
  const person = await tx.one(lockApplicantByEmail(workspace, address))
  // an address shared by role, or one that the record got later, is not on the list; the record is
  if (person?.suppressed) return new ApiError('applicant_suppressed')
  const found = person && (await tx.one(applicationByApplicant(workspace, job.id, person.id)))
  const existing = found && (await tx.one(lockApplication(workspace, found.id)))
  const known = { questions, files }
  const isProved = person !== undefined && person.id === submission.provedBy
  if (person && existing && existing.status !== 'withdrawn')
    return againOnForm(tx, existing, person, isProved, { submission, accepted, known })

  const applicantId = person?.id ?? (await findOrCreateApplicant(tx, workspace, undefined, candidate, null, null))
  const row = await storeApplication(tx, {
    workspace,
    jobId: job.id,
    applicantId,
    stage,
    status: 'new',
    source: 'public_board',
    sourceSystem: null,
    sourceExternalId: null,
    voiceScreeningOptedOut: form.voiceScreeningOptedOut,
    screeningPhone: screeningPhoneOf(form, person ? candidate.phone : undefined),
    unproved: !isProved,
    appliedAt: null,
    answers: accepted.answers,
    file: resumeUploadId === undefined ? undefined : claimed(files, resumeUploadId),
    originKeyId: null,
  })
  // another writer created it without the lock, and it cannot be read back
  if (!row) return fail('application_conflict')
  await storeForm(tx, row, form.language, accepted, known)
  const details = detailsOf(candidate)
  if (person && differs(details, person)) {
    const id = await keepSubmission(tx, workspace, row.id, submission.network ?? null, {
      details,
      content: null,
      files: [],
    })
    if (isProved) await useSubmission(tx, workspace, person.id, id)
  }
  await placeFirstOrders(tx, row, stage, { isUnproved: !isProved, originKeyId: null })
  return { application: withResumeAccess(row), isNew: true }
}

/** What the form finds wrong, before anyone is looked up. Nothing is stored. */
export async function findFormFaults(
  tx: Transaction,
  blobs: Blobs,
  workspace: string,
  jobId: string,
  submission: Submission,
): Promise<FormFault[]> {
  const job = isHandle('job', jobId) && (await tx.one(jobForApplying(workspace, jobId)))
  if (!job) return []
  const uploadIds = [submission.resumeUploadId ?? [], Object.values(submission.form.files)].flat()
  const [fields, questions, files] = await Promise.all([
    tx.query(selectApplyingForm(workspace, job)),
    tx.query(selectPrescreen(workspace, job.id)),
    filesOf(tx, blobs, workspace, uploadIds),
  ])
  return checkSubmission(fields, questions, submission, files).faults
}

const screeningPhoneOf = (form: PublicForm, phone: string | undefined): string | null =>
  form.voiceScreeningOptedOut ? null : (form.screeningPhone ?? phone ?? null)

const detailsOf = (candidate: CandidateInput): SubmittedDetails => {
  const { first_name, last_name, phone, linkedin_url } = applicantRecord.merge(undefined, candidate)
  return { first_name, last_name, phone, linkedin_url }
}

interface KnownParts {
  questions: readonly PrescreenQuestion[]
  files: ReadonlyMap<string, UploadedFile>
}

/**
 * A form of someone who has applied for the job. It waits with that application, or is used immediately if the person has
 * proved the address. Of a decided application only the details can still change.
 */
async function againOnForm(
  tx: Transaction,
  existing: StoredApplication,
  person: ApplicantDetails,
  isProved: boolean,
  { submission, accepted, known }: { submission: Submission; accepted: Accepted; known: KnownParts },
): Promise<CreateOutcome> {
  const { workspace_id: workspace } = existing
  const { form } = submission
  const details = detailsOf(accepted.candidate)
  const isReplacing = await readIsReplaceable(tx, existing)
  const outcome = { application: withResumeAccess(existing), isNew: false }
  if (!isReplacing && !differs(details, person)) return { ...outcome, isUnused: true }
  const content = isReplacing && {
    answers: accepted.answers,
    ...privateAnswersOf(accepted, form.language, existing.now, known.questions),
    voice_screening_opted_out: form.voiceScreeningOptedOut,
    screening_phone: screeningPhoneOf(form, accepted.candidate.phone),
  }
  const uploads: [string | null, string][] = isReplacing ? Object.entries(accepted.files) : []
  if (isReplacing && accepted.resumeUploadId !== undefined) uploads.push([null, accepted.resumeUploadId])
  for (const [, uploadId] of uploads) await tx.query(consumeUpload(workspace, uploadId, existing.id))
  const files = uploads.map(([field_id, uploadId]) => ({ id: randomUUID(), ...fileOf(field_id, uploadId, known) }))
  const id = await keepSubmission(tx, workspace, existing.id, submission.network ?? null, {
    details,
    content: content || null,
    files,
  })
  if (!isProved) return { ...outcome, isUnused: true }
  await useSubmission(tx, workspace, person.id, id)
  return { ...outcome, isUnused: !isReplacing }
}

/**
 * The person, who has proved the address, sends another résumé for an open application: it replaces the one that is there.
 * The upload is consumed whatever the outcome. False: the application was decided or withdrawn, or processing of the person
 * has just been stopped.
 */
export async function replaceResume(
  tx: Transaction,
  blobs: Blobs,
  { workspace, applicantId, applicationId }: { workspace: string; applicantId: string; applicationId: string },
  uploadId: string,
): Promise<boolean> {
  await tx.query(lockSuppressionsShared())
  const person = await tx.one(lockProof(workspace, applicantId))
  const before = await tx.one(lockApplication(workspace, applicationId))
  const files = await filesOf(tx, blobs, workspace, [uploadId])
  await tx.query(consumeUpload(workspace, uploadId, null))
  const replaceable = before?.applicant_id === applicantId && isOpen(before.status)
  if (!replaceable || person?.suppressed !== false) return false
  await tx.query(consumeUpload(workspace, uploadId, applicationId))
  await tx.query(dropResume(workspace, applicationId))
  const row = await tx.only(setHasResume(workspace, applicationId))
  await putResume(tx, row, fileOf(null, uploadId, { files }))
  await appendEvents(tx, [buildApplicationEvent('application.updated', row, null, { changed: ['resume'] })])
  return true
}

/** The uploads of a submission that exist, in the order of their ids, so that two submissions never wait in a circle. */
async function filesOf(
  tx: Transaction,
  blobs: Blobs,
  workspace: string,
  ids: readonly string[],
): Promise<Map<string, UploadedFile>> {
  const found = new Map<string, UploadedFile>()
  for (const id of ids.toSorted()) {
    const upload = await findUpload(tx, workspace, id)
    if (!upload) continue
    const stat = await blobs.stat(upload.blob_key).catch((cause: Error) => {
      throw new DatastoreUnavailable('file store unavailable', { cause })
    })
    found.set(id, { upload, bytes: stat?.bytes ?? null })
  }
  return found
}

function claimed(files: KnownParts['files'], id: string): ClaimedFile {
  const { upload, bytes } = present(files.get(id), id)
  const { filename, content_type: mime, blob_key: blobKey } = upload
  return { uploadId: id, filename, mime, bytes: present(bytes, id), blobKey }
}

const fileOf = <F extends string | null>(field_id: F, uploadId: string, { files }: Pick<KnownParts, 'files'>) => {
  const { filename, mime, bytes, blobKey } = claimed(files, uploadId)
  return { field_id, filename, mime, bytes, blob_key: blobKey }
}

/** With the texts that the person read, because a change of the form deletes those that were there. */
function privateAnswersOf(
  { consents, equalOpportunity, prescreen }: Accepted,
  language: string,
  at: string,
  questions: readonly PrescreenQuestion[],
) {
  const agreed = consents.map(({ id, version, label, help_text }) => [
    id,
    { accepted: true, version, label, help_text, language, at },
  ])
  const screened = questions.flatMap(({ id, prompt, answer_type }) =>
    Object.hasOwn(prescreen, id) ? [[id, { question: prompt, type: answer_type, answer: prescreen[id] }]] : [],
  )
  return {
    equal_opportunity: equalOpportunity,
    prescreen: Object.fromEntries(screened) as object,
    consents: Object.fromEntries(agreed) as object,
  }
}

async function storeForm(
  tx: Transaction,
  { workspace_id: workspace, id, applied_at }: StoredApplication,
  language: string,
  accepted: Accepted,
  known: KnownParts,
): Promise<void> {
  const given = privateAnswersOf(accepted, language, applied_at, known.questions)
  await tx.query(insertPrivateAnswers(workspace, id, { ...given, equalOpportunity: given.equal_opportunity }))
  const uploads = Object.entries(accepted.files)
  if (uploads.length === 0) return
  await tx.query(
    insertFiles(
      workspace,
      id,
      uploads.map(([field_id, uploadId]) => fileOf(field_id, uploadId, known)),
    ),
  )
  for (const [, uploadId] of uploads) await tx.query(consumeUpload(workspace, uploadId, id))
}

/** A test workspace takes no one with a real mailbox. */
async function mailboxFaults(tx: Transaction, workspace: string, key: string): Promise<FormFault[]> {
  const message = await addressFault(tx, workspace, key)
  return message === undefined ? [] : [{ param: 'candidate.email', message, reason: 'real_mailbox' }]
}
