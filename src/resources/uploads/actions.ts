import { API_LIMITS } from '../../contract/limits.ts'
import type { Blobs } from '../../kernel/blobs/blobs.ts'
import type { Database, Transaction } from '../../kernel/db/database.ts'
import { fail } from '../../kernel/errors/api-error.ts'
import { refuseIfAny } from '../../kernel/http/faults.ts'
import type { Row } from '../../kernel/http/shape.ts'
import { newHandle } from '../../kernel/ids/handles.ts'
import { cleanFilename, folderFor, type UploadPurpose, uploadFaults } from './rules.ts'
import type { uploadShape } from './shape.ts'
import {
  deleteUploads,
  expiredUploads,
  insertUpload,
  lockReservations,
  noteDeletions,
  pendingReports,
  pendingUploads,
  type ReportTarget,
} from './store.ts'

export interface ReserveUpload {
  contentType: string
  sizeBytes: number
  filename?: string
  originKeyId: string | null
  /** an upload of the public application form, and what it is for; the API has none of these */
  publicForm?: UploadPurpose | undefined
  report?: ReportTarget | undefined
}

/**
 * Reserves an upload. The file goes to a key of its own, where it stays permanently: nothing is ever copied. Those of
 * the public form are counted apart, and only an application on the public form can claim them. So are reports of orders.
 */
export async function reserveUpload(
  tx: Transaction,
  blobs: Blobs,
  workspace: string,
  input: ReserveUpload,
): Promise<Row<typeof uploadShape>> {
  const { contentType, sizeBytes } = input
  const purpose = input.report === undefined ? (input.publicForm ?? 'resume') : 'report'
  const publicForm = input.publicForm !== undefined
  refuseIfAny(uploadFaults({ content_type: contentType, size_bytes: sizeBytes }, purpose))
  await (input.report ? requireReportSpace(tx, workspace, input.report) : requireSpace(tx, workspace, publicForm))
  const id = newHandle('upload')
  const blobKey = `${folderFor(purpose)}/${workspace}/${id}`
  const times = await tx.only(
    insertUpload({
      workspace,
      id,
      keyId: input.originKeyId,
      contentType,
      sizeBytes,
      filename: cleanFilename(input.filename, contentType, purpose),
      blobKey,
      publicForm,
      orderId: input.report?.orderId ?? null,
    }),
  )
  const signed = await blobs.signedPut(blobKey, {
    expiresAt: Date.parse(times.put_expires_at),
    contentType,
    bytes: sizeBytes,
  })
  return {
    upload_id: id,
    content_type: contentType,
    size_bytes: sizeBytes,
    max_bytes: API_LIMITS.resumeFileBytes,
    upload: {
      method: 'PUT',
      url: signed.url,
      headers: signed.headers,
      expires_at: times.put_expires_at,
    },
    expires_at: times.expires_at,
  }
}

/**
 * A file that a member sends or copies, as an upload that no application has yet. What is not attached within the hour is
 * deleted like any other upload.
 */
export async function storeUpload(
  db: Database,
  blobs: Blobs,
  workspace: string,
  { content, contentType, filename }: { content: Buffer; contentType: string; filename: string },
): Promise<string> {
  const id = newHandle('upload')
  const blobKey = `${folderFor('resume')}/${workspace}/${id}`
  await db.transaction(async tx => {
    await requireSpace(tx, workspace, false)
    await tx.query(
      insertUpload({
        workspace,
        id,
        keyId: null,
        contentType,
        sizeBytes: content.length,
        filename: cleanFilename(filename, contentType),
        blobKey,
        publicForm: false,
        orderId: null,
      }),
    )
  })
  await blobs.put(blobKey, content, { contentType, bytes: content.length })
  return id
}

async function requireSpace(tx: Transaction, workspace: string, publicForm: boolean): Promise<void> {
  await tx.query(lockReservations(workspace, publicForm ? 'public form' : undefined))
  const { pending } = await tx.only(pendingUploads(workspace, publicForm))
  const most = publicForm ? API_LIMITS.pendingFormUploadsPerWorkspace : API_LIMITS.pendingUploadsPerWorkspace
  if (pending >= most) failFull()
}

async function requireReportSpace(tx: Transaction, workspace: string, report: ReportTarget): Promise<void> {
  await tx.query(lockReservations(workspace, `vendor ${report.vendorId}`))
  const { of_order, of_vendor } = await tx.only(pendingReports(workspace, report))
  const { pendingReportsPerOrder, pendingReportsPerVendor } = API_LIMITS
  if (of_order >= pendingReportsPerOrder)
    failFull(`An order can have ${pendingReportsPerOrder} reserved reports that are not attached.`)
  if (of_vendor >= pendingReportsPerVendor)
    failFull(`A vendor can have ${pendingReportsPerVendor} reserved reports that are not attached.`)
}

const failFull = (message?: string): never =>
  fail('too_many_pending_uploads', {
    ...(message === undefined ? {} : { message }),
    retry_after_seconds: API_LIMITS.pendingUploadsRetryAfterSeconds,
  })

/** Removes uploads whose time is over; returns how many of a batch. */
export async function deleteExpiredUploads(db: Database, batchSize: number): Promise<number> {
  const dropped = await db.eachPartition(await db.query(expiredUploads(batchSize)), part =>
    db.transaction(async tx => {
      const gone = await tx.query(deleteUploads(part))
      const files = gone.filter(row => row.application_id === null)
      if (files.length > 0) await tx.query(noteDeletions(files))
      return gone.length
    }),
  )
  return dropped.reduce((sum, n) => sum + n, 0)
}
