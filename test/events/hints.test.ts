import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventType } from '../../src/contract/events.ts'
import { isDistributed } from '../../src/kernel/citus/distributed.ts'
import { LOCKS } from '../../src/kernel/db/locks.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { AppendedHints } from '../../src/kernel/feed/appended-hints.ts'
import { APPENDED_CHANNEL } from '../../src/kernel/feed/notify-leader.ts'
import { sequenceBatch, sequenceWorkspaces } from '../../src/kernel/feed/sequencer.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { sequenceEvents } from '../../src/workers/sequence-events.ts'
import { emit } from '../harness/events.ts'
import { until } from '../harness/receiver.ts'
import { sharedTestService } from '../harness/service.ts'

const service = await sharedTestService()
const { db } = service.services
const inCluster = await isDistributed(db)

const workspaces = async (count: number) => {
  const ids: string[] = []
  while (ids.length < count) ids.push((await service.workspace('enterprise')).id)
  return ids
}
const publishedOf = async (workspace: string) =>
  (await db.one(sql<{ n: number }>`select last_sequence as n from event_logs where workspace_id = ${workspace}`))!.n

const handles = (count: number) => Array.from({ length: count }, () => newHandle('workspace'))

test('hints of appended events: each workspace once, in its order, until they are taken', () => {
  const hints = new AppendedHints()
  assert.deepEqual(hints.take(), [])
  hints.add(['ws_a', 'ws_b', null])
  hints.add(['ws_a'])
  assert.deepEqual(hints.take(), ['ws_a', 'ws_b'])
  assert.deepEqual(hints.take(), [])
})

test('hints of appended events: of too many workspaces, all are looked at', () => {
  const hints = new AppendedHints()
  hints.add(handles(1_000))
  assert.equal(hints.take().length, 1_000)
  for (let i = 0; i < 3; i++) hints.add(handles(600))
  assert.equal(hints.take(), 'all')
  hints.add(['ws_a'])
  assert.deepEqual(hints.take(), ['ws_a'], 'once')
})

test('hints of appended events: a notification carries them, or nothing if they do not fit, which means all', () => {
  const [here, there] = [new AppendedHints(), new AppendedHints()]
  const carried = (ids: readonly (string | null)[]) => {
    here.add(ids)
    const payload = here.takePayload()
    assert.ok(Buffer.byteLength(payload) < 8_000)
    there.addPayload(payload)
    return there.take()
  }
  const few = handles(100)
  assert.deepEqual(carried(few), few)
  assert.equal(carried(handles(900)), 'all')
  assert.deepEqual(carried([null]), [], 'events of no workspace are looked for in any case')
  assert.deepEqual(carried([null, few[0]!]), [few[0]])
  there.addPayload('')
  assert.equal(there.take(), 'all', 'a process of an earlier release sends nothing else')
})

test('sequencer: a notification names the workspaces that have appended events in a cluster, and none on one server', async () => {
  const [a, b] = (await workspaces(2)) as [string, string]
  const session = await db.session()
  const heard: string[] = []
  await session.listen(APPENDED_CHANNEL, payload => heard.push(payload))
  await Promise.all([emit(db, a, ['job.updated']), emit(db, b, ['job.updated', 'job.updated'])])
  const named = () => new Set(heard.join(',').split(','))
  await until('it is notified', () => (inCluster ? named().has(a) && named().has(b) : heard.length > 0))
  if (!inCluster) assert.deepEqual([...named()], [''])
  await session.close()
  while ((await sequenceBatch(db)) > 0);
})

test('sequencer: of the workspaces that are named, and of no other; those with more than a batch are not finished', async () => {
  const [a, b, c, unknown] = [...(await workspaces(3)), newHandle('workspace')] as [string, string, string, string]
  const reader = await service.key({ workspace: a, scopes: ['events:read', 'pool:read'] })
  for (const workspace of [a, b, c]) await emit(db, workspace, Array<EventType>(3).fill('job.updated'))
  assert.deepEqual(await sequenceWorkspaces(db, [a, unknown]), { moved: 3, unfinished: [], isSharedFull: false })
  assert.deepEqual(await Promise.all([a, b, c].map(publishedOf)), [3, 0, 0])

  const { moved, unfinished } = await sequenceWorkspaces(db, [b, c, a, unknown], 2)
  assert.ok(moved >= 2)
  assert.ok(unfinished.includes(b))
  assert.deepEqual((await sequenceWorkspaces(db, unfinished)).unfinished, [])
  await sequenceWorkspaces(db, [b, c])
  assert.deepEqual(await Promise.all([a, b, c].map(publishedOf)), [3, 3, 3])

  await emit(db, null, Array<EventType>(2).fill('pool.batch_upserted'))
  assert.deepEqual(await sequenceWorkspaces(db, [], 2), { moved: 2, unfinished: [], isSharedFull: true })
  assert.equal((await service.get('/events?type=pool.batch_upserted', reader)).body.data.length, 2)
})

test('sequencer: the leader publishes what it was not notified of, from before it led and after', async () => {
  const [a, b, c] = (await workspaces(3)) as [string, string, string]
  await emit(db, a, ['job.updated'])
  await emit(db, b, ['job.updated'])
  const [later] = await db.query(sql<{ event_id: string; head: string; tail: string }>`
    delete from outbox where workspace_id = ${b} returning event_id, head, tail`)
  const leads = () =>
    db.one(sql`
      select from pg_locks l join pg_database d on d.oid = l.database
      where d.datname = current_database() and l.locktype = 'advisory' and l.granted
        and l.objid = ${LOCKS.eventSequencer}::bigint::oid`)
  const stop = new AbortController()
  const leading = sequenceEvents({ db }).run(stop.signal)
  try {
    await until('what waited is published', async () => (await publishedOf(a)) === 1)
    assert.ok(await leads())
    // without a word to the leader, as of a process that is lost after its commit
    await db.query(sql`
      insert into outbox (workspace_id, event_id, type, head, tail)
      values (${b}, ${later!.event_id}, 'job.updated', ${later!.head}, ${later!.tail})`)
    await emit(db, c, Array<EventType>(2_500).fill('job.updated'))
    await until('what it was notified of is published', async () => (await publishedOf(c)) === 2_500)
    await until('and the rest', async () => (await publishedOf(b)) === 1)
  } finally {
    stop.abort()
    await leading
  }
})
