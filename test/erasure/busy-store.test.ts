import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from '../../src/kernel/db/database.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { requestErasure, runErasure } from '../../src/resources/erasures/actions.ts'
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
