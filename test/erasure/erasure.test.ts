import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requestErasure, runErasure } from '../../src/resources/erasures/actions.ts'
import { apply, startWorld } from '../applications/world.ts'
import { feedOf, typesOf } from '../harness/feed.ts'

const world = await startWorld()
const { service } = world
const { db, blobs, outbox } = service.services

test('smoke', async () => {
  const app = await apply(world, {}, { email: 'smoke@example.org', linkedin_url: 'https://linkedin.com/in/smoke' })
  const { id } = await requestErasure(db, { email: 'smoke@example.org', requestedBy: 'command_line' })
  const done = await runErasure({ db, blobs, outbox }, id)
  console.log(done)
  console.log(typesOf(await feedOf(service, world.workspace)))
  console.log((await service.get('/suppressions', world.key)).text)
  assert.equal((await service.get(`/applications/${app.id}`, world.key)).status, 404)
})
