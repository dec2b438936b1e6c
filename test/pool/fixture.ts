import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../../src/kernel/db/database.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { finishPoolImport, importPoolBatch, readPoolLine, WordCounts } from '../../src/resources/pool/index.ts'
import { oldestOpenTransaction } from '../../src/search/store.ts'
import type { TestService } from '../harness/service.ts'

let made = 0

export interface PoolFields {
  full_name?: string
  job_title?: string
  headline?: string
  company_name?: string
  location_full?: string
  location_country?: string
  summary?: string
  skills?: readonly string[]
  linkedin_url?: string
  external_id?: string
}

/** Loads profiles as the import does. */
export async function load(service: TestService, profiles: readonly PoolFields[]): Promise<void> {
  const { db } = service.services
  const counts = new WordCounts()
  const lines = profiles.map(p =>
    readPoolLine(JSON.stringify({ linkedin_url: `linkedin.com/in/made-${++made}`, full_name: `Person ${made}`, ...p })),
  )
  await db.transaction(tx => importPoolBatch(db, tx, lines, counts))
  await counts.store(db)
  await finishPoolImport(db)
  await settle(db)
}

/** Until no transaction of the server is older than what was written: those of other tests hold it back for a while. */
export async function settle(db: Database): Promise<void> {
  const last = sql<{ last: number }>`select coalesce(max(changed::text::bigint), 0) as last from pool_terms`
  const { last: written } = (await db.one(last))!
  while ((await db.one(oldestOpenTransaction()))!.oldest_open <= written) await delay(10)
}
