import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { DamagedBackup, openFrames, sealFrames } from './frames.ts'

const KEY = randomBytes(32)
const NAME = 'rows/x/jobs'
const HEADER = 44
const FRAME = 256 * 1024 + 16

async function* chunks(content: Buffer, size: number): AsyncGenerator<Buffer, void> {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size)
}

async function all(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(part)
  return Buffer.concat(parts)
}

const seal = (content: Buffer, size = 10_000, key = KEY, name = NAME) =>
  all(sealFrames(key, name, chunks(content, size)))
const open = (sealed: Buffer, size = 10_000, key = KEY, name = NAME) => all(openFrames(key, name, chunks(sealed, size)))

test('frames: every length and every size of chunks gives the content back, and no byte of it is readable', async () => {
  for (const length of [0, 1, FRAME - 17, FRAME - 16, FRAME - 15, 3 * (FRAME - 16), 700_001]) {
    const content = randomBytes(length)
    for (const size of [999, 65_536, 2_000_000]) {
      const sealed = await seal(content, size)
      assert.ok((await open(sealed, size)).equals(content), `${length} in chunks of ${size}`)
      if (length > 100) assert.ok(!sealed.includes(content.subarray(0, 32)))
    }
  }
})

test('frames: two files with the same content differ', async () => {
  const content = Buffer.alloc(1000, 7)
  assert.ok(!(await seal(content)).equals(await seal(content)))
})

test('frames: refused when cut off, reordered, repeated, changed, under another name or with another key', async () => {
  const content = randomBytes(3 * (FRAME - 16) + 5)
  const sealed = await seal(content)
  const frame = (i: number) => sealed.subarray(HEADER + i * FRAME, Math.min(HEADER + (i + 1) * FRAME, sealed.length))
  const header = sealed.subarray(0, HEADER)
  const flipped = Buffer.from(sealed)
  flipped[HEADER + FRAME + 100]! ^= 1
  const cases: Record<string, Buffer> = {
    'without its last frame': Buffer.concat([header, frame(0), frame(1), frame(2)]),
    'without its last byte': sealed.subarray(0, -1),
    'with its header alone': header,
    empty: Buffer.alloc(0),
    'with two frames swapped': Buffer.concat([header, frame(1), frame(0), frame(2), frame(3)]),
    'with a frame twice': Buffer.concat([header, frame(0), frame(0), frame(1), frame(2), frame(3)]),
    'with another byte': flipped,
    'with the salt of another file': Buffer.concat([
      (await seal(content)).subarray(0, HEADER),
      sealed.subarray(HEADER),
    ]),
  }
  for (const [what, bytes] of Object.entries(cases)) await assert.rejects(open(bytes), DamagedBackup, what)
  await assert.rejects(open(sealed, 10_000, KEY, 'rows/x/users'), DamagedBackup)
  await assert.rejects(open(sealed, 10_000, randomBytes(32)), /the backup key is not the one/)
})
