import { buffer } from 'node:stream/consumers'
import { type ReadResume, readResumeFile, type Sandbox, Unreadable } from '../../../packages/resume-parser/src/index.ts'
import type { Blobs } from '../../kernel/blobs/blobs.ts'
import type { Database } from '../../kernel/db/database.ts'
import type { Log } from '../../kernel/telemetry/log.ts'
import { traced } from '../../kernel/telemetry/trace.ts'
import { clock } from '../../kernel/time/clock.ts'
import {
  type ClaimedResume,
  claimResume,
  endReading,
  finishParsing,
  type ParseError,
  READING_LIMITS,
  type ReadingLimits,
  type ResumeTarget,
  retryParsing,
} from '../resumes/index.ts'
import { scoreApplication } from './score-application.ts'

export interface ReadingOptions {
  limits?: ReadingLimits
  /** where the reader runs; without one, in the tightest sandbox that the system allows */
  sandbox?: Sandbox
  signal?: AbortSignal
}

/** Reads the next résumé; false when none waits. */
export async function parseNext(db: Database, blobs: Blobs, log: Log, options: ReadingOptions = {}): Promise<boolean> {
  const claimed = await claimResume(db, options)
  return claimed !== undefined && parse(db, blobs, log, claimed, options)
}

/** Reads the résumé of one application; false when it does not wait. */
export async function parseOneResume(db: Database, blobs: Blobs, log: Log, of: ResumeTarget): Promise<boolean> {
  const claimed = await claimResume(db, { of })
  return claimed !== undefined && parse(db, blobs, log, claimed, {})
}

/** A trace of its own: the worker found the file, no request waits for it. */
const parse = (
  db: Database,
  blobs: Blobs,
  log: Log,
  claimed: ClaimedResume,
  options: ReadingOptions,
): Promise<boolean> =>
  traced(
    () => ({
      name: 'resume parse',
      kind: 'consumer',
      parent: 'none',
      attributes: { 'hiring.workspace.id': claimed.workspace_id, 'hiring.application.id': claimed.application_id },
    }),
    () => parseInSpan(db, blobs, log, claimed, options),
  )

async function parseInSpan(
  db: Database,
  blobs: Blobs,
  log: Log,
  claimed: ClaimedResume,
  options: ReadingOptions,
): Promise<boolean> {
  const { workspace_id: workspace, application_id: id, id: resume } = claimed
  let outcome: ReadResume | ParseError = 'internal'
  try {
    outcome = await readClaimed(db, blobs, claimed, options)
  } catch (error) {
    if (options.signal?.aborted) return false // the lease runs out, and another worker takes over
    if (error instanceof Unreadable) {
      outcome = error.reason
      log.info({ resume, reason: error.message }, 'résumé cannot be parsed')
    } else {
      log.warn({ resume, err: error }, 'parsing a résumé failed')
      if (await retryParsing(db, claimed, error)) return true
    }
  }
  await db.transaction(async tx => {
    if (await finishParsing(tx, claimed, outcome)) await scoreApplication(tx, workspace, id)
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
  if (!found) throw new Error('the file is missing in the file store')
  return buffer(found.stream)
}
