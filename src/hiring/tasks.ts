import { MANAGER_ROLES } from '../contract/roles.ts'
import { MAX_TASK_STATES, TASK_KINDS } from '../contract/task-kinds.ts'
import { closed } from '../kernel/http/closed.ts'
import { bodyTime } from '../kernel/http/formats.ts'
import { booleanParam } from '../kernel/http/params.ts'
import { Type } from '../kernel/schema/types.ts'
import { fields } from '../programs/fields.ts'
import { readWaitingDays, setWaitingDays } from '../resources/hiring-team/index.ts'
import {
  COUNTED_TASKS,
  countSnoozed,
  countTasks,
  type Reading,
  readTasks,
  setTaskStates,
} from '../resources/tasks/index.ts'
import { hasScope } from './decisions.ts'
import { get, post } from './program.ts'
import { type HiringSession, limitedTo } from './reach.ts'

/** Every task is something that the reader may do: viewers have none. */
const scope = 'applications:write'

const personOf = (session: HiringSession) =>
  limitedTo(session) ?? { workspace: session.workspaceId, userId: session.userId, limited: false, interviews: false }

const readingOf = (session: HiringSession, now: number, view: Reading['view']): Reading => ({
  ...personOf(session),
  view,
  readsOrders: hasScope(session, 'orders:read'),
  now,
})

const TASK = {
  ...fields('application_id', 'job_id', 'job_title', 'stage_id', 'stage_name', 'status', 'applicant_name'),
}
const SETTINGS = fields('waiting_days')
const INTERVIEW = { ...TASK, ...fields('interview_id', 'kind', 'starts_at', 'ends_at') }
const CANDIDATE = { ...TASK, ...fields('since', 'changed_at') }
const GROUPS = fields('mentions', 'interviews', 'scorecards', 'replies', 'answers', 'unsent', 'checks', 'undecided')

/** Without the names where the role does not read them. */
const unnamed = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value, (name, inner) => (name === 'applicant_name' ? null : inner)))

export const taskEndpoints = [
  get({
    path: '/tasks',
    limited: 'filtered',
    scope,
    query: { snoozed: booleanParam('Only tasks that are snoozed.') },
    returns: {
      ...fields('waiting_days', 'on_team', 'snoozed'),
      mentions: { ...TASK, ...fields('note_id', 'created_at', 'author', 'body') },
      interviews: INTERVIEW,
      scorecards: { ...TASK, ...fields('requested_at', 'requested_by') },
      replies: { ...TASK, ...fields('since') },
      answers: { ...TASK, ...fields('interview_id', 'answer', 'answered_at') },
      unsent: { ...TASK, ...fields('message_id', 'failure', 'since') },
      checks: {
        ...fields('order_id', 'application_id', 'applicant_name', 'job_title', 'package_name', 'vendor_name'),
        ...fields('reason', 'message', 'since'),
      },
      undecided: CANDIDATE,
      fresh: CANDIDATE,
      waiting: CANDIDATE,
      next_interview: INTERVIEW,
    },
    handler: async ({ db, session, query, now }) => {
      const reading = readingOf(session, now, query.snoozed ? 'snoozed' : 'open')
      const [tasks, snoozed] = await Promise.all([readTasks(db, reading), countSnoozed(db, reading)])
      const all = { ...tasks, snoozed }
      return hasScope(session, 'applicants:read') ? all : unnamed(all)
    },
  }),
  get({
    path: '/tasks/count',
    limited: 'filtered',
    scope,
    returns: { ...GROUPS, ...fields('fresh', 'waiting', 'open', 'counted') },
    handler: async ({ db, session, now }) => ({
      ...(await countTasks(db, readingOf(session, now, 'open'))),
      /** there may be more than `counted` of each group */
      counted: COUNTED_TASKS,
    }),
  }),
  post({
    path: '/tasks/states',
    // only rows of the reader, of candidates whom they see
    limited: 'open',
    scope,
    body: Type.Object(
      {
        states: Type.Array(
          Type.Object(
            {
              kind: Type.Enum(TASK_KINDS),
              subject: Type.String({ maxLength: 100 }),
              snoozed_until: Type.Optional(Type.Union([bodyTime(), Type.Null()])),
              done: Type.Optional(Type.Boolean()),
            },
            closed,
          ),
          { minItems: 1, maxItems: MAX_TASK_STATES },
        ),
      },
      closed,
    ),
    returns: { states: fields('kind', 'subject', 'snoozed_until', 'done') },
    handler: ({ db, session, body, now }) => {
      const states = body.states.map(({ kind, subject, snoozed_until = null, done = false }) => ({
        ...{ kind, subject, snoozed_until, done },
      }))
      return db.transaction(async tx => ({ states: await setTaskStates(tx, personOf(session), now, states) }))
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
