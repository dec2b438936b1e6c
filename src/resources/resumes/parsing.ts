import { randomUUID } from 'node:crypto'
import type { ParsedResume } from '../../../packages/resume-parser/src/index.ts'
import { isUnavailable } from '../../kernel/blobs/blobs.ts'
import type { Database, Transaction } from '../../kernel/db/database.ts'
import { appendEvents } from '../../kernel/feed/append.ts'
import { cancelTurn, endTurn, type TurnPlace, type TurnRules, takeTurn } from '../../kernel/work/turns.ts'
import {
  type ClaimedResume,
  claimNext,
  giveBack,
  nextWorkspaces,
  type ResumeTarget,
  storeOutcome,
  waitingWorkspaces,
} from './parsing-store.ts'
import type { ParseError } from './shape.ts'

/**
 * Reading a résumé. `pending` when a file is attached; `parsing` while a worker holds it by a lease; then `parsed`, or
 * `failed`: immediately when the file is at fault, after three tries when something else was. A worker that died leaves a
 * lease that runs out, and the next one takes the résumé over; the token keeps the first from writing should it live.
 *
 * Workspaces take turns, one file each. There are two lanes: a workspace whose files were slow lately, or that has used
 * up its seconds of this hour, has its turns when no other workspace waits, and otherwise one in ten minutes.
 */
const LEASE_SECONDS = 90
const TRIES = 3
const RETRY_SECONDS = 30
const LONGEST_WAIT_SECONDS = 600
/** Candidates for one claim: the first is taken unless another worker takes it at the same moment. */
const CANDIDATES = 20

export interface ReadingLimits {
  /** the most that one file may take */
  fileSeconds: number
  /** seconds of reading for a workspace and hour before its files come after those of others */
  hourlySeconds: number
}

/** The defaults of the settings. */
export const READING_LIMITS: ReadingLimits = { fileSeconds: 20, hourlySeconds: 600 }

const rulesOf = ({ fileSeconds, hourlySeconds }: ReadingLimits): TurnRules => ({
  hourlyMs: hourlySeconds * 1000,
  slowMs: fileSeconds * 250,
  longestWaitSeconds: LONGEST_WAIT_SECONDS,
})

/** The next file by turns, or that of an application if it waits. */
export async function claimResume(
  db: Database,
  { of, limits = READING_LIMITS }: { of?: ResumeTarget; limits?: ReadingLimits } = {},
): Promise<ClaimedResume | undefined> {
  if (of) return claimFrom(db, limits, of)
  const waiting = (await db.query(waitingWorkspaces())).map(row => row.workspace_id)
  if (waiting.length === 0) return undefined
  for (const seen of await db.query(nextWorkspaces(waiting, rulesOf(limits), CANDIDATES))) {
    const claimed = await claimFrom(db, limits, { workspace: seen.workspace_id }, seen)
    if (claimed) return claimed
  }
  return undefined
}

const claimFrom = (
  db: Database,
  { fileSeconds }: ReadingLimits,
  of: { workspace: string; application?: string },
  seen?: TurnPlace,
): Promise<ClaimedResume | undefined> =>
  db.transaction(async tx => {
    const turn = await tx.one(
      takeTurn({
        work: 'read_resumes',
        workspace: of.workspace,
        reserveMs: fileSeconds * 1000,
        busySeconds: LEASE_SECONDS,
        ...(seen ? { seen } : {}),
      }),
    )
    if (!turn) return undefined
    const file = await tx.one(claimNext(randomUUID(), LEASE_SECONDS, of))
    if (file) return { ...file, turn }
    await tx.query(cancelTurn(turn))
    return undefined
  })

/** The file was read, whatever came of it, in so many milliseconds. */
export const endReading = (db: Database, { turn }: ClaimedResume, milliseconds: number): Promise<unknown> =>
  db.query(endTurn(turn, Math.round(milliseconds)))

/** Stores the result of parsing and emits its event; false if another worker has the résumé now. */
export async function finishParsing(
  tx: Transaction,
  claimed: ClaimedResume,
  outcome: ParsedResume | ParseError,
): Promise<boolean> {
  const row = await tx.one(storeOutcome(claimed, outcome))
  if (!row) return false
  await appendEvents(tx, [
    {
      type: 'application.resume_parsed',
      workspaceId: claimed.workspace_id,
      id: claimed.application_id,
      updatedAt: row.updated_at,
      values: { job_id: row.job_id, parse_status: row.parse_status, parse_error: row.parse_error },
      originKeyId: null,
    },
  ])
  return true
}

/**
 * Something other than the file was in the way: tried again later, `true`, unless it was the last try. While the file store
 * is unavailable a try does not count: otherwise an outage of minutes would end every résumé that waits as `failed`.
 */
export async function retryParsing(db: Database, claimed: ClaimedResume, cause: unknown): Promise<boolean> {
  const outage = isUnavailable(cause)
  if (!outage && claimed.parse_attempts >= TRIES) return false
  await db.transaction(tx => tx.query(giveBack(claimed, RETRY_SECONDS, outage ? 1 : 0)))
  return true
}
