import { editDistance } from '../kernel/nearest.ts'
import type { FieldCode } from './conditions.ts'
import { inflectionsOf, stem, stemmedWords } from './stemmer.ts'
import { SYNONYMS, type Synonyms } from './synonyms.ts'
import { LEGAL_FORMS, STOP_WORDS, tokenize } from './tokenize.ts'

/*
 * A search is read into parts: words, or phrases that have synonyms. Words that hardly anybody uses may be misspelt;
 * what they may have meant is asked of the vocabulary, and the search is read again with it. plan.ts goes on from there.
 */

export interface SearchRequest {
  query?: string
  titles: readonly string[]
  skills: readonly string[]
  companies: readonly string[]
  locations: readonly string[]
}

/** Words that must all be there, in each of several ways to say the same. The first way is the one that was asked. */
export interface Part {
  alternatives: string[][]
  /** whether it is a phrase that the synonyms know: then it is spelt right */
  isKnownPhrase: boolean
}

export interface ParsedQuery {
  titles: Part[][]
  skills: Part[]
  companies: Part[][]
  locations: Part[][]
  query: Part[]
}

/** Cuts words into the longest phrases that have synonyms, and single words. */
function partsOf(words: readonly string[], tables: readonly Synonyms[]): Part[] {
  const longest = Math.max(...tables.map(t => t.longest))
  const parts: Part[] = []
  for (let at = 0; at < words.length; ) {
    let length = Math.min(longest, words.length - at)
    let ways: (readonly string[])[] = []
    for (; length > 0; length--) {
      const phrase = words.slice(at, at + length)
      ways = tables.flatMap(t => t.of(phrase) ?? [])
      if (ways.length > 0) break
    }
    const taken = Math.max(length, 1)
    const own = words.slice(at, at + taken)
    const others = ways.filter(way => way.join(' ') !== own.join(' ')).map(way => [...way])
    parts.push({ alternatives: [[...own], ...others], isKnownPhrase: ways.length > 0 })
    at += taken
  }
  return parts
}

/** Of a word order other than the usual one the synonyms are found all the same. */
function phrasePart(words: readonly string[], table: Synonyms): Part {
  const ways = table.of(words) ?? table.of(words.toSorted()) ?? table.of(words.toReversed())
  const own = words.join(' ')
  return {
    alternatives: [[...words], ...(ways ?? []).filter(way => way.join(' ') !== own).map(way => [...way])],
    isKnownPhrase: ways !== undefined,
  }
}

const { titles: TITLES, skills: SKILLS, places: PLACES } = SYNONYMS

/** Words that were misspelt, with what they are taken for. */
export type Corrections = ReadonlyMap<string, string>

const NO_CORRECTIONS: Corrections = new Map()

export function parseQuery(search: SearchRequest, corrections = NO_CORRECTIONS): ParsedQuery {
  const filled = <T>(lists: T[][]) => lists.filter(list => list.length > 0)
  const without = (left: ReadonlySet<string>) => (words: string[]) => {
    const kept = words.filter(word => !left.has(word))
    return kept.length > 0 ? kept : words
  }
  const meant = without(STOP_WORDS)
  const company = without(LEGAL_FORMS)
  /** A corrected word finds its synonyms; the way it was written remains one way to say it. */
  const corrected = (words: string[], read: (words: string[]) => Part[]): Part[] => {
    const right = words.map(word => corrections.get(word) ?? word)
    const parts = read(right)
    if (right.every((word, at) => word === words[at])) return parts
    let at = 0
    for (const part of parts) {
      const own = words.slice(at, at + part.alternatives[0]!.length)
      at += own.length
      if (own.join(' ') !== part.alternatives[0]!.join(' ')) part.alternatives.push(own)
    }
    return parts
  }
  const single = (words: string[]): Part[] => words.map(word => ({ alternatives: [[word]], isKnownPhrase: false }))
  return {
    titles: filled(search.titles.map(text => corrected(meant(stemmedWords(text)), w => partsOf(w, [TITLES, SKILLS])))),
    skills: filled(search.skills.map(stemmedWords)).flatMap(words => corrected(words, w => [phrasePart(w, SKILLS)])),
    companies: filled(search.companies.map(text => corrected(company(tokenize(text)), single))),
    locations: filled(search.locations.map(text => corrected(meant(tokenize(text)), w => partsOf(w, [PLACES])))),
    query: corrected(meant(tokenize(search.query ?? '')).map(both), w => partsOf(w, [BOTH])),
  }
}

/** Words of free text are looked for as places and companies too, which are not stemmed: `as written|stem`. */
const both = (word: string) => `${word}|${stemmedWords(word)[0] ?? word}`
export const written = (word: string) => word.split('|')[0]!
export const stemmed = (word: string) => word.split('|')[1] ?? written(word)
const BOTH: Synonyms = {
  longest: Math.max(TITLES.longest, SKILLS.longest, PLACES.longest),
  of: words => {
    const ways = [
      ...(TITLES.of(words.map(stemmed)) ?? []),
      ...(SKILLS.of(words.map(stemmed)) ?? []),
      ...(PLACES.of(words.map(written)) ?? []),
    ]
    return ways.length === 0 ? undefined : ways
  },
}

/** How many slips a word of this length may have: short words have too many neighbours. */
const editsAllowed = (word: string): number => (word.length < 4 ? 0 : word.length < 8 ? 1 : 2)

/** A word in the vocabulary; `in` are the fields where it would be looked for. */
export interface QueryTerm {
  word: string
  fields: readonly FieldCode[]
  /** of free text: the word as it stands in its part */
  written?: string
}

export const ANYWHERE: readonly FieldCode[] = ['t', 'w', 'c', 'l', 's']

/** Every word whose frequency matters or that may be misspelt, with the part that it belongs to. */
function eachWord(search: ParsedQuery): { part: Part; asked: QueryTerm }[] {
  const of = (parts: readonly Part[], fields: readonly FieldCode[], form = (word: string) => word) =>
    parts.flatMap(part =>
      part.alternatives[0]!.map(word => ({ part, asked: { word: form(word), fields, written: word } })),
    )
  return [
    ...search.titles.flatMap(parts => of(parts, ['t', 'w'])),
    ...of(search.skills, ['s', 'w']),
    ...search.companies.flatMap(parts => of(parts, ['c'])),
    ...search.locations.flatMap(parts => of(parts, ['l'])),
    ...of(search.query, ANYWHERE, stemmed),
  ]
}

export const queryTerms = (search: ParsedQuery): QueryTerm[] => [
  ...new Map(eachWord(search).map(({ asked }) => [`${asked.fields.join('')} ${asked.word}`, asked])).values(),
]

/** How many profiles have a word, by `field:word`. */
export type Frequencies = ReadonlyMap<string, number>

export const frequencyOf = (frequencies: Frequencies, { word, fields }: QueryTerm): number =>
  Math.max(...fields.map(field => frequencies.get(`${field}:${word}`) ?? 0))

/** One in so many profiles: a word that is rarer is as likely a slip that somebody made as one that means something. */
const RARE_SHARE = 50_000
const RARE = 3

/** A question of more such words is none that somebody mistyped, and each of them takes a look at the vocabulary. */
const MAX_MISSPELLING_CANDIDATES = 32

export function misspellingCandidates(search: ParsedQuery, frequencies: Frequencies, profiles: number): QueryTerm[] {
  const rare = Math.max(RARE, profiles / RARE_SHARE)
  const words = eachWord(search)
    .filter(({ part, asked }) => !part.isKnownPhrase && editsAllowed(asked.word) > 0)
    .filter(({ asked }) => frequencyOf(frequencies, asked) < rare)
  return [...new Map(words.map(({ asked }) => [asked.word, asked] as const)).values()].slice(
    0,
    MAX_MISSPELLING_CANDIDATES,
  )
}

export interface SimilarWord {
  spelling: string
  field: FieldCode
  word: string
  profiles: number
}

/** A word whose ending was cut off, with how it was written: a slip in the ending makes another stem. */
export type WordByStem = ReadonlyMap<string, string>

export const wordsByStem = ({ titles, skills, query = '' }: SearchRequest): WordByStem =>
  new Map([...titles, ...skills, query].flatMap(tokenize).map(word => [stem(word), word]))

/** Letters that may be those of an ending; what is left is looked for too. */
const ENDING_LETTERS = 3
const SHORTEST_WITH_ENDING = 8

/** What the vocabulary is asked for, for each doubtful word. */
export function spellingsToLookUp({ word }: QueryTerm, endings: WordByStem): string[] {
  const whole = endings.get(word) ?? word
  return [...new Set([word, whole, ...(whole.length < SHORTEST_WITH_ENDING ? [] : [whole.slice(0, -ENDING_LETTERS)])])]
}

/** Companies and places are written down as they are. */
const STEMMED: ReadonlySet<FieldCode> = new Set(['t', 's', 'w'])

/** With an ending there are many words that it could be. */
const EDITS_WITH_ENDING = 1

/** Slips between a doubtful word and one of the vocabulary, as a whole or else without endings; undefined: too many. */
function editsBetween(
  asked: QueryTerm,
  endings: WordByStem,
  similar: SimilarWord,
): { slips: number; whole: boolean } | undefined {
  const cut = { slips: editDistance(asked.word, similar.word, editsAllowed(asked.word)), whole: false }
  const whole = { slips: EDITS_WITH_ENDING + 1, whole: true }
  const text = endings.get(asked.word) ?? asked.word
  const most = Math.min(EDITS_WITH_ENDING, editsAllowed(text))
  const forms = STEMMED.has(similar.field) ? inflectionsOf(similar.word, text.length, most) : [similar.word]
  for (const form of forms) whole.slips = Math.min(whole.slips, editDistance(text, form, most))
  if (whole.slips <= most && whole.slips <= cut.slips) return whole
  return cut.slips <= editsAllowed(asked.word) ? cut : undefined
}

/** A word is taken for another only where that is used this many times as often. */
const CLEARLY_MORE = 20

/** What doubtful words may have meant: the nearest word of the same field, of equals the most used. */
export function findCorrections(
  doubtful: readonly QueryTerm[],
  frequencies: Frequencies,
  similar: readonly SimilarWord[],
  endings: WordByStem,
): Corrections {
  const corrections = new Map<string, string>()
  for (const asked of doubtful) {
    const least = CLEARLY_MORE * frequencyOf(frequencies, asked)
    const spellings = spellingsToLookUp(asked, endings)
    const [nearest] = similar
      .filter(s => spellings.includes(s.spelling) && asked.fields.includes(s.field))
      .filter(s => s.word !== asked.word && s.profiles > least)
      .flatMap(s => {
        const between = editsBetween(asked, endings, s)
        return between ? [{ ...s, ...between }] : []
      })
      .sort((a, b) => a.slips - b.slips || Number(b.whole) - Number(a.whole) || b.profiles - a.profiles)
    if (!nearest) continue
    corrections.set(asked.word, nearest.word)
    if (asked.fields === ANYWHERE) corrections.set(asked.written!, `${nearest.word}|${nearest.word}`)
  }
  return corrections
}
