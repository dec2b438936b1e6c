import { hire, note, reject, scorecard } from './applications.ts'
import { OPERATIONS } from './operations.ts'
import type { Done, Scene } from './scene.ts'

type Run = (scene: Scene) => Promise<Done>

const times = (count: number, run: Run): Run[] => Array.from({ length: count }, () => run)

/** A small company that hires: a few records of every kind that partners read. */
const SMALL: readonly Run[] = [
  ...times(3, OPERATIONS['job.published'].run),
  ...times(8, OPERATIONS['application.created'].run),
  ...times(3, OPERATIONS['application.stage_changed'].run),
  ...times(2, OPERATIONS['application.status_changed'].run),
  note,
  scorecard,
  reject,
  hire,
  ...times(5, OPERATIONS['sourced_profile.created'].run),
  OPERATIONS['sourced_profile.contact_info_revealed'].run,
  OPERATIONS['list.created'].run,
  ...times(3, OPERATIONS['list_membership.added'].run),
]

/** With the same random numbers the records are the same, but for handles, addresses and times. */
export async function fill(scene: Scene): Promise<void> {
  for (const run of SMALL) await run(scene)
}
