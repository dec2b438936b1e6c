import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from './free-port.ts'

const run = promisify(execFile)

/** A script next to the checkout that starts a real OpenSearch; `OPENSEARCH_URL` names one that runs already. */
const SCRIPT = join(import.meta.dirname, '../../../shared/cluster/opensearch.sh')

export interface TestCluster {
  url: string
  stop(): Promise<void>
}

/** The one that runs already, or one of its own. */
export async function startOpenSearch(): Promise<TestCluster> {
  const url = process.env['OPENSEARCH_URL']
  if (url) return { url, async stop() {} }
  if (!existsSync(SCRIPT)) throw new Error('OPENSEARCH_URL is not set: it names an OpenSearch for tests')
  const folder = mkdtempSync(join(tmpdir(), 'hiring-opensearch-'))
  // its first node listens on the port after this one
  const port = String((await freePort()) - 1)
  const { stdout } = await run(SCRIPT, ['start', folder, '--nodes', '1', '--port', port], {
    env: { ...process.env, OPENSEARCH_HEAP: '512m' },
  })
  return {
    url: stdout.trim(),
    async stop() {
      await run(SCRIPT, ['stop', folder])
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
    },
  }
}
