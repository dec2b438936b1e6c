import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { revokeKey, rotateKey } from '../../src/resources/keys/index.ts'
import { pruneOnce } from '../../src/workers/prune-rows.ts'
import { apply, newJob } from '../applications/setup.ts'
import { emit } from '../harness/events.ts'
import { CA_FILE, startReceiver, testNames, until } from '../harness/receiver.ts'
import { startTestService } from '../harness/service.ts'
import { partnerBrowser } from './setup.ts'

const receiver = await startReceiver()
const settings = { WEBHOOK_ALLOW_HOSTS: receiver.host, WEBHOOK_CA: CA_FILE }
const service = await startTestService(settings, { resolveName: testNames() })
const { db } = service.services
after(() => clock.reset())

const HOUR = 3_600_000

async function newKey(input: { scopes?: string[]; name?: string; plan?: 'starter' | 'none' } = {}) {
  const { id: workspace, userEmail } = await service.workspace(input.plan ?? 'starter', 'Acme Robotics')
  const { scopes = 'all' as const, name = 'ATS sync' } = input
  return { workspace, userEmail, key: await service.key({ workspace, userEmail, name, scopes }) }
}

async function signedIn(secret: string) {
  const browser = partnerBrowser(service)
  const { status, headers } = await browser.signIn(secret)
  assert.deepEqual([status, headers.get('location')], [303, '/partner'])
  return browser
}

test("partner's page: the form takes a key over POST; the cookie is HttpOnly, for an hour; the key is in no URL, page, log or row", async () => {
  const { key } = await newKey()
  const browser = partnerBrowser(service)
  const form = await browser.get('/partner')
  assert.equal(form.status, 200)
  assert.match(form.text, /<form method="post" action="\/partner\/sign-in"/)
  assert.match(form.text, /<input id="key" name="key" type="password" autocomplete="off"/)
  assert.equal(form.headers.get('cache-control'), 'no-store')
  const done = await browser.signIn(` ${key.secret}\n`)
  assert.deepEqual([done.status, done.headers.get('location')], [303, '/partner'])
  const cookie = done.headers.get('set-cookie')!
  assert.match(cookie, /^hiring_partner=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=3600$/)
  const page = await browser.get('/partner')
  assert.equal(page.status, 200)
  assert.match(page.text, /<h1>Usage<\/h1>/)
  assert.match(page.headers.get('content-security-policy')!, /default-src 'none'/)
  const rows = await db.query(sql<{ text: string }>`select to_jsonb(p)::text as text from partner_sessions p`)
  const token = browser.cookie.split('=')[1]!
  for (const text of [page.text, ...service.logLines, ...rows.map(row => row.text)]) {
    assert.ok(!text.includes(key.secret) && !text.includes(token))
  }
  assert.ok(service.logLines.some(line => line.includes('partner signed in with a key') && line.includes(key.id)))
})

test("partner's page: 401 for a wrong, truncated, revoked or foreign secret, with one text and nothing of it in the page", async () => {
  const { key } = await newKey()
  const { key: revoked } = await newKey()
  await revokeKey(db, revoked.id)
  const limited = await newKey()
  const elsewhere = await service.key({ workspace: limited.workspace, allowIp: ['203.0.113.7'] })
  const texts = new Set<string>()
  for (const secret of ['', 'nonsense', key.secret.slice(0, -1), revoked.secret, elsewhere.secret, 'a'.repeat(43)]) {
    const browser = partnerBrowser(service)
    const { status, text, headers } = await browser.signIn(secret)
    assert.deepEqual([status, headers.get('set-cookie')], [401, null])
    assert.ok(secret === '' || !text.includes(secret))
    texts.add(text)
  }
  assert.equal(texts.size, 1)
})

test("partner's page: 403 for a form of another origin, without one, or with a wrong token; nothing changes", async () => {
  const { key } = await newKey()
  const browser = partnerBrowser(service)
  for (const headers of [{ origin: 'https://evil.example' }, { origin: '' }]) {
    assert.equal((await browser.post('/partner/sign-in', { key: key.secret }, headers)).status, 403)
  }
  assert.equal(browser.cookie, '')
  await browser.signIn(key.secret)
  await browser.get('/partner')
  assert.equal((await browser.post('/partner/sign-out', { csrf: 'wrong' })).status, 403)
  assert.match((await browser.get('/partner')).text, /<h1>Usage/)
  assert.equal((await browser.post('/partner/sign-out')).status, 303)
  assert.match((await browser.get('/partner')).text, /Sign in with an API key/)
})

test("partner's page: 429 after 20 wrong keys from one IP address, with Retry-After; a right one is not looked up then", async () => {
  const own = await startTestService({ ROLES: 'api' })
  const { id: workspace } = await own.workspace()
  const key = await own.key({ workspace })
  const browser = partnerBrowser(own)
  assert.equal((await browser.signIn(key.secret)).status, 303)
  for (let i = 0; i < 20; i++) assert.equal((await browser.signIn(`svc_live_${i}`)).status, 401)
  const refused = await browser.signIn(key.secret)
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
})

for (const [name, end] of [
  ['revocation of the key', (id: string) => revokeKey(db, id)],
  ['rotation without an overlap', (id: string) => rotateKey(db, id, 0)],
  ['rotation with an overlap', (id: string) => rotateKey(db, id, 24)],
] as const) {
  test(`partner's page: ${name} ends the session with the next page`, async () => {
    const { key } = await newKey()
    const browser = await signedIn(key.secret)
    assert.match((await browser.get('/partner')).text, /<h1>Usage/)
    await end(key.id)
    const page = await browser.get('/partner/audit')
    assert.match(page.text, /Your session has ended/)
    assert.match(page.headers.get('set-cookie')!, /Max-Age=0/)
  })
}

test("partner's page: during the overlap of a rotation both secrets sign in", async () => {
  const { key } = await newKey()
  const rotated = await rotateKey(db, key.id, 24)
  for (const { secret } of [key, rotated]) {
    const browser = await signedIn(secret)
    assert.match((await browser.get('/partner')).text, /Previous secret valid until/)
  }
})

test("partner's page: the session ends after an hour and when the key expires; ended ones are deleted", async () => {
  const { workspace, key } = await newKey()
  const short = await service.key({ workspace, expiresInDays: 1 / 48 })
  const [lasting, expiring] = [await signedIn(key.secret), await signedIn(short.secret)]
  clock.advance(HOUR - 20 * 60_000)
  try {
    assert.match((await lasting.get('/partner')).text, /<h1>Usage/)
    assert.match((await expiring.get('/partner')).text, /Your session has ended/)
    clock.advance(30 * 60_000)
    assert.match((await lasting.get('/partner')).text, /Your session has ended/)
    await pruneOnce(db)
    assert.deepEqual(await db.query(sql`select 1 from partner_sessions where expires_at < app_now()`), [])
  } finally {
    clock.reset()
  }
})

test("partner's page: usage shows key, workspace, plan, quota, budget and rate limits; reading it counts as no call", async () => {
  const { workspace, key } = await newKey()
  for (let i = 0; i < 3; i++) await service.get('/me', key)
  await db.query(sql`
    insert into personal_data_usage (workspace_id, key_id, day, used)
    values (${workspace}, ${key.id}, app_now()::date, 4100)`)
  const browser = await signedIn(key.secret)
  await service.services.usage.flush()
  const { text } = await browser.get('/partner')
  await browser.get('/partner/access')
  for (const shown of [key.id, 'ATS sync', `Acme Robotics <code>${workspace}</code>`, 'Starter', '4,100', '5,000']) {
    assert.ok(text.includes(shown), shown)
  }
  assert.match(text, /<strong>3<\/strong> of 1,000,000/)
  assert.match(text, /<td>General<\/td><td>600<\/td>/)
  assert.match(text, /class="bar warn"/)
  assert.equal((await service.get('/me', key)).body.rate_limits.requests_used_this_month, 4)
})

test("partner's page: usage says when the service has a newer SDK than the one that used the key last, also after a sign-in", async () => {
  const { workspace, key } = await newKey()
  const rowOf = () =>
    db.one(sql<{ agent: string | null; sdk: string | null }>`
      select last_used_agent as agent, last_used_sdk as sdk from api_key_secrets where workspace_id = ${workspace}`)
  const useWith = async (agent: string) => {
    await db.query(sql`
      update api_key_secrets set last_used_at = last_used_at - interval '2 minutes' where workspace_id = ${workspace}`)
    await service.get('/me', key, { headers: { 'user-agent': agent } })
    await until(`the use by ${agent} is stored`, async () => (await rowOf())?.agent === agent)
  }
  await useWith('curl/8')
  const browser = await signedIn(key.secret)
  assert.doesNotMatch((await browser.get('/partner')).text, /newer/)
  await useWith('hiring-partner-sdk-python/0.1.0')
  await useWith('Mozilla/5.0')
  assert.equal((await rowOf())?.sdk, 'hiring-partner-sdk-python/0.1.0')
  assert.match(
    (await browser.get('/partner')).text,
    /newer Python SDK: [^<]+\. This key last used 0\.1\.0\. <a href="\/downloads">/,
  )
  await useWith('hiring-partner-sdk/999.0.0')
  assert.doesNotMatch((await browser.get('/partner')).text, /newer/)
})

test("partner's page: a key whose monthly quota is exhausted still sees its usage", async () => {
  const { workspace, key } = await newKey({ plan: 'none' })
  await db.query(sql`
    insert into monthly_usage (workspace_id, month, requests)
    values (${workspace}, date_trunc('month', app_now() at time zone 'UTC')::date, 10000)`)
  assert.equal((await service.get('/me', key)).status, 429)
  const browser = await signedIn(key.secret)
  const { status, text } = await browser.get('/partner')
  assert.equal(status, 200)
  assert.match(text, /<strong>10,000<\/strong> of 10,000/)
  assert.match(text, /class="bar bad"/)
})

test("partner's page: 429 after 60 pages in a minute, apart from the limits of the key", async () => {
  const { key } = await newKey()
  const browser = await signedIn(key.secret)
  let last = 200
  for (let i = 0; i < 61; i++) last = (await browser.get('/partner/audit')).status
  assert.equal(last, 429)
  assert.equal((await service.get('/me', key)).status, 200)
  assert.equal((await browser.post('/partner/sign-out')).status, 303, 'a sign-out is not counted')
})

test("partner's page: audit rows of this key alone, page by page, and no personal value", async () => {
  const { workspace, userEmail, key } = await newKey()
  const other = await service.key({ workspace, userEmail, name: 'Other' })
  const job = await newJob(service, workspace)
  const { applicant_id } = await apply({ service, key, job }, {}, { email: 'shown@example.org', first_name: 'Zenobia' })
  const seen = await service.get(`/applicants/${applicant_id}/contact-info`, key)
  assert.equal(seen.status, 200)
  const browser = await signedIn(key.secret)
  const { text } = await browser.get('/partner/audit')
  assert.ok(text.includes(applicant_id))
  assert.ok(text.includes(seen.headers.get('service-request-id')!))
  const strangers = await signedIn(other.secret)
  const theirs = (await strangers.get('/partner/audit')).text
  assert.ok(!theirs.includes(applicant_id))
  for (const path of ['', '/requests', '/webhooks', '/audit', '/access']) {
    const page = await browser.get(`/partner${path}`)
    assert.doesNotMatch(page.text, /shown@example\.org|Zenobia/)
  }
  await db.query(sql`
    insert into personal_data_reads (workspace_id, key_id, subject_object, subject_id, field, units, request_id)
    select ${workspace}, ${key.id}, 'applicant', ${applicant_id}, 'email', 1, 'req_' || n from generate_series(1, 60) n`)
  const first = await browser.get('/partner/audit')
  const older = /href="(\/partner\/audit\?cursor=[^"]+)">Older/.exec(first.text)![1]!
  const second = await browser.get(older.replaceAll('&amp;', '&'))
  assert.equal(second.status, 200)
  assert.match(second.text, />Newest</)
})

test("partner's page: requests of this key alone, by status and request id", async () => {
  const { workspace, userEmail, key } = await newKey()
  const other = await service.key({ workspace, userEmail, name: 'Other' })
  const fine = (await service.get('/jobs?limit=1', key)).headers.get('service-request-id')!
  const refused = (await service.get('/jobs?nonsense=1', key)).headers.get('service-request-id')!
  const theirs = (await service.get('/jobs', other)).headers.get('service-request-id')!
  const browser = await signedIn(key.secret)
  const shown = async (query: string) => (await browser.get(`/partner/requests${query}`)).text
  const all = await shown('')
  assert.deepEqual(
    [fine, refused, theirs].map(id => all.includes(id)),
    [true, true, false],
  )
  assert.match(all, /<a href="\/docs\/errors#invalid_request">invalid_request<\/a>/)
  const mistyped = (await service.post('/jbos', key, {})).headers.get('service-request-id')!
  assert.match(await shown(`?request_id=${mistyped}`), /POST <code>no endpoint<\/code> near <code>POST \/jobs<\/code>/)
  const failed = await shown('?status=4xx')
  assert.deepEqual([failed.includes(fine), failed.includes(refused)], [false, true])
  const one = await shown(`?request_id=${fine}`)
  assert.deepEqual([one.includes(`<code>${fine}</code>`), one.includes(refused)], [true, false])
  assert.ok(!(await shown(`?request_id=${theirs}`)).includes(`<code>${theirs}</code>`))
  assert.match(await shown('?request_id=nonsense'), /role="alert">[^<]*no such/)
})

test("partner's page: a sign-in is in the request log of the key; an unknown message of an action is none", async () => {
  const { key } = await newKey()
  const browser = await signedIn(key.secret)
  const { data } = (await service.get('/requests?method=POST', key)).body
  assert.deepEqual(
    data.map(({ route, status }: { route: string; status: number }) => [route, status]),
    [['/partner/sign-in', 200]],
  )
  for (const done of ['__proto__', 'constructor', 'nonsense']) {
    const page = await browser.get(`/partner?done=${done}`)
    assert.equal(page.status, 200)
    assert.doesNotMatch(page.text, /class="notice good"|native code/)
  }
})

test("partner's page: access shows what the key can read and why not the rest, as GET /me/access does", async () => {
  const { key } = await newKey({ scopes: ['jobs:read', 'applications:read'] })
  const browser = await signedIn(key.secret)
  const { text } = await browser.get('/partner/access')
  const { data } = (await service.get('/me/access?limit=100', key)).body
  for (const { resource, fields } of data) {
    assert.ok(text.includes(`<strong>${resource}</strong>`), resource)
    for (const { name, reason } of fields) {
      assert.ok(text.includes(`<code>${name}</code>`), name)
      if (reason) assert.ok(text.includes(reason), reason)
    }
  }
  assert.match(text, /<code>jobs:read<\/code>/)
  assert.match(text, /needs webhooks:read/)
  const webhooks = await browser.get('/partner/webhooks')
  assert.equal(webhooks.status, 200)
  assert.match(webhooks.text, /needs the scope webhooks:read/)
})

async function withEndpoint() {
  const made = await newKey()
  const url = `${receiver.url}/${made.workspace}`
  const endpoint = await service.post('/webhooks/endpoints', made.key, { url, event_types: ['job.updated'] })
  await emit(db, made.workspace, ['job.updated'])
  const log = async () => (await service.get('/webhooks/deliveries', made.key)).body.data
  await until('it is delivered', async () => (await log())[0]?.status === 'delivered')
  const [delivery] = await log()
  return { ...made, endpoint: endpoint.body.id as string, delivery: delivery.id as string, log }
}

test("partner's page: endpoints and deliveries of the key, with filters; ping, send again, disable and enable are the API's calls", async () => {
  const { workspace, key, endpoint, delivery, log } = await withEndpoint()
  const browser = await signedIn(key.secret)
  const { text } = await browser.get('/partner/webhooks')
  assert.ok(text.includes(`${receiver.host}/hook/${workspace}`))
  assert.ok(text.includes(`/partner/deliveries/${delivery}`))
  const none = await browser.get('/partner/webhooks?status=failed')
  assert.ok(!none.text.includes(`/partner/deliveries/${delivery}`))
  const detail = await browser.get(`/partner/deliveries/${delivery}`)
  assert.match(detail.text, /<td>200<\/td>/)

  const before = (await service.get('/me', key)).body.rate_limits.requests_used_this_month
  const tested = await browser.post(`/partner/endpoints/${endpoint}/test`)
  assert.deepEqual([tested.status, tested.headers.get('location')], [303, '/partner/webhooks?done=test'])
  assert.match((await browser.get('/partner/webhooks?done=test')).text, /A ping was queued/)
  assert.equal((await browser.post(`/partner/deliveries/${delivery}/redeliver`)).status, 303)
  await until('ping and repeat', async () => (await log()).length === 3)
  const logged = (await service.get('/requests?method=POST&limit=100', key)).body.data.map(
    (row: { route: string }) => row.route,
  )
  assert.ok(logged.includes('/webhooks/endpoints/{endpoint_id}/test'), 'an action is in the request log')
  // two actions, the read of the log and this read
  assert.equal((await service.get('/me', key)).body.rate_limits.requests_used_this_month >= before + 3, true)

  assert.equal((await browser.post(`/partner/endpoints/${endpoint}/disable`)).status, 303)
  const refused = await browser.post(`/partner/endpoints/${endpoint}/test`)
  assert.equal(refused.status, 409)
  assert.match(refused.text, /role="alert">[^<]*disabled/)
  assert.equal((await service.get(`/webhooks/endpoints/${endpoint}`, key)).body.enabled, false)
  assert.equal((await browser.post(`/partner/endpoints/${endpoint}/enable`)).status, 303)
  assert.equal((await service.get(`/webhooks/endpoints/${endpoint}`, key)).body.enabled, true)
})

test("partner's page: another key's endpoint and delivery are a 404 like missing ones, for reading and for actions", async () => {
  const { workspace, userEmail, endpoint, delivery } = await withEndpoint()
  const other = await service.key({ workspace, userEmail, name: 'Other' })
  const browser = await signedIn(other.secret)
  const missing = '00000000-0000-4000-8000-000000000000'
  const plain = (text: string) => text.replace(/req_\w+/g, '').replace(/name="csrf" value="[^"]+"/g, '')
  const list = await browser.get('/partner/webhooks')
  assert.ok(!list.text.includes(endpoint) && !list.text.includes(delivery) && !list.text.includes(receiver.host))
  const [theirs, none] = [
    await browser.get(`/partner/deliveries/${delivery}`),
    await browser.get(`/partner/deliveries/${missing}`),
  ]
  assert.deepEqual([theirs.status, plain(theirs.text)], [404, plain(none.text)])
  for (const path of ['endpoints/ID/test', 'endpoints/ID/disable', 'endpoints/ID/enable', 'deliveries/ID/redeliver']) {
    const id = path.startsWith('endpoints') ? endpoint : delivery
    const refused = await browser.post(`/partner/${path.replace('ID', id)}`)
    const unknown = await browser.post(`/partner/${path.replace('ID', missing)}`)
    assert.deepEqual([refused.status, plain(refused.text)], [404, plain(unknown.text)], path)
  }
})

test("partner's page: an action without the write scope, or of a key without a user, is refused and counted as over the API", async () => {
  const { workspace, userEmail, endpoint, key } = await withEndpoint()
  const readOnly = await service.key({ workspace, userEmail, scopes: ['webhooks:read', 'events:read'] })
  const browser = await signedIn(readOnly.secret)
  const page = await browser.get('/partner/webhooks')
  assert.doesNotMatch(page.text, /\/partner\/endpoints\//)
  const refused = await browser.post(`/partner/endpoints/${endpoint}/disable`)
  assert.equal(refused.status, 403)
  assert.match(refused.text, /needs the scope webhooks:write/)
  assert.equal((await service.get(`/webhooks/endpoints/${endpoint}`, key)).body.enabled, true)
  const { headers } = await service.get('/me', readOnly)
  const used = Number(headers.get('ratelimit-limit')) - Number(headers.get('ratelimit-remaining'))
  assert.equal(used, 2, 'the refused action and this call')
})

test("partner's page: a key of several workspaces chooses one; a workspace that it cannot reach is not shown", async () => {
  const { workspace, userEmail } = await newKey()
  const { id: second } = await service.workspace('starter', 'Globex')
  const { id: third } = await service.workspace('starter', 'Initech')
  const key = await service.key({ workspace, userEmail, reach: [workspace, second], name: 'Group' })
  const browser = await signedIn(key.secret)
  const usage = await browser.get('/partner')
  assert.ok(usage.text.includes('Globex') && !usage.text.includes('Initech') && !usage.text.includes(third))
  const chosen = await browser.get(`/partner/webhooks?workspace_id=${second}`)
  assert.match(chosen.text, new RegExp(`<option value="${second}" selected>Globex`))
  const refused = await browser.get(`/partner/webhooks?workspace_id=${third}`)
  assert.ok(!refused.text.includes(third))
})
