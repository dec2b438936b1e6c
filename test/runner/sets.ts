import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative } from 'node:path'

export const ROOT = join(import.meta.dirname, '../..')

/** A part of the tests that is run by a command of its own. */
export interface TestSet {
  about: string
  /** which files belong to it, by their paths in the repository; a file belongs to the first set that has it */
  has: RegExp
  testTimeoutMs: number
  /** 1 where files need the whole machine; by default one more than it has cores */
  workers?: number
  /** Its files kill what they start, so each has a process of its own. */
  alone?: true
  /** Starts what its files share; returns how to stop it. */
  setUp?: () => Promise<() => Promise<void>>
}

/** A test that hangs; one that is slow on a busy machine is none. What has to be fast is measured by the test itself. */
const HANGS_MS = 600_000

export const TEST_SETS = {
  browser: { about: 'the pages, in Chromium', has: /^test\/browser\//, testTimeoutMs: HANGS_MS },
  faults: {
    about: 'the service under load while a part that it needs fails',
    has: /^test\/faults\//,
    testTimeoutMs: HANGS_MS,
    alone: true,
  },
  opensearch: {
    about: 'the pool search on OpenSearch',
    has: /^test\/opensearch\//,
    testTimeoutMs: HANGS_MS,
    workers: 1,
    setUp: async () => {
      const { startOpenSearch } = await import('../harness/opensearch.ts')
      const { url, stop } = await startOpenSearch()
      process.env['OPENSEARCH_URL'] = url
      return stop
    },
  },
  cluster: {
    about: 'distribution and crashes on a Citus cluster',
    has: /^test\/cluster\//,
    testTimeoutMs: 900_000,
    workers: 2,
    alone: true,
  },
  slow: {
    about: 'programs, process groups, sandboxes, packages, upgrades and other languages',
    has: /\.slow\.test\.ts$/,
    testTimeoutMs: HANGS_MS,
  },
  fast: {
    about: 'everything else',
    has: /^/,
    testTimeoutMs: HANGS_MS,
    // its files wait more than they compute
    workers: availableParallelism() + 2,
  },
} satisfies Record<string, TestSet>

export type SetName = keyof typeof TEST_SETS

export const isSetName = (name: string): name is SetName => Object.hasOwn(TEST_SETS, name)

export const allTestFiles = (): string[] =>
  globSync('{src,test,packages/*/test}/**/*.test.ts', { cwd: ROOT })
    .map(path => relative(ROOT, join(ROOT, path)))
    .sort()

export const findSet = (file: string): SetName =>
  (Object.keys(TEST_SETS) as SetName[]).find(name => TEST_SETS[name].has.test(file))!
