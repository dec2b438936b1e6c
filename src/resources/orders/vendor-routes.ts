import { API_LIMITS } from '../../contract/limits.ts'
import { ApiError } from '../../kernel/errors/api-error.ts'
import { describedAs, withRules } from '../../kernel/http/body.ts'
import { closed } from '../../kernel/http/closed.ts'
import { refuseIfAny } from '../../kernel/http/faults.ts'
import { asUri, bodyInstant, bodyTime, httpsUrl } from '../../kernel/http/formats.ts'
import { created, type Route, writeOne } from '../../kernel/http/route.ts'
import { COMPONENT } from '../../kernel/http/shape.ts'
import { describeInput } from '../../kernel/record/write.ts'
import { type Static, Type } from '../../kernel/schema/types.ts'
import { noneIfBlank } from '../../kernel/text/text.ts'
import { keepsOutcomeOnly } from '../packages/index.ts'
import { reserveUpload, uploadFaults } from '../uploads/index.ts'
import { uploadShape } from '../uploads/shape.ts'
import { acceptOrder, declineOrder, failOrder, progressOrder } from './actions.ts'
import { whileOrderLocked } from './change.ts'
import { type Completion, completeOrder } from './complete.ts'
import { refuseStopped, showOrder } from './read-orders.ts'
import { type OrderScore, requireStatus, resultFaults } from './rules.ts'
import { OUTCOMES, orderShape, SCORE_UNITS, VENDOR_REASONS, WAITING_ON } from './shape.ts'
import { expected_updated_at, ORDER_ERRORS, toOrderChange } from './write-routes.ts'

const LEFT_OUT = { leftOut: 'for the system of a vendor' } as const
const common = {
  group: 'Checks and assessments',
  scope: 'orders:fulfill',
  limited: 'keys',
  tool: LEFT_OUT,
  params: { order_handle: 'order' },
} as const

const optionalUrl = (description: string) => describeInput(Type.Optional(httpsUrl({ maxLength: 2048 })), description)
const externalId = (description: string) => describeInput(Type.String({ minLength: 1, maxLength: 200 }), description)
const message = describeInput(Type.Optional(Type.String({ minLength: 1, maxLength: 500 })), 'For the hiring team.')
const EXTERNAL_URL = 'A page of yours for recruiters.'

const reason = Type.Object({ code: Type.Enum([...VENDOR_REASONS]), message, expected_updated_at }, closed)

const score = Object.assign(
  Type.Object(
    {
      value: Type.Number(),
      min: Type.Number(),
      max: Type.Number(),
      passing: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
      unit: describeInput(Type.Optional(Type.Enum([...SCORE_UNITS])), 'Default points.'),
    },
    closed,
  ),
  { [COMPONENT]: 'score_input' },
)
const scoreInput = Type.Optional(Type.Union([score, Type.Null()]))
const text = (maxLength: number) => Type.Optional(Type.Union([Type.String({ maxLength }), Type.Null()]))

const completion = withRules(
  Type.Object(
    {
      external_id: Type.Optional(externalId('Your id of the order. Required if you did not accept it.')),
      outcome: describeInput(Type.Optional(Type.Enum([...OUTCOMES])), 'Default none.'),
      score: scoreInput,
      sections: Type.Optional(
        Type.Array(
          Type.Object(
            { name: Type.String({ minLength: 1, maxLength: 120 }), score: scoreInput, comment: text(2000) },
            closed,
          ),
          { maxItems: API_LIMITS.sectionsPerResult },
        ),
      ),
      summary: text(10_000),
      external_url: optionalUrl(EXTERNAL_URL),
      report_upload_ids: describeInput(
        Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: API_LIMITS.reportsPerOrder })),
        'The `upload_id` of each report. Those that a correction leaves out are deleted.',
      ),
      completed_at: describeInput(Type.Optional(bodyTime()), 'Default: now.'),
      expected_updated_at,
    },
    closed,
  ),
  resultFaults,
)

/** Its values are in one order, whatever that of the body: the same result again is found by its text. */
const toScore = (given: Static<typeof score> | null | undefined): OrderScore | null => {
  if (!given) return null
  const { value, min, max, passing, unit } = given
  return { value, min, max, passing: passing ?? null, unit: unit ?? 'points' }
}

const toCompletion = (body: Static<typeof completion>): Completion => ({
  external_id: body.external_id,
  outcome: body.outcome ?? 'none',
  score: toScore(body.score),
  sections: (body.sections ?? []).map(({ name, score, comment }) => ({
    name,
    score: toScore(score),
    comment: noneIfBlank(comment ?? null),
  })),
  summary: noneIfBlank(body.summary ?? null),
  external_url: body.external_url === undefined ? undefined : asUri(body.external_url),
  report_upload_ids: body.report_upload_ids ?? [],
  completed_at: body.completed_at === undefined ? undefined : bodyInstant(body.completed_at),
})

export const vendorRoutes: readonly Route[] = [
  writeOne({
    ...common,
    path: '/orders/{order_handle}/accept',
    operationId: 'acceptOrder',
    summary: 'Accept an order',
    description: 'The same `external_id` again returns the order unchanged.',
    shape: orderShape,
    body: Type.Object(
      {
        external_id: externalId('Your id of the order; no other order of yours has it.'),
        candidate_url: optionalUrl(
          'Opens the test, on `candidate_host` of the package. Required if the service invites, else not allowed.',
        ),
        external_url: optionalUrl(EXTERNAL_URL),
        due_at: describeInput(Type.Optional(bodyTime()), 'An hour to 90 days ahead. Default: what the order says.'),
        expected_updated_at,
      },
      closed,
    ),
    errors: ['candidate_url_not_allowed', ...ORDER_ERRORS],
    handler: async call => {
      const { external_id, candidate_url, external_url, due_at } = call.body
      const order = await acceptOrder(call.tx, toOrderChange(call), {
        external_id,
        candidate_url: candidate_url === undefined ? undefined : asUri(candidate_url),
        external_url: external_url === undefined ? undefined : asUri(external_url),
        due_at: due_at === undefined ? undefined : bodyInstant(due_at),
      })
      return order && showOrder(call.tx, order)
    },
  }),
  writeOne({
    ...common,
    path: '/orders/{order_handle}/decline',
    operationId: 'declineOrder',
    summary: 'Decline an order',
    description: 'Before you accept it. The same reason again returns the order unchanged.',
    shape: orderShape,
    body: reason,
    errors: ORDER_ERRORS,
    handler: async call => {
      const order = await declineOrder(call.tx, toOrderChange(call), call.body)
      return order && showOrder(call.tx, order)
    },
  }),
  writeOne({
    ...common,
    path: '/orders/{order_handle}/progress',
    operationId: 'progressOrder',
    summary: 'Report progress of an order',
    description: 'The candidate has started, or someone else has to do something. What is left out stays.',
    shape: orderShape,
    body: Type.Object(
      {
        started_at: describeInput(Type.Optional(bodyTime()), 'Default: now, the first time.'),
        waiting_on: Type.Optional(Type.Enum([...WAITING_ON])),
        message,
        expected_updated_at,
      },
      closed,
    ),
    bodyOptional: true,
    errors: ORDER_ERRORS,
    handler: async call => {
      const { started_at, waiting_on, message } = call.body
      const order = await progressOrder(call.tx, toOrderChange(call), {
        started_at: started_at === undefined ? undefined : bodyInstant(started_at),
        waiting_on,
        message,
      })
      return order && showOrder(call.tx, order)
    },
  }),
  writeOne({
    ...common,
    path: '/orders/{order_handle}/fail',
    operationId: 'failOrder',
    summary: 'Report that an order cannot be carried out',
    description: 'After you accepted it. The same reason again returns the order unchanged.',
    shape: orderShape,
    body: reason,
    errors: ORDER_ERRORS,
    handler: async call => {
      const order = await failOrder(call.tx, toOrderChange(call), call.body)
      return order && showOrder(call.tx, order)
    },
  }),
  writeOne({
    ...common,
    path: '/orders/{order_handle}/reports',
    operationId: 'createReportUpload',
    summary: 'Reserve the upload of a report',
    description:
      'Then PUT the PDF to `upload.url` with exactly the headers in `upload.headers`, and complete the order with its `upload_id`.',
    tier: 'expensive',
    status: 201,
    shape: uploadShape,
    body: withRules(
      Type.Object(
        {
          filename: describeInput(
            Type.Optional(Type.String({ maxLength: 1000 })),
            'A plain file name that ends in `.pdf`.',
          ),
          size_bytes: describeInput(
            describedAs(Type.Integer({ format: 'int64' }), { minimum: 1, maximum: API_LIMITS.resumeFileBytes }),
            'The exact length of the file, 1 to 5,242,880.',
          ),
          content_type: describeInput(
            describedAs(Type.String({ maxLength: 200 }), { enum: ['application/pdf'] }),
            'Reports are PDF files.',
          ),
        },
        closed,
      ),
      body => uploadFaults(body, 'report'),
    ),
    errors: ['invalid_upload', 'too_many_pending_uploads', 'applicant_suppressed', ...ORDER_ERRORS],
    handler: async call => {
      const { tx, workspace, services, body, caller } = call
      const change = { ...toOrderChange(call), expectedUpdatedAt: undefined }
      const upload = await whileOrderLocked(tx, change, async order => {
        requireStatus('report', order)
        await refuseStopped(tx, order)
        if (keepsOutcomeOnly(order.kind))
          refuseIfAny([
            {
              param: 'content_type',
              message: `reports of a ${order.kind} are not accepted: findings stay with the vendor`,
            },
          ])
        return reserveUpload(tx, services.blobs, workspace, {
          contentType: body.content_type,
          sizeBytes: body.size_bytes,
          ...(body.filename === undefined ? {} : { filename: body.filename }),
          originKeyId: caller.originKeyId,
          report: { orderId: order.id, vendorId: order.vendor_id },
        })
      })
      return upload && created(upload)
    },
  }),
  writeOne({
    ...common,
    path: '/orders/{order_handle}/complete',
    operationId: 'completeOrder',
    summary: 'Complete an order with its result',
    description:
      'What you send is the whole result. A different one is the next `revision`; the same again changes nothing. Of a background or identity check only the outcome is stored. Nothing is decided by a result.',
    shape: orderShape,
    body: completion,
    errors: [
      'upload_not_found',
      'upload_already_used',
      'upload_not_completed',
      'resume_rejected',
      'applicant_suppressed',
      ...ORDER_ERRORS,
    ],
    handler: async call => {
      const order = await completeOrder(call.tx, call.services.blobs, toOrderChange(call), toCompletion(call.body))
      return order instanceof ApiError ? order : order && showOrder(call.tx, order)
    },
  }),
]
