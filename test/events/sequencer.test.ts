import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { routes } from '../../src/app.ts'
import type { Database } from '../../src/kernel/db/database.ts'
import { LOCKS } from '../../src/kernel/db/locks.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { appendEvents } from '../../src/kernel/feed/append.ts'
import { APPENDED_CHANNEL } from '../../src/kernel/feed/notify-leader.ts'
import { sequenceBatch } from '../../src/kernel/feed/sequencer.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { pruneOnce } from '../../src/workers/prune-rows.ts'
import { sequenceEvents } from '../../src/workers/sequence-events.ts'
import { probeRoutes } from '../harness/probe-routes.ts'
import { until } from '../harness/receiver.ts'
import { startTestService } from '../harness/service.ts'

const service = await startTestService({ ROLES: 'api' }, { routes: [...routes, ...probeRoutes] })
const { db } = service.services
const { id: workspace, userEmail } = await service.workspace('enterprise')
const key = await service.key({ workspace, userEmail })

interface EventRow {
  sequence: number
  id: string
  type: string
  body: string
}
const eventsAfter = (sequence: number) =>
  db.query(sql<EventRow>`select sequence, id, type, body from events where sequence > ${sequence} order by sequence`)
const lastSequence = async () =>
  (await db.one(sql<{ n: number }>`select last_sequence as n from event_logs where workspace_id = ${workspace}`))!.n

/** Appends one event in a transaction that rests a moment before it commits. */
const write = (to: Database, n: number, restMs = 0) =>
  to.transaction(async tx => {
    await appendEvents(tx, [
      {
        type: 'list.updated',
        workspaceId: workspace,
        id: newHandle('list'),
        updatedAt: clock.iso(),
        values: { project_id: null, candidate_count: n },
        originKeyId: null,
      },
    ])
    if (restMs > 0) await delay(restMs)
  })

test('sequencer: an event is stored as the text of the specification’s shape, with its sequence inside', async () => {
  const from = await lastSequence()
  const { body: probe } = await service.post('/probes', key, { name: 'event' })
  assert.equal(await sequenceBatch(db), 1)
  const [row] = await eventsAfter(from)
  const event = JSON.parse(row!.body)
  assert.deepEqual(Object.keys(event), [
    'object',
    'id',
    'type',
    'api_version',
    'created_at',
    'sequence',
    'workspace_id',
    'data',
    'links',
  ])
  assert.deepEqual(event, {
    object: 'event',
    id: row!.id,
    type: 'list.created',
    api_version: '2026-11-01',
    created_at: event.created_at,
    sequence: row!.sequence,
    workspace_id: workspace,
    data: {
      object: {
        object: 'list',
        id: probe.id,
        workspace_id: workspace,
        updated_at: probe.updated_at,
        project_id: probe.id,
        origin: `api:${key.id}`,
      },
    },
    links: { self: `/api/partner/v1/events/${row!.id}`, record: `/api/partner/v1/lists/${probe.id}` },
  })
  assert.match(event.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
})

test('sequencer: no event without its change: what is rolled back never appears', async () => {
  const from = await lastSequence()
  await service.post('/probes', key, { name: 'undone', outcome: 'fail' })
  assert.equal(await sequenceBatch(db), 0)
  assert.equal(await lastSequence(), from)
})

test('sequencer: a value that the catalogue does not list for a type is refused', async () => {
  await assert.rejects(
    db.transaction(tx =>
      appendEvents(tx, [
        {
          type: 'list.created',
          workspaceId: workspace,
          id: 'lst_x',
          updatedAt: clock.iso(),
          values: { email: 'x' },
          originKeyId: null,
        },
      ]),
    ),
    /list\.created does not carry email/,
  )
})

test('sequencer: a reader that follows `sequence` sees every event once and in order, with pausing writers and two sequencers', async () => {
  const from = await lastSequence()
  const writers = 16
  const each = 12
  const stop = new AbortController()
  const sequencers = [0, 1].map(async () => {
    while (!stop.signal.aborted) if ((await sequenceBatch(db)) === 0) await delay(2)
  })
  const seen: number[] = []
  const reader = (async () => {
    let after = from
    for (;;) {
      const done = stop.signal.aborted
      for (const row of await eventsAfter(after)) {
        seen.push(row.sequence)
        after = row.sequence
      }
      if (done) return
      await delay(1)
    }
  })()
  await Promise.all(
    Array.from({ length: writers }, async (_, w) => {
      for (let i = 0; i < each; i++) await write(db, w * each + i, (w * 7 + i * 3) % 11)
    }),
  )
  while (await db.one(sql`select 1 from outbox limit 1`)) await delay(5)
  stop.abort()
  await Promise.all([...sequencers, reader])
  assert.equal(seen.length, writers * each)
  assert.deepEqual(
    seen,
    seen.toSorted((a, b) => a - b),
  )
  assert.equal(new Set(seen).size, seen.length)
})

test('sequencer: several sequencers: events of many workspaces and of none are in order and without holes in every log', async () => {
  const places = [workspace]
  while (places.length < 8) places.push((await service.workspace('enterprise')).id)
  for (const place of places)
    await service.key({ workspace: place, scopes: ['events:read', 'pool:read', 'lists:read'] })
  const logs = () =>
    db.query(sql<{ id: string; last: number }>`select workspace_id as id, last_sequence as last from event_logs`)
  const from = new Map((await logs()).map(log => [log.id, log.last]))
  const stop = new AbortController()
  const sequencers = [3, 17, 1_000].map(async size => {
    while (!stop.signal.aborted) if ((await sequenceBatch(db, size)) === 0) await delay(2)
  })
  const perWriter = 15
  const writer = async (w: number) => {
    for (let i = 0; i < perWriter; i++) {
      // each transaction writes into two logs, or into that of no workspace: every order of locks would occur
      const into = w === 0 ? [null] : [places[(w * 5 + i) % 8]!, places[(w * 3 + 7 * i) % 8]!]
      await db.transaction(tx =>
        appendEvents(
          tx,
          into.map(workspaceId => ({
            type: workspaceId === null ? 'pool.batch_upserted' : 'list.updated',
            workspaceId,
            id: `${w}`,
            updatedAt: clock.iso(),
            values: (workspaceId === null ? { count: i } : { project_id: null, candidate_count: i }) as Record<
              string,
              number | null
            >,
            originKeyId: null,
          })),
        ),
      )
    }
  }
  await Promise.all(Array.from({ length: 12 }, (_, w) => writer(w)))
  await until('the outbox is empty', async () => !(await db.one(sql`select 1 from outbox limit 1`)))
  stop.abort()
  await Promise.all(sequencers)
  let entries = 0
  for (const place of places) {
    const rows = await db.query(sql<EventRow>`
      select sequence, id, type, body from events where workspace_id = ${place} and sequence > ${from.get(place)!}
      order by sequence`)
    const numbers = rows.map(row => row.sequence)
    assert.deepEqual(
      numbers,
      numbers.map((_, i) => from.get(place)! + 1 + i),
      'no number is left out',
    )
    const events = rows.map(row => JSON.parse(row.body))
    assert.deepEqual(
      events.map(event => event.sequence),
      numbers,
    )
    const shared = events.filter(event => event.workspace_id === null)
    assert.deepEqual(
      shared.map(event => event.data.object.count),
      Array.from({ length: perWriter }, (_, i) => i),
      'every shared event once, in order',
    )
    for (const [, own] of Map.groupBy(events, event => event.data.object.id)) {
      const order = own.map(event => event.data.object.candidate_count ?? event.data.object.count)
      assert.deepEqual(
        order,
        order.toSorted((a, b) => a - b),
        'a writer’s events are in the order of its commits',
      )
    }
    entries += events.length - shared.length
  }
  assert.equal(entries, 11 * perWriter * 2)
})

test('sequencer: one leads, the other takes over when the leader’s session ends; a commit here is sequenced immediately', async () => {
  const [first, second] = [new AbortController(), new AbortController()]
  const from = await lastSequence()
  const leader = sequenceEvents({ db }).run(first.signal)
  await write(db, 1)
  while ((await eventsAfter(from)).length < 1) await delay(5)
  // the first one leads by now: the second finds the lock taken
  const standby = sequenceEvents({ db }).run(second.signal)
  first.abort()
  await leader
  await write(db, 2)
  while ((await eventsAfter(from)).length < 2) await delay(5)
  second.abort()
  await standby
  assert.equal((await eventsAfter(from)).length, 2)
})

test('sequencer: a commit in a process that does not order the feed notifies the one that does, many commits together', async () => {
  const session = await db.session()
  let heard = 0
  await session.listen(APPENDED_CHANNEL, () => heard++)
  await write(db, 1)
  await until('the notification arrives', () => heard > 0)
  const before = heard
  await Promise.all(Array.from({ length: 50 }, (_, i) => write(db, i)))
  await until('it is notified again', () => heard > before)
  assert.ok(heard - before < 50, 'fewer notifications than commits')
  await session.close()
  await sequenceBatch(db)
})

test('sequencer: retention: 30 days, from the old end, and the feed knows where it begins', async () => {
  await write(db, 1)
  await sequenceBatch(db)
  const last = await lastSequence()
  clock.advance(30 * 86_400_000 - 60_000)
  await write(db, 2)
  await sequenceBatch(db)
  await pruneOnce(db)
  assert.ok((await eventsAfter(0)).some(e => e.sequence === last))
  clock.advance(120_000)
  await pruneOnce(db)
  const left = await eventsAfter(0)
  assert.deepEqual(
    left.map(e => e.sequence),
    [last + 1],
  )
  const state = await db.one(
    sql<{ oldest_sequence: number }>`select oldest_sequence from event_logs where workspace_id = ${workspace}`,
  )
  assert.equal(state!.oldest_sequence, last + 1)
  clock.advance(31 * 86_400_000)
  await pruneOnce(db)
  assert.equal((await eventsAfter(0)).length, 0)
  await write(db, 3)
  await sequenceBatch(db)
  assert.deepEqual(
    (await eventsAfter(0)).map(e => e.sequence),
    [last + 2],
    'numbers are never used again',
  )
  clock.reset()
})

test('sequencer: a batch that takes too long is moved as smaller ones, in order and without loss', async () => {
  // a store that cannot move more than 100 events within the limit of a statement
  const session = await db.session()
  await session.script(`
    create function too_slow() returns trigger language plpgsql as $$
    begin
      if (select count(*) from moved) > 100 then raise exception 'too slow' using errcode = 'query_canceled'; end if;
      return null;
    end $$;
    create trigger too_slow after insert on events referencing new table as moved
      for each statement execute function too_slow();`)
  const from = await lastSequence()
  for (let n = 0; n < 3; n++) {
    await db.transaction(tx =>
      appendEvents(
        tx,
        Array.from({ length: 400 }, (_, i) => ({
          type: 'list.updated' as const,
          workspaceId: workspace,
          id: newHandle('list'),
          updatedAt: clock.iso(),
          values: { project_id: null, candidate_count: n * 400 + i },
          originKeyId: null,
        })),
      ),
    )
  }
  await assert.rejects(sequenceBatch(db), /too slow/)
  const stop = new AbortController()
  const running = sequenceEvents({ db }).run(stop.signal)
  try {
    await until('all are in the feed', async () => (await lastSequence()) === from + 1_200)
  } finally {
    stop.abort()
    await running
    await session.script('drop trigger too_slow on events; drop function too_slow')
    await session.close()
  }
  const moved = await eventsAfter(from)
  assert.deepEqual(
    moved.map(row => JSON.parse(row.body).data.object.candidate_count),
    Array.from({ length: 1_200 }, (_, i) => i),
  )
})

test('sequencer: a leader that is silent, as a stopped process is, loses its session and the lead', async () => {
  const holds = () =>
    db.one(
      // other test files of the run have leaders in their own databases
      sql`select 1 from pg_locks l join pg_database d on d.oid = l.database
        where d.datname = current_database() and l.locktype = 'advisory' and l.granted
          and l.objid = ${LOCKS.eventSequencer}::bigint::oid`,
    )
  const stop = new AbortController()
  const blocker = await db.session()
  const leading = sequenceEvents(service.services, 1_000).run(stop.signal)
  const ended = assert.rejects(leading, 'its next check fails, and it competes again')
  try {
    await until('it leads', async () => (await holds()) !== undefined)
    // its batch waits here, so it does not check the lead
    await blocker.script('begin; lock table outbox')
    await until('the lead is free', async () => (await holds()) === undefined)
  } finally {
    await blocker.close()
  }
  await ended
  stop.abort()
})

test('database connections: keepalives end those of a machine that vanished; an open transaction that waits is ended', async () => {
  const options = ['tcp_keepalives_idle', 'tcp_keepalives_interval', 'tcp_keepalives_count']
  const read = (names: string[]) =>
    sql<{ name: string; value: string }>`
      select name, reset_val as value from pg_settings where name = any(${names}::text[]) order by name`
  const names = [...options, 'idle_in_transaction_session_timeout', 'statement_timeout']
  const expected = {
    idle_in_transaction_session_timeout: '30000',
    statement_timeout: '15000',
    tcp_keepalives_count: '3',
    tcp_keepalives_idle: '15',
    tcp_keepalives_interval: '5',
  }
  const asObject = (rows: { name: string; value: string }[]) =>
    Object.fromEntries(rows.map(row => [row.name, row.value]))
  assert.deepEqual(asObject(await db.query(read(names))), expected)
  assert.deepEqual(asObject(await db.transaction(tx => tx.query(read(names)))), expected)
  const session = await db.session({ timeouts: 'off' })
  const unlimited = { ...expected, idle_in_transaction_session_timeout: '0', statement_timeout: '0' }
  assert.deepEqual(asObject(await session.query(read(names))), unlimited)
  await session.close()
})
