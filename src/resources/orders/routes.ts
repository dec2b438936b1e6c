import { API_LIMITS } from '../../contract/limits.ts'
import { fail } from '../../kernel/errors/api-error.ts'
import type { Relations } from '../../kernel/http/include.ts'
import { handleParam, listParam, textParam } from '../../kernel/http/params.ts'
import { type Call, type Route, readFile, readOne, readPage } from '../../kernel/http/route.ts'
import { PACKAGE_KINDS } from '../packages/shape.ts'
import { selectResume } from '../resumes/index.ts'
import { resumeAccess } from '../resumes/shape.ts'
import { selectProcessing } from '../suppressions/index.ts'
import { hideStoppedOrders, isOrderStopped, readResult, showOrder } from './read-orders.ts'
import { reportFile } from './results-store.ts'
import { isCarriedOut } from './rules.ts'
import {
  isOpenOrder,
  ORDER_STATUSES,
  type OrderRow,
  orderCandidateShape,
  orderResultShape,
  orderResumeShape,
  orderRowShape,
  orderShape,
} from './shape.ts'
import {
  BY_BEST_RESULT,
  BY_REQUESTED,
  BY_UPDATED_ORDER,
  type OrderFilter,
  orderById,
  ordersPage,
  type StoredOrder,
  selectCandidate,
  toOrder,
} from './store.ts'

const group = 'Checks and assessments'
const params = { order_handle: 'order' } as const
const vendorToo = ['orders:fulfill'] as const

type OneOrder = Pick<Call<{ order_handle: string }>, 'db' | 'workspace' | 'params' | 'onlyVendor'>

async function findOrder({ db, workspace, params, onlyVendor }: OneOrder): Promise<StoredOrder | undefined> {
  const found = await db.one(orderById(workspace, params.order_handle, onlyVendor))
  return found && toOrder(found)
}

/** An order that its vendor still carries out, with its candidate; undefined once it is final or overdue. */
async function findCandidate(call: OneOrder) {
  const order = await findOrder(call)
  if (!order || !isOpenOrder(order) || order.applicant_id === null) return undefined
  const candidate = await call.db.one(selectCandidate(call.workspace, order.applicant_id))
  return candidate && isCarriedOut(order, Date.parse(candidate.now)) ? { order, candidate } : undefined
}

const readOrders = async (call: Pick<Call, 'db' | 'workspace' | 'page'>, filter: OrderFilter): Promise<OrderRow[]> =>
  hideStoppedOrders(
    call.db,
    call.workspace,
    (await call.db.query(ordersPage(call.workspace, filter, call.page))).map(toOrder),
  )

/** `include`: what can be read along with orders. */
export const orderReads = (include: Relations<OrderRow>): readonly Route[] => [
  readPage({
    path: '/orders',
    operationId: 'listOrders',
    limited: 'job',
    jobRight: 'discuss',
    summary: 'List orders of tests and checks',
    description: 'Most recently updated first. A vendor lists the orders of its own packages.',
    group,
    scope: 'orders:read',
    or: vendorToo,
    query: {
      status: listParam('Only these statuses.', ORDER_STATUSES),
      kind: listParam('Only these kinds.', PACKAGE_KINDS),
      package_id: handleParam('Only orders of this package.', 'package'),
      application_id: handleParam('Only orders for this application.', 'application'),
      job_id: handleParam('Only orders for applications to this job.', 'job'),
      external_id: textParam(
        'Only the order with this id: that of the system in source_system if it is given, else that of the vendor.',
      ),
      source_system: textParam('Only orders that this system placed.'),
    },
    shape: orderRowShape,
    include,
    order: BY_UPDATED_ORDER,
    sorts: { score: { order: BY_BEST_RESULT, needs: 'package_id', scope: 'orders:results:read' } },
    handler: call => {
      const { status, kind, package_id, application_id, job_id, external_id, source_system } = call.query
      return readOrders(call, {
        vendor: call.onlyVendor,
        status,
        kind,
        packageId: package_id,
        applicationId: application_id,
        jobId: job_id,
        externalId: external_id,
        sourceSystem: source_system,
      })
    },
  }),
  readPage({
    path: '/applications/{application_handle}/orders',
    operationId: 'listApplicationOrders',
    limited: 'record',
    jobRight: 'discuss',
    tool: { leftOut: 'list_orders takes the application as a filter' },
    summary: 'List the orders for an application',
    description: 'Newest first.',
    group,
    scope: 'orders:read',
    params: { application_handle: 'application' },
    shape: orderRowShape,
    order: BY_REQUESTED,
    handler: async call => {
      const id = call.params.application_handle
      if (!(await call.db.one(selectProcessing(call.workspace, 'application', id)))) fail('not_found')
      return readOrders(call, { applicationId: id })
    },
  }),
  readOne({
    path: '/orders/{order_handle}',
    operationId: 'getOrder',
    limited: 'record',
    jobRight: 'discuss',
    summary: 'Get an order of a test or check',
    group,
    scope: 'orders:read',
    or: vendorToo,
    params,
    shape: orderShape,
    handler: async call => {
      const order = await findOrder(call)
      return order && showOrder(call.db, order)
    },
  }),
  readOne({
    path: '/orders/{order_handle}/candidate',
    operationId: 'getOrderCandidate',
    limited: 'keys',
    tool: { leftOut: 'for the system of a vendor' },
    summary: 'Get the candidate of an order',
    description:
      'For the vendor of the order, while it is open. Email address and phone number cost one personal-data unit each, as far as the package shares them.',
    group,
    scope: 'orders:candidate:read',
    params,
    shape: orderCandidateShape,
    handler: async call => {
      const found = await findCandidate(call)
      if (!found) return undefined
      const { order, candidate } = found
      const file = order.shares.includes('resume')
        ? await call.db.one(selectResume(call.workspace, order.application_id))
        : undefined
      const { first_name, last_name, language, email, phone } = candidate
      const resume = file ? { order_id: order.id, filename: file.filename, mime: file.mime, bytes: file.bytes } : null
      return { order_id: order.id, first_name, last_name, language, email, phone, resume, shares: order.shares }
    },
  }),
  readOne({
    path: '/orders/{order_handle}/resume/download',
    operationId: 'getOrderResumeDownload',
    limited: 'keys',
    tool: { leftOut: 'for the system of a vendor' },
    summary: 'Get a download URL of the résumé of the candidate of an order',
    description:
      'For the vendor of the order, while it is open and if the package shares the résumé. A signed URL, valid for 300 seconds. Each call costs one personal-data unit.',
    group,
    scope: 'orders:candidate:read',
    tier: 'download',
    params,
    shape: orderResumeShape,
    errors: ['resume_locked'],
    handler: async call => {
      const found = await findCandidate(call)
      if (!found?.order.shares.includes('resume')) return undefined
      const file = await call.db.one(selectResume(call.workspace, found.order.application_id))
      if (!file) return undefined
      const access = resumeAccess(file.applied_at, file.resume_unlocked_at, file.now)
      if (!access.can_download) fail('resume_locked', { state: access.state, unlock_credits: access.unlock_credits })
      const { filename, mime, bytes } = file
      const url = await call.services.blobs.signedGet(file.blob_key, {
        expiresInSeconds: API_LIMITS.downloadUrlSeconds,
        filename,
        contentType: mime,
      })
      return { order_id: found.order.id, url, expires_in: API_LIMITS.downloadUrlSeconds, filename, mime, bytes }
    },
  }),
  readOne({
    path: '/orders/{order_handle}/result',
    operationId: 'getOrderResult',
    limited: 'record',
    jobRight: 'discuss',
    tool: { leftOut: 'get_order shows the result as well' },
    summary: 'Get the result of an order',
    description: '404 until the vendor has completed it. A vendor reads the results that it sent.',
    group,
    scope: 'orders:results:read',
    or: vendorToo,
    params,
    shape: orderResultShape,
    handler: async call => {
      const order = await findOrder(call)
      return order && readResult(call.db, order)
    },
  }),
  readFile({
    path: '/orders/{order_handle}/reports/{report_id}/content',
    operationId: 'readOrderReport',
    limited: 'record',
    jobRight: 'discuss',
    summary: 'Read a report of a result',
    description: 'The PDF. Each call costs one personal-data unit.',
    group,
    scope: 'orders:results:read',
    or: vendorToo,
    tier: 'download',
    params: { ...params, report_id: 'uuid' },
    returns: 'The file.',
    contentTypes: ['application/pdf'],
    handler: async call => {
      const order = await findOrder(call)
      if (!order || (await isOrderStopped(call.db, order))) return undefined
      const report = await call.db.one(reportFile(call.workspace, order.id, call.params.report_id))
      const blob = report && (await call.services.blobs.get(report.blob_key))
      if (!report || !blob) return undefined
      return {
        stream: blob.stream,
        bytes: blob.stat.bytes,
        contentType: report.mime,
        filename: report.filename,
        reads: [{ object: 'order', id: order.id, field: 'report_file' }],
      }
    },
  }),
]
