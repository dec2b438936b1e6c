import { startOpenSearch, type TestCluster } from './opensearch.ts'
import { startTestServer, type TestServer } from './postgres.ts'

/** One OpenSearch and one database server for all files; each file has names and a database of its own. */
let cluster: TestCluster | undefined
let server: TestServer | undefined

export async function globalSetup(): Promise<void> {
  cluster = await startOpenSearch()
  process.env['OPENSEARCH_URL'] = cluster.url
  server = await startTestServer()
  process.env['HIRING_TEST_POSTGRES'] = JSON.stringify(server.connection)
}

export async function globalTeardown(): Promise<void> {
  await server?.stop()
  await cluster?.stop()
}
