import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { importVerbs } from '../../src/cli/import.ts'
import { sha256 } from '../../src/kernel/crypto/signing.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { runImport } from '../../src/resources/imports/index.ts'
import { importPoolBatch, poolKeys, readPoolLine, WordCounts } from '../../src/resources/pool/index.ts'
import { POOL_NUMBERS, POOL_TEXTS } from '../../src/resources/pool/rules.ts'
import { readFeed } from '../harness/feed.ts'
import { startTestService } from '../harness/service.ts'
import { runVerb } from '../harness/verb.ts'
import { load } from './fixture.ts'

const service = await startTestService()
const { db } = service.services
const { id: workspace } = await service.workspace('enterprise')
const key = await service.key({ workspace })
const folder = mkdtempSync(join(tmpdir(), 'hiring-pool-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const importFile = (lines: readonly string[]) => {
  const path = join(folder, `${newHandle('upload')}.ndjson`)
  writeFileSync(path, lines.join('\n'))
  return runVerb(service, importVerbs, 'import pool', [path]) as Promise<{ json: Record<string, unknown> }>
}
const names = (body: { data: { full_name: string }[] }) => body.data.map(p => p.full_name)

test('import pool: rows, bad lines with their numbers, one pool.batch_upserted a batch; again nothing twice', async () => {
  const lines = [
    '{"linkedin_url":"https://www.linkedin.com/in/imp-a","full_name":"Imp A","job_title":"Vet","skills":["Surgery"," "],"languages":["Welsh"]}',
    'broken',
    '{"full_name":"No key"}',
    '{"linkedin_url":"https://example.org/x","full_name":"X"}',
    '{"linkedin_url":"https://www.linkedin.com/in/imp-b"}',
    '{"external_id":"7","provider":"gh","full_name":"Imp C","github_url":"https://github.com/c"}',
    '{"linkedin_url":"https://www.linkedin.com/in/imp-d","full_name":"D","skills":"Go"}',
    '{"linkedin_url":"http://fr.linkedin.com/in/IMP-A/","full_name":"Imp A","job_title":"Veterinarian"}',
  ]
  const before = (await readFeed(service, null)).length
  const { json } = await importFile(lines)
  assert.deepEqual(json, {
    rows: 3,
    lines: 8,
    bad_lines: 5,
    bad: [
      { line: 2, reason: 'it is not JSON' },
      { line: 3, reason: 'it needs a linkedin_url or an external_id' },
      { line: 4, reason: 'linkedin_url is not the URL of a LinkedIn profile' },
      { line: 5, reason: 'it needs a full_name, a job_title or a headline' },
      { line: 7, reason: 'skills must be a list of at most 200 strings' },
    ],
    resumed: false,
  })
  const [event, ...more] = (await readFeed(service, null)).slice(before)
  assert.equal(more.length, 0)
  assert.equal(event.type, 'pool.batch_upserted')
  assert.equal(event.workspace_id, null)
  assert.equal(event.data.object.object, 'pool_batch')
  assert.equal(event.data.object.count, 2)
  await importFile(lines)
  const [row] = await db.query(
    sql<{ n: number }>`select count(*)::int as n from pool_profiles where full_name like 'Imp%'`,
  )
  assert.equal(row!.n, 2)
  const found = await service.get('/pool/profiles?title=veterin', key)
  assert.deepEqual(names(found.body), ['Imp A'])
})

test('pool import: the documentation describes what a line may hold', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/operating.md'), 'utf8')
  const section = text.slice(text.indexOf('## Loading the shared pool'), text.indexOf('## Backup'))
  for (const name of [...POOL_TEXTS, ...POOL_NUMBERS, 'external_id', 'skills', 'languages'])
    assert.ok(section.includes(`\`${name}\``), name)
})

test('pool: 200 single: every field, in order; no contact details, no match outside a search', async () => {
  await load(service, [
    {
      full_name: 'Full Field',
      job_title: 'Glazier',
      skills: ['Glass', 'Lead'],
      linkedin_url: 'https://www.linkedin.com/in/full-field',
    },
  ])
  const [row] = (await service.get('/pool/profiles?title=glazier', key)).body.data
  const { status, body } = await service.get(`/pool/profiles/${row.id}`, key)
  assert.equal(status, 200)
  assert.deepEqual(
    Object.keys(body),
    `object id workspace_id full_name headline job_title company_name company_industry company_website
      company_linkedin_url department management_level location_full location_country linkedin_url github_url photo_url
      summary skills languages total_experience_months connections_count follower_count first_seen_at last_seen_at
      provenance links`.split(/\s+/),
  )
  assert.equal(body.object, 'pool_profile')
  assert.equal(body.workspace_id, null)
  assert.deepEqual(body.skills, ['Glass', 'Lead'])
  assert.deepEqual(body.languages, [])
  assert.deepEqual(body.provenance, {
    origin: 'shared_pool',
    acquisition: 'public_profile',
    provider: null,
    owner_workspace_id: null,
    first_seen_at: body.first_seen_at,
    last_seen_at: body.last_seen_at,
    consent: { basis: 'public_profile', candidate_facing_notice: false, unsubscribed: false, suppressed: false },
    licence: { redistributable: false, note: body.provenance.licence.note },
    contact_info_available: false,
  })
  assert.deepEqual(body.links, { self: `/api/partner/v1/pool/profiles/${row.id}` })
  assert.deepEqual(row, body)
})

test('pool: 404: a profile that is missing, malformed or no longer processed', async () => {
  await load(service, [{ full_name: 'Gone', job_title: 'Cartographer' }])
  const [row] = (await service.get('/pool/profiles?title=cartographer', key)).body.data
  await db.query(sql`update pool_profiles set suppressed_at = app_now() where id = ${row.id}`)
  for (const handle of [row.id, newHandle('pool_profile'), 'nonsense', newHandle('sourced_profile')])
    assert.equal((await service.get(`/pool/profiles/${handle}`, key)).status, 404)
  assert.deepEqual((await service.get('/pool/profiles?title=cartographer', key)).body.data, [])
  assert.deepEqual((await service.post('/pool/search', key, { query: 'cartographer' })).body.data, [])
})

test('pool: 200 list: country exact but for case, company and title in part, updated_after on last_seen_at; last seen first', async () => {
  const place = { location_country: 'Freedonia' }
  await load(service, [
    { full_name: 'One', job_title: 'Head Miller', company_name: 'Mill_Works 50%', ...place },
    { full_name: 'Two', job_title: 'miller', company_name: 'Stone & Co', ...place },
  ])
  clock.advance(60_000)
  await load(service, [{ full_name: 'Three', job_title: 'Baker', company_name: 'MILLSTONE', ...place }])
  const list = async (query: string) =>
    names((await service.get(`/pool/profiles?country=freedonia&${query}`, key)).body)
  assert.deepEqual((await list('')).at(0), 'Three')
  assert.equal((await list('')).length, 3)
  assert.deepEqual((await list('title=MILLER')).toSorted(), ['One', 'Two'])
  assert.deepEqual((await list('company=mill')).toSorted(), ['One', 'Three'])
  assert.deepEqual(await list('company=l_w'), ['One'])
  assert.deepEqual(await list('company=0%25'), ['One'])
  assert.deepEqual(await list('company=stone&title=bak'), ['Three'])
  const [newest] = (await service.get('/pool/profiles?country=Freedonia', key)).body.data
  const after = new Date(Date.parse(newest.last_seen_at) - 1_000).toISOString()
  assert.deepEqual(await list(`updated_after=${after}`), ['Three'])
  assert.equal((await service.get('/pool/profiles?country=Freed', key)).body.data.length, 0)
  const first = await service.get('/pool/profiles?country=freedonia&limit=2', key)
  const second = await service.get(`/pool/profiles?country=freedonia&limit=2&cursor=${first.body.next_cursor}`, key)
  assert.equal(new Set([...names(first.body), ...names(second.body)]).size, 3)
  clock.reset()
})

test('pool: 400 invalid_request: a search without query and terms, or beyond its bounds', async () => {
  for (const body of [
    {},
    { query: '  ' },
    { terms: {} },
    { terms: { titles: [], skills: [] } },
    { query: 'x'.repeat(501) },
    { terms: { titles: Array(11).fill('x') } },
    { terms: { skills: Array(21).fill('x') } },
    { terms: { companies: Array(11).fill('x') } },
    { terms: { locations: Array(11).fill('x') } },
    { query: 'x', limit: 0 },
    { query: 'x', limit: 101 },
    { query: 'x', cursor: 'x' },
  ]) {
    const response = await service.post('/pool/search', key, body)
    assert.equal(response.status, 400, JSON.stringify(body))
    assert.equal(response.body.detail.code, 'invalid_request')
  }
})

test('pool: 200 search: an envelope without a next page, expensive tier, costs no personal-data units', async () => {
  await load(service, [{ full_name: 'Finder', job_title: 'Luthier', skills: ['Varnish'] }])
  const response = await service.post('/pool/search', key, { query: 'luthier' })
  assert.equal(response.status, 200)
  assert.equal(response.body.next_cursor, null)
  assert.equal(response.body.has_more, false)
  assert.equal(response.headers.get('ratelimit-limit'), '600')
  assert.equal(response.headers.get('service-personal-data-cost'), null)
  const [found] = response.body.data
  assert.equal(found.match_score, 100)
  assert.equal(found.match_tier, 'strong')
  const strange = await service.post('/pool/search', key, { query: 'luthier xyzzyx qwrtzp plughh' })
  assert.deepEqual(names(strange.body), ['Finder'])
  assert.deepEqual((await service.post('/pool/search', key, { query: '?!…' })).body.data, [])
  assert.deepEqual((await service.post('/pool/search', key, { query: 'zzzzqqqq' })).body.data, [])
})

test('pool: 200 search: professions and offices by their initials, and the other way around', async () => {
  const titles = ['QA Lead', 'Database Administrator', 'Chief Operating Officer', 'CMO', 'SDR', 'Senior Vice President']
  await load(
    service,
    titles.map(job_title => ({ full_name: job_title, job_title, location_full: 'Erewhon' })),
  )
  for (const [query, title] of [
    ['quality assurance erewhon', 'QA Lead'],
    ['dba erewhon', 'Database Administrator'],
    ['coo erewhon', 'Chief Operating Officer'],
    ['chief marketing officer erewhon', 'CMO'],
    ['sales development representatives erewhon', 'SDR'],
    ['svp erewhon', 'Senior Vice President'],
  ] as const)
    assert.equal(names((await service.post('/pool/search', key, { query })).body)[0], title, query)
})

test('pool: 200 search: a slip in the ending of a word, where it changes what the ending is', async () => {
  const titles = [
    'Seismic Analyst',
    'Seismic Accountant',
    'Seismic Consultant',
    'Seismic Scientist',
    'Seismic Specialist',
  ]
  await load(service, [
    ...titles.map(job_title => ({ full_name: job_title, job_title })),
    // names that are nearer to what is left of the words than they are
    { full_name: 'Ana Scien', job_title: 'Seismic Florist' },
  ])
  for (const [slip, title] of [
    ['analist', 'Seismic Analyst'],
    ['analists', 'Seismic Analyst'],
    ['accountent', 'Seismic Accountant'],
    ['consultent', 'Seismic Consultant'],
    ['scientest', 'Seismic Scientist'],
    ['specialst', 'Seismic Specialist'],
  ] as const)
    for (const search of [{ query: `seismic ${slip}` }, { terms: { titles: [`Seismic ${slip}`] } }]) {
      const { data } = (await service.post('/pool/search', key, search)).body
      assert.equal(data[0]?.full_name, title, JSON.stringify(search))
      assert.equal(data[0].match_score, 100, JSON.stringify(search))
    }
})

test('pool: 200 search: signs and quotes in a search are only text', async () => {
  for (const query of [
    "o'neill & sons",
    "a:* | !b <-> 'c",
    'x\\',
    '(((',
    '🙂 luthier',
    '漢字 luthier',
    "'",
    'c++ c# .net',
  ])
    assert.equal((await service.post('/pool/search', key, { query, terms: { skills: [query] } })).status, 200, query)
})

test('pool: 200 search: the largest that may be sent', async () => {
  const words = (n: number) => Array.from({ length: n }, (_, i) => `luthier${i} varnish`)
  const long = 'senior principal software engineer of luthier varnish and other things of all kinds '
    .repeat(3)
    .slice(0, 200)
  const response = await service.post('/pool/search', key, {
    query: Array.from({ length: 120 }, (_, i) => `w${i}`)
      .join(' ')
      .slice(0, 500),
    terms: { titles: Array(10).fill(long), skills: words(20), companies: words(10), locations: words(10) },
    limit: 100,
  })
  assert.equal(response.status, 200)
})

test('pool: 429 pool_search_unavailable: an outage of the search has its Retry-After and harms nothing else', async () => {
  const session = await db.session()
  await session.script('begin; lock table pool_terms in access exclusive mode')
  try {
    const searches = Promise.all(
      Array.from({ length: 12 }, () => service.post('/pool/search', key, { query: 'luthier' })),
    )
    const others = await Promise.all([
      service.get('/pool/profiles?limit=1', key),
      service.get('/me', key),
      service.get('/lists', key),
    ])
    assert.ok(others.every(a => a.status === 200))
    for (const response of await searches) {
      assert.equal(response.status, 429)
      assert.equal(response.body.detail.code, 'pool_search_unavailable')
      assert.equal(response.body.detail.type, 'unavailable')
      assert.ok(Number(response.headers.get('retry-after')) > 0)
    }
  } finally {
    await session.script('rollback')
    await session.close()
  }
  assert.equal((await service.post('/pool/search', key, { query: 'luthier' })).status, 200)
})

test('pool: 403: reading needs pool:read, searching pool:search', async () => {
  const neither = await service.key({ workspace, scopes: ['jobs:read'] })
  assert.equal((await service.get('/pool/profiles', neither)).body.detail.required_scope, 'pool:read')
  const search = await service.post('/pool/search', neither, { query: 'x' })
  assert.equal(search.body.detail.required_scope, 'pool:search')
})

test('import pool: people whose processing was stopped do not come back', async () => {
  await db.query(sql`
    with s as (
      insert into suppressions (id, status, reason, delete_by)
      values (gen_random_uuid(), 'erased', 'erasure_request', app_now()) returning id
    )
    insert into suppressed_identifiers (kind, sha256, suppression_id)
    select 'linkedin_url', ${sha256('linkedin.com/in/erased-person')}, id from s`)
  await importFile(['{"linkedin_url":"https://www.linkedin.com/in/Erased-Person","full_name":"Erased"}'])
  assert.equal((await db.query(sql`select 1 from pool_profiles where full_name = 'Erased'`)).length, 0)
})

test('pool: a profile that is seen again changes what the search finds', async () => {
  const linkedin_url = 'https://www.linkedin.com/in/changes-jobs'
  await load(service, [{ full_name: 'Mover', job_title: 'Falconer', linkedin_url }])
  await load(service, [{ full_name: 'Mover', job_title: 'Beekeeper', linkedin_url }])
  assert.deepEqual(names((await service.post('/pool/search', key, { query: 'beekeeper' })).body), ['Mover'])
  assert.deepEqual((await service.post('/pool/search', key, { query: 'falconer' })).body.data, [])
})

test('import pool: a profile is known by its address or its provider’s name, also when the other changes or is left out', async () => {
  const line = (fields: object) => JSON.stringify({ provider: 'crm', ...fields })
  const url = (name: string) => `https://www.linkedin.com/in/${name}`
  const stored = () =>
    db.query(
      sql<Record<string, string>>`
        select full_name, linkedin_url, linkedin_key, external_id from pool_profiles
        where provider = 'crm' order by full_name`,
    )
  await importFile([
    line({ external_id: '1', full_name: 'Ann' }),
    line({ external_id: '2', full_name: 'Ben', linkedin_url: url('ben') }),
    line({ full_name: 'Cat', linkedin_url: url('cat') }),
  ])
  // Ann got an address, Ben another one, Cat a name; each in a file with one that says less
  await importFile([
    line({ external_id: '1', full_name: 'Ann', linkedin_url: url('ann') }),
    line({ external_id: '2', full_name: 'Ben', linkedin_url: url('ben-b') }),
    line({ external_id: '3', full_name: 'Cat', linkedin_url: url('cat') }),
  ])
  await importFile([
    line({ external_id: '1', full_name: 'Ann' }),
    line({ full_name: 'Ben', linkedin_url: url('ben-b') }),
    line({ external_id: '3', full_name: 'Cat' }),
    // the name is Ann's and stays hers
    line({ external_id: '1', full_name: 'Cat', linkedin_url: url('cat') }),
    line({ external_id: '4', full_name: 'Dan' }),
    line({ external_id: '4', full_name: 'Dan', linkedin_url: url('dan') }),
    line({ external_id: '4', full_name: 'Dan' }),
  ])
  const row = (full_name: string, name: string, id: string) => ({
    full_name,
    linkedin_url: url(name),
    linkedin_key: `linkedin.com/in/${name}`,
    external_id: `crm:${id}`,
  })
  assert.deepEqual(await stored(), [
    row('Ann', 'ann', '1'),
    row('Ben', 'ben-b', '2'),
    row('Cat', 'cat', '3'),
    row('Dan', 'dan', '4'),
  ])
})

test('import pool: addresses are http or https and can be followed as they leave', async () => {
  const line = (fields: object) => JSON.stringify({ provider: 'addresses', full_name: 'A', ...fields })
  const { json } = await importFile([
    line({ external_id: '1', github_url: 'javascript:alert(1)' }),
    line({ external_id: '2', photo_url: 'see my site' }),
    line({ external_id: '3', company_website: 'https://user:secret@example.org' }),
    line({ external_id: '4', company_website: 'example.org/über uns', photo_url: 'https://example.org/a.png' }),
    line({ external_id: '5', linkedin_url: 'linkedin.com/in/Zoë' }),
  ])
  assert.deepEqual(
    (json['bad'] as { line: number; reason: string }[]).map(({ line: at, reason }) => `${at} ${reason}`),
    ['github_url', 'photo_url', 'company_website'].map((name, i) => `${i + 1} ${name} must be an http or https URL`),
  )
  const stored = await db.query(sql`
    select company_website, photo_url, linkedin_url, linkedin_key from pool_profiles
    where provider = 'addresses' order by external_id`)
  const none = { company_website: null, photo_url: null, linkedin_url: null, linkedin_key: null }
  assert.deepEqual(stored, [
    { ...none, company_website: 'https://example.org/%C3%BCber%20uns', photo_url: 'https://example.org/a.png' },
    { ...none, linkedin_url: 'https://linkedin.com/in/Zo%C3%AB', linkedin_key: 'linkedin.com/in/zoë' },
  ])
})

test('import pool: profiles that say nothing, and words that are cut within a letter', async () => {
  await importFile(['{"external_id":"1","provider":"odd","full_name":"!!!"}'])
  await importFile([
    '{"external_id":"2","provider":"odd","full_name":"???"}',
    '{"external_id":"3","provider":"odd","full_name":"…"}',
  ])
  await importFile([JSON.stringify({ external_id: '4', provider: 'odd', full_name: `a${'𠀀'.repeat(30)}` })])
  const stored = await db.query(sql<{ full_name: string; n: number }>`
    select full_name, length(terms) as n from pool_profiles p join pool_terms t on t.profile_id = p.id
    where provider = 'odd' order by external_id`)
  assert.deepEqual(stored, [
    { full_name: '!!!', n: 0 },
    { full_name: '???', n: 0 },
    { full_name: '…', n: 0 },
    { full_name: `a${'𠀀'.repeat(30)}`, n: 1 },
  ])
})

test('import pool: what is looked up as a whole is bounded, so that a line beyond it is skipped and the rest imported', async () => {
  // letters of three bytes, no two alike in a row: as large as they get in an index
  const long = (n: number) =>
    String.fromCharCode(...Array.from({ length: n }, (_, i) => 0x4e00 + ((i * 7_919) % 20_000)))
  const line = (name: string, length: number) =>
    JSON.stringify({
      provider: `long${name === 'provider' ? long(length - 4) : ''}`,
      external_id: name === 'external_id' ? long(length) : `${name} ${length}`,
      full_name: `Long ${name}`,
      ...(name === 'location_country' ? { location_country: long(length) } : {}),
    })
  const fields = ['provider', 'external_id', 'location_country']
  const both = JSON.stringify({ provider: long(300), external_id: long(300), full_name: 'Long both' })
  const tooLong = [...fields.map(f => line(f, 301)), ...fields.map(f => line(f, 9_000))]
  const { json } = await importFile([...tooLong, ...fields.map(f => line(f, 300)), both])
  assert.equal(json['rows'], 4)
  assert.deepEqual(
    json['bad'],
    [...fields, ...fields].map((field, i) => ({ line: i + 1, reason: `${field} is longer than 300 characters` })),
  )
})

test('import pool: a byte order mark, ends of lines of two letters, blank lines and no end of the last line', async () => {
  const line = (name: string) => JSON.stringify({ external_id: name, provider: 'windows', full_name: name })
  const { json } = await importFile([`\ufeff${line('a')}\r`, '\r', '  \t\r', `${line('b')}\r`, '', line('c')])
  assert.deepEqual(json, { rows: 3, lines: 6, bad_lines: 0, bad: [], resumed: false })
})

test('import pool: a profile whose processing was stopped is left alone, also where it is known by a name only', async () => {
  await importFile(['{"external_id":"9","provider":"gone","full_name":"Old Name"}'])
  await db.query(sql`update pool_profiles set suppressed_at = app_now() where external_id = 'gone:9'`)
  await importFile(['{"external_id":"9","provider":"gone","full_name":"New Name"}'])
  const [row] = await db.query(sql`select full_name from pool_profiles where external_id = 'gone:9'`)
  assert.deepEqual(row, { full_name: 'Old Name' })
})

test('import pool: two files with the same people at the same time: each profile once, an event for every batch', async () => {
  const lines = (from: number) =>
    Array.from({ length: 5_000 }, (_, i) =>
      JSON.stringify({ full_name: `Twin ${from + i}`, linkedin_url: `https://linkedin.com/in/twin-${from + i}` }),
    )
  const before = (await readFeed(service, null)).length
  await Promise.all([importFile(lines(0)), importFile(lines(2_000).toReversed())])
  const [row] = await db.query(sql`select count(*)::int as n from pool_profiles where full_name like 'Twin %'`)
  assert.deepEqual(row, { n: 7_000 })
  const events = (await readFeed(service, null)).slice(before)
  assert.equal(events.length, 6)
  assert.equal(
    events.reduce((sum, event) => sum + event.data.object.count, 0),
    10_000,
  )
})

test('import pool: a batch that is late to begin is not locked out by one after it that knows the same profile by another name', async () => {
  const fields = { provider: 'late', external_id: '1', linkedin_url: 'https://linkedin.com/in/late-1' }
  await importFile([JSON.stringify({ ...fields, full_name: 'Late' })])
  const path = join(folder, 'late.ndjson')
  const { linkedin_url, ...named } = fields
  writeFileSync(
    path,
    [named, { linkedin_url }].map((f, i) => JSON.stringify({ ...f, full_name: `Late ${i}` })).join('\n'),
  )
  const began = Promise.withResolvers<void>()
  const done = await runImport(db, {
    kind: 'pool',
    target: '',
    file: path,
    batchSize: 1,
    concurrency: { batches: 2, keysOf: poolKeys },
    read: readPoolLine,
    store: async (tx, lines, inTurn) => {
      if (lines[0]!.full_name === 'Late 1') began.resolve()
      else {
        await began.promise
        // time enough for the other to lock the profile
        for (let i = 0; i < 50; i++) await db.query(sql`select 1`)
      }
      await importPoolBatch(db, tx, lines, new WordCounts(), inTurn)
    },
    onBadLine: () => {},
    onProgress: () => {},
  })
  assert.equal(done.rows_stored, 2)
  const rows = await db.query(sql`select full_name from pool_profiles where external_id = 'late:1'`)
  assert.deepEqual(rows, [{ full_name: 'Late 1' }])
})

test('pool: a batch that meets people whom another adds at the same moment: each once, as the later batch has them, one event each', async () => {
  const line = (name: string, job_title: string) =>
    readPoolLine(JSON.stringify({ full_name: name, job_title, linkedin_url: `https://linkedin.com/in/met-${name}` }))
  const waiting = sql<{ n: number }>`
    select count(*)::int as n from pg_stat_activity where wait_event = 'transactionid' and datname = current_database()`
  const before = (await readFeed(service, null)).length
  const counts = new WordCounts()
  let later: Promise<string> | undefined
  const first = await db.transaction(async tx => {
    const id = await importPoolBatch(db, tx, [line('zoe', 'Cartographer'), line('yan', 'Cartographer')], counts)
    // It looks before the first is committed, finds no one, and waits where it writes.
    later = db.transaction(other =>
      importPoolBatch(db, other, [line('xia', 'Sailor'), line('yan', 'Sailor'), line('zoe', 'Sailor')], counts),
    )
    while ((await db.one(waiting))!.n === 0) await new Promise(resolve => setTimeout(resolve, 5))
    return id
  })
  const second = await later!
  const stored = await db.query(sql<{ full_name: string; job_title: string; terms: string[] }>`
    select full_name, job_title, tsvector_to_array(terms) as terms
    from pool_profiles p join pool_terms t on t.profile_id = p.id
    where linkedin_key like 'linkedin.com/in/met-%' order by full_name`)
  const sailor = (full_name: string) => ({ full_name, job_title: 'Sailor', terms: ['t:sail', `w:${full_name}`] })
  assert.deepEqual(stored, [sailor('xia'), sailor('yan'), sailor('zoe')])
  const events = (await readFeed(service, null)).slice(before).map(event => event.data.object)
  assert.deepEqual(
    events.map(({ id, count }) => ({ id, count })),
    [
      { id: first, count: 2 },
      { id: second, count: 3 },
    ],
  )
})
