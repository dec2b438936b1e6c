import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { apply, sharedWorld, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { axe, noBrowser, openAs, untilTrue, type Visit, type VisitOptions } from '../harness/browser.ts'

describe('hiring pages with little width', { skip: noBrowser }, () => {
  let world: World
  let owner: Person

  before(async () => {
    world = await sharedWorld()
    owner = await signedIn(world.service, world.workspace, { role: 'owner', program: 'hiring' })
  })

  const open = (path: string, opts?: VisitOptions): Promise<Visit> =>
    openAs(world.service, owner, `/hiring${path}`, opts)
  const picture = async ({ page }: Visit, name: string) => {
    const folder = process.env['PICTURES']
    if (folder) await page.screenshot({ path: `${folder}-${name}.png` })
  }

  for (const theme of ['light', 'dark'] as const) {
    test(`navigation, ${theme}: [ makes it 52 pixels wide, also after a reload; its links keep their names`, async () => {
      const window = await open('', { theme })
      const { page, problems, close } = window
      const width = async () => (await page.locator('.side').boundingBox())?.width
      assert.equal(await width(), 220)
      await page.keyboard.press('[')
      assert.equal(await width(), 52)
      await page.reload()
      await page.locator('h1').waitFor()
      assert.equal(await width(), 52)
      const main = await page.locator('main').boundingBox()
      assert.ok(main && main.x >= 52 && main.x + main.width <= 1280)
      await page.getByRole('link', { name: 'Candidates', exact: true }).waitFor()
      await page.getByRole('button', { name: 'Expand navigation' }).waitFor()
      assert.deepEqual(await axe(page), [])
      await picture(window, `side-${theme}`)
      await page.getByRole('button', { name: 'Expand navigation' }).click()
      assert.equal(await width(), 220)
      assert.deepEqual(problems, [])
      await close()
    })

    test(`candidate, ${theme}: on a phone the next step is in reach of the thumb, and the rest in the menu`, async () => {
      const { id } = await apply(world, {}, { first_name: 'Maximiliane', last_name: 'von Hohenlohe-Langenburg' })
      const window = await open(`/applications/${id}?panel=activity`, { theme, width: 390, height: 844 })
      const { page, problems, close } = window
      const advance = page.getByRole('button', { name: 'Advance to Screen' })
      const box = (await advance.boundingBox())!
      assert.ok(box.y > 844 - 64 && box.height >= 44, JSON.stringify(box))
      await page.getByRole('button', { name: 'More' }).click()
      const items = (await page.getByRole('menuitem').allInnerTexts()).map(item => item.split('\n')[0])
      assert.deepEqual(items.slice(0, 4), ['Move to…', 'Hire', 'Withdraw', 'Plan interview…'])
      await picture(window, `phone-menu-${theme}`)
      await page.keyboard.press('Escape')
      assert.deepEqual(await axe(page), [])
      await picture(window, `phone-${theme}`)
      await advance.click()
      await page
        .getByText(/moved to Screen/)
        .first()
        .waitFor()
      const bar = (await page.locator('.candidate-actions').boundingBox())!
      const toast = (await page.locator('.toast').first().boundingBox())!
      assert.ok(toast.y + toast.height <= bar.y, 'the message covers no button')
      await untilTrue(page, 'document.documentElement.scrollWidth <= innerWidth')
      assert.deepEqual(problems, [])
      await close()
    })
  }
})
