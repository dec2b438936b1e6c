import type { Database } from '../../kernel/db/database.ts'
import type { SearchCluster } from '../../kernel/search-cluster/search-cluster.ts'
import { clock } from '../../kernel/time/clock.ts'
import {
  type ChangeCursor,
  oldestOpenTransaction,
  selectHistory,
  type TermsRow,
  termsChanged,
  versionedFrom,
} from '../store.ts'
import {
  DOCUMENTS_PER_REQUEST,
  FORMAT,
  ForeignIndexError,
  type IndexNotes,
  PoolIndexes,
  type PoolIndexName,
} from './indexes.ts'

/*
 * Keeps the indexes of a cluster up to date. One process of the installation does it; what it has done is noted in the index,
 * so another continues where it ended. In each round:
 *
 *   - Without an index that serves, or with one of another format or history, a new one is built; so it is if an operator
 *     made an empty one (`hiring search rebuild`).
 *   - Changes since the last round are written to the index that serves. They are found by the numbers of transactions,
 *     as the index in memory finds them (index-cache.ts).
 *   - An index that is being built gets the next pages of all profiles, in the order of their handles. When it has all, it gets
 *     the changes since its beginning, and then the alias: searches use it from one moment to the next.
 *   - Indexes that served before are deleted some time later, when no search uses them any more.
 *
 * Several writers at the same time, or one that was stopped for long, do no harm: every document has a version.
 */

/** How long a round copies profiles, and how long it writes changes, before the next begins. */
const COPY_MS = 2_000
const CHANGES_MS = 10_000
/** Longer than any search. */
const RETIRE_MS = 60_000
/** A position that only time has moved is noted seldom: nothing is lost with it. */
const NOTE_MS = 60_000

/** When the index was last known to have every change, on the clock of the process that writes it. */
const caughtUpAt = new WeakMap<Database, number>()

/** Since when changes may be missing; 0 in a process that does not write the index. */
export function secondsBehind(db: Database): number {
  const at = caughtUpAt.get(db)
  return at === undefined ? 0 : (clock.monotonic() - at) / 1000
}

export class PoolWriter {
  readonly #db: Database
  readonly #cluster: SearchCluster
  readonly #indexes: PoolIndexes
  /** since when an index is known not to serve any more */
  readonly #retired = new Map<string, number>()
  readonly #notedAt = new Map<string, number>()
  /** further than what is noted in the index */
  readonly #positions = new Map<string, number>()
  /** what was last known to be noted in the index */
  readonly #noted = new Map<string, number>()

  constructor(db: Database, cluster: SearchCluster) {
    this.#db = db
    this.#cluster = cluster
    this.#indexes = new PoolIndexes(cluster)
  }

  /** One round. Returns whether there is more to do immediately. */
  async run(signal?: AbortSignal): Promise<boolean> {
    const { history, all } = await this.#ownIndexes()
    const serving = all.findLast(index => index.serves)
    const isOld = (notes: IndexNotes) => notes.history !== history || notes.format < FORMAT
    const later = all.filter(index => !index.serves && (!serving || index.name > serving.name))
    let building = later.findLast(index => !isOld(index.notes))
    await this.#retire(all.filter(index => index !== serving && index !== building))
    if (!building && (!serving || isOld(serving.notes))) building = await this.#begin()
    const isBehind = serving && !isOld(serving.notes) && (await this.#applyChanges(serving, signal))
    if (serving && !isOld(serving.notes) && !isBehind) caughtUpAt.set(this.#db, clock.monotonic())
    if (!building || signal?.aborted) return isBehind === true
    if (!(await this.#copy(building, signal))) return true
    if (await this.#applyChanges(building, signal)) return true
    if (signal?.aborted) return false
    await this.#indexes.serve(
      building.name,
      all.filter(index => index.serves).map(index => index.name),
    )
    return false
  }

  /** Makes an empty index, which the next rounds fill; or returns the one that is being built already. */
  async begin(): Promise<PoolIndexName> {
    const { history, all } = await this.#ownIndexes()
    const serving = all.findLast(index => index.serves)
    const building = all.findLast(
      index => !index.serves && index.notes.history === history && (!serving || index.name > serving.name),
    )
    return building ?? this.#begin()
  }

  async #ownIndexes(): Promise<{ history: string; all: PoolIndexName[] }> {
    const { installation, history } = await this.#db.only(selectHistory())
    const all = await this.#indexes.list()
    const foreign = all.find(index => index.notes.installation !== installation)
    if (foreign) throw new ForeignIndexError(foreign.name)
    for (const index of all) await this.#indexes.makeWritable(index)
    return { history, all }
  }

  async #begin(): Promise<PoolIndexName> {
    const origin = await this.#db.only(selectHistory())
    const { oldest_open: complete_before } = await this.#db.only(oldestOpenTransaction())
    return this.#indexes.create({ format: FORMAT, ...origin, complete_before, copied_to: '', copied: 0 })
  }

  /** Copies pages for a while. Returns whether all are copied. The next page is read while one is written. */
  async #copy({ name, notes }: PoolIndexName, signal: AbortSignal | undefined): Promise<boolean> {
    if (notes.copied_to === null) return true
    const until = clock.monotonic() + COPY_MS
    const read = (after: string) => this.#db.query(versionedFrom(after, DOCUMENTS_PER_REQUEST))
    for (let page = await read(notes.copied_to); ; ) {
      const last = page.length < DOCUMENTS_PER_REQUEST ? null : (page.at(-1)?.profile_id ?? null)
      const [next] = await Promise.all([
        last === null ? [] : read(last),
        // those that were erased need no document: nothing of an empty index can be older
        this.#indexes.put(
          name,
          page.filter(row => row.terms !== ''),
        ),
      ])
      notes.copied_to = last
      notes.copied += page.length
      const stops = last === null || signal?.aborted || clock.monotonic() >= until
      if (stops) {
        await this.#indexes.note(name, notes)
        return last === null
      }
      page = next
    }
  }

  /**
   * Writes the changes since the position of an index, for a while. Returns whether there are more. A page is complete up to
   * its last transaction, unless an older one is still open: that may commit rows before it, so the position stays behind.
   */
  async #applyChanges({ name, notes }: PoolIndexName, signal: AbortSignal | undefined): Promise<boolean> {
    const until = clock.monotonic() + CHANGES_MS
    const { oldest_open: oldestOpen } = await this.#db.only(oldestOpenTransaction())
    // noted less than before: it was restored from a snapshot, and what was written since is missing
    if (notes.complete_before < (this.#noted.get(name) ?? 0)) this.#positions.delete(name)
    this.#noted.set(name, notes.complete_before)
    const from = Math.max(notes.complete_before, this.#positions.get(name) ?? 0)
    let written = 0
    let completeBefore = oldestOpen
    let isBehind = false
    for (let after: ChangeCursor = { changed: from, id: '' }; ; ) {
      const rows = await this.#db.query(termsChanged(after, DOCUMENTS_PER_REQUEST))
      await this.#indexes.put(name, rows.map(versioned))
      written += rows.length
      const last = rows.at(-1)
      if (!last || rows.length < DOCUMENTS_PER_REQUEST) break
      after = { changed: last.changed, id: last.profile_id }
      const reached = Math.min(last.changed, oldestOpen)
      // at least one transaction further, however many rows it has
      isBehind = reached > from && (signal?.aborted || clock.monotonic() >= until)
      if (!isBehind) continue
      completeBefore = reached
      break
    }
    this.#positions.set(name, completeBefore)
    const due = clock.monotonic() - (this.#notedAt.get(name) ?? Number.NEGATIVE_INFINITY) > NOTE_MS
    if (completeBefore !== notes.complete_before && (written > 0 || due)) {
      notes.complete_before = completeBefore
      await this.#indexes.note(name, notes)
      this.#noted.set(name, completeBefore)
      this.#notedAt.set(name, clock.monotonic())
    }
    return isBehind
  }

  async #retire(indexes: readonly PoolIndexName[]): Promise<void> {
    const now = clock.monotonic()
    for (const { name } of indexes) {
      const since = this.#retired.get(name) ?? now
      this.#retired.set(name, since)
      if (now - since < RETIRE_MS) continue
      await this.#indexes.drop(name)
      this.#retired.delete(name)
    }
  }

  /** What the indexes are, for operators. */
  async status(): Promise<SearchClusterStatus> {
    const [all, sizes] = [await this.#indexes.list(), await this.#indexes.sizes()]
    const { history } = await this.#db.only(selectHistory())
    const serving = all.findLast(index => index.serves)
    return {
      alias: this.#cluster.alias,
      indexes: all.map(({ name, serves, notes }) => ({
        name,
        state: serves
          ? notes.history === history
            ? 'in use'
            : 'in use, of an earlier database'
          : serving && name < serving.name
            ? 'retired'
            : 'being built',
        copied: notes.copied,
        documents: sizes.get(name)?.documents ?? 0,
        bytes: sizes.get(name)?.bytes ?? 0,
      })),
    }
  }
}

export interface SearchClusterStatus {
  alias: string
  indexes: { name: string; state: string; copied: number; documents: number; bytes: number }[]
}

const versioned = ({ changed, ...row }: TermsRow) => ({ ...row, version: changed })
