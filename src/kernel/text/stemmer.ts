import { tokenize } from './tokenize.ts'

// longest first, so that the whole ending is removed
const ENDINGS = ['ment', 'ship', 'ist', 'ing', 'ion', 'ant', 'ure', 'ial', 'er', 'or', 'ed', 'al']
const SHORTEST_STEM = 4

/** The part of an English word that its forms share: developer, developers, developing, development to develop. */
export function stem(word: string): string {
  if (word.length <= 3 || !/^[a-z]+$/.test(word)) return word
  let rest = singular(word)
  for (let cut = true, times = 0; cut && times < 3; times++) {
    cut = false
    for (const ending of ENDINGS) {
      if (rest.length - ending.length >= SHORTEST_STEM && rest.endsWith(ending)) {
        rest = rest.slice(0, -ending.length)
        cut = true
        break
      }
    }
  }
  if (rest.length > SHORTEST_STEM && rest.endsWith('e')) rest = rest.slice(0, -1)
  if (rest.length > SHORTEST_STEM && /([bdgmnprt])\1$/.test(rest)) rest = rest.slice(0, -1)
  return rest
}

function singular(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(?:ss|ch|sh|x|z)es$/.test(word)) return word.slice(0, -2)
  return /[^sui]s$/.test(word) ? word.slice(0, -1) : word
}

/** Words that may have this stem: with up to two endings and a plural, `length` letters long give or take `tolerance`. */
export function* generateInflections(stem: string, length: number, tolerance: number): Generator<string> {
  for (const first of stem.length < SHORTEST_STEM ? [''] : ['', ...ENDINGS]) {
    for (const second of first === '' ? [''] : ['', ...ENDINGS]) {
      for (const plural of ['', 's']) {
        const letters = stem.length + first.length + second.length + plural.length
        if (Math.abs(letters - length) <= tolerance) yield stem + first + second + plural
      }
    }
  }
}

// A pool has some hundred thousand different words; further ones are not cached, so that memory stays bounded.
const MAX_CACHED_STEMS = 200_000
const cachedStems = new Map<string, string>()

export function cachedStem(word: string): string {
  let found = cachedStems.get(word)
  if (found === undefined) {
    found = stem(word)
    if (cachedStems.size < MAX_CACHED_STEMS) cachedStems.set(word, found)
  }
  return found
}

export const stemmedWords = (text: string): string[] => tokenize(text).map(cachedStem)
