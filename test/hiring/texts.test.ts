import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { PAGE_LANGUAGES } from '../../src/contract/page-languages.ts'
import { texts as germanTexts, ui as germanUi } from '../../web/hiring/texts/de/all.ts'
import { en as englishTexts } from '../../web/hiring/texts/en/index.ts'
import { loadTexts, t } from '../../web/hiring/texts/index.ts'
import { en as englishUi } from '../../web/ui/texts/en.ts'

type Text = string | ((...values: never[]) => string)
type Node = Text | { readonly [key: string]: Node }

/** `board.empty` and what is there. */
const textsIn = (node: Node, path: string): [string, Text][] =>
  typeof node === 'object'
    ? Object.entries(node).flatMap(([key, below]) => textsIn(below, path === '' ? key : `${path}.${key}`))
    : [[path, node]]

const english = new Map(textsIn({ ...englishTexts, ui: englishUi }, ''))
const german = new Map(textsIn({ ...germanTexts, ui: germanUi }, ''))
const NAME = /[a-zA-Z]\w*/g

/** The names of its values, and what it does with them. */
function partsOf(text: Exclude<Text, string>): { names: string[]; body: string } {
  const [, head = '', body = ''] = /^(.*?)=>(.*)$/s.exec(text.toString()) ?? []
  return { names: (head.match(NAME) ?? []).toSorted(), body }
}

test('texts of the hiring pages: every area has a file in each language, with the same keys in the same order', () => {
  const folder = join(import.meta.dirname, '../../web/hiring/texts')
  for (const language of PAGE_LANGUAGES) {
    const areas = readdirSync(join(folder, language)).map(file => file.replace(/\.ts$/, ''))
    assert.deepEqual(
      areas.filter(area => area !== 'index' && area !== 'all').toSorted(),
      Object.keys(englishTexts).toSorted(),
      language,
    )
  }
  assert.deepEqual([...german.keys()], [...english.keys()])
})

test('texts of the hiring pages: none is empty', () => {
  for (const [path, text] of [...english, ...german]) {
    if (typeof text === 'string') assert.notEqual(text.trim(), '', path)
  }
})

test('texts of the hiring pages: a text with values uses each of them, in both languages, under the same names', () => {
  for (const [path, text] of english) {
    const other = german.get(path)
    assert.equal(typeof other, typeof text, path)
    if (typeof text === 'string' || typeof other !== 'function') continue
    for (const { names, body } of [partsOf(text), partsOf(other)]) {
      assert.ok(names.length > 0, path)
      for (const name of names) assert.match(body, new RegExp(`\\b${name}\\b`), `${path} does not use ${name}`)
    }
    assert.deepEqual(partsOf(other).names, partsOf(text).names, path)
  }
})

test('texts of the hiring pages: German says Sie', () => {
  for (const [path, text] of german)
    assert.doesNotMatch(String(text), /\b(du|dich|dir|dein(e|em|en|er|es)?|euch|euer|eure[nmrs]?)\b/i, path)
})

test('texts of the hiring pages: the catalogue is that of the language which was loaded, English for one that there is not', async t2 => {
  t2.after(() => loadTexts('en'))
  assert.equal(t, englishTexts)
  const shown: unknown[] = []
  for (const language of ['de', 'fr', 'de', 'en']) {
    await loadTexts(language)
    shown.push(t.common.save)
  }
  assert.deepEqual(shown, ['Speichern', 'Save', 'Speichern', 'Save'])
})
