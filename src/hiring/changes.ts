import { APPLICATION_STATUSES, type ApplicationStatus, isOpen } from '../contract/application-status.ts'
import { MAX_CHANGES } from '../contract/limits.ts'
import type { ChosenRight } from '../kernel/access/reach.ts'
import type { Transaction } from '../kernel/db/database.ts'
import { ApiError, fail } from '../kernel/errors/api-error.ts'
import { present } from '../kernel/errors/present.ts'
import { UserError } from '../kernel/errors/user-error.ts'
import { withRules } from '../kernel/http/body.ts'
import { closed } from '../kernel/http/closed.ts'
import type { InputFault } from '../kernel/http/faults.ts'
import { bodyInstant, bodyTime } from '../kernel/http/formats.ts'
import { toApiError } from '../kernel/http/to-api-error.ts'
import { newHandle } from '../kernel/ids/handles.ts'
import { type Static, Type } from '../kernel/schema/types.ts'
import type { Services } from '../kernel/services/services.ts'
import { fields } from '../programs/fields.ts'
import {
  applicationById,
  changeStartDate,
  hireApplication,
  latestSteps,
  moveWithStatus,
  type PersonsChange,
  rejectApplication,
  reopenByTeam,
  undoLastStep,
  unhire,
  withdrawApplication,
} from '../resources/applications/index.ts'
import { type ApplicationRow, applicationRecord } from '../resources/applications/shape.ts'
import { putHabit, resolveReason } from '../resources/decision-reasons/index.ts'
import { cancelInterviewsAhead, restoreInterviewsOf } from '../resources/interviews/index.ts'
import { cancelMessages, MESSAGE_LIMITS, scheduleMessage } from '../resources/messages/index.ts'
import { lockSuppressionsShared } from '../resources/suppressions/index.ts'
import { LATEST_STEP_FIELDS, readLatestStep } from './authors.ts'
import { dayFaults, noticeDay, noticeDayFaults } from './days.ts'
import { post } from './program.ts'
import type { HiringSession } from './reach.ts'

const ACTIONS = ['move', 'reject', 'withdraw', 'hire', 'unhire', 'reopen', 'undo', 'start_date'] as const

const messageInput = Type.Object(
  {
    subject: Type.String({ minLength: 1, maxLength: MESSAGE_LIMITS.subject, pattern: '\\S' }),
    body: Type.String({ minLength: 1, maxLength: MESSAGE_LIMITS.body, pattern: '\\S' }),
    template_id: Type.Optional(Type.Union([Type.String({ maxLength: 100 }), Type.Null()])),
    /** null: when Undo is over */
    send_at: Type.Optional(Type.Union([bodyTime(), Type.Null()])),
    /** when it leaves if the person has sent as many messages as they may today */
    later_at: Type.Optional(bodyTime()),
  },
  closed,
)

const changesBody = withRules(
  Type.Object(
    {
      changes: Type.Array(
        Type.Object(
          {
            id: Type.String({ maxLength: 100 }),
            action: Type.Enum(ACTIONS),
            /** for `move` */
            stage_id: Type.Optional(Type.String({ maxLength: 100 })),
            /** for `reject` and `withdraw`: one of the workspace's reasons */
            reason_id: Type.Optional(Type.String({ maxLength: 100 })),
            /** what the person writes with the reason, or instead of it */
            reason: Type.Optional(applicationRecord.input.rejection_reason),
            /** for `reject`: when the candidate was notified of an adverse result of a check */
            notice_given_on: Type.Optional(noticeDay),
            /** for `reject`: what the person is notified, with the variables of a template; it leaves when Undo is over */
            message: Type.Optional(messageInput),
            /** for `reject` and `withdraw`: interviews and offers of times that are ahead are canceled, too */
            cancel_interviews: Type.Optional(Type.Boolean()),
            /** for `hire` and `start_date`; null: not known */
            start_date: Type.Optional(Type.Union([Type.String({ maxLength: 10 }), Type.Null()])),
            /** what the page showed; anything else is a conflict, and nothing is changed */
            expected: Type.Optional(
              Type.Object(
                { stage_id: Type.String({ maxLength: 100 }), status: Type.Enum(APPLICATION_STATUSES) },
                closed,
              ),
            ),
          },
          closed,
        ),
        { minItems: 1, maxItems: MAX_CHANGES },
      ),
    },
    closed,
  ),
  body => {
    const { changes } = (body ?? {}) as { changes?: unknown }
    return Array.isArray(changes) ? changes.flatMap(changeFaults) : []
  },
)

type ApplicationChange = Static<typeof changesBody>['changes'][number]

function changeFaults(value: unknown, index: number): InputFault[] {
  const param = (name: string) => `changes[${index}].${name}`
  const { action, stage_id, reason, reason_id, notice_given_on, start_date } = (value ??
    {}) as Partial<ApplicationChange>
  const missing = (name: string) => [{ param: param(name), message: 'is required' }]
  const hasNoReason = reason === undefined && reason_id === undefined
  return [
    ...(action === 'move' && stage_id === undefined ? missing('stage_id') : []),
    ...((action === 'reject' || action === 'withdraw') && hasNoReason ? missing('reason_id') : []),
    ...(action === 'start_date' && start_date === undefined ? missing('start_date') : []),
    ...noticeDayFaults(notice_given_on, param('notice_given_on')),
    ...dayFaults(start_date, param('start_date')),
  ]
}

type Target = PersonsChange & { expectedUpdatedAt: string }

/**
 * What became of the message of a rejection: when it leaves, or why there is none. Of a rejection that is taken back: how many
 * were still waiting, and do not leave.
 */
type MessageOutcome = { scheduled_for: string | null } | { blocked: string } | { canceled: number }

interface Decided {
  row: ApplicationRow | undefined
  mail?: MessageOutcome
}

/** Schedules the message of a rejection, which Undo and Reopen cancel. Beyond the allowance of a day it leaves later. */
async function scheduleRejection(
  tx: Transaction,
  services: Services,
  { workspace, id: applicationId, userId }: Target,
  message: Static<typeof messageInput>,
): Promise<MessageOutcome> {
  const { subject, body, template_id: templateId, send_at, later_at } = message
  const laterAt = later_at === undefined ? undefined : bodyInstant(later_at)
  const on = { workspace, applicationId, userId }
  const draft = {
    purpose: 'rejection' as const,
    subject,
    body,
    templateId,
    sendAt: send_at ? bodyInstant(send_at) : null,
  }
  const outcome = await scheduleMessage(tx, services, on, draft).catch(error => {
    const isFull = error instanceof ApiError && error.code === 'message_quota_exceeded'
    if (!isFull || laterAt === undefined) throw error
    return scheduleMessage(tx, services, on, { ...draft, sendAt: laterAt })
  })
  return 'blocked' in outcome ? outcome : { scheduled_for: outcome.message.scheduled_for }
}

async function reject(
  tx: Transaction,
  target: Target,
  wanted: ApplicationChange,
  services: Services,
): Promise<Decided> {
  const { workspace, userId } = target
  const reason = await resolveReason(tx, workspace, 'reject', wanted)
  // before the application, in the order of an erasure
  if (wanted.message) await tx.query(lockSuppressionsShared())
  const rejection = { reason: reason.text, reasonId: reason.id, noticeGivenOn: wanted.notice_given_on }
  const row = await rejectApplication(tx, { ...target, ...rejection })
  if (!row) return { row }
  // a key that reopened it knows nothing of the message of the rejection before
  await cancelMessages(tx, { workspace, applicationId: row.id }, 'rejection')
  await tx.query(putHabit(workspace, userId, row.job_id, wanted.message !== undefined))
  if (!wanted.message) return { row }
  return { row, mail: await scheduleRejection(tx, services, target, wanted.message) }
}

const CHANGES: Readonly<
  Record<
    Exclude<ApplicationChange['action'], 'reject'>,
    (tx: Transaction, target: Target, wanted: ApplicationChange) => Promise<ApplicationRow | undefined>
  >
> = {
  move: (tx, target, { stage_id }) => moveWithStatus(tx, { ...target, stageId: present(stage_id, 'stage_id') }),
  withdraw: async (tx, { workspace, id, userId, expectedUpdatedAt }, wanted) => {
    const reason = await resolveReason(tx, workspace, 'withdraw', wanted)
    return withdrawApplication(tx, workspace, id, {
      reason: reason.text,
      reasonId: reason.id,
      expectedUpdatedAt,
      userId,
    })
  },
  hire: (tx, target, { start_date }) => hireApplication(tx, { ...target, startDate: start_date ?? undefined }),
  unhire,
  reopen: reopenByTeam,
  undo: undoLastStep,
  start_date: (tx, target, { start_date = null }) => changeStartDate(tx, { ...target, startDate: start_date }),
}

async function decide(
  tx: Transaction,
  services: Services,
  target: Target,
  before: ApplicationRow,
  wanted: ApplicationChange,
): Promise<Decided> {
  const { action } = wanted
  if (action === 'reject') return reject(tx, target, wanted, services)
  const row = await CHANGES[action](tx, target, wanted)
  if (!row || before.status !== 'rejected' || row.status === 'rejected') return { row }
  // what is decided again may need another text
  const on = { workspace: target.workspace, applicationId: target.id }
  return { row, mail: { canceled: await cancelMessages(tx, on, 'rejection') } }
}

/** Interviews that are ahead are canceled with the decision where that was chosen, and Undo of it restores them. */
async function withInterviews(
  tx: Transaction,
  { keyring }: Services,
  { workspace, id, userId }: Target,
  { action, cancel_interviews: cancels = false }: ApplicationChange,
  decideNow: () => Promise<Decided>,
): Promise<Decided> {
  // before the application, in the order of an erasure
  if (cancels) await tx.query(lockSuppressionsShared())
  const on = { workspace, applicationId: id, userId }
  const [last] = action === 'undo' ? await tx.query(latestSteps(workspace, id, 1)) : []
  const decided = await decideNow()
  if (!decided.row) return decided
  const isEnded = !isOpen(decided.row.status)
  if (cancels && isEnded) await cancelInterviewsAhead(tx, keyring, on)
  const hadEnded = last?.to_status === 'rejected' || last?.to_status === 'withdrawn'
  if (last && hadEnded && !isEnded) await restoreInterviewsOf(tx, keyring, on, last.at)
  return decided
}

/** How often a change is tried again that met one of another field, such as a new note. */
const ATTEMPTS = 3

/**
 * One change in its own transaction. `expected` is compared with stage and status instead of `updated_at`: a note that
 * someone adds in the same moment is not a reason to refuse a move.
 */
async function applyChange(services: Services, session: HiringSession, wanted: ApplicationChange): Promise<Decided> {
  const { workspaceId: workspace, userId } = session
  const { id, action, expected } = wanted
  for (let attempt = 1; ; attempt++) {
    try {
      return await services.db.transaction(async (tx): Promise<Decided> => {
        const before = (await tx.one(applicationById(workspace, id))) ?? fail('not_found')
        if (expected && (before.stage_id !== expected.stage_id || before.status !== expected.status))
          throw new ApiError('stale_resource', { message: 'Someone changed this application. Nothing was changed.' })
        if (action === 'withdraw' && before.status === 'hired')
          fail('invalid_application_state', { message: 'A hired person does not withdraw: take back the hire first.' })
        const target: Target = { workspace, id, expectedUpdatedAt: before.updated_at, originKeyId: null, userId }
        return withInterviews(tx, services, target, wanted, () => decide(tx, services, target, before, wanted))
      })
    } catch (error) {
      const raced = error instanceof ApiError && error.code === 'stale_resource' && 'param' in error.details
      if (!raced || attempt === ATTEMPTS) throw error
    }
  }
}

/** What the application is now, or why nothing was changed. */
type ChangeResult =
  | {
      id: string
      ok: true
      stage_id: string
      status: ApplicationStatus
      updated_at: string
      mail?: MessageOutcome | undefined
    }
  /** `latest`: of a change that was refused because someone was faster */
  | { id: string; ok: false; code: string; message: string; latest?: Awaited<ReturnType<typeof readLatestStep>> }

/** What was refused is a result like any other: the changes before it are committed. */
async function runChange(services: Services, session: HiringSession, wanted: ApplicationChange): Promise<ChangeResult> {
  const { id } = wanted
  try {
    const { row, mail } = await applyChange(services, session, wanted)
    const { stage_id, status, updated_at } = row ?? fail('not_found')
    return { id, ok: true, stage_id, status, updated_at, mail }
  } catch (error) {
    if (error instanceof UserError) return { id, ok: false, code: 'invalid_request', message: error.message }
    const { code, message } = toApiError(error, { requestId: newHandle('request'), services })
    if (code !== 'stale_resource') return { id, ok: false, code, message }
    return { id, ok: false, code, message, latest: await readLatestStep(services.db, session, id) }
  }
}

/** Taking a hire back and its start date belong to hiring. */
const HIRING_ACTIONS: readonly string[] = ['hire', 'unhire', 'start_date'] satisfies (typeof ACTIONS)[number][]

/** A call that hires anyone needs the right to hire in the jobs of all applications that it names. */
const RIGHT_OF_CHANGES: ChosenRight = {
  among: ['decide', 'hire'],
  choose: body =>
    (body as Static<typeof changesBody>).changes.some(({ action }) => HIRING_ACTIONS.includes(action))
      ? 'hire'
      : 'decide',
}

export const changeEndpoints = [
  post({
    path: '/applications/changes',
    limited: 'record',
    jobRight: RIGHT_OF_CHANGES,
    scope: 'applications:write',
    body: changesBody,
    returns: {
      results: {
        ...fields('id', 'ok', 'stage_id', 'status', 'updated_at', 'code', 'message'),
        mail: fields('scheduled_for', 'blocked', 'canceled'),
        latest: LATEST_STEP_FIELDS,
      },
    },
    handler: async ({ services, session, body }) => {
      const results: ChangeResult[] = []
      // one after the other: a person's click must not take the connections of everyone else
      for (const wanted of body.changes) results.push(await runChange(services, session, wanted))
      // in the order of the changes
      return { results }
    },
  }),
]
