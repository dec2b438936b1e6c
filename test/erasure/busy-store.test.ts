import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from '../../src/kernel/db/database.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { Refused } from '../../src/kernel/refused.ts'
import { requestErasure, runErasure } from '../../src/resources/erasures/actions.ts'
import { enterGate } from '../../src/resources/suppressions/store.ts'
import { apply, startWorld } from '../applications/world.ts'

const home = await startWorld()
const { service } = home
const { db } = service.services

/** The store with as little patience for each statement as it would have with sixty times the rows. */
const hurried = (milliseconds: number): Database =>
  ({
    query: db.query.bind(db),
    one: db.one.bind(db),
    session: db.session.bind(db),
    transaction: work =>
      db.transaction(async tx => {
        await tx.query(sql`select set_config('statement_timeout', ${String(milliseconds)}, true)`)
        return work(tx)
      }),
  }) as Pick<Database, 'query' | 'one' | 'session' | 'transaction'> as Database

test('kept answers of a busy workspace: looked through in pieces, each far within the limit of a statement', async () => {
  const { id: application } = await apply(home, {}, { email: 'kept@example.org' })
  await db.query(sql`
    insert into idempotency_records
      (workspace_id, key_id, method, path, idempotency_key, fingerprint, status, body, expires_at)
    select ${home.workspace}, ${home.key.id}, 'POST', '/kept/' || n % 7, 'kept ' || n, sha256(''), 201,
      (select string_agg(md5(n::text || m), '') from generate_series(1, 100) m)
        || case when n in (1, 15_000, 30_000) then ${application} else '' end, app_now() + interval '1 day'
    from generate_series(1, 30_000) n`)
  const { id } = await requestErasure(db, { email: 'kept@example.org', requestedBy: 'command_line' })
  await runErasure({ ...service.services, db: hurried(250) }, id)
  const kept = await db.one(sql<{ all: number; naming: number }>`
    select count(*) as all, count(*) filter (where body like ${`%${application}%`}) as naming
    from idempotency_records where path like '/kept/%'`)
  assert.deepEqual(kept, { all: 29_997, naming: 0 })
})

test('a write that holds the gate for long: the request says so after its tries, and has done nothing', async () => {
  const { applicant_id } = await apply(home, {}, { email: 'held.up@example.org' })
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const { promise: entered, resolve: enter } = Promise.withResolvers<void>()
  const write = db.transaction(async tx => {
    await tx.query(enterGate())
    enter()
    await ended
  })
  await entered
  const request = { email: 'held.up@example.org', requestedBy: 'command_line' }
  await assert.rejects(
    requestErasure(db, request, [10, 20]),
    error => error instanceof Refused && /nothing was done: ask again/.test(error.message),
  )
  const { body } = await service.get(`/applicants/${applicant_id}`, home.key)
  assert.equal(body.provenance.consent.suppressed, false)
  const later = requestErasure(db, request)
  end()
  await write
  assert.equal((await later).isNew, true)
})
