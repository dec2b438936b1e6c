import { editDistance } from '../kernel/text/edit-distance.ts'
import { generateInflections, stem } from '../kernel/text/stemmer.ts'
import { tokenize } from '../kernel/text/tokenize.ts'
import type { FieldCode } from './conditions.ts'
import {
  type Corrections,
  eachWord,
  type Frequencies,
  findFrequency,
  type ParsedQuery,
  type QueryTerm,
  type SearchRequest,
} from './query-parser.ts'

/*
 * A word that hardly any profile has is replaced by a similar one that many have. The database finds similar words of
 * the vocabulary by trigrams; which of them is near enough is decided here by edit distance.
 */

/** Edits that a word of this length may have: short words have too many neighbours. */
const editsAllowed = (word: string): number => (word.length < 4 ? 0 : word.length < 8 ? 1 : 2)

/** A word that fewer profiles have, one in so many and never fewer than three, may be a misspelling. */
const RARE_SHARE = 50_000
const RARE = 3

/** Each candidate costs a look-up in the vocabulary; a request with more of them was not mistyped. */
const MAX_MISSPELLING_CANDIDATES = 32

export function misspellingCandidates(query: ParsedQuery, frequencies: Frequencies, profiles: number): QueryTerm[] {
  const rare = Math.max(RARE, profiles / RARE_SHARE)
  const words = eachWord(query)
    .filter(({ part, term }) => !part.isKnownPhrase && editsAllowed(term.word) > 0)
    .filter(({ term }) => findFrequency(frequencies, term) < rare)
  return [...new Map(words.map(({ term }) => [term.word, term] as const)).values()].slice(0, MAX_MISSPELLING_CANDIDATES)
}

/** A word of the vocabulary that is similar to a spelling. */
export interface SimilarWord {
  spelling: string
  field: FieldCode
  word: string
  profiles: number
}

/** The written word by its stem: a mistake in the ending gives another stem. */
export type WordByStem = ReadonlyMap<string, string>

export const wordsByStem = ({ titles, skills, query = '' }: SearchRequest): WordByStem =>
  new Map([...titles, ...skills, query].flatMap(tokenize).map(word => [stem(word), word]))

/** The last letters of a long word may be a misspelt ending; the word without them is looked up too. */
const ENDING_LETTERS = 3
const SHORTEST_WITH_ENDING = 8

/** The spellings of a candidate for which similar words are looked up. */
export function spellingsToLookUp({ word }: QueryTerm, originals: WordByStem): string[] {
  const whole = originals.get(word) ?? word
  return [...new Set([word, whole, ...(whole.length < SHORTEST_WITH_ENDING ? [] : [whole.slice(0, -ENDING_LETTERS)])])]
}

/** Companies and places are in the vocabulary as written. */
const STEMMED: ReadonlySet<FieldCode> = new Set(['t', 's', 'w'])

/** Fewer than without endings: a stem has many inflections. */
const EDITS_WITH_ENDING = 1

/** Edits between a candidate and a word of the vocabulary, with all letters or else by stems; undefined: too many. */
function editsBetween(
  term: QueryTerm,
  originals: WordByStem,
  similar: SimilarWord,
): { edits: number; whole: boolean } | undefined {
  const byStem = { edits: editDistance(term.word, similar.word, editsAllowed(term.word)), whole: false }
  const whole = { edits: EDITS_WITH_ENDING + 1, whole: true }
  const text = originals.get(term.word) ?? term.word
  const limit = Math.min(EDITS_WITH_ENDING, editsAllowed(text))
  const forms = STEMMED.has(similar.field) ? generateInflections(similar.word, text.length, limit) : [similar.word]
  for (const form of forms) whole.edits = Math.min(whole.edits, editDistance(text, form, limit))
  if (whole.edits <= limit && whole.edits <= byStem.edits) return whole
  return byStem.edits <= editsAllowed(term.word) ? byStem : undefined
}

/** A word is replaced only by one that this many times as many profiles have. */
const MUCH_MORE_FREQUENT = 20

/** Replacements of misspelt words: the nearest word of the same fields, of equally near ones the most frequent. */
export function findCorrections(
  candidates: readonly QueryTerm[],
  frequencies: Frequencies,
  similarWords: readonly SimilarWord[],
  originals: WordByStem,
): Corrections {
  const lists = new Map<string, string>()
  const query = new Map<string, string>()
  for (const term of candidates) {
    const least = MUCH_MORE_FREQUENT * findFrequency(frequencies, term)
    const spellings = spellingsToLookUp(term, originals)
    const [nearest] = similarWords
      .filter(s => spellings.includes(s.spelling) && term.fields.includes(s.field))
      .filter(s => s.word !== term.word && s.profiles > least)
      .flatMap(s => {
        const between = editsBetween(term, originals, s)
        return between ? [{ ...s, ...between }] : []
      })
      .sort((a, b) => a.edits - b.edits || Number(b.whole) - Number(a.whole) || b.profiles - a.profiles)
    if (!nearest) continue
    lists.set(term.word, nearest.word)
    if (term.written !== undefined) query.set(term.written, nearest.word)
  }
  return { lists, query }
}
