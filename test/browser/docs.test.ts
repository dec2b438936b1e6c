import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { demoSecret, loadDemo } from '../../demo/index.ts'
import { axe, inBothThemes, noBrowser, untilTrue, visit } from '../harness/browser.ts'
import { startTestService, type TestService } from '../harness/service.ts'

const options = { skip: noBrowser }

let service: TestService

before(async () => {
  if (noBrowser) return
  service = await startTestService()
  await loadDemo(service.services)
})

const PAGES = [
  '/docs',
  '/docs/guides/first-call',
  '/docs/guides/webhooks',
  '/docs/reference',
  '/docs/reference/jobs',
  '/docs/errors',
  '/docs/events',
  '/docs/scopes',
  '/docs/limits',
  '/docs/never-exposed',
  '/docs/headers',
  '/docs/settings',
  '/docs/operating',
  '/docs/signature',
  '/docs/changelog',
  '/docs/search?q=webhook',
  '/docs/guides/going-live',
  '/docs/guides/submitting-applications',
  '/docs/guides/moving-from-greenhouse',
]

/** One of each kind; of the endpoints a short page, since looking through thousands of elements takes long. */
const KINDS = [
  '/docs',
  '/docs/guides/webhooks',
  '/docs/guides/sign-in',
  '/docs/reference',
  '/docs/reference/workspaces-and-users',
  '/docs/errors',
  '/docs/events',
  '/docs/scopes',
  '/docs/limits',
  '/docs/never-exposed',
  '/docs/no-such-page',
  '/docs/headers',
  '/docs/signature',
  '/docs/search?q=webhook',
]

test(
  'docs in a browser: light and dark: no serious accessibility issue, no error, nothing from elsewhere',
  options,
  async () => {
    const { page, problems, close } = await visit(service.origin, { expectedStatuses: [404] })
    for (const path of KINDS) {
      await page.goto(path)
      await inBothThemes(page, async theme => {
        const found = await axe(page, 'html', theme === 'dark' ? ['color-contrast'] : undefined)
        assert.deepEqual(found, [], `${path} ${theme}`)
      })
    }
    await page.setViewportSize({ width: 390, height: 800 })
    await page.goto('/docs')
    await inBothThemes(page, async theme => assert.deepEqual(await axe(page), [], `on a phone, ${theme}`))
    assert.deepEqual(problems, [])
    await close()
  },
)

for (const width of [1280, 390]) {
  test(`docs in a browser: ${width} pixels: no page is wider than the window, none has an error`, options, async () => {
    const { page, problems, close } = await visit(service.origin, { width })
    for (const path of PAGES) {
      await page.goto(path)
      const wider = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
      assert.equal(wider, 0, path)
    }
    assert.deepEqual(problems, [])
    await close()
  })
}

test(
  'docs in a browser: search: / opens it, words find endpoints and errors, arrows and enter lead there',
  options,
  async () => {
    const { page, problems, close } = await visit(service.origin)
    await page.goto('/docs')
    await page.keyboard.press('/')
    const box = page.getByRole('combobox', { name: 'Search' })
    await box.fill('stale_res')
    await page.getByRole('option', { name: /^stale_resource/ }).waitFor()
    assert.deepEqual(await axe(page, 'dialog.search'), [])
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/errors#stale_resource')
    await page.keyboard.press('/')
    await box.fill('resolve batch')
    await page.getByRole('option', { name: /^POST \/people\/resolve:batch/ }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/reference/people#post_people_resolve_batch')
    await page.keyboard.press('/')
    await box.fill('pagnation')
    await page.getByText('results for “pagination”').waitFor()
    assert.ok((await page.getByRole('option').first().locator('mark').count()) > 0)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/guides/paging-and-syncing#page-through-a-list')
    await page.keyboard.press('Control+k')
    await box.fill('qqqqq')
    await page.getByText('Nothing found.').waitFor()
    await page.keyboard.press('Escape')
    await box.waitFor({ state: 'hidden' })
    assert.deepEqual(problems, [])
    await close()
  },
)

test(
  'docs in a browser: calls with the reader’s own key: entered once, held only in the page, and the response is shown',
  options,
  async () => {
    const { page, problems, close } = await visit(service.origin, { expectedStatuses: [400, 401, 404] })
    const secret = demoSecret(service.services.keyring)
    await page.goto('/docs/reference/jobs')
    const block = page.locator('#get_jobs .try')
    await block.getByText('Try it with your own key').click()
    await block.locator('input[name="limit"]').fill('1')
    await block.getByRole('button', { name: 'Send' }).click()
    const dialog = page.getByRole('dialog', { name: 'Your API key' })
    assert.deepEqual(await axe(page), [])
    await dialog.getByLabel('Key', { exact: true }).fill(secret)
    await dialog.getByRole('button', { name: 'Use it' }).click()
    await block.getByText('200 OK').waitFor()
    const shown = JSON.parse((await block.locator('.try-response pre').first().textContent()) ?? '')
    assert.equal(shown.data.length, 1)
    assert.match((await block.locator('.try-response').textContent()) ?? '', /\d+ ms.*req_/)
    assert.match((await block.locator('.try-response details').textContent()) ?? '', /ratelimit-remaining: \d+/)
    assert.deepEqual(await axe(page), [])

    // the handle goes into the path, the body into the request
    const one = page.locator('#get_jobs_by_job_handle .try')
    await one.getByText('Try it with your own key').click()
    const handle = one.locator('input[name="job_handle"]')
    assert.match(await handle.inputValue(), /^job_/, 'filled with a handle of this store')
    await handle.fill(shown.data[0].id)
    const samples = page.locator('#get_jobs_by_job_handle [data-sample]')
    await samples.getByText(shown.data[0].id).first().waitFor()
    assert.deepEqual(
      (await samples.locator('code').allTextContents()).map(text => text.split('\n').find(row => row.includes('job_'))),
      [
        `curl -s '${service.base}/jobs/${shown.data[0].id}' \\`,
        `const result = await client.jobs.get('${shown.data[0].id}')`,
        `result = client.jobs.get("${shown.data[0].id}")`,
      ],
      'the samples take the handle',
    )
    for (const text of await samples.locator('code').allTextContents()) assert.ok(text.includes(secret), text)
    await one.getByRole('button', { name: 'Send' }).click()
    await one.getByText('200 OK').waitFor()
    await page.getByRole('button', { name: `Key …${secret.slice(-4)}` }).click()
    await dialog.getByRole('button', { name: 'Forget it' }).click()
    await samples.getByText('Bearer $API_KEY').waitFor()
    assert.ok(!(await page.content()).includes(secret))
    await page.goto('/docs/reference/projects-and-lists')
    assert.equal(await page.evaluate('sessionStorage.length'), 0, 'not stored unless requested')
    const write = page.locator('#post_lists .try')
    await write.getByText('Try it with your own key').click()
    await write.locator('textarea').fill('{"name": "From the documentation"}')
    await write.getByRole('button', { name: 'Send' }).click()
    await dialog.getByLabel('Key', { exact: true }).fill(secret)
    await dialog.getByLabel('Keep it until this tab is closed').check()
    await dialog.getByRole('button', { name: 'Use it' }).click()
    await write.getByText('201 Created').waitFor()

    // kept for the tab on request, and forgotten on request
    await page.reload()
    await page.getByRole('button', { name: `Key …${secret.slice(-4)}` }).click()
    await dialog.getByRole('button', { name: 'Forget it' }).click()
    assert.equal(
      await page.evaluate('sessionStorage.length + Object.keys(localStorage).filter(k => k !== "theme").length'),
      0,
    )
    assert.ok(!(await page.content()).includes(secret))

    // a key that is not accepted
    await page.getByRole('button', { name: 'API key', exact: true }).click()
    await dialog.getByLabel('Key', { exact: true }).fill('svc_test_wrong')
    await dialog.getByRole('button', { name: 'Use it' }).click()
    const again = page.locator('#get_lists .try')
    await again.getByText('Try it with your own key').click()
    await again.getByRole('button', { name: 'Send' }).click()
    await again.getByText('401 Unauthorized').waitFor()
    assert.deepEqual(problems, [])
    await close()
  },
)

test(
  'docs in a browser: without scripts: everything can be read, and nothing is shown that would not work',
  options,
  async () => {
    const { page, close } = await visit(service.origin, { javaScript: false })
    await page.goto('/docs/reference/jobs#get_jobs')
    assert.ok(await page.locator('#get_jobs').getByText('Only jobs with these words in their texts').isVisible())
    // the language of a sample can be chosen
    const samples = page.locator('#get_jobs .samples')
    assert.ok(await samples.getByText('curl -s').isVisible())
    await samples.getByRole('radio', { name: 'Python' }).check()
    assert.ok(await samples.getByText('from hiring_partner import').isVisible())
    assert.ok(!(await samples.getByText('curl -s').isVisible()))
    for (const name of ['Copy', 'Send', 'API key', 'Search']) {
      assert.equal(await page.getByRole('button', { name }).count(), 0, name)
    }
    await close()
  },
)

test('docs in a browser: search without scripts: a page of results that can be searched again', options, async () => {
  const { page, problems, close } = await visit(service.origin, { javaScript: false })
  await page.goto('/docs')
  await page.getByRole('link', { name: 'Search /' }).click()
  await page.getByRole('searchbox').fill('unlock resume')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.waitForURL('**/docs/search?q=unlock+resume')
  await page.locator('.found a', { hasText: 'resume_locked' }).click()
  await page.waitForURL('**/docs/errors#resume_locked')
  assert.deepEqual(problems, [])
  await close()
})

test(
  'docs in a browser: the language of samples is chosen once: for every endpoint, and on the next page',
  options,
  async () => {
    const { page, problems, close } = await visit(service.origin)
    await page.goto('/docs/reference/jobs')
    await page.locator('#get_jobs').getByRole('radio', { name: 'TypeScript' }).check()
    assert.ok(await page.locator('#post_jobs [data-sample="ts"]').isVisible())
    await page.goto('/docs/reference/people')
    assert.ok(await page.locator('#get_people_resolve [data-sample="ts"]').isVisible())
    assert.ok(!(await page.locator('#get_people_resolve [data-sample="sh"]').isVisible()))
    assert.deepEqual(problems, [])
    await close()
  },
)

test(
  'docs in a browser: guides: tabs by keyboard, the choice holds for all samples, and the reader’s key is filled in',
  options,
  async () => {
    const { page, problems, close } = await visit(service.origin, { width: 390, theme: 'dark' })
    await page.goto('/docs/guides/pushing-jobs')
    const shown = page.locator('[data-sample]:visible')
    const languages = async () => Promise.all((await shown.all()).map(sample => sample.getAttribute('data-sample')))
    assert.deepEqual(new Set(await languages()), new Set(['sh']))
    assert.match((await shown.first().textContent())!, /\$BASE_URL\/jobs/)
    await page.getByRole('radio', { name: 'curl' }).first().focus()
    await page.keyboard.press('ArrowRight')
    assert.deepEqual(new Set(await languages()), new Set(['ts']))
    await page.keyboard.press('ArrowRight')
    assert.deepEqual(new Set(await languages()), new Set(['python']))
    assert.deepEqual(await axe(page, 'html', ['color-contrast', 'target-size', 'label']), [])
    assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)

    await page.getByRole('button', { name: 'API key' }).click()
    await page.getByLabel('Key', { exact: true }).fill('svc_test_mine')
    await page.getByRole('button', { name: 'Use it' }).click()
    await page.getByText('api_key="svc_test_mine"').waitFor()
    const code = (await shown.first().locator('code').textContent())!
    assert.match(code, /^import uuid\n\nfrom hiring_partner/)
    await page.getByRole('radio', { name: 'curl' }).first().check()
    await page.getByText('Bearer svc_test_mine').first().waitFor()

    // a sample without the language that was chosen shows another one
    await page.goto('/docs/guides/sync-from-zero')
    assert.deepEqual(await languages(), ['ts'])
    assert.deepEqual(problems, [])
    await close()
  },
)

test(
  'docs in a browser: guides without scripts: curl is shown, and the other languages can be chosen',
  options,
  async () => {
    const { page, problems, close } = await visit(service.origin, { javaScript: false })
    await page.goto('/docs/guides/moving-and-hiring')
    const samples = page.locator('.samples').first()
    assert.ok(await samples.locator('[data-sample="sh"]').isVisible())
    assert.ok(!(await samples.locator('[data-sample="ts"]').isVisible()))
    await samples.getByRole('radio', { name: 'TypeScript' }).check()
    assert.ok(await samples.locator('[data-sample="ts"]').isVisible())
    assert.ok(!(await samples.locator('[data-sample="sh"]').isVisible()))
    assert.deepEqual(problems, [])
    await close()
  },
)

test(
  'docs in a browser: signature check: accepts a valid delivery, names what is wrong, and sends no request',
  options,
  async () => {
    const { page, problems, close } = await visit(service.origin)
    await page.goto('/docs/signature')
    await page.waitForLoadState('networkidle')
    const requests: string[] = []
    page.on('request', request => requests.push(request.url()))
    await page.getByRole('button', { name: 'Fill in an example' }).click()
    await untilTrue(page, 'document.querySelector("#signature-secret").value !== ""')
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    await page.getByText('A receiver accepts this.').waitFor()
    assert.deepEqual(await axe(page), [])
    const body = page.getByLabel('Raw body')
    await body.fill(JSON.stringify(JSON.parse(await body.inputValue()), null, 2))
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    await page.getByText('it was parsed and serialized again').waitFor()
    await page.getByLabel('Signing secret').fill('whsec_short')
    await page.keyboard.press('Enter')
    await page.getByText('it was not copied whole').waitFor()
    // what a script of the page may do at all
    const refused = await page.evaluate("fetch('/docs').then(() => 'sent', () => 'refused')")
    assert.equal(refused, 'refused')
    assert.deepEqual(requests, [])
    assert.equal(new URL(page.url()).search, '')
    assert.deepEqual(
      problems.filter(problem => !problem.includes('Content Security Policy') && !problem.includes('connect-src')),
      [],
    )
    await close()
  },
)

test('docs in a browser: copy: the text of a block comes to the clipboard', options, async () => {
  const { page, context, close } = await visit(service.origin)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/docs')
  await page.getByRole('button', { name: 'Copy' }).first().click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  assert.match(String(await page.evaluate('navigator.clipboard.readText()')), /^curl -s "\$BASE_URL\/me"/)
  await close()
})

test('docs in a browser: the underline of a linked identifier is below its underscores', options, async () => {
  const { page, close } = await visit(service.origin)
  await page.goto('/docs/guides/moving-and-hiring')
  const [offset, descent] = (await page.evaluate(`(() => {
    const code = [...document.querySelectorAll('main a > code')].find(code => code.textContent === 'stale_resource')
    const context = document.createElement('canvas').getContext('2d')
    context.font = getComputedStyle(code).font
    const { textUnderlineOffset } = getComputedStyle(code.parentElement)
    return [parseFloat(textUnderlineOffset), context.measureText('_').actualBoundingBoxDescent]
  })()`)) as [number, number]
  assert.ok(offset > descent, `${offset} px below the line, underscores reach ${descent} px`)
  await close()
})
