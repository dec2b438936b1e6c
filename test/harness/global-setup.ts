import { join } from 'node:path'
import { detectSandbox } from '../../src/resources/resumes/parse/isolate.ts'
import { startTestServer, type TestServer } from './postgres.ts'

/** One database server for the whole run; each test file clones its own database from a migrated template. */
let server: TestServer | undefined

export async function globalSetup(): Promise<void> {
  // a hundred processes read the same sources: half of what each needs to begin is compiling them
  process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '../../node_modules/.cache/compiled')
  server = await startTestServer()
  process.env['HIRING_TEST_POSTGRES'] = JSON.stringify(server.connection)
  process.env['HIRING_TEST_SANDBOX'] = (await detectSandbox()).name
}

export async function globalTeardown(): Promise<void> {
  await server?.stop()
}
