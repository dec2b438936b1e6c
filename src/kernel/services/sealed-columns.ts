import { buildSealMark, type Keyring, SEAL_MARK_BYTES } from '../crypto/signing.ts'
import type { Database } from '../db/database.ts'
import { raw, sql } from '../db/sql.ts'
import { keptContext } from './secret-keys.ts'

type Row = Readonly<Record<string, string | number>>

/** A column with values that `Keyring.seal` made. Every such column is declared, or it would be lost with its key. */
export interface SealedColumn {
  table: string
  column: string
  /** the columns of the primary key */
  identifiedBy: readonly string[]
  /** further columns that the context needs */
  reads?: readonly string[]
  /** the context that the value was sealed with */
  context: (row: Row) => string
}

/** A retired key leaves this behind. */
export const RETAINED_KEYS: SealedColumn = {
  table: 'secret_keys',
  column: 'kept_sealed',
  identifiedBy: ['id'],
  context: row => keptContext(String(row['id'])),
}

const BATCH = 200

/** How many values each key sealed; those of the first key have no mark. */
export async function countSealed(
  db: Database,
  columns: readonly SealedColumn[],
  first: string,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const { table, column } of columns) {
    const value = raw(column)
    const rows = await db.query(sql<{ key: string | null; values: string }>`
      select case when substring(${value} from 1 for 4) = ${buildSealMark('').subarray(0, 4)}
        then encode(substring(${value} from 5 for 4), 'hex') end as key, count(*)::text as values
      from ${raw(table)} where ${value} is not null group by 1`)
    for (const row of rows) counts.set(row.key ?? first, (counts.get(row.key ?? first) ?? 0) + Number(row.values))
  }
  return counts
}

/**
 * Seals every value again that another key than the one in use has sealed, in batches, each a transaction. Its
 * rows are locked, so that no change of another transaction is overwritten. Interrupted, it continues where it ended.
 */
export async function resealColumns(
  db: Database,
  keyring: Keyring,
  columns: readonly SealedColumn[],
  onBatch: (resealed: number) => void,
): Promise<number> {
  let resealed = 0
  const mark = buildSealMark(keyring.used)
  for (const { table, column, identifiedBy, reads = [], context } of columns) {
    const [from, value] = [raw(table), raw(column)]
    const listed = raw([...identifiedBy, ...reads].join(', '))
    const order = raw(identifiedBy.join(', '))
    while (true) {
      const done = await db.transaction(async tx => {
        const rows = await tx.query(sql<Row & { sealed_value: Buffer }>`
          select ${listed}, ${value} as sealed_value from ${from}
          where ${value} is not null and substring(${value} from 1 for ${SEAL_MARK_BYTES}) <> ${mark}
          order by ${order} limit ${BATCH} for update`)
        for (const row of rows) {
          const text = context(row)
          const again = keyring.seal(keyring.unseal(row.sealed_value, text), text)
          const own = identifiedBy
            .map(name => sql`${raw(name)} = ${row[name]}`)
            .reduce((all, one) => sql`${all} and ${one}`)
          await tx.query(sql`update ${from} set ${value} = ${again} where ${own}`)
        }
        return rows.length
      })
      if (done === 0) break
      resealed += done
      onBatch(resealed)
    }
  }
  return resealed
}
