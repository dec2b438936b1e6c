import type { Blobs } from '../../kernel/blobs/blobs.ts'
import { requireNoCopies } from '../../kernel/citus/distribution.ts'
import { runEverywhere, waitForPrepared } from '../../kernel/citus/nodes.ts'
import type { Database, Transaction } from '../../kernel/db/database.ts'
import { appendEvents } from '../../kernel/feed/append.ts'
import type { Outbox } from '../../kernel/mail/outbox.ts'
import { pause } from '../../kernel/time/pause.ts'
import { deleteApplicant } from '../applications/index.ts'
import { dropExports } from '../exports/index.ts'
import { withoutLabels } from '../lists/index.ts'
import { confirmPoolErased, erasePoolProfile, forgetUnusedWords } from '../pool/index.ts'
import { clearTextsOfApplicant } from '../shared/message-texts.ts'
import { attachmentFolder, deleteProfile } from '../sourced-profiles/index.ts'
import { dropResponses } from '../webhooks/index.ts'
import { ERASED_TABLES } from './erasure-policy.ts'
import {
  analyzeErased,
  applicantExists,
  beingSent,
  canClearStatistics,
  clearStatistics,
  completeErasure,
  completeSuppressions,
  copiesToDelete,
  dropCandidateMail,
  dropCaptured,
  dropFileNote,
  dropIdempotencyRecords,
  dropIdentities,
  dropIdentity,
  dropLinkRequests,
  dropUnsubscribes,
  earlierCopiesToDelete,
  eventsAbout,
  leftByOthers,
  lockApplicationsOfApplicant,
  lockErasure,
  lockOrdersOfApplicant,
  markDone,
  nextTarget,
  type OpenErasure,
  ownedByApplicant,
  ownedByProfile,
  poolProfilesIn,
  profileExists,
  type RecordCursor,
  rewriteEvent,
  rewriteOutbox,
  selectOutboxTexts,
  targetIds,
} from './execute-store.ts'
import type { ErasureTarget } from './rules.ts'
import { type ErasureRow, erasureById, insertTargets } from './store.ts'

/** What an erasure needs: the database, and the stores outside it. */
export interface ErasureContext {
  db: Database
  blobs: Blobs
  /** the folder with emails, used when no mail server is configured */
  outbox: Pick<Outbox, 'remove'>
}

/*
 * Erases the records after the person is suppressed. Each step is a transaction that locks the erasure first and marks
 * its target as done. So several processes may work on one erasure, and if one dies, another continues. On a cluster the
 * node of the records commits before the coordinator with its targets, and a crash may come in between: then the step is
 * repeated and finds no records. So the files and emails of a record become targets in a step before its deletion. The order:
 *
 *   records     each applicant with applications, résumés, notes …; each sourced profile with contact values, files and
 *               list memberships; each pool profile: deleted or emptied, with their *.deleted events
 *   workspaces  traces in each workspace: stored idempotent responses, exports, labels in event texts, responses of
 *               webhook receivers
 *   files       résumés, attachments and exports in the blob store; emails in the local outbox
 *   the end     handles and opt-outs of the identifiers; pool profiles in the indexes of a search cluster; words that only
 *               these profiles had; the planner's samples of columns; the erasure's own copy of the identifiers; then
 *               data_subject.erasure_completed
 */
export async function runErasure(
  context: ErasureContext,
  id: string,
  onProgress: (progress: ErasureRow) => void = () => {},
): Promise<ErasureRow> {
  const { db } = context
  for (;;) {
    const more = await eraseNext(context, id)
    const progress = await db.only(erasureById(id))
    onProgress(progress)
    if (!more) return progress
  }
}

/** Runs one step; false when none is left. */
async function eraseNext(context: ErasureContext, id: string): Promise<boolean> {
  const { db, blobs } = context
  const step = await db.transaction(async (tx): Promise<'done' | 'end' | 'erased' | ErasureTarget> => {
    const erasure = await tx.one(lockErasure(id))
    if (!erasure || erasure.completed) return 'done'
    const target = await tx.one(nextTarget(id))
    if (!target) {
      await dropIdentifiers(tx, erasure)
      return 'end'
    }
    if (OUTSIDE.includes(target.object)) return target
    if (await eraseTarget(tx, blobs, erasure, target)) await tx.query(markDone(id, target))
    return 'erased'
  })
  if (step === 'done') return false
  if (step === 'end') {
    await requireNoCopies(db)
    await waitForPrepared(db) // what is left to be seen would be sampled below
    const profiles = (await db.query(poolProfilesIn(id))).map(row => row.id)
    if (profiles.length > 0) {
      await confirmPoolErased(db, profiles) // a search cluster that does not respond: the erasure stays open until it does
      await forgetUnusedWords(db)
    }
    await resample(db)
    await db.transaction(tx => complete(tx, id))
  } else if (step !== 'erased') await eraseOutside(context, id, step)
  return true
}

/** Targets outside the database. */
const OUTSIDE: readonly string[] = ['file', 'folder', 'message']
const SENDING_PAUSE_MS = 100

/**
 * Removes the object first and records that second: after a crash in between, the removal is repeated, which is
 * harmless.
 */
async function eraseOutside({ db, blobs, outbox }: ErasureContext, id: string, target: ErasureTarget): Promise<void> {
  const isMessage = target.object === 'message'
  const sender = isMessage ? target.workspace : null
  if (isMessage) {
    // an email that is being sent could be written to the outbox after this removal
    if (sender !== null && (await db.one(beingSent(sender, target.id)))) return pause(SENDING_PAUSE_MS)
    await outbox.remove(target.id)
  } else if (target.id.endsWith('/')) await blobs.removeAll(target.id)
  else await blobs.remove(target.id)
  await db.transaction(async tx => {
    if (target.workspace) await tx.query(dropFileNote(target.workspace, target.id))
    if (sender !== null) await tx.query(dropCandidateMail(sender, target.id))
    await tx.query(markDone(id, target))
  })
}

/** False: what belongs to the record was noted, and nothing is deleted yet. */
async function eraseTarget(
  tx: Transaction,
  blobs: Blobs,
  erasure: OpenErasure,
  target: ErasureTarget,
): Promise<boolean> {
  const { id } = target
  const workspace = target.workspace ?? ''
  switch (target.object) {
    case 'applicant': {
      const exists = await tx.one(applicantExists(workspace, id))
      if (exists) {
        await tx.query(lockApplicationsOfApplicant(workspace, id))
        await tx.query(lockOrdersOfApplicant(workspace, id))
      }
      const owned = await tx.query(exists ? ownedByApplicant(workspace, id) : leftByOthers(erasure.id, target, OUTSIDE))
      const isNew = await noteOwned(tx, erasure, owned)
      if (!exists) return true
      if (isNew) return false
      await deleteApplicant(tx, { workspace, id, originKeyId: null }, erasure.reason)
      return true
    }
    case 'sourced_profile': {
      const exists = await tx.one(profileExists(workspace, id))
      const owned = await tx.query(exists ? ownedByProfile(workspace, id) : leftByOthers(erasure.id, target, OUTSIDE))
      const folder = { object: 'folder', id: attachmentFolder(workspace, id), workspace }
      const isNew = await noteOwned(tx, erasure, [folder, ...owned])
      if (!exists) return true
      if (isNew) return false
      await deleteProfile(tx, blobs, { workspace, originKeyId: null }, id, erasure.reason)
      return true
    }
    case 'pool_profile':
      await erasePoolProfile(tx, id)
      return true
    case 'person':
      await tx.query(dropIdentity(workspace, id))
      return true
    case 'workspace':
      await eraseTraces(tx, erasure, id)
      return true
    default:
      return true // deleted with the record that it belongs to
  }
}

/**
 * Notes what is deleted together with a record, or was left by another erasure that deleted it. Files and emails remain as
 * targets. Whether some of it was not noted before.
 */
async function noteOwned(tx: Transaction, erasure: OpenErasure, owned: readonly ErasureTarget[]): Promise<boolean> {
  const { left = [], gone = [] } = Object.groupBy(owned, t => (OUTSIDE.includes(t.object) ? 'left' : 'gone'))
  const noted = [
    ...(left.length > 0 ? await tx.query(insertTargets(erasure.id, left, false)) : []),
    ...(gone.length > 0 ? await tx.query(insertTargets(erasure.id, gone, true)) : []),
  ]
  return noted.some(target => target.is_new)
}

const EVENT_BATCH = 20_000
const RECORD_BATCH = 1_000
const RESPONSE_BATCH = 5_000
const FIRST_RECORD: RecordCursor = { key_id: '', method: '', path: '', idempotency_key: '' }

/** Erases what deleted records leave behind in a workspace. */
async function eraseTraces(tx: Transaction, erasure: OpenErasure, workspace: string): Promise<void> {
  const targets = await tx.query(targetIds(erasure.id, workspace))
  const handles = targets.map(t => t.id)
  for (let cursor: RecordCursor | undefined = FIRST_RECORD; cursor; )
    cursor = await tx.one(dropIdempotencyRecords(workspace, handles, cursor, RECORD_BATCH))
  // all of the workspace: what a receiver returned need not name the records
  while (await tx.one(dropResponses(workspace, RESPONSE_BATCH)));
  await dropExports(tx, [workspace])
  await noteOwned(tx, erasure, [
    ...(await tx.query(copiesToDelete(workspace))),
    ...(await tx.query(earlierCopiesToDelete(workspace))),
  ])
  for (const { id } of targets.filter(t => t.object === 'applicant'))
    await tx.query(clearTextsOfApplicant(workspace, id))
  const profiles = targets.filter(t => t.object === 'sourced_profile').map(t => t.id)
  if (profiles.length === 0) return
  // Labels of list members are the only free text in events. The outbox comes first: events that are sequenced during
  // this step are found in the feed below.
  for (const { id, text } of await tx.query(selectOutboxTexts(workspace, profiles)))
    await tx.query(rewriteOutbox(workspace, id, withoutLabels(text)))
  for (let after = 0; ; ) {
    const page = await tx.one(eventsAbout(workspace, profiles, after, EVENT_BATCH))
    if (!page) break
    for (const { id, text } of page.found) await tx.query(rewriteEvent(workspace, id, withoutLabels(text)))
    after = page.through
  }
}

/** Deletes the handles and opt-outs of the identifiers in all workspaces within the reach. */
async function dropIdentifiers(tx: Transaction, { identifiers, reach }: OpenErasure): Promise<void> {
  const emails = identifiers.filter(i => i.kind === 'email').map(i => i.key)
  await tx.query(dropIdentities(identifiers, reach))
  await tx.query(dropUnsubscribes(emails, reach))
  await tx.query(dropLinkRequests(emails, reach))
  await tx.query(dropCaptured(emails, reach))
}

/** Planner statistics contain sampled column values, on a cluster on the nodes: analyze again now that the rows are gone. */
async function resample(db: Database): Promise<void> {
  const session = await db.session({ timeouts: 'off' })
  try {
    await session.query(analyzeErased(ERASED_TABLES))
    if (!(await session.only(canClearStatistics())).can) return
    await runEverywhere(session, clearStatistics(ERASED_TABLES))
  } finally {
    await session.close()
  }
}

async function complete(tx: Transaction, id: string): Promise<void> {
  const erasure = await tx.one(lockErasure(id))
  if (!erasure || erasure.completed || (await tx.one(nextTarget(id)))) return
  await dropIdentifiers(tx, erasure) // again: lookups of the person during the erasure may have stored identifiers
  await requireNoCopies(tx) // one may have begun since, and noted what was deleted here
  const entries = await tx.query(completeSuppressions(erasure.suppression_id, erasure.reach))
  await tx.query(completeErasure(id))
  await appendEvents(
    tx,
    entries.map(entry => ({
      type: 'data_subject.erasure_completed',
      workspaceId: entry.workspace,
      id: entry.suppression_id,
      updatedAt: entry.completed_at,
      values: {
        status: 'erased',
        reason: entry.reason,
        // in the order of the first event: jsonb has its own order of keys
        subjects: entry.subjects.map(({ object, id }) => ({ object, id })),
        delete_by: entry.delete_by,
      },
      originKeyId: null,
    })),
  )
}
