import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { before, test } from 'node:test'
import { sharedWorld, type World } from '../applications/setup.ts'
import { buildCall, connect, post } from './setup.ts'

/** Thousands of arguments: about 220 KB. */
const MANY = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`a${i}`, 1]))
const deepCall = (depth: number) =>
  JSON.stringify(buildCall('list_jobs')).replace('{}', () => `{"q":${'['.repeat(depth)}${']'.repeat(depth)}}`)

let world: World

before(async () => {
  world = await sharedWorld()
})

const bearer = ({ secret }: { secret: string }) => ({ authorization: `Bearer ${secret}` })
const newKey = async () => world.service.key({ workspace: (await world.service.workspace('none')).id })
const remaining = async (key: { secret: string }) =>
  Number((await world.service.get('/me', key)).headers.get('ratelimit-remaining'))

/** The response to a message whose body never arrives as a whole. */
async function postUnfinished(path: string, authorization: string): Promise<number> {
  const headers = { 'content-type': 'application/json', 'content-length': '200000', authorization }
  const sent = request(world.service.origin + path, { method: 'POST', headers })
  sent.on('error', () => {})
  sent.write('{"jsonrpc":"2.0",')
  try {
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    return response.statusCode!
  } finally {
    sent.destroy()
  }
}

test('POST /mcp: 401: the body of a caller whose key is not valid is not read', { timeout: 300_000 }, async () => {
  const unknown = `${world.key.secret.slice(0, -6)}abcdef`
  const elsewhere = await world.service.key({ workspace: world.workspace, allowIp: ['203.0.113.7'] })
  for (const secret of [unknown, 'x', elsewhere.secret]) {
    assert.equal(await postUnfinished('/mcp', `Bearer ${secret}`), 401)
    assert.equal(await postUnfinished('/mcp?groups=x', `Bearer ${secret}`), 401)
  }
})

test('POST /mcp: 401: an unknown group, a batch and a body that is not JSON say nothing to an unknown key', async () => {
  const bad = { authorization: `Bearer ${world.key.secret.slice(0, -6)}abcdef` }
  const group = await fetch(`${world.service.origin}/mcp?groups=x`, { method: 'POST', headers: bad, body: '{}' })
  assert.equal(group.status, 401)
  for (const body of [[buildCall('get_me')], '\uFEFF[]', 'no JSON', buildCall('list_jobs', MANY), deepCall(100_000)]) {
    const refused = await post(world.service, body, bad)
    assert.equal(refused.status, 401)
    assert.match(refused.headers.get('www-authenticate')!, /^Bearer resource_metadata=/)
  }
})

test('POST /mcp: 400 and 413: an unknown group, batches, broken and large bodies cost one request each', async () => {
  const key = await newKey()
  const headers = { ...bearer(key), 'content-type': 'application/json' }
  const faults: readonly (readonly [code: number, search: string, body: unknown])[] = [
    [-32_602, '?groups=x', buildCall('get_me')],
    [-32_600, '', [buildCall('get_me')]],
    [-32_600, '', 'null'],
    [-32_600, '', '"text"'],
    [-32_700, '', 'no JSON'],
    [-32_700, '', ''],
    // a byte order mark is not JSON: behind it, a batch would pass
    [-32_700, '', `\uFEFF${JSON.stringify([buildCall('get_me')])}`],
    [-32_700, '', `\uFEFF${JSON.stringify(buildCall('get_me'))}`],
  ]
  let left = await remaining(key)
  for (const [code, search, body] of faults) {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const refused = await fetch(`${world.service.origin}/mcp${search}`, { method: 'POST', headers, body: text })
    assert.equal(refused.status, 400, text)
    assert.equal(((await refused.json()) as { error: { code: number } }).error.code, code, text)
    assert.match(refused.headers.get('service-request-id')!, /^req_/)
    left -= 2
    assert.equal(await remaining(key), left, text)
  }
  assert.equal((await post(world.service, 'x'.repeat(300_000), headers)).status, 413)
  assert.equal(await remaining(key), left - 2)
})

test('POST /mcp: 429: a key over its limit learns no fault of its messages', async () => {
  const key = await newKey()
  while ((await remaining(key)) > 0);
  for (const body of [[buildCall('get_me')], 'no JSON', 'x'.repeat(300_000)]) {
    assert.equal((await post(world.service, body, bearer(key))).status, 429)
  }
})

test('MCP tools/call: invalid_request: thousands of arguments and very deep ones are refused before they are looked at', async () => {
  const { call } = await connect(world.service, world.key, { mode: 'legacy' })
  for (const name of ['list_jobs', 'create_candidate_list', 'get_job']) {
    const refused = await call(name, MANY)
    assert.deepEqual([refused.isError, refused.error.code], [true, 'invalid_request'], name)
    assert.match(refused.text, /at most 100 arguments/)
  }
  const key = await newKey()
  const left = await remaining(key)
  for (const depth of [4_000, 100_000]) {
    const refused = await post(world.service, deepCall(depth), bearer(key))
    assert.equal(refused.status, 400)
    assert.match(await refused.text(), /-32600.*nested too deeply/)
  }
  assert.equal(await remaining(key), left - 3)
})

test('MCP tools/call: not_found: a handle that is no valid text is one that does not exist', async () => {
  const { call } = await connect(world.service, world.key, { mode: 'legacy' })
  assert.equal((await call('get_job', { job_handle: '\ud800' })).error.code, 'not_found')
})
