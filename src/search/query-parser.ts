import { cachedStem, stemmedWords } from '../kernel/text/stemmer.ts'
import { LEGAL_FORMS, STOP_WORDS, tokenize } from '../kernel/text/tokenize.ts'
import type { FieldCode } from './conditions.ts'
import { SYNONYMS, type Synonyms } from './synonyms.ts'

/*
 * A request is parsed into parts: single words, or phrases that have synonyms. Words that are rare in the pool may be
 * misspelt (spelling.ts); then the request is parsed again with the corrections. query-plan.ts takes it from there.
 */

export interface SearchRequest {
  query?: string
  titles: readonly string[]
  skills: readonly string[]
  companies: readonly string[]
  locations: readonly string[]
}

/**
 * A word in the two spellings of the index: companies and places have words as written, titles, skills and texts have
 * stems. Only words of the free text are looked up in both; in the other lists `written` and `stem` are the same.
 */
export interface QueryWord {
  written: string
  stem: string
}

type Phrase = readonly QueryWord[]

/** Words that must all occur, or those of one of the other ways to say the same. The first alternative is the user's. */
export interface QueryPart {
  alternatives: [own: Phrase, ...Phrase[]]
  /** a phrase with synonyms: it is not misspelt */
  isKnownPhrase: boolean
}

export interface ParsedQuery {
  titles: QueryPart[][]
  skills: QueryPart[]
  companies: QueryPart[][]
  locations: QueryPart[][]
  query: QueryPart[]
}

const inOneSpelling = (text: string): QueryWord => ({ written: text, stem: text })
const inBothSpellings = (text: string): QueryWord => ({ written: text, stem: cachedStem(text) })

const samePhrase = (a: Phrase, b: Phrase) =>
  a.length === b.length && a.every((word, at) => word.written === b[at]?.written && word.stem === b[at]?.stem)

const { titles: TITLES, skills: SKILLS, places: PLACES } = SYNONYMS

/** Looks a phrase up under its stems, or as it is written. */
interface Thesaurus {
  longest: number
  synonymsOf: (phrase: Phrase) => Phrase[]
}

const thesaurus = (...tables: readonly (readonly [Synonyms, keyof QueryWord])[]): Thesaurus => ({
  longest: Math.max(...tables.map(([table]) => table.longest)),
  synonymsOf: phrase =>
    tables
      .flatMap(([table, spelling]) => table.of(phrase.map(word => word[spelling])) ?? [])
      .map(words => words.map(inOneSpelling)),
})

const TITLE_WORDS = thesaurus([TITLES, 'stem'], [SKILLS, 'stem'])
const PLACE_NAMES = thesaurus([PLACES, 'written'])
const EVERYTHING = thesaurus([TITLES, 'stem'], [SKILLS, 'stem'], [PLACES, 'written'])

const toPart = (own: Phrase, synonyms: readonly Phrase[]): QueryPart => ({
  alternatives: [own, ...synonyms.filter(other => !samePhrase(other, own))],
  isKnownPhrase: synonyms.length > 0,
})

/** Cuts words into the longest phrases that have synonyms, and single words. */
function splitIntoParts(words: Phrase, { longest, synonymsOf }: Thesaurus): QueryPart[] {
  const parts: QueryPart[] = []
  for (let at = 0; at < words.length; ) {
    let length = Math.min(longest, words.length - at)
    let synonyms: Phrase[] = []
    for (; length > 0; length--) {
      synonyms = synonymsOf(words.slice(at, at + length))
      if (synonyms.length > 0) break
    }
    const taken = Math.max(length, 1)
    parts.push(toPart(words.slice(at, at + taken), synonyms))
    at += taken
  }
  return parts
}

/** A skill is one part. Its synonyms are found in alphabetical and in reversed order of its words too. */
function skillPart(words: Phrase): QueryPart {
  const stems = words.map(word => word.stem)
  const synonyms = SKILLS.of(stems) ?? SKILLS.of(stems.toSorted()) ?? SKILLS.of(stems.toReversed()) ?? []
  return toPart(
    words,
    synonyms.map(phrase => phrase.map(inOneSpelling)),
  )
}

const singleWords = (words: Phrase): QueryPart[] => words.map(word => toPart([word], []))

/** Misspelt words with their replacements: those of the lists, and by the written word those of the free text. */
export interface Corrections {
  lists: ReadonlyMap<string, string>
  query: ReadonlyMap<string, string>
}

const NO_CORRECTIONS: Corrections = { lists: new Map(), query: new Map() }

/** Parses the corrected words, so that synonyms apply to them; what was written stays as an alternative. */
function parseCorrected(
  words: Phrase,
  corrections: ReadonlyMap<string, string>,
  parse: (words: Phrase) => QueryPart[],
): QueryPart[] {
  const corrected = words.map(word => {
    const correction = corrections.get(word.written)
    return correction === undefined ? word : inOneSpelling(correction)
  })
  const parts = parse(corrected)
  let at = 0
  for (const part of parts) {
    const own = words.slice(at, at + part.alternatives[0].length)
    at += own.length
    if (!samePhrase(own, part.alternatives[0])) part.alternatives.push(own)
  }
  return parts
}

/** Words that do not count are left out, unless there are no others. */
function without(ignored: ReadonlySet<string>, words: readonly string[]): readonly string[] {
  const rest = words.filter(word => !ignored.has(word))
  return rest.length > 0 ? rest : words
}

export function parseSearch(request: SearchRequest, corrections = NO_CORRECTIONS): ParsedQuery {
  const parseList = (words: readonly string[], parse: (words: Phrase) => QueryPart[]) =>
    parseCorrected(words.map(inOneSpelling), corrections.lists, parse)
  const notEmpty = <T>(lists: T[][]) => lists.filter(list => list.length > 0)
  const { titles, skills, companies, locations, query = '' } = request
  return {
    titles: notEmpty(
      titles.map(text => parseList(without(STOP_WORDS, stemmedWords(text)), w => splitIntoParts(w, TITLE_WORDS))),
    ),
    skills: notEmpty(skills.map(stemmedWords)).flatMap(words => parseList(words, w => [skillPart(w)])),
    companies: notEmpty(companies.map(text => parseList(without(LEGAL_FORMS, tokenize(text)), singleWords))),
    locations: notEmpty(
      locations.map(text => parseList(without(STOP_WORDS, tokenize(text)), w => splitIntoParts(w, PLACE_NAMES))),
    ),
    query: parseCorrected(without(STOP_WORDS, tokenize(query)).map(inBothSpellings), corrections.query, w =>
      splitIntoParts(w, EVERYTHING),
    ),
  }
}

/** A word to look up in the vocabulary, and the fields in which the search looks for it. */
export interface QueryTerm {
  word: string
  fields: readonly FieldCode[]
  /** A word of the free text as it was written. */
  written?: string
}

export const ANY_FIELD: readonly FieldCode[] = ['t', 'w', 'c', 'l', 's']

/** Every word of the request with the part that it belongs to. */
export function eachWord(query: ParsedQuery): { part: QueryPart; term: QueryTerm }[] {
  const of = (parts: readonly QueryPart[], fields: readonly FieldCode[]) =>
    parts.flatMap(part =>
      part.alternatives[0].map(({ written, stem }) => ({
        part,
        term: { word: stem, fields, ...(fields === ANY_FIELD ? { written } : {}) },
      })),
    )
  return [
    ...query.titles.flatMap(parts => of(parts, ['t', 'w'])),
    ...of(query.skills, ['s', 'w']),
    ...query.companies.flatMap(parts => of(parts, ['c'])),
    ...query.locations.flatMap(parts => of(parts, ['l'])),
    ...of(query.query, ANY_FIELD),
  ]
}

/** The words whose frequency decides what they weigh. */
export const queryTerms = (query: ParsedQuery): QueryTerm[] => [
  ...new Map(eachWord(query).map(({ term }) => [`${term.fields.join('')} ${term.word}`, term])).values(),
]

/** How many profiles have a word, by `field:word`. */
export type Frequencies = ReadonlyMap<string, number>

export const findFrequency = (frequencies: Frequencies, { word, fields }: QueryTerm): number =>
  Math.max(...fields.map(field => frequencies.get(`${field}:${word}`) ?? 0))
