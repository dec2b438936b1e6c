import { splitWords } from './words.ts'

/** Text with marked words: parts at even places are plain, those at odd places are marked. */
export type Marked = string[]

const isMatch = (terms: readonly string[], matched: ReadonlySet<string>): boolean =>
  terms.some(term => matched.has(term))

export function mark(text: string, matched: ReadonlySet<string>): Marked {
  const parts: Marked = []
  let end = 0
  for (const word of splitWords(text)) {
    if (!isMatch(word.terms, matched)) continue
    parts.push(text.slice(end, word.start), text.slice(word.start, word.end))
    end = word.end
  }
  return [...parts, text.slice(end)]
}

const EXCERPT_LENGTH = 170
/** text before the first marked word */
const LEAD = 40

/** The part of a text with the most different matched words, cut between words. */
export function buildExcerpt(text: string, matched: ReadonlySet<string>): Marked {
  if (text.length <= EXCERPT_LENGTH) return mark(text, matched)
  const words = [...splitWords(text)].filter(word => isMatch(word.terms, matched))
  let best = { from: 0, different: 0 }
  for (const { start } of words) {
    const inside = words.filter(word => word.start >= start && word.end <= start + EXCERPT_LENGTH - LEAD)
    const different = new Set(inside.flatMap(({ terms }) => terms.filter(term => matched.has(term)))).size
    if (different > best.different) best = { from: start, different }
  }
  const from = best.from <= LEAD ? 0 : text.indexOf(' ', best.from - LEAD) + 1
  const cut = text.slice(from, from + EXCERPT_LENGTH)
  const whole = from + EXCERPT_LENGTH >= text.length ? cut : `${cut.slice(0, cut.lastIndexOf(' '))} …`
  return mark(from > 0 ? `… ${whole}` : whole, matched)
}
