import type { Transaction } from '../../kernel/db/database.ts'
import { fail } from '../../kernel/errors/api-error.ts'
import { appendEvents } from '../../kernel/feed/append.ts'
import type { InputFault } from '../../kernel/http/faults.ts'
import { isHandle, newHandle } from '../../kernel/ids/handles.ts'
import { linkedinKey } from '../../kernel/text/person-keys.ts'
import { type ApplicantDetails, addApplicant, adjustApplicationCount, fillMissingDetails } from '../applicants/index.ts'
import { placeOrdersOfStage } from '../orders/index.ts'
import { insertResume, noteAccess } from '../resumes/index.ts'
import { resumeAccess } from '../resumes/shape.ts'
import { authorOf } from '../shared/author.ts'
import { suppressedAmong } from '../suppressions/index.ts'
import { consumeUpload, lockUpload, type StoredUpload } from '../uploads/index.ts'
import { insertTransition } from './history-store.ts'
import type { AnswerValue, CandidateInput } from './rules.ts'
import type { ApplicationRow } from './shape.ts'
import {
  type ApplicationStage,
  type EnteredStage,
  insertAnswers,
  insertApplication,
  type NewApplication,
  type StoredApplication,
} from './store.ts'

export interface CreateOutcome {
  application: ApplicationRow
  isNew: boolean
  /** The form is not used: it waits for a choice, or the application has been decided. */
  isUnused?: boolean
}

export interface ClaimedFile {
  uploadId: string
  filename: string
  mime: string
  bytes: number
  blobKey: string
}

export const findUpload = async (tx: Transaction, workspace: string, id: string): Promise<StoredUpload | undefined> =>
  isHandle('upload', id) ? tx.one(lockUpload(workspace, id)) : undefined

/** Without a suppression list nothing is created; it is asked for again this soon. */
const SUPPRESSION_RETRY_SECONDS = 5

export async function refuseSuppressed(
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

export const startStage = (
  stages: readonly ApplicationStage[],
  wanted: string | undefined,
): ApplicationStage | undefined =>
  wanted === undefined ? stages.find(s => !s.is_terminal) : stages.find(s => s.id === wanted)

export function firstStageFaults(stages: readonly ApplicationStage[], wanted: string | undefined): InputFault[] {
  const stage = startStage(stages, wanted)
  if (stage && !stage.is_terminal) return []
  const message = stage ? 'must not be a final stage' : 'must be a stage of the job'
  return [{ param: 'stage_id', message, code: 'invalid_stage' }]
}

export async function findOrCreateApplicant(
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
      unproved: system === null,
    },
    originKeyId,
  )
}

type Stored = Omit<NewApplication, 'id' | 'hasResume' | 'stageId'> & {
  stage: EnteredStage
  answers: Readonly<Record<string, AnswerValue>>
  file: ClaimedFile | undefined
  originKeyId: string | null
  /** the member who adds the person */
  userId?: string | undefined
}

/** The application with its answers, first stage and résumé, and application.created; undefined if there is one. */
export async function storeApplication(tx: Transaction, a: Stored): Promise<StoredApplication | undefined> {
  const { workspace, applicantId, stage, file } = a
  const id = newHandle('application')
  const row = await tx.one(insertApplication({ ...a, id, stageId: stage.id, hasResume: file !== undefined }))
  if (!row) return undefined
  tx.defer(insertAnswers(workspace, id, a.answers))
  tx.defer(insertTransition({ workspace, id, at: row.updated_at, author: authorOf(a) }, null, stage))
  tx.defer(adjustApplicationCount(workspace, applicantId, 1))
  if (file) {
    tx.defer(consumeUpload(workspace, file.uploadId, id))
    tx.defer(insertResume({ workspace, id: newHandle('resume'), applicationId: id, applicantId, ...file }))
    const access = resumeAccess(row.applied_at, null, row.now)
    tx.defer(noteAccess(workspace, id, access.state, access.state_changes_at))
  }
  await appendEvents(tx, [
    {
      type: 'application.created',
      workspaceId: workspace,
      id,
      updatedAt: row.updated_at,
      values: { status: row.status, stage_id: stage.id, job_id: row.job_id, applicant_id: applicantId },
      originKeyId: a.originKeyId,
    },
  ])
  return row
}

/**
 * Orders what the rules of its first stage name. No one of the team has decided it, so the service invites no one: the
 * invitation waits for a person. Without rules it costs no statement.
 */
export const placeFirstOrders = (
  tx: Transaction,
  { workspace_id: workspace, id: applicationId }: StoredApplication,
  stage: ApplicationStage,
  by: { isUnproved: boolean; originKeyId: string | null },
): Promise<void> =>
  placeOrdersOfStage(tx, {
    workspace,
    applicationId,
    stageId: stage.id,
    packageIds: stage.order_package_ids,
    byPerson: false,
    ...by,
  })
