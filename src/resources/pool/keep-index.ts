import type { Database, Queryable } from '../../kernel/db/database.ts'
import { remember } from '../../kernel/remember.ts'
import { PoolIndex } from './memory.ts'
import { settledBefore, type TermsRow, termsChanged, termsFrom } from './store.ts'

/** Rows that are read at once: some ten milliseconds of this process, so that other requests are served in between. */
const PAGE = 1_000

/**
 * Keeps the terms of the pool in the memory of this process. They are loaded when the first search comes, which is
 * answered from the store meanwhile; from then on each search first takes in what was written since the one before.
 * A row is known by the transaction that wrote it: all with a number from that of the oldest transaction that was
 * still open at the last look are read again, so that none is missed whatever the order of commits.
 */
class KeptIndex {
  readonly #db: Database
  #index: PoolIndex | undefined
  #busy: Promise<void> | undefined
  /** every row that a transaction with a lower number wrote is in the index */
  #settled = 0

  constructor(db: Database) {
    this.#db = db
  }

  /** The index as of now, or undefined while it is being loaded. */
  async current(tx: Queryable): Promise<PoolIndex | undefined> {
    const index = this.#index
    if (!index || index.worn) {
      this.#beside(() => this.load())
      return undefined
    }
    // A page of news is waited for; during an import there may be more, which is taken in beside the searches.
    const { settled, rows } = await newsFrom(tx, this.#settled, BEFORE_ALL)
    take(index, rows)
    if (rows.length === PAGE) this.#beside(() => this.#catchUp(index))
    else this.#settled = settled
    return index
  }

  async load(): Promise<void> {
    const index = new PoolIndex()
    const { settled } = (await this.#db.one(settledBefore()))!
    for (let after = ''; ; ) {
      const rows = await this.#db.transaction(tx => tx.query(termsFrom(after, PAGE)))
      take(index, rows)
      if (rows.length < PAGE) break
      after = rows.at(-1)!.profile_id
    }
    this.#settled = settled
    this.#index = index
  }

  async #catchUp(index: PoolIndex): Promise<void> {
    const { settled } = (await this.#db.one(settledBefore()))!
    for (let after = BEFORE_ALL; ; ) {
      const { rows } = await this.#db.transaction(tx => newsFrom(tx, this.#settled, after))
      take(index, rows)
      if (rows.length < PAGE) break
      const last = rows.at(-1)!
      after = { changed: last.changed, id: last.profile_id }
    }
    this.#settled = settled
  }

  /** One such work at a time. Should it fail, the next search asks for it again. */
  #beside(work: () => Promise<void>): void {
    this.#busy ??= work()
      .catch(() => {})
      .finally(() => {
        this.#busy = undefined
      })
  }
}

const BEFORE_ALL = { changed: 0, id: '' }

async function newsFrom(tx: Queryable, from: number, after: typeof BEFORE_ALL) {
  // in this order: what is settled when the rows are read was settled before
  const [state, rows] = await Promise.all([tx.one(settledBefore()), tx.query(termsChanged(from, after, PAGE))])
  return { settled: state!.settled, rows }
}

const take = (index: PoolIndex, rows: readonly TermsRow[]) => {
  for (const row of rows) index.put(row.profile_id, row.title_words, row.terms, row.changed)
}

const kept = new WeakMap<Database, KeptIndex>()

export const keptIndex = (db: Database): KeptIndex => remember(kept, db, () => new KeptIndex(db))
