import { MANAGER_ROLES } from '../contract/roles.ts'
import type { LimitedPerson } from '../kernel/access/reach.ts'
import type { Database, Queryable } from '../kernel/db/database.ts'
import { closed } from '../kernel/http/closed.ts'
import { handleParam } from '../kernel/http/params.ts'
import { Type } from '../kernel/schema/types.ts'
import { dateInZone } from '../kernel/text/dates.ts'
import { fields } from '../programs/fields.ts'
import {
  COUNTED_TASKS,
  membersNamed,
  onAnyTeam,
  readTaskCount,
  readTasks,
  readWaitingDays,
  setWaitingDays,
  waitingPage,
} from '../resources/hiring-team/index.ts'
import { memberAnswers, memberInterviews, readHours } from '../resources/interviews/index.ts'
import { countOrderTasks, orderTasks, placersOfTasks } from '../resources/orders/index.ts'
import { hasScope } from './decisions.ts'
import { get, list, post } from './program.ts'
import { type HiringSession, limitedTo } from './reach.ts'

/** Every task is something that the reader may do: viewers have none. */
const scope = 'applications:write'

const ownerOf = (session: HiringSession): LimitedPerson =>
  limitedTo(session) ?? { workspace: session.workspaceId, userId: session.userId, limited: false, interviews: false }

const TASK = fields('application_id', 'job_id', 'job_title', 'stage_name', 'applicant_name')
const SETTINGS = fields('waiting_days')

/** Whose orders are read: also those of people who left, which no one else would see. */
async function ownerOfOrders(db: Queryable, session: HiringSession) {
  const placers = (await db.query(placersOfTasks(session.workspaceId))).map(({ user_id }) => user_id)
  const members = await membersNamed(db, session.workspaceId, placers)
  return { ...ownerOf(session), gone: placers.filter(id => !members.has(id)) }
}

const DAY_MS = 86_400_000

/** Interviews of the member that end today or are not over, by the day of their own time zone. */
async function readInterviewsToday(db: Database, who: LimitedPerson, now: number) {
  const { time_zone } = await readHours(db, who.workspace, who.userId)
  const format = dateInZone(time_zone ?? 'UTC')
  const [from, to] = [now - DAY_MS, now + DAY_MS].map(at => new Date(at).toISOString())
  const near = await db.query(memberInterviews(who, from ?? '', to ?? ''))
  return near.filter(
    task => format.format(Date.parse(task.starts_at)) === format.format(now) && Date.parse(task.ends_at) > now,
  )
}

export const taskEndpoints = [
  get({
    path: '/tasks',
    limited: 'filtered',
    scope,
    returns: {
      ...fields('waiting_days', 'waiting_of'),
      scorecards: { ...TASK, ...fields('requested_at', 'requested_by') },
      mentions: { ...TASK, ...fields('note_id', 'created_at', 'author', 'body') },
      checks: {
        ...fields('order_id', 'application_id', 'applicant_name', 'job_title', 'package_name', 'vendor_name'),
        ...fields('reason', 'message', 'since'),
      },
      interviews: { ...TASK, ...fields('interview_id', 'kind', 'starts_at', 'ends_at') },
      answers: { ...TASK, ...fields('interview_id', 'answer', 'answered_at') },
    },
    handler: async ({ db, session, now }) => {
      const who = ownerOf(session)
      const [waiting_days, team, { scorecards, mentions }, checks, interviews, answers] = await Promise.all([
        readWaitingDays(db, who.workspace),
        db.one(onAnyTeam(who)),
        readTasks(db, who),
        hasScope(session, 'orders:read') ? ownerOfOrders(db, session).then(owner => db.query(orderTasks(owner))) : [],
        readInterviewsToday(db, who, now),
        db.query(memberAnswers(who)),
      ])
      const named = hasScope(session, 'applicants:read')
      return {
        waiting_days,
        /** whose candidates wait for the person: those of their jobs, or of all, because they are on no team */
        waiting_of: who.limited || team ? ('teams' as const) : ('all_jobs' as const),
        scorecards: scorecards.map(task => ({ ...task, applicant_name: named ? task.applicant_name : null })),
        mentions: mentions.map(task => ({
          ...task,
          applicant_name: named ? task.applicant_name : null,
        })),
        checks: checks.map(task => ({ ...task, applicant_name: named ? task.applicant_name : null })),
        interviews: interviews.map(task => ({ ...task, applicant_name: named ? task.applicant_name : null })),
        /** what candidates said about interviews that the person planned */
        answers: answers.map(task => ({ ...task, applicant_name: named ? task.applicant_name : null })),
      }
    },
  }),
  list({
    path: '/tasks/waiting',
    limited: 'filtered',
    scope,
    query: { job_id: handleParam('Only candidates for this job.', 'job') },
    order: { by: 'since', tiebreaker: 'application_id', direction: 'asc' },
    returns: { ...TASK, since: true },
    handler: async ({ db, session, query, page }) => {
      const who = ownerOf(session)
      const days = await readWaitingDays(db, who.workspace)
      const rows = await db.query(waitingPage(who, days, query.job_id ?? null, page))
      return hasScope(session, 'applicants:read') ? rows : rows.map(row => ({ ...row, applicant_name: null }))
    },
  }),
  get({
    path: '/tasks/count',
    limited: 'filtered',
    scope,
    returns: fields('waiting', 'scorecards', 'mentions', 'checks', 'interviews', 'answers', 'counted'),
    handler: async ({ db, session, now }) => {
      const who = ownerOf(session)
      const [counts, { checks }, interviews, answers] = await Promise.all([
        readTaskCount(db, who),
        hasScope(session, 'orders:read')
          ? ownerOfOrders(db, session).then(owner => db.only(countOrderTasks(owner, COUNTED_TASKS)))
          : { checks: 0 },
        readInterviewsToday(db, who, now),
        db.query(memberAnswers(who)),
      ])
      /** there may be more than `counted` of each */
      return { ...counts, checks, interviews: interviews.length, answers: answers.length, counted: COUNTED_TASKS }
    },
  }),
  get({
    path: '/hiring-settings',
    limited: 'closed',
    roles: MANAGER_ROLES,
    returns: SETTINGS,
    handler: async ({ db, session }) => ({
      waiting_days: await readWaitingDays(db, session.workspaceId),
    }),
  }),
  post({
    path: '/hiring-settings',
    limited: 'closed',
    roles: MANAGER_ROLES,
    body: Type.Object({ waiting_days: Type.Integer({ minimum: 1, maximum: 365 }) }, closed),
    returns: SETTINGS,
    handler: async ({ db, session, body }) => ({
      waiting_days: await setWaitingDays(db, session.workspaceId, body.waiting_days),
    }),
  }),
]
