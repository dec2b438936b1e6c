import { randomUUID } from 'node:crypto'
import { API_LIMITS } from '../../contract/limits.ts'
import { secondsToMidnight } from '../../kernel/access/usage.ts'
import { isTestWorkspace } from '../../kernel/access/workspace-kind.ts'
import { sha256 } from '../../kernel/crypto/signing.ts'
import type { Database, Queryable, Transaction } from '../../kernel/db/database.ts'
import { limitLockWait } from '../../kernel/db/locks.ts'
import { hasSqlState } from '../../kernel/db/sqlstate.ts'
import { fail } from '../../kernel/errors/api-error.ts'
import { present } from '../../kernel/errors/present.ts'
import { UserError } from '../../kernel/errors/user-error.ts'
import { appendEvents, type NewEvent } from '../../kernel/feed/append.ts'
import { pause } from '../../kernel/time/pause.ts'
import { removeInterviewsOfApplicant } from '../interviews/index.ts'
import { cancelOrdersOfApplicant } from '../orders/index.ts'
import {
  type Identifier,
  lockSuppressionsExclusive,
  type SuppressionScope,
  withVendors,
} from '../suppressions/index.ts'
import { REASONS, type Reason } from '../suppressions/shape.ts'
import { findPerson } from './find-person.ts'
import { byWorkspace, type ErasureTarget, type MatchedRecord, type PersonGraph, readErasureSubject } from './rules.ts'
import {
  accountsWith,
  countErasureRequest,
  type Hashed,
  insertEarlierSuppression,
  insertErasure,
  insertExternalIds,
  insertIdentifiers,
  insertSuppression,
  insertSuppressionEntry,
  insertTargets,
  markSuppressed,
  requestsAbout,
  requestsCovering,
  suppressExternalIds,
  touchRecords,
  unmarkedAmong,
  unmarkedInPool,
} from './store.ts'
import {
  clearNotes,
  decideRequest,
  type ErasureRequestRow,
  erasureOfSuppression,
  insertInquiry,
  lockRequest,
  requestsToSettle,
  setOutcome,
  supersedeRequests,
} from './store-requests.ts'

/*
 * A request to erase a person has a reach: one workspace (its owner requests it), or the whole installation with the
 * shared pool (the operator requests it, or any owner with ERASURE_REACH=installation). One transaction finds the
 * person's records within the reach, suppresses their identifiers there, and emits data_subject.suppression_applied in
 * every workspace that has such records. It locks the suppressions, so that the person cannot be stored at the same
 * time. For `stop_processing` that is all: the records stay but are not processed. For the other reasons the records
 * are then erased step by step (execute-erasure.ts) by the command or the worker. When none is left,
 * data_subject.erasure_completed follows.
 *
 * A request with the reach of one workspace changes nothing outside it. Other workspaces with records of the person,
 * and the operator for the pool, get a request of their own, which they approve or decline. The transaction only
 * inserts an inquiry; a worker creates these requests later (ask-holders.ts), so that the response time does not depend
 * on the data of other workspaces. An approved request becomes an erasure with the reach of that workspace or the pool.
 * A request is decided once; repeating the same decision returns the first outcome.
 */

export interface ErasureRequest {
  email?: string | undefined
  linkedinUrl?: string | undefined
  reason?: string | undefined
  /** the handle of a user, command_line, or candidate */
  requestedBy: string
  /**
   * Only records with this very identifier: a candidate has proved that the mailbox is theirs, but anyone can type the
   * LinkedIn URL of another person, whose records would be erased otherwise.
   */
  onlyNamed?: boolean | undefined
  /** the workspace whose console sent the request; undefined for the operator */
  askedIn?: string | undefined
  /** default: the installation */
  reach?: SuppressionScope | undefined
}

/** The stored records of a person: handles, never values. */
export interface Holding {
  /** identifiers that would be suppressed */
  identifiers: number
  /** records, and the records that belong to them */
  targets: ErasureTarget[]
  /** user accounts with this email address, which are not erased */
  accounts: number
}

export async function previewErasure(
  db: Queryable,
  asked: Pick<ErasureRequest, 'email' | 'linkedinUrl' | 'reach'>,
): Promise<Holding> {
  const reach = asked.reach ?? 'installation'
  const person = await findSubject(db, readErasureSubject(asked), reach)
  const emails = person.identifiers.filter(i => i.kind === 'email').map(i => i.key)
  const { accounts } = await db.only(accountsWith(emails, reach))
  return { identifiers: person.identifiers.length, targets: person.targets, accounts }
}

async function findSubject(
  db: Queryable,
  asked: Identifier,
  reach: SuppressionScope,
  onlyNamed = false,
): Promise<PersonGraph> {
  const person = await findPerson(db, [asked], reach, !onlyNamed)
  if (person.identifiers.length === 0)
    throw new UserError('that identifier appears on records of several people. Use another identifier of the person')
  return person
}

/**
 * How long each attempt waits for the exclusive lock. Writes that store a person queue behind a waiting attempt, so the
 * first waits are short; an import batch may hold the shared lock for some seconds, so the last are long, yet below the
 * statement timeout. Queued writes proceed between two attempts.
 */
const LOCK_WAITS_MS: readonly number[] = [250, 500, 1_000, 2_000, 4_000, 8_000]
/** The wait for rows of the person. It is short, because every other write waits for the lock during this time. */
const ROW_WAIT_MS = 500

/** Runs the work with the suppressions locked exclusively: no person is stored before it is committed. */
async function withSuppressionsLocked<T>(
  db: Database,
  lockWaits: readonly number[],
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  for (const [i, wait] of lockWaits.entries()) {
    if (i > 0) await pause(wait)
    try {
      return await db.transaction(async tx => {
        await tx.query(limitLockWait(wait))
        await tx.query(lockSuppressionsExclusive())
        await tx.query(limitLockWait(ROW_WAIT_MS))
        return work(tx)
      })
    } catch (error) {
      if (!hasSqlState(error, 'lockNotAvailable')) throw error
    }
  }
  throw new UserError('another long-running write is blocking this erasure. Nothing was changed; try again')
}

/** The erasure that a request resulted in. `isNew`: this request created it. */
export interface RequestedErasure {
  id: string
  suppressionId: string
  isNew: boolean
}

/**
 * Suppresses the person and starts the erasure; `runErasure` or the worker does the rest. If the person is already
 * erased or the erasure is still running, it returns the existing erasure without taking the lock.
 */
export async function requestErasure(
  db: Database,
  request: ErasureRequest,
  lockWaits = LOCK_WAITS_MS,
): Promise<RequestedErasure> {
  const asked = readErasureSubject(request)
  const reason = readReason(request.reason ?? 'erasure_request')
  const { requestedBy, askedIn = null, onlyNamed } = request
  // an erasure that a test workspace asks for stays in it
  const isIsolated = askedIn !== null && (await isTestWorkspace(db, askedIn))
  const reach = isIsolated ? askedIn : (request.reach ?? 'installation')
  if (askedIn !== null) await limitRequests(db, askedIn)
  const find = (to: Queryable) => findSubject(to, asked, reach, onlyNamed)
  return present(await beginErasure(db, { reach, reason, requestedBy, askedIn }, find, lockWaits), 'the erasure')
}

/** Begins an erasure of the person whom `find` finds, before the lock and again with it. undefined: it finds no one. */
export async function beginErasure(
  db: Database,
  how: Suppressing,
  find: (db: Queryable) => Promise<PersonGraph | undefined>,
  lockWaits = LOCK_WAITS_MS,
): Promise<RequestedErasure | undefined> {
  const { reach, reason } = how
  const noteInquiry = async (to: Queryable, erasureId: string, { identifiers }: PersonGraph) => {
    if (identifiers.length === 0 || reach === 'installation' || (await isTestWorkspace(to, reach))) return
    await to.query(insertInquiry({ id: randomUUID(), workspace: reach, erasureId, reason, identifiers }))
  }
  const known = await find(db)
  if (!known) return undefined
  const settled = await alreadyCovered(db, known, how)
  if (settled) {
    await noteInquiry(db, settled.id, known) // other workspaces may have stored the person since
    return settled
  }
  return withSuppressionsLocked(db, lockWaits, async tx => {
    const person = await find(tx)
    if (!person) return undefined
    const begun = await suppress(tx, person, how)
    await noteInquiry(tx, begun.id, person)
    return begun
  })
}

/** Approves a request of another workspace. undefined: `workspace` (if left out, any) has no such request. */
export async function approveRequest(
  db: Database,
  request: { id: string; workspace?: string; decidedBy: string },
  lockWaits = LOCK_WAITS_MS,
): Promise<RequestedErasure | undefined> {
  return withSuppressionsLocked(db, lockWaits, async tx => {
    const row = await tx.one(lockRequest(request.id, request.workspace))
    if (!row) return undefined
    const { reason, identifiers } = row
    const reach = row.workspace_id ?? 'pool'
    if (row.state !== 'open' && row.state !== 'approved') throw decidedBefore(row)
    if (row.state === 'approved') {
      const suppressionId = present(row.suppression_id, 'the suppression')
      const { id } = await tx.only(erasureOfSuppression(suppressionId))
      return { id, suppressionId, isNew: false }
    }
    const person = await findPerson(tx, present(identifiers, 'the person'), reach)
    // before `suppress`, which closes all requests about the person that are still open
    await tx.query(decideRequest(row.id, 'approved', request.decidedBy, null))
    const begun = await suppress(tx, person, { reach, reason, requestedBy: request.decidedBy, askedIn: null })
    await tx.query(setOutcome(row.id, begun.suppressionId))
    return begun
  })
}

/** Declines a request: no record changes, and the requesting workspace is not notified. undefined: no such request. */
export async function declineRequest(
  db: Database,
  request: { id: string; workspace?: string; decidedBy: string; note?: string | null },
): Promise<ErasureRequestRow | undefined> {
  return db.transaction(async tx => {
    const row = await tx.one(lockRequest(request.id, request.workspace))
    if (!row || row.state === 'declined') return row
    if (row.state !== 'open') throw decidedBefore(row)
    return tx.one(decideRequest(row.id, 'declined', request.decidedBy, request.note?.trim() || null))
  })
}

/** The records of the person that the workspace of an open request, or the pool, has now. */
export const targetsOfRequest = async (
  db: Queryable,
  { workspace_id, identifiers }: Pick<ErasureRequestRow, 'workspace_id' | 'identifiers'>,
): Promise<ErasureTarget[]> =>
  identifiers === null ? [] : (await findPerson(db, identifiers, workspace_id ?? 'pool')).targets

const DECIDED: Readonly<Record<ErasureRequestRow['state'], string>> = {
  open: 'is open',
  approved: 'was already approved',
  declined: 'was already declined',
  superseded: 'is closed, because another request erased the person',
}

const decidedBefore = (row: ErasureRequestRow) => new UserError(`this request ${DECIDED[row.state]}`)

function readReason(text: string): Reason {
  const reason = REASONS.find(r => r === text)
  if (!reason) throw new UserError(`the reason must be one of ${REASONS.join(', ')}`)
  return reason
}

export interface Suppressing {
  reach: SuppressionScope
  reason: Reason
  requestedBy: string
  askedIn: string | null
}

const hashesOf = (person: PersonGraph) => person.identifiers.map(({ kind, key }) => ({ kind, sha256: sha256(key) }))

/** The earlier erasure that already covers this request, if any. `marked`: this request marked records. */
async function coveredBy(
  db: Queryable,
  person: PersonGraph,
  { reach, reason }: Pick<Suppressing, 'reach' | 'reason'>,
  marked: boolean,
): Promise<RequestedErasure | undefined> {
  const erases = reason !== 'stop_processing'
  const hashed = hashesOf(person)
  // a record without identifiers is known by its handle alone
  const covering = await db.query(
    hashed.length > 0 ? requestsCovering(hashed, reach) : requestsAbout(person.records, reach),
  )
  const before = covering.find(r => (erases ? r.reason !== 'stop_processing' : true))
  if (!before || (erases ? before.completed && person.targets.length > 0 : marked)) return undefined
  return { id: before.erasure_id, suppressionId: before.suppression_id, isNew: false }
}

/**
 * The same without the lock: undefined if anything must still be written. Suppressed identifiers stay suppressed and no
 * record with them can be stored, so the result is still valid when the response is sent.
 */
async function alreadyCovered(
  db: Queryable,
  person: PersonGraph,
  how: Pick<Suppressing, 'reach' | 'reason'>,
): Promise<RequestedErasure | undefined> {
  const digests = hashesOf(person).map(i => i.sha256.toString('hex'))
  if (await db.one(unmarkedAmong(person.records))) return undefined
  if (await db.one(unmarkedInPool(person.records))) return undefined
  if (await db.one(requestsToSettle(how.reach, digests, how.reason))) return undefined
  return coveredBy(db, person, how, false)
}

async function suppress(tx: Transaction, person: PersonGraph, how: Suppressing): Promise<RequestedErasure> {
  const { reach, reason } = how
  const hashed = hashesOf(person)
  const digests = hashed.map(i => i.sha256.toString('hex'))
  const erases = reason !== 'stop_processing'
  const marked = await suppressRecords(tx, person.records)
  await tx.query(supersedeRequests(reach, digests, reason, how.requestedBy))
  if (erases) await tx.query(clearNotes(reach, digests))

  const before = await coveredBy(tx, person, how, marked.length > 0)
  if (before) return before

  const suppressionId = randomUUID()
  const times = await tx.only(insertSuppression(suppressionId, reach, reason, API_LIMITS.suppressionDeleteDays))
  const id = await record(tx, person, how, { suppressionId, ...times, hashed, marked })
  return { id, suppressionId, isNew: true }
}

interface NewSuppression {
  suppressionId: string
  applied_at: string
  delete_by: string
  hashed: readonly Hashed[]
  /** records that were not suppressed before */
  marked: readonly MatchedRecord[]
}

/** Records what a suppression covers, in the database and as events, and returns the id of its erasure. */
async function record(tx: Transaction, person: PersonGraph, how: Suppressing, of: NewSuppression): Promise<string> {
  const { reach, reason } = how
  const { suppressionId, applied_at, delete_by } = of
  const erases = reason !== 'stop_processing'
  const id = randomUUID()
  await tx.query(insertIdentifiers(suppressionId, reach, of.hashed))
  await tx.query(suppressExternalIds(suppressionId, person.records))
  await tx.query(insertErasure(id, suppressionId, how, erases ? person.identifiers : null))
  await tx.query(insertTargets(id, person.targets, !erases))
  const events: NewEvent[] = []
  for (const [workspace, subjects] of byWorkspace(person.targets)) {
    const own = person.carried
      .filter(c => c.workspace === workspace)
      .map(({ identifier }) => sha256(identifier.key).toString('hex'))
    const noted = await withVendors(tx, workspace, subjects)
    await tx.query(insertSuppressionEntry(suppressionId, workspace, noted, [...new Set(own)].sort()))
    if (erases && workspace !== null)
      await tx.query(insertTargets(id, [{ object: 'workspace', id: workspace, workspace }], false))
    events.push({
      type: 'data_subject.suppression_applied',
      workspaceId: workspace,
      id: suppressionId,
      updatedAt: applied_at,
      values: { status: 'suppressed', reason, subjects, delete_by },
      originKeyId: null,
    })
  }
  // records that are about to be erased emit no update: partners would only fetch them again
  await appendEvents(tx, erases ? events : [...events, ...(await suppressionEvents(tx, of.marked))])
  return id
}

/** A suppression of the store that a restored one replaces: hashes, since the identifiers themselves were erased. */
export interface EarlierSuppression {
  id: string
  reach: SuppressionScope
  reason: Reason
  applied_at: string
  delete_by: string
  hashed: readonly Hashed[]
  externalIds: readonly { workspace: string; object: string; sha256: Buffer }[]
  /** The hashed identifiers that the restored store has. */
  identifiers: readonly Identifier[]
}

/**
 * Repeats a suppression in a store that was restored from a backup of an earlier time, under its own id, and starts the
 * erasure of the records that came back. Only records with these very identifiers: which others belonged to the person
 * was decided when it was requested.
 */
export async function repeatSuppression(db: Database, earlier: EarlierSuppression): Promise<{ erasureId: string }> {
  const { reach, reason } = earlier
  const how = { reach, reason, requestedBy: 'command_line', askedIn: null }
  return withSuppressionsLocked(db, LOCK_WAITS_MS, async tx => {
    const person = await findPerson(tx, earlier.identifiers, reach, false)
    const marked = await suppressRecords(tx, person.records)
    const digests = earlier.hashed.map(i => i.sha256.toString('hex'))
    await tx.query(supersedeRequests(reach, digests, reason, how.requestedBy))
    if (reason !== 'stop_processing') await tx.query(clearNotes(reach, digests))
    await tx.query(insertEarlierSuppression(earlier))
    const { id: suppressionId, applied_at, delete_by, hashed } = earlier
    const erasureId = await record(tx, person, how, { suppressionId, applied_at, delete_by, hashed, marked })
    await tx.query(insertExternalIds(suppressionId, earlier.externalIds))
    return { erasureId }
  })
}

/**
 * A request sends email to the owners of other workspaces, and other writes wait while it has the lock. So the requests
 * of a workspace are limited. Each is counted first, even if it then fails.
 */
export async function limitRequests(db: Database, workspace: string): Promise<void> {
  const limit = API_LIMITS.erasureRequestsPerDay
  if (await db.one(countErasureRequest(workspace, limit))) return
  fail('rate_limit_exceeded', {
    message: `This workspace has made ${limit} erasure requests today, which is the limit. Try again after midnight UTC, or ask the operator.`,
    retry_after_seconds: secondsToMidnight(await db.now()),
  })
}

/**
 * Excludes records from matching and search. Returns those that were not excluded before. Without records, too: on a
 * cluster this statement is for all nodes, so the transaction is committed in two phases, and no node has the event of a
 * suppression that was lost with the coordinator.
 */
async function suppressRecords(tx: Transaction, records: readonly MatchedRecord[]): Promise<MatchedRecord[]> {
  const marked = await tx.query(markSuppressed(records))
  const ids = new Set(marked.map(row => row.id))
  const found = records.filter(record => ids.has(record.id))
  for (const { object, workspace, id } of found)
    if (object === 'applicant' && workspace !== null) {
      await cancelOrdersOfApplicant(tx, workspace, id)
      await removeInterviewsOfApplicant(tx, workspace, id)
    }
  return found
}

/** The provenance of a record shows that processing was stopped. */
async function suppressionEvents(tx: Transaction, marked: readonly MatchedRecord[]): Promise<NewEvent[]> {
  const events: NewEvent[] = []
  for (const object of ['applicant', 'sourced_profile'] as const) {
    for (const row of await tx.query(touchRecords(object, marked))) {
      events.push({
        type: `${object}.updated`,
        workspaceId: row.workspace,
        id: row.id,
        updatedAt: row.updated_at,
        changed: ['provenance'],
        originKeyId: null,
      })
    }
  }
  return events
}
