import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { noBrowser, visit } from '../harness/browser.ts'
import { startTestService, type TestService } from '../harness/service.ts'

const options = { skip: noBrowser }
let service: TestService

before(async () => {
  if (!noBrowser) service = await startTestService()
})

const GUIDES = readdirSync(join(import.meta.dirname, '../../docs/guides')).filter(file => file.endsWith('.md'))
/**
 * Identifiers of a table that continue on a second line: any in its first column, and short ones elsewhere. A header name
 * may, after a hyphen.
 */
const BROKEN = `[...document.querySelectorAll('td code')]
  .filter(code => (code.closest('td').cellIndex === 0 ? /^\\w+$/ : /^\\w{1,24}$/).test(code.textContent))
  .filter(code => code.getClientRects().length > 1).map(code => code.textContent)`

for (const width of [1280, 390]) {
  test(`docs in a browser: ${width} pixels: no identifier of a table breaks inside a word`, options, async () => {
    const { page, close } = await visit(service.origin, { width })
    let identifiers = 0
    for (const path of [
      ...GUIDES.map(file => `guides/${file.slice(0, -3)}`),
      'operating',
      'operating/citus',
      'errors',
    ]) {
      await page.goto(`/docs/${path}`)
      identifiers += await page.locator('td code').count()
      assert.deepEqual(await page.evaluate(BROKEN), [], path)
    }
    assert.ok(identifiers > 200)
    await close()
  })
}

test('docs in a browser: search: typing sends one request, and the box says that it searches', options, async () => {
  const { page, problems, close } = await visit(service.origin)
  await page.goto('/docs')
  // time does not pass in the page between keys, however slow the machine is
  await page.clock.install({ time: 0 })
  await page.clock.pauseAt(1000)
  const asked: string[] = []
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/docs/search.json*', async route => {
    asked.push(new URL(route.request().url()).searchParams.get('q')!)
    await released
    await route.continue()
  })
  await page.keyboard.press('/')
  for (const key of 'missing scope') {
    await page.keyboard.press(key === ' ' ? 'Space' : key)
    await page.clock.runFor(20)
  }
  assert.deepEqual(asked, [])
  await page.clock.runFor(1000)
  await page.getByText('Searching…').waitFor()
  release()
  await page.getByRole('option', { name: /^insufficient_scope/ }).waitFor()
  assert.deepEqual(asked, ['missing scope'])
  assert.deepEqual(problems, [])
  await close()
})

test('home page in a browser: 1280 pixels: the first call is shown whole and can be copied', options, async () => {
  const { page, context, problems, close } = await visit(service.origin, { width: 1280 })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/')
  const hidden = `[...document.querySelectorAll('pre')].map(pre => pre.scrollWidth - pre.clientWidth)`
  assert.deepEqual(await page.evaluate(hidden), [0])
  await page.getByRole('button', { name: 'Copy' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  const copied = String(await page.evaluate('navigator.clipboard.readText()'))
  assert.equal(copied, `curl -s "${service.base}/me" \\\n  -H "Authorization: Bearer $API_KEY"`)
  assert.deepEqual(problems, [])
  await close()
})
