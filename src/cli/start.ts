import { stripVTControlCharacters } from 'node:util'
import type { DemoReceiver } from '../../demo/index.ts'
import { sitePath } from '../careers/visit.ts'
import { API_PREFIX } from '../contract/version.ts'
import { hostInUrl } from '../kernel/config/config.ts'
import { clock } from '../kernel/time/clock.ts'
import type { RunningService } from '../main.ts'
import { readSite } from '../resources/careers/index.ts'
import type { Verb, VerbOutput } from './verb.ts'

export const startVerb: Verb = {
  name: 'start',
  description: 'Starts the service and runs until it is stopped.',
  options: {
    roles: { value: 'R,R', description: 'api, worker or both (default)' },
    port: { value: 'N', description: 'port to listen on' },
  },
  run: async input => {
    const startedAt = clock.monotonic()
    // loaded here, so that the other verbs do not wait for the whole service
    const [{ startService }, demo] = await Promise.all([import('../main.ts'), import('../../demo/index.ts')])
    const config = input.config({ ROLES: input.option('roles'), PORT: input.option('port') })
    const built = config.ROLES.has('api') ? readyConsole(config.DATA_DIR) : undefined
    let demoLoaded = false
    let receiver: DemoReceiver | undefined
    const service = await startService(config, {
      beforeListening: async services => {
        if (config.DEMO === 'on') {
          demoLoaded = (await demo.loadDemo(services)) !== undefined
          if (await demo.demoWorkspace(services.db, services.keyring)) receiver = await demo.openReceiver(services)
        }
        await built
      },
    })
    const stopped = untilStopSignal()
    const facts = await describe(service, demoLoaded, (await built) ?? null)
    process.stdout.write(input.json ? `${JSON.stringify(facts)}\n` : banner(facts, clock.monotonic() - startedAt))
    await stopped
    await service.stop()
    await receiver?.close()
    return { json: { stopped: true }, text: '' } satisfies VerbOutput
  },
}

/**
 * Builds the console and the hiring pages if their sources changed, in parallel with the rest of the start. The API does not need them: if they
 * cannot be built, the service starts without them, and this is why.
 */
async function readyConsole(dataDir: string): Promise<ConsoleFault | null> {
  try {
    const { builtPrograms } = await import('../pages/build-programs.ts')
    const { milliseconds } = await builtPrograms(dataDir)
    if (milliseconds > 0)
      process.stderr.write(`built the console and the hiring pages in ${(milliseconds / 1000).toFixed(1)} s\n`)
    return null
  } catch (error) {
    const { message, code = '' } = error as NodeJS.ErrnoException
    return { reason: stripVTControlCharacters(message).trim(), remedy: REMEDIES[code] ?? RESTORE }
  }
}

interface ConsoleFault {
  reason: string
  remedy: string
}

const RESTORE = 'Restore the folder web of this version and run npm ci'
const MAKE_WRITABLE = 'Let the service write to DATA_DIR'

/** By the code of the error. */
const REMEDIES: Readonly<Record<string, string>> = {
  ERR_MODULE_NOT_FOUND: 'Install the dependencies with npm ci',
  EACCES: MAKE_WRITABLE,
  EPERM: MAKE_WRITABLE,
  EROFS: MAKE_WRITABLE,
  ENOSPC: 'Free some space on the disk of DATA_DIR',
}

interface StartSummary {
  base_url: string | null
  docs_url: string | null
  /** null: not served, for the reason in `console_fault` if there is one */
  console_url: string | null
  /** the same for the hiring pages */
  hiring_url: string | null
  console_fault: ConsoleFault | null
  /** of the demo, for people who look for a job there */
  careers_url: string | null
  metrics_url: string | null
  /** whether the store holds the demo; `hiring demo credentials` shows what it is used with */
  demo: boolean
  /** of the demo; only from the start that loaded it, since what a service prints ends up in logs */
  key: string | null
  /** what the demo's owner signs in with, likewise */
  sign_in: { url: string; email: string; password: string } | null
  pid: number
}

async function describe(
  { services, port, metricsPort }: RunningService,
  demoLoaded: boolean,
  consoleFault: ConsoleFault | null,
): Promise<StartSummary> {
  const { publicUrl, db, keyring, config } = services
  const { demoKeyExists, demoCredentials, demoWorkspace } = await import('../../demo/index.ts')
  const serves = port !== undefined
  const demo = serves ? await demoWorkspace(db, keyring) : undefined
  const site = demo === undefined ? undefined : await readSite(db, demo)
  const shown = demoLoaded ? await demoCredentials(db, keyring) : { key: null, sign_in: null }
  return {
    base_url: serves ? publicUrl + API_PREFIX : null,
    docs_url: serves ? `${publicUrl}/docs` : null,
    console_url: serves && consoleFault === null ? `${publicUrl}/console` : null,
    hiring_url: serves && consoleFault === null ? `${publicUrl}/hiring` : null,
    console_fault: consoleFault,
    careers_url: site?.enabled ? publicUrl + sitePath(site) : null,
    metrics_url: metricsPort === undefined ? null : `http://${hostInUrl(config.METRICS_HOST)}:${metricsPort}/metrics`,
    demo: demoLoaded || (await demoKeyExists(db, keyring)),
    key: shown.key,
    sign_in: serves && shown.sign_in ? { url: `${publicUrl}/sign-in`, ...shown.sign_in } : null,
    pid: process.pid,
  }
}

function banner(facts: StartSummary, milliseconds: number): string {
  const lines = [`Hiring Partner API, ready in ${(milliseconds / 1000).toFixed(1)} s`]
  if (facts.base_url) {
    lines.push('', `  Base URL   ${facts.base_url}`, `  Docs       ${facts.docs_url}`)
    lines.push(`  Console    ${facts.console_url ?? 'not available, see below'}`)
    if (facts.hiring_url) lines.push(`  Hiring     ${facts.hiring_url}`)
    if (facts.careers_url) lines.push(`  Careers    ${facts.careers_url}`)
    if (facts.metrics_url) lines.push(`  Metrics    ${facts.metrics_url}`)
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
    } else {
      lines.push('', 'Create a key:', '', '  npx hiring keys create --workspace WORKSPACE --user EMAIL --scopes all')
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

/** SIGTERM and Ctrl-C stop it in order; the second one immediately. */
function untilStopSignal(): Promise<void> {
  return new Promise(resolve => {
    let asked = false
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (asked) process.exit(1)
        asked = true
        resolve()
      })
    }
  })
}
