import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/kernel/db/sql.ts'
import { COLUMN_POLICY } from '../../../src/resources/erasures/erasure-policy.ts'
import { startTestService } from '../../harness/service.ts'

// Run by recipes.test.ts in a copy of the repository to which the recipe "Add a field" was applied.

const FIELD = 'recruiter_brief'
const service = await startTestService({ ROLES: 'api' })

test('field: OpenAPI shows it in the record with its guard, and in the body', async () => {
  const { body } = await service.get('/openapi.json')
  const field = body.components.schemas.job.properties[FIELD]
  assert.deepEqual(field.type, ['string', 'null'])
  assert.match(field.description, /Needs jobs:screening:read/)
  assert.ok(body.components.schemas.job.properties.restricted.items.enum.includes(FIELD))
  const written = body.paths['/jobs'].post.requestBody.content['application/json'].schema.properties[FIELD]
  assert.equal(written.anyOf[0].maxLength, 2000)
})

test('field: the erasure policy has a decision for its column, and the database has the column', async () => {
  assert.ok(COLUMN_POLICY['jobs']!.retained.split(' ').includes(FIELD))
  const columns = await service.services.db.query(sql<{ name: string }>`
    select attname::text as name from pg_attribute where attrelid = 'jobs'::regclass and attnum > 0 and not attisdropped`)
  const { erased = '', retained } = COLUMN_POLICY['jobs']!
  const decided = `${erased} ${retained}`.trim().split(' ')
  assert.deepEqual(decided.toSorted(), columns.map(column => column.name).toSorted())
})

test('field: a change of it is announced by name, without its guarded value', async () => {
  const { id, userEmail } = await service.workspace('enterprise')
  const key = await service.key({ workspace: id, userEmail })
  const push = (brief: string) =>
    service.post('/jobs', key, { source: { system: 'acme_ats', external_id: '1' }, title: 'Welder', [FIELD]: brief })
  await push('Ask about shifts.')
  await push('Ask about pay.')
  const heads = await service.services.db.query(
    sql<{ text: string }>`select head || '1' || tail as text from outbox order by id`,
  )
  const { changed, previous_attributes } = JSON.parse(heads.at(-1)!.text).data.object
  assert.deepEqual([changed, previous_attributes ?? {}], [[FIELD], {}])
})
