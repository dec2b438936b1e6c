import { ROLE_SCOPES, type Scope } from '../../contract/scopes.ts'
import type { Database, Queryable, Transaction } from '../../kernel/db/database.ts'
import { fail } from '../../kernel/errors/api-error.ts'
import { refuseIfAny } from '../../kernel/http/faults.ts'
import { addNote, changeBelongings } from '../applications/index.ts'
import { insertCriteriaHistory } from '../jobs/index.ts'
import { readUnlessStopped } from '../suppressions/index.ts'
import {
  type Criterion,
  cleanCriteria,
  criteriaFaults,
  criteriaVersion,
  criterionWords,
  DEFAULT_WAITING_DAYS,
  MAIL_LIMITS,
  MAX_TAGS,
  tagFault,
  tagName,
} from './rules.ts'
import {
  addToTeam,
  type CardRequest,
  cardRequests,
  countInSummaries,
  countTasks,
  deleteCriteria,
  deleteTag,
  insertCriteria,
  insertMentions,
  insertTag,
  jobExists,
  lockJob,
  lockMembers,
  type Member,
  members,
  type PanelCard,
  panelCards,
  putWaitingDays,
  queueMails,
  removeFromTeam,
  requestCards,
  selectCriteria,
  type TaskOwner,
  type TeamCandidate,
  tagsOf,
  teamOf,
  waitingDays,
  withoutAccess,
} from './store.ts'

/** An application, and the member who does something about it in our pages. */
export interface OnApplication {
  workspace: string
  applicationId: string
  userId: string
}

const changeOf = ({ workspace, applicationId }: OnApplication) => ({ workspace, id: applicationId, originKeyId: null })

/** The members; of an application, those who have access to its job. */
export async function membersWithAccess(db: Queryable, workspace: string, applicationId?: string): Promise<Member[]> {
  const all = await db.query(members(workspace))
  if (applicationId === undefined) return all
  const ids = all.map(({ id }) => id)
  const outside = new Set((await db.query(withoutAccess(workspace, applicationId, ids))).map(({ id }) => id))
  return all.filter(({ id }) => !outside.has(id))
}

/** Each must be a member with access to the job, whose role has the scope; the others are faults of the request. */
async function requireMembers(tx: Queryable, on: OnApplication, users: readonly string[], param: string, scope: Scope) {
  if (users.length === 0) return
  const known = new Map((await tx.query(members(on.workspace))).map(member => [member.id, member.role]))
  const outside = new Set((await tx.query(withoutAccess(on.workspace, on.applicationId, users))).map(({ id }) => id))
  refuseIfAny(
    users.flatMap((user, i) => {
      const role = known.get(user)
      const message =
        role === undefined
          ? 'is not a member'
          : !ROLE_SCOPES[role].includes(scope)
            ? 'has a role that does not allow this'
            : outside.has(user)
              ? 'is not on the team of this job'
              : undefined
      return message === undefined ? [] : [{ param: `${param}[${i}]`, message }]
    }),
  )
}

/** An email for each but who caused it; beyond the limits, one more in the summary of the user. */
async function mailOthers(
  tx: Transaction,
  { workspace, applicationId, userId: by }: OnApplication,
  kind: 'mention' | 'scorecard',
  concerned: readonly string[],
): Promise<void> {
  const users = concerned.filter(user => user !== by)
  if (users.length === 0) return
  await tx.query(lockMembers(workspace, [...users, by]))
  const queued = await tx.query(queueMails({ workspace, kind, applicationId, by, users }, MAIL_LIMITS))
  const mailed = new Set(queued.map(({ user_id }) => user_id))
  const left = users.filter(user => !mailed.has(user))
  await tx.query(countInSummaries(workspace, left, MAIL_LIMITS.summaryHours))
}

/**
 * A note that names members. The names are stored next to the note, so that they stay right whatever the text says.
 * Each gets an email with a link, within limits; the author, who knows, gets none.
 */
export async function writeNote(
  tx: Transaction,
  on: OnApplication,
  note: { body: string; mentions: readonly string[] },
): Promise<{ id: string } | undefined> {
  const mentions = [...new Set(note.mentions)]
  // who could not read the note has no use for a link to it
  await requireMembers(tx, on, mentions, 'mentions', 'applications:internal:read')
  const stored = await addNote(tx, { ...changeOf(on), body: note.body, authorUserId: on.userId })
  if (!stored) return undefined
  await tx.query(insertMentions(on.workspace, stored.id, mentions))
  await mailOthers(tx, on, 'mention', mentions)
  return { id: stored.id }
}

export interface Criteria {
  criteria: Criterion[]
  version: string
}

export async function readCriteria(db: Queryable, workspace: string, jobId: string): Promise<Criteria | undefined> {
  if (!(await db.one(jobExists(workspace, jobId)))) return undefined
  const criteria = await db.query(selectCriteria(workspace, jobId))
  return { criteria, version: criteriaVersion(criteria) }
}

/** Replaces the criteria of a job; 409 if someone else changed them since they were read. */
export async function setCriteria(
  tx: Transaction,
  workspace: string,
  jobId: string,
  wanted: { criteria: Parameters<typeof cleanCriteria>[0]; expectedVersion: string; userId?: string },
): Promise<Criteria | undefined> {
  const criteria = cleanCriteria(wanted.criteria)
  refuseIfAny(criteriaFaults(criteria))
  if (!(await tx.one(lockJob(workspace, jobId)))) return undefined
  const before = await tx.query(selectCriteria(workspace, jobId))
  if (criteriaVersion(before) !== wanted.expectedVersion)
    fail('stale_resource', { message: 'Someone else changed the criteria while you were editing them.' })
  await tx.query(deleteCriteria(workspace, jobId))
  await tx.query(insertCriteria(workspace, jobId, criteria))
  const version = criteriaVersion(criteria)
  if (version !== criteriaVersion(before)) {
    const lines = { previous: before.map(criterionWords), next: criteria.map(criterionWords) }
    await tx.query(insertCriteriaHistory(workspace, { job: jobId, userId: wanted.userId ?? null, ...lines }))
  }
  return { criteria, version }
}

export interface Team {
  people: TeamCandidate[]
}

export async function readTeam(db: Queryable, workspace: string, jobId: string): Promise<Team | undefined> {
  if (!(await db.one(jobExists(workspace, jobId)))) return undefined
  return { people: await db.query(teamOf(workspace, jobId)) }
}

/** Who joins the team of a job and who leaves it; others stay as they are. Takes effect with the next request. */
export async function changeTeam(
  tx: Transaction,
  workspace: string,
  jobId: string,
  change: { add: readonly string[]; remove: readonly string[] },
): Promise<Team | undefined> {
  if (!(await tx.one(lockJob(workspace, jobId)))) return undefined
  const known = new Set((await tx.query(members(workspace))).map(({ id }) => id))
  refuseIfAny(
    change.add.flatMap((user, i) => (known.has(user) ? [] : [{ param: `add[${i}]`, message: 'is not a member' }])),
  )
  await tx.query(addToTeam(workspace, jobId, change.add))
  await tx.query(removeFromTeam(workspace, jobId, change.remove))
  return readTeam(tx, workspace, jobId)
}

export interface ScorecardPanel {
  cards: PanelCard[]
  /** why cards of others are not in `cards`: the reader has written none, or the role does not read them */
  hidden: 'until_own' | 'role' | null
  /** cards of others; null where the role does not read them */
  others: number | null
  requests: CardRequest[]
}

/**
 * The scorecards of an application for a member of the team. Opinions are formed before they are compared: a reader who has
 * not written a card sees how many there are, and nothing of them. Nothing is read of a person whose processing was
 * stopped.
 */
export const readPanel = (
  db: Queryable,
  { workspace, applicationId, userId }: OnApplication,
  readsAll: boolean,
): Promise<ScorecardPanel> =>
  readUnlessStopped<ScorecardPanel>(
    { db, workspace },
    'application',
    applicationId,
    async () => {
      const [cards, requests] = await Promise.all([
        db.query(panelCards(workspace, applicationId, userId)),
        db.query(cardRequests(workspace, applicationId)),
      ])
      const own = cards.filter(card => card.mine)
      const others = cards.length - own.length
      if (!readsAll) return { cards: own, hidden: 'role', others: null, requests }
      if (own.length === 0 && others > 0) return { cards: [], hidden: 'until_own', others, requests }
      return { cards, hidden: null, others, requests }
    },
    { cards: [], hidden: null, others: 0, requests: [] },
  )

/** Asks members for their scorecards. Who was asked and has not written one is not asked again. */
export async function askForCards(tx: Transaction, on: OnApplication, users: readonly string[]): Promise<void> {
  const asked = [...new Set(users)]
  await requireMembers(tx, on, asked, 'user_ids', 'scorecards:write')
  const found = await changeBelongings(tx, changeOf(on), 'scorecards', async () => {
    const now = await tx.query(requestCards(on.workspace, on.applicationId, asked, on.userId))
    const users = now.map(({ user_id }) => user_id)
    await mailOthers(tx, on, 'scorecard', users)
    return false
  })
  if (found === undefined) fail('not_found')
}

/** The tags of an application. Adding one that is there, in any spelling, changes nothing. */
export async function changeTags(
  tx: Transaction,
  on: OnApplication,
  change: { add?: string | undefined; remove?: string | undefined },
): Promise<string[]> {
  const { workspace, applicationId } = on
  const message = change.add === undefined ? undefined : tagFault(change.add)
  if (message !== undefined) refuseIfAny([{ param: 'add', message }])
  const tags = async () => (await tx.query(tagsOf(workspace, [applicationId])))[0]?.tags ?? []
  const found = await changeBelongings(tx, changeOf(on), 'tags', async () => {
    const removed =
      change.remove !== undefined && (await tx.one(deleteTag(workspace, applicationId, tagName(change.remove).key)))
    const added = change.add !== undefined && (await tx.one(insertTag(workspace, applicationId, tagName(change.add))))
    if (added && (await tags()).length > MAX_TAGS)
      refuseIfAny([{ param: 'add', message: `an application has at most ${MAX_TAGS} tags` }])
    return Boolean(removed || added)
  })
  if (found === undefined) fail('not_found')
  return tags()
}

export const readWaitingDays = async (db: Queryable, workspace: string): Promise<number> =>
  (await db.one(waitingDays(workspace)))?.waiting_days ?? DEFAULT_WAITING_DAYS

export const setWaitingDays = async (db: Database, workspace: string, days: number): Promise<number> =>
  (await db.one(putWaitingDays(workspace, days)))!.waiting_days

export interface TaskCount {
  waiting: number
  scorecards: number
  mentions: number
}

export const readTaskCount = async (db: Queryable, who: TaskOwner): Promise<TaskCount> =>
  (await db.one(countTasks(who, await readWaitingDays(db, who.workspace))))!
