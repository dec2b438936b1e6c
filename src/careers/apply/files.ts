import type { Readable } from 'node:stream'
import type { Services } from '../../kernel/services/services.ts'
import { reserveUpload, uploadById } from '../../resources/uploads/index.ts'
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

/**
 * A file that comes with the form instead of going to a signed address: reserved, then written to the store as it
 * arrives. What is not attached within the hour is deleted like any other upload.
 */
export async function receiveFile(
  { db, blobs }: Pick<Services, 'db' | 'blobs'>,
  workspace: string,
  question: Question,
  file: { filename: string; contentType: string; body: Readable | Buffer },
): Promise<{ uploadId: string } | FileFault> {
  const { contentType, filename } = file
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
