import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { routes } from '../../src/app.ts'
import type { HandleKind } from '../../src/contract/handles.ts'
import { SCOPES } from '../../src/contract/scopes.ts'
import { isPaged, type Route } from '../../src/kernel/http/route.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { sharedTestService } from '../harness/service.ts'
import { appToken, installable } from '../installations/setup.ts'
import { newTestTenant } from '../test-workspaces/setup.ts'

const service = await sharedTestService()

const LISTS = routes.filter(route => route.method === 'GET' && isPaged(route.output))

/** A path of the endpoint that names records of the right kind, which need not exist: the cursor is checked first. */
const pathOf = ({ path, params }: Route, workspace: string) =>
  path.replace(/\{(\w+)\}/g, (_, name) => {
    const kind = params[name]!
    if (typeof kind !== 'string') return kind[0]!
    if (kind === 'workspace') return workspace
    return kind === 'uuid' ? randomUUID() : kind === 'text' ? 'word' : newHandle(kind as HandleKind)
  })

test('list endpoints: 400 invalid_cursor on every list: a cursor that is empty, blank, foreign or too long', async () => {
  const { id } = await service.workspace('enterprise')
  const live = { workspace: id, key: await service.key({ workspace: id }) }
  const test = await newTestTenant(service)
  const app = { workspace: id, key: await appToken(service, await installable(service)) }
  const callerOf = ({ access }: Route) => {
    const { appToken, testOnly } = typeof access === 'string' ? {} : SCOPES[access.scope]
    return appToken ? app : testOnly ? test : live
  }
  assert.ok(LISTS.length > 25)
  for (const route of LISTS) {
    const { workspace, key } = callerOf(route)
    for (const cursor of ['', '%20', 'x', `cur_${'A'.repeat(1_997)}`, `cur_${'A'.repeat(9_000)}`]) {
      const path = `${pathOf(route, workspace)}?cursor=${cursor}`
      const { status, body } = await service.get(path, key)
      assert.deepEqual([status, body.detail?.code, body.detail?.param], [400, 'invalid_cursor', 'cursor'], path)
      assert.match(body.detail.errors[0].message, /malformed/)
    }
  }
})
