import { ApiError } from '../../src/kernel/errors/api-error.ts'
import { UserError } from '../../src/kernel/errors/user-error.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { pause } from '../../src/kernel/time/pause.ts'
import { hire, note, readResume, reject, scorecard } from './applications.ts'
import { OPERATIONS } from './operations.ts'
import type { Done, Scene } from './scene.ts'

type Run = (scene: Scene) => Promise<Done>

/** The first of them are about candidates of one job. */
const OF_A_JOB = 10

/** A day in a company that hires: what happens, and how often, compared with the rest. */
const MIX: readonly (readonly [what: string, weight: number, run: Run])[] = [
  ['application received', 22, OPERATIONS['application.created'].run],
  ['résumé read', 5, readResume],
  ['stage moved', 18, OPERATIONS['application.stage_changed'].run],
  ['status set', 8, OPERATIONS['application.status_changed'].run],
  ['note added', 10, note],
  ['scorecard added', 4, scorecard],
  ['rejected', 6, reject],
  ['hired', 1.5, hire],
  ['withdrawn', 1.5, OPERATIONS['application.withdrawn'].run],
  ['pre-screen held', 2, OPERATIONS['application.screening_completed'].run],
  ['applicant edited', 2, OPERATIONS['applicant.updated'].run],
  ['unsubscribed', 0.5, OPERATIONS['applicant.unsubscribed'].run],
  ['job published', 0.7, OPERATIONS['job.published'].run],
  ['job edited', 3, OPERATIONS['job.updated'].run],
  ['questions changed', 0.7, OPERATIONS['job.sections_updated'].run],
  ['job closed', 0.4, OPERATIONS['job.closed'].run],
  ['profile saved', 5, OPERATIONS['sourced_profile.created'].run],
  ['profile updated', 1.5, OPERATIONS['sourced_profile.updated'].run],
  ['contact revealed', 3, OPERATIONS['sourced_profile.contact_info_revealed'].run],
  ['file attached', 1, OPERATIONS['sourced_profile.attachment_added'].run],
  ['list made', 0.7, OPERATIONS['list.created'].run],
  ['listed', 4, OPERATIONS['list_membership.added'].run],
  ['list stage set', 3, OPERATIONS['list_membership.stage_changed'].run],
  ['taken off a list', 0.7, OPERATIONS['list_membership.removed'].run],
]

export interface SimulationResult {
  operations: number
  /** that another change came before, and that were left out */
  refused: number
  counts: Record<string, number>
  seconds: number
}

export interface Simulation {
  perSecond: number
  /** until `signal` where it is not given */
  seconds?: number | undefined
  signal: AbortSignal
  onProgress: (so_far: SimulationResult) => void
}

/**
 * One operation after the other, at this rate as long as they take less; what is begun is ended. With the same seed and
 * the same workspace they are the same ones, in the same order.
 */
export async function simulate(
  scene: Scene,
  { perSecond, seconds, signal, onProgress }: Simulation,
): Promise<SimulationResult> {
  const startedAt = clock.monotonic()
  const state: SimulationResult = { operations: 0, refused: 0, counts: {}, seconds: 0 }
  const mix = scene.onlyJob === undefined ? MIX : MIX.slice(0, OF_A_JOB)
  const choices = mix.map(([what, weight, run]) => [{ what, run }, weight] as const)
  const most = seconds === undefined ? Number.POSITIVE_INFINITY : Math.max(1, Math.round(seconds * perSecond))
  for (let i = 0; i < most; i++) {
    const waitMs = startedAt + (i * 1_000) / perSecond - clock.monotonic()
    if (waitMs > 0) await pause(waitMs, signal)
    const elapsed = (clock.monotonic() - startedAt) / 1_000
    if (signal.aborted || (seconds !== undefined && elapsed >= seconds)) break
    const { what, run } = scene.random.weighted(choices)
    try {
      await run(scene)
      state.operations++
      state.counts[what] = (state.counts[what] ?? 0) + 1
    } catch (error) {
      // other users work here too: what they closed or deleted is no longer there to be changed
      if (!(error instanceof UserError || error instanceof ApiError)) throw error
      state.refused++
    }
    state.seconds = (clock.monotonic() - startedAt) / 1_000
    onProgress(state)
  }
  return state
}
