import { buffer } from 'node:stream/consumers'
import {
  detectSandbox,
  isLockedDocument,
  isLockedPdf,
  type ReadResume,
  readResumeFile,
} from '../../../packages/resume-parser/src/index.ts'
import { BoundedQueue } from '../../kernel/async/bounded-queue.ts'
import type { Services } from '../../kernel/services/services.ts'
import { matchesContentType, uploadById } from '../../resources/uploads/index.ts'
import { MAX_FILE_BYTES } from './questions.ts'

/**
 * One résumé at a time in each process fills in a form; the parser of stored résumés has the other turns. A form that is
 * sent never waits here.
 */
const queue = new BoundedQueue({ concurrency: 1, capacity: 6, timeoutMs: 15_000, retryAfterSeconds: 5 })
/** A person waits for it: less than a stored résumé gets. */
const READING_LIMITS = { seconds: 8, waitSeconds: 20 }

type FileServices = Pick<Services, 'db' | 'blobs' | 'config'>

/** A file of the form as it is stored, whatever the page said about it. */
export interface UploadContent {
  content: Buffer
  contentType: string
}

/** What makes a file useless to the people who get it. */
export type ContentFault = 'fileWrong' | 'fileLocked'

/** The file of an upload that can still be used; undefined where there is none, or a larger one than is accepted. */
export async function readStored(
  { db, blobs }: FileServices,
  workspace: string,
  uploadId: string,
): Promise<UploadContent | undefined> {
  const upload = await db.one(uploadById(workspace, uploadId))
  // one that was sent cannot be used any more, for every person alike
  if (!upload || upload.expired || upload.consumed) return undefined
  const found = await blobs.get(upload.blob_key)
  if (!found) return undefined
  if (found.stat.bytes > MAX_FILE_BYTES) {
    found.stream.destroy()
    return undefined
  }
  return { content: await buffer(found.stream), contentType: upload.content_type }
}

/** Parses a file in the isolated reader. Throws Unreadable for the file's fault, QueueFullError where too many wait. */
export const parseStored = (
  { db, config }: FileServices,
  workspace: string,
  { content, contentType }: UploadContent,
): Promise<ReadResume> =>
  queue.run({ from: workspace }, async () => {
    const sandbox = await detectSandbox([config.DATA_DIR])
    const today = new Date(await db.now()).toISOString().slice(0, 7)
    return readResumeFile(content, contentType, today, { ...READING_LIMITS, sandbox })
  })

/** What is wrong with the content of a file: bytes of another type, or a password. */
export function findContentFault({ content, contentType }: UploadContent): ContentFault | undefined {
  if (!matchesContentType(contentType, content)) return 'fileWrong'
  return isLockedDocument(content) || isLockedPdf(content) ? 'fileLocked' : undefined
}
