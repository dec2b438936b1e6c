import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boolean, guarded, integer, jsonText, links, literal, neverExposed, nullable, text } from '../http/shape.ts'
import { Type } from '../schema/types.ts'
import { field, group, nullableGroup } from './field.ts'
import { columnsOf, groupColumns, record, writtenColumns } from './record.ts'
import { clearable, describeInput, inputDescription, trimmed, written } from './write.ts'

const boat = record(
  'boats',
  {
    person: 'none',
    erasure: 'contains no candidate data',
    stored: { number: integer(), owner: field(nullable(text()), { person: 'erased', write: clearable.text(50) }) },
  },
  {
    id: text(),
    name: field(text(), {
      write: trimmed(Type.String(), { maxLength: 5, message: 'must be short' }),
      description: 'As painted on it.',
    }),
    tags: field(jsonText({ type: 'array' }), { write: clearable.texts(5) }),
    skipper: field(guarded('jobs:screening:read', nullable(text())), { person: 'erased', write: clearable.text(50) }),
    price: nullableGroup('price_currency', {
      amount: field(nullable(integer()), { column: 'price_amount', write: clearable.integer(0, 1000) }),
      currency: field(text(), { column: 'price_currency', write: clearable.pattern('.', 'USD') }),
      unit: literal('major'),
    }),
    log: group({ entry: field(nullable(text()), { write: clearable.text(100) }) }, { omitPrevious: true }),
    sail_count: field(integer(), { computed: true }),
    afloat: field(boolean(), { column: 'is_afloat' }),
    crew: neverExposed('consent_scope'),
    links: links({ self: '/boats/{id}' }),
  },
)

test('record: the select list has every column once, JSON as text, columns of other names under the name of the field', () => {
  assert.equal(
    columnsOf(boat.fields, 'b').text,
    'b.id, b.name, b.tags::text as tags, b.skipper, b.price_amount, b.price_currency, b.entry, b.is_afloat as afloat',
  )
  assert.equal(columnsOf({ id: text() }).text, 'id')
})

test('record: every column has an erasure decision, also those that no response shows', () => {
  assert.deepEqual(boat.policy, {
    erased: 'skipper owner',
    retained: 'id name tags price_amount price_currency entry is_afloat number',
    how: 'contains no candidate data',
  })
})

test('record: it names every column of its table, and which of them responses show', () => {
  const named = (shown: boolean) => boat.columns.filter(column => column.shown === shown).map(column => column.name)
  assert.deepEqual(named(true), 'id name tags skipper price_amount price_currency entry is_afloat'.split(' '))
  assert.deepEqual(named(false), ['number', 'owner'])
})

test('record: columns of a group become its object; a nullable one is null where its column is', () => {
  const toRow = groupColumns({ price: boat.fields.price, log: boat.fields.log })
  const row = toRow({ price_amount: 5, price_currency: 'EUR', entry: null })
  assert.deepEqual([row.price, row.log], [{ amount: 5, currency: 'EUR', unit: 'major' }, { entry: null }])
  assert.equal(toRow({ price_amount: null, price_currency: null, entry: null }).price, null)
})

test('record: merge leaves absent fields unchanged, clears null ones, and fills a new object', () => {
  const first = boat.merge(undefined, { name: 'Ida', tags: ['red', ' '], skipper: ' ', price: { amount: 7 } })
  assert.deepEqual(first, {
    owner: null,
    name: 'Ida',
    tags: ['red'],
    skipper: null,
    price_amount: 7,
    price_currency: 'USD',
    entry: null,
  })
  const second = boat.merge(first, { tags: null, price: { currency: null, amount: null } })
  assert.deepEqual(second, { ...first, tags: [], price_amount: null })
  assert.deepEqual(boat.merge(first, { price: null }), { ...first, price_amount: null, price_currency: null })
  assert.deepEqual(boat.merge(first, {}), first)
})

test('record: changes name what differs, with old values that are short, unguarded, of no person and no lists', () => {
  const given = { name: 'Ida', tags: ['a'], skipper: 'Bo', log: { entry: 'x' }, price: {}, owner: 'Ann' }
  const before = boat.merge(undefined, given)
  const after = boat.merge(before, { name: 'Eva', tags: [], skipper: null, log: null, price: null, owner: 'Bea' })
  assert.deepEqual(boat.changes(before, after), {
    changed: ['owner', 'name', 'tags', 'skipper', 'price.currency', 'log.entry'],
    previous: { name: 'Ida', 'price.currency': 'USD' },
  })
  assert.deepEqual(boat.changes(undefined, before).previous, {})
  assert.deepEqual(boat.changes(before, { ...before, tags: ['a'] }).changed, [])
  const long = { ...before, name: 'n'.repeat(301) }
  assert.deepEqual(boat.changes(long, before), { changed: ['name'], previous: {} })
})

test('record: the input has a schema for each writable field, with the description for the reference', () => {
  assert.deepEqual(Object.keys(boat.input), ['owner', 'name', 'tags', 'skipper', 'price', 'log'])
  assert.deepEqual(Object.keys(boat.input.price), ['amount', 'currency'])
  assert.equal(inputDescription(boat.input.name), 'As painted on it.')
  assert.ok(!JSON.stringify(boat.input.name).includes('painted'), 'OpenAPI shows the schema alone')
  assert.equal(boat.pathOf('price_currency'), 'price.currency')
})

test('record: the input of a field may have a description of its own', () => {
  const write = written(describeInput(Type.String(), 'By default the home port.'), '', text => text)
  const { input, fields } = record(
    'boats',
    { person: 'none', erasure: 'contains no candidate data' },
    {
      port: field(text(), { write, description: 'Where it lies.' }),
    },
  )
  assert.deepEqual(
    [inputDescription(input.port), fields.port.description],
    ['By default the home port.', 'Where it lies.'],
  )
})

test('record: the columns that writes set include those that no response shows, which come first', () => {
  const names = 'owner name tags skipper price_amount price_currency entry'.split(' ')
  assert.deepEqual(boat.written, names)
  assert.equal(writtenColumns(boat).text, names.join(', '))
  assert.equal(writtenColumns(boat, 'b').text, names.map(name => `b.${name}`).join(', '))
})

test('record: faults are those that schemas cannot express, of an input of any shape', () => {
  const fault = [{ param: 'name', message: 'must be short' }]
  assert.deepEqual(boat.faults({ name: ' Undine ' }), fault)
  assert.deepEqual(boat.faults({ name: ' ' }), fault)
  assert.deepEqual(boat.faults({ name: ' Linda ' }), [])
  for (const input of [undefined, null, 'x', {}, { name: 5, price: 'x' }, { name: null }]) {
    assert.deepEqual(boat.faults(input), [])
  }
})

test('record: objects in a list are the same in any order of their members', () => {
  const harbour = record(
    'harbours',
    { person: 'none', erasure: 'contains no candidate data' },
    {
      berths: field(jsonText({ type: 'array' }), {
        write: written(Type.Array(Type.Object({})), [] as object[], given => given),
      }),
    },
  )
  const changed = (a: object[], b: object[]) => harbour.changes({ berths: a }, { berths: b }).changed
  assert.deepEqual(changed([{ a: 1, b: 2 }], [{ b: 2, a: 1 }]), [])
  assert.deepEqual(changed([{ a: 1 }], [{ a: 2 }]), ['berths'])
})
