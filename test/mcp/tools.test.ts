import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes, shapes } from '../../src/app.ts'
import { ALL_SCOPES, type Scope } from '../../src/contract/scopes.ts'
import { fieldNames } from '../../src/kernel/http/shape.ts'
import { OWN_TEXT } from '../../src/mcp/outside-text.ts'
import {
  buildTools,
  describeUsable,
  MAX_ARGUMENTS,
  selectTools,
  type ToolDescription,
  type ToolReach,
} from '../../src/mcp/tools.ts'

const tools = buildTools(routes)
const descriptions = tools.map(tool => ({ tool, ...tool.describe(false) }))

test('MCP tools: every endpoint is a tool or is left out for a stated reason', () => {
  const leftOut = routes.flatMap(({ operationId, tool }) => ('leftOut' in tool ? [[operationId, tool.leftOut]] : []))
  assert.deepEqual(leftOut.map(([operation]) => operation).sort(), LEFT_OUT)
  for (const [operation, reason] of leftOut) assert.match(reason!, /^[a-z]\w*( \S+){3,}$/, operation)
  assert.deepEqual(
    tools.filter(({ name }) => !PRESETS.includes(name)).map(tool => tool.route.operationId),
    routes.flatMap(({ operationId }) => (LEFT_OUT.includes(operationId) ? [] : [operationId])),
  )
  assert.deepEqual(
    tools.map(({ name }) => name).filter(name => PRESETS.includes(name)),
    PRESETS,
  )
})

/** Tools that are another one with some arguments fixed. */
const PRESETS = ['rank_applicants']

const LEFT_OUT = [
  'acceptOrder',
  'advanceTestClock',
  'completeOrder',
  'confirmDeletion',
  'createExport',
  'createReportUpload',
  'createWebhookEndpoint',
  'declineOrder',
  'downloadAttachment',
  'extendOrder',
  'failOrder',
  'getExport',
  'getInstallation',
  'getOpenapi',
  'getOrderCandidate',
  'getOrderResult',
  'getOrderResumeDownload',
  'getPackage',
  'getResumeDownload',
  'listApplicationOrders',
  'listInstallations',
  'listVersions',
  'ping',
  'progressOrder',
  'publishPackage',
  'readOrderReport',
  'repeatOrder',
  'resetTestWorkspace',
  'rotateInstallationKey',
  'rotateWebhookSecret',
  'seedTestWorkspace',
  'simulateTestEvent',
  'uninstallApp',
  'updateWebhookEndpoint',
  'withdrawPackage',
]

test('MCP tools: names are unique, in snake case, and those that guides mention', () => {
  const names = tools.map(tool => tool.name)
  assert.equal(new Set(names).size, names.length)
  for (const name of names) assert.match(name, /^[a-z]+(_[a-z]+)+$/)
  for (const name of ['list_jobs', 'get_application', 'move_application', 'search_pool', 'send_message']) {
    assert.ok(names.includes(name), name)
  }
})

test('MCP tools: list_jobs and list_sourced_profiles put the best match of `q` first, unless the model says otherwise', () => {
  const searching = descriptions.flatMap(({ tool, inputSchema }) => {
    const { q } = inputSchema['properties'] as { q?: { description: string } }
    return q ? [[tool.name, q.description] as const] : []
  })
  assert.deepEqual(
    searching.map(([name]) => name),
    ['list_jobs', 'list_sourced_profiles'],
  )
  for (const [name, text] of searching) {
    assert.match(text, /\b[Tt]he best match is first with sort=relevance only\.$/, name)
    const request = (given: object) =>
      Object.fromEntries(tools.find(tool => tool.name === name)!.request({ ...given }).query)
    assert.deepEqual(request({ q: 'data' }), { sort: 'relevance', q: 'data', limit: '10' })
    assert.deepEqual(request({ q: 'data', sort: 'updated_at' }), { sort: 'updated_at', q: 'data', limit: '10' })
    assert.deepEqual(request({ q: 'data', order: 'asc' }), { q: 'data', order: 'asc', limit: '10' })
    assert.deepEqual(request({}), { limit: '10' })
  }
})

test('MCP tools: a record omits only fields that the object has', () => {
  for (const { tool } of descriptions) {
    const { output, tool: row } = tool.route
    assert.ok('shape' in output && !('leftOut' in row))
    const omit = row.omit ?? []
    assert.deepEqual(
      omit.filter(name => !fieldNames(output.shape).includes(name)),
      [],
      tool.name,
    )
  }
})

test('MCP tools: text is trusted only in objects and fields that exist', () => {
  const byComponent = Map.groupBy(shapes, shape => shape.component)
  for (const [component, fields] of Object.entries(OWN_TEXT)) {
    const known = byComponent.get(component)?.flatMap(fieldNames)
    assert.ok(known, component)
    assert.deepEqual(
      fields.filter(field => field !== '*' && !known.includes(field)),
      [],
      component,
    )
  }
})

test('MCP tools: annotations: reads change nothing; what ends or overwrites something is destructive', () => {
  const hints = Object.fromEntries(descriptions.map(({ name, annotations }) => [name, annotations]))
  for (const { tool, annotations } of descriptions) {
    assert.equal(annotations.readOnlyHint, !tool.route.write, tool.name)
    if (annotations.readOnlyHint) assert.equal(annotations.destructiveHint, false, tool.name)
  }
  const destructive = descriptions.filter(({ annotations }) => annotations.destructiveHint).map(({ name }) => name)
  assert.deepEqual(destructive.sort(), DESTRUCTIVE)
  const leaving = descriptions.filter(({ annotations }) => annotations.openWorldHint).map(({ name }) => name)
  assert.deepEqual(leaving.sort(), OPEN_WORLD)
  const writes = descriptions.filter(({ tool }) => tool.route.write)
  const repeated = writes.filter(({ annotations }) => !annotations.idempotentHint).map(({ name }) => name)
  assert.deepEqual(repeated.sort(), NOT_IDEMPOTENT)
  assert.equal(hints['search_pool']?.readOnlyHint, true)
})

const DESTRUCTIVE = [
  'acknowledge_suppression',
  'cancel_order',
  'close_job',
  'disable_webhook_endpoint',
  'hire_application',
  'push_job',
  'reject_application',
  'send_message',
  'unpublish_job',
]
const OPEN_WORLD = [
  'cancel_order',
  'close_job',
  'place_order',
  'publish_job',
  'push_job',
  'recover_webhook_endpoint',
  'redeliver_webhook',
  'reopen_job',
  'send_message',
  'test_webhook_endpoint',
  'unpublish_job',
]
const NOT_IDEMPOTENT = [
  'create_candidate_list',
  'create_note',
  'create_scorecard',
  'create_upload',
  'place_order', // once an order is final, another call places the next one
  'recover_webhook_endpoint',
  'redeliver_webhook',
  'test_webhook_endpoint',
]

test('MCP tools: arguments come from the endpoint: path, query, body and the idempotency key', () => {
  const schemaOf = (name: string, several = false) =>
    tools.find(tool => tool.name === name)!.describe(several).inputSchema
  const move = schemaOf('move_application') as unknown as { properties: object; required: string[] }
  assert.deepEqual(Object.keys(move.properties), [
    'application_handle',
    'stage_id',
    'expected_updated_at',
    'idempotency_key',
  ])
  assert.deepEqual(move.required, ['application_handle', 'stage_id'])
  const message = schemaOf('send_message') as unknown as { required: string[] }
  assert.ok(message.required.includes('idempotency_key'))
  const one = schemaOf('list_jobs') as unknown as { properties: object; required?: string[] }
  assert.ok(!('workspace_id' in one.properties))
  const several = schemaOf('list_jobs', true) as unknown as { properties: object; required: string[] }
  assert.deepEqual(['workspace_id' in several.properties, several.required], [true, ['workspace_id']])
})

test('MCP tools: arguments are JSON: none is described as a text with commas', () => {
  const commas = descriptions.filter(({ inputSchema }) => /commas/.test(JSON.stringify(inputSchema)))
  assert.deepEqual(
    commas.map(({ name }) => name),
    [],
  )
})

test('MCP tools: lists and searches have ten rows unless the model says otherwise', () => {
  const requestOf = (name: string, args: Record<string, unknown>) =>
    tools.find(tool => tool.name === name)!.request(args)
  assert.equal(requestOf('list_jobs', {}).query.get('limit'), '10')
  assert.equal(requestOf('list_jobs', { limit: 50 }).query.get('limit'), '50')
  assert.deepEqual(requestOf('search_pool', { query: 'welder' }).body, { query: 'welder', limit: 10 })
  assert.deepEqual(requestOf('search_pool', { query: 'welder', limit: 3 }).body, { query: 'welder', limit: 3 })
  assert.equal(requestOf('get_job', { job_handle: 'job_x' }).query.size, 0)
  // null and absent arguments are left out of a query; lists are joined
  assert.equal(
    String(requestOf('list_jobs', { status: ['draft', 'closed'], q: null, limit: 1 }).query),
    'status=draft%2Cclosed&limit=1',
  )
})

test('MCP tools: no tool has as many arguments as are refused', () => {
  for (const tool of tools) {
    const { properties } = tool.describe(true).inputSchema as unknown as { properties: object }
    assert.ok(Object.keys(properties).length < MAX_ARGUMENTS, tool.name)
  }
})

test('MCP tools: none can change where events are sent, whatever a text tells a model', () => {
  const webhooks = descriptions.filter(({ tool }) => tool.route.path.startsWith('/webhooks/') && tool.route.write)
  assert.ok(webhooks.length > 0)
  for (const { name, inputSchema } of webhooks) {
    assert.ok(!Object.hasOwn(inputSchema['properties'] as object, 'url'), name)
  }
})

test('MCP tools: in a query, lists of values are joined; what is nested is one JSON text, made once for all levels', () => {
  const textOf = (q: unknown) =>
    tools
      .find(tool => tool.name === 'list_jobs')!
      .request({ q })
      .query.get('q')
  assert.equal(textOf(['draft', null, 3]), 'draft,null,3')
  assert.equal(textOf([1, [2, [3, null]]]), '[1,[2,[3,null]]]')
  assert.equal(textOf([{ a: 1 }]), '[{"a":1}]')
  const deep = '['.repeat(1_000) + ']'.repeat(1_000)
  assert.equal(textOf(JSON.parse(deep)), deep)
})

const reach = (scopes: readonly Scope[]): ToolReach => ({
  scopes: new Set(scopes),
  userId: 'usr_1',
  severalWorkspaces: false,
})

/** The tool that has the fields of another one's record. */
function likeOf({ outputSchema }: ToolDescription): string | undefined {
  const { description = '' } = recordOf(outputSchema)
  return /^Fields as in (\w+)\.$/.exec(description)?.[1]
}

const recordOf = (schema: object): { description?: string } => {
  const { items } = (schema as { properties?: { items?: { items?: object } } }).properties ?? {}
  return items?.items ?? schema
}

test('MCP tools: the fields of a record are described once, by a tool of the same list', () => {
  const lists = [
    describeUsable(tools, reach(ALL_SCOPES)),
    describeUsable(tools, reach(['jobs:write', 'applications:write', 'jobs:manage'])),
    describeUsable(selectTools(tools, { groups: ['projects-and-lists'], readOnly: false }), reach(ALL_SCOPES)),
  ]
  for (const [i, list] of lists.entries()) {
    const byName = new Map(list.map(described => [described.name, described]))
    const references = list.filter(likeOf)
    assert.ok(references.length > 0, `list ${i}`)
    for (const reference of references) {
      const named = byName.get(likeOf(reference)!)
      assert.ok(named && !likeOf(named), `${reference.name} names a tool that describes its fields`)
      const alone = (name: string) => recordOf(tools.find(tool => tool.name === name)!.describe(false).outputSchema)
      assert.deepEqual(alone(reference.name), alone(named.name), reference.name)
    }
    const own = list
      .filter(described => !likeOf(described))
      .map(({ outputSchema }) => JSON.stringify(recordOf(outputSchema)))
    const repeated = own.filter((fields, at) => fields.length >= 150 && own.indexOf(fields) !== at)
    assert.deepEqual(repeated, [])
  }
})
