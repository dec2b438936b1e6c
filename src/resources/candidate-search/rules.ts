import { emailKey } from '../../kernel/text/person-keys.ts'
import { foldCase, tokenize } from '../../kernel/text/tokenize.ts'

/**
 * What someone typed looks for one of these: whole addresses and numbers have a search of their own, and a part of an address
 * finds no one.
 */
export type SearchKind = 'email' | 'phone' | 'words' | 'part_of_email'

const PHONE_DIGITS = 9

/** A number in any of its spellings: digits, with the signs that people write between them. */
const isPhoneNumber = (text: string): boolean =>
  /^\+?[\d\s()./-]+$/.test(text) && text.replace(/\D/g, '').length >= PHONE_DIGITS

export function kindOfSearch(typed: string): SearchKind {
  const text = typed.trim()
  if (text.includes('@')) return emailKey(text) === undefined ? 'part_of_email' : 'email'
  return isPhoneNumber(text) ? 'phone' : 'words'
}

/** Why someone was found, where it is not by name: shown next to the name, never with a value that is not shown anyway. */
export type Match =
  | { by: 'email' | 'phone' | 'name' | 'similar_name' | 'title' | 'employer' | 'job' }
  | { by: 'skill' | 'tag'; text: string }

interface Searched {
  name: string | null
  title: string | null
  company: string | null
  skills: readonly string[]
  tags: readonly string[]
  jobTitle: string
}

const hasBeginning = (text: string, beginning: string): boolean =>
  tokenize(text).some(word => word === beginning || (beginning.length > 2 && word.startsWith(beginning)))

/** The first word that is not in the name says why a row was found. */
export function explainMatch(q: string, row: Searched): Match {
  const name = foldCase(row.name ?? '')
  for (const word of tokenize(q)) {
    if (name.includes(word)) continue
    const skill = row.skills.find(text => hasBeginning(text, word))
    if (skill !== undefined) return { by: 'skill', text: skill }
    if (hasBeginning(row.title ?? '', word)) return { by: 'title' }
    if (hasBeginning(row.company ?? '', word)) return { by: 'employer' }
    const tag = row.tags.find(text => hasBeginning(text, word))
    if (tag !== undefined) return { by: 'tag', text: tag }
    if (hasBeginning(row.jobTitle, word)) return { by: 'job' }
  }
  return { by: 'name' }
}
