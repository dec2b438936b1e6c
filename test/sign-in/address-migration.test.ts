import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Database } from '../../src/kernel/db/database.ts'
import { migrate, readMigrations } from '../../src/kernel/db/migrate.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { createLog } from '../../src/kernel/telemetry/log.ts'
import { recordsWith } from '../../src/resources/erasures/store.ts'
import { userByEmail } from '../../src/resources/users/store.ts'
import { membersByEmail } from '../../src/sign-in/store.ts'
import { cloneDatabase, stopOwnServer } from '../harness/postgres.ts'

const ADDRESS_KEYS = 90

test('a store of the version before: every member keeps the membership and is found by the key of the address', async () => {
  const database = await cloneDatabase('template0')
  const db = new Database(database.connection, { connections: 4, log: createLog('silent') })
  after(async () => {
    await db.close()
    await database.drop()
    await stopOwnServer()
  })
  const migrations = readMigrations()
  const before = migrations.filter(m => m.version < ADDRESS_KEYS)
  await migrate(db, before)
  const session = await db.session()
  await session.script(`
    insert into workspaces (id, name) values ('wsp_1', 'One'), ('wsp_2', 'Two');
    insert into users (workspace_id, id, email, role, created_at) values
      ('wsp_1', 'usr_ada', ' Ada@Acme.Example', 'owner', '2026-01-01'),
      ('wsp_1', 'usr_bob', 'bob@bücher.example', 'owner', '2026-01-02'),
      ('wsp_1', 'usr_bob_again', 'Bob@xn--bcher-kva.example', 'viewer', '2026-01-03'),
      ('wsp_1', 'usr_dotted', 'victor@İnitech.example', 'viewer', '2026-01-04'),
      ('wsp_2', 'usr_plain', 'victor@initech.example', 'viewer', '2026-01-05'),
      ('wsp_2', 'usr_odd', 'No "Address" At All', 'viewer', '2026-01-06'),
      ('wsp_2', 'usr_none', null, 'viewer', '2026-01-07');
    insert into applicants (workspace_id, id, full_name, created_at, updated_at) values
      ('wsp_1', 'apl_1', 'One', '2026-01-01', '2026-01-01'), ('wsp_1', 'apl_2', 'Two', '2026-01-01', '2026-01-01');
    insert into contact_values (workspace_id, subject_object, subject_id, field, value, kind) values
      ('wsp_1', 'applicant', 'apl_1', 'email', ' Kim@Acme.Example ', 'submitted'),
      ('wsp_1', 'applicant', 'apl_1', 'phone', '+1 555', 'submitted'),
      ('wsp_1', 'applicant', 'apl_2', 'email', 'kim@MÜLLER.example', 'submitted');
  `)
  await session.close()
  const { notes } = await migrate(db, migrations)

  const found = async (email: string) => (await db.query(membersByEmail(email))).map(row => row.id)
  assert.deepEqual(await found('ADA@acme.example '), ['usr_ada'])
  assert.deepEqual(await found('victor@initech.example'), ['usr_plain'])
  assert.deepEqual(await found('victor@İnitech.example'), ['usr_dotted'])
  assert.deepEqual(await found('bob@BÜCHER.example'), ['usr_bob', 'usr_bob_again'], 'neither is lost')
  assert.deepEqual(await found('no "address" at all'), ['usr_odd'])
  assert.equal((await db.one(userByEmail('wsp_1', 'bob@xn--bcher-kva.example')))!.id, 'usr_bob', 'the older one first')
  assert.equal((await db.query(sql`select 1 from users`)).length, 7)
  assert.match(notes.join('\n'), /usr_bob_again/, 'the operator is informed')
  assert.doesNotMatch(notes.join('\n'), /@/, 'without an address')
  const twice = sql`
    insert into users (workspace_id, id, email, email_key, role) values ('wsp_1', 'usr_x', 'x', 'ada@acme.example', 'viewer')`
  await assert.rejects(db.query(twice), /users_email_key/, 'unique in a workspace')

  for (const [key, applicant] of [
    ['kim@acme.example', 'apl_1'],
    ['kim@xn--mller-kva.example', 'apl_2'],
  ] as const) {
    const records = await db.query(recordsWith({ emails: [key], own: [key], linkedins: [] }, 'installation'))
    assert.deepEqual(
      records.map(row => row.id),
      [applicant],
      key,
    )
  }
})
