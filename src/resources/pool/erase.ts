import type { Transaction } from '../../kernel/db/database.ts'
import { type FieldCode, term } from './conditions.ts'
import { emptyProfile, emptyTerms, lockTerms, preferIndexes, uncountWords } from './store.ts'

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
