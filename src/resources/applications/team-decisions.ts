import { type ApplicationStatus, isOpen, type OpenStatus } from '../../contract/application-status.ts'
import type { Transaction } from '../../kernel/db/database.ts'
import { hasSqlState } from '../../kernel/db/sqlstate.ts'
import { fail } from '../../kernel/errors/api-error.ts'
import { present } from '../../kernel/errors/present.ts'
import { appendEvents } from '../../kernel/feed/append.ts'
import { refuseIfAny } from '../../kernel/http/faults.ts'
import { placeOrdersOfStage } from '../orders/index.ts'
import { authorOf } from '../shared/author.ts'
import { setStageAndStatus, setStartDate } from './decision-store.ts'
import { insertTransition, latestSteps } from './history-store.ts'
import {
  buildApplicationEvent,
  type Change,
  changeLocked,
  lockForChange,
  statusStep,
  unlessStageRemoved,
  whileLocked,
} from './locked-change.ts'
import { changedStageFaults } from './rules.ts'
import type { ApplicationRow } from './shape.ts'
import {
  type EnteredStage,
  lastOpenStage,
  type StoredApplication,
  selectOutcome,
  stageById,
  withResumeAccess,
} from './store.ts'

/**
 * What a person does on the pages, where the stage is the one truth: a move also says how far the review is, and what ended
 * can be taken back. Stage and status are one write with one `updated_at`; each that changed is an event. The API changes
 * them one at a time: see actions.ts.
 */
export interface PersonsChange extends Change {
  originKeyId: null
  userId: string
}

/** Who is in a stage of these types is at least being reviewed; nothing lowers a status but Undo. */
const STATUS_OF_STAGE: Readonly<Record<string, Exclude<OpenStatus, 'new'>>> = {
  screen: 'in_review',
  assessment: 'in_review',
  custom: 'in_review',
  interview: 'advanced',
  offer: 'advanced',
}

const RANK: Readonly<Record<OpenStatus, number>> = { new: 0, in_review: 1, advanced: 2 }

export const statusInStage = (status: ApplicationStatus, stageType: string): ApplicationStatus => {
  const least = STATUS_OF_STAGE[stageType]
  return isOpen(status) && least && RANK[status] < RANK[least] ? least : status
}

const isFinal = (stageType: string): boolean => stageType === 'hired' || stageType === 'rejected'

const wrongState = (status: ApplicationStatus): never =>
  fail('invalid_application_state', { message: `The application is ${status}.` })

/** One write, its steps in the history and its events: `first` is the one that the feed has first. */
async function write(
  tx: Transaction,
  change: PersonsChange,
  row: StoredApplication,
  next: { stage: EnteredStage; status: ApplicationStatus },
  first: 'stage' | 'status',
): Promise<ApplicationRow> {
  const { workspace, id } = change
  const author = authorOf(change)
  const written = await tx
    .only(setStageAndStatus(workspace, id, next.stage.id, next.status))
    .catch(error => (hasSqlState(error, 'uniqueViolation') ? refuseSecond() : unlessStageRemoved(error)))
  const events = []
  if (written.stage_id !== row.stage_id) {
    tx.defer(insertTransition({ workspace, id, at: written.updated_at, author }, row.stage_id, next.stage))
    const previous = { stage_id: row.stage_id }
    events.push(buildApplicationEvent('application.stage_changed', written, null, { previous }))
  }
  if (written.status !== row.status) {
    tx.defer(statusStep(row, written, author))
    const previous = { status: row.status }
    events.push(buildApplicationEvent('application.status_changed', written, null, { previous }))
  }
  await appendEvents(tx, first === 'stage' ? events : events.reverse())
  return withResumeAccess({ ...written, now: row.now })
}

/** After a withdrawal a person may apply again, and a job has one application of a person that is not withdrawn. */
const refuseSecond = (): never =>
  fail('invalid_application_state', { message: 'The person has applied for the job again.' })

/** Moves an open application to an open stage; the status follows, forwards only. */
export async function moveWithStatus(
  tx: Transaction,
  change: PersonsChange & { stageId: string },
): Promise<ApplicationRow | undefined> {
  const { workspace, id: applicationId, stageId } = change
  // the stage is read after the lock, with the same round trip
  const [locked, stage] = await Promise.all([lockForChange(tx, change), tx.one(stageById(workspace, stageId))])
  if (!locked) return undefined
  return changeLocked(tx, change, locked, async row => {
    if (row.status === 'hired') return wrongState(row.status)
    if (row.stage_id === stageId) return withResumeAccess(row)
    refuseIfAny(changedStageFaults(stage?.job_id === row.job_id ? [stage] : [], stageId))
    const entered = present(stage, 'the stage')
    if (isFinal(entered.type))
      refuseIfAny([{ param: 'stage_id', message: 'is a final stage: hire or reject instead', code: 'invalid_stage' }])
    const moved = await write(
      tx,
      change,
      row,
      { stage: entered, status: statusInStage(row.status, entered.type) },
      'stage',
    )
    await placeOrdersOfStage(tx, {
      workspace,
      applicationId,
      stageId,
      packageIds: entered.order_package_ids,
      byPerson: true,
      originKeyId: null,
    })
    return moved
  })
}

/** The stage that an application is in, or was in before its end. */
async function openStageOf(tx: Transaction, row: StoredApplication): Promise<EnteredStage> {
  const now = present(await tx.one(stageById(row.workspace_id, row.stage_id)), 'the stage')
  if (!isFinal(now.type)) return now
  return (await tx.one(lastOpenStage(row.workspace_id, row.id, row.job_id))) ?? now
}

/** Reopens what was rejected, or withdrawn by the team; what the person withdrew stays withdrawn. */
export async function reopenByTeam(tx: Transaction, change: PersonsChange): Promise<ApplicationRow | undefined> {
  return whileLocked(tx, change, async row => {
    if (row.status !== 'rejected' && row.status !== 'withdrawn') return wrongState(row.status)
    const { withdrawn_by } = await tx.only(selectOutcome(change.workspace, change.id))
    if (row.status === 'withdrawn' && withdrawn_by !== 'team')
      fail('invalid_application_state', { message: 'The candidate withdrew the application.' })
    return write(tx, change, row, { stage: await openStageOf(tx, row), status: 'in_review' }, 'status')
  })
}

/** A hired person is a candidate again, in the last open stage. */
export async function unhire(tx: Transaction, change: PersonsChange): Promise<ApplicationRow | undefined> {
  return whileLocked(tx, change, async row => {
    if (row.status !== 'hired') return wrongState(row.status)
    return write(tx, change, row, { stage: await openStageOf(tx, row), status: 'advanced' }, 'status')
  })
}

/** The button shows for ten seconds, which begin when the last of many changes is made. */
const UNDO_MS = 10 * 60_000

/** What Undo does not restore is gone: the reason of a rejection that was reopened, the date of a hire taken back. */
const canUndo = (from: ApplicationStatus | null, to: ApplicationStatus | null): boolean =>
  from === null || isOpen(from) || to === 'withdrawn'

/**
 * Undoes the last move or decision of the same person: stage and status are exactly as before, with the same types of
 * events; that of a withdrawal is a change of the status. Anything that happened since is a conflict, and nothing is changed.
 */
export async function undoLastStep(tx: Transaction, change: PersonsChange): Promise<ApplicationRow | undefined> {
  const { workspace, id, userId } = change
  return whileLocked(tx, change, async row => {
    const step = await tx.one(latestSteps(workspace, id, 1))
    const isOwn = step?.user_id === userId && Date.parse(row.now) - Date.parse(step.at) < UNDO_MS
    const isLatest =
      (step?.to_stage_id ?? row.stage_id) === row.stage_id && (step?.to_status ?? row.status) === row.status
    if (!step || !isOwn || !isLatest || !canUndo(step.from_status, step.to_status))
      return fail('stale_resource', { message: 'Someone changed this application. Nothing was changed.' })
    const stage = await tx.one(stageById(workspace, step.from_stage_id ?? row.stage_id))
    if (!stage) return fail('application_modified_concurrently')
    const first = step.from_stage_id !== null && step.to_status === 'hired' ? 'status' : 'stage'
    return write(tx, change, row, { stage, status: step.from_status ?? row.status }, first)
  })
}

/** The day may be known later than the hire. */
export async function changeStartDate(
  tx: Transaction,
  change: PersonsChange & { startDate: string | null },
): Promise<ApplicationRow | undefined> {
  return whileLocked(tx, change, async row => {
    if (row.status !== 'hired') return wrongState(row.status)
    if (row.start_date === change.startDate) return withResumeAccess(row)
    const written = await tx.only(setStartDate(change.workspace, change.id, change.startDate))
    await appendEvents(tx, [buildApplicationEvent('application.updated', written, null, { changed: ['start_date'] })])
    return withResumeAccess({ ...written, now: row.now })
  })
}
