import { linkedinKey } from '../../kernel/identity.ts'
import { BadLine, lineInteger, lineObject, lineText, lineTexts } from '../../kernel/import-line.ts'
import { joined, LEGAL_FORMS, STOP_WORDS, stem, stemsOf, wordsOf } from './words.ts'

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
    /** separated by blanks */
    terms: string
  }

/** What tells two lines apart: the LinkedIn address, or else the provider's own name for the profile. */
export const poolKey = (line: PoolLine): string => line.linkedin_key ?? `external ${line.external_id}`

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

export function termsOf(line: Omit<PoolLine, 'title_words' | 'terms'>): { title_words: number; terms: string } {
  const terms = new Set<string>()
  // words that stand in a field of their own, where the search looks for them too
  const named = new Set<string>()
  const title = line.job_title === null ? [] : stemsOf(line.job_title)
  for (const word of title) {
    terms.add(`t:${word}`)
    named.add(word)
  }
  for (const skill of line.skills) {
    const words = stemsOf(skill)
    if (words.length === 1) named.add(words[0]!)
    if (words.length > 0 && words.length <= 6) terms.add(`s:${joined(words)}`)
  }
  for (const word of line.company_name === null ? [] : wordsOf(line.company_name)) {
    if (!LEGAL_FORMS.has(word)) terms.add(`c:${word}`)
    named.add(stem(word))
  }
  for (const place of [line.location_full, line.location_country]) {
    for (const word of place === null ? [] : wordsOf(place)) terms.add(`l:${word}`)
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
    for (const word of stemsOf(text)) if (!STOP_WORDS.has(word) && !named.has(word)) terms.add(`w:${word}`)
  }
  return { title_words: title.length, terms: [...terms].join(' ') }
}
