import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes, shapes } from '../../src/app.ts'
import { openapi } from '../../src/kernel/http/openapi.ts'
import type { JsonSchema } from '../../src/kernel/http/shape.ts'

// biome-ignore lint/suspicious/noExplicitAny: looked into at many places
const document = openapi(routes, shapes, 'https://hiring.example') as any
// biome-ignore lint/suspicious/noExplicitAny: as above
const operations: any[] = Object.values(document.paths).flatMap(path => Object.values(path as object))
const schemas = document.components.schemas as Record<string, JsonSchema>

/** Calls `visit` with every schema inside one. */
function walk(schema: JsonSchema, at: string, visit: (schema: JsonSchema, at: string) => void): void {
  visit(schema, at)
  const list = (name: string) => (schema[name] ?? []) as JsonSchema[]
  for (const [name, field] of Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>))
    walk(field, `${at}.${name}`, visit)
  for (const branch of [...list('anyOf'), ...list('oneOf'), ...list('allOf')]) walk(branch, at, visit)
  for (const name of ['items', 'additionalProperties'])
    if (typeof schema[name] === 'object') walk(schema[name] as JsonSchema, `${at}[]`, visit)
}

test('openapi: operationIds are a verb and a noun in camelCase, and unique', () => {
  const ids: string[] = operations.map(operation => operation.operationId)
  assert.deepEqual(
    ids.filter(id => !/^[a-z]+([A-Z][a-z]+)+$/.test(id)),
    ['ping'],
  )
  assert.equal(new Set(ids).size, ids.length)
  const lists = operations.filter(({ operationId }) => operationId.startsWith('list'))
  for (const { responses, operationId } of lists)
    assert.match(responses['200'].content['application/json'].schema.$ref, /_page$/, operationId)
})

test('openapi: summaries are one line of at most 80 characters, without a full stop', () => {
  for (const { operationId, summary, description } of operations) {
    assert.match(summary, /^[A-Z].{2,78}[^.]$/, operationId)
    assert.ok(description.length > 0, operationId)
  }
})

test('openapi: objects and enumerations inside schemas have names, none of which a language reserves', () => {
  const reserved = ['list', 'error', 'object', 'map', 'set', 'string', 'type', 'any', 'response', 'request', 'file']
  for (const [name, schema] of Object.entries(schemas)) {
    assert.match(name, /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/)
    assert.ok(!reserved.includes(name), name)
    walk(schema, name, (inner, at) => {
      if (at === name || at.endsWith('.restricted[]')) return
      assert.equal(inner['properties'], undefined, `${at} is an object without a name`)
      assert.equal(inner['enum'], undefined, `${at} is an enumeration without a name in contract/enums.ts`)
    })
  }
})

test('openapi: every reference leads to a schema, and every schema is used', () => {
  const text = JSON.stringify(document)
  const used = new Set([...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(match => match[1]!))
  assert.deepEqual([...used].sort(), Object.keys(schemas).sort())
})

test('openapi: sequences and lengths in bytes are 64-bit integers', () => {
  const found: string[] = []
  for (const [name, schema] of Object.entries(schemas)) {
    walk(schema, name, (inner, at) => {
      if (!/\.(\w*sequence|\w*after|\w*bytes)$/.test(at)) return
      const integer = [inner['type']].flat().includes('integer')
      if (!integer) return
      found.push(at)
      assert.equal(inner['format'], 'int64', at)
    })
  }
  assert.ok(found.length >= 12, found.join())
  const after = document.paths['/events'].get.parameters.find((p: { name: string }) => p.name === 'after')
  assert.equal(after.schema.format, 'int64')
})
