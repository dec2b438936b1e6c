import { isDateRange } from './dates.ts'
import { findHeading } from './vocabulary/headings.ts'

/** Reading order from geometry: a page knows places, not lines. */
export interface PageWord {
  x: number
  right: number
  y: number
  size: number
  text: string
}

/** Words that follow each other without a wide gap. */
type Segment = PageWord

/** A gap of this many letter widths separates two segments of a row. */
const GAP = 1.1
/** An overlap of this many letter widths is more than kerning. */
const OVERLAP = 0.6
/** A gap of this many belongs between two words. */
const SPACE = 0.15

export function pageText(words: readonly PageWord[]): string {
  const gutter = findGutter(words)
  if (gutter === undefined) return textOf(words)
  const blocks: string[] = []
  let left: PageWord[] = []
  let right: PageWord[] = []
  const flush = () => {
    // the column with the largest letters has the name in it, and is the one to begin with
    const columns = largest(right) > largest(left) * 1.2 ? [right, left] : [left, right]
    blocks.push(...columns.filter(column => column.length > 0).map(textOf))
    left = []
    right = []
  }
  for (const row of toRows(words)) {
    if (row.some(word => crosses(word, gutter))) {
      flush()
      blocks.push(textOf(row))
    } else for (const word of row) (word.x < gutter ? left : right).push(word)
  }
  flush()
  return blocks.join('\n')
}

const largest = (words: readonly PageWord[]): number => words.reduce((size, word) => Math.max(size, word.size), 0)

const textOf = (words: readonly PageWord[]): string =>
  toRows(words)
    .map(row =>
      toSegments(row)
        .map(segment => segment.text)
        .join('\t'),
    )
    .join('\n')

const crosses = (word: PageWord, x: number): boolean => word.x < x - 3 && word.right > x + 3

/** Top to bottom: words on one base line, or nearly. */
function toRows(words: readonly PageWord[]): PageWord[][] {
  const rows: PageWord[][] = []
  for (const word of [...words].sort((a, b) => b.y - a.y || a.x - b.x)) {
    const row = rows.at(-1)
    const first = row?.[0]
    if (first && Math.abs(first.y - word.y) <= Math.max(2, Math.min(word.size, first.size) * 0.35)) row.push(word)
    else rows.push([word])
  }
  return rows.map(row => row.sort((a, b) => a.x - b.x))
}

function toSegments(row: readonly PageWord[]): Segment[] {
  const segments: Segment[] = []
  for (const word of row) {
    const last = segments.at(-1)
    const gap = last ? word.x - last.right : 0
    // drawn twice to look bold
    if (last && last.text === word.text && Math.abs(last.x - word.x) < 2) continue
    // what is drawn over something else does not continue with it
    if (!last || gap > Math.max(word.size, last.size) * GAP || gap < -word.size * OVERLAP) segments.push({ ...word })
    else {
      last.text += (gap > word.size * SPACE && !/\s$/.test(last.text) && !/^\s/.test(word.text) ? ' ' : '') + word.text
      last.right = Math.max(last.right, word.right)
    }
  }
  return segments
}

/** More on one page is no résumé, and would take its time. */
const MAX_WORDS = 4_000
const MAX_CANDIDATES = 12
const MIN_STARTS = 4
const MIN_MARGIN = 70
const MAX_CROSSING = 0.08

/**
 * Where a page has two columns: an x at which many lines begin and which hardly any crosses. Columns have headings of
 * their own on both sides, or at least text whose rows do not align with the other side; anything else is a table,
 * with dates or labels in its first column, and is read row by row.
 */
function findGutter(words: readonly PageWord[]): number | undefined {
  if (words.length === 0 || words.length > MAX_WORDS) return undefined
  const starts = new Map<number, number>()
  const left = words.reduce((x, word) => Math.min(x, word.x), Number.POSITIVE_INFINITY)
  for (const word of firstOfSegments(words)) {
    const at = Math.round(word.x / 3) * 3
    starts.set(at, (starts.get(at) ?? 0) + 1)
  }
  const near = (x: number) => (starts.get(x - 3) ?? 0) + (starts.get(x) ?? 0) + (starts.get(x + 3) ?? 0)
  const candidates = [...starts.keys()]
    .filter(x => x > left + MIN_MARGIN && near(x) >= MIN_STARTS)
    .sort((a, b) => near(b) - near(a))
    .slice(0, MAX_CANDIDATES)
    .sort((a, b) => a - b)
  return candidates.map(x => x - 5).find(x => separatesColumns(words, x))
}

const firstOfSegments = (words: readonly PageWord[]): Segment[] => toRows(words).flatMap(toSegments)

function separatesColumns(words: readonly PageWord[], x: number): boolean {
  const right = words.filter(word => word.x >= x)
  const [top, bottom] = [Math.max(...right.map(w => w.y)) + 2, Math.min(...right.map(w => w.y)) - 2]
  const band = words.filter(word => word.y <= top && word.y >= bottom)
  if (band.filter(word => crosses(word, x)).length > band.length * MAX_CROSSING) return false
  const side = (keep: (word: PageWord) => boolean) => firstOfSegments(words.filter(keep))
  const [before, after] = [side(word => word.right <= x + 3), side(word => word.x >= x)]
  if (before.length < 3 || after.length < MIN_STARTS) return false
  const kinds = (list: readonly Segment[]) => new Set(list.flatMap(segment => findHeading(segment.text) ?? []))
  // a table cell that reads like a heading shares its row with another cell, and is the only one of its kind
  const alone = after.filter(one => findHeading(one.text) && !before.some(other => Math.abs(other.y - one.y) < 1))
  const headingsBefore = kinds(before).size
  const headingsAfter = alone.length > 0 || kinds(after).size > 1 ? kinds(after).size : 0
  if (headingsBefore > 0 && headingsAfter > 0) return true
  const dates = (list: readonly Segment[]) => list.filter(segment => isDateRange(segment.text)).length
  if (dates(before) > 0 || dates(after) > after.length * 0.3 || headingsAfter + headingsBefore === 0) return false
  // in a table most segments on the right share their row with one on the left
  const beginsAt = after.filter(segment => Math.abs(segment.x - x - 5) < 8)
  const rowed = beginsAt.filter(segment => before.some(other => Math.abs(other.y - segment.y) < 1)).length
  return headingsAfter > 0 && beginsAt.length >= 6 && rowed < beginsAt.length * 0.35
}
