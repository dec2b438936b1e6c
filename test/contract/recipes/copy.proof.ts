import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { fillColumns } from '../../../bench/datasets/fill-columns.ts'
import { activityVerbs } from '../../../src/cli/activity.ts'
import { sql } from '../../../src/kernel/db/sql.ts'
import { COLUMN_POLICY } from '../../../src/resources/erasures/erasure-policy.ts'
import { jobRecord } from '../../../src/resources/jobs/shape.ts'
import { runProgram } from '../../harness/process.ts'
import { startTestService } from '../../harness/service.ts'
import { runVerb } from '../../harness/verb.ts'

// Run by recipes.test.ts in a copy of the repository to which the recipes of CONTRIBUTING.md were applied.

const ROOT = join(import.meta.dirname, '../../..')
const FIELD = 'recruiter_brief'
const service = await startTestService({ ROLES: 'api' })

const fileOf = (name: string) => readFileSync(join(ROOT, name), 'utf8')
// biome-ignore lint/suspicious/noExplicitAny: looked into at many places
let openapi: any

before(async () => {
  await import('../../../tools/generate.ts') // npm run generate
  openapi = JSON.parse(fileOf('openapi.json'))
})

test('generate: openapi.json has the endpoint with its shape', () => {
  const { responses, operationId } = openapi.paths['/jobs/{job_handle}/deadline'].get
  assert.equal(operationId, 'getJobDeadline')
  assert.deepEqual(responses['200'].content['application/json'].schema, { $ref: '#/components/schemas/job_deadline' })
})

test('generate: openapi.json has the field in the record with its guard, and in the body', () => {
  const { properties } = openapi.components.schemas.job
  assert.deepEqual(properties[FIELD].type, ['string', 'null'])
  assert.match(properties[FIELD].description, /Needs jobs:screening:read/)
  assert.ok(properties.restricted.items['x-extensible-enum'].includes(FIELD))
  const written = openapi.components.schemas.push_job_request.properties[FIELD]
  assert.equal(written.anyOf[0].maxLength, 2000)
})

test('generate: openapi.json has the error with its endpoint, and the event', () => {
  const { responses } = openapi.paths['/lists/{list_handle}/members'].post
  assert.match(JSON.stringify(responses['409']), /list_full/)
  assert.ok('project.created' in openapi.webhooks)
})

test('generate: schema.sql has the column of the field', () => {
  assert.match(fileOf('schema.sql'), new RegExp(`^\\s*${FIELD} text\\b`, 'm'))
})

test('generate: .env.example has the setting with its description and default', () => {
  const written = '# Seconds before a new member is greeted.\n# Default: 60\n#GREETING_DELAY_SECONDS=\n'
  assert.ok(fileOf('.env.example').includes(written))
})

test('field: the erasure policy has a decision for its column, and the database has the column', async () => {
  assert.ok(COLUMN_POLICY['jobs']!.retained.split(' ').includes(FIELD))
  const columns = await service.services.db.query(sql<{ name: string }>`
    select attname::text as name from pg_attribute where attrelid = 'jobs'::regclass and attnum > 0 and not attisdropped`)
  const { erased = '', retained } = COLUMN_POLICY['jobs']!
  const decided = `${erased} ${retained}`.trim().split(' ')
  assert.deepEqual(decided.toSorted(), columns.map(column => column.name).toSorted())
})

test('field: the benchmark fills its column, and its baselines return it', async () => {
  assert.ok(fillColumns(jobRecord, 'i', {}).columns.split(', ').includes(FIELD))
  const { code, stderr } = await runProgram('bench/run.ts', ['--check', '--only', 'job'])
  assert.equal(code, 0, stderr)
})

test('field: job.updated names it in changed, without its guarded value', async () => {
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

test('event: hiring trigger runs its operation', async () => {
  const { id: workspace } = await service.workspace('enterprise')
  const { json } = await runVerb(service, activityVerbs, 'trigger', ['project.created'], { workspace })
  const { type, handles } = json as { type: string; handles: { project: string } }
  assert.deepEqual([type, handles.project.slice(0, 4)], ['project.created', 'prj_'])
})
