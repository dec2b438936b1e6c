import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { de } from '../../web/hiring/texts/de/index.ts'
import { en } from '../../web/hiring/texts/en/index.ts'
import { de as uiDe } from '../../web/ui/texts/de.ts'
import { en as uiEn } from '../../web/ui/texts/en.ts'

const ROOT = join(import.meta.dirname, '../../web/hiring')

/** The texts of a catalogue by their path; a function counts as the number of its parameters. */
function textsOf(value: unknown, path = ''): [path: string, text: string | number][] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value === 'function') return [[path, value.length]]
  return Object.entries(value as object).flatMap(([key, inner]) => textsOf(inner, path ? `${path}.${key}` : key))
}

/** Texts of several words that are the same in both languages. */
const SAME: readonly string[] = []

for (const [name, english, german] of [
  ['hiring pages', en, de],
  ['shared components', uiEn, uiDe],
] as const) {
  test(`catalogues of the ${name}: German has every key of English and no other, and no sentence in English`, () => {
    const [left, right] = [new Map(textsOf(english)), new Map(textsOf(german))]
    assert.deepEqual([...right.keys()].sort(), [...left.keys()].sort())
    const copied = [...left].filter(
      ([path, text]) => typeof text === 'string' && text.trim().split(/\s+/).length > 2 && right.get(path) === text,
    )
    assert.deepEqual(
      copied.map(([path]) => path).filter(path => !SAME.includes(path)),
      [],
    )
    const empty = [...right].filter(([, text]) => text === '')
    assert.deepEqual(
      empty.filter(([path]) => left.get(path) !== ''),
      [],
    )
  })
}

/** Where every text comes from the catalogues. A file enters when its texts are translated, and stays. */
const TRANSLATED = [
  'personal-data',
  'candidate/activity.tsx',
  'candidate/actions.tsx',
  'candidate/answers.tsx',
  'candidate/files.tsx',
  'candidate/overview.tsx',
  'candidate/panels.ts',
  'candidate/tags.tsx',
  'decisions',
  'job-head.tsx',
  'pages/candidate.tsx',
]

/** A text between tags, of an attribute that is shown or read out, of a title, of a choice or a message. */
const WRITTEN = [
  /(?<!=)>\s*([A-Z+“][^<>{}=;():]*[a-z]{2}[^<>{}=;():]*)(?=<\/|\{|<\w)/g,
  /\b(?:title|label|placeholder|hint|action|description|alt|what|aria-label)="([^"]*[a-z]{2}[^"]*)"/g,
  /\b(?:title|label|why): '([A-Z][^']*)'/g,
  /\btoast\(\s*['`]([^'`]*)/g,
  /[?:(] '([A-Z][a-z]+ [^']*)'/g,
]
const COMMENTS_AND_IMPORTS = [/\/\*[\s\S]*?\*\//g, /^\s*\/\/.*$/gm, /^import [\s\S]*?from '.*'$/gm]

function writtenIn(code: string): string[] {
  const rest = COMMENTS_AND_IMPORTS.reduce((text, pattern) => text.replaceAll(pattern, ''), code)
  const found = WRITTEN.flatMap(pattern => [...rest.matchAll(pattern)].map(([, text]) => text!.trim()))
  // code after a type parameter
  return [...new Set(found)].filter(text => !/\b(?:const|interface|Promise)\b/.test(text))
}

test('texts of the hiring pages: files that are translated write none themselves', () => {
  const isTranslated = (name: string) => TRANSLATED.some(one => name === one || name.startsWith(`${one}/`))
  const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter(
    name => /\.tsx?$/.test(name) && isTranslated(name),
  )
  for (const one of TRANSLATED)
    assert.ok(
      files.some(name => name === one || name.startsWith(`${one}/`)),
      one,
    )
  const written = files.flatMap(name =>
    writtenIn(readFileSync(join(ROOT, name), 'utf8')).map(text => `${name}: ${text}`),
  )
  assert.deepEqual(written, [])
})

test('texts of the hiring pages: a text between tags, in an attribute, a title, a choice or a message is found', () => {
  for (const code of [
    '<h2 id="score">Match</h2>',
    '<p class="small">\n  Each download is\n  recorded. <b>{x}</b>',
    '<Empty title="No files">{y}</Empty>',
    "{ keys: KEYS.tag, title: 'Add a tag' }",
    "x ? 'Show the résumé' : y",
    "toast('Saved')",
  ])
    assert.equal(writtenIn(code).length, 1, code)
  assert.deepEqual(writtenIn('const f = (): Promise<void> => undefined // A comment\n<b>{t.common.save}</b>'), [])
})
