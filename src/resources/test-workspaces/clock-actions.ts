import type { Database, Queryable } from '../../kernel/db/database.ts'
import { Signal } from '../../kernel/feed/signal.ts'
import { refuseIfAny } from '../../kernel/http/faults.ts'
import type { Services } from '../../kernel/services/services.ts'
import { closeDueJobsOfWorkspace } from '../jobs/index.ts'
import { attendDueOrdersOfWorkspace } from '../orders/index.ts'
import { ageAccessIn } from '../resumes/index.ts'
import { runRetentionOfWorkspace } from '../retention/index.ts'
import {
  addClock,
  deadlinesUntil,
  finishAdvance,
  lockClock,
  moveClock,
  movedClocks,
  setTarget,
  testClock,
} from './clock-store.ts'
import { advanceFaults, type ClockChange, computeTarget } from './rules.ts'

/** Raised when a clock has more to do. */
export const clockAdvanced = new Signal()

export async function readClock(db: Queryable, workspace: string) {
  const { target, now, offset_seconds, advancing } = await db.only(testClock(workspace))
  const { count } = await db.only(deadlinesUntil(workspace, target))
  const status = advancing ? ('advancing' as const) : ('ready' as const)
  return { workspace_id: workspace, status, now, offset_seconds, due: count }
}

/** Lets the clock of a test workspace advance: a worker does what falls due until then, in order of time. */
export async function advanceClock(db: Database, workspace: string, change: ClockChange) {
  await db.transaction(async tx => {
    await tx.query(addClock(workspace))
    await tx.query(lockClock(workspace))
    const clock = await tx.only(testClock(workspace))
    refuseIfAny(advanceFaults(change, clock))
    await tx.query(setTarget(workspace, computeTarget(change, clock)))
    tx.afterCommit(clockAdvanced.raise)
  })
  return readClock(db, workspace)
}

export type ClockServices = Pick<Services, 'db' | 'outbox' | 'config' | 'log'>

/**
 * Does what is due in workspaces whose clock was moved; `all`: also in those that have reached their time. Every process may
 * run it: what another has locked is left to it, and the clock does not pass it by. A failure in one workspace does not
 * delay the others.
 */
export async function runTestClocks(services: ClockServices, all: boolean, signal: AbortSignal): Promise<void> {
  for (const { workspace_id } of await services.db.query(movedClocks(all))) {
    if (signal.aborted) return
    await runClock(services, workspace_id, signal).catch(error =>
      services.log.error({ err: error, workspace: workspace_id }, 'what is due by a test clock was not done'),
    )
  }
}

/** Moves the clock from deadline to deadline, and at last to the time that it advances to. */
async function runClock(services: ClockServices, workspace: string, signal: AbortSignal): Promise<void> {
  const { db } = services
  while (!signal.aborted) {
    const before = await db.only(testClock(workspace))
    const due = await db.only(deadlinesUntil(workspace, before.target))
    if (due.next === null && !before.advancing) return
    await db.query(moveClock(workspace, due.next ?? before.target))
    await doWhatIsDue(services, workspace)
    if (due.next === null) return void (await db.query(finishAdvance(workspace, before.target_seconds)))
    const left = await db.only(deadlinesUntil(workspace, before.target))
    // another process has it locked
    if (left.next === due.next && left.count === due.count) return
  }
}

const BATCH_SIZE = 100

/** What retention deletes is gone before anything else falls due for it. */
async function doWhatIsDue(services: ClockServices, workspace: string): Promise<void> {
  const { db } = services
  await runRetentionOfWorkspace(services, workspace)
  await attendDueOrdersOfWorkspace(db, workspace, BATCH_SIZE)
  await ageAccessIn(db, workspace)
  await closeDueJobsOfWorkspace(db, workspace, BATCH_SIZE)
}
