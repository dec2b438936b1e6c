/** Letters to add, drop, replace or swap with their neighbour until one word is the other (optimal string alignment). */
export function editDistance(a: string, b: string): number {
  const left = [...a]
  const right = [...b]
  let beforeLast: number[] = []
  let last = right.map((_, j) => j + 1)
  last.unshift(0)
  for (let i = 1; i <= left.length; i++) {
    const row = [i]
    for (let j = 1; j <= right.length; j++) {
      const replaced = last[j - 1]! + (left[i - 1] === right[j - 1] ? 0 : 1)
      let fewest = Math.min(replaced, last[j]! + 1, row[j - 1]! + 1)
      if (i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]) {
        fewest = Math.min(fewest, beforeLast[j - 2]! + 1)
      }
      row.push(fewest)
    }
    beforeLast = last
    last = row
  }
  return last[right.length]!
}

/** Longer words are not compared: the time grows with the product of the lengths, and nothing known is so long. */
const MAX_LENGTH = 200

/** The known word that was most likely meant: at most a third of its letters differ. undefined: none is near. */
export function didYouMean<W extends string>(word: string, known: readonly W[]): W | undefined {
  if (word.length > MAX_LENGTH) return undefined
  const written = word.toLowerCase()
  let best: { word: W; distance: number } | undefined
  for (const candidate of known) {
    const distance = editDistance(written, candidate.toLowerCase())
    if (distance * 3 <= candidate.length && (!best || distance < best.distance)) best = { word: candidate, distance }
  }
  return best?.word
}
