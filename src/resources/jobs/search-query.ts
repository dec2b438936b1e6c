import { editDistance } from '../../kernel/text/edit-distance.ts'

/*
 * The words of `q` as a text search query of PostgreSQL. search.ts runs it.
 */

/** A word that some job of the workspace has used. */
export interface KnownWord {
  word: string
  lexeme: string
}

/** A word of a search. */
export interface SearchWord extends KnownWord {
  /** a stop word of English */
  stop: boolean
  number: boolean
  /** stems of the known words that begin with it or share its stem */
  stems: readonly string[]
}

/** With more stems than this the query asks for the prefix instead. */
export const MAX_STEMS = 20

/** Words of a search that count; stop words come last. */
export const MAX_WORDS = 8

/** Shorter words are searched for as a prefix and are never taken for misspelt. */
const KNOWN_LENGTH = 3

/** No job of the workspace ever had the word: it may be misspelt. Short words and numbers are always known. */
export const isUnknown = (word: SearchWord): boolean => word.stems.length === 0

/**
 * The query for the words of `q`: each must occur, in any of its forms, as a prefix, or, if it is unknown, as the known
 * words nearest to it. undefined: nothing can match.
 */
export function searchQuery(
  words: readonly SearchWord[],
  { similar, alternatives, names = [] }: WordReadings,
  need: 'every word' | 'any word' = 'every word',
) {
  const counting = significantWords(words)
  if (counting.length === 0) return undefined
  const queryOf = (word: SearchWord) => wordQuery(word, similar.get(word.word), alternatives?.get(word.word))
  const named = new Set(names.flatMap(name => name.words))
  return [
    ...counting.filter(({ word }) => !named.has(word)).map(queryOf),
    ...names.flatMap(name => {
      const own = counting.filter(({ word }) => name.words.includes(word))
      if (own.length === 0) return []
      return `(${[own.map(queryOf).join(' & '), ...name.queries].map(query => `(${query})`).join(' | ')})`
    }),
  ].join(need === 'every word' ? ' & ' : ' | ')
}

/** What words of a search can stand for, by word. */
export interface WordReadings {
  /** known words that are spelt like a misspelt one */
  similar: ReadonlyMap<string, readonly KnownWord[]>
  /** queries of other names for the same */
  alternatives?: ReadonlyMap<string, readonly string[]>
  /** names of several words, which are found as a whole, each with the queries of its other names */
  names?: readonly { words: readonly string[]; queries: readonly string[] }[]
}

/** Stop words count only if there are no other words. */
export function significantWords(words: readonly SearchWord[]): readonly SearchWord[] {
  const significant = words.filter(word => !word.stop)
  return significant.length > 0 ? significant : words
}

/** The query for one word. A stem need not begin with its word, so such stems are added to the prefix. */
export function wordQuery(
  { word, lexeme, number, stems }: SearchWord,
  similar: readonly KnownWord[] = [],
  alternatives: readonly string[] = [],
): string {
  const others = alternatives.map(query => `(${query})`)
  const isShort = word.length < KNOWN_LENGTH && !number
  if (isShort || stems.length > MAX_STEMS) {
    const different = stems.filter(stem => !stem.startsWith(word))
    return `(${[`${quoted(word)}:*`, ...different.map(quoted), ...others].join(' | ')})`
  }
  const wanted = [...new Set([...stems, ...nearest(word, similar)])]
  return `(${[...(wanted.length > 0 ? wanted : [lexeme]).map(quoted), ...others].join(' | ')})`
}

/** Whether a word that no job has may be a misspelling. */
export const mayBeMisspelt = ({ word, number }: SearchWord): boolean => word.length >= KNOWN_LENGTH && !number

const quoted = (lexeme: string) => `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

/** Stems of the candidates with the fewest edits: at most one in a word of up to five letters, two in a longer one. */
export function nearest(word: string, candidates: readonly KnownWord[]): string[] {
  const limit = [...word].length <= 5 ? 1 : 2
  const measured = candidates.map(({ word: other, lexeme }) => ({ lexeme, edits: editDistance(word, other, limit) }))
  const least = Math.min(limit, ...measured.map(m => m.edits))
  return [...new Set(measured.filter(m => m.edits === least).map(m => m.lexeme))]
}
