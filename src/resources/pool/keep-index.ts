import type { Database } from '../../kernel/db/database.ts'
import { remember } from '../../kernel/remember.ts'
import { PoolIndex } from './memory.ts'
import { settledBefore, termsChanged, termsFrom } from './store.ts'

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
  #loading: Promise<void> | undefined
  #settled = 0
  #after = { changed: 0, id: '' }
  #reading: Promise<boolean> | undefined

  constructor(db: Database) {
    this.#db = db
  }

  /** The index as of now, or undefined while it is being loaded. */
  async current(): Promise<PoolIndex | undefined> {
    if (this.#index?.worn) this.#index = undefined
    if (!this.#index) {
      this.#loading ??= this.load().finally(() => (this.#loading = undefined))
      this.#loading.catch(() => {}) // the next search tries again; this one is answered from the store
      return undefined
    }
    // A page of news is waited for; during an import there may be more, which is taken in beside the searches.
    const complete = await this.#takeNews()
    if (!complete) this.#catchUp()
    return this.#index
  }

  async load(): Promise<void> {
    const index = new PoolIndex()
    const settled = await this.#settledNow()
    for (let after = ''; ; ) {
      const rows = await this.#db.transaction(tx => tx.query(termsFrom(after, PAGE)))
      for (const row of rows) index.put(row.profile_id, row.title_words, row.terms, row.changed)
      if (rows.length < PAGE) break
      after = rows.at(-1)!.profile_id
    }
    this.#settled = settled
    this.#after = { changed: 0, id: '' }
    this.#index = index
  }

  async #settledNow(): Promise<number> {
    return (await this.#db.one(settledBefore()))!.settled
  }

  /** Takes in up to a page. Whether that was all. */
  #takeNews(): Promise<boolean> {
    this.#reading ??= this.#readNews().finally(() => (this.#reading = undefined))
    return this.#reading
  }

  async #readNews(): Promise<boolean> {
    const settled = await this.#settledNow()
    const rows = await this.#db.transaction(tx => tx.query(termsChanged(this.#settled, this.#after, PAGE)))
    for (const row of rows) this.#index?.put(row.profile_id, row.title_words, row.terms, row.changed)
    const last = rows.at(-1)
    if (last && rows.length === PAGE) {
      this.#after = { changed: last.changed, id: last.profile_id }
      return false
    }
    this.#settled = settled
    this.#after = { changed: 0, id: '' }
    return true
  }

  #catchUp(): void {
    const more = async () => {
      while (!(await this.#takeNews()));
    }
    more().catch(() => {}) // the next search tries again
  }
}

const kept = new WeakMap<Database, KeptIndex>()

export const keptIndex = (db: Database): KeptIndex => remember(kept, db, () => new KeptIndex(db))
