import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { accentSheet } from '../../src/careers/accent.ts'
import { accentVariants, contrast, DARK_GROUNDS, LIGHT_GROUNDS } from '../../src/careers/accent-variants.ts'
import { sharedTestService } from '../harness/service.ts'
import { createSite, fetchPage } from './board-setup.ts'

const service = await sharedTestService()

const AA = 4.5
const color = fc.integer({ min: 0, max: 0xffffff }).map(n => `#${n.toString(16).padStart(6, '0')}`)
const EXAMPLES = ['#000000', '#ffffff', '#ffd400', '#777777', '#ff0000', '#00ff00', '#0000ff', '#0f766e'].map(
  c => [c] as [string],
)

test('accent colour: text in it has a contrast of 4.5 on every ground of both themes, whatever colour is set', () => {
  fc.assert(
    fc.property(color, chosen => {
      for (const [theme, grounds] of [
        ['light', LIGHT_GROUNDS],
        ['dark', DARK_GROUNDS],
      ] as const) {
        const made = accentVariants(chosen, theme)
        for (const ground of [...grounds, made.soft]) {
          assert.ok(contrast(made.text, ground) >= AA, `${chosen} in ${theme}: ${made.text} on ${ground}`)
          assert.ok(contrast(made.textStrong, ground) >= AA, `${chosen} in ${theme}: ${made.textStrong} on ${ground}`)
        }
        for (const fill of [made.fill, made.fillStrong]) {
          assert.ok(contrast(made.onFill, fill) >= AA, `${chosen} in ${theme}: ${made.onFill} on ${fill}`)
        }
        // text on the accent itself, such as the link that skips to the content
        assert.ok(contrast(theme === 'light' ? '#ffffff' : '#0b0e13', made.text) >= AA, `on ${made.text}`)
        // texts of the page on the tinted ground
        assert.ok(contrast(theme === 'light' ? '#4a5567' : '#a7b1c2', made.soft) >= AA, `soft text on ${made.soft}`)
      }
    }),
    { numRuns: 3000, examples: EXAMPLES },
  )
})

test('accent colour: one that can be read is used as it is', () => {
  assert.equal(accentVariants('#0f766e', 'light').text, '#0f766e')
  assert.equal(accentVariants('#0f766e', 'light').fill, '#0f766e')
  assert.equal(accentVariants('#ffd400', 'light').fill, '#ffd400')
  assert.equal(accentVariants('#ffd400', 'light').onFill, '#0b0e13')
  const yellow = accentVariants('#ffee00', 'light')
  assert.deepEqual([yellow.fill, yellow.onFill], ['#ffee00', '#0b0e13'], 'a bright colour stays on buttons')
  assert.ok(contrast(yellow.fillEdge, '#ffffff') >= 3)
  assert.notEqual(yellow.text, '#ffee00')
})

test('accent style sheet: 200 for its exact name, kept for ever; 404 for anything else', async () => {
  const address = accentSheet('#0f766e')!
  const sheet = await fetchPage(service, address)
  assert.equal(sheet.status, 200)
  assert.equal(sheet.headers.get('content-type'), 'text/css; charset=utf-8')
  assert.equal(sheet.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  assert.equal(sheet.headers.get('x-content-type-options'), 'nosniff')
  assert.match(sheet.text, /^:root \{[^{}<>]*\}\n$/)
  for (const other of [
    address.replace('0f766e', '0f766f'),
    address.replace('.css', '.js'),
    address.replace('0f766e', '%7D*%7Bcolor:red'),
    '/assets/accent/',
    '/assets/accent/red.css',
  ]) {
    assert.equal((await fetchPage(service, other)).status, 404, other)
  }
})

test('accent colour: what is no colour makes no style sheet', () => {
  for (const bad of ['red', '#fff', '#0f766e;}', '#0F766E', 'url(x)', '#0f766e\n', '']) {
    assert.equal(accentSheet(bad), undefined, bad)
  }
  assert.equal(accentSheet(null), undefined)
})

test('site with an accent colour: 200, its pages link the style sheet of that colour after the others', async () => {
  const site = await createSite(service, 'Teal Works')
  await site.set({ accent_color: '#0f766e' })
  const { text } = await fetchPage(service, site.path)
  const sheets = [...text.matchAll(/<link rel="stylesheet" href="([^"]+)">/g)].map(match => match[1]!)
  assert.equal(sheets.at(-1), accentSheet('#0f766e'))
  for (const sheet of sheets) assert.equal((await fetchPage(service, sheet)).status, 200, sheet)
  assert.doesNotMatch(text, /<style|style="/)
})
