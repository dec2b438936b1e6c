import { getOrCreate } from '../../kernel/async/get-or-create.ts'

/** How a locale writes numbers and dates. */
interface Notation {
  /** between groups of three digits */
  group: string | undefined
  /** in their order; undefined: with slashes, which do not say whether the day or the month is first */
  date: { order: readonly string[]; mark: string } | undefined
}

const notations = new Map<string, Notation>()

const notationOf = (locale: string): Notation =>
  getOrCreate(notations, locale, () => {
    const number = new Intl.NumberFormat(locale).formatToParts(1_234_567)
    const day = new Intl.DateTimeFormat(locale, { year: 'numeric', month: '2-digit', day: '2-digit', timeZone: 'UTC' })
    const parts = day.formatToParts(0)
    const mark = parts.find(({ type }) => type === 'literal')?.value.trim()
    const order = parts.filter(({ type }) => type !== 'literal').map(({ type }) => type)
    return {
      group: number.find(({ type }) => type === 'group')?.value,
      date: mark === '.' || mark === '-' ? { order, mark } : undefined,
    }
  })

export type TypedNumber = { number: string } | 'ambiguous' | 'malformed'

/** Marks of a group of three digits that no language uses for decimals. */
const PLAIN_MARKS = /[\s\u00a0\u2009\u202f'’]/g

/**
 * A number as people type it: `1200`, `1 200`, `1,200.50`, `1.200,50`, `3,5`. One mark before exactly three digits
 * (`1,200`) separates thousands where the page's language does so; in the other language it may be meant either way, and
 * a salary of 60,000 must not become 60.
 */
export function readNumber(text: string, locale: string): TypedNumber {
  const typed = text
    .trim()
    .replace(/^\u2212/, '-')
    // neither of two signs is left out: `+-5` may be meant either way
    .replace(/^\+(?=\d)/, '')
    .replaceAll(PLAIN_MARKS, ' ')
  if (/^-?\d+$/.test(typed)) return { number: typed }
  // groups of three, then decimals after the other mark
  const grouped = /^(-?)([1-9]\d{0,2}(?:([., ])\d{3})(?:\3\d{3})*)(?:(?!\3)[.,](\d+))?$/.exec(typed)
  if (grouped) {
    const [, sign = '', whole = '', mark = '', decimals] = grouped
    const isOneMark = decimals === undefined && mark !== ' ' && whole.split(mark).length === 2
    if (isOneMark && mark !== notationOf(locale).group) return 'ambiguous'
    return { number: sign + whole.replaceAll(mark, '') + (decimals === undefined ? '' : `.${decimals}`) }
  }
  // no group has this many digits, or begins with a zero: the mark is that of decimals
  const decimal = /^(-?\d+)[.,](\d+)$/.exec(typed)
  return decimal ? { number: `${decimal[1]}.${decimal[2]}` } : 'malformed'
}

/**
 * A browser without a calendar sends what was typed. `31.12.2026` is a date in German; with slashes the order of day
 * and month depends on the writer. Undefined if the text can be read in more than one way, or not at all.
 */
export function readDate(text: string, locale: string): string | undefined {
  const typed = text.trim()
  if (/^\d{4}-\d{2}-\d{2}$/.test(typed)) return typed
  const { date } = notationOf(locale)
  if (date === undefined) return undefined
  const numbers = typed.split(date.mark).map(part => part.trim())
  if (numbers.length !== 3 || !numbers.every(part => /^\d{1,4}$/.test(part))) return undefined
  const named = Object.fromEntries(date.order.map((name, i) => [name, numbers[i]]))
  const { year = '', month = '', day = '' } = named
  return year.length === 4 && month.length <= 2 && day.length <= 2
    ? [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-')
    : undefined
}
