import type { PoolLine } from './rules.ts'
import { joined, LEGAL_FORMS, STOP_WORDS, stem, wordsOf } from './words.ts'

// Of a long summary the beginning tells what the person does; more words would make the index, not the search, better.
const SUMMARY_LETTERS = 400
const MAX_TERMS = 120

/** A term is a word with the field that it stands in: t: title, s: a whole skill, c: company, l: place, w: anything else. */
export function termsOf(line: Omit<PoolLine, 'title_words' | 'terms'>): { title_words: number; terms: string[] } {
  forgetWhenFull()
  const taken = new Terms()
  const title = wordsIn(line.job_title)
  for (const { stem } of title) {
    taken.add(stem.inTitle)
    taken.name(stem)
  }
  const skills = line.skills.map(skillOf)
  for (const { words, term } of skills) {
    if (words.length === 1) taken.name(words[0]!.stem)
    taken.add(term)
  }
  for (const { stem, inCompany } of wordsIn(line.company_name)) {
    taken.add(inCompany)
    taken.name(stem)
  }
  for (const { inPlace } of wordsIn(line.location_full)) taken.add(inPlace)
  for (const { inPlace } of wordsIn(line.location_country)) taken.add(inPlace)
  taken.addElsewhere(newWordsIn(line.headline))
  for (const { words } of skills) taken.addElsewhere(words)
  taken.addElsewhere(newWordsIn(line.full_name))
  taken.addElsewhere(wordsIn(line.company_industry))
  taken.addElsewhere(wordsIn(line.department))
  taken.addElsewhere(wordsIn(line.management_level))
  taken.addElsewhere(newWordsIn(line.summary?.slice(0, SUMMARY_LETTERS) ?? null))
  return { title_words: title.length, terms: taken.terms }
}

let profilesRead = 0

/** The terms of one profile, each once. Which it has is noted on the terms: a set for each profile would cost more. */
class Terms {
  readonly terms: string[] = []
  readonly #profile = ++profilesRead

  /** undefined: it says nothing there */
  add(term: Term | undefined): void {
    if (term === undefined || term.takenBy === this.#profile) return
    term.takenBy = this.#profile
    this.terms.push(term.text)
  }

  /** It stands in a field of its own, where the search looks for it too. */
  name(stem: Stem): void {
    stem.namedBy = this.#profile
  }

  addElsewhere(words: readonly Word[]): void {
    if (this.terms.length >= MAX_TERMS) return
    for (const { stem } of words) if (stem.namedBy !== this.#profile) this.add(stem.elsewhere)
  }
}

interface Term {
  text: string
  /** the last profile that has it */
  takenBy: number
}

interface Stem {
  text: string
  inTitle: Term
  /** undefined: it says nothing there; also below */
  elsewhere: Term | undefined
  /** the last profile that has it in a field of its own */
  namedBy: number
}

interface Skill {
  words: readonly Word[]
  /** undefined: too long to be the name of a skill */
  term: Term | undefined
}

interface Word {
  stem: Stem
  inPlace: Term
  inCompany: Term | undefined
}

// Made once: an import meets the same words again and again. Bounded, so that memory is: some 50 MB with words and short
// texts of usual length. Then they are forgotten together, and between two profiles: of each term there must be one.
const MOST_WORDS = 200_000
const MOST_TEXTS = 100_000
const SHORT_TEXT = 60
const MOST_SKILL_WORDS = 6
const knownWords = new Map<string, Word>()
const knownStems = new Map<string, Stem>()
const knownTexts = new Map<string, readonly Word[]>()
const knownSkills = new Map<string, Skill>()
const knownSkillTerms = new Map<string, Term>()

function forgetWhenFull(): void {
  const texts = Math.max(knownTexts.size, knownSkills.size, knownSkillTerms.size)
  if (knownWords.size < MOST_WORDS && texts < MOST_TEXTS) return
  for (const known of [knownWords, knownStems, knownTexts, knownSkills, knownSkillTerms]) known.clear()
}

const NO_WORDS: readonly Word[] = []

/** Of a text that other profiles have too. */
function wordsIn(text: string | null): readonly Word[] {
  if (text === null) return NO_WORDS
  if (text.length > SHORT_TEXT) return newWordsIn(text)
  return made(knownTexts, text, newWordsIn)
}

/** Of a text that is one profile's alone. */
const newWordsIn = (text: string | null): readonly Word[] =>
  text === null ? NO_WORDS : wordsOf(text).map(word => made(knownWords, word, newWord))

const skillOf = (name: string): Skill => (name.length > SHORT_TEXT ? newSkill(name) : made(knownSkills, name, newSkill))

function newSkill(name: string): Skill {
  const words = newWordsIn(name)
  if (words.length === 0 || words.length > MOST_SKILL_WORDS) return { words, term: undefined }
  return { words, term: made(knownSkillTerms, `s:${joined(words.map(word => word.stem.text))}`, newTerm) }
}

const newTerm = (text: string): Term => ({ text, takenBy: 0 })

const newWord = (word: string): Word => ({
  stem: made(knownStems, stem(word), newStem),
  inPlace: newTerm(`l:${word}`),
  inCompany: LEGAL_FORMS.has(word) ? undefined : newTerm(`c:${word}`),
})

const newStem = (text: string): Stem => ({
  text,
  inTitle: newTerm(`t:${text}`),
  elsewhere: STOP_WORDS.has(text) ? undefined : newTerm(`w:${text}`),
  namedBy: 0,
})

function made<T>(known: Map<string, T>, text: string, make: (text: string) => T): T {
  let found = known.get(text)
  if (found === undefined) {
    found = make(text)
    known.set(text, found)
  }
  return found
}
