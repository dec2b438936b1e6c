import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type IssuedApp, listConsents } from '../../src/resources/connected-apps/index.ts'
import { axe, noBrowser, visit } from '../harness/browser.ts'
import { type Receiver, startReceiver } from '../harness/receiver.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { appFor, createMember, PASSWORD, relyingParty, request } from '../sign-in/setup.ts'

let service: TestService
let workspace: string
let app: IssuedApp
/** the app, on a host of its own */
let receiver: Receiver

before(async () => {
  service = await startTestService()
  workspace = (await service.workspace('starter', 'Acme')).id
  await createMember(service, workspace, 'ada@acme.example', 'member')
  receiver = await startReceiver('app.hooks.test')
  app = await appFor(service, workspace, { redirectUris: [receiver.url] })
})

const appOrigin = () => `https://${receiver.host}`

/** The address of the page by which the app asks for a sign-in. */
async function signInUrl(scope: string, extra: Record<string, string> = {}): Promise<string> {
  const config = await relyingParty(service.origin, app)
  const { url } = await request(config, scope, { redirect_uri: receiver.url, ...extra })
  return url.href
}

/** Fills the form with the keyboard alone. */
async function typeSignIn(page: Page, password = PASSWORD): Promise<void> {
  await page.locator('#email').focus()
  await page.keyboard.type('ada@acme.example')
  await page.keyboard.press('Tab')
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
}

const LOOKS = [
  { theme: 'light', width: 1280 },
  { theme: 'dark', width: 390 },
] as const

for (const look of LOOKS) {
  test(`sign-in in a browser: ${look.theme}, ${look.width}: sign in, allow an app, see it in the account, take it back`, {
    skip: noBrowser,
  }, async () => {
    const { page, problems, close } = await visit(service.origin, {
      ...look,
      origins: [appOrigin()],
      expectedStatuses: [401],
    })
    await page.goto(await signInUrl('openid profile jobs:read contact:read'))
    assert.deepEqual(await axe(page), [])
    await typeSignIn(page, 'a wrong password')
    await page.getByRole('alert').waitFor()
    assert.deepEqual(await axe(page), [])
    await page.locator('#password').fill(PASSWORD)
    await page.keyboard.press('Enter')

    await page.getByRole('heading', { name: 'Allow Payroll <sync>?' }).waitFor()
    assert.deepEqual(await axe(page), [])
    const wide = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth')
    assert.equal(wide, false, 'nothing to scroll sideways')
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.waitForURL(`${receiver.url}?**`)
    assert.ok(new URL(page.url()).searchParams.get('code'), 'the policy of the pages lets the response through')

    await page.goto(`${service.origin}/account`)
    assert.deepEqual(await axe(page), [])
    await page.getByRole('button', { name: 'Revoke access' }).click()
    await page.getByText('None.').waitFor()
    assert.deepEqual(await listConsents(service.services.db, workspace), [])
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    assert.deepEqual(problems, [])
    await close()
  })
}

test('sign-in in a browser: response_mode=form_post: the response is posted to the app', {
  skip: noBrowser,
}, async () => {
  const { page, problems, close } = await visit(service.origin, { origins: [appOrigin()] })
  await page.goto(await signInUrl('openid', { response_mode: 'form_post' }))
  await typeSignIn(page)
  await page.getByRole('button', { name: 'Allow', exact: true }).click()
  await page.waitForURL(receiver.url)
  const posted = receiver.received.find(({ path, body }) => path === '/hook' && body !== '')
  assert.ok(new URLSearchParams(posted?.body).get('code'))
  assert.deepEqual(problems, [])
  await close()
})

test('sign-in in a browser: an app that opens the sign-in in a popup gets its response there', {
  skip: noBrowser,
}, async () => {
  const { page, context, problems, close } = await visit(service.origin, {
    origins: [appOrigin()],
    expectedStatuses: [401],
  })
  const url = await signInUrl('openid', { prompt: 'consent' })
  const opener = `<!doctype html><link rel=icon href=data:,><button>Sign in</button><p></p><script>
    addEventListener('message', event => { document.querySelector('p').textContent = event.data })
    document.querySelector('button').onclick = () => { open(${JSON.stringify(url)}, 'sign-in', 'width=500,height=600') }
  </script>`
  const callback = '<!doctype html><script>opener.postMessage(location.search, location.origin)</script>'
  receiver.respond = (request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(request.url?.startsWith('/hook') ? callback : opener)
  }
  await page.goto(appOrigin())
  const popup = context.waitForEvent('page')
  await page.getByRole('button').click()
  const window = await popup
  await typeSignIn(window, 'a wrong password')
  await window.getByRole('alert').waitFor()
  await window.locator('#password').fill(PASSWORD)
  await window.keyboard.press('Enter')
  await window.getByRole('button', { name: 'Allow', exact: true }).click()
  await page.locator('p', { hasText: 'code=' }).waitFor()
  assert.deepEqual(problems, [])
  await close()
})

test('sign-in in a browser: works without scripts', { skip: noBrowser }, async () => {
  const { page, problems, close } = await visit(service.origin, { javaScript: false })
  await page.goto(`${service.origin}/sign-in?return_to=/account`)
  await typeSignIn(page)
  await page.getByRole('heading', { name: 'Your account' }).waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  assert.deepEqual(problems, [])
  await close()
})
