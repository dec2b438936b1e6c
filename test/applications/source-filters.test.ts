import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Sql, sql } from '../../src/kernel/db/sql.ts'
import { makePage } from '../../src/kernel/http/list.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { importApplication } from '../../src/resources/applications/index.ts'
import type { ApplicationFilter } from '../../src/resources/applications/store.ts'
import { applicationsPage } from '../../src/resources/applications/store.ts'
import { listJobs } from '../../src/resources/jobs/index.ts'
import type { JobFilters } from '../../src/resources/jobs/store.ts'
import { explain, listPlanNodes } from '../harness/plans.ts'
import { apply, body, newJob, newTenant, sharedWorld } from './setup.ts'

const world = await sharedWorld()
const { service, key, job } = world
const { db } = service.services

const ids = async (path: string, by = key): Promise<string[]> => {
  const response = await service.get(path, by)
  assert.equal(response.status, 200, response.text)
  return response.body.data.map((row: { id: string }) => row.id).sort()
}

test('source filters: external_id: shown as it was sent on every route that returns the application, null where none was sent', async () => {
  const sent = { system: 'acme_ats', external_id: 'Cand 7 / ä' }
  const one = await apply(world, { source: sent })
  const none = await apply(world)
  assert.deepEqual([one.external_id, none.external_id], ['Cand 7 / ä', null])
  const again = await service.post('/applications', key, body(job, { source: sent }))
  assert.deepEqual([again.status, again.body.external_id], [200, 'Cand 7 / ä'])
  for (const path of [
    `/applications?applicant_id=${one.applicant_id}`,
    `/jobs/${job.id}/applications`,
    `/applicants/${one.applicant_id}/applications`,
    '/applications?status=new,hired',
  ]) {
    const { data } = (await service.get(path, key)).body
    assert.equal(data.find((row: { id: string }) => row.id === one.id).external_id, 'Cand 7 / ä', path)
  }
  assert.equal((await service.get(`/applications/${one.id}`, key)).body.external_id, 'Cand 7 / ä')
  for (const [action, more] of [
    ['move', { stage_id: job.stages[1] }],
    ['reject', { reason: 'x' }],
    ['reopen', {}],
    ['hire', {}],
  ] as const)
    assert.equal((await service.post(`/applications/${one.id}/${action}`, key, more)).body.external_id, 'Cand 7 / ä')
  const access = await service.get('/me/access', key)
  const row = access.body.data.find((r: { resource: string }) => r.resource === 'applications')
  assert.ok(row.fields.some((f: { name: string }) => f.name === 'external_id'))
})

test('GET /applications: source_system and external_id find exactly those, together and with the other filters', async () => {
  const own = await newTenant(service)
  const mine = { ...own, service }
  const other = await newJob(service, own.workspace)
  const source = (system: string, external_id?: string) => ({
    source: { system, ...(external_id ? { external_id } : {}) },
  })
  const a1 = await apply(mine, source('alpha', '1'))
  const a2 = await apply(mine, source('alpha', '2'))
  const a0 = await apply(mine, source('alpha'))
  const b1 = await apply(mine, source('beta', '1'))
  const elsewhere = await apply({ ...mine, job: other }, source('alpha', '1'))
  await service.post(`/applications/${a2.id}/reject`, own.key, { reason: 'x' })
  const stranger = await newTenant(service)
  await apply({ ...stranger, service }, source('alpha', '1'))
  const sorted = (...rows: { id: string }[]) => rows.map(row => row.id).sort()
  const find = (query: string) => ids(`/applications?${query}`, own.key)
  assert.deepEqual(await find('source_system=alpha'), sorted(a0, a1, a2, elsewhere))
  assert.deepEqual(await find('source_system=alpha&status=rejected'), sorted(a2))
  assert.deepEqual(await find('source_system=alpha&status=rejected,new'), sorted(a0, a1, a2, elsewhere))
  assert.deepEqual(await find('external_id=1'), sorted(a1, b1, elsewhere))
  assert.deepEqual(await find('source_system=alpha&external_id=1'), sorted(a1, elsewhere))
  assert.deepEqual(await find(`source_system=alpha&external_id=1&job_id=${other.id}`), sorted(elsewhere))
  assert.deepEqual(await find(`source_system=beta&applicant_id=${b1.applicant_id}`), sorted(b1))
  assert.deepEqual(await find(`source_system=alpha&stage_id=${own.job.stages[0]}`), sorted(a0, a1, a2))
  for (const nothing of ['source_system=Alpha', 'external_id=3', 'source_system=partner_api:alpha', 'external_id=%25'])
    assert.deepEqual(await find(nothing), [], nothing)
  const inJob = (query: string) => ids(`/jobs/${own.job.id}/applications?${query}`, own.key)
  assert.deepEqual(await inJob('source_system=alpha'), sorted(a0, a1, a2))
  assert.deepEqual(await inJob('source_system=alpha&external_id=1'), sorted(a1))
  for (const bad of ['source_system=', 'external_id=', 'external_id=a%00b', `external_id=${'x'.repeat(201)}`]) {
    const response = await service.get(`/applications?${bad}`, own.key)
    assert.deepEqual([response.status, response.body.detail.param], [400, bad.split('=')[0]])
  }
})

test('GET /applications?source_system: pages hold every row once, in the order of change', async () => {
  const own = await newTenant(service)
  const made: string[] = []
  for (let i = 0; i < 9; i++) made.push((await apply({ ...own, service })).id)
  for (const i of [1, 4, 7]) await service.post(`/applications/${made[i]}/reject`, own.key, { reason: 'x' })
  const all = (await service.get('/applications', own.key)).body.data.map((row: { id: string }) => row.id)
  const paged: string[] = []
  for (let cursor = ''; ; ) {
    const page = (await service.get(`/applications?source_system=acme_ats&limit=2${cursor}`, own.key)).body
    paged.push(...page.data.map((row: { id: string }) => row.id))
    if (!page.has_more) break
    cursor = `&cursor=${page.next_cursor}`
  }
  assert.deepEqual(paged, all)
  const ascending = await service.get('/applications?source_system=acme_ats&order=asc', own.key)
  assert.deepEqual(
    ascending.body.data.map((row: { id: string }) => row.id),
    [...all].reverse(),
  )
})

test('source filters: an imported application is found by its system and external id, as POST /applications finds it', async () => {
  const own = await newTenant(service)
  const person = await apply({ ...own, service }, { source: { system: 'other_ats' } })
  const second = await newJob(service, own.workspace)
  const { id } = await db.transaction(tx =>
    importApplication(tx, service.services.blobs, own.workspace, {
      jobId: second.id,
      applicantId: person.applicant_id,
      system: 'old_ats',
      externalId: 'x-1',
      status: 'new',
      appliedAt: '2026-01-01T00:00:00Z',
    }),
  )
  const read = (await service.get(`/applications/${id}`, own.key)).body
  assert.deepEqual([read.source, read.external_id], ['import:old_ats', 'x-1'])
  assert.deepEqual(await ids('/applications?source_system=old_ats&external_id=x-1', own.key), [id])
})

test('GET /jobs: source_system and external_id find exactly those, drafts on request, together with q', async () => {
  const own = await newTenant(service)
  const push = async (system: string, external_id: string, title: string, publish = true) => {
    const sent = { source: { system, external_id }, title, content: { summary: 'Builds.' }, publish }
    const response = await service.post('/jobs', own.key, sent)
    assert.equal(response.status, 201, response.text)
    return response.body.id as string
  }
  const a1 = await push('alpha', '1', 'Gardener')
  const a2 = await push('alpha', '2', 'Gardener of roses')
  const b1 = await push('beta', '1', 'Gardener')
  const draft = await push('alpha', '3', 'Gardener', false)
  const find = (query: string) => ids(`/jobs?${query}`, own.key)
  assert.deepEqual(await find('source_system=alpha'), [a1, a2].sort())
  assert.deepEqual(await find('source_system=alpha&include_unpublished=true'), [a1, a2, draft].sort())
  assert.deepEqual(await find('external_id=1'), [a1, b1].sort())
  assert.deepEqual(await find('source_system=alpha&external_id=1'), [a1])
  assert.deepEqual(await find('source_system=native'), [own.job.id])
  assert.deepEqual(await find('source_system=alpha&external_id=9'), [])
  assert.deepEqual(await find('q=gardener&source_system=alpha'), [a1, a2].sort())
  assert.deepEqual(await find('q=roses&source_system=beta'), [])
  assert.deepEqual(await find('q=gardener&external_id=1&source_system=beta'), [b1])
  const stranger = await newTenant(service)
  assert.deepEqual(await ids('/jobs?source_system=alpha', stranger.key), [])
})

/** Rows that the scans of a statement touched, with the plan for its values and with the one for all values. */
async function touched(statement: Sql): Promise<number[]> {
  const counts: number[] = []
  for (const mode of ['force_custom_plan', 'force_generic_plan'] as const) {
    const plan = await db.transaction(tx => explain(tx, statement, mode))
    const scans = listPlanNodes(plan).filter(node => node['Relation Name'] !== undefined)
    counts.push(
      scans.reduce(
        (sum, node) =>
          sum +
          node['Actual Loops'] *
            (node['Actual Rows'] +
              (node['Rows Removed by Filter'] ?? 0) +
              (node['Rows Removed by Index Recheck'] ?? 0)),
        0,
      ),
    )
  }
  return counts
}

test('source filters: lists by source: a page touches no more rows than it needs, however many there are', async () => {
  const own = await newTenant(service)
  const ROWS = 20_000
  // common: nearly all; rare: one of a thousand, each with the external id of one of the common ones
  await db.transaction(async tx => {
    await tx.query(sql`set local session_replication_role = replica`)
    await tx.query(sql`
      insert into applications (workspace_id, id, job_id, stage_id, status, source, source_system, source_external_id,
        applied_at, updated_at)
      select ${own.workspace}, 'app_' || lpad(n::text, 20, '0'), ${own.job.id}, ${own.job.stages[0]!},
        case when n < 40 then 'hired' else 'new' end, 'partner_api:' || system, system,
        (case when system = 'rare' then n - 1 else n end)::text,
        app_now() - n * interval '1 second', app_now() - (${ROWS}::integer - n) * interval '1 second'
      from (select n, case when n % 1000 = 0 then 'rare' else 'common' end as system
        from generate_series(1, ${ROWS}::integer) n) rows`)
    await tx.query(sql`
      insert into jobs (workspace_id, id, slug, status, title, source_system, source_external_id, pushed, updated_at)
      select ${own.workspace}, 'job_' || lpad(n::text, 20, '0'), 'j-' || n, 'published', 'Engineer',
        case when n % 1000 = 0 then 'rare' else 'common' end,
        (case when n % 1000 = 0 then n - 1 else n end)::text, true, app_now() - n * interval '1 second'
      from generate_series(1, ${ROWS}::integer) n`)
  })
  await db.query(sql`analyze applications`)
  await db.query(sql`analyze jobs`)
  const order = { by: 'updated_at', tiebreaker: 'id', direction: 'desc' } as const
  const page = makePage(order, { limit: 25 }, undefined)
  const last = [new Date().toISOString(), newHandle('application')] as [string, string]
  const later = makePage(order, { limit: 25 }, { after: last, rows: 25 })
  const lists: [string, ApplicationFilter][] = [
    ['a common system', { sourceSystem: 'common' }],
    ['a rare system', { sourceSystem: 'rare' }],
    ['a rare status of a common system', { sourceSystem: 'common', status: ['hired'] }],
    ['an external id', { externalId: '777' }],
    ['an external id that nothing has', { externalId: 'none' }],
    ['both', { sourceSystem: 'common', externalId: '999' }],
    ['both, of which no application has both', { sourceSystem: 'rare', externalId: '777' }],
  ]
  for (const [name, filter] of lists) {
    for (const at of [page, later]) {
      for (const rows of await touched(applicationsPage(own.workspace, filter, at)))
        assert.ok(rows <= 6 * 26, `applications of ${name}: ${rows} rows touched`)
    }
  }
  const all: JobFilters = { statuses: ['draft', 'published', 'closed'] }
  for (const filter of [
    { source_system: 'common' },
    { source_system: 'rare' },
    { external_id: '777' },
    { source_system: 'rare', external_id: '777' },
  ]) {
    for (const statuses of [all.statuses, ['published', 'closed'] as const]) {
      for (const rows of await touched(listJobs(own.workspace, { ...filter, statuses }, page)))
        assert.ok(rows <= 3 * 26, `jobs of ${JSON.stringify(filter)}: ${rows} rows touched`)
    }
  }
})
