import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../../src/app.ts'
import { buildSite } from '../../src/docs/site.ts'

const search = buildSite(routes).search()

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
  'request id': '/docs/headers#service-request-id',
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
  'bearer token': '/docs/guides/first-call',
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
