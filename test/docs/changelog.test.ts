import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { VERSIONS } from '../../src/contract/version.ts'
import { parseReleases } from '../../src/docs/changelog.ts'
import { sharedTestService } from '../harness/service.ts'

const ROOT = join(import.meta.dirname, '../..')
const service = await sharedTestService()
const FEED = `${service.origin}/docs/changelog.atom`

const releases = parseReleases(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'))

/** The elements of a well-formed text, each with its path and its own text. Fails where a tag is not closed. */
function elementsOf(xml: string): { path: string; attributes: string; text: string }[] {
  const open: { path: string; attributes: string; text: string }[] = []
  const found: typeof open = []
  assert.match(xml, /^<\?xml version="1\.0" encoding="utf-8"\?>\n</)
  for (const [, text = '', closing, name = '', attributes = '', single] of xml
    .replace(/^<\?[^>]*\?>\n/, '')
    .matchAll(/([^<]*)<(\/)?([a-z]+)((?:\s+[a-z:]+="[^"<]*")*)(\/)?>/g)) {
    if (open.length > 0) open.at(-1)!.text += text
    if (closing) {
      assert.equal(open.at(-1)?.path.split('/').at(-1), name, 'closes what was opened last')
      found.push(open.pop()!)
      continue
    }
    const element = { path: [open.at(-1)?.path, name].filter(Boolean).join('/'), attributes, text: '' }
    if (single) found.push(element)
    else open.push(element)
  }
  assert.deepEqual(open, [])
  assert.doesNotMatch(xml.replaceAll(/&(amp|lt|gt|quot|#39);/g, ''), /&/)
  return found
}

test('GET /docs/changelog.atom: 200: valid Atom with an entry for each release and version', async () => {
  const response = await fetch(FEED)
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'application/atom+xml; charset=utf-8')
  const elements = elementsOf(await response.text())
  const texts = (path: string) => elements.filter(element => element.path === path).map(({ text }) => text)
  const [feedId] = texts('feed/id')
  const ids = texts('feed/entry/id')
  for (const id of [feedId!, ...ids]) assert.match(id, /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-/)
  assert.equal(new Set([feedId, ...ids]).size, ids.length + 1)
  const titles = texts('feed/entry/title')
  for (const { name, date } of releases) assert.equal(titles.includes(`Release ${name}`), date !== undefined, name)
  for (const { version } of VERSIONS) assert.ok(titles.includes(`API version ${version}`))
  const times = texts('feed/entry/updated')
  for (const time of times) assert.equal(new Date(time).toISOString(), time)
  assert.deepEqual(times, times.toSorted().reverse(), 'newest first')
  assert.deepEqual(texts('feed/updated'), [times[0]])
  assert.equal(texts('feed/author/name').length, 1)
  const links = elements.filter(({ path }) => path === 'feed/link').map(({ attributes }) => attributes)
  assert.deepEqual(links, [
    ` rel="self" type="application/atom+xml" href="${FEED}"`,
    ` rel="alternate" type="text/html" href="${service.origin}/docs/changelog"`,
  ])
  assert.ok(texts('feed/entry/content').every(text => text.startsWith('&lt;')))
})

test('GET /docs/changelog.atom: 304 for a reader that has it', async () => {
  const etag = (await fetch(FEED)).headers.get('etag')!
  const again = await fetch(FEED, { headers: { 'If-None-Match': etag } })
  assert.deepEqual([again.status, await again.text()], [304, ''])
})

test('GET /docs/changelog: 200: every release of CHANGELOG.md, every version of the API, and the feed', async () => {
  const text = await (await fetch(`${service.origin}/docs/changelog`)).text()
  for (const { name } of releases) assert.ok(text.includes(`>${name}`), name)
  for (const { version, status } of VERSIONS)
    assert.match(text, new RegExp(`<code>${version}</code></th><td>${status}`))
  assert.match(
    text,
    /<link rel="alternate" type="application\/atom\+xml" title="Changelog" href="\/docs\/changelog\.atom">/,
  )
  assert.ok(releases.some(({ name }) => name === '0.2.0'))
})

test('GET /docs/signature: 200: the policy of the page allows no request and no form, and no field has a name', async () => {
  const response = await fetch(`${service.origin}/docs/signature`)
  const policy = response.headers.get('content-security-policy')!
  assert.match(policy, /connect-src 'none'/)
  assert.match(policy, /form-action 'none'/)
  const text = await response.text()
  const form = /<form class="signature"[\s\S]*?<\/form>/.exec(text)![0]
  assert.doesNotMatch(form, / name=| action=/)
  const [, checker] = /data-checker="([^"]+)"/.exec(form)!
  const script = await (await fetch(service.origin + checker)).text()
  assert.equal(script, readFileSync(join(ROOT, 'src/pages/assets/check-signature.js'), 'utf8'))
})

test('CHANGELOG.md: a release that breaks something begins with it', () => {
  for (const { name, body } of releases) {
    const headings = [...body.text.matchAll(/<h3[^>]*>.*?([^<>]*)<\/h3>/g)].map(([, text]) => text)
    assert.ok(headings.indexOf('Breaking') <= 0, name)
  }
})
