import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { disableKeyEndpoints } from '../../src/resources/webhooks/index.ts'
import { emit } from '../harness/events.ts'
import { lockWaits } from '../harness/lock-waits.ts'
import { CA_FILE, startReceiver, testNames, until } from '../harness/receiver.ts'
import { startTestService } from '../harness/service.ts'

const receiver = await startReceiver()
const service = await startTestService(
  { WEBHOOK_ALLOW_HOSTS: receiver.host, WEBHOOK_CA: CA_FILE },
  { resolveName: testNames() },
)
const { db } = service.services

async function register() {
  const { id: workspace, userEmail } = await service.workspace('enterprise')
  const key = await service.key({ workspace, userEmail })
  const url = `${receiver.url}/${workspace}`
  const made = await service.post('/webhooks/endpoints', key, { url, event_types: ['job.published'] })
  assert.equal(made.status, 201, made.text)
  return {
    workspace,
    key,
    id: made.body.id as string,
    received: () => receiver.received.filter(r => r.path.endsWith(workspace)).length,
    newest: async () => (await service.get('/webhooks/deliveries', key)).body.data[0],
  }
}

test('webhook faults: a secret that cannot be decrypted: the attempt fails, is counted and follows the schedule; nothing is sent', async () => {
  const e = await register()
  await db.query(sql`update webhook_secrets set sealed = '\\x00' where endpoint_id = ${e.id}::uuid`)
  await emit(db, e.workspace, ['job.published'])
  await until('the attempt failed', async () => (await e.newest())?.status === 'retrying')
  const delivery = await e.newest()
  assert.equal(delivery.error, 'connection_failed')
  assert.equal(delivery.attempt, 1)
  assert.ok(Date.parse(delivery.next_attempt_at) - Date.parse(delivery.created_at) >= 8_000)
  assert.equal((await service.get(`/webhooks/endpoints/${e.id}`, e.key)).body.consecutive_failures, 1)
  assert.equal(e.received(), 0)
})

test('webhook faults: recording an attempt is retried when the database fails: an acknowledged delivery is not sent twice', async () => {
  const e = await register()
  // a sequence counts although the transaction is undone
  await db.query(sql`create sequence refusals`)
  await db.query(sql`
    create function refuse_twice() returns trigger language plpgsql as
    $$ begin if nextval('refusals') <= 2 then raise 'the disk is full'; end if; return new; end $$`)
  await db.query(sql`
    create trigger refuse before insert on webhook_attempts for each row execute function refuse_twice()`)
  try {
    await emit(db, e.workspace, ['job.published'])
    await until('it is recorded', async () => (await e.newest())?.status === 'delivered')
    assert.equal(e.received(), 1)
    assert.equal((await e.newest()).attempt, 1)
  } finally {
    await db.query(sql`drop trigger refuse on webhook_attempts`)
  }
})

test('webhook faults: endpoints that cannot be cleaned up do not stop the sending', async () => {
  const e = await register()
  const expired = await register()
  // a sequence counts although the transaction is undone
  await db.query(sql`create sequence cleanups`)
  await db.query(sql`
    create function refuse_cleanup() returns trigger language plpgsql as
    $$ begin
      if new.disabled_reason = 'key_revoked' and nextval('cleanups') > 0 then raise 'not now'; end if;
      return new;
    end $$`)
  await db.query(sql`
    create trigger refuse before update on webhook_endpoints for each row execute function refuse_cleanup()`)
  try {
    await db.query(sql`update api_keys set expires_at = app_now() where id = ${expired.key.id}`)
    await until('the sender has tried to clean up', async () => {
      const tried = await db.one(sql<{ yes: boolean }>`select is_called as yes from cleanups`)
      return tried!.yes
    })
    await emit(db, e.workspace, ['job.published'])
    await until('it is delivered', () => e.received() === 1)
  } finally {
    await db.query(sql`drop trigger refuse on webhook_endpoints`)
  }
  await until('cleaned up later', async () => {
    const row = await db.one(sql<{ enabled: boolean }>`
      select enabled from webhook_endpoints where id = ${expired.id}::uuid`)
    return !row!.enabled
  })
})

test('webhook faults: endpoints are locked in one order: a key revocation and a lock on the first endpoint do not deadlock', async () => {
  const { key, workspace } = await register()
  await db.query(sql`delete from webhook_endpoints where workspace_id = ${workspace}`)
  const high = 'ffffffff-0000-4000-8000-000000000000'
  const low = '00000000-0000-4000-8000-000000000000'
  // without sorting, the higher one would be locked first
  for (const id of [high, low]) {
    await db.query(sql`
      insert into webhook_endpoints (workspace_id, id, key_id, url, event_types)
      values (${workspace}, ${id}::uuid, ${key.id}, ${`${receiver.url}/${id}`}, '{job.closed}')`)
  }
  let revoking: Promise<void> | undefined
  await db.transaction(async tx => {
    const lock = (id: string) =>
      tx.query(sql`
        select 1 from webhook_endpoints where workspace_id = ${workspace} and id = ${id}::uuid for no key update nowait`)
    await lock(low)
    revoking = db.transaction(other => disableKeyEndpoints(other, key.id))
    await until('the other one waits', async () => (await lockWaits(db)) > 0)
    await lock(high) // the revocation waits for the first endpoint and holds no lock
  })
  await revoking
  const rows = await db.query(sql`select enabled from webhook_endpoints where workspace_id = ${workspace}`)
  assert.deepEqual(rows, [{ enabled: false }, { enabled: false }])
})
