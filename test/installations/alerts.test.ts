import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkAlerts, describeAlert, openAlerts } from '../../src/resources/alerts/index.ts'
import { readInstallation, suspendApp, suspendInstallation } from '../../src/resources/installations/index.ts'
import { sharedTestService } from '../harness/service.ts'
import { installable, installIn } from './setup.ts'

const service = await sharedTestService()
const { db } = service.services

test('alert app_suspended: open while the workspace or the operator suspends an installed app, and says who did', async () => {
  const app = await installable(service)
  const { id: workspace } = await service.workspace('starter', 'Customer')
  const { installation_id: id } = await installIn(service, app, workspace)
  const open = async () => {
    assert.ok(await checkAlerts(db))
    return db.query(openAlerts(workspace))
  }
  assert.deepEqual(await open(), [])
  const row = (await readInstallation(db, workspace, id))!
  await db.transaction(tx => suspendInstallation(tx, row, true, 'usr_x'))
  const [own] = await open()
  assert.deepEqual([own?.kind, describeAlert(own!).path], ['app_suspended', `/installations/${id}`])
  assert.match(describeAlert(own!).text, /An owner or admin of the workspace suspended Skill Checks/)
  await db.transaction(tx => suspendInstallation(tx, row, false, 'usr_x'))
  assert.deepEqual(await open(), [])
  await suspendApp(db, app.id, true)
  const [operators] = await open()
  assert.match(describeAlert(operators!).text, /The operator of the service suspended Skill Checks/)
  await suspendApp(db, app.id, false)
  assert.deepEqual(await open(), [])
})
