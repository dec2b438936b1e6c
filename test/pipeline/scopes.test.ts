import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { routes } from '../../src/app.ts'
import { SCOPES, type Scope } from '../../src/contract/scopes.ts'
import { sharedTestService, type TestService } from '../harness/service.ts'
import { keyFor, newTestTenant } from '../test-workspaces/setup.ts'

let service: TestService

before(async () => {
  service = await sharedTestService()
})

test('scopes: 403 insufficient_scope names the scope of every endpoint', async () => {
  const { id, userEmail } = await service.workspace('enterprise')
  const newKey = (scope: Scope) => service.key({ workspace: id, userEmail, scopes: [scope] })
  const other = await newKey('workspaces:read')
  const forOther = await newKey('users:read')
  const ofTest = await keyFor(await newTestTenant(service), { scopes: ['workspaces:read'] })
  for (const { method, path, access } of routes) {
    if (typeof access === 'string') continue
    const { scope } = access
    const key = SCOPES[scope].testOnly ? ofTest : scope === 'workspaces:read' ? forOther : other
    const response = await service.call(method, path.replace(/\{\w+\}/g, 'x'), { key })
    const { code, required_scope } = response.body.detail
    assert.deepEqual([response.status, code, required_scope], [403, 'insufficient_scope', scope], `${method} ${path}`)
  }
})
