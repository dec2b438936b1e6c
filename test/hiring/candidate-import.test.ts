import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sha256 } from '../../src/kernel/crypto/signing.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { BadRow, candidateColumns, readCandidateRow } from '../../src/resources/candidate-imports/index.ts'
import { apply, type Job, newJob, readEvents, sharedWorld, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'

/** A table of candidates of a job: the check, and the import that does the same. */

let world: World
let member: Person

before(async () => {
  world = await sharedWorld()
  member = await enter('member')
})

const enter = (role: 'owner' | 'admin' | 'member' | 'viewer') =>
  signedIn(world.service, world.workspace, { role, program: 'hiring' })
const db = () => world.service.services.db
const freshJob = (status = 'published') => newJob(world.service, world.workspace, { status })

interface CheckedLine {
  line: number
  outcome: string
  name: string | null
  application_id: string | null
  same_as_line: number | null
  problem: string | null
  value: string | null
}

const sendTable = (path: string, job: string, table: string, person = member) =>
  person.postFile(`/import/candidates${path}?job_id=${job}`, Buffer.from(table))

async function check(job: Job, table: string): Promise<{ lines: CheckedLine[]; counts: Record<string, number> }> {
  const { status, body, text } = await sendTable('/check', job.id, table)
  assert.equal(status, 200, text)
  return body
}

async function importTable(job: Job, table: string): Promise<Record<string, number>> {
  const { status, text } = await sendTable('', job.id, table)
  assert.equal(status, 200, text)
  return JSON.parse(text.trim().split('\n').at(-1) ?? '').result
}

const candidatesOf = (job: Job) =>
  db().query(sql<{ id: string; full_name: string; email: string; stage_id: string; source: string; status: string }>`
    select a.id, p.full_name, p.email, a.stage_id, a.source, a.status from applications a
    join applicants p on p.workspace_id = a.workspace_id and p.id = a.applicant_id
    where a.workspace_id = ${world.workspace} and a.job_id = ${job.id} order by p.full_name, p.email`)

/** No one may store this address. */
const suppress = (email: string) =>
  db().query(sql`
    with s as (
      insert into suppressions (id, status, reason, delete_by)
      values (gen_random_uuid(), 'suppressed', 'stop_processing', app_now()) returning id
    ) insert into suppressed_identifiers (kind, sha256, suppression_id) select 'email', ${sha256(email)}, id from s`)

const problems = ({ lines }: { lines: CheckedLine[] }) =>
  lines.map(({ line, outcome, problem, value }) => [line, outcome, problem, value])

test('import of candidates: é, two addresses, a wrong stage and a suppressed address: a line each with its reason; the import does that', async () => {
  const job = await freshJob()
  await suppress('stopped-by-law@example.org')
  const table = [
    'Name;Email;Telefon;Phase;Tags;Notiz;Quelle;Beworben am;Ort',
    'Zoë Élan;zoe.elan@example.org;+49 151 111;Screen;c++ ; remote;;;;',
    'Max Two;max@example.org, max.two@example.org;;;;Called twice.;Empfehlung;03.02.2026;Köln',
    'Eve Wrong;eve.wrong@example.org;;Interviev;;;;;',
    'Sam Stopped;Stopped-by-law@example.org;;;;;;;',
    ';;;;;;;;',
    'Hana Final;hana@example.org;;Hired;;;;;',
  ]
    .join('\n')
    .replace('c++ ; remote', '"c++ ; remote"')
  const checked = await check(job, table)
  assert.deepEqual(problems(checked), [
    [2, 'added', null, null],
    [3, 'added', null, null],
    [4, 'invalid', 'unknown_stage', 'Interviev'],
    [5, 'cannot_be_stored', 'stopped', null],
    [6, 'blank', null, null],
    [7, 'invalid', 'final_stage', 'Hired'],
  ])
  assert.deepEqual(
    checked.lines.map(({ name }) => name),
    ['Zoë Élan', 'Max Two', 'Eve Wrong', 'Sam Stopped', null, 'Hana Final'],
  )
  assert.deepEqual(await candidatesOf(job), [], 'the check stores nothing')
  const seen = (await readEvents(world, world.workspace)).length
  assert.deepEqual(await importTable(job, table), { ...checked.counts, earlier: 0 })
  const [max, zoe] = await candidatesOf(job)
  assert.deepEqual(
    [max, zoe].map(row => [row?.full_name, row?.email, row?.stage_id, row?.source, row?.status]),
    [
      ['Max Two', 'max@example.org', job.stages[0], 'team:referral', 'new'],
      ['Zoë Élan', 'zoe.elan@example.org', job.stages[1], 'import:file', 'in_review'],
    ],
  )
  const emails = await db().query(sql<{ value: string }>`
    select value from contact_values where workspace_id = ${world.workspace} and field = 'email'
      and subject_id = (select applicant_id from applications where id = ${max?.id}) order by value`)
  assert.deepEqual(
    emails.map(({ value }) => value),
    ['max.two@example.org', 'max@example.org'],
  )
  const read = async (id = '') => (await member.get(`/v1/applications/${id}`)).body
  assert.equal((await read(max?.id)).applied_at, '2026-02-03T00:00:00.000Z')
  const { tags } = (await member.get(`/tags/of-applications?application_ids=${zoe?.id}`)).body
  assert.deepEqual(tags[zoe?.id ?? ''].sort(), ['c++', 'remote'])
  const notes = (await member.get(`/applications/${max?.id}/notes`)).body.data
  assert.deepEqual(
    notes.map((note: { body: string; author: { id: string } }) => [note.body, note.author.id]),
    [['Called twice.', member.userId]],
  )
  const events = (await readEvents(world, world.workspace)).slice(seen)
  assert.deepEqual(
    ['applicant.created', 'application.created'].map(type => events.filter(event => event.type === type).length),
    [2, 2],
  )
  const person = events.find(({ type }) => type === 'applicant.created')
  assert.ok(!JSON.stringify(person).includes('example.org'), 'an event has no address')
})

test('import of candidates: known people get an application; who is in the job stays, also by a line before it', async () => {
  const job = await freshJob()
  const here = await apply({ ...world, job }, {}, { email: 'here@example.org' })
  const known = await apply(world, {}, { email: 'known@example.org', first_name: 'Kit', last_name: 'Known' })
  const table = [
    'First name,Last name,Email,LinkedIn,Phone',
    'Kitty,Other,KNOWN@example.org,linkedin.com/in/kit-known,0151 222',
    'Ann,Here,here@example.org,,',
    'Kit,Known,,https://de.linkedin.com/in/Kit-Known/,',
    'Kit,Known,known@example.org,,',
    'Noa,New,noa.new@example.org,,',
    'Noa,New,noa.new@example.org;noa@example.net,,',
  ].join('\n')
  const { lines, counts } = await check(job, table)
  assert.deepEqual(
    lines.map(({ outcome, application_id, same_as_line }) => [outcome, application_id, same_as_line]),
    [
      ['known_person', null, null],
      ['already_in_job', here.id, null],
      ['already_in_job', null, 2],
      ['already_in_job', null, 2],
      ['added', null, null],
      ['already_in_job', null, 6],
    ],
  )
  assert.deepEqual(await importTable(job, table), { ...counts, earlier: 0 })
  const names = (await candidatesOf(job)).map(({ full_name }) => full_name)
  assert.deepEqual(names.sort(), ['Ada Byron', 'Kit Known', 'Noa New'], 'nothing is overwritten')
  const { linkedin_url } = (await member.get(`/v1/applicants/${known.applicant_id}`)).body
  assert.equal(linkedin_url, 'https://linkedin.com/in/kit-known', 'blanks are filled')

  const again = await check(job, table)
  assert.equal(again.counts['already_in_job'], 6)
  const result = await importTable(job, table)
  assert.deepEqual([result['already_in_job'], result['added']], [6, 0], 'the same table again adds no one')
})

test('import of candidates: who unsubscribed or was stopped is not stored, in the check and in the import', async () => {
  const job = await freshJob()
  const off = await apply(world, {}, { email: 'off@example.org' })
  const stopped = await apply(world, {}, { email: 'halted@example.org' })
  await db().query(sql`update applicants set unsubscribed_at = app_now() where id = ${off.applicant_id}`)
  await db().query(sql`update applicants set suppressed_at = app_now() where id = ${stopped.applicant_id}`)
  const table = 'name,email\nOla Off,off@example.org\nHal Halted,halted@example.org'
  const { lines, counts } = await check(job, table)
  assert.deepEqual(
    lines.map(({ outcome, problem }) => [outcome, problem]),
    [
      ['cannot_be_stored', 'unsubscribed'],
      ['cannot_be_stored', 'stopped'],
    ],
  )
  assert.deepEqual(await importTable(job, table), { ...counts, earlier: 0 })
  assert.deepEqual(await candidatesOf(job), [])
})

test('import of candidates: every reason that makes a line invalid', async () => {
  const job = await freshJob()
  const table = [
    'Full name,Email,Phone,LinkedIn,Applied on,Tags,External id,Note',
    ',a@example.org,,,,,,',
    'Bo No,,,,,,,',
    'Bo Bad,bo@,,,,,,',
    'Bo Phone,,call me,,,,,',
    'Bo Url,,,https://example.org/bo,,,,',
    'Bo Date,bo1@example.org,,,3/4/2026,,,',
    'Bo Day,bo2@example.org,,,31.02.2026,,,',
    'Bo Future,bo3@example.org,,,2999-01-01,,,',
    `Bo Tag,bo4@example.org,,,,${'x'.repeat(41)},,`,
    'Bo Cells,bo5@example.org,,,,,,,,one more',
    `Bo Long,bo6@example.org,,,,,${'9'.repeat(201)},`,
    `Bo Many,"${Array.from({ length: 6 }, (_, i) => `bo${i}@example.net`).join(' ')}",,,,,,`,
    'Mono,mono@example.org,,,,,,',
    '"Ash, Bo",bo7@example.org,,,2026-01-02T10:00:00Z,,x-1,',
  ].join('\n')
  const checked = await check(job, table)
  assert.deepEqual(
    problems(checked).map(([, , problem]) => problem),
    [
      'name_missing',
      'contact_missing',
      'not_an_email',
      'not_a_phone',
      'not_linkedin',
      'not_a_day',
      'not_a_day',
      'in_the_future',
      'bad_tag',
      'too_many_cells',
      'too_long',
      'too_many',
      null,
      null,
    ],
  )
  assert.deepEqual(await importTable(job, table), { ...checked.counts, earlier: 0 })
  const rows = await candidatesOf(job)
  assert.deepEqual(
    rows.map(({ full_name }) => full_name),
    ['Bo Ash', 'Mono'],
  )
})

test('import of candidates: a source of the team is the source; any other text becomes a tag', () => {
  const columns = candidateColumns(['Name', 'Email', 'Source', 'Tags'])
  const context = { stages: [], today: '2026-01-01' }
  const read = (source: string) => readCandidateRow(columns, ['Ada Byron', 'ada@example.org', source, 'math'], context)
  assert.deepEqual(
    ['', 'Agentur', 'Event', 'Job fair Cologne', 'Sourced'].map(source => [read(source).source, read(source).tags]),
    [
      ['import:file', ['math']],
      ['team:agency', ['math']],
      ['team:event', ['math']],
      ['import:file', ['math', 'Job fair Cologne']],
      ['team:sourced', ['math']],
    ],
  )
  assert.throws(() => readCandidateRow(columns, ['A\u0007', 'ada@example.org'], context), BadRow)
})

test('import of candidates: an external id is the same candidate in a job, whatever name the line has', async () => {
  const job = await freshJob()
  await importTable(job, 'name,external id\nIda One,77')
  const { lines } = await check(job, 'name,external id,email\nIda Two,77,ida@example.org\nIda Three,78,ida@example.org')
  assert.deepEqual(
    lines.map(({ outcome }) => outcome),
    ['already_in_job', 'added'],
  )
})

test('import of candidates: an interrupted import continues, and no line is stored twice', async () => {
  const job = await freshJob()
  const table = `name,email\n${Array.from({ length: 60 }, (_, i) => `Row ${i},row${i}@example.org`).join('\n')}`
  const first = await importTable(job, table)
  assert.deepEqual([first['added'], first['earlier']], [60, 0])
  const target = `${world.workspace} ${job.id}`
  const columns = candidateColumns(['name', 'email'])
  const line = (i: number) =>
    JSON.stringify(readCandidateRow(columns, [`Row ${i}`, `row${i}@example.org`], { stages: [], today: '2026-01-01' }))
  const bytes = Buffer.byteLength(Array.from({ length: 50 }, (_, i) => `${line(i)}\n`).join(''))
  // as if the process had ended after the second batch
  await db().query(sql`
    update imports set finished_at = null, lines_done = 50, bytes_done = ${bytes} where target = ${target}`)
  const second = await importTable(job, table)
  assert.deepEqual([second['earlier'], second['added'], second['already_in_job']], [50, 0, 10])
  assert.equal((await candidatesOf(job)).length, 60)
})

test('import of candidates: the same table twice at the same time: each person has one application', async () => {
  const job = await freshJob()
  const table = `name,email\n${Array.from({ length: 40 }, (_, i) => `Twin ${i},twin${i}@example.org`).join('\n')}`
  const other = table.split('\n')
  const reversed = [other[0], ...other.slice(1).toReversed()].join('\n')
  await Promise.all([importTable(job, table), importTable(job, reversed)])
  assert.equal((await candidatesOf(job)).length, 40)
})

test('import of candidates: jobs: a draft takes them, a closed one 409; another workspace’s job is a 404, as a missing one', async () => {
  const table = 'name,email\nAda Byron,ada.draft@example.org'
  assert.equal((await importTable(await freshJob('draft'), table))['added'], 1)
  const closed = await freshJob('closed')
  assert.equal((await sendTable('/check', closed.id, table)).status, 409)
  const elsewhere = await newJob(world.service, (await world.service.workspace('enterprise')).id)
  for (const path of ['', '/check']) {
    assert.equal((await sendTable(path, elsewhere.id, table)).status, 404)
    assert.equal((await member.postFile(`/import/candidates${path}`, Buffer.from(table))).status, 404)
  }
})

test('import of candidates: 403 for viewers, limited people and interviewers of the job', async () => {
  const table = 'name,email\nAda Byron,ada.rights@example.org'
  const job = await freshJob()
  const owner = await enter('owner')
  const limited = await enter('member')
  const interviewer = await enter('member')
  const boss = await signedIn(world.service, world.workspace, { role: 'owner' })
  await boss.post(`/people/${limited.userId}/job-access`, { job_access: 'team' })
  const roles = { [limited.userId]: 'recruiter', [interviewer.userId]: 'interviewer' }
  const team = { add: [limited.userId, interviewer.userId], remove: [], roles }
  assert.equal((await owner.post(`/jobs/${job.id}/team`, team)).status, 200)
  for (const person of [await enter('viewer'), limited, interviewer])
    for (const path of ['', '/check']) assert.equal((await sendTable(path, job.id, table, person)).status, 403)
  assert.equal((await sendTable('/check', job.id, table, owner)).status, 200)
  assert.deepEqual(await candidatesOf(job), [])
})

test('import of candidates: 400 beyond 5,000 lines, for a file without titles, and one that is not UTF-8', async () => {
  const job = await freshJob()
  for (const [table, reason] of [
    [`name,email\n${'A B,a@example.org\n'.repeat(5_001)}`, /at most 5000 rows/],
    ['Foo,Bar\n1,2', /none was recognized/],
  ] as const) {
    const { status, body } = await sendTable('/check', job.id, table)
    assert.equal(status, 400)
    assert.match(body.detail.message, reason)
  }
  const latin = Buffer.from('name,email\nZo\xeb,z@example.org', 'latin1')
  assert.equal((await member.postFile(`/import/candidates/check?job_id=${job.id}`, latin)).status, 400)
})
