import type { TaskKind } from '../../contract/task-kinds.ts'
import type { LimitedPerson } from '../../kernel/access/reach.ts'
import type { Queryable, Transaction } from '../../kernel/db/database.ts'
import { refuseIfAny } from '../../kernel/http/faults.ts'
import { endOfDay } from '../../kernel/text/zoned-time.ts'
import { membersNamed, readWaitingDays } from '../hiring-team/index.ts'
import { readHours } from '../interviews/index.ts'
import { readMemberSettings } from '../member-settings/index.ts'
import { countOrderTasks, orderTasks, placersOfTasks } from '../orders/index.ts'
import { COUNTED_TASKS, type GivenState, stateFaults } from './rules.ts'
import { anySnoozed, putStates, setMentionsDone } from './states-store.ts'
import {
  countAll,
  dueCards,
  interviewsUntil,
  newCandidates,
  nextInterview,
  openAnswers,
  openMentions,
  openReplies,
  recruitsAnywhere,
  type TaskReader,
  undecidedCandidates,
  unsentMessages,
  waitingAmong,
  waitingCandidates,
} from './store.ts'

/** A member, and which of their tasks are read. */
export interface Reading extends TaskReader {
  /** may read orders of checks */
  readsOrders: boolean
  now: number
}

/** That of the pages; else that in which the member is planned for. */
async function readZone(db: Queryable, workspace: string, userId: string): Promise<string> {
  const { time_zone } = await readMemberSettings(db, workspace, userId)
  return time_zone ?? (await readHours(db, workspace, userId)).time_zone ?? 'UTC'
}

/** Whose orders are read: also those of people who left, which no one else would see. */
async function ownerOfOrders(db: Queryable, reading: Reading) {
  const placers = (await db.query(placersOfTasks(reading.workspace))).map(({ user_id }) => user_id)
  const members = await membersNamed(db, reading.workspace, placers)
  return { ...reading, gone: placers.filter(id => !members.has(id)) }
}

/** Until when interviews are those of today. */
async function endOfToday(db: Queryable, { workspace, userId, now }: Reading): Promise<string> {
  return new Date(endOfDay(await readZone(db, workspace, userId), now)).toISOString()
}

/** Everything that waits for a member, by group. */
export async function readTasks(db: Queryable, reading: Reading) {
  const { workspace } = reading
  const [days, until] = await Promise.all([readWaitingDays(db, workspace), endOfToday(db, reading)])
  const [mentions, interviews, scorecards, replies, answers, unsent, checks, undecided, fresh, waiting, team, next] =
    await Promise.all([
      db.query(openMentions(reading)),
      db.query(interviewsUntil(reading, until)),
      db.query(dueCards(reading)),
      db.query(openReplies(reading)),
      db.query(openAnswers(reading)),
      db.query(unsentMessages(reading)),
      reading.readsOrders ? ownerOfOrders(db, reading).then(owner => db.query(orderTasks(owner))) : [],
      db.query(undecidedCandidates(reading)),
      db.query(newCandidates(reading, days)),
      db.query(waitingCandidates(reading, days)),
      db.one(recruitsAnywhere(reading)),
      db.one(nextInterview(reading)),
    ])
  const users = [...scorecards.map(task => task.requested_by), ...mentions.map(task => task.author)]
  const names = await membersNamed(db, workspace, users)
  const nameOf = (id: string | null) => names.get(id)?.name ?? null
  return {
    waiting_days: days,
    /** whether the member recruits for a job: without one, only candidates whom they are responsible for wait for them */
    on_team: team !== undefined,
    mentions: mentions.map(task => ({ ...task, author: nameOf(task.author) })),
    interviews,
    scorecards: scorecards.map(task => ({ ...task, requested_by: nameOf(task.requested_by) })),
    replies,
    answers,
    unsent,
    checks,
    undecided,
    fresh,
    waiting,
    next_interview: next ?? null,
  }
}

/** How many tasks of each group there are, up to `COUNTED_TASKS` of each. */
export async function countTasks(db: Queryable, reading: Reading) {
  const [days, until] = await Promise.all([readWaitingDays(db, reading.workspace), endOfToday(db, reading)])
  const [counts, { checks }] = await Promise.all([
    db.only(countAll(reading, { days, until }, COUNTED_TASKS)),
    reading.readsOrders
      ? ownerOfOrders(db, reading).then(owner => db.only(countOrderTasks(owner, COUNTED_TASKS)))
      : { checks: 0 },
  ])
  const { mentions, interviews, scorecards, replies, answers, unsent, undecided } = counts
  const open = mentions + interviews + scorecards + replies + answers + unsent + checks + undecided
  return { ...counts, checks, open }
}

export type TaskCount = Awaited<ReturnType<typeof countTasks>>

/** How many tasks the member has snoozed. Most have none, which one lookup says. */
export async function countSnoozed(db: Queryable, reading: Reading): Promise<number> {
  if (!(await db.one(anySnoozed(reading)))) return 0
  const { open, fresh, waiting } = await countTasks(db, { ...reading, view: 'snoozed' })
  return open + fresh + waiting
}

/**
 * Snoozes tasks, marks them as done, or neither: then they are open. Returns the states of those that are tasks of the
 * member. The mark of a mention is on the mention.
 */
export async function setTaskStates(
  tx: Transaction,
  who: LimitedPerson,
  now: number,
  states: readonly GivenState[],
): Promise<GivenState[]> {
  const doneCandidates = states.filter(({ kind, done }) => kind === 'candidate' && done).map(({ subject }) => subject)
  const waiting =
    doneCandidates.length === 0
      ? []
      : await tx.query(waitingAmong(who, await readWaitingDays(tx, who.workspace), doneCandidates))
  refuseIfAny(stateFaults(states, new Set(waiting.map(({ id }) => id)), now))
  const stored: GivenState[] = []
  for (const [kind, given] of Map.groupBy(lastOfEach(states), state => state.kind)) {
    const rows = await tx.query(putStates(who, kind, given))
    stored.push(...rows.map(row => ({ kind, ...row })))
    if (kind === 'mention') for (const statement of setMentionsDone(who, given)) await tx.query(statement)
  }
  return stored
}

/** In one order, so that two calls of a member never wait for each other. */
function lastOfEach(states: readonly GivenState[]): GivenState[] {
  const byKey = new Map<`${TaskKind} ${string}`, GivenState>(
    states.map(state => [`${state.kind} ${state.subject}`, state]),
  )
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, state]) => state)
}
