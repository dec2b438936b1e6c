import { type FileResult, runFiles } from '../runner/pool.ts'
import { printFile, printSummary } from '../runner/print.ts'
import { withoutCitus } from './citus.ts'
import { setUpOnCluster } from './cluster-setup.ts'
import { EXTENDED, NOT_ON_CLUSTER, ON_CLUSTER } from './cluster-suites.ts'

/**
 * Runs test files on a distributed store: those of the list, all of both lists, or the ones that are named.
 *
 *   node test/harness/on-cluster.ts [--all | FILE…]
 */
const WORKERS = 3
const TEST_TIMEOUT_MS = 300_000

const given = process.argv.slice(2)
const all = given.includes('--all')
const named = given.filter(arg => arg !== '--all')
const listed = all ? [...ON_CLUSTER, ...EXTENDED] : ON_CLUSTER

if (withoutCitus) console.log(withoutCitus)
else process.exitCode = await main(named.length > 0 ? named : listed)

async function main(files: readonly string[]): Promise<number> {
  for (const file of files) if (NOT_ON_CLUSTER[file]) console.log(`${file} ${NOT_ON_CLUSTER[file]}`)
  const start = performance.now()
  const done: FileResult[] = []
  const end = await setUpOnCluster()
  const onFile = (result: FileResult) => {
    done.push(result)
    printFile(result)
  }
  const faults = await runFiles(files, { workers: WORKERS, testTimeoutMs: TEST_TIMEOUT_MS, onFile })
  faults.push(...(await end()))
  return printSummary(done, faults, (performance.now() - start) / 1000)
}
