import { performance } from 'node:perf_hooks'
import { Database } from '../src/kernel/db/database.ts'
import { createLog } from '../src/kernel/log.ts'
import { addUpFunnel, readFunnel } from '../src/resources/analytics/actions.ts'
import type { Grouping } from '../src/resources/analytics/shape.ts'
import { applications } from './datasets/applications.ts'
import { Store } from './kit/store.ts'

/**
 * The hiring funnel of a year of applications of one workspace, without a group, by job and by month.
 *
 *   node bench/funnel.ts [APPLICATIONS] [ROUNDS]
 */
const count = Number(process.argv[2] ?? 1_000_000)
const rounds = Number(process.argv[3] ?? 50)
const DAY_MS = 86_400_000

const store = await Store.open()
try {
  const dataset = applications(count)
  const client = await store.dataset(dataset)
  const db = new Database(store.connection(dataset), { connections: 4, log: createLog('error') })
  const adding = performance.now()
  while ((await addUpFunnel(db, 100_000)) > 0);
  console.log(`added up in ${((performance.now() - adding) / 1000).toFixed(1)} s`)
  await client.query('vacuum analyze funnel_counts, funnel_changes')
  const now = await db.now()
  for (const grouping of ['none', 'job', 'month', 'department', 'source'] satisfies Grouping[]) {
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
      })
      times.push(performance.now() - from)
      counted = funnel.totals.applications
    }
    times.sort((a, b) => a - b)
    const at = (part: number) => `${times[Math.min(rounds - 1, Math.floor(rounds * part))]!.toFixed(0)} ms`
    console.log(`${grouping}: p50 ${at(0.5)}, p99 ${at(0.99)}, fastest ${at(0)} (${counted} applications)`)
  }
  await db.close()
} finally {
  await store.close()
}
