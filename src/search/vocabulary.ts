import { type Database, type Transaction, withUnlimitedSession } from '../kernel/db/database.ts'
import type { Sql } from '../kernel/db/sql.ts'
import { type FieldCode, term } from './conditions.ts'
import {
  addUnknownWords,
  beginCounting,
  countWords,
  deleteUnusedWords,
  emptyTerms,
  endCounting,
  lockTerms,
  preferIndexes,
  recountVocabulary,
  uncountWords,
  type WordCount,
} from './store.ts'

/*
 * The vocabulary says how many profiles have each word of a field. An import counts in memory and stores the counts when
 * there are enough words for a statement. Counts in memory are lost when the process dies, so an import sets a marker
 * before it counts and removes it when everything is stored; the next one that finds a marker rebuilds the vocabulary.
 */

const WORDS_PER_STATEMENT = 10_000

/** Words of profiles that were added or changed, until they are stored. */
export class VocabularyCounts {
  #added = new Map<string, number>()
  #changed = new Map<string, number>()
  #profiles = 0

  add({ terms }: { terms: readonly string[] }): void {
    this.#profiles++
    for (const term of terms) this.#added.set(term, (this.#added.get(term) ?? 0) + 1)
  }

  /** The new terms of a profile. Which of them it had before is not known, so only words that no profile had count. */
  change({ terms }: { terms: readonly string[] }): void {
    this.#profiles++
    for (const term of terms) this.#changed.set(term, (this.#changed.get(term) ?? 0) + 1)
  }

  /** Profiles counted since the last `take`. */
  get lines(): number {
    return this.#profiles
  }

  /** Statements that store the counts, which start again at zero. In batches, so that none reaches its time limit. */
  *take(): Generator<Sql<unknown>> {
    const [changed, added] = [sortedCounts(this.#changed), sortedCounts(this.#added)]
    this.#changed = new Map()
    this.#added = new Map()
    this.#profiles = 0
    // changed words first: after the added ones they would no longer be unknown
    for (let at = 0; at < changed.length; at += WORDS_PER_STATEMENT)
      yield addUnknownWords(changed.slice(at, at + WORDS_PER_STATEMENT))
    for (let at = 0; at < added.length; at += WORDS_PER_STATEMENT)
      yield countWords(added.slice(at, at + WORDS_PER_STATEMENT))
  }

  /** Each statement in a transaction, which is retried when an erasure locks the same words in another order. */
  async store(db: Database): Promise<void> {
    for (const statement of this.take()) await db.transaction(tx => tx.query(statement))
  }
}

/** Sorted, so that two transactions cannot deadlock. */
const sortedCounts = (counts: ReadonlyMap<string, number>): WordCount[] =>
  [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([term, profiles]) => ({ field: term.slice(0, 1), word: term.slice(2), profiles }))

/**
 * Runs work that counts words; afterwards, even if it fails, the vocabulary is complete. `erasedSince` tells whether a
 * profile was erased after a time: words of it may have been counted before and stored after.
 */
export async function withVocabularyCounts<C extends VocabularyCounts, T>(
  db: Database,
  counts: C,
  work: (counts: C) => Promise<T>,
  wasErasedSince: (time: string) => Promise<boolean>,
): Promise<T> {
  const { since, interrupted } = await db.only(beginCounting())
  try {
    return await work(counts)
  } finally {
    await counts.store(db)
    if (interrupted) await withUnlimitedSession(db, session => session.query(recountVocabulary()))
    if (await wasErasedSince(since)) await forgetUnusedWords(db)
    await db.query(endCounting())
  }
}

/** Locks the terms of a profile, before anything of it is erased. */
export const lockProfileTerms = async (tx: Transaction, id: string): Promise<readonly string[]> =>
  (await tx.one(lockTerms(id)))?.terms ?? []

/** Removes a profile from the index of every process, and the words that only it had from the vocabulary. */
export async function eraseProfileTerms(tx: Transaction, id: string, terms: readonly string[]): Promise<void> {
  if (terms.length === 0) return
  await tx.query(emptyTerms(id))
  await tx.query(preferIndexes())
  await tx.query(
    uncountWords(
      terms.map(name => {
        const field = name.slice(0, 1) as FieldCode
        const word = name.slice(2)
        return { field, word, condition: term(field, word) }
      }),
    ),
  )
}

const WORDS_PER_SCAN = 5_000
/** A word that more profiles had identifies none of them. */
const RARE = 2

/**
 * Words that no profile has any more do no harm in the vocabulary, except those of an erased person. Which these were is
 * no longer known, so all rare words without a profile are deleted.
 */
export async function forgetUnusedWords(db: Database): Promise<void> {
  for (let after: { field: string; word: string } | undefined = { field: '', word: '' }; after; ) {
    const from: { field: string; word: string } = after
    after = await db.transaction(async tx => {
      await tx.query(preferIndexes())
      return tx.one(deleteUnusedWords(from, WORDS_PER_SCAN, RARE))
    })
  }
}
