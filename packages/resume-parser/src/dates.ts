import { AMBIGUOUS_MONTHS, MONTHS, NOW, SEASONS, SINCE, UNTIL } from './vocabulary/dates.ts'
import { fold } from './vocabulary/words.ts'

/** Spans of time as résumés write them, in months since year 0, so that they can be added up. */
export interface Span {
  from: number
  /** the month after the last one */
  to: number
  current: boolean
  /** offsets of the span in its line */
  start: number
  end: number
}

/** A month or a year in a line. A season is more than one month. */
interface Point {
  year: number
  first: number | undefined
  last: number | undefined
  season: boolean
  start: number
  end: number
}

const YEAR = /(?<![\p{L}\d$€£])(?:(?:19|20)\d{2}(?!\d)|['’]\d{2}(?![\d\p{L}]))/gu
const NUMBER_BEFORE = /(?:(?<!\d)\d{1,2}[./-]\s?)?(?<!\d)(\d{1,2})\s?[./-]\s?$/
const NUMBER_AFTER = /^[./-](\d{1,2})(?:[./-]\d{1,2})?(?![\d.,/])/
const WORD_BEFORE =
  /(?:(?<![\p{L}\d])\d{1,2}(?:st|nd|rd|th|er|º)?[.\s]\s?(?:de\s)?)?(?<!\p{L})(\p{L}{3,14})(\.?)(,?)\s?(?:[/-]\s?|(?:de|del|di|do|of)\s)?$/iu

const monthOf = (word: string, comma: boolean): readonly [number, number] | undefined => {
  const name = fold(word)
  const month = MONTHS.get(name)
  if (month !== undefined) return comma && AMBIGUOUS_MONTHS.has(name) ? undefined : [month, month]
  return SEASONS.get(name)
}

const valid = (month: number): boolean => month >= 1 && month <= 12

/** Every point of time in a line, from left to right. */
function pointsIn(line: string): Point[] {
  const points: Point[] = []
  for (const match of line.matchAll(YEAR)) {
    const [start, end] = [match.index, match.index + match[0].length]
    // looks back to the end of the previous point at most, and never farther than a date is long
    const reach = line.slice(Math.max(points.at(-1)?.end ?? 0, start - 32), start)
    const year = match[0].length === 4 ? Number(match[0]) : fullYear(Number(match[0].slice(1)))
    const point = { year, first: undefined, last: undefined, season: false, start, end }
    const number = NUMBER_BEFORE.exec(reach)
    const word = WORD_BEFORE.exec(reach)
    const named = word && monthOf(word[1] ?? '', word[3] === ',')
    const after = NUMBER_AFTER.exec(line.slice(end, end + 8))
    if (number && valid(Number(number[1])))
      points.push({ ...point, ...same(Number(number[1])), start: start - number[0].length })
    else if (named)
      points.push({
        ...point,
        first: named[0],
        last: named[1],
        season: named[0] !== named[1],
        start: start - word[0].length,
      })
    else if (after && valid(Number(after[1])) && match[0].length === 4)
      points.push({ ...point, ...same(Number(after[1])), end: end + after[0].length })
    else points.push(point)
  }
  return points
}

const same = (month: number) => ({ first: month, last: month })
/** `'98` is the past century, `'19` this one. */
const fullYear = (short: number): number => (short > 50 ? 1900 : 2000) + short

const alternatives = (phrases: readonly string[]): string =>
  [...phrases]
    .sort((a, b) => b.length - a.length)
    .map(p => p.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`))
    .join('|')

const DASH = '[-–—−‐‑‒―→⟶~]{1,3}'
const UNTIL_HERE = new RegExp(
  String.raw`^\s{0,3}(?:${DASH}|,?\s(?:${alternatives(UNTIL)})(?=\s))\s{0,3}(?:(?:${alternatives(UNTIL)})\s)?`,
  'u',
)
const NOW_HERE = new RegExp(String.raw`^(?:\(?(?:${alternatives(NOW)}))(?![\p{L}\d])`, 'u')
const SINCE_BEFORE = new RegExp(String.raw`(?<![\p{L}\d])(?:${alternatives(SINCE)})\s{1,2}(?:le\s|dem\s|den\s)?$`, 'u')
/** `Jan – Mar 2020`, `03 – 05/2020`: the year is written once */
const MONTH_BEFORE = new RegExp(
  String.raw`(?:(?<!\p{L})(\p{L}{3,14})\.?|(?<![\d./])(\d{1,2}))\s{0,2}${DASH}\s{0,2}$`,
  'u',
)
const OPEN_END = new RegExp(String.raw`^\s{0,2}${DASH}\s{0,2}(?:$|[)|,\t])`, 'u')
const SHORT_RANGE = new RegExp(
  String.raw`(?<![\d./])(0?[1-9]|1[0-2])[/.](\d{2})\s{0,2}${DASH}\s{0,2}(?:(0?[1-9]|1[0-2])[/.](\d{2})(?![\d./])|(${alternatives(NOW)})(?!\p{L}))`,
  'u',
)

/** For the test that all of them are linear: it cannot read patterns that are put together here. */
export const DATE_PATTERNS: readonly RegExp[] = [
  UNTIL_HERE,
  NOW_HERE,
  SINCE_BEFORE,
  MONTH_BEFORE,
  OPEN_END,
  SHORT_RANGE,
]

const NOW_WORDS = new Set(NOW)

/** Whether a text is a word for today and nothing else. */
export const isNow = (text: string): boolean => NOW_WORDS.has(fold(text.trim()))

/** Lower case and without accents, with every character where it was. */
const foldInPlace = (line: string): string =>
  /^\p{ASCII}*$/u.test(line) ? line.toLowerCase() : [...line].map(c => (c.length > 1 ? c : (fold(c)[0] ?? c))).join('')

/** Every span that a line names. `thisMonth` is the end of a span up to `present`. */
export function findSpans(line: string, thisMonth: number): Span[] {
  const folded = foldInPlace(line)
  const spans: Span[] = []
  const add = (from: number, to: number, start: number, end: number) => {
    if (to < from || from < 1950 * 12 || from > thisMonth || to > thisMonth + 96) return
    spans.push({ from, to: Math.min(to, thisMonth), current: to > thisMonth - 1 && to >= thisMonth, start, end })
  }
  const points = pointsIn(line)
  for (let i = 0, point = points[0]; point; point = points[++i]) {
    const from = point.year * 12 + (point.first ?? 1) - 1
    const until = UNTIL_HERE.exec(folded.slice(point.end, point.end + 24))
    const next = points[i + 1]
    // some fonts have a dash that no reader sees: `Mar 2021 Present`, `Aug 2018 Feb 2021`
    const gap = until
      ? until[0].length
      : point.first === undefined || point.season
        ? Number.NaN
        : (/^\s{0,3}/.exec(line.slice(point.end))?.[0].length ?? 0)
    const at = point.end + gap
    const now = gap >= 0 && NOW_HERE.exec(folded.slice(at, at + 24))
    const since = SINCE_BEFORE.exec(folded.slice(Math.max(0, point.start - 24), point.start))
    if (now) add(from, thisMonth, point.start, at + now[0].length)
    else if (
      gap >= 0 &&
      next &&
      next.start <= at + 1 &&
      next.start >= point.end &&
      (until || next.first !== undefined)
    ) {
      // a year alone as the end means somewhere in that year: counted to the month the start was in, or its first
      const { last } = next
      add(from, next.year * 12 + (last ?? point.first ?? 1) - (last === undefined ? 1 : 0), point.start, next.end)
      i++
    } else if (since) add(from, thisMonth, point.start - since[0].length, point.end)
    else {
      const before = folded.slice(Math.max(0, point.start - 20), point.start)
      const lone = point.first === undefined ? null : MONTH_BEFORE.exec(before)
      const first = lone ? (lone[2] ? Number(lone[2]) : monthOf(lone[1] ?? '', false)?.[0]) : undefined
      const to = point.year * 12 + (point.last ?? 12)
      if (lone && first !== undefined && valid(first))
        add(point.year * 12 + first - 1, to, point.start - lone[0].length, point.end)
      else if (point.season) add(from, to, point.start, point.end)
      else if (OPEN_END.test(folded.slice(point.end, point.end + 8))) add(from, thisMonth, point.start, point.end + 2)
    }
  }
  if (spans.length === 0 && points.length === 0) {
    const short = SHORT_RANGE.exec(folded)
    if (short) {
      const [whole, m1, y1, m2, y2] = short
      const to = m2 ? fullYear(Number(y2)) * 12 + Number(m2) : thisMonth
      add(fullYear(Number(y1)) * 12 + Number(m1) - 1, to, short.index, short.index + whole.length)
    }
  }
  return spans
}

/** The first span that a line names, or undefined. */
export const findSpan = (line: string, thisMonth: number): Span | undefined => findSpans(line, thisMonth)[0]

const LONG_AGO = 2200 * 12

/** Whether a text is a span of time and hardly anything else. */
export function isDateRange(text: string): boolean {
  const span = findSpan(text, LONG_AGO)
  return span !== undefined && text.trim().length - (span.end - span.start) <= 4
}

/** A text that is one month or one year and nothing else, as a span. */
export function onlyDate(text: string, thisMonth: number): Span | undefined {
  const trimmed = text.trim()
  const [point, another] = pointsIn(trimmed)
  if (!point || another || trimmed.length - (point.end - point.start) > 2) return undefined
  const from = point.year * 12 + (point.first ?? 1) - 1
  const to = Math.min(thisMonth, point.year * 12 + (point.last ?? 12))
  if (from < 1950 * 12 || from >= thisMonth) return undefined
  return { from, to, current: false, start: 0, end: text.length }
}

/** Whether a text names a year or a month of a year. */
export const hasDate = (text: string): boolean => pointsIn(text).length > 0

/** A text without the dates in it. */
export function withoutDates(text: string, thisMonth: number): string {
  const cut = [...findSpans(text, thisMonth), ...pointsIn(text)].sort((a, b) => a.start - b.start)
  let [out, at] = ['', 0]
  for (const { start, end } of cut) {
    if (start > at) out += `${text.slice(at, start)} `
    at = Math.max(at, end)
  }
  return out + text.slice(at)
}

/** Years covered by spans that may overlap. */
export function yearsCovered(spans: readonly Span[]): number {
  let months = 0
  let reached = 0
  for (const { from, to } of [...spans].sort((a, b) => a.from - b.from)) {
    months += Math.max(0, to - Math.max(from, reached))
    reached = Math.max(reached, to)
  }
  return Math.round((months / 12) * 10) / 10
}
