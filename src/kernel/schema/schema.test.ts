import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import * as TypeBox from 'typebox'
import { Format } from 'typebox/format'
import { Compile } from 'typebox/schema'
import { Settings } from 'typebox/system'
import { isUri } from '../http/uri.ts'
import { type Static, Type } from './types.ts'
import { compileSchema } from './validator.ts'

/** Both libraries build these schemas: the same calls, once with each of them. */
type Builder = typeof Type
const theirs = TypeBox.Type as unknown as Builder

const sampleOf = (t: Builder) =>
  t.Object(
    {
      name: t.String({ minLength: 2, maxLength: 4, description: 'a name' }),
      code: t.Optional(t.String({ pattern: '^[a-z]+$' })),
      color: t.Optional(t.Enum(['red', 'green'])),
      kind: t.Literal('major'),
      size: t.Optional(t.Union([t.Integer({ minimum: 1, maximum: 9 }), t.Null()], { default: null })),
      tags: t.Array(t.Object({ a: t.Boolean(), 'b/~': t.Optional(t.Number()) }), { minItems: 1, maxItems: 2 }),
    },
    { additionalProperties: false, minProperties: 1 },
  )

test('schema builders: the same JSON as TypeBox, also for optional and partial objects', () => {
  const both = (build: (t: Builder) => unknown) => [build(Type), build(theirs)].map(schema => JSON.stringify(schema))
  for (const build of [
    sampleOf,
    (t: Builder) => t.Partial(sampleOf(t), { additionalProperties: false }),
    (t: Builder) => t.Object({}),
    (t: Builder) => t.Object({ a: t.Optional(t.Null()) }),
    (t: Builder) => t.Object({ a: t.Optional({ ...t.String(), marked: true }) }),
  ]) {
    const [own, their] = both(build)
    assert.equal(own, their)
  }
})

test('schema builders: the types of values are those that the schema allows', () => {
  type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
  const same: Equal<
    Static<ReturnType<typeof sampleOf>>,
    {
      name: string
      code?: string
      color?: 'red' | 'green'
      kind: 'major'
      size?: number | null
      tags: { a: boolean; 'b/~'?: number }[]
    }
  > = true
  assert.ok(same)
})

/** `comparison` repeats what the keyword says. */
interface TheirError {
  keyword: string
  instancePath: string
  params: { comparison?: string }
}

const FORMATS = { short: (text: string) => text.length < 3 }
const words = fc.constantFrom('', 'a', 'b', 'abc', 'x/y~', '😀', '😀😀', 'a\n', '1')
const small = fc.integer({ min: 0, max: 3 })

/** Schemas with every keyword that the validator knows, and values that often come close to them. */
const { schema: schemas } = fc.letrec<{ schema: object }>(tie => {
  const nested = tie('schema')
  const keywords = {
    type: fc.oneof(
      fc.constantFrom('object', 'array', 'string', 'number', 'integer', 'boolean', 'null'),
      fc.constantFrom(['string', 'null'], ['object', 'null'], ['integer', 'null']),
    ),
    required: fc.uniqueArray(words, { maxLength: 2 }),
    properties: fc.dictionary(words, nested, { maxKeys: 2, noNullPrototype: true }),
    additionalProperties: fc.oneof(fc.boolean(), nested),
    minProperties: small,
    items: nested,
    minItems: small,
    maxItems: small,
    minLength: small,
    maxLength: small,
    format: fc.constantFrom('short', 'unknown-format'),
    pattern: fc.constantFrom('^a', '\\S', '^.$'),
    minimum: small,
    maximum: small,
    const: fc.oneof(words, small, fc.boolean()),
    enum: fc.array(fc.oneof(words, small, fc.constant(null)), { minLength: 1, maxLength: 3 }),
    anyOf: fc.array(nested, { minLength: 1, maxLength: 2 }),
    description: words,
  }
  return {
    schema: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom({ type: 'string' }, { type: 'null' }, {}),
      fc
        .record(keywords, { requiredKeys: [] })
        .chain(all => fc.subarray(Object.entries(all), { maxLength: 4 }).map(Object.fromEntries)),
    ),
  }
})
const values = fc.oneof(
  fc.object({
    key: words,
    values: [words, small, fc.constant(null), fc.boolean(), fc.double()],
    maxDepth: 2,
    maxKeys: 4,
  }),
  fc.array(fc.oneof(words, small, fc.constant(null)), { maxLength: 5 }),
  fc.oneof(words, small, fc.double(), fc.constant(null), fc.boolean()),
)

test('validator: finds the same errors in the same order as TypeBox, up to the same maximum', () => {
  Format.Set('short', FORMATS.short)
  fc.assert(
    fc.property(schemas, values, fc.constantFrom(2, 100), (schema, value, maxErrors) => {
      Settings.Set({ maxErrors })
      const own = compileSchema(schema, { formats: FORMATS, maxErrors })
      const their = Compile(schema as never)
      assert.equal(own.check(value), their.Check(value))
      const [valid, errors] = their.Errors(value)
      if (valid) return
      assert.deepEqual(
        // the properties that are declared stand in our errors alone
        own.errors(value).map(({ declared: _, ...error }) => error),
        (errors as TheirError[]).map(({ keyword, instancePath, params: { comparison: _, ...params } }) => ({
          keyword,
          instancePath,
          params,
        })),
      )
    }),
    { numRuns: 1500 },
  )
})

test('validator: throws on a keyword or type that it does not check', () => {
  const options = { formats: {}, maxErrors: 1 }
  assert.throws(() => compileSchema({ multipleOf: 2 }, options), /multipleOf/)
  assert.throws(() => compileSchema({ properties: { a: { oneOf: [] } } }, options), /oneOf/)
  assert.throws(() => compileSchema({ type: 'date' }, options), /date/)
})

test('isUri: accepts and rejects the same texts as TypeBox', () => {
  const parts = fc.constantFrom(
    ...[
      'https',
      'http',
      ':',
      '//',
      '/',
      '?',
      '#',
      '@',
      '[',
      ']',
      '[::1]',
      '[v1.a]',
      '[1:2:3:4:5:6:7::]',
      '[::1.2.3.4]',
    ],
    ...[
      'example.com',
      '1.2.3.4',
      ':80',
      '%41',
      '%4',
      '%',
      'é',
      ' ',
      '\n',
      '\\',
      'a',
      "'",
      '"',
      '::',
      '[::1%25eth0]',
      '+',
    ],
  )
  const texts = fc.oneof(
    fc.array(parts, { maxLength: 8 }).map(list => list.join('')),
    fc.array(parts, { maxLength: 6 }).map(list => `https://${list.join('')}`),
    fc.ipV6().map(address => `https://[${address}]/`),
    fc.string(),
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
  )
  fc.assert(
    fc.property(texts, text => assert.equal(isUri(text), Format.IsUri(text), text)),
    { numRuns: 1000 },
  )
})
