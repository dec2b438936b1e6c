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
])

/** `…` in a text is what differs from store to store. */
const isPlain = (value: unknown): boolean =>
  typeof value === 'boolean' || typeof value === 'number' || (typeof value === 'string' && !value.includes('…'))

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
    if (EXACT.has(name) && isPlain(value)) assert.equal(given, value, `${where}.${name}`)
    compare(value, given, `${where}.${name}`)
  }
}
