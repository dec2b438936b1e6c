import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Queryable } from '../../src/kernel/db/database.ts'
import { onlyRow } from '../../src/kernel/db/queryable.ts'
import type { Sql } from '../../src/kernel/db/sql.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import type { PersonDetails } from '../../src/resources/applicants/actions.ts'
import { addApplicant, editApplicant } from '../../src/resources/applicants/index.ts'
import type { ResolveContext } from '../../src/resources/people/actions.ts'
import { displayName, resolveAll } from '../../src/resources/people/index.ts'
import { readFeed } from '../harness/feed.ts'
import { sharedTestService } from '../harness/service.ts'

const service = await sharedTestService()
const { db } = service.services
const SUBMITTED = {
  origin: 'applicant',
  acquisition: 'inbound_application',
  provider: null,
  consentBasis: 'candidate_submitted',
} as const
const url = (name: string) => `https://www.linkedin.com/in/${name}`
const email = 'ada@example.org'
const identifier = { kind: 'email', value: email } as const

async function applicantWith(person: PersonDetails) {
  const { id: workspace } = await service.workspace('enterprise')
  const id = await db.transaction(tx => addApplicant(tx, workspace, person, SUBMITTED, null))
  const edit = (details: PersonDetails) => db.transaction(tx => editApplicant(tx, workspace, id, details, null))
  const asking: ResolveContext = {
    db,
    inTransaction: work => db.transaction(work),
    workspace,
    scopes: new Set(['applicants:read'] as const),
  }
  const resolve = async (using: Queryable = db) =>
    (await resolveAll({ ...asking, db: using }, [identifier])).get(displayName(identifier))!
  const personEvents = async () =>
    (await readFeed(service, workspace)).flatMap(({ type, data: { object } }) =>
      type.startsWith('person.') ? [[type, object.id, object.canonical_id]] : [],
    )
  const stored = () =>
    db.one(sql<{ person_id: string; canonical_id: string }>`
      select person_id, canonical_id from identities where workspace_id = ${workspace} and kind = 'email'`)
  return { workspace, edit, resolve, personEvents, stored }
}

/** The store as a caller sees it that is overtaken after reading the links. */
const withConcurrentChange = (by: () => Promise<unknown>): Queryable => {
  const query = async <Row>(statement: Sql<Row>) => {
    const rows = await db.query(statement)
    if (/\bnear\b/.test(statement.text)) await by()
    return rows
  }
  return {
    query,
    one: async statement => (await query(statement))[0],
    only: async statement => onlyRow(await query(statement)),
  }
}

test('people races: a link that ends while the address is resolved stays ended: nothing is emitted after its end', async () => {
  const at = await applicantWith({ email, linkedin_url: url('ada') })
  const before = await at.resolve()
  const during = await at.resolve(withConcurrentChange(() => at.edit({ linkedin_url: null })))
  assert.notEqual(before.canonicalId, before.id)
  assert.equal(during.canonicalId, during.id)
  assert.deepEqual(await at.stored(), { person_id: before.id, canonical_id: before.id })
  assert.deepEqual(await at.personEvents(), [
    ['person.identity_linked', before.canonicalId, before.canonicalId],
    ['person.canonical_id_changed', before.id, before.id],
  ])
})

test('people races: a link that moves while the address is resolved is not moved back', async () => {
  const at = await applicantWith({ email, linkedin_url: url('ada') })
  const before = await at.resolve()
  const during = await at.resolve(withConcurrentChange(() => at.edit({ linkedin_url: url('ada-l') })))
  const after = await at.resolve()
  assert.notEqual(after.canonicalId, before.canonicalId)
  assert.equal(during.canonicalId, after.canonicalId)
  assert.deepEqual(await at.personEvents(), [
    ['person.identity_linked', before.canonicalId, before.canonicalId],
    ['person.identity_linked', after.canonicalId, after.canonicalId],
    ['person.canonical_id_changed', before.id, after.canonicalId],
  ])
})

test('people races: an address that is linked while its first handle is made: the response is the linked one, with one event', async () => {
  const at = await applicantWith({ email })
  const during = await at.resolve(withConcurrentChange(() => at.edit({ linkedin_url: url('ada') })))
  assert.notEqual(during.canonicalId, during.id)
  assert.deepEqual(await at.stored(), { person_id: during.id, canonical_id: during.canonicalId })
  assert.deepEqual(await at.personEvents(), [['person.identity_linked', during.canonicalId, during.canonicalId]])
})

test('people races: a link that ends while the first handle of its address is made leaves no trace in it', async () => {
  const at = await applicantWith({ email, linkedin_url: url('ada') })
  await db.query(sql`delete from identities where workspace_id = ${at.workspace}`)
  const during = await at.resolve(withConcurrentChange(() => at.edit({ linkedin_url: null })))
  assert.equal(during.canonicalId, during.id)
  assert.deepEqual(await at.stored(), { person_id: during.id, canonical_id: during.id })
})

test('people races: resolved by many while the link moves to and fro: what was emitted last is what is resolved', async () => {
  const at = await applicantWith({ email })
  let moving = true
  const readers = Array.from({ length: 4 }, async () => {
    while (moving) await at.resolve()
  })
  for (let i = 0; i < 30; i++) await at.edit({ linkedin_url: i % 3 === 2 ? null : url(`ada-${i % 3}`) })
  await at.edit({ linkedin_url: url('ada-0') })
  moving = false
  await Promise.all(readers)
  const { id, canonicalId } = await at.resolve()
  const changes = (await at.personEvents()).filter(([type]) => type === 'person.canonical_id_changed')
  assert.deepEqual(changes.at(-1), ['person.canonical_id_changed', id, canonicalId])
  for (const [i, [, , to]] of changes.slice(1).entries()) assert.notEqual(to, changes[i]![2])
})
