import type { Readable } from 'node:stream'
import { API_LIMITS } from '../../contract/limits.ts'
import { ApiError } from '../../kernel/errors/api-error.ts'
import { present } from '../../kernel/errors/present.ts'
import {
  consumeUpload,
  lockUpload,
  pendingUploads,
  reserveUpload,
  typesFor,
  uploadById,
} from '../../resources/uploads/index.ts'
import type { SiteVisit } from '../visit.ts'
import { type CountedAttempt, countAllAllowed, countAllowed, uncountAll, uncountAttempt } from './limits.ts'
import { choosePurpose, MAX_FILE_BYTES, type Question } from './questions.ts'
import { type ContentFault, findContentFault, readStored } from './stored-file.ts'
import type { FormProof } from './token.ts'

/** Why a file was not taken. */
export type FileFault =
  | 'fileTooLarge'
  | 'fileEmpty'
  | 'fileType'
  | 'fileFailed'
  | ContentFault
  /** it arrived with a form that was not accepted as a whole */
  | 'fileAgain'
  | 'pastedTooLong'

/** The type of a file by the ending of its name. */
const TYPE_BY_ENDING: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  doc: 'application/msword',
  rtf: 'application/rtf',
  txt: 'text/plain',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
}

/** What decides which files are accepted: the name says whether it asks for a résumé. */
export type FileQuestion = Pick<Question, 'name'>

export const acceptedTypes = (question: FileQuestion): readonly string[] => typesFor(choosePurpose(question))

/** The endings that fit, with their types. */
export const listEndings = (types: readonly string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(TYPE_BY_ENDING).filter(([, type]) => types.includes(type)))

/** What an input of a file accepts: endings as well, because some systems know no type for them. */
export function buildAccept(question: FileQuestion): string {
  const types = acceptedTypes(question)
  return [...types, ...Object.keys(listEndings(types)).map(ending => `.${ending}`)].join(',')
}

/** The type of a file that a question accepts. Browsers name no type, or a general one, for files they do not know. */
export function typeOfFile(question: FileQuestion, filename: string, declared: string): string | undefined {
  const types = acceptedTypes(question)
  if (types.includes(declared)) return declared
  const byEnding = TYPE_BY_ENDING[filename.slice(filename.lastIndexOf('.') + 1).toLowerCase()]
  return byEnding !== undefined && types.includes(byEnding) ? byEnding : undefined
}

/** What attempts are counted by: the form, which its job or application names, and the sender. */
export const attemptOn = ({ site, params, address }: SiteVisit) => ({
  account: `${site.workspace_id} ${params['job_slug'] ?? params['id']}`,
  address,
})

const networkOf = ({ site, address }: SiteVisit) => ({ account: site.workspace_id, address })

/** Too many uploads: the seconds to wait. */
export interface Wait {
  wait: number
}

/**
 * Reserves an upload, unless the form as a whole, the network or the workspace has too many. What was not reserved is not
 * counted.
 */
export async function reserveFor(
  visit: SiteVisit,
  proof: FormProof,
  question: FileQuestion,
  file: { contentType: string; sizeBytes: number; filename: string },
): Promise<Awaited<ReturnType<typeof reserveUpload>> | Wait> {
  const { services, site } = visit
  const { db, blobs } = services
  const { pending } = await db.only(pendingUploads(site.workspace_id, true))
  const isScarce = pending >= API_LIMITS.pendingFormUploadsPerWorkspace / 2
  const counted: CountedAttempt[] = [
    ...(proof === 'solved' ? [] : [['plain upload', attemptOn(visit)] as const]),
    ['pending upload', networkOf(visit)],
    ...(isScarce ? [['scarce upload', networkOf(visit)] as const] : []),
  ]
  const wait = await countAllAllowed(services, counted)
  if (wait !== undefined) return { wait }
  try {
    return await db.transaction(tx =>
      reserveUpload(tx, blobs, site.workspace_id, { ...file, originKeyId: null, publicForm: choosePurpose(question) }),
    )
  } catch (error) {
    await uncountAll(services, counted).catch(() => undefined)
    if (!(error instanceof ApiError) || error.code !== 'too_many_pending_uploads') throw error
    return { wait: present(error.details.retry_after_seconds, 'the wait') }
  }
}

/** So many uploads of this network are no longer pending. */
export async function releaseUploads(visit: SiteVisit, count: number): Promise<void> {
  for (let i = 0; i < count; i++) await uncountAttempt(visit.services, 'pending upload', networkOf(visit))
}

/** An upload that cannot be used any more; its file is deleted with those that expired. */
export async function dropUpload(visit: SiteVisit, uploadId: string): Promise<void> {
  await visit.services.db.query(consumeUpload(visit.site.workspace_id, uploadId, null))
  await releaseUploads(visit, 1)
}

/**
 * A file that comes with the form instead of going to a signed address: reserved, then written to the store as it
 * arrives. What is not attached within the hour is deleted like any other upload. Its content is checked later
 * (`checkUploads`), when nothing else is wrong.
 */
export async function receiveFile(
  visit: SiteVisit,
  proof: FormProof,
  question: FileQuestion,
  file: { filename: string; contentType: string; body: Readable | Buffer },
): Promise<{ uploadId: string } | Wait | FileFault> {
  const { contentType, filename } = file
  const { db, blobs } = visit.services
  const workspace = visit.site.workspace_id
  // the length of a stream is not known before its end
  const sizeBytes = Buffer.isBuffer(file.body) ? file.body.length : MAX_FILE_BYTES
  const wait = await countAllowed(visit.services, 'form upload', attemptOn(visit))
  const reserved =
    wait === undefined ? await reserveFor(visit, proof, question, { contentType, sizeBytes, filename }) : { wait }
  if ('wait' in reserved) {
    if (!Buffer.isBuffer(file.body)) file.body.resume()
    if (wait === undefined) await uncountAttempt(visit.services, 'form upload', attemptOn(visit))
    return reserved
  }
  const { upload_id: uploadId } = reserved
  const { blob_key } = await db.only(uploadById(workspace, uploadId))
  // what takes no space is not pending; otherwise it is, for its hour
  const discard = () => discardUpload(visit, uploadId)
  try {
    const { bytes } = await blobs.put(blob_key, file.body, { contentType })
    const fault = bytes < 1 ? 'fileEmpty' : bytes > MAX_FILE_BYTES ? 'fileTooLarge' : undefined
    if (fault === undefined) return { uploadId }
    await discard()
    return fault
  } catch (error) {
    await discard().catch(() => undefined)
    throw error
  }
}

/** What became of the files of a form. */
export interface ReceivedFiles {
  /** uploads by the name of their question */
  uploads: Map<string, string>
  fileFaults: Map<string, FileFault>
  /** there were too many: the seconds after which they can be sent again */
  fileWait?: number
}

export function noteReceived(
  files: ReceivedFiles,
  name: string,
  received: Awaited<ReturnType<typeof receiveFile>>,
): void {
  if (typeof received === 'string') return void files.fileFaults.set(name, received)
  if ('uploadId' in received) return void files.uploads.set(name, received.uploadId)
  files.fileFaults.set(name, 'fileFailed')
  files.fileWait = Math.max(files.fileWait ?? 0, received.wait)
}

/**
 * Removes a file that cannot be used, so that its upload is no longer pending. The same form, sent twice at the same time,
 * may have attached it: then it stays.
 */
export async function discardUpload(visit: SiteVisit, uploadId: string): Promise<void> {
  const { services, site } = visit
  const key = await services.db.transaction(async tx => {
    const upload = await tx.one(lockUpload(site.workspace_id, uploadId))
    if (!upload || upload.consumed) return undefined
    await tx.query(consumeUpload(site.workspace_id, uploadId, null))
    return upload.blob_key
  })
  if (key === undefined) return
  await services.blobs.remove(key)
  await releaseUploads(visit, 1)
}

/**
 * What is wrong with the stored bytes of uploads, by the names of their questions, whatever the page's script said about
 * them; those files are discarded. One that did not arrive or cannot be used any more is reported by the form's rules.
 */
export async function checkUploads(
  visit: SiteVisit,
  uploads: ReadonlyMap<string, string>,
): Promise<Map<string, ContentFault>> {
  const { services, site } = visit
  const faults = new Map<string, ContentFault>()
  for (const [name, uploadId] of uploads) {
    const stored = await readStored(services, site.workspace_id, uploadId)
    const fault = stored && findContentFault(stored)
    if (fault === undefined) continue
    faults.set(name, fault)
    await discardUpload(visit, uploadId)
  }
  return faults
}
