import { API_LIMITS } from '../../contract/limits.ts'
import type { Blobs } from '../../kernel/blobs/blobs.ts'
import { DatastoreUnavailable, type Queryable, type Transaction } from '../../kernel/db/database.ts'
import { ApiError, fail } from '../../kernel/errors/api-error.ts'
import { UserError } from '../../kernel/errors/user-error.ts'
import { appendEvents } from '../../kernel/feed/append.ts'
import { type InputFault, refuseIfAny } from '../../kernel/http/faults.ts'
import { isHandle, newHandle } from '../../kernel/ids/handles.ts'
import { emailKey, linkedinKey } from '../../kernel/text/person-keys.ts'
import {
  type ApplicantDetails,
  addApplicant,
  countApplications,
  fillMissingDetails,
  lockApplicantByEmail,
  lockPerson,
  unsubscribedAddress,
} from '../applicants/index.ts'
import { insertResume, noteAccess } from '../resumes/index.ts'
import { resumeAccess } from '../resumes/shape.ts'
import { lockSuppressionsShared, suppressedAmong } from '../suppressions/index.ts'
import { lockUpload, type StoredUpload, spendUpload, uploadById } from '../uploads/index.ts'
import {
  type AnswerValue,
  answerFaults,
  answersById,
  type CandidateInput,
  candidateFaults,
  type FormAnswer,
  type FormField,
  identityFaults,
  missingAnswers,
  needsConsent,
} from './rules.ts'
import type { ApplicationRow, Status } from './shape.ts'
import {
  type ApplicationStage,
  byApplicantEmail,
  byExternalId,
  formOf,
  insertAnswers,
  insertApplication,
  insertPrivateAnswers,
  insertTransition,
  jobForApplying,
  lockExternalId,
  type NewApplication,
  type StoredApplication,
  selectJobStages,
  withResumeAccess,
} from './store.ts'

/** What only the candidate can give, on the public form. No interface shows it. */
export interface PublicForm {
  consents: Readonly<Record<string, boolean>>
  equalOpportunity: Readonly<Record<string, AnswerValue>>
  voiceScreeningOptedOut: boolean
  /** the number the candidate agreed to be called at for the pre-screen */
  screeningPhone?: string
}

export interface CreateApplication {
  jobId: string
  candidate: CandidateInput
  from: { system: string; externalId?: string | undefined } | { publicForm: PublicForm }
  resumeUploadId?: string | undefined
  answers: readonly FormAnswer[]
  stageId?: string | undefined
  originKeyId: string | null
}

export interface CreateOutcome {
  application: ApplicationRow
  isNew: boolean
}

/** Without a suppression list nothing is created; it is asked for again this soon. */
const SUPPRESSION_RETRY_SECONDS = 5

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
  const { candidate, from, originKeyId } = input
  const partner = 'system' in from ? from : undefined
  refuseIfAny(identityFaults(partner?.system, candidate.email))
  const key = emailKey(candidate.email)!
  if (!isHandle('job', input.jobId)) fail('not_found')
  const job = (await tx.one(jobForApplying(workspace, input.jobId))) ?? fail('not_found')

  // always the person before the external id: two requests never wait for each other in a circle
  await Promise.all([tx.query(lockSuppressionsShared()), tx.query(lockPerson(workspace, key))])
  if (partner?.externalId !== undefined)
    await tx.query(lockExternalId(workspace, job.id, partner.system, partner.externalId))
  await refuseSuppressed(tx, workspace, key, candidate.linkedin_url)
  const existing =
    (partner?.externalId === undefined
      ? undefined
      : await tx.one(byExternalId(workspace, job.id, partner.system, partner.externalId))) ??
    (await tx.one(byApplicantEmail(workspace, job.id, key)))
  if (existing) return { application: withResumeAccess(existing), isNew: false }

  const { resumeUploadId } = input
  const [person, unsubscribed, fields, stages, upload] = await Promise.all([
    tx.one(lockApplicantByEmail(workspace, key)),
    tx.one(unsubscribedAddress(workspace, key)),
    tx.query(formOf(workspace, job)),
    tx.query(selectJobStages(workspace, job.id)),
    resumeUploadId === undefined ? undefined : findUpload(tx, workspace, resumeUploadId),
  ])
  const publicForm = 'publicForm' in from ? from.publicForm : undefined
  const faults = [
    ...stageFaults(stages, input.stageId),
    ...formFaults(fields, input, publicForm !== undefined),
    ...(resumeUploadId === undefined ? [] : uploadFaults(upload)),
  ]
  const ofCandidate = candidateFaults(candidate)
  if (ofCandidate.length > 0) refuseIfAny([...ofCandidate, ...faults])
  if (job.status !== 'published' || !job.accept_applications) fail('job_not_accepting_applications')
  // an address shared by role, or one that the record got later, is not on the list; the record is
  if (person?.suppressed) fail('applicant_suppressed')
  // who applies by themselves may do so whether or not they want mail
  if (partner && (person?.unsubscribed || unsubscribed)) fail('applicant_unsubscribed')
  const ticked = new Set(Object.entries(publicForm?.consents ?? {}).flatMap(([id, yes]) => (yes ? [id] : [])))
  if (needsConsent(fields, ticked)) fail('candidate_consent_required')
  refuseIfAny(faults)
  const stageId = startStage(stages, input.stageId)!.id
  const answers = answersById(input.answers)
  const file = resumeUploadId === undefined ? undefined : await claimFile(tx, blobs, workspace, resumeUploadId, upload)
  if (file instanceof ApiError) return file

  const applicantId = await findOrCreateApplicant(
    tx,
    workspace,
    person,
    candidate,
    partner?.system ?? null,
    originKeyId,
  )
  const row = await storeApplication(tx, {
    workspace,
    jobId: job.id,
    applicantId,
    stageId,
    status: 'new',
    source: partner ? `partner_api:${partner.system}` : 'public_board',
    sourceSystem: partner?.system ?? null,
    sourceExternalId: partner?.externalId ?? null,
    voiceScreeningOptedOut: publicForm?.voiceScreeningOptedOut ?? false,
    screeningPhone: publicForm?.screeningPhone ?? null,
    appliedAt: null,
    answers,
    file,
    originKeyId,
  })
  // another writer created it without the lock, and it cannot be read back
  if (!row) return fail('application_conflict')
  if (publicForm) {
    const { equalOpportunity, consents } = publicForm
    await tx.query(
      insertPrivateAnswers(
        workspace,
        row.id,
        askedFor(fields, 'eeo', equalOpportunity),
        askedFor(fields, 'consent', consents),
      ),
    )
  }
  return { application: withResumeAccess(row), isNew: true }
}

export interface ImportApplication {
  jobId: string
  applicantId: string
  system: string
  externalId: string
  status: Status
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
    stageId: stage.id,
    status: input.status,
    source: `import:${system}`,
    sourceSystem: system,
    sourceExternalId: externalId,
    voiceScreeningOptedOut: false,
    screeningPhone: null,
    appliedAt: input.appliedAt,
    answers: {},
    file,
    originKeyId: null,
  })
  if (!row) throw new UserError(`applicant ${applicantId} already has an application for job ${jobId}`)
  return { id: row.id, isNew: true }
}

type Stored = Omit<NewApplication, 'id' | 'hasResume'> & {
  answers: Readonly<Record<string, AnswerValue>>
  file: ClaimedFile | undefined
  originKeyId: string | null
}

/** The application with its answers, first stage and résumé, and application.created; undefined if there is one. */
async function storeApplication(tx: Transaction, a: Stored): Promise<StoredApplication | undefined> {
  const { workspace, applicantId, stageId, file } = a
  const id = newHandle('application')
  const row = await tx.one(insertApplication({ ...a, id, hasResume: file !== undefined }))
  if (!row) return undefined
  await Promise.all([
    tx.query(insertAnswers(workspace, id, a.answers)),
    tx.query(insertTransition(workspace, id, null, stageId, row.updated_at)),
    tx.query(countApplications(workspace, applicantId, 1)),
  ])
  if (file) {
    await tx.query(spendUpload(workspace, file.uploadId, id))
    await tx.query(insertResume({ workspace, id: newHandle('resume'), applicationId: id, applicantId, ...file }))
    const access = resumeAccess(row.applied_at, null, row.now)
    await tx.query(noteAccess(workspace, id, access.state, access.state_changes_at))
  }
  await appendEvents(tx, [
    {
      type: 'application.created',
      workspaceId: workspace,
      id,
      updatedAt: row.updated_at,
      values: { status: row.status, stage_id: stageId, job_id: row.job_id, applicant_id: applicantId },
      originKeyId: a.originKeyId,
    },
  ])
  return row
}

/** Of what the candidate sent, the answers to questions of this kind that the form has. */
const askedFor = <T>(fields: readonly FormField[], type: 'eeo' | 'consent', given: Readonly<Record<string, T>>) =>
  Object.fromEntries(fields.filter(f => f.type === type && Object.hasOwn(given, f.id)).map(f => [f.id, given[f.id]]))

async function refuseSuppressed(
  tx: Transaction,
  workspace: string,
  key: string,
  linkedinUrl: string | undefined,
): Promise<void> {
  const profile = linkedinUrl === undefined ? undefined : linkedinKey(linkedinUrl)
  const suppressed = await tx
    .query(
      suppressedAmong(workspace, [
        { kind: 'email', key },
        ...(profile === undefined ? [] : [{ kind: 'linkedin_url' as const, key: profile }]),
      ]),
    )
    // whatever the read error: without the suppression list no applicant is created
    .catch(() => fail('suppression_check_unavailable', { retry_after_seconds: SUPPRESSION_RETRY_SECONDS }))
  if (suppressed.length > 0) fail('applicant_suppressed')
}

const startStage = (stages: readonly ApplicationStage[], wanted: string | undefined): ApplicationStage | undefined =>
  wanted === undefined ? stages.find(s => !s.is_terminal) : stages.find(s => s.id === wanted)

function stageFaults(stages: readonly ApplicationStage[], wanted: string | undefined): InputFault[] {
  const stage = startStage(stages, wanted)
  if (stage && !stage.is_terminal) return []
  const message = stage ? 'must not be a final stage' : 'must be a stage of the job'
  return [{ param: 'stage_id', message, code: 'invalid_stage' }]
}

/** What the form finds wrong: with the answers that were given, and with those that were not. */
function formFaults(
  fields: readonly FormField[],
  {
    candidate,
    answers,
    resumeUploadId,
  }: Pick<CreateApplication, 'answers' | 'resumeUploadId'> & {
    candidate: Partial<CandidateInput>
  },
  publicForm: boolean,
): InputFault[] {
  const given = {
    phone: candidate.phone !== undefined,
    linkedin: candidate.linkedin_url !== undefined,
    resume: resumeUploadId !== undefined,
    publicForm,
  }
  return [...answerFaults(fields, answers), ...missingAnswers(fields, answersById(answers), given)]
}

/** The faults that a creation would find besides those of a body's shape. What can be read of the body is judged. */
export async function furtherFaults(db: Queryable, workspace: string, body: unknown): Promise<InputFault[]> {
  const { job_id, candidate, answers, stage_id, resume_upload_id } = membersOf(body)
  const details = membersOf(candidate)
  const faults = candidateFaults(details)
  const job = isText(job_id) && isHandle('job', job_id) ? await db.one(jobForApplying(workspace, job_id)) : undefined
  if (!job) return faults
  const uploadId = isText(resume_upload_id) ? resume_upload_id : undefined
  const [fields, stages, upload] = await Promise.all([
    db.query(formOf(workspace, job)),
    db.query(selectJobStages(workspace, job.id)),
    uploadId !== undefined && isHandle('upload', uploadId) ? db.one(uploadById(workspace, uploadId)) : undefined,
  ])
  const readable = (Array.isArray(answers) ? answers : []).map(answer => membersOf(answer) as unknown as FormAnswer)
  const application = {
    candidate: details as Partial<CandidateInput>,
    answers: readable,
    resumeUploadId: uploadId,
  }
  return [
    ...faults,
    ...(stage_id === undefined || isText(stage_id) ? stageFaults(stages, stage_id) : []),
    ...formFaults(fields, application, false),
    ...(uploadId === undefined ? [] : uploadFaults(upload)),
  ]
}

const isText = (value: unknown): value is string => typeof value === 'string'
const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

interface ClaimedFile {
  uploadId: string
  filename: string
  mime: string
  bytes: number
  blobKey: string
}

const findUpload = async (tx: Transaction, workspace: string, id: string): Promise<StoredUpload | undefined> =>
  isHandle('upload', id) ? tx.one(lockUpload(workspace, id)) : undefined

/** One that was used is known, whether or not it has expired since. */
const uploadFaults = (upload: StoredUpload | undefined): InputFault[] =>
  upload && (upload.spent || !upload.expired)
    ? []
    : [{ param: 'resume_upload_id', message: 'is unknown or has expired', code: 'upload_not_found' }]

async function claimFile(
  tx: Transaction,
  blobs: Blobs,
  workspace: string,
  uploadId: string,
  upload: StoredUpload | undefined,
): Promise<ClaimedFile | ApiError> {
  const param = 'resume_upload_id'
  refuseIfAny(uploadFaults(upload))
  if (!upload || upload.spent) return fail('upload_already_used', { param })
  const stat = await blobs.stat(upload.blob_key).catch((cause: Error) => {
    throw new DatastoreUnavailable('file store unavailable', { cause })
  })
  if (!stat) return fail('upload_not_completed', { param })
  if (stat.bytes < 1 || stat.bytes > API_LIMITS.resumeFileBytes) {
    await tx.query(spendUpload(workspace, uploadId, null))
    return new ApiError('resume_rejected', { param })
  }
  const { filename, content_type: mime, blob_key: blobKey } = upload
  return { uploadId, filename, mime, bytes: stat.bytes, blobKey }
}

async function findOrCreateApplicant(
  tx: Transaction,
  workspace: string,
  person: ApplicantDetails | undefined,
  candidate: CandidateInput,
  system: string | null,
  originKeyId: string | null,
): Promise<string> {
  if (person) {
    await fillMissingDetails(tx, workspace, person, candidate, originKeyId)
    return person.id
  }
  return addApplicant(
    tx,
    workspace,
    candidate,
    {
      origin: 'applicant',
      acquisition: 'inbound_application',
      provider: system,
      consentBasis: system === null ? 'candidate_submitted' : 'customer_provided',
    },
    originKeyId,
  )
}
