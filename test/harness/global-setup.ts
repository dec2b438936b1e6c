import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { detectSandbox } from '../../src/resources/resumes/index.ts'
import { EVIDENCE_FOLDER, missing } from './evidence.ts'
import { startTestServer, type TestServer } from './postgres.ts'

/** One database server for the whole run; each test file clones its own database from a migrated template. */
let server: TestServer | undefined
/** what the test processes provoked, one file each */
let evidence: string | undefined

/** Given to the runner by `npm test` and nothing else: only the whole suite provokes everything. */
const WHOLE_SUITE = 'test/!(browser)/**/*.test.ts'

export async function globalSetup(): Promise<void> {
  // a hundred processes read the same sources: half of what each needs to begin is compiling them
  process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '../../node_modules/.cache/compiled')
  evidence = mkdtempSync(join(tmpdir(), 'hiring-evidence-'))
  process.env[EVIDENCE_FOLDER] = evidence
  server = await startTestServer()
  process.env['HIRING_TEST_POSTGRES'] = JSON.stringify(server.connection)
  process.env['HIRING_TEST_SANDBOX'] = (await detectSandbox()).name
}

export async function globalTeardown(): Promise<void> {
  await server?.stop()
  if (!evidence) return
  const silent = process.argv.includes(WHOLE_SUITE) ? missing(evidence) : []
  rmSync(evidence, { recursive: true, force: true })
  if (silent.length === 0) return
  // an error thrown here would end the run without being shown
  process.stderr.write(`no test of this run provoked:\n  ${silent.join('\n  ')}\n`)
  process.exitCode = 1
}
