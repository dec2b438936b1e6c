import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { sql } from '../../src/kernel/db/sql.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { startTestService } from '../harness/service.ts'
import { createSite, fetchPage } from './board-setup.ts'

const service = await startTestService()
const { db } = service.services
const site = await createSite(service, 'Acme Robotics')

const berlin = {
  locations: ['Berlin', 'Lyon'],
  location_type: 'hybrid' as const,
  employment_type: 'full_time' as const,
}
await site.job({
  title: 'Robot Engineer',
  department: 'Engineering',
  ...berlin,
  compensation: { salary_min: 60_000, salary_max: 80_000, currency: 'EUR' },
})
await site.job({
  title: 'Firmware Engineer',
  department: 'Engineering',
  locations: ['Boston'],
  location_type: 'onsite',
  employment_type: 'contract',
})
await site.job({
  title: 'Accountant',
  department: 'Finance',
  locations: ['Berlin'],
  location_type: 'remote',
  employment_type: 'part_time',
  content: { summary: 'Keeps the books.' },
})
await site.job({ title: 'Office Helper' })
await site.job({ title: 'Secret Plan', department: 'Stealth' }, 'draft')
await site.job({ title: 'Filled Position', department: 'Finance' }, 'closed')
const other = await createSite(service, 'Globex')
await other.job({ title: 'Rival Engineer', department: 'Engineering' })

/** Titles on a page, in order. */
const titlesIn = (text: string): string[] =>
  [...text.matchAll(/<li><a href="\/careers\/[^"]+\/jobs\/[^"]+">([^<]*)<\/a>/g)].map(match => match[1]!)

const countIn = (text: string): string => /<p id="count" role="status">([^<]*)</.exec(text)![1]!

const list = async (search = '', headers = {}) => {
  const page = await fetchPage(service, `${site.path}${search}`, headers)
  assert.equal(page.status, 200)
  return { ...page, titles: titlesIn(page.text), count: countIn(page.text) }
}

test('list: 200, published jobs of this company alone, by department and title, those without a department last', async () => {
  const { titles, text, count } = await list()
  assert.deepEqual(titles, ['Firmware Engineer', 'Robot Engineer', 'Accountant', 'Office Helper'])
  assert.equal(count, '4 open positions')
  const headings = [...text.matchAll(/<h3>([^<]*) <span>(\d+)<\/span><\/h3>/g)].map(match => `${match[1]} ${match[2]}`)
  assert.deepEqual(headings, ['Engineering 2', 'Finance 1', 'More positions 1'])
  assert.match(text, /<span>Berlin · Lyon · Hybrid · Full time<\/span><b>€60,000–80,000 per year<\/b>/)
  assert.doesNotMatch(text, /Secret|Stealth|Filled|Rival/)
})

test('list: 200, search finds what the API finds: other forms, beginnings and misspelt words', async () => {
  assert.deepEqual((await list('?q=engineering+robots')).titles, ['Robot Engineer'])
  assert.deepEqual((await list('?q=acountant')).titles, ['Accountant'])
  assert.deepEqual((await list('?q=book')).titles, ['Accountant'])
  const { titles, count } = await list('?q=engineer')
  assert.deepEqual(titles, ['Firmware Engineer', 'Robot Engineer'])
  assert.equal(count, '2 open positions match')
  assert.deepEqual((await list('?q=secret')).titles, [])
  assert.deepEqual((await list('?q=rival')).titles, [])
})

test('list: 200, a search shows what fits best first, without groups: a word of the title before one of the skills or the text', async () => {
  const ranked = await createSite(service, 'Ranked Company')
  await ranked.job({ title: 'Analyst', department: 'A', content: { summary: 'Works with a welder.' } })
  await ranked.job({ title: 'Builder', department: 'B', content: { summary: 'x', skills_required: ['Welder'] } })
  await ranked.job({ title: 'Welder', department: 'Z' })
  const { text } = await fetchPage(service, `${ranked.path}?q=welder`)
  assert.deepEqual(titlesIn(text), ['Welder', 'Builder', 'Analyst'])
  assert.doesNotMatch(text, /class="group"/)
  assert.match(text, /<span>Z<\/span>/)
})

test('list: 200, the introduction and the way to the positions are on the first page alone', async () => {
  const shown = await createSite(service, 'Introduced Company')
  await shown.set({ introduction_md: 'We **build**.' })
  for (const title of ['One', 'Two']) await shown.job({ title })
  const first = await fetchPage(service, shown.path)
  assert.match(first.text, /class="prose introduction"/)
  assert.match(first.text, /<a class="button large" href="#positions">See 2 open positions<\/a>/)
  for (const search of ['?q=one', '?type=full_time', '?department=x'])
    assert.doesNotMatch((await fetchPage(service, shown.path + search)).text, /introduction|#positions"/, search)
})

test('list: 200, filters by department, location, workplace and type, alone and together', async () => {
  assert.deepEqual((await list('?department=Engineering')).titles, ['Firmware Engineer', 'Robot Engineer'])
  assert.deepEqual((await list('?location=Berlin')).titles, ['Robot Engineer', 'Accountant'])
  assert.deepEqual((await list('?workplace=remote')).titles, ['Accountant'])
  assert.deepEqual((await list('?type=contract')).titles, ['Firmware Engineer'])
  const { titles, count } = await list('?department=Engineering&location=Berlin')
  assert.deepEqual(titles, ['Robot Engineer'])
  assert.equal(count, '1 of 4 open positions match')
  assert.deepEqual((await list('?q=engineer&workplace=onsite')).titles, ['Firmware Engineer'])
})

test('list: 200, each option shows how many jobs the other filters leave', async () => {
  const { text } = await list('?location=Berlin')
  assert.match(text, /<option value="Engineering">Engineering \(1\)<\/option><option value="Finance">Finance \(1\)/)
  assert.match(
    text,
    /<option value="DE\/berlin" selected>Berlin \(2\)<\/option>.*<option value="US\/MA\/boston">Boston, MA \(1\)/,
  )
})

test('list: 200, what makes no sense in the address is left out, and nothing of it gets into the page unescaped', async () => {
  for (const search of [
    '?type=nonsense',
    '?workplace=%00',
    '?page=0',
    '?page=-1',
    '?page=x',
    '?page=1e9',
    '?q=%00',
    '?q=+',
    '?%ff=%ff',
  ]) {
    assert.equal((await list(search)).titles.length, 4, search)
  }
  assert.equal((await list('?page=9')).titles.length, 4)
  const evil = '"><script>alert(1)</script>'
  for (const name of ['q', 'department', 'location', 'lang', 'page', 'x']) {
    const { text } = await list(`?${name}=${encodeURIComponent(evil)}`)
    assert.doesNotMatch(text, /<script>alert/, name)
  }
  assert.equal((await list(`?q=${'word+'.repeat(3000)}`)).status, 200)
})

test('list: 200, empty states: nothing matches, and nothing is open', async () => {
  const { text, count } = await list('?q=astronaut&department=Finance')
  assert.equal(count, '0 open positions match')
  assert.match(text, /Nothing matches your search/)
  assert.match(text, new RegExp(`<a class="button secondary" href="${site.path}">Clear search and filters</a>`))
  const empty = await createSite(service, 'Empty Company')
  const page = await fetchPage(service, empty.path)
  assert.equal(page.status, 200)
  assert.match(page.text, /No open positions at the moment/)
  assert.doesNotMatch(page.text, /<form/)
})

test('list: 200, a job that is due to close is gone before a worker closes it', async () => {
  const due = await createSite(service, 'Due Company')
  await due.job({ title: 'Short Notice', close_at: new Date(Date.now() + 3_600_000).toISOString() })
  assert.deepEqual(titlesIn((await fetchPage(service, due.path)).text), ['Short Notice'])
  clock.advance(3_601_000)
  assert.deepEqual(titlesIn((await fetchPage(service, due.path)).text), [])
  clock.reset()
})

test('list: 200, the introduction is sanitized, name, headline and links of the company are shown', async () => {
  const shown = await createSite(service, 'Shown Company')
  await shown.set({
    display_name: 'Shown & Sons',
    headline: 'Build <b>robots</b>',
    introduction_md: 'We **build**. <script>alert(1)</script><img src=x onerror=alert(1)>',
    website_url: 'https://shown.example',
    privacy_url: 'https://shown.example/privacy',
    imprint_url: 'https://shown.example/imprint',
    contact_email: 'jobs+web@shown.example',
  })
  const { text } = await fetchPage(service, shown.path)
  assert.match(text, /<title>Open positions · Shown &amp; Sons<\/title>/)
  assert.match(text, /<h1>Build &lt;b&gt;robots&lt;\/b&gt;<\/h1>/)
  assert.match(text, /We <strong>build<\/strong>\./)
  assert.doesNotMatch(text, /alert\(1\)|onerror/)
  assert.match(text, /<a href="https:\/\/shown\.example">Website of Shown &amp; Sons<\/a>/)
  assert.match(text, /<a href="https:\/\/shown\.example\/privacy">Privacy<\/a>/)
  assert.match(text, /<a href="https:\/\/shown\.example\/imprint">Imprint<\/a>/)
  const german = (await fetchPage(service, `${shown.path}?lang=de`)).text
  assert.match(german, /<a href="https:\/\/shown\.example\/imprint">Impressum<\/a>/)
  assert.match(text, /<a href="mailto:jobs%2Bweb@shown\.example">Contact: jobs\+web@shown\.example<\/a>/)
  assert.match(text, new RegExp(`<a href="${shown.path}/applications">Your applications</a>`))
})

test('list: 200, links of the company that are no web addresses are left out', async () => {
  const shown = await createSite(service, 'Evil Company')
  await shown.set({ website_url: 'javascript:alert(1)', privacy_url: 'data:text/html,x', imprint_url: 'javascript:1' })
  await shown.job({ title: 'Evil Helper' })
  for (const below of ['', '/jobs/evil-helper', '/jobs/evil-helper/apply']) {
    const { status, text } = await fetchPage(service, shown.path + below)
    assert.equal(status, 200, below)
    assert.doesNotMatch(text, /javascript:|data:text/, below)
  }
})

test('list: 200, German by the browser or by choice; the choice stays in every link', async () => {
  const german = await list('', { 'accept-language': 'de-DE,de;q=0.9,en;q=0.8' })
  assert.match(german.text, /<html lang="de">/)
  assert.equal(german.count, '4 offene Stellen')
  assert.match(german.text, /Berlin · Lyon · Hybrid · Vollzeit<\/span><b>60\.000–80\.000\s€ pro Jahr/)
  const { text } = await fetchPage(service, `${site.path}?lang=de&q=engineer`)
  assert.match(text, /2 offene Stellen passen/)
  assert.match(text, new RegExp(`href="${site.path}/jobs/robot-engineer\\?lang=de"`))
  assert.match(text, /<input type="hidden" name="lang" value="de">/)
  assert.match(text, new RegExp(`href="${site.path}\\?lang=en&amp;q=engineer" lang="en"`))
  assert.equal((await list('?lang=xx')).count, '4 open positions')
})

test('list of 1 000 jobs: 200, a page is at most 60 KB and 10 KB compressed, and every job is on exactly one page', async () => {
  const large = await createSite(service, 'Large Company')
  const rows = Array.from({ length: 1000 }, (_, i) => ({
    id: newHandle('job'),
    slug: `senior-software-engineer-${i}`,
    title: `Senior Software Engineer, Platform Team ${i}`,
    department: `Department of Something ${i % 12}`,
    location: `City number ${i % 30}, Germany`,
    type: ['full_time', 'part_time', 'contract'][i % 3],
    place: ['remote', 'hybrid', 'onsite'][i % 3],
  }))
  await db.query(sql`
    insert into jobs (workspace_id, id, slug, status, title, department, locations, employment_type, location_type,
      summary, salary_min, salary_max, salary_currency, salary_interval, published_at, source_system)
    select ${large.workspace}, r.id, r.slug, 'published', r.title, r.department,
      jsonb_build_array(r.location), r.type, r.place, 'Builds things.', 60000, 80000, 'EUR', 'annual', app_now(), 'tahoe_native'
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r(id text, slug text, title text, department text, location text, type text, place text)`)
  const seen: string[] = []
  let path: string | undefined = large.path
  while (path !== undefined) {
    const { text } = await fetchPage(service, path)
    assert.ok(text.length < 60_000, `${text.length} bytes`)
    assert.ok(gzipSync(text).length < 10_000, `${gzipSync(text).length} bytes compressed`)
    seen.push(...titlesIn(text))
    path = /rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&')
  }
  assert.equal(seen.length, 1000)
  assert.equal(new Set(seen).size, 1000)
  const zipped = await fetch(service.origin + large.path, { headers: { 'accept-encoding': 'gzip' } })
  assert.equal(zipped.headers.get('content-encoding'), 'gzip')
  const { text } = await fetchPage(service, `${large.path}?q=platform&location=City+number+3,+Germany`)
  assert.equal(titlesIn(text).length, 34)
})

test('list: 200, the filter by location merges spellings of a place and groups them by country', async () => {
  const own = await createSite(service, 'Many Places')
  await own.set({ country: 'US' })
  await own.job({ title: 'One', locations: ['Austin'] })
  await own.job({ title: 'Two', locations: ['Austin, TX', 'Seattle'] })
  await own.job({ title: 'Three', locations: ['Munich, Germany'] })
  await own.job({ title: 'Four', locations: ['München'] })
  await own.job({ title: 'Five', locations: ['Hückeswagen'] })
  await own.job({ title: 'Six', locations: [] })
  await own.job({ title: 'Seven', locations: ['Germany'] })
  const { text } = await fetchPage(service, `${own.path}?lang=de`)
  const select = /<select id="location"[^>]*>(.*?)<\/select>/s.exec(text)![1]!
  const options = [...select.matchAll(/<optgroup label="([^"]*)">|<option value="([^"]*)">([^<]*)</g)].map(match =>
    match[1] === undefined ? `${match[2]}: ${match[3]}` : match[1],
  )
  assert.deepEqual(options, [
    ': Alle Orte',
    'Deutschland',
    'DE: Deutschland gesamt (3)',
    'DE/munich: München (2)',
    'Vereinigte Staaten',
    'US: Vereinigte Staaten gesamt (2)',
    'US/TX/austin: Austin, TX (2)',
    'US/WA/seattle: Seattle, WA (1)',
    'Weitere Orte',
    'Hückeswagen: Hückeswagen (1)',
    '-: Ohne festen Ort (1)',
  ])
  const at = async (location: string) =>
    titlesIn((await fetchPage(service, `${own.path}?${new URLSearchParams({ location })}`)).text).sort()
  assert.deepEqual(await at('US/TX/austin'), ['One', 'Two'])
  assert.deepEqual(await at('DE'), ['Four', 'Seven', 'Three'])
  assert.deepEqual(await at('Hückeswagen'), ['Five'])
  assert.deepEqual(await at('-'), ['Six'])
  // as links had it before
  assert.deepEqual(await at('Austin, TX'), ['One', 'Two'])
  assert.deepEqual(await at('Munich, Germany'), ['Four', 'Three'])
  assert.deepEqual(await at('Atlantis'), [])
})

test('list: 303 to the address without the fields of the form that were left blank', async () => {
  const { status, headers } = await fetchPage(service, `${site.path}?q=robot&department=&location=&workplace=&type=`)
  assert.deepEqual([status, headers.get('location')], [303, `${site.path}?q=robot`])
})
