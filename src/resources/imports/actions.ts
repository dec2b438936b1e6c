import { open } from 'node:fs/promises'
import { sha256 } from '../../kernel/crypto/signing.ts'
import type { Database } from '../../kernel/db/database.ts'
import { UserError } from '../../kernel/errors/user-error.ts'
import { BatchPipeline, type BatchWork } from './batch-pipeline.ts'
import { readLines } from './lines.ts'
import { BadLine } from './shape.ts'
import { beginImport, finishImport, type ImportState } from './store.ts'

export interface ImportSource<Row> {
  kind: string
  target: string
  /** its path, or its content */
  file: string | Buffer
  batchSize: number
  /** parses a line; throws BadLine if it is invalid */
  read: (line: string) => Row
  store: BatchWork<Row>['store']
  /** How many batches are stored at the same time; default 1. Locks that two batches may share are taken `inTurn`. */
  concurrency?: Pick<BatchWork<Row>, 'batches' | 'keysOf'>
  onBadLine: (number: number, reason: string) => void
  onProgress: (progress: ImportProgress) => void
}

export interface ImportProgress extends ImportState {
  bytes_total: number
  /** the offset at which this run started; above 0 it resumes an interrupted one */
  began_at_byte: number
}

/** Long lines end a batch early, so that memory and statement size are bounded. */
const MAX_BATCH_BYTES = 16_777_216

/**
 * Streams a file of one JSON object per line into the database. The next batch is read while earlier ones are stored
 * (`BatchPipeline`). Bad lines are reported and skipped. Safe to interrupt at any moment and to start again.
 */
export async function runImport<Row>(db: Database, work: ImportSource<Row>): Promise<ImportProgress> {
  const { size, fingerprint } = await fingerprintOf(work.file)
  const key = { kind: work.kind, target: work.target, fingerprint }
  let stored = await db.only(beginImport(key))
  const progress = () => ({ ...stored, bytes_total: size, began_at_byte: began })
  const began = stored.bytes_done
  work.onProgress(progress())

  const { batches, keysOf } = work.concurrency ?? { batches: 1, keysOf: () => [] }
  const onCommit = (state: ImportState) => {
    stored = state
    work.onProgress(progress())
  }
  const pipeline = new BatchPipeline<Row>(db, key, { store: work.store, batches, keysOf, onCommit }, stored)
  const { bytes_done, lines_done, bad_lines } = stored
  const reached = { bytes_done, lines_done, bad_lines }
  let rows: Row[] = []
  try {
    for await (const lines of readLines(work.file, bytes_done, lines_done)) {
      for (const line of lines) {
        reached.lines_done = line.number
        reached.bytes_done = line.endByte
        if (line.text === undefined || line.text.trim() !== '') {
          try {
            if (line.text === undefined) throw new BadLine('it is not UTF-8, or too long')
            rows.push(work.read(line.text))
          } catch (error) {
            if (!(error instanceof BadLine)) throw error
            reached.bad_lines++
            work.onBadLine(line.number, error.message)
          }
        }
        if (rows.length >= work.batchSize || line.endByte - pipeline.enqueuedBytes >= MAX_BATCH_BYTES) {
          const batch = rows
          rows = []
          await pipeline.enqueue(batch, { ...reached })
        }
      }
    }
    await pipeline.enqueue(rows, { ...reached })
    await pipeline.drain()
  } finally {
    await pipeline.close()
  }
  await db.query(finishImport(key))
  return progress()
}

const SAMPLE_BYTES = 1_048_576

const fingerprint = (size: number, head: Buffer, tail: Buffer) => ({
  size,
  fingerprint: sha256(Buffer.concat([Buffer.from(`${size}\n`), head, tail])),
})

async function fingerprintOf(source: string | Buffer): Promise<{ size: number; fingerprint: Buffer }> {
  if (typeof source !== 'string') {
    const tail = source.subarray(Math.max(0, source.length - SAMPLE_BYTES))
    return fingerprint(source.length, source.subarray(0, SAMPLE_BYTES), tail)
  }
  let file: Awaited<ReturnType<typeof open>>
  try {
    file = await open(source)
  } catch (error) {
    throw new UserError(`cannot read ${source}: ${(error as Error).message}`)
  }
  try {
    const stat = await file.stat()
    if (!stat.isFile()) throw new UserError(`${source} is not a file`)
    const head = Buffer.alloc(Math.min(SAMPLE_BYTES, stat.size))
    const tail = Buffer.alloc(head.length)
    await file.read(head, 0, head.length, 0)
    await file.read(tail, 0, tail.length, stat.size - tail.length)
    return fingerprint(stat.size, head, tail)
  } finally {
    await file.close()
  }
}
