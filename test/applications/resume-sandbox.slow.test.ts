import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { basename } from 'node:path'
import { test } from 'node:test'
import { detectSandbox, readResumeFile, type Sandbox } from '../../packages/resume-parser/src/index.ts'
import { candidatesFor, isolation } from '../../packages/resume-parser/src/isolate.ts'
import { sharedContentPdf } from '../../packages/resume-parser/test/slow-files.ts'
import { doctorVerb } from '../../src/cli/doctor.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { startProcess } from '../harness/process.ts'
import { until } from '../harness/receiver.ts'
import { startTestService } from '../harness/service.ts'
import { runVerb } from '../harness/verb.ts'
import { apply, newTenant, upload } from './setup.ts'

const service = await startTestService({ ROLES: 'api' })
const { config } = service.services
const sandbox = await detectSandbox([config.DATA_DIR])
const loosest = candidatesFor([]).at(-1)!
const isRoot = process.platform === 'linux' && process.getuid!() === 0
const blocked = sandbox.network || isRoot ? false : `this system allows no network namespace: ${sandbox.description}`

const { host: folder, port: number } = service.database.connection
const socket = `${folder}/.s.PGSQL.${number}`

const PROBE = `
  const [url, socket, port] = process.argv.slice(1)
  const { connect } = require('node:net')
  const tried = opening => new Promise(done => {
    opening.once('connect', () => { opening.destroy(); done('connected') }).once('error', error => done(error.code))
  })
  const main = async () => {
    const http = await fetch(url).then(r => r.status, error => error.cause?.code ?? error.name)
    const results = { http, unix: await tried(connect(socket)), tcp: await tried(connect(Number(port), '127.0.0.1')) }
    console.log(JSON.stringify({ ...results, env: Object.keys(process.env).length, uid: process.getuid() }))
  }
  main()`

/** What a program with the reader's flags can reach inside a sandbox. */
async function reach(inside: Sandbox) {
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  try {
    const { port } = listener.address() as { port: number }
    const args = [`${service.origin}/healthz`, socket, String(port)]
    const [program, ...rest] = inside.wrap([process.execPath, ...isolation(64), '-e', PROBE, ...args])
    const child = spawn(program!, rest, { env: {}, cwd: '/' })
    const [out, errors]: Buffer[][] = [[], []]
    child.stdout.on('data', chunk => out!.push(chunk))
    child.stderr.on('data', chunk => errors!.push(chunk))
    await once(child, 'close')
    assert.notEqual(out!.length, 0, Buffer.concat(errors!).toString())
    return JSON.parse(Buffer.concat(out!).toString())
  } finally {
    listener.close()
  }
}

test('résumé reader: root on Linux always has a sandbox without a network', { skip: !isRoot }, () => {
  assert.equal(sandbox.network, true, sandbox.description)
})

test('résumé reader: without a sandbox of the system the probe reaches HTTP, TCP and PostgreSQL’s socket', async () => {
  const found = await reach(loosest)
  assert.deepEqual([found.http, found.tcp, found.unix], [200, 'connected', 'connected'])
})

test('résumé reader: no connection to loopback or to PostgreSQL’s socket, and no environment', {
  skip: blocked,
}, async () => {
  const found = await reach(sandbox)
  assert.notEqual(found.http, 200)
  assert.notEqual(found.tcp, 'connected')
  assert.notEqual(found.unix, 'connected')
  assert.equal(found.env, 0)
})

for (const candidate of candidatesFor([config.DATA_DIR]).slice(0, -1)) {
  // another user cannot enter every folder in which Node may lie
  const [program, ...args] = candidate.wrap([process.execPath, '--version'])
  const allowed = spawnSync(program!, args, { env: {}, cwd: '/' }).status === 0
  const skip = allowed ? false : 'not possible on this system or in this folder'
  test(`résumé reader, ${candidate.name}: reaches only what its description says`, { skip }, async () => {
    const found = await reach(candidate)
    assert.equal(found.http === 200, !candidate.network)
    assert.equal(found.tcp === 'connected', !candidate.network)
    assert.notEqual(found.unix, 'connected')
    if (candidate.name.includes('other user')) assert.notEqual(found.uid, process.getuid!())
  })
}

test('résumé reader: a file is read inside the sandbox as it is outside', async () => {
  const file = Buffer.from('Ada Byron\nSenior Engineer\nSkills\nGo, SQL\nExperience\nEngineer, Acme\n2015 - 2020\n')
  const inside = await readResumeFile(file, 'text/plain', '2026-11', { sandbox })
  const outside = await readResumeFile(file, 'text/plain', '2026-11', { sandbox: loosest })
  assert.deepEqual(inside, outside)
})

test('résumé reader: the process that reads a file is in a network of its own, which has no interface but loopback', {
  skip: blocked,
}, async () => {
  const file = Buffer.from('Ada Byron\nSenior Engineer\nSkills\nGo, SQL\n'.repeat(2_000))
  let isDone = false
  const reading = readResumeFile(file, 'text/plain', '2026-11', { sandbox }).finally(() => {
    isDone = true
  })
  const seen = new Map<string, string>()
  while (!isDone) {
    for (const [network, interfaces] of readersNetworks(process.pid)) seen.set(network, interfaces)
    await new Promise(resolve => setImmediate(resolve))
  }
  await reading
  assert.ok(seen.size > 0, 'the reader was seen while it ran')
  for (const [network, interfaces] of seen) {
    assert.notEqual(network, readlinkSync('/proc/self/ns/net'))
    assert.equal(interfaces, 'lo')
  }
})

test('résumé reader: the one of a service that reads a slow file has no interface but loopback', {
  skip: blocked,
}, async () => {
  const world = { service, ...(await newTenant(service)) }
  const settings = { DATABASE_URL: service.database.url, DATA_DIR: config.DATA_DIR, ROLES: 'worker', DEMO: 'off' }
  const worker = await startProcess(settings)
  try {
    const file = sharedContentPdf(16_000_000, 50)
    const { id } = await apply(world, { resume_upload_id: await upload(world, file, 'application/pdf') })
    const parsing = sql`select from resumes where application_id = ${id} and parse_status = 'parsing'`
    await until('it reads the file', async () => (await service.services.db.one(parsing)) !== undefined)
    let seen: [string, string][] = []
    await until('the reader is seen', () => {
      seen = readersNetworks(worker.pid)
      return seen.length > 0
    })
    for (const [network, interfaces] of seen) {
      assert.notEqual(network, readlinkSync(`/proc/${worker.pid}/ns/net`))
      assert.equal(interfaces, 'lo')
    }
  } finally {
    worker.child.kill('SIGTERM')
    await worker.ended
  }
})

/** The networks of the reader's processes that this process has started and that run now, each with its interfaces. */
function readersNetworks(parent: number): [string, string][] {
  return readdirSync('/proc').flatMap((pid): [string, string][] => {
    try {
      const [program = '', ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
      if (!readFileSync(`/proc/${pid}/status`, 'utf8').includes(`\nPPid:\t${parent}\n`)) return []
      // not the programs that only set up the sandbox around it
      if (basename(program) !== 'node' || !args.some(arg => arg.endsWith('resume-parser/src/child.ts'))) return []
      const lines = readFileSync(`/proc/${pid}/net/dev`, 'utf8').trim().split('\n').slice(2)
      const names = lines.map(line => line.split(':')[0]!.trim())
      return [[readlinkSync(`/proc/${pid}/ns/net`), names.join(' ')]]
    } catch {
      return [] // no process, or one that has just ended
    }
  })
}

test('hiring doctor: says how the résumé reader is isolated', async () => {
  const { json } = await runVerb(service, [doctorVerb], 'doctor', [])
  const check = (json as { checks: { name: string; state: string; detail: string }[] }).checks.find(
    one => one.name === 'résumé reader',
  )
  assert.deepEqual(check && [check.state, check.detail], [sandbox.network ? 'ok' : 'warning', sandbox.description])
})
