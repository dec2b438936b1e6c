import { linkedinKey } from '../../kernel/identity.ts'
import { BadLine, lineInteger, lineObject, lineText, lineTexts } from '../../kernel/import-line.ts'
import { joined, LEGAL_FORMS, STOP_WORDS, stem, wordsOf } from './words.ts'

export const POOL_TEXTS = [
  'full_name',
  'headline',
  'job_title',
  'company_name',
  'company_industry',
  'company_website',
  'company_linkedin_url',
  'department',
  'management_level',
  'location_full',
  'location_country',
  'linkedin_url',
  'github_url',
  'photo_url',
  'summary',
  'provider',
] as const
export const POOL_NUMBERS = ['total_experience_months', 'connections_count', 'follower_count'] as const

type PoolText = (typeof POOL_TEXTS)[number]
type PoolNumber = (typeof POOL_NUMBERS)[number]

/** A line of a file, read: what is stored, and what the search will look at. */
export type PoolLine = Record<PoolText, string | null> &
  Record<PoolNumber, number | null> & {
    linkedin_key: string | null
    external_id: string | null
    skills: string[]
    languages: string[]
    title_words: number
    terms: string[]
  }

/** What two lines have in common that are the same profile: the LinkedIn address, or the provider's own name for it. */
export const poolKeys = (line: PoolLine): string[] => [
  ...(line.linkedin_key === null ? [] : [line.linkedin_key]),
  ...(line.external_id === null ? [] : [`external ${line.external_id}`]),
]

/** Parts of a text that are too short for an index. */
export const SHORT = 2

export const isShort = (text: string): boolean => [...text].length <= SHORT

/** Compared whatever the case: as it is written and in lower case is how it is stored. */
export const spellingsOf = (text: string): string[] => [...new Set([text, text.toLowerCase(), text.toUpperCase()])]

/** Every part of one or two letters, as written and in lower case. */
export function shortPartsOf(text: string): Set<string> {
  const parts = new Set<string>()
  for (const spelling of [text, text.toLowerCase()]) {
    const letters = [...spelling]
    for (let i = 0; i < letters.length; i++) {
      parts.add(letters[i]!)
      if (i > 0) parts.add(letters[i - 1]! + letters[i]!)
    }
  }
  return parts
}

export function readPoolLine(text: string): PoolLine {
  const value = lineObject(text)
  const line: Record<string, unknown> = {}
  for (const name of POOL_TEXTS) line[name] = lineText(value, name)
  for (const name of POOL_NUMBERS) line[name] = lineInteger(value, name)
  line['skills'] = lineTexts(value, 'skills', 200)
  line['languages'] = lineTexts(value, 'languages', 50)
  const url = line['linkedin_url'] as string | null
  const key = url === null ? undefined : linkedinKey(url)
  if (url !== null && key === undefined) throw new BadLine('linkedin_url is not the address of a LinkedIn profile')
  line['linkedin_key'] = key ?? null
  const externalId = lineText(value, 'external_id')
  if (key === undefined && externalId === null) throw new BadLine('it needs a linkedin_url or an external_id')
  line['external_id'] = externalId === null ? null : `${line['provider'] ?? ''}:${externalId}`
  if (line['full_name'] === null && line['job_title'] === null && line['headline'] === null)
    throw new BadLine('it needs a full_name, a job_title or a headline')
  return Object.assign(line as unknown as PoolLine, termsOf(line as unknown as PoolLine))
}

// Of a long summary the beginning tells what the person does; more words would make the index, not the search, better.
const SUMMARY_LETTERS = 400
const MAX_TERMS = 120

export function termsOf(line: Omit<PoolLine, 'title_words' | 'terms'>): { title_words: number; terms: string[] } {
  const terms = new Set<string>()
  // words that stand in a field of their own, where the search looks for them too
  const named = new Set<string>()
  const title = termWords(line.job_title).words
  for (const word of title) {
    terms.add(word.inTitle)
    named.add(word.stem)
  }
  for (const name of line.skills) {
    const { words, asSkill } = termWords(name)
    if (words.length === 1) named.add(words[0]!.stem)
    if (asSkill !== undefined) terms.add(asSkill)
  }
  for (const word of termWords(line.company_name).words) {
    if (word.inCompany !== undefined) terms.add(word.inCompany)
    named.add(word.stem)
  }
  for (const place of [line.location_full, line.location_country]) {
    for (const word of termWords(place).words) terms.add(word.inPlace)
  }
  const others = [
    line.headline,
    ...line.skills,
    line.full_name,
    line.company_industry,
    line.department,
    line.management_level,
    line.summary?.slice(0, SUMMARY_LETTERS) ?? null,
  ]
  for (const text of others) {
    if (text === null || terms.size >= MAX_TERMS) continue
    for (const word of termWords(text).words) {
      if (word.elsewhere !== undefined && !named.has(word.stem)) terms.add(word.elsewhere)
    }
  }
  return { title_words: title.length, terms: [...terms] }
}

/** A word with its terms, made once: an import meets the same words again and again. */
interface TermWord {
  stem: string
  inTitle: string
  inPlace: string
  /** undefined: it says nothing there */
  inCompany: string | undefined
  elsewhere: string | undefined
}

interface TermText {
  words: TermWord[]
  /** undefined: too long to be the name of a skill */
  asSkill: string | undefined
}

// Bounded, so that memory is: some 50 MB with words and short texts of usual length. Beyond that they are made anew.
const MOST_WORDS = 200_000
const MOST_TEXTS = 100_000
const SHORT_TEXT = 60
const MOST_SKILL_WORDS = 6
const termWordOf = new Map<string, TermWord>()
const termTextOf = new Map<string, TermText>()

function termWords(text: string | null): TermText {
  if (text === null) return { words: [], asSkill: undefined }
  const known = termTextOf.get(text)
  if (known) return known
  const words = wordsOf(text).map(termWord)
  const asSkill =
    words.length > 0 && words.length <= MOST_SKILL_WORDS ? `s:${joined(words.map(w => w.stem))}` : undefined
  const made = { words, asSkill }
  if (text.length <= SHORT_TEXT && termTextOf.size < MOST_TEXTS) termTextOf.set(text, made)
  return made
}

function termWord(word: string): TermWord {
  const known = termWordOf.get(word)
  if (known) return known
  const root = stem(word)
  const made = {
    stem: root,
    inTitle: `t:${root}`,
    inPlace: `l:${word}`,
    inCompany: LEGAL_FORMS.has(word) ? undefined : `c:${word}`,
    elsewhere: STOP_WORDS.has(root) ? undefined : `w:${root}`,
  }
  if (termWordOf.size < MOST_WORDS) termWordOf.set(word, made)
  return made
}
