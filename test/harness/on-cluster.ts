import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { withoutCitus } from './citus.ts'
import { EXTENDED, NOT_ON_CLUSTER, ON_CLUSTER } from './cluster-suites.ts'

/**
 * Runs test files on a distributed store: those of the list, all of both lists, or the ones that are named.
 *
 *   node test/harness/on-cluster.ts [--all | FILE…]
 */
const ROOT = join(import.meta.dirname, '../..')
const given = process.argv.slice(2)
const all = given.includes('--all')
const named = given.filter(arg => arg !== '--all')
const listed = all ? [...ON_CLUSTER, ...EXTENDED] : ON_CLUSTER

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
      ...(named.length > 0 ? named : listed),
    ],
    { cwd: ROOT, stdio: 'inherit' },
  )
  process.exitCode = status ?? 1
}
