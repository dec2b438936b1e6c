/** Spans of time as résumés write them, in months since year 0, so that they can be added up. */
export interface Span {
  from: number
  /** the month after the last one */
  to: number
  current: boolean
  /** where the span stands in its line */
  start: number
  end: number
}

const MONTHS: Readonly<Record<string, number>> = Object.fromEntries(
  [
    'jan januar janvier enero',
    'feb februar février febrero',
    'mar märz mars marzo',
    'apr avril abril',
    'may mai mayo',
    'jun juin junio',
    'jul juil julio',
    'aug août agosto',
    'sep sept septembre',
    'oct okt octubre',
    'nov',
    'dec dez déc dic',
  ].flatMap((names, i) => names.split(' ').map(name => [name.slice(0, 3), i + 1])),
)

const POINT = String.raw`(?:(?:(\p{L}{3,10})\.?,?\s{1,3}|(\d{1,2})\s?[./]\s?)?((?:19|20)\d{2}))`
const NOW = `(present|now|current|today|ongoing|to date|heute|aujourd'hui|actualidad|dnes|současnost)`
const RANGE = new RegExp(String.raw`${POINT}\s{0,3}(?:-|–|—|−|to|until|till|bis|à)\s{0,3}(?:${POINT}|${NOW})`, 'iu')
const SINCE = new RegExp(String.raw`(?:since|seit|depuis)\s{1,3}${POINT}`, 'iu')

const month = (name: string | undefined, digits: string | undefined): number | undefined => {
  if (digits) return Number(digits) >= 1 && Number(digits) <= 12 ? Number(digits) : undefined
  return name ? MONTHS[name.toLowerCase().slice(0, 3)] : undefined
}

/** The span that a line names, or undefined. `thisMonth` stands for `present`. */
export function findSpan(line: string, thisMonth: number): Span | undefined {
  const range = RANGE.exec(line)
  if (range) {
    const [whole, m1, d1, y1, m2, d2, y2] = range
    const first = month(m1, d1)
    const from = Number(y1) * 12 + (first ?? 1) - 1
    const last = month(m2, d2)
    // a year alone as the end means somewhere in that year: counted to the month the start was in, or its first
    const to = y2 === undefined ? thisMonth : Number(y2) * 12 + (last ?? first ?? 1) - (last === undefined ? 1 : 0)
    if (to < from || from < 1950 * 12 || to > thisMonth + 12) return undefined
    return { from, to, current: y2 === undefined, start: range.index, end: range.index + whole.length }
  }
  const since = SINCE.exec(line)
  if (!since) return undefined
  const from = Number(since[3]) * 12 + (month(since[1], since[2]) ?? 1) - 1
  if (from > thisMonth) return undefined
  return { from, to: thisMonth, current: true, start: since.index, end: since.index + since[0].length }
}

/** Whether a piece of text is a span of time and hardly anything else. */
export function isDateRange(text: string): boolean {
  const span = RANGE.exec(text)
  return span !== null && text.trim().length - span[0].length <= 4
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
