import { buffer } from 'node:stream/consumers'
import { BoundedQueue } from '../../kernel/async/bounded-queue.ts'
import type { Services } from '../../kernel/services/services.ts'
import {
  detectSandbox,
  isLockedDocument,
  type ReadResume,
  readResumeFile,
  Unreadable,
} from '../../resources/resumes/index.ts'
import { isContentOf, isMarkedPdf, uploadById } from '../../resources/uploads/index.ts'
import { MAX_FILE_BYTES } from './questions.ts'

/**
 * One résumé at a time in each process fills in a form; the parser of stored résumés has the other turns. A form that is
 * sent never waits here.
 */
const queue = new BoundedQueue({ concurrency: 1, capacity: 6, timeoutMs: 15_000, retryAfterSeconds: 5 })
/** A person waits for it: less than a stored résumé gets. */
const READING_LIMITS = { seconds: 8, waitSeconds: 20 }
/** Of a form that is sent, for all of its files together. */
const CHECK_MS = 5_000
const MOST_CHECKS = 4
/** Workspaces of which a file is being checked: each has one at most, so that none takes the turns of the others. */
const checking = new Set<string>()

type FileServices = Pick<Services, 'db' | 'blobs' | 'config'>

/** A file of the form as it is stored, whatever the page said about it. */
export interface StoredFile {
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
): Promise<StoredFile | undefined> {
  const upload = await db.one(uploadById(workspace, uploadId))
  // one that was sent cannot be used any more, for every person alike
  if (!upload || upload.expired || upload.spent) return undefined
  const found = await blobs.get(upload.blob_key)
  if (!found) return undefined
  if (found.stat.bytes > MAX_FILE_BYTES) {
    found.stream.destroy()
    return undefined
  }
  return { content: await buffer(found.stream), contentType: upload.content_type }
}

/** Parses a file in the isolated reader. Throws Unreadable for the file's fault, QueueFullError where too many wait. */
export const parseStored = (services: FileServices, workspace: string, file: StoredFile): Promise<ReadResume> =>
  queue.run({ from: workspace }, () => parse(services, file))

async function parse(
  { db, config }: FileServices,
  { content, contentType }: StoredFile,
  signal?: AbortSignal,
): Promise<ReadResume> {
  const sandbox = await detectSandbox([config.DATA_DIR])
  const today = new Date(await db.now()).toISOString().slice(0, 7)
  signal?.throwIfAborted()
  return readResumeFile(content, contentType, today, { ...READING_LIMITS, sandbox }, signal)
}

/** Whether parsing failed because the file needs a password. */
export const isLocked = (error: unknown): boolean => error instanceof Unreadable && error.reason === 'encrypted'

/** The end of the time for checking the files of one form. */
export const checkDeadline = (): AbortSignal => AbortSignal.timeout(CHECK_MS)

/**
 * What is wrong with the content of a file: bytes of another type, or a password. Only the reader knows whether a PDF with
 * the mark of a password opens without one; where it is busy, fails or is not ready at the deadline, the file is accepted.
 */
export async function findContentFault(
  services: FileServices,
  workspace: string,
  file: StoredFile,
  deadline: AbortSignal,
): Promise<ContentFault | undefined> {
  if (!isContentOf(file.contentType, file.content)) return 'fileWrong'
  if (isLockedDocument(file.content)) return 'fileLocked'
  if (!isMarkedPdf(file.content)) return undefined
  return (await isLockedPdf(services, workspace, file, deadline)) ? 'fileLocked' : undefined
}

function isLockedPdf(
  services: FileServices,
  workspace: string,
  file: StoredFile,
  deadline: AbortSignal,
): Promise<boolean> {
  if (deadline.aborted || checking.has(workspace) || checking.size >= MOST_CHECKS) return Promise.resolve(false)
  checking.add(workspace)
  const check = parse(services, file, deadline)
    .then(() => false, isLocked)
    .finally(() => checking.delete(workspace))
  const { promise: isOver, resolve } = Promise.withResolvers<boolean>()
  deadline.addEventListener('abort', () => resolve(false), { once: true })
  return Promise.race([check, isOver])
}
