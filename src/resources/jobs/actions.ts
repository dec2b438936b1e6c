import { randomInt } from 'node:crypto'
import type { JobStatus } from '../../contract/job-status.ts'
import { NATIVE_SYSTEM } from '../../contract/source-systems.ts'
import type { Database, Transaction } from '../../kernel/db/database.ts'
import { ApiError, fail } from '../../kernel/errors/api-error.ts'
import { present } from '../../kernel/errors/present.ts'
import { UserError } from '../../kernel/errors/user-error.ts'
import { appendEvents, type NewEvent } from '../../kernel/feed/append.ts'
import { Signal } from '../../kernel/feed/signal.ts'
import { checkInput } from '../../kernel/http/body.ts'
import { newHandle } from '../../kernel/ids/handles.ts'
import type { Changes } from '../../kernel/record/record.ts'
import { slugify } from '../../kernel/text/slug.ts'
import { charactersIn, isBlankText } from '../../kernel/text/text.ts'
import { type Author, originKeyOf } from '../shared/author.ts'
import { addDefaultStages, ensureTemplateForm, NON_TERMINAL_DEFAULT_STAGES } from './defaults.ts'
import {
  changesBetween,
  type JobEditInput,
  type JobFields,
  jobEditInput,
  merge,
  type NewJobInput,
  newJobInput,
  outdatesScores,
  type PushBody,
} from './fields.ts'
import { insertHistory } from './history-store.ts'
import {
  attemptTransition,
  checkTransition,
  pushedTransition,
  TRANSITIONS,
  type Transition,
  type TransitionName,
} from './lifecycle.ts'
import { lockExistingJob, lockStoredJob } from './lock.ts'
import { jobRecord } from './shape.ts'
import {
  deleteJobRow as deleteRow,
  dueJobs,
  hasApplications,
  type InsertJob,
  insertJob,
  lockDueJob,
  type PushKey,
  pushedJob,
  requestRescore,
  type StoredJob,
  selectDueJobs,
  updateJob,
} from './store.ts'

/** what a job asks for has changed, and its applications wait to be scored again */
export const scoresOutdated = new Signal()

export interface Pushed {
  id: string
  created: boolean
  /** why the requested transition was refused; the fields are stored nevertheless */
  failure?: ApiError
}

/**
 * Creates or updates the job that a partner system knows by its own id. Pushes of one job take turns by the lock of its
 * row, or, before there is a row, by the unique key. One that finds that another push changed the job while it waited
 * is refused, unless it has nothing to add, neither a field nor a transition. So the same body sent by many callers at the same time is
 * one write, and two different bodies never mix.
 */
export async function pushJob(tx: Transaction, workspace: string, body: PushBody, by: Author): Promise<Pushed> {
  const wanted = pushedTransition(body)
  const key = { workspace, system: body.source.system, externalId: body.source.external_id }
  let found = await lockPushed(tx, key)
  if (!found) {
    const created = await createPushed(tx, workspace, body, wanted, by)
    if (created) return created
    const { job } = (await lockPushed(tx, key)) ?? fail('job_modified_concurrently')
    found = { job, changedWhileWaiting: true }
  }
  const { job, changedWhileWaiting } = found
  const next = merge(job, body)
  const changes = changesBetween(job, next)
  const move = attemptTransition(wanted, { ...job, ...next })
  const moved = move instanceof ApiError ? undefined : move
  if (changedWhileWaiting && (changes.changed.length > 0 || moved)) fail('job_modified_concurrently')
  await write(tx, workspace, job, { next, changes, by, ...(moved ? { move: moved } : {}) })
  return { id: job.id, created: false, ...(move instanceof ApiError ? { failure: move } : {}) }
}

/** The pushed job, locked, and whether it changed between being seen and being locked. */
async function lockPushed(
  tx: Transaction,
  key: PushKey,
): Promise<{ job: StoredJob; changedWhileWaiting: boolean } | undefined> {
  const seen = await tx.one(pushedJob(key))
  const job = seen && (await lockStoredJob(tx, key.workspace, seen.id))
  return job && { job, changedWhileWaiting: job.updated_at !== seen.updated_at }
}

async function createPushed(
  tx: Transaction,
  workspace: string,
  body: PushBody,
  wanted: Transition | undefined,
  by: Author,
): Promise<Pushed | undefined> {
  const fields = merge(undefined, body)
  const id = newHandle('job')
  const draft = {
    ...fields,
    id,
    status: 'draft' as const,
    non_terminal_stages: NON_TERMINAL_DEFAULT_STAGES,
    close_at_passed: false,
  }
  const move = attemptTransition(wanted, draft)
  const made = await create(tx, {
    id,
    workspace,
    fields,
    status: move && !(move instanceof ApiError) ? move.to : 'draft',
    system: body.source.system,
    externalId: body.source.external_id,
    by,
  })
  return made === undefined ? undefined : { id, created: true, ...(move instanceof ApiError ? { failure: move } : {}) }
}

interface NewJob {
  id: string
  workspace: string
  fields: JobFields
  status: JobStatus
  system: string
  /** given: a pushed job */
  externalId: string | null
  by: Author
}

const CREATE_TRIES = 8
const DIAL_IN_CANDIDATES = 20
const SUFFIX_ALPHABET = '23456789abcdefghjkmnpqrstvwxyz'
const slugSuffix = () => Array.from({ length: 5 }, () => SUFFIX_ALPHABET[randomInt(SUFFIX_ALPHABET.length)]).join('')

const dialInCode = () => String(randomInt(1_000_000)).padStart(6, '0')

/** The new job's handle, or undefined where a pushed job of this id is there already. */
async function create(tx: Transaction, job: NewJob): Promise<string | undefined> {
  const { workspace, externalId } = job
  for (let attempt = 0; attempt < CREATE_TRIES; attempt++) {
    const row: InsertJob = {
      ...job,
      slug: slugify(job.fields.title, 'job'),
      slugSuffix: slugSuffix(),
      pushed: externalId !== null,
      dialInCodes: Array.from({ length: DIAL_IN_CANDIDATES }, dialInCode),
    }
    const inserted = await tx.one(insertJob(row))
    if (inserted) {
      await addDefaultStages(tx, workspace, inserted.id)
      await ensureTemplateForm(tx, workspace)
      const { changed } = changesBetween(undefined, job.fields)
      const published = job.status === 'published'
      await tx.query(
        insertHistory(workspace, [
          {
            job: inserted.id,
            at: inserted.updated_at,
            action: 'created',
            author: job.by,
            fields: published ? [...changed, 'status'] : changed,
            next: { ...newValues(undefined, job.fields), ...(published ? { status: 'published' } : {}) },
          },
        ]),
      )
      await appendEvents(tx, [
        event(
          published ? 'job.published' : 'job.updated',
          workspace,
          inserted.id,
          inserted.updated_at,
          job.status,
          job.by,
          published
            ? { changed: [...changed, 'status', 'published_at'], previous: { status: 'draft', published_at: null } }
            : { changed },
        ),
      ])
      return inserted.id
    }
    if (externalId !== null && (await tx.one(pushedJob({ workspace, system: job.system, externalId })))) {
      return undefined
    }
    // the slug was taken between looking and writing: another is tried
  }
  return fail('job_modified_concurrently')
}

/** A job made in the product. It begins as a draft with the workspace's default stages and template form. */
export async function createJob(
  tx: Transaction,
  workspace: string,
  input: NewJobInput,
  by: Author = null,
): Promise<string> {
  checkInput(newJobInput, input)
  return addDraft(tx, workspace, merge(undefined, input), by)
}

export async function addDraft(tx: Transaction, workspace: string, fields: JobFields, by: Author): Promise<string> {
  const id = await create(tx, {
    id: newHandle('job'),
    workspace,
    fields,
    status: 'draft',
    system: NATIVE_SYSTEM,
    externalId: null,
    by,
  })
  return present(id, 'the job')
}

/** Changes fields of any job, also of a pushed one, in the product. */
export async function editJob(
  tx: Transaction,
  workspace: string,
  id: string,
  input: JobEditInput,
  opts: { expectedUpdatedAt?: string; by?: Author } = {},
): Promise<void> {
  checkInput(jobEditInput, input)
  const job = await locked(tx, workspace, id, opts.expectedUpdatedAt)
  const next = merge(job, input)
  const changes = changesBetween(job, next)
  await write(tx, workspace, job, { next, changes, by: opts.by ?? null })
}

/** Publish, unpublish, close or reopen. A job that is there already stays as it is. */
export async function moveJob(
  tx: Transaction,
  workspace: string,
  id: string,
  name: TransitionName,
  opts: { expectedUpdatedAt?: string; by?: Author } = {},
): Promise<void> {
  const job = await locked(tx, workspace, id, opts.expectedUpdatedAt)
  const move = TRANSITIONS[name]
  if (!checkTransition(move, job)) return
  await write(tx, workspace, job, { next: job, changes: NO_CHANGES, move, by: opts.by ?? null })
}

/** Closes published jobs whose `close_at` has come, at most `limit` of them, and says how many there were. */
export async function closeDueJobs(tx: Transaction, limit: number): Promise<number> {
  let closed = 0
  for (const { workspace_id, id } of await tx.query(dueJobs(limit))) if (await closeDue(tx, workspace_id, id)) closed++
  return closed
}

/** The same in one workspace, by its clock. */
export async function closeDueJobsOfWorkspace(db: Database, workspace: string, limit: number): Promise<void> {
  for (const { id } of await db.query(selectDueJobs(workspace, limit)))
    await db.transaction(tx => closeDue(tx, workspace, id))
}

/** false: a writer has it locked, or it is no longer due. */
async function closeDue(tx: Transaction, workspace: string, id: string): Promise<boolean> {
  if (!(await tx.one(lockDueJob(workspace, id)))) return false
  await moveJob(tx, workspace, id, 'close')
  return true
}

/** Deletes a job without applications. With applications it can only be closed: they are records of their own. */
export async function deleteJob(
  tx: Transaction,
  workspace: string,
  id: string,
  reason: string,
  by: Author = null,
): Promise<void> {
  if (isBlankText(reason) || charactersIn(reason) > 200) throw new UserError('the reason must be 1 to 200 characters')
  // The lock waits for an application that is being made for this job, and holds off the next one.
  const job = await locked(tx, workspace, id)
  if (await tx.one(hasApplications(workspace, id))) {
    throw new UserError(`job ${id} has applications; close it instead`)
  }
  const { deleted_at } = await tx.only(deleteRow(workspace, id))
  await appendEvents(tx, [
    {
      type: 'job.deleted',
      workspaceId: workspace,
      id,
      updatedAt: deleted_at,
      values: { reason: reason.trim() },
      previous: { status: job.status },
      originKeyId: originKeyOf(by),
    },
  ])
}

async function locked(tx: Transaction, workspace: string, id: string, expected?: string): Promise<StoredJob> {
  const job = await lockExistingJob(tx, workspace, id)
  if (expected !== undefined && expected !== job.updated_at) {
    fail('stale_resource', { param: 'expected_updated_at' })
  }
  return job
}

const NO_CHANGES: Changes = { changed: [], previous: {} }

interface Writing {
  next: JobFields
  changes: Changes
  move?: Transition
  by: Author
}

/** One update of a locked job, with a row of its history, an event for the fields and one for the move. Nothing new: nothing written. */
async function write(
  tx: Transaction,
  workspace: string,
  job: StoredJob,
  { next, changes, move, by }: Writing,
): Promise<void> {
  if (changes.changed.length === 0 && !move) return
  const status = move?.to ?? job.status
  const { updated_at } = await tx.only(updateJob(workspace, job, next, status))
  if (outdatesScores(changes)) {
    await tx.query(requestRescore(workspace, job.id))
    tx.afterCommit(scoresOutdated.raise)
  }
  await tx.query(
    insertHistory(workspace, [
      {
        job: job.id,
        at: updated_at,
        action: move?.verb ?? 'edited',
        author: by,
        fields: changes.changed,
        previous: changes.previous,
        next: newValues(job, next),
      },
    ]),
  )
  const events: NewEvent[] = []
  if (changes.changed.length > 0) {
    events.push(event('job.updated', workspace, job.id, updated_at, status, by, changes))
  }
  if (move) {
    const dated = move.to === 'draft' || move.from === 'draft'
    events.push(
      event(move.event, workspace, job.id, updated_at, status, by, {
        changed: dated ? ['status', 'published_at'] : ['status'],
        previous: { status: job.status, ...(dated ? { published_at: job.published_at } : {}) },
      }),
    )
  }
  await appendEvents(tx, events)
}

/** What the short fields that differ are now. */
const newValues = (stored: JobFields | undefined, next: JobFields): Changes['previous'] =>
  changesBetween(next, stored ?? jobRecord.blank).previous

const event = (
  type: NewEvent['type'],
  workspaceId: string,
  id: string,
  updatedAt: string,
  status: JobStatus,
  by: Author,
  changes: { changed: readonly string[]; previous?: Changes['previous'] },
): NewEvent => ({
  type,
  workspaceId,
  id,
  updatedAt,
  values: { status },
  changed: changes.changed,
  ...(changes.previous && Object.keys(changes.previous).length > 0 ? { previous: changes.previous } : {}),
  originKeyId: originKeyOf(by),
})
