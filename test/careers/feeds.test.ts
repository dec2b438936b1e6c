import assert from 'node:assert/strict'
import { test } from 'node:test'
import { API_PREFIX } from '../../src/contract/version.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { editJob, moveJob } from '../../src/resources/jobs/index.ts'
import { all, parseXml, startCareers, textOf } from './setup.ts'

const { addJob, db, newSite, service } = await startCareers()

const FILES = ['/feed.atom', '/jobs.xml', '/sitemap.xml', '/jobs.json'] as const

const HOSTILE = '</title>]]><script>alert(1)</script> & "Ünïcödé" Сварщик 溶接工 \u0001\u0008\u001f\ufffe 🚀'
const CLEAN = '</title>]]><script>alert(1)</script> & "Ünïcödé" Сварщик 溶接工  🚀'

const switchSite = (workspace: string, enabled: boolean) =>
  db.query(sql`update career_sites set enabled = ${enabled} where workspace_id = ${workspace}`)

test('Atom feed: a valid document with an entry for each open job, the latest first, with stable ids', async () => {
  const site = await newSite('Atom & Sons')
  await addJob(site, { title: 'Draft' }, 'draft')
  await addJob(site, { title: 'Closed' }, 'closed')
  const first = await addJob(site, {
    title: 'Welder',
    department: 'Works',
    locations: ['Köln'],
    location_type: 'hybrid',
  })
  clock.advance(1000)
  const second = await addJob(site, {
    title: HOSTILE,
    content: { summary: HOSTILE, description_md: `# Work\n\n**bold** <script>alert(1)</script>\n\n- ${HOSTILE}` },
  })
  const { status, headers, text } = await service.call('GET', `${site.url}/feed.atom`)
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'application/atom+xml; charset=utf-8')
  const feed = parseXml(text)
  assert.deepEqual([feed.name, feed.attributes['xmlns']], ['feed', 'http://www.w3.org/2005/Atom'])
  assert.equal(textOf(feed, 'title'), 'Jobs at Atom & Sons')
  const links = Object.fromEntries(all(feed, 'link').map(({ attributes: { rel, href } }) => [rel, href]))
  assert.deepEqual(links, { alternate: site.url, self: `${site.url}/feed.atom`, first: `${site.url}/feed.atom` })
  const entries = all(feed, 'entry')
  assert.deepEqual(
    entries.map(entry => textOf(entry, 'title')),
    [CLEAN, 'Welder'],
  )
  assert.deepEqual(
    entries.map(entry => textOf(entry, 'id')),
    [second.id, first.id].map(id => `tag:127.0.0.1,2026:${id}`),
  )
  for (const entry of entries) {
    // what RFC 4287 demands of an entry
    for (const name of ['id', 'title', 'updated']) assert.equal(all(entry, name).length, 1, name)
    assert.equal(new Date(textOf(entry, 'updated')!).toISOString(), textOf(entry, 'updated'))
    assert.equal(all(entry, 'content')[0]!.attributes['type'], 'html')
  }
  assert.ok(all(feed, 'author')[0]!.children.some(({ name }) => name === 'name'))
  assert.equal(all(entries[1]!, 'link')[0]!.attributes['href'], `${site.url}/jobs/welder`)
  assert.equal(all(entries[1]!, 'category')[0]!.attributes['term'], 'Works')
  const content = textOf(entries[0]!, 'content')!
  assert.match(content, /<strong>bold<\/strong>/)
  assert.doesNotMatch(content, /<script/)

  await db.transaction(tx => editJob(tx, site.workspace, first.id, { title: 'Senior welder' }))
  const later = all(parseXml((await service.call('GET', `${site.url}/feed.atom`)).text), 'entry')[1]!
  assert.deepEqual([textOf(later, 'title'), textOf(later, 'id')], ['Senior welder', `tag:127.0.0.1,2026:${first.id}`])
  assert.ok(textOf(later, 'updated')! > textOf(entries[1]!, 'updated')!)
})

test('Atom feed: pages of 50 entries, none twice, none missed; 404 for a position that is none', async () => {
  const site = await newSite()
  for (let i = 0; i < 53; i++) await addJob(site, { title: `Job ${i}` })
  const titles: string[] = []
  let next: string | undefined = `${site.url}/feed.atom?lang=de`
  const pages: number[] = []
  while (next) {
    const feed = parseXml((await service.call('GET', next)).text)
    const entries = all(feed, 'entry')
    pages.push(entries.length)
    titles.push(...entries.map(entry => textOf(entry, 'title')!))
    next = all(feed, 'link').find(({ attributes }) => attributes['rel'] === 'next')?.attributes['href']
    if (next) assert.match(next, /lang=de/)
  }
  assert.deepEqual([pages, new Set(titles).size], [[50, 3], 53])
  const times = [
    '2026-13-01T00:00:00.000Z',
    '2026-02-31T00:00:00.000Z',
    '0000-01-01T00:00:00.000Z',
    '2026-01-01T24:00:00.000Z',
  ]
  for (const after of ['x', ...times.map(time => `${time},job_1`), "2026-01-01T00:00:00.000Z,job_1'--"]) {
    const { status } = await service.call('GET', `${site.url}/feed.atom?after=${encodeURIComponent(after)}`)
    assert.equal(status, 404, after)
  }
})

test('jobs.xml: the elements that Indeed and LinkedIn read, one entry for each location with a country, none without a way to apply', async () => {
  const site = await newSite('XML Works')
  await db.query(sql`update career_sites set country = 'US' where workspace_id = ${site.workspace}`)
  const job = await addJob(site, {
    title: HOSTILE,
    department: 'R&D ]]> x',
    employment_type: 'full_time',
    location_type: 'hybrid',
    locations: ['Berlin, Germany', 'Austin, TX'],
    experience_level: 'senior',
    compensation: { salary_min: 60_000, salary_max: 80_000, currency: 'EUR', interval: 'annual' },
    close_at: '2099-01-01T00:00:00.000Z',
    content: {
      summary: 'Short ]]> text',
      description_md: '**Bold** <img src=x onerror=alert(1)>',
      requirements: ['A & B'],
    },
  })
  await addJob(site, {
    title: 'Elsewhere',
    external_apply_url: 'https://jobs.example.com/1?a=1&b=2',
    location_type: 'remote',
  })
  await addJob(site, { title: 'Internal', accept_applications: false, locations: ['Berlin, Germany'] })
  await addJob(site, { title: 'Unknown', locations: ['Hückeswagen'] })
  await addJob(site, { title: 'Area', location_type: 'remote', locations: ['Remote - EU'] })
  const { status, headers, text } = await service.call('GET', `${site.url}/jobs.xml`)
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'application/xml; charset=utf-8')
  const source = parseXml(text)
  assert.equal(source.name, 'source')
  assert.deepEqual([textOf(source, 'publisher'), textOf(source, 'publisherurl')], ['XML Works', site.url])
  assert.equal(new Date(textOf(source, 'lastBuildDate')!).toUTCString(), textOf(source, 'lastBuildDate'))
  const jobs = all(source, 'job')
  assert.equal(jobs.length, 3)
  assert.equal(textOf(source, 'expectedJobCount'), '3')
  const [elsewhere, berlin, austin] = jobs.map(entry =>
    Object.fromEntries(entry.children.map(({ name, text: value }) => [name, value])),
  ) as [Record<string, string>, Record<string, string>, Record<string, string>]
  const { description, date, ...facts } = berlin
  assert.deepEqual(facts, {
    referencenumber: job.id,
    partnerJobId: job.id,
    location: 'Berlin, Germany',
    city: 'Berlin',
    country: 'DE',
    postalcode: '',
    title: CLEAN,
    requisitionid: job.id,
    url: `${site.url}/jobs/${encodeURIComponent(job.slug)}`,
    applyUrl: `${site.url}/jobs/${encodeURIComponent(job.slug)}/apply`,
    company: 'XML Works',
    sourcename: 'XML Works',
    salary: 'EUR 60000 - 80000 per year',
    jobtype: 'fulltime',
    category: 'R&D ]]> x',
    experience: 'Senior',
    experienceLevel: 'MID_SENIOR_LEVEL',
    remotetype: 'Hybrid remote',
    workplaceTypes: 'Hybrid',
    expirationdate: '2099-01-01T00:00:00.000Z',
  })
  assert.equal(new Date(date!).toISOString(), date)
  assert.match(description!, /<p>Short \]\]&gt; text<\/p>.*<strong>Bold<\/strong>.*<li>A &amp; B<\/li>/s)
  assert.doesNotMatch(description!, /onerror|<img/)
  assert.deepEqual(
    [austin['referencenumber'], austin['partnerJobId'], austin['city'], austin['state'], austin['country']],
    [`${job.id}-2`, `${job.id}-2`, 'Austin', 'TX', 'US'],
  )
  assert.ok(`${job.id}-20`.length <= 40, 'the longest number that LinkedIn takes')
  assert.equal(elsewhere['applyUrl'], 'https://jobs.example.com/1?a=1&b=2')
  assert.deepEqual([elsewhere['remotetype'], elsewhere['workplaceTypes']], ['Fully remote', 'Remote'])
  assert.deepEqual([elsewhere['location'], elsewhere['city'], elsewhere['country']], ['US', undefined, 'US'])
})

test('sitemap.xml: the list and each open job with the time of its change; no draft, no closed job', async () => {
  const site = await newSite()
  await addJob(site, { title: 'Draft' }, 'draft')
  await addJob(site, { title: 'Closed' }, 'closed')
  const job = await addJob(site, { title: 'Сварщик & Schweißer' })
  const due = await addJob(site, { title: 'Due', close_at: new Date(clock.now() + 60_000).toISOString() })
  const read = async () => all(parseXml((await service.call('GET', `${site.url}/sitemap.xml`)).text), 'url')
  const page = `${site.url}/jobs/${encodeURIComponent(job.slug)}`
  const urls = await read()
  assert.deepEqual(
    urls.map(url => textOf(url, 'loc')).toSorted(),
    [site.url, page, `${site.url}/jobs/${due.slug}`].toSorted(),
  )
  const shown = urls.find(url => textOf(url, 'loc') === page)!
  assert.deepEqual(all(shown, 'xhtml:link'), [], 'nothing that the company wrote is translated')
  assert.match(textOf(shown, 'lastmod')!, /^\d{4}-\d\d-\d\dT/)
  clock.advance(61_000)
  assert.equal((await read()).length, 2, 'a job whose closing time has come is gone before a worker closes it')
})

test('robots.txt and the index: name the sitemap of the only site; with several, those that allow it', async () => {
  const robots = async () => (await service.call('GET', `${service.origin}/robots.txt`)).text
  const index = () => service.call('GET', `${service.origin}/sitemap.xml`)
  const enabled = await db.query(sql<{ workspace_id: string }>`select workspace_id from career_sites where enabled`)
  for (const { workspace_id } of enabled) await switchSite(workspace_id, false)
  try {
    assert.doesNotMatch(await robots(), /Sitemap:/)
    assert.equal((await index()).status, 404)
    const only = await newSite()
    assert.match(await robots(), new RegExp(`^Sitemap: ${service.origin}/sitemap\\.xml$`, 'm'))
    const { status, text } = await index()
    const [sitemap] = all(parseXml(text), 'sitemap')
    assert.deepEqual([status, textOf(sitemap!, 'loc')], [200, `${only.url}/sitemap.xml`])
    await newSite()
    assert.doesNotMatch(await robots(), /Sitemap:/)
    assert.equal((await index()).status, 404)
    await db.query(sql`update career_sites set listed = true where workspace_id = ${only.workspace}`)
    assert.match(await robots(), /^Sitemap:/m)
    const listed = all(parseXml((await index()).text), 'sitemap').map(sitemap => textOf(sitemap, 'loc'))
    assert.deepEqual(listed, [`${only.url}/sitemap.xml`], 'a site that allows it, and no other')
  } finally {
    for (const { workspace_id } of enabled) await switchSite(workspace_id, true)
  }
})

/** The longest rule that matches decides, and of equal ones the one that allows. */
function mayRead(robots: string, path: string): boolean {
  const rules = [...robots.matchAll(/^(Allow|Disallow): (\S+)$/gm)].map(([, kind, rule]) => ({ kind, rule: rule! }))
  const matching = rules.filter(({ rule }) => {
    const escaped = rule.replace(/[.+?^()[\]{}|\\]/g, '\\$&').replaceAll('*', '.*')
    return new RegExp(`^${escaped}`).test(path)
  })
  const longest = Math.max(0, ...matching.map(({ rule }) => rule.length))
  const deciding = matching.filter(({ rule }) => rule.length === longest)
  return deciding.length === 0 || deciding.some(({ kind }) => kind === 'Allow')
}

test('robots.txt: crawlers may read lists and jobs, whatever their slugs, and no form or page of a candidate', async () => {
  const { text } = await service.call('GET', `${service.origin}/robots.txt`)
  const careers = '/careers/acme'
  const open = ['', '?lang=de', '/jobs/me', '/jobs/me?lang=de', '/jobs/mechanic', '/jobs/link-builder']
  for (const path of open) assert.ok(mayRead(text, careers + path), path)
  for (const path of ['/sitemap.xml', '/feed.atom', '/jobs/welder/og.png', '/logo'])
    assert.ok(mayRead(text, careers + path), path)
  for (const path of ['/', '/docs', '/docs/guides/webhooks', '/careers']) assert.ok(mayRead(text, path), path)
  const shut = [
    '/jobs/welder/apply',
    '/jobs/welder/apply/done',
    '/applications',
    '/link?token=x',
    '/me',
    '/me/data',
    '/me?x=1',
  ]
  for (const path of shut) assert.ok(!mayRead(text, careers + path), path)
  for (const path of [
    '/console',
    '/partner',
    '/account',
    '/sign-in',
    '/oauth/authorize',
    `${API_PREFIX}/jobs`,
    '/storage/x',
  ]) {
    assert.ok(!mayRead(text, path), path)
  }
})

test('jobs.json: what everyone can see of each open job, readable by every origin', async () => {
  const site = await newSite('JSON Works')
  const job = await addJob(site, {
    title: HOSTILE,
    department: 'Works',
    employment_type: 'part_time',
    location_type: 'onsite',
    locations: ['Köln'],
    compensation: { salary_min: 20, currency: 'EUR', interval: 'hourly' },
  })
  const { headers, body } = await service.call('GET', `${site.url}/jobs.json?lang=de`, {
    headers: { origin: 'https://acme.example' },
  })
  assert.equal(headers.get('access-control-allow-origin'), '*')
  assert.equal(headers.get('access-control-allow-credentials'), null)
  assert.equal(headers.get('set-cookie'), null)
  assert.deepEqual(Object.keys(body), ['company', 'url', 'language', 'total', 'texts', 'jobs'])
  assert.deepEqual([body.company, body.url, body.language, body.total], ['JSON Works', site.url, 'de', 1])
  const { published_at, title, ...shown } = body.jobs[0]
  assert.match(published_at, /^\d{4}-/)
  assert.ok(title.startsWith('</title>'))
  assert.deepEqual(shown, {
    id: job.id,
    language: null,
    url: `${site.url}/jobs/${encodeURIComponent(job.slug)}`,
    department: 'Works',
    locations: ['Köln'],
    location_type: 'onsite',
    employment_type: 'part_time',
    facts: ['Köln', 'Vor Ort', 'Teilzeit'],
    salary: shown.salary,
    type: 'Teilzeit',
    workplace: 'Vor Ort',
  })
  assert.match(shown.salary, /20/)
})

for (const file of FILES) {
  test(`careers${file}: 304 for the version that the client has; another validator after each change`, async () => {
    const site = await newSite()
    await addJob(site, { title: 'First' })
    const get = (headers: Record<string, string> = {}) => service.call('GET', site.url + file, { headers })
    const tag = async () => {
      const { status, headers } = await get()
      assert.equal(status, 200)
      return headers.get('etag')!
    }
    clock.advance(1000)
    const seen = await get()
    assert.match(seen.headers.get('cache-control')!, /^public, max-age=\d{1,2}$/)
    assert.match(seen.headers.get('vary')!, /Accept-Encoding/)
    const etag = seen.headers.get('etag')!
    assert.match(etag, /^W\/"[\w-]{27}"$/)
    const same = await get({ 'if-none-match': `"other", ${etag}` })
    assert.deepEqual([same.status, same.text, same.headers.get('etag')], [304, '', etag])
    const since = { 'if-modified-since': seen.headers.get('last-modified')! }
    assert.equal((await get(since)).status, 304)
    const head = await service.call('HEAD', site.url + file)
    assert.deepEqual([head.status, head.text, head.headers.get('etag')], [200, '', etag])

    const tags = [etag]
    clock.advance(2000)
    const second = await addJob(site, { title: 'Second' })
    tags.push(await tag())
    assert.equal((await get(since)).status, 200)
    await db.transaction(tx => editJob(tx, site.workspace, second.id, { title: 'Changed' }))
    tags.push(await tag())
    await db.transaction(tx => moveJob(tx, site.workspace, second.id, 'close'))
    const closed = await get()
    assert.doesNotMatch(closed.text, /Changed|\/second/)
    await db.query(
      sql`update career_sites set display_name = 'New name', updated_at = app_now() where workspace_id = ${site.workspace}`,
    )
    tags.push(await tag())
    assert.equal(new Set(tags).size, tags.length)
  })

  test(`careers${file}: 404 for a site that is switched off, as for one that never was; an earlier slug leads on`, async () => {
    const site = await newSite()
    await addJob(site, { title: 'First' })
    const earlier = `${site.slug}-earlier`
    await db.query(sql`insert into career_slugs (slug, workspace_id) values (${earlier}, ${site.workspace})`)
    const moved = await service.call('GET', `${service.origin}/careers/${earlier}${file}`)
    assert.deepEqual([moved.status, moved.headers.get('location')], [303, `/careers/${site.slug}${file}`])
    await switchSite(site.workspace, false)
    const off = await service.call('GET', site.url + file)
    const never = await service.call('GET', `${service.origin}/careers/never-was${file}`)
    assert.deepEqual([off.status, off.body.detail.code], [404, 'not_found'])
    assert.deepEqual(Object.keys(off.body.detail).toSorted(), Object.keys(never.body.detail).toSorted())
  })
}

test('careers feeds: compressed for clients that take it, and the language of the reader in texts', async () => {
  const site = await newSite('Sprache')
  await addJob(site, { title: 'First' })
  const response = await fetch(`${site.url}/feed.atom`, {
    headers: { 'accept-encoding': 'gzip', 'accept-language': 'de' },
  })
  assert.equal(response.headers.get('content-encoding'), 'gzip')
  assert.match(await response.text(), /<title>Stellen bei Sprache<\/title>/)
  assert.match(response.headers.get('vary')!, /Accept-Language/)
})
