/**
 * A small seeded generator, so that every demo store tells the same story. Each subject takes a generator of its own,
 * named after it: a change in one does not stir up the others.
 */
export interface Random {
  /** from 0 up to 1, without 1 */
  next(): number
  /** a whole number, both ends included */
  int(min: number, max: number): number
  between(min: number, max: number): number
  chance(probability: number): boolean
  pick<T>(items: readonly T[]): T
  /** as many different items, in the order in which they stand */
  sample<T>(items: readonly T[], count: number): T[]
  weighted<T>(choices: readonly (readonly [T, number])[]): T
  shuffled<T>(items: readonly T[]): T[]
  letters(count: number): string
  uuid(): string
}

const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'

export function seeded(subject: string): Random {
  const next = mulberry32(fnv1a(subject))
  const int = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  const letters = (count: number) => Array.from({ length: count }, () => LETTERS[int(0, LETTERS.length - 1)]).join('')
  function shuffled<T>(items: readonly T[]): T[] {
    const copy = [...items]
    for (let i = copy.length - 1; i > 0; i--) {
      const j = int(0, i)
      ;[copy[i], copy[j]] = [copy[j]!, copy[i]!]
    }
    return copy
  }
  return {
    next,
    int,
    letters,
    shuffled,
    between: (min, max) => min + next() * (max - min),
    chance: probability => next() < probability,
    pick: items => items[int(0, items.length - 1)]!,
    sample(items, count) {
      const chosen = new Set(shuffled(items.map((_, i) => i)).slice(0, count))
      return items.filter((_, i) => chosen.has(i))
    },
    weighted(choices) {
      let rest = next() * choices.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [choice, weight] of choices) {
        rest -= weight
        if (rest < 0) return choice
      }
      return choices.at(-1)![0]
    },
    uuid() {
      const hex = Array.from({ length: 32 }, () => int(0, 15).toString(16))
      hex[12] = '4'
      hex[16] = '89ab'[int(0, 3)]!
      const text = hex.join('')
      return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join('-')
    },
  }
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash >>> 0
}

function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }
}
