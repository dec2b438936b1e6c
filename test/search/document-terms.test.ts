import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { profiles } from '../../bench/pool-data.ts'
import { stem } from '../../src/kernel/text/stemmer.ts'
import { LEGAL_FORMS, phraseKey, STOP_WORDS, tokenize } from '../../src/kernel/text/tokenize.ts'
import { readPoolLine } from '../../src/resources/pool/index.ts'
import type { PoolLine } from '../../src/resources/pool/rules.ts'

/** The terms of a profile, computed without caches. */
function uncached(line: PoolLine): { title_words: number; terms: string[] } {
  const stems = (text: string | null) => tokenize(text ?? '').map(stem)
  const title = stems(line.job_title)
  const skills = line.skills.map(stems)
  const company = tokenize(line.company_name ?? '')
  const places = [line.location_full, line.location_country].flatMap(place => tokenize(place ?? ''))
  const terms = new Set([
    ...title.map(word => `t:${word}`),
    ...skills.filter(words => words.length > 0 && words.length <= 6).map(words => `s:${phraseKey(words)}`),
    ...company.filter(word => !LEGAL_FORMS.has(word)).map(word => `c:${word}`),
    ...places.map(word => `l:${word}`),
  ])
  const named = new Set([...title, ...skills.filter(words => words.length === 1).flat(), ...company.map(stem)])
  const { headline, full_name, company_industry, department, management_level, summary } = line
  const others = [headline, ...line.skills, full_name, company_industry, department, management_level]
  for (const text of [...others, summary?.slice(0, 400) ?? null]) {
    if (terms.size >= 120) break
    for (const word of stems(text)) if (!named.has(word) && !STOP_WORDS.has(word)) terms.add(`w:${word}`)
  }
  return { title_words: title.length, terms: [...terms] }
}

const sorted = ({ title_words, terms }: { title_words: number; terms: readonly string[] }) => ({
  title_words,
  terms: terms.toSorted(),
})

const words = fc.constantFrom(
  ...'Développeur developers Developing Engineering engineer and of GmbH Acme C++ C# .NET node.js Paris 東京 Ærø'.split(
    ' ',
  ),
)
const text = fc.oneof(
  fc.array(words, { maxLength: 12 }).map(list => list.join(' ')),
  fc.string({ unit: 'grapheme', maxLength: 80 }),
)
const line = fc.record({
  full_name: text.map(name => `N ${name}`),
  headline: text,
  job_title: text,
  company_name: text,
  company_industry: text,
  department: text,
  management_level: text,
  location_full: text,
  location_country: text,
  summary: fc.array(text, { maxLength: 8 }).map(list => list.join('. ')),
  skills: fc.array(text, { maxLength: 40 }),
})

test('document terms: the same with and without caches, for any profile', () => {
  fc.assert(
    fc.property(line, fields => {
      const read = readPoolLine(JSON.stringify({ external_id: '1', ...wellFormed(fields) }))
      assert.deepEqual(sorted(read), sorted(uncached(read)))
      assert.equal(new Set(read.terms).size, read.terms.length)
    }),
    { numRuns: 500 },
  )
})

test('document terms: the same after the caches were full and cleared', () => {
  const few = [...profiles(20)].map(profile => readPoolLine(JSON.stringify(profile)))
  for (let i = 0; i < 210_000; i += 100) {
    const skills = Array.from({ length: 100 }, (_, j) => `skill${i + j} skills${i + j}`)
    const read = readPoolLine(JSON.stringify({ external_id: '1', full_name: 'N', skills }))
    assert.deepEqual(sorted(read), sorted(uncached(read)))
  }
  for (const read of few) assert.deepEqual(sorted(readPoolLine(JSON.stringify(read))), sorted(read))
})

/** Without NUL characters, which the import refuses. */
const wellFormed = <T extends object>(fields: T): T =>
  JSON.parse(JSON.stringify(fields, (_, value) => (typeof value === 'string' ? value.replaceAll('\0', ' ') : value)))
