import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { COLUMN_POLICY } from '../../src/resources/erasures/erasure-policy.ts'
import { requestErasure, runErasure } from '../../src/resources/erasures/index.ts'
import { readFeed, typesOf } from '../harness/feed.ts'
import { startTestService } from '../harness/service.ts'
import { Plants, plantPerson } from './planting.ts'
import { searchEverything } from './search.ts'

const service = await startTestService({ ROLES: 'api' })
const { db } = service.services

test('erasure: erased: of a person planted in every field of every kind, nothing is left in any table, file or mail', async () => {
  const theirs = new Plants('a')
  const others = new Plants('b', { stays: true })
  const person = await plantPerson(service, theirs)
  const other = await plantPerson(service, others)
  const plants = [...theirs.all.keys(), ...others.all.keys()]
  const before = await searchEverything(service, plants)
  const nowhere = plants.filter(plant => before.get(plant)!.length === 0)
  assert.deepEqual(
    nowhere.map(plant => theirs.all.get(plant) ?? others.all.get(plant)),
    [],
    'everything planted is found',
  )
  const places = new Set(
    [...theirs.all.keys()].flatMap(plant => before.get(plant)!).map(place => place.split(/[.:]/)[0]!),
  )
  const missed = Object.keys(COLUMN_POLICY).filter(
    table => COLUMN_POLICY[table]!.erased !== undefined && !places.has(table),
  )
  assert.deepEqual(missed.toSorted(), WITHOUT_TEXT, 'every table that holds values has one planted')

  const { id } = await requestErasure(db, { email: person.email, requestedBy: 'command_line' })
  await runErasure(service.services, id)
  const after = await searchEverything(service, plants)
  const left = [...theirs.all].flatMap(([plant, where]) => after.get(plant)!.map(place => `${where}: ${place}`))
  assert.deepEqual(left, [])
  for (const plant of others.all.keys()) {
    const kept = (found: string[]) => found.filter(place => !place.startsWith('statistics')).toSorted()
    assert.deepEqual(kept(after.get(plant)!), kept(before.get(plant)!), `${others.all.get(plant)} of another person`)
  }
  const sessions = async ({ away }: typeof person) =>
    (await db.query(sql`select 1 from candidate_sessions where workspace_id = ${away.workspace}`)).length
  assert.deepEqual([await sessions(person), await sessions(other)], [0, 1])
  const types = typesOf(await readFeed(service, person.home.workspace))
  for (const type of ['application.deleted', 'applicant.deleted', 'sourced_profile.deleted', 'list_membership.removed'])
    assert.equal(types.filter(t => t === type).length, 1, type)
  assert.equal((await service.get(`/applicants/${other.applicantId}`, other.home.key)).status, 200)
})

/** Tables whose erased columns hold no text that could be planted, or are empty at this moment. */
const WITHOUT_TEXT = [
  'application_funnel',
  'application_scores',
  'erasure_inquiries',
  'erasures',
  'exports',
  'stage_transitions',
  'status_transitions',
  'test_mails',
]

test('erasure: every column of the schema has a decision about what an erasure does with it', async () => {
  const rows = await db.query(sql<{ name: string; columns: string[] }>`
    select c.relname as name, array_agg(a.attname::text order by a.attname::text) as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where n.nspname = 'public' and c.relkind in ('r', 'p') group by 1 order by 1`)
  const words = (text = '') => text.split(/\s+/).filter(Boolean)
  const decided = Object.entries(COLUMN_POLICY).map(([name, held]) => {
    const columns = [...words(held.erased), ...words(held.retained)]
    assert.equal(new Set(columns).size, columns.length, `${name}: a column is named twice`)
    return { name, columns: columns.toSorted() }
  })
  assert.deepEqual(
    decided.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    rows.map(r => ({ name: r.name, columns: r.columns.toSorted() })).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  )
})
