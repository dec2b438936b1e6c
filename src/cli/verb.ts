import type { Config } from '../kernel/config/config.ts'

/** A verb of the command: `keys create`, with what it takes and what it does. */
export interface Verb {
  name: string
  description: string
  /** positional arguments, in order, all required */
  args?: readonly string[]
  /** the last required argument may be repeated */
  repeatLast?: true
  /** positional arguments after those, which may be left out */
  optionalArgs?: readonly string[]
  options?: Readonly<Record<string, Option>>
  run: (input: VerbInput) => Promise<VerbOutput>
}

export interface Option {
  description: string
  /** placeholder of the value in the help, such as N; without it the option is a flag */
  value?: string
  required?: true
  /** may be given several times */
  many?: true
}

export interface VerbInput {
  args: readonly string[]
  /** the value of an option, undefined if absent */
  option: (name: string) => string | undefined
  options: (name: string) => readonly string[]
  flag: (name: string) => boolean
  json: boolean
  config: (overrides?: Record<string, string | undefined>) => Config
}

/** What a verb has to say: for `--json`, and for people. */
export interface VerbOutput {
  json: unknown
  text: string
  /** 1 if the command succeeded but found problems, as `doctor` can */
  exitCode?: number
  /** ends the process, although requests to a store that does not respond may still wait */
  exits?: true
}

/** Columns aligned by their widest value. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)))
  return rows
    .map(row =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
