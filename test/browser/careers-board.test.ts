import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { contrast, DARK_GROUNDS, LIGHT_GROUNDS } from '../../src/careers/accent-variants.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { createSite, type Site } from '../careers/board-setup.ts'
import { axe, inBothThemes, noBrowser, skipToContent, visit } from '../harness/browser.ts'
import { startTestService, type TestService } from '../harness/service.ts'

let service: TestService
let site: Site
let job: { path: string }
let closed: { path: string }

before(async () => {
  if (noBrowser) return
  service = await startTestService()
  site = await createSite(service, 'Acme Robotics')
  await site.set({
    accent_color: '#ffd400',
    headline: 'Robots that make work lighter',
    introduction_md: 'We **build** robots. [More about us](https://acme.example)',
    website_url: 'https://acme.example',
    privacy_url: 'https://acme.example/privacy',
  })
  job = await site.job({
    title: 'Robot Engineer',
    department: 'Engineering',
    team: 'Motion',
    employment_type: 'full_time',
    location_type: 'hybrid',
    locations: ['Berlin, Germany', 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch'],
    experience_level: 'senior',
    years_min: 3,
    compensation: { salary_min: 60_000, salary_max: 80_000, currency: 'EUR' },
    content: {
      summary: 'Builds arms and hands.',
      description_md:
        '# About us\n\nWe build **robots**.\n\n| Tool | Use |\n|---|---|\n| Hammer | Seldom |\n\n```\nA very long line of code that is wider than any phone, so that it has to scroll by itself\n```',
      responsibilities: ['Design joints'],
      requirements: ['Knows C++'],
      skills_required: ['Kinematics', 'C++'],
      benefits: ['Lunch'],
    },
  })
  closed = await site.job({ title: 'Closed Position' }, 'closed')
  await site.job({
    title: 'Firmware Engineer',
    department: 'Engineering',
    locations: ['Boston'],
    location_type: 'onsite',
  })
  await site.job({
    title: 'Accountant',
    department: 'Finance',
    locations: ['Berlin, Germany'],
    location_type: 'remote',
  })
})

const overflows = (page: Page) => page.evaluate('document.documentElement.scrollWidth > window.innerWidth')
const titles = (page: Page) => page.locator('#results .jobs a').allTextContents()

for (const width of [1280, 390, 320]) {
  test(`careers pages, light and dark, ${width} px: no serious accessibility issue, no sideways scrolling, nothing from elsewhere`, {
    skip: noBrowser,
  }, async () => {
    const { page, problems, close } = await visit(service.origin, { width, expectedStatuses: [404, 410] })
    for (const path of [
      site.path,
      `${site.path}?lang=de&department=Engineering`,
      `${site.path}?q=astronaut`,
      job.path,
      `${job.path}?lang=de`,
      closed.path,
      `${site.path}/jobs/none`,
      '/careers/none',
    ]) {
      await page.goto(path)
      await inBothThemes(page, async theme => {
        assert.deepEqual(await axe(page), [], `${path} ${theme}`)
        assert.equal(await overflows(page), false, `${path} ${theme}`)
      })
    }
    assert.deepEqual(problems, [])
    await close()
  })
}

/** A colour as a browser computes it, in six digits. */
const hex = (color: string) =>
  `#${[...color.matchAll(/\d+/g)].map(([part]) => Number(part).toString(16).padStart(2, '0')).join('')}`

for (const theme of ['light', 'dark'] as const) {
  test(`careers pages, ${theme}: buttons have the bright colour of the company with dark text and an edge, links a readable one`, {
    skip: noBrowser,
  }, async () => {
    const { page, problems, close } = await visit(service.origin, { theme })
    const colors = async (element: Locator) => {
      const found = await element.evaluate(node => {
        const { backgroundColor, borderTopColor, color } = node.ownerDocument.defaultView!.getComputedStyle(node)
        return [backgroundColor, borderTopColor, color]
      })
      const [fill, edge, text] = found.map(hex)
      return { fill: fill!, edge: edge!, text: text! }
    }
    const ground = theme === 'light' ? LIGHT_GROUNDS[0] : DARK_GROUNDS[0]
    for (const [path, button] of [
      [site.path, page.getByRole('button', { name: 'Search' })],
      [job.path, page.getByRole('link', { name: 'Apply now' }).first()],
      [`${job.path}/apply`, page.getByRole('button', { name: 'Send application' })],
    ] as const) {
      await page.goto(path)
      const { fill, edge, text } = await colors(button)
      assert.equal(fill, '#ffd400', path)
      assert.ok(contrast(text, fill) >= 4.5, `${text} on ${fill}`)
      assert.ok(contrast(edge, ground) >= 3, `${edge} around ${fill}`)
      await button.hover()
      const pointed = await colors(button)
      assert.ok(contrast(pointed.text, pointed.fill) >= 4.5, `${pointed.text} on ${pointed.fill}`)
    }
    await page.goto(site.path)
    const link = await colors(page.getByRole('link', { name: 'More about us' }))
    assert.ok(contrast(link.text, ground) >= 4.5, link.text)
    assert.equal(link.text === '#ffd400', theme === 'dark', 'a colour that can be read stays')
    assert.deepEqual(problems, [])
    await close()
  })
}

test('list without scripts: search, filters, language and a job by its link', { skip: noBrowser }, async () => {
  const { page, problems, close } = await visit(service.origin, { javaScript: false, width: 390 })
  await page.goto(site.path)
  assert.deepEqual(await titles(page), ['Firmware Engineer', 'Robot Engineer', 'Accountant'])
  await page.getByLabel('Search jobs').fill('engineers')
  await page.getByLabel('Location').selectOption('US/MA/boston')
  await page.getByRole('button', { name: 'Search' }).click()
  assert.deepEqual(await titles(page), ['Firmware Engineer'])
  assert.equal(await page.getByLabel('Search jobs').inputValue(), 'engineers')
  assert.equal(await page.getByLabel('Location').inputValue(), 'US/MA/boston')
  await page.getByRole('link', { name: 'Deutsch' }).click()
  assert.equal(await page.locator('html').getAttribute('lang'), 'de')
  assert.deepEqual(await titles(page), ['Firmware Engineer'])
  await page.getByRole('link', { name: 'Suche und Filter zurücksetzen' }).click()
  await page.getByRole('link', { name: 'Robot Engineer' }).click()
  await page.getByRole('heading', { level: 1, name: 'Robot Engineer' }).waitFor()
  assert.equal(
    await page.getByRole('link', { name: 'Jetzt bewerben' }).first().getAttribute('href'),
    `${job.path}/apply?lang=de`,
  )
  assert.equal(await page.locator('[data-theme-toggle]').isVisible(), false)
  assert.deepEqual(problems, [])
  await close()
})

test('list with scripts: results follow what is typed and chosen, the count is read out, back and reload keep it', {
  skip: noBrowser,
}, async () => {
  const { page, problems, close } = await visit(service.origin)
  await page.goto(site.path)
  const status = page.getByRole('status')
  assert.equal(await status.textContent(), '3 open positions')
  // the same element stays: a screen reader reads what changes inside it
  await page.evaluate("document.getElementById('count').dataset.kept = 'yes'")
  const field = page.getByLabel('Search jobs')
  await field.pressSequentially('engineer')
  await status.getByText('2 open positions match').waitFor()
  assert.equal(await status.getAttribute('data-kept'), 'yes')
  assert.deepEqual(await titles(page), ['Firmware Engineer', 'Robot Engineer'])
  assert.equal(await page.evaluate("document.activeElement === document.getElementById('q')"), true)
  await page.waitForURL(`${site.path}?q=engineer`)
  await page.getByLabel('Location').selectOption('US/MA/boston')
  await page.waitForURL(`${site.path}?q=engineer&location=US%2FMA%2Fboston`)
  await status.getByText('1 open position matches').waitFor()
  await page.goBack()
  await status.getByText('2 open positions match').waitFor()
  assert.equal(await page.getByLabel('Location').inputValue(), '')
  await page.reload()
  assert.equal(await page.getByLabel('Search jobs').inputValue(), 'engineer')
  assert.deepEqual(await titles(page), ['Firmware Engineer', 'Robot Engineer'])
  await page.getByLabel('Search jobs').fill('astronaut')
  await page.getByText('Nothing matches your search').waitFor()
  await page.getByRole('link', { name: 'Clear search and filters' }).click()
  await page.waitForURL(site.path)
  assert.equal((await titles(page)).length, 3)
  assert.deepEqual(problems, [])
  await close()
})

test('list and job by keyboard alone: skip link, search, filters, a job and its apply button, focus always visible', {
  skip: noBrowser,
}, async () => {
  const { page, problems, close } = await visit(service.origin, { expectedStatuses: [404] })
  await page.goto(site.path)
  const focused = () =>
    page.evaluate('document.activeElement.innerText || document.activeElement.id') as Promise<string>
  await page.keyboard.press('Tab')
  assert.equal(await focused(), 'Skip to content')
  assert.equal(await page.evaluate("document.querySelector('.skip').getBoundingClientRect().top >= 0"), true)
  await skipToContent(page)
  const order: string[] = []
  for (let i = 0; i < 12; i++) {
    await page.keyboard.press('Tab')
    order.push(await focused())
    const seen = await page.evaluate(
      `(() => { const e = document.activeElement, s = getComputedStyle(e), b = getComputedStyle(e, '::before')
        return s.outlineStyle !== 'none' || s.boxShadow !== 'none' || b.outlineStyle !== 'none' })()`,
    )
    assert.equal(seen, true, `focus of ${order.join(', ')}`)
    if (order.at(-1) === 'Robot Engineer') break
  }
  assert.deepEqual(order.slice(0, 3), ['See 3 open positions', 'More about us', 'q'])
  assert.equal(order.at(-1), 'Robot Engineer')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Robot Engineer' }).waitFor()
  await page.getByRole('link', { name: 'Apply now' }).first().focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(`${job.path}/apply`)
  assert.deepEqual(problems, [])
  await close()
})

test('row of a job: a click anywhere on it opens the job; the theme switch stays chosen', {
  skip: noBrowser,
}, async () => {
  const { page, problems, close } = await visit(service.origin)
  await page.goto(site.path)
  await page.getByRole('button', { name: 'Switch between light and dark' }).click()
  const row = page.locator('.jobs li').filter({ hasText: 'Accountant' })
  const { width, height } = (await row.boundingBox())!
  await row.click({ position: { x: width - 40, y: height / 2 } })
  await page.getByRole('heading', { level: 1, name: 'Accountant' }).waitFor()
  assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark')
  assert.deepEqual(problems, [])
  await close()
})

test('list in German by the language of the browser, on a phone', { skip: noBrowser }, async () => {
  const { page, problems, close } = await visit(service.origin, { width: 390 })
  await page.setExtraHTTPHeaders({ 'accept-language': 'de-AT,de;q=0.9' })
  await page.goto(site.path)
  assert.equal(await page.getByRole('status').textContent(), '3 offene Stellen')
  await page.getByLabel('Bereich').selectOption('Finance')
  await page.getByRole('status').getByText('1 von 3 offenen Stellen passt').waitFor()
  assert.deepEqual(await titles(page), ['Accountant'])
  assert.deepEqual(problems, [])
  await close()
})

test('list on a phone: the first screen has the way to the search, whatever the company wrote above it', {
  skip: noBrowser,
}, async () => {
  const wordy = await createSite(service, 'Wordy Company')
  await wordy.set({
    headline: 'Build robots that people like to work with, in nine countries and at home',
    introduction_md: 'We are a company with a long history. '.repeat(60),
  })
  await wordy.job({ title: 'Writer' })
  const { page, problems, close } = await visit(service.origin, { width: 390, height: 844 })
  const isInSight = async (selector: string) => {
    const { y, height } = (await page.locator(selector).boundingBox())!
    return y >= 0 && y + height <= 844
  }
  for (const lang of ['en', 'de']) {
    await page.goto(`${wordy.path}?lang=${lang}`)
    assert.ok(await isInSight('.hero .button'), lang)
    await page.locator('.hero .button').click()
    await page.waitForURL(/#positions$/)
    assert.ok(await isInSight('#q'), lang)
  }
  assert.deepEqual(problems, [])
  await close()
})

test('list of 1 000 jobs in a browser: pages by their links', { skip: noBrowser }, async () => {
  const large = await createSite(service, 'Large Company')
  const ids = Array.from({ length: 1000 }, () => newHandle('job'))
  await service.services.db.query(sql`
    insert into jobs (workspace_id, id, slug, status, title, summary, published_at, source_system)
    select ${large.workspace}, id, 'job-' || n, 'published', 'Position ' || lpad(n::text, 4, '0'), '.', app_now(), 'tahoe_native'
    from unnest(${ids}::text[]) with ordinality as i(id, n)`)
  const { page, problems, close } = await visit(service.origin, { width: 390 })
  await page.goto(large.path)
  assert.equal((await titles(page)).length, 100)
  await page.getByRole('link', { name: 'Next' }).click()
  await page.waitForURL(`${large.path}?page=2`)
  assert.equal((await titles(page))[0], 'Position 0101')
  assert.equal(await overflows(page), false)
  assert.deepEqual(problems, [])
  await close()
})

test('list in forced colors: a field that has the focus has an outline', { skip: noBrowser }, async () => {
  const { page, problems, close } = await visit(service.origin)
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto(site.path)
  for (const id of ['q', 'department']) {
    await page.locator(`#${id}`).focus()
    const style = await page.evaluate(`(() => {
      const { outlineStyle, outlineWidth } = getComputedStyle(document.getElementById('${id}'))
      return outlineStyle + ' ' + outlineWidth
    })()`)
    assert.equal(style, 'solid 2px', id)
  }
  assert.deepEqual(problems, [])
  await close()
})

test('job on a phone: the button to apply stays in sight while someone reads', { skip: noBrowser }, async () => {
  const long = await site.job({
    title: 'Long Text',
    content: { summary: 'A job.', description_md: 'Text. '.repeat(3000) },
  })
  const { page, problems, close } = await visit(service.origin, { width: 390 })
  await page.goto(long.path)
  await page.evaluate('scrollTo(0, 2000)')
  const { top, bottom } = (await page.evaluate(
    `(({ top, bottom }) => ({ top, bottom }))(document.querySelector('.job-end .button').getBoundingClientRect())`,
  )) as { top: number; bottom: number }
  const height = page.viewportSize()!.height
  assert.ok(top > 0 && bottom <= height, `${top} to ${bottom} of ${height}`)
  assert.deepEqual(problems, [])
  await close()
})
