import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileObject, type Member } from './object-writer.ts'

const plain = { optional: false, nullable: false }
const text = { ...plain, value: (value: unknown) => JSON.stringify(value) }

test('compileObject: writes constants, texts, numbers and objects in their order, names and values escaped', () => {
  const inner = compileObject('{', [{ name: 'n', ...plain, value: 'plain' }], '}')
  const write = compileObject(
    '{',
    [
      { name: 'object', constant: 'a "thing"' },
      { name: 'id', ...plain, value: 'quoted' },
      { name: "it's `text`\n", ...text },
      { name: 'inner', ...plain, value: inner },
      { name: 'flag', ...plain, value: 'plain' },
    ],
    ',"last":1}',
  )
  const row = { id: 'job_1', "it's `text`\n": 'say "hi"\\\n', inner: { n: 0 }, flag: false }
  assert.deepEqual(JSON.parse(write(row)), { object: 'a "thing"', ...row, last: 1 })
  assert.equal(compileObject('{', [], '}')({}), '{}')
})

test('compileObject: null is written, a value that is missing is left out, null or an error, as the field says', () => {
  const members: Member[] = [
    { name: 'first', ...text, optional: true },
    { name: 'second', ...text, optional: true },
    { name: 'third', ...text, nullable: true },
  ]
  const write = compileObject('{', members, '}')
  assert.equal(write({}), '{"third":null}')
  assert.equal(write({ second: 'b', third: 'c' }), '{"second":"b","third":"c"}')
  assert.equal(write({ first: null, second: 'b', third: null }), '{"first":null,"second":"b","third":null}')
  assert.equal(compileObject('', members, '')({ first: 'a' }), ',"first":"a","third":null')
  assert.equal(compileObject('{', members.slice(0, 2), '}')({}), '{}')
  assert.throws(() => compileObject('{', [{ name: 'id', ...text }], '}')({}), /row has no value for id/)
})

test('compileObject: links have the columns of the row and the workspace, and are left out where their condition fails', () => {
  const links = (when?: (row: { has: boolean }) => boolean, linkWorkspace?: (row: { owner: string }) => string) =>
    compileObject(
      '{',
      [
        {
          name: 'links',
          links: [
            { name: 'self', path: '/jobs/{id}/forms/{form}', when: undefined },
            { name: 'file', path: '/files/{id}', when },
            { name: 'own', path: '/x?workspace_id={owner}', when: undefined },
          ],
          linkWorkspace,
        },
      ],
      '}',
    )
  const row = { id: 'job_1', form: 'f2', owner: 'wsp_9', has: false }
  const own = '/x?workspace_id=wsp_9'
  assert.deepEqual(JSON.parse(links()(row)).links, { self: '/jobs/job_1/forms/f2', file: '/files/job_1', own })
  assert.deepEqual(JSON.parse(links()(row, 'wsp_1')).links, {
    self: '/jobs/job_1/forms/f2?workspace_id=wsp_1',
    file: '/files/job_1?workspace_id=wsp_1',
    own,
  })
  assert.deepEqual(JSON.parse(links(({ has }) => has)(row)).links, { self: '/jobs/job_1/forms/f2', own })
  assert.equal(
    JSON.parse(links(undefined, ({ owner }) => owner)(row, 'wsp_1')).links.self,
    '/jobs/job_1/forms/f2?workspace_id=wsp_9',
  )
})
