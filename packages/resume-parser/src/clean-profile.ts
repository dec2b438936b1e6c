import { brokenHalves } from './broken-addresses.ts'
import { cleanTexts, withoutWords } from './cut-contacts.ts'
import { toLines } from './lines.ts'
import { readContact } from './read-contact.ts'

/** Raised by one whenever the rules find more contacts than before: stored profiles are cleaned by the new ones then. */
export const CONTACT_RULES = 1

/** Name and contacts are in the first pages; a longer text would hold up the process that cleans. */
const MAX_TEXT = 50_000
/** Shorter halves of an address are words of other texts too. */
const MIN_HALF = 4

/** A stored profile without what the rules of today find in it. The text of its résumé shows what was broken over lines. */
export function cleanProfile(profile: unknown, text: string | null): unknown {
  const known = (text ?? '').slice(0, MAX_TEXT)
  const { name } = readContact(known)
  const lines = toLines(known).map(line => line.text)
  const halves = brokenHalves(lines, name).filter(half => half.length >= MIN_HALF)
  return cleanTexts(halves.length > 0 ? withoutWords(profile, new Set(halves)) : profile, name)
}
