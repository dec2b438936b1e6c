import { randomUUID } from 'node:crypto'
import type { ApplicationStatus, OpenStatus } from '../../contract/application-status.ts'
import type { NoteVisibility } from '../../contract/note-visibility.ts'
import type { Transaction } from '../../kernel/db/database.ts'
import { fail } from '../../kernel/errors/api-error.ts'
import { present } from '../../kernel/errors/present.ts'
import { UserError } from '../../kernel/errors/user-error.ts'
import { appendEvents } from '../../kernel/feed/append.ts'
import { checkText } from '../../kernel/http/body.ts'
import { refuseIfAny } from '../../kernel/http/faults.ts'
import { charactersIn } from '../../kernel/text/text.ts'
import { adjustApplicationCount, deleteApplicantRow, lockApplicantById } from '../applicants/index.ts'
import { removeInterviewsOfApplication } from '../interviews/index.ts'
import { cancelOrdersOfApplication, deleteOrdersOfApplication, placeOrdersOfStage } from '../orders/index.ts'
import { type Author, authorOf, originKeyOf } from '../shared/author.ts'
import { clearTextsOfApplication } from '../shared/message-texts.ts'
import { requireUnchanged } from '../shared/unchanged.ts'
import { markHired, setStatus, setWithdrawn } from './decision-store.ts'
import { insertTransition } from './history-store.ts'
import {
  buildApplicationEvent,
  type Change,
  changeLocked,
  isStopped,
  lockForChange,
  ordersOf,
  statusStep,
  unlessStageRemoved,
  whileLocked,
} from './locked-change.ts'
import {
  endScorecardDraft,
  insertNote,
  insertScorecard,
  type NoteFields,
  type NoteRow,
  type ScorecardFields,
  type ScorecardRow,
} from './notes-store.ts'
import { dropSubmissions } from './pending-store.ts'
import { canBecome, changedStageFaults } from './rules.ts'
import { type ApplicationRow, noteRecord } from './shape.ts'
import {
  deleteApplicationRow,
  lockApplication,
  moveTo,
  putScreening,
  type StoredApplication,
  type StoredScreening,
  selectApplicationIds,
  selectJobStages,
  selectScreening,
  stageById,
  touch,
  withResumeAccess,
} from './store.ts'

export async function moveApplication(
  tx: Transaction,
  change: Change & { stageId: string },
): Promise<ApplicationRow | undefined> {
  const { workspace, id, stageId, originKeyId } = change
  // the stage is read after the lock, with the same round trip
  const [locked, stage] = await Promise.all([lockForChange(tx, change), tx.one(stageById(workspace, stageId))])
  if (!locked) return undefined
  return changeLocked(tx, change, locked, async row => {
    if (row.stage_id === stageId) return withResumeAccess(row)
    refuseIfAny(changedStageFaults(stage?.job_id === row.job_id ? [stage] : [], stageId))
    const moved = await tx.only(moveTo(workspace, id, stageId)).catch(unlessStageRemoved)
    const step = { workspace, id, at: moved.updated_at, author: authorOf(change) }
    tx.defer(insertTransition(step, row.stage_id, present(stage, 'the stage')))
    await appendEvents(tx, [
      buildApplicationEvent('application.stage_changed', moved, originKeyId, { previous: { stage_id: row.stage_id } }),
    ])
    const packageIds = stage?.order_package_ids ?? []
    await placeOrdersOfStage(tx, {
      workspace,
      applicationId: id,
      stageId,
      packageIds,
      byPerson: originKeyId === null,
      originKeyId,
    })
    return withResumeAccess({ ...moved, now: row.now })
  })
}

async function changeStatus(
  tx: Transaction,
  row: StoredApplication,
  to: ApplicationStatus,
  reason: string | null,
  author: Author,
  rejection: Pick<Rejection, 'reasonId' | 'noticeGivenOn'> = {},
): Promise<ApplicationRow> {
  const { reasonId = null, noticeGivenOn = null } = rejection
  const changed = await tx.only(setStatus(row.workspace_id, row.id, to, { reason, reasonId, noticeGivenOn }))
  tx.defer(statusStep(row, changed, author))
  await appendEvents(tx, [
    buildApplicationEvent('application.status_changed', changed, originKeyOf(author), {
      previous: { status: row.status },
    }),
  ])
  if (to === 'rejected') await cancelOrdersOfApplication(tx, ordersOf(row, originKeyOf(author)), 'application_rejected')
  return withResumeAccess({ ...changed, now: row.now })
}

interface Rejection {
  /** The text stays inside: only keys with applications:internal:read see it. */
  reason: string
  /** one of the reasons that the workspace chooses from; rejections by keys have none */
  reasonId?: string | undefined
  /** the day on which the candidate was notified of an adverse result of a check, which only our pages show */
  noticeGivenOn?: string | undefined
}

export async function rejectApplication(
  tx: Transaction,
  change: Change & Rejection,
): Promise<ApplicationRow | undefined> {
  return whileLocked(tx, change, async row => {
    if (!canBecome('rejected', row.status))
      fail('invalid_application_state', { message: `The application is ${row.status}.` })
    return changeStatus(tx, row, 'rejected', change.reason, authorOf(change), change)
  })
}

/**
 * Only what was rejected; the stage stays and the reason is forgotten. `to` is what it was before, for a rejection that is
 * undone; the API reopens to in_review.
 */
export async function reopenApplication(
  tx: Transaction,
  change: Change,
  to: OpenStatus = 'in_review',
): Promise<ApplicationRow | undefined> {
  return whileLocked(tx, change, async row => {
    if (row.status !== 'rejected') fail('invalid_application_state', { message: `The application is ${row.status}.` })
    return changeStatus(tx, row, to, null, authorOf(change))
  })
}

/**
 * Hires an open application: one write sets the status and moves it to the job's first stage of type `hired`, if the job
 * has one. Both events carry the state after the write and its one `updated_at`.
 */
export async function hireApplication(
  tx: Transaction,
  change: Change & { startDate?: string | undefined },
): Promise<ApplicationRow | undefined> {
  const { workspace, id, originKeyId, startDate = null } = change
  return whileLocked(tx, change, async row => {
    if (!canBecome('hired', row.status))
      fail('invalid_application_state', { message: `The application is ${row.status}.` })
    const stages = await tx.query(selectJobStages(workspace, row.job_id))
    const stage = stages.find(({ type }) => type === 'hired')
    const hired = await tx
      .only(markHired(workspace, id, stage?.id ?? row.stage_id, startDate))
      .catch(unlessStageRemoved)
    const author = authorOf(change)
    tx.defer(statusStep(row, hired, author))
    const events = [
      buildApplicationEvent('application.status_changed', hired, originKeyId, { previous: { status: row.status } }),
    ]
    if (stage && stage.id !== row.stage_id) {
      await tx.query(insertTransition({ workspace, id, at: hired.updated_at, author }, row.stage_id, stage))
      events.push(
        buildApplicationEvent('application.stage_changed', hired, originKeyId, {
          previous: { stage_id: row.stage_id },
        }),
      )
    }
    await appendEvents(tx, events)
    return withResumeAccess({ ...hired, now: row.now })
  })
}

const REASON_LENGTH = 2_000

interface Withdrawal {
  reason?: string | null | undefined
  /** one of the reasons that the workspace chooses from */
  reasonId?: string | undefined
  expectedUpdatedAt?: string | undefined
  /** the member who withdraws on behalf of the candidate */
  userId?: string
}

/**
 * The candidate withdraws, which they may also do after processing was stopped, or someone of the team does it on their
 * behalf. The reason stays inside: only keys with applications:internal:read see it. 409 if it was withdrawn before; 404
 * if there is none.
 */
export async function withdrawApplication(
  tx: Transaction,
  workspace: string,
  id: string,
  { reason, reasonId, expectedUpdatedAt, userId }: Withdrawal = {},
): Promise<ApplicationRow> {
  const given = reason?.trim() || null
  if (given !== null && charactersIn(given) > REASON_LENGTH)
    refuseIfAny([{ param: 'reason', message: `must be at most ${REASON_LENGTH} characters`, reason: 'too_long' }])
  refuseIfAny(checkText({ reason: given }).map(fault => ({ ...fault, reason: 'bad_text' })))
  const row = (await lockForChange(tx, { workspace, id, originKeyId: null })) ?? fail('not_found')
  requireUnchanged(expectedUpdatedAt, row.updated_at)
  if (!canBecome('withdrawn', row.status))
    fail('invalid_application_state', { message: `The application is ${row.status}.` })
  const by = userId === undefined ? 'person' : 'team'
  const withdrawn = await tx.only(setWithdrawn(workspace, id, { reason: given, reasonId: reasonId ?? null, by }))
  tx.defer(statusStep(row, withdrawn, authorOf({ originKeyId: null, userId })))
  await tx.query(dropSubmissions(workspace, id))
  await appendEvents(tx, [
    buildApplicationEvent('application.withdrawn', withdrawn, null, { previous: { status: row.status } }),
  ])
  await cancelOrdersOfApplication(tx, ordersOf(row, null), 'application_withdrawn')
  return withResumeAccess({ ...withdrawn, now: row.now })
}

/** Made in the product. The same status again changes nothing. */
export async function setApplicationStatus(
  tx: Transaction,
  change: Change,
  to: Exclude<OpenStatus, 'new'>,
): Promise<ApplicationRow> {
  const changed = await whileLocked(tx, change, async row => {
    if (row.status === to) return withResumeAccess(row)
    if (!canBecome(to, row.status)) throw new UserError(`an application that is ${row.status} cannot become ${to}`)
    return changeStatus(tx, row, to, row.rejection_reason, authorOf(change))
  })
  if (!changed) throw new UserError(`there is no application ${change.id}`)
  return changed
}

async function noteChange(tx: Transaction, row: StoredApplication, what: string, originKeyId: string | null) {
  const touched = await tx.only(touch(row.workspace_id, row.id))
  await appendEvents(tx, [buildApplicationEvent('application.updated', touched, originKeyId, { changed: [what] })])
}

/**
 * Changes something that belongs to an application, while it is locked; `work` says whether it changed anything, which is
 * then emitted. undefined: there is no such application.
 */
export async function changeBelongings(
  tx: Transaction,
  change: Change,
  what: 'tags' | 'notes' | 'scorecards' | 'consents',
  work: () => Promise<boolean>,
): Promise<boolean | undefined> {
  return whileLocked(tx, change, async row => {
    const changed = await work()
    if (changed) await noteChange(tx, row, what, change.originKeyId)
    return changed
  })
}

/** A private note emits nothing: partners can read no such note. */
export async function addNote(
  tx: Transaction,
  change: Change & NoteFields & { authorUserId: string | null; visibility?: NoteVisibility },
): Promise<NoteRow | undefined> {
  return whileLocked(tx, change, async row => {
    const { workspace, id: applicationId, authorUserId, visibility = 'team' } = change
    const note = { workspace, id: randomUUID(), applicationId, authorUserId, visibility }
    const stored = await tx.one(insertNote(note, noteRecord.merge(undefined, change)))
    if (visibility === 'team') await noteChange(tx, row, 'notes', change.originKeyId)
    return stored
  })
}

export async function addScorecard(
  tx: Transaction,
  change: Change & { card: ScorecardFields & { author_user_id: string | null } },
): Promise<ScorecardRow | undefined> {
  const { workspace, id: applicationId, card } = change
  return whileLocked(tx, change, async row => {
    if (card.stage_id !== null) {
      const stages = await tx.query(selectJobStages(workspace, row.job_id))
      refuseIfAny(changedStageFaults(stages, card.stage_id))
    }
    const author = { workspace, id: randomUUID(), applicationId, authorUserId: card.author_user_id }
    const stored = await tx.one(insertScorecard(author, card))
    // a person has submitted what they had begun; cards that a key sends for them are others
    if (change.originKeyId === null) await tx.query(endScorecardDraft(author))
    await noteChange(tx, row, 'scorecards', change.originKeyId)
    return stored
  })
}

/** Stores the outcome of a phone pre-screen. Emits an event when the call has ended, without what was said. */
export async function recordScreening(tx: Transaction, change: Change, result: StoredScreening): Promise<void> {
  const { workspace, id, originKeyId } = change
  const row = await tx.one(lockApplication(workspace, id))
  if (!row) throw new UserError(`there is no application ${id}`)
  if (await isStopped(tx, row)) fail('applicant_suppressed')
  const before = await tx.one(selectScreening(workspace, id))
  await tx.query(putScreening(workspace, id, result))
  const ended = ['completed', 'no_answer', 'failed'].includes(result.call_status)
  if (!ended || before?.call_status === result.call_status) return
  const touched = await tx.only(touch(workspace, id))
  await appendEvents(tx, [
    {
      type: 'application.screening_completed',
      workspaceId: workspace,
      id,
      updatedAt: touched.updated_at,
      values: { job_id: row.job_id, call_status: result.call_status, completion_state: result.completion_state },
      originKeyId,
    },
  ])
}

/** Gone with its résumé, answers, history and notes; the file is removed right after. */
export async function deleteApplication(tx: Transaction, change: Change, reason: string): Promise<void> {
  const { workspace, id, originKeyId } = change
  await deleteOrdersOfApplication(tx, { workspace, applicationId: id, originKeyId }, reason)
  await removeInterviewsOfApplication(tx, workspace, id)
  const gone = await tx.one(deleteApplicationRow(workspace, id))
  if (!gone) throw new UserError(`there is no application ${id}`)
  if (gone.applicant_id !== null) await tx.query(adjustApplicationCount(workspace, gone.applicant_id, -1))
  await tx.query(clearTextsOfApplication(workspace, id))
  await appendEvents(tx, [
    {
      type: 'application.deleted',
      workspaceId: workspace,
      id,
      updatedAt: gone.updated_at,
      values: { reason, job_id: gone.job_id },
      originKeyId,
    },
  ])
}

/** A person with everything of theirs: each application first, then the record and its contact values. */
export async function deleteApplicant(tx: Transaction, change: Change, reason: string): Promise<void> {
  const { workspace, id, originKeyId } = change
  if (!(await tx.one(lockApplicantById(workspace, id)))) throw new UserError(`there is no applicant ${id}`)
  for (const application of await tx.query(selectApplicationIds(workspace, id)))
    await deleteApplication(tx, { ...change, id: application.id }, reason)
  const gone = await tx.only(deleteApplicantRow(workspace, id))
  await appendEvents(tx, [
    {
      type: 'applicant.deleted',
      workspaceId: workspace,
      id,
      updatedAt: gone.updated_at,
      values: { reason },
      originKeyId,
    },
  ])
}
