import { randomUUID } from 'node:crypto'
import { API_LIMITS } from '../../contract/limits.ts'
import type { Blobs } from '../../kernel/blobs/blobs.ts'
import { sha256 } from '../../kernel/crypto/signing.ts'
import { DatastoreUnavailable, type Transaction } from '../../kernel/db/database.ts'
import { ApiError, fail } from '../../kernel/errors/api-error.ts'
import { type InputFault, refuseIfAny, refuseInput } from '../../kernel/http/faults.ts'
import { isHandle } from '../../kernel/ids/handles.ts'
import { consumeUpload, lockUpload, matchesContentType, readStoredHead, type StoredUpload } from '../uploads/index.ts'
import { requireFreeId } from './actions.ts'
import { changeOrder, type LockedOrder, type OrderChange, whileOrderLocked } from './change.ts'
import { refuseStopped } from './read-orders.ts'
import {
  deleteReports,
  insertReport,
  putResult,
  type ReportFile,
  reportFiles,
  selectResultFingerprint,
} from './results-store.ts'
import { findingFaults, isLate, isTooLate, type OrderScore, pastFaults, requireStatus, scorePercent } from './rules.ts'
import type { OUTCOMES } from './shape.ts'
import type { StoredOrder } from './store.ts'

export interface Completion {
  /** needed if the vendor has not accepted the order */
  external_id?: string | undefined
  outcome: (typeof OUTCOMES)[number]
  score: OrderScore | null
  sections: readonly { name: string; score: OrderScore | null; comment: string | null }[]
  summary: string | null
  external_url?: string | undefined
  report_upload_ids: readonly string[]
  completed_at?: string | undefined
}

/**
 * Stores what the vendor found. What was sent is the whole result: a different one is the next revision, and the same again changes
 * nothing, however many are sent at the same time. A refused file spends its upload: that failure is returned, and committed.
 */
export const completeOrder = (
  tx: Transaction,
  blobs: Blobs,
  change: OrderChange,
  given: Completion,
): Promise<StoredOrder | ApiError | undefined> =>
  whileOrderLocked(tx, change, async (order): Promise<StoredOrder | ApiError> => {
    const { workspace_id: workspace, id } = order
    const { external_id, ...content } = given
    const fingerprint = sha256(JSON.stringify(content)).toString('hex')
    const hasSameId = external_id === undefined || external_id === order.external_id
    const before = order.result_received ? await tx.one(selectResultFingerprint(workspace, id)) : undefined
    if (before?.fingerprint === fingerprint && hasSameId) return order
    requireStatus('complete', order)
    await refuseStopped(tx, order)
    const now = Date.parse(order.now)
    if (order.status !== 'completed' && isTooLate(order.due_at, now))
      fail('invalid_order_state', {
        message: `The order is expired for more than ${API_LIMITS.lateCompletionDays} days.`,
      })
    refuseIfAny([
      ...findingFaults(order.kind, shownFindings(given)),
      ...idFaults(order, external_id),
      ...pastFaults('completed_at', given.completed_at, now),
    ])
    if (!hasSameId && order.external_id !== null)
      fail('invalid_order_state', { message: 'The order has another external_id.', param: 'external_id' })
    if (!hasSameId) await requireFreeId(tx, order, external_id)
    const failure = await replaceReports(tx, blobs, order, given.report_upload_ids)
    if (failure) return failure
    const late = isLate(order.due_at, now)
    const completedAt = given.completed_at ?? order.now
    const { outcome, score, sections, summary } = given
    const scorePct = score && scorePercent(score)
    await tx.query(
      putResult(workspace, id, { fingerprint, outcome, score, scorePct, sections, summary, late, completedAt }),
    )
    return changeOrder(
      tx,
      order,
      {
        status: 'completed',
        external_id: external_id ?? order.external_id,
        external_url: given.external_url ?? order.external_url,
        accepted_at: order.accepted_at ?? order.now,
        completed_at: order.completed_at ?? completedAt,
        result_received: true,
      },
      { ...change, result: true },
    )
  })

/** A list without entries says nothing. */
const shownFindings = ({ score, sections, summary, report_upload_ids }: Completion) => ({
  score,
  summary,
  sections: sections.length === 0 ? null : sections,
  report_upload_ids: report_upload_ids.length === 0 ? null : report_upload_ids,
})

const idFaults = (order: LockedOrder, externalId: string | undefined): InputFault[] =>
  order.external_id === null && externalId === undefined
    ? [{ param: 'external_id', message: 'is required: the order was not accepted' }]
    : []

/** Files of the result before stay if they are named again; the others are deleted. */
async function replaceReports(
  tx: Transaction,
  blobs: Blobs,
  order: LockedOrder,
  uploadIds: readonly string[],
): Promise<ApiError | undefined> {
  const { workspace_id: workspace, id } = order
  const stored = await tx.query(reportFiles(workspace, id))
  const wanted = [...new Set(uploadIds)]
  const added = wanted.filter(upload => !stored.some(({ upload_id }) => upload_id === upload))
  const files: ReportFile[] = []
  for (const upload of added) {
    const file = await claimReport(tx, blobs, order, upload, `report_upload_ids[${uploadIds.indexOf(upload)}]`)
    if (file instanceof ApiError) return file
    files.push(file)
  }
  const dropped = stored.filter(({ upload_id }) => !wanted.includes(upload_id))
  if (dropped.length > 0)
    await tx.query(
      deleteReports(
        workspace,
        id,
        dropped.map(report => report.id),
      ),
    )
  for (const file of files) {
    await tx.query(consumeUpload(workspace, file.upload_id, order.application_id))
    await tx.query(insertReport(workspace, id, file))
  }
  return undefined
}

const NOT_A_PDF = 'The uploaded file is not a PDF. The upload id cannot be used again.'

async function claimReport(
  tx: Transaction,
  blobs: Blobs,
  order: LockedOrder,
  uploadId: string,
  param: string,
): Promise<ReportFile | ApiError> {
  const upload = isHandle('upload', uploadId) ? await tx.one(lockUpload(order.workspace_id, uploadId)) : undefined
  if (!isUsable(upload, order)) {
    const message = 'is unknown, has expired, or was reserved for another order'
    return refuseInput([{ param, message, code: 'upload_not_found' }])
  }
  if (upload.consumed) return fail('upload_already_used', { param })
  const { filename, content_type: mime, blob_key } = upload
  const stored = await readStoredHead(blobs, blob_key).catch((cause: Error) => {
    throw new DatastoreUnavailable('file store unavailable', { cause })
  })
  if (!stored) return fail('upload_not_completed', { param })
  const { bytes, head } = stored
  const hasGoodSize = bytes >= 1 && bytes <= API_LIMITS.resumeFileBytes
  if (!hasGoodSize || !matchesContentType(mime, head)) {
    await tx.query(consumeUpload(order.workspace_id, uploadId, null))
    return new ApiError('resume_rejected', { param, ...(hasGoodSize && { message: NOT_A_PDF }) })
  }
  return { id: randomUUID(), upload_id: uploadId, filename, mime, bytes, blob_key }
}

const isUsable = (upload: StoredUpload | undefined, order: LockedOrder): upload is StoredUpload =>
  upload !== undefined && upload.order_id === order.id && (upload.consumed || !upload.expired)
