import assert from 'node:assert/strict'
import { test } from 'node:test'
import { editJob } from '../../src/resources/jobs/index.ts'
import { sharedTestService } from '../harness/service.ts'
import { createSite, fetchPage } from './board-setup.ts'

const service = await sharedTestService()
const site = await createSite(service, 'Acme Robotics')
const job = await site.job({ title: 'Robot Engineer' })

test('list and job page: 304 for the same content and language, 200 after a change', async () => {
  for (const path of [site.path, job.path]) {
    const first = await fetchPage(service, path)
    const etag = first.headers.get('etag')!
    assert.match(etag, /^W\/"[\w-]+"$/)
    assert.match(first.headers.get('cache-control')!, /^public, max-age=\d{1,2}$/)
    assert.equal(first.headers.get('vary'), 'Accept-Language, Accept-Encoding')
    const same = await fetchPage(service, path, { 'if-none-match': `"other", ${etag}` })
    assert.equal(same.status, 304)
    assert.equal(same.text, '')
    assert.equal(same.headers.get('etag'), etag)
    const german = await fetchPage(service, path, { 'if-none-match': etag, 'accept-language': 'de' })
    assert.equal(german.status, 200)
    assert.notEqual(german.headers.get('etag'), etag)
  }
  const { etag } = Object.fromEntries((await fetchPage(service, job.path)).headers)
  await service.services.db.transaction(tx => editJob(tx, site.workspace, job.id, { title: 'Robot Builder' }))
  for (const path of [site.path, job.path]) {
    const changed = await fetchPage(service, path, { 'if-none-match': etag! })
    assert.equal(changed.status, 200)
    assert.match(changed.text, /Robot Builder/)
  }
})

test('pages and feeds: compressed only for clients that accept gzip', async () => {
  for (const path of [site.path, job.path, `${site.path}/feed.atom`]) {
    for (const [accepted, coding] of [
      ['gzip', 'gzip'],
      ['br, GZIP;q=0.5', 'gzip'],
      ['*', 'gzip'],
      ['gzip;q=0', null],
      ['br;q=1, gzip; q=0', null],
      ['identity', null],
      ['identity, gzip;q=0.5', null],
      ['x-gzip-2', null],
    ] as const) {
      const { headers } = await fetchPage(service, path, { 'accept-encoding': accepted })
      assert.equal(headers.get('content-encoding'), coding, `${path} ${accepted}`)
    }
  }
})

test('pages: HEAD has the headers of GET and no body', async () => {
  const get = await fetchPage(service, job.path)
  const head = await fetch(service.origin + job.path, { method: 'HEAD', headers: { 'accept-language': 'en' } })
  assert.equal(head.status, 200)
  assert.equal(head.headers.get('etag'), get.headers.get('etag'))
  assert.equal(await head.text(), '')
})

test('pages: nothing inline is allowed to run, no frame, no cookie', async () => {
  for (const path of [site.path, job.path]) {
    const { headers, text } = await fetchPage(service, path)
    const policy = headers.get('content-security-policy')!
    assert.match(policy, /script-src 'self'; style-src 'self';/)
    assert.match(policy, /frame-ancestors 'none'/)
    assert.equal(headers.get('set-cookie'), null)
    assert.doesNotMatch(text, /<style|\sstyle=|\son\w+=/)
    for (const [, tag] of text.matchAll(/<script([^>]*)>/g)) assert.match(tag!, /src=|type="application\/ld\+json"/)
  }
})

test('job page with everything that it loads: at most 60 KB transferred', async () => {
  const long = await site.job({
    title: 'Long',
    content: {
      description_md: '## About\n\nWe build robots that make work lighter, and we write that down.\n\n'.repeat(200),
    },
  })
  let bytes = 0
  const load = async (path: string) => {
    const response = await fetch(service.origin + path, { headers: { 'accept-encoding': 'gzip', accept: 'text/html' } })
    const text = await response.text()
    bytes += Number(response.headers.get('content-length')) + 600 // headers
    return text
  }
  const text = await load(long.path)
  for (const [, path] of text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)) await load(path!)
  assert.ok(bytes < 60_000, `${bytes} bytes`)
})

test('careers form: the blank form is compressed for clients that take it; one that was sent is not', async () => {
  const site = await createSite(service, 'Packed Works')
  const { path } = await site.job({ title: 'Welder' })
  const get = (encoding: string) => fetchPage(service, `${path}/apply`, { 'accept-encoding': encoding })
  const [packed, plain] = [await get('gzip'), await get('identity')]
  assert.equal(packed.headers.get('content-encoding'), 'gzip')
  assert.equal(plain.headers.get('content-encoding'), null)
  for (const { status, headers, text } of [packed, plain]) {
    assert.deepEqual(
      [status, headers.get('vary'), headers.get('cache-control')],
      [200, 'Accept-Language, Accept-Encoding', 'no-store'],
    )
    assert.match(text, /<form id="apply"[\s\S]*<\/html>/)
  }
  const lengths = [packed, plain].map(({ headers }) => Number(headers.get('content-length')))
  assert.ok(lengths[0]! * 3 < lengths[1]!, lengths.join())
  const body = new FormData()
  body.append('token', 'x')
  const back = await fetch(`${service.origin}${path}/apply`, {
    method: 'POST',
    headers: { origin: service.origin, 'accept-encoding': 'gzip' },
    body,
  })
  assert.deepEqual([back.status, back.headers.get('content-encoding')], [422, null])
})
