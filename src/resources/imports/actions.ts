import { open } from 'node:fs/promises'
import type { Database, Transaction } from '../../kernel/db/database.ts'
import { UserError } from '../../kernel/errors/user-error.ts'
import { BadLine } from '../../kernel/import-line.ts'
import { sha256 } from '../../kernel/signing.ts'
import { linesOf } from './lines.ts'
import { advanceImport, beginImport, finishImport, type ImportState } from './store.ts'

export interface Import<Row> {
  kind: string
  target: string
  file: string
  batchSize: number
  /** a line to a row; throws BadLine where it cannot */
  read: (line: string) => Row
  /** stores a batch with its events; the progress is noted in the same transaction */
  store: (tx: Transaction, rows: Row[], inTurn: InTurn) => Promise<void>
  /**
   * Batches that are stored at once; default 1. `keysOf` says what must not be written by two of them. What else they
   * may have in common they lock `inTurn`.
   */
  atOnce?: { batches: number; keysOf: (row: Row) => readonly string[] }
  onBadLine: (number: number, reason: string) => void
  onProgress: (progress: ImportProgress) => void
}

/** Runs what locks rows that other batches may lock, after the batch before has locked its own. */
export type InTurn = <T>(lock: () => Promise<T>) => Promise<T>

export interface ImportProgress extends ImportState {
  bytes_total: number
  /** where this run began; above 0 it continues one that was interrupted */
  began_at_byte: number
}

/** A batch is stored sooner where its lines are long, so that memory is bounded and no statement too large. */
const MOST_BATCH_BYTES = 16_777_216

/**
 * Streams a file of one JSON object a line into the store. The next batch is read while those before are stored. Batches
 * that are stored at once are committed in the order of the file, each with the progress up to its end. Bad lines are
 * reported and skipped. Safe to interrupt at any moment and to start again.
 */
export async function runImport<Row>(db: Database, work: Import<Row>): Promise<ImportProgress> {
  const { size, fingerprint } = await fingerprintOf(work.file)
  const key = { kind: work.kind, target: work.target, fingerprint }
  let stored = (await db.one(beginImport(key)))!
  const progress = () => ({ ...stored, bytes_total: size, began_at_byte: began })
  const began = stored.bytes_done
  work.onProgress(progress())

  let reading = { ...stored }
  let rows: Row[] = []
  /** what will be stored when all batches under way are */
  let promised = stored
  const underWay: { keys: Set<string>; locked: Promise<void>; done: Promise<void> }[] = []
  const atOnce = work.atOnce ?? { batches: 1, keysOf: () => [] }
  const flush = async () => {
    const batch = rows
    rows = []
    const keys = batch.flatMap(atOnce.keysOf)
    // A batch that waited for a row of one after it would wait for ever: that one waits for its turn to commit.
    const alone = underWay.some(earlier => keys.some(name => earlier.keys.has(name)))
    while (underWay.length > (alone ? 0 : atOnce.batches - 1)) await underWay.shift()!.done
    const before = underWay.at(-1)
    const locked = Promise.withResolvers<void>()
    const inTurn: InTurn = async lock => {
      await before?.locked
      const result = await lock()
      locked.resolve()
      return result
    }
    const from = promised.bytes_done
    const to = { ...reading, rows_stored: promised.rows_stored + batch.length }
    promised = to
    const done = db
      .transaction(async tx => {
        if (batch.length > 0) await work.store(tx, batch, inTurn)
        await before?.done
        if (!(await tx.one(advanceImport(key, from, to)))) throw new UserError('this file is being imported already')
      })
      .then(() => {
        stored = to
        work.onProgress(progress())
      })
      .finally(locked.resolve)
    underWay.push({ keys: new Set(keys), locked: locked.promise, done })
    // reported by the next await; without a listener a failure in between would end the process
    done.catch(() => {})
  }
  try {
    for await (const lines of linesOf(work.file, stored.bytes_done, stored.lines_done)) {
      for (const line of lines) {
        reading.lines_done = line.number
        reading.bytes_done = line.endByte
        if (line.text === undefined || line.text.trim() !== '') {
          try {
            if (line.text === undefined) throw new BadLine('it is not UTF-8, or too long')
            rows.push(work.read(line.text))
          } catch (error) {
            if (!(error instanceof BadLine)) throw error
            reading.bad_lines++
            work.onBadLine(line.number, error.message)
          }
        }
        if (rows.length >= work.batchSize || line.endByte - promised.bytes_done >= MOST_BATCH_BYTES) {
          await flush()
          reading = { ...reading }
        }
      }
    }
    await flush()
    for (const { done } of underWay) await done
  } finally {
    await Promise.allSettled(underWay.map(({ done }) => done))
  }
  await db.query(finishImport(key))
  return progress()
}

const SAMPLE_BYTES = 1_048_576

async function fingerprintOf(path: string): Promise<{ size: number; fingerprint: Buffer }> {
  let file: Awaited<ReturnType<typeof open>>
  try {
    file = await open(path)
  } catch (error) {
    throw new UserError(`cannot read ${path}: ${(error as Error).message}`)
  }
  try {
    const stat = await file.stat()
    if (!stat.isFile()) throw new UserError(`${path} is not a file`)
    const head = Buffer.alloc(Math.min(SAMPLE_BYTES, stat.size))
    const tail = Buffer.alloc(head.length)
    await file.read(head, 0, head.length, 0)
    await file.read(tail, 0, tail.length, stat.size - tail.length)
    return { size: stat.size, fingerprint: sha256(Buffer.concat([Buffer.from(`${stat.size}\n`), head, tail])) }
  } finally {
    await file.close()
  }
}
