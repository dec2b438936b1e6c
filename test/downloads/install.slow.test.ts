import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { verifyWebhook } from '../../packages/sdk/src/index.ts'
import { type DownloadName, downloadsReader, findDownload, type ListedDownload } from '../../src/downloads/downloads.ts'
import { startCommand, startLocalReceiver } from '../cli/run-cli.ts'
import { emit } from '../harness/events.ts'
import { freePort } from '../harness/free-port.ts'
import { cloneDatabase } from '../harness/postgres.ts'
import { until } from '../harness/receiver.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { connect } from '../mcp/setup.ts'

/** Partners install the files in folders of their own, with the npm and pip of their machine. */
const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'hiring-install-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const cache = join(folder, 'cache')

const npm = (args: readonly string[], cwd: string) =>
  run('npm', [...args, '--no-audit', '--no-fund', '--cache', cache], { cwd })

const database = await cloneDatabase()
const PORT = String(await freePort())
const start = () => startTestService({ PORT, DATA_DIR: join(folder, 'data') }, { database })

let service: TestService
let key: string
let workspace: string
let env: Record<string, string>
const find = async (name: DownloadName): Promise<ListedDownload> => {
  const read = downloadsReader(service.services)
  if (!read) throw new Error('downloads are off')
  return findDownload(await read(), name)
}

before(async () => {
  service = await start()
  const tenant = await service.workspace('enterprise')
  workspace = tenant.id
  const credential = await service.key({ workspace, userEmail: tenant.userEmail })
  key = credential.secret
  env = { HIRING_API_KEY: key, HIRING_BASE_URL: service.origin }
})

const CALL = `import { HiringClient } from 'hiring-partner-sdk'
const client = new HiringClient({ baseUrl: process.env.HIRING_BASE_URL, apiKey: process.env.HIRING_API_KEY })
const { data, status, headers } = await client.meta.getMe().withResponse()
console.log(JSON.stringify({ status, object: data.object, remaining: headers.has('ratelimit-remaining') }))
`

test('npm install URL in an empty folder: the SDK calls the service; the lock file has the integrity of the list', async () => {
  const home = join(folder, 'sdk')
  mkdirSync(home)
  writeFileSync(join(home, 'package.json'), '{ "type": "module" }')
  const file = await find('sdk')
  await npm(['install', file.url], home)
  writeFileSync(join(home, 'call.js'), CALL)
  const { stdout } = await run('node', ['call.js'], { cwd: home, env: { ...process.env, ...env } })
  assert.deepEqual(JSON.parse(stdout), { status: 200, object: 'credential', remaining: true })
  const lock = JSON.parse(readFileSync(join(home, 'package-lock.json'), 'utf8'))
  const { resolved, integrity } = lock.packages['node_modules/hiring-partner-sdk']
  assert.deepEqual([resolved, integrity], [file.url, file.integrity])

  // a restarted service has the same bytes: npm ci compares them with the lock file
  await service.stop()
  service = await start()
  rmSync(join(home, 'node_modules'), { recursive: true })
  rmSync(cache, { recursive: true })
  await npm(['ci'], home)
  assert.equal((await run('node', ['call.js'], { cwd: home, env: { ...process.env, ...env } })).stdout, stdout)
})

test('pip install URL#sha256: the Python SDK calls the service; another hash is refused', async () => {
  const venv = join(folder, 'venv')
  await run('python3', ['-m', 'venv', venv])
  const pip = (url: string, ...args: string[]) =>
    run(join(venv, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', ...args, url])
  const wheel = await find('wheel')
  await assert.rejects(pip(`${wheel.url}#sha256=${'0'.repeat(64)}`, '--no-deps'), /DO NOT MATCH THE HASHES/)
  await pip(`${wheel.url}#sha256=${wheel.sha256}`)
  const call = `import os
from hiring_partner import HiringClient
client = HiringClient(base_url=os.environ["HIRING_BASE_URL"], api_key=os.environ["HIRING_API_KEY"])
print(client.meta.get_me().object)
`
  const { stdout } = await run(join(venv, 'bin/python'), ['-c', call], { env: { ...process.env, ...env } })
  assert.equal(stdout, 'credential\n')
  const shown = await run(join(venv, 'bin/pip'), ['show', 'hiring-partner-sdk'])
  assert.match(shown.stdout, new RegExp(`^Version: ${wheel.version.replaceAll(/[.+]/g, '\\$&')}$`, 'm'))
  // the sources build the same package
  const sdist = await find('sdist')
  await pip(`${sdist.url}#sha256=${sdist.sha256}`, '--force-reinstall', '--no-deps')
})

test('npx URL mcp: the official client finds the tools of /mcp and calls them', async () => {
  const { url } = await find('cli')
  const client = new Client({ name: 'test', version: '1' })
  const args = ['--yes', '--cache', cache, url, 'mcp']
  const environment = { PATH: process.env['PATH'] ?? '', HOME: folder, ...env }
  const transport = new StdioClientTransport({ command: 'npx', args, env: environment, cwd: folder, stderr: 'pipe' })
  await client.connect(transport)
  const remote = await connect(service, key)
  try {
    const { tools } = await client.listTools()
    assert.deepEqual(tools, (await remote.client.listTools()).tools)
    const { structuredContent } = await client.callTool({ name: 'list_workspaces', arguments: {} })
    assert.equal((structuredContent as { items: { id: string }[] }).items[0]?.id, workspace)
  } finally {
    await client.close()
    await remote.client.close()
  }
})

test('npx URL listen --forward-to: an event arrives with a valid signature', async () => {
  const { url } = await find('cli')
  const receiver = await startLocalReceiver()
  const secret = 'whsec_on-a-laptop'
  const program = ['npx', '--yes', '--cache', cache, url]
  const listen = startCommand(['listen', '--forward-to', receiver.url, '--secret', secret], env, program)
  await listen.shows('Ctrl-C stops.')
  await emit(service.services.db, workspace, ['job.published'])
  await until('the event arrives', () => receiver.received.length === 1)
  const [received] = receiver.received
  assert.ok(received)
  const event = await verifyWebhook(
    { body: received.body, signature: String(received.headers['service-signature']) },
    secret,
  )
  assert.equal(event.type, 'job.published')
  // npx passes no signal on to the program that it runs
  for (const pid of descendantsOf(listen.pid)) process.kill(pid, 'SIGINT')
  await listen.ended
})

/** The processes that a process has started, and those that they have started. */
function descendantsOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  return children.flatMap(child => [child, ...descendantsOf(child)])
}
