import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { BenchEnvironment } from './environment.ts'

/**
 * A measurement that is not one of requests: it does what it wants with the stage and ends as a table of its own. To add
 * one, export `experiments` from a file in bench/experiments whose name ends in .experiment.ts.
 */
export interface Experiment {
  /** also the title of its table; `--only` matches it */
  name: string
  run: (stage: BenchEnvironment, how: ExperimentPace) => Promise<ExperimentResult>
}

export interface ExperimentPace {
  quick: boolean
  rounds: number
  /** a folder in whose node_modules other queues are, for those who compare with them */
  queues: string | undefined
  say: (line: string) => void
}

export interface ExperimentResult {
  /** what was done, in a sentence or two */
  description: string
  head: string[]
  lines: string[][]
}

const FOLDER = join(import.meta.dirname, '../experiments')

export async function allExperiments(): Promise<Experiment[]> {
  const files = readdirSync(FOLDER).filter(name => name.endsWith('.experiment.ts'))
  const modules = (await Promise.all(files.sort().map(file => import(join(FOLDER, file))))) as {
    experiments: Experiment[]
  }[]
  return modules.flatMap(module => module.experiments)
}
