import { parseArgs } from 'node:util'
import { VERSION } from '../../sdk/src/index.ts'
import { type Command, CommandError, type CommandInput } from './command.ts'
import { COMMANDS } from './commands.ts'
import { environment } from './environment.ts'
import { asJson, oneLine } from './text.ts'

const PROGRAM = 'hiring-partner'
const LONGEST_MESSAGE = 2_000

/** A mistake in the call itself. */
class UsageError extends Error {}

/** Runs a command; returns the exit code: 1 for an error, 2 for a mistake in the call. */
export async function main(argv: readonly string[]): Promise<number> {
  const json = argv.includes('--json')
  try {
    if (argv[0] === '--version') return print(VERSION)
    const command = findCommand(argv)
    if (!command) return print(overview())
    const input = readInput(command, argv.slice(command.name.split(' ').length))
    if (!input) return print(help(command))
    const output = await command.run(input)
    if (json && output.json !== undefined) print(asJson(output.json))
    if (!json) print(output.text)
    return output.exitCode ?? 0
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    // it can have text of the service
    process.stderr.write(`${json ? asJson({ error: message }) : `${PROGRAM}: ${oneLine(message, LONGEST_MESSAGE)}`}\n`)
    if (environment.debug() && !(error instanceof CommandError)) {
      for (const line of String((error as Error).stack).split('\n')) {
        process.stderr.write(`${oneLine(line, LONGEST_MESSAGE)}\n`)
      }
    }
    return error instanceof UsageError ? 2 : 1
  }
}

function print(text: string): number {
  if (text !== '') process.stdout.write(`${text}\n`)
  return 0
}

function findCommand(argv: readonly string[]): Command | undefined {
  const words = argv.slice(0, argv.findIndex(word => word.startsWith('-')) >>> 0)
  const found = COMMANDS.find(command => command.name.split(' ').every((word, i) => words[i] === word))
  if (found) return found
  if (words.length === 0 && (argv.length === 0 || argv.includes('--help') || argv.includes('-h'))) return undefined
  const names = COMMANDS.map(command => command.name).join(', ')
  throw new UsageError(
    words.length === 0 ? `no command given: ${names}` : `unknown command \`${words.join(' ')}\`: ${names}`,
  )
}

function readInput(command: Command, rest: readonly string[]): CommandInput | undefined {
  const hint = `(${PROGRAM} ${command.name} --help)`
  const declared = Object.entries(command.options)
  let parsed: ReturnType<typeof parseArgs>
  try {
    parsed = parseArgs({
      args: [...rest],
      allowPositionals: true,
      options: {
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        ...Object.fromEntries(
          declared.map(([name, option]) => [name, { type: option.value ? ('string' as const) : ('boolean' as const) }]),
        ),
      },
    })
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split('. ')[0]} ${hint}`)
  }
  const { values, positionals } = parsed
  if (values['help']) return undefined
  const args = command.args ?? []
  if (positionals.length < args.length)
    throw new UsageError(`${command.name} needs ${args[positionals.length]} ${hint}`)
  if (positionals.length > args.length && !command.repeatLast) {
    throw new UsageError(`unexpected \`${positionals[args.length]}\` ${hint}`)
  }
  const missing = declared.filter(([name, option]) => option.required && values[name] === undefined)
  if (missing.length > 0) {
    throw new UsageError(`${command.name} needs ${missing.map(([name]) => `--${name}`).join(' and ')} ${hint}`)
  }
  return {
    args: positionals,
    option: name => values[name] as string | undefined,
    flag: name => values[name] === true,
    json: values['json'] === true,
  }
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, description]) => `  ${left.padEnd(width)}  ${description}`)
}

const overview = (): string =>
  [
    `${PROGRAM}: receives events of the Hiring Partner API on your own machine`,
    '',
    `Usage: ${PROGRAM} COMMAND [options]`,
    '',
    ...columns(COMMANDS.map(({ name, description }) => [name, description])),
    '',
    `Set HIRING_API_KEY and HIRING_BASE_URL, or use --key and --base-url. Every command takes --json and --help; ${PROGRAM} --version prints the version.`,
  ].join('\n')

function help(command: Command): string {
  const label = (name: string, value?: string) => (value ? `--${name} ${value}` : `--${name}`)
  const options = Object.entries(command.options)
  const args = (command.args ?? []).map((name, i, all) =>
    command.repeatLast && i === all.length - 1 ? `${name}…` : name,
  )
  const usage = [
    PROGRAM,
    command.name,
    ...args,
    ...options.map(([name, o]) => (o.required ? label(name, o.value) : `[${label(name, o.value)}]`)),
  ]
  return [
    command.description,
    '',
    `Usage: ${usage.join(' ')}`,
    '',
    ...columns([
      ...options.map(([name, o]): [string, string] => [label(name, o.value), o.description]),
      ['--json', 'print JSON, one object a line'],
      ['--help', 'show this help'],
    ]),
  ].join('\n')
}
