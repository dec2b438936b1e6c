import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { routes } from '../../src/app.ts'
import { ERROR_CODES, ERRORS } from '../../src/contract/errors.ts'
import { EVENT_TYPES, EVENTS } from '../../src/contract/events.ts'
import { EVERY_SCOPE } from '../../src/contract/scopes.ts'
import { describeRetry } from '../../src/docs/catalogues.ts'
import { GUIDES } from '../../src/docs/guides.ts'
import { buildAnchor, groupByArea } from '../../src/docs/reference.ts'
import { readSample, routeName, sampleEvent } from '../../src/docs/samples.ts'
import { listSchema } from '../../src/kernel/http/describe-responses.ts'
import { declaredQuery } from '../../src/kernel/http/route.ts'
import { type JsonSchema, shapeSchema } from '../../src/kernel/http/shape.ts'
import { sharedTestService, type TestService } from '../harness/service.ts'

let service: TestService

before(async () => {
  service = await sharedTestService()
})

const at = (path: string) => service.call('GET', service.origin + path)

/** Where links lead out of the documentation, to pages that one must sign in for. */
const CONSOLE = '/console'

/** Every page that can be reached from the start, with its text. */
let pages: Map<string, string>

async function crawl(): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const waiting = ['/docs']
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue
    const response = await at(path)
    const leads = response.headers.get('location')
    if (path.startsWith(CONSOLE)) assert.equal(leads, `/sign-in?return_to=${encodeURIComponent(path)}`)
    else assert.equal(response.status, 200, path)
    found.set(path, response.text)
    if (!response.headers.get('content-type')?.startsWith('text/html')) continue
    for (const link of linksOf(response.text)) waiting.push(link.split('#')[0] || path)
  }
  return found
}

const unescaped = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"')
const linksOf = (text: string) =>
  [...text.matchAll(/(?:href|src)="([^"]+)"/g)]
    .map(match => unescaped(match[1]!))
    .filter(link => !/^https?:/.test(link))
const idsOf = (text: string) => [...text.matchAll(/\sid="([^"]+)"/g)].map(match => unescaped(match[1]!))

test('docs: every page, file and anchor that a page links to exists', async () => {
  pages = await crawl()
  const lost: string[] = []
  for (const [path, text] of pages) {
    for (const link of linksOf(text)) {
      const [target, anchor] = link.split('#') as [string, string | undefined]
      const page = pages.get(target || path)
      if (page === undefined) lost.push(`${path} leads to ${link}`)
      else if (anchor && !idsOf(page).includes(decodeURIComponent(anchor))) lost.push(`${path} leads to ${link}`)
    }
  }
  assert.deepEqual(lost, [])
  assert.ok(pages.size > 40, `${pages.size} pages and files`)
})

test('docs: no page uses an id twice, links to another host, or has inline script or style', async () => {
  pages ??= await crawl()
  for (const [path, text] of pages) {
    if (!text.startsWith('<!doctype html>')) continue
    const ids = idsOf(text)
    assert.deepEqual(
      ids.filter((id, i) => ids.indexOf(id) !== i),
      [],
      path,
    )
    assert.doesNotMatch(text, /(?:href|src|action)="(?:https?:)?\/\//, path)
    assert.doesNotMatch(text, /<style|\sstyle="|<script(?![^>]* src=)|\son[a-z]+="/, path)
  }
})

const COMMANDS = /^\s*(?:\$ )?(?:npx|npm|node|curl|claude|docker|kubectl|psql|hiring|sudo|git)\s/m

test('docs: a block of commands has the caption of a terminal or a shell', () => {
  const wrong = [...pages].flatMap(([path, text]) =>
    [...text.matchAll(/<figcaption><span>Text<\/span>.*?<code>(.*?)<\/code>/gs)]
      .filter(([, code]) => COMMANDS.test(code!))
      .map(([, code]) => `${path}: ${code}`),
  )
  assert.deepEqual(wrong, [])
})

test('docs: doc_url of every error code links to an entry with cause, remedy and whether to retry', async () => {
  const refused = await service.get('/me')
  const { doc_url } = refused.body.detail
  const [address] = doc_url.split('#')
  const { text } = await service.call('GET', address)
  for (const code of ERROR_CODES) {
    const entry = new RegExp(`<section class="entry" id="${code}">[\\s\\S]*?</section>`).exec(text)?.[0] ?? ''
    for (const part of ['Cause', 'Remedy', 'Retry']) {
      const said = new RegExp(`<dt>${part}</dt><dd>([^<].*?|<code>.*?)</dd>`, 's').exec(entry)?.[1] ?? ''
      assert.ok(said.length > 3, `${code}: ${part}`)
    }
    assert.ok(ERRORS[code].cause.length > 20 && ERRORS[code].remedy.length > 5 && describeRetry(code).length > 3, code)
    assert.notEqual(ERRORS[code].cause, ERRORS[code].message, code)
  }
})

test('docs: every endpoint is documented, with scope, tier, parameters, body, response, errors and a call', async () => {
  for (const area of groupByArea(routes)) {
    const { text } = await at(area.path)
    assert.ok(area.description.length > 20, `${area.name}: says what it is about`)
    for (const route of area.routes) {
      const name = routeName(route)
      const start = text.indexOf(`<section class="endpoint" id="${buildAnchor(route)}"`)
      assert.ok(start > 0, name)
      const end = text.indexOf('<section class="endpoint"', start + 10)
      const part = text.slice(start, end < 0 ? undefined : end)
      if (typeof route.access !== 'string') assert.match(part, new RegExp(`/docs/scopes#${route.access.scope}"`), name)
      assert.match(part, new RegExp(`${route.tier} tier`), name)
      for (const param of [...Object.keys(route.params), ...Object.keys(declaredQuery(route))])
        assert.match(part, new RegExp(`class="field-name">${param}<`), `${name}: ${param}`)
      for (const code of route.errors) assert.match(part, new RegExp(`/docs/errors#${code}"`), `${name}: ${code}`)
      assert.match(part, /<span class="tok-key">curl<\/span>/, name)
      if ('shape' in route.output && !route.output.shape.verbatim) {
        for (const field of Object.keys(route.output.shape.fields))
          assert.match(part, new RegExp(`class="field-name">${field}<`), `${name}: ${field}`)
      }
    }
  }
})

test('docs: the sample of every endpoint has the shape that is declared', () => {
  const wrong: string[] = []
  const check = (value: unknown, schema: JsonSchema, where: string): void => {
    const properties = schema['properties'] as Record<string, JsonSchema> | undefined
    if (Array.isArray(value)) {
      for (const item of value) check(item, (schema['items'] ?? {}) as JsonSchema, `${where}[]`)
    } else if (typeof value === 'object' && value !== null && properties) {
      for (const [name, inner] of Object.entries(value)) {
        if (!properties[name]) wrong.push(`${where}.${name} is not declared`)
        else check(inner, properties[name], `${where}.${name}`)
      }
      for (const name of (schema['required'] ?? []) as string[])
        if (!(name in value)) wrong.push(`${where}.${name} is missing`)
    }
  }
  for (const route of routes) {
    const { output } = route
    if (!('shape' in output) || output.shape.as || output.shape.verbatim) continue
    const row = shapeSchema(output.shape)
    const schema = output.kind === 'one' ? row : listSchema(row, output.kind === 'log' ? output.envelopeFields : {})
    const { response, status } = readSample(route)
    assert.ok(output.kind !== 'one' || [output.status, output.orStatus].includes(status), routeName(route))
    check(response, schema, routeName(route))
  }
  assert.deepEqual(wrong, [])
})

test('docs: every event type has a sample with all that the catalogue says it carries', async () => {
  const { text } = await at('/docs/events')
  for (const type of EVENT_TYPES) {
    assert.ok(text.includes(`<section class="entry" id="${type}">`), type)
    const event = sampleEvent(type) as { data: { object: Record<string, unknown> } }
    assert.equal(event.data.object['object'], EVENTS[type].object, type)
    for (const name of ['id', 'updated_at', ...EVENTS[type].values])
      assert.notEqual(event.data.object[name], undefined, `${type}: ${name}`)
  }
})

test('docs: every scope has an entry', async () => {
  const { text } = await at('/docs/scopes')
  for (const scope of EVERY_SCOPE) assert.ok(text.includes(`id="${scope}"`), scope)
})

test('docs: 404: an unknown page of the documentation is a page', async () => {
  const response = await at('/docs/guides/no-such-guide')
  assert.equal(response.status, 404)
  assert.match(response.text, /There is no such page/)
  assert.match(response.headers.get('content-security-policy')!, /default-src 'none'/)
  assert.equal((await service.call('POST', `${service.origin}/docs`)).status, 405)
})

test('docs: guides are served as Markdown too, whole and with links that work', async () => {
  for (const name of GUIDES) {
    const response = await at(`/docs/guides/${name}.md`)
    assert.equal(response.headers.get('content-type'), 'text/markdown; charset=utf-8')
    assert.match(response.text, /^# /)
    assert.doesNotMatch(response.text, /file=|\]\([a-z-]+\.md/)
  }
})

test('docs: llms.txt names every guide and endpoint; its links lead somewhere', async () => {
  const response = await at('/llms.txt')
  assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8')
  for (const route of routes) assert.ok(response.text.includes(`${routeName(route)}:`), routeName(route))
  for (const [, link] of response.text.matchAll(/\]\(([^)]+)\)/g)) assert.equal((await at(link!)).status, 200, link)
})

test('docs: pages are validated again with an ETag, compressed, and found with a slash at the end', async () => {
  const response = await at('/docs/errors')
  const etag = response.headers.get('etag')!
  assert.equal(response.headers.get('content-encoding'), 'gzip')
  const again = await service.call('GET', `${service.origin}/docs/errors`, { headers: { 'if-none-match': etag } })
  assert.equal(again.status, 304)
  assert.equal(again.text, '')
  const head = await service.call('HEAD', `${service.origin}/docs/errors`)
  assert.equal(head.status, 200)
  assert.equal((await at('/docs/errors/')).text, response.text)
  assert.equal((await at('/docs/openapi.json')).headers.get('location'), '/api/partner/v1/openapi.json')
})

test('docs: what a field means is said of that field, not of another of the same name', async () => {
  const shownOn = (text: string, ...where: string[]) => {
    const shown = [...pages].filter(([path, page]) => path.startsWith('/docs/reference/') && page.includes(text))
    assert.deepEqual(shown.map(([path]) => path.slice('/docs/reference/'.length)).toSorted(), where, text)
  }
  shownOn('whose write caused it', 'events')
  shownOn('Digits, spaces and', 'applications')
  shownOn('An https URL on linkedin.com', 'applications')
  shownOn('whose extension matches the type', 'applications')
  shownOn('another value that does not identify one person', 'people')
})
