import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import fc from 'fast-check'
import { sql } from '../../src/kernel/db/sql.ts'
import { csvLine } from '../../src/kernel/text/csv.ts'
import { sharedTestService, type TestService } from '../harness/service.ts'
import { type Person, signedIn } from './setup.ts'

let service: TestService
let workspace: string
let owner: Person
let key: { id: string }
let formula: { id: string }

interface Read {
  key?: string
  subject?: string
  field?: string
  acting?: string
  at?: string
  workspace?: string
}

const addRead = (read: Read) =>
  service.services.db.query(sql`
    insert into personal_data_reads
      (workspace_id, key_id, subject_object, subject_id, field, units, request_id, acting_user_id, at)
    values (${read.workspace ?? workspace}, ${read.key ?? key.id}, 'applicant', ${read.subject ?? 'apc_one'},
      ${read.field ?? 'email'}, 1, 'req_one', ${read.acting ?? null}, ${read.at ?? '2026-01-01T00:00:00Z'}::timestamptz)`)

before(async () => {
  service = await sharedTestService()
  workspace = (await service.workspace()).id
  owner = await signedIn(service, workspace)
  key = await service.key({ workspace, name: 'Payroll' })
  formula = await service.key({ workspace, name: 'Formula' })
  // as keys could be named before names had rules
  await service.services.db.query(sql`
    update api_keys set name = ${'=HYPERLINK("https://evil.example";"x")'} where id = ${formula.id}`)
  await addRead({})
  await addRead({ subject: 'apc_two', field: 'phone', at: '2026-01-02T00:00:00Z' })
  await addRead({ key: formula.id, acting: owner.userId, at: '2026-01-03T00:00:00Z' })
  const other = (await service.workspace()).id
  await addRead({ workspace: other, key: (await service.key({ workspace: other })).id })
})

const subjects = async (query: string) => {
  const response = await owner.get(`/audit${query}`)
  assert.equal(response.status, 200, response.text)
  return response.body.data.map((row: { at: string }) => row.at.slice(0, 10))
}

test('console audit log: reads of this workspace alone, newest first, with the names of key and person', async () => {
  const { data } = (await owner.get('/audit')).body
  assert.deepEqual(
    data.map((row: { at: string }) => row.at.slice(0, 10)),
    ['2026-01-03', '2026-01-02', '2026-01-01'],
  )
  const { id: _, ...first } = data[0]
  assert.deepEqual(first, {
    at: '2026-01-03T00:00:00.000Z',
    key: { id: formula.id, name: '=HYPERLINK("https://evil.example";"x")', is_app: false },
    subject: { object: 'applicant', id: 'apc_one' },
    field: 'email',
    units: 1,
    request_id: 'req_one',
    acting_user: { id: owner.userId, name: 'Pia' },
  })
})

test('console audit log: each filter alone and all together', async () => {
  assert.deepEqual(await subjects(`?key_id=${formula.id}`), ['2026-01-03'])
  assert.deepEqual(await subjects('?subject=apc_two'), ['2026-01-02'])
  assert.deepEqual(await subjects('?field=phone'), ['2026-01-02'])
  assert.deepEqual(await subjects(`?acting_user=${owner.userId}`), ['2026-01-03'])
  assert.deepEqual(await subjects('?after=2026-01-01T00:00:00Z&before=2026-01-03T00:00:00Z'), ['2026-01-02'])
  const all = `?key_id=${key.id}&subject=apc_one&field=email&after=2025-12-31T00:00:00Z&before=2026-01-02T00:00:00Z`
  assert.deepEqual(await subjects(all), ['2026-01-01'])
  assert.deepEqual(await subjects('?subject=apc_unknown'), [])
})

test('console audit log: 400: an unknown field, an invalid time, an unknown filter', async () => {
  for (const query of ['field=shoe_size', 'after=yesterday', 'user=x']) {
    assert.equal((await owner.get(`/audit?${query}`)).status, 400, query)
  }
})

test('console audit log: page after page: every row once', async () => {
  const seen: number[] = []
  let cursor = ''
  do {
    const { body } = await owner.get(`/audit?limit=1${cursor}`)
    seen.push(...body.data.map((row: { id: number }) => row.id))
    cursor = body.next_cursor ? `&cursor=${encodeURIComponent(body.next_cursor)}` : ''
  } while (cursor)
  assert.equal(new Set(seen).size, 3)
  assert.equal(seen.length, 3)
})

test('console audit log: options: keys of this workspace and its people', async () => {
  const { readers, people } = (await owner.get('/audit/options')).body
  assert.deepEqual(new Set(readers.map((r: { id: string }) => r.id)), new Set([key.id, formula.id]))
  assert.ok(people.some((p: { id: string }) => p.id === owner.userId))
})

test('console audit log: CSV: the same filters, a file, more rows than one chunk, formulas written as text', async () => {
  const file = await owner.get(`/audit/personal-data-reads.csv?key_id=${formula.id}`)
  assert.equal(file.status, 200)
  assert.match(file.headers.get('content-type')!, /^text\/csv/)
  assert.match(file.headers.get('content-disposition')!, /^attachment; .*personal-data-reads-\d{4}-\d\d-\d\d\.csv/)
  assert.equal(file.headers.get('cache-control'), 'no-store')
  const [head, row, ...rest] = file.text.split('\r\n')
  assert.match(head!, /^"at","key_id","key_name"/)
  assert.ok(row!.includes(`"'=HYPERLINK(""https://evil.example"";""x"")"`))
  assert.deepEqual(rest, [''])

  await service.services.db.query(sql`
    insert into personal_data_reads (workspace_id, key_id, subject_object, subject_id, field, units, request_id, at)
    select ${workspace}, ${key.id}, 'applicant', 'apc_many', 'email', 1, 'req_' || n, '2026-02-01'
    from generate_series(1, 2500) as n`)
  const all = await owner.get('/audit/personal-data-reads.csv?subject=apc_many')
  const requests = all.text.trimEnd().split('\r\n').slice(1)
  assert.equal(new Set(requests).size, 2_500)
  assert.equal(requests.length, 2_500)
})

/** Without the apostrophes before what a spreadsheet would take for a formula. */
const withoutMarks = (text: string) => text.replaceAll(/(?<=^|[;\t\r\n]"*)'(?=[=+\-@\t\r])/g, '')

test('console audit log: CSV: no cell begins a formula, and a reader gets back what was written', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: fc.constantFrom(...'=+-@;\t\r\n",\'aé') }), { minLength: 1 }), cells => {
      const line = csvLine(cells)
      assert.ok(line.endsWith('\r\n'))
      const read = [...line.slice(0, -2).matchAll(/(?:^|,)"((?:[^"]|"")*)"/g)].map(m => m[1]!.replaceAll('""', '"'))
      assert.equal(read.length, cells.length)
      for (const [i, cell] of read.entries()) {
        assert.doesNotMatch(cell, /^[=+\-@\t\r]/)
        assert.doesNotMatch(cell, /[;\t\r\n]"*[=+\-@]/)
        assert.equal(withoutMarks(cell), withoutMarks(cells[i]!))
      }
    }),
  )
  assert.equal(csvLine(['x;=HYPERLINK(1)']), '"x;\'=HYPERLINK(1)"\r\n')
})
