// The group of processes with small programs in place of the service: what it does when they end, or cannot be made.

import assert from 'node:assert/strict'
import cluster from 'node:cluster'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readConfig } from '../../src/kernel/config/config.ts'
import { serveMetrics } from '../../src/kernel/http/metrics-server.ts'
import { ProcessGroup } from '../../src/kernel/processes/group.ts'
import { groupReadiness } from '../../src/kernel/processes/group-readiness.ts'
import { createLog } from '../../src/kernel/telemetry/log.ts'
import { until } from '../harness/receiver.ts'

const PROGRAM = join(import.meta.dirname, 'fixtures/group-member.ts')
// those of the test runner are none of theirs
cluster.setupPrimary({ execArgv: [] })

interface Line {
  msg: string
  member: string
  outcome?: number | string
}

/** A group of these processes. `env` is what the next process gets; `heard` is called with each line of the log. */
async function startGroup(...names: string[]) {
  const state = { env: {} as Record<string, string>, heard: (_line: Line) => {}, lines: [] as Line[], port: 0 }
  const log = createLog('debug', {
    write(text: string) {
      const line = JSON.parse(text) as Line
      state.lines.push(line)
      state.heard(line)
    },
  })
  const group = new ProcessGroup({ program: PROGRAM, args: [], env: () => state.env, shutdownSeconds: 5, log })
  running.push(group)
  for (const name of names) {
    const { port } = await group.start({ name, role: name.startsWith('api') ? 'api' : 'worker' })
    state.port = port!
  }
  return { group, state }
}

const running: ProcessGroup[] = []
after(async () => {
  for (const group of running) await group.stop()
})

/** The names of the processes that reply. */
const replying = async (group: ProcessGroup) =>
  (await group.ask('readiness')).filter(({ reply }) => reply).map(({ name }) => name)

const kill = (group: ProcessGroup, name: string): number => {
  const pid = group.pids()[name]!
  process.kill(pid, 'SIGKILL')
  return pid
}

/** Until another process has the place of this one and replies. */
const replaced = (group: ProcessGroup, name: string, earlier: number) =>
  until(
    `${name} is started again`,
    async () => group.pids()[name] !== earlier && (await replying(group)).includes(name),
  )

test('SIGHUP while a process waits to be restarted: one process takes its place, not two', async () => {
  let forks = 0
  const count = () => forks++
  cluster.on('fork', count)
  const { group, state } = await startGroup('api-1')
  let replacing: Promise<void> | undefined
  // said before the wait begins
  state.heard = ({ msg }) => {
    if (msg === 'process ended, restarting') replacing ??= group.replaceAll()
  }
  kill(group, 'api-1')
  await until('the end of the process is seen', async () => replacing !== undefined)
  await replacing
  assert.deepEqual(await replying(group), ['api-1'])
  assert.equal(state.lines.at(-1)!.msg, 'every process was replaced')
  // that the second ends is seen after the wait for the first
  await replaced(group, 'api-1', kill(group, 'api-1'))
  assert.equal(forks, 3)
  cluster.off('fork', count)
  await group.stop()
})

test('a process that cannot be made: tried again until it can, SIGHUP replaces none, and the others reply', async () => {
  const { group, state } = await startGroup('api-1', 'api-2')
  const failedWith = (outcome: string) =>
    until(`a fork fails with ${outcome}`, async () => state.lines.some(line => line.outcome === outcome))
  const kept = group.pids()['api-2']
  // reported as an event
  cluster.setupPrimary({ cwd: join(import.meta.dirname, 'no-such-folder') })
  const killed = kill(group, 'api-1')
  await failedWith('ENOENT')
  assert.deepEqual(await replying(group), ['api-2'])
  await group.replaceAll()
  assert.equal(state.lines.at(-1)!.msg, 'the new process did not start; the others keep running as they are')
  // thrown
  cluster.setupPrimary({ cwd: import.meta.dirname })
  state.env = { TOO_LONG: 'x'.repeat(4_000_000) }
  await failedWith('E2BIG')
  await group.replaceAll()
  assert.deepEqual([group.pids()['api-2'], await replying(group)], [kept, ['api-2']])
  state.env = {}
  await replaced(group, 'api-1', killed)
  await group.stop()
})

/** A connection that stays open, and what is returned on it; undefined if it was closed instead. */
async function open(port: number): Promise<{ socket: Socket; pid: string } | undefined> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {}) // a reset is a way to close it
  socket.write('GET / HTTP/1.1\r\nHost: group\r\n\r\n')
  const text = await new Promise<string | undefined>(resolve => {
    socket.on('data', chunk => resolve(String(chunk)))
    socket.on('close', () => resolve(undefined))
  })
  return text === undefined ? undefined : { socket, pid: text.split('\r\n\r\n')[1]! }
}

test('more connections than all processes have: each takes the place of an idle one of the process that gets it', async () => {
  const { group, state } = await startGroup('api-1', 'api-2')
  const held = [await open(state.port), await open(state.port)]
  const pids = Object.values(group.pids()).map(String).toSorted()
  assert.deepEqual(held.map(connection => connection?.pid).toSorted(), pids)
  for (let i = 0; i < 4; i++) held.push(await open(state.port))
  const isOpen = (connection: (typeof held)[number]) => connection?.socket.destroyed === false
  await until('the others are closed', async () => held.filter(isOpen).length === 2)
  assert.deepEqual(
    held
      .filter(isOpen)
      .map(connection => connection?.pid)
      .toSorted(),
    pids,
  )
  for (const connection of held) connection?.socket.destroy()
  await group.stop()
})

test('/readyz of a group: 200 while a process that serves requests is ready; it names what fails and that one does not reply', async () => {
  const { group, state } = await startGroup('api-1', 'api-2', 'worker-1')
  const silent = createLog('silent')
  const metrics = { contentType: 'text/plain', text: async () => '' }
  const config = readConfig({ METRICS_PORT: '0' })
  const server = await serveMetrics({ config, log: silent, publicUrl: '', metrics }, groupReadiness(group))
  const readyz = async () => {
    const response = await fetch(`http://127.0.0.1:${server.port}/readyz`)
    return [response.status, await response.json()]
  }
  const checks = { processes: 'ok', database: 'ok', mail: 'ok' }
  assert.deepEqual(await readyz(), [200, { status: 'ready', checks }])

  state.env = { MODE: 'not ready' }
  await replaced(group, 'api-2', kill(group, 'api-2'))
  assert.deepEqual(await readyz(), [200, { status: 'ready', checks: { ...checks, database: 'failing' } }])

  state.env = { MODE: 'fails' }
  const ends = () => state.lines.filter(line => line.member === 'api-1' && line.outcome === 3).length
  kill(group, 'api-1')
  await until('its successor ends as well', async () => ends() > 0)
  const failing = { processes: 'failing', database: 'failing', mail: 'ok' }
  assert.deepEqual(await readyz(), [503, { status: 'not ready', checks: failing }], 'the worker is ready')
  await server.close()
  await group.stop()
})

test('/readyz of a group without the role api: 200 while one of its processes is ready', async () => {
  const { group, state } = await startGroup('worker-1', 'worker-2')
  const { report } = groupReadiness(group)
  state.env = { MODE: 'not ready' }
  await replaced(group, 'worker-1', kill(group, 'worker-1'))
  assert.equal((await report()).ready, true)
  await replaced(group, 'worker-2', kill(group, 'worker-2'))
  assert.deepEqual(await report(), { ready: false, checks: { processes: 'ok', database: 'failing', mail: 'ok' } })
  await group.stop()
})
