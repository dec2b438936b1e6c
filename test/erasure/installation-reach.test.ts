import assert from 'node:assert/strict'
import { test } from 'node:test'
import { API_LIMITS } from '../../src/contract/limits.ts'
import { readConfig } from '../../src/kernel/config/config.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { openErasures, runErasure } from '../../src/resources/erasures/index.ts'
import { apply, body, newTenant, startWorld, type World } from '../applications/setup.ts'
import { signedIn } from '../console/setup.ts'

const home = await startWorld({ ERASURE_REACH: 'installation' })
const { service } = home
const { db } = service.services
const other: World = { service, ...(await newTenant(service)) }
const stranger: World = { service, ...(await newTenant(service)) }

test('ERASURE_REACH=installation: an owner’s request reaches every workspace, and figures stay those of each', async () => {
  const email = 'everywhere@example.org'
  const owner = await signedIn(service, home.workspace)
  const otherOwner = await signedIn(service, other.workspace)
  assert.equal((await owner.get('/session')).body.erasure_reach, 'installation')
  await apply(home, {}, { email })
  const { applicant_id } = await apply(other, {}, { email })
  const { id } = (await owner.post('/erasures', { email, reason: 'erasure_request', confirmation: email })).body
  for (const { id: erasure } of await db.query(openErasures())) await runErasure(service.services, erasure)
  assert.equal((await service.get(`/applicants/${applicant_id}`, other.key)).status, 404)
  const refused = await service.post('/applications', stranger.key, body(stranger.job, {}, { email }))
  assert.equal(refused.body.detail.code, 'applicant_suppressed')
  assert.deepEqual((await otherOwner.get('/erasure-requests')).body.data, [])
  for (const [who, by] of [
    [owner, 'Pia'],
    [otherOwner, 'another_workspace'],
  ] as const) {
    const shown = (await who.get(`/erasures/${id}`)).body
    assert.deepEqual([shown.status, shown.requested_by], ['erased', by])
    const counts = Object.fromEntries(shown.records.map((r: { object: string; found: number }) => [r.object, r.found]))
    assert.deepEqual([counts['applicant'], counts['application']], [1, 1])
  }
})

test('ERASURE_REACH: workspace by default, and nothing but the two', () => {
  assert.equal(readConfig({}).ERASURE_REACH, 'workspace')
  assert.throws(
    () => readConfig({ ERASURE_REACH: 'everything' }),
    /ERASURE_REACH must be one of workspace, installation/,
  )
})

test('ERASURE_REACH=installation: the daily limit holds there too', async () => {
  const busy = await newTenant(service)
  const owner = await signedIn(service, busy.workspace)
  // tomorrow is used up too, in case the day ends now
  await db.query(sql`
    insert into erasure_request_usage (workspace_id, day, used)
    select ${busy.workspace}, app_now()::date + n, ${API_LIMITS.erasureRequestsPerDay}::integer from generate_series(0, 1) as n`)
  const email = 'limited@example.org'
  const response = await owner.post('/erasures', { email, reason: 'erasure_request', confirmation: email })
  assert.equal(response.status, 429, response.text)
})
