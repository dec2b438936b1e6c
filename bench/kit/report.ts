import os from 'node:os'
import type { Measurement } from './environment.ts'
import { type Memory, median, type Results, rate, type Series } from './measure.ts'
import type { Scenario, ServerKind } from './scenario.ts'

const BASELINE: ServerKind = 'fastify'
/** Above this share of its time the load generator itself may be what is measured. */
const LOADER_BUSY = 0.7
/** More than this in a heap after a collection is not noise. */
const GROWTH_MB = 4

/** The tables of a run: ratios first. Each ratio is the median of the ratios inside the rounds. */
export function report({ series, memory }: Results): string {
  return [ratios(series), bySize(series), memoryTable(memory), absolutes(series), remarks(series)]
    .filter(part => part !== '')
    .join('\n\n')
}

export function heading(command: string, rounds: number, seconds: number): string {
  const cpus = os.cpus()
  return [
    '# Measured figures',
    '',
    `Made by \`${command}\` on ${new Date().toISOString().slice(0, 10)}: Node ${process.versions.node}, ${cpus.length} cores (${cpus[0]?.model.trim() ?? 'unknown'}) shared by server, PostgreSQL and load generator; ${rounds} rounds of ${seconds} s for each figure, the servers taking turns.`,
    '',
    'Servers: `http` is a bare `node:http` handler, `fastify` is bare Fastify; both run the same SQL through `pg` (pool of 10, named statements) and reply with `JSON.stringify`. `service` is this service with authentication, limits, quota, headers and workers on. What counts are the ratios; absolute figures belong to one machine.',
  ].join('\n')
}

interface Compared {
  ratio: number
  text: string
}

/** Round by round, `of` against `to`, and how far the rounds lie apart. */
function compare(of: Series, to: Series, figure: (sample: Measurement) => number): Compared {
  const all = of.samples.map((sample, i) => figure(sample) / figure(to.samples[i]!))
  const ratio = median(all)
  const [low, high] = [Math.min(...all), Math.max(...all)]
  return { ratio, text: `**${ratio.toFixed(2)}** (${low.toFixed(2)} to ${high.toFixed(2)})` }
}

const cpuOf = ({ cpu }: Measurement) => cpu.server + (cpu.database ?? 0)

function ratios(series: Series[]): string {
  const lines: string[][] = []
  for (const own of series.filter(s => s.kind === 'service')) {
    const same = (kind: ServerKind) =>
      series.find(s => s.row === own.row && s.connections === own.connections && s.kind === kind)
    const baseline = same(BASELINE)
    if (!baseline) continue
    const http = same('http')
    lines.push([
      own.row.name,
      String(own.connections),
      compare(own, baseline, rate).text,
      compare(own, baseline, s => s.p50Ms).text,
      compare(own, baseline, s => s.p99Ms).text,
      own.samples.every(x => x.cpu.database !== undefined) ? compare(own, baseline, cpuOf).text : '',
      http ? compare(http, baseline, rate).ratio.toFixed(2) : '',
    ])
  }
  if (lines.length === 0) return ''
  const head = [
    'row',
    'connections',
    'service : fastify, requests/s',
    'p50',
    'p99',
    'CPU of server and PostgreSQL',
    'http : fastify, requests/s',
  ]
  return `## Ratios to bare Fastify\n\nMore requests per second, less latency and less CPU is better. In brackets: lowest and highest round.\n\n${table(head, lines)}`
}

function bySize(series: Series[]): string {
  const grouped = Map.groupBy(
    series.filter(s => s.row.group !== undefined),
    s => s.row.group!,
  )
  const parts = [...grouped].map(([group, members]) => {
    const rows = [...new Set(members.map(s => s.row))]
    const timeOf = (row: Scenario, kind: ServerKind) => {
      const of = members.find(s => s.row === row && s.kind === kind)
      const to = members.find(s => s.row === rows[0] && s.kind === kind)
      return of && to ? compare(of, to, s => 1 / rate(s)).text : ''
    }
    const lines = rows.map(row => [row.name, timeOf(row, 'service'), timeOf(row, BASELINE)])
    return `## ${group[0]!.toUpperCase()}${group.slice(1)}\n\nTime of one request, as a multiple of the first line's.\n\n${table(['row', 'service', 'fastify'], lines)}`
  })
  return parts.join('\n\n')
}

function memoryTable(memory: Memory[]): string {
  if (memory.length === 0) return ''
  const lines = memory.map(({ row, requests, rssMb, heapMb }) => [
    row.name,
    String(requests),
    `**${(rssMb.after / rssMb.before).toFixed(2)}**`,
    [rssMb.before, rssMb.after, rssMb.highest].map(mb => mb.toFixed(0)).join(', '),
    [heapMb.before, heapMb.after].map(mb => mb.toFixed(1)).join(', '),
    heapMb.after - heapMb.before < GROWTH_MB ? 'flat' : 'grows',
  ])
  const head = [
    'row',
    'requests',
    'RSS after : before',
    'RSS before, after, highest (MB)',
    'heap before, after (MB)',
    '',
  ]
  return `## Memory of the service\n\nAfter warming up. Both are taken after a garbage collection.\n\n${table(head, lines)}`
}

function absolutes(series: Series[]): string {
  const of = (s: Series, figure: (sample: Measurement) => number) => median(s.samples.map(figure))
  const lines = series.map(s => [
    s.row.name,
    String(s.connections),
    s.kind,
    of(s, rate).toFixed(0),
    of(s, x => x.p50Ms).toFixed(2),
    of(s, x => x.p99Ms).toFixed(2),
    of(s, x => x.cpu.server).toFixed(0),
    of(s, x => x.gc).toFixed(0),
    s.samples[0]?.cpu.database === undefined ? '' : of(s, x => x.cpu.database ?? 0).toFixed(0),
    of(s, x => x.cpu.loader).toFixed(0),
    `${(of(s, x => x.busy) * 100).toFixed(0)} %`,
  ])
  if (lines.length === 0) return ''
  const head = [
    'row',
    'connections',
    'server',
    'requests/s',
    'p50 ms',
    'p99 ms',
    'CPU of the server',
    'stopped for GC',
    'of PostgreSQL',
    'of the loader',
    'loader busy',
  ]
  return `## Absolute figures, as background\n\nMedians of the rounds. CPU and pauses in microseconds for one request.\n\n${table(head, lines)}`
}

function remarks(series: Series[]): string {
  const lines: string[] = []
  const others = series.flatMap(s => s.samples.map(x => x.others))
  if (others.length > 0) {
    const [usual, most] = [median(others), Math.max(...others)].map(share => `${(share * 100).toFixed(0)} %`)
    lines.push(`Other work on the machine during the run, the system's own included: ${usual} of it, at most ${most}.`)
  }
  const busy = series.filter(s => median(s.samples.map(x => x.busy)) > LOADER_BUSY)
  if (busy.length > 0) {
    const names = busy.map(s => `${s.row.name} (${s.kind}, ${s.connections})`)
    lines.push(`The load generator was busy above ${LOADER_BUSY * 100} % and may have limited: ${names.join('; ')}.`)
  }
  return lines.join(' ')
}

/** Markdown that also reads well as plain text. */
function table(head: string[], lines: string[][]): string {
  const widths = head.map((title, i) => Math.max(title.length, 3, ...lines.map(line => line[i]!.length)))
  const line = (cells: string[]) => `| ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`
  return [line(head), line(widths.map(width => '-'.repeat(width))), ...lines.map(line)].join('\n')
}
