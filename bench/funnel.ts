import { performance } from 'node:perf_hooks'
import { Database } from '../src/kernel/db/database.ts'
import { createLog } from '../src/kernel/telemetry/log.ts'
import { readFunnel } from '../src/resources/analytics/actions.ts'
import { addUpFunnel } from '../src/resources/analytics/index.ts'
import { GROUPINGS } from '../src/resources/analytics/shape.ts'
import type { FunnelQuery } from '../src/resources/analytics/store.ts'
import { histories } from './datasets/histories.ts'
import { Store } from './kit/store.ts'

/**
 * The hiring funnel of a year of applications of one workspace, by every grouping, with and without every filter. A
 * named folder keeps the data for the next run.
 *
 *   node bench/funnel.ts [APPLICATIONS] [ROUNDS] [FOLDER]
 */
const count = Number(process.argv[2] ?? 1_000_000)
const rounds = Number(process.argv[3] ?? 25)
const DAY_MS = 86_400_000
const FILTERS: Record<string, Partial<FunnelQuery>> = {
  'no filter': {},
  'a job': { jobId: 'job_00000000000000000007' },
  'a department': { department: 'Department 3' },
  'a source': { source: 'public_board' },
  'a department and a source': { department: 'Department 3', source: 'public_board' },
}

const store = await Store.open({ kept: process.argv[4] })
try {
  const dataset = histories(count)
  const client = await store.dataset(dataset)
  const db = new Database(store.connection(dataset), { connections: 4, log: createLog('error') })
  const adding = performance.now()
  while ((await addUpFunnel(db, 100_000)) > 0);
  console.log(`added up in ${((performance.now() - adding) / 1000).toFixed(1)} s`)
  await client.query('vacuum analyze funnel_by_day, funnel_by_job, funnel_by_job_and_source, funnel_changes')
  const now = await db.now()
  for (const [filter, asked] of Object.entries(FILTERS)) {
    console.log(`${filter}:`)
    for (const grouping of GROUPINGS) {
      const times: number[] = []
      let counted = 0
      for (let i = 0; i < rounds; i++) {
        // beginnings and ends in the middle of a day and of a month, another one each time
        const before = new Date(now - i * 60_000).toISOString()
        const after = new Date(now - 366 * DAY_MS + i * 60_000).toISOString()
        const from = performance.now()
        const funnel = await readFunnel(db, {
          workspace: store.workspace,
          window: { after, before },
          grouping,
          jobId: undefined,
          department: undefined,
          source: undefined,
          ...asked,
        })
        times.push(performance.now() - from)
        counted = funnel.totals.applications
      }
      times.sort((a, b) => a - b)
      const at = (part: number) => `${times[Math.min(rounds - 1, Math.floor(rounds * part))]!.toFixed(0)} ms`
      const by = grouping === 'none' ? 'not grouped' : `by ${grouping}`
      console.log(`  ${by}: p50 ${at(0.5)}, p99 ${at(0.99)}, fastest ${at(0)} (${counted} applications)`)
    }
  }
  await db.close()
} finally {
  await store.close()
}
