import { foldCase, tokenize } from '../../../src/kernel/text/tokenize.ts'

/** Where the letters of a folded text come from: one letter can become two, as ß does. */
function foldLetters(text: string): { folded: string; from: number[] } {
  let folded = ''
  const from: number[] = []
  let at = 0
  for (const letter of text) {
    for (const one of foldCase(letter)) {
      folded += one
      from.push(at)
    }
    at += letter.length
  }
  return { folded, from }
}

/** The parts of a text, and whether each was typed: the service compares without case and accents, and so does this. */
export function markedParts(text: string, q: string): { text: string; isMarked: boolean }[] {
  const { folded, from } = foldLetters(text)
  const marked = new Array<boolean>(text.length).fill(false)
  for (const word of tokenize(q)) {
    const at = folded.indexOf(word)
    if (at === -1) continue
    const end = from[at + word.length] ?? text.length
    marked.fill(true, from[at], Math.max(end, (from[at] ?? 0) + 1))
  }
  const parts: { text: string; isMarked: boolean }[] = []
  for (const [i, isMarked] of marked.entries()) {
    const last = parts.at(-1)
    if (last?.isMarked === isMarked) last.text += text[i]
    else parts.push({ text: text[i] ?? '', isMarked })
  }
  return parts
}

/** A name with the letters that were typed. */
export const Marked = ({ text, q }: { text: string; q: string }) => (
  <>
    {markedParts(text, q).map((part, i) =>
      // the parts of a text have no other identity than their order
      part.isMarked ? <mark key={i}>{part.text}</mark> : part.text,
    )}
  </>
)
