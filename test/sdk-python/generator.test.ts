import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { API_VERSION } from '../../src/contract/version.ts'
import { pythonSdk } from '../../tools/sdk-python/generate.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const MODULE = 'packages/sdk-python/src/hiring_partner/_generated.py'

/** A description with one operation that returns `thing`, and schemas of every kind. */
function describe(schemas: Record<string, unknown>, body?: unknown) {
  const operation = {
    operationId: 'createThing',
    tags: ['Things'],
    summary: 'Create a thing',
    parameters: [{ $ref: '#/components/parameters/key' }],
    ...(body ? { requestBody: { content: { 'application/json': { schema: body } } } } : {}),
    responses: { 201: { content: { 'application/json': { schema: ref('thing') } } } },
  }
  const event = { type: 'object', properties: { object: { const: 'event' } } }
  return {
    paths: { '/things': { post: operation } },
    components: {
      parameters: { key: { name: 'Idempotency-Key', in: 'header', required: false, schema: { type: 'string' } } },
      schemas: { event, ...schemas },
    },
  }
}
const object = (properties: Record<string, unknown>, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
})
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

test('Python SDK generator: the files in the repository are what openapi.json makes', () => {
  const files = pythonSdk(JSON.parse(read('openapi.json')))
  for (const [path, text] of Object.entries(files)) assert.equal(read(path), text, `${path}: run npm run generate`)
})

test('Python SDK: asks for the current version of the API, and has the version of the service', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string }
  const text = read('packages/sdk-python/src/hiring_partner/_version.py')
  assert.ok(text.includes(`\nVERSION = "${version}"\nAPI_VERSION = "${API_VERSION}"\n`), text)
})

test('Python SDK generator: every operation is a method of both clients', () => {
  const description = JSON.parse(read('openapi.json'))
  const text = pythonSdk(description)[MODULE]!
  const operations = Object.values<Record<string, unknown>>(description.paths).flatMap(Object.keys)
  assert.equal(text.match(/^ {4}(?:async )?def (?!_)\w+\(/gm)?.length, operations.length * 2)
  for (const name of ['class Applications(Resource)', 'class AsyncApplications(AsyncResource)', '    async def move('])
    assert.ok(text.includes(name), name)
})

test('Python SDK generator: enumerations are open, also those that are declared so; unions have a class for other values', () => {
  const text = pythonSdk(
    describe({
      color: { type: 'string', enum: ['red', 'blue'] },
      known_size: { type: 'string', enum: ['s', 'm'] },
      size: { anyOf: [ref('known_size'), { type: 'string' }] },
      circle: object({ kind: { type: 'string', const: 'circle' }, radius: { type: 'number' } }),
      square: object({ kind: { type: 'string', const: 'square' }, side: { type: 'number' } }),
      figure: {
        oneOf: [ref('circle'), ref('square')],
        discriminator: {
          propertyName: 'kind',
          mapping: { circle: ref('circle').$ref, square: ref('square').$ref },
        },
      },
      thing: object({
        color: ref('color'),
        size: { anyOf: [ref('size'), { type: 'null' }] },
        figures: { type: 'array', items: ref('figure') },
        class: { type: 'string' },
      }),
    }),
  )[MODULE]!
  for (const line of [
    '    color: Union[Color, str]',
    'Size = Union[KnownSize, str]',
    '    size: Union[Size, None]',
    '    figures: List[Figure]',
    '    _nested = {"figures": "[_FigureUnion]"}',
    '    _names = {"class_": "class"}',
    'class UnknownFigure(Model):',
    '    UnknownFigure,',
  ])
    assert.ok(text.split('\n').includes(line), `${line}\n${text}`)
})

test('Python SDK generator: alternatives of a body become optional parameters, except those that all require', () => {
  const alternatives = {
    oneOf: [
      object({ name: { type: 'string' }, by_id: { type: 'string' } }),
      object({ name: { type: 'string' }, by_time: { type: 'string', format: 'date-time' } }),
    ],
  }
  const text = pythonSdk(describe({ thing: object({ id: { type: 'string' } }) }, alternatives))[MODULE]!
  for (const line of [
    '        name: str,',
    '        by_id: Union[str, NotGiven] = NOT_GIVEN,',
    '        by_time: Union[str, datetime, NotGiven] = NOT_GIVEN,',
    '        idempotency_key: Union[str, None] = None,',
  ])
    assert.ok(text.split('\n').includes(line), `${line}\n${text}`)
})

test('Python SDK generator: refuses two operations of one name', () => {
  const description = describe({ thing: object({}) }) as { paths: Record<string, unknown> }
  description.paths['/things/again'] = description.paths['/things']
  assert.throws(() => pythonSdk(description), /are both things\.create/)
})
