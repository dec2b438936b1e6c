import { RETENTION_KINDS, type RetentionKind } from '../../contract/retention.ts'
import type { Database, Queryable } from '../../kernel/db/database.ts'
import { present } from '../../kernel/errors/present.ts'
import { UserError } from '../../kernel/errors/user-error.ts'
import type { Services } from '../../kernel/services/services.ts'
import { deleteApplicant, deleteApplication } from '../applications/index.ts'
import { addToLog, requireOpen } from '../workspaces/index.ts'
import {
  checkedRetention,
  inForce,
  NOTHING_SET,
  type OwnRetention,
  type Retention,
  type RetentionConfig,
  retentionFor,
} from './rules.ts'
import {
  addRuns,
  addToRun,
  applicantHasApplications,
  type ClaimedRun,
  claimRun,
  countDueApplications,
  countExpired,
  type DueApplication,
  deleteAudit,
  dropTraces,
  dueApplications,
  dueRuns,
  type Expired,
  finishRun,
  keysOfPerson,
  lockDue,
  lockRetention,
  makeDue,
  nextRun,
  ownRetention,
  putRetention,
  releaseRun,
  retainCounts,
  selectEmailIds,
  withRun,
  workspaceExists,
  workspacesAfter,
} from './store.ts'

export async function readRetention(db: Queryable, workspace: string, config: RetentionConfig): Promise<Retention[]> {
  return inForce(await ownOf(db, workspace), config)
}

async function ownOf(db: Queryable, workspace: string): Promise<OwnRetention> {
  const [own, found] = await Promise.all([db.one(ownRetention(workspace)), db.one(workspaceExists(workspace))])
  if (!found) throw new UserError(`there is no workspace ${workspace}`)
  return own ?? NOTHING_SET
}

/**
 * What is not given does not change; null gives a kind back to the installation. `refuseShorter` is called if anything is to
 * be kept for a shorter time than now, and throws for people who may not decide that.
 */
export function changeRetention(
  db: Database,
  workspace: string,
  wanted: Partial<OwnRetention>,
  { config, userId, refuseShorter }: { config: RetentionConfig; userId: string | null; refuseShorter?: () => void },
): Promise<Retention[]> {
  const checked = checkedValues(wanted, config)
  return db.transaction(async tx => {
    await tx.query(lockRetention(workspace))
    await requireOpen(tx, workspace)
    const now = await ownOf(tx, workspace)
    const next = { ...now, ...checked }
    if (isShorter(inForce(now, config), inForce(next, config))) refuseShorter?.()
    await tx.query(putRetention(workspace, next))
    await tx.query(addToLog(workspace, 'retention_changed', userId, { from: now, to: next }))
    return inForce(next, config)
  })
}

const isShorter = (before: readonly Retention[], after: readonly Retention[]): boolean =>
  after.some(({ kind, value }) => {
    const earlier = retentionFor(before, kind)
    return value !== 0 && (earlier === 0 || value < earlier)
  })

function checkedValues(wanted: Partial<OwnRetention>, config: RetentionConfig): Partial<OwnRetention> {
  const given = RETENTION_KINDS.filter(kind => wanted[kind] !== undefined)
  return Object.fromEntries(given.map(kind => [kind, checkedRetention(kind, present(wanted[kind], kind), config)]))
}

/** What the next run deletes of one kind, if it began now. `people` are deleted with their last application. */
export interface WouldDelete extends Expired {
  kind: RetentionKind | 'people'
}

/** `proposed` takes the place of what the workspace has, and is not set. */
export async function previewRetention(
  db: Queryable,
  workspace: string,
  config: RetentionConfig,
  proposed: Partial<OwnRetention> = {},
): Promise<WouldDelete[]> {
  const own = await ownOf(db, workspace)
  const rows: WouldDelete[] = []
  for (const { kind, value } of inForce({ ...own, ...checkedValues(proposed, config) }, config)) {
    if (kind === 'applications') {
      const found = value === 0 ? undefined : await db.one(countDueApplications(workspace, value))
      rows.push({ kind, n: found?.n ?? 0, oldest: found?.oldest ?? null })
      rows.push({ kind: 'people', n: found?.people ?? 0, oldest: null })
    } else {
      const found = value === 0 ? undefined : await db.one(countExpired[kind](workspace, value))
      rows.push({ kind, n: found?.n ?? 0, oldest: found?.oldest ?? null })
    }
  }
  return rows
}

/** When the daily run of a workspace is due. null: it is due now, or the workspace is closed and has none. */
export async function nextRetentionRun(db: Queryable, workspace: string): Promise<string | null> {
  return (await db.one(nextRun(workspace)))?.at ?? null
}

/** The applications that the next run deletes, those without activity for the longest time first. */
export async function previewApplications(
  db: Queryable,
  workspace: string,
  config: RetentionConfig,
  limit: number,
): Promise<DueApplication[]> {
  const months = retentionFor(await readRetention(db, workspace, config), 'applications')
  return months === 0 ? [] : db.query(dueApplications(workspace, months, limit))
}

/** Gives every workspace that has none a daily run, the first as soon as its turn comes. */
export async function addRetentionRuns(db: Database): Promise<void> {
  for (let after = ''; ; ) {
    const ids = (await db.query(workspacesAfter(after, RUNS_TOGETHER))).map(({ id }) => id)
    const last = ids.at(-1)
    if (last === undefined) return
    const planned = new Set((await db.query(withRun(ids))).map(row => row.workspace_id))
    const missing = ids.filter(id => !planned.has(id))
    if (missing.length > 0) await db.query(addRuns(missing))
    after = last
  }
}

const RUNS_TOGETHER = 1_000
const LEASE_SECONDS = 120
/** More than the processes that claim at the same time. */
const LOOKED_AT = 8
const PER_TURN = { applications: 50, audit: 5_000 }
const REASON = 'retention'

type RunServices = Pick<Services, 'db' | 'outbox' | 'config'>

/**
 * One turn of the workspace that waited longest; false when no run is due. Applications are deleted one in a transaction,
 * with the events of any deletion; a turn is bounded, so a workspace with many does not delay the others. Events,
 * deliveries and the request log are deleted all the time, by the worker that prunes rows.
 */
export async function runNextRetention(services: RunServices, perTurn = PER_TURN): Promise<boolean> {
  const claimed = await claimNext(services.db)
  if (claimed) await runClaimed(services, claimed, perTurn)
  return claimed !== undefined
}

/** A whole run of one workspace, whose clock was moved. One that another process has now is left to it. */
export async function runRetentionOfWorkspace(services: RunServices, workspace: string): Promise<void> {
  const { db } = services
  await db.query(addRuns([workspace]))
  await db.query(makeDue(workspace))
  for (let hasMore = true; hasMore; ) {
    const claimed = await db.one(claimRun(workspace, LEASE_SECONDS))
    hasMore = claimed !== undefined && (await runClaimed(services, claimed, PER_TURN))
  }
}

/** One turn of a run; whether there is more to delete. */
async function runClaimed(
  { db, outbox, config }: RunServices,
  claimed: ClaimedRun & OwnRetention,
  perTurn: typeof PER_TURN,
): Promise<boolean> {
  const workspace = claimed.workspace_id
  const values = inForce(claimed, config)
  const [months, auditDays] = [retentionFor(values, 'applications'), retentionFor(values, 'audit')]
  const applications = months === 0 ? [] : await db.query(dueApplications(workspace, months, perTurn.applications))
  for (const application of applications) {
    for (const id of await deleteDue(db, workspace, months, application)) await outbox.remove(id)
  }
  const audited =
    auditDays === 0
      ? 0
      : await db.transaction(async tx => {
          const { removed } = await tx.only(deleteAudit(workspace, auditDays, perTurn.audit))
          if (removed > 0) await tx.query(addToRun(workspace, 'audit', removed))
          return removed
        })
  const hasMore = applications.length === perTurn.applications || audited === perTurn.audit
  if (hasMore) await db.query(releaseRun(workspace))
  else {
    await db.transaction(async tx => {
      const done = await tx.one(finishRun(claimed))
      if (done && Object.keys(done.counts).length > 0)
        await tx.query(addToLog(workspace, 'retention_run', null, done.counts))
    })
  }
  return hasMore
}

async function claimNext(db: Database) {
  for (const { workspace_id } of await db.query(dueRuns(LOOKED_AT))) {
    const claimed = await db.one(claimRun(workspace_id, LEASE_SECONDS))
    if (claimed) return claimed
  }
  return undefined
}

/** Deletes it, and the person with their last application. Returns the ids of emails in a local outbox to be removed. */
function deleteDue(db: Database, workspace: string, months: number, due: DueApplication): Promise<string[]> {
  const { id, applicant_id: applicantId } = due
  return db.transaction(async tx => {
    // the person first, as every other change of an application locks them
    const keys = applicantId === null ? undefined : await tx.one(keysOfPerson(workspace, applicantId))
    if (!(await tx.one(lockDue(workspace, months, id)))) return []
    await tx.query(retainCounts(workspace, id))
    await deleteApplication(tx, { workspace, id, originKeyId: null }, REASON)
    await tx.query(addToRun(workspace, 'applications', 1))
    if (applicantId === null || !keys || (await tx.one(applicantHasApplications(workspace, applicantId)))) return []
    const emails = await tx.query(selectEmailIds(workspace, applicantId))
    await deleteApplicant(tx, { workspace, id: applicantId, originKeyId: null }, REASON)
    for (const statement of dropTraces(workspace, applicantId, keys)) await tx.query(statement)
    await tx.query(addToRun(workspace, 'people', 1))
    return emails.map(email => email.id)
  })
}
