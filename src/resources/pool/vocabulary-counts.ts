import { type Database, type Queryable, withUnlimitedSession } from '../../kernel/db/database.ts'
import type { Sql } from '../../kernel/db/sql.ts'
import { forgetUnusedWords } from './erase.ts'
import { type PoolLine, shortPartsOf } from './rules.ts'
import {
  addUnknownWords,
  beginCounting,
  countWords,
  endCounting,
  insertShortParts,
  profilesErasedSince,
  recountVocabulary,
  type WordCount,
  waitForPoolImports,
} from './store.ts'

/*
 * The vocabulary is counted beside the import: in memory, until there are words enough to be worth a statement. What is
 * in memory dies with the process, so that an import says in the store that it counts, and takes that back when all is
 * stored. The next one that finds such a note counts the vocabulary anew.
 */

// Bounded, so that memory is; beyond that texts are looked at again.
const MOST_TEXTS_SEEN = 200_000

/** Short parts that this process has stored, and the texts that have no others. */
class ShortParts {
  readonly #stored = { company: new Set<string>(), title: new Set<string>() }
  readonly #seen = { company: new Set<string>(), title: new Set<string>() }

  /** Outside the transaction that stores the lines: one part too many is no harm, one too few hides a profile. */
  async store(db: Queryable, lines: readonly Pick<PoolLine, 'company_name' | 'job_title'>[]): Promise<void> {
    const texts = { company: new Set<string>(), title: new Set<string>() }
    for (const { company_name, job_title } of lines) {
      if (company_name !== null && !this.#seen.company.has(company_name)) texts.company.add(company_name)
      if (job_title !== null && !this.#seen.title.has(job_title)) texts.title.add(job_title)
    }
    const news = (['company', 'title'] as const).flatMap(field =>
      [...new Set([...texts[field]].flatMap(text => [...shortPartsOf(text)]))]
        .filter(part => !this.#stored[field].has(part))
        .map(part => ({ field, part })),
    )
    if (news.length > 0) await db.query(insertShortParts(news))
    for (const { field, part } of news) this.#stored[field].add(part)
    for (const field of ['company', 'title'] as const) {
      for (const text of texts[field]) if (this.#seen[field].size < MOST_TEXTS_SEEN) this.#seen[field].add(text)
    }
  }
}

const WORDS_PER_STATEMENT = 10_000

/** Words of profiles that were added or changed, until they are worth a statement. */
export class WordCounts {
  readonly shortParts = new ShortParts()
  #added = new Map<string, number>()
  #changed = new Map<string, number>()
  #lines = 0

  add(line: Pick<PoolLine, 'terms'>): void {
    this.#lines++
    for (const term of line.terms) this.#added.set(term, (this.#added.get(term) ?? 0) + 1)
  }

  /** A profile that has other words now. Which of them it had before is not known: they count where nobody had them. */
  change(line: Pick<PoolLine, 'terms'>): void {
    this.#lines++
    for (const term of line.terms) this.#changed.set(term, (this.#changed.get(term) ?? 0) + 1)
  }

  get lines(): number {
    return this.#lines
  }

  /** Hands over what was counted. In batches: one statement must not take as long as its limit allows. */
  *take(): Generator<Sql<unknown>> {
    const [changed, added] = [inOrder(this.#changed), inOrder(this.#added)]
    this.#changed = new Map()
    this.#added = new Map()
    this.#lines = 0
    // in this order: otherwise what was just added would hide those who changed
    for (let at = 0; at < changed.length; at += WORDS_PER_STATEMENT)
      yield addUnknownWords(changed.slice(at, at + WORDS_PER_STATEMENT))
    for (let at = 0; at < added.length; at += WORDS_PER_STATEMENT)
      yield countWords(added.slice(at, at + WORDS_PER_STATEMENT))
  }

  /** Each statement in a transaction, which is tried again where an erasure locks the same words in another order. */
  async store(db: Database): Promise<void> {
    for (const statement of this.take()) await db.transaction(tx => tx.query(statement))
  }
}

/** So that two cannot lock each other out. */
const inOrder = (counts: ReadonlyMap<string, number>): WordCount[] =>
  [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([term, profiles]) => ({ field: term.slice(0, 1), word: term.slice(2), profiles }))

/**
 * One import of the pool after the other: each stores several batches at once that wait for their turn to commit, which
 * two imports with the same people could do for ever. Afterwards, also where it breaks off, the vocabulary is complete.
 */
export const withPoolImport = <T>(db: Database, work: (counts: WordCounts) => Promise<T>): Promise<T> =>
  withUnlimitedSession(db, async session => {
    await session.query(waitForPoolImports())
    const { since, interrupted } = (await db.one(beginCounting()))!
    const counts = new WordCounts()
    try {
      return await work(counts)
    } finally {
      await counts.store(db)
      // not in the session above, which has been idle for as long as the import took
      if (interrupted) await withUnlimitedSession(db, patient => patient.query(recountVocabulary()))
      // Words that were counted before their profile was erased, and stored after.
      if (await db.one(profilesErasedSince(since))) await forgetUnusedWords(db)
      await db.query(endCounting())
    }
  })
