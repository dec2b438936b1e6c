import type { Verb, VerbOutput } from '../../src/cli/verb.ts'
import { readConfig } from '../../src/kernel/config/config.ts'
import type { TestService } from './service.ts'

/** Runs a verb of the command against the store of a running test service, as `--json` would. */
export function runVerb(
  service: TestService,
  verbs: readonly Verb[],
  name: string,
  args: readonly string[],
  options: Record<string, string> = {},
  settings: Record<string, string> = {},
): Promise<VerbOutput> {
  const verb = verbs.find(v => v.name === name)
  if (!verb) throw new Error(`there is no verb ${name}`)
  const { DATA_DIR } = service.services.config
  return verb.run({
    args,
    option: option => options[option],
    options: option => (options[option] === undefined ? [] : [options[option]]),
    flag: option => option in options,
    json: true,
    config: overrides => readConfig({ DATA_DIR, DATABASE_URL: service.database.url, ...settings, ...overrides }),
  })
}
