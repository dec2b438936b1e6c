import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { detectSandbox } from '../../packages/resume-parser/src/index.ts'
import { builtDownloads } from '../../src/downloads/build.ts'
import { builtPrograms } from '../../src/pages/build-programs.ts'
import { EVIDENCE_FOLDER, missing } from './evidence.ts'
import { startTestServer } from './postgres.ts'

const BUILT = join(import.meta.dirname, '../../web/dist')

/** What all test files of a run share: a database server, a folder for temporary files, the choice of a sandbox. */
export interface TestRun {
  /** CPU seconds of the database server */
  databaseCpuSeconds(): number
  /** Returns the faults that belong to no file. `isWhole`: what no test provoked is one. */
  tearDown(opts: { isWhole: boolean }): Promise<string[]>
}

/** Prepares a run. The processes of the tests find it through environment variables. */
export async function setUpRun(): Promise<TestRun> {
  // many processes read the same sources: half of the time that each needs to begin is compiling them
  process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '../../node_modules/.cache/compiled')
  // here, because the builder leaves listeners and variables in its process
  await builtPrograms(BUILT)
  await builtDownloads(BUILT)
  const temporary = temporaryInMemory()
  if (temporary) process.env['TMPDIR'] = temporary
  const evidence = mkdtempSync(join(tmpdir(), 'hiring-evidence-'))
  process.env[EVIDENCE_FOLDER] = evidence
  const server = await startTestServer()
  process.env['HIRING_TEST_POSTGRES'] = JSON.stringify(server.connection)
  process.env['HIRING_TEST_SANDBOX'] = (await detectSandbox()).name
  return {
    databaseCpuSeconds: server.cpuSeconds,
    async tearDown({ isWhole }) {
      await server.stop()
      const unseen = isWhole ? missing(evidence) : []
      rmSync(evidence, { recursive: true, force: true })
      if (temporary) rmSync(temporary, { recursive: true, force: true, maxRetries: 5 })
      return unseen.map(item => `no test of this run provoked: ${item}`)
    },
  }
}

/** The most that the files of a run take, by far. */
const ENOUGH_BYTES = 4 * 1024 ** 3

/**
 * A database is hundreds of files, and tests make hundreds of databases: that costs a tenth as much in memory. Not where
 * the memory is needed, and not where someone chose a folder.
 */
function temporaryInMemory(): string | undefined {
  if (process.env['TMPDIR'] || process.platform !== 'linux') return undefined
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    if (bavail * bsize < ENOUGH_BYTES || process.availableMemory() < 2 * ENOUGH_BYTES) return undefined
    const folder = mkdtempSync('/dev/shm/hiring-')
    chmodSync(folder, 0o1777) // as /tmp is: some tests run processes as another user
    return folder
  } catch {
    return undefined // no such folder, or not writable
  }
}
