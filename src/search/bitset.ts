/** Sets of small integers as 32 bits a word. */

export const wordsFor = (size: number): number => (size + 31) >>> 5

export const set = (bits: Uint32Array, at: number): void => {
  bits[at >>> 5]! |= 1 << (at & 31)
}

export const clear = (bits: Uint32Array, at: number): void => {
  bits[at >>> 5]! &= ~(1 << (at & 31))
}

export const isSet = (bits: Uint32Array, at: number): boolean => ((bits[at >>> 5]! >>> (at & 31)) & 1) === 1

/** How many bits of a word are set. */
export function bitCount(word: number): number {
  let pairs = word - ((word >>> 1) & 0x5555_5555)
  pairs = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333)
  return Math.imul((pairs + (pairs >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24
}

/** A word with its lowest `most` set bits alone. */
export function lowestBits(word: number, most: number): number {
  if (most >= 32) return word
  let left = word
  for (let i = 0; i < most; i++) left &= left - 1
  return word & ~left
}
