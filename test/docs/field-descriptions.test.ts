import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../../src/app.ts'
import { ENUMS } from '../../src/contract/enums.ts'
import { NOTES } from '../../src/docs/field-notes.ts'
import { describeFields, describeSchema, describeShape, type FieldDoc } from '../../src/docs/fields.ts'
import type { Field, Fields, JsonSchema } from '../../src/kernel/http/shape.ts'
import { inputDescription } from '../../src/kernel/record/write.ts'
import { readText } from './guide-examples.ts'

const withChildren = (rows: readonly FieldDoc[]): FieldDoc[] =>
  rows.flatMap(row => [row, ...withChildren(row.children)])

/** Every field of every request and response, as the reference shows it. */
const shown = routes.flatMap(({ body, output }) => [
  ...(body ? withChildren(describeSchema(body as JsonSchema)) : []),
  ...('shape' in output ? withChildren(describeShape(output.shape)) : []),
  ...(output.kind === 'log' ? withChildren(describeFields(output.envelopeFields)) : []),
])
const isShown = (name: string, description: string) =>
  shown.some(row => row.name === name && row.description === description)

const shapes = routes.flatMap(({ output }) => ('shape' in output ? [output.shape] : []))

/** Names and descriptions of the fields of shapes and of what is in them. */
function declaredIn(fields: Fields): [string, string][] {
  return Object.entries(fields).flatMap(([name, field]) => [
    ...(field.description === undefined ? [] : [[name, field.description] as [string, string]]),
    ...innerOf(field),
  ])
}

function innerOf({ parts }: Field): [string, string][] {
  if (!parts) return []
  if ('item' in parts) return innerOf(parts.item)
  return declaredIn('fields' in parts ? parts.fields : parts.shape.fields)
}

/** The same of the schemas of bodies. */
function describedIn(schema: unknown, name = ''): [string, string][] {
  if (typeof schema !== 'object' || schema === null) return []
  const own = inputDescription(schema)
  const inner = Object.entries(schema).flatMap(([key, value]) =>
    key === 'properties'
      ? Object.entries(value as object).flatMap(([member, part]) => describedIn(part, member))
      : describedIn(value),
  )
  return [...(own === undefined ? [] : [[name, own] as [string, string]]), ...inner]
}

test('reference: every note of a field name is shown for a field without a description of its own', () => {
  const unused = Object.entries(NOTES).filter(([name, note]) => !isShown(name, note))
  assert.deepEqual(unused, [])
})

test('reference: every description that a field of a response declares is shown', () => {
  const declared = shapes.flatMap(({ fields }) => declaredIn(fields))
  assert.ok(declared.length > 50, `${declared.length} descriptions`)
  const hidden = declared.filter(([name, description]) => !isShown(name, description))
  assert.deepEqual(hidden, [])
})

test('reference: every description that a field of a body declares is shown', () => {
  const declared = routes.flatMap(({ body }) => describedIn(body))
  assert.ok(declared.length > 20, `${declared.length} descriptions`)
  const hidden = declared.filter(([name, description]) => !isShown(name, description))
  assert.deepEqual(hidden, [])
})

test('reference: fields that this version never fills say so', () => {
  const saidOf = (name: string) => shown.filter(row => row.name === name).map(row => row.description)
  for (const [name, words] of [
    ['external_refs', /does not import from an ATS/],
    ['has_linkedin_capture', /always false/],
  ] as const) {
    assert.ok(saidOf(name).length > 0, name)
    for (const description of saidOf(name)) assert.match(description, words, name)
  }
  assert.match(ENUMS['record_origin']!.values['ats_import']!, /this version does not do/)
  const guide = readText('docs/guides/not-in-this-api.md')
  for (const name of ['external_refs', 'ats_import', 'ats_sync', 'has_linkedin_capture'])
    assert.ok(guide.includes(`\`${name}\``), name)
})
