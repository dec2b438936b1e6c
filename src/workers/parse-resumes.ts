import { buffer } from 'node:stream/consumers'
import type { Blobs } from '../kernel/blobs/blobs.ts'
import { clock } from '../kernel/clock.ts'
import type { Database } from '../kernel/db/database.ts'
import type { Log } from '../kernel/log.ts'
import type { Services } from '../kernel/services.ts'
import { pause } from '../kernel/work/pause.ts'
import type { Worker } from '../kernel/work/supervisor.ts'
import { scoreApplication } from '../resources/applications/actions.ts'
import {
  type ClaimedResume,
  claimResume,
  cleanStoredProfiles,
  detectSandbox,
  endReading,
  finishParsing,
  READING_LIMITS,
  type ReadingLimits,
  type ReadResume,
  type ResumeOf,
  readResumeFile,
  retryParsing,
  type Sandbox,
  Unreadable,
} from '../resources/resumes/actions.ts'

/** Reads résumés, one at a time in each process, workspace by workspace, and scores their applications. */
const POLL_MS = 1_000

export interface ReadingOptions {
  limits?: ReadingLimits
  /** where the reader runs; without one, in the tightest sandbox that the system allows */
  sandbox?: Sandbox
  signal?: AbortSignal
}

/** Returns the sandbox in which the given folders are hidden. */
export type ChooseSandbox = (folders: readonly string[]) => Promise<Sandbox>

export const parseResumes = (
  { db, blobs, log, config }: Services,
  chooseSandbox: ChooseSandbox = detectSandbox,
): Worker => ({
  name: 'parse-resumes',
  async run(signal) {
    const sandbox = await chooseSandbox([config.DATA_DIR])
    const chosen = { sandbox: sandbox.name, network: sandbox.network ? 'blocked' : 'open' }
    log[sandbox.network ? 'info' : 'warn'](chosen, 'résumé reader: sandbox chosen')
    const limits = { fileSeconds: config.RESUME_SECONDS, hourlySeconds: config.RESUME_SECONDS_PER_HOUR }
    // profiles of an earlier version come before everything else: they may show contacts
    while (!signal.aborted && (await cleanStoredProfiles(db)));
    while (!signal.aborted) {
      const busy = await parseNext(db, blobs, log, { limits, sandbox, signal })
      // a process of the version before may still store profiles
      if (!busy && !(await cleanStoredProfiles(db))) await pause(POLL_MS, signal)
    }
  },
})

/** Reads the next résumé; false when none waits. */
export async function parseNext(db: Database, blobs: Blobs, log: Log, options: ReadingOptions = {}): Promise<boolean> {
  const claimed = await claimResume(db, options)
  return claimed !== undefined && parse(db, blobs, log, claimed, options)
}

/** Reads the résumé of one application; false when it does not wait. */
export async function parseResumeOf(db: Database, blobs: Blobs, log: Log, of: ResumeOf): Promise<boolean> {
  const claimed = await claimResume(db, { of })
  return claimed !== undefined && parse(db, blobs, log, claimed, {})
}

async function parse(
  db: Database,
  blobs: Blobs,
  log: Log,
  claimed: ClaimedResume,
  options: ReadingOptions,
): Promise<boolean> {
  const { workspace_id: workspace, application_id: id, id: resume } = claimed
  let read: ReadResume | undefined
  try {
    read = await readClaimed(db, blobs, claimed, options)
  } catch (error) {
    if (options.signal?.aborted) return false // the lease runs out, and another worker takes over
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

/** The workspace pays for the reading alone, not for a slow file store. */
async function readClaimed(
  db: Database,
  blobs: Blobs,
  claimed: ClaimedResume,
  { limits = READING_LIMITS, sandbox, signal }: ReadingOptions,
): Promise<ReadResume> {
  let milliseconds = 0
  try {
    const file = await fileOf(blobs, claimed)
    const started = clock.monotonic()
    try {
      const options = { seconds: limits.fileSeconds, ...(sandbox ? { sandbox } : {}) }
      return await readResumeFile(file, claimed.mime, claimed.today, options, signal)
    } finally {
      milliseconds = clock.monotonic() - started
    }
  } finally {
    await endReading(db, claimed, milliseconds)
  }
}

async function fileOf(blobs: Blobs, claimed: ClaimedResume): Promise<Buffer> {
  const found = await blobs.get(claimed.blob_key)
  if (!found) throw new Error('the file is not in the store')
  return buffer(found.stream)
}
