/** Indexed by code point: a string is, unless it has surrogate pairs. */
const codePoints = (text: string): ArrayLike<string> => (/[\ud800-\udfff]/.test(text) ? [...text] : text)

/**
 * The number of letters to insert, delete, replace or swap with their neighbour until one word is the other (optimal
 * string alignment). Above `limit` the result is `limit` + 1 and the rest of the table is not computed.
 */
export function editDistance(a: string, b: string, limit = Number.POSITIVE_INFINITY): number {
  const left = codePoints(a)
  const right = codePoints(b)
  if (Math.abs(left.length - right.length) > limit) return limit + 1
  let beforeLast: number[] = []
  let last = Array.from({ length: right.length + 1 }, (_, j) => j)
  for (let i = 1; i <= left.length; i++) {
    const row = [i]
    let lowest = i
    for (let j = 1; j <= right.length; j++) {
      const replaced = (last[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1)
      let cost = Math.min(replaced, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1)
      if (i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]) {
        cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1)
      }
      row.push(cost)
      if (cost < lowest) lowest = cost
    }
    // later rows are never lower than this one
    if (lowest > limit) return limit + 1
    beforeLast = last
    last = row
  }
  return Math.min(last[right.length] ?? 0, limit + 1)
}

/** Longer words are not compared: the time grows with the product of the lengths, and no known word is so long. */
const MAX_LENGTH = 200

/** The known word that was most likely meant: at most a third of its letters differ. undefined: none is near. */
export function didYouMean<W extends string>(word: string, known: readonly W[]): W | undefined {
  if (word.length > MAX_LENGTH) return undefined
  const written = word.toLowerCase()
  let best: { word: W; distance: number } | undefined
  for (const candidate of known) {
    const limit = Math.floor(candidate.length / 3)
    const distance = editDistance(written, candidate.toLowerCase(), limit)
    if (distance <= limit && (!best || distance < best.distance)) best = { word: candidate, distance }
  }
  return best?.word
}
