import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { sequenceBatch } from '../../src/kernel/feed/sequencer.ts'
import { editJob } from '../../src/resources/jobs/index.ts'
import { startCareers } from './setup.ts'

const { addJob, db, newSite, service } = await startCareers()

const HEADERS = { accept: 'text/html', 'accept-language': 'en' }

/** The tags of a page's head, by name or relation. */
async function headOf(url: string) {
  const { status, text } = await service.call('GET', url, { headers: HEADERS })
  assert.equal(status, 200)
  const head = text.slice(0, text.indexOf('</head>'))
  const tags = [...head.matchAll(/<(?:meta|link) [^>]*>/g)].map(([tag]) =>
    Object.fromEntries([...tag.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, name, value]) => [name, value])),
  )
  const meta = (name: string) => tags.find(tag => tag['property'] === name || tag['name'] === name)?.['content']
  const links = (rel: string) => tags.filter(tag => tag['rel'] === rel)
  return { meta, links, canonical: links('canonical')[0]?.['href'] }
}

test('head of a job: canonical URL, picture, feed and description, each absolute and escaped', async () => {
  const site = await newSite('Head & "Sons"')
  const job = await addJob(site, { title: 'Schweißer "A" & <B>', content: { summary: 'Welds "all" <day> & night.' } })
  const page = `${site.url}/jobs/${encodeURIComponent(job.slug)}`
  const { meta, links, canonical } = await headOf(`${page}?q=ignored`)
  assert.equal(canonical, page)
  assert.equal((await headOf(`${page}?lang=de`)).canonical, page, 'the same page in another frame')
  assert.deepEqual(
    links('alternate').filter(tag => tag['hreflang']),
    [],
    'what the company wrote is not translated',
  )
  const feed = links('alternate').find(tag => tag['type'] === 'application/atom+xml')!
  assert.deepEqual(
    [feed['title'], feed['href']],
    ['Jobs at Head &amp; &quot;Sons&quot;', `/careers/${site.slug}/feed.atom`],
  )
  assert.equal((await service.call('GET', service.origin + feed['href']!)).status, 200)
  assert.equal(meta('description'), 'Welds &quot;all&quot; &lt;day&gt; &amp; night.')
  assert.deepEqual(['og:type', 'og:url', 'og:locale', 'og:description', 'twitter:card'].map(meta), [
    'website',
    page,
    'en_GB',
    meta('description'),
    'summary_large_image',
  ])
  assert.match(meta('og:title')!, /^Schweißer &quot;A&quot; &amp; &lt;B&gt; · Head/)
  const image = meta('og:image')!
  assert.ok(image.startsWith(`${page}/og.png?v=`))
  const picture = await fetch(image)
  assert.deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/png'])
  await db.transaction(tx => editJob(tx, site.workspace, job.id, { title: 'Another title' }))
  assert.notEqual((await headOf(page)).meta('og:image'), image, 'networks cache pictures by their URL')
})

test('head of a list: canonical without filters and without a language', async () => {
  const site = await newSite()
  await addJob(site, { title: 'Welder' })
  for (const query of ['', '?q=welder', '?department=Works']) {
    assert.equal((await headOf(site.url + query)).canonical, site.url, query)
  }
  const german = await headOf(`${site.url}?lang=de&q=welder`)
  assert.deepEqual([german.canonical, german.meta('og:locale')], [site.url, 'de_DE'])
  assert.ok(german.meta('description'))
})

test('head of a closed job: not indexed', async () => {
  const site = await newSite()
  const job = await addJob(site, { title: 'Welder' }, 'closed')
  const { text } = await service.call('GET', `${site.url}/jobs/${job.slug}`, { headers: HEADERS })
  assert.match(text, /<meta name="robots" content="noindex">/)
})

test('a job that the API published is on the site, in every feed and in the event feed right after the response', async () => {
  const { id: workspace, userEmail } = await service.workspace('enterprise', 'Quick Works')
  const key = await service.key({ workspace, userEmail })
  const { slug } = (await db.one(
    sql<{ slug: string }>`select slug from career_sites where workspace_id = ${workspace}`,
  ))!
  const url = `${service.origin}/careers/${slug}`
  const files = ['', '/feed.atom', '/jobs.xml', '/sitemap.xml', '/jobs.json']
  const tags = await Promise.all(files.map(async file => (await service.call('GET', url + file)).headers.get('etag')!))
  const source = { system: 'partner_ats', external_id: 'quick-1' }
  const pushed = await service.post('/jobs', key, {
    source,
    title: 'Just published',
    locations: ['Berlin, Germany'],
    content: { summary: 'New.' },
    publish: true,
  })
  assert.equal(pushed.status, 201, pushed.text)
  // a cache that revalidates sees it too
  for (const [i, file] of files.entries()) {
    const { status, text } = await service.call('GET', url + file, { headers: { 'if-none-match': tags[i]! } })
    assert.equal(status, 200, file)
    assert.match(text, /just-published/, file)
  }
  const page = await service.call('GET', pushed.body.public_url, { headers: HEADERS })
  assert.equal(page.status, 200)
  assert.match(page.text, /<h1[^>]*>Just published<\/h1>/)
  while (await db.one(sql`select 1 from outbox limit 1`)) await sequenceBatch(db)
  const events = (await service.get('/events?after=0', key)).body.data
  assert.ok(
    events.some(
      ({ type, data }: { type: string; data: { object: { id: string } } }) =>
        type === 'job.published' && data.object.id === pushed.body.id,
    ),
  )

  const closed = await service.post(`/jobs/${pushed.body.id}/close`, key)
  assert.equal(closed.body.public_url, null)
  for (const file of files) assert.doesNotMatch((await service.call('GET', url + file)).text, /just-published/, file)
})
