import type { Database, Transaction } from '../../kernel/db/database.ts'
import { UserError } from '../../kernel/errors/user-error.ts'
import { advanceImport, type ImportKey, type ImportState, withoutIdleLimit } from './store.ts'

/** Runs a statement that locks rows which other batches may lock too, after the previous batch has locked its own. */
export type LockInOrder = <T>(lock: () => Promise<T>) => Promise<T>

export interface BatchWork<Row> {
  /** stores a batch with its events; the progress is written in the same transaction */
  store: (tx: Transaction, rows: Row[], inTurn: LockInOrder) => Promise<void>
  /** how many batches are stored at the same time */
  batches: number
  /** keys that two batches must not write at the same time */
  keysOf: (row: Row) => readonly string[]
  onCommit: (state: ImportState) => void
}

/**
 * A batch passes through these states, each after the previous batch has reached it:
 *
 *   reading    its rows are collected from the file, outside the pipeline
 *   locked     in its transaction, it has locked the rows that other batches may lock too
 *   stored     its rows are written; it waits for the previous batch to commit
 *   committed  the progress of the import is written with it, and both are committed
 *
 * Taking locks in the order of the file rules out deadlocks between batches; committing in that order keeps the
 * progress without gaps, so that an interrupted import resumes after the last committed batch.
 */
interface Batch {
  keys: ReadonlySet<string>
  locked: Promise<void>
  committed: Promise<void>
}

export class BatchPipeline<Row> {
  readonly #db: Database
  readonly #key: ImportKey
  readonly #work: BatchWork<Row>
  readonly #inFlight: Batch[] = []
  /** the progress when every batch that was enqueued is committed */
  #enqueued: ImportState

  constructor(db: Database, key: ImportKey, work: BatchWork<Row>, start: ImportState) {
    this.#db = db
    this.#key = key
    this.#work = work
    this.#enqueued = start
  }

  get enqueuedBytes(): number {
    return this.#enqueued.bytes_done
  }

  /**
   * Starts to store a batch; waits first while the pipeline is full. `reached` is the offset in the file after this
   * batch. Throws the error of an earlier batch that failed.
   */
  async enqueue(rows: Row[], reached: Omit<ImportState, 'rows_stored'>): Promise<void> {
    const keys = rows.flatMap(this.#work.keysOf)
    await this.#waitForCapacity(keys)
    const before = this.#inFlight.at(-1)
    const from = this.#enqueued
    const to: ImportState = { ...reached, rows_stored: from.rows_stored + rows.length }
    this.#enqueued = to
    const locked = Promise.withResolvers<void>()
    const committed = this.#commit(rows, from, to, before, locked.resolve).finally(locked.resolve)
    // The next await reports a failure; without a listener a failure in between would end the process.
    committed.catch(() => {})
    this.#inFlight.push({ keys: new Set(keys), locked: locked.promise, committed })
  }

  /** Waits until every batch is committed. */
  async drain(): Promise<void> {
    for (const { committed } of this.#inFlight) await committed
  }

  /** Waits until no transaction is open, whether the batches failed or not. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#inFlight.map(({ committed }) => committed))
  }

  /**
   * A batch that shares a key with an earlier one starts when the pipeline is empty. Otherwise the earlier one could
   * wait for a row that this one has locked, while this one waits for the earlier one to commit.
   */
  async #waitForCapacity(keys: readonly string[]): Promise<void> {
    const shared = this.#inFlight.some(earlier => keys.some(key => earlier.keys.has(key)))
    while (this.#inFlight.length > (shared ? 0 : this.#work.batches - 1)) await this.#inFlight.shift()?.committed
  }

  async #commit(
    rows: Row[],
    from: ImportState,
    to: ImportState,
    before: Batch | undefined,
    onLocked: () => void,
  ): Promise<void> {
    const inTurn: LockInOrder = async lock => {
      await before?.locked
      const result = await lock()
      onLocked()
      return result
    }
    await this.#db.transaction(async tx => {
      // it waits for the batches before it, and for words that are counted on other connections
      tx.defer(withoutIdleLimit())
      if (rows.length > 0) await this.#work.store(tx, rows, inTurn)
      await before?.committed
      const advanced = await tx.one(advanceImport(this.#key, from.bytes_done, to))
      if (!advanced) throw new UserError('this file is already being imported')
    })
    this.#work.onCommit(to)
  }
}
