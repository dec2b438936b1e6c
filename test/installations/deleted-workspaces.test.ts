import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { runNextDeletion, scheduleDeletion } from '../../src/resources/deletions/index.ts'
import { readUrl } from '../../src/resources/webhooks/index.ts'
import { readWorkspaceLog } from '../../src/resources/workspaces/index.ts'
import { apply } from '../applications/setup.ts'
import { packageBody, sharedWorld } from '../orders/setup.ts'
import { appToken, installable, installIn } from './setup.ts'

const world = await sharedWorld()
const { service } = world
const { db, keyring } = service.services
const SCOPES = ['orders:fulfill', 'orders:candidate:read', 'events:read']
const HOST = 'tests.vendor.example'

async function deleteWorkspace(workspace: string) {
  await scheduleDeletion(db, workspace, { userId: null, graceDays: 0 })
  while (await runNextDeletion(service.services));
}

test('hiring workspaces delete: with the home of an app its installations end, its packages are withdrawn, its orders canceled', async () => {
  const home = (await service.workspace('starter', 'Vendor')).id
  const app = await installable(service, { workspace: home, scopes: SCOPES, optionalScopes: [] })
  const { access_token: key, installation_id: id } = await installIn(service, app, world.workspace)
  const made = await service.post(
    '/packages',
    key,
    packageBody({ candidate_host: HOST, privacy_url: `https://${HOST}/privacy` }),
  )
  assert.equal(made.status, 201, made.text)
  const order = await service.post('/orders', world.key, {
    application_id: (await apply(world)).id,
    package_id: made.body.id,
  })
  assert.equal(order.status, 201, order.text)
  await deleteWorkspace(home)
  assert.equal((await service.get('/me', key)).status, 401)
  assert.equal((await service.get(`/packages/${made.body.id}`, world.key)).body.status, 'withdrawn')
  const { body } = await service.get(`/orders/${order.body.id}`, world.key)
  assert.deepEqual([body.status, body.status_reason?.code], ['canceled', 'app_uninstalled'])
  const log = await readWorkspaceLog(db, world.workspace, 10)
  assert.deepEqual(
    log
      .map(({ action, details }) => ({ action, ...(details as { installation?: string; by?: string }) }))
      .filter(({ installation }) => installation === id)
      .map(({ action, by }) => [action, by]),
    [
      ['app_uninstalled', 'operator'],
      ['app_installed', undefined],
    ],
  )
})

test('hiring workspaces delete: the publisher of an app that was installed there gets installation.deleted', async () => {
  const home = (await service.workspace('starter', 'Vendor')).id
  const app = await installable(service, {
    workspace: home,
    webhooks: {
      keyring,
      live: readUrl('https://hooks.vendor.example/', { hosts: [], loopback: false }),
      eventTypes: ['application.created'],
    },
    scopes: ['events:read', 'applications:read'],
  })
  const { id: workspace } = await service.workspace('starter', 'Customer')
  const { installation_id: id } = await installIn(service, app, workspace)
  await deleteWorkspace(workspace)
  const { body } = await service.get('/webhooks/deliveries', await appToken(service, app))
  assert.deepEqual(body.data.map((row: { event_type: string }) => row.event_type).toSorted(), [
    'installation.created',
    'installation.deleted',
  ])
  const { text } = await db.only(sql<{ text: string }>`
    select body as text from webhook_deliveries where workspace_id = ${home} and event_type = 'installation.deleted'`)
  const { object } = JSON.parse(text).data
  assert.deepEqual([object.id, object.status, object.reason], [id, 'ended', 'uninstalled_by_workspace'])
  assert.ok(object.delete_by)
})
