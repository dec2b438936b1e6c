// Starts the program so that a test can interrupt it, and finds what is left of it.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { atFileEnd } from '../harness/file-end.ts'
import { FOR_SPEED } from '../harness/process.ts'

export const ROOT = join(import.meta.dirname, '../..')
export const SERVICE = [process.execPath, join(ROOT, 'bin/hiring.js'), 'start', '--json']
/** An embedded server that must end a session in order has this long; everything else ends immediately. */
const END_MS = 60_000
/** A start that has not come to its moment by then never does. */
const REACH_MS = 120_000
const POLL_MS = 5

/** The process groups of all starts. What is left of one, after a test that failed, ends with the file. */
const groups: number[] = []
atFileEnd(() => {
  for (const group of groups) {
    try {
      process.kill(-group, 'SIGKILL')
    } catch {
      // nothing is left of it
    }
  }
})

export type Settings = { DATA_DIR: string } & Record<string, string>

export interface Interruptible {
  /** the leader of a session, to which everything that it starts belongs, except the embedded server */
  child: ChildProcess
  dataDir: string
  /** what it has printed */
  output(): { stdout: string; stderr: string }
  ended: Promise<[code: number | null, signal: NodeJS.Signals | null]>
}

export function startInterruptible(command: readonly string[], env: Settings, cwd = tmpdir()): Interruptible {
  const [file, ...args] = command
  const child = spawn(file!, args, {
    cwd,
    detached: true,
    env: {
      PATH: process.env['PATH'],
      HOME: tmpdir(),
      LOG_LEVEL: 'error',
      PORT: '0',
      DEMO: 'off',
      // a machine that runs several of these starts in parallel is slow
      DATABASE_WAIT_SECONDS: '60',
      ...FOR_SPEED,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  groups.push(child.pid!)
  let stdout = ''
  let stderr = ''
  child.stdout!.on('data', chunk => (stdout += chunk))
  child.stderr!.on('data', chunk => (stderr += chunk))
  return {
    child,
    dataDir: env.DATA_DIR,
    output: () => ({ stdout, stderr }),
    ended: once(child, 'exit') as Interruptible['ended'],
  }
}

/** Waits until this is so. A start that ends before has failed. */
export async function reach({ child, output }: Interruptible, moment: string, isReached: () => boolean): Promise<void> {
  for (const deadline = performance.now() + REACH_MS; !isReached(); ) {
    assert.ok(performance.now() < deadline, `not reached: ${moment}`)
    const outcome = child.exitCode ?? child.signalCode
    assert.equal(outcome, null, `ended with ${outcome} before: ${moment}\n${output().stderr}`)
    await delay(POLL_MS)
  }
}

export const isReady = ({ output }: Interruptible): boolean => output().stdout.includes('"base_url"')

/** Sends the signal, waits for the end and until nothing is left. */
export async function interrupt(started: Interruptible, signal: NodeJS.Signals, moment: string): Promise<void> {
  started.child.kill(signal)
  const [code, by] = await started.ended
  const when = `${signal} at: ${moment} (${code ?? by})`
  // before the program listens to signals it ends by them, as any program does
  assert.ok(code === 0 || by === signal, `${when}\n${started.output().stderr}`)
  await nothingLeft(started, when)
}

export async function nothingLeft({ child, dataDir }: Interruptible, when: string): Promise<void> {
  const deadline = performance.now() + END_MS
  for (let left = processesOf(child.pid!, dataDir); left.length > 0; left = processesOf(child.pid!, dataDir)) {
    assert.ok(performance.now() < deadline, `${when}: ${left.join('\n')}`)
    await delay(POLL_MS * 4)
  }
}

/** Starts to the end and stops in order. */
export async function startAndStop(env: Settings): Promise<void> {
  const started = startInterruptible(SERVICE, env)
  await reach(started, 'ready', () => isReady(started))
  await interrupt(started, 'SIGTERM', 'ready')
}

/** CPU seconds of a process and of those that it started itself. */
export function cpuSeconds(pid: number): number {
  const children = read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean)
  const ticks = [String(pid), ...children].map(one => {
    const fields = statFields(one)
    return Number(fields[11] ?? 0) + Number(fields[12] ?? 0)
  })
  return ticks.reduce((sum, one) => sum + one, 0) / 100
}

/** Command lines of the processes of this session, and of those that have this folder in their command or as theirs. */
function processesOf(session: number, folder: string): string[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap(pid => {
      const fields = statFields(pid)
      if (fields.length === 0 || fields[0] === 'Z') return []
      const command = read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')
      const isOurs = fields[3] === String(session) || command.includes(folder) || linked(pid).includes(folder)
      return isOurs ? [`${pid} ${command}`] : []
    })
}

/** Behind the name, which may hold anything: state, parent, group, session … The numbers are those of proc(5) minus 3. */
const statFields = (pid: string): string[] =>
  read(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ')
    .filter(Boolean)

/** Text of a file in /proc; empty if the process has just ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function linked(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return ''
  }
}
