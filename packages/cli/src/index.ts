export { type Command, CommandError, type CommandInput, type CommandOption, type CommandOutput } from './command.ts'
export { COMMANDS } from './commands.ts'
