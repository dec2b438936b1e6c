import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page, Response } from 'playwright-core'
import { FORMATS, LAYOUTS, PEOPLE } from '../../packages/resume-parser/test/resume-files.ts'
import type { Role } from '../../src/contract/scopes.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { sequenceBatch } from '../../src/kernel/feed/sequencer.ts'
import { parseNext } from '../../src/resources/applications/index.ts'
import { grantCredits } from '../../src/resources/credits/index.ts'
import { apply, newJob, newTenant, upload, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { axe, noBrowser, type OpenOptions, openAs, type Visit } from '../harness/browser.ts'
import { until } from '../harness/receiver.ts'
import { startTestService } from '../harness/service.ts'

const LONG_NAME = 'Maximiliana-Alexandra von Hohenlohe-Waldenburg-Schillingsfürst'

describe('the page of a candidate', { skip: noBrowser }, () => {
  let world: World
  let people: Record<'owner' | 'member' | 'viewer', Person>
  const applications: Record<string, { id: string; applicant_id: string }> = {}

  before(async () => {
    const service = await startTestService({ ROLES: 'api' })
    world = { service, ...(await newTenant(service)) }
    const { db, blobs, log } = service.services
    world.job = await newJob(service, world.workspace, {
      required: ['Go', 'PostgreSQL', 'Rust'],
      preferred: ['Kafka'],
      fields: [
        { id: 'why', type: 'textarea' },
        { id: 'shifts', type: 'boolean' },
      ],
    })
    const person = PEOPLE[0]!
    const cv = (format: string) =>
      FORMATS[format]!.render(LAYOUTS['classic']?.(person) ?? Object.values(LAYOUTS)[0]!(person))
    const add = async (key: string, format: string | undefined, candidate: object = {}, job = world.job) => {
      const mime = format === undefined ? '' : FORMATS[format]!.mime
      const file = format && { resume_upload_id: await upload(world, cv(format), mime, `${key} résumé.${format}`) }
      const answers = job === world.job ? [{ field_id: 'why', value: 'I like bridges.\nAnd rivers.' }] : []
      const more = { ...file, answers: [...answers, ...(answers.length ? [{ field_id: 'shifts', value: true }] : [])] }
      applications[key] = await apply({ ...world, job }, more, {
        first_name: 'Marta',
        last_name: 'Lindqvist',
        ...candidate,
      })
    }
    await add('pdf', 'pdf', { email: 'marta@example.org', phone: '+46 8 123' })
    await add('docx', 'docx', { first_name: 'Daniel', last_name: 'Okafor' })
    await add('none', undefined, { first_name: LONG_NAME, last_name: 'und zu Oberstein' })
    await add('locked', 'pdf', { first_name: 'Inès', last_name: 'Moreau' })
    await add('other', 'pdf', { email: 'marta@example.org' }, await newJob(service, world.workspace))
    while (await parseNext(db, blobs, log));
    const old = sql`app_now() - interval '130 days'`
    await db.query(sql`update applications set applied_at = ${old} where id = ${applications['locked']!.id}`)
    const enter = (role: Role) => signedIn(service, world.workspace, { role, program: 'hiring' })
    people = { owner: await enter('owner'), member: await enter('member'), viewer: await enter('viewer') }
  })

  const open = async (
    key: string,
    who: keyof typeof people = 'owner',
    { query = '?panel=overview', ...opts }: OpenOptions & { query?: string } = {},
  ) => {
    const path = `/hiring/applications/${applications[key]!.id}${query}`
    const window = await openAs(world.service, people[who], path, opts)
    await window.page.locator('.candidate h1').waitFor()
    return window
  }
  const reads = async (who: keyof typeof people) =>
    (
      await world.service.services.db.query(sql<{ field: string }>`
        select field from personal_data_reads where workspace_id = ${world.workspace}
          and acting_user_id = ${people[who].userId} order by id`)
    ).map(({ field }) => field)
  /** Holds back the page's reads of a candidate. */
  const heldBack = (id: string) => {
    const { promise, resolve: respond } = Promise.withResolvers<void>()
    const hold = async ({ page }: Pick<Visit, 'page'>) => {
      await page.route(`**/hiring/api/candidates/${id}`, async route => {
        await promise
        // one that was given up
        await route.continue().catch(() => {})
      })
    }
    return { respond, hold }
  }
  const heading = (page: Page) => page.locator('h1').innerText()

  /** What every view must be: no fault of accessibility, nothing wider than the window, no error. */
  const expectSound = async ({ page, problems }: Visit) => {
    assert.deepEqual(await axe(page), [])
    const wide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
    assert.equal(wide, false, 'wider than the window')
    assert.deepEqual(problems, [])
  }

  test('candidate: an address that no one has confirmed is marked quietly, with what it means; not after the link was used', async () => {
    const { db } = world.service.services
    const set = (unproved: boolean) =>
      db.query(sql`
        update applicants set unproved = ${unproved}
        where workspace_id = ${world.workspace} and id = ${applications['docx']!.applicant_id}`)
    await set(true)
    const { page, problems, close } = await open('docx', 'member')
    const mark = page.getByText('Email address not confirmed')
    const meaning = page.getByText('may be from someone else')
    assert.equal(await meaning.isVisible(), false)
    await mark.click()
    assert.equal(await meaning.isVisible(), true)
    assert.deepEqual(await axe(page), [])
    await set(false)
    await page.reload()
    await page.locator('.candidate h1').waitFor()
    assert.equal(await mark.count(), 0)
    assert.deepEqual(problems, [])
    await close()
  })
  test('candidate: at 1280 pixels the head is 96 pixels high and stays; at 390 no part is off screen, and the résumé is first', async () => {
    const wide = await open('pdf', 'owner', { width: 1280, query: '' })
    const top = wide.page.locator('.candidate-top')
    assert.equal((await top.boundingBox())?.height, 96)
    await wide.page.evaluate("document.querySelector('.candidate-main').style.minHeight = '3000px'")
    await wide.page.evaluate('scrollTo(0, 1500)')
    assert.equal((await top.boundingBox())?.y, 0)
    await wide.page.locator('.history').getByText('applied through').waitFor()
    await expectSound(wide)

    const narrow = await open('pdf', 'owner', { width: 390, query: '' })
    const tabs = narrow.page.getByRole('navigation', { name: 'Parts of this candidate' }).getByRole('link')
    const boxes = await Promise.all(
      (await tabs.all()).map(async tab => ({ name: await tab.innerText(), ...(await tab.boundingBox())! })),
    )
    for (const box of boxes) assert.ok(box.x >= 0 && box.x + box.width <= 390, box.name)
    const [first] = boxes.toSorted((a, b) => a.y - b.y || a.x - b.x)
    assert.equal(first!.name, 'Résumé')
    await expectSound(narrow)
  })

  test('candidate: what a colleague does is in the open activity within two seconds, with who did it', async () => {
    const { id } = await apply(world, { answers: [] }, { first_name: 'Vera', last_name: 'Brandt' })
    applications['watched'] = { id, applicant_id: '' }
    const { page, close } = await open('watched', 'owner', { query: '' })
    await page.locator('.history').getByText('applied through').waitFor()
    const begun = performance.now()
    await people.member.post(`/v1/applications/${id}/move`, { stage_id: world.job.stages[1]! })
    while (await sequenceBatch(world.service.services.db));
    await page.locator('.history').getByText('moved to Screen from Applied').waitFor()
    assert.ok(performance.now() - begun < 2_000, `${performance.now() - begun} ms`)
    await close()
  })

  test('candidate: score, profile, answers, history, other applications; the résumé is read when it is opened, once', async () => {
    const window = await open('pdf')
    const { page } = window
    assert.equal(await heading(page), 'Marta Lindqvist')
    assert.match(await page.getByRole('region', { name: 'Match' }).innerText(), /%[\s\S]*Rust/)
    assert.match(await page.getByRole('region', { name: 'Profile' }).innerText(), /PostgreSQL/)
    await page.getByRole('link', { name: 'Engineer' }).last().waitFor()
    assert.deepEqual(await reads('owner'), [])
    await page.getByRole('link', { name: 'Answers' }).click()
    await page.getByText('And rivers.').waitFor()
    await page.getByRole('link', { name: 'Activity' }).click()
    await page.locator('.history').getByText('applied through').waitFor()
    assert.deepEqual(await reads('owner'), [])

    await page.keyboard.press('f')
    const frame = page.frameLocator('iframe.resume-frame')
    await frame.locator('.page.drawn').first().waitFor()
    assert.match(await frame.locator('.text').first().innerText(), /Nordvind Systems/)
    // neither session nor connection: the document has no origin
    const inside = page.frames().find(one => one.url().endsWith('/resume-viewer'))!
    assert.equal(await inside.evaluate('origin'), 'null')
    assert.match(await inside.evaluate(`fetch('/hiring/api/session').then(() => 'read', () => 'refused')`), /refused/)
    assert.deepEqual(await reads('owner'), ['resume_file'])
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ])
    assert.match(download.suggestedFilename(), /\.pdf$/)
    await page.getByRole('button', { name: 'Close the résumé' }).click()
    await page.getByRole('button', { name: 'Show résumé' }).click()
    await frame.locator('.page.drawn').first().waitFor()
    assert.deepEqual(await reads('owner'), ['resume_file'])
    assert.ok(window.problems.every(problem => problem.includes('/hiring/api/session')))
    await window.close()
  })

  test('candidate: a member reads a .docx file as text, for one unit', async () => {
    const before = (await reads('member')).length
    const window = await open('docx', 'member', { query: '?resume=open' })
    await window.page.locator('.resume-text', { hasText: 'Nordvind Systems' }).waitFor()
    assert.deepEqual((await reads('member')).slice(before), ['resume_file'])
    assert.deepEqual(window.problems, [])
    await window.close()
  })

  test('candidate: a PDF is as wide as it must be to be read at 390 px, and can be made larger and smaller', async () => {
    const window = await open('pdf', 'owner', { width: 390, query: '?resume=open&panel=resume' })
    const { page } = window
    const paper = page.frameLocator('iframe.resume-frame').locator('.page').first()
    const width = async () => Math.round((await paper.boundingBox())?.width ?? 0)
    await page.frameLocator('iframe.resume-frame').locator('.page.drawn').first().waitFor()
    assert.equal(await width(), 600)
    await page.getByRole('button', { name: 'Larger' }).click()
    await until('it is larger', async () => (await width()) === 750)
    await page.getByRole('button', { name: 'Smaller' }).click()
    await page.getByRole('button', { name: 'Smaller' }).click()
    await until('it is smaller', async () => (await width()) === 480)
    await page.frameLocator('iframe.resume-frame').locator('.page.drawn').first().waitFor()
    await expectSound(window)
    await window.close()
  })

  test('candidate: contact details are shown on a click, with phone numbers for owners alone', async () => {
    for (const who of ['owner', 'member'] as const) {
      const before = (await reads(who)).length
      const window = await open('pdf', who)
      const contact = window.page.getByRole('region', { name: 'Contact' })
      assert.ok(!(await contact.innerText()).includes('marta@'))
      await window.page.keyboard.press('c')
      await contact.getByText('marta@example.org').waitFor()
      const text = await contact.innerText()
      assert.equal(text.includes('+46 8 123'), who === 'owner')
      assert.equal(/for owners and admins/.test(text), who === 'member')
      const fields = (await reads(who)).slice(before)
      assert.deepEqual(fields.toSorted(), who === 'owner' ? ['email', 'phone'] : ['email'])
      await expectSound(window)
      await window.close()
    }
  })

  test('candidate: move and reject, each taken back; the reason is kept where someone else was faster', async () => {
    const window = await open('docx', 'member', { expectedStatuses: [409] })
    const { page } = window
    const { id } = applications['docx']!
    const state = async () => (await people.owner.get(`/v1/applications/${id}`)).body
    await page.keyboard.press('m')
    const stages = page.getByRole('dialog', { name: 'Move Daniel Okafor to' })
    // an arrow goes to a stage, and moves no one
    await page.keyboard.press('ArrowDown')
    await stages.getByRole('button', { name: 'Interview' }).and(page.locator(':focus')).waitFor()
    assert.deepEqual(await axe(page), [])
    assert.equal((await state()).stage_id, world.job.stages[0])
    await page.keyboard.press('3')
    await page.getByText('moved to Interview').waitFor()
    assert.equal((await state()).stage_id, world.job.stages[2])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Daniel Okafor is as before.').waitFor()
    assert.equal((await state()).stage_id, world.job.stages[0])

    await page.locator('h1').focus()
    await page.keyboard.press('r')
    const reasons = page.getByRole('dialog', { name: 'Reject Daniel Okafor' })
    await reasons.getByRole('radio', { name: 'Location or work permit' }).waitFor()
    // the first one of a job is chosen by its digit, and not rejected
    await page.keyboard.press('5')
    await reasons.getByText('Press Enter to reject.').waitFor()
    await reasons.getByLabel('Note').fill('Lives too far away')
    assert.deepEqual(await axe(page), [])
    await people.owner.post(`/v1/applications/${id}/move`, { stage_id: world.job.stages[1] })
    await page.getByRole('button', { name: 'Reject' }).last().click()
    await page.getByText('Pia moved Daniel Okafor to Screen. Your change was not made.').waitFor()
    assert.equal(await reasons.getByLabel('Note').inputValue(), 'Lives too far away')
    await page.getByRole('button', { name: 'Reject' }).last().click()
    await page.locator('.page-head .state').getByText('Rejected after Screen').waitFor()
    assert.equal((await state()).rejection_reason, 'Location or work permit: Lives too far away')
    await page.keyboard.press('z')
    await page.locator('.page-head .state').getByText('Screen', { exact: true }).waitFor()
    assert.equal((await state()).status, 'new')
    assert.deepEqual(window.problems, [])
    await window.close()
  })

  test('candidate: reopen, hire with a start date, take back, and withdraw with a reason', async () => {
    const { id } = await apply(world, { answers: [] }, { first_name: 'Noor', last_name: 'Haddad' })
    applications['noor'] = { id, applicant_id: '' }
    await people.owner.post(`/v1/applications/${id}/reject`, { reason: 'x' })
    const window = await open('noor', 'member')
    const { page } = window
    const status = page.locator('.page-head .state')
    await page.getByRole('button', { name: 'Reopen' }).click()
    await status.getByText('Applied', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Hire' }).click()
    const hire = page.getByRole('dialog', { name: 'Hire Noor Haddad' })
    assert.deepEqual(await axe(page), [])
    await hire.getByRole('button', { name: 'Hire' }).click()
    await status.getByText('Hired', { exact: true }).waitFor()
    assert.equal((await people.owner.get(`/v1/applications/${id}`)).body.stage_id, world.job.stages[3])
    // who is hired is neither moved nor withdrawn
    for (const name of ['Move to…', 'Withdraw']) assert.equal(await page.getByRole('button', { name }).count(), 0, name)
    await page.getByRole('button', { name: 'Take back hire' }).click()
    await status.getByText('Applied', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Withdraw' }).click()
    const withdraw = page.getByRole('dialog', { name: 'Withdraw for Noor Haddad' })
    await withdraw.getByRole('radio', { name: 'Another offer' }).check()
    assert.deepEqual(await axe(page), [])
    await withdraw.getByRole('button', { name: 'Withdraw' }).click()
    await status.getByText('Withdrawn after Applied').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Withdraw' }).count(), 0)
    await expectSound(window)
    await window.close()
  })

  test('candidate: next and previous by key and by button, in the order of the board; each résumé that is open costs a unit', async () => {
    const list = encodeURIComponent(`job_id=${world.job.id}&status=new,in_review`)
    const before = (await reads('member')).length
    const window = await open('locked', 'member', { query: `?in=${list}` })
    const { page } = window
    const isShown = (name: string) => page.locator('.candidate[aria-busy="false"] h1', { hasText: name }).waitFor()
    // the oldest, so the last
    await page.locator('.steps button[aria-disabled="false"]', { hasText: 'Previous' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Next' }).getAttribute('aria-disabled'), 'true')
    await page.keyboard.press('k')
    await isShown('Marta Lindqvist')
    await page.keyboard.press('f')
    const frame = page.frameLocator('iframe.resume-frame')
    await frame.locator('.page.drawn').first().waitFor()
    // the keys work while the focus is in the frame, too
    await frame.locator('#pages').focus()
    await page.keyboard.press('k')
    await isShown('Daniel Okafor')
    assert.match(page.url(), /resume=open/)
    await page.locator('.resume-text', { hasText: 'Nordvind Systems' }).waitFor()
    await page.getByRole('button', { name: 'Next' }).click()
    await isShown('Marta Lindqvist')
    await frame.locator('.page.drawn').first().waitFor()
    assert.deepEqual((await reads('member')).slice(before), Array(3).fill('resume_file'))
    await page.getByRole('main').getByRole('link', { name: 'Candidates' }).click()
    await page.waitForURL(`**/hiring/jobs/${world.job.id}?status=new%2Cin_review`)
    assert.deepEqual(window.problems, [])
    await window.close()
  })

  test('candidate: until the next one is there the one before stays in sight, and nothing of them is read or decided', async () => {
    const list = encodeURIComponent(`job_id=${world.job.id}&status=new,in_review`)
    const before = await reads('member')
    const { id } = applications['pdf']!
    const { respond, hold } = heldBack(id)
    // reading ahead is held back as well
    const window = await open('docx', 'member', { query: `?in=${list}`, prepare: hold })
    const { page } = window
    const sent: string[] = []
    page.on('request', request => sent.push(`${request.method()} ${new URL(request.url()).pathname}`))
    await page.locator('.steps button[aria-disabled="false"]', { hasText: 'Next' }).waitFor()
    const asked = page.waitForRequest(`**/hiring/api/candidates/${id}`)
    await page.keyboard.press('j')
    await asked
    const leaving = page.locator('.candidate.stale[inert][aria-busy="true"]')
    await leaving.locator('h1', { hasText: 'Daniel Okafor' }).waitFor()
    // contact details, a tag, a rejection, the résumé
    for (const key of ['c', 't', 'r', 'f']) await page.keyboard.press(key)
    assert.equal(await page.locator('dialog[open]').count(), 0)
    assert.equal(await leaving.locator('.resume-text, iframe, input').count(), 0)
    respond()
    await page.locator('.candidate[aria-busy="false"] h1:focus', { hasText: 'Marta Lindqvist' }).waitFor()
    // the last key was meant for the one who is shown now
    await page.frameLocator('iframe.resume-frame').locator('.page.drawn').first().waitFor()
    assert.deepEqual((await reads('member')).slice(before.length), ['resume_file'])
    assert.deepEqual(
      sent.filter(request => request.startsWith('POST') || request.includes('contact-info')),
      [],
    )
    assert.deepEqual(window.problems, [])
    await window.close()
  })

  test('candidate: the next one is read ahead, without a unit, and shown before a response; what is audited is read when they are shown', async () => {
    const list = encodeURIComponent(`job_id=${world.job.id}&status=new,in_review`)
    const before = (await reads('member')).length
    let ahead: Promise<Response>[] = []
    const { id } = applications['pdf']!
    const window = await open('docx', 'member', {
      query: `?resume=open&in=${list}`,
      prepare: async ({ page }) => {
        ahead = [`/api/candidates/${id}`, `/board/neighbors/${id}`].map(path =>
          page.waitForResponse(response => response.url().includes(path)),
        )
      },
    })
    const { page } = window
    await page.locator('.resume-text', { hasText: 'Nordvind Systems' }).waitFor()
    for (const response of await Promise.all(ahead)) await response.finished()
    await page.evaluate('new Promise(requestIdleCallback)')
    assert.deepEqual((await reads('member')).slice(before), ['resume_file'])

    const { respond, hold } = heldBack(id)
    await hold(window)
    await page.keyboard.press('j')
    await page.locator('.candidate[aria-busy="false"] h1', { hasText: 'Marta Lindqvist' }).waitFor()
    await page.frameLocator('iframe.resume-frame').locator('.page.drawn').first().waitFor()
    assert.deepEqual((await reads('member')).slice(before), Array(2).fill('resume_file'))

    // what changed since is shown as soon as it was read, and the file is not read again
    const owner = people.owner
    const { stages } = world.job
    const move = (stage_id: string) => owner.post(`/v1/applications/${id}/move`, { stage_id })
    assert.equal((await move(stages[1]!)).status, 200)
    respond()
    await page.locator('.candidate-line', { hasText: 'Screen' }).waitFor()
    assert.equal((await move(stages[0]!)).status, 200)
    await page.locator('.candidate-line', { hasText: 'Applied' }).waitFor()
    assert.deepEqual((await reads('member')).slice(before), Array(2).fill('resume_file'))
    assert.deepEqual(window.problems, [])
    await window.close()
  })

  test('candidate: a locked résumé says its price; without credits that is explained, with them it opens', async () => {
    const window = await open('locked', 'member', { expectedStatuses: [402] })
    const { page } = window
    await page.getByText('This résumé is locked').waitFor()
    await page.getByText('The profile is locked').waitFor()
    await expectSound(window)
    await page.getByRole('button', { name: 'Unlock for 50 credits' }).click()
    await page.getByRole('button', { name: 'Pay 50 credits' }).click()
    await page.getByText(/costs 50 credits, and the workspace does not have that many/).waitFor()
    await grantCredits(world.service.services.db, world.workspace, { amount: 60, note: 'Order 4711' })
    await page.getByRole('button', { name: 'Pay 50 credits' }).click()
    await page.getByRole('button', { name: 'Show résumé' }).click()
    await page.frameLocator('iframe.resume-frame').locator('.page.drawn').first().waitFor()
    assert.deepEqual(window.problems, [])
    await window.close()

    const ledger = await open('locked', 'owner')
    await ledger.page.getByRole('link', { name: 'Credits' }).click()
    await ledger.page.getByText('10 credits').first().waitFor()
    await ledger.page.getByRole('row', { name: /Résumé unlocked.*−50/ }).waitFor()
    await ledger.page.getByRole('row', { name: /Order 4711.*\+60/ }).waitFor()
    await expectSound(ledger)
    await ledger.close()
  })

  test('candidate: a person whose processing was stopped: one sentence, and no action but to withdraw or erase', async () => {
    const { id, applicant_id } = await apply(world, { answers: [] }, { first_name: 'Sten', last_name: 'Holm' })
    applications['stopped'] = { id, applicant_id }
    await world.service.services.db.query(
      sql`update applicants set suppressed_at = app_now() where id = ${applicant_id}`,
    )
    const window = await open('stopped', 'owner', { query: '?panel=messages' })
    const { page } = window
    await page.getByText('This person asked that processing stop').waitFor()
    const parts = page.getByRole('navigation', { name: 'Parts of this candidate' }).getByRole('link')
    assert.deepEqual((await parts.allInnerTexts()).slice(0, 2), ['Activity', 'Profile'])
    const buttons = page.locator('.candidate').getByRole('button')
    assert.deepEqual(await buttons.allInnerTexts(), ['Withdraw', ''])
    await page.getByRole('button', { name: 'More' }).click()
    assert.deepEqual(await page.getByRole('menuitem').allInnerTexts(), ['Erase…'])
    await page.keyboard.press('Escape')
    for (const key of ['m', 't', 'c', 'h']) await page.keyboard.press(key)
    assert.equal(await page.getByRole('dialog').count(), 0)
    await page.getByRole('button', { name: 'Withdraw' }).click()
    await page.getByRole('dialog').getByRole('radio', { name: 'Not interested' }).check()
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
    await page.locator('.page-head .state').getByText('Withdrawn').waitFor()
    await expectSound(window)
    await window.close()
  })

  test('candidate: what a viewer may not see is said in its place; no name, no action', async () => {
    const window = await open('pdf', 'viewer')
    const { page } = window
    assert.equal(await heading(page), `Candidate ${applications['pdf']!.id.slice(-4)}`)
    for (const text of ['contact details', 'profiles and résumés', 'does not include résumés'])
      await page.getByText(text).first().waitFor()
    assert.equal(await page.locator('.candidate-actions').count(), 0)
    await page.getByRole('link', { name: 'Answers' }).click()
    await page.getByText('does not include the answers of candidates').waitFor()
    assert.ok(!(await page.content()).includes('Lindqvist'))
    await expectSound(window)
    await window.close()
  })

  test('candidate: an exhausted day is explained where the résumé would be, and costs nothing', async () => {
    const person = await signedIn(world.service, world.workspace, { role: 'owner', program: 'hiring' })
    await world.service.services.db.query(sql`
      insert into personal_data_usage (workspace_id, key_id, day, used)
      values (${world.workspace}, ${person.userId}, app_now()::date, 2000)`)
    const before = people.owner
    people.owner = person
    const window = await open('pdf', 'owner', { query: '?resume=open', expectedStatuses: [429] })
    people.owner = before
    await window.page.getByText(/as many contact details and résumés today/).waitFor()
    assert.deepEqual(window.problems, [])
    await window.close()
  })

  for (const [theme, width] of [
    ['light', 1280],
    ['dark', 390],
  ] as const) {
    test(`candidate: sound in ${theme}, ${width} px: long name, no résumé; a résumé as text`, async () => {
      const window = await open('none', 'owner', { theme, width })
      assert.match(await heading(window.page), /Hohenlohe/)
      await expectSound(window)
      await window.close()
      const text = await open('docx', 'owner', { theme, width, query: '?resume=open&panel=resume' })
      await text.page
        .locator('.resume-text')
        .getByText(/Nordvind/)
        .first()
        .waitFor()
      await expectSound(text)
      await text.close()
    })
  }
})
