import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedTestService } from '../harness/service.ts'
import { createSite, fetchPage } from './board-setup.ts'

const service = await sharedTestService()

test('icon of a careers site: the first letter of the company on its color, linked on every page, with a validator', async () => {
  const site = await createSite(service, 'Östlund Yards')
  await site.set({ accent_color: '#0a7f5c' })
  const { path } = await site.job({ title: 'Welder' })
  for (const page of [site.path, path, `${path}/apply`, `${site.path}/applications`])
    assert.match(
      (await fetchPage(service, page)).text,
      new RegExp(`<link rel="icon" href="${site.path}/icon.svg" type="image/svg\\+xml">`),
    )
  const { status, headers, text } = await fetchPage(service, `${site.path}/icon.svg`)
  assert.deepEqual([status, headers.get('content-type')], [200, 'image/svg+xml'])
  assert.match(text, /fill="#0a7f5c"[\s\S]*>Ö<\/text>/)
  const again = await fetchPage(service, `${site.path}/icon.svg`, { 'if-none-match': headers.get('etag')! })
  assert.equal(again.status, 304)
  await site.set({ accent_color: '#ffee00' })
  assert.match((await fetchPage(service, `${site.path}/icon.svg`)).text, /fill="#ffee00"/)
})

test('icon of a careers site: a name of signs alone has no letter, and nothing of a name is markup', async () => {
  const site = await createSite(service, '<script> & Sons')
  assert.match((await fetchPage(service, `${site.path}/icon.svg`)).text, />S<\/text>/)
  await site.set({ display_name: '&<>"' })
  assert.match((await fetchPage(service, `${site.path}/icon.svg`)).text, /><\/text><\/svg>$/)
})
