import { getOrCreate } from '../kernel/async/get-or-create.ts'
import type { Database } from '../kernel/db/database.ts'
import { clock } from '../kernel/time/clock.ts'
import { LocalIndex, type PoolIndex } from './pool-index.ts'
import {
  type ChangeCursor,
  hasMoreProfiles,
  oldestOpenTransaction,
  searchSettings,
  termsChanged,
  termsFrom,
} from './store.ts'
import { ThreadedIndex } from './threaded-index.ts'

/*
 * Each process has one index for a database, in one of these states:
 *
 *   empty         nothing is loaded. The first search starts the load and is itself ranked in the database.
 *   loading       all rows are being read. Searches are ranked in the database.
 *   current       the index serves. Each search first applies the rows that were written since the last one.
 *   catching up   the index serves; more than a page of changes, as during an import, is applied in the background.
 *   rebuilding    most entries of the index are replaced ones. It serves, and applies changes, until a new one is loaded.
 *
 *   empty → loading → current ⇄ catching up
 *                     current ⇄ rebuilding
 *
 * A background task that fails returns to the state before it, and the next search starts it again. A large pool has its
 * index in a thread; when the thread ends, the state is empty again.
 *
 * Changes are found by the number of the transaction that wrote a row. Transactions do not commit in the order of their
 * numbers, so the last number read is not a position to continue from. The position is the number of the oldest transaction
 * that was open when changes were last read: every row of a lower one is in the index, and all others are read again.
 */

/** Rows read by one statement. */
const PAGE = 1_000
/** A search of more profiles may take milliseconds, which are spent in a thread. Fewer need no memory for a thread. */
const MAX_WITHOUT_THREAD = 10_000

/** An index with its position: it has every row that a transaction with a lower number wrote. */
interface Loaded {
  readonly index: PoolIndex
  completeBefore: number
}

type State = { name: 'empty' | 'loading' } | { name: 'current' | 'catching up' | 'rebuilding'; loaded: Loaded }

export interface IndexState {
  name: State['name']
  /** 0 while none is loaded */
  profiles: number
  /** since when changes may be missing; the next search applies them */
  ageSeconds: number
}

class IndexCache {
  readonly #db: Database
  #state: State = { name: 'empty' }
  /** why the last background task failed; undefined after one that ended well */
  #failure: unknown
  #closings = 0
  /** when the index was last known to have every change, on the process's clock; undefined while none is loaded */
  #currentAt: number | undefined
  /** the last change that was started, ended or not */
  #lastChange: Promise<unknown> = Promise.resolve()
  /** a reading of changes that waits for its turn */
  #nextReading: { of: Loaded; ended: Promise<void> } | undefined

  constructor(db: Database) {
    this.#db = db
  }

  /** The index with the changes committed before this call, up to a page of them; undefined while none is loaded. */
  async current(): Promise<PoolIndex | undefined> {
    this.#forgetLost()
    const state = this.#state
    if (state.name === 'empty') this.#enter({ name: 'loading' }, () => this.load())
    if (!('loaded' in state)) return undefined
    const { loaded } = state
    if (state.name === 'current' && (loaded.index.needsRebuild || isTooLarge(loaded.index))) {
      this.#enter({ name: 'rebuilding', loaded }, () => this.load())
    }
    await this.#follow(loaded)
    return loaded.index
  }

  /** Searches that come while changes are read or applied have the next reading in common: it begins after all of them. */
  #follow(loaded: Loaded): Promise<void> {
    if (this.#nextReading?.of === loaded) return this.#nextReading.ended
    const begin = () => {
      if (this.#nextReading === reading) this.#nextReading = undefined
    }
    const reading = { of: loaded, ended: this.#applyPage(loaded, begin) }
    this.#nextReading = reading
    return reading.ended
  }

  /** One page is worth waiting for; more than that must not delay the search. */
  async #applyPage(loaded: Loaded, begin: () => void): Promise<void> {
    const { oldestOpen, isLastPage } = await this.#applyChanges(loaded, undefined, begin)
    if (isLastPage) {
      loaded.completeBefore = oldestOpen
      this.#currentAt = clock.monotonic()
    } else if (this.#isCurrent(loaded)) this.#enter({ name: 'catching up', loaded }, () => this.#catchUp(loaded))
  }

  /** Loads a new index and replaces the one in use. */
  async load(inThread?: boolean): Promise<void> {
    const thread = inThread ?? (await this.#db.only(hasMoreProfiles(MAX_WITHOUT_THREAD))).more
    const index = thread ? new ThreadedIndex() : new LocalIndex()
    const closings = this.#closings
    try {
      const { oldest_open: completeBefore } = await this.#db.only(oldestOpenTransaction())
      for (let after = ''; ; ) {
        const rows = await this.#db.transaction(tx => tx.query(termsFrom(after, PAGE)))
        await index.put(rows)
        const last = rows.at(-1)
        if (!last || rows.length < PAGE) break
        after = last.profile_id
      }
      if (this.#closings !== closings) return await index.close()
      const before = this.#state
      this.#state = { name: 'current', loaded: { index, completeBefore } }
      this.#currentAt = clock.monotonic()
      if ('loaded' in before) await before.loaded.index.close()
    } catch (error) {
      await index.close()
      throw error
    }
  }

  /** Ends the thread, if there is one. The next search would load another index. */
  async close(): Promise<void> {
    this.#closings++
    const state = this.#state
    this.#state = { name: 'empty' }
    if ('loaded' in state) await state.loaded.index.close()
  }

  /** For operators. Searches never wait for an index: without one they are ranked in the database. */
  state(): IndexState {
    const state = this.#state
    return {
      name: state.name,
      profiles: 'loaded' in state ? state.loaded.index.size : 0,
      ageSeconds: this.#currentAt === undefined ? 0 : (clock.monotonic() - this.#currentAt) / 1000,
    }
  }

  /** Throws why the last load or update failed, and loads again then: it may be long until the next search. */
  check(): void {
    this.#forgetLost()
    if (this.#failure === undefined) return
    const failure = this.#failure
    if (this.#state.name === 'empty') this.#enter({ name: 'loading' }, () => this.load())
    throw failure
  }

  async #catchUp(loaded: Loaded): Promise<void> {
    // Read at the beginning, not with the last page: a transaction that was open may commit rows before a page that was read.
    const { oldest_open: completeBefore } = await this.#db.only(oldestOpenTransaction())
    for (let after: ChangeCursor | undefined; ; ) {
      const page = await this.#applyChanges(loaded, after)
      if (page.isLastPage) break
      after = page.last
    }
    loaded.completeBefore = completeBefore
  }

  /**
   * Reads a page of changes and applies it. One at a time: of two that read at the same time the earlier could apply its older
   * rows last. None of those that wait has a connection.
   */
  #applyChanges(loaded: Loaded, after?: ChangeCursor, begin?: () => void) {
    const change = this.#lastChange.then(async () => {
      begin?.()
      const from = after ?? { changed: loaded.completeBefore, id: '' }
      const [, state, rows] = await this.#db.transaction(tx =>
        // In this order: what was complete before the rows are read is complete among them.
        Promise.all([tx.query(searchSettings()), tx.only(oldestOpenTransaction()), tx.query(termsChanged(from, PAGE))]),
      )
      await loaded.index.put(rows)
      const last = rows.at(-1)
      return {
        oldestOpen: state.oldest_open,
        isLastPage: rows.length < PAGE,
        last: last && { changed: last.changed, id: last.profile_id },
      }
    })
    this.#lastChange = change.catch(() => {}) // its caller gets the error; the next change continues
    return change
  }

  #forgetLost(): void {
    if ('loaded' in this.#state && this.#state.loaded.index.isLost) this.#state = { name: 'empty' }
  }

  #isCurrent(loaded: Loaded): boolean {
    return this.#state.name === 'current' && this.#state.loaded === loaded
  }

  /** Runs work in the background. When it ends without another state, also when it fails, the state before returns. */
  #enter(state: State, work: () => Promise<void>): void {
    const before = this.#state
    this.#state = state
    work()
      .then(
        () => {
          this.#failure = undefined
        },
        error => {
          this.#failure = error // the next search starts it again
        },
      )
      .finally(() => {
        if (this.#state === state) this.#state = before
      })
  }
}

const isTooLarge = ({ inThread, size }: PoolIndex) => !inThread && size > MAX_WITHOUT_THREAD

const caches = new WeakMap<Database, IndexCache>()

export const indexFor = (db: Database): IndexCache => getOrCreate(caches, db, () => new IndexCache(db))
