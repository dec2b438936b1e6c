import type { Database } from '../../src/kernel/db/database.ts'
import { askNextHolders } from '../../src/resources/erasures/index.ts'

/** Asks the holders for every request that noted it, as the worker does. */
export async function askAllHolders(db: Database): Promise<void> {
  while (await askNextHolders(db));
}
