import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Database } from '../../src/kernel/db/database.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { createLog } from '../../src/kernel/telemetry/log.ts'
import { accountKey } from '../../src/kernel/text/person-keys.ts'
import { recordsWith } from '../../src/resources/erasures/store.ts'
import { userByEmail } from '../../src/resources/users/store.ts'
import { membersByEmail } from '../../src/sign-in/store.ts'
import { cloneDatabase, stopOwnServer } from '../harness/postgres.ts'

const database = await cloneDatabase()
const db = new Database(database.connection, { connections: 4, log: createLog('silent') })
after(async () => {
  await db.close()
  await database.drop()
  await stopOwnServer()
})

await db.query(sql`insert into workspaces (id, name) values ('wsp_1', 'One'), ('wsp_2', 'Two')`)

test('members: found by the key of their email address, also two that share it; the key is unique in a workspace', async () => {
  const members = [
    ['wsp_1', 'usr_ada', ' Ada@Acme.Example', 0],
    ['wsp_1', 'usr_bob', 'bob@bücher.example', 0],
    // added before keys were compared: the same address as the one above, numbered by age
    ['wsp_1', 'usr_bob_again', 'Bob@xn--bcher-kva.example', 1],
    ['wsp_1', 'usr_dotted', 'victor@İnitech.example', 0],
    ['wsp_2', 'usr_plain', 'victor@initech.example', 0],
    ['wsp_2', 'usr_odd', 'No "Address" At All', 0],
  ] as const
  for (const [workspace, id, email, rank] of members) {
    await db.query(sql`
      insert into users (workspace_id, id, email, email_key, email_key_rank, role)
      values (${workspace}, ${id}, ${email}, ${accountKey(email)}, ${rank}, 'viewer')`)
  }
  const found = async (email: string) => (await db.query(membersByEmail(email))).map(row => row.id)
  assert.deepEqual(await found('ADA@acme.example '), ['usr_ada'])
  assert.deepEqual(await found('victor@initech.example'), ['usr_plain'])
  assert.deepEqual(await found('victor@İnitech.example'), ['usr_dotted'])
  assert.deepEqual(await found('bob@BÜCHER.example'), ['usr_bob', 'usr_bob_again'])
  assert.deepEqual(await found('no "address" at all'), ['usr_odd'])
  assert.equal((await db.one(userByEmail('wsp_1', 'bob@xn--bcher-kva.example')))!.id, 'usr_bob', 'the older one')
  const twice = sql`
    insert into users (workspace_id, id, email, email_key, role) values ('wsp_1', 'usr_x', 'x', 'ada@acme.example', 'viewer')`
  await assert.rejects(db.query(twice), /users_email_key/)
  const without = sql`insert into users (workspace_id, id, email, role) values ('wsp_1', 'usr_y', 'y@acme.example', 'viewer')`
  await assert.rejects(db.query(without), /users_email_has_key/)
})

test('contact values: an erasure finds them by the key of the email address', async () => {
  for (const [applicant, email] of [
    ['apl_1', ' Kim@Acme.Example '],
    ['apl_2', 'kim@MÜLLER.example'],
  ] as const) {
    await db.query(sql`insert into applicants (workspace_id, id) values ('wsp_1', ${applicant})`)
    await db.query(sql`
      insert into contact_values (workspace_id, subject_object, subject_id, field, value, kind, email_key)
      values ('wsp_1', 'applicant', ${applicant}, 'email', ${email}, 'submitted', ${accountKey(email)})`)
  }
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
