import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database, Transaction } from '../../src/kernel/db/database.ts'
import { type Sql, sql } from '../../src/kernel/db/sql.ts'
import { UserError } from '../../src/kernel/errors/user-error.ts'
import { requestErasure, runErasure } from '../../src/resources/erasures/index.ts'
import { lockSuppressionsShared } from '../../src/resources/suppressions/index.ts'
import { apply, startWorld } from '../applications/setup.ts'

const home = await startWorld()
const { service } = home
const { db } = service.services

/** The store, telling what each transaction asks of it. */
const watched = (heard: (statement: Sql) => void): Database =>
  ({
    query: db.query.bind(db),
    one: db.one.bind(db),
    only: db.only.bind(db),
    session: db.session.bind(db),
    transaction: work =>
      db.transaction(tx => {
        const { query, one } = tx
        const hear =
          <T>(ask: (statement: Sql<T>) => unknown) =>
          (statement: Sql<T>) => {
            heard(statement)
            return ask.call(tx, statement)
          }
        return work(Object.assign(tx, { query: hear(query), one: hear(one) }) as Transaction)
      }),
  }) as Pick<Database, 'query' | 'one' | 'only' | 'session' | 'transaction'> as Database

test('erasure: stored responses of a busy workspace are scanned in batches of a thousand, so no statement is long', async () => {
  const { id: application } = await apply(home, {}, { email: 'kept@example.org' })
  await db.query(sql`
    insert into idempotency_records
      (workspace_id, key_id, method, path, idempotency_key, fingerprint, status, body, expires_at)
    select ${home.workspace}, ${home.key.id}, 'POST', '/kept/' || n % 7, 'kept ' || n, sha256(''), 201,
      md5(n::text) || case when n in (1, 2_000, 4_000) then ${application} else '' end, app_now() + interval '1 day'
    from generate_series(1, 4_000) n`)
  const { id } = await requestErasure(db, { email: 'kept@example.org', requestedBy: 'command_line' })
  const looks: Sql[] = []
  const hear = (statement: Sql) => void (/from idempotency_records/.test(statement.text) && looks.push(statement))
  await runErasure({ ...service.services, db: watched(hear) }, id)
  assert.ok(looks.length >= 5, `${looks.length} looks`)
  for (const look of looks) assert.ok(/limit \$\d+/.test(look.text) && look.values.includes(1_000), look.text)
  const kept = await db.one(sql<{ all: number; naming: number }>`
    select count(*) as all, count(*) filter (where body like ${`%${application}%`}) as naming
    from idempotency_records where path like '/kept/%'`)
  assert.deepEqual(kept, { all: 3_997, naming: 0 })
})

test('erasure: behind a long-running write, the request fails after its retries and has changed nothing', async () => {
  const { applicant_id } = await apply(home, {}, { email: 'held.up@example.org' })
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const { promise: entered, resolve: enter } = Promise.withResolvers<void>()
  const write = db.transaction(async tx => {
    await tx.query(lockSuppressionsShared())
    enter()
    await ended
  })
  await entered
  const request = { email: 'held.up@example.org', requestedBy: 'command_line' }
  try {
    await assert.rejects(
      requestErasure(db, request, [10, 20]),
      error => error instanceof UserError && /Nothing was changed; try again/.test(error.message),
    )
    const { body } = await service.get(`/applicants/${applicant_id}`, home.key)
    assert.equal(body.provenance.consent.suppressed, false)
  } finally {
    end()
  }
  await write
  assert.equal((await requestErasure(db, request)).isNew, true)
})
