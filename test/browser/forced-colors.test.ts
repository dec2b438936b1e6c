import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { apply, newJob, newTenant, type World } from '../applications/setup.ts'
import { DETAILS, newFormJob, newSite } from '../careers/application-form.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { noBrowser, openAs, visit } from '../harness/browser.ts'
import { startTestService } from '../harness/service.ts'

/** A line is as wide as WCAG 2.4.13 asks of the focus; a part of it has the contrast of 1.4.11 to what was there. */
const MIN_WIDTH = 2
const MIN_CONTRAST = 3

/** Runs in the page. The pictures are 12 by 12 pixels; the line that is upright is crossed from left to right. */
const measureLine = `async (before, after, isUpright, minContrast) => {
  const luminances = async picture => {
    const image = await createImageBitmap(new Blob([Uint8Array.from(atob(picture), sign => sign.charCodeAt(0))]))
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d')
    context.drawImage(image, 0, 0)
    const linear = value => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
    return Array.from({ length: 12 }, (_, i) => {
      const [red, green, blue] = context.getImageData(isUpright ? i : 6, isUpright ? 6 : i, 1, 1).data
      return 0.2126 * linear(red / 255) + 0.7152 * linear(green / 255) + 0.0722 * linear(blue / 255)
    })
  }
  const [from, to] = [await luminances(before), await luminances(after)]
  const contrast = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
  const changes = from.map((value, i) => contrast(value, to[i])).filter(change => change > 1)
  return Math.max(...changes) >= minContrast ? changes.length : 0
}`

/** Windows shows every page in a few colors of the person's choice, without shadows and without backgrounds. */
describe('forced colors', { skip: noBrowser }, () => {
  let world: World
  let member: Person

  before(async () => {
    const service = await startTestService({ ROLES: 'api' })
    world = { service, ...(await newTenant(service)) }
    member = await signedIn(service, world.workspace, { role: 'member', program: 'hiring' })
  })

  /** Pictures of the middle of each of an element's four sides, where a line around it shows. */
  async function sidesOf(page: Page, element: Locator): Promise<string[]> {
    await element.scrollIntoViewIfNeeded()
    const { x, y, width, height } = (await element.boundingBox())!
    const squares = [
      { x, y: y + height / 2 },
      { x: x + width, y: y + height / 2 },
      { x: x + width / 2, y },
      { x: x + width / 2, y: y + height },
    ].map(middle => ({ x: Math.max(0, middle.x - 6), y: Math.max(0, middle.y - 6), width: 12, height: 12 }))
    const pictures: string[] = []
    for (const clip of squares) pictures.push((await page.screenshot({ clip, caret: 'hide' })).toString('base64'))
    return pictures
  }

  /** Returns the width of the line that only one of two such pictures has; 0 where it can hardly be seen. */
  const widthOfLine = (page: Page, ...pictures: [before: string, after: string, isUpright: boolean]): Promise<number> =>
    page.evaluate(`(${measureLine})(...${JSON.stringify([...pictures, MIN_CONTRAST])})`)

  /** Asserts that a change draws or removes a line on all four sides. The pointer is elsewhere, so that it shows nothing. */
  async function isSeen(page: Page, element: Locator, change: () => Promise<unknown>, what: string): Promise<void> {
    await page.mouse.move(0, 0)
    const before = await sidesOf(page, element)
    await change()
    const after = await sidesOf(page, element)
    const widths = []
    for (const [side, picture] of after.entries())
      widths.push(await widthOfLine(page, before[side]!, picture, side < 2))
    assert.ok(Math.min(...widths) >= MIN_WIDTH, `${what}: left, right, top and bottom are ${widths} pixels wide`)
  }

  const force = (page: Page) => page.emulateMedia({ forcedColors: 'active' })

  test('board in forced colors: the card with the focus, the selected card and the tab of the page are visible', async () => {
    const job = await newJob(world.service, world.workspace)
    const own = { ...world, job }
    await apply(own, {}, { first_name: 'Bea', last_name: 'Brook' })
    const ada = await apply(own, {}, { first_name: 'Ada', last_name: 'Abel' })
    const { page, problems, close } = await openAs(world.service, member, `/hiring/jobs/${job.id}`, {
      prepare: ({ page }) => force(page),
    })
    const link = page.locator(`[data-card="${ada.id}"]`)
    const card = page.locator('.board-card', { hasText: 'Ada Abel' })
    await isSeen(page, card, () => link.focus(), 'focus of a card')
    await page.locator('.board-card', { hasText: 'Bea Brook' }).getByRole('link').focus()
    await isSeen(page, card, () => card.evaluate(element => element.classList.add('selected')), 'a selected card')
    const [current, other] = await Promise.all(
      ['[aria-current="page"]', ':not([aria-current])'].map(kind =>
        page.evaluate(`getComputedStyle(document.querySelector('.tabs a${kind}')).outlineStyle`),
      ),
    )
    assert.deepEqual([current, other], ['solid', 'none'])

    await page.keyboard.press('Control+k')
    const options = page.locator('.palette [role=option]')
    await options.nth(1).waitFor()
    const chooseNext = async () => {
      await page.keyboard.press('ArrowDown')
      await page.locator('.palette [role=option]:not(:nth-child(2))[aria-selected=true]').waitFor()
    }
    await isSeen(page, options.first(), chooseNext, 'the entry that Enter opens')
    assert.deepEqual(problems, [])
    await close()
  })

  test('import in forced colors: the focus of the file chooser is visible', async () => {
    const { page, problems, close } = await openAs(world.service, member, '/hiring/import', {
      prepare: ({ page }) => force(page),
    })
    const drop = page.locator('.drop')
    await drop.waitFor()
    await isSeen(page, drop, () => drop.locator('input').focus(), 'focus of the file chooser')
    assert.deepEqual(problems, [])
    await close()
  })

  test('careers form in forced colors: fields and the file chooser show the focus', async () => {
    const site = await newSite(world.service, 'Forced Colors')
    const job = await newFormJob(site, {
      fields: [
        ...DETAILS,
        { label: 'Résumé', type: 'file', candidate_field: 'resume' },
        { label: 'Level', type: 'select', options: ['Junior', 'Senior'] },
      ],
    })
    const { page, problems, close } = await visit(world.service.origin)
    await force(page)
    await page.goto(job.path)
    for (const field of [page.getByLabel('First name'), page.getByLabel('Level')])
      await isSeen(page, field, () => field.focus(), 'focus of a field')
    const drop = page.locator('.drop')
    await isSeen(page, drop, () => drop.locator('input').focus(), 'focus of the file chooser')
    assert.deepEqual(problems, [])
    await close()
  })

  test('reference in forced colors: the chosen language of the samples and its focus are visible', async () => {
    const { page, problems, close } = await visit(world.service.origin)
    await force(page)
    await page.goto('/docs/reference/jobs')
    const labels = page.locator('.languages').first().locator('label')
    const second = labels.nth(1)
    await labels.first().locator('input').focus()
    const chooseNext = async () => {
      await page.keyboard.press('ArrowRight')
      assert.ok(await second.locator('input').isChecked())
    }
    await isSeen(page, second, chooseNext, 'the chosen language with the focus')
    await isSeen(page, second, () => second.locator('input').blur(), 'focus of a language')
    assert.deepEqual(problems, [])
    await close()
  })
})
