import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Client as Client2, StreamableHTTPClientTransport as Transport2 } from '@modelcontextprotocol/client'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { API_LIMITS } from '../../src/contract/limits.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { apply, newJob, startWorld, type World } from '../applications/setup.ts'

/** What tests need of a client; both major lines of the official SDK have it. */
interface OfficialClient {
  listTools: () => Promise<{
    tools: { name: string; annotations?: { readOnlyHint?: boolean | undefined } | undefined }[]
  }>
  callTool: (call: { name: string; arguments: Record<string, unknown> }) => Promise<unknown>
  close: () => Promise<void>
}

interface Result {
  isError?: boolean
  content: { text: string }[]
  structuredContent?: unknown
  _meta?: Record<string, unknown>
}

const INFO = { name: 'test', version: '1' }

/** Each compares results with the schema of the tool; 1.x does so with errors as well. */
const CLIENTS: Readonly<Record<string, (url: URL, requestInit: RequestInit) => Promise<OfficialClient>>> = {
  '1.x': async (url, requestInit) => {
    const client = new Client1(INFO)
    await client.connect(new Transport1(url, { requestInit }) as Transport)
    return client as OfficialClient
  },
  '2.x': async (url, requestInit) => {
    const client = new Client2(INFO)
    await client.connect(new Transport2(url, { requestInit }))
    return client as OfficialClient
  },
}

let world: World
let application: { id: string }
const opened: OfficialClient[] = []

before(async () => {
  world = await startWorld()
  application = await apply(world)
  await newJob(world.service, world.workspace)
})
after(() => Promise.all(opened.map(client => client.close())))

async function open(version: string): Promise<OfficialClient> {
  const requestInit = { headers: { authorization: `Bearer ${world.key.secret}` } }
  const client = await CLIENTS[version]!(new URL(`${world.service.origin}/mcp`), requestInit)
  opened.push(client)
  return client
}

for (const version of Object.keys(CLIENTS)) {
  test(`MCP client ${version}: a refused call of every tool shows the error of the service`, async () => {
    const client = await open(version)
    const { tools } = await client.listTools()
    assert.ok(tools.length > 80)
    for (const { name } of tools) {
      const refused = (await client.callTool({ name, arguments: { jobid: 'x' } })) as Result
      assert.equal(refused.isError, true, name)
      const { code } = refused._meta!['hiring/error'] as { code: string }
      assert.match(refused.content[0]!.text, new RegExp(`^${code}: .+[\\s\\S]*Request id: req_`), name)
    }
  })

  test(`MCP client ${version}: records and lists are accepted by the schemas of their tools`, async () => {
    const client = await open(version)
    const { tools } = await client.listTools()
    const calls: [name: string, args: Record<string, unknown>][] = [
      ['list_jobs', {}],
      ['list_applications', { limit: 1 }],
      ['get_application', { application_handle: application.id }],
      ['list_pipeline_stages', { job_handle: world.job.id }],
      ['list_events', {}],
    ]
    for (const [name, args] of calls) {
      assert.ok(
        tools.some(tool => tool.name === name),
        name,
      )
      const read = (await client.callTool({ name, arguments: args })) as Result
      assert.deepEqual([read.isError ?? false, typeof read.structuredContent], [false, 'object'], name)
    }
  })

  test(`MCP client ${version}: an unknown tool and an expired cursor are errors that can be read`, async () => {
    const client = await open(version)
    await client.listTools()
    const unknown = (await client.callTool({ name: 'list_job', arguments: {} })) as Result
    assert.match(unknown.content[0]!.text, /^unknown_tool: /)
    const page = (await client.callTool({ name: 'list_jobs', arguments: { limit: 1 } })) as Result
    const { next_cursor: cursor } = page.structuredContent as { next_cursor: string }
    const next = { name: 'list_jobs', arguments: { limit: 1, cursor } }
    assert.equal(((await client.callTool(next)) as Result).isError ?? false, false)
    clock.advance((API_LIMITS.cursorLifetimeSeconds + 1) * 1000)
    const late = (await client.callTool(next)) as Result
    clock.reset()
    assert.equal(late.isError, true)
    assert.match(late.content[0]!.text, /^invalid_cursor: .*expired/)
  })
}
