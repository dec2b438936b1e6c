/** The language of a page: it decides what a point and a comma in a number mean. */
export type PageLanguage = string

export type TypedNumber = { number: string } | 'ambiguous' | 'malformed'

/** Marks of a group of three digits that no language uses for decimals. */
const PLAIN_MARKS = /[\s\u00a0\u2009\u202f'’]/g

/**
 * A number as people type it: `1200`, `1 200`, `1,200.50`, `1.200,50`, `3,5`. One mark before exactly three digits
 * (`1,200`) separates thousands where the page's language does so; in the other language it may be meant either way, and
 * a salary of 60,000 must not become 60.
 */
export function readNumber(text: string, language: PageLanguage): TypedNumber {
  const typed = text
    .trim()
    .replace(/^\u2212/, '-')
    // of two signs neither is left out: `+-5` may be meant either way
    .replace(/^\+(?=\d)/, '')
    .replaceAll(PLAIN_MARKS, ' ')
  if (/^-?\d+$/.test(typed)) return { number: typed }
  // groups of three, then decimals after the other mark
  const grouped = /^(-?)([1-9]\d{0,2}(?:([., ])\d{3})(?:\3\d{3})*)(?:(?!\3)[.,](\d+))?$/.exec(typed)
  if (grouped) {
    const [, sign = '', whole = '', mark, decimals] = grouped
    const isOneMark = decimals === undefined && mark !== ' ' && whole.split(mark!).length === 2
    if (isOneMark && mark !== (language === 'de' ? '.' : ',')) return 'ambiguous'
    return { number: sign + whole.replaceAll(mark!, '') + (decimals === undefined ? '' : `.${decimals}`) }
  }
  // no group has this many digits, or begins with a zero: the mark is that of decimals
  const decimal = /^(-?\d+)[.,](\d+)$/.exec(typed)
  return decimal ? { number: `${decimal[1]}.${decimal[2]}` } : 'malformed'
}

/**
 * A browser without a calendar sends what was typed. `31.12.2026` is a date in German; with slashes the order of day
 * and month depends on the writer. Undefined if the text can be read in more than one way, or not at all.
 */
export function readDate(text: string, language: PageLanguage): string | undefined {
  const typed = text.trim()
  if (/^\d{4}-\d{2}-\d{2}$/.test(typed)) return typed
  const german = language === 'de' ? /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/.exec(typed) : null
  return german ? [german[3]!, german[2]!.padStart(2, '0'), german[1]!.padStart(2, '0')].join('-') : undefined
}
