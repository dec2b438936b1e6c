/**
 * Text to words that can be compared: without case, accents and endings. The same for profiles and for searches; a
 * change here needs the pool to be imported again.
 */

const SPECIAL: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
}

const ASCII = /^[\x00-\x7f]*$/

export function foldCase(text: string): string {
  const lower = text.toLowerCase()
  if (ASCII.test(lower)) return lower
  return lower
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßøæœłđðþı]/g, letter => SPECIAL[letter]!)
}

/** c++ and c# keep their signs; node.js is one word; .net is spelt out. Words are cut at 40 letters. */
export function wordsOf(text: string): string[] {
  let spelt = foldCase(text)
  if (spelt.includes('.')) spelt = spelt.replace(/([a-z])\.js\b/g, '$1js').replace(/(^|[^a-z0-9])\.net\b/g, '$1dotnet')
  // most texts are plain ASCII, for which the short pattern is several times faster
  const words = spelt.match(ASCII.test(spelt) ? /[a-z0-9]+[+#]*/g : /[\p{L}\p{N}]+[+#]*/gu) ?? []
  for (let i = 0; i < words.length; i++) if (words[i]!.length > 40) words[i] = words[i]!.slice(0, 40).toWellFormed()
  return words
}

// longest first, so that the whole ending goes
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

/** Words that have this stem, or may have: with no ending, one, or two of them, each about as long as it should be. */
export function* formsOf(stem: string, length: number, within: number): Generator<string> {
  for (const first of stem.length < SHORTEST_STEM ? [''] : ['', ...ENDINGS]) {
    for (const second of first === '' ? [''] : ['', ...ENDINGS]) {
      for (const plural of ['', 's']) {
        const letters = stem.length + first.length + second.length + plural.length
        if (Math.abs(letters - length) <= within) yield stem + first + second + plural
      }
    }
  }
}

function singular(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(?:ss|ch|sh|x|z)es$/.test(word)) return word.slice(0, -2)
  return /[^sui]s$/.test(word) ? word.slice(0, -1) : word
}

// A pool has some hundred thousand different words; beyond that they are stemmed anew, so that memory stays bounded.
const MAX_REMEMBERED = 200_000
const stems = new Map<string, string>()

export function stemsOf(text: string): string[] {
  return wordsOf(text).map(word => {
    let found = stems.get(word)
    if (found === undefined) {
      found = stem(word)
      if (stems.size < MAX_REMEMBERED) stems.set(word, found)
    }
    return found
  })
}

/** The same whatever the order of its words: `machine learning` and `Learning, Machine`. */
export const joined = (words: readonly string[]): string =>
  words.length === 1 ? words[0]! : words.toSorted().join('_')

/** How many slips a word of this length may have: short words have too many neighbours. */
export const editsAllowed = (word: string): number => (word.length < 4 ? 0 : word.length < 8 ? 1 : 2)

export const STOP_WORDS = new Set(
  `a an and as at by for from in into is of on or the to with who that are be been has have having looking search find
  someone somebody people person candidate candidates profile profiles experience experienced years year based near`.split(
    /\s+/,
  ),
)

/** Legal forms say nothing about which company is meant. */
export const LEGAL_FORMS = new Set(
  'inc incorporated ltd limited llc llp plc corp corporation co company gmbh ag kg ug sa sas sarl bv nv ab oy oyj as srl spa pty'.split(
    ' ',
  ),
)
