// The start is stopped or killed at many moments: nothing that it started may survive it, and the next start works.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { FOR_SPEED, hiring, startProcess, temporaryFolder } from '../harness/process.ts'

const PROGRAM = join(import.meta.dirname, '../../bin/hiring.js')
const MOMENTS = 20
const SIGNALS = ['SIGTERM', 'SIGKILL', 'SIGINT'] as const
/** A server that must end a session in order has this long; all others end immediately. */
const END_MS = 30_000

const prepared = temporaryFolder()
/** The time of a start in one process and in several, in milliseconds. */
const times = { '1': 0, '2': 0 }

before(async () => {
  // the first creates the database and the console, so that the second is like all that follow
  for (const PROCESSES of ['1', '1', '2'] as const) {
    const beganAt = performance.now()
    const service = await startProcess({ DATA_DIR: prepared, DEMO: 'off', PROCESSES })
    times[PROCESSES] = performance.now() - beganAt
    service.child.kill('SIGTERM')
    assert.equal((await service.ended).code, 0)
  }
})

/** Text of a file in /proc; empty if the process has just ended. */
function read(path: string, readText: (path: string) => string): string {
  try {
    return readText(path)
  } catch {
    return ''
  }
}

/** Command lines of the processes that have this folder in their command, their environment or as theirs. */
function processesOf(folder: string): string[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap(pid => {
      const text = (name: string) => read(`/proc/${pid}/${name}`, path => readFileSync(path, 'utf8'))
      const command = text('cmdline').replaceAll('\0', ' ')
      const cwd = read(`/proc/${pid}/cwd`, readlinkSync)
      return [command, text('environ'), cwd].some(part => part.includes(folder)) ? [`${pid} ${command}`] : []
    })
}

async function nothingLeft(folder: string, when: string): Promise<void> {
  const deadline = performance.now() + END_MS
  for (let left = processesOf(folder); left.length > 0; left = processesOf(folder)) {
    assert.ok(performance.now() < deadline, `${when}: ${left.join('\n')}`)
    await delay(20)
  }
}

function start(command: readonly string[], env: Record<string, string>): ChildProcess {
  const [file, ...args] = command
  return spawn(file!, args, {
    cwd: tmpdir(),
    env: {
      PATH: process.env['PATH'],
      HOME: tmpdir(),
      LOG_LEVEL: 'error',
      PORT: '0',
      DEMO: 'off',
      ...FOR_SPEED,
      ...env,
    },
    stdio: 'ignore',
  })
}

const service = [process.execPath, PROGRAM, 'start']

/** Starts, sends the signal after this time, and waits until nothing is left. */
async function interrupt(
  command: readonly string[],
  env: { DATA_DIR: string } & Record<string, string>,
  signal: NodeJS.Signals,
  afterMs: number,
): Promise<void> {
  const child = start(command, env)
  const ended = once(child, 'exit')
  await delay(afterMs)
  child.kill(signal)
  const [code, by] = await ended
  const when = `${signal} after ${Math.round(afterMs)} ms (${code ?? by})`
  // before the program listens to signals it ends by them, as any program does
  assert.ok(code === 0 || by === signal, when)
  await nothingLeft(env.DATA_DIR, when)
}

for (const PROCESSES of ['1', '2'] as const) {
  const words = PROCESSES === '1' ? 'one process' : 'several processes'
  test(`start in ${words}: stopped or killed at ${MOMENTS} moments, nothing survives and the next start works`, {
    timeout: 600_000,
  }, async () => {
    for (let moment = 0; moment < MOMENTS; moment++) {
      const signal = SIGNALS[moment % SIGNALS.length]!
      // the last moments are those of a service that has just started
      const afterMs = (times[PROCESSES] * 1.1 * moment) / (MOMENTS - 1)
      await interrupt(service, { DATA_DIR: prepared, PROCESSES }, signal, afterMs)
    }
    const { code, stderr } = await hiring(['workspaces', 'list'], { DATA_DIR: prepared })
    assert.equal(code, 0, stderr)
    await nothingLeft(prepared, 'after a command')
  })
}

test('first start: stopped or killed while the database is created, nothing survives and the next start works', {
  timeout: 300_000,
}, async () => {
  const DATA_DIR = temporaryFolder()
  for (const [i, signal] of SIGNALS.entries()) {
    await interrupt(service, { DATA_DIR, PROCESSES: '1' }, signal, times['1'] * (0.3 + i * 0.3))
  }
  const { code, stderr } = await hiring(['workspaces', 'list'], { DATA_DIR })
  assert.equal(code, 0, stderr)
})

test('start by npm: the service ends when the shell that npm signals has ended, or was killed', {
  timeout: 300_000,
}, async () => {
  for (const PROCESSES of ['1', '2'] as const) {
    for (const [i, signal] of (['SIGTERM', 'SIGKILL'] as const).entries()) {
      // as npm does: a shell that stays the parent
      const command = ['sh', '-c', `"$0" "$@"; exit $?`, ...service]
      const env = { DATA_DIR: prepared, PROCESSES, npm_command: 'run' }
      await interrupt(command, env, signal, times[PROCESSES] * (0.5 + i * 0.6))
    }
  }
})

test('start in several processes: one that fails leaves none of them, nor its database', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as { port: number }
  const env = { DATA_DIR: prepared, PROCESSES: '2', DEMO: 'off' }
  for (const [name, value] of [
    ['PORT', { ...env, PORT: String(port) }],
    ['METRICS_PORT', { ...env, PORT: '0', METRICS_PORT: String(port) }],
  ] as const) {
    const { code, stderr } = await hiring(['start'], value)
    assert.equal(code, 1)
    assert.match(stderr, /EADDRINUSE/, name)
    await nothingLeft(prepared, `${name} is in use`)
  }
  taken.close()
})
