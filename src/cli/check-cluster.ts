import { workersWithoutSettings } from '../kernel/db/cluster-settings.ts'
import type { Database } from '../kernel/db/database.ts'
import { askDistributed } from '../kernel/db/distributed.ts'
import { distributionProgress } from '../kernel/db/distribution.ts'
import type { Check } from './operate.ts'

export const WORKER_REMEDY = 'run hiring migrate'

/** What `hiring doctor` says about a store on a cluster; nothing about others. */
export async function checkCluster(db: Database): Promise<Check[]> {
  return [...(await checkDistribution(db)), ...((await askDistributed(db)) ? [await checkWorkers(db)] : [])]
}

async function checkDistribution(db: Database): Promise<Check[]> {
  if ((await distributionProgress(db)) === null) return []
  const detail =
    'not at its end, and erasures do not complete before: if it was interrupted, run hiring cluster distribute again, or with --cancel'
  return [{ name: 'distribution', configured: '-', state: 'warning', detail }]
}

async function checkWorkers(db: Database): Promise<Check> {
  const faults = await workersWithoutSettings(db)
  const check = { name: 'workers', configured: 'docs/citus.md' }
  if (faults.length === 0) return { ...check, state: 'ok', detail: 'they have their settings' }
  const found = faults.map(({ node, fault }) => `${node} ${fault}`).join('; ')
  return { ...check, state: 'warning', detail: `${found}: ${WORKER_REMEDY}` }
}
