import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { sql } from '../../src/kernel/db/sql.ts'
import { apply, type Job, newJob, newTenant, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { axe, choose, inBothThemes, noBrowser, openAs, typeInFocus, type VisitOptions } from '../harness/browser.ts'
import { startTestService } from '../harness/service.ts'
import { addProfile } from '../lists/fixture.ts'
import { load } from '../pool/fixture.ts'

/** People whom the team puts into a job: from résumés, by hand, from the pool, from profiles and from other jobs. */
describe('people put into a job in the hiring pages', { skip: noBrowser }, () => {
  let world: World
  const people = {} as Record<'owner' | 'member' | 'viewer', Person>

  before(async () => {
    const service = await startTestService()
    world = { service, ...(await newTenant(service)) }
    for (const role of ['owner', 'member', 'viewer'] as const)
      people[role] = await signedIn(service, world.workspace, { role, program: 'hiring' })
    await load(service, [
      { full_name: 'Ida Weld', job_title: 'Welder', company_name: 'Rivet', skills: ['TIG', 'MIG'] },
      { full_name: 'Odo Brand', job_title: 'Welder', company_name: 'Forge', skills: ['TIG'] },
    ])
  })

  const db = () => world.service.services.db
  const open = (path: string, { as = people.member, ...opts }: VisitOptions & { as?: Person } = {}) =>
    openAs(world.service, as, `/hiring${path}`, opts)

  /** A job of its own name. */
  async function jobCalled(title: string, status = 'published'): Promise<Job> {
    const job = await newJob(world.service, world.workspace, { status })
    await db().query(sql`update jobs set title = ${title} where workspace_id = ${world.workspace} and id = ${job.id}`)
    return job
  }

  const applicationsIn = async ({ id }: Job) =>
    (await people.owner.get(`/v1/applications?job_id=${id}`)).body.data as {
      id: string
      source: string
      status: string
    }[]

  interface DroppedFile {
    name: string
    bytes: Buffer
  }

  /** Text is read faster than a PDF, of which a busy machine would say that it cannot be read. */
  const cv = (name: string, contact: string): DroppedFile => ({
    name: `${name}.txt`,
    bytes: Buffer.from(`${name}\nEngineer\n${contact}\n\nSKILLS\nTypeScript, PostgreSQL\n`),
  })

  /** Drops files as the hand does, onto what matches. */
  async function drop(page: Page, onto: string, files: readonly DroppedFile[]): Promise<void> {
    const given = files.map(({ name, bytes }) => ({ name, base64: bytes.toString('base64') }))
    const script = `(() => {
      const files = new DataTransfer()
      for (const { name, base64 } of ${JSON.stringify(given)})
        files.items.add(new File([Uint8Array.from(atob(base64), c => c.charCodeAt(0))], name))
      for (const type of ['dragenter', 'dragover', 'drop'])
        document.querySelector(${JSON.stringify(onto)})
          .dispatchEvent(new DragEvent(type, { dataTransfer: files, bubbles: true, cancelable: true }))
    })()`
    await page.evaluate(script)
  }

  const dialog = (page: Page) => page.getByRole('dialog')
  const card = (page: Page, name: string) => page.locator('.board-card').filter({ hasText: name })

  /** Counts what is pressed, and drops; text that is typed into a field does not count. */
  function keysOf(page: Page) {
    const pressed: string[] = []
    const press = async (key: string) => {
      pressed.push(key)
      await page.keyboard.press(key)
    }
    return { pressed, press }
  }

  test('flow: a candidate from a résumé: drop, Enter; the card has name and score, and the same file adds no one', async () => {
    const job = await jobCalled('Drop here')
    await db().query(sql`
      update jobs set skills_required = '["TypeScript"]'::jsonb
      where workspace_id = ${world.workspace} and id = ${job.id}`)
    const { page, problems, close } = await open(`/jobs/${job.id}`)
    await page.locator('.board').waitFor()
    const { pressed, press } = keysOf(page)
    const file = cv('Grace Hopper', 'grace@flow.example | +1 555 010 0200')
    pressed.push('drop')
    await drop(page, '.board', [file])
    await dialog(page).getByRole('button', { name: 'Add 1' }).waitFor()
    const row = dialog(page).locator('.file-row')
    assert.deepEqual(
      await Promise.all(
        ['First name', 'Last name', 'Email'].map(label => row.getByLabel(label, { exact: true }).inputValue()),
      ),
      ['Grace', 'Hopper', 'grace@flow.example'],
    )
    await press('Enter')
    await card(page, 'Grace Hopper').waitFor()
    assert.deepEqual(pressed, ['drop', 'Enter'])
    await dialog(page).waitFor({ state: 'hidden' })
    await card(page, 'Grace Hopper').locator('.score').waitFor()
    const [made] = await applicationsIn(job)
    assert.equal(made?.source, 'team:manual')

    await drop(page, '.board', [file])
    await dialog(page).getByText('Already in this job').waitFor()
    await dialog(page).getByRole('button', { name: 'Add 0' }).waitFor()
    await page.keyboard.press('Enter')
    assert.equal((await applicationsIn(job)).length, 1)
    assert.deepEqual(problems, [])
    await close()
  })

  test('several résumés: each has a line, what is wrong is said there, and the others are added', async () => {
    const job = await jobCalled('Several')
    await people.member.post(`/jobs/${job.id}/candidates`, {
      candidates: [{ first_name: 'Ada', last_name: 'Byron', email: 'ada@several.example' }],
    })
    const other = await jobCalled('Where Bo is known')
    await people.member.post(`/jobs/${other.id}/candidates`, {
      candidates: [{ first_name: 'Bo', last_name: 'Known', email: 'bo@several.example' }],
    })
    const { page, problems, close } = await open(`/jobs/${job.id}`, { width: 1280 })
    await page.locator('.board').waitFor()
    await drop(page, '.board', [
      cv('Cleo Fresh', 'cleo@several.example'),
      cv('Ada Byron', 'ada@several.example'),
      cv('Bo Known', 'bo@several.example'),
      { name: 'broken.pdf', bytes: Buffer.from('%PDF-1.4 broken') },
      { name: 'program.exe', bytes: Buffer.from('MZ') },
    ])
    const row = (text: string) => dialog(page).locator('.file-row').filter({ hasText: text })
    await row('program.exe').getByText('This file is left out').waitFor()
    await row('broken.pdf').getByText('We could not read this file. Enter the name.').waitFor()
    await row('Ada Byron.txt').getByText('Already in this job').waitFor()
    await row('Bo Known.txt').getByText('Known: 1 application').waitFor()
    await inBothThemes(page, async () => {
      assert.deepEqual(await axe(page, 'dialog'), [])
    })
    await dialog(page).getByRole('button', { name: 'Add 3' }).click()
    await dialog(page).getByText('2 candidates added. 1 was not added: see below.').waitFor()
    await row('broken.pdf').getByText('Enter a name.').waitFor()
    // the field that needs something has the focus
    await typeInFocus(page, 'Dot')
    await row('broken.pdf').getByLabel('Email', { exact: true }).fill('dot@several.example')
    await dialog(page).getByRole('button', { name: 'Add 1' }).click()
    await dialog(page).getByText('3 candidates added.').waitFor()
    assert.deepEqual((await applicationsIn(job)).length, 4)
    await page.keyboard.press('Escape')
    await card(page, 'Cleo Fresh').waitFor()
    assert.deepEqual(problems, [])
    await close()
  })

  test('more than 20 files: the first 20 are read, and the page says so', async () => {
    const job = await jobCalled('Too many')
    const { page, close } = await open(`/jobs/${job.id}`)
    await page.locator('.board').waitFor()
    const files = Array.from({ length: 21 }, (_, i) => ({ name: `${i}.exe`, bytes: Buffer.from('MZ') }))
    await drop(page, '.board', files)
    await dialog(page).getByText('At most 20 files at the same time').waitFor()
    assert.equal(await dialog(page).locator('.file-row').count(), 20)
    await close()
  })

  test('by hand: n, the fields, Enter; faults are at their fields, and a note, tags, source and stage are stored', async () => {
    const job = await jobCalled('By hand')
    const { page, problems, close } = await open(`/jobs/${job.id}`)
    await page.getByText('No candidates yet.').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Add candidate' }).count(), 2)
    await page.keyboard.press('n')
    await typeInFocus(page, 'Ada')
    await page.keyboard.press('Enter')
    await dialog(page).getByText('Enter an email address, a phone number or a LinkedIn URL.').waitFor()
    await dialog(page).getByLabel('Last name').fill('Byron')
    await dialog(page).getByLabel('Email', { exact: true }).fill('ada at home')
    await dialog(page).getByLabel('LinkedIn URL').fill('https://example.com/ada')
    await dialog(page).getByRole('button', { name: 'Add candidate' }).click()
    await dialog(page).getByText('This is not an email address.').waitFor()
    await dialog(page).getByText('This is not a LinkedIn URL').waitFor()
    await inBothThemes(page, async () => {
      assert.deepEqual(await axe(page, 'dialog'), [])
    })
    await dialog(page).getByLabel('Email', { exact: true }).fill('ada@hand.example')
    await dialog(page).getByLabel('LinkedIn URL').fill('')
    await choose(dialog(page).getByLabel('Stage'), 'Interview')
    await choose(dialog(page).getByLabel('Source'), 'Referral')
    await dialog(page).getByLabel('Tags').fill('CAN bus, Lyon')
    await dialog(page).getByLabel('Note').fill('Met in Lyon.')
    await dialog(page).getByLabel('Last name').press('Enter')
    await page.getByText('Ada Byron added.').waitFor()
    await page.locator(`[data-stage="${job.stages[2]}"] .board-card`).filter({ hasText: 'Ada Byron' }).waitFor()
    const [made] = await applicationsIn(job)
    assert.equal(made?.source, 'team:referral')
    const notes = (await people.member.get(`/applications/${made!.id}/notes`)).body.data
    assert.equal(notes[0].body, 'Met in Lyon.')
    const tags = await people.member.get(`/tags/of-applications?application_ids=${made!.id}`)
    assert.deepEqual(tags.body.tags[made!.id].toSorted(), ['CAN bus', 'Lyon'])
    assert.deepEqual(problems, [])
    await close()
  })

  test('by hand: a résumé fills what is empty; who is in the job already is said before and after, with a link', async () => {
    const job = await jobCalled('Résumé in the form')
    const [here] = (
      await people.member.post(`/jobs/${job.id}/candidates`, {
        candidates: [{ first_name: 'Ada', last_name: 'Byron', email: 'ada@form.example' }],
      })
    ).body.results
    const { page, problems, close } = await open(`/jobs/${job.id}`)
    await card(page, 'Ada Byron').waitFor()
    await page.keyboard.press('n')
    await typeInFocus(page, 'Augusta')
    const file = cv('Ada Byron', 'ada@form.example')
    await dialog(page)
      .locator('input[type=file]')
      .setInputFiles({ name: file.name, mimeType: 'text/plain', buffer: file.bytes })
    await dialog(page).getByText('Check what was read.').waitFor()
    const values = ['First name', 'Last name', 'Email'].map(label =>
      dialog(page).getByLabel(label, { exact: true }).inputValue(),
    )
    assert.deepEqual(await Promise.all(values), ['Augusta', 'Byron', 'ada@form.example'])
    await dialog(page).getByText('Already in this job').waitFor()
    await dialog(page).getByRole('button', { name: 'Add candidate' }).click()
    const link = dialog(page).getByRole('link', { name: 'Open' })
    assert.equal(await link.getAttribute('href'), `/hiring/applications/${here.application_id}`)
    assert.equal((await applicationsIn(job)).length, 1)
    assert.deepEqual(problems, [])
    await close()
  })

  test('by hand: the email to the person is on where there is a template for it, and leaves as it was chosen', async () => {
    const job = await jobCalled('Notified')
    const template = { name: 'We added you', subject: 'About {{job_title}}', body: 'Hello {{first_name}}.' }
    const made = await people.owner.post('/message-templates', { ...template, purpose: 'added_by_us' })
    assert.equal(made.status, 200, made.text)
    const { page, problems, close } = await open(`/jobs/${job.id}`)
    await page.getByText('No candidates yet.').waitFor()
    for (const [name, isNotified] of [
      ['Notified', true],
      ['Silent', false],
    ] as const) {
      await page.keyboard.press('n')
      await typeInFocus(page, name)
      assert.equal(await dialog(page).getByLabel('Tell the person by email').count(), 0)
      await dialog(page).getByLabel('Email', { exact: true }).fill(`${name.toLowerCase()}@notified.example`)
      const box = dialog(page).getByLabel('Tell the person by email')
      await box.waitFor()
      assert.ok(await box.isChecked())
      await dialog(page).getByText('We added you · leaves in 10 s').waitFor()
      if (!isNotified) await box.uncheck()
      await dialog(page).getByLabel('Email', { exact: true }).press('Enter')
      await card(page, name).first().waitFor()
      await dialog(page).waitFor({ state: 'hidden' })
    }
    const messagesOf = async (id: string) =>
      (await people.member.get(`/applications/${id}/activity`)).body.data.filter(
        ({ kind }: { kind: string }) => kind === 'message',
      ).length
    const added = await applicationsIn(job)
    assert.deepEqual((await Promise.all(added.map(({ id }) => messagesOf(id)))).toSorted(), [0, 1])
    assert.deepEqual(problems, [])
    await close()
  })

  test('flow: a pool hit into a job: x, Shift+J, Enter, Enter', async () => {
    const job = await jobCalled('Perception Engineer')
    const { page, problems, close } = await open('/pool?q=welder')
    await page.locator('.row-button').first().waitFor()
    await page.locator('.row-button').first().focus()
    const { pressed, press } = keysOf(page)
    await press('x')
    await press('Shift+J')
    // the last job that was changed comes first
    await dialog(page).getByRole('option', { name: 'Perception Engineer' }).waitFor()
    await press('Enter')
    await dialog(page).getByRole('button', { name: '1 Applied' }).waitFor()
    await press('Enter')
    await page.getByText('added to Perception Engineer.').waitFor()
    assert.deepEqual(pressed, ['x', 'Shift+J', 'Enter', 'Enter'])
    const [made] = await applicationsIn(job)
    assert.equal(made?.source, 'team:sourced')
    await page.getByRole('button', { name: 'Open job' }).click()
    await page.locator('.board-card').waitFor()
    assert.deepEqual(problems, [])
    await close()
  })

  test('from a list, profiles and a profile: Shift+J adds the people, and the profiles stay in their list', async () => {
    const job = await jobCalled('Found people')
    const { body: list } = await people.member.post('/v1/lists', { name: 'Welders' })
    const ids: string[] = []
    for (const name of ['Una List', 'Vera Table', 'Wim Page'])
      ids.push(await addProfile(world.service, world.workspace, name))
    const members = ids.map(sourced_profile_id => ({ sourced_profile_id }))
    await people.member.post(`/v1/lists/${list.id}/members`, { members })
    const { page, problems, close } = await open(`/lists/${list.id}`)
    const addToFound = async () => {
      await page.keyboard.press('Shift+J')
      await dialog(page).getByRole('option').first().waitFor()
      await typeInFocus(page, 'found')
      await page.keyboard.press('Enter')
      await dialog(page).getByRole('button', { name: '1 Applied' }).waitFor()
      await page.keyboard.press('2')
      await page.getByText('added to Found people.').first().waitFor()
      await dialog(page).waitFor({ state: 'hidden' })
    }
    await page.getByLabel('Select Una List').check()
    await addToFound()
    await page.goto(new URL(`/hiring/lists/${list.id}?view=table`, page.url()).href)
    await page.getByLabel('Select Vera Table').check()
    await addToFound()
    await page.goto(new URL(`/hiring/profiles/${ids[2]}`, page.url()).href)
    await page.getByRole('heading', { name: 'Wim Page', level: 1 }).waitFor()
    await addToFound()
    await page.goto(new URL('/hiring/profiles', page.url()).href)
    await page.getByLabel('Select Wim Page').check()
    await page.keyboard.press('Shift+J')
    await page.keyboard.press('Enter')
    await dialog(page).getByRole('button', { name: '1 Applied' }).press('Enter')
    await page.getByText('Already in this job').waitFor()
    const added = await applicationsIn(job)
    assert.deepEqual(
      added.map(({ source }) => source),
      ['team:sourced', 'team:sourced', 'team:sourced'],
    )
    const still = (await people.member.get(`/sourcing/lists/${list.id}`)).body
    assert.equal(still.candidate_count, 3)
    await page.goto(new URL(`/hiring/jobs/${job.id}`, page.url()).href)
    await page.locator(`[data-stage="${job.stages[1]}"] .board-card`).nth(2).waitFor()
    assert.deepEqual(problems, [])
    await close()
  })

  test('from another job: Shift+J on the page of a candidate rejects the old application unless it is kept', async () => {
    const [job, other] = [await jobCalled('First choice'), await jobCalled('Second choice')]
    const own = { ...world, job }
    const ada = await apply(own, {}, { first_name: 'Ada', last_name: 'Kept' })
    const bo = await apply(own, {}, { first_name: 'Bo', last_name: 'Moved' })
    const { page, problems, close } = await open(`/applications/${ada.id}`)
    for (const [id, keep] of [
      [ada.id, true],
      [bo.id, false],
    ] as const) {
      await page.goto(new URL(`/hiring/applications/${id}`, page.url()).href)
      await page.getByRole('button', { name: 'Reject' }).waitFor()
      await page.keyboard.press('Shift+J')
      await typeInFocus(page, 'second')
      assert.equal(await dialog(page).getByRole('option', { name: 'First choice' }).count(), 0)
      await page.keyboard.press('Enter')
      const box = dialog(page).getByLabel('Also keep for First choice')
      await box.waitFor()
      assert.equal(await box.isChecked(), false)
      if (keep) await box.check()
      assert.deepEqual(await axe(page, 'dialog'), [])
      await dialog(page).getByRole('button', { name: '1 Applied' }).press('Enter')
      await page.getByText('added to Second choice.').first().waitFor()
      if (!keep) await page.locator('.candidate-line').getByText('Rejected').waitFor()
    }
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await page.locator('.candidate-line').getByText('Second choice').waitFor()
    const [first, second] = await Promise.all(
      [ada, bo].map(async ({ id }) => (await people.owner.get(`/v1/applications/${id}`)).body),
    )
    assert.deepEqual(
      [first.status, second.status, second.rejection_reason],
      ['new', 'rejected', 'Considered for another job'],
    )
    assert.deepEqual(
      (await applicationsIn(other)).map(({ source }) => source),
      ['team:transfer', 'team:transfer'],
    )
    assert.deepEqual(problems, [])
    await close()
  })

  test('from another job: a selection on the board and on the page Candidates', async () => {
    const [job, other] = [await jobCalled('Many here'), await jobCalled('Many there')]
    const own = { ...world, job }
    for (const last_name of ['One', 'Two', 'Three', 'Four']) await apply(own, {}, { first_name: 'Cy', last_name })
    const { page, problems, close } = await open(`/jobs/${job.id}`)
    const go = async () => {
      await typeInFocus(page, 'many there')
      await page.keyboard.press('Enter')
      await dialog(page).getByRole('button', { name: '1 Applied' }).press('Enter')
    }
    for (const name of ['One', 'Two']) {
      await card(page, name).hover()
      await page.keyboard.press('x')
    }
    await page.keyboard.press('Shift+J')
    await go()
    await page.getByText('2 candidates added to Many there.').waitFor()
    await card(page, 'One').waitFor({ state: 'hidden' })
    await page.goto(new URL(`/hiring/candidates?job_id=${job.id}&status=new`, page.url()).href)
    for (const name of ['Cy Three', 'Cy Four']) await page.getByLabel(`Select ${name}`).check()
    await page.getByRole('button', { name: 'Move to another job…' }).click()
    await go()
    await page.getByText('2 candidates added to Many there.').waitFor()
    assert.equal((await applicationsIn(other)).length, 4)
    assert.deepEqual(problems, [])
    await close()
  })

  test('who adds no one has no button, key or field for files; a closed job says why files are refused', async () => {
    const job = await jobCalled('Closed', 'closed')
    const viewer = await open(`/jobs/${job.id}`, { as: people.viewer })
    await viewer.page.locator('.board-none').waitFor()
    const file = cv('Grace Hopper', 'grace@closed.example')
    await drop(viewer.page, '.board', [file])
    await viewer.page.keyboard.press('n')
    const shown = (page: Page) =>
      Promise.all([dialog(page).count(), page.getByRole('button', { name: 'Add candidate' }).count()])
    assert.deepEqual(await shown(viewer.page), [0, 0])
    await viewer.close()

    const { page, problems, close } = await open(`/jobs/${job.id}`)
    await page.locator('.board-none').waitFor()
    await page.keyboard.press('n')
    assert.deepEqual(await shown(page), [0, 0])
    await drop(page, '.board', [file])
    await page.getByText('The job is closed. Reopen it to add candidates.').waitFor()
    assert.deepEqual(await shown(page), [0, 0])
    assert.deepEqual(problems, [])
    await close()
  })

  test('on a phone, in the dark: form and lines of files fit the screen', async () => {
    const job = await jobCalled('A job with a name that is long')
    const { page, problems, close } = await open(`/jobs/${job.id}`, { width: 390, theme: 'dark' })
    await page.locator('.board').waitFor()
    await page.getByRole('button', { name: 'Add candidate' }).first().click()
    await dialog(page).getByLabel('First name').waitFor()
    assert.deepEqual(await axe(page, 'dialog'), [])
    await page.keyboard.press('Escape')
    await drop(page, '.board', [cv('Grace Hopper', 'grace@phone.example')])
    await dialog(page).getByRole('button', { name: 'Add 1' }).waitFor()
    const isWide = await page.evaluate(
      "[document.documentElement, document.querySelector('dialog')].some(e => e.scrollWidth > e.clientWidth)",
    )
    assert.equal(isWide, false)
    assert.deepEqual(await axe(page, 'dialog'), [])
    assert.deepEqual(problems, [])
    await close()
  })
})
