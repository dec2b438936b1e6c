import type { Transaction } from '../../kernel/db/database.ts'
import { appendEvents } from '../../kernel/feed/append.ts'
import { newHandle } from '../../kernel/ids/handles.ts'
import { type ApplicantDetails, editApplicant, markDetailsProved } from '../applicants/index.ts'
import { insertResume, noteAccess } from '../resumes/index.ts'
import { resumeAccess } from '../resumes/shape.ts'
import { lockSuppressionsShared } from '../suppressions/index.ts'
import { noteDeletions } from '../uploads/index.ts'
import { reopenApplication } from './actions.ts'
import { buildApplicationEvent } from './locked-change.ts'
import {
  dropContent,
  dropSettledSubmissions,
  dropSubmission,
  dropSurplusSubmissions,
  insertSubmission,
  lockProof,
  markProved,
  type NewSubmission,
  putAnswers,
  replaceScreeningPhone,
  type SubmittedContent,
  type SubmittedDetails,
  type SubmittedFile,
  selectUnproved,
  setContent,
  takeSubmission,
} from './pending-store.ts'
import { insertFiles, lockApplication, type StoredApplication } from './store.ts'

/** Whether a form says something about the person that their record does not. */
export const differs = (details: SubmittedDetails, record: ApplicantDetails): boolean =>
  (Object.keys(details) as (keyof SubmittedDetails)[]).some(
    name => details[name] !== null && details[name] !== record[name],
  )

/** Keeps a form with the application until its person has chosen. Returns its id. */
export async function keepSubmission(
  tx: Transaction,
  workspace: string,
  applicationId: string,
  network: string | null,
  submission: NewSubmission,
): Promise<string> {
  const { id } = await tx.only(insertSubmission(workspace, applicationId, network, submission))
  await tx.query(dropSurplusSubmissions(workspace, applicationId))
  return id
}

/**
 * Whether a form can still replace the content of an application: while it is open, and where it was decided without
 * anyone having proved that it was theirs.
 */
export const isReplaceable = ({ status }: StoredApplication, unproved: boolean): boolean =>
  status !== 'withdrawn' && (unproved || (status !== 'rejected' && status !== 'hired'))

export const readIsReplaceable = async (tx: Transaction, application: StoredApplication): Promise<boolean> => {
  const row = await tx.one(selectUnproved(application.workspace_id, application.id))
  return isReplaceable(application, row?.unproved === true)
}

/**
 * The person, who has proved the address, uses a form that waits: its details are those of the record from now on, its
 * content that of the application, with the events of such changes. Details that no one has proved give way even where
 * the form has none. An application that was rejected before anyone had proved it is open again: the decision was about
 * what someone else had sent. False: there is no such form.
 */
export async function useSubmission(
  tx: Transaction,
  workspace: string,
  applicantId: string,
  id: string,
): Promise<boolean> {
  await tx.query(lockSuppressionsShared())
  const record = await tx.one(lockProof(workspace, applicantId))
  const submission = record && (await tx.one(takeSubmission(workspace, applicantId, id)))
  if (!submission) return false
  const { details, content, files, application_id } = submission
  const given = Object.fromEntries(Object.entries(details).filter(([, value]) => record.unproved || value !== null))
  await editApplicant(tx, workspace, applicantId, given, null, { isOwn: true })
  if (record.unproved && record.phone !== null && record.phone !== details.phone)
    await tx.query(replaceScreeningPhone(workspace, applicantId, record.phone, details.phone))
  await tx.query(markDetailsProved(workspace, applicantId))
  if (content !== null) await useContent(tx, workspace, application_id, content, files)
  await tx.query(dropSettledSubmissions(workspace, applicantId))
  await noteProof(tx, workspace, applicantId)
  return true
}

async function useContent(
  tx: Transaction,
  workspace: string,
  id: string,
  content: SubmittedContent,
  files: readonly SubmittedFile[],
): Promise<void> {
  const before = await tx.only(lockApplication(workspace, id))
  const wasUnproved = (await tx.only(selectUnproved(workspace, id))).unproved
  if (!isReplaceable(before, wasUnproved))
    return void (await tx.query(noteDeletions(files.map(({ blob_key }) => ({ workspace_id: workspace, blob_key })))))
  await tx.query(dropContent(workspace, id))
  const resume = files.find(({ field_id }) => field_id === null)
  const row = await tx.only(setContent(workspace, id, content, resume !== undefined))
  for (const statement of putAnswers(workspace, id, content)) await tx.query(statement)
  if (resume) await putResume(tx, row, resume)
  const answers = files.flatMap(({ id: _, field_id, ...file }) => (field_id === null ? [] : [{ ...file, field_id }]))
  if (answers.length > 0) await tx.query(insertFiles(workspace, id, answers))
  const changed = ['answers', ...(before.has_resume || resume ? ['resume'] : [])]
  await appendEvents(tx, [buildApplicationEvent('application.updated', row, null, { changed })])
  if (wasUnproved && before.status === 'rejected') await reopenApplication(tx, { workspace, id, originKeyId: null })
}

export async function putResume(
  tx: Transaction,
  { workspace_id: workspace, id, applicant_id: applicantId, ...row }: StoredApplication,
  { filename, mime, bytes, blob_key: blobKey }: Omit<SubmittedFile, 'id' | 'field_id'>,
): Promise<void> {
  const file = { filename, mime, bytes, blobKey }
  await tx.query(insertResume({ workspace, id: newHandle('resume'), applicationId: id, applicantId, ...file }))
  const access = resumeAccess(row.applied_at, row.resume_unlocked_at, row.now)
  await tx.query(noteAccess(workspace, id, access.state, access.state_changes_at))
}

/**
 * The person does not want a form that waits. What they have is theirs, unless other forms wait; a number to call that
 * came with the form is not.
 */
export async function discardSubmission(
  tx: Transaction,
  workspace: string,
  applicantId: string,
  id: string,
): Promise<boolean> {
  const record = await tx.one(lockProof(workspace, applicantId))
  const dropped = record && (await tx.one(dropSubmission(workspace, applicantId, id)))
  if (!dropped) return false
  const { phone } = dropped.details
  if (phone !== null && phone !== record.phone)
    await tx.query(replaceScreeningPhone(workspace, applicantId, phone, record.phone))
  await noteProof(tx, workspace, applicantId)
  return true
}

/** The person has proved the address, with a link that was mailed to it. */
export async function noteProof(tx: Transaction, workspace: string, applicantId: string): Promise<void> {
  for (const statement of markProved(workspace, applicantId)) await tx.query(statement)
}
