import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { sql } from '../../src/kernel/db/sql.ts'
import { startCareers, type TestSite } from '../careers/setup.ts'
import { axe, noBrowser, type VisitOptions, visit } from '../harness/browser.ts'

const { addJob, db, newSite, service } = await startCareers()

/** The page of the company, on another origin than the service. */
interface Host {
  script: string
  policy?: string
  style?: string
}

let server: Server
let origin: string
let host: Host
let site: TestSite

const HOSTILE = '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>'

before(async () => {
  site = await newSite('Embed & Sons')
  await addJob(site, { title: HOSTILE, department: '"><b>Sales', locations: ['Köln'], employment_type: 'full_time' })
  await addJob(site, { title: 'Welder', department: 'Works', locations: ['Köln', 'Berlin'], location_type: 'onsite' })
  await addJob(site, { title: 'Driver', department: 'Works', locations: ['Berlin'], employment_type: 'part_time' })
  server = createServer((_request, response) => {
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      ...(host.policy ? { 'content-security-policy': host.policy } : {}),
    })
    response.end(`<!doctype html><html lang="en"><meta charset="utf-8"><title>Company</title>
<link rel="icon" href="data:,"><style>${host.style ?? ''}</style><main><h1>Work with us</h1>
<div id="jobs"><a href="${site.url}">See our open positions</a></div></main>${host.script}</html>`)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  // another host name, not only another port
  origin = `http://localhost:${(server.address() as AddressInfo).port}`
})
after(() => void server.close())

const tag = (attributes = '', file = '/embed.js') =>
  `<script src="${site.url}${file}" data-target="#jobs" ${attributes} defer></script>`

async function open(page: Host, opts: VisitOptions = {}) {
  host = page
  const window = await visit(origin, { origins: [service.origin], ...opts })
  await window.page.goto('/')
  return window
}

test('embed.js: the list on a page of another origin under a strict policy; titles are texts', {
  skip: noBrowser,
}, async () => {
  const policy = `default-src 'none'; script-src ${service.origin}; connect-src ${service.origin}; img-src data:; require-trusted-types-for 'script'`
  const { page, context, problems, close } = await open({ script: tag('data-filters data-heading'), policy })
  const list = page.getByRole('list')
  await list.getByText('Welder').waitFor()
  assert.deepEqual(await page.getByRole('link').allTextContents(), [
    // by department, as the site sorts them
    `${HOSTILE}"><b>Sales · Köln · Full time`,
    'DriverWorks · Berlin · Part time',
    'WelderWorks · Köln · Berlin · On site',
    'All open positions',
  ])
  assert.equal(await page.title(), 'Company')
  assert.equal(await page.locator('img, #jobs script, #jobs b').count(), 0)
  assert.equal(await page.getByRole('link', { name: 'Welder' }).getAttribute('href'), `${site.url}/jobs/welder`)
  assert.deepEqual(await axe(page), [])
  assert.deepEqual(await context.cookies(), [])
  assert.equal(await page.evaluate('localStorage.length + sessionStorage.length'), 0)
  // the page's own style element is what its policy refuses, not ours
  assert.deepEqual(
    problems.filter(problem => !/Applying inline style/.test(problem)),
    [],
  )
  await close()
})

test('embed.js: filters with the keyboard, fixed parts of the list, a limit, another language', {
  skip: noBrowser,
}, async () => {
  const { page, problems, close } = await open({ script: tag('data-filters data-lang="de"') })
  const department = page.getByLabel('Bereich')
  await department.waitFor()
  await page.keyboard.press('Tab')
  assert.equal(
    await department.evaluate((element: { matches(rule: string): boolean }) => element.matches(':focus')),
    true,
  )
  await page.keyboard.type('Works')
  assert.equal(await page.getByRole('listitem').count(), 2)
  await page.getByRole('combobox', { name: 'Ort', exact: true }).selectOption('Köln')
  assert.deepEqual(await page.getByRole('listitem').allTextContents(), ['WelderWorks · Köln · Berlin · Vor Ort'])
  await page.getByLabel('Anstellungsart').selectOption('Teilzeit')
  assert.equal(await page.getByRole('status').textContent(), 'Keine Stelle passt zu dieser Auswahl.')
  assert.deepEqual(problems, [])
  await close()

  const fixed = await open({ script: tag('data-department="Works" data-limit="1"') })
  await fixed.page.getByRole('listitem').waitFor()
  assert.deepEqual(await fixed.page.getByRole('listitem').allTextContents(), ['DriverWorks · Berlin · Part time'])
  await fixed.close()
})

test('embed.js: a filter by workplace, in the language of the list; a fixed workplace shows its part and no filter for it', {
  skip: noBrowser,
}, async () => {
  const own = await newSite('Everywhere Ltd')
  await addJob(own, { title: 'Pilot', locations: ['Bremen'], location_type: 'onsite' })
  await addJob(own, { title: 'Porter', locations: ['Kiel'], location_type: 'onsite' })
  await addJob(own, { title: 'Editor', location_type: 'remote' })
  await addJob(own, { title: 'Cook' })
  const script = (attributes: string) =>
    `<script src="${own.url}/embed.js" data-target="#jobs" ${attributes} defer></script>`
  const titles = (page: Page) => page.locator('li strong').allTextContents()
  for (const [lang, label, values] of [
    ['en', 'Workplace', ['All', 'On site', 'Remote']],
    ['de', 'Arbeitsplatz', ['Alle', 'Remote', 'Vor Ort']],
  ] as const) {
    const { page, problems, close } = await open({ script: script(`data-filters data-lang="${lang}"`) })
    const filter = page.getByRole('combobox', { name: label, exact: true })
    await filter.waitFor()
    assert.deepEqual(await filter.locator('option').allTextContents(), values)
    assert.deepEqual(await titles(page), ['Cook', 'Editor', 'Pilot', 'Porter'])
    await filter.selectOption('Remote')
    assert.deepEqual(await titles(page), ['Editor'])
    assert.deepEqual(problems, [])
    await close()
  }
  const fixed = await open({ script: script('data-filters data-workplace="On site"') })
  await fixed.page.getByRole('combobox', { name: 'Location', exact: true }).waitFor()
  assert.deepEqual(await titles(fixed.page), ['Pilot', 'Porter'])
  assert.equal(await fixed.page.getByRole('combobox').count(), 1)
  await fixed.close()
})

test('embed.js: a search by words of titles, departments and places; the style sheet of the page colors the titles', {
  skip: noBrowser,
}, async () => {
  const style = '#jobs > div::part(title) { color: rgb(0, 90, 160) }'
  const { page, problems, close } = await open({ script: tag('data-search data-filters'), style })
  const search = page.getByRole('searchbox', { name: 'Search' })
  await search.waitFor()
  const titles = () => page.locator('li strong').allTextContents()
  await search.fill('koln WELD')
  assert.deepEqual(await titles(), ['Welder'])
  await page.getByRole('combobox', { name: 'Location', exact: true }).selectOption('Berlin')
  await search.fill('works ')
  assert.deepEqual(await titles(), ['Driver', 'Welder'])
  await search.fill('sailor')
  assert.equal(await page.getByRole('status').textContent(), 'No position fits these filters.')
  await search.fill('')
  assert.equal((await titles()).length, 2)
  const color = await page.evaluate(
    `getComputedStyle(document.querySelector('#jobs > div').shadowRoot.querySelector('li strong')).color`,
  )
  assert.equal(color, 'rgb(0, 90, 160)')
  assert.deepEqual(await axe(page), [])
  assert.deepEqual(problems, [])
  await close()
})

test('embed.js: takes font and colours of the page, light and dark, 390 px wide', { skip: noBrowser }, async () => {
  const style =
    'body { font: 18px Georgia, serif; color: #222; background: #fff } @media (prefers-color-scheme: dark) { body { color: #eee; background: #111 } }'
  for (const [theme, color] of [
    ['light', 'rgb(34, 34, 34)'],
    ['dark', 'rgb(238, 238, 238)'],
  ] as const) {
    const { page, problems, close } = await open({ script: tag('data-filters'), style }, { theme, width: 390 })
    const link = page.getByRole('link', { name: 'Welder' })
    await link.waitFor()
    assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
    const found = (await page.evaluate(
      `(() => { const link = document.querySelector('#jobs > div').shadowRoot.querySelector('li a'); const style = getComputedStyle(link); return [style.color, style.fontFamily] })()`,
    )) as string[]
    assert.deepEqual(found, [color, 'Georgia, serif'])
    assert.deepEqual(await axe(page), [])
    assert.deepEqual(problems, [])
    await close()
  }
})

test('embed.js: without scripts, or if the list cannot be read, the link of the page stays', {
  skip: noBrowser,
}, async () => {
  const plain = await open({ script: tag() }, { javaScript: false })
  assert.equal(await plain.page.locator('#jobs a').getAttribute('href'), site.url)
  await plain.close()
  await db.query(sql`update career_sites set enabled = false where workspace_id = ${site.workspace}`)
  try {
    const off = await open({ script: tag() }, { expectedStatuses: [404] })
    await off.page.waitForLoadState('networkidle')
    assert.equal(await off.page.locator('#jobs a').textContent(), 'See our open positions')
    await off.close()
  } finally {
    await db.query(sql`update career_sites set enabled = true where workspace_id = ${site.workspace}`)
  }
})

test('embed.js: a script with validators that every origin may load', { skip: noBrowser }, async () => {
  const { headers, status } = await service.call('GET', `${site.url}/embed.js`)
  assert.deepEqual(
    [
      status,
      headers.get('content-type'),
      headers.get('access-control-allow-origin'),
      headers.get('cross-origin-resource-policy'),
    ],
    [200, 'text/javascript; charset=utf-8', '*', 'cross-origin'],
  )
  const again = await service.call('GET', `${site.url}/embed.js`, {
    headers: { 'if-none-match': headers.get('etag')! },
  })
  assert.equal(again.status, 304)
})
