import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { routes } from '../../src/app.ts'
import { SCOPES } from '../../src/contract/scopes.ts'
import { expandCalls } from '../../src/docs/guide-calls.ts'
import { type Route, scopesOf } from '../../src/kernel/http/route.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Packages and orders that only the key of their vendor reaches: the demo key is no vendor. */
export const isForVendors = ({ access }: Route): boolean =>
  scopesOf(access).length > 0 && scopesOf(access).every(scope => SCOPES[scope].own)

/** A text of the repository with its calls in each language. */
export const readText = (path: string): string => expandCalls(readFileSync(join(ROOT, path), 'utf8'), routes)

/** What tests run: blocks of the shell, of Node, and samples in the languages of the SDKs. */
export const EXAMPLE_LANGUAGES = ['sh', 'js', 'ts', 'python'] as const
export type ExampleLanguage = (typeof EXAMPLE_LANGUAGES)[number]

const isExampleLanguage = (name: string): name is ExampleLanguage => EXAMPLE_LANGUAGES.some(known => known === name)

export interface Example<L extends ExampleLanguage = ExampleLanguage> {
  language: L
  code: string
  /** the block below it: JSON compared field by field, text line by line */
  expected?: { language: 'json' | 'text'; text: string }
}

interface Block {
  language: string
  text: string
  /** whether only space is between it and the block before */
  follows: boolean
}

function blocksOf(markdown: string): Block[] {
  let end = 0
  return [...markdown.matchAll(/^```(\w*)[^\n]*\n([\s\S]*?)^```$/gm)].map(match => {
    const follows = markdown.slice(end, match.index).trim() === ''
    end = match.index + match[0].length
    return { language: match[1]!, text: match[2]!, follows }
  })
}

/**
 * The blocks of a text that can be run, each with the response that is shown below it, which is the same for a sample in
 * several languages. A block without code shows a file, which is run elsewhere.
 */
export function parseExamples(markdown: string): Example[] {
  const blocks = blocksOf(markdown)
  return blocks.flatMap(({ language, text: code }, i) => {
    if (code === '') return []
    assert.doesNotMatch(language, /^(javascript|typescript|bash|shell|py)$/, 'sh, js, ts and python are run')
    if (!isExampleLanguage(language)) return []
    const next = blocks.slice(i + 1).find(block => !block.follows || !isExampleLanguage(block.language))
    const expected =
      next?.follows && (next.language === 'json' || next.language === 'text')
        ? { expected: { language: next.language, text: next.text } as const }
        : {}
    return [{ language, code, ...expected }]
  })
}

/** Those in some languages. */
export const examplesIn = <L extends ExampleLanguage>(languages: readonly L[], markdown: string): Example<L>[] =>
  parseExamples(markdown).filter((example): example is Example<L> =>
    languages.some(known => known === example.language),
  )

/** The samples of a text: blocks in several languages that follow each other, by the languages. */
export const parseSamples = (markdown: string): { languages: string[]; first: string }[] =>
  blocksOf(markdown).reduce<{ languages: string[]; first: string }[]>((samples, { language, text, follows }) => {
    const last = samples.at(-1)
    if (last && follows && isExampleLanguage(language) && !last.languages.includes(language))
      last.languages.push(language)
    else samples.push({ languages: [language], first: text })
    return samples
  }, [])

/** The mark of left-out fields of an object and rows of a list, once the text is JSON. */
const LEFT_OUT = '…'

/** JSON as the documentation shows it: `…` at the end of an object or a list means that something is left out. */
export const readShown = (text: string): unknown =>
  JSON.parse(text.replace(/…(?=\s*\})/g, `"${LEFT_OUT}": true`).replace(/…(?=\s*\])/g, `"${LEFT_OUT}"`))

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Counts of a store, sequences and times of day. A smaller number, such as a cost, is the same for every reader. */
const VARYING = /\d{4}-\d{2}-\d{2}|(?<=Reset: )\d+|\d{1,2}:\d{2}(?::\d{2})?|\d{3,}|\d+ (?:ms|s)\b/g

/**
 * Compares what a command printed with the text below it: every line, in order, and no other, unless a line is `…`. In a
 * line `…` is anything, and numbers that differ from store to store are any number.
 */
export function compareText(shown: string, output: string, where: string): void {
  const lines = shown.trim().split('\n')
  const pattern = lines.map(line => {
    if (line.trim() === '…') return '[^]*'
    const any = (text: string) => text.split('…').map(escaped).join('.*')
    const parts = line.trimEnd().split(VARYING).map(any)
    return `[^\\S\\n]*${parts.join('[\\d:-]+(?: m?s)?')}[^\\S\\n]*`
  })
  assert.match(output.replaceAll('\r', '').trim(), new RegExp(`^${pattern.join('\\n+')}$`, 'i'), where)
}

/** Texts that differ from store to store. Each is compared as its kind, which is what remains when it is replaced. */
const VARYING_TEXT: readonly (readonly [pattern: RegExp, kind: string])[] = [
  [/^https?:\/\/(?:127\.0\.0\.1:\d+|hiring\.example)/g, 'ORIGIN'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z/g, 'TIME'],
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, 'UUID'],
  [/\b([a-z]{2,4})_[0-9a-z]{20}\b/g, '$1_HANDLE'],
  [/^cur_[\w-]+…?$/g, 'CURSOR'],
  [/^[0-9a-f]{16,64}…?$/g, 'HASH'],
]

/** Fields whose numbers depend on what the store has done before. */
const VARYING_NUMBERS =
  /^(.*_)?(sequence|after|ms|used_today|used_this_month|queued|records|rows|rows_done|rows_total|bytes)$/

const kindOf = (text: string): string =>
  VARYING_TEXT.reduce((left, [pattern, kind]) => left.replaceAll(pattern, kind), text)

/** `…` in a text is what differs from store to store, or is too long to be shown. */
const isSameText = (shown: string, given: string): boolean =>
  new RegExp(`^${kindOf(shown).split(LEFT_OUT).map(escaped).join('[^]*')}$`).test(kindOf(given))

/**
 * Where a response differs from what is shown: another field, value, or number of rows. Fields and rows may be left out
 * where `…` says so, and values that differ from store to store need only be of the same kind.
 */
export function findDifferences(shown: unknown, given: unknown, where: string): string[] {
  if (Array.isArray(shown) && Array.isArray(given)) return rowDifferences(shown, given, where)
  if (isObject(shown) && isObject(given)) return fieldDifferences(shown, given, where)
  const isSame =
    typeof shown === 'string' && typeof given === 'string'
      ? isSameText(shown, given)
      : typeof shown === 'number' && typeof given === 'number' && VARYING_NUMBERS.test(where.split('.').at(-1)!)
        ? true
        : shown === given
  return isSame ? [] : [`${where} is ${JSON.stringify(given)}, shown as ${JSON.stringify(shown)}`]
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function rowDifferences(shown: readonly unknown[], given: readonly unknown[], where: string): string[] {
  const isPart = shown.at(-1) === LEFT_OUT
  const rows = isPart ? shown.slice(0, -1) : shown
  const isAsLong = isPart ? given.length >= rows.length : given.length === rows.length
  return [
    ...(isAsLong ? [] : [`${where} has ${given.length} rows, shown are ${rows.length}`]),
    ...rows.slice(0, given.length).flatMap((row, i) => findDifferences(row, given[i], `${where}[${i}]`)),
  ]
}

function fieldDifferences(
  { [LEFT_OUT]: isPart, ...shown }: Record<string, unknown>,
  given: Record<string, unknown>,
  where: string,
): string[] {
  const missing = isPart ? [] : Object.keys(given).filter(name => !(name in shown))
  return [
    ...missing.map(name => `${where}.${name} is not shown`),
    ...Object.entries(shown).flatMap(([name, value]) =>
      name in given
        ? findDifferences(value, given[name], `${where}.${name}`)
        : [`${where}.${name} is not in the response`],
    ),
  ]
}
