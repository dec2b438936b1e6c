import { buffer } from 'node:stream/consumers'
import type { Blobs } from '../kernel/blobs/blobs.ts'
import type { Database } from '../kernel/db/database.ts'
import type { Log } from '../kernel/log.ts'
import { pause } from '../kernel/work/pause.ts'
import type { Worker } from '../kernel/work/supervisor.ts'
import { scoreApplication } from '../resources/applications/actions.ts'
import {
  type ClaimedResume,
  claimResume,
  finishParsing,
  type ResumeOf,
  readResumeFile,
  retryParsing,
  Unreadable,
} from '../resources/resumes/actions.ts'

/** Reads résumés, one at a time in each process, oldest first, and scores their applications. */
const POLL_MS = 1_000

export const parseResumes = (db: Database, blobs: Blobs, log: Log): Worker => ({
  name: 'parse-resumes',
  async run(signal) {
    while (!signal.aborted) {
      if (!(await parseNext(db, blobs, log, signal))) await pause(POLL_MS, signal)
    }
  },
})

/** Reads the next résumé; false when none waits. */
export async function parseNext(db: Database, blobs: Blobs, log: Log, signal?: AbortSignal): Promise<boolean> {
  const claimed = await claimResume(db)
  return claimed !== undefined && parse(db, blobs, log, claimed, signal)
}

/** Reads the résumé of one application; false when it does not wait. */
export async function parseResumeOf(db: Database, blobs: Blobs, log: Log, of: ResumeOf): Promise<boolean> {
  const claimed = await claimResume(db, of)
  return claimed !== undefined && parse(db, blobs, log, claimed)
}

async function parse(
  db: Database,
  blobs: Blobs,
  log: Log,
  claimed: ClaimedResume,
  signal?: AbortSignal,
): Promise<boolean> {
  const { workspace_id: workspace, application_id: id, id: resume } = claimed
  let read: Awaited<ReturnType<typeof readResumeFile>> | undefined
  try {
    read = await readResumeFile(await fileOf(blobs, claimed), claimed.mime, claimed.today, {}, signal)
  } catch (error) {
    if (signal?.aborted) return false // the lease runs out, and another worker takes over
    const { message } = error as Error
    if (error instanceof Unreadable) log.info({ resume, reason: message }, 'résumé cannot be read')
    else {
      log.warn({ resume, err: error }, 'résumé was not read')
      if (await retryParsing(db, claimed)) return true
    }
  }
  await db.transaction(async tx => {
    if (await finishParsing(tx, claimed, read)) await scoreApplication(tx, workspace, id)
  })
  return true
}

async function fileOf(blobs: Blobs, claimed: ClaimedResume): Promise<Buffer> {
  const found = await blobs.get(claimed.blob_key)
  if (!found) throw new Error('the file is not in the store')
  return buffer(found.stream)
}
