import { getOrCreate } from '../../kernel/async/get-or-create.ts'
import { wordList } from '../../kernel/db/sql.ts'
import {
  array,
  boolean,
  called,
  guarded,
  handleField,
  int64,
  integer,
  links,
  metered,
  nested,
  neverExposed,
  nullable,
  number,
  object,
  oneOf,
  optional,
  type Row,
  type RowOf,
  type Shape,
  shape,
  text,
  time,
  url,
  uuid,
} from '../../kernel/http/shape.ts'
import { field, group, nullableGroup } from '../../kernel/record/field.ts'
import { record } from '../../kernel/record/record.ts'
import { PACKAGE_KINDS, SHARED_VALUES, type SharedValue, vendorGroup } from '../packages/shape.ts'

export const OPEN_ORDER_STATUSES = ['requested', 'invited', 'in_progress'] as const
export const ORDER_STATUSES = [
  ...OPEN_ORDER_STATUSES,
  'completed',
  'declined',
  'failed',
  'expired',
  'canceled',
] as const
export type OrderStatus = (typeof ORDER_STATUSES)[number]

const openStatuses: readonly OrderStatus[] = OPEN_ORDER_STATUSES
export const isOpenOrder = ({ status }: { status: OrderStatus }): boolean => openStatuses.includes(status)

/** The open statuses, for statements: written in their text, so that an index of the open ones serves them. */
export const OPEN_ORDERS = wordList(OPEN_ORDER_STATUSES)

export const WAITING_ON = ['vendor', 'candidate', 'workspace'] as const
export type WaitingOn = (typeof WAITING_ON)[number]

/** What a vendor says when it declines, or when an order fails. */
export const VENDOR_REASONS = [
  'vendor_error',
  'unsupported_country',
  'candidate_unreachable',
  'duplicate',
  'other',
] as const
export const ORDER_REASONS = [
  'vendor_timeout',
  ...VENDOR_REASONS,
  'canceled_by_workspace',
  'app_uninstalled',
  'application_withdrawn',
  'application_rejected',
  'processing_stopped',
] as const
export type OrderReason = (typeof ORDER_REASONS)[number]

export const PLACED_BY = ['user', 'credential', 'stage_rule'] as const
export const INVITATION_BY = ['service', 'vendor', 'caller'] as const
export const OUTCOMES = ['recommended', 'not_recommended', 'inconclusive', 'clear', 'consider', 'none'] as const
export const SCORE_UNITS = ['points', 'percent', 'percentile', 'band'] as const

/** Rows of these tables are deleted with the application. */
const WITH_APPLICATION = { person: 'erased', erasure: 'the row goes with the application' } as const
const plain = { person: 'none' } as const

const score = called(
  'score',
  object({
    value: number(),
    min: number(),
    max: number(),
    passing: nullable(number('From here on it counts as passed.')),
    unit: oneOf(SCORE_UNITS),
  }),
)

export const orderReportRecord = record(
  'order_reports',
  {
    ...WITH_APPLICATION,
    stored: {
      workspace_id: field(handleField('workspace'), plain),
      order_id: field(handleField('order'), plain),
      upload_id: field(handleField('upload'), plain),
      blob_key: text(),
      created_at: field(time(), plain),
    },
  },
  {
    id: field(uuid(), plain),
    filename: text(),
    mime: text(),
    bytes: field(int64(), plain),
    links: links({ content: '/orders/{order_id}/reports/{id}/content' }),
  },
)

export const orderResultRecord = record(
  'order_results',
  {
    ...WITH_APPLICATION,
    stored: { workspace_id: field(handleField('workspace'), plain), fingerprint: text() },
  },
  {
    order_id: field(handleField('order'), plain),
    revision: field(integer(), { ...plain, description: '1, and one more for each correction by the vendor.' }),
    outcome: oneOf(OUTCOMES),
    score: nullableGroup(
      'score_unit',
      {
        value: field(number(), { column: 'score_value' }),
        min: field(number(), { column: 'score_min' }),
        max: field(number(), { column: 'score_max' }),
        passing: field(nullable(number('From here on it counts as passed.')), { column: 'score_passing' }),
        unit: field(oneOf(SCORE_UNITS), { column: 'score_unit' }),
      },
      { description: 'Null if the vendor gives no score.' },
    ),
    score_pct: field(nullable(integer()), {
      description: 'The score as part of its scale, 0 to 100, to compare orders of one package. Null for ranks.',
    }),
    sections: field(
      array(called('result_section', object({ name: text(), score: nullable(score), comment: nullable(text()) }))),
      { description: 'The parts of the test.' },
    ),
    summary: nullable(text()),
    reports: field(array(called('order_report', object(orderReportRecord.fields))), { computed: true }),
    late: field(boolean(), { ...plain, description: 'It came after the due date.' }),
    completed_at: time(),
    received_at: field(time(), plain),
    updated_at: field(time(), plain),
  },
)

export const orderResultShape = shape(
  'order_result',
  'What the vendor found. No rule of the service decides by it.',
  orderResultRecord.fields,
  { subject: row => ({ object: 'order', id: row.order_id }) },
)

const listed = {
  id: field(handleField('order'), plain),
  workspace_id: field(handleField('workspace'), plain),
  application_id: field(handleField('application'), plain),
  applicant_id: field(nullable(handleField('applicant')), plain),
  job_id: field(handleField('job'), plain),
  stage_id: field(nullable(handleField('pipeline_stage')), {
    ...plain,
    description: 'The stage of the application when it was ordered.',
  }),
  package_id: field(handleField('package'), plain),
  package_name: field(text(), { ...plain, description: 'As it was when it was ordered.' }),
  kind: field(oneOf(PACKAGE_KINDS), plain),
  vendor: vendorGroup(),
  status: field(oneOf(ORDER_STATUSES), plain),
  waiting_on: field(nullable(oneOf(WAITING_ON)), { ...plain, description: 'Null: no one.' }),
  status_reason: nullableGroup(
    'status_reason_code',
    {
      code: field(oneOf(ORDER_REASONS), { column: 'status_reason_code', ...plain }),
      message: field(nullable(text()), { column: 'status_reason_message' }),
    },
    { description: 'Why it has this status, where that is not plain.' },
  ),
  placed_by: group({
    object: field(oneOf(PLACED_BY), { column: 'placed_by_object', ...plain }),
    id: field(text('The handle of the person, of the key or of the stage.'), { column: 'placed_by_id', ...plain }),
  }),
  source: nullableGroup(
    'source_system',
    {
      system: field(text(), { column: 'source_system' }),
      external_id: field(text(), { column: 'source_external_id' }),
    },
    { description: 'What the caller who placed it calls it.' },
  ),
  external_id: field(nullable(text()), { description: 'The id that the vendor gave it.' }),
  external_url: field(nullable(url()), { description: 'A page of the vendor for recruiters.' }),
  candidate_url: field(guarded('orders:write', nullable(url())), { description: 'Opens the test.' }),
  attempt: field(integer(), { ...plain, description: '1, and one more for each repetition.' }),
  previous_order_id: field(nullable(handleField('order')), {
    ...plain,
    description: 'The previous order of the package for the application.',
  }),
  invitation: group({
    by: field(oneOf(INVITATION_BY), { column: 'invitation_by', ...plain }),
    sent_at: field(nullable(time()), { column: 'invitation_sent_at', ...plain }),
    reminders: field(integer(), plain),
    last_reminded_at: field(nullable(time()), plain),
  }),
  requested_at: field(time(), plain),
  accepted_at: field(nullable(time()), plain),
  started_at: field(nullable(time()), plain),
  completed_at: field(nullable(time()), plain),
  due_at: field(nullable(time()), { ...plain, description: 'Null until it is known.' }),
  updated_at: field(time(), plain),
  result_received: field(boolean(), plain),
  links: links({
    self: '/orders/{id}',
    application: '/applications/{application_id}',
    result: '/orders/{id}/result',
    candidate: '/orders/{id}/candidate',
  }),
}

export const orderRecord = record(
  'orders',
  {
    ...WITH_APPLICATION,
    stored: {
      shares: field(array(oneOf(SHARED_VALUES)), plain),
      candidate_host: field(nullable(text()), plain),
      privacy_url: field(nullable(text()), plain),
      completion_days: field(integer(), plain),
      final_at: field(nullable(time()), plain),
      next_check_at: field(nullable(time()), plain),
      reviewed_at: field(nullable(time()), plain),
    },
  },
  {
    ...listed,
    result: field(guarded('orders:results:read', nullable(nested(orderResultShape))), {
      computed: true,
      description: 'Null until the vendor completes the order.',
    }),
  },
)

export const orderRowShape = shape('order', 'An order in a list.', listed, { component: 'order_summary' })

export const orderShape = shape(
  'order',
  'A test or check of a candidate that a vendor carries out, with its result.',
  orderRecord.fields,
  { resource: { name: 'orders', scope: 'orders:read' } },
)

export type OrderRow = Row<typeof orderRowShape>
export type OrderDetailRow = Row<typeof orderShape>
export type OrderResultRow = Row<typeof orderResultShape>

// Candidates

const resume = object({
  filename: text(),
  mime: text(),
  bytes: int64(),
  links: links({ download: '/orders/{order_id}/resume/download' }),
})

const HIDDEN = neverExposed('consent_scope')

/** What the order does not share is in no response, whatever the scopes. */
const candidateFields = (shares: readonly SharedValue[]) => ({
  order_id: handleField('order'),
  first_name: nullable(text()),
  last_name: nullable(text()),
  language: nullable(text('The language in which the candidate applied, as two letters.')),
  email: shares.includes('email') ? optional(metered('email', nullable(text()))) : HIDDEN,
  phone: shares.includes('phone') ? optional(metered('phone', nullable(text()))) : HIDDEN,
  resume: shares.includes('resume') ? optional(nullable(resume)) : HIDDEN,
})

const subject = (row: { order_id: string }) => ({ object: 'order', id: row.order_id })
const sharedShapes = new Map<string, Shape>()

/** The shape for an order that shares these values. */
const candidateShapeFor = (shares: readonly SharedValue[]): Shape => {
  const chosen = SHARED_VALUES.filter(value => shares.includes(value))
  return getOrCreate(sharedShapes, chosen.join(), () =>
    shape('order_candidate', 'The candidate of an order.', candidateFields(chosen), { subject }),
  )
}

const everyCandidateField = {
  ...candidateFields(SHARED_VALUES),
  email: optional(metered('email', nullable(text()))),
  phone: optional(metered('phone', nullable(text()))),
  resume: optional(nullable(resume)),
}

export type OrderCandidateRow = RowOf<typeof everyCandidateField> & { shares: readonly SharedValue[] }

export const orderCandidateShape = {
  ...shape('order_candidate', 'The candidate of an order, as far as its package shares it.', everyCandidateField, {
    subject,
    as: row => candidateShapeFor((row as OrderCandidateRow).shares),
  }),
  relatedGuards: SHARED_VALUES.map(path => ({ path, guard: { never: 'consent_scope' } })),
}

export const orderResumeShape = shape(
  'resume_download',
  'A signed URL of the résumé file of the candidate of an order.',
  {
    order_id: handleField('order'),
    url: metered('resume_file', url()),
    expires_in: field(integer(), { description: 'Seconds.' }),
    filename: text(),
    mime: text(),
    bytes: int64(),
  },
  { subject, component: 'order_resume_download' },
)
