import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { detectSandbox } from '../../src/resources/resumes/index.ts'
import { EVIDENCE_FOLDER, missing } from './evidence.ts'
import { startTestServer, type TestServer } from './postgres.ts'

/** One database server for the whole run; each test file clones its own database from a migrated template. */
let server: TestServer | undefined
/** the folder in memory for temporary files, where the system has one */
let temporary: string | undefined
/** what the test processes provoked, one file each */
let evidence: string | undefined

/** Given to the runner by `npm test` and nothing else: only the whole suite provokes everything. */
const WHOLE_SUITE = 'test/!(browser|cluster|faults|opensearch)/**/*.test.ts'

export async function globalSetup(): Promise<void> {
  // a hundred processes read the same sources: half of what each needs to begin is compiling them
  process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '../../node_modules/.cache/compiled')
  temporary = temporaryInMemory()
  if (temporary) process.env['TMPDIR'] = temporary
  evidence = mkdtempSync(join(tmpdir(), 'hiring-evidence-'))
  process.env[EVIDENCE_FOLDER] = evidence
  server = await startTestServer()
  process.env['HIRING_TEST_POSTGRES'] = JSON.stringify(server.connection)
  process.env['HIRING_TEST_SANDBOX'] = (await detectSandbox()).name
}

/** The most that the files of a run take, by far. */
const ENOUGH_BYTES = 4 * 1024 ** 3

/**
 * Each test file has a database of its own, which is hundreds of files: making them costs a tenth as much in memory. Not
 * where the memory is needed, and not where someone chose a folder.
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

export async function globalTeardown(): Promise<void> {
  await server?.stop()
  if (!evidence) return
  const silent = process.argv.includes(WHOLE_SUITE) ? missing(evidence) : []
  rmSync(evidence, { recursive: true, force: true })
  if (temporary) rmSync(temporary, { recursive: true, force: true, maxRetries: 5 })
  if (silent.length === 0) return
  // an error thrown here would end the run without being shown
  process.stderr.write(`no test of this run provoked:\n  ${silent.join('\n  ')}\n`)
  process.exitCode = 1
}
