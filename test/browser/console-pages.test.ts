import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { captureMail } from '../../src/kernel/mail/capture.ts'
import { apply, newJob } from '../applications/setup.ts'
import { signedIn } from '../console/setup.ts'
import { axe, inBothThemes, noBrowser } from '../harness/browser.ts'
import { emit } from '../harness/events.ts'
import { until } from '../harness/receiver.ts'
import { installable, installIn } from '../installations/setup.ts'
import { createFor, DOMAIN } from '../test-workspaces/setup.ts'
import { consoleWorld } from './setup.ts'

/** One record of every kind, so that each page has something to show. */
const shown = {
  key: '',
  call: '',
  webhook: '',
  delivery: '',
  app: '',
  installation: '',
  published: '',
  erasure: '',
  request: '',
  mail: '',
  captured: 'mail_in_the_mailbox',
}
/** The session of an owner of a test workspace. */
let inTestWorkspace = ''

const world = consoleWorld(async ({ service, workspace, receiver }) => {
  const owner = await signedIn(service, workspace)
  const made = async (path: string, body: object) => {
    const { status, body: response } = await owner.post(path, body)
    assert.equal(status, 200, JSON.stringify(response))
    return response
  }
  shown.key = (await service.key({ workspace, name: 'Looked at', allowIp: ['203.0.113.0/24'] })).id
  const { id, secret } = await service.key({ workspace, name: 'Hooks' })
  shown.call = (await service.get('/jobs?limit=0&q=welder', secret)).headers.get('service-request-id')!
  const hook = { key_id: id, url: receiver.url, event_types: ['job.updated'], description: null }
  shown.webhook = (await made('/webhooks', hook)).endpoint.id
  const app = { name: 'Payroll', kind: 'web', redirect_uris: ['https://app.example/back'], scopes: ['jobs:read'] }
  shown.app = (await made('/apps', app)).app.id
  shown.installation = (await installIn(service, await installable(service), workspace)).installation_id
  const { id: testWorkspace } = await createFor(service, workspace)
  inTestWorkspace = (await signedIn(service, testWorkspace)).cookie
  await captureMail(service.services.db, testWorkspace, {
    id: shown.captured,
    audience: { workspaceId: testWorkspace },
    to: { name: 'Ada Lovelace', address: `ada@${DOMAIN}` },
    subject: 'Your application',
    text: 'Hello Ada,\n\nthank you: https://acme.example/a-link-that-is-as-long-as-links-of-candidates-are',
  })
  const product = { name: 'Skill Checks', redirect_uris: app.redirect_uris, domains: ['app.example'] }
  const asksFor = { scopes: ['events:read', 'jobs:read'], optional_scopes: [] }
  shown.published = (await made('/published-apps', { ...product, ...asksFor })).app.id
  const email = 'gone@example.org'
  shown.erasure = (await made('/erasures', { email, reason: 'erasure_request', confirmation: email })).id
  const held = 'held@example.org'
  const key = await service.key({ workspace, userEmail: owner.email })
  await apply({ service, key, job: await newJob(service, workspace) }, {}, { email: held })
  const asking = await signedIn(service, (await service.workspace()).id)
  const asked = await asking.post('/erasures', { email: held, reason: 'erasure_request', confirmation: held })
  assert.equal(asked.status, 200, asked.text)
  const requests = async () => (await owner.get('/erasure-requests')).body.data
  await until('the holder is asked', async () => (await requests()).length > 0)
  shown.request = (await requests())[0].id
  const person = { email: 'nora@acme.example', role: 'member', first_name: 'Nora', last_name: '' }
  shown.mail = (await made('/people', person)).outbox_mail_id
  await emit(service.services.db, workspace, ['job.updated', 'job.updated'])
  const log = async () => (await owner.get(`/deliveries?endpoint_id=${shown.webhook}&status=delivered`)).body.data
  await until('delivered', async () => (await log()).length === 2)
  shown.delivery = (await log())[0].id
})

const RECORDS: Readonly<Record<string, keyof typeof shown>> = {
  '/keys/:id': 'key',
  '/requests/:id': 'call',
  '/webhooks/:id': 'webhook',
  '/deliveries/:id': 'delivery',
  '/apps/:id': 'app',
  '/installations/:id': 'installation',
  '/mailbox/:id': 'captured',
  '/published-apps/:id': 'published',
  '/erasures/:id': 'erasure',
  '/erasures/requests/:id': 'request',
  '/outbox/:id': 'mail',
}

/** What test workspaces alone have. */
const isOfTests = (path: string) => path.startsWith('/mailbox')

/** Every page there is, as the console itself lists them; and one that there is not. */
const paths = (): string[] => {
  const listed = readFileSync(new URL('../../web/console/pages.ts', import.meta.url), 'utf8')
  const patterns = [...listed.matchAll(/path: '([^']+)'/g)].map(([, path]) => path!)
  assert.ok(patterns.length > 20)
  return [...patterns.map(path => path.replace(':id', shown[RECORDS[path] ?? 'key'])), '/nowhere']
}

for (const width of [1280, 390]) {
  test(`console: every page, light and dark, ${width} pixels wide: no serious accessibility issue, no error, no overflow`, {
    skip: noBrowser,
  }, async () => {
    const windows = {
      live: await world.open('', { width }),
      test: await world.open('', { width, cookie: inTestWorkspace }),
    }
    for (const path of paths()) {
      const { page } = windows[isOfTests(path) ? 'test' : 'live']
      await page.goto(`/console${path}`)
      await page.locator('h1').waitFor()
      await page.locator('.skeleton, .boot').first().waitFor({ state: 'detached' })
      await inBothThemes(page, async theme => {
        // contrast does not change with the width, nor structure with the theme: each is checked only one time
        if ((theme === 'light') === (width === 1280)) assert.deepEqual(await axe(page), [], path)
        const fits = await page.evaluate('document.documentElement.scrollWidth <= innerWidth')
        assert.equal(fits, true, `${path} is wider than the window (${theme})`)
      })
    }
    for (const { problems, close } of Object.values(windows)) {
      assert.deepEqual(problems, [])
      await close()
    }
  })
}

test('console: dialogs and secrets have no serious accessibility issue in either theme', {
  skip: noBrowser,
}, async () => {
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
