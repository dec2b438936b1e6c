import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signedIn } from '../console/help.ts'
import { axe, noBrowser } from '../harness/browser.ts'
import { emit } from '../harness/events.ts'
import { until } from '../harness/receiver.ts'
import { consoleWorld } from './console-world.ts'

/** A webhook endpoint and a delivery to it, so that their pages have something to show. */
let hook: string
let sent: string

const world = consoleWorld(async ({ service, workspace, receiver }) => {
  const owner = await signedIn(service, workspace)
  const { id } = await service.key({ workspace, name: 'Hooks' })
  const body = { key_id: id, url: receiver.url, event_types: ['job.updated'], description: null }
  hook = (await owner.post('/webhooks', body)).body.endpoint.id
  await emit(service.services.db, workspace, ['job.updated', 'job.updated'])
  const log = async () => (await owner.get(`/deliveries?endpoint_id=${hook}&status=delivered`)).body.data
  await until('delivered', async () => (await log()).length === 2)
  sent = (await log())[0].id
})

for (const [theme, width] of [
  ['light', 1280],
  ['dark', 390],
  ['dark', 1280],
  ['light', 390],
] as const) {
  test(`every page, ${theme}, ${width} pixels wide: no serious fault of accessibility, no error, no overflow`, {
    skip: noBrowser,
  }, async () => {
    const key = await world.service.key({ workspace: world.workspace, name: 'Looked at', allowIp: ['203.0.113.0/24'] })
    const { page, problems, close } = await world.open('', { theme, width })
    const paths = [
      '',
      '/keys',
      '/keys/new',
      `/keys/${key.id}`,
      '/webhooks',
      '/webhooks/new',
      `/webhooks/${hook}`,
      '/webhooks/signature',
      '/deliveries',
      `/deliveries/${sent}`,
      '/events',
      '/nowhere',
    ]
    for (const path of paths) {
      await page.goto(`/console${path}`)
      await page.locator('h1').waitFor()
      await page.locator('.skeleton, .boot').first().waitFor({ state: 'detached' })
      // contrast does not change with the width, nor structure with the theme: each is looked at once
      if ((theme === 'light') === (width === 1280)) assert.deepEqual(await axe(page), [], path)
      const fits = await page.evaluate('document.documentElement.scrollWidth <= innerWidth')
      assert.equal(fits, true, `${path} is wider than the window`)
    }
    assert.deepEqual(problems, [])
    await close()
  })
}

test('dialogs and secrets have no serious fault of accessibility in either theme', { skip: noBrowser }, async () => {
  const key = await world.service.key({ workspace: world.workspace, name: 'In dialogs' })
  for (const theme of ['light', 'dark'] as const) {
    const { page, problems, close } = await world.open(`/keys/${key.id}`, { theme })
    await page.getByRole('button', { name: 'Rotate secret' }).click()
    assert.deepEqual(await axe(page), [])
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click()
    await page.getByRole('region', { name: 'secret key' }).waitFor()
    assert.deepEqual(await axe(page), [])
    await page.goto('/console/events')
    await page.locator('.row-button').first().click()
    await page.getByRole('dialog').waitFor()
    assert.deepEqual(await axe(page), [])
    assert.deepEqual(problems, [])
    await close()
  }
})
