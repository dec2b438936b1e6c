import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Scenario } from './scenario.ts'

const FOLDER = join(import.meta.dirname, '../scenarios')

/** Every scenario, in the order of the files' names. */
export async function allScenarios(): Promise<Scenario[]> {
  const files = readdirSync(FOLDER).filter(name => name.endsWith('.ts'))
  const modules = (await Promise.all(files.sort().map(file => import(join(FOLDER, file))))) as {
    scenarios: Scenario[]
  }[]
  const scenarios = modules.flatMap(module => module.scenarios)
  const names = scenarios.map(scenario => scenario.name)
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined) throw new Error(`two scenarios are called ${twice}`)
  return scenarios
}

export async function findScenario(name: string): Promise<Scenario> {
  const scenario = (await allScenarios()).find(r => r.name === name)
  if (!scenario) throw new Error(`there is no scenario ${name}`)
  return scenario
}
