import type { Transaction } from '../../kernel/db/database.ts'
import { limitLockWait } from '../../kernel/db/locks.ts'
import { hasSqlState } from '../../kernel/db/sqlstate.ts'
import { fail } from '../../kernel/errors/api-error.ts'
import { present } from '../../kernel/errors/present.ts'
import { checkInput } from '../../kernel/http/body.ts'
import { type InputFault, refuseIfAny } from '../../kernel/http/faults.ts'
import { newHandle } from '../../kernel/ids/handles.ts'
import { clearStage, LOCK_WAIT_MS } from '../applications/index.ts'
import { packagesById } from '../packages/index.ts'
import { sectionLines, stageWords } from './history-rules.ts'
import { lockExistingJob } from './lock.ts'
import { repeated } from './section-rules.ts'
import { type StageInput, type StageMove, stagesInput } from './sections-input.ts'
import {
  dropStages,
  lockStages,
  negatePositions,
  type StoredStage,
  selectStages,
  writeStages,
} from './sections-store.ts'
import { sameRows, sectionsChanged } from './set-sections.ts'
import { requireVersion, type SectionWrite } from './version-rules.ts'

/**
 * Replaces the stages of a job, in this order. A stage with an id keeps its handle. One that is left out is removed; if it
 * has applications, `moves` says where they go, and each gets its step and its event in the same transaction.
 */
export async function setStages(
  tx: Transaction,
  workspace: string,
  jobId: string,
  input: readonly StageInput[],
  { moves = [], ...write }: SectionWrite & { moves?: readonly StageMove[] } = {},
): Promise<void> {
  checkInput(stagesInput, { stages: input, moves })
  const job = await lockExistingJob(tx, workspace, jobId)
  const stored = await tx.query(selectStages(workspace, jobId))
  requireVersion(write, stored, 'the stages')
  const next = input.map(
    (stage, position): StoredStage => ({
      id: stage.id ?? newHandle('pipeline_stage'),
      name: stage.name.trim(),
      position,
      type: stage.type,
      is_terminal: stage.is_terminal ?? (stage.type === 'hired' || stage.type === 'rejected'),
      order_package_ids: stage.order_package_ids ?? stored.find(({ id }) => id === stage.id)?.order_package_ids ?? [],
    }),
  )
  const removed = stored.filter(({ id }) => !next.some(stage => stage.id === id))
  refuseIfAny([
    ...input.flatMap(({ id }, i): InputFault[] =>
      id === undefined || stored.some(stage => stage.id === id)
        ? []
        : [{ param: `stages[${i}].id`, message: 'is not a stage of this job' }],
    ),
    ...repeated(next, 'id', 'stages'),
    ...(await ruleFaults(tx, workspace, stored, next)),
    ...moves.flatMap((move, i) => moveFaults(move, { removed, next }).map(at(`moves[${i}]`))),
    ...repeated(moves, 'from', 'moves'),
    ...(job.status === 'published' && next.every(stage => stage.is_terminal)
      ? [{ param: 'stages', message: 'needs a stage that is not final while the job is published' }]
      : []),
  ])
  if (sameRows(stored, next)) return

  await tx.query(negatePositions(workspace, jobId))
  await tx.query(writeStages(workspace, jobId, next))
  const by = write.by ?? null
  const clear = async () => {
    for (const { from, to } of moves) await clearStage(tx, { workspace, from, to: present(next[to], from), author: by })
  }
  await clear()
  if (removed.length > 0) {
    const ids = removed.map(({ id }) => id)
    await tx.query(limitLockWait(LOCK_WAIT_MS))
    // what was moved into one of them before this lock is seen by the next statement, and later moves wait for it
    await tx.query(lockStages(workspace, ids)).catch(unlessLocked)
    await clear()
  }
  const remaining = next.map(stage => stage.id)
  const occupied = await tx.query(dropStages(workspace, jobId, remaining))
  refuseIfAny(
    occupied.map(({ name }) => ({ param: 'moves', message: `stage ${name} has applications; choose where they go` })),
  )
  const lines = sectionLines(stored, next, stageWords)
  await sectionsChanged(tx, workspace, job, job.form_is_template, 'pipeline_stages', by, lines)
}

/** A rule names a package of the workspace that can be ordered; in a final stage nothing is ordered. */
async function ruleFaults(
  tx: Transaction,
  workspace: string,
  stored: readonly StoredStage[],
  stages: readonly StoredStage[],
): Promise<InputFault[]> {
  const named = [...new Set(stages.flatMap(stage => stage.order_package_ids))]
  if (named.length === 0) return []
  const packages = await tx.query(packagesById(workspace, named))
  const known = new Set(packages.flatMap(({ id, status }) => (status === 'withdrawn' ? [] : [id])))
  return stages.flatMap(({ id: stage, is_terminal, order_package_ids: ids }, i): InputFault[] => {
    // one that was withdrawn since may stay where it is: it is skipped
    const before = stored.find(({ id }) => id === stage)?.order_package_ids ?? []
    const refused = (message: string) => [{ param: `stages[${i}].order_package_ids`, message }]
    if (is_terminal && ids.length > 0) return refused('must be empty: nothing is ordered in a final stage')
    if (new Set(ids).size < ids.length) return refused('names a package twice')
    return ids.every(id => known.has(id) || before.includes(id))
      ? []
      : refused('must name packages of this workspace that are not withdrawn')
  })
}

const at =
  (place: string) =>
  ({ param, message }: InputFault): InputFault => ({ param: `${place}.${param}`, message })

/** Applications of a final stage have ended and may go to another final one; the others may not, as with any move. */
function moveFaults(
  { from, to }: StageMove,
  { removed, next }: { removed: readonly StoredStage[]; next: readonly StoredStage[] },
): InputFault[] {
  const source = removed.find(({ id }) => id === from)
  const target = next[to]
  if (!source) return [{ param: 'from', message: 'must be a stage that is removed' }]
  if (!target) return [{ param: 'to', message: 'must be the position of a stage in the list' }]
  if (target.is_terminal && !source.is_terminal) return [{ param: 'to', message: 'must not be a final stage' }]
  return []
}

function unlessLocked(error: unknown): never {
  if (hasSqlState(error, 'lockNotAvailable')) fail('application_modified_concurrently')
  throw error
}
