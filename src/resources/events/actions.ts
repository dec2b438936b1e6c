import type { Transaction } from '../../kernel/db/database.ts'
import { lockAllLogs, renameLog, skipLostNumbers } from './store.ts'

/**
 * How many numbers each log leaves out when a new epoch begins: more than one workspace has between two backups. So no
 * number that the replaced store issued is used again, and a reader whose cursor is one of them is detected.
 */
const SKIPPED = 10_000_000

/**
 * For a store that was restored from a backup: partners may have read events that the backup does not hold. The feed
 * gets another `epoch`, and readers that are ahead of the backup get `gap: true`.
 */
export async function beginEpoch(tx: Transaction): Promise<{ epoch: string }> {
  await tx.query(lockAllLogs())
  await tx.query(skipLostNumbers(SKIPPED))
  return tx.only(renameLog())
}
