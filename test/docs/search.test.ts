import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { routes } from '../../src/app.ts'
import { HEADERS } from '../../src/docs/headers.ts'
import type { SearchResponse } from '../../src/docs/search/engine.ts'
import { SYNONYMS } from '../../src/docs/search/synonyms.ts'
import { buildSite } from '../../src/docs/site.ts'
import { sharedTestService } from '../harness/service.ts'

const service = await sharedTestService()
const at = (path: string) => service.call('GET', service.origin + path)

const search = await buildSite(routes).search()

const pageOf = (path: string): string => path.split('#')[0]!

/** What a reader types, and the page, or section, that is meant. A page alone: any of its sections. */
const FIRST_HOURS: Readonly<Record<string, string>> = {
  pagination: '/docs/guides/paging-and-syncing',
  'verify signature': '/docs/guides/webhooks#check-the-signature',
  hmac: '/docs/guides/webhooks#check-the-signature',
  next_cursor: '/docs/guides/paging-and-syncing',
  'Retry-After': '/docs/headers#retry-after',
  'refresh token': '/docs/guides/sign-in#stay-signed-in',
  oauth: '/docs/guides/sign-in',
  match_pct: '/docs/reference/applications',
  stage_id: '/docs/reference/applications',
  localhost: '/docs/guides/testing',
  docker: '/docs/operating',
  sdk: '/docs/guides/client-libraries',
  sandbox: '/docs/guides/testing',
  'unlock resume': '/docs/errors#resume_locked',
  'status codes': '/docs/guides/errors',
  'careers site': '/docs/guides/careers-site',
  'embed jobs on my website': '/docs/guides/careers-site#on-your-own-website',
  'indeed linkedin feed': '/docs/guides/careers-site#feeds-and-job-boards',
  'google jobs structured data': '/docs/guides/careers-site#structured-data',
  'upload resume': '/docs/guides/submitting-applications#upload-the-resume',
  authentication: '/docs/guides/first-call',
  'rate limit': '/docs/guides/limits',
  'push jobs': '/docs/guides/pushing-jobs',
  'create application': '/docs/guides/submitting-applications',
  'move candidate': '/docs/guides/moving-and-hiring',
  hire: '/docs/guides/moving-and-hiring',
  'reject reason': '/docs/guides/moving-and-hiring',
  webhooks: '/docs/guides/webhooks',
  'webhook retry schedule': '/docs/guides/webhooks',
  'rotate secret': '/docs/guides/webhooks#rotate-the-secret',
  'Idempotency-Key': '/docs/headers#idempotency-key',
  'personal data budget': '/docs/guides/personal-data',
  gdpr: '/docs/guides/erasure',
  'delete candidate': '/docs/guides/erasure',
  scopes: '/docs/scopes',
  insufficient_scope: '/docs/errors#insufficient_scope',
  'api version': '/docs/guides/versions',
  'full export': '/docs/reference/full-copy',
  'event types': '/docs/events',
  'pool search': '/docs/reference/shared-pool',
  'add to list': '/docs/guides/sourcing#add-members-to-a-list',
}

const OTHERS: Readonly<Record<string, string>> = {
  'how do I paginate through a list?': '/docs/guides/paging-and-syncing',
  nextCursor: '/docs/guides/paging-and-syncing',
  has_more: '/docs/guides/paging-and-syncing',
  'X-RateLimit-Limit': '/docs/headers',
  'RateLimit-Remaining': '/docs/headers#ratelimit-remaining',
  'Service-Signature': '/docs/headers#service-signature',
  'Service-Request-Id': '/docs/headers#service-request-id',
  'request id': '/docs/headers',
  'request log': '/docs/operating',
  'idempotent replayed': '/docs/headers#idempotent-replayed',
  expected_updated_at: '/docs/reference/jobs',
  'optimistic locking': '/docs/guides/idempotency#concurrent-changes-by-others',
  stale_resource: '/docs/errors#stale_resource',
  'stale resorce': '/docs/errors#stale_resource',
  job_not_publishable: '/docs/errors#job_not_publishable',
  'too many requests': '/docs/errors#rate_limit_exceeded',
  401: '/docs/errors#unauthenticated',
  403: '/docs/errors#insufficient_scope',
  422: '/docs/errors#job_not_publishable',
  'application.stage_changed': '/docs/events#application.stage_changed',
  'application stage changed': '/docs/events#application.stage_changed',
  'job.published': '/docs/events#job.published',
  'contact:phone:read': '/docs/scopes#contact:phone:read',
  'jobs:write': '/docs/scopes#jobs:write',
  'GET /jobs': '/docs/reference/jobs#get_jobs',
  '/people/resolve:batch': '/docs/reference/people',
  'POST /applications': '/docs/reference/applications#post_applications',
  'publish readiness': '/docs/reference/jobs',
  salary_max: '/docs/reference/jobs',
  compensation: '/docs/reference/jobs',
  resume_upload_id: '/docs/reference/applications',
  webhok: '/docs/guides/webhooks',
  signture: '/docs/guides/webhooks#check-the-signature',
  pagnation: '/docs/guides/paging-and-syncing',
  idempotancy: '/docs/guides/idempotency',
  'ngrok tunnel': '/docs/guides/testing',
  'test mode': '/docs/guides/testing',
  'going to production': '/docs/guides/going-live',
  checklist: '/docs/guides/going-live',
  WEBHOOK_ALLOW_HOSTS: '/docs/settings#WEBHOOK_ALLOW_HOSTS',
  'environment variables': '/docs/settings',
  'smtp server': '/docs/settings#SMTP_URL',
  prometheus: '/docs/operating#health',
  'health check': '/docs/operating#health',
  backup: '/docs/operating#backup',
  nginx: '/docs/operating#behind-a-proxy',
  'initial sync': '/docs/guides/sync-from-zero',
  'missed events': '/docs/guides/webhooks#after-an-outage',
  as_of_sequence: '/docs/reference/full-copy',
  epoch: '/docs/guides/paging-and-syncing',
  'sync loop': '/docs/guides/paging-and-syncing',
  'parse resume': '/docs/guides/submitting-applications',
  scorecard: '/docs/guides/moving-and-hiring',
  'duplicate candidates': '/docs/guides/submitting-applications#duplicates',
  'send email': '/docs/reference/messages',
  unsubscribe: '/docs/errors',
  'audit log': '/docs/guides/personal-data',
  eeo: '/docs/never-exposed',
  greenhouse: '/docs/guides/moving-from-greenhouse',
  'lever opportunities': '/docs/guides/moving-from-lever',
  'ashby syncToken': '/docs/guides/moving-from-ashby',
  'merge remote_id': '/docs/guides/moving-from-merge',
  postman: '/docs/guides/client-libraries',
  changelog: '/docs/changelog',
  deprecation: '/docs/guides/versions',
  'signature check': '/docs/signature',
  mcp: '/docs/guides/mcp',
  'hiring listen': '/docs/guides/webhooks',
  'bearer token': '/docs/guides/first-call',
  sourcing: '/docs/guides/sourcing',
  timezone: '/docs/guides/paging-and-syncing#dates-times-and-time-zones',
  'date format': '/docs/guides/paging-and-syncing#dates-times-and-time-zones',
  'partner page': '/docs/guides/limits#see-your-usage-on-the-partners-page',
  'how long are events kept': '/docs/guides/paging-and-syncing#how-long-events-are-kept',
  withdraw: '/docs/guides/moving-and-hiring#withdrawn-applications',
  'background check': '/docs/guides/moving-and-hiring#assessments-and-background-checks',
  'request id lookup': '/docs/guides/errors#look-up-a-request',
  'job board': '/docs/guides/pushing-jobs',
  sorting: '/docs/guides/paging-and-syncing#sorting-and-filtering-by-date',
  'filter by date': '/docs/guides/paging-and-syncing#sorting-and-filtering-by-date',
}

for (const [name, queries] of Object.entries({ 'of the first hours': FIRST_HOURS, 'of every kind': OTHERS })) {
  test(`docs search: queries ${name}: each finds the right page first or second`, () => {
    const wrong = Object.entries(queries).flatMap(([query, expected]) => {
      const found = search.search(query).results.map(({ path }) => path)
      const matches = (path: string) => (expected.includes('#') ? path === expected : pageOf(path) === expected)
      // several sections of one page count as one
      const best = [...new Set(found.map(path => (expected.includes('#') ? path : pageOf(path))))].slice(0, 2)
      return best.some(matches) ? [] : [`${query}: ${found.slice(0, 4).join(' ')} instead of ${expected}`]
    })
    assert.deepEqual(wrong, [])
  })
}

/** What partners typed and did not find, with the one result that is right. */
const PARTNERS: Readonly<Record<string, string>> = {
  'test mode': '/docs/guides/testing#is-there-a-sandbox',
  'source of applicant': '/docs/guides/submitting-applications#the-source-of-an-applicant',
  'multiple workspaces': '/docs/guides/choosing-scopes#several-workspaces',
  'webhook events list': '/docs/events',
  'missing scope': '/docs/errors#insufficient_scope',
  docker: '/docs/operating#containers-with-docker-or-podman',
  'merge.dev': '/docs/guides/moving-from-merge',
  'custom fields': '/docs/guides/not-in-this-api#custom-fields',
  'interview scheduling': '/docs/guides/not-in-this-api#interviews-and-scheduling',
  offers: '/docs/guides/not-in-this-api#offers',
  'sla uptime': '/docs/guides/not-in-this-api#sla-uptime-and-status-page',
  tags: '/docs/guides/not-in-this-api#tags',
  'writing in bulk': '/docs/guides/not-in-this-api#writing-in-bulk',
}

test('docs search: queries of partners: the right result is the first or second', () => {
  const wrong = Object.entries(PARTNERS).flatMap(([query, expected]) => {
    const found = search.search(query).results.map(({ path }) => path)
    return found.slice(0, 2).includes(expected)
      ? []
      : [`${query}: ${found.slice(0, 4).join(' ')} instead of ${expected}`]
  })
  assert.deepEqual(wrong, [])
})

test('docs search: an export is not an exporter of traces', () => {
  for (const query of ['export', 'bulk']) {
    const found = search.search(query).results.slice(0, 5)
    assert.deepEqual(
      found.map(({ path }) => path).filter(path => path.includes('OTEL_')),
      [],
      query,
    )
  }
  assert.match(
    search
      .search('opentelemetry')
      .results.map(({ path }) => path)
      .slice(0, 3)
      .join(' '),
    /#traces/,
  )
})

test('docs search: the title or the slug of a guide finds that guide first', () => {
  const folder = join(import.meta.dirname, '../../docs/guides')
  const guides = readdirSync(folder).map(name => basename(name, '.md'))
  assert.ok(guides.length > 15)
  const wrong = guides.flatMap(slug => {
    const path = `/docs/guides/${slug}`
    const title = /^# (.*)/.exec(readFileSync(join(folder, `${slug}.md`), 'utf8'))![1]!
    return [title, slug, slug.replaceAll('-', ' ')].flatMap(query => {
      const first = search.search(query).results[0]?.path
      return first === path ? [] : [`${query}: ${first} instead of ${path}`]
    })
  })
  assert.deepEqual(wrong, [])
})

test('docs search: results mark the words that matched, in title and excerpt', () => {
  const [first] = search.search('Retry-After').results
  assert.deepEqual(first!.title, ['', 'Retry-After', ''])
  for (const query of [...Object.keys(FIRST_HOURS), ...Object.keys(OTHERS)]) {
    for (const { title, excerpt, path } of search.search(query).results.slice(0, 2)) {
      assert.ok(title.join('').length > 0 && excerpt.join('').length <= 200, `${query}: ${path}`)
    }
  }
})

test('docs search: a misspelt word is corrected and the response says so; a known one is not', () => {
  assert.equal(search.search('pagnation').corrected, 'pagination')
  assert.equal(search.search('stale resorce').corrected, 'stale resource')
  assert.equal(search.search('webhook').corrected, null)
  // a word that is being typed
  assert.equal(search.search('idempot').corrected, null)
})

test('docs search: identifiers are found however they are written', () => {
  const top = (query: string) => search.search(query).results[0]?.path
  for (const query of ['expected_updated_at', 'expectedUpdatedAt', 'expected-updated-at', 'EXPECTED_UPDATED_AT']) {
    assert.match(top(query) ?? '', /expected_updated_at$/, query)
  }
  assert.equal(top('listJobs'), '/docs/reference/jobs#get_jobs')
  assert.equal(top('application.stage_changed'), '/docs/events#application.stage_changed')
})

test('docs search: every path leads to a page that exists, every synonym to a document', () => {
  const paths = new Set<string>()
  for (const query of [...Object.keys(FIRST_HOURS), ...Object.keys(OTHERS)]) {
    for (const { path } of search.search(query, 30).results) paths.add(pageOf(path))
  }
  const { pages } = buildSite(routes)
  assert.deepEqual(
    [...paths].filter(path => !pages.has(path)),
    [],
  )
  const empty = SYNONYMS.phrases.filter(phrase => search.search(phrase).results.length === 0)
  assert.deepEqual(empty, [])
})

test('docs search: what is not a word finds nothing and harms nothing', () => {
  for (const query of ['', '   ', '???', '<script>', '%00', '"', 'a'.repeat(5000), '\u202e\u0000', '𝕏 🙂']) {
    assert.ok(Array.isArray(search.search(query).results), query)
  }
  assert.ok(search.search('a'.repeat(5000)).query.length <= 200)
})

test('GET /docs/search.json: 200 with results that a browser may reuse for five minutes', async () => {
  const response = await at('/docs/search.json?q=hmac')
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('cache-control'), 'public, max-age=300')
  assert.match(response.headers.get('content-type')!, /^application\/json/)
  const { results } = JSON.parse(response.text) as SearchResponse
  const paths = results.slice(0, 2).map(({ path }) => path)
  assert.ok(paths.includes('/docs/guides/webhooks#check-the-signature'), paths.join(' '))
  assert.deepEqual(Object.keys(results[0]!), ['kind', 'path', 'where', 'title', 'excerpt'])
})

test('GET /docs/search: 200: a page of results without scripts, and the query is escaped', async () => {
  const page = await at('/docs/search?q=unlock+resume')
  assert.equal(page.status, 200)
  assert.match(page.text, /<a href="\/docs\/errors#resume_locked">/)
  assert.match(page.text, /<mark>/)
  const hostile = await at(`/docs/search?q=${encodeURIComponent('"><script>alert(1)</script>')}`)
  assert.doesNotMatch(hostile.text, /<script>alert/)
  assert.match((await at('/docs/search?q=qqqqqqq')).text, /Nothing found for/)
  assert.match((await at('/docs/search')).text, /role="search"/)
})

test('docs: /docs/headers lists every header of the API that the service sends', async () => {
  const { id: workspace, userEmail } = await service.workspace('starter')
  const key = await service.key({ workspace, userEmail })
  const body = { name: 'Headers' }
  const headers = { 'Idempotency-Key': 'headers-page-1' }
  const responses = [
    await service.get('/me', key),
    await service.get('/applicants/apl_00000000000000000000/contact-info', key),
    await service.post('/lists', key, body, { headers }),
    await service.post('/lists', key, body, { headers }),
  ]
  const listed = new Set(HEADERS.flatMap(({ rows }) => rows.map(([name]) => name.toLowerCase())))
  const sent = new Set(responses.flatMap(response => [...response.headers.keys()]))
  const ours = [...sent].filter(name => /^(service-|x-?ratelimit|ratelimit|idempoten|retry-after)/.test(name))
  assert.ok(ours.length > 5, ours.join(' '))
  assert.deepEqual(
    ours.filter(name => !listed.has(name)),
    [],
  )
})
