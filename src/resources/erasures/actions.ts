import { randomUUID } from 'node:crypto'
import { LIMITS } from '../../contract/limits.ts'
import type { Database, Queryable, Transaction } from '../../kernel/db/database.ts'
import { appendEvents, type NewEvent } from '../../kernel/feed/append.ts'
import { emailKey } from '../../kernel/identity.ts'
import { Refused } from '../../kernel/refused.ts'
import { sha256 } from '../../kernel/signing.ts'
import { pause } from '../../kernel/work/pause.ts'
import { REASONS, type Reason } from '../suppressions/shape.ts'
import { closeGate, type Identifier } from '../suppressions/store.ts'
import { type Found, identifiersOf, isRole, personAmong, readAsked, spellings } from './rules.ts'
import {
  accountsWith,
  holdingsOf,
  type IdentityRow,
  identitiesWith,
  insertEntry,
  insertErasure,
  insertIdentifiers,
  insertSuppression,
  insertTargets,
  limitLockWait,
  markSuppressed,
  recordsWith,
  requestsCovering,
  type Subject,
  suppressExternalIds,
  type Target,
  touchRecords,
} from './store.ts'

export { type ErasureContext, runErasure } from './run.ts'

/*
 * A request about a person. In one transaction, with the gate closed so that nobody can store the person meanwhile:
 * the person's records are found in every workspace and in the pool, their identifiers are suppressed, every workspace
 * that holds the person is told. That is all for `stop_processing`, after which the records stand but are not
 * processed. For the other reasons the records are erased afterwards, piece by piece (run.ts), by whoever asked or by
 * the worker, and the workspaces are told again when nothing is left.
 */

export interface ErasureRequest {
  email?: string | undefined
  linkedinUrl?: string | undefined
  reason?: string | undefined
  /** the handle of a user, or command_line */
  requestedBy: string
}

/** What is held of a person: handles, never values. */
export interface Holding {
  /** identifiers that would be suppressed */
  identifiers: number
  /** records, and what belongs to them */
  targets: Target[]
  /** accounts of the product with the address, which are not erased */
  accounts: number
}

export async function previewErasure(
  db: Queryable,
  asked: Pick<ErasureRequest, 'email' | 'linkedinUrl'>,
): Promise<Holding> {
  const person = await findPerson(db, readAsked(asked))
  const emails = person.identifiers.filter(i => i.kind === 'email').map(i => i.key)
  const { accounts } = (await db.one(accountsWith(emails)))!
  return { identifiers: person.identifiers.length, targets: subjectsOf(person), accounts }
}

/**
 * How long each try waits for the gate. Whoever wants to store somebody waits behind a try, so the first are short; a
 * batch of an import may hold the gate for some seconds, so the last are long, yet shorter than a statement may take.
 * Between two tries those who waited go on.
 */
const GATE_WAITS_MS: readonly number[] = [250, 500, 1_000, 2_000, 4_000, 8_000]
/** For the rows of the person, while everybody else waits at the gate. */
const ROW_WAIT_MS = 500
const LOCK_NOT_AVAILABLE = '55P03'

/**
 * Suppresses the person and begins the erasure; `runErasure` or the worker does the rest. Asked again for somebody of
 * whom nothing is left, or while it runs, it answers with the request there is.
 */
export async function requestErasure(
  db: Database,
  request: ErasureRequest,
  gateWaits = GATE_WAITS_MS,
): Promise<{ id: string; isNew: boolean }> {
  const asked = readAsked(request)
  const reason = readReason(request.reason ?? 'erasure_request')
  for (const [i, wait] of gateWaits.entries()) {
    if (i > 0) await pause(wait)
    try {
      return await db.transaction(tx => suppress(tx, asked, reason, request.requestedBy, wait))
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error
    }
  }
  throw new Refused('a write that has been under way for long kept this from beginning; nothing was done: ask again')
}

function readReason(text: string): Reason {
  const reason = REASONS.find(r => r === text)
  if (!reason) throw new Refused(`the reason must be one of ${REASONS.join(', ')}`)
  return reason
}

async function suppress(tx: Transaction, asked: Identifier, reason: Reason, requestedBy: string, wait: number) {
  await tx.query(limitLockWait(wait))
  await tx.query(closeGate())
  await tx.query(limitLockWait(ROW_WAIT_MS))
  const person = await findPerson(tx, asked)
  const hashed = person.identifiers.map(({ kind, key }) => ({ kind, sha256: sha256(key) }))
  const erases = reason !== 'stop_processing'
  const subjects = subjectsOf(person)
  const marked = await suppressRecords(tx, person.records)

  const covering = await tx.query(requestsCovering(hashed))
  const before = covering.find(r => (erases ? r.reason !== 'stop_processing' : true))
  if (before && (erases ? !before.completed || subjects.length === 0 : marked.length === 0))
    return { id: before.erasure_id, isNew: false }

  const id = randomUUID()
  const suppressionId = randomUUID()
  const { applied_at, delete_by } = (await tx.one(
    insertSuppression(suppressionId, reason, LIMITS.suppressionDeleteDays),
  ))!
  await tx.query(insertIdentifiers(suppressionId, hashed))
  await tx.query(suppressExternalIds(suppressionId, person.records))
  await tx.query(insertErasure(id, suppressionId, requestedBy, erases ? person.identifiers : null))
  await tx.query(insertTargets(id, subjects, !erases))
  const events: NewEvent[] = []
  for (const [workspace, held] of byWorkspace(subjects)) {
    const digests = person.carried
      .filter(c => c.workspace === workspace)
      .map(({ identifier }) => sha256(identifier.key).toString('hex'))
    await tx.query(insertEntry(suppressionId, workspace, held, [...new Set(digests)].sort()))
    if (erases && workspace !== null)
      await tx.query(insertTargets(id, [{ object: 'workspace', id: workspace, workspace }], false))
    events.push({
      type: 'data_subject.suppression_applied',
      workspaceId: workspace,
      id: suppressionId,
      updatedAt: applied_at,
      values: { status: 'suppressed', reason, subjects: held, delete_by },
      originKeyId: null,
    })
  }
  // what is erased next is not announced as changed: partners would only fetch it once more
  await appendEvents(tx, erases ? events : [...events, ...(await announceMarked(tx, marked))])
  return { id, isNew: true }
}

interface Person {
  identifiers: Identifier[]
  records: Found[]
  /** with their holdings and the handles of their identifiers */
  held: Target[]
  /** which of the identifiers are held where */
  carried: { workspace: string | null; identifier: Identifier }[]
}

/** Looks for records with the identifiers known, learns theirs, and looks again until there is nothing new. */
async function findPerson(db: Queryable, asked: Identifier): Promise<Person> {
  const looked = new Set<string>()
  let found: Found[] = []
  let identities: IdentityRow[] = []
  let person = { identifiers: [asked], records: [] as Found[] }
  for (;;) {
    const fresh = person.identifiers.filter(i => !looked.has(`${i.kind} ${i.key}`))
    if (fresh.length === 0) break
    for (const i of fresh) looked.add(`${i.kind} ${i.key}`)
    const all = person.identifiers
    const emails = all.filter(i => i.kind === 'email').map(i => i.key)
    // an address shared by role is looked for among applicants, whose own it is; elsewhere it says nothing
    const spelt = all.filter(i => i.kind === 'email' && !isRole(i)).flatMap(i => spellings(i.key))
    const linkedins = all.filter(i => i.kind === 'linkedin_url').map(i => i.key)
    const [rows, linked] = await Promise.all([
      db.query(recordsWith(emails, spelt, linkedins)),
      db.query(identitiesWith(all)),
    ])
    identities = linked
    found = [...rows.map(toFound), ...linksOf(linked)]
    person = personAmong(asked, found)
  }
  const mine = new Set(person.identifiers.map(i => `${i.kind} ${i.key}`))
  const records = person.records.filter(r => r.object !== 'person')
  const applicants = records.filter(r => r.object === 'applicant')
  const holdings = applicants.length === 0 ? [] : await db.query(holdingsOf(applicants))
  const handles = identities.filter(i => mine.has(`${i.kind} ${i.key}`))
  const people = handles.map(i => ({ object: 'person', id: i.person_id, workspace: i.workspace }))
  const carried = [
    ...records.flatMap(r => identifiersOf(r).map(identifier => ({ workspace: r.workspace, identifier }))),
    ...handles.map(({ workspace, kind, key }) => ({ workspace, identifier: { kind, key } })),
  ].filter(({ identifier: i }) => mine.has(`${i.kind} ${i.key}`))
  return { identifiers: person.identifiers, records, held: [...holdings, ...people], carried }
}

const toFound = (row: {
  object: Found['object']
  workspace: string | null
  id: string
  email_key: string | null
  linkedin_key: string | null
  contacts: string[]
}): Found => ({
  object: row.object,
  workspace: row.workspace,
  id: row.id,
  emails: [...new Set([...(row.email_key ? [row.email_key] : []), ...row.contacts.flatMap(c => emailKey(c) ?? [])])],
  linkedins: row.linkedin_key ? [row.linkedin_key] : [],
})

/** Pairs that a workspace knows to be one person's: e-mail addresses are linked by a LinkedIn address, never directly. */
function linksOf(identities: readonly IdentityRow[]): Found[] {
  const groups = Map.groupBy(identities, i => `${i.workspace} ${i.canonical_id}`)
  return [...groups.values()].flatMap(group => {
    const linkedins = group.filter(i => i.kind === 'linkedin_url').map(i => i.key)
    return group.map(({ workspace, person_id, kind, key }) => ({
      object: 'person' as const,
      workspace,
      id: person_id,
      emails: kind === 'email' ? [key] : [],
      linkedins,
    }))
  })
}

const byName = (a: Target, b: Target) => (`${a.object} ${a.id}` < `${b.object} ${b.id}` ? -1 : 1)

const subjectsOf = ({ records, held }: Person): Target[] =>
  [...records.map(({ object, id, workspace }) => ({ object, id, workspace })), ...held].sort(byName)

/** Each workspace with what it holds; null stands for the pool. */
function byWorkspace(targets: readonly Target[]): Map<string | null, Subject[]> {
  const groups = Map.groupBy(targets, t => t.workspace)
  return new Map([...groups].map(([workspace, all]) => [workspace, all.map(({ object, id }) => ({ object, id }))]))
}

/** Records are left out of matching and search from now on. Answers those that were not before. */
async function suppressRecords(tx: Transaction, records: readonly Found[]): Promise<Found[]> {
  const marked = records.length === 0 ? [] : await tx.query(markSuppressed(records))
  const ids = new Set(marked.map(row => row.id))
  return records.filter(record => ids.has(record.id))
}

/** That processing was stopped is part of a record's provenance. */
async function announceMarked(tx: Transaction, marked: readonly Found[]): Promise<NewEvent[]> {
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
