import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { crc32, inflateRawSync } from 'node:zlib'
import { type ZipEntry, zipStream } from './zip-stream.ts'

const CHUNK_BYTES = 65_536
const CHUNKS = 40

/** A file that cannot be made smaller, and what was read of it. */
function entry(path: string, chunks = CHUNKS) {
  const seen = { read: 0, released: false, crc: 0 }
  const file: ZipEntry = {
    path,
    async *read() {
      try {
        for (let i = 0; i < chunks; i++) {
          const bytes = randomBytes(CHUNK_BYTES)
          seen.read++
          seen.crc = crc32(bytes, seen.crc)
          yield bytes
        }
      } finally {
        seen.released = true
      }
    },
  }
  return { file, seen }
}

async function all(chunks: AsyncIterable<Buffer>): Promise<Buffer[]> {
  const read: Buffer[] = []
  for await (const chunk of chunks) read.push(chunk)
  return read
}

test('zip stream: its directory has the name, checksum and sizes of every file, empty ones too', async () => {
  const files = [entry('ü/a.bin', 3), entry('empty', 0), entry('b.bin', 1)]
  const archive = Buffer.concat(await all(zipStream(files.map(({ file }) => file))))
  const end = archive.length - 22
  assert.deepEqual([archive.readUInt32LE(end), archive.readUInt16LE(end + 10)], [0x06054b50, 3])
  let at = archive.readUInt32LE(end + 16)
  for (const { file, seen } of files) {
    const name = Buffer.from(file.path)
    const [crc, packed, size, local] = [16, 20, 24, 42].map(field => archive.readUInt32LE(at + field))
    const start = local! + 30 + name.length
    assert.deepEqual(archive.subarray(at + 46, at + 46 + name.length), name)
    assert.deepEqual(archive.subarray(local! + 30, start), name)
    assert.deepEqual([crc, size], [seen.crc, seen.read * CHUNK_BYTES])
    assert.equal(inflateRawSync(archive.subarray(start, start + packed!)).length, size)
    assert.equal(archive.readUInt32LE(start + packed!), 0x08074b50)
    at += 46 + name.length
  }
  assert.equal(at, end)
})

test('zip stream: reads no further than its reader, and releases a file when the reader stops', async () => {
  const [first, second] = [entry('a', 400), entry('b')]
  const archive = zipStream([first.file, second.file])
  for (let i = 0; i < 5; i++) await archive.next()
  assert.ok(first.seen.read < 50, String(first.seen.read))
  await archive.return(undefined)
  await new Promise(resolve => setImmediate(resolve))
  assert.deepEqual([first.seen.released, second.seen.read], [true, 0])
})

test('zip stream: a file that cannot be read ends the archive with its error', async () => {
  const broken: ZipEntry = {
    path: 'broken',
    async *read() {
      yield Buffer.from('a beginning')
      throw new Error('the store is unavailable')
    },
  }
  await assert.rejects(all(zipStream([broken])), /the store is unavailable/)
})
