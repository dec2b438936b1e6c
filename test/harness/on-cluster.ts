import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { withoutCitus } from './citus.ts'
import { NOT_ON_CLUSTER, ON_CLUSTER } from './cluster-suites.ts'

/**
 * Runs test files on a distributed store: those of the list, or the ones that are named.
 *
 *   node test/harness/on-cluster.ts [FILE…]
 */
const ROOT = join(import.meta.dirname, '../..')
const named = process.argv.slice(2)

if (withoutCitus) console.log(withoutCitus)
else {
  for (const file of named) if (NOT_ON_CLUSTER[file]) console.log(`${file} ${NOT_ON_CLUSTER[file]}`)
  const { status } = spawnSync(
    process.execPath,
    [
      `--test-global-setup=${join(import.meta.dirname, 'cluster-setup.ts')}`,
      '--test',
      '--test-concurrency=2',
      '--test-timeout=300000',
      ...(named.length > 0 ? named : ON_CLUSTER),
    ],
    { cwd: ROOT, stdio: 'inherit' },
  )
  process.exitCode = status ?? 1
}
