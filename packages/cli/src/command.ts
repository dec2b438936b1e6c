/** A command: what it accepts and what it does. The same shape as a verb of the service's own command. */
export interface Command {
  name: string
  description: string
  /** positional arguments, in order, all required */
  args?: readonly string[]
  /** the last positional argument may be repeated */
  repeatLast?: true
  options: Readonly<Record<string, CommandOption>>
  run: (input: CommandInput) => Promise<CommandOutput>
}

export interface CommandOption {
  description: string
  /** placeholder of the value in the help, such as N; without it the option is a flag */
  value?: string
  required?: true
}

export interface CommandInput {
  args: readonly string[]
  /** the value of an option, undefined if absent */
  option: (name: string) => string | undefined
  flag: (name: string) => boolean
  /** print JSON, one object a line */
  json: boolean
}

/** What a command prints at its end: for `--json`, and for people. */
export interface CommandOutput {
  json: unknown
  text: string
  /** 1 if the command ran and something that it reports failed */
  exitCode?: number
}

/** A mistake that the caller can fix. Its message says how. */
export class CommandError extends Error {
  override name = 'CommandError'
}
