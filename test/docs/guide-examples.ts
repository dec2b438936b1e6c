import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { routes } from '../../src/app.ts'
import { expandCalls } from '../../src/docs/guide-calls.ts'

const ROOT = join(import.meta.dirname, '../..')

/** A text of the repository with its calls in each language. */
export const readText = (path: string): string => expandCalls(readFileSync(join(ROOT, path), 'utf8'), routes)

/** What tests run: blocks of the shell, of Node, and samples in the languages of the SDKs. */
export const EXAMPLE_LANGUAGES = ['sh', 'js', 'ts', 'python'] as const
export type ExampleLanguage = (typeof EXAMPLE_LANGUAGES)[number]

const isExampleLanguage = (name: string): name is ExampleLanguage => EXAMPLE_LANGUAGES.some(known => known === name)

export interface Example<L extends ExampleLanguage = ExampleLanguage> {
  language: L
  code: string
  /** the block below it: JSON compared by shape, text line by line */
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
export function examplesOf(markdown: string): Example[] {
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
  examplesOf(markdown).filter((example): example is Example<L> => languages.some(known => known === example.language))

/** The samples of a text: blocks in several languages that follow each other, by the languages. */
export const samplesOf = (markdown: string): { languages: string[]; first: string }[] =>
  blocksOf(markdown).reduce<{ languages: string[]; first: string }[]>((samples, { language, text, follows }) => {
    const last = samples.at(-1)
    if (last && follows && isExampleLanguage(language) && !last.languages.includes(language))
      last.languages.push(language)
    else samples.push({ languages: [language], first: text })
    return samples
  }, [])

/** JSON as the documentation shows it: `…` means that something is left out. */
export const readShown = (text: string): unknown => JSON.parse(text.replace(/,?\s*…(?=\s*[}\]])/g, ''))

/** What is the same in every response to the example: what was sent, and what the text says about it. */
const EXACT = new Set([
  'object',
  'code',
  'type',
  'algorithm',
  'api_version',
  'version',
  'status',
  'parse_status',
  'title',
  'department',
  'system',
  'name',
  'summary',
  'body',
  'recommendation',
  'stage',
  'source',
  'label',
  'ready',
  'matched',
  'reason',
  'enabled',
  'gap',
  'method',
  'required',
  'has_resume',
  'requested',
  'added',
  'message',
  'param',
  'required_scope',
  'currency',
  'interval',
  'unit',
])

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** `…` in a text is what differs from store to store, or is too long to be shown. */
function assertSame(shown: unknown, given: unknown, where: string): void {
  if (typeof shown === 'string' && shown.includes('…')) {
    assert.match(String(given), new RegExp(`^${shown.split('…').map(escaped).join('[^]*')}$`), where)
  } else assert.equal(given, shown, where)
}

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

/** What is shown must be in the response, with the same kinds of values, and rows where rows are shown. */
export function compare(shown: unknown, response: unknown, where: string): void {
  if (shown === null || response === null) return
  if (Array.isArray(shown)) {
    assert.ok(Array.isArray(response), `${where} is a list`)
    if (shown.length === 0) return
    assert.notEqual(response.length, 0, `${where} has rows, as it is shown`)
    compare(shown[0], response[0], `${where}[0]`)
    return
  }
  assert.equal(typeof response, typeof shown, `${where}: ${JSON.stringify(response)}`)
  if (typeof shown !== 'object') return
  for (const [name, value] of Object.entries(shown as object)) {
    const given: unknown = (response as Record<string, unknown>)[name]
    assert.notEqual(given, undefined, `${where}.${name} is in the response`)
    if (EXACT.has(name) && value !== null && typeof value !== 'object') assertSame(value, given, `${where}.${name}`)
    compare(value, given, `${where}.${name}`)
  }
}
