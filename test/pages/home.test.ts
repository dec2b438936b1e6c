import assert from 'node:assert/strict'
import { test } from 'node:test'
import { axe, noBrowser, visit } from '../harness/browser.ts'
import { sharedTestService } from '../harness/service.ts'

const service = await sharedTestService()

test('GET /: 200, says what the service is, leads to careers, console and documentation, and every link of the page works', async () => {
  const page = await fetch(`${service.origin}/`)
  assert.equal(page.status, 200)
  const text = await page.text()
  assert.match(text, /<h1>Build on a hiring workspace<\/h1>/)
  assert.match(text, new RegExp(`curl -s &quot;${service.base}/me&quot;|curl -s "${service.base}/me"`))
  const links = [...text.matchAll(/<a[^>]* href="(\/[^"]*)"/g)].map(match => match[1]!)
  for (const part of ['/careers', '/console', '/docs', '/account']) assert.ok(links.includes(part), part)
  for (const link of links) {
    const { status } = await fetch(service.origin + link, { headers: { accept: 'text/html' } })
    assert.equal(status, 200, link)
  }
})

test('GET / in a browser: no serious accessibility issue, no horizontal scrolling', { skip: noBrowser }, async () => {
  for (const look of [
    { theme: 'light', width: 1280 },
    { theme: 'dark', width: 390 },
  ] as const) {
    const { page, problems, close } = await visit(service.origin, look)
    await page.goto(`${service.origin}/`)
    assert.deepEqual(await axe(page), [])
    assert.equal(await page.evaluate('document.documentElement.scrollWidth > window.innerWidth'), false)
    assert.deepEqual(problems, [])
    await close()
  }
})
