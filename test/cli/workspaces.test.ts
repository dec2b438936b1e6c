import assert from 'node:assert/strict'
import { test } from 'node:test'
import { workspaceVerbs } from '../../src/cli/workspaces.ts'
import { sharedTestService } from '../harness/service.ts'
import { runVerb } from '../harness/verb.ts'

const service = await sharedTestService()

test('hiring workspaces change: a new plan counts from the next request on, a new name is shown; the rest stays', async () => {
  const { id: workspace } = await service.workspace('starter', 'Acme Robotics')
  const key = await service.key({ workspace })
  const change = (options: Record<string, string>) =>
    runVerb(service, workspaceVerbs, 'workspaces change', [workspace], options)
  const limit = async () => (await service.get('/me', key)).headers.get('ratelimit-limit')
  const starter = await limit()
  assert.match((await change({ plan: 'growth' })).text, /is now Acme Robotics, plan growth/)
  const growth = await limit()
  assert.notEqual(growth, starter)
  const before = (await service.get(`/workspaces/${workspace}`, key)).body
  await change({ name: 'Acme Machines' })
  const after = (await service.get(`/workspaces/${workspace}`, key)).body
  assert.equal(after.name, 'Acme Machines')
  assert.ok(after.updated_at > before.updated_at)
  assert.equal(await limit(), growth, 'the plan is as it was')
  assert.match((await change({ plan: 'none' })).text, /plan none/)
  assert.notEqual(await limit(), growth)
})

test('hiring workspaces change: errors for an unknown workspace, plan or name, and for nothing to change', async () => {
  const { id: workspace } = await service.workspace()
  const change = (id: string, options: Record<string, string>) =>
    runVerb(service, workspaceVerbs, 'workspaces change', [id], options)
  await assert.rejects(change('wsp_x', { plan: 'growth' }), /there is no workspace wsp_x/)
  await assert.rejects(change(workspace, { plan: 'gold' }), /the plan must be one of none, starter, growth, enterprise/)
  await assert.rejects(change(workspace, { name: ' ' }), /the name must be 1 to/)
  await assert.rejects(change(workspace, {}), /nothing to change: give --name or --plan/)
})
