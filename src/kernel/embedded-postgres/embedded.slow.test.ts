import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type EmbeddedServer, leaveEmbedded, openEmbedded } from './embedded.ts'
import { isPostmaster } from './process.ts'

const root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'hiring-embedded-')))
const children = new Set<ChildProcess>()
const quick = { durable: false, settings: { shared_buffers: '16MB' } }
const here = new URL('./embedded.ts', import.meta.url).href

// A test that fails half-way must not leave a server running either.
after(() => {
  for (const child of children) child.kill('SIGKILL')
  for (const directory of fs.readdirSync(root).map(name => join(root, name))) {
    if (isRunning(directory)) process.kill(postmaster(directory), 'SIGQUIT')
  }
  fs.rmSync(root, { recursive: true, force: true, maxRetries: 5 })
})

let template: string | undefined
/** A directory with data in it: initialised once for the file, then copied, because initdb takes most of a second. */
async function prepared(name: string): Promise<string> {
  if (!template) {
    template = join(root, 'template')
    const server = await openEmbedded({ directory: template, ...quick })
    await server.release()
  }
  const directory = join(root, name)
  fs.cpSync(template, directory, { recursive: true })
  for (const folder of ['.', 'data', 'socket']) fs.chmodSync(join(directory, folder), 0o700)
  return directory
}

async function opened(t: TestContext, directory: string, options = {}): Promise<EmbeddedServer> {
  const server = await openEmbedded({ directory, ...quick, ...options })
  t.after(() => server.release())
  return server
}

async function query(server: EmbeddedServer, text: string, values: unknown[] = []): Promise<unknown[]> {
  const client = new pg.Client({ ...server.connection, application_name: 'hiring-test' })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query({ text, values, rowMode: 'array' })).rows.flat()
  } finally {
    await client.end()
  }
}

const postmaster = (directory: string) =>
  Number(fs.readFileSync(join(directory, 'data', 'postmaster.pid'), 'utf8').split('\n')[0])

function isRunning(directory: string): boolean {
  return (
    fs.existsSync(join(directory, 'data', 'postmaster.pid')) &&
    isPostmaster(postmaster(directory), join(directory, 'data'))
  )
}

async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const deadline = performance.now() + 60_000; !(await condition()); await sleep(10)) {
    assert.ok(performance.now() < deadline, `not reached: ${what}`)
  }
}

/** Another process that opens the directory, reports it, and releases it on request. */
async function otherProcess(directory: string, options = {}, user: { uid?: number; gid?: number } = {}) {
  const script = `
    import { openEmbedded } from ${JSON.stringify(here)}
    const server = await openEmbedded({ ...${JSON.stringify({ directory, ...quick, ...options })} })
    console.log(JSON.stringify(server))
    process.stdin.once('data', async () => { await server.release(); process.exit(0) })`
  const stdio: ['pipe', 'pipe', 'inherit'] = ['pipe', 'pipe', 'inherit']
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio, cwd: '/', ...user })
  children.add(child)
  const exit = once(child, 'exit')
  let output = ''
  child.stdout.on('data', chunk => {
    output += chunk
  })
  await until(() => output.includes('\n') || child.exitCode !== null, 'the other process has opened')
  assert.equal(child.exitCode, null)
  return {
    server: JSON.parse(output) as EmbeddedServer,
    release: async () => {
      child.stdin.write('\n')
      await exit
    },
    kill: async () => {
      child.kill('SIGKILL')
      await exit
    },
  }
}

test('embedded database: the first open creates the data, the last release stops the server, the next open has the data', async t => {
  const directory = join(root, 'first', 'postgres')
  const first = await opened(t, directory)
  assert.equal(first.started, true)
  assert.equal(first.connection.host, join(directory, 'socket'))
  await query(first, 'create table kept as select 7 as n')
  assert.deepEqual(await query(first, 'select current_database()::text, lower($1)', ['ÄÖ']), ['hiring', 'äö'])
  assert.equal(fs.statSync(directory).mode & 0o777, 0o700)
  assert.equal(fs.statSync(join(directory, 'password')).mode & 0o777, 0o600)
  const pid = postmaster(directory)
  await first.release()
  await first.release()
  assert.equal(isPostmaster(pid, join(directory, 'data')), false)
  assert.deepEqual(fs.readdirSync(directory).sort(), ['data', 'password', 'server.log', 'socket'])

  const again = await opened(t, directory)
  assert.equal(again.started, true)
  assert.deepEqual(again.connection, first.connection)
  assert.deepEqual(await query(again, 'select n from kept'), [7])
})

test('embedded PostgreSQL: a running server is shared and stops with its last user, not with the one that started it', async t => {
  const directory = await prepared('shared')
  const starter = await opened(t, directory)
  const pid = postmaster(directory)
  const second = await opened(t, directory)
  const other = await otherProcess(directory)
  assert.deepEqual([second.started, other.server.started], [false, false])
  assert.deepEqual(other.server.connection, starter.connection)
  await query(starter, 'create table t as select 1 as n')
  await starter.release()
  await second.release()
  assert.equal(postmaster(directory), pid)
  assert.ok(isRunning(directory))
  const back = await opened(t, directory)
  assert.equal(back.started, false)
  assert.deepEqual(await query(back, 'select n from t'), [1])
  await back.release()
  await other.release()
  assert.equal(isRunning(directory), false)
})

test('embedded database: many who open and leave at the same time agree on one server, and leave none behind', async () => {
  const directory = await prepared('crowd')
  const servers = await Promise.all(Array.from({ length: 5 }, () => openEmbedded({ directory, ...quick })))
  assert.equal(servers.filter(server => server.started).length, 1)
  await Promise.all(servers.map(server => server.release()))
  assert.equal(isRunning(directory), false)
})

test('embedded database: connections alone do not keep the server: neither stragglers of ours nor foreign ones', async t => {
  const directory = await prepared('needed')
  const server = await opened(t, directory)
  for (const application_name of ['hiring', 'psql']) {
    const client = new pg.Client({ ...server.connection, application_name })
    client.on('error', () => {})
    await client.connect()
  }
  await server.release()
  assert.equal(isRunning(directory), false)
})

test('embedded database: SIGKILL of the process that started it: the server serves the others, and stops by itself after the last', async t => {
  const directory = await prepared('orphan')
  const starter = await otherProcess(directory)
  const user = await otherProcess(directory)
  await query(starter.server, 'create table t as select 5 as n')
  const pid = postmaster(directory)
  await starter.kill()
  assert.deepEqual(await query(user.server, 'select n from t'), [5])
  assert.equal(postmaster(directory), pid)
  await user.kill()
  await until(() => !isPostmaster(pid, join(directory, 'data')), 'the server has stopped by itself')
  // A process that is killed while it starts or stops the server leaves its lock behind, and half an initdb.
  fs.writeFileSync(join(directory, 'lock'), `${process.pid} 1 feed`)
  fs.mkdirSync(join(directory, 'init-dead', 'base'), { recursive: true })
  const server = await opened(t, directory)
  assert.equal(server.started, true)
  assert.deepEqual(await query(server, 'select n from t'), [5])
  await server.release()
  assert.equal(isRunning(directory), false)
  assert.ok(!fs.existsSync(join(directory, 'init-dead')))
})

test('embedded database: left while it is being created or started: nothing runs, and the next open works', async t => {
  for (const directory of [join(root, 'left-new'), await prepared('left')]) {
    const opening = assert.rejects(openEmbedded({ directory, ...quick }))
    await leaveEmbedded()
    await opening
    assert.equal(isRunning(directory), false)
    await (await opened(t, directory)).release()
  }
})

test('embedded database: SIGKILL during initialisation: the next open starts over', async t => {
  const directory = join(root, 'half')
  const script = `
    import { openEmbedded } from ${JSON.stringify(here)}
    await openEmbedded(${JSON.stringify({ directory })})`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' })
  children.add(child)
  const exit = once(child, 'exit')
  const halves = () =>
    (fs.existsSync(directory) ? fs.readdirSync(directory) : []).filter(name => name.startsWith('init-'))
  await until(() => halves().some(name => fs.existsSync(join(directory, name, 'base'))), 'initdb is at work')
  child.kill('SIGKILL')
  await exit
  assert.ok(!fs.existsSync(join(directory, 'data')))
  const server = await opened(t, directory)
  assert.deepEqual(await query(server, 'select 1'), [1])
})

test('embedded database: kill -9 of the postmaster while in use: it restarts with the data, also for a process that joined', async t => {
  const directory = await prepared('killed')
  const lines: string[] = []
  const starter = await otherProcess(directory, { durable: true })
  const server = await opened(t, directory, { durable: true, log: (line: string) => lines.push(line) })
  await query(server, 'create table t as select 3 as n')
  for (const before of [async () => {}, starter.release]) {
    await before()
    const pid = postmaster(directory)
    lines.length = 0
    process.kill(pid, 'SIGKILL')
    await until(() => lines.some(line => line.endsWith('again')), 'the server is back')
    assert.notEqual(postmaster(directory), pid)
    assert.deepEqual(await query(server, 'select n from t'), [3])
  }
  await server.release()
  assert.equal(isRunning(directory), false)
})

test('embedded database: release while the server is down or coming back leaves nothing running', async () => {
  const directory = await prepared('down')
  const server = await openEmbedded({ directory, ...quick })
  process.kill(postmaster(directory), 'SIGKILL')
  await sleep(30)
  await server.release()
  assert.equal(isRunning(directory), false)
})

test('embedded database: old pid and lock files are not believed: the number belongs to another program, or they are empty', async t => {
  const directory = await prepared('stale')
  const file = join(directory, 'data', 'postmaster.pid')
  const socketDirectory = join(directory, 'socket')
  for (const content of [`${process.pid}\n${directory}/data\n1\n5432\n${socketDirectory}\n\n1 1\nready\n`, '']) {
    fs.writeFileSync(file, content, { mode: 0o600 })
    fs.writeFileSync(join(socketDirectory, '.s.PGSQL.5432.lock'), content, { mode: 0o600 })
    fs.writeFileSync(join(directory, 'lock'), content && `${process.pid} earlier feed`)
    const server = await opened(t, directory)
    assert.equal(server.started, true)
    await server.release()
  }
})

test('embedded database: a path too long for a socket: the socket is in a private folder elsewhere, removed at the end', async t => {
  const directory = await prepared(join('deep', 'folder '.repeat(12), 'and, "more"'))
  const server = await opened(t, directory)
  const socketDirectory = server.connection.host
  assert.ok(directory.length > 107 && socketDirectory.length < 90)
  assert.equal(fs.statSync(socketDirectory).mode & 0o777, 0o700)
  assert.deepEqual(await query(server, 'select 1'), [1])
  const second = await opened(t, directory)
  assert.deepEqual(second.connection, server.connection)
  await server.release()
  await second.release()
  assert.ok(!fs.existsSync(socketDirectory))
})

test('embedded database: the log is bounded, and no statement and no value of one reaches it', async t => {
  const directory = await prepared('discreet')
  fs.writeFileSync(join(directory, 'server.log'), Buffer.alloc(11 * 1024 * 1024))
  const server = await opened(t, directory)
  await assert.rejects(query(server, 'select $1::int', ['secret-1']), /secret-1/)
  await assert.rejects(query(server, `select 'secret-2'::int`), /secret-2/)
  await query(server, 'create table t (email text unique)')
  await query(server, 'insert into t values ($1)', ['secret-3'])
  await assert.rejects(query(server, 'insert into t values ($1)', ['secret-3']), { code: '23505' })
  await assert.rejects(query(server, `select 'secret-4', pg_terminate_backend(pg_backend_pid())`))
  assert.deepEqual(await query(server, `select setting from pg_settings where name = 'listen_addresses'`), [''])
  await server.release()
  const log = fs.readFileSync(join(directory, 'server.log'), 'utf8')
  assert.match(log, /^\d{4}-.* shut down/s)
  assert.doesNotMatch(log, /secret/)
})

test('embedded database: a server that cannot start says why, and releases the lock', async t => {
  const directory = await prepared('refused')
  const settings = { shared_buffers: 'much' }
  await assert.rejects(openEmbedded({ directory, durable: false, settings }), /did not start: .*shared_buffers/s)
  assert.deepEqual(await query(await opened(t, directory), 'select 1'), [1])
})

test('embedded database: data of another major version is refused with one clear error', async () => {
  const directory = join(root, 'old')
  fs.mkdirSync(join(directory, 'data'), { recursive: true })
  fs.writeFileSync(join(directory, 'data', 'PG_VERSION'), '15\n')
  await assert.rejects(
    openEmbedded({ directory, ...quick }),
    /made by PostgreSQL 15, the embedded server is 18: .*DATABASE_URL/,
  )
  assert.deepEqual(fs.readdirSync(directory), ['data'])
})

test('embedded PostgreSQL: on a platform without binaries the error names DATABASE_URL', async t => {
  t.mock.property(process, 'arch', 'mips')
  const directory = join(root, 'nowhere')
  await assert.rejects(openEmbedded({ directory, ...quick }), /no embedded PostgreSQL for \w+-mips .*DATABASE_URL/s)
  assert.ok(!fs.existsSync(directory))
})

test('embedded database: root starts the server for the directory of an ordinary user, who works in it as well', async t => {
  if (process.getuid?.() !== 0) return t.skip('only root can become another user')
  const user = { uid: 65534, gid: 65534 }
  const script = `await import(${JSON.stringify(here)})`
  const seen = spawnSync(process.execPath, ['--input-type=module', '-e', script], { ...user, cwd: '/' })
  if (seen.status !== 0) return t.skip('the code cannot be read by another user')
  fs.chmodSync(root, 0o711)
  const directory = join(root, 'ordinary')
  fs.mkdirSync(directory, { mode: 0o700 })
  fs.chownSync(directory, user.uid, user.gid)

  const first = await otherProcess(directory, {}, user)
  assert.equal(first.server.started, true)
  await query(first.server, 'create table t as select 9 as n')
  const root1 = await opened(t, directory)
  assert.equal(root1.started, false)
  await first.release()
  await root1.release()
  const root2 = await opened(t, directory)
  assert.equal(root2.started, true)
  const second = await otherProcess(directory, {}, user)
  assert.equal(second.server.started, false)
  await root2.release()
  assert.deepEqual(await query(second.server, 'select n from t'), [9])
  await second.release()
  const owners = fs
    .readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map(name => fs.lstatSync(join(directory, name)).uid)
  assert.deepEqual([...new Set(owners)], [user.uid])
})
