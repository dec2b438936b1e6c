import { findSpan, isNow, onlyDate, type Span } from './dates.ts'
import { holdsBoth, isPlace, mayHoldBoth, type Named, nameHeader, namesTitle, withoutDuration } from './header.ts'
import { readLabelled } from './labelled.ts'
import { isSentence, type TextLine, toLine, trimMarks } from './lines.ts'
import { readProse } from './prose.ts'
import type { WorkPosition } from './work-position.ts'

/** A line of the experience, as it matters for positions. */
interface Item {
  line: TextLine
  kind: 'head' | 'detail' | 'place'
  span?: Span
  /** what the line says besides its span */
  rest: string
}

/** An item with the dates of a position. */
interface Anchor extends Item {
  span: Span
  at: number
}

const MAX_POSITIONS = 50
/** Lines looked at for positions, and dates among them: enough for the longest career. */
const MAX_LINES = 1_500
const MAX_ANCHORS = 120
const MAX_TEXT = 500
/** Lines that head one position, besides the one with its dates. */
const MAX_HEAD = 2
const MAX_NAME_WORDS = 7

export function readPositions(all: readonly TextLine[], thisMonth: number): WorkPosition[] {
  const lines = all.slice(0, MAX_LINES)
  const labelled = readLabelled(lines, thisMonth)
  if (labelled.length > 0) return labelled.slice(0, MAX_POSITIONS)
  const items = toItems(lines, thisMonth)
  const anchors = items
    .flatMap(({ span, ...item }, at) => (span && item.kind !== 'detail' ? [{ ...item, span, at }] : []))
    .slice(0, MAX_ANCHORS)
  const positions = headed(items, anchors)
  const fromProse = sentences(lines).flatMap(text => readProse(text, thisMonth) ?? [])
  // sentences describe the positions where no heading lines do
  return (fromProse.length > 0 && fromProse.length >= anchors.length ? fromProse : positions).slice(0, MAX_POSITIONS)
}

/** Sentences, put together where a line was too short for them. */
function sentences(lines: readonly TextLine[]): string[] {
  const text = lines.map(line => (line.bullet ? `\n${line.text}` : line.text)).join(' ')
  return text.slice(0, 20_000).split(/\n|(?<=\p{Ll}[.!?])\s(?=\p{Lu})/u)
}

const LEADER = /(?:\s?\.){5,}/
const DATED_DETAIL_LENGTH = 110

function toItems(lines: readonly TextLine[], thisMonth: number): Item[] {
  const items: Item[] = []
  let open = false
  for (const [i, line] of lines.entries()) {
    if (LEADER.test(line.text)) continue
    const bare = trimMarks(withoutDuration(line.parts.join('\t')))
    if (bare === '' || isNow(bare)) continue
    const dated = datedPart(line, thisMonth)
    const goesOn = open && !dated && line.parts.length === 1 && !line.bullet
    if (line.bullet && !isBulletedHead(line, lines[i + 1], thisMonth)) {
      // dates at the right margin may share a line with the first detail
      if (dated && dated.rest !== '' && dated.own)
        items.push({ line: toLine(dated.text), kind: 'head', span: dated.span, rest: '' })
      items.push({ line, kind: 'detail', rest: bare })
      open = !/[.;!?]$/.test(line.text) && line.text.length > 60
      continue
    }
    if (
      goesOn ||
      (isSentence(line.parts[0] ?? '') &&
        !(dated && (dated.own || (dated.rest.length < DATED_DETAIL_LENGTH && !isSentence(dated.rest)))))
    ) {
      items.push({ line, kind: 'detail', rest: bare })
      open = !/[.;!?]$/.test(line.text) && line.text.length > 60
      continue
    }
    open = false
    if (dated) items.push({ line, kind: 'head', span: dated.span, rest: dated.rest })
    else items.push({ line, kind: isPlace(bare) ? 'place' : isName(bare) ? 'head' : 'detail', rest: bare })
  }
  return items
}

/** Names of titles and employers are short, or written with capitals; descriptions of the work are neither. */
function isName(text: string): boolean {
  const [first = ''] = text.split('\t')
  return first.split(/\s+/).length <= MAX_NAME_WORDS || hasCapitals(first)
}

function hasCapitals(text: string): boolean {
  const all = text.split(/\s+/).filter(word => /\p{L}/u.test(word))
  return all.filter(word => /^\P{L}{0,2}\p{Lu}/u.test(word)).length >= all.length * 0.6
}

/** The span of a line with the rest of it; `own` when the span has a part of the line to itself. */
function datedPart(
  line: TextLine,
  thisMonth: number,
): { span: Span; rest: string; own: boolean; text: string } | undefined {
  for (const [i, part] of line.parts.entries()) {
    const clean = withoutDuration(part)
    const others = line.parts.filter((_, at) => at !== i)
    const exact =
      line.parts.length > 1 || /^\p{L}{0,10}\.?\s?\d{4}$/u.test(part) ? onlyDate(part, thisMonth) : undefined
    const span = findSpan(clean, thisMonth) ?? exact
    if (!span) continue
    // a letter alone is an icon of a font that was not embedded with its meaning
    const before = clean.slice(0, span.start).replace(/^\p{L}\s$/u, '')
    const left = span === exact ? '' : trimMarks(`${before} \t ${clean.slice(span.end)}`)
    const bare = left.replace(/^(?:from|period|período|zeitraum|période|okres|periode)\s?:?$/i, '')
    return {
      span,
      rest: trimMarks([...(bare === '' ? [] : [bare]), ...others].join('\t')),
      own: bare === '',
      text: part,
    }
  }
  return undefined
}

/** `• Acme    Berlin` above a line with a title and dates: a bullet that heads a position. */
function isBulletedHead(line: TextLine, next: TextLine | undefined, thisMonth: number): boolean {
  if (isSentence(line.parts[0] ?? '') || line.text.length > 100) return false
  if (line.parts.length > 1 && datedPart(line, thisMonth)?.own && namesTitle(line.parts[0] ?? ''))
    return hasCapitals(line.parts[0] ?? '')
  return (
    line.parts.length > 1 &&
    next !== undefined &&
    !next.bullet &&
    datedPart(next, thisMonth) !== undefined &&
    !datedPart(line, thisMonth)
  )
}

/** Lines that could head the position of an anchor, going up or down from it. */
function run(items: readonly Item[], from: number, step: 1 | -1): Item[] {
  const found: Item[] = []
  for (let i = from + step; found.length < MAX_HEAD; i += step) {
    const item = items[i]
    if (!item || item.kind === 'detail' || item.span) break
    // a place below the dates ends the position above; one between two lines of a head does not
    if (item.kind === 'place') {
      if (step < 0) break
      continue
    }
    found.push(item)
  }
  return step < 0 ? found.reverse() : found
}

const within = (inner: Span, outer: Span): boolean => inner.from >= outer.from - 1 && inner.to <= outer.to + 12

/** The lines of a position stand above its dates or below them: the way that explains more positions is taken. */
function headed(items: readonly Item[], anchors: readonly Anchor[]): WorkPosition[] {
  const [first] = anchors
  if (!first) return []
  const above = run(items, first.at, -1)
  const usual = above.length > 0 && !(holdsBoth(first.rest) && !above.some(item => namesTitle(item.rest)))
  const [expected, other] = [inDirection(items, anchors, usual), inDirection(items, anchors, !usual)]
  return explained(other) > explained(expected) ? other : expected
}

const explained = (positions: readonly WorkPosition[]): number =>
  positions.filter(
    p => p.certain && p.title !== null && p.company !== null && p.company.split(' ').length <= MAX_NAME_WORDS,
  ).length

function inDirection(items: readonly Item[], anchors: readonly Anchor[], upwards: boolean): WorkPosition[] {
  const orders: boolean[] = []
  namePositions(items, anchors, upwards, orders)
  // what was learned from positions with known titles helps to read those without
  return namePositions(items, anchors, upwards, orders)
}

function namePositions(
  items: readonly Item[],
  anchors: readonly Anchor[],
  upwards: boolean,
  orders: boolean[],
): WorkPosition[] {
  const positions: WorkPosition[] = []
  let group: { company: string; span: Span } | undefined
  let inherited: string | null = null
  for (const [n, anchor] of anchors.entries()) {
    const { at, span, rest, line } = anchor
    const parentOfNext = groupAbove(items, anchor, anchors[n + 1])
    if (parentOfNext !== null) {
      group = { company: parentOfNext, span }
      continue
    }
    if (group && !within(span, group.span)) group = undefined
    const head = upwards ? run(items, at, -1) : rest !== '' && mayHoldBoth(rest) ? [] : run(items, at, 1)
    const own = upwards && holdsBoth(rest) ? [] : head.map(item => item.rest)
    const parent: string | null =
      group?.company ?? (upwards && own.length + (rest === '' ? 0 : 1) < 2 ? inherited : null)
    const lines = (upwards ? [...own, rest] : [rest, ...own]).filter(text => text !== '')
    const named = nameHeader(lines, parent, titleComesFirst(orders))
    if (named.certain && named.title !== null && named.company !== null)
      orders.push(isBefore(lines, named.title, named.company))
    // an employer that had a line of its own may head the roles below it too
    inherited = lines.length > 1 || parent !== null ? named.company : null
    const below = !upwards && n === anchors.length - 1
    const heads = (own.length > 0 ? head : []).filter(item => !below || isRead(item.rest, named)).map(item => item.line)
    positions.push({ ...named, span, text: textOf(upwards ? [...heads, line] : [line, ...heads], named.company) })
  }
  return positions
}

/** Below the last dates of all, a line belongs to the position only if its title or employer was read out of it. */
const isRead = (text: string, { title, company }: Named): boolean =>
  namesTitle(text) || [title, company].some(name => name !== null && text.includes(name))

/** The employer of a line that names no title and whose dates hold those of the position right below it. */
function groupAbove(items: readonly Item[], { at, span, rest }: Anchor, below: Anchor | undefined): string | null {
  const holds = below && within(below.span, span) && namesTitle(below.rest)
  if (!holds || rest === '' || namesTitle(rest)) return null
  if (!items.slice(at + 1, below.at).every(item => item.kind === 'place')) return null
  return nameHeader([rest], null, false).company
}

const titleComesFirst = (orders: readonly boolean[]): boolean =>
  orders.length === 0 || orders.filter(Boolean).length * 2 >= orders.length

function isBefore(lines: readonly string[], title: string, company: string): boolean {
  const whole = lines.join('\t')
  return whole.indexOf(title) < whole.indexOf(company)
}

function textOf(lines: readonly TextLine[], company: string | null): string {
  const text = lines.map(line => line.parts.join(' · ')).join(' · ')
  const whole = company !== null && !text.toLowerCase().includes(company.toLowerCase()) ? `${company} · ${text}` : text
  return whole.slice(0, MAX_TEXT)
}
