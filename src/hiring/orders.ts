import type { ErrorCode } from '../contract/errors.ts'
import { withCallerNames } from '../kernel/access/caller-names.ts'
import type { Queryable, Transaction } from '../kernel/db/database.ts'
import { ApiError, fail } from '../kernel/errors/api-error.ts'
import { closed } from '../kernel/http/closed.ts'
import { bodyTime } from '../kernel/http/formats.ts'
import { isHandle } from '../kernel/ids/handles.ts'
import { type Static, Type } from '../kernel/schema/types.ts'
import type { EndpointCall } from '../programs/endpoint.ts'
import { fields } from '../programs/fields.ts'
import { membersNamed } from '../resources/hiring-team/index.ts'
import {
  cancelOrder,
  extendOrder,
  findLeftOutReason,
  isOrderable,
  type LeftOutReason,
  type OrderSubject,
  orderById,
  orderCandidates,
  orderSubject,
  placeOrder,
  remindCandidate,
  repeatOrder,
  type StoredOrder,
  sendInvitation,
  setReviewed,
  type TeamOrder,
  teamActions,
  teamOrders,
  withAdverseResult,
} from '../resources/orders/index.ts'
import { packageById } from '../resources/packages/index.ts'
import type { UserSession } from '../sign-in/sessions.ts'
import { hasScope, onApplication } from './decisions.ts'
import { type Call, get, post } from './program.ts'

const due_at = Type.Optional(bodyTime())
const handle = Type.String({ maxLength: 100 })

/** Who placed an order, in the name of today; null: someone or something that is no longer there. */
interface PlacedBy {
  kind: 'person' | 'key' | 'rule'
  name: string | null
  /** the reader did */
  own: boolean
}

async function placers(db: Queryable, session: UserSession, orders: readonly TeamOrder[]): Promise<PlacedBy[]> {
  const { workspaceId, userId } = session
  const idOf = (order: TeamOrder, object: TeamOrder['placed_by_object']) =>
    order.placed_by_object === object ? order.placed_by_id : null
  const [people, keys] = await Promise.all([
    membersNamed(
      db,
      workspaceId,
      orders.map(order => idOf(order, 'user')),
    ),
    withCallerNames(
      db,
      workspaceId,
      orders.map(order => ({ key_id: idOf(order, 'credential') })),
    ),
  ])
  return orders.map(({ placed_by_object, placed_by_id }, i) => {
    if (placed_by_object === 'stage_rule') return { kind: 'rule', name: null, own: false }
    if (placed_by_object === 'credential') return { kind: 'key', name: keys[i]?.key_name ?? null, own: false }
    return { kind: 'person', name: people.get(placed_by_id)?.name ?? null, own: placed_by_id === userId }
  })
}

/** What the panel shows of an order, and what can be done with it. */
const shownOrder = (order: TeamOrder, placed_by: PlacedBy, subject: OrderSubject, mayOrder: boolean) => ({
  id: order.id,
  package_name: order.package_name,
  kind: order.kind,
  vendor: { name: order.vendor_name },
  status: order.status,
  waiting_on: order.waiting_on,
  status_reason:
    order.status_reason_code === null ? null : { code: order.status_reason_code, message: order.status_reason_message },
  placed_by,
  external_url: order.external_url,
  attempt: order.attempt,
  invitation: {
    by: order.invitation_by,
    sent_at: order.invitation_sent_at,
    reminders: order.reminders,
    last_reminded_at: order.last_reminded_at,
  },
  requested_at: order.requested_at,
  due_at: order.due_at,
  result_received: order.result_received,
  can: teamActions(order, subject, mayOrder),
})

/** The order of a path, which must be one of its application: reach is checked by the handle of the application. */
async function findOrder(
  db: Queryable,
  session: UserSession,
  params: Readonly<Record<'application' | 'order', string>>,
) {
  const { workspace, applicationId } = onApplication(session, params)
  const { order: id } = params
  const found = isHandle('order', id) ? await db.one(orderById(workspace, id)) : undefined
  if (found?.application_id !== applicationId) return fail('not_found')
  return { workspace, id, ...byPerson(session) }
}

/** The person decides: the service may write to the candidate. */
const byPerson = ({ userId }: UserSession) =>
  ({ placedBy: { object: 'user', id: userId }, byPerson: true, originKeyId: null }) as const

const statusOf = (order: Pick<StoredOrder, 'id' | 'status'> | undefined) =>
  order && { id: order.id, status: order.status }

type Found = Awaited<ReturnType<typeof findOrder>>

/** The handler of a change of one order by the person who is signed in. */
const changeOne =
  <B>(act: (tx: Transaction, order: Found, body: B) => Promise<Pick<StoredOrder, 'id' | 'status'> | undefined>) =>
  async ({ db, session, params, body }: EndpointCall<UserSession, 'application' | 'order', unknown, B>) => {
    const order = await findOrder(db, session, params)
    return statusOf(await db.transaction(tx => act(tx, order, body)))
  }

const record = { limited: 'record', jobRight: 'decide', scope: 'orders:write' } as const
/** Candidates for whom a check is ordered together. */
const MAX_ORDERED = 50

const manyBody = {
  application_ids: Type.Array(handle, { minItems: 1, maxItems: MAX_ORDERED }),
  package_id: handle,
}

interface Many {
  application_ids: readonly string[]
  package_id: string
}

/** For whom of several a package can be ordered, and who is left out, and why. */
async function planMany(db: Queryable, workspace: string, jobId: string, { application_ids, package_id }: Many) {
  const found = isHandle('package', package_id) ? await db.one(packageById(workspace, package_id)) : undefined
  if (!found) fail('not_found')
  const ids = [...new Set(application_ids)]
  const rows = await db.query(orderCandidates(workspace, jobId, ids, package_id))
  const byId = new Map(rows.map(row => [row.id, row]))
  const reasons = ids.map(id => ({ application_id: id, reason: findLeftOutReason(byId.get(id), found.invitation) }))
  return {
    ready: reasons.flatMap(({ application_id, reason }) => (reason === undefined ? [application_id] : [])),
    left_out: reasons.flatMap(({ application_id, reason }) =>
      reason === undefined ? [] : [{ application_id, reason }],
    ),
  }
}

/**
 * One after the other, each in its own transaction: what was refused in the meantime is left out like the others. So are all
 * that follow where the package was withdrawn after some were ordered.
 */
async function placeMany(
  { services, session }: Pick<Call, 'services' | 'session'>,
  ids: readonly string[],
  { package_id: packageId, due_at: dueAt }: Many & { due_at?: string | undefined },
): Promise<{ application_id: string; reason: LeftOutReason }[]> {
  const left: { application_id: string; reason: LeftOutReason }[] = []
  let ordered = 0
  for (const applicationId of ids) {
    const wanted = { ...byPerson(session), workspace: session.workspaceId, applicationId, packageId, dueAt }
    try {
      const placed = await services.db.transaction(tx => placeOrder(tx, wanted))
      if (placed) ordered++
      else left.push({ application_id: applicationId, reason: 'not_found' })
    } catch (error) {
      const code = error instanceof ApiError ? error.code : undefined
      const isWithdrawn = code === 'package_not_available' && ordered > 0
      const reason = isWithdrawn ? 'not_offered' : code && REFUSALS[code]
      if (reason === undefined) throw error
      left.push({ application_id: applicationId, reason })
    }
  }
  return left
}

/** The refusals of one candidate; what else is refused concerns the whole order, such as its due date. */
const REFUSALS: Readonly<Partial<Record<ErrorCode, LeftOutReason>>> = {
  invalid_application_state: 'closed',
  applicant_suppressed: 'stopped',
  applicant_unsubscribed: 'unsubscribed',
  order_limit_reached: 'limit',
}

const cancellation = Type.Object(
  {
    reason: Type.Optional(Type.String({ maxLength: 500 })),
    /** the candidate gets an email that there is nothing to do any more */
    notify_candidate: Type.Boolean(),
  },
  closed,
)

const STATUS = fields('id', 'status')
const ORDER = {
  ...fields('id', 'package_name', 'kind', 'status', 'waiting_on', 'external_url', 'attempt'),
  ...fields('requested_at', 'due_at', 'result_received'),
  vendor: fields('name'),
  status_reason: fields('code', 'message'),
  placed_by: fields('kind', 'name', 'own'),
  invitation: fields('by', 'sent_at', 'reminders', 'last_reminded_at'),
  can: fields('invite', 'remind', 'extend', 'cancel', 'repeat', 'notify'),
}
const LEFT_OUT = fields('application_id', 'reason')

export const orderEndpoints = [
  get({
    path: '/applications/{application}/orders',
    limited: 'record',
    jobRight: 'discuss',
    scope: 'orders:read',
    returns: { ...fields('orderable', 'unsubscribed'), orders: ORDER },
    handler: async ({ db, session, params }) => {
      const { workspace, applicationId } = onApplication(session, params)
      const [subject, orders] = await Promise.all([
        db.one(orderSubject(workspace, applicationId)),
        db.query(teamOrders(workspace, applicationId)),
      ])
      if (!subject) return undefined
      const shown = subject.stopped ? [] : orders
      const placedBy = await placers(db, session, shown)
      const mayOrder = hasScope(session, 'orders:write')
      return {
        /** the newest first */
        orders: shown.map((order, i) => shownOrder(order, placedBy[i]!, subject, mayOrder)),
        orderable: isOrderable(subject),
        /** the candidate gets no invitation by email */
        unsubscribed: subject.unsubscribed,
      }
    },
  }),
  post({
    path: '/applications/{application}/orders',
    limited: 'record',
    jobRight: 'decide',
    scope: 'orders:write',
    body: Type.Object({ package_id: handle, due_at }, closed),
    returns: { ...STATUS, is_new: true },
    handler: async ({ db, session, params, body }) => {
      const { workspace, applicationId } = onApplication(session, params)
      const wanted = { ...byPerson(session), workspace, applicationId, packageId: body.package_id, dueAt: body.due_at }
      const placed = await db.transaction(tx => placeOrder(tx, wanted))
      return placed && { ...statusOf(placed.order), is_new: placed.isNew }
    },
  }),
  post({
    path: '/applications/{application}/orders/{order}/invite',
    returns: STATUS,
    ...record,
    handler: changeOne(sendInvitation),
  }),
  post({
    path: '/applications/{application}/orders/{order}/remind',
    returns: STATUS,
    ...record,
    handler: changeOne(remindCandidate),
  }),
  post({
    path: '/applications/{application}/orders/{order}/extend',
    returns: STATUS,
    ...record,
    body: Type.Object({ due_at: bodyTime() }, closed),
    handler: changeOne((tx, order, { due_at: dueAt }: { due_at: string }) => extendOrder(tx, order, dueAt)),
  }),
  post({
    path: '/applications/{application}/orders/{order}/cancel',
    returns: STATUS,
    ...record,
    body: cancellation,
    handler: changeOne((tx, order, { reason, notify_candidate: tellCandidate }: Static<typeof cancellation>) =>
      cancelOrder(tx, order, { reason, tellCandidate }),
    ),
  }),
  post({
    path: '/applications/{application}/orders/{order}/repeat',
    returns: STATUS,
    ...record,
    handler: changeOne(repeatOrder),
  }),
  post({
    path: '/applications/{application}/orders/{order}/reviewed',
    limited: 'record',
    jobRight: 'decide',
    scope: 'orders:read',
    body: Type.Object({ reviewed: Type.Boolean() }, closed),
    handler: async ({ db, session, params, body }) => {
      const { workspace, id } = await findOrder(db, session, params)
      await db.query(setReviewed(workspace, id, body.reviewed))
      return {}
    },
  }),
  post({
    path: '/jobs/{job_id}/orders/preview',
    limited: 'record',
    jobRight: 'setup',
    scope: 'orders:write',
    body: Type.Object(manyBody, closed),
    returns: { ready: true, left_out: LEFT_OUT },
    handler: async ({ db, session, params, body }) => {
      const { ready, left_out } = await planMany(db, session.workspaceId, params.job_id, body)
      return { ready: ready.length, left_out }
    },
  }),
  post({
    path: '/jobs/{job_id}/orders',
    limited: 'record',
    jobRight: 'setup',
    scope: 'orders:write',
    body: Type.Object({ ...manyBody, due_at }, closed),
    returns: { ordered: true, left_out: LEFT_OUT },
    handler: async call => {
      const { ready, left_out } = await planMany(call.db, call.session.workspaceId, call.params.job_id, call.body)
      const refused = await placeMany(call, ready, call.body)
      return { ordered: ready.length - refused.length, left_out: [...left_out, ...refused] }
    },
  }),
  // a read in the form of a POST, for as many candidates as are rejected together
  post({
    path: '/applications/adverse-results',
    limited: 'record',
    jobRight: 'discuss',
    scope: 'orders:results:read',
    body: Type.Object({ application_ids: Type.Array(handle, { minItems: 1, maxItems: 1_000 }) }, closed),
    handler: async ({ db, session, body }) => {
      const found = await db.query(withAdverseResult(session.workspaceId, body.application_ids))
      return { adverse: found.map(({ application_id }) => application_id) }
    },
  }),
]
