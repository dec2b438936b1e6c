import { importPoolBatch, settlePool, WordCounts } from '../../src/resources/pool/actions.ts'
import { readPoolLine } from '../../src/resources/pool/rules.ts'
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
  await settlePool(db)
}
