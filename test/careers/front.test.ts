import assert from 'node:assert/strict'
import { test } from 'node:test'
import { demoSecret } from '../../demo/index.ts'
import { hashSecret } from '../../src/kernel/access/key-format.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { startTestService } from '../harness/service.ts'
import { createSite, fetchPage } from './board-setup.ts'

const service = await startTestService({ LOG_LEVEL: 'silent' })
const { db } = service.services

test('GET /careers: 200 without a site, 303 to the only one, 200 again among several, naming none', async () => {
  const none = await fetchPage(service, '/careers')
  assert.equal(none.status, 200)
  const first = await createSite(service, 'First Customer')
  const only = await fetchPage(service, '/careers?lang=de')
  assert.equal(only.status, 303)
  assert.equal(only.headers.get('location'), `${first.path}?lang=de`)
  const second = await createSite(service, 'Second Customer')
  const several = await fetchPage(service, '/careers')
  assert.equal(several.status, 200)
  assert.match(several.text, /<h1>Careers sites<\/h1>/)
  assert.match(several.text, /<meta name="robots" content="noindex">/)
  assert.doesNotMatch(several.text, /Customer|customer/)
  await second.set({ enabled: false })
  const again = await fetchPage(service, '/careers')
  assert.equal(again.headers.get('location'), first.path)
  await second.set({ enabled: true })
  assert.match((await fetchPage(service, '/careers?lang=de')).text, /<html lang="de">[\s\S]*<h1>Karriereseiten<\/h1>/)
})

test('GET /careers of the demo: 303 to its site, whatever other sites there are', async () => {
  const demo = await createSite(service, 'Demo Company')
  const key = await service.key({ workspace: demo.workspace })
  const hash = hashSecret(demoSecret(service.services.keyring))
  await db.query(sql`update api_key_secrets set secret_hash = ${hash} where secret_hash = ${hashSecret(key.secret)}`)
  assert.equal((await fetchPage(service, '/careers')).headers.get('location'), demo.path)
  await demo.set({ enabled: false })
  assert.equal((await fetchPage(service, '/careers')).status, 200)
})

test('GET /board: 301 to /careers', async () => {
  const { status, headers } = await fetchPage(service, '/board')
  assert.equal(status, 301)
  assert.equal(headers.get('location'), '/careers')
})

test('site that is switched off, unknown site: the same 404, in the language of the visitor', async () => {
  const off = await createSite(service, 'Switched Off')
  const job = await off.job({ title: 'Hidden' })
  await off.set({ enabled: false })
  const body = (text: string) => /<main[\s\S]*<\/main>/.exec(text)![0]
  const known = await fetchPage(service, off.path)
  const unknown = await fetchPage(service, '/careers/no-such-company')
  for (const page of [known, unknown, await fetchPage(service, job.path), await fetchPage(service, '/careers/%00')]) {
    assert.equal(page.status, 404)
    assert.equal(body(page.text), body(unknown.text))
    assert.doesNotMatch(page.text, /Switched Off|Hidden/)
  }
  assert.match(unknown.text, /<h1>There is no careers site here<\/h1>/)
  const german = await fetchPage(service, '/careers/no-such-company', { 'accept-language': 'de' })
  assert.match(german.text, /<html lang="de">[\s\S]*<h1>Hier gibt es keine Karriereseite<\/h1>/)
})

test('earlier slug of a site: 303 to the same page under the current one', async () => {
  const moved = await createSite(service, 'Moved Company')
  const job = await moved.job({ title: 'Mover' })
  await db.query(sql`insert into career_slugs (slug, workspace_id) values ('new-name', ${moved.workspace})`)
  await db.query(sql`update career_sites set slug = 'new-name' where workspace_id = ${moved.workspace}`)
  const list = await fetchPage(service, `${moved.path}?q=a%20b`)
  assert.equal(list.status, 303)
  assert.equal(list.headers.get('location'), '/careers/new-name?q=a%20b')
  const page = await fetchPage(service, job.path)
  assert.equal(page.headers.get('location'), `/careers/new-name/jobs/${job.slug}`)
  assert.equal((await fetchPage(service, `/careers/new-name/jobs/${job.slug}`)).status, 200)
})

test('address of a site with a slash at the end: 303 to the list; an unknown page: 404 in its frame', async () => {
  const site = await createSite(service, 'Slash Company')
  const slash = await fetchPage(service, `${site.path}/?lang=de`)
  assert.equal(slash.status, 303)
  assert.equal(slash.headers.get('location'), `${site.path}?lang=de`)
  for (const below of ['/nonsense', '/jobs', '/jobs/a/b/c']) {
    const { status, text } = await fetchPage(service, site.path + below, { 'accept-language': 'de' })
    assert.equal(status, 404, below)
    assert.match(text, /<h1>Seite nicht gefunden<\/h1>/)
    assert.match(text, />Slash Company<\/a>/)
  }
})

test('method that a page does not take: 405 in the language of the visitor', async () => {
  const site = await createSite(service, 'Method Company')
  const response = await fetch(service.origin + site.path, {
    method: 'DELETE',
    headers: { accept: 'text/html', 'accept-language': 'de' },
  })
  assert.equal(response.status, 405)
  assert.match(await response.text(), /<h1>Diese Seite lässt sich so nicht aufrufen<\/h1>/)
})

test('failure while a page is made: 500 in the frame of the site, with the number of the request', async () => {
  const site = await createSite(service, 'Broken Company')
  const { query } = db
  db.query = statement => {
    if (statement.text.includes('with open as')) throw new Error('made to fail')
    return query.call(db, statement) as never
  }
  const page = await fetchPage(service, site.path).finally(() => {
    db.query = query
  })
  assert.equal(page.status, 500)
  assert.match(page.text, /<h1>Something went wrong on our side<\/h1>/)
  assert.match(page.text, />Broken Company<\/a>/)
  assert.match(page.text, new RegExp(`<code>${page.headers.get('service-request-id')}</code>`))
  assert.doesNotMatch(page.text, /made to fail/)
})
