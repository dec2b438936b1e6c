import assert from 'node:assert/strict'
import { once } from 'node:events'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { openEmbedded } from '../../src/kernel/embedded-postgres/embedded.ts'
import { hiring, isAlive, startHiring, startProcess, temporaryFolder } from '../harness/process.ts'

const ROOT = join(import.meta.dirname, '../..')
const PROBE = { program: join(import.meta.dirname, '../harness/probe-service.ts'), args: [] }
const auth = (key: string | null) => ({ authorization: `Bearer ${key}` })
const postgresPid = (dataDir: string) =>
  Number(readFileSync(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0])

/** The service has waited for its end; the system may take a moment to forget it. */
async function gone(pid: number): Promise<void> {
  while (isAlive(pid)) await delay(20)
}

test('start: the first loads the demo and prints its credentials, a later one keeps the data and prints none', async () => {
  const DATA_DIR = temporaryFolder()
  const first = await startProcess({ DATA_DIR })
  const me = await fetch(`${first.baseUrl}/me`, { headers: auth(first.key) })
  assert.equal(me.status, 200)
  const names = async (baseUrl: string, key: string | null) => {
    const response = await fetch(`${baseUrl}/workspaces`, { headers: auth(key) })
    return ((await response.json()) as { data: { id: string; name: string }[] }).data
  }
  const before = await names(first.baseUrl, first.key)
  assert.deepEqual(
    before.map(w => w.name),
    ['Acme Robotics'],
  )
  const server = postgresPid(DATA_DIR)
  first.child.kill('SIGTERM')
  assert.equal((await first.ended).code, 0)
  await gone(server)

  const second = await startProcess({ DATA_DIR })
  assert.deepEqual([second.key, second.signIn], [null, null])
  assert.deepEqual(await names(second.baseUrl, first.key), before)
  const shown = await hiring(['demo', 'credentials'], { DATA_DIR })
  assert.ok(shown.stdout.includes(first.key!) && shown.stdout.includes(first.signIn!.password), shown.stderr)

  // the demo's owner signs in with what was printed once
  const { email, password } = first.signIn!
  const url = new URL('/sign-in', second.baseUrl).href
  const signedIn = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: new URL(url).origin },
    body: new URLSearchParams({ email, password }),
  })
  assert.equal(signedIn.status, 303)

  // the command line works at the same time
  const list = await hiring(['workspaces', 'list', '--json'], { DATA_DIR })
  assert.deepEqual((JSON.parse(list.stdout) as { name: string }[]).map(w => w.name).toSorted(), [
    'Acme Robotics',
    'Globex',
    'Initech',
  ])
  const keys = await hiring(['keys', 'create', '--workspace', before[0]!.id, '--scopes', 'workspaces:read', '--json'], {
    DATA_DIR,
  })
  const made = JSON.parse(keys.stdout) as { id: string; secret: string }
  assert.equal((await fetch(`${second.baseUrl}/workspaces`, { headers: auth(made.secret) })).status, 200)
  assert.equal((await hiring(['keys', 'revoke', made.id], { DATA_DIR })).code, 0)
  assert.equal((await fetch(`${second.baseUrl}/workspaces`, { headers: auth(made.secret) })).status, 401)
  assert.equal((await hiring(['demo'], { DATA_DIR })).code, 1)
  second.child.kill('SIGTERM')
  const { code, stdout } = await second.ended
  assert.equal(code, 0)
  assert.doesNotMatch(stdout, /svc_test_|password/)

  // as people see it, and with another store or address than the trial's
  const third = startHiring(['start', '--port', '0'], { DATA_DIR, PUBLIC_URL: 'https://hiring.example' })
  const text = await new Promise<string>(resolve => {
    let seen = ''
    third.child.stdout!.on('data', chunk => {
      seen += chunk
      if (seen.includes('demo credentials')) resolve(seen)
    })
    third.ended.then(done => resolve(done.stdout + done.stderr))
  })
  assert.match(text, /Show the demo credentials:\n\n {2}npx hiring demo credentials\n/)
  assert.doesNotMatch(text, /svc_test_|Password/)
  third.child.kill('SIGTERM')
  assert.equal((await third.ended).code, 0)
})

test('start with DATABASE_URL or PUBLIC_URL: no demo unless DEMO=on asks for it; 1 of demo credentials: there are none', async () => {
  const DATA_DIR = temporaryFolder()
  const service = await startProcess({ DATA_DIR, PUBLIC_URL: 'https://hiring.example' })
  assert.equal(service.key, null)
  assert.deepEqual(JSON.parse((await hiring(['workspaces', 'list', '--json'], { DATA_DIR })).stdout), [])
  const none = await hiring(['demo', 'credentials'], { DATA_DIR })
  assert.equal(none.code, 1)
  assert.match(none.stderr, /there is no demo/)
  service.child.kill('SIGTERM')
  assert.equal((await service.ended).code, 0)
})

test('demo credentials --help: what it shows', async () => {
  const { code, stdout } = await hiring(['demo', 'credentials', '--help'])
  assert.equal(code, 0)
  assert.match(stdout, /hiring demo credentials/)
  assert.match(stdout, /Shows the API key and the credentials of the demo workspaces\./)
})

test('start: as an ordinary user, in a folder that only its owner can enter', async t => {
  if (process.getuid?.() !== 0) return t.skip('needs root to become another user')
  const { chmodSync, chownSync } = await import('node:fs')
  const DATA_DIR = temporaryFolder()
  chmodSync(DATA_DIR, 0o700)
  chownSync(DATA_DIR, 65534, 65534)
  const service = await startProcess({ DATA_DIR, DEMO: 'off' }, { identity: { uid: 65534, gid: 65534 } })
  assert.equal((await fetch(`${service.baseUrl}/ping`)).status, 200)
  service.child.kill('SIGTERM')
  assert.equal((await service.ended).code, 0)
})

test('SIGTERM under load: running requests finish, no 503, the process and its database stop in time', async () => {
  const DATA_DIR = temporaryFolder()
  const service = await startProcess({ DATA_DIR }, PROBE)
  const server = postgresPid(DATA_DIR)
  const statuses = new Map<number, number>()
  const cutOff: string[] = []
  let askedAt = Number.POSITIVE_INFINITY
  const caller = async () => {
    for (;;) {
      const beganAt = performance.now()
      try {
        const response = await fetch(`${service.baseUrl}/me`, { headers: auth(service.key) })
        await response.arrayBuffer()
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
      } catch (error) {
        // What began after the signal was never accepted: its connection still waited in the system when the door closed.
        if (beganAt < askedAt) cutOff.push(String((error as { cause?: Error }).cause?.message))
        if (askedAt < Number.POSITIVE_INFINITY) return
        throw error
      }
    }
  }
  const load = Promise.all(Array.from({ length: 8 }, caller))
  // on a connection that the service has accepted: what is sent there before the signal is with it
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const send = (method: string, path: string, body?: string) => {
    const headers = { ...auth(service.key), 'content-type': 'application/json' }
    const call = request(service.baseUrl + path, { method, agent, headers })
    const status = once(call, 'response').then(([response]) => response.resume().statusCode as number)
    call.end(body)
    return { status, sent: once(call, 'finish') }
  }
  assert.equal(await send('GET', '/me').status, 200)
  const slow = send('POST', '/probes', JSON.stringify({ name: 'slow', outcome: 'slow' }))
  await slow.sent
  while ((statuses.get(200) ?? 0) < 20) await delay(20)
  askedAt = performance.now()
  service.child.kill('SIGTERM')
  const { code } = await service.ended
  await load
  assert.equal(code, 0)
  assert.ok(performance.now() - askedAt < 10_000)
  assert.equal(await slow.status, 201)
  agent.destroy()
  assert.deepEqual([...statuses.keys()], [200])
  assert.deepEqual(cutOff, [])
  await gone(server)
})

test('SIGKILL during writes: the next start has everything that was acknowledged, and an event for each', async () => {
  const DATA_DIR = temporaryFolder()
  const service = await startProcess({ DATA_DIR }, PROBE)
  const acknowledged: string[] = []
  const writer = async (n: number) => {
    for (let i = 0; ; i++) {
      try {
        const response = await fetch(`${service.baseUrl}/probes`, {
          method: 'POST',
          headers: { ...auth(service.key), 'content-type': 'application/json' },
          body: JSON.stringify({ name: `${n}-${i}` }),
        })
        if (response.status === 201) acknowledged.push(((await response.json()) as { id: string }).id)
      } catch {
        return
      }
    }
  }
  const writers = Promise.all(Array.from({ length: 8 }, (_, n) => writer(n)))
  while (acknowledged.length <= 20) await delay(20)
  service.child.kill('SIGKILL')
  await Promise.all([service.ended, writers])

  const again = await startProcess({ DATA_DIR }, PROBE)
  const server = await openEmbedded({ directory: join(DATA_DIR, 'postgres') })
  const client = new pg.Client({ ...server.connection, ssl: false })
  await client.connect()
  const stored = new Set((await client.query('select id from projects')).rows.map(r => r.id))
  assert.deepEqual(
    acknowledged.filter(id => !stored.has(id)),
    [],
  )
  while ((await client.query('select 1 from outbox limit 1')).rows.length > 0) await delay(20)
  const events = (
    await client.query("select body::json->'data'->'object'->>'id' as id from events where type = 'list.created'")
  ).rows
  assert.equal(events.length, stored.size)
  assert.deepEqual(new Set(events.map(r => r.id)), stored)
  await client.end()
  await server.release()
  again.child.kill('SIGTERM')
  await again.ended
})

test('database restarted under load: 429 datastore_unavailable during it, service immediately after, the process lives', async () => {
  const DATA_DIR = temporaryFolder()
  const service = await startProcess({ DATA_DIR }, PROBE)
  const seen: { beganAt: number; at: number; status: number; code: string | undefined; retry: string | null }[] = []
  let done = false
  const caller = async () => {
    while (!done) {
      const beganAt = performance.now()
      const response = await fetch(`${service.baseUrl}/workspaces`, { headers: auth(service.key) })
      const body = (await response.json()) as { detail?: { code: string } }
      seen.push({
        beganAt,
        at: performance.now(),
        status: response.status,
        code: body.detail?.code,
        retry: response.headers.get('retry-after'),
      })
      await delay(10)
    }
  }
  const refused = () => seen.filter(s => s.status !== 200)
  const load = Promise.all([caller(), caller(), caller()])
  while (seen.length < 20) await delay(20)
  const server = postgresPid(DATA_DIR)
  process.kill(server, 'SIGQUIT') // immediately, as in a crash
  while (isAlive(server)) await delay(10)
  // a response that was computed before the crash may arrive after it: first the outage, then a call that began later
  while (refused().length === 0) await delay(20)
  const outage = refused()[0]!
  while (!seen.some(s => s.beganAt > outage.at && s.status === 200)) await delay(20)
  done = true
  await load
  const bad = refused()
  assert.deepEqual([...new Set(bad.map(s => `${s.status} ${s.code} ${s.retry}`))], ['429 datastore_unavailable 1'])
  assert.equal(isAlive(service.pid), true)
  service.child.kill('SIGTERM')
  assert.equal((await service.ended).code, 0)
})

test('start refused: one line for each wrong setting, before anything is touched', async () => {
  const { code, stderr, stdout } = await hiring(['start'], {
    PORT: 'eighty',
    PUBLIC_URL: 'not an address',
    DATABASE_URL: 'mysql://x',
    TLS_CERT: '/nowhere.pem',
    SECRET_KEY: 'short',
    ROLES: 'api,cook',
    LOG_LEVEL: 'loud',
  })
  assert.equal(code, 1)
  assert.equal(stdout, '')
  const lines = stderr.trim().split('\n')
  assert.deepEqual(lines.map(line => line.split(' ')[1]).toSorted(), [
    'DATABASE_URL',
    'LOG_LEVEL',
    'PORT',
    'PUBLIC_URL',
    'ROLES',
    'SECRET_KEY',
    'TLS_CERT',
  ])
})

test('start refused: a port in use, a database that does not respond, a key that is not the store’s', async () => {
  const blocker = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => blocker.once('listening', resolve))
  const { port } = blocker.address() as { port: number }
  const DATA_DIR = temporaryFolder()
  const used = await hiring(['start', '--port', String(port)], { DATA_DIR, DEMO: 'off' })
  blocker.close()
  assert.equal(used.code, 1)
  assert.match(used.stderr, /^hiring: .*EADDRINUSE.*--port/)
  assert.equal(used.stderr.trim().split('\n').length, 1)
  const other = await hiring(['migrate'], { DATA_DIR, SECRET_KEY: 'ab'.repeat(32) })
  assert.equal(other.code, 1)
  assert.match(other.stderr, /^hiring: the secret key is not the one/)
  const dead = await hiring(['migrate'], { DATABASE_URL: 'postgres://none@127.0.0.1:1/none' })
  assert.equal(dead.code, 1)
  assert.match(dead.stderr, /^hiring: database unavailable/)
})

/** A checkout of its own, so that a source of the console can be broken. The other folders are not needed to start. */
function copyOfCheckout(): string {
  const copy = temporaryFolder()
  for (const path of ['bin', 'demo', 'docs', 'migrations', 'packages', 'src', 'web', 'package.json']) {
    cpSync(join(ROOT, path), join(copy, path), { recursive: true, filter: from => !from.endsWith('node_modules') })
  }
  for (const file of ['CHANGELOG.md', 'openapi.json', 'tsconfig.json']) cpSync(join(ROOT, file), join(copy, file))
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

test('start: a console that cannot be built: no URL of it, but the reason and the remedy; the API is served', {
  timeout: 300_000,
}, async () => {
  const copy = copyOfCheckout()
  writeFileSync(join(copy, 'web/console/main.tsx'), 'export const broken = (\n')
  const env = { DATA_DIR: temporaryFolder(), DEMO: 'off' }
  const program = join(copy, 'bin/hiring.js')
  const service = await startProcess(env, { program })
  assert.equal((await fetch(new URL('/docs', service.baseUrl))).status, 200)
  service.child.kill('SIGTERM')
  const { stdout } = await service.ended
  const facts = JSON.parse(stdout.slice(0, stdout.indexOf('\n')))
  assert.deepEqual([facts.console_url, facts.has_workspaces], [null, false])
  assert.match(facts.console_fault.reason, /main\.tsx/)

  const again = startHiring(['start', '--port', '0'], env, program)
  let banner = ''
  for await (const chunk of again.child.stdout!) {
    banner += chunk
    if (banner.includes('start the service again')) break
  }
  again.child.kill('SIGTERM')
  assert.match(banner, /^ {2}Console {4}not available, see below$/m)
  assert.match(banner, /The console is not available, because it could not be built:\n\n[\s\S]*main\.tsx/)
  assert.match(banner, /^Restore the folder web of this version and run npm ci, then start the service again\./m)
  assert.doesNotMatch(banner, /\/console$/m)
  await again.ended
})
