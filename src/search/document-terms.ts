import { stem } from '../kernel/text/stemmer.ts'
import { LEGAL_FORMS, phraseKey, STOP_WORDS, tokenize } from '../kernel/text/tokenize.ts'

/** What is indexed of a profile. */
export interface SearchDocument {
  job_title: string | null
  skills: readonly string[]
  company_name: string | null
  location_full: string | null
  location_country: string | null
  headline: string | null
  full_name: string | null
  company_industry: string | null
  department: string | null
  management_level: string | null
  summary: string | null
}

// The beginning of a summary says what the person does; more words make the index larger and the results no better.
const SUMMARY_LENGTH = 400
const MAX_TERMS = 120

/**
 * A term is a word with the code of its field: t title, s a whole skill, c company, l place, w any other text. A word of
 * the title, of the company or of a one-word skill is not repeated under `w`: searches look into these fields too.
 */
export function documentTerms(document: SearchDocument): { title_words: number; terms: string[] } {
  clearCachesWhenFull()
  const collected = new CollectedTerms()
  const title = cachedWords(document.job_title)
  for (const { stem } of title) {
    collected.add(stem.inTitle)
    collected.markNamed(stem)
  }
  const skills = document.skills.map(cachedSkill)
  for (const { words, term } of skills) {
    const [word] = words
    if (word && words.length === 1) collected.markNamed(word.stem)
    collected.add(term)
  }
  for (const { stem, inCompany } of cachedWords(document.company_name)) {
    collected.add(inCompany)
    collected.markNamed(stem)
  }
  for (const { inPlace } of cachedWords(document.location_full)) collected.add(inPlace)
  for (const { inPlace } of cachedWords(document.location_country)) collected.add(inPlace)
  collected.addText(words(document.headline))
  for (const { words } of skills) collected.addText(words)
  collected.addText(words(document.full_name))
  collected.addText(cachedWords(document.company_industry))
  collected.addText(cachedWords(document.department))
  collected.addText(cachedWords(document.management_level))
  collected.addText(words(document.summary?.slice(0, SUMMARY_LENGTH) ?? null))
  return { title_words: title.length, terms: collected.terms }
}

let documentsRead = 0

/** The terms of one document, each once. Each term stores its last document, which is cheaper than a set for each document. */
class CollectedTerms {
  readonly terms: string[] = []
  readonly #document = ++documentsRead

  /** undefined: not indexed in that field */
  add(term: Term | undefined): void {
    if (term === undefined || term.lastDocument === this.#document) return
    term.lastDocument = this.#document
    this.terms.push(term.text)
  }

  /** The word is found by its title, skill or company. */
  markNamed(stem: Stem): void {
    stem.namedIn = this.#document
  }

  addText(words: readonly IndexedWord[]): void {
    if (this.terms.length >= MAX_TERMS) return
    for (const { stem } of words) if (stem.namedIn !== this.#document) this.add(stem.inText)
  }
}

interface Term {
  text: string
  lastDocument: number
}

interface Stem {
  text: string
  inTitle: Term
  /** undefined: a stop word */
  inText: Term | undefined
  /** the last document that has it in a title, a one-word skill or a company */
  namedIn: number
}

interface Skill {
  words: readonly IndexedWord[]
  /** undefined: too long for the name of a skill */
  term: Term | undefined
}

interface IndexedWord {
  stem: Stem
  inPlace: Term
  /** undefined: a legal form */
  inCompany: Term | undefined
}

// An import meets the same words again and again. The caches are bounded: some 50 MB with words and short texts of usual
// length. They are cleared together and between two documents, because a term must exist once while a document is read.
const MAX_WORDS = 200_000
const MAX_TEXTS = 100_000
const MAX_CACHED_LENGTH = 60
const MAX_SKILL_WORDS = 6
const wordCache = new Map<string, IndexedWord>()
const stemCache = new Map<string, Stem>()
const textCache = new Map<string, readonly IndexedWord[]>()
const skillCache = new Map<string, Skill>()
const skillTermCache = new Map<string, Term>()

function clearCachesWhenFull(): void {
  const texts = Math.max(textCache.size, skillCache.size, skillTermCache.size)
  if (wordCache.size < MAX_WORDS && texts < MAX_TEXTS) return
  for (const cache of [wordCache, stemCache, textCache, skillCache, skillTermCache]) cache.clear()
}

const NO_WORDS: readonly IndexedWord[] = []

/** Words of a text that other profiles are likely to have too. */
function cachedWords(text: string | null): readonly IndexedWord[] {
  if (text === null) return NO_WORDS
  if (text.length > MAX_CACHED_LENGTH) return words(text)
  return cached(textCache, text, words)
}

/** Words of a text that only one profile has. */
const words = (text: string | null): readonly IndexedWord[] =>
  text === null ? NO_WORDS : tokenize(text).map(word => cached(wordCache, word, newWord))

const cachedSkill = (name: string): Skill =>
  name.length > MAX_CACHED_LENGTH ? newSkill(name) : cached(skillCache, name, newSkill)

function newSkill(name: string): Skill {
  const parts = words(name)
  if (parts.length === 0 || parts.length > MAX_SKILL_WORDS) return { words: parts, term: undefined }
  return { words: parts, term: cached(skillTermCache, `s:${phraseKey(parts.map(word => word.stem.text))}`, newTerm) }
}

const newTerm = (text: string): Term => ({ text, lastDocument: 0 })

const newWord = (word: string): IndexedWord => ({
  stem: cached(stemCache, stem(word), newStem),
  inPlace: newTerm(`l:${word}`),
  inCompany: LEGAL_FORMS.has(word) ? undefined : newTerm(`c:${word}`),
})

const newStem = (text: string): Stem => ({
  text,
  inTitle: newTerm(`t:${text}`),
  inText: STOP_WORDS.has(text) ? undefined : newTerm(`w:${text}`),
  namedIn: 0,
})

/** Written out for speed: `getOrCreate` would need a closure for each look-up. */
function cached<T>(cache: Map<string, T>, text: string, make: (text: string) => T): T {
  let found = cache.get(text)
  if (found === undefined) {
    found = make(text)
    cache.set(text, found)
  }
  return found
}
