import type { Readable } from 'node:stream'
import { reserveUpload, spendUpload, uploadById } from '../../resources/uploads/index.ts'
import { countAttemptOf, resetAttempts } from '../../sign-in/attempts.ts'
import type { Visit } from '../visit.ts'
import { acceptedTypes, MAX_FILE_BYTES, purposeOf, type Question } from './questions.ts'

/** Why a file was not taken. */
export type FileFault = 'fileTooLarge' | 'fileEmpty' | 'fileType' | 'fileFailed' | 'pastedTooLong'

/** The type of a file by the ending of its name. */
export const TYPE_BY_ENDING: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  doc: 'application/msword',
  rtf: 'application/rtf',
  txt: 'text/plain',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
}

/** The type of a file that a question accepts. Browsers name no type, or a general one, for files they do not know. */
export function typeOfFile(question: Question, filename: string, declared: string): string | undefined {
  const types = acceptedTypes(question)
  if (types.includes(declared)) return declared
  const byEnding = TYPE_BY_ENDING[filename.slice(filename.lastIndexOf('.') + 1).toLowerCase()]
  return byEnding !== undefined && types.includes(byEnding) ? byEnding : undefined
}

/** What attempts are counted by: the form, by its path, and the sender. */
export const attemptOn = ({ site, params, address }: Visit) => ({
  account: `${site.workspace_id} ${params['job_slug']}`,
  address,
})

const networkOf = ({ site, address }: Visit) => ({ account: site.workspace_id, address })

/** Counts an upload that is about to be reserved; the seconds to wait if the network has too many. */
export const countPending = (visit: Visit): Promise<number | undefined> =>
  countAttemptOf(visit.services, 'pending upload', networkOf(visit))

/** So many uploads of this network are no longer pending. */
export async function releaseUploads(visit: Visit, count: number): Promise<void> {
  for (let i = 0; i < count; i++) await resetAttempts(visit.services, 'pending upload', networkOf(visit))
}

/** An upload that cannot be used any more; its file is deleted with those that expired. */
export async function dropUpload(visit: Visit, uploadId: string): Promise<void> {
  await visit.services.db.query(spendUpload(visit.site.workspace_id, uploadId, null))
  await releaseUploads(visit, 1)
}

/**
 * A file that comes with the form instead of going to a signed address: reserved, then written to the store as it
 * arrives. What is not attached within the hour is deleted like any other upload.
 */
export async function receiveFile(
  visit: Visit,
  question: Question,
  file: { filename: string; contentType: string; body: Readable | Buffer },
): Promise<{ uploadId: string } | FileFault> {
  const { contentType, filename } = file
  const { db, blobs } = visit.services
  const workspace = visit.site.workspace_id
  const wait = (await countAttemptOf(visit.services, 'form upload', attemptOn(visit))) ?? (await countPending(visit))
  if (wait !== undefined) {
    if (!Buffer.isBuffer(file.body)) file.body.resume()
    return 'fileFailed'
  }
  const { upload_id: uploadId } = await db.transaction(tx =>
    reserveUpload(tx, blobs, workspace, {
      contentType,
      // the length is not known before its end
      sizeBytes: Buffer.isBuffer(file.body) ? file.body.length : MAX_FILE_BYTES,
      filename,
      originKeyId: null,
      publicForm: purposeOf(question),
    }),
  )
  const { blob_key } = (await db.one(uploadById(workspace, uploadId)))!
  const { bytes } = await blobs.put(blob_key, file.body, { contentType })
  if (bytes < 1) return 'fileEmpty'
  return bytes > MAX_FILE_BYTES ? 'fileTooLarge' : { uploadId }
}
