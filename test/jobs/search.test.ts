import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from '../../src/kernel/db/sql.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { slugify } from '../../src/kernel/text/slug.ts'
import type { NewJobInput } from '../../src/resources/jobs/fields.ts'
import { createJob, deleteJob, editJob, moveJob } from '../../src/resources/jobs/index.ts'
import { nearest, searchQuery } from '../../src/resources/jobs/search-query.ts'
import { startJobs } from './setup.ts'

const { afterAllJobs, db, newWorkspace, service } = await startJobs()

const { workspace, key } = await newWorkspace()

async function add(input: NewJobInput, into = workspace) {
  await afterAllJobs()
  return db.transaction(async tx => {
    const id = await createJob(tx, into, { content: { summary: '.' }, ...input })
    await moveJob(tx, into, id, 'publish')
    return id
  })
}

const found = async (q: string, more = '', by = key): Promise<string[]> => {
  const response = await service.get(`/jobs?q=${encodeURIComponent(q)}${more}`, by)
  assert.equal(response.status, 200, response.text)
  return response.body.data.map((row: { title: string }) => row.title)
}

await add({ title: 'Accountant', department: 'Finance', content: { summary: 'Keeps the books of the group.' } })
await add({ title: 'IT Support', content: { summary: 'Answers calls.', skills_required: ['Node.js', 'CI/CD'] } })
await add({ title: 'C++ Developer', content: { description_md: '## Engines\n\n*Rendering* and **physics**.' } })
await add({ title: 'C# Developer', content: { summary: 'Forms.', skills_preferred: ['Kubernetes'] } })
await add({ title: 'Léad Ingénieur', content: { summary: 'Manages engineering in Zürich.' } })

test('job search: q looks into title, department, summary, description and skills', async () => {
  assert.deepEqual(await found('accountant'), ['Accountant'])
  assert.deepEqual(await found('finance'), ['Accountant'])
  assert.deepEqual(await found('books'), ['Accountant'])
  assert.deepEqual(await found('physics'), ['C++ Developer'])
  assert.deepEqual(await found('kubernetes'), ['C# Developer'])
  assert.deepEqual(await found('support'), ['IT Support'])
})

test('job search: q stems: any form of a word finds every other', async () => {
  assert.deepEqual(await found('accountants'), ['Accountant'])
  assert.deepEqual(await found('BOOK'), ['Accountant'])
  assert.deepEqual(await found('managing'), ['Léad Ingénieur'])
  assert.deepEqual(await found('developers'), ['C# Developer', 'C++ Developer'])
})

test('job search: q finds by the beginning of a word, also past its stem', async () => {
  assert.deepEqual(await found('acco'), ['Accountant'])
  assert.deepEqual(await found('kube'), ['C# Developer'])
  assert.deepEqual(await found('renderi'), ['C++ Developer'])
  assert.deepEqual(await found('engineeri'), ['Léad Ingénieur', 'C++ Developer']) // "engines" has the same stem
  assert.deepEqual(await found('accountan'), ['Accountant'])
})

test('job search: q tolerates misspellings', async () => {
  assert.deepEqual(await found('acountant'), ['Accountant'])
  assert.deepEqual(await found('kuberntes'), ['C# Developer'])
  assert.deepEqual(await found('phsyics'), ['C++ Developer'])
  assert.deepEqual(await found('develpoer'), ['C# Developer', 'C++ Developer'])
  assert.deepEqual(await found('finanec books'), ['Accountant'])
})

test('job search: q ignores accents, case and punctuation, and knows names that live by it', async () => {
  assert.deepEqual(await found('ingenieur'), ['Léad Ingénieur'])
  assert.deepEqual(await found('LÉAD'), ['Léad Ingénieur'])
  assert.deepEqual(await found('zurich'), ['Léad Ingénieur'])
  assert.deepEqual(await found('node'), ['IT Support'])
  assert.deepEqual(await found('node.js'), ['IT Support'])
  assert.deepEqual(await found('cd'), ['IT Support'])
  assert.deepEqual(await found('c++'), ['C++ Developer'])
  assert.deepEqual(await found('c#'), ['C# Developer'])
})

test('job search: q: every word must occur; stop words count only when there is nothing else', async () => {
  assert.deepEqual(await found('developer physics'), ['C++ Developer'])
  assert.deepEqual(await found('developer accountant'), [])
  assert.deepEqual(await found('the accountant of a group'), ['Accountant'])
  assert.deepEqual(await found('it'), ['IT Support'])
  assert.deepEqual(await found('zebra'), [])
  assert.deepEqual(await found('!?*'), [])
})

test("job search: q: text that could be a query's own syntax is only text", async () => {
  for (const q of ["o'brien", "a' | 'b", ':*', '\\', "\\'", '& | !', "accountant' & 'x", '<->', '%_', '(', "''"]) {
    assert.equal((await service.get(`/jobs?q=${encodeURIComponent(q)}`, key)).status, 200, q)
  }
  await fc.assert(
    fc.asyncProperty(fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }), async q => {
      if (q.includes('\0') || !q.isWellFormed()) return
      const expected = q.trim() === '' ? 400 : 200
      assert.equal((await service.get(`/jobs?q=${encodeURIComponent(q)}`, key)).status, expected, JSON.stringify(q))
    }),
    { numRuns: 60, examples: [[' '], ['\u00a0\u2003']] },
  )
})

test('job search: q follows every change of a job: text, status and deletion', async () => {
  const id = await add({ title: 'Zymurgist' })
  assert.deepEqual(await found('zymurgist'), ['Zymurgist'])
  await db.transaction(tx => editJob(tx, workspace, id, { title: 'Brewer' }))
  assert.deepEqual(await found('zymurgist'), [])
  assert.deepEqual(await found('brewer'), ['Brewer'])
  await db.transaction(tx => moveJob(tx, workspace, id, 'unpublish'))
  assert.deepEqual(await found('brewer'), [])
  assert.deepEqual(await found('brewer', '&include_unpublished=true'), ['Brewer'])
  await db.transaction(tx => deleteJob(tx, workspace, id, 'test'))
  assert.deepEqual(await found('brewer', '&include_unpublished=true'), [])
})

test('job search: q: the words and jobs of another workspace are not there', async () => {
  const other = await newWorkspace()
  await add({ title: 'Falconer' }, other.workspace)
  assert.deepEqual(await found('falconer'), [])
  assert.deepEqual(await found('falcner'), [])
  assert.deepEqual(await found('falcner', '', other.key), ['Falconer'])
})

/** Many jobs at the same time, written past the actions; their search rows follow by themselves. */
async function fill(into: string, rows: number, title: (n: number) => string): Promise<void> {
  const numbers = Array.from({ length: rows }, (_, n) => n)
  await db.query(sql`
    insert into jobs (workspace_id, id, slug, status, title, summary, source_system, updated_at)
    select ${into}, id, 's-' || n, case when n % 7 = 0 then 'draft' else 'published' end, title, 'text', 'tahoe_native',
      '2026-01-01T00:00:00Z'::timestamptz + (n / 3) * interval '1 second'
    from unnest(${numbers.map(() => newHandle('job'))}::text[], ${numbers.map(title)}::text[], ${numbers}::integer[])
      as t (id, title, n)`)
}

async function readAll(path: string, by: typeof key): Promise<string[]> {
  const ids: string[] = []
  let cursor = ''
  do {
    const { body } = await service.get(`${path}${cursor && `&cursor=${cursor}`}`, by)
    ids.push(...body.data.map((row: { id: string }) => row.id))
    cursor = body.next_cursor ?? ''
  } while (cursor)
  return ids
}

test('job search: q: pages are whole, in the order of change, for rare, frequent and old words alike', async () => {
  const own = await newWorkspace()
  const word = (n: number) => `${n % 2 ? 'odd' : 'even'} ${n % 300 === 1 ? 'rare' : ''} ${n < 400 ? 'ancient' : ''} job`
  await fill(own.workspace, 3000, word)
  for (const [q, matches] of [
    ['odd', (n: number) => n % 2 === 1],
    ['rare', (n: number) => n % 300 === 1],
    ['ancient', (n: number) => n < 400],
    ['ancient odd', (n: number) => n < 400 && n % 2 === 1],
    ['job', () => true],
  ] as [string, (n: number) => boolean][]) {
    const rows = await db.query(sql<{ id: string; slug: string }>`
      select id, slug from jobs where workspace_id = ${own.workspace} and status <> 'draft'
      order by updated_at desc, id desc`)
    const expected = rows.filter(row => matches(Number(row.slug.slice(2)))).map(row => row.id)
    assert.deepEqual(await readAll(`/jobs?q=${encodeURIComponent(q)}&limit=100`, own.key), expected, q)
    const upwards = await readAll(`/jobs?q=${encodeURIComponent(q)}&limit=100&order=asc`, own.key)
    assert.deepEqual(upwards, expected.toReversed(), q)
  }
})

test('job search: nearest: only the best, and only within reach', () => {
  const known = (...words: string[]) => words.map(word => ({ word, lexeme: word.slice(0, 3) }))
  assert.deepEqual(nearest('pyhton', known('python', 'photon', 'marathon')), ['pyt'])
  assert.deepEqual(nearest('jva', known('java', 'jvm', 'lava')), ['jav', 'jvm'])
  assert.deepEqual(nearest('qwert', known('python')), [])
})

test('job search: property: a query of any words is valid for the store', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }), { minLength: 1, maxLength: 4 }),
      async words => {
        const clean = words.filter(w => w.isWellFormed() && !w.includes('\0'))
        const query = searchQuery(
          clean.map(word => ({ word, lexeme: word, stop: false, number: false, stems: [word] })),
          { similar: new Map() },
        )
        if (query === undefined) return
        await db.query(sql`select ${query}::tsquery`)
      },
    ),
    { numRuns: 200 },
  )
})

test('job search: property: slugs are short, never empty, and made of letters, digits and single hyphens', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 120, unit: 'grapheme' }), title => {
      const slug = slugify(title, 'job')
      assert.match(slug, /^[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(-[\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*$/u)
      assert.ok([...slug].length <= 60)
      assert.equal(slugify(slug, 'job'), slug)
    }),
  )
})

test('job search: a job whose search row is missing gets it at its next change', async () => {
  const own = await newWorkspace()
  const id = await add({ title: 'Cartographer' }, own.workspace)
  await db.query(sql`delete from job_search where workspace_id = ${own.workspace}`)
  assert.deepEqual(await found('cartographer', '', own.key), [])
  await db.query(sql`update jobs set title = title where workspace_id = ${own.workspace} and id = ${id}`)
  assert.deepEqual(await found('cartographer', '', own.key), ['Cartographer'])
})

test('job search: slugs keep the vowels and tones of a script, and drop accents', () => {
  assert.equal(slugify('हिन्दी शिक्षक', 'job'), 'हिन्दी-शिक्षक')
  assert.equal(slugify('ผู้จัดการ', 'job'), 'ผู้จัดการ'.normalize('NFKD').normalize('NFC'))
  assert.equal(slugify('プログラマー', 'job'), 'プログラマー')
  assert.equal(slugify('ガイド (ﾊﾞｲﾄ)', 'job'), 'ガイド-バイト')
  assert.equal(slugify('개발자', 'job'), '개발자')
  assert.equal(slugify('❤️ Crème brûlée', 'job'), 'creme-brulee')
})

test('job search: q finds a word and its forms also where very many words begin with it', async () => {
  const own = await newWorkspace()
  await add({ title: 'Customer Service Agent' }, own.workspace)
  await add({ title: 'Happiness Officer' }, own.workspace)
  const others = Array.from({ length: 22 }, (_, n) => `Service${String.fromCharCode(97 + n)}technik`)
  for (const title of others) await add({ title }, own.workspace)
  for (const q of ['service', 'services', 'Customer servic']) {
    assert.ok((await found(q, '&limit=100', own.key)).includes('Customer Service Agent'), q)
  }
  const all = await found('service', '&limit=100', own.key)
  for (const title of others) assert.ok(all.includes(title), title)
  const odd = Array.from({ length: 22 }, (_, n) => `Happin${String.fromCharCode(97 + n)}x`)
  for (const title of odd) await add({ title }, own.workspace)
  assert.equal((await found('happin', '&limit=100', own.key)).length, odd.length + 1)
})

test('job search: q finds by a beginning of one or two letters', async () => {
  const own = await newWorkspace()
  await add({ title: 'Java Developer' }, own.workspace)
  await add({ title: 'Baker 100', content: { summary: 'Bread' } }, own.workspace)
  assert.deepEqual(await found('ja', '', own.key), ['Java Developer'])
  assert.deepEqual(await found('j', '', own.key), ['Java Developer'])
  assert.deepEqual(await found('10', '', own.key), [])
})

test('job search: q reads skills as they are written, with line breaks, tabs and quotes', async () => {
  const own = await newWorkspace()
  const skills = ['Line\nbreak', 'Tab\ttab', 'Quote "quoted"']
  await add(
    { title: 'Job', content: { summary: '.', skills_required: skills, skills_preferred: ['a\\b', 'Rust'] } },
    own.workspace,
  )
  for (const q of ['break', 'tab', 'quoted', 'rust']) assert.deepEqual(await found(q, '', own.key), ['Job'], q)
  const words = await db.query(sql<{ word: string }>`select word from job_words where workspace_id = ${own.workspace}`)
  assert.ok(!words.some(({ word }) => word === 'nbreak' || word === 'ttab'))
})

test('job search: q: a mistake that was corrected does not hide what was meant, on any page and under any filter', async () => {
  const own = await newWorkspace()
  const id = await add({ title: 'Acountant' }, own.workspace)
  await db.transaction(tx => editJob(tx, own.workspace, id, { title: 'Accountant' }))
  await add({ title: 'Accountant of Bergen', department: 'Finance' }, own.workspace)
  assert.deepEqual(await found('acountant', '', own.key), ['Accountant of Bergen', 'Accountant'])
  assert.deepEqual(await found('acountant bergen', '', own.key), ['Accountant of Bergen'])
  assert.equal((await readAll('/jobs?q=acountant&limit=1', own.key)).length, 2)
  // a word that some job has is meant as it is, even where the filter leaves none
  await add({ title: 'Acountant again' }, own.workspace)
  assert.deepEqual(await found('acountant', '&department=Finance', own.key), [])
})

test('job search: q: a job is found by its first 2 000 different words; a search uses its first eight', async () => {
  const own = await newWorkspace()
  const words = Array.from({ length: 3000 }, (_, n) => `w${n.toString(36)}q`)
  await add(
    {
      title: 'Long',
      content: { summary: 'short', skills_required: words.slice(0, 30), description_md: words.slice(30).join(' ') },
    },
    own.workspace,
  )
  const stored = await db.one(sql<{ n: number }>`
    select count(*) as n from job_words where workspace_id = ${own.workspace}`)
  assert.ok(stored!.n <= 2000)
  assert.deepEqual(await found(words[1000]!, '', own.key), ['Long'])
  const terms = await db.one(sql<{ n: number }>`
    select length(terms) as n from job_search where workspace_id = ${own.workspace}`)
  assert.equal(terms!.n, 2000 + 3) // and day, month and year of publication
  assert.deepEqual(await found(`the a of ${words.slice(0, 8).join(' ')} absent`, '', own.key), ['Long'])
})

test('job search: q with a rare filter uses the index of words and filters together', async () => {
  const own = await newWorkspace()
  await fill(own.workspace, 3000, n => `team ${n}`)
  await db.query(sql`update jobs set department = 'Rare' where workspace_id = ${own.workspace} and slug = 's-100'`)
  assert.deepEqual(await found('team', '&department=Rare', own.key), ['team 100'])
  await db.query(sql`analyze job_search`)
  const plan = await db.transaction(async tx => {
    await tx.query(sql`set local enable_seqscan = off`)
    await tx.query(sql`set local enable_indexscan = off`)
    return tx.query(sql<{ 'QUERY PLAN': string }>`
      explain select 1 from job_search where workspace_id = ${own.workspace} and department = 'Rare'
        and terms @@ (select ${"'team'"}::tsquery)`)
  })
  const condition = plan.map(row => row['QUERY PLAN']).find(line => line.includes('Index Cond'))
  assert.match(condition ?? '', /department.*terms|terms.*department/)
})

test('job search: q with bounds of publication finds exactly what is within, however wide, old or empty they are', async () => {
  const own = await newWorkspace()
  await fill(own.workspace, 3000, n => `team ${n}`)
  // one job every 31 hours since 2015, so that days, months and years all have some
  await db.query(sql`
    update jobs set published_at = timestamptz '2015-03-01T00:00:00Z' + substr(slug, 3)::integer * interval '31 hours'
    where workspace_id = ${own.workspace} and status = 'published'`)
  const rows = await db.query(sql<{ id: string; published_at: string }>`
    select id, published_at from jobs where workspace_id = ${own.workspace} and status = 'published'
    order by updated_at desc, id desc`)
  for (const [after, before] of [
    ['2016-02-28T23:59:59Z', '2016-03-02T00:00:00Z'],
    ['2016-02-10T12:00:00Z', '2016-04-12T12:00:00Z'],
    ['2015-11-30T00:00:00Z', '2018-01-01T00:00:00Z'],
    ['2019-12-31T22:00:00-05:00', '2020-01-31T23:59:59.999Z'],
    [undefined, '2015-03-05T00:00:00Z'],
    ['2025-09-01T00:00:00Z', undefined],
    ['2017-05-01T00:00:00Z', '2016-05-01T00:00:00Z'],
    ['0001-01-01T00:00:00Z', '9999-12-31T00:00:00Z'],
  ]) {
    const bounds = `${after ? `&published_after=${encodeURIComponent(after)}` : ''}${before ? `&published_before=${before}` : ''}`
    const expected = rows
      .filter(({ published_at: at }) => (!after || Date.parse(at) > Date.parse(after)) && (!before || at < before))
      .map(row => row.id)
    assert.deepEqual(await readAll(`/jobs?q=team&limit=100${bounds}`, own.key), expected, bounds)
  }
})

test('job search: q with bounds of publication follows publishing and unpublishing', async () => {
  const own = await newWorkspace()
  const id = await add({ title: 'Glazier' }, own.workspace)
  const terms = async () => {
    const row = await db.one(sql<{ terms: string[] }>`
      select array(select lexeme from unnest(terms) where lexeme like ' %') as terms from job_search
      where workspace_id = ${own.workspace} and id = ${id}`)
    return row!.terms.map(term => term.length)
  }
  assert.deepEqual(await terms(), [' 2026'.length, ' 2026-01'.length, ' 2026-01-01'.length])
  await db.transaction(tx => moveJob(tx, own.workspace, id, 'unpublish'))
  assert.deepEqual(await terms(), [])
})
