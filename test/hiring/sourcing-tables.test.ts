import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sha256 } from '../../src/kernel/crypto/signing.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { readTableRow } from '../../src/resources/sourced-profiles/index.ts'
import { readFeed } from '../harness/feed.ts'
import { sharedTestService } from '../harness/service.ts'
import { load } from '../pool/fixture.ts'
import { newList, newTeam } from './sourcing-team.ts'

const service = await sharedTestService()
const { db } = service.services

const team = () => newTeam(service)
const home = await team()

const TABLE = [
  'Name;Job title;LinkedIn;ID;Email;total_experience_months',
  'Ann Able;"Welder; lead";https://www.linkedin.com/in/ann-able;a-1;ann@x.example;24',
  ';;;;;',
  'Bob Best;Fitter;;b-1;;many',
  '"Cy ""C"" Cole";"two',
  'lines";;c-1;;12',
  'Ann Able;Foreman;linkedin.com/in/ann-able;;;',
  'Dan Dole;;javascript:alert(1);;;',
].join('\r\n')

test('import: the check shows the fate of each line and stores nothing', async () => {
  const at = await team()
  await at.member.postFile('/sourcing/import', Buffer.from('Name,ID\nCy C,c-1'))
  const { status, body } = await at.member.postFile('/sourcing/import/check', Buffer.from(`\ufeff${TABLE}`))
  assert.equal(status, 200)
  assert.equal(body.delimiter, ';')
  assert.deepEqual(
    body.columns.map((column: { field: string | null }) => column.field),
    ['full_name', 'job_title', 'linkedin_url', 'external_id', 'email', 'total_experience_months'],
  )
  assert.deepEqual(
    body.lines.map((row: { line: number; fate: string; changed: string[]; same_as_line: number | null }) => [
      row.line,
      row.fate,
      row.changed.join(),
      row.same_as_line,
    ]),
    [
      [2, 'created', '', null],
      [3, 'blank', '', null],
      [4, 'invalid', '', null],
      [5, 'updated', 'full_name,job_title,total_experience_months', null],
      [7, 'updated', 'job_title,linkedin_url', 2],
      [8, 'invalid', '', null],
    ],
  )
  assert.match(body.lines[2].reason, /total_experience_months must be a whole number/)
  assert.deepEqual([body.lines[0].name, body.lines[1].name, body.lines[2].name], ['Ann Able', null, 'Bob Best'])
  assert.deepEqual(body.counts, { created: 1, updated: 2, unchanged: 0, suppressed: 0, invalid: 2, blank: 1 })
  assert.equal((await at.member.get('/v1/sourced-profiles')).body.data.length, 1)
})

test('import: lines with the same text: one profile if they say who it is, else one for each, and the check says which', async () => {
  const at = await team()
  const table = Buffer.from(
    ['Name,LinkedIn', 'Ann Able,linkedin.com/in/ann', 'Bo Best,', 'Ann Able,linkedin.com/in/ann', 'Bo Best,'].join(
      '\n',
    ),
  )
  const { body } = await at.member.postFile('/sourcing/import/check', table)
  assert.deepEqual(
    body.lines.map((row: { fate: string; same_as_line: number | null; repeats_line: number | null }) => [
      row.fate,
      row.same_as_line,
      row.repeats_line,
    ]),
    [
      ['created', null, null],
      ['created', null, null],
      ['unchanged', 2, null],
      ['created', null, 3],
    ],
  )
  const { text } = await at.member.postFile('/sourcing/import', table)
  const { result } = JSON.parse(text.trim().split('\n').at(-1)!)
  assert.deepEqual([result.created, result.unchanged], [body.counts.created, body.counts.unchanged])
  assert.equal((await at.member.get('/v1/sourced-profiles')).body.data.length, 3)
})

test('import: stores what the check showed, into a list; the same table again changes nothing', async () => {
  const at = await team()
  const list = await newList(at.member)
  const run = async () => {
    const { status, text } = await at.member.postFile(`/sourcing/lists/${list.id}/import`, Buffer.from(TABLE))
    assert.equal(status, 200)
    const lines = text
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    assert.deepEqual(lines.at(-2), { done: 3, total: 3 })
    return lines.at(-1).result
  }
  const skipped = { suppressed: 0, invalid: 2, blank: 1 }
  assert.deepEqual(await run(), { created: 2, updated: 1, unchanged: 0, ...skipped, earlier: 0 })
  const { data } = (await at.member.get('/v1/sourced-profiles')).body
  assert.deepEqual(data.map((row: { full_name: string; job_title: string }) => [row.full_name, row.job_title]).sort(), [
    ['Ann Able', 'Foreman'],
    ['Cy "C" Cole', 'two\r\nlines'],
  ])
  assert.equal((await at.member.get(`/sourcing/lists/${list.id}`)).body.candidate_count, 2)
  // the later line about Ann is in force, so the first one changes her title and the later one changes it back
  const again = await run()
  assert.equal(again.created, 0)
  assert.equal((await at.member.get(`/sourcing/lists/${list.id}`)).body.candidate_count, 2)
})

test('import: progress comes while it runs; a table that was interrupted continues, and no line is stored twice', async () => {
  const at = await team()
  // without id and URL, so that a line that is stored twice would be two profiles
  const table = Buffer.from(`Name\n${Array.from({ length: 1_200 }, (_, i) => `Row ${i}`).join('\n')}\n`)
  const progress = (text: string) =>
    text
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
  const first = progress((await at.member.postFile('/sourcing/import', table)).text)
  assert.ok(first.filter(line => 'done' in line).length >= 2)
  assert.equal(first.at(-1).result.created, 1_200)
  // as if the process had ended after the second batch
  await db.query(sql`
    update imports set finished_at = null, lines_done = 1000,
      bytes_done = ${Buffer.byteLength(Array.from({ length: 1_000 }, (_, i) => `${lineOf(i)}\n`).join(''))}
    where target = ${at.workspace}`)
  await db.query(sql`
    delete from sourced_profiles where workspace_id = ${at.workspace}
      and split_part(full_name, ' ', 2)::integer >= 1000`)
  const second = progress((await at.member.postFile('/sourcing/import', table)).text)
  assert.equal(second.at(-1).result.created, 200)
  assert.equal(second.at(-1).result.earlier, 1_000)
  const [count] = await db.query(
    sql<{ n: number }>`select count(*)::integer as n from sourced_profiles where workspace_id = ${at.workspace}`,
  )
  assert.equal(count!.n, 1_200)
})

/** The line of an import for a table that has names alone: every field of a profile, most of them null. */
const lineOf = (i: number) => {
  const { id: _, linkedin_key: __, ...fields } = readTableRow(['full_name'], [`Row ${i}`], 'x')
  return JSON.stringify(fields)
}

test('import: a table without rows is imported as nothing', async () => {
  const { status, text } = await home.member.postFile('/sourcing/import', Buffer.from('Name\n'))
  assert.equal(status, 200)
  const { result } = JSON.parse(text.trim().split('\n').at(-1)!)
  assert.deepEqual(result, { created: 0, updated: 0, unchanged: 0, suppressed: 0, invalid: 0, blank: 0, earlier: 0 })
})

test('import: people whose processing was stopped are skipped, in the check and in the import', async () => {
  const at = await team()
  const table = Buffer.from('Name,ID\nEve Gone,e-1\nFay Fine,f-1')
  await at.member.postFile('/sourcing/import', table)
  await db.query(sql`
    update sourced_profiles set suppressed_at = app_now()
    where workspace_id = ${at.workspace} and external_id = 'e-1'`)
  const { counts } = (await at.member.postFile('/sourcing/import/check', table)).body
  assert.deepEqual(counts, { created: 0, updated: 0, unchanged: 1, suppressed: 1, invalid: 0, blank: 0 })
  const { text } = await at.member.postFile('/sourcing/import', table)
  const { result } = JSON.parse(text.trim().split('\n').at(-1)!)
  assert.deepEqual(result, { ...counts, earlier: 0 })
})

test('import: email addresses and phone numbers are stored without credits, each once, with an event; the check names them', async () => {
  const at = await team()
  const table = [
    'Name,ID,Email,Phone',
    'Ann Able,a-1,ann@x.example; ANN@x.example ann.able@x.example,+49 151 222',
    'Bob Best,b-1,,',
    'Bob Best,b-1,bob@x.example,',
    'Cy Cole,c-1,cy at home,',
  ].join('\n')
  const check = async () => (await at.member.postFile('/sourcing/import/check', Buffer.from(table))).body
  const fates = ({ lines }: { lines: { fate: string; changed: string[] }[] }) =>
    lines.map(({ fate, changed }) => [fate, changed.join()])
  assert.deepEqual(fates(await check()), [
    ['created', ''],
    ['created', ''],
    ['updated', 'email'],
    ['invalid', ''],
  ])
  await at.member.postFile('/sourcing/import', Buffer.from(table))
  const { data } = (await at.owner.get('/v1/sourced-profiles')).body
  const ann = data.find((row: { full_name: string }) => row.full_name === 'Ann Able')
  const values = await db.query(sql<{ value: string; kind: string; status: string }>`
    select value, kind, status from contact_values where workspace_id = ${at.workspace} and subject_id = ${ann.id}
    order by value`)
  assert.deepEqual(values, [
    { value: '+49 151 222', kind: 'other', status: 'unverified' },
    { value: 'ANN@x.example', kind: 'other', status: 'unverified' },
    { value: 'ann.able@x.example', kind: 'other', status: 'unverified' },
  ])
  assert.equal(ann.has_contact_info, true)
  const revealed = (await readFeed(service, at.workspace)).filter(
    ({ type }) => type === 'sourced_profile.contact_info_revealed',
  )
  assert.deepEqual(
    revealed
      .map(event => [event.data.object.changed, JSON.stringify(event).includes('x.example')])
      .sort(([one], [other]) => one.length - other.length),
    [
      [['email'], false],
      [['email', 'phone'], false],
    ],
  )
  const [spent] = await db.query(sql<{ n: number }>`
    select count(*)::integer as n from credit_entries where workspace_id = ${at.workspace}`)
  assert.equal(spent?.n, 0)
  assert.deepEqual(fates(await check()).slice(0, 3), [
    ['unchanged', ''],
    ['unchanged', ''],
    ['unchanged', ''],
  ])
})

test('import: a person whose address must not be stored is skipped, whatever else the line says', async () => {
  const at = await team()
  await db.query(sql`
    with s as (
      insert into suppressions (id, status, reason, delete_by)
      values (gen_random_uuid(), 'suppressed', 'stop_processing', app_now()) returning id
    ) insert into suppressed_identifiers (kind, sha256, suppression_id)
    select 'email', ${sha256('barred-from-tables@x.example')}, id from s`)
  const table = Buffer.from('Name,ID,Email\nEve Gone,e-1,"fine@x.example, Barred-From-Tables@x.example"')
  const { counts } = (await at.member.postFile('/sourcing/import/check', table)).body
  assert.deepEqual([counts.suppressed, counts.created], [1, 0])
  await at.member.postFile('/sourcing/import', table)
  assert.equal((await at.member.get('/v1/sourced-profiles')).body.data.length, 0)
})

interface CheckedLine {
  line: number
  fate: 'created' | 'updated' | 'unchanged' | 'suppressed' | 'invalid' | 'blank'
  profile_id: string | null
}

/** Lines of people who are named again and again, by id, by LinkedIn URL or by both, over several batches. */
function repetitiveTable(): string {
  const next = (n: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * n)
  }
  let seed = 7
  const lines = ['Name,Title,ID,LinkedIn,Total experience months']
  for (let i = 0; i < 1_300; i++) {
    const person = next(400)
    const id = next(3) === 0 ? '' : `id-${person}`
    const url = next(2) === 0 ? '' : `https://www.linkedin.com/in/person-${person}`
    const kind = next(20)
    if (kind === 0) lines.push(['', ' , ,,,', '""'][next(3)]!)
    else if (kind === 1) lines.push(`Person ${person},Welder,${id},${url},many`)
    else lines.push(`Person ${person},${['', 'Welder', 'Fitter'][next(3)]},${id},${url},${next(2) === 0 ? '' : '24'}`)
  }
  return lines.join('\n')
}

test('import: the check is what the import does: every line has a fate, with the same sums, over batches and repetitions', async () => {
  const at = await team()
  const table = Buffer.from(repetitiveTable())
  const known = Array.from({ length: 60 }, (_, i) => `Person ${i * 5},Welder,id-${i * 5}`)
  await at.member.postFile('/sourcing/import', Buffer.from(`Name,Title,ID\n${known.join('\n')}`))
  await db.query(sql`
    update sourced_profiles set suppressed_at = app_now()
    where workspace_id = ${at.workspace} and external_id in ('id-5', 'id-50', 'id-100')`)
  const check = async () => (await at.member.postFile('/sourcing/import/check', table)).body
  const profiles = async () =>
    (await db.one(
      sql<{ n: number }>`select count(*)::integer as n from sourced_profiles where workspace_id = ${at.workspace}`,
    ))!.n
  const before = await profiles()
  const { counts, lines } = (await check()) as { counts: Record<string, number>; lines: CheckedLine[] }
  assert.deepEqual(
    lines.map(({ line }) => line),
    Array.from({ length: 1_300 }, (_, i) => i + 2),
  )
  for (const [fate, n] of Object.entries(counts)) {
    assert.ok(n > 0, `the table has lines that are ${fate}`)
    assert.equal(lines.filter(row => row.fate === fate).length, n, fate)
  }
  assert.equal(await profiles(), before, 'the check stores nothing')
  assert.deepEqual((await check()).counts, counts)
  const { text } = await at.member.postFile('/sourcing/import', table)
  const { result } = JSON.parse(text.trim().split('\n').at(-1)!)
  assert.deepEqual(result, { ...counts, earlier: 0 })
  assert.equal((await profiles()) - before, counts['created'])
})

test('import: blank lines before the titles are no rows; titles over several lines do not change the numbers of lines', async () => {
  const table = '\r\n\n"Name\n\n";Title\nJo June;Welder\n\nKay Kale;Fitter'
  const { body } = await home.member.postFile('/sourcing/import/check', Buffer.from(table))
  assert.deepEqual([body.delimiter, body.rows_begin_at_line], [';', 6])
  assert.equal(table.slice(body.rows_begin_at), 'Jo June;Welder\n\nKay Kale;Fitter')
  assert.deepEqual(
    body.lines.map((row: CheckedLine) => [row.line, row.fate]),
    [
      [6, 'created'],
      [7, 'blank'],
      [8, 'created'],
    ],
  )
})

test('import: 400 for a file that is not UTF-8, has no titles or is empty; 413 beyond its limit', async () => {
  const check = (content: string | Buffer) => home.member.postFile('/sourcing/import/check', Buffer.from(content))
  for (const [content, reason] of [
    [Buffer.from([0x4e, 0xe9, 0x0a]), /not UTF-8/],
    ['', /empty/],
    ['Foo,Bar\n1,2', /none was recognized/],
    [`Name\n${'A\n'.repeat(20_001)}`, /at most 20000 rows/],
  ] as const) {
    const { status, body } = await check(content)
    assert.equal(status, 400)
    assert.match(body.detail.message, reason)
  }
  assert.equal((await check(Buffer.alloc(10_485_761))).status, 413)
})

test('import: titles in the words of other programs; first and last name become the name', async () => {
  const { body } = await home.member.postFile(
    '/sourcing/import/check',
    Buffer.from('First Name\tLast Name\tPosition\tCompany\tURL\tConnected On\nGus\tGray\tWelder\tAcme\t\t1 Jan\n'),
  )
  assert.deepEqual(
    body.columns.map((column: { field: string | null }) => column.field),
    ['first_name', 'last_name', 'job_title', 'company_name', 'linkedin_url', null],
  )
  assert.equal(body.lines[0].name, 'Gus Gray')
})

const cells = (line: string) => [...line.matchAll(/"((?:[^"]|"")*)"/g)].map(([, cell]) => cell)

test('export: a list, the profiles and a search as CSV; no formula, no contact value', async () => {
  const at = await team()
  const list = await newList(at.member)
  await at.member.postFile(
    `/sourcing/lists/${list.id}/import`,
    Buffer.from('Name,Title\n"=HYPERLINK(1)",@cmd\nHal Hill,Welder'),
  )
  const [profile] = (await at.member.get('/v1/sourced-profiles')).body.data
  await db.query(sql`
    insert into contact_values (workspace_id, subject_object, subject_id, field, value, kind)
    values (${at.workspace}, 'sourced_profile', ${profile.id}, 'email', 'hidden@x.example', 'work')`)
  const listed = await at.member.get(`/sourcing/lists/${list.id}/members.csv`)
  assert.match(listed.headers.get('content-disposition')!, /^attachment; .*list-\d{4}-\d\d-\d\d\.csv/)
  const [head, first] = listed.text.trim().split('\r\n')
  assert.deepEqual(cells(head!).slice(0, 4), ['sourced_profile_id', 'full_name', 'headline', 'job_title'])
  assert.deepEqual(cells(first!).slice(1, 4), ["'=HYPERLINK(1)", '', "'@cmd"])
  const all = await at.member.get('/sourcing/profiles.csv?q=hal')
  assert.equal(all.text.trim().split('\r\n').length, 2)
  assert.ok(!listed.text.includes('hidden@') && !all.text.includes('hidden@'))

  await load(service, [{ full_name: 'Ivy Iris', job_title: 'Xenon plumber', skills: ['+pipes', 'valves'] }])
  const found = await at.member.get('/sourcing/pool.csv?titles=xenon%20plumber&skills=valves')
  assert.equal(found.status, 200)
  const line = cells(found.text.trim().split('\r\n')[1]!)
  assert.equal(line[3], 'Ivy Iris')
  assert.ok(line.includes("'+pipes, valves"))
  assert.equal((await at.member.get(`/sourcing/pool.csv?titles=${'a,'.repeat(11)}`)).status, 400)
})

test('export: people whose processing was stopped are marked in the list and in the profiles, in a column of its own', async () => {
  const at = await team()
  const list = await newList(at.member)
  const table = 'Name,ID\nEve Gone,e-1\nFay Fine,f-1'
  await at.member.postFile(`/sourcing/lists/${list.id}/import`, Buffer.from(table))
  await db.query(sql`
    update sourced_profiles set suppressed_at = app_now()
    where workspace_id = ${at.workspace} and external_id = 'e-1'`)
  for (const path of [`/sourcing/lists/${list.id}/members.csv`, '/sourcing/profiles.csv']) {
    const [head, ...rows] = (await at.member.get(path)).text.trim().split('\r\n').map(cells)
    const [name, stopped] = [head!.indexOf('full_name'), head!.indexOf('processing_stopped')]
    assert.deepEqual(
      rows.map(row => [row[name], row[stopped]]).sort(),
      [
        ['Eve Gone', 'true'],
        ['Fay Fine', 'false'],
      ],
      path,
    )
  }
})
