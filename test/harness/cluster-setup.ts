import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cloneOnCluster, clusterOfRun, startTestCluster, type TestCluster, useCluster } from './citus.ts'
import { normal, readRouting, recordedIn, refusedIn, unexpected } from './routing.ts'
import { setUpRun } from './test-run.ts'

/**
 * Prepares a run of test files on a Citus cluster. What it returns ends the run, and returns a line for each statement that
 * runs on other servers than it should.
 */
export async function setUpOnCluster(): Promise<() => Promise<string[]>> {
  const run = await setUpRun()
  // one that runs already serves any number of runs
  const given = clusterOfRun()
  const { cluster, stop } = given ? { cluster: given, stop: async () => {} } : await startTestCluster()
  // a folder that someone wants to look into stays
  const chosen = process.env['RECORD_STATEMENTS']
  const recorded = chosen ?? mkdtempSync(join(tmpdir(), 'hiring-statements-'))
  useCluster(cluster)
  process.env['RECORD_STATEMENTS'] = recorded
  process.env['NODE_OPTIONS'] = `--import=${join(import.meta.dirname, 'record-statements.ts')}`
  return async () => {
    delete process.env['NODE_OPTIONS']
    try {
      return await checkRouting(cluster, recorded)
    } finally {
      await stop()
      if (chosen === undefined) rmSync(recorded, { recursive: true, force: true })
      await run.tearDown({ isWhole: false })
    }
  }
}

async function checkRouting(on: TestCluster, folder: string): Promise<string[]> {
  const database = await cloneOnCluster(on, `routing_${process.pid}`)
  const routed = await readRouting(database.url, recordedIn(folder))
  await database.drop()
  const refused = refusedIn(folder)
  const wrong = unexpected(routed)
  const counts = Object.entries(Object.groupBy(routed, one => one.routing)).map(([name, of]) => `${of.length} ${name}`)
  console.log(
    `statements: ${counts.join(', ')}; ${wrong.length} without a known reason; ${refused.length} refused in the run`,
  )
  return [
    ...refused.map(({ text, from, error }) => `refused (${error}) ${from}\n  ${normal(text).slice(0, 400)}`),
    ...wrong.map(
      ({ statement, routing, detail }) =>
        `${routing} (${detail}) ${statement.from}\n  ${normal(statement.text).slice(0, 400)}`,
    ),
  ]
}
