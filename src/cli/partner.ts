import { COMMANDS, CommandError } from '../../packages/cli/src/index.ts'
import { UserError } from '../kernel/errors/user-error.ts'
import type { Verb } from './verb.ts'

/** The commands of the npm package for partners, which need an API key and no database. */
export const partnerVerbs: readonly Verb[] = COMMANDS.map(command => ({
  ...command,
  run: async input => {
    try {
      return await command.run(input)
    } catch (error) {
      throw error instanceof CommandError ? new UserError(error.message) : error
    }
  },
}))
