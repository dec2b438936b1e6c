import { clock } from '../kernel/time/clock.ts'

export interface ConsoleFault {
  reason: string
  remedy: string
}

export interface StartSummary {
  base_url: string | null
  docs_url: string | null
  /** null: not served, for the reason in `console_fault` if there is one */
  console_url: string | null
  /** the same for the hiring pages */
  hiring_url: string | null
  console_fault: ConsoleFault | null
  /** The demo's careers site, for people who look for a job there. */
  careers_url: string | null
  metrics_url: string | null
  /** whether the store holds the demo; `hiring demo credentials` shows what it is used with */
  demo: boolean
  /** false: a new installation */
  has_workspaces: boolean
  /** The demo's key; only the start that loaded it prints it, since what a service prints ends up in logs. */
  key: string | null
  /** what the demo's owner signs in with, likewise */
  sign_in: { url: string; email: string; password: string } | null
  pid: number
  /** process ids by name, if the service runs in several processes */
  processes: Record<string, number> | null
}

/** What the start says when the service is ready: for people, or one line of JSON. */
export function showStart(summary: StartSummary, json: boolean, startedAt: number): void {
  process.stdout.write(json ? `${JSON.stringify(summary)}\n` : banner(summary, clock.monotonic() - startedAt))
}

const CREATE_KEY = '  npx hiring keys create --workspace WORKSPACE --user EMAIL --scopes all'

export function banner(facts: StartSummary, milliseconds: number): string {
  const lines = [`Hiring Partner API, ready in ${(milliseconds / 1000).toFixed(1)} s`]
  if (facts.base_url) {
    lines.push('', `  Base URL   ${facts.base_url}`, `  Docs       ${facts.docs_url}`)
    lines.push(`  Console    ${facts.console_url ?? 'not available, see below'}`)
    if (facts.hiring_url) lines.push(`  Hiring     ${facts.hiring_url}`)
    if (facts.careers_url) lines.push(`  Careers    ${facts.careers_url}`)
    if (facts.metrics_url) lines.push(`  Metrics    ${facts.metrics_url}`)
    if (facts.processes) lines.push(`  Processes  ${Object.keys(facts.processes).join(', ')}`)
    if (facts.sign_in) lines.push(`  Sign in    ${facts.sign_in.email}`, `  Password   ${facts.sign_in.password}`)
    if (facts.key) {
      lines.push(
        `  Demo key   ${facts.key}`,
        '',
        'Try it:',
        '',
        `  curl -s ${facts.base_url}/me -H 'Authorization: Bearer ${facts.key}'`,
      )
    } else if (facts.demo) {
      lines.push('', 'Show the demo credentials:', '', '  npx hiring demo credentials')
    } else if (facts.has_workspaces) {
      lines.push('', 'Create a key:', '', CREATE_KEY)
    } else {
      lines.push(
        '',
        'Create a workspace, its first owner and a key:',
        '',
        '  npx hiring workspaces create --name NAME --plan starter',
        '  npx hiring users create --workspace WORKSPACE --email EMAIL --role owner',
        CREATE_KEY,
      )
    }
    if (facts.console_fault !== null) lines.push('', ...consoleRemedy(facts.console_fault))
  } else {
    lines.push('', '  Runs background work only; serves no requests.')
    if (facts.metrics_url) lines.push(`  Metrics    ${facts.metrics_url}`)
  }
  return `${lines.join('\n')}\n\n`
}

const consoleRemedy = ({ reason, remedy }: ConsoleFault): string[] => [
  'The console is not available, because it could not be built:',
  '',
  ...reason.split('\n').map(line => `  ${line}`.trimEnd()),
  '',
  `${remedy}, then start the service again. Until then the API and the documentation work without the console.`,
]
