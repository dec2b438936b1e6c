import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { readConfig } from '../../src/kernel/config/config.ts'
import { openEmbedded } from '../../src/kernel/embedded-postgres/embedded.ts'
import { needsGroup, planProcesses } from '../../src/kernel/processes/plan.ts'
import { createKey } from '../../src/resources/keys/index.ts'
import { changeLimits, createWorkspace } from '../../src/resources/workspaces/index.ts'
import { freePort } from '../harness/free-port.ts'
import { openDatabase } from '../harness/postgres.ts'
import { hiring, isAlive, type Started, startProcess, temporaryFolder } from '../harness/process.ts'

const DATA_DIR = temporaryFolder()
let group: Started
let metricsUrl: string
let start: () => Promise<Started>

before(async () => {
  const METRICS_PORT = String(await freePort())
  metricsUrl = `http://127.0.0.1:${METRICS_PORT}`
  start = () => startProcess({ DATA_DIR, DEMO: 'on', PROCESSES: '2', METRICS_PORT, LOG_LEVEL: 'silent' })
  group = await start()
})

/** A call on a connection of its own: the status. */
const call = (path: string, key: string | null): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, connection: 'close' }
    request(group.baseUrl + path, { agent: false, headers }, response => {
      response.resume()
      response.on('end', () => resolve(response.statusCode!))
    })
      .on('error', reject)
      .end()
  })

const calls = (count: number, path: string, key: string | null): Promise<number[]> =>
  Promise.all(Array.from({ length: count }, () => call(path, key)))

const verb = async <T>(...args: string[]): Promise<T> => {
  const { code, stdout, stderr } = await hiring([...args, '--json'], { DATA_DIR, PROCESSES: '2' })
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout) as T
}

async function metrics(): Promise<string> {
  return (await fetch(`${metricsUrl}/metrics`)).text()
}

/** The processes of the group, once all of them reply. */
async function members(): Promise<number[]> {
  const { checks } = (await (await fetch(`${metricsUrl}/readyz`)).json()) as { checks: Record<string, string> }
  if (checks['processes'] !== 'ok') return []
  const listed = execFileSync('ps', ['-o', 'pid=', '--ppid', String(group.pid)], { encoding: 'utf8' })
  return listed.trim().split(/\s+/).map(Number)
}

async function until<T>(read: () => Promise<T>, holds: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read()
    if (holds(value)) return value
    await delay(50)
  }
}

test('plan: one process for the demo, memory limits or a core; else as many as asked for, fewer if connections are few', () => {
  const plan = (env: Record<string, string>, most?: number) => {
    const config = readConfig(env)
    return needsGroup(config) ? planProcesses(config, most).map(({ name }) => name) : 'one process'
  }
  const DATABASE_URL = 'postgres://localhost/hiring'
  assert.equal(plan({}), 'one process')
  assert.equal(plan({ DATABASE_URL, LIMITER: 'memory' }), 'one process')
  assert.equal(plan({ DATABASE_URL, PROCESSES: '1' }), 'one process')
  assert.equal(plan({ DATABASE_URL, PROCESSES: '4', ROLES: 'worker' }), 'one process')
  assert.deepEqual(plan({ PROCESSES: '2' }), ['api-1', 'api-2', 'worker-1'])
  assert.deepEqual(plan({ PROCESSES: '2', ROLES: 'api' }), ['api-1', 'api-2'])
  assert.deepEqual(plan({ DATABASE_URL, WORKER_PROCESSES: '2', ROLES: 'worker' }), ['worker-1', 'worker-2'])
  assert.deepEqual(plan({ PROCESSES: '8', WORKER_PROCESSES: '2' }, 4), ['api-1', 'api-2', 'worker-1', 'worker-2'])
  assert.deepEqual(plan({ PROCESSES: '8' }, 1), ['api-1', 'worker-1'])
  assert.equal(readConfig({ PROCESSES: '2' }).limiter, 'postgres')
  assert.throws(() => readConfig({ PROCESSES: '2', LIMITER: 'memory' }), /LIMITER=memory needs PROCESSES=1/)
  assert.throws(() => readConfig({ PROCESSES: '0' }), /PROCESSES must be a whole number from 1 to 64/)
})

test('several processes: connections are divided, limits and a revocation are exact over all of them', async () => {
  const { id: workspace } = await verb<{ id: string }>('workspaces', 'create', '--name', 'Several')
  const key = await verb<{ id: string; secret: string }>(
    ...['keys', 'create', '--workspace', workspace, '--scopes', 'workspaces:read'],
  )
  const statuses = (await calls(80, '/workspaces', key.secret)).toSorted()
  assert.deepEqual(statuses, [...Array(60).fill(200), ...Array(20).fill(429)])

  const text = await metrics()
  const served = (name: string) =>
    [...text.matchAll(new RegExp(`^hiring_http_requests_total\\{[^}]*process="${name}"\\} (\\d+)$`, 'gm'))]
      .map(([, count]) => Number(count))
      .reduce((sum, count) => sum + count, 0)
  assert.equal(served('api-1') + served('api-2'), 80)
  assert.ok(served('api-1') > 0 && served('api-2') > 0, `${served('api-1')} and ${served('api-2')} requests`)
  assert.match(text, /^hiring_build_info\{.*process="worker-1"\} 1$/m)

  const revoked = await verb<{ id: string; secret: string }>(
    ...['keys', 'create', '--workspace', workspace, '--scopes', 'workspaces:read'],
  )
  assert.deepEqual([...new Set(await calls(8, '/workspaces', revoked.secret))], [200])
  await verb('keys', 'revoke', revoked.id)
  assert.deepEqual([...new Set(await calls(8, '/workspaces', revoked.secret))], [401])
})

test('several processes: a figure that no process knows is NaN over all of them, not 0, which would be an alert', async () => {
  const expiries = [...(await metrics()).matchAll(/^hiring_certificate_expiry_timestamp_seconds\{.*\} (.*)$/gm)]
  assert.deepEqual(
    expiries.map(([, value]) => value?.toLowerCase()),
    ['nan', 'nan', 'nan'],
  )
})

test('several processes: the monthly quota of a workspace is exact over all of them', async () => {
  const server = await openEmbedded({ directory: join(DATA_DIR, 'postgres') })
  const db = openDatabase(server.connection, 2)
  const { id: workspace } = await createWorkspace(db, { name: 'Quota', plan: 'none' })
  await changeLimits(db, workspace, { set: { requests_per_month: '10', general_per_minute: '1000' }, reset: [] })
  const { secret } = await createKey(db, { workspace, scopes: ['workspaces:read'] })
  const statuses = (await calls(40, '/workspaces', secret)).toSorted()
  assert.deepEqual(statuses, [...Array(10).fill(200), ...Array(30).fill(429)])
  await changeLimits(db, workspace, { set: { requests_per_month: '15' }, reset: [] })
  const further = (await calls(20, '/workspaces', secret)).toSorted()
  assert.deepEqual(further, [...Array(5).fill(200), ...Array(15).fill(429)])
  await db.close()
  await server.release()
})

test('a process that is killed is started again, and the others continue to serve', async () => {
  const killed = group.processes!['api-1']!
  process.kill(killed, 'SIGKILL')
  await until(
    async () => isAlive(killed),
    alive => !alive,
  )
  assert.deepEqual([...new Set(await calls(8, '/workspaces', group.key))], [200])
  const later = await until(members, pids => pids.length === 3)
  assert.ok(!later.includes(killed) && later.includes(group.processes!['api-2']!))
})

test('SIGHUP replaces every process without a refused connection or a failed request', async () => {
  const earlier = await members()
  group.child.kill('SIGHUP')
  const statuses = new Set<number>()
  let replaced = false
  const load = async () => {
    while (!replaced) statuses.add(await call('/versions', null))
  }
  const loads = [load(), load()]
  await until(members, pids => pids.length === 3 && pids.every(pid => !earlier.includes(pid)))
  replaced = true
  await Promise.all(loads)
  assert.deepEqual([...statuses], [200])
})

test('SIGTERM while a process starts again: the group stops with 0', async () => {
  const [killed] = await members()
  process.kill(killed!, 'SIGKILL')
  await until(
    async () => isAlive(killed!),
    alive => !alive,
  )
  group.child.kill('SIGTERM')
  assert.equal((await group.ended).code, 0)
  group = await start()
})

test('the group is killed: its processes stop by themselves; SIGTERM stops it in order with 0', async () => {
  const of = (started: Started) => Object.values(started.processes!)
  group.child.kill('SIGKILL')
  await group.ended
  group = await start()
  const members = of(group)
  assert.equal(members.length, 3)
  group.child.kill('SIGTERM')
  assert.equal((await group.ended).code, 0)
  assert.deepEqual(members.filter(isAlive), [])
})

test('SIGHUP of a service in one process: it stops in order with 0, as at SIGTERM', async () => {
  const single = await startProcess({ DATA_DIR, DEMO: 'on', PROCESSES: '1', LOG_LEVEL: 'silent' })
  assert.equal(single.processes, null)
  single.child.kill('SIGHUP')
  const { code, stdout } = await single.ended
  assert.deepEqual([code, stdout.trim().split('\n').at(-1)], [0, '{"stopped":true}'])
})

test('start refused in a process of the group: its reason is printed once and the command ends with 1', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as { port: number }
  const { code, stdout, stderr } = await hiring(['start', '--port', String(port)], { DATA_DIR, PROCESSES: '2' })
  assert.equal(code, 1)
  assert.equal(stdout, '')
  assert.match(stderr, /^hiring: .*EADDRINUSE.*: choose another port with --port or PORT\n$/)
  taken.close()
})
