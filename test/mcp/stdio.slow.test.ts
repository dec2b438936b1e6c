import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { revokeKey } from '../../src/resources/keys/index.ts'
import { apply, newTenant, startWorld, type World } from '../applications/setup.ts'
import { freePort } from '../harness/free-port.ts'
import { type Connected, connected } from './setup.ts'

const HIRING = join(import.meta.dirname, '../../bin/hiring.js')

let world: World
let application: { id: string }
const clients: Client[] = []

before(async () => {
  world = await startWorld()
  application = await apply(world)
})
after(() => Promise.all(clients.map(client => client.close())))

/** `hiring mcp` as a client of models starts it: a command, its arguments, and the key in the environment. */
async function start(
  key: string | undefined,
  args: readonly string[] = [],
  url = world.service.origin,
): Promise<Connected> {
  const client = new Client({ name: 'test', version: '1' })
  const env = {
    PATH: process.env['PATH'] ?? '',
    HIRING_BASE_URL: url,
    ...(key === undefined ? {} : { HIRING_API_KEY: key }),
  }
  clients.push(client)
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [HIRING, 'mcp', ...args], env, stderr: 'pipe' }),
  )
  return connected(client)
}

test('hiring mcp: tools of the key, reads, pages, writes and errors, against a service over HTTP', async () => {
  const { call, names, client } = await start(world.key.secret)
  assert.equal(client.getServerVersion()?.name, 'hiring-partner-api')
  assert.ok((await names()).includes('move_application'))
  const read = await call('get_application', { application_handle: application.id })
  assert.deepEqual([read.data.id, read.data.status], [application.id, 'new'])
  await apply(world)
  const page = await call('list_applications', { limit: 1 })
  assert.equal(page.data.has_more, true)
  const next = await call('list_applications', { limit: 1, cursor: page.data.next_cursor })
  assert.notEqual(next.data.items[0].id, page.data.items[0].id)
  const moved = await call('move_application', { application_handle: application.id, stage_id: world.job.stages[1] })
  assert.equal(moved.data.stage_id, world.job.stages[1])
  const { job } = await newTenant(world.service)
  const foreign = await call('get_job', { job_handle: job.id })
  assert.equal(foreign.error.code, 'not_found')
  assert.match(foreign.text, /Request id: req_/)
  assert.equal((await call('get_job', { job_handle: '' })).error.code, 'not_found')
})

test('hiring mcp: --read-only and --groups leave tools out; scopes decide about the rest', async () => {
  const key = await world.service.key({ workspace: world.workspace, scopes: ['jobs:read', 'applications:read'] })
  const { names } = await start(key.secret, ['--read-only', '--groups', 'jobs,applications'])
  const all = await names()
  assert.ok(all.includes('list_jobs') && all.includes('list_applications'))
  assert.ok(!all.some(name => /^(get_me|publish_job|move_application|list_notes)$/.test(name)))
})

test('hiring mcp: a revoked key and a service that is not there are errors that say so', async () => {
  const key = await world.service.key({ workspace: world.workspace })
  const { call, names } = await start(key.secret)
  await revokeKey(world.service.services.db, key.id)
  assert.equal((await call('list_jobs')).error.code, 'unauthenticated')
  await assert.rejects(names(), /unauthenticated/)
  const nowhere = await start(key.secret, [], `http://127.0.0.1:${await freePort()}`).catch((error: Error) => error)
  assert.ok(nowhere instanceof Error)
  assert.match(nowhere.message, /service_unavailable: The Hiring Partner API could not be reached/)
  assert.ok(!nowhere.message.includes(key.secret))
})

test('hiring mcp: refused without a key', async () => {
  await assert.rejects(start(undefined))
})
