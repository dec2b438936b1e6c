import type { Field, Fields } from '../../kernel/http/shape.ts'
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
export const listSpellings = (text: string): string[] => [...new Set([text, text.toLowerCase(), text.toUpperCase()])]

/** Every part of one or two letters, as written and in lower case. */
export function splitShortParts(text: string): Set<string> {
  const parts = new Set<string>()
  for (const spelling of [text, text.toLowerCase()]) {
    const letters = [...spelling]
    for (const [i, letter] of letters.entries()) {
      parts.add(letter)
      if (i > 0) parts.add(letters[i - 1] + letter)
    }
  }
  return parts
}

/** Texts that rows are looked up by; their length is limited. */
const KEYS: ReadonlySet<string> = new Set(['location_country'])

const lineReaders = { lineInteger, lineKey, lineText, lineUrl }

function readerOf(name: string, { schema }: Field): keyof typeof lineReaders {
  if (schema['type'] === 'integer') return 'lineInteger'
  if (schema['format'] === 'uri') return 'lineUrl'
  return KEYS.has(name) ? 'lineKey' : 'lineText'
}

/** Without those that identify a profile, which are read first. */
type LineFields = Pick<PoolLine, Exclude<PoolText, 'linkedin_url' | 'provider'> | PoolNumber>

const { linkedin_url: _, ...describing } = poolTexts
const readFields = compileReader({ ...describing, ...profileNumbers })

/**
 * Reads the declared fields of a line. Compiled to the object literal that one would write by hand: an object built in
 * a loop over names is several times slower to make and to read.
 */
function compileReader(fields: Fields): (value: Record<string, unknown>) => LineFields {
  // names of fields, which are text of the program
  const members = Object.entries(fields).map(([name, field]) => `${name}: ${readerOf(name, field)}(value, '${name}')`)
  const names = Object.keys(lineReaders)
  const make = new Function(...names, `return value => ({ ${members.join(', ')} })`)
  return make(...Object.values(lineReaders))
}

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
    ...readFields(value),
    linkedin_url,
    provider,
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
