import { LIMITS } from '../../contract/limits.ts'
import type { Blobs } from '../../kernel/blobs/blobs.ts'
import { DatastoreUnavailable, type Transaction } from '../../kernel/db/database.ts'
import { Failure, fail, invalid } from '../../kernel/failure.ts'
import { appendEvents } from '../../kernel/feed/append.ts'
import { isHandle, newHandle } from '../../kernel/handles.ts'
import { emailKey, linkedinKey } from '../../kernel/identity.ts'
import { Refused } from '../../kernel/refused.ts'
import { addApplicant, fillBlanks } from '../applicants/actions.ts'
import {
  type ApplicantDetails,
  countApplications,
  lockApplicantByEmail,
  lockPerson,
  unsubscribedAddress,
} from '../applicants/store.ts'
import { resumeAccess } from '../resumes/shape.ts'
import { insertResume, noteAccess } from '../resumes/store.ts'
import { enterGate, suppressedAmong } from '../suppressions/store.ts'
import { lockUpload, spendUpload } from '../uploads/store.ts'
import {
  type Answer,
  type AnswerValue,
  type Candidate,
  candidateFaults,
  checkAnswers,
  type FormField,
  invalidStage,
  missingAnswers,
  needsConsent,
  refuseFaults,
  refuseMissing,
  requireSourceSystem,
} from './rules.ts'
import type { ApplicationRow, Status } from './shape.ts'
import {
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
  type Stage,
  type StoredApplication,
  stagesOf,
  toSingle,
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
  candidate: Candidate
  from: { system: string; externalId?: string | undefined } | { publicForm: PublicForm }
  resumeUploadId?: string | undefined
  answers: readonly Answer[]
  stageId?: string | undefined
  originKeyId: string | null
}

export interface Outcome {
  application: ApplicationRow
  isNew: boolean
}

/** Without a suppression list nothing is created; it is asked for again this soon. */
const SUPPRESSION_RETRY_SECONDS = 5

/**
 * Creates an application, or finds the one there is. In this order: the person may be processed at all; the duplicate
 * rules, before any validation, so that a retry succeeds after the form changed; the rules of job, form, stage and
 * file; then the writes. Creations for one person take turns by a lock, so that of many at once one creates and the
 * others find. A refused file spends its upload: that failure is returned, and committed, not thrown.
 */
export async function createApplication(
  tx: Transaction,
  blobs: Blobs,
  workspace: string,
  input: CreateApplication,
): Promise<Outcome | Failure> {
  const { candidate, from, originKeyId } = input
  const partner = 'system' in from ? from : undefined
  if (partner) requireSourceSystem(partner.system)
  const key = emailKey(candidate.email)
  if (key === undefined) return invalid('candidate.email', 'must be an e-mail address')
  if (!isHandle('job', input.jobId)) fail('not_found')
  const job = (await tx.one(jobForApplying(workspace, input.jobId))) ?? fail('not_found')

  // always the person before the external id: two requests never wait for each other in a circle
  await Promise.all([tx.query(enterGate()), tx.query(lockPerson(workspace, key))])
  if (partner?.externalId !== undefined)
    await tx.query(lockExternalId(workspace, job.id, partner.system, partner.externalId))
  await refuseSuppressed(tx, workspace, key, candidate.linkedinUrl)
  const existing =
    (partner?.externalId === undefined
      ? undefined
      : await tx.one(byExternalId(workspace, job.id, partner.system, partner.externalId))) ??
    (await tx.one(byApplicantEmail(workspace, job.id, key)))
  if (existing) return { application: toSingle(existing), isNew: false }

  refuseFaults(candidateFaults(candidate))
  if (job.status !== 'published' || !job.accept_applications) fail('job_not_accepting_applications')
  const [person, unsubscribed, fields, stages] = await Promise.all([
    tx.one(lockApplicantByEmail(workspace, key)),
    tx.one(unsubscribedAddress(workspace, key)),
    tx.query(formOf(workspace, job)),
    tx.query(stagesOf(workspace, job.id)),
  ])
  // an address shared by role, or one that the record got later, is not on the list; the record is
  if (person?.suppressed) fail('applicant_suppressed')
  // who applies by themselves may do so whether or not they want mail
  if (partner && (person?.unsubscribed || unsubscribed)) fail('applicant_unsubscribed')
  const publicForm = 'publicForm' in from ? from.publicForm : undefined
  const ticked = new Set(Object.entries(publicForm?.consents ?? {}).flatMap(([id, yes]) => (yes ? [id] : [])))
  if (needsConsent(fields, ticked)) fail('candidate_consent_required')
  const stageId = startStage(stages, input.stageId)
  const answers = checkAnswers(fields, input.answers)
  const given = {
    phone: candidate.phone !== undefined,
    linkedin: candidate.linkedinUrl !== undefined,
    resume: input.resumeUploadId !== undefined,
    publicForm: publicForm !== undefined,
  }
  refuseMissing(missingAnswers(fields, answers, given))
  const file =
    input.resumeUploadId === undefined ? undefined : await claimFile(tx, blobs, workspace, input.resumeUploadId)
  if (file instanceof Failure) return file

  const applicantId = await attach(tx, workspace, person, candidate, partner?.system ?? null, originKeyId)
  const row = await store(tx, {
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
  // somebody created it without the lock, and it is not there to be read back
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
  return { application: toSingle(row), isNew: true }
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
  const stages = await tx.query(stagesOf(workspace, jobId))
  const stage = input.stageId === undefined ? stages[0] : stages.find(s => s.id === input.stageId)
  if (!stage) throw new Refused(`job ${jobId} has no such stage`)
  const { resumeUploadId } = input
  const file = resumeUploadId === undefined ? undefined : await claimFile(tx, blobs, workspace, resumeUploadId)
  if (file instanceof Failure) throw file
  const row = await store(tx, {
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
  if (!row) throw new Refused(`applicant ${applicantId} has an application on job ${jobId} already`)
  return { id: row.id, isNew: true }
}

type Stored = Omit<NewApplication, 'id' | 'hasResume'> & {
  answers: Readonly<Record<string, AnswerValue>>
  file: ClaimedFile | undefined
  originKeyId: string | null
}

/** The application with its answers, first stage and résumé, and application.created; undefined if there is one. */
async function store(tx: Transaction, a: Stored): Promise<StoredApplication | undefined> {
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
    // whatever keeps the list from being read: without it nobody is created
    .catch(() => fail('suppression_check_unavailable', { retry_after_seconds: SUPPRESSION_RETRY_SECONDS }))
  if (suppressed.length > 0) fail('applicant_suppressed')
}

function startStage(stages: readonly Stage[], wanted: string | undefined): string {
  const stage = wanted === undefined ? stages.find(s => !s.is_terminal) : stages.find(s => s.id === wanted)
  if (!stage) throw invalidStage('must be a stage of the job')
  if (stage.is_terminal) throw invalidStage('must not be a final stage')
  return stage.id
}

interface ClaimedFile {
  uploadId: string
  filename: string
  mime: string
  bytes: number
  blobKey: string
}

async function claimFile(
  tx: Transaction,
  blobs: Blobs,
  workspace: string,
  uploadId: string,
): Promise<ClaimedFile | Failure> {
  const param = 'resume_upload_id'
  const upload = isHandle('upload', uploadId) ? await tx.one(lockUpload(workspace, uploadId)) : undefined
  if (!upload) return fail('upload_not_found', { param })
  if (upload.spent) fail('upload_already_used', { param })
  if (upload.expired) fail('upload_not_found', { param })
  const stat = await blobs.stat(upload.blob_key).catch((cause: Error) => {
    throw new DatastoreUnavailable('the file store cannot be asked', { cause })
  })
  if (!stat) return fail('upload_not_completed', { param })
  if (stat.bytes < 1 || stat.bytes > LIMITS.resumeFileBytes) {
    await tx.query(spendUpload(workspace, uploadId, null))
    return new Failure('resume_rejected', { param })
  }
  const { filename, content_type: mime, blob_key: blobKey } = upload
  return { uploadId, filename, mime, bytes: stat.bytes, blobKey }
}

async function attach(
  tx: Transaction,
  workspace: string,
  person: ApplicantDetails | undefined,
  candidate: Candidate,
  system: string | null,
  originKeyId: string | null,
): Promise<string> {
  if (person) {
    await fillBlanks(tx, workspace, person, candidate, originKeyId)
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
