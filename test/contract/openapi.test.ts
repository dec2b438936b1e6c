import assert from 'node:assert/strict'
import { test } from 'node:test'
import { examples, routes, shapes } from '../../src/app.ts'
import { ENUMS } from '../../src/contract/enums.ts'
import { eventValue } from '../../src/contract/event-values.ts'
import { EVENT_TYPES, EVENTS } from '../../src/contract/events.ts'
import { openapi } from '../../src/kernel/http/openapi.ts'
import type { JsonSchema } from '../../src/kernel/http/shape.ts'
import { listFaults } from '../harness/description.ts'

// biome-ignore lint/suspicious/noExplicitAny: looked into at many places
const document = openapi({ routes, shapes, examples, publicUrl: 'https://hiring.example' }) as any
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

/** `job_links` as generators write it: `JobLinks`. */
const typeName = (name: string): string =>
  name.replaceAll(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

test('openapi: no schema has the name that a generator makes up for a property of another', () => {
  const named = new Map(Object.keys(schemas).map(name => [typeName(name), `#/components/schemas/${name}`]))
  const taken = Object.entries(schemas).flatMap(([name, schema]) =>
    Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>).flatMap(([property, field]) => {
      // a constant or an enumeration gets a type of its own in Go, called after its place
      const hasOwnType =
        field['const'] !== undefined || field['enum'] !== undefined || field['properties'] !== undefined
      return hasOwnType && named.has(typeName(`${name}_${property}`)) ? [`${name}.${property}`] : []
    }),
  )
  assert.deepEqual(taken, [])
})

/** The words that carry a sentence, without their endings. */
const stems = (text: string): string[] =>
  (text.toLowerCase().match(/\p{L}+/gu) ?? [])
    .filter(
      word => !/^(a|an|the|of|to|for|by|its?|get|list|or|and|that|with|in|again|your?|whether|be|can)$/.test(word),
    )
    .map(word => word.replace(/(es|ed|s|e)$/, ''))

test('openapi: Go has no name twice: a shared parameter is called like no schema, `has_x` and an optional `x` exclude each other', () => {
  assert.deepEqual(
    Object.keys(document.components.parameters).filter(name => name in schemas),
    [],
  )
  const twice: string[] = []
  for (const [name, schema] of Object.entries(schemas))
    walk(schema, name, ({ properties = {}, required = [] }, at) => {
      for (const field of Object.keys(properties as object)) {
        const other = field.replace(/^(has|get|set)_/, '')
        if (other !== field && other in (properties as object) && !(required as string[]).includes(other))
          twice.push(`${at}.${field}`)
      }
    })
  assert.deepEqual(twice, [])
})

test('openapi: a description does not begin with its summary in other words: assistants pay for every one', () => {
  const repeated = routes.filter(({ summary, description }) => {
    const first = stems((description ?? '').split(/[.;](?: |$)/)[0]!)
    return first.length > 0 && stems(summary).every(stem => first.includes(stem))
  })
  assert.deepEqual(
    repeated.map(({ method, path, description }) => `${method} ${path}: ${description}`),
    [],
  )
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
      if (at === name) return
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

interface Media {
  schema: JsonSchema
  example?: unknown
  examples?: Record<string, { $ref: string }>
}

// biome-ignore lint/suspicious/noExplicitAny: walks an arbitrary document
const target = ($ref: string): any =>
  $ref
    .slice(2)
    .split('/')
    .reduce((at, part) => at[part], document)
// biome-ignore lint/suspicious/noExplicitAny: as above
const resolved = (value: any) => (value.$ref ? target(value.$ref) : value)

function check(media: Media, at: string): void {
  const values = media.examples
    ? Object.entries(media.examples).map(([name, example]) => [name, resolved(example).value] as const)
    : [['example', media.example] as const]
  for (const [name, value] of values) {
    assert.notEqual(value, undefined, `${at} has no example`)
    assert.deepEqual(listFaults(document, media.schema, value), [], `${at}: ${name}`)
  }
}

test('openapi: every request, response, error and webhook has an example that fits its schema', () => {
  for (const { operationId, requestBody, responses } of operations) {
    if (requestBody) check(requestBody.content['application/json'], `body of ${operationId}`)
    for (const [status, response] of Object.entries(responses)) {
      const media = resolved(response).content?.['application/json']
      if (media) check(media, `${status} of ${operationId}`)
    }
  }
  for (const [type, { post }] of Object.entries<{ post: { requestBody: { content: object } } }>(document.webhooks))
    check((post.requestBody.content as { 'application/json': Media })['application/json'], type)
})

test('openapi: each event type has a schema of its own with every value that it carries, and a webhook', () => {
  for (const type of EVENT_TYPES) {
    const name = `${type.replaceAll('.', '_')}_event`
    const { object, values } = EVENTS[type]
    const { properties, required } = schemas[`${name}_record`] as { properties: object; required: string[] }
    const carried = values.filter(value => !eventValue(object, value)?.optional)
    assert.deepEqual(required, ['object', 'id', 'workspace_id', 'updated_at', ...carried], type)
    assert.deepEqual(Object.keys(properties), [
      'object',
      'id',
      'workspace_id',
      'updated_at',
      ...values,
      'changed',
      'origin',
    ])
    const ref = { $ref: `#/components/schemas/${name}` }
    assert.deepEqual(document.webhooks[type].post.requestBody.content['application/json'].schema, ref)
    assert.ok(
      (schemas['declared_event']!['oneOf'] as object[]).some(kind => JSON.stringify(kind) === JSON.stringify(ref)),
    )
  }
})

test('openapi: an event of a type that comes later fits the schema of events', () => {
  const later = { ...(examples.eventOf('list.created') as object), type: 'offer.created' }
  assert.deepEqual(listFaults(document, schemas['other_event']!, later), [])
  assert.deepEqual(schemas['event']!['anyOf'], [
    { $ref: '#/components/schemas/declared_event' },
    { $ref: '#/components/schemas/other_event' },
  ])
})

test('openapi: open enumerations take any text in responses and their values in requests; each value is explained', () => {
  for (const [name, { open, values }] of Object.entries(ENUMS)) {
    const known = schemas[open ? `known_${name}` : name]
    assert.deepEqual(known?.['enum'], Object.keys(values), `${name} is in no request or response`)
    assert.deepEqual(known['x-enum-descriptions'], Object.values(values))
    for (const value of Object.keys(values)) assert.ok((known['description'] as string).includes(`- \`${value}\`: `))
    if (open && schemas[name])
      assert.deepEqual(schemas[name]['anyOf'], [{ $ref: `#/components/schemas/known_${name}` }, { type: 'string' }])
  }
  for (const [name, schema] of Object.entries(schemas).filter(([name]) => name.endsWith('_request')))
    walk(schema, name, (inner, at) => assert.ok(!ENUMS[lastOf(inner['$ref'])]?.open, at))
})

const lastOf = (ref: unknown) => (typeof ref === 'string' ? ref.slice(ref.lastIndexOf('/') + 1) : '')

test('openapi: comma lists are arrays of known values, and the API version is one of those that exist', () => {
  const status = document.paths['/applications'].get.parameters
    .map(resolved)
    .find((p: { name: string }) => p.name === 'status')
  assert.deepEqual([status.style, status.explode, status.schema.type], ['form', false, 'array'])
  assert.equal(status.schema.items.$ref, '#/components/schemas/application_status')
  assert.deepEqual(document.components.parameters['Service-Api-Version'].schema.enum, ['2026-11-01'])
})

test('openapi: what only a rule checks is described: exactly one of two, types of files, names of systems', () => {
  const { message_recipient, list_member, create_upload_request, push_job_source } = schemas
  for (const { oneOf } of [message_recipient, list_member] as { oneOf: { $ref: string }[] }[])
    for (const { $ref } of oneOf) assert.equal((schemas[lastOf($ref)]!['required'] as string[]).length, 1)
  const { content_type } = create_upload_request!['properties'] as Record<string, JsonSchema>
  assert.equal(content_type!['$ref'], '#/components/schemas/resume_media_type')
  const { system } = push_job_source!['properties'] as Record<string, JsonSchema>
  assert.equal(system!['pattern'], '^[a-z0-9_]{2,40}$')
})

test('openapi: tags, licence, contact, bearer schemes, and links from what is created to the calls that take it', () => {
  for (const { name, description } of document.tags) assert.notEqual(description, name)
  assert.equal(document.info.license.identifier, 'Apache-2.0')
  assert.ok(document.info.contact.url)
  for (const scheme of Object.values<JsonSchema>(document.components.securitySchemes))
    assert.deepEqual([scheme['type'], scheme['scheme']], ['http', 'bearer'])
  const { links } = document.paths['/applications'].post.responses['201']
  assert.deepEqual(links.moveApplication.parameters, { application_handle: '$response.body#/id' })
  const ids = operations.map(({ operationId }) => operationId)
  const linked = operations.flatMap(({ responses }) =>
    Object.values<{ links?: Record<string, { operationId: string }> }>(responses).flatMap(r =>
      Object.values(r.links ?? {}),
    ),
  )
  assert.ok(linked.length > 40)
  for (const { operationId } of linked) assert.ok(ids.includes(operationId), operationId)
})
