import { randomUUID } from 'node:crypto'
import type { Database, Transaction } from '../kernel/db/database.ts'
import { fail } from '../kernel/errors/api-error.ts'
import { withRules } from '../kernel/http/body.ts'
import { closed } from '../kernel/http/closed.ts'
import { refuseIfAny } from '../kernel/http/faults.ts'
import { bodyInstant, bodyTime, httpsUrl } from '../kernel/http/formats.ts'
import { isUuid, timeParam } from '../kernel/http/params.ts'
import { type Static, Type } from '../kernel/schema/types.ts'
import { noneIfBlank } from '../kernel/text/text.ts'
import { fields } from '../programs/fields.ts'
import { applicationById, moveWithStatus } from '../resources/applications/index.ts'
import {
  membersWithAccess,
  type OnApplication,
  requireMembers,
  withdrawRequestsOf,
} from '../resources/hiring-team/index.ts'
import {
  cancelInterview,
  cancelInterviewsAhead,
  changeInterview,
  forgetInterview,
  MAX_INTERVIEWERS,
  MAX_OFFERED_TIMES,
  markNoShow,
  planInterview,
  readAvailability,
  readPanelInterviews,
  restoreInterview,
  settleAnswer,
  type When,
} from '../resources/interviews/index.ts'
import { INTERVIEW_KINDS } from '../resources/interviews/shape.ts'
import { lockSuppressionsShared, readUnlessStopped } from '../resources/suppressions/index.ts'
import { onApplication } from './decisions.ts'
import { type Call, get, post } from './program.ts'

const PERSON = fields('id', 'name')
const INTERVIEW = {
  ...fields('id', 'kind', 'stage_id', 'starts_at', 'ends_at', 'time_zone', 'offered_until', 'invites_candidate'),
  ...fields('updated_at', 'status', 'title', 'place', 'meeting_url', 'candidate_text', 'internal_text', 'is_chosen'),
  ...fields('answer', 'answer_text', 'answered_at', 'mail'),
  people: PERSON,
  organizer: PERSON,
  times: fields('starts_at', 'ends_at', 'open'),
}

const UUID_PATTERN = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'

const optionalText = (maxLength: number) =>
  Type.Optional(Type.Union([Type.String({ maxLength }), Type.Null()] as const))

const where = {
  kind: Type.Enum(INTERVIEW_KINDS),
  title: optionalText(120),
  time_zone: Type.String({ maxLength: 64 }),
  place: optionalText(300),
  meeting_url: Type.Optional(Type.Union([httpsUrl({ maxLength: 2000 }), Type.Null()] as const)),
  candidate_text: optionalText(5000),
  internal_text: optionalText(5000),
  interviewer_user_ids: Type.Array(Type.String({ maxLength: 100 }), { maxItems: MAX_INTERVIEWERS }),
}

const when = {
  starts_at: Type.Optional(bodyTime()),
  ends_at: Type.Optional(bodyTime()),
  slots: Type.Optional(
    Type.Array(Type.Object({ starts_at: bodyTime(), ends_at: bodyTime() }, closed), {
      minItems: 1,
      maxItems: MAX_OFFERED_TIMES,
    }),
  ),
}

const expected_updated_at = Type.Optional(bodyTime())

const timesOf = (body: unknown) => (body ?? {}) as { starts_at?: unknown; ends_at?: unknown; slots?: unknown }

/** A fixed time or times to choose from, and never both. */
function whenFaults(body: unknown, isRequired: boolean) {
  const { starts_at, ends_at, slots } = timesOf(body)
  if (slots !== undefined && (starts_at !== undefined || ends_at !== undefined))
    return [{ param: 'slots', message: 'cannot be sent together with starts_at and ends_at' }]
  if (slots !== undefined || (starts_at === undefined && ends_at === undefined && !isRequired)) return []
  return [
    ...(starts_at === undefined ? [{ param: 'starts_at', message: 'is required, or slots instead' }] : []),
    ...(ends_at === undefined ? [{ param: 'ends_at', message: 'is required, or slots instead' }] : []),
  ]
}

const planBody = withRules(
  Type.Object(
    {
      ...where,
      ...when,
      /** chosen by the page, so that a repeated request plans nothing again */
      id: Type.Optional(Type.String({ pattern: UUID_PATTERN, maxLength: 36 })),
      invite_candidate: Type.Optional(Type.Boolean()),
      /** the stage into which the candidate is moved with the plan */
      move_to: Type.Optional(Type.String({ maxLength: 100 })),
    },
    closed,
  ),
  body => whenFaults(body, true),
)

const editBody = withRules(
  Type.Object({ ...Type.Partial(Type.Object(where)).properties, ...when, expected_updated_at }, closed),
  body => whenFaults(body, false),
)

const oneBody = Type.Object({ expected_updated_at }, closed)

type Times = Pick<Static<typeof planBody>, 'starts_at' | 'ends_at' | 'slots'>

function whenOf({ starts_at, ends_at, slots }: Times): When | undefined {
  if (slots) return { slots: slots.map(slot => spanOf(slot.starts_at, slot.ends_at)) }
  return starts_at !== undefined && ends_at !== undefined ? { span: spanOf(starts_at, ends_at) } : undefined
}

const spanOf = (from: string, to: string) => ({ starts_at: bodyInstant(from), ends_at: bodyInstant(to) })

const cleaned = (text: string | null | undefined) => (text === undefined ? undefined : noneIfBlank(text))

/** Interviewers are members with access to the job who may write a scorecard about it. */
const requireInterviewers = (tx: Transaction, call: Pick<Call<'application'>, 'session' | 'params'>, ids: string[]) =>
  requireMembers(tx, onApplication(call.session, call.params), ids, {
    param: 'interviewer_user_ids',
    scope: 'scorecards:write',
    sees: false,
  })

const expecting = ({ expected_updated_at }: { expected_updated_at?: string | undefined }) => ({
  expectedUpdatedAt: expected_updated_at === undefined ? undefined : bodyInstant(expected_updated_at),
})

/** Moves the candidate before the interview is planned, which then belongs to that stage. */
async function moveBefore(tx: Transaction, { workspace, applicationId, userId }: OnApplication, stageId: string) {
  // before the application, in the order of an erasure
  await tx.query(lockSuppressionsShared())
  const before = await tx.one(applicationById(workspace, applicationId))
  return (
    before &&
    moveWithStatus(tx, {
      ...{ workspace, id: applicationId, userId, stageId },
      expectedUpdatedAt: before.updated_at,
      originKeyId: null,
    })
  )
}

/** Runs a change of one interview of an application in a transaction. */
const change = <R>(
  { db, services, session, params }: Pick<Call<'application' | 'interview'>, 'db' | 'services' | 'session' | 'params'>,
  work: (
    tx: Transaction,
    keyring: Call['services']['keyring'],
    on: ReturnType<typeof onApplication>,
    id: string,
  ) => Promise<R | undefined>,
): Promise<R | undefined> => {
  if (!isUuid(params.interview)) return Promise.resolve(undefined)
  return db.transaction(tx => work(tx, services.keyring, onApplication(session, params), params.interview))
}

const shownState = <S extends { id: string; updated_at: string }>(interview: S | undefined) =>
  interview && { id: interview.id, updated_at: interview.updated_at }

const scope = 'applications:write'
const STATE = fields('id', 'updated_at')
/** The latest time that a query can name. */
const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z')
/** The longest span of time whose hours a page asks for. */
const MAX_DAYS = 45

async function panel({ db, services, session, params, now }: Call<'application'>) {
  const on = onApplication(session, params)
  const reads = { db, keyring: services.keyring, now }
  const read = () => readPanelInterviews(reads, on.workspace, on.applicationId)
  const nothing = { interviews: [], blocked: null, has_site: false }
  return readUnlessStopped({ db, workspace: on.workspace }, 'application', on.applicationId, read, nothing)
}

/** Members who can be asked to interview for the job of an application. */
async function interviewersOf(db: Database, workspace: string, applicationId: string) {
  const members = await membersWithAccess(db, workspace, applicationId)
  return members.filter(({ role }) => role !== 'viewer').map(({ id, name }) => ({ id, name }))
}

export const interviewEndpoints = [
  get({
    path: '/applications/{application}/interviews',
    limited: 'record',
    jobRight: 'feedback',
    scope: 'scorecards:write',
    returns: { ...fields('blocked', 'has_site'), interviews: INTERVIEW },
    handler: panel,
  }),
  get({
    path: '/applications/{application}/availability',
    limited: 'record',
    jobRight: 'decide',
    scope,
    query: { from: timeParam('From this time on.'), to: timeParam('Until this time, at most 45 days later.') },
    returns: {
      people: { ...PERSON, ...fields('time_zone', 'hours'), busy: fields('interview_id', 'starts_at', 'ends_at') },
    },
    handler: async ({ db, session, params, query, now }) => {
      const { workspace, applicationId } = onApplication(session, params)
      const from = query.from ?? new Date(now).toISOString()
      const to = query.to ?? new Date(Math.min(Date.parse(from) + 14 * 86_400_000, LAST_TIME)).toISOString()
      if (Date.parse(to) - Date.parse(from) > MAX_DAYS * 86_400_000)
        refuseIfAny([{ param: 'to', message: `must be at most ${MAX_DAYS} days after from` }])
      const people = await interviewersOf(db, workspace, applicationId)
      // every job has an owner: there is no such application
      if (people.length === 0) return undefined
      const ids = people.map(({ id }) => id)
      const hours = await readAvailability(db, workspace, ids, { starts_at: from, ends_at: to })
      const named = new Map(people.map(person => [person.id, person.name]))
      return { people: hours.map(({ user_id: id, ...rest }) => ({ id, name: named.get(id) ?? '', ...rest })) }
    },
  }),
  post({
    path: '/applications/{application}/interviews',
    limited: 'record',
    jobRight: 'decide',
    scope,
    body: planBody,
    returns: { ...STATE, moved: fields('stage_id', 'status') },
    handler: async call => {
      const { db, services, session, params, body } = call
      const on = onApplication(session, params)
      return db.transaction(async tx => {
        await requireInterviewers(tx, call, body.interviewer_user_ids)
        const moved = body.move_to === undefined ? undefined : await moveBefore(tx, on, body.move_to)
        const chosen = whenOf(body)
        const planned = await planInterview(tx, services.keyring, on, {
          id: body.id ?? randomUUID(),
          kind: body.kind,
          time_zone: body.time_zone,
          // the rules of the body ask for one of the two
          when: chosen ?? { slots: [] },
          people: [...new Set(body.interviewer_user_ids)],
          invites_candidate: body.invite_candidate ?? true,
          title: cleaned(body.title) ?? null,
          place: cleaned(body.place) ?? null,
          meeting_url: body.meeting_url ?? null,
          candidate_text: cleaned(body.candidate_text) ?? null,
          internal_text: cleaned(body.internal_text) ?? null,
        })
        // an error, so that the move is not committed alone
        if (!planned) fail('not_found')
        return {
          ...{ id: planned.id, updated_at: planned.updated_at },
          /** the stage and status after the move; null: there was none */
          moved: moved ? { stage_id: moved.stage_id, status: moved.status } : null,
        }
      })
    },
  }),
  post({
    path: '/applications/{application}/interviews/{interview}',
    limited: 'record',
    jobRight: 'decide',
    scope,
    body: editBody,
    returns: STATE,
    handler: async call => {
      const { body } = call
      const people = body.interviewer_user_ids && [...new Set(body.interviewer_user_ids)]
      const changed = await change(call, async (tx, keyring, on, id) => {
        if (people) await requireInterviewers(tx, call, people)
        const { title, place, candidate_text, internal_text, kind, time_zone, meeting_url } = body
        return changeInterview(tx, keyring, on, {
          id,
          ...expecting(body),
          when: whenOf(body),
          people,
          kind,
          time_zone,
          ...(title !== undefined && { title: noneIfBlank(title) }),
          ...(place !== undefined && { place: noneIfBlank(place) }),
          ...(meeting_url !== undefined && { meeting_url }),
          ...(candidate_text !== undefined && { candidate_text: noneIfBlank(candidate_text) }),
          ...(internal_text !== undefined && { internal_text: noneIfBlank(internal_text) }),
        })
      })
      return shownState(changed)
    },
  }),
  post({
    path: '/applications/{application}/interviews/{interview}/cancel',
    limited: 'record',
    jobRight: 'decide',
    scope,
    body: oneBody,
    returns: STATE,
    handler: async call =>
      shownState(
        await change(call, (tx, keyring, on, id) => cancelInterview(tx, keyring, on, { id, ...expecting(call.body) })),
      ),
  }),
  // undo of planning, before an email has left
  post({
    path: '/applications/{application}/interviews/{interview}/forget',
    limited: 'record',
    jobRight: 'decide',
    scope,
    body: oneBody,
    returns: fields('id'),
    handler: call =>
      change(call, (tx, keyring, on, id) => forgetInterview(tx, keyring, on, { id, ...expecting(call.body) })),
  }),
  // undo of a cancellation, before an email has left
  post({
    path: '/applications/{application}/interviews/{interview}/restore',
    limited: 'record',
    jobRight: 'decide',
    scope,
    body: oneBody,
    returns: STATE,
    handler: async call =>
      shownState(
        await change(call, (tx, keyring, on, id) => restoreInterview(tx, keyring, on, { id, ...expecting(call.body) })),
      ),
  }),
  post({
    path: '/applications/{application}/interviews/{interview}/no-show',
    limited: 'record',
    jobRight: 'decide',
    scope,
    body: Type.Object({ did_not_come: Type.Boolean(), expected_updated_at }, closed),
    returns: STATE,
    handler: async call => {
      const { did_not_come: didNotCome } = call.body
      const marked = await change(call, async (tx, keyring, on, id) => {
        const interview = await markNoShow(tx, keyring, on, { id, didNotCome, ...expecting(call.body) })
        // no one has anything to say about an interview that did not take place
        if (interview && didNotCome) await tx.query(withdrawRequestsOf(on.workspace, on.applicationId, id))
        return interview
      })
      return shownState(marked)
    },
  }),
  // a member has read what the candidate said
  post({
    path: '/applications/{application}/interviews/{interview}/answer-done',
    limited: 'record',
    jobRight: 'decide',
    scope,
    body: oneBody,
    returns: STATE,
    handler: async call =>
      shownState(
        await change(call, (tx, keyring, on, id) => settleAnswer(tx, keyring, on, { id, ...expecting(call.body) })),
      ),
  }),
  // after a rejection or withdrawal, where a member chose it
  post({
    path: '/applications/{application}/cancel-interviews',
    limited: 'record',
    jobRight: 'decide',
    scope,
    returns: fields('canceled'),
    handler: ({ db, services, session, params }) =>
      db.transaction(async tx => {
        const on = onApplication(session, params)
        if (!(await tx.one(applicationById(on.workspace, on.applicationId)))) return undefined
        return { canceled: await cancelInterviewsAhead(tx, services.keyring, on) }
      }),
  }),
]
