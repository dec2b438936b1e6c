import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apply, body, type Field, newJob, sharedWorld } from './setup.ts'

const world = await sharedWorld()
const { service, workspace, key } = world
const FORM: Field[] = [
  { id: 'why', type: 'textarea', required: true, maxLength: 20 },
  { id: 'note', type: 'text' },
  { id: 'level', type: 'select', options: ['low', 'high'] },
  { id: 'tools', type: 'multiselect', options: ['a', 'b', 'c'] },
  { id: 'relocate', type: 'boolean' },
  { id: 'site', type: 'url' },
  { id: 'mail', type: 'email', asks: 'email' },
  { id: 'reference', type: 'email' },
  { id: 'desk', type: 'phone' },
]
const form = await newJob(service, workspace, { fields: FORM })
const send = (answers: unknown, candidate = {}) =>
  service.post('/applications', key, body(form, { answers }, candidate))
const why = { field_id: 'why', value: 'because' }
const stored = async (id: string) => (await service.get(`/applications/${id}/answers`, key)).body.answers

test('POST /applications: 400 invalid_answer_value with its param for a value of every wrong type', async () => {
  for (const id of ['note', 'level', 'tools', 'relocate', 'site', 'reference', 'desk']) {
    for (const value of [5, 0, null, {}, { a: 'b' }, [1], ['a', 1], ['a', null], [['a']], 1e300]) {
      const response = await send([why, { field_id: id, value }])
      const { code, param, errors } = response.body.detail
      assert.deepEqual([response.status, code, param], [400, 'invalid_answer_value', 'answers[1].value'], response.text)
      assert.deepEqual(
        errors.map((e: { param: string }) => e.param),
        ['answers[1].value'],
      )
    }
  }
  for (const [id, value] of [
    ['note', true],
    ['note', ['a']],
    ['relocate', 'true'],
    ['relocate', ''],
    ['tools', ''],
    ['tools', true],
    ['site', 'ftp://a.example'],
    ['reference', 'notanemail'],
    ['desk', 'abc'],
    ['desk', '+'],
  ])
    assert.equal(
      (await send([why, { field_id: id, value }])).body.detail.code,
      'invalid_answer_value',
      `${id} ${value}`,
    )
  const without = await send([why, { field_id: 'note' }])
  assert.deepEqual([without.body.detail.code, without.body.detail.param], ['invalid_request', 'answers[1].value'])
})

test('POST /applications: every invalid answer is listed, the first gives code and param', async () => {
  const response = await send([
    { field_id: 'tools', value: ['z'] },
    { field_id: 'nothing', value: 'x' },
    { field_id: 'note', value: 7 },
    { field_id: 'note', value: 'fine' },
    { field_id: 'mail', value: 'x' },
    { field_id: 'level', value: null },
  ])
  assert.deepEqual([response.status, response.body.detail.code], [400, 'invalid_answer_value'])
  const params = response.body.detail.errors.map((e: { param: string }) => e.param)
  for (const param of ['[0].value', '[1].field_id', '[2].value', '[3].field_id', '[4].field_id', '[5].value'])
    assert.ok(params.includes(`answers${param}`), `${param} in ${params}`)
  assert.equal(params[0], 'answers[0].value')
})

test('POST /applications: 200 with the existing application before any answer is validated', async () => {
  const email = 'again-answers@example.org'
  const first = await apply({ ...world, job: form }, { answers: [why] }, { email })
  for (const value of [5, null, { a: 1 }, ['a', 2]]) {
    const again = await send([{ field_id: 'why', value }], { email })
    assert.deepEqual([again.status, again.body.id], [200, first.id])
  }
})

test('POST /applications: max_length counts characters, not UTF-16 units', async () => {
  const long = await send([{ field_id: 'why', value: '😀'.repeat(21) }])
  assert.deepEqual([long.body.detail.code, long.body.detail.param], ['invalid_answer_value', 'answers[0].value'])
  const fits = await send([
    { field_id: 'why', value: '😀'.repeat(20) },
    { field_id: 'note', value: '👩‍🚀'.repeat(6_000) },
  ])
  assert.equal(fits.status, 201, fits.text)
  assert.equal((await stored(fits.body.id)).why, '😀'.repeat(20))
})

test('POST /applications: a blank answer counts as not given, required or not', async () => {
  const missing = await send([{ field_id: 'why', value: ' \n\u00a0' }])
  assert.equal(missing.body.detail.code, 'missing_required_answers')
  const made = await send([
    why,
    { field_id: 'note', value: '  ' },
    { field_id: 'level', value: '' },
    { field_id: 'site', value: ' ' },
    { field_id: 'tools', value: [] },
  ])
  assert.equal(made.status, 201, made.text)
  assert.deepEqual(await stored(made.body.id), { why: 'because' })
})

test('POST /applications: 400 invalid_request for a NUL character in an answer, wherever it is', async () => {
  for (const value of ['a\0b', ['a\0'], { x: '\0' }]) {
    const response = await send([why, { field_id: 'note', value }])
    assert.deepEqual([response.status, response.body.detail.code], [400, 'invalid_request'])
    assert.match(response.body.detail.param, /^answers\[1\]\.value/)
  }
})

test('OpenAPI: the value of an answer is described as a string, a boolean or a list of strings', async () => {
  const { schemas } = (await service.get('/openapi.json')).body.components
  const named = ({ $ref }: { $ref: string }) => schemas[$ref.slice('#/components/schemas/'.length)]
  const { anyOf } = named(named(schemas.create_application_request.properties.answers.items).properties.value)
  assert.deepEqual(
    anyOf.map(({ type }: { type: string }) => type),
    ['string', 'boolean', 'array'],
  )
})
