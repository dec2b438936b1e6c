import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { EventType } from '../../src/contract/events.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { insertEndpoint, insertSecret } from '../../src/resources/webhooks/endpoint-store.ts'
import { newSigningSecret, secretContext } from '../../src/resources/webhooks/index.ts'
import { emit } from '../harness/events.ts'
import { CA_FILE, type Received, startReceiver, testNames, until } from '../harness/receiver.ts'
import { startTestService } from '../harness/service.ts'

const hanging = await startReceiver('hanging.hooks.test')
hanging.respond = () => {} // never
const slow = await startReceiver('slow.hooks.test')
const healthy = await startReceiver()
const service = await startTestService(
  { WEBHOOK_ALLOW_HOSTS: `${hanging.host},${slow.host},${healthy.host}`, WEBHOOK_CA: CA_FILE },
  { resolveName: testNames() },
)
const { db } = service.services

/** Endpoints with paths of their own at a receiver: 16 in a workspace, 8 for a key. Returns the workspace of each. */
async function register(count: number, url: string): Promise<string[]> {
  const workspaces: string[] = []
  while (workspaces.length < count) {
    const { id: workspace, userEmail } = await service.workspace('enterprise')
    for (let k = 0; k < 2; k++) {
      const key = await service.key({ workspace, userEmail })
      for (let i = 0; i < 8 && workspaces.length < count; i++) {
        const response = await service.post('/webhooks/endpoints', key, {
          url: `${url}/${workspaces.length}`,
          event_types: ['job.updated'],
        })
        assert.equal(response.status, 201, response.text)
        workspaces.push(workspace)
      }
    }
  }
  return workspaces
}

/** On a busy machine an attempt may not end within its ten seconds: only then is the sender right to try again. */
async function assertAfterTimeout(again: readonly Received[]): Promise<void> {
  if (again.length === 0) return
  const late = await db.query(sql<{ id: string }>`
    select delivery_id as id from webhook_attempts where error = 'timeout'`)
  const ids = new Set(late.map(({ id }) => id))
  for (const { headers } of again) assert.ok(ids.has(String(headers['service-delivery-id'])), 'sent twice')
}

/** Sends events to healthy receivers for a few seconds and returns how long each took, sorted. */
async function measure(workspaces: string[], rounds: number): Promise<number[]> {
  const sent = new Map<string, number>()
  const before = healthy.received.length
  for (let round = 0; round < rounds; round++) {
    for (const workspace of new Set(workspaces)) {
      const [id] = await emit(db, workspace, ['job.updated'])
      sent.set(id!, performance.now())
    }
    await delay(250)
  }
  const isFirst = ({ headers }: Received) => headers['service-delivery-attempt'] === '1'
  const first = () => healthy.received.slice(before).filter(isFirst)
  await until('every healthy receiver has its events', () => first().length >= rounds * workspaces.length)
  await assertAfterTimeout(healthy.received.slice(before).filter(received => !isFirst(received)))
  const waits = first()
    .map(r => r.at - sent.get(JSON.parse(r.body).data.object.id)!)
    .toSorted((a, b) => a - b)
  assert.equal(waits.length, rounds * workspaces.length)
  return waits
}

const p99 = (waits: number[]) => Math.round(waits[Math.floor(waits.length * 0.99)]!)

/** Hundreds of TLS handshakes at the same time, both ends in this process, take a second by themselves; one in the way takes ten. */
const WITH_MANY_MS = 4_000

/**
 * The healthy ones have theirs within a second. What the machine itself makes of it, which may be busy with other work,
 * is known from the same measurement without the obstacle, before it and, if need be, after it: more than three times that
 * is the sender's fault. Such a fault is there in every measurement, other work on the machine is not: hence up to three.
 */
async function assertPrompt(workspaces: string[], rounds: number, before: number[], limitMs = 1_000): Promise<void> {
  let alone = p99(before)
  const isPrompt = (found: number) => found < Math.max(limitMs, 3 * alone)
  let found = p99(await measure(workspaces, rounds))
  for (let again = 0; again < 2 && !isPrompt(found); again++) found = p99(await measure(workspaces, rounds))
  await db.query(sql`delete from webhook_endpoints where not starts_with(url, ${healthy.url})`)
  if (!isPrompt(found)) alone = Math.max(alone, p99(await measure(workspaces, 6)))
  assert.ok(isPrompt(found), `p99 of ${found} ms; ${alone} ms without an obstacle`)
}

const backlog = async () =>
  (await db.one(sql<{ n: number }>`
    select (select count(*) from webhook_deliveries where status = 'pending') + (select count(*) from webhook_handovers) as n`))!
    .n

test('webhook fairness: one receiver that hangs, with 10 000 deliveries waiting, delays none of 50 healthy ones', async () => {
  const [dead] = await register(1, hanging.url)
  const workspaces = await register(50, healthy.url)
  await measure(workspaces, 2) // connections open, code is compiled
  const undisturbed = await measure(workspaces, 6)
  const begun = performance.now()
  for (let i = 0; i < 10; i++) await emit(db, dead!, Array<EventType>(1000).fill('job.updated'))
  await until('the backlog waits', async () => (await backlog()) === 10_000)
  await until('the dead receiver is being tried', () => hanging.connections > 0)
  await assertPrompt(workspaces, 12, undisturbed)
  assert.ok(hanging.mostOpen > 0)
  assert.ok(hanging.mostOpen <= 32, `${hanging.mostOpen} connections to the dead receiver at the same moment`)
  // each is open for the ten seconds of an attempt, then comes the next: 32 in all where the machine is quick
  const attempts = Math.ceil((performance.now() - begun) / 10_000)
  assert.ok(hanging.connections <= 32 * attempts, `${hanging.connections} connections to the dead receiver`)
  await db.query(sql`delete from webhook_endpoints`)
})

test('webhook fairness: sixty receivers that begin to hang at the same moment leave capacity for the others', async () => {
  const dead = await register(60, hanging.url)
  const workspaces = await register(10, healthy.url)
  const undisturbed = await measure(workspaces, 6)
  const before = hanging.connections
  for (const workspace of new Set(dead)) await emit(db, workspace, Array<EventType>(20).fill('job.updated'))
  await until('all of them are being tried', () => hanging.connections >= before + 60)
  await assertPrompt(workspaces, 12, undisturbed, WITH_MANY_MS)
  await db.query(sql`delete from webhook_endpoints`)
})

test('webhook fairness: more slow receivers than there is capacity for, each acknowledging after nine seconds, do not starve the others', async () => {
  // the service stops before some of them have their response
  slow.respond = (_request, response) => void setTimeout(() => response.end(), 9_000).unref()
  const workspaces = await register(10, healthy.url)
  const undisturbed = await measure(workspaces, 6)
  const { id: workspace, userEmail } = await service.workspace('enterprise')
  const key = await service.key({ workspace, userEmail })
  // beyond what the limits let one workspace register: it represents many
  await db.transaction(async tx => {
    for (let i = 0; i < 560; i++) {
      const id = randomUUID()
      const url = `${slow.url}/${i}`
      const sealed = service.services.keyring.seal(Buffer.from(newSigningSecret()), secretContext(id, 1))
      await tx.query(
        insertEndpoint({ workspace, keyId: key.id, id, url, description: null, eventTypes: ['job.updated'] }),
      )
      await tx.query(insertSecret(workspace, id, 1, sealed))
    }
  })
  await emit(db, workspace, ['job.updated'])
  await until('the quick lane is full of them', () => slow.connections >= 400)
  await assertPrompt(workspaces, 20, undisturbed, WITH_MANY_MS)
  await db.query(sql`delete from webhook_endpoints`)
})
