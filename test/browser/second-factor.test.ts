import assert from 'node:assert/strict'
import { before, beforeEach, test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { codeOfStep, stepAt } from '../../src/resources/second-factors/totp-rules.ts'
import { axe, choose, noBrowser, visit } from '../harness/browser.ts'
import { freePort } from '../harness/free-port.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { createMember, PASSWORD } from '../sign-in/setup.ts'

let service: TestService
let workspace: string
/** Browsers have no passkeys for IP addresses. */
let origin: string
let people = 0

before(async () => {
  if (noBrowser) return
  const port = await freePort()
  origin = `http://localhost:${port}`
  service = await startTestService({ ROLES: 'api', PORT: String(port), PUBLIC_URL: origin })
  workspace = (await service.workspace('starter', 'Acme')).id
})

beforeEach(async () => {
  clock.reset()
  if (!noBrowser) await service.services.db.query(sql`delete from sign_in_attempts`)
})

/** A device that has a screen lock, or whose user does not pass it. */
async function addAuthenticator(context: BrowserContext, page: Page) {
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    verifiesUser: (isUserVerified: boolean) =>
      devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  }
}

async function newMember(role = 'member') {
  const email = `person-${++people}@acme.example`
  return { email, user: await createMember(service, workspace, email, role) }
}

async function typePassword(page: Page, email: string, to = '/account/second-factor'): Promise<void> {
  await page.goto(`/sign-in?again=1&return_to=${to}`)
  await page.locator('#email').fill(email)
  await page.locator('#password').fill(PASSWORD)
  await page.keyboard.press('Enter')
}

const sideways = (page: Page) => page.evaluate('document.documentElement.scrollWidth > window.innerWidth')

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

async function addPasskey(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name of the new passkey').fill(name)
  await page.keyboard.press('Enter')
}

for (const look of [
  { theme: 'light', width: 1280 },
  { theme: 'dark', width: 390 },
] as const) {
  test(`passkeys in a browser: ${look.theme}, ${look.width}: added in the account, second factor after a password, sign-in by itself, removed`, {
    skip: noBrowser,
  }, async () => {
    const { page, context, problems, close } = await visit(origin, look)
    await addAuthenticator(context, page)
    const { email } = await newMember()
    await typePassword(page, email)
    await heading(page, 'Second factor').waitFor()
    assert.deepEqual(await axe(page), [])
    await addPasskey(page, 'Work laptop')
    await heading(page, 'Your recovery codes').waitFor()
    assert.deepEqual([await axe(page), await sideways(page)], [[], false])
    await page.getByRole('link', { name: 'I stored the codes' }).click()
    await page.getByText('Work laptop').waitFor()
    assert.deepEqual([await axe(page), await sideways(page)], [[], false])

    await typePassword(page, email)
    await page.getByRole('button', { name: 'Use a passkey' }).waitFor()
    assert.deepEqual([await axe(page), await sideways(page)], [[], false])
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByText('last used').first().waitFor()

    await page.goto('/sign-in?again=1&return_to=/account')
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
    assert.deepEqual([await axe(page), await sideways(page)], [[], false])
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await heading(page, 'Your account').waitFor()
    await page.getByText(/signed in with a passkey/).waitFor()

    clock.advance(16 * 60_000)
    await page.getByRole('link', { name: 'Change your second factor' }).click()
    await page.getByRole('button', { name: 'Remove the passkey Work laptop' }).click()
    await heading(page, 'Confirm that it is you').waitFor()
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByRole('button', { name: 'Remove the passkey Work laptop' }).click()
    await page.getByText('A passkey was removed').waitFor()
    assert.equal(await page.getByRole('button', { name: /Remove the passkey/ }).count(), 0)
    assert.deepEqual(problems, [])
    await close()
  })
}

test('passkeys in a browser: 401 for a signature that is sent again, for a counter that went back, and for a removed passkey', {
  skip: noBrowser,
}, async () => {
  const { page, context, close } = await visit(origin)
  await addAuthenticator(context, page)
  const { email, user } = await newMember()
  await typePassword(page, email)
  await addPasskey(page, '')
  await page.getByRole('link', { name: 'I stored the codes' }).click()
  await page
    .getByText(/Chrome on/)
    .first()
    .waitFor()

  /** Signs in with the passkey; what the browser sent. */
  const signIn = async () => {
    await page.goto('/sign-in?again=1&return_to=/account')
    const posted = page.waitForRequest(request => request.url().endsWith('/sign-in/passkey'))
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    return (await posted).postData()!
  }
  const refused = () => page.getByText('The passkey was not accepted').waitFor()
  const send = (body: string) =>
    fetch(`${origin}/sign-in/passkey`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
      body,
    })
  const body = await signIn()
  await heading(page, 'Your account').waitFor()
  const again = await send(body)
  assert.deepEqual([again.status, again.headers.getSetCookie()], [401, []])
  for (const credential of ['', '{}', 'null', '{"id":"x","response":{"clientDataJSON":"e30"}}'])
    assert.equal((await send(new URLSearchParams({ credential }).toString())).status, 401, credential)

  await service.services.db.query(sql`update passkeys set counter = 1000 where user_id = ${user.id}`)
  await signIn()
  await refused()
  await service.services.db.query(sql`delete from passkeys where user_id = ${user.id}`)
  await signIn()
  await refused()
  await close()
})

test('passkeys in a browser: someone who does not unlock the device is not signed in, and the page says what to do', {
  skip: noBrowser,
}, async () => {
  const { page, context, close } = await visit(origin)
  const device = await addAuthenticator(context, page)
  const { email } = await newMember()
  await typePassword(page, email)
  await addPasskey(page, 'Own tablet')
  await page.getByRole('link', { name: 'I stored the codes' }).click()
  await page.getByText('Own tablet').waitFor()
  await device.verifiesUser(false)
  await page.goto('/sign-in?again=1')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByText('No passkey was used').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Sign in with a passkey' }).isEnabled(), true)
  await close()
})

test('authenticator app in a browser: dark, 390: set up where the workspace requires it, then signs in with a code', {
  skip: noBrowser,
}, async () => {
  const { page, problems, close } = await visit(origin, { theme: 'dark', width: 390 })
  const { email } = await newMember()
  const policy = (to: string) =>
    service.services.db.query(sql`
      update workspace_settings set second_factor = ${to} where workspace_id = ${workspace}`)
  await policy('required')
  try {
    await typePassword(page, email, '/hiring')
    await page.getByText('Your workspace requires a second factor').waitFor()
    assert.deepEqual([await axe(page), await sideways(page)], [[], false])
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
    await page.getByRole('img', { name: /QR code/ }).waitFor()
    assert.deepEqual([await axe(page), await sideways(page)], [[], false])
    const text = (await page.locator('code').first().textContent())!.replaceAll(' ', '')
    const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
    const bits = [...text].map(sign => BASE32.indexOf(sign).toString(2).padStart(5, '0')).join('')
    const secret = Buffer.from((bits.match(/.{8}/g) ?? []).map(byte => Number.parseInt(byte, 2)))
    const type = async () => {
      await page.locator('#code').fill(codeOfStep(secret, stepAt(await service.services.db.now())))
      await page.keyboard.press('Enter')
    }
    await type()
    await page.getByRole('link', { name: 'I stored the codes' }).click()
    await page.waitForURL(url => url.pathname === '/hiring')

    clock.advance(60_000)
    await typePassword(page, email, '/account')
    await page.getByLabel('Code from your authenticator app').waitFor()
    assert.deepEqual([await axe(page), await sideways(page)], [[], false])
    await type()
    await heading(page, 'Your account').waitFor()
    await page.getByText(/with the password and an authenticator app/).waitFor()
    assert.deepEqual([await axe(page), problems], [[], []])
  } finally {
    await policy('optional')
  }
  await close()
})

test('confirmation in a browser: a change of the policy asks for the factor in a tab of its own, and then goes on', {
  skip: noBrowser,
}, async () => {
  const { page, context, problems, close } = await visit(origin, { expectedStatuses: [403] })
  await addAuthenticator(context, page)
  const { email } = await newMember('owner')
  await typePassword(page, email)
  await addPasskey(page, 'Work laptop')
  const [code] = (await page.locator('.codes').textContent())!.split('\n')
  await page.getByRole('link', { name: 'I stored the codes' }).click()
  await page.goto('/console/settings')
  await choose(page.getByLabel('Who needs one'), 'required_for_admins')
  clock.advance(16 * 60_000)
  const policy = page.locator('form', { has: page.getByLabel('Who needs one') })
  await policy.getByRole('button', { name: 'Save', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await dialog.waitFor()
  assert.deepEqual(await axe(page, 'dialog'), [])
  const opened = context.waitForEvent('page')
  await dialog.getByRole('link', { name: 'Confirm' }).click()
  const tab = await opened
  await tab.getByRole('button', { name: 'Use a passkey' }).waitFor()
  assert.deepEqual(await axe(tab), [])
  await tab.getByText('Use a recovery code').click()
  await tab.getByLabel('Recovery code').fill(code!)
  await tab.keyboard.press('Enter')
  await heading(tab, 'Confirmed').waitFor()
  await tab.close()
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Setting changed').waitFor()
  const { db } = service.services
  const [row] = await db.query(
    sql<{ second_factor: string }>`select second_factor from workspace_settings where workspace_id = ${workspace}`,
  )
  assert.equal(row!.second_factor, 'required_for_admins')
  await db.query(sql`update workspace_settings set second_factor = 'optional' where workspace_id = ${workspace}`)
  assert.deepEqual(problems, [])
  await close()
})
