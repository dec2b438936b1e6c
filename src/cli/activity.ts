import { randomBytes } from 'node:crypto'
import type { Scene as DemoScene, SimulationResult } from '../../demo/index.ts'
import { isEventType } from '../contract/events.ts'
import { UserError } from '../kernel/errors/user-error.ts'
import { requireWorkspace } from '../resources/workspaces/index.ts'
import { table, type Verb, type VerbInput, type VerbOutput } from './verb.ts'
import { withActivityNeeds } from './with-activity-needs.ts'
import { withStore } from './with-store.ts'

const WORKSPACE = {
  value: 'H',
  description: 'workspace to act in; default: the demo workspace',
} as const

const MAX_PER_SECOND = 100

export const activityVerbs: readonly Verb[] = [
  {
    name: 'trigger',
    description: 'Performs an operation that emits an event of this type, and shows the event.',
    optionalArgs: ['TYPE'],
    options: { list: { description: 'list every type and its operation' }, workspace: WORKSPACE },
    run: async input => {
      const { OPERATIONS, operationList, trigger } = await import('../../demo/index.ts')
      if (input.flag('list')) {
        const rows = operationList()
        return { json: rows, text: table(rows.map(({ type, description }) => [type, description])) }
      }
      const type = input.args[0]
      if (type === undefined) throw new UserError('name an event type; --list shows all types')
      if (!isEventType(type)) throw new UserError(`unknown event type ${type}; hiring trigger --list shows all types`)
      return withScene(input, randomBytes(8).toString('hex'), async scene => {
        const { event, handles } = await trigger(scene, type)
        const rows = Object.entries({ event: event.id, sequence: String(event.sequence), ...handles })
        return {
          json: { type, event, handles, workspace: scene.workspace },
          text: [`${type}: ${OPERATIONS[type].description}`, table(rows)].join('\n'),
        }
      })
    },
  },
  {
    name: 'simulate',
    description: 'Generates continuous sample activity in a workspace until you stop it.',
    options: {
      workspace: WORKSPACE,
      job: { value: 'H', description: 'only candidates of this job of the demo workspace, so that its board moves' },
      rate: { value: 'N/s', description: `operations per second, up to ${MAX_PER_SECOND}; default 1` },
      seconds: { value: 'N', description: 'stop after N seconds; default: run until Ctrl-C' },
      seed: { value: 'S', description: 'the same seed repeats the same operations' },
    },
    run: async input => {
      const perSecond = rateOf(input.option('rate'))
      const seconds = secondsOf(input.option('seconds'))
      const { simulate } = await import('../../demo/index.ts')
      const seed = input.option('seed') ?? randomBytes(4).toString('hex')
      const stop = new AbortController()
      const onSignal = () => stop.abort()
      // once: the second Ctrl-C ends the process immediately
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, onSignal)
      const bar = process.stderr.isTTY && !input.json
      try {
        return await withScene(input, seed, async scene => {
          const onProgress = (state: SimulationResult) => void (bar && process.stderr.write(`\r\x1b[K${lineOf(state)}`))
          const state = await simulate(scene, { perSecond, seconds, signal: stop.signal, onProgress })
          if (bar) process.stderr.write('\n')
          return report(state, seed)
        })
      } finally {
        for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, onSignal)
      }
    },
  },
]

/** Everything an operation needs, in the workspace that was named, or in the demo's. */
async function withScene(
  input: VerbInput,
  seed: string,
  work: (scene: DemoScene) => Promise<VerbOutput>,
): Promise<VerbOutput> {
  return withStore(input, async store => {
    const { db, keyring } = store
    const { Scene, seeded, demoWorkspace } = await import('../../demo/index.ts')
    const named = input.option('workspace')
    if (named !== undefined) await requireWorkspace(db, named)
    const demo = await demoWorkspace(db, keyring)
    const workspace = named ?? demo
    if (workspace === undefined) throw new UserError('there is no demo workspace; choose a workspace with --workspace')
    return withActivityNeeds(store, input.config(), async needs => {
      const random = seeded(seed)
      const isDemo = workspace === demo
      const onlyJob = input.option('job')
      // elsewhere nothing is added to jobs that the run did not make
      if (onlyJob !== undefined && !isDemo) throw new UserError('--job works in the demo workspace alone')
      const scene = new Scene({ ...needs, workspace, isDemo, onlyJob, random, subject: seed })
      if (onlyJob !== undefined && (await scene.openJobs()).length === 0)
        throw new UserError(`${onlyJob} is not a published job of the workspace that takes applications`)
      return work(scene)
    })
  })
}

function rateOf(text = '1'): number {
  const number = Number(/^(\d+(?:\.\d+)?)(?:\/s)?$/.exec(text)?.[1])
  if (!(number > 0 && number <= MAX_PER_SECOND))
    throw new UserError(`--rate must be a number above 0 and up to ${MAX_PER_SECOND}, such as 5 or 0.5/s`)
  return number
}

function secondsOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,7}$/.test(text) || Number(text) === 0) throw new UserError('--seconds must be a whole number above 0')
  return Number(text)
}

const MAX_SHOWN = 4
const byCount = (counts: SimulationResult['counts']) => Object.entries(counts).toSorted(([, a], [, b]) => b - a)

function lineOf({ operations, seconds, counts }: SimulationResult): string {
  const most = byCount(counts).slice(0, MAX_SHOWN)
  return `${operations} operations, ${(operations / seconds).toFixed(1)}/s: ${most.map(([what, n]) => `${n} ${what}`).join(', ')} …`
}

function report(state: SimulationResult, seed: string): VerbOutput {
  const { operations, refused, counts, seconds } = state
  const rows = byCount(counts).map(([what, n]) => [what, String(n)])
  const end = `${operations} operations in ${seconds.toFixed(1)} s (seed ${seed}${refused > 0 ? `, ${refused} refused` : ''})`
  return {
    json: { seed, operations, refused, seconds, counts },
    text: [...(rows.length > 0 ? [table(rows)] : []), end].join('\n'),
  }
}
