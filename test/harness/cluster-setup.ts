import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cloneOnCluster, clusterOfRun, startTestCluster, type TestCluster, useCluster } from './citus.ts'
import { normal, recordedIn, refusedIn, routingOf, unexpected } from './routing.ts'
import { setUpRun, type TestRun } from './test-run.ts'

/** Test files run on a Citus cluster; at the end, every statement that they sent is checked for where it runs. */
let cluster: TestCluster | undefined
let stop: (() => Promise<void>) | undefined
let recorded: string | undefined
let run: TestRun | undefined
/** a folder that someone wants to look into */
const isGiven = process.env['RECORD_STATEMENTS'] !== undefined

export async function globalSetup(): Promise<void> {
  run = await setUpRun()
  // one that runs already serves any number of runs
  cluster = clusterOfRun()
  if (!cluster) ({ cluster, stop } = await startTestCluster())
  recorded = process.env['RECORD_STATEMENTS'] ?? mkdtempSync(join(tmpdir(), 'hiring-statements-'))
  useCluster(cluster)
  process.env['RECORD_STATEMENTS'] = recorded
  process.env['NODE_OPTIONS'] = `--import=${join(import.meta.dirname, 'record-statements.ts')}`
}

export async function globalTeardown(): Promise<void> {
  delete process.env['NODE_OPTIONS']
  try {
    if (cluster && recorded) await checkRouting(cluster, recorded)
  } finally {
    await stop?.()
    if (recorded && !isGiven) rmSync(recorded, { recursive: true, force: true })
    await run?.tearDown({ isWhole: false })
  }
}

async function checkRouting(on: TestCluster, folder: string): Promise<void> {
  const database = await cloneOnCluster(on, `routing_${process.pid}`)
  const routed = await routingOf(database.url, recordedIn(folder))
  await database.drop()
  const refused = refusedIn(folder)
  for (const { text, from, error } of refused)
    console.error(`refused (${error}) ${from}\n  ${normal(text).slice(0, 400)}`)
  const wrong = unexpected(routed)
  for (const { statement, routing, detail } of wrong)
    console.error(`${routing} (${detail}) ${statement.from}\n  ${normal(statement.text).slice(0, 400)}`)
  const counts = Object.entries(Object.groupBy(routed, one => one.routing)).map(([name, of]) => `${of.length} ${name}`)
  console.log(
    `statements: ${counts.join(', ')}; ${wrong.length} without a known reason; ${refused.length} refused in the run`,
  )
  // not thrown: the runner would wait for the processes that are being stopped
  if (wrong.length + refused.length > 0) process.exitCode = 1
}
