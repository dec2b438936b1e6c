import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { createJob, editJob, moveJob } from '../../src/resources/jobs/index.ts'
import { SESSION_COOKIE } from '../../src/sign-in/sessions.ts'
import { png } from '../careers/pictures.ts'
import { signedIn } from '../console/setup.ts'
import { axe, describedBy, inBothThemes, noBrowser, visit } from '../harness/browser.ts'
import { until } from '../harness/receiver.ts'
import { consoleWorld } from './setup.ts'

const world = consoleWorld()
const skip = noBrowser

test('console careers site: name, headline and color are shown as typed in both themes, saved, and found after a reload', {
  skip,
}, async () => {
  const { page, problems, close } = await world.open('/careers', { expectedStatuses: [400] })
  const previews = page.getByRole('region', { name: 'Preview', exact: true })
  await previews.getByText('Careers at Acme Robotics').first().waitFor()
  await page.getByLabel('Name of the company').fill('Acme')
  await page.getByLabel('Headline').fill('Robots that help')
  assert.match(await describedBy(page.getByLabel('Introduction')), /Pictures are left out\.$/)
  await page.getByLabel('Accent color', { exact: true }).fill('#ffe14d')
  assert.equal(await previews.getByText('Robots that help').count(), 2)
  // a light yellow is too pale for links on white, and fine on black
  await page.getByRole('figure', { name: 'Light' }).getByText('Links are darkened so that they can be read.').waitFor()
  for (const theme of ['Light', 'Dark']) {
    const figure = page.getByRole('figure', { name: theme })
    assert.equal(await figure.getByText(/readable/).count(), 2, await figure.innerText())
  }
  const fill = "getComputedStyle(document.querySelector('.look-preview.dark .look-button')).backgroundColor"
  assert.equal(await page.evaluate(fill), 'rgb(255, 225, 77)')
  await page.getByLabel('Website').fill('http://acme.example')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page
    .getByText('must start with https://')
    .or(page.getByText(/must be a full URL that begins with https/))
    .waitFor()
  assert.equal(await page.getByLabel('Website').getAttribute('aria-invalid'), 'true')
  await page.getByLabel('Website').fill('https://acme.example')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Careers site saved').waitFor()
  await page.reload()
  await page.getByLabel('Headline').waitFor()
  assert.equal(await page.getByLabel('Headline').inputValue(), 'Robots that help')
  assert.equal(await page.getByLabel('Accent color', { exact: true }).inputValue(), '#ffe14d')
  assert.deepEqual(await axe(page), [])
  assert.deepEqual(problems, [])
  await close()
})

test('console careers site: a logo is uploaded, previewed, replaced and removed by keyboard; other files are refused', {
  skip,
}, async () => {
  const { page, problems, close } = await world.open('/careers', { expectedStatuses: [400] })
  const input = page.getByLabel('Logo', { exact: true })
  await input.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('<svg/>') })
  await page.getByText('The logo must be a PNG, JPEG or WebP picture.').waitFor()
  await input.setInputFiles({ name: 'big.png', mimeType: 'image/png', buffer: Buffer.alloc(600 * 1024) })
  await page.getByText('The logo must be at most 512 KB.').waitFor()
  await input.setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: png(120, 40) })
  const logo = page.getByRole('img', { name: 'Current logo' })
  await logo.waitFor()
  const drawn =
    "document.querySelector('.logo-field img').decode().then(() => document.querySelector('.logo-field img').naturalWidth)"
  assert.equal(await page.evaluate(drawn), 120)
  assert.equal(await page.getByRole('region', { name: 'Preview', exact: true }).getByRole('img').count(), 2)
  const first = await logo.getAttribute('src')
  await input.setInputFiles({ name: 'other.png', mimeType: 'image/png', buffer: png(60, 60) })
  await page.locator(`.logo-field img:not([src="${first}"])`).waitFor()
  await page.getByRole('button', { name: 'Remove logo' }).focus()
  await page.keyboard.press('Enter')
  await logo.waitFor({ state: 'detached' })
  await page.locator('input[type=file]:focus').waitFor()
  assert.deepEqual(problems, [])
  await close()
})

test('console careers site: the URL changes, a taken one is refused, and turning the site off asks first', {
  skip,
}, async () => {
  await world.service.workspace('starter', 'Globex')
  const { page, problems, close } = await world.open('/careers', { expectedStatuses: [400] })
  const slug = page.getByLabel('Name in the URL')
  await slug.fill('globex')
  await page.getByRole('button', { name: 'Save URL' }).click()
  await page.getByText('is taken; choose another').waitFor()
  await slug.fill('acme')
  await page.keyboard.press('Enter')
  await page.getByText('URL saved').waitFor()
  await page.getByText(/Earlier: acme-robotics/).waitFor()
  assert.match((await page.getByRole('link', { name: 'Open the site' }).getAttribute('href'))!, /\/careers\/acme$/)
  assert.match(await page.getByRole('region', { name: 'embed code' }).innerText(), /\/careers\/acme\/embed\.js/)
  assert.match(await page.getByRole('region', { name: 'Atom feed' }).innerText(), /\/careers\/acme\/feed\.atom$/)
  await page.getByRole('button', { name: 'Turn off' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
  await page.getByText('Every page of the site returns 404.').waitFor()
  assert.equal(await page.getByRole('link', { name: 'Open the site' }).count(), 0)
  assert.equal((await fetch(`${world.service.origin}/careers/acme/logo`)).status, 404)
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Turn on' }).click()
  await page.getByText('Everyone can see your published jobs').waitFor()
  assert.deepEqual(problems, [])
  await close()
})

test('console careers site: a site without a privacy notice is warned about, on the page and before it is turned on', {
  skip,
}, async () => {
  const { db } = world.service.services
  const set = (enabled: boolean, privacy: string | null) =>
    db.query(sql`
      update career_sites set enabled = ${enabled}, privacy_url = ${privacy} where workspace_id = ${world.workspace}`)
  await set(true, null)
  const { page, problems, close } = await world.open('/careers')
  const warning = page.getByText('The site collects applications, but has no privacy notice.')
  const question = page.getByRole('dialog').getByText('The site has no privacy notice.')
  await warning.waitFor()
  await page.getByRole('button', { name: 'Turn off' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
  await page.getByText('Every page of the site returns 404.').waitFor()
  assert.equal(await warning.count(), 0, 'a site that is off collects nothing')
  await page.getByRole('button', { name: 'Turn on' }).click()
  await question.waitFor()
  await page.keyboard.press('Escape')

  await set(false, 'https://acme.example/privacy')
  await page.reload()
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByRole('dialog').getByText('Published jobs become visible to everyone').waitFor()
  assert.equal(await question.count(), 0)
  await page.getByRole('dialog').getByRole('button', { name: 'Turn on' }).click()
  await page.getByText('Everyone can see your published jobs').waitFor()
  assert.equal(await warning.count(), 0)
  assert.deepEqual(problems, [])
  await close()
})

test('console careers site: locations of open jobs whose country is not clear are named, until they have one', {
  skip,
}, async () => {
  const { db } = world.service.services
  const places = Array.from({ length: 11 }, (_, i) => `Hidden Valley ${i + 1}`)
  const job = await db.transaction(async tx => {
    const id = await createJob(tx, world.workspace, { title: 'Miller', locations: ['Köln'], content: { summary: 'x' } })
    await moveJob(tx, world.workspace, id, 'publish')
    return id
  })
  const place = (locations: string[]) =>
    db.transaction(tx => editJob(tx, world.workspace, job, { locations: ['Köln', 'Remote - EU', ...locations] }))
  const { page, problems, close } = await world.open('/careers')
  const notice = page.locator('.notice', { hasText: 'of open jobs is not clear' })
  const shows = async (locations: string[], text: RegExp) => {
    await place(locations)
    await page.reload()
    await notice.waitFor()
    assert.match(await notice.innerText(), text)
  }
  await page.getByLabel('Headline').waitFor()
  assert.equal(await notice.count(), 0, 'a large city and an area are clear')
  await shows(places.slice(0, 1), /^The country of this location of open jobs is not clear: Hidden Valley 1\. Google/)
  assert.match(await notice.innerText(), /Add the country to the location, such as “Springfield, IL, USA”\.$/)
  await shows(places, /^The country of these locations .*Hidden Valley 1; .* and 1 more\. Google/)
  assert.deepEqual(await axe(page), [])
  await place(['Hidden Valley, Germany'])
  await page.reload()
  await page.getByLabel('Headline').waitFor()
  assert.equal(await notice.count(), 0)
  assert.deepEqual(problems, [])
  await close()
})

test('console careers site: a site is in the sitemap of the service when its owner lists it, and not any more when it is removed', {
  skip,
}, async () => {
  // the only site of a service is listed in any case
  await world.service.workspace('starter', 'Initech')
  const { page, problems, close } = await world.open('/careers')
  const listing = page.locator('section', { has: page.getByRole('heading', { name: 'Search engines' }) })
  const [add, remove] = ['List the site', 'Remove from the list'].map(name => listing.getByRole('button', { name }))
  const slug = await page.getByLabel('Name in the URL').inputValue()
  const listed = async () =>
    (await (await fetch(`${world.service.origin}/sitemap.xml`)).text()).includes(`/careers/${slug}/sitemap.xml<`)
  await listing.getByText('not listed', { exact: true }).waitFor()
  assert.equal(await listed(), false)
  await add!.click()
  await listing.getByText('listed', { exact: true }).waitFor()
  await until('the sitemap names the site', listed)
  assert.deepEqual(await axe(page), [])
  await page.reload()
  await remove!.focus()
  await page.keyboard.press('Enter')
  await listing.getByText('not listed', { exact: true }).waitFor()
  await until('the sitemap does not name the site', async () => !(await listed()))
  assert.deepEqual(problems, [])
  await close()
})

test('console careers site: emails by language with a preview; an unknown variable is named; own text can be removed', {
  skip,
}, async () => {
  const { page, problems, close } = await world.open('/careers', { expectedStatuses: [400] })
  await page.getByRole('button', { name: 'Deutsch' }).click()
  await page.getByRole('button', { name: 'Start from this text' }).click()
  assert.match(await page.getByLabel('Text (Deutsch)').inputValue(), /^Guten Tag \{\{first_name\}\},\n\n/)
  await page.getByLabel('Subject (Deutsch)').fill('Danke, {{first_name}}')
  await page.getByLabel('Text (Deutsch)').fill('Hallo {{first_name}},\n\n{{gehalt}}')
  const preview = page.getByRole('region', { name: 'Preview (Deutsch)' })
  await preview.getByText('Danke, Ada').waitFor()
  // what was typed in another language stays
  await page.getByRole('button', { name: 'English' }).click()
  assert.equal(await page.getByLabel('Subject (Deutsch)').isVisible(), false)
  await page.getByRole('button', { name: 'Deutsch' }).click()
  await page.getByRole('button', { name: 'Save email' }).click()
  await page.getByText(/contains the unknown variable \{\{gehalt\}\}/).waitFor()
  await page.getByLabel('Text (Deutsch)').fill('Hallo {{first_name}},\n\nIhre Bewerbung als {{job_title}} ist da.')
  await page.getByRole('button', { name: 'Save email' }).click()
  await page.getByText('Email in Deutsch saved').waitFor()
  await preview.getByText(/Ihre Bewerbung als Ingenieurin ist da/).waitFor()
  await page.getByRole('button', { name: 'Use the text of the service' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove your text' }).click()
  await preview.getByText('Candidates get the text of the service').waitFor()
  assert.deepEqual(problems, [])
  await close()
})

test('console careers site: a member is not shown the page', { skip }, async () => {
  const { origin } = world.service
  const { cookie } = await signedIn(world.service, world.workspace, { role: 'member' })
  const window = await visit(origin, { expectedStatuses: [403] })
  await window.context.addCookies([{ name: SESSION_COOKIE, value: cookie.split('=')[1]!, url: origin }])
  const response = await window.page.goto('/console/careers')
  assert.equal(response!.status(), 403)
  await window.page.getByText('The console is for owners and admins').first().waitFor()
  await window.close()
})

for (const width of [390, 1280])
  test(`console careers site: fits ${width} px in both themes without sideways scrolling or serious faults`, {
    skip,
  }, async () => {
    const { page, problems, close } = await world.open('/careers', { width })
    await page.getByLabel('Headline').waitFor()
    await page
      .getByLabel('Logo', { exact: true })
      .setInputFiles({ name: 'l.png', mimeType: 'image/png', buffer: png(320, 80) })
    await page.getByRole('img', { name: 'Current logo' }).waitFor()
    await inBothThemes(page, async theme => {
      assert.deepEqual(await axe(page), [], theme)
      assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), theme)
    })
    assert.deepEqual(problems, [])
    await close()
  })
