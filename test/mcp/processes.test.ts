import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect as openSocket } from 'node:net'
import { test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { startTestService } from '../harness/service.ts'
import { connected } from './setup.ts'

const settings = { ROLES: 'api', LIMITER: 'postgres', SECRET_KEY: '6'.repeat(64) }
const first = await startTestService({ ...settings, REQUEST_TIMEOUT_SECONDS: '1' })
const second = await startTestService(settings, { database: first.database })

for (const mode of ['legacy', 'auto'] as const) {
  test(`POST /mcp: a conversation (${mode}) whose messages go to two processes in turn is one conversation`, async () => {
    const { id: workspace, userEmail } = await first.workspace('enterprise')
    const key = await first.key({ workspace, userEmail })
    const used: string[] = []
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
    const transport = new StreamableHTTPClientTransport(new URL('http://balancer.example/mcp'), {
      requestInit: { headers: { authorization: `Bearer ${key.secret}` } },
      fetch: (_url, init) => {
        const { origin } = used.length % 2 === 0 ? first : second
        used.push(origin)
        return fetch(`${origin}/mcp`, init)
      },
    })
    await client.connect(transport)
    const { call, names } = connected(client)
    assert.ok((await names()).includes('create_candidate_list'))
    const created = await call('create_candidate_list', { name: 'Welders' })
    const read = await call('get_candidate_list', { list_handle: created.data.id })
    assert.equal(read.data.untrusted.name, 'Welders')
    const page = await call('list_candidate_lists', { limit: 1 })
    assert.equal(page.isError, false)
    assert.equal(new Set(used).size, 2)
  })
}

/** What is sent back for a request whose body does not arrive. */
async function responseTo(...headers: string[]): Promise<string> {
  const socket = openSocket(Number(new URL(first.origin).port), '127.0.0.1')
  await once(socket, 'connect')
  const head = ['POST /mcp HTTP/1.1', 'Host: x', 'Content-Type: application/json', 'Content-Length: 100', ...headers]
  socket.write(`${head.join('\r\n')}\r\n\r\n{`)
  let response = ''
  socket.on('data', chunk => {
    response += chunk
  })
  await once(socket, 'close')
  return response
}

test('POST /mcp: 408: a body that does not arrive ends with the time of a request; 401: without a valid credential nothing is read', async () => {
  const { secret } = await first.key({ workspace: (await first.workspace()).id })
  const late = await responseTo(`Authorization: Bearer ${secret}`)
  assert.match(late, /^HTTP\/1\.1 408 /)
  assert.match(late, /request_timeout/)
  assert.match(await responseTo(), /^HTTP\/1\.1 401 /)
  assert.match(await responseTo('Authorization: Bearer x'), /^HTTP\/1\.1 401 /)
})
