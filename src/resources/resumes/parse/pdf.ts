import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { isDateRange } from './dates.ts'
import { Unreadable } from './unreadable.ts'

/**
 * Text of a PDF, from Mozilla's reader (the one in Firefox: maintained, and used to hostile files). A PDF knows places,
 * not lines: words are put together by where they stand.
 */
const MAX_PAGES = 30
const MAX_ITEMS = 60_000

interface Word {
  x: number
  right: number
  y: number
  size: number
  text: string
}

/** Words that follow each other without a wide gap. */
type Segment = Word

export async function pdfText(file: Buffer): Promise<string> {
  const task = getDocument({
    data: new Uint8Array(file),
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    stopAtErrors: false,
    enableXfa: false,
    verbosity: VerbosityLevel.ERRORS,
  } as Parameters<typeof getDocument>[0])
  try {
    const document = await task.promise
    const pages: string[] = []
    let items = 0
    for (let number = 1; number <= Math.min(document.numPages, MAX_PAGES); number++) {
      const page = await document.getPage(number)
      const content = await page.getTextContent()
      items += content.items.length
      if (items > MAX_ITEMS) throw new Unreadable('the document has too many pieces of text')
      const words = content.items.flatMap((item): Word[] => {
        if (!('str' in item) || item.str.trim() === '') return []
        const [, , , height = 0, x = 0, y = 0] = item.transform as number[]
        return [{ x, right: x + item.width, y, size: Math.abs(height) || item.height || 10, text: item.str }]
      })
      pages.push(pageText(words))
      page.cleanup()
    }
    return pages.join('\n')
  } catch (error) {
    if (error instanceof Unreadable) throw error
    const { name } = error as Error
    throw new Unreadable(name === 'PasswordException' ? 'the document is encrypted' : 'the document is damaged')
  } finally {
    await task.destroy()
  }
}

export function pageText(words: readonly Word[]): string {
  const lines = toLines(words)
  const gutter = findGutter(lines)
  if (gutter === undefined) return lines.map(line => line.map(s => s.text).join('\t')).join('\n')
  // what stands across the gutter above the columns comes first, then the left column, then the right one
  const firstSplit = lines.findIndex(line => line.some(s => s.x >= gutter) && line.every(s => !crosses(s, gutter)))
  const head = lines.slice(0, firstSplit).flat()
  const body = lines.slice(firstSplit).flat()
  const column = (inside: (s: Segment) => boolean) => body.filter(inside).map(s => s.text)
  return [...head.map(s => s.text), ...column(s => s.x < gutter), ...column(s => s.x >= gutter)].join('\n')
}

const crosses = (s: Segment, x: number): boolean => s.x < x - 2 && s.right > x + 2

/** Top to bottom, left to right; a wide gap between words separates segments. */
function toLines(words: readonly Word[]): Segment[][] {
  const sorted = [...words].sort((a, b) => b.y - a.y || a.x - b.x)
  const rows: Word[][] = []
  for (const word of sorted) {
    const row = rows.at(-1)
    if (row && Math.abs(row[0]!.y - word.y) <= Math.max(2, word.size * 0.35)) row.push(word)
    else rows.push([word])
  }
  return rows.map(row => {
    const segments: Segment[] = []
    for (const word of row.sort((a, b) => a.x - b.x)) {
      const last = segments.at(-1)
      const gap = last ? word.x - last.right : 0
      if (!last || gap > word.size * 1.8) segments.push({ ...word })
      else {
        last.text += (gap > word.size * 0.15 && !last.text.endsWith(' ') ? ' ' : '') + word.text
        last.right = Math.max(last.right, word.right)
      }
    }
    return segments
  })
}

/**
 * Where a page has two columns: an x at which many segments begin and which hardly any crosses. A column of dates
 * beside the text they belong to is a table, and is read row by row.
 */
function findGutter(lines: readonly Segment[][]): number | undefined {
  const all = lines.flat()
  const starts = new Map<number, number>()
  for (const s of all) starts.set(Math.round(s.x / 4) * 4, (starts.get(Math.round(s.x / 4) * 4) ?? 0) + 1)
  const left = Math.min(...all.map(s => s.x))
  const [best] = [...starts].filter(([x]) => x > left + 60).sort((a, b) => b[1] - a[1] || a[0] - b[0])
  if (!best || best[1] < 6 || best[1] < all.length * 0.2) return undefined
  const gutter = best[0] - 4
  if (all.filter(s => crosses(s, gutter)).length > all.length * 0.15) return undefined
  const share = (side: Segment[]) => side.filter(s => isDateRange(s.text)).length / Math.max(1, side.length)
  const [before, after] = [all.filter(s => s.x < gutter), all.filter(s => s.x >= gutter)]
  const dated = all.filter(s => isDateRange(s.text)).length
  if (dated > 0 && before.filter(s => isDateRange(s.text)).length === dated && share(before) >= 0.15) return undefined
  return share(after) >= 0.4 ? undefined : gutter
}
