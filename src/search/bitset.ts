/** Sets of small integers as 32 bits a word. Reading past the end of an array gives 0. */

export const wordsFor = (size: number): number => (size + 31) >>> 5

export const set = (bits: Uint32Array, at: number): void => {
  bits[at >>> 5]! |= 1 << (at & 31)
}

export const clear = (bits: Uint32Array, at: number): void => {
  bits[at >>> 5]! &= ~(1 << (at & 31))
}

export const isSet = (bits: Uint32Array, at: number): number => (bits[at >>> 5]! >>> (at & 31)) & 1

/** A copy with at least `length` elements, longer by half than before, so that growing costs little on average. */
export function grown(array: Uint32Array, length: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.max(length, Math.ceil(array.length * 1.5)))
  larger.set(array)
  return larger
}

/** The numbers whose bit is set in `bits`. Without a branch: here the processor would mispredict every second one. */
export function membersOf(bits: Uint32Array, numbers: Uint32Array): Uint32Array {
  const members = new Uint32Array(numbers.length)
  let count = 0
  for (let at = 0; at < numbers.length; at++) {
    members[count] = numbers[at]!
    count += isSet(bits, numbers[at]!)
  }
  return members.subarray(0, count)
}

/** The numbers at the positions whose bit is set in `positions`. */
export function selected(numbers: Uint32Array, positions: Uint32Array): Uint32Array {
  const some = new Uint32Array(numbers.length)
  let count = 0
  for (let at = 0; at < numbers.length; at++) {
    some[count] = numbers[at]!
    count += isSet(positions, at)
  }
  return some.subarray(0, count)
}

/** Sets bit `at` of `to` where bit `numbers[at]` of `from` is set. */
export function gather(from: Uint32Array, numbers: Uint32Array, to: Uint32Array): void {
  for (let at = 0; at < numbers.length; at++) to[at >>> 5]! |= isSet(from, numbers[at]!) << (at & 31)
}

/** Moves the set bits out as ascending numbers, at most `limit` of them, and leaves the set empty. */
export function drain(bits: Uint32Array, limit: number): Uint32Array {
  const numbers = new Uint32Array(limit)
  let count = 0
  for (let word = 0; word < bits.length; word++) {
    for (let rest = bits[word]!; rest !== 0; rest &= rest - 1) {
      numbers[count++] = word * 32 + 31 - Math.clz32(rest & -rest)
    }
    bits[word] = 0
  }
  return numbers.subarray(0, count)
}
