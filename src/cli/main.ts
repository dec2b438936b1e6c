import { parseArgs } from 'node:util'
import { ConfigError, loadConfig } from '../kernel/config/config.ts'
import { UserError } from '../kernel/errors/user-error.ts'
import { StartError } from '../kernel/services/start-error.ts'
import { programVersion } from '../kernel/telemetry/program-version.ts'
import type { Verb, VerbInput } from './verb.ts'
import { loadVerbs } from './verbs.ts'

/** A mistake in the call itself. */
class UsageError extends Error {}

export async function main(argv: readonly string[]): Promise<void> {
  const json = argv.includes('--json')
  try {
    if (argv[0] === '--version') return print(json ? JSON.stringify({ version: programVersion() }) : programVersion())
    const verb = await findVerb(argv)
    if (!verb) return
    const input = readInput(verb, argv.slice(verb.name.split(' ').length))
    if (!input) return print(verbHelp(verb))
    const output = await verb.run(input)
    print(json ? (JSON.stringify(output.json) ?? '') : output.text)
    process.exitCode = output.exitCode ?? 0
    if (output.exits) process.exit()
  } catch (error) {
    process.exitCode = error instanceof UsageError ? 2 : 1
    for (const line of await explain(error))
      process.stderr.write(`${json ? JSON.stringify({ error: line }) : `hiring: ${line}`}\n`)
  }
}

const print = (text: string) => void (text !== '' && process.stdout.write(`${text}\n`))

/** One line per error; a stack trace only for unexpected errors. */
async function explain(error: unknown): Promise<string[]> {
  if (error instanceof ConfigError) return error.faults
  if (error instanceof UserError || error instanceof StartError || error instanceof UsageError) return [error.message]
  const { DatastoreUnavailable } = await import('../kernel/db/database.ts')
  if (error instanceof DatastoreUnavailable) return [`database unavailable: ${error.message}`]
  const { code } = error as { code?: string }
  if (code === 'EADDRINUSE') return [`${(error as Error).message}: choose another port with --port or PORT`]
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return [`cannot listen on this address; check HOST and PORT: ${(error as Error).message}`]
  }
  return [
    error instanceof Error ? (process.env['DEBUG'] ? (error.stack ?? error.message) : error.message) : String(error),
  ]
}

async function findVerb(argv: readonly string[]): Promise<Verb | undefined> {
  const words = argv.slice(0, argv.findIndex(word => word.startsWith('-')) >>> 0)
  const group = words[0] === undefined ? [] : await loadVerbs(words[0])
  // `demo credentials` before `demo`
  const asked = group
    .filter(verb => verb.name.split(' ').every((word, i) => words[i] === word))
    .sort((a, b) => b.name.length - a.name.length)[0]
  if (asked) return asked
  if (words.length === 0 && (argv.length === 0 || argv.includes('--help') || argv.includes('-h'))) {
    print(overview(await loadVerbs()))
    return undefined
  }
  if (group.length > 0 && (argv.includes('--help') || argv.includes('-h'))) {
    print(overview(group))
    return undefined
  }
  const choices = group.length > 0 ? group.map(v => v.name).join(', ') : 'see hiring --help'
  throw new UsageError(
    words.length === 0 ? `no command given: ${choices}` : `unknown command \`${words.join(' ')}\`: ${choices}`,
  )
}

function readInput(verb: Verb, rest: readonly string[]): VerbInput | undefined {
  const declared = Object.entries(verb.options ?? {})
  let parsed: ReturnType<typeof parseArgs>
  try {
    parsed = parseArgs({
      args: [...rest],
      allowPositionals: true,
      options: {
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        ...Object.fromEntries(
          declared.map(([name, option]) => [
            name,
            { type: option.value ? ('string' as const) : ('boolean' as const), multiple: option.many ?? false },
          ]),
        ),
      },
    })
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split('. ')[0]} (hiring ${verb.name} --help)`)
  }
  const { values, positionals } = parsed
  if (values['help']) return undefined
  const args = verb.args ?? []
  if (positionals.length < args.length)
    throw new UsageError(`${verb.name} needs ${args[positionals.length]} (hiring ${verb.name} --help)`)
  const most = args.length + (verb.optionalArgs ?? []).length
  if (positionals.length > most && !verb.repeatLast)
    throw new UsageError(`unexpected \`${positionals[most]}\` (hiring ${verb.name} --help)`)
  const missing = declared
    .filter(([name, option]) => option.required && values[name] === undefined)
    .map(([name]) => `--${name}`)
  if (missing.length > 0)
    throw new UsageError(`${verb.name} needs ${missing.join(' and ')} (hiring ${verb.name} --help)`)
  return {
    args: positionals,
    option: name => values[name] as string | undefined,
    options: name => (values[name] as string[] | undefined) ?? [],
    flag: name => values[name] === true,
    json: values['json'] === true,
    config: loadConfig,
  }
}

function overview(verbs: readonly Verb[]): string {
  const width = Math.max(...verbs.map(v => v.name.length))
  const lines = verbs.map(v => `  ${v.name.padEnd(width)}  ${v.description}`)
  return [
    'hiring: runs and manages the Hiring Partner API',
    '',
    'Usage: hiring COMMAND [options]',
    '',
    ...lines,
    '',
    'Every verb takes --json and --help; hiring --version prints the version. Settings come from the environment or .env; see .env.example.',
  ].join('\n')
}

function verbHelp(verb: Verb): string {
  const options = Object.entries(verb.options ?? {})
  const label = (name: string, value?: string) => (value ? `--${name} ${value}` : `--${name}`)
  const usage = [
    'hiring',
    verb.name,
    ...(verb.args ?? []).map((name, i, all) => (verb.repeatLast && i === all.length - 1 ? `${name}…` : name)),
    ...(verb.optionalArgs ?? []).map(name => `[${name}]`),
    ...options.map(([name, o]) => {
      const text = `${label(name, o.value)}${o.many ? '…' : ''}`
      return o.required ? text : `[${text}]`
    }),
  ]
  const rows: [left: string, description: string][] = [
    ...options.map(([name, o]): [string, string] => [label(name, o.value), o.description]),
    ['--json', 'print JSON'],
    ['--help', 'show this help'],
  ]
  const width = Math.max(...rows.map(([left]) => left.length))
  return [
    verb.description,
    '',
    `Usage: ${usage.join(' ')}`,
    '',
    ...rows.map(([left, description]) => `  ${left.padEnd(width)}  ${description}`),
  ].join('\n')
}
