/**
 * The proof of work of an application form, in the background: for each puzzle the first number, so that the SHA-256
 * digest of `<id>:<puzzle>:<number>` begins with `bits` zero bits. Plain code, because crypto.subtle exists only on
 * https pages and costs more for each call than the digest itself. The texts are short: each is one block of 64 bytes.
 */
const K = new Int32Array(64)
const START = new Int32Array(8)
{
  // the first 32 bits of the fractional parts of the cube and square roots of the first primes
  const isPrime = n => {
    for (let i = 2; i * i <= n; i++) if (n % i === 0) return false
    return true
  }
  const fraction = x => ((x - Math.floor(x)) * 2 ** 32) | 0
  for (let n = 2, i = 0; i < 64; n++) {
    if (!isPrime(n)) continue
    if (i < 8) START[i] = fraction(n ** (1 / 2))
    K[i++] = fraction(n ** (1 / 3))
  }
}

const w = new Int32Array(64)

/** The first 32 bits of the digest of one block, which is in the first 16 words. */
function digest() {
  for (let i = 16; i < 64; i++) {
    const a = w[i - 15]
    const b = w[i - 2]
    const s0 = ((a >>> 7) | (a << 25)) ^ ((a >>> 18) | (a << 14)) ^ (a >>> 3)
    const s1 = ((b >>> 17) | (b << 15)) ^ ((b >>> 19) | (b << 13)) ^ (b >>> 10)
    w[i] = (w[i - 16] + s0 + w[i - 7] + s1) | 0
  }
  // not by destructuring, which makes an iterator for each digest
  let a = START[0]
  let b = START[1]
  let c = START[2]
  let d = START[3]
  let e = START[4]
  let f = START[5]
  let g = START[6]
  let h = START[7]
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  return (START[0] + a) >>> 0
}

function solve(prefix, bits) {
  const bytes = new Uint8Array(64)
  const view = new DataView(bytes.buffer)
  for (let i = 0; i < prefix.length; i++) bytes[i] = prefix.charCodeAt(i)
  for (let number = 0; ; number++) {
    const text = String(number)
    const length = prefix.length + text.length
    for (let i = 0; i < text.length; i++) bytes[prefix.length + i] = text.charCodeAt(i)
    bytes[length] = 0x80
    view.setUint32(60, length * 8)
    for (let i = 0; i < 16; i++) w[i] = view.getInt32(i * 4)
    if (digest() >>> (32 - bits) === 0) return number
  }
}

self.onmessage = ({ data: { id, puzzles, bits } }) => {
  const numbers = []
  for (let puzzle = 0; puzzle < puzzles; puzzle++) numbers.push(solve(`${id}:${puzzle}:`, bits))
  self.postMessage({ id, work: numbers.join(',') })
}
