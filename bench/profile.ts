import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { BenchEnvironment } from './kit/environment.ts'
import { type Scenario, SERVER_KINDS, type ServerKind } from './kit/scenario.ts'
import { allScenarios } from './kit/scenarios.ts'
import { usingAsync } from './kit/using-async.ts'

const HELP = `Shows where the time of a request goes: the functions with the most time of their own.

  node bench/profile.ts [ROW] [options]

  ROW              the first row whose name contains this text (workspaces list)
  --server KIND    service (default), fastify or http
  --connections N  callers at a time (32)
  --seconds N      length of the measurement (6)
  --top N          functions shown (40)
  --out FILE       keep the profile, for the developer tools of a browser
  --help           this text

Sampled by V8's profiler in the server's process, after warming up.`

interface Profile {
  nodes: { id: number; callFrame: Frame; children?: number[] }[]
  samples: number[]
  timeDeltas: number[]
}
interface Frame {
  functionName: string
  url: string
  lineNumber: number
}

const ROOT = join(import.meta.dirname, '..')
const WARM_UP_SECONDS = 3

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    server: { type: 'string', default: 'service' },
    connections: { type: 'string', default: '32' },
    seconds: { type: 'string', default: '6' },
    top: { type: 'string', default: '40' },
    out: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
const wanted = positionals[0] ?? 'workspaces list'
const kind = SERVER_KINDS.find(name => name === values.server)
const found = (await allScenarios()).find(r => r.name.includes(wanted))
if (values.help) console.log(HELP)
else if (!kind || !found) {
  console.error(kind ? `no row is called like ${wanted}` : `--server must be one of ${SERVER_KINDS.join(', ')}`)
  process.exitCode = 2
} else await usingAsync(BenchEnvironment.open(), stage => profile(stage, found, kind))

async function profile(stage: BenchEnvironment, row: Scenario, server: ServerKind): Promise<void> {
  const contender = (await stage.enter([{ ...row, servers: [server] }]))[0]!
  const connections = Number(values.connections)
  await stage.send(contender, { connections, seconds: WARM_UP_SECONDS })
  await contender.server.ask({ do: 'startProfile' })
  const sample = await stage.send(contender, { connections, seconds: Number(values.seconds) })
  const file = values.out ?? join(stage.folder, 'server.cpuprofile')
  await contender.server.ask({ do: 'writeProfile', file })
  show(row, server, sample.requests, JSON.parse(readFileSync(file, 'utf8')) as Profile)
}

function show(row: Scenario, server: ServerKind, requests: number, { nodes, samples, timeDeltas }: Profile): void {
  const byId = new Map(nodes.map(node => [node.id, node]))
  const byFunction = new Map<string, number>()
  const byPlace = new Map<string, number>()
  const add = (to: Map<string, number>, name: string, time: number) => to.set(name, (to.get(name) ?? 0) + time)
  let idle = 0
  let total = 0
  for (const [i, id] of samples.entries()) {
    const frame = byId.get(id)!.callFrame
    const time = timeDeltas[i]!
    total += time
    if (frame.functionName === '(idle)') idle += time
    else {
      add(byFunction, `${frame.functionName || '(anonymous)'}  ${place(frame)}`, time)
      add(byPlace, part(frame), time)
    }
  }
  const busy = total - idle
  console.log(`${row.name}, ${server}: ${requests} requests, ${((busy / total) * 100).toFixed(0)} % of the time busy`)
  for (const [title, times, top] of [
    ['by part', byPlace, 25],
    ['by function', byFunction, Number(values.top)],
  ] as const) {
    console.log(`\n${title}: time of its own, microseconds for one request, share of the busy time`)
    const sorted = [...times].sort(([, a], [, b]) => b - a).slice(0, top)
    for (const [name, time] of sorted) {
      console.log(
        `${(time / requests).toFixed(1).padStart(8)}  ${((time / busy) * 100).toFixed(1).padStart(5)} %  ${name}`,
      )
    }
  }
}

function pathOf(url: string): string {
  return url.startsWith('file:') ? relative(ROOT, fileURLToPath(url)) : url
}

function place({ url, lineNumber }: Frame): string {
  return url === '' ? '' : `${pathOf(url)}:${lineNumber + 1}`
}

/** `node:http`, `pg-protocol`, `src/kernel/http/present.ts`, or what V8 names in brackets */
function part({ url, functionName }: Frame): string {
  if (url === '') return functionName.startsWith('(') ? functionName : 'built in'
  const path = pathOf(url)
  const inPackage = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]
  if (inPackage) return inPackage
  return path.startsWith('node:') ? path.split('/').slice(0, 2).join('/') : path
}
