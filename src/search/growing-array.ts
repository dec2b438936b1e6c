/*
 * Typed arrays that grow in place, in memory that several threads can share. One thread writes; the others read while nothing is
 * written, after `refresh`. A view of fixed length is as fast as on any other memory, one that follows the growth is not.
 */

type Numbers = Uint8Array | Uint16Array | Uint32Array | Float64Array

interface NumbersOf<A extends Numbers> {
  readonly BYTES_PER_ELEMENT: number
  new (buffer: SharedArrayBuffer, offset: number, length: number): A
}

/** Memory is taken in steps of this many bytes, so that an array grows seldom. */
const STEP = 65_536

/** Address space is reserved for so many bytes; memory is taken as the array grows. */
export const newMemory = (mostBytes: number): SharedArrayBuffer =>
  new SharedArrayBuffer(4_096, { maxByteLength: mostBytes })

export class GrowingArray<A extends Numbers> {
  /** all that is allocated; another one after each growth, so it must not be kept */
  array: A
  readonly #kind: NumbersOf<A>
  readonly #memory: SharedArrayBuffer

  constructor(kind: NumbersOf<A>, memory: SharedArrayBuffer) {
    this.#kind = kind
    this.#memory = memory
    this.array = new kind(memory, 0, memory.byteLength / kind.BYTES_PER_ELEMENT)
  }

  /** At least `length` elements from now on; new ones are 0. */
  reserve(length: number): void {
    if (length <= this.array.length) return
    const bytes = Math.ceil((length * this.#kind.BYTES_PER_ELEMENT) / STEP) * STEP
    if (bytes > this.#memory.maxByteLength) throw new RangeError('the pool is too large for an index in memory')
    this.#memory.grow(bytes)
    this.refresh()
  }

  /** After another thread may have let it grow. */
  refresh(): void {
    const { byteLength } = this.#memory
    if (byteLength !== this.array.byteLength) {
      this.array = new this.#kind(this.#memory, 0, byteLength / this.#kind.BYTES_PER_ELEMENT)
    }
  }
}
