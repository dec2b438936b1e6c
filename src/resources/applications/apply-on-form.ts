import type { Blobs } from '../../kernel/blobs/blobs.ts'
import { DatastoreUnavailable, type Transaction } from '../../kernel/db/database.ts'
import { ApiError, fail } from '../../kernel/errors/api-error.ts'
import { refuseIfAny } from '../../kernel/http/faults.ts'
import { isHandle } from '../../kernel/ids/handles.ts'
import { emailKey } from '../../kernel/text/person-keys.ts'
import { lockApplicantByEmail, lockPerson } from '../applicants/index.ts'
import { lockSuppressionsShared } from '../suppressions/index.ts'
import { spendUpload } from '../uploads/index.ts'
import {
  type Accepted,
  checkSubmission,
  type PrescreenQuestion,
  type Submission,
  type UploadedFile,
} from './form-rules.ts'
import {
  byApplicant,
  formOf,
  insertFiles,
  insertPrivateAnswers,
  jobForApplying,
  prescreenOf,
  selectJobStages,
  withResumeAccess,
} from './store.ts'
import {
  type ClaimedFile,
  type CreateOutcome,
  findOrCreateApplicant,
  findUpload,
  refuseSuppressed,
  startStage,
  storeApplication,
} from './write-application.ts'

/**
 * An application on the public form, or the one that the person has. The form is checked before the person is looked up:
 * otherwise an incomplete form with someone's address would tell whether they applied. All faults are reported together
 * (`RefusedInput`), and with any of them nothing is stored and no upload is spent. Submissions of one person take turns
 * by a lock. Someone who unsubscribed may apply, and stays unsubscribed.
 *
 * Without faults the uploads are spent whatever the outcome: otherwise their further use would tell whether the person
 * applied or is suppressed. That is why `applicant_suppressed` is returned, and committed, not thrown. Files that belong
 * to no application are deleted when their upload expires.
 *
 * The sender did not prove that the mailbox is theirs. So nothing is written into the record of a person who is known:
 * a number to call stays with the application, a profile address is not stored. A new person's record has all details; the
 * profile URL of someone who is suppressed has no key in it, so that it identifies no one and only the person sees it.
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
    tx.query(formOf(workspace, job)),
    tx.query(prescreenOf(workspace, job.id)),
    tx.query(selectJobStages(workspace, job.id)),
    filesOf(tx, blobs, workspace, [...uploadIds]),
  ])
  const stage = startStage(stages, undefined) ?? fail('job_not_accepting_applications')
  const { faults, accepted } = checkSubmission(fields, questions, submission, files)
  refuseIfAny(faults)
  const { candidate, resumeUploadId } = accepted
  for (const id of [resumeUploadId ?? [], Object.values(accepted.files)].flat())
    await tx.query(spendUpload(workspace, id, null))
  // by the address alone: anyone can type a profile URL, and a confirmation that does not come would say whom it belongs to
  const suppressed = await refuseSuppressed(tx, workspace, key!, undefined).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'applicant_suppressed') return error
    throw error
  })
  if (suppressed) return suppressed
  const person = await tx.one(lockApplicantByEmail(workspace, key!))
  const existing = person && (await tx.one(byApplicant(workspace, job.id, person.id)))
  if (existing) return { application: withResumeAccess(existing), isNew: false }
  // an address shared by role, or one that the record got later, is not on the list; the record is
  if (person?.suppressed) return new ApiError('applicant_suppressed')

  const applicantId = person?.id ?? (await findOrCreateApplicant(tx, workspace, undefined, candidate, null, null))
  const phone = form.screeningPhone ?? (person ? candidate.phone : undefined)
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
    screeningPhone: form.voiceScreeningOptedOut ? null : (phone ?? null),
    appliedAt: null,
    answers: accepted.answers,
    file: resumeUploadId === undefined ? undefined : claimed(files.get(resumeUploadId)!),
    originKeyId: null,
  })
  // another writer created it without the lock, and it cannot be read back
  if (!row) return fail('application_conflict')
  await storeForm(tx, workspace, row.id, row.applied_at, form.language, accepted, { questions, files })
  return { application: withResumeAccess(row), isNew: true }
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

const claimed = ({ upload, bytes }: UploadedFile): ClaimedFile => ({
  uploadId: upload.id,
  filename: upload.filename,
  mime: upload.content_type,
  bytes: bytes!,
  blobKey: upload.blob_key,
})

async function storeForm(
  tx: Transaction,
  workspace: string,
  id: string,
  at: string,
  language: string,
  { consents, equalOpportunity, prescreen, files }: Accepted,
  known: { questions: readonly PrescreenQuestion[]; files: ReadonlyMap<string, UploadedFile> },
): Promise<void> {
  const agreed = consents.map(({ id, version, label, help_text }) => [
    id,
    { accepted: true, version, label, help_text, language, at },
  ])
  // with its text, because a change of the questions deletes those that were there
  const screened = known.questions.flatMap(({ id, prompt, answer_type }) =>
    Object.hasOwn(prescreen, id) ? [[id, { question: prompt, type: answer_type, answer: prescreen[id] }]] : [],
  )
  await tx.query(
    insertPrivateAnswers(workspace, id, {
      equalOpportunity,
      prescreen: Object.fromEntries(screened),
      consents: Object.fromEntries(agreed),
    }),
  )
  const answers = Object.entries(files).map(([field_id, uploadId]) => {
    const { filename, mime, bytes, blobKey } = claimed(known.files.get(uploadId)!)
    return { field_id, filename, mime, bytes, blob_key: blobKey }
  })
  if (answers.length === 0) return
  await tx.query(insertFiles(workspace, id, answers))
  for (const uploadId of Object.values(files)) await tx.query(spendUpload(workspace, uploadId, id))
}
