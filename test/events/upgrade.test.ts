import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Database } from '../../src/kernel/db/database.ts'
import { migrate, readMigrations } from '../../src/kernel/db/migrate.ts'
import { createLog } from '../../src/kernel/telemetry/log.ts'
import type { IssuedKey } from '../../src/resources/keys/actions.ts'
import { emit } from '../harness/events.ts'
import { feedOf } from '../harness/feed.ts'
import { cloneDatabase } from '../harness/postgres.ts'
import { startTestService } from '../harness/service.ts'

const EVENT_LOGS = 96
const [A, B, C] = ['wsp_1aaaaaaaaaaaaaaaaaaa', 'wsp_1bbbbbbbbbbbbbbbbbbb', 'wsp_1ccccccccccccccccccc']

/** As the version before stored it: around its sequence, and without `links.record`. */
const head = (n: number, type: string) =>
  `{"object":"event","id":"evt_${n}","type":"${type}","api_version":"2026-11-01","created_at":"2026-11-15T00:00:00.000Z","sequence":`
const tail = (n: number, place: string | null) => {
  const object = { object: 'job', id: 'job_1', workspace_id: place, updated_at: '2026-11-15T00:00:00.000Z' }
  return `,"workspace_id":${JSON.stringify(place)},"data":${JSON.stringify({ object })},"links":{"self":"/api/partner/v1/events/evt_${n}"}}`
}

test('a store of the version before: readers continue from the number they saved, with no loss, no repeat and no gap', async () => {
  const database = await cloneDatabase('template0')
  const db = new Database(database.connection, { connections: 4, log: createLog('silent') })
  after(() => database.drop())
  const migrations = readMigrations()
  await migrate(
    db,
    migrations.filter(m => m.version < EVENT_LOGS),
  )
  const session = await db.session()
  const quoted = (place: string | null) => (place === null ? 'null' : `'${place}'`)
  const stored = (n: number, place: string | null, type: string) => `
    insert into events (sequence, workspace_id, id, type, created_at, body)
    values (${n}, ${quoted(place)}, 'evt_${n}', '${type}', app_now(), '${head(n, type)}${n}${tail(n, place)}');`
  const waiting = (n: number, place: string | null, type: string) => `
    insert into outbox (workspace_id, event_id, type, head, tail)
    values (${quoted(place)}, 'evt_${n}', '${type}', '${head(n, type)}', '${tail(n, place)}');`
  await session.script(`
    insert into workspaces (id, name, plan) select id, id, 'enterprise' from unnest('{${A},${B},${C}}'::text[]) id;
    insert into workspace_settings (workspace_id) select id from workspaces;
    insert into api_keys (workspace_id, id, name, environment, scopes, granted_scopes, workspace_scope) values
      ('${A}', 'pk_a', 'A', 'live', '{events:read,jobs:read,pool:read}', '{events:read,jobs:read,pool:read}', 'single'),
      ('${B}', 'pk_b', 'B', 'live', '{events:read,jobs:read}', '{events:read,jobs:read}', 'single'),
      ('${C}', 'pk_c', 'C', 'live', '{events:read,jobs:read}', '{events:read,jobs:read}', 'single');
    -- one log over all workspaces, from 41 on: what came before has expired
    update feed_state set last_sequence = 46, oldest_sequence = 41;
    ${stored(41, B, 'job.updated')}
    ${stored(42, A, 'job.updated')}
    ${stored(43, null, 'pool.batch_upserted')}
    ${stored(44, A, 'job.updated')}
    ${stored(45, null, 'data_subject.suppression_applied')}
    ${stored(46, B, 'job.updated')}
    ${waiting(47, A, 'job.updated')}
    ${waiting(48, null, 'pool.batch_upserted')}
    -- people: of A, of B, of the pool, and one of A who was in the pool, too
    insert into suppressions (id, status, reason, delete_by)
      select ('00000000-0000-4000-8000-00000000000' || n)::uuid, 'erased', 'erasure_request', app_now() from generate_series(1, 4) n;
    insert into workspace_suppressions (workspace_id, suppression_id)
      select w, ('00000000-0000-4000-8000-00000000000' || n)::uuid
      from (values ('${A}', 1), ('${B}', 2), (null, 3), ('${A}', 4), (null, 4)) as s (w, n);`)
  await session.close()
  await migrate(db, migrations)
  await db.close()

  const service = await startTestService({ ROLES: 'api' }, { database })
  const keyA = await service.key({ workspace: A!, scopes: ['events:read', 'jobs:read', 'pool:read'] })
  const keyB = await service.key({ workspace: B!, scopes: ['events:read', 'jobs:read', 'pool:read'] })
  const keyC = await service.key({ workspace: C!, scopes: ['events:read', 'jobs:read'] })
  const read = async (key: IssuedKey, from: number) => {
    const { data, next_after, gap } = (await service.get(`/events?after=${from}`, key)).body
    return { ids: data.map((event: { id: string }) => event.id), next_after, gap }
  }

  // every number that a reader may have saved is one that it can go on from
  const all = ['evt_42', 'evt_43', 'evt_44', 'evt_45']
  assert.deepEqual(await read(keyA, 40), { ids: all, next_after: 46, gap: false })
  assert.deepEqual(await read(keyA, 43), { ids: ['evt_44', 'evt_45'], next_after: 46, gap: false })
  assert.deepEqual(await read(keyA, 46), { ids: [], next_after: 46, gap: false })
  assert.deepEqual(await read(keyB, 40), { ids: ['evt_41', 'evt_45', 'evt_46'], next_after: 46, gap: false })
  assert.deepEqual(await read(keyC, 44), { ids: ['evt_45'], next_after: 46, gap: false })
  assert.equal((await read(keyA, 39)).gap, true, 'what has expired is a gap, as before')
  const { text } = await service.get('/events?after=41&limit=1', keyA)
  assert.ok(text.includes(`${head(42, 'job.updated')}42${tail(42, A!)}`), 'stored texts are not changed')

  const log = async (key: IssuedKey, from: number) =>
    (await service.get(`/suppressions?after=${from}`, key)).body.data.map((row: { sequence: number; id: string }) => [
      row.sequence,
      Number(row.id.at(-1)),
    ])
  const [ofA, ofB, ofC] = [await log(keyA, 0), await log(keyB, 0), await log(keyC, 0)]
  assert.deepEqual(ofA, [
    [1, 1],
    [3, 3],
    [4, 4],
  ])
  assert.deepEqual(ofB, [
    [2, 2],
    [3, 3],
    [5, 4],
  ])
  assert.deepEqual(ofC, [
    [3, 3],
    [5, 4],
  ])

  // and from then on each log counts by itself
  await emit(service.services.db, C!, ['job.updated', 'job.updated', 'job.updated'])
  await feedOf(service, C!)
  assert.deepEqual(await read(keyA, 46), { ids: ['evt_47', 'evt_48'], next_after: 48, gap: false })
  assert.deepEqual(await read(keyB, 46), { ids: ['evt_48'], next_after: 47, gap: false })
  assert.equal((await read(keyC, 46)).next_after, 49)
})
