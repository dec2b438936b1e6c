import {
  EXTERNAL_ID_DESCRIPTION,
  isPartnerSystem,
  SOURCE_SYSTEM_KEYWORDS,
  SYSTEM_DESCRIPTION,
  SYSTEM_RULE,
} from '../../contract/source-systems.ts'
import type { Caller } from '../../kernel/access/caller.ts'
import { describedAs } from '../../kernel/http/body.ts'
import { closed } from '../../kernel/http/closed.ts'
import { bodyInstant, bodyTime } from '../../kernel/http/formats.ts'
import { type Call, created, HandlerResponse, type Route, writeOne } from '../../kernel/http/route.ts'
import { describeInput } from '../../kernel/record/write.ts'
import { Type } from '../../kernel/schema/types.ts'
import { cancelOrder, extendOrder } from './actions.ts'
import type { OrderChange } from './change.ts'
import { type PlacedBy, placeOrder, repeatOrder } from './place.ts'
import { showOrder } from './read-orders.ts'
import { orderShape } from './shape.ts'

const group = 'Checks and assessments'
const params = { order_handle: 'order' } as const
export const expected_updated_at = Type.Optional(bodyTime())

// biome-ignore lint/suspicious/noExplicitAny: the bodies differ; what is common to them is this one field
export const toOrderChange = (call: Call<{ order_handle: string }, any, any>): OrderChange => ({
  workspace: call.workspace,
  id: call.params.order_handle,
  vendor: call.onlyVendor,
  expectedUpdatedAt: call.body.expected_updated_at,
  originKeyId: call.caller.originKeyId,
})

/** What every change of an order can be refused with. */
export const ORDER_ERRORS = ['invalid_order_state', 'stale_resource', 'application_modified_concurrently'] as const

const PLACING_ERRORS = [
  'invalid_application_state',
  'applicant_suppressed',
  'applicant_unsubscribed',
  'package_not_available',
  'order_limit_reached',
] as const

/** A person in our pages, or the key or app of a call. */
const placedBy = ({ originKeyId, keyId }: Caller): { placedBy: PlacedBy; byPerson: boolean } =>
  originKeyId === null
    ? { placedBy: { object: 'user', id: keyId }, byPerson: true }
    : { placedBy: { object: 'credential', id: originKeyId }, byPerson: false }

const sourceFaults = (body: unknown) => {
  const { system } = ((body ?? {}) as { source?: { system?: unknown } }).source ?? {}
  return typeof system === 'string' && !isPartnerSystem(system)
    ? [{ param: 'source.system', message: SYSTEM_RULE, code: 'unsupported_source_system' as const }]
    : []
}

const DUE_DESCRIPTION = 'An hour to 90 days ahead.'

export const orderWrites: readonly Route[] = [
  writeOne({
    path: '/orders',
    operationId: 'placeOrder',
    limited: 'record',
    jobRight: 'decide',
    tool: { effect: 'creates', openWorld: true },
    summary: 'Order a test or check for a candidate',
    description:
      'The vendor of the package carries it out. The service sends the candidate no email. The same `source` again, or a package that is open for the application, returns the order that exists.',
    group,
    scope: 'orders:write',
    tier: 'expensive',
    status: 201,
    orStatus: 200,
    shape: orderShape,
    body: Type.Object(
      {
        application_id: describeInput(
          Type.String({ maxLength: 100 }),
          'An application that is open, or whose candidate was hired.',
        ),
        package_id: describeInput(Type.String({ maxLength: 100 }), 'An active package.'),
        due_at: describeInput(
          Type.Optional(bodyTime()),
          `When it must be completed. ${DUE_DESCRIPTION} Default: \`completion_days\` of the package after its acceptance.`,
        ),
        source: Type.Optional(
          Type.Object(
            {
              system: describeInput(
                describedAs(Type.String({ maxLength: 200 }), SOURCE_SYSTEM_KEYWORDS),
                SYSTEM_DESCRIPTION,
              ),
              external_id: describeInput(Type.String({ minLength: 1, maxLength: 200 }), EXTERNAL_ID_DESCRIPTION),
            },
            closed,
          ),
        ),
      },
      closed,
    ),
    rules: ({ body }) => sourceFaults(body),
    errors: [
      'unsupported_source_system',
      'application_modified_concurrently',
      'invalid_order_state',
      ...PLACING_ERRORS,
    ],
    handler: async ({ tx, workspace, caller, body }) => {
      const placed = await placeOrder(tx, {
        workspace,
        applicationId: body.application_id,
        packageId: body.package_id,
        dueAt: body.due_at === undefined ? undefined : bodyInstant(body.due_at),
        source: body.source,
        ...placedBy(caller),
        originKeyId: caller.originKeyId,
      })
      return placed && new HandlerResponse(await showOrder(tx, placed.order), placed.isNew ? 201 : 200)
    },
  }),
  writeOne({
    path: '/orders/{order_handle}/cancel',
    operationId: 'cancelOrder',
    limited: 'record',
    jobRight: 'decide',
    tool: { effect: 'overwrites', openWorld: true },
    summary: 'Cancel an order',
    description: 'It must be open. One that is canceled already is returned unchanged.',
    group,
    scope: 'orders:write',
    params,
    shape: orderShape,
    body: Type.Object(
      {
        reason: describeInput(Type.Optional(Type.String({ minLength: 1, maxLength: 500 })), 'The vendor can read it.'),
        expected_updated_at,
      },
      closed,
    ),
    bodyOptional: true,
    errors: ORDER_ERRORS,
    handler: async call => {
      const order = await cancelOrder(call.tx, toOrderChange(call), { reason: call.body.reason })
      return order && showOrder(call.tx, order)
    },
  }),
  writeOne({
    path: '/orders/{order_handle}/extend',
    operationId: 'extendOrder',
    limited: 'record',
    jobRight: 'decide',
    tool: { leftOut: 'a person of the team decides about due dates' },
    summary: 'Set another due date of an order',
    description: 'The vendor must have accepted it. One that has expired is open again.',
    group,
    scope: 'orders:write',
    params,
    shape: orderShape,
    body: Type.Object({ due_at: describeInput(bodyTime(), DUE_DESCRIPTION), expected_updated_at }, closed),
    errors: [...ORDER_ERRORS, 'invalid_application_state', 'applicant_suppressed'],
    handler: async call => {
      const order = await extendOrder(call.tx, toOrderChange(call), bodyInstant(call.body.due_at))
      return order && showOrder(call.tx, order)
    },
  }),
  writeOne({
    path: '/orders/{order_handle}/repeat',
    operationId: 'repeatOrder',
    limited: 'record',
    jobRight: 'decide',
    tool: { leftOut: 'place_order orders a package again' },
    summary: 'Order the same package again',
    description: 'The order must have ended. The new one is the next `attempt`.',
    group,
    scope: 'orders:write',
    params,
    status: 201,
    shape: orderShape,
    body: Type.Object({ expected_updated_at }, closed),
    bodyOptional: true,
    errors: [...ORDER_ERRORS, ...PLACING_ERRORS],
    handler: async call => {
      const order = await repeatOrder(call.tx, { ...toOrderChange(call), ...placedBy(call.caller) })
      return order && created(await showOrder(call.tx, order))
    },
  }),
]
