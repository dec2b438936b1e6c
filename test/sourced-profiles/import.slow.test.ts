import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { drawBar, importVerbs } from '../../src/cli/import.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { runImport } from '../../src/resources/imports/index.ts'
import { readLines } from '../../src/resources/imports/lines.ts'
import { BadLine } from '../../src/resources/imports/shape.ts'
import { readFeed } from '../harness/feed.ts'
import { startTestService } from '../harness/service.ts'
import { runVerb } from '../harness/verb.ts'

const service = await startTestService()
const { db } = service.services
const folder = mkdtempSync(join(tmpdir(), 'hiring-import-'))
after(() => rmSync(folder, { recursive: true, force: true }))
let files = 0
const fileOf = (content: string | Buffer) => {
  const path = join(folder, `${++files}.ndjson`)
  writeFileSync(path, content)
  return path
}

test('import sourced-profiles: bad lines are reported with their number and skipped; again updates nothing', async () => {
  const { id: workspace } = await service.workspace()
  const key = await service.key({ workspace })
  const lines = [
    '{"full_name":"A","linkedin_url":"https://www.linkedin.com/in/a"}',
    'not json',
    '',
    '[1]',
    '{"full_name":7}',
    '{"match_tier":"great"}',
    '{}',
    '{"full_name":"B","external_id":"b","match_score":7}',
    '{"full_name":"A2","linkedin_url":"linkedin.com/in/A"}',
  ]
  const path = fileOf(lines.join('\n'))
  const run = () => runVerb(service, importVerbs, 'import sourced-profiles', [path], { workspace })
  const { json } = (await run()) as { json: Record<string, unknown> }
  assert.deepEqual(json, {
    rows: 3,
    created: 2,
    updated: 0,
    unchanged: 0,
    suppressed: 0,
    lines: 9,
    bad_lines: 5,
    bad: [
      { line: 2, reason: 'it is not JSON' },
      { line: 4, reason: 'it is not a JSON object' },
      { line: 5, reason: 'full_name must be a string' },
      { line: 6, reason: 'match_tier must be one of strong, good, fair, weak' },
      { line: 7, reason: 'it has no field of a profile' },
    ],
    resumed: false,
  })
  const { data } = (await service.get('/sourced-profiles?origin=import', key)).body
  assert.deepEqual(data.map((p: { full_name: string }) => p.full_name).toSorted(), ['A2', 'B'])
  const again = (await run()) as { json: Record<string, number> }
  assert.equal(again.json['created'], 0)
  assert.equal((await service.get('/sourced-profiles', key)).body.data.length, 2)
})

test('import sourced-profiles: import: what is declared as an address is one that a partner can follow, or a bad line', async () => {
  const { id: workspace } = await service.workspace()
  const key = await service.key({ workspace })
  const lines = [
    {
      full_name: 'A',
      linkedin_url: 'linkedin.com/in/a',
      company_website: 'engines.example',
      photo_url: 'HTTP://x.example/a',
    },
    {
      full_name: 'B',
      linkedin_url: 'https://www.linkedin.com/in/josé',
      company_website: 'https://bücher.example/ä b',
      photo_url: 'https:\\\\x.example\\"b"',
    },
    { full_name: 'C', company_website: 'javascript:alert(1)' },
    { full_name: 'D', photo_url: 'data:image/png;base64,AAAA' },
    { full_name: 'E', linkedin_url: 'see his card' },
    { full_name: 'F', company_linkedin_url: 'https://' },
    { full_name: 'G', company_website: 'n/a' },
    { full_name: 'H', company_website: 'https://user:secret@engines.example' },
  ]
  const path = fileOf(lines.map(line => JSON.stringify(line)).join('\n'))
  const { json } = await runVerb(service, importVerbs, 'import sourced-profiles', [path], { workspace })
  const wrong = (line: number, name: string) => ({ line, reason: `${name} must be an http or https URL` })
  assert.deepEqual((json as Record<string, unknown>)['bad'], [
    wrong(3, 'company_website'),
    wrong(4, 'photo_url'),
    wrong(5, 'linkedin_url'),
    wrong(6, 'company_linkedin_url'),
    wrong(7, 'company_website'),
    wrong(8, 'company_website'),
  ])
  const { data } = (await service.get('/sourced-profiles', key)).body
  type Shown = { full_name: string; linkedin_url: string; company_website: string; photo_url: string }
  assert.deepEqual(data.map((p: Shown) => [p.full_name, p.linkedin_url, p.company_website, p.photo_url]).toSorted(), [
    ['A', 'https://linkedin.com/in/a', 'https://engines.example', 'HTTP://x.example/a'],
    [
      'B',
      'https://www.linkedin.com/in/jos%C3%A9',
      'https://xn--bcher-kva.example/%C3%A4%20b',
      'https://x.example/%22b%22',
    ],
  ])
  const resolved = await service.get('/people/resolve?linkedin_url=linkedin.com/in/jos%C3%A9', key)
  assert.equal(resolved.status, 200)
})

test('import sourced-profiles: import: a name too long to be looked up by is a bad line, and the lines around it are stored', async () => {
  const { id: workspace } = await service.workspace()
  // no two alike, so that nothing makes them shorter
  const random = (length: number) =>
    Array.from({ length }, () => String.fromCodePoint(0x20000 + Math.floor(Math.random() * 40_000))).join('')
  const fits = random(150)
  const long = random(4_000)
  const sourced = fileOf(
    [
      { full_name: 'A', external_id: fits },
      { full_name: 'B', external_id: long },
      { full_name: 'C', external_id: 'c' },
    ]
      .map(line => JSON.stringify(line))
      .join('\n'),
  )
  const one = await runVerb(service, importVerbs, 'import sourced-profiles', [sourced], { workspace })
  const { created, bad } = one.json as Record<string, unknown>
  assert.deepEqual({ created, bad }, { created: 2, bad: [{ line: 2, reason: tooLong('external_id') }] })
  const pool = fileOf(
    [
      { full_name: 'A', external_id: fits, provider: random(150), location_country: random(150) },
      { full_name: 'B', external_id: long },
      { full_name: 'C', external_id: 'c', provider: long },
      { full_name: 'D', external_id: 'd', location_country: long },
    ]
      .map(line => JSON.stringify(line))
      .join('\n'),
  )
  const { json } = await runVerb(service, importVerbs, 'import pool', [pool], {})
  assert.deepEqual((json as Record<string, unknown>)['bad'], [
    { line: 2, reason: tooLong('external_id') },
    { line: 3, reason: tooLong('provider') },
    { line: 4, reason: tooLong('location_country') },
  ])
})
const tooLong = (name: string) => `${name} is longer than 300 characters`

test('import sourced-profiles: import: refuses an unknown workspace and a file that is not there', async () => {
  const { id: workspace } = await service.workspace()
  const path = fileOf('{"full_name":"A"}')
  const run = (file: string, into: string) =>
    runVerb(service, importVerbs, 'import sourced-profiles', [file], { workspace: into })
  await assert.rejects(run(path, 'wsp_x'), /there is no workspace/)
  await assert.rejects(run(join(folder, 'none'), workspace), /cannot read/)
  await assert.rejects(run(folder, workspace), /not a file/)
})

test('import sourced-profiles: an import that breaks off continues after its last batch: each line once', async () => {
  const path = fileOf(Array.from({ length: 95 }, (_, i) => (i === 50 ? 'bad' : `{"n":${i}}`)).join('\n'))
  const taken: number[] = []
  const run = (failAt: number) =>
    runImport<number>(db, {
      kind: 'test',
      target: '',
      file: path,
      batchSize: 10,
      read: line => {
        if (line === 'bad') throw new BadLine('bad')
        return JSON.parse(line).n as number
      },
      store: async (tx, rows) => {
        if (rows.includes(failAt)) throw new Error('power cut')
        tx.afterCommit(() => taken.push(...rows))
      },
      onBadLine: () => {},
      onProgress: () => {},
    })
  await assert.rejects(run(37), /power cut/)
  assert.equal(taken.length, 30)
  const done = await run(-1)
  assert.equal(done.lines_done, 95)
  assert.equal(done.rows_stored, 94)
  assert.equal(done.bad_lines, 1)
  assert.ok(done.began_at_byte > 0)
  assert.deepEqual(
    taken,
    Array.from({ length: 95 }, (_, i) => i).filter(i => i !== 50),
  )
  const fromTheStart = await run(-1)
  assert.equal(fromTheStart.began_at_byte, 0)
  assert.equal(taken.length, 188)
})

test('import sourced-profiles: long lines make small batches: memory is bounded, and no statement too large', async () => {
  const path = fileOf(Array.from({ length: 40 }, (_, i) => `${i}${' '.repeat(1_000_000)}`).join('\n'))
  const batches: number[][] = []
  await runImport<number>(db, {
    kind: 'test',
    target: '',
    file: path,
    batchSize: 1_000,
    read: Number,
    store: async (_, rows) => void batches.push(rows),
    onBadLine: () => {},
    onProgress: () => {},
  })
  assert.deepEqual(
    batches.flat(),
    Array.from({ length: 40 }, (_, i) => i),
  )
  assert.deepEqual(
    batches.map(rows => rows.length),
    [17, 17, 6],
  )
})

test('import sourced-profiles: kill -9 in the middle of an import: the next run continues, every line is imported once, with one event', async () => {
  const { id: workspace } = await service.workspace()
  const lines = Array.from({ length: 20_000 }, (_, i) => (i % 999 === 7 ? 'bad' : `{"full_name":"P${i}"}`))
  const path = fileOf(lines.join('\n'))
  const good = lines.filter(line => line !== 'bad').length
  const { DATA_DIR } = service.services.config
  const bin = join(import.meta.dirname, '../../bin/hiring.js')
  const child = spawn(process.execPath, [bin, 'import', 'sourced-profiles', path, '--workspace', workspace], {
    env: { PATH: process.env['PATH'], DATA_DIR, DATABASE_URL: service.database.url },
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  const stored = async () =>
    (await db.one(sql<{ n: number }>`
      select count(*)::int as n from sourced_profiles where workspace_id = ${workspace}`))!.n
  while ((await stored()) === 0 && child.exitCode === null);
  child.kill('SIGKILL')
  await ended
  // what it had sent may still be carried out
  const busy = sql`
    select 1 from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state in ('active', 'idle in transaction')`
  while (await db.one(busy));
  const before = await stored()
  assert.ok(before > 0 && before < good, `${before} of ${good}`)
  const run = () => runVerb(service, importVerbs, 'import sourced-profiles', [path], { workspace })
  const { rows, created, bad_lines, resumed } = (await run()).json as Record<string, unknown>
  assert.deepEqual(
    { rows, created, bad_lines, resumed },
    { rows: good, created: good - before, bad_lines: lines.length - good, resumed: true },
  )
  assert.equal(await stored(), good)
  const events = await readFeed(service, workspace)
  assert.equal(new Set(events.map(event => event.data.object.id)).size, good)
  assert.equal(events.length, good)
})

test('import sourced-profiles: batches stored at the same time: committed in the order of the file; after one that fails none is', async () => {
  const path = fileOf(Array.from({ length: 60 }, (_, i) => String(i)).join('\n'))
  const committed: number[] = []
  let together = 0
  let most = 0
  const run = (failAt: number) =>
    runImport<number>(db, {
      kind: 'concurrent',
      target: '',
      file: path,
      batchSize: 10,
      // 45 is a key of both the fifth and the sixth batch
      concurrency: { batches: 3, keysOf: n => [String(n === 55 ? 45 : n)] },
      read: Number,
      store: async (tx, rows) => {
        most = Math.max(most, ++together)
        // the earlier a batch the longer it takes, so that those after it have to wait for it
        for (let i = rows[0]!; i < 60; i += 10) await tx.query(sql`select 1`)
        if (rows.includes(50)) assert.ok(committed.includes(45))
        together--
        if (rows.includes(failAt)) throw new Error('power cut')
        tx.afterCommit(() => committed.push(...rows))
      },
      onBadLine: () => {},
      onProgress: () => {},
    })
  await assert.rejects(run(25), /power cut/)
  assert.deepEqual(
    committed,
    Array.from({ length: 20 }, (_, i) => i),
  )
  const done = await run(-1)
  assert.ok(done.began_at_byte > 0)
  assert.equal(done.rows_stored, 60)
  assert.deepEqual(
    committed,
    Array.from({ length: 60 }, (_, i) => i),
  )
  assert.ok(most > 1)
})

test('import sourced-profiles: two imports of one file at the same time: one continues, the other is refused', async () => {
  const { id: workspace } = await service.workspace()
  const path = fileOf(Array.from({ length: 3_000 }, (_, i) => `{"full_name":"P${i}","external_id":"${i}"}`).join('\n'))
  const run = () => runVerb(service, importVerbs, 'import sourced-profiles', [path], { workspace })
  const outcomes = await Promise.allSettled([run(), run()])
  assert.ok(outcomes.some(o => o.status === 'fulfilled'))
  const [{ n } = { n: 0 }] = await db.query(
    sql<{ n: number }>`select count(*)::int as n from sourced_profiles where workspace_id = ${workspace}`,
  )
  assert.equal(n, 3_000)
  assert.equal((await readFeed(service, workspace)).length, 3_000)
})

test('import sourced-profiles: lines: numbers, offsets and texts, whatever the bytes', async () => {
  const line = fc.oneof(fc.string({ maxLength: 30 }), fc.string({ unit: 'grapheme', maxLength: 10 }))
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 30 }), fc.boolean(), async (raw, ended) => {
      const texts = raw.map(t => t.replaceAll('\n', ''))
      const content = texts.join('\n') + (ended && texts.length > 0 ? '\n' : '')
      const path = join(folder, 'lines')
      writeFileSync(path, content)
      const read = []
      for await (const some of readLines(path, 0, 0)) read.push(...some)
      const expected = content === '' ? [] : content.split('\n')
      if (expected.at(-1) === '') expected.pop()
      assert.deepEqual(
        read.map(l => l.text),
        expected,
      )
      assert.deepEqual(
        read.map(l => l.number),
        expected.map((_, i) => i + 1),
      )
      if (read.length > 0) assert.equal(read.at(-1)!.endByte, Buffer.byteLength(content))
      const middle = read[Math.floor(read.length / 2)]
      if (!middle) return
      const rest = []
      for await (const some of readLines(path, middle.endByte, middle.number)) rest.push(...some)
      assert.deepEqual(rest, read.slice(middle.number))
    }),
    { numRuns: 100 },
  )
})

test('import sourced-profiles: lines: one that is not UTF-8 or has no end in sight is bad, and the next is read', async () => {
  const path = fileOf(
    Buffer.concat([Buffer.from([0xff, 0xfe, 10]), Buffer.alloc(3_000_000, 97), Buffer.from('\n{"a":1}\n')]),
  )
  const read = []
  for await (const some of readLines(path, 0, 0)) read.push(...some)
  assert.deepEqual(
    read.map(l => [l.number, l.text]),
    [
      [1, undefined],
      [2, undefined],
      [3, '{"a":1}'],
    ],
  )
})

test('import sourced-profiles: the progress bar', () => {
  const state = { lines_done: 0, rows_stored: 5, bad_lines: 1, began_at_byte: 0 }
  assert.equal(
    drawBar({ ...state, bytes_done: 50, bytes_total: 100 }),
    '[###############---------------] 50 %  5 stored, 1 skipped',
  )
  assert.match(drawBar({ ...state, bytes_done: 0, bytes_total: 0 }), /100 %/)
})
