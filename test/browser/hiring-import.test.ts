import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sha256 } from '../../src/kernel/crypto/signing.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { SESSION_COOKIE } from '../../src/sign-in/sessions.ts'
import { apply, sharedWorld, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { axe, choose, noBrowser, visit } from '../harness/browser.ts'

describe('import of candidates in the hiring pages', { skip: noBrowser }, () => {
  let world: World
  let member: Person

  before(async () => {
    world = await sharedWorld()
    member = await signedIn(world.service, world.workspace, { role: 'member', program: 'hiring' })
  })

  async function open(path: string, opts: Parameters<typeof visit>[1] = {}) {
    const window = await visit(world.service.origin, opts)
    const value = member.cookie.split('=')[1] ?? ''
    await window.context.addCookies([{ name: SESSION_COOKIE, value, url: world.service.origin }])
    await window.page.goto(`/hiring${path}`)
    await window.page.locator('h1').waitFor()
    return window
  }

  test('a table: each line with what becomes of it and why; the import does exactly that, and the board shows it', async () => {
    const here = await apply(world, {}, { email: 'here@browser.example', first_name: 'Hal', last_name: 'Here' })
    const known = await apply({ ...world }, {}, { email: 'twice@browser.example' })
    await world.service.services.db.query(sql`
      with s as (
        insert into suppressions (id, status, reason, delete_by)
        values (gen_random_uuid(), 'suppressed', 'stop_processing', app_now()) returning id
      ) insert into suppressed_identifiers (kind, sha256, suppression_id)
      select 'email', ${sha256('barred@browser.example')}, id from s`)
    assert.ok(known.id)
    const table = [
      'Name;Mail;Where they are;Tags',
      'Zoë Élan;zoe@browser.example, zoe@home.example;Screen;firmware',
      'Eve Wrong;eve@browser.example;Interviev;',
      'Sam Stopped;barred@browser.example;;',
      'Hal Here;here@browser.example;;',
      ';;;',
    ].join('\n')
    const { page, problems, close } = await open('/import')
    await page.getByRole('button', { name: 'Candidates of a job' }).click()
    await choose(page.getByLabel('Job', { exact: true }), 'Engineer')
    const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(table) }
    await page.locator('#import-file').setInputFiles(file)
    await page.getByRole('row', { name: /^2 New Zoë Élan/ }).waitFor()
    await choose(page.getByLabel('Where they are'), 'Stage')
    await page.getByRole('row', { name: /^3 Invalid Eve Wrong The job has no such stage: Interviev/ }).waitFor()
    for (const name of [
      /^4 Cannot be stored Sam Stopped This person was erased or asked for processing to stop/,
      /^5 Already in this job Hal Here/,
      /^6 Blank – The line has no text/,
    ])
      assert.equal(await page.getByRole('row', { name }).count(), 1, String(name))
    const link = page.getByRole('link', { name: 'Hal Here' })
    assert.equal(await link.getAttribute('href'), `/hiring/applications/${here.id}`)
    assert.deepEqual(await axe(page), [])
    await page.getByRole('button', { name: 'Import 1 line' }).click()
    await page.getByText('Lines: 1 New, 1 Already in this job, 1 Cannot be stored, 1 Invalid, 1 Blank.').waitFor()
    await page.getByRole('link', { name: 'Open the job' }).click()
    await page.getByText('Zoë Élan').first().waitFor()
    assert.equal(await page.getByText('Eve Wrong').count(), 0)
    assert.deepEqual(problems, [])
    await close()
  })

  test('on a phone, in the dark: the page has no wider row than the screen', async () => {
    const { page, problems, close } = await open(`/import?to=candidates&job=${world.job.id}`, {
      width: 390,
      theme: 'dark',
    })
    const table = 'Name,Email\nAda Small,ada.small@browser.example\nBo Small,bo at home'
    await page
      .locator('#import-file')
      .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(table) })
    await page.getByRole('row', { name: /^3 Invalid Bo Small This is not an email address: bo/ }).waitFor()
    assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'))
    assert.deepEqual(await axe(page), [])
    assert.deepEqual(problems, [])
    await close()
  })
})
