import { openReadyStore, type ReadyStore } from '../kernel/services/open-store.ts'
import { createLog } from '../kernel/telemetry/log.ts'
import type { VerbInput } from './verb.ts'

/** Opens the configured database, with or without a running service, and closes it afterwards. */
export async function withStore<T>(
  input: VerbInput,
  work: (store: ReadyStore) => Promise<T>,
  onMigration?: (line: string) => void,
): Promise<T> {
  // half of them for transactions, of which an import has several at the same time; opened when they are needed
  const config = input.config({ DATABASE_CONNECTIONS: '8' })
  const store = await openReadyStore(config, createLog('error'), onMigration ? { onMigration } : {})
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}
