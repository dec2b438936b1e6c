import { STYLES } from '../../src/pages/page.ts'
import { CAREERS_JOBS, careers } from '../datasets/jobs.ts'
import type { Scenario, ScenarioWorld } from '../kit/scenario.ts'

/** Pages of a careers site against a file that the same process holds in memory. */
const common = {
  group: 'careers site against a static file',
  dataset: careers,
  servers: ['service'],
  connections: [32],
} as const

const page =
  (path: (i: number) => string) =>
  ({ keys }: ScenarioWorld) =>
    keys.map((key, i) => ({ key, path: path(i), page: true as const }))

/** Every fifth job from the first on is open. */
const openJob = (i: number) => `/careers/bench/jobs/job-${((i * 5) % CAREERS_JOBS) + 1}`

export const scenarios: Scenario[] = [
  { ...common, name: 'careers static file, for comparison', requests: page(() => STYLES.at(-1)!) },
  { ...common, name: 'careers job page', requests: page(openJob) },
  { ...common, name: 'careers list of jobs', requests: page(() => '/careers/bench') },
]
