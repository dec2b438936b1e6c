import assert from 'node:assert/strict'
import { test } from 'node:test'
import { feedVerbs } from '../../src/cli/feed.ts'
import type { EventType } from '../../src/contract/events.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { emit } from '../harness/events.ts'
import { readFeed } from '../harness/feed.ts'
import { startTestService } from '../harness/service.ts'
import { runVerb } from '../harness/verb.ts'

const service = await startTestService({ ROLES: 'api' })
const { db } = service.services
const { id: workspace, userEmail } = await service.workspace('enterprise')
const key = await service.key({ workspace, userEmail })

const publish = async (count: number) => {
  await emit(db, workspace, Array<EventType>(count).fill('job.updated'))
  await readFeed(service, workspace)
}
const read = async (after: number, reader = key) => (await service.get(`/events?after=${after}`, reader)).body
const newEpoch = async () => (await runVerb(service, feedVerbs, 'feed new-epoch', [])).json as { epoch: string }

/** What a backup from the time of the event `last` holds. */
const restoreTo = async (last: number) => {
  await db.query(sql`delete from events where workspace_id = ${workspace} and sequence > ${last}::bigint`)
  await db.query(sql`update event_logs set last_sequence = ${last}::bigint where workspace_id = ${workspace}`)
}

test('GET /events: epoch is a text that stays the same while the store is the same, for every key and workspace', async () => {
  const { epoch } = await read(0)
  assert.match(epoch, /^[0-9a-f]{32}$/)
  await publish(3)
  assert.equal((await read(0)).epoch, epoch)
  const other = await service.workspace('enterprise')
  assert.equal((await read(0, await service.key({ workspace: other.id }))).epoch, epoch)
})

test('hiring feed new-epoch: after a restore the epoch is another, and a reader ahead of the backup has a gap permanently', async () => {
  const { epoch: before } = await read(0)
  await publish(20)
  const ahead = (await read(0)).next_after
  const backup = ahead - 12
  await restoreTo(backup)
  assert.equal((await read(ahead)).gap, true, 'beyond the end of the log')

  const { epoch } = await newEpoch()
  assert.notEqual(epoch, before)
  assert.equal((await read(backup)).epoch, epoch)
  assert.deepEqual([(await read(backup)).gap, (await read(backup)).data], [false, []], 'who read no further reads on')
  for (const lost of [backup + 1, ahead - 1, ahead]) assert.equal((await read(lost)).gap, true, String(lost))

  await publish(30)
  for (const lost of [backup + 1, ahead]) assert.equal((await read(lost)).gap, true, 'however far the log has grown')
  const { data, gap, next_after } = await read(backup)
  assert.deepEqual([data.length, gap], [25, false])
  assert.ok(data[0].sequence > ahead, 'no number of the lost events is used again')
  assert.deepEqual([(await read(next_after)).data.length, (await read(next_after)).gap], [5, false])

  // the same backup a second time: other numbers again, and what was lost the first time stays lost
  await restoreTo(backup)
  await newEpoch()
  for (const lost of [ahead, next_after]) assert.equal((await read(lost)).gap, true, String(lost))
  await publish(1)
  assert.ok((await read(backup)).data[0].sequence > next_after)
})

test('hiring feed new-epoch: each log skips ten million numbers at least, and up to the time in milliseconds', async () => {
  const far = (await service.workspace('enterprise')).id
  const beyond = clock.now() + 1_000_000_000
  for (const [id, last] of [
    [workspace, 40],
    [far, beyond],
  ] as const)
    await db.query(sql`
      insert into event_logs (workspace_id, last_sequence) values (${id}, ${last}::bigint)
      on conflict (workspace_id) do update set last_sequence = excluded.last_sequence`)
  const before = clock.now()
  await newEpoch()
  const endOf = async (id: string) =>
    Number(
      (await db.one(sql<{ n: string }>`select last_sequence::text as n from event_logs where workspace_id = ${id}`))!.n,
    )
  const end = await endOf(workspace)
  // the clocks of this process and of the store differ by less
  assert.ok(Math.abs(end - before) < 600_000, `${end} at ${before}`)
  assert.ok(end > 2 ** 32)
  assert.equal(await endOf(far), beyond + 10_000_000)
})

test('hiring feed new-epoch: a reader at the end, an export and a new workspace continue without a gap', async () => {
  const { next_after: end } = await read((await read(0)).next_after)
  await newEpoch()
  const { gap, next_after } = await read(end)
  assert.equal(gap, false)
  assert.deepEqual([(await read(next_after)).gap, (await read(next_after)).next_after], [false, next_after])
  const fresh = await service.workspace('enterprise')
  const reader = await service.key({ workspace: fresh.id })
  assert.deepEqual([(await read(0, reader)).gap, (await read(0, reader)).next_after], [false, 0])
})

test('POST /webhooks/endpoints/{id}/recover: `after` beyond the end of the log is a gap, and next_after is its end', async () => {
  const endpoint = await db.one(sql<{ id: string }>`
    insert into webhook_endpoints (workspace_id, id, key_id, url, event_types)
    values (${workspace}, gen_random_uuid(), ${key.id}, 'https://hooks.example/x', '{job.updated}') returning id`)
  const { next_after: end } = await read((await read(0)).next_after)
  const recover = async (after: number) =>
    (await service.post(`/webhooks/endpoints/${endpoint!.id}/recover`, key, { after })).body
  const ahead = await recover(end + 1)
  assert.deepEqual([ahead.gap, ahead.queued, ahead.has_more, ahead.next_after], [true, 0, false, end])
  assert.equal((await recover(end)).gap, false)
})
