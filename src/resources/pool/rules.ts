import { linkedinKey } from '../../kernel/text/person-keys.ts'
import { documentTerms } from '../../search/document-terms.ts'
import { BadLine, lineInteger, lineKey, lineObject, lineText, lineTexts, lineUrl } from '../imports/shape.ts'
import { profileNumbers } from '../shared/profile-fields.ts'
import { poolTexts } from './shape.ts'

type PoolText = keyof typeof poolTexts | 'provider'
type PoolNumber = keyof typeof profileNumbers

export const POOL_TEXTS = [...Object.keys(poolTexts), 'provider'] as PoolText[]
export const POOL_NUMBERS = Object.keys(profileNumbers) as PoolNumber[]

/** A parsed line of an import: what is stored, and the terms for the search. */
export type PoolLine = Record<PoolText, string | null> &
  Record<PoolNumber, number | null> & {
    linkedin_key: string | null
    external_id: string | null
    skills: string[]
    languages: string[]
    title_words: number
    terms: string[]
  }

/** Keys that identify the profile of a line: its LinkedIn URL, and its id at the provider. */
export const poolKeys = (line: PoolLine): string[] => [
  ...(line.linkedin_key === null ? [] : [line.linkedin_key]),
  ...(line.external_id === null ? [] : [`external ${line.external_id}`]),
]

/** Parts of a text up to this length are too short for the trigram index. */
export const SHORT = 2

export const isShort = (text: string): boolean => [...text].length <= SHORT

/** For comparison in any case: parts are stored as written and in lower case. */
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

/** Written out field by field: an object built in a loop over names is several times slower to make and to read. */
export function readPoolLine(text: string): PoolLine {
  const value = lineObject(text)
  const linkedin_url = lineUrl(value, 'linkedin_url')
  const linkedin_key = linkedin_url === null ? null : (linkedinKey(linkedin_url) ?? null)
  if (linkedin_url !== null && linkedin_key === null)
    throw new BadLine('linkedin_url is not the URL of a LinkedIn profile')
  const provider = lineKey(value, 'provider')
  const externalId = lineKey(value, 'external_id')
  if (linkedin_key === null && externalId === null) throw new BadLine('it needs a linkedin_url or an external_id')
  const line: PoolLine = {
    full_name: lineText(value, 'full_name'),
    headline: lineText(value, 'headline'),
    job_title: lineText(value, 'job_title'),
    company_name: lineText(value, 'company_name'),
    company_industry: lineText(value, 'company_industry'),
    company_website: lineUrl(value, 'company_website'),
    company_linkedin_url: lineUrl(value, 'company_linkedin_url'),
    department: lineText(value, 'department'),
    management_level: lineText(value, 'management_level'),
    location_full: lineText(value, 'location_full'),
    location_country: lineKey(value, 'location_country'),
    linkedin_url,
    github_url: lineUrl(value, 'github_url'),
    photo_url: lineUrl(value, 'photo_url'),
    summary: lineText(value, 'summary'),
    provider,
    total_experience_months: lineInteger(value, 'total_experience_months'),
    connections_count: lineInteger(value, 'connections_count'),
    follower_count: lineInteger(value, 'follower_count'),
    linkedin_key,
    external_id: externalId === null ? null : `${provider ?? ''}:${externalId}`,
    skills: lineTexts(value, 'skills', 200),
    languages: lineTexts(value, 'languages', 50),
    title_words: 0,
    terms: [],
  }
  if (line.full_name === null && line.job_title === null && line.headline === null)
    throw new BadLine('it needs a full_name, a job_title or a headline')
  return Object.assign(line, documentTerms(line))
}
