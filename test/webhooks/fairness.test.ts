import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { EventType } from '../../src/contract/events.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { emit } from '../harness/events.ts'
import { CA_FILE, startReceiver, testNames, until } from '../harness/receiver.ts'
import { startTestService } from '../harness/service.ts'

const BACKLOG = 10_000
const HEALTHY = 50
const ROUNDS = 12

const hanging = await startReceiver('hanging.hooks.test')
hanging.answer = () => {} // never
const healthy = await startReceiver()
const service = await startTestService(
  { WEBHOOK_ALLOW_HOSTS: `${hanging.host},${healthy.host}`, WEBHOOK_CA: CA_FILE },
  { resolveName: testNames() },
)
const { db } = service.services

test('one receiver that hangs, with 10 000 deliveries waiting, beside 50 healthy ones: theirs come within a second', async () => {
  const dead = await service.workspace('enterprise')
  const deadKey = await service.key({ workspace: dead.id, userEmail: dead.userEmail })
  await service.post('/webhooks/endpoints', deadKey, { url: hanging.url, event_types: ['job.updated'] })
  // 16 endpoints in a workspace, 8 for a key
  const workspaces: string[] = []
  for (let made = 0; made < HEALTHY; ) {
    const { id: workspace, userEmail } = await service.workspace('enterprise')
    for (let k = 0; k < 2; k++) {
      const key = await service.key({ workspace, userEmail })
      for (let i = 0; i < 8 && made < HEALTHY; i++, made++) {
        const url = `${healthy.url}/${made}`
        const answer = await service.post('/webhooks/endpoints', key, { url, event_types: ['job.updated'] })
        assert.equal(answer.status, 201, answer.text)
        workspaces[made] = workspace
      }
    }
  }
  for (let i = 0; i < BACKLOG / 1000; i++) await emit(db, dead.id, Array<EventType>(1000).fill('job.updated'))
  await until('the backlog waits', async () => {
    const row = await db.one(sql<{ n: number }>`select count(*) as n from webhook_deliveries`)
    return row!.n === BACKLOG
  })
  await until('the dead receiver is being tried', () => hanging.connections > 0)

  const sent = new Map<string, number>()
  const distinct = [...new Set(workspaces)]
  for (let round = 0; round < ROUNDS; round++) {
    for (const workspace of distinct) {
      const [id] = await emit(db, workspace, ['job.updated'])
      sent.set(id!, performance.now())
    }
    await delay(250)
  }
  const expected = ROUNDS * HEALTHY
  await until('every healthy receiver has its events', () => healthy.received.length >= expected)
  const waits = healthy.received.map(r => r.at - sent.get(JSON.parse(r.body).data.object.id)!).toSorted((a, b) => a - b)
  assert.equal(waits.length, expected)
  const p99 = waits[Math.floor(waits.length * 0.99)]!
  assert.ok(p99 < 1_000, `p99 of ${Math.round(p99)} ms`)
  assert.ok(hanging.connections <= 32, `${hanging.connections} connections to the dead receiver`)
})
