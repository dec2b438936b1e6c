/*
 * Text to words that can be compared, without case and accents. Profiles and searches go through the same functions;
 * after a change here the pool must be imported again.
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
    .replace(/[ßøæœłđðþı]/g, letter => SPECIAL[letter] ?? letter)
}

const MAX_WORD_LENGTH = 40

/** c++ and c# keep their signs; node.js is one word; .net becomes dotnet. Words are cut at 40 letters. */
export function tokenize(text: string): string[] {
  let folded = foldCase(text)
  if (folded.includes('.'))
    folded = folded.replace(/([a-z])\.js\b/g, '$1js').replace(/(^|[^a-z0-9])\.net\b/g, '$1dotnet')
  // most texts are plain ASCII, for which the short pattern is several times faster
  const words = folded.match(ASCII.test(folded) ? /[a-z0-9]+[+#]*/g : /[\p{L}\p{N}]+[+#]*/gu) ?? []
  for (let i = 0; i < words.length; i++) {
    const word = words[i]
    if (word && word.length > MAX_WORD_LENGTH) words[i] = word.slice(0, MAX_WORD_LENGTH).toWellFormed()
  }
  return words
}

/** A phrase as one term, whatever the order of its words: `machine learning` and `Learning, Machine`. */
export const phraseKey = (words: readonly string[]): string => words.toSorted().join('_')

export const STOP_WORDS = new Set(
  `a an and as at by for from in into is of on or the to with who that are be been has have having looking search find
  someone somebody people person candidate candidates profile profiles experience experienced years year based near`.split(
    /\s+/,
  ),
)

/** Legal forms do not distinguish companies. */
export const LEGAL_FORMS = new Set(
  'inc incorporated ltd limited llc llp plc corp corporation co company gmbh ag kg ug sa sas sarl bv nv ab oy oyj as srl spa pty'.split(
    ' ',
  ),
)
