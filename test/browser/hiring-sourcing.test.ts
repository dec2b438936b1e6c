import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { IMPORT_LIMITS } from '../../src/contract/limits.ts'
import { grantCredits } from '../../src/resources/credits/index.ts'
import { SESSION_COOKIE } from '../../src/sign-in/sessions.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { axe, choose, inBothThemes, noBrowser, type Visit, type VisitOptions, visit } from '../harness/browser.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { addProfile } from '../lists/fixture.ts'
import { load } from '../pool/fixture.ts'

describe('sourcing in the hiring pages', { skip: noBrowser }, () => {
  let service: TestService
  let workspace: string
  let owner: Person
  let member: Person
  let viewer: Person

  before(async () => {
    service = await startTestService()
    workspace = (await service.workspace('starter', 'Acme Robotics')).id
    const enter = (role: 'owner' | 'member' | 'viewer') => signedIn(service, workspace, { role, program: 'hiring' })
    owner = await enter('owner')
    member = await enter('member')
    viewer = await enter('viewer')
    await grantCredits(service.services.db, workspace, { amount: 15, note: 'test' })
    await load(service, [
      { full_name: 'Ida Weld', job_title: 'Welder', company_name: 'Rivet', skills: ['TIG', 'MIG'] },
      { full_name: 'Odo Brand', job_title: 'Welder', company_name: 'Forge', skills: ['TIG'] },
      { full_name: 'Una Turner', job_title: 'Turner', company_name: 'Lathe', skills: ['CNC'] },
      {
        full_name: 'Ivo Coder',
        job_title: 'Developer',
        company_name: 'Bits',
        skills: ['Debugging', 'Java', 'JavaScript', 'Machine learning', 'Learning design'],
      },
    ])
  })

  const open = async (person: Person, path: string, opts?: VisitOptions): Promise<Visit> => {
    const window = await visit(service.origin, opts)
    const cookie = { name: SESSION_COOKIE, value: person.cookie.split('=')[1]!, url: service.origin }
    await window.context.addCookies([cookie])
    await window.page.goto(`/hiring${path}`)
    await window.page.locator('h1').waitFor()
    return window
  }

  const dialog = (page: Page) => page.getByRole('dialog')

  /** A list with people in it, made without the pages. */
  async function listOf(name: string, people: readonly string[]): Promise<string> {
    const { body: list } = await member.post('/v1/lists', { name })
    const ids: string[] = []
    for (const person of people) ids.push(await addProfile(service, workspace, person))
    const members = ids.map(sourced_profile_id => ({ sourced_profile_id }))
    if (ids.length > 0) await member.post(`/v1/lists/${list.id}/members`, { members })
    return list.id
  }

  test('pool: a search is ranked and in the address; two people are saved to a new list of a new project', async () => {
    const { page, problems, close } = await open(member, '/pool')
    await page.getByText('Describe the person').waitFor()
    await page.getByLabel('Who are you looking for?').fill('welder')
    await page.getByRole('textbox', { name: 'Skills' }).fill('tig')
    await page.getByRole('button', { name: 'Search', exact: true }).last().click()
    await page.getByRole('button', { name: 'Ida Weld' }).waitFor()
    assert.match(page.url(), /q=welder&skills=tig/)
    assert.equal(await page.getByRole('button', { name: 'Una Turner' }).count(), 0)
    await page.getByLabel('All', { exact: true }).check()
    await page.getByRole('button', { name: 'Save to a list' }).click()
    // there is no list yet, so the dialog asks for a new one
    await dialog(page).getByRole('button', { name: 'New list' }).click()
    await dialog(page).getByLabel('Name of the list').fill('Welders')
    await choose(dialog(page).getByLabel('Project'), 'New project…')
    await dialog(page).getByLabel('Name of the project').fill('Hall 3')
    await dialog(page).getByRole('button', { name: 'Save' }).click()
    await page.getByText('2 people saved to Welders').waitFor()
    await page.getByRole('link', { name: 'Saved' }).first().waitFor()
    const saved = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'Saved' }) })
    await saved.first().getByRole('button', { name: 'Add to a list' }).waitFor()
    assert.equal(await saved.first().getByRole('button', { name: 'Save', exact: true }).count(), 0)
    await page.getByRole('button', { name: 'Open list' }).click()
    await page.getByRole('heading', { name: 'Welders' }).waitFor()
    const column = page.getByRole('region', { name: 'No stage' })
    await column.getByRole('link', { name: 'Ida Weld' }).waitFor()
    assert.deepEqual(await axe(page), [])
    await page.goBack()
    await page.getByRole('button', { name: 'Ida Weld' }).waitFor()
    assert.equal(await page.getByRole('textbox', { name: 'Skills' }).inputValue(), 'tig')
    assert.deepEqual(await axe(page), [])
    assert.deepEqual(problems, [])
    await close()
  })

  test('pool: after Enter the first result has the focus, and its keys act; with no result the cursor is in the field', async () => {
    const { page, problems, close } = await open(member, '/pool')
    const query = page.getByLabel('Who are you looking for?')
    const focused = (name: string) => page.locator('.row-button:focus', { hasText: name }).waitFor()
    await query.fill('welder TIG')
    await page.keyboard.press('Enter')
    await page.locator('.result .row-button:focus').waitFor()
    const names = await page.locator('.result .row-button').allInnerTexts()
    for (const key of ['j', 'x']) await page.keyboard.press(key)
    await focused(names[1]!)
    await page.getByText('1 selected').waitFor()
    assert.equal(await query.inputValue(), 'welder TIG')
    // the same search again
    await query.press('Enter')
    await focused(names[0]!)
    await query.fill('nobodywiththisname')
    await page.keyboard.press('Enter')
    await page.getByText('No one matches').waitFor()
    await page.locator('.pool-query input:focus').waitFor()
    assert.deepEqual(problems, [])
    await close()
  })

  test('pool: skills are marked where they have the words of the search, and not a part of a word', async () => {
    const { page, problems, close } = await open(member, '/pool?q=developer+in+java&skills=machine+learning')
    const marked = () => page.locator('.skill-list .match').allInnerTexts()
    await page.getByRole('button', { name: 'Ivo Coder' }).waitFor()
    assert.deepEqual(await marked(), ['Java', 'Machine learning'])
    assert.deepEqual(problems, [])
    await close()
  })

  test('list: a new label, a move by keyboard and its undo; another person sees it after reading again', async () => {
    const id = await listOf('Fitters', ['Ann Able', 'Bob Best'])
    const first = await open(member, `/lists/${id}`)
    const second = await open(owner, `/lists/${id}?view=table`)
    const { page } = first
    const column = (name: string) => page.getByRole('region', { name, exact: true })
    await column('No stage').getByLabel('Select Ann Able').check()
    await choose(page.getByLabel('Stage of the selected people'), 'New label…')
    await dialog(page).getByLabel('Label').fill('Call back')
    await page.keyboard.press('Enter')
    await column('Call back').getByRole('link', { name: 'Ann Able' }).waitFor()
    await second.page.reload()
    await choose(second.page.getByLabel('Stage of Bob Best'), 'Call back')
    await second.page.getByText('1 person: Call back').waitFor()
    await second.page.getByRole('button', { name: 'Undo' }).click()
    await second.page
      .locator('select[aria-label="Stage of Bob Best"] option:checked', { hasText: 'No stage' })
      .waitFor({
        state: 'attached',
      })
    await page.reload()
    await column('No stage').getByRole('link', { name: 'Bob Best' }).waitFor()
    const { data } = (await member.get(`/sourcing/lists/${id}/members?stage=Call%20back`)).body
    assert.deepEqual(
      data.map((row: { person: { full_name: string } }) => row.person.full_name),
      ['Ann Able'],
    )
    assert.deepEqual([...first.problems, ...second.problems], [])
    await first.close()
    await second.close()
  })

  test('list: a card is dragged to a stage; people are removed and taken back; the list is archived', async () => {
    const id = await listOf('Turners', ['Cy Cole', 'Dan Dole'])
    const { page, problems, close } = await open(member, `/lists/${id}`)
    const column = (name: string) => page.getByRole('region', { name, exact: true })
    await column('No stage').locator('.list-card', { hasText: 'Cy Cole' }).dragTo(column('Requested'))
    await column('Requested').getByRole('link', { name: 'Cy Cole' }).waitFor()
    await page.getByText('1 person: Requested').waitFor()
    await page.getByRole('button', { name: 'Table' }).click()
    await page.getByLabel('Select all').check()
    await page.getByText('2 people selected').waitFor()
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('No one is in this list yet').waitFor()
    await page.getByRole('button', { name: 'Undo' }).last().click()
    const stage = page.getByLabel('Stage of Cy Cole')
    await stage.waitFor()
    assert.equal(await stage.inputValue(), 'requested')
    assert.deepEqual(await axe(page), [])
    await page.getByRole('button', { name: 'Archive' }).click()
    await page.getByText('List archived').waitFor()
    await page.getByRole('link', { name: 'Lists' }).first().click()
    await page.getByRole('heading', { name: 'Lists' }).waitFor()
    await page.getByRole('table', { name: 'Lists' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Turners' }).count(), 0)
    await choose(page.getByLabel('Show'), 'Archived')
    await page.getByRole('link', { name: 'Turners' }).waitFor()
    assert.deepEqual(await axe(page), [])
    assert.deepEqual(problems, [])
    await close()
  })

  test('list board: people are selected and dragged together, or moved by the bar, and Undo moves them back', async () => {
    const id = await listOf('Platers', ['Eve Earl', 'Fay Ford', 'Gus Gray'])
    const { page, problems, close } = await open(member, `/lists/${id}`)
    const column = (name: string) => page.getByRole('region', { name, exact: true })
    const card = (name: string) => page.locator('.list-card', { hasText: name })
    for (const name of ['Eve Earl', 'Fay Ford']) await page.getByLabel(`Select ${name}`).check()
    await page.getByText('2 people selected').waitFor()
    await card('Fay Ford').dragTo(column('Requested'))
    await page.getByText('2 people: Requested').waitFor()
    for (const name of ['Eve Earl', 'Fay Ford']) await column('Requested').getByText(name).waitFor()
    await column('No stage').getByText('Gus Gray').waitFor()
    assert.equal(await page.getByText('2 people selected').count(), 0)
    assert.equal(await page.locator('.list-card select').count(), 0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await column('No stage').getByText('Fay Ford').waitFor()
    await page.getByLabel('Select Gus Gray').check()
    assert.deepEqual(await axe(page), [])
    await choose(page.getByLabel('Stage of the selected people'), 'Requested')
    await column('Requested').getByText('Gus Gray').waitFor()
    assert.deepEqual(problems, [])
    await close()
  })

  test('list board: columns that go on beyond the edge fade there, and the last one ends before it', async () => {
    const id = await listOf('Riveters', ['Eda East'])
    const { page, problems, close } = await open(member, `/lists/${id}`, { width: 900 })
    const board = page.getByRole('region', { name: 'Board' })
    const last = board.locator('.list-column').last()
    await board.getByText('Eda East').waitFor()
    const rightOf = async (element: Locator) => {
      const { x, width } = (await element.boundingBox())!
      return x + width
    }
    const edge = await rightOf(board)
    assert.ok((await rightOf(last)) > edge, 'there are more columns than fit')
    const mask = await board.evaluate(node =>
      node.ownerDocument.defaultView!.getComputedStyle(node).getPropertyValue('mask-image'),
    )
    const [, fade] = /calc\(100% - (\d+)px\), rgba\(0, 0, 0, 0\)\)$/.exec(mask) ?? []
    assert.ok(Number(fade) > 0, mask)
    await board.evaluate(node => node.scrollTo({ left: 1e4, behavior: 'instant' }))
    assert.ok((await rightOf(last)) <= edge - Number(fade), `${await rightOf(last)} of ${edge}`)
    assert.deepEqual(problems, [])
    await close()
  })

  test('list: two people rename it; the second sees it, and loses no entry', async () => {
    const id = await listOf('Painters', [])
    const { page, problems, close } = await open(member, `/lists/${id}`, { expectedStatuses: [409] })
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await dialog(page).getByLabel('Name').fill('Varnishers')
    const seen = { name: 'Painters', description: null }
    assert.equal((await owner.post(`/sourcing/lists/${id}`, { name: 'Sprayers', seen })).status, 200)
    await dialog(page).getByRole('button', { name: 'Save' }).click()
    await dialog(page)
      .getByText(/Someone changed this while you were editing: it is now “Sprayers”/)
      .waitFor()
    assert.equal(await dialog(page).getByLabel('Name').inputValue(), 'Varnishers')
    await dialog(page).getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Varnishers' }).waitFor()
    assert.deepEqual(problems, [])
    await close()
  })

  test('profile: details are revealed for credits, and shown when asked for', async () => {
    const id = await addProfile(service, workspace, 'Eve Early')
    const { page, problems, close } = await open(owner, `/profiles/${id}`, { expectedStatuses: [400] })
    await page.getByText('None yet.').waitFor()
    await page.getByRole('button', { name: 'Add contact details' }).click()
    await dialog(page).getByText('It costs 10 credits, once for this profile.').waitFor()
    await dialog(page).getByLabel('Email address', { exact: true }).fill('eve')
    await dialog(page).getByRole('button', { name: 'Add for 10 credits' }).click()
    await dialog(page).getByText('must be an email address').waitFor()
    await dialog(page).getByLabel('Email address', { exact: true }).fill('eve@early.example')
    await dialog(page).getByRole('button', { name: 'Add for 10 credits' }).click()
    await page.getByText('Contact details stored').waitFor()
    assert.ok(!(await page.content()).includes('eve@early.example'))
    await page.getByRole('button', { name: 'Show contact details' }).click()
    await page.getByText('eve@early.example').waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Show contact details' }).waitFor()
    await page.keyboard.press('c')
    await page.getByText('eve@early.example').waitFor()
    await page.keyboard.press('c')
    await dialog(page).getByText('It costs nothing').waitFor()
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    assert.equal((await owner.get('/credits')).body.balance, 5)
    assert.deepEqual(await axe(page), [])
    assert.deepEqual(problems, [])
    await close()
  })

  test('profile, profiles and import: sources and lists in the words of recruiters, and no command', async () => {
    const id = await addProfile(service, workspace, 'Wim Word')
    const { page, problems, close } = await open(member, `/profiles/${id}`)
    await page.getByText('Not on any list yet.').waitFor()
    await page.getByRole('definition').getByText('Web search', { exact: true }).waitFor()
    await page.goto('/hiring/profiles')
    await choose(page.getByLabel('Source'), 'Web search')
    const row = page.getByRole('row', { name: /Wim Word/ })
    await row.getByRole('cell', { name: 'Web search', exact: true }).waitFor()
    assert.doesNotMatch(await page.locator('main').innerText(), /x-?ray/i)
    await page.goto('/hiring/import')
    await page.getByText('one person in each line').waitFor()
    const large = { name: 'large.csv', mimeType: 'text/csv', buffer: Buffer.alloc(IMPORT_LIMITS.bytes + 1, 'x') }
    await page.locator('#import-file').setInputFiles(large)
    await page.getByText(/^This file has .*Split it into several files\.$/).waitFor()
    assert.doesNotMatch(await page.locator('main').innerText(), /hiring import|sourced-profiles/)
    assert.deepEqual(problems, [])
    await close()
  })

  test('keys: a list is archived, restored and downloaded; l without a selection of profiles says what to do', async () => {
    const id = await listOf('Turners', ['Ida Iron'])
    const { page, problems, close } = await open(member, `/lists/${id}`)
    await page.getByRole('button', { name: 'Archive' }).waitFor()
    await page.keyboard.press('Shift+A')
    await page.getByText('List archived').waitFor()
    await page.getByText('This list is archived.').waitFor()
    await page.keyboard.press('Shift+A')
    await page.getByText('List restored').waitFor()
    await page.getByText('This list is archived.').waitFor({ state: 'detached' })
    const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('d')])
    assert.match(file.url(), /members\.csv$/)
    await page.goto('/hiring/profiles')
    await page.getByRole('link', { name: 'Ida Iron' }).waitFor()
    await page.keyboard.press('l')
    await page.getByText('Select the people to add to a list first.').waitFor()
    assert.equal(await dialog(page).count(), 0)
    assert.deepEqual(problems, [])
    await close()
  })

  test('import: a line without name and LinkedIn URL is skipped; the button counts what is stored', async () => {
    const { page, problems, close } = await open(member, '/import')
    const choose = (rows: string) =>
      page.locator('#import-file').setInputFiles({
        name: 'people.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(`Name,Company,LinkedIn\n${rows}`),
      })
    await choose('Jon Join,Acme,linkedin.com/in/jon-join\n,Acme,\n')
    await page.getByRole('row', { name: /^3 Skipped .*it has neither Full name nor LinkedIn URL/ }).waitFor()
    await page.getByRole('button', { name: 'Import 1 line' }).click()
    await page.getByText('Lines: 1 created, 0 updated, 0 unchanged, 1 skipped').waitFor()
    await page.getByRole('button', { name: 'Import another file' }).click()
    await choose('Jon Join,Acme,linkedin.com/in/jon-join\n')
    await page.getByRole('row', { name: /^2 Unchanged/ }).waitFor()
    assert.ok(await page.getByRole('button', { name: 'Nothing to import' }).isDisabled())
    assert.deepEqual(problems, [])
    await close()
  })

  test('import: the check shows each line, a column is mapped by hand, and the people are in the list', async () => {
    const id = await listOf('Imported people', [])
    const { page, problems, close } = await open(member, `/import?list=${id}`)
    const table = 'Name;Who do they work for;LinkedIn\nFay Fine;Acme;linkedin.com/in/fay-fine\nGus;;javascript:x\n\n'
    const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(table) }
    await page.locator('#import-file').setInputFiles(file)
    await page.getByRole('row', { name: /Gus LinkedIn URL must be an http or https URL/ }).waitFor()
    await page.getByRole('row', { name: /^4 Skipped .*The line has no text\./ }).waitFor()
    await choose(page.getByLabel('Who do they work for'), 'Company name')
    await page.getByRole('button', { name: 'Import 1 line' }).click()
    await page
      .getByText('Lines: 1 created, 0 updated, 0 unchanged, 2 skipped (1 could not be read, 1 without text).')
      .waitFor()
    assert.deepEqual(await axe(page), [])
    await page.getByRole('link', { name: 'Open the list' }).click()
    await page.getByRole('link', { name: 'Fay Fine' }).click()
    await page.getByRole('heading', { name: 'Fay Fine' }).waitFor()
    await page.getByRole('definition').getByText('Acme', { exact: true }).waitFor()
    assert.deepEqual(problems, [])
    await close()
  })

  test('import: columns that are chosen during a check are checked, too, before they can be imported', async () => {
    const { page, problems, close } = await open(member, '/import')
    const table = 'Name,Where,What,LinkedIn\nIda Quick,Acme,Welder,linkedin.com/in/ida-quick\n'
    const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(table) }
    await page.locator('#import-file').setInputFiles(file)
    await page.getByRole('row', { name: /^2 New/ }).waitFor()
    let release = () => {}
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    const checks: string[] = []
    await page.route('**/sourcing/import/check', async route => {
      checks.push(route.request().postData() ?? '')
      await held
      await route.continue()
    })
    await choose(page.getByLabel('Where'), 'Company name')
    await choose(page.getByLabel('What'), 'Job title')
    assert.ok(await page.getByRole('button', { name: 'Import 1 line' }).isDisabled())
    release()
    await page.getByRole('button', { name: 'Import 1 line' }).click()
    await page.getByText('Lines: 1 created').waitFor()
    assert.deepEqual(
      checks.map(text => text.split('\n')[0]),
      ['"full_name","company_name","","linkedin_url"', '"full_name","company_name","job_title","linkedin_url"'],
    )
    assert.deepEqual(problems, [])
    await close()
  })

  test('viewer: lists without people, the pool without search, no profiles and no import', async () => {
    const id = await listOf('Secret people', ['Hal Hidden'])
    const { page, problems, close } = await open(viewer, `/lists/${id}?view=table`, { width: 390, theme: 'dark' })
    await page.getByText('Your role shows stages and counts').waitFor()
    await page.getByRole('row', { name: /Candidate No stage/ }).waitFor()
    assert.ok(!(await page.content()).includes('Hal Hidden'))
    assert.deepEqual(await axe(page), [])
    await page.goto('/hiring/pool')
    await page.getByRole('button', { name: 'Ida Weld' }).waitFor()
    assert.equal(await page.getByLabel('Who are you looking for?').count(), 0)
    assert.deepEqual(await axe(page), [])
    for (const path of ['/profiles', '/import']) {
      await page.goto(`/hiring${path}`)
      await page.getByText('Your role does not include this.').waitFor()
    }
    assert.deepEqual(problems, [])
    await close()
  })

  test('sourcing: at 390 pixels nothing is wider than the window, in both themes, without serious faults', async () => {
    const id = await listOf(`A list whose name is ${'long '.repeat(20)}`.trim(), ['Ivy Iris'])
    const { page, problems, close } = await open(owner, '/pool?q=welder', { width: 390 })
    for (const path of ['/pool?q=welder', '/profiles', '/lists', `/lists/${id}`, '/import']) {
      await page.goto(`/hiring${path}`)
      await page.locator('.results, table.rows, .list-card, .drop').first().waitFor()
      await inBothThemes(page, async theme => {
        const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        assert.ok((beyond as number) <= 0, `${path} ${theme}: ${beyond} pixels too wide`)
        assert.deepEqual(await axe(page), [], `${path} ${theme}`)
      })
    }
    assert.deepEqual(problems, [])
    await close()
  })
})
