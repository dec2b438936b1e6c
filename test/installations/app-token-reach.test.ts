import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedTestService } from '../harness/service.ts'
import { appToken, installable, installIn } from './setup.ts'

const service = await sharedTestService()

/** Endpoints about the token and its own calls, besides installations and deliveries. */
const OPEN_READS = [
  '/audit/personal-data-reads',
  '/installations',
  '/me',
  '/me/access',
  '/requests',
  '/webhooks/deliveries',
  '/webhooks/endpoints',
]
const OPEN_CHANGES = [
  '/installations/{installation_handle}/confirm-deletion',
  '/webhooks/deliveries/{delivery_id}/redeliver',
  '/webhooks/endpoints/{endpoint_id}/recover',
  '/webhooks/endpoints/{endpoint_id}/test',
]

/** Where the body names what needs a scope. */
const BODIES: Readonly<Record<string, object>> = { '/exports': { resources: ['jobs'] } }

test('app token: of all endpoints it opens those of installations, of deliveries and about itself alone', async () => {
  const app = await installable(service)
  const { id: workspace } = await service.workspace('starter', 'Customer')
  await installIn(service, app, workspace)
  const token = await appToken(service, app)
  const { paths } = (await service.get('/openapi.json', token)).body as {
    paths: Record<string, Record<string, { security?: object[] }>>
  }
  const reads: string[] = []
  const changes: string[] = []
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { security }] of Object.entries(methods)) {
      if (security?.length === 0) continue
      const at = path.replace(/^\/api\/partner\/v1/, '').replaceAll(/\{\w+\}/g, 'unknown')
      const named = `${at}?workspace_id=${workspace}`
      const response =
        method === 'get' ? await service.get(named, token) : await service.post(named, token, BODIES[at] ?? {})
      if (method === 'get' ? response.status === 200 : response.status !== 403)
        (method === 'get' ? reads : changes).push(path.replace(/^\/api\/partner\/v1/, ''))
    }
  }
  assert.deepEqual(reads.toSorted(), OPEN_READS)
  assert.deepEqual(changes.toSorted(), OPEN_CHANGES)
})
