import { buffer } from 'node:stream/consumers'
import {
  type Contact,
  detectSandbox,
  isLockedDocument,
  isLockedPdf,
  readResumeFile,
} from '../../../packages/resume-parser/src/index.ts'
import { BoundedQueue, QueueFullError } from '../../kernel/async/bounded-queue.ts'
import type { Services } from '../../kernel/services/services.ts'
import { splitName } from '../../kernel/text/person-name.ts'
import { readUnlessStopped } from '../suppressions/index.ts'
import { matchesContentType, resumeTypeOf, storeUpload } from '../uploads/index.ts'
import { resumeAccess } from './shape.ts'
import { selectResume } from './store.ts'

/** One file at a time in each process, next to that of the application form: a member waits for a page full of them. */
const queue = new BoundedQueue({ concurrency: 1, capacity: 40, timeoutMs: 60_000, retryAfterSeconds: 5 })
/** A person waits for it: less than a stored résumé gets. */
const READING_LIMITS = { seconds: 8, waitSeconds: 20 }

/** What a résumé says about how to reach its person. */
export interface ReadContact {
  first_name: string | null
  last_name: string | null
  email: string | null
  phone: string | null
  linkedin_url: string | null
}

type FileServices = Pick<Services, 'db' | 'blobs' | 'config' | 'log'>

/** `upload_id` is null for what cannot be a résumé: a file of another type, or one that needs a password. */
export type SentResume =
  | { state: 'wrong_type' | 'locked'; upload_id: null; contact: null }
  | { state: 'read'; upload_id: string; contact: ReadContact }
  /** the file is stored, and nothing was found in it */
  | { state: 'unreadable'; upload_id: string; contact: null }

/**
 * A résumé that a member sends: stored as an upload and read in the isolated reader, to fill in who it is about. What is read
 * is not stored. A file that cannot be read can still be added.
 */
export async function readSentResume(
  services: FileServices,
  workspace: string,
  { content, filename }: { content: Buffer; filename: string },
): Promise<SentResume> {
  const { db, blobs } = services
  const contentType = resumeTypeOf(filename)
  if (contentType === undefined || content.length === 0 || !matchesContentType(contentType, content))
    return { state: 'wrong_type', upload_id: null, contact: null }
  if (isLockedDocument(content) || isLockedPdf(content)) return { state: 'locked', upload_id: null, contact: null }
  const [upload_id, contact] = await Promise.all([
    storeUpload(db, blobs, workspace, { content, contentType, filename }),
    readContactOf(services, workspace, content, contentType),
  ])
  return contact ? { state: 'read', upload_id, contact } : { state: 'unreadable', upload_id, contact: null }
}

async function readContactOf({ db, config, log }: FileServices, workspace: string, content: Buffer, type: string) {
  try {
    const read = await queue.run({ from: workspace }, async () => {
      const sandbox = await detectSandbox([config.DATA_DIR])
      const today = new Date(await db.now()).toISOString().slice(0, 7)
      return readResumeFile(content, type, today, { ...READING_LIMITS, sandbox })
    })
    return contactFrom(read.contact)
  } catch (error) {
    // a file that cannot be read is no fault of the service; its text is in no message
    if (!(error instanceof QueueFullError))
      log.info({ reason: (error as Error).message }, 'a résumé was not read for the team')
    return undefined
  }
}

function contactFrom({ name, emails, phones, urls }: Contact): ReadContact {
  const { first, last } = splitName(name ?? '')
  const profile = urls.find(url => /linkedin\.com\/in\//i.test(url))
  return {
    first_name: first ?? null,
    last_name: last ?? name?.trim() ?? null,
    email: emails[0] ?? null,
    phone: phones[0] ?? null,
    linkedin_url: profile === undefined ? null : profile.replace(/^(?:https?:\/\/)?/i, 'https://'),
  }
}

/**
 * A copy of the résumé of an application, as an upload: each application has a file of its own. undefined: there is none
 * that may be viewed.
 */
export async function copyResume(
  { db, blobs }: Pick<Services, 'db' | 'blobs'>,
  workspace: string,
  applicationId: string,
): Promise<string | undefined> {
  const read = async () => db.one(selectResume(workspace, applicationId))
  const resume = await readUnlessStopped({ db, workspace }, 'application', applicationId, read, undefined)
  if (!resume || !resumeAccess(resume.applied_at, resume.resume_unlocked_at, resume.now).can_view) return undefined
  const file = await blobs.get(resume.blob_key)
  if (!file) return undefined
  const { mime: contentType, filename } = resume
  return storeUpload(db, blobs, workspace, { content: await buffer(file.stream), contentType, filename })
}
