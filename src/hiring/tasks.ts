import { MANAGER_ROLES } from '../contract/roles.ts'
import type { LimitedPerson } from '../kernel/access/reach.ts'
import type { Queryable } from '../kernel/db/database.ts'
import { closed } from '../kernel/http/closed.ts'
import { handleParam } from '../kernel/http/params.ts'
import { Type } from '../kernel/schema/types.ts'
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
import { countOrderTasks, orderTasks, placersOfTasks } from '../resources/orders/index.ts'
import { hasScope, readsInternal } from './decisions.ts'
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
    },
    handler: async ({ db, session }) => {
      const who = ownerOf(session)
      const [waiting_days, team, { scorecards, mentions }, checks] = await Promise.all([
        readWaitingDays(db, who.workspace),
        db.one(onAnyTeam(who)),
        readTasks(db, who),
        hasScope(session, 'orders:read') ? ownerOfOrders(db, session).then(owner => db.query(orderTasks(owner))) : [],
      ])
      const named = hasScope(session, 'applicants:read')
      const readsNotes = readsInternal(session)
      return {
        waiting_days,
        /** whose candidates wait for the person: those of their jobs, or of all, because they are on no team */
        waiting_of: who.limited || team ? ('teams' as const) : ('all_jobs' as const),
        scorecards: scorecards.map(task => ({ ...task, applicant_name: named ? task.applicant_name : null })),
        mentions: mentions.map(task => ({
          ...task,
          applicant_name: named ? task.applicant_name : null,
          /** null: the role does not read notes of others */
          body: readsNotes ? task.body : null,
        })),
        checks: checks.map(task => ({ ...task, applicant_name: named ? task.applicant_name : null })),
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
    returns: fields('waiting', 'scorecards', 'mentions', 'checks', 'counted'),
    handler: async ({ db, session }) => {
      const who = ownerOf(session)
      const [counts, { checks }] = await Promise.all([
        readTaskCount(db, who),
        hasScope(session, 'orders:read')
          ? ownerOfOrders(db, session).then(owner => db.only(countOrderTasks(owner, COUNTED_TASKS)))
          : { checks: 0 },
      ])
      /** there may be more than `counted` of each */
      return { ...counts, checks, counted: COUNTED_TASKS }
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
