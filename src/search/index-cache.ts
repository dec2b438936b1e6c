import { type Cooperative, runCooperatively } from '../kernel/async/cooperative.ts'
import { getOrCreate } from '../kernel/async/get-or-create.ts'
import type { Database, Queryable } from '../kernel/db/database.ts'
import { InvertedIndex } from './inverted-index.ts'
import {
  type ChangeCursor,
  oldestOpenTransaction,
  searchSettings,
  type TermsRow,
  termsChanged,
  termsFrom,
} from './store.ts'

/** Rows that are read at once. */
const PAGE = 1_000
/** Rows after which others may go on. */
const STEP = 50

/**
 * Keeps the terms of the pool in the memory of this process. They are loaded when the first search comes, which is
 * answered from the store meanwhile; from then on each search first takes in what was written since the one before.
 * A row is known by the transaction that wrote it: all with a number from that of the oldest transaction that was
 * still open at the last look are read again, so that none is missed whatever the order of commits.
 */
class IndexCache {
  readonly #db: Database
  #index: InvertedIndex | undefined
  #busy: Promise<void> | undefined
  /** every row that a transaction with a lower number wrote is in the index */
  #settled = 0
  #turn: Promise<void> = Promise.resolve()

  constructor(db: Database) {
    this.#db = db
  }

  /** The index as of now, or undefined while the first is being loaded. A worn one serves until the next is there. */
  async current(tx: Queryable): Promise<InvertedIndex | undefined> {
    const index = this.#index
    if (!index || index.needsRebuild) this.#inBackground(() => this.load())
    if (!index) return undefined
    // A page of news is waited for; during an import there may be more, which is taken in beside the searches.
    const { settled, rows } = await this.#applyChanges(tx, index)
    if (rows.length === PAGE) this.#inBackground(() => this.#catchUp(index))
    else if (index === this.#index) this.#settled = settled // what is settled in the one before may be news to the next
    return index
  }

  async load(): Promise<void> {
    const index = new InvertedIndex()
    const { oldest_open: settled } = (await this.#db.one(oldestOpenTransaction()))!
    for (let after = ''; ; ) {
      const rows = await this.#db.transaction(tx => tx.query(termsFrom(after, PAGE)))
      await runCooperatively(putAll(index, rows))
      if (rows.length < PAGE) break
      after = rows.at(-1)!.profile_id
    }
    this.#settled = settled
    this.#index = index
  }

  async #catchUp(index: InvertedIndex): Promise<void> {
    const { oldest_open: settled } = (await this.#db.one(oldestOpenTransaction()))!
    for (let after: ChangeCursor | undefined; ; ) {
      const { rows } = await this.#db.transaction(async tx => {
        await tx.query(searchSettings()) // others wait for their turn
        return this.#applyChanges(tx, index, after)
      })
      if (rows.length < PAGE) break
      const last = rows.at(-1)!
      after = { changed: last.changed, id: last.profile_id }
    }
    this.#settled = settled
  }

  /**
   * Reads news and puts them in, one after the other: of two that read side by side the earlier could be the last to
   * put in what it read. Whoever waits here has its connection already, so that the one before never waits for it.
   */
  #applyChanges(tx: Queryable, index: InvertedIndex, after?: ChangeCursor) {
    const taken = this.#turn.then(async () => {
      const news = await changesSince(tx, after ?? { changed: this.#settled, id: '' })
      await runCooperatively(putAll(index, news.rows))
      return news
    })
    this.#turn = taken.then(
      () => {},
      () => {},
    )
    return taken
  }

  /** One such work at a time. Should it fail, the next search asks for it again. */
  #inBackground(work: () => Promise<void>): void {
    this.#busy ??= work()
      .catch(() => {})
      .finally(() => {
        this.#busy = undefined
      })
  }
}

async function changesSince(tx: Queryable, after: ChangeCursor) {
  // in this order: what is settled when the rows are read was settled before
  const [state, rows] = await Promise.all([tx.one(oldestOpenTransaction()), tx.query(termsChanged(after, PAGE))])
  return { settled: state!.oldest_open, rows }
}

function* putAll(index: InvertedIndex, rows: readonly TermsRow[]): Cooperative<void> {
  for (const [i, row] of rows.entries()) {
    index.put(row.profile_id, row.title_words, row.terms, row.changed)
    if (i % STEP === 0) yield
  }
}

const indexes = new WeakMap<Database, IndexCache>()

export const indexFor = (db: Database): IndexCache => getOrCreate(indexes, db, () => new IndexCache(db))
