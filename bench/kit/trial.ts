import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Stage } from './stage.ts'

/**
 * A measurement that is not one of requests: it does what it wants with the stage and ends as a table of its own. To add
 * one, export `trials` from a file in bench/trials whose name ends in .trial.ts.
 */
export interface Trial {
  /** also the title of its table; `--only` matches it */
  name: string
  run: (stage: Stage, how: TrialPace) => Promise<Finding>
}

export interface TrialPace {
  quick: boolean
  rounds: number
  /** a folder in whose node_modules other queues are, for those who compare with them */
  queues: string | undefined
  say: (line: string) => void
}

export interface Finding {
  /** what was done, in a sentence or two */
  about: string
  head: string[]
  lines: string[][]
}

const FOLDER = join(import.meta.dirname, '../trials')

export async function allTrials(): Promise<Trial[]> {
  const files = readdirSync(FOLDER).filter(name => name.endsWith('.trial.ts'))
  const modules = (await Promise.all(files.sort().map(file => import(join(FOLDER, file))))) as { trials: Trial[] }[]
  return modules.flatMap(module => module.trials)
}
