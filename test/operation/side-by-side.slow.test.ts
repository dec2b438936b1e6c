import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { cloneDatabase, stopOwnServer } from '../harness/postgres.ts'
import { type Started, startHiring, startProcess, temporaryFolder } from '../harness/process.ts'

after(() => stopOwnServer())

const ROOT = join(import.meta.dirname, '../..')
/** The last release, and the number of its migrations. */
const RELEASE = { version: '0.2.0', migrations: 16 }

const git = (...args: string[]): Buffer =>
  execFileSync('git', args, { cwd: ROOT, maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'ignore'] })

/** The commit that gave the program its version; undefined in a copy without this part of the history. */
function releaseCommit(): string | undefined {
  try {
    const commits = git('log', '--format=%H', `-S"version": "${RELEASE.version}"`, '--', 'package.json')
    const commit = commits.toString().trim().split('\n').at(-1)
    if (!commit) return undefined
    const migrations = git('ls-tree', '--name-only', commit, 'migrations/').toString().trim().split('\n')
    return migrations.length === RELEASE.migrations ? commit : undefined
  } catch {
    return undefined
  }
}

/** The program of a commit, with the packages of this checkout. */
function checkOut(commit: string): string {
  const folder = join(temporaryFolder(), 'release')
  mkdirSync(folder)
  execFileSync('tar', ['-x', '-C', folder], { input: git('archive', commit) })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return join(folder, 'bin/hiring.js')
}

const commit = releaseCommit()

test('upgrade: processes of the last release and of this one serve side by side, before, during and after the migration', {
  skip: commit ? false : `the history does not contain ${RELEASE.version}`,
}, async () => {
  const program = checkOut(commit!)
  const database = await cloneDatabase('template0')
  const env = {
    DATABASE_URL: database.url,
    DATA_DIR: temporaryFolder(),
    SECRET_KEY: '3'.repeat(64),
    LIMITER: 'postgres',
    DEMO: 'off',
  }
  const old = await startProcess(env, { program, described: false })
  const command = async <T>(...args: string[]): Promise<T> => {
    const { code, stdout, stderr } = await startHiring([...args, '--json'], env, program).ended
    assert.equal(code, 0, stderr)
    return JSON.parse(stdout) as T
  }
  const workspace = await command<{ id: string }>('workspaces', 'create', '--name', 'Acme', '--plan', 'enterprise')
  const owner = ['users', 'create', '--workspace', workspace.id, '--email', 'owner@acme.example', '--role', 'owner']
  await command(...owner)
  const as = ['--user', 'owner@acme.example', '--scopes', 'all']
  const key = await command<{ id: string; secret: string }>('keys', 'create', '--workspace', workspace.id, ...as)

  const faults: string[] = []
  const counts = new Map<string, number>()
  const call = async (to: Started, method: string, path: string, body?: object) => {
    const response = await fetch(to.baseUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${key.secret}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    if (response.status >= 400) faults.push(`${method} ${path}: ${response.status} ${text}`)
    return JSON.parse(text)
  }
  let processes: readonly [Started, ...Started[]] = [old]
  let running = true
  let made = 0
  /** Writes at one process, and reads what was written at the next one. */
  const load = (async () => {
    for (let i = 0; running; i++) {
      const [at, next] = [processes[i % processes.length]!, processes[(i + 1) % processes.length]!]
      counts.set(at.baseUrl, (counts.get(at.baseUrl) ?? 0) + 1)
      const source = { system: 'acme_ats', external_id: String(i) }
      const job = await call(at, 'POST', '/jobs', { source, title: `Welder ${i}` })
      const read = await call(next, 'GET', `/jobs/${job.id}`)
      if (read.title !== `Welder ${i}`) faults.push(`read ${JSON.stringify(read)}`)
      const list = await call(next, 'POST', '/lists', { name: `List ${i}` })
      await call(at, 'GET', `/lists/${list.id}`)
      const page = await call(at, 'GET', '/lists?limit=1')
      if (page.next_cursor) await call(next, 'GET', `/lists?limit=1&cursor=${page.next_cursor}`)
      await call(next, 'GET', '/events?limit=5')
      made++
      await delay(50) // far from the limits of the key
    }
  })()
  const rounds = async (count: number) => {
    for (const until = made + count; made < until && faults.length === 0; ) await delay(20)
    assert.deepEqual(faults, [])
  }
  await rounds(3)
  // migrates while the old one serves
  const current = await startProcess(env)
  processes = [old, current]
  await rounds(8)
  const ready = await fetch(new URL('/readyz', old.baseUrl))
  assert.equal(ready.status, 200, 'the old process is ready with the new schema')
  // and back: the old program starts with the new schema
  const again = await startProcess(env, { program, described: false })
  processes = [old, current, again]
  await rounds(12)
  running = false
  await load
  assert.deepEqual(faults, [])
  assert.ok([...counts.values()].every(count => count >= 3) && counts.size === 3, [...counts].join(' '))
  // the old program does not know that the new one caches keys
  const me = () => fetch(`${current.baseUrl}/me`, { headers: { authorization: `Bearer ${key.secret}` } })
  assert.equal((await me()).status, 200)
  await command('keys', 'revoke', key.id)
  assert.equal((await me()).status, 401)
  for (const one of processes) {
    one.child.kill('SIGTERM')
    assert.equal((await one.ended).code, 0)
  }
})
