import { workersWithoutSettings } from '../kernel/citus/cluster-settings.ts'
import { askDistributed } from '../kernel/citus/distributed.ts'
import { hasCopies } from '../kernel/citus/distribution.ts'
import { describePrepared, preparedChanges } from '../kernel/citus/nodes.ts'
import type { Database } from '../kernel/db/database.ts'
import { attemptOrWarn, type DoctorCheck } from './check.ts'

export const WORKER_REMEDY = 'run hiring migrate'

/** Citus looks for interrupted changes every minute, unless citus.recover_2pc_interval says otherwise. */
const LATE_SECONDS = 60

/** What `hiring doctor` says about a store on a cluster; nothing about others. */
export async function checkCluster(db: Database, opts = { lateSeconds: LATE_SECONDS }): Promise<DoctorCheck[]> {
  const distribution = await checkDistribution(db)
  if (!(await askDistributed(db))) return distribution
  return [...distribution, await checkWorkers(db), await checkPrepared(db, opts.lateSeconds)]
}

async function checkDistribution(db: Database): Promise<DoctorCheck[]> {
  if (!(await hasCopies(db))) return []
  const detail =
    'not at its end, and erasures do not complete before: if it was interrupted, run hiring cluster distribute again, or with --cancel'
  return [{ name: 'distribution', configured: '-', state: 'warning', detail }]
}

/** A node that does not respond is a warning: what is on the others is served. */
const checkWorkers = (db: Database): Promise<DoctorCheck> =>
  attemptOrWarn('workers', 'docs/citus.md', async () => {
    const faults = await workersWithoutSettings(db)
    if (faults.length === 0) return 'they have their settings'
    throw new Error(`${faults.map(({ node, fault }) => `${node} ${fault}`).join('; ')}: ${WORKER_REMEDY}`)
  })

const checkPrepared = (db: Database, lateSeconds: number): Promise<DoctorCheck> =>
  attemptOrWarn('interrupted changes', '-', async () => {
    const late = (await preparedChanges(db)).filter(({ seconds }) => seconds >= lateSeconds)
    if (late.length === 0) return `none is older than ${lateSeconds} s`
    throw new Error(late.map(describePrepared).join('; '))
  })
