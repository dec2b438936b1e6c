import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apply, sharedWorld } from '../applications/setup.ts'
import { signedIn } from '../console/setup.ts'
import { axe, noBrowser, openAs } from '../harness/browser.ts'

/** Words of the candidate's page that German does not have. */
const ENGLISH = /\b(?:the|and|with|Activity|Profile|Answers|Notes|Files|Show|applied|Reject|Previous|Next)\b/

for (const [theme, width] of [
  ['light', 1280],
  ['dark', 390],
] as const) {
  test(`candidate in German, ${theme}, ${width} pixels: head, parts, profile, answers and files have no English word`, {
    skip: noBrowser,
  }, async () => {
    const world = await sharedWorld()
    const owner = await signedIn(world.service, world.workspace, { role: 'owner', program: 'hiring' })
    const { id } = await apply(world, {}, { first_name: 'Jörg', last_name: 'Müller' })
    const { page, problems, close } = await openAs(world.service, owner, `/hiring/applications/${id}`, {
      theme,
      width,
      prepare: ({ context }) => context.setExtraHTTPHeaders({ 'Accept-Language': 'de' }),
    })
    const parts = page.getByRole('navigation', { name: 'Teile dieser Bewerbung' })
    await parts.waitFor()
    assert.equal(await page.locator('html').getAttribute('lang'), 'de')
    for (const part of ['Verlauf', 'Profil', 'Antworten', 'Dateien']) {
      await parts.getByRole('link', { name: part }).click()
      await parts.locator('[aria-current]').filter({ hasText: part }).waitFor()
      const text = [
        await page.locator('.candidate-top').innerText(),
        await page.locator('.candidate-panel').innerText(),
      ].join('\n')
      // contact details are not translated yet
      const shown = text.replace(/Kontakt[\s\S]*?(?=Profil)|Contact[\s\S]*?(?=Profil)/, '')
      assert.doesNotMatch(shown, ENGLISH, part)
      const folder = process.env['PICTURES']
      if (folder) await page.screenshot({ path: `${folder}-${part}-${width}.png` })
    }
    assert.deepEqual(await axe(page), [])
    assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false)
    assert.deepEqual(problems, [])
    await close()
  })
}
