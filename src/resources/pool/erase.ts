import type { Database, Transaction } from '../../kernel/db/database.ts'
import { type FieldCode, term } from './conditions.ts'
import { emptyProfile, emptyTerms, forgetUnused, lockTerms, preferIndexes, uncountWords } from './store.ts'

/** Every value of a profile, what the search looks at, and the words that only it had. Its handle stays, unreadable. */
export async function erasePoolProfile(tx: Transaction, id: string): Promise<void> {
  const row = await tx.one(lockTerms(id))
  await tx.query(emptyProfile(id))
  if (!row || row.terms.length === 0) return
  await tx.query(emptyTerms(id))
  await tx.query(preferIndexes())
  await tx.query(
    uncountWords(
      row.terms.map(name => {
        const field = name.slice(0, 1) as FieldCode
        const word = name.slice(2)
        return { field, word, condition: term(field, word) }
      }),
    ),
  )
}

const WORDS_AT_ONCE = 5_000
/** A word that more profiles had once says nothing about one of them. */
const RARE = 2

/**
 * Words that profiles had once and have no more stay in the vocabulary, where they do no harm; an erased person's do not
 * stay. Which they were nobody knows by now, so all rare ones that no profile has are removed.
 */
export async function forgetUnusedWords(db: Database): Promise<void> {
  for (let after: { field: string; word: string } | undefined = { field: '', word: '' }; after; ) {
    const from: { field: string; word: string } = after
    after = await db.transaction(async tx => {
      await tx.query(preferIndexes())
      return tx.one(forgetUnused(from, WORDS_AT_ONCE, RARE))
    })
  }
}
