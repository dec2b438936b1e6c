import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { domainRecord, recordFailure } from '../../src/resources/company-sign-in/index.ts'
import { SESSION_COOKIE } from '../../src/sign-in/sessions.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { axe, choose, noBrowser, openAs, visit } from '../harness/browser.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { CLIENT, FakeProvider, useProvider } from '../sign-in/company-setup.ts'
import { createMember } from '../sign-in/setup.ts'

let service: TestService
let fake: FakeProvider
let workspace: string
let owner: Person
/** where pictures are written, for looking at them */
const PICTURES = process.env['PICTURES']

before(async () => {
  if (noBrowser) return
  fake = await FakeProvider.start()
  service = await startTestService({ ROLES: 'api', COMPANY_SIGN_IN_ALLOW_HOSTS: fake.host })
  workspace = (await service.workspace('enterprise', 'Acme Robotics')).id
  owner = await signedIn(service, workspace, { email: 'olga@acme.example', firstName: 'Olga' })
  service.services.resolveTxt = async () => [domainRecord(service.services.keyring, workspace)]
  await createMember(service, workspace, 'ada@acme.example', 'member')
})

after(() => fake?.stop())

/** The settings that the first test makes with the page. */
const configured = () =>
  useProvider(service, workspace, {
    issuer: fake.issuer,
    ...CLIENT,
    domains: ['acme.example'],
    enabled: true,
    role_claim: 'groups',
    role_rules: [{ value: 'hiring-team', role: 'member' }],
  })

async function open(look: { theme: 'light' | 'dark'; width: number }, asOwner: boolean) {
  const window = await visit(service.origin, { ...look, origins: [fake.issuer], expectedStatuses: [400, 403, 404] })
  if (asOwner)
    await window.context.addCookies([{ name: SESSION_COOKIE, value: owner.cookie.split('=')[1]!, url: service.origin }])
  const { page } = window
  const check = async (name: string) => {
    assert.deepEqual(await axe(page), [], name)
    assert.equal(await page.evaluate('document.documentElement.scrollWidth > window.innerWidth'), false, name)
    if (PICTURES) await page.screenshot({ path: `${PICTURES}/${name}-${look.theme}-${look.width}.png`, fullPage: true })
  }
  return { ...window, check }
}

test('company sign-in in a browser: an owner sets the provider, sees what is wrong with it, tests it, turns it on', {
  skip: noBrowser,
}, async () => {
  const { page, check, problems, close } = await open({ theme: 'light', width: 1280 }, true)
  await page.goto('/console/company-sign-in')
  await page.getByRole('heading', { name: 'Provider' }).waitFor()
  await check('settings-empty')
  await page.getByLabel('Issuer').fill(`${fake.issuer}/wrong`)
  await page.getByLabel('Client ID').fill(CLIENT.client_id)
  await page.getByLabel('Client secret').fill(CLIENT.client_secret)
  await page.keyboard.press('Enter')
  await page.getByText(/cannot be used \(provider_unavailable/).waitFor()
  await check('settings-fault')
  await page.getByLabel('Issuer').fill(fake.issuer)
  await page.keyboard.press('Enter')
  await page.getByText('Provider saved').waitFor()
  await page.getByLabel('Claim', { exact: true }).fill('groups')
  await page.getByRole('button', { name: 'Add a value' }).click()
  await page.getByRole('textbox', { name: 'Value 1' }).fill('hiring-team')
  await choose(page.getByLabel('Role 1'), 'member')
  await page.getByRole('button', { name: 'Save roles' }).click()
  await page.getByText('Roles saved').waitFor()
  fake.person = { sub: 'olga', email: 'olga@acme.example', email_verified: true, groups: ['hiring-team', 'staff'] }
  await page.getByRole('link', { name: 'Test with your account' }).click()
  await page.getByText(/This person would be signed in, as member unless they are an owner/).waitFor()
  await check('test-result')
  await page.getByRole('link', { name: 'Back to the settings' }).click()
  await page.getByRole('button', { name: 'Turn on: Sign-in through the company' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Turn on' }).click()
  await page.getByRole('button', { name: 'Turn off: Sign-in through the company' }).waitFor()
  await page.getByRole('button', { name: 'Turn on: Required for your domains' }).click()
  assert.equal(
    await page
      .getByRole('dialog')
      .getByText(/Google/)
      .count(),
    0,
  )
  assert.deepEqual(problems, [])
  await close()
})

test('company sign-in in a browser: who requires Google is asked to have second factors set up before', {
  skip: noBrowser,
}, async () => {
  const { id } = await service.workspace('enterprise')
  await useProvider(service, id, {
    issuer: 'https://accounts.google.com',
    ...CLIENT,
    domains: ['google.example'],
    enabled: true,
  })
  const person = await signedIn(service, id, { email: 'olaf@google.example' })
  const { page, problems, close } = await openAs(service, person, '/console/company-sign-in')
  await page.getByRole('button', { name: 'Turn on: Required for your domains' }).click()
  await page
    .getByRole('dialog')
    .getByText(/Google does not say when people proved who they are/)
    .waitFor()
  assert.deepEqual(problems, [])
  await close()
})

for (const look of [
  { theme: 'light', width: 390 },
  { theme: 'dark', width: 1280 },
] as const)
  test(`company sign-in in a browser: ${look.theme}, ${look.width}: by keyboard from the address to the provider and back; a refusal says what to do`, {
    skip: noBrowser,
  }, async () => {
    await configured()
    const { page, check, problems, close } = await open(look, false)
    await page.goto('/sign-in')
    await check('sign-in')
    await page.locator('#email').focus()
    await page.keyboard.type('ada@acme.example')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Sign in with your company' }).waitFor()
    await check('company')
    fake.person = { sub: 'ada', email: 'ada@acme.example', email_verified: true, groups: [] }
    await page.getByRole('button', { name: /^Continue to / }).press('Enter')
    await page.getByRole('heading', { name: 'You were not signed in' }).waitFor()
    await check('refused')
    fake.person = { ...fake.person, groups: ['hiring-team'] }
    await page.getByRole('button', { name: 'Try again' }).press('Enter')
    await page.waitForURL(`${service.origin}/hiring**`)
    assert.deepEqual(problems, [])
    await close()
  })

test('company sign-in in a browser: settings, dark, 390: failures, connected members and rules are readable', {
  skip: noBrowser,
}, async () => {
  await configured()
  const { db } = service.services
  const ada = (await owner.get('/people')).body.data.find(
    ({ email }: { email: string }) => email === 'ada@acme.example',
  )
  await recordFailure(db, workspace, { code: 'no_role', userId: ada.id })
  for (const look of [
    { theme: 'dark', width: 390 },
    { theme: 'light', width: 1280 },
  ] as const) {
    const { page, check, problems, close } = await open(look, true)
    await page.goto('/console/company-sign-in')
    await page.getByRole('heading', { name: 'Failures and changes' }).waitFor()
    await page.getByText('Ada Byron').first().waitFor()
    await page
      .getByText(/No value of the role claim has a role here/)
      .first()
      .waitFor()
    // five switches, each next to its title and below the one before
    const switches = await page.getByRole('button', { name: /^Turn o(n|ff): / }).all()
    const boxes = await Promise.all(switches.map(async button => (await button.boundingBox())!))
    assert.deepEqual([boxes.length, new Set(boxes.map(({ x, width }) => Math.round(x + width))).size], [5, 1])
    await check('settings')
    assert.deepEqual(problems, [])
    await close()
  }
})
