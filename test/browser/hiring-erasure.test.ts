import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { beginPlannedErasures, openErasures, runErasure } from '../../src/resources/erasures/index.ts'
import { beginTotp, confirmTotp, pendingTotp } from '../../src/resources/second-factors/index.ts'
import { codeOfStep, stepAt } from '../../src/resources/second-factors/totp-rules.ts'
import { apply, readEvents, startWorld, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { axe, noBrowser, openAs, typeInFocus, untilTrue, type Visit, type VisitOptions } from '../harness/browser.ts'

describe('hiring: erasure and data of a person', { skip: noBrowser }, () => {
  let world: World
  const people = {} as Record<'owner' | 'admin' | 'viewer', Person>

  before(async () => {
    world = await startWorld()
    const enter = (role: keyof typeof people, firstName: string, lastName: string) =>
      signedIn(world.service, world.workspace, { role, firstName, lastName, program: 'hiring' })
    people.owner = await enter('owner', 'Rosalind', 'Acker')
    people.admin = await enter('admin', 'Devika', 'Menondas')
    people.viewer = await enter('viewer', 'Osei', 'Bramwell')
    await world.service.services.db.query(
      sql`update career_sites set enabled = true where workspace_id = ${world.workspace}`,
    )
  })
  beforeEach(() => clock.reset())

  const open = (role: keyof typeof people, path: string, opts?: VisitOptions): Promise<Visit> =>
    openAs(world.service, people[role], `/hiring${path}`, opts)
  const candidate = async (lastName = 'Corvantes') => {
    const { id } = await apply(world, {}, { first_name: 'Zoë', last_name: lastName })
    return { id: id as string, path: `/applications/${id}?panel=activity` }
  }
  const erasureOf = async (id: string) => (await people.owner.get(`/candidates/${id}`)).body.erasure
  /** The time to undo is over; live pages hear of it when the events are in order. */
  async function begin() {
    clock.advance(60_000)
    await beginPlannedErasures(world.service.services.db)
    await readEvents(world, world.workspace)
  }
  async function run() {
    const { services } = world.service
    for (const { id } of await services.db.query(openErasures())) await runErasure(services, id)
    await readEvents(world, world.workspace)
  }
  /** The labels of the menu, which closes again. */
  async function choices({ page }: Visit): Promise<string[]> {
    // keys act when the candidate is there
    await page.getByRole('button', { name: 'More' }).waitFor()
    await page.keyboard.press('.')
    await page.getByRole('menuitem').first().waitFor()
    const labels = await page.getByRole('menuitem').allInnerTexts()
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    return labels.map(label => label.split('\n')[0]!)
  }

  test('erasure: four keys and the last name; the open page of a colleague says so, and then that the person was erased', async () => {
    const { id, path } = await candidate()
    const hers = await open('owner', path, { expectedStatuses: [404] })
    const theirs = await open('admin', path, { expectedStatuses: [404] })
    for (const { page } of [hers, theirs]) await page.getByRole('button', { name: 'More' }).waitFor()
    await hers.page.keyboard.press('.')
    await hers.page.getByRole('menuitem').first().waitFor()
    await hers.page.keyboard.press('e')
    await hers.page.keyboard.press('Enter')
    await typeInFocus(hers.page, 'corvantes')
    await hers.page.getByText(/In this workspace: 1 applicant, 1 application/).waitFor()
    await hers.page.keyboard.press('Enter')
    await hers.page.getByText('Zoë Corvantes is erased in 10 s.').waitFor()
    await hers.page.getByText('Being erased in a few seconds.').waitFor()
    assert.equal((await erasureOf(id)).state, 'planned')

    await begin()
    for (const { page } of [theirs, hers])
      await page.getByText(/^Being erased\. Partners must delete by \d+ \w+ \d{4}\.$/).waitFor()
    await run()
    for (const { page, problems, close } of [theirs, hers]) {
      await page.getByRole('heading', { name: 'The data of this person was erased' }).waitFor()
      assert.equal(await page.locator('main').getByText('Corvantes').count(), 0)
      assert.deepEqual(problems, [])
      await close()
    }
    assert.equal((await people.owner.get(`/candidates/${id}`)).status, 404)
  })

  test('erasure: another name is refused with a sentence; Undo keeps the person, on the page and in the service', async () => {
    const { id, path } = await candidate()
    const { page, problems, close } = await open('owner', path, { expectedStatuses: [400] })
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Erase…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Erase the data of Zoë Corvantes' })
    await typeInFocus(page, 'Corvante')
    await page.keyboard.press('Enter')
    await dialog.getByText('This is not the last name. Type Corvantes.').waitFor()
    assert.equal(await erasureOf(id), null)
    await page.keyboard.press('s')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Zoë Corvantes is as before.').waitFor()
    await page.getByText('Being erased').waitFor({ state: 'detached' })
    assert.equal(await erasureOf(id), null)
    assert.deepEqual(problems, [])
    await close()
  })

  test('erasure: a second factor that was not proved lately is asked for, as in the console; nothing is planned without it', async () => {
    const { db, keyring } = world.service.services
    const owner = await signedIn(world.service, world.workspace, { role: 'owner', program: 'hiring' })
    const who = { workspace: world.workspace, user: owner.userId }
    await beginTotp(db, keyring, who)
    const secret = (await pendingTotp(db, keyring, who))!
    const [session] = await db.query(sql<{ id: string }>`select id from sessions where user_id = ${owner.userId}`)
    await confirmTotp(db, keyring, who, codeOfStep(secret, stepAt(await db.now())), session!.id)
    const proved = (ago: string) =>
      db.query(sql`update sessions set factor_at = app_now() - ${ago}::interval where id = ${session!.id}`)
    const { id, path } = await candidate()
    await proved('1 hour')
    const window = await openAs(world.service, owner, `/hiring${path}`, { expectedStatuses: [403] })
    const { page } = window
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Stop processing…' }).click()
    await page.getByRole('button', { name: 'Stop processing', exact: true }).click()
    const asked = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await asked.waitFor()
    assert.equal(await erasureOf(id), null)
    await page.keyboard.press('Escape')
    await asked.waitFor({ state: 'detached' })
    await proved('0 seconds')
    await page.getByRole('button', { name: 'Stop processing', exact: true }).click()
    await page.getByText('Processing of Zoë Corvantes stops in 10 s.').waitFor()
    assert.equal((await erasureOf(id)).reason, 'stop_processing')
    await window.close()
  })

  test('stop processing: the page says so; then only an erasure is left, and an admin has nothing to choose; the console links back', async () => {
    const { id, path } = await candidate()
    const hers = await open('owner', path)
    const theirs = await open('admin', path)
    const { page } = hers
    assert.deepEqual((await choices(hers)).slice(-4), [
      'Send their data…',
      'Download all data…',
      'Stop processing…',
      'Erase…',
    ])
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Stop processing…' }).click()
    await page.getByRole('button', { name: 'Stop processing', exact: true }).click()
    await page.getByText('Processing stops in a few seconds.').waitFor()
    await begin()
    for (const one of [hers, theirs]) await one.page.getByText('This person asked that processing stop').waitFor()
    assert.deepEqual(await choices(hers), ['Erase…'])
    const inConsole = await signedIn(world.service, world.workspace, { role: 'owner' })
    const { suppression_id } = await erasureOf(id)
    const console = await openAs(world.service, inConsole, `/console/erasures/${suppression_id}`)
    assert.equal(await console.page.getByRole('link', { name: id }).getAttribute('href'), `/hiring/applications/${id}`)
    await console.close()
    assert.equal(await theirs.page.getByRole('button', { name: 'More' }).count(), 0)
    for (const { problems, close } of [hers, theirs]) {
      assert.deepEqual(problems, [])
      await close()
    }
  })

  test('data of a person: an admin sends the link, with Undo, and asks the owners to erase: they have a task', async () => {
    const { path } = await candidate()
    const theirs = await open('admin', path)
    const { page } = theirs
    const labels = await choices(theirs)
    assert.deepEqual(labels.slice(-2), ['Send their data…', 'Ask an owner to erase…'])
    assert.ok(!labels.includes('Erase…'))
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Send their data…' }).click()
    await page.getByRole('button', { name: 'Send link' }).click()
    await page.getByText('The link leaves in 10 s.').waitFor()
    await page.keyboard.press('z')
    await page.getByText('The link was not sent.').waitFor()

    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Ask an owner to erase…' }).click()
    await page.getByText(/Becomes a note with a task for .*Rosalind Acker/).waitFor()
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
    await page.getByText('The owners were asked.').waitFor()
    assert.deepEqual(theirs.problems, [])
    await theirs.close()
    const hers = await open('owner', '/tasks')
    const task = hers.page.getByRole('listitem').filter({ hasText: 'Please erase the data of this person.' })
    await task.getByRole('link', { name: 'Zoë Corvantes' }).click()
    await hers.page.getByText('Please erase the data of this person.').waitFor()
    await hers.close()

    const viewer = await open('viewer', path)
    assert.equal(await viewer.page.getByRole('button', { name: 'More' }).count(), 0)
    await viewer.close()
  })

  test('data of a person: an owner downloads a ZIP; the stream says who did', async () => {
    const { path } = await candidate()
    const { page, problems, close } = await open('owner', path)
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Download all data…' }).click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download ZIP' }).click(),
    ])
    assert.match(file.suggestedFilename(), /^data-\w+\.zip$/)
    await page.reload()
    await page.getByRole('list', { name: 'Activity' }).getByText('downloaded all data of the person').waitFor()
    await page.getByRole('list', { name: 'Activity' }).getByText('Rosalind Acker').waitFor()
    assert.deepEqual(problems, [])
    await close()
  })

  for (const [theme, width] of [
    ['light', 1280],
    ['dark', 390],
  ] as const) {
    test(`erasure: ${theme}, ${width} pixels wide: menu, dialogs and states have no serious accessibility issue and no overflow`, async () => {
      const { path } = await candidate('Corvantes-Wolkenstein von Hohenberg')
      const { page, problems, close } = await open('owner', path, { theme, width })
      const check = async (name: string) => {
        assert.deepEqual(await axe(page), [], name)
        assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false, name)
        const folder = process.env['PICTURES']
        if (folder) await page.screenshot({ path: `${folder}-${name}-${theme}-${width}.png` })
      }
      await page.getByRole('button', { name: 'More' }).click()
      await page.getByRole('menuitem', { name: 'Erase…' }).waitFor()
      await check('menu')
      await page.keyboard.press('Escape')
      for (const [label, name] of [
        ['Send their data…', 'send'],
        ['Download all data…', 'download'],
        ['Stop processing…', 'stop'],
        ['Erase…', 'erase'],
      ] as const) {
        await page.getByRole('button', { name: 'More' }).click()
        await page.getByRole('menuitem', { name: label }).click()
        await page.getByRole('dialog').waitFor()
        await untilTrue(page, "!document.querySelector('dialog .skeleton')")
        if (name === 'erase') {
          await page.getByText(/In this workspace/).waitFor()
          await page.getByLabel('Type the last name to confirm').fill('Corvantes-Wolkenstein von Hohenberg')
        }
        await check(name)
        await page.keyboard.press(name === 'erase' ? 'Enter' : 'Escape')
        await page.getByRole('dialog').waitFor({ state: 'detached' })
      }
      await page.getByText('Being erased in a few seconds.').waitFor()
      await check('planned')
      assert.deepEqual(problems, [])
      await close()
    })
  }
})
