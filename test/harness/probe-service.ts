import { routes } from '../../src/app.ts'
import { API_PREFIX } from '../../src/contract/version.ts'
import { loadConfig } from '../../src/kernel/config/config.ts'
import { startService } from '../../src/main.ts'
import { createKey } from '../../src/resources/keys/index.ts'
import { createUser } from '../../src/resources/users/index.ts'
import { createWorkspace, listWorkspaces } from '../../src/resources/workspaces/index.ts'
import { probeRoutes } from './probe-routes.ts'
import { sandboxOfRun } from './sandbox.ts'

// The service with the probes' endpoints, as a program: for tests that kill it.
const service = await startService(loadConfig(), {
  routes: [...routes, ...probeRoutes],
  chooseSandbox: sandboxOfRun,
})
const { db, publicUrl } = service.services
let [workspace] = await listWorkspaces(db)
let key: string | null = null
if (!workspace) {
  workspace = await createWorkspace(db, { name: 'Probe', plan: 'enterprise' })
  await createUser(db, { workspace: workspace.id, email: 'owner@probe.example', role: 'owner' })
}
key = (await createKey(db, { workspace: workspace.id, userEmail: 'owner@probe.example', scopes: 'all' })).secret
process.stdout.write(`${JSON.stringify({ base_url: publicUrl + API_PREFIX, key, pid: process.pid })}\n`)
process.once('SIGTERM', () => service.stop())
