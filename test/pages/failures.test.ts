import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { DatastoreUnavailable } from '../../src/kernel/db/database.ts'
import { signedIn } from '../console/setup.ts'
import { axe, noBrowser, visit } from '../harness/browser.ts'
import { startTestService, type TestService } from '../harness/service.ts'

let service: TestService
let cookie: string
/** as browsers send it */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

before(async () => {
  service = await startTestService({ LOG_LEVEL: 'silent' })
  cookie = (await signedIn(service, (await service.workspace()).id)).cookie
})

const ask = (path: string, accept: string, init: RequestInit = {}) =>
  fetch(service.origin + path, { redirect: 'manual', ...init, headers: { accept, cookie, ...init.headers } })

const PAGES = ['/console', '/console/keys', '/account', '/sign-in', '/oauth/interaction/x'] as const

test('failures: the database is unavailable: a page for people, with what to do and the request id; JSON for programs', async t => {
  for (const method of ['one', 'query'] as const) {
    t.mock.method(service.services.db, method, async () => {
      throw new DatastoreUnavailable('connection refused at 10.0.0.5')
    })
  }
  for (const path of PAGES) {
    const page = await ask(path, BROWSER, { headers: { cookie: `${cookie}; hiring_interaction=x` } })
    if (path.startsWith('/oauth') && page.status === 410) continue // the database was not queried: the cookie is not signed
    assert.equal(page.status, 503, path)
    assert.ok(Number(page.headers.get('retry-after')) > 0)
    assert.match(page.headers.get('content-type')!, /^text\/html/)
    assert.equal(page.headers.get('cache-control'), 'no-store')
    assert.match(page.headers.get('content-security-policy')!, /default-src 'none'/)
    const text = await page.text()
    assert.match(text, /<h1>Temporarily unavailable<\/h1>/)
    assert.match(text, /Try again/)
    assert.ok(text.includes(page.headers.get('service-request-id')!), 'the id in the page is that of the response')
    assert.ok(!text.includes('10.0.0.5'), 'nothing of the cause')
  }
  const program = await ask('/console', '*/*')
  assert.equal(((await program.json()) as { detail: { code: string } }).detail.code, 'datastore_unavailable')
})

test('failure pages: 404: a page for people, JSON for programs and everywhere below the API', async () => {
  for (const path of ['/nothing', '/consoles', '/sign-in/nothing', '/assets/none.css', '/%E0%A4%A']) {
    const page = await ask(path, BROWSER)
    assert.equal(page.status, 404, path)
    const text = await page.text()
    assert.match(text, /<h1>There is no such page<\/h1>/)
    assert.match(text, /href="\/docs"/)
    assert.match(text, /<code>req_\w+<\/code>/)
    for (const accept of ['*/*', 'application/json', 'application/json, text/html']) {
      const program = await ask(path, accept)
      assert.equal(program.status, 404)
      assert.equal(((await program.json()) as { detail: { code: string } }).detail.code, 'not_found')
    }
  }
  const api = await ask('/api/partner/v1/nothing', BROWSER)
  assert.match(api.headers.get('content-type')!, /json/)
})

test('failure pages: 405 with Allow, 400 and 413: what was not right, in a page', async () => {
  const method = await ask('/sign-in', BROWSER, { method: 'DELETE' })
  assert.equal(method.status, 405)
  assert.match(method.headers.get('allow')!, /GET/)
  assert.match(await method.text(), /<h1>This page cannot be used like that<\/h1>/)
  const form = { method: 'POST', headers: { origin: service.origin } }
  const nul = await ask('/sign-in', BROWSER, { ...form, body: new URLSearchParams({ email: 'a\0<b>@c.example' }) })
  assert.equal(nul.status, 400)
  assert.match(await nul.text(), /must not contain a NUL character/)
  const large = await ask('/sign-in', BROWSER, { ...form, body: new URLSearchParams({ email: 'a'.repeat(40_000) }) })
  assert.equal(large.status, 413)
  assert.match(await large.text(), /<h1>The request is too large<\/h1>/)
})

test('failure pages: 500: the request id and whom to contact, without the cause', async t => {
  t.mock.method(service.services.db, 'one', async () => {
    throw new Error('secret of <it>')
  })
  for (const path of ['/account', '/console']) {
    const page = await ask(path, BROWSER)
    assert.equal(page.status, 500)
    const text = await page.text()
    assert.match(text, /<h1>Something failed on our side<\/h1>/)
    assert.ok(text.includes(page.headers.get('service-request-id')!))
    assert.ok(!text.includes('secret of'))
  }
})

test('failure pages: the page in a browser: in our style, without a serious accessibility issue', {
  skip: noBrowser,
}, async () => {
  for (const look of [
    { theme: 'light', width: 1280 },
    { theme: 'dark', width: 390 },
  ] as const) {
    const { page, problems, close } = await visit(service.origin, { ...look, expectedStatuses: [404] })
    await page.goto(`${service.origin}/nothing`)
    assert.deepEqual(await axe(page), [])
    assert.equal(await page.evaluate('document.documentElement.scrollWidth > window.innerWidth'), false)
    await page.getByRole('link', { name: 'Documentation' }).click()
    await page.waitForURL(/\/docs/)
    assert.deepEqual(problems, [])
    await close()
  }
})
