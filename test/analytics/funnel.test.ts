import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { APPLICATION_STATUSES } from '../../src/contract/application-status.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { addUpFunnel, checkFunnel } from '../../src/resources/analytics/index.ts'
import { GROUPINGS } from '../../src/resources/analytics/shape.ts'
import { deleteApplication } from '../../src/resources/applications/index.ts'
import { STAGE_TYPES } from '../../src/resources/jobs/shape.ts'
import { apply, newTenant, startWorld } from '../applications/setup.ts'
import { type FunnelQuery, type ModelApplication, type ModelJob, modelFunnel } from './model.ts'

const world = await startWorld()
const { service } = world
const { db } = service.services
const PATH = '/analytics/hiring-funnel'

const DAY = 86_400_000
const NOW = Date.parse((await service.get(PATH, world.key)).body.generated_at)

// biome-ignore lint/suspicious/noExplicitAny: a funnel
type Funnel = any

/** What must hold of every response, whatever was counted. */
function checkSums(funnel: Funnel): void {
  for (const part of [funnel, ...funnel.groups]) {
    const { totals, stages } = part
    const sum = (name: string) => stages.reduce((n: number, stage: Funnel) => n + stage[name], 0)
    const statuses = APPLICATION_STATUSES.reduce((n, status) => n + totals[status], 0)
    assert.equal(statuses, totals.applications, 'the statuses sum to applications')
    for (const s of stages) {
      assert.equal(
        s.reached,
        s.current + s.advanced + s.rejected + s.withdrawn + s.hired,
        'reached is the sum of the five',
      )
    }
    assert.equal(sum('current'), totals.new + totals.in_review + totals.advanced)
    for (const status of ['rejected', 'withdrawn', 'hired']) assert.equal(sum(status), totals[status])
  }
  if (funnel.group_by === 'none') assert.deepEqual(funnel.groups, [])
  if (funnel.group_by === 'none' || funnel.groups_truncated) return
  for (const name of ['applications', ...APPLICATION_STATUSES]) {
    const added = funnel.groups.reduce((n: number, group: Funnel) => n + group.totals[name], 0)
    assert.equal(added, funnel.totals[name], `the groups add up: ${name}`)
  }
}

/** Medians are kept in single precision and shown with two decimals. */
function assertSame(actual: Funnel, expected: Funnel, where = ''): void {
  if (typeof expected === 'number' && /median/.test(where)) {
    const far = Math.abs(actual - expected)
    assert.ok(typeof actual === 'number' && far <= 0.011 + expected * 1e-6, `${where}: ${actual}, not ${expected}`)
  } else if (Array.isArray(expected)) {
    assert.equal(actual.length, expected.length, `${where}.length`)
    for (const [i, item] of expected.entries()) assertSame(actual[i], item, `${where}[${i}]`)
  } else if (expected !== null && typeof expected === 'object') {
    for (const name of Object.keys(expected)) assertSame(actual[name], expected[name], `${where}.${name}`)
  } else assert.equal(actual, expected, where)
}

const visit = fc.record({ stage: fc.nat(7), hours: fc.integer({ min: 1, max: 900 }) })
const applications = fc.array(
  fc.record({
    job: fc.nat(2),
    status: fc.constantFrom(...APPLICATION_STATUSES),
    source: fc.constantFrom('public_board', 'referral', 'partner_api:acme'),
    minutesAgo: fc.integer({ min: 1, max: 400 * 24 * 60 }),
    visits: fc.array(visit, { minLength: 1, maxLength: 6 }),
    daysToHire: fc.integer({ min: 0, max: 100 }),
  }),
  { maxLength: 40 },
)
const question = fc.record({
  groupBy: fc.constantFrom(...GROUPINGS),
  daysAgo: fc.integer({ min: 0, max: 300 }),
  days: fc.double({ min: 0.01, max: 366, noNaN: true }),
  midnight: fc.boolean(),
  job: fc.option(fc.nat(2), { freq: 2 }),
  department: fc.option(fc.constantFrom('Sales', 'Nowhere'), { freq: 2 }),
  source: fc.option(fc.constantFrom('public_board', 'referral'), { freq: 2 }),
})

async function makeJobs(workspace: string): Promise<ModelJob[]> {
  const types = [
    ['applied', 'screen', 'interview', 'interview', 'offer', 'hired', 'rejected', 'custom'],
    ['applied', 'assessment', 'interview', 'rejected', 'offer', 'hired', 'screen', 'custom'],
    ['applied', 'interview', 'hired', 'rejected', 'rejected', 'offer', 'screen', 'assessment'],
  ]
  const jobs: ModelJob[] = []
  for (const [i, stages] of types.entries()) {
    const id = newHandle('job')
    const department = ['Sales', 'Sales', null][i]!
    await db.query(sql`
      insert into jobs (workspace_id, id, slug, status, title, department, source_system)
      values (${workspace}, ${id}, ${id}, 'published', ${`Job ${i}`}, ${department}, 'native')`)
    const made = stages.map((type, position) => ({
      id: newHandle('pipeline_stage'),
      name: `${type} ${position}`,
      type,
      position,
    }))
    for (const stage of made) {
      await db.query(sql`
        insert into pipeline_stages (workspace_id, id, job_id, name, position, type)
        values (${workspace}, ${stage.id}, ${id}, ${stage.name}, ${stage.position}, ${stage.type})`)
    }
    jobs.push({ id, title: `Job ${i}`, department, stages: made })
  }
  return jobs
}

const iso = (ms: number) => new Date(ms).toISOString()

async function store(workspace: string, a: ModelApplication): Promise<void> {
  const stage = (place: number) => a.job.stages[place]!.id
  await db.transaction(async tx => {
    await tx.query(sql`
      insert into applications (workspace_id, id, job_id, stage_id, status, source, applied_at, hired_at)
      values (${workspace}, ${a.id}, ${a.job.id}, ${stage(a.path[0]!.stage)}, 'new', ${a.source},
        ${iso(a.appliedAt)}::timestamptz, null)`)
    for (const [i, { stage: to, at }] of a.path.entries()) {
      const from = i === 0 ? null : stage(a.path[i - 1]!.stage)
      await tx.query(sql`
        insert into stage_transitions (workspace_id, application_id, from_stage_id, to_stage_id, at)
        values (${workspace}, ${a.id}, ${from}, ${stage(to)}, ${iso(at)}::timestamptz)`)
      await tx.query(sql`
        update applications set stage_id = ${stage(to)} where workspace_id = ${workspace} and id = ${a.id}`)
    }
    const hired = a.hiredAt === null ? null : iso(a.hiredAt)
    await tx.query(sql`
      update applications set status = ${a.status}, hired_at = ${hired}::timestamptz
      where workspace_id = ${workspace} and id = ${a.id}`)
  })
}

test('funnel: the funnel of any history equals a count by hand, for every filter and grouping, added up or not', async () => {
  let runs = 0
  await fc.assert(
    fc.asyncProperty(
      applications,
      fc.array(question, { minLength: 8, maxLength: 8 }),
      fc.nat(40),
      async (made, questions, addUpAt) => {
        runs++
        const { id: workspace } = await service.workspace('enterprise')
        const key = await service.key({ workspace, scopes: ['analytics:read'] })
        const jobs = await makeJobs(workspace)
        const all: ModelApplication[] = []
        for (const [i, one] of made.entries()) {
          if (i === addUpAt) await addUpFunnel(db, 1_000)
          const appliedAt = NOW - one.minutesAgo * 60_000
          let at = appliedAt
          const path = one.visits
            .filter((v, n) => n === 0 || v.stage !== one.visits[n - 1]!.stage)
            .map(v => {
              at += v.hours * 3_600_000
              return { stage: v.stage, at }
            })
          const a: ModelApplication = {
            id: newHandle('application'),
            job: jobs[one.job]!,
            status: one.status,
            source: one.source,
            appliedAt,
            path,
            hiredAt: one.status === 'hired' ? appliedAt + one.daysToHire * DAY : null,
          }
          await store(workspace, a)
          // every seventh is deleted again, after it was counted
          if (i % 7 === 6) {
            await db.transaction(tx => deleteApplication(tx, { workspace, id: a.id, originKeyId: null }, 'test'))
          } else all.push(a)
        }
        for (const q of questions) {
          const before = NOW - q.daysAgo * DAY
          let after = Math.floor(before - q.days * DAY)
          if (q.midnight) after = Math.min(before - 1, Math.ceil(after / DAY) * DAY)
          const asked: FunnelQuery = {
            after,
            before,
            groupBy: q.groupBy,
            ...(q.job === null ? {} : { jobId: jobs[q.job]!.id }),
            ...(q.department === null ? {} : { department: q.department }),
            ...(q.source === null ? {} : { source: q.source }),
          }
          const params = new URLSearchParams({
            applied_after: iso(after),
            applied_before: iso(before),
            group_by: q.groupBy,
            ...(asked.jobId ? { job_id: asked.jobId } : {}),
            ...(asked.department ? { department: asked.department } : {}),
            ...(asked.source ? { source: asked.source } : {}),
          })
          const response = await service.get(`${PATH}?${params}`, key)
          assert.equal(response.status, 200, response.text)
          checkSums(response.body)
          const expected = modelFunnel(all, asked, q.job === null ? undefined : jobs[q.job])
          const byKey = (groups: { key: string | null; totals: { applications: number } }[]) =>
            groups.toSorted(
              (a, b) => b.totals.applications - a.totals.applications || String(a.key).localeCompare(String(b.key)),
            )
          for (let i = 1; i < response.body.groups.length; i++) {
            const [one, next] = [response.body.groups[i - 1], response.body.groups[i]]
            assert.ok(one.totals.applications >= next.totals.applications, 'most applications first')
          }
          assertSame(
            { ...response.body, groups: byKey(response.body.groups) },
            { ...expected, groups: byKey(expected.groups) },
          )
        }
      },
    ),
    { numRuns: Number(process.env['HIRING_TEST_RUNS'] ?? 12) },
  )
  assert.ok(runs >= 12)
  const { differing } = await checkFunnel(db)
  assert.ok(
    Object.values(differing).every(rows => rows === 0),
    JSON.stringify(differing),
  )
})

test('funnel: the response has exactly the decided fields', async () => {
  const tenant = await newTenant(service)
  await apply({ ...tenant, service })
  const { body } = await service.get(`${PATH}?group_by=job`, tenant.key)
  const totals = {
    applications: 1,
    new: 1,
    in_review: 0,
    advanced: 0,
    rejected: 0,
    withdrawn: 0,
    hired: 0,
    median_days_to_hire: null,
  }
  const stage = {
    reached: 1,
    current: 1,
    advanced: 0,
    rejected: 0,
    withdrawn: 0,
    hired: 0,
    conversion_rate: 0,
    median_hours_in_stage: null,
  }
  const stages = [{ stage_type: 'applied', position: 0, ...stage }]
  assert.deepEqual(body, {
    object: 'hiring_funnel',
    workspace_id: tenant.workspace,
    job_id: null,
    applied_after: iso(Date.parse(body.generated_at) - 90 * DAY),
    applied_before: body.generated_at,
    group_by: 'job',
    generated_at: body.generated_at,
    totals,
    stages,
    groups: [{ key: tenant.job.id, label: 'Engineer', totals, stages }],
    groups_truncated: false,
  })

  const ofJob = (await service.get(`${PATH}?job_id=${tenant.job.id}`, tenant.key)).body
  assert.equal(ofJob.job_id, tenant.job.id)
  assert.deepEqual(
    ofJob.stages.map((s: Funnel) => [s.stage_type, s.stage_id, s.name, s.position, s.reached, s.conversion_rate]),
    [
      ['applied', tenant.job.stages[0], 'Applied', 0, 1, 0],
      ['screen', tenant.job.stages[1], 'Screen', 1, 0, null],
      ['interview', tenant.job.stages[2], 'Interview', 2, 0, null],
      ['hired', tenant.job.stages[3], 'Hired', 3, 0, null],
    ],
  )
})

test('funnel: rejected after the interview still counts as having reached it, in the rejected stage or not; reopened, it is current', async () => {
  const tenant = await newTenant(service)
  const { key, job } = tenant
  const post = async (path: string, body: unknown) => assert.equal((await service.post(path, key, body)).status, 200)
  const stageOf = async (type: string) =>
    (await service.get(PATH, key)).body.stages.find((s: Funnel) => s.stage_type === type)
  const one = await apply({ ...tenant, service })
  await post(`/applications/${one.id}/move`, { stage_id: job.stages[2] })
  await post(`/applications/${one.id}/reject`, { reason: 'not now' })
  const two = await apply({ ...tenant, service })
  await post(`/applications/${two.id}/move`, { stage_id: job.stages[2] })
  await post(`/applications/${two.id}/reject`, { reason: 'not now' })
  await post(`/applications/${two.id}/move`, { stage_id: job.stages[4] })
  const interview = await stageOf('interview')
  assert.deepEqual([interview.reached, interview.rejected, interview.advanced], [2, 2, 0])
  assert.equal((await stageOf('applied')).advanced, 2)
  assert.equal(await stageOf('rejected'), undefined, 'a way out, not a step')
  await post(`/applications/${one.id}/reopen`, {})
  assert.deepEqual([(await stageOf('interview')).current, (await stageOf('interview')).rejected], [1, 1])
  await post(`/applications/${one.id}/hire`, {})
  const left = await stageOf('interview')
  assert.deepEqual([left.advanced, left.current, left.hired, left.conversion_rate], [1, 0, 0, 0.5])
  const hired = await stageOf('hired')
  assert.deepEqual([hired.reached, hired.hired], [1, 1])
  const { totals } = (await service.get(PATH, key)).body
  assert.deepEqual([totals.hired, totals.median_days_to_hire], [1, 0])
})

test('funnel: a stage that was deleted later still counts by the type it had', async () => {
  const tenant = await newTenant(service)
  const { key, job, workspace } = tenant
  const one = await apply({ ...tenant, service })
  for (const stage of [job.stages[1], job.stages[2]]) {
    await service.post(`/applications/${one.id}/move`, key, { stage_id: stage })
  }
  await db.query(sql`delete from pipeline_stages where workspace_id = ${workspace} and id = ${job.stages[1]}`)
  const types = async () => (await service.get(PATH, key)).body.stages.map((s: Funnel) => s.stage_type)
  assert.deepEqual(await types(), ['applied', 'screen', 'interview'])
  await service.post(`/applications/${one.id}/move`, key, { stage_id: job.stages[3] })
  assert.deepEqual(await types(), ['applied', 'screen', 'interview', 'hired'])
})

test('funnel: at most 500 groups, most applications first, the rest is indicated by groups_truncated and still in the totals', async () => {
  const { id: workspace } = await service.workspace('enterprise')
  const key = await service.key({ workspace, scopes: ['analytics:read'] })
  const [job] = await makeJobs(workspace)
  const add = (count: number, more: number) =>
    db.query(sql`
      insert into applications (workspace_id, id, job_id, stage_id, source)
      select ${workspace}, 'app_' || lpad((n + ${more}::integer * 1000)::text, 20, '0'), ${job!.id}, ${job!.stages[0]!.id},
        'source ' || n from generate_series(1, ${count}::integer) n`)
  await add(500, 0)
  const full = (await service.get(`${PATH}?group_by=source`, key)).body
  assert.deepEqual([full.groups.length, full.groups_truncated], [500, false])
  await add(501, 1)
  const { groups, groups_truncated, totals } = (await service.get(`${PATH}?group_by=source`, key)).body
  assert.deepEqual([groups.length, groups_truncated, totals.applications], [500, true, 1001])
  assert.ok(
    groups.every((g: Funnel) => g.totals.applications === 2),
    'the one with a single application is left out',
  )
})

test('funnel: weeks begin on Monday and are labelled as ISO weeks, months by their number', async () => {
  const { id: workspace } = await service.workspace('enterprise')
  const key = await service.key({ workspace, scopes: ['analytics:read'] })
  const [job] = await makeJobs(workspace)
  await db.query(sql`
    insert into applications (workspace_id, id, job_id, stage_id, source, applied_at)
    values (${workspace}, ${newHandle('application')}, ${job!.id}, ${job!.stages[0]!.id}, 'x', '2026-01-01T12:00:00Z')`)
  const ask = async (by: string) =>
    (
      await service.get(
        `${PATH}?group_by=${by}&applied_after=2025-12-01T00:00:00Z&applied_before=2026-02-01T00:00:00Z`,
        key,
      )
    ).body.groups.map((g: Funnel) => [g.key, g.label])
  assert.deepEqual(await ask('week'), [['2025-12-29', '2026-W01']])
  assert.deepEqual(await ask('month'), [['2026-01-01', '2026-01']])
  assert.deepEqual(await ask('department'), [['Sales', 'Sales']])
})

test('funnel: 200 for windows at the first and the last year that a time can have', async () => {
  for (const query of [
    'applied_before=0001-01-15T00:00:00Z',
    'applied_after=9999-12-15T00:00:00Z&applied_before=9999-12-31T23:59:59Z',
  ])
    for (const by of ['none', 'week', 'month']) {
      const { status, body } = await service.get(`${PATH}?${query}&group_by=${by}`, world.key)
      assert.equal(status, 200, query)
      assert.equal(body.totals.applications, 0)
    }
})

test('funnel: 400 names the parameter: spans, times, groupings', async () => {
  const refused = async (query: string, param: string, code = 'invalid_request') => {
    const { status, body } = await service.get(`${PATH}?${query}`, world.key)
    assert.deepEqual([status, body.detail.code, body.detail.param], [400, code, param], query)
  }
  await refused('applied_after=2020-01-01T00:00:00Z', 'applied_after')
  await refused('applied_after=2024-01-01T00:00:00Z&applied_before=2025-01-02T00:00:00.001Z', 'applied_after')
  await refused('applied_after=2025-02-01T00:00:00Z&applied_before=2025-01-01T00:00:00Z', 'applied_before')
  await refused('applied_after=2999-01-01T00:00:00Z', 'applied_after')
  await refused('applied_after=yesterday', 'applied_after', 'invalid_timestamp')
  await refused('group_by=year', 'group_by')
  await refused('department=', 'department')
  await refused('stage=1', 'stage')
  const span = 'applied_after=2024-01-01T00:00:00Z&applied_before=2025-01-01T00:00:00Z'
  assert.equal((await service.get(`${PATH}?${span}`, world.key)).status, 200, '366 days are allowed')
})

test('funnel: 404 not_found: a job of another workspace is like one that is not there', async () => {
  const other = await newTenant(service)
  const missing = await service.get(`${PATH}?job_id=${newHandle('job')}`, world.key)
  const foreign = await service.get(`${PATH}?job_id=${other.job.id}`, world.key)
  const malformed = await service.get(`${PATH}?job_id=nonsense`, world.key)
  for (const response of [missing, foreign, malformed]) {
    assert.equal(response.status, 404)
    assert.deepEqual({ ...response.body.detail, request_id: '' }, { ...missing.body.detail, request_id: '' })
  }
})

test('funnel: another workspace is not counted; 403 insufficient_scope without analytics:read; the expensive tier', async () => {
  const tenant = await newTenant(service)
  await apply({ ...tenant, service })
  const other = await newTenant(service)
  assert.equal((await service.get(PATH, other.key)).body.totals.applications, 0)
  const key = await service.key({ workspace: tenant.workspace, scopes: ['applications:read'] })
  const refused = await service.get(PATH, key)
  assert.deepEqual([refused.status, refused.body.detail.required_scope], [403, 'analytics:read'])
  const { headers } = await service.get(PATH, tenant.key)
  assert.equal(headers.get('ratelimit-limit'), '600')
})

test('funnel: the numbers in the store are those of the catalogues', async () => {
  for (const [i, type] of STAGE_TYPES.entries()) {
    assert.equal((await db.one(sql<{ n: number }>`select funnel_stage(${type}) as n`))!.n, i)
  }
  for (const [i, status] of APPLICATION_STATUSES.entries()) {
    assert.equal((await db.one(sql<{ n: number }>`select funnel_status(${status}) as n`))!.n, i)
  }
})

test('funnel: changes at the same moment are all counted, while others add them up', async () => {
  const tenant = await newTenant(service)
  let done = false
  const adding = (async () => {
    while (!done) await addUpFunnel(db, 7)
  })()
  const made = await Promise.all(Array.from({ length: 24 }, () => apply({ ...tenant, service })))
  await Promise.all(
    made.map(a => service.post(`/applications/${a.id}/move`, tenant.key, { stage_id: tenant.job.stages[1] })),
  )
  done = true
  await adding
  while ((await addUpFunnel(db, 1_000)) > 0);
  // whole days only, so that the counts alone are used
  const after = iso(Math.floor(NOW / DAY) * DAY - DAY)
  const before = iso(Math.floor(NOW / DAY) * DAY + 2 * DAY)
  const { body } = await service.get(`${PATH}?applied_after=${after}&applied_before=${before}`, tenant.key)
  assert.deepEqual(
    body.stages.map((s: Funnel) => [s.stage_type, s.reached, s.current, s.advanced]),
    [
      ['applied', 24, 0, 24],
      ['screen', 24, 24, 0],
    ],
  )
})

test('funnel: very many applications: counts and days to hire are exact, hours those of a draw, and of all in a small group', async () => {
  const { id: workspace } = await service.workspace('enterprise')
  const key = await service.key({ workspace, scopes: ['analytics:read'] })
  const count = 90_000
  const job = newHandle('job')
  for (const [id, title] of [
    [job, 'Rare'],
    [newHandle('job'), null],
  ])
    await db.query(sql`
      insert into jobs (workspace_id, id, slug, status, title, department, source_system)
      values (${workspace}, ${id}, ${id}, 'published', coalesce(${title}, 'Frequent'), ${title}, 'native')`)
  await db.transaction(async tx => {
    // past the triggers and references: the rows that so many applications would have
    await tx.query(sql`set local session_replication_role = replica`)
    await tx.query(sql`set local statement_timeout = 0`)
    await tx.query(sql`
      insert into application_funnel (applied_at, code, lot, days_to_hire, workspace_id, application_id, job, source, hours, stages)
      select app_now() - case when rare then interval '40 days' else interval '1 day' end,
        case when n % 3 = 0 then 205 else 200 end, hashtext(id) & 1023, case when n % 3 = 0 then n / 1000.0 end,
        ${workspace}, id, (select number from jobs j where j.workspace_id = ${workspace} and (j.id = ${job}) = rare), case when rare then 'rare' else 'source ' || n % 2 end,
        array[n / 100.0], '{}'
      from (select n, 'app_' || md5(n::text) as id, n > ${count - 30}::integer as rare
        from generate_series(1, ${count}::integer) n) made`)
    await tx.query(sql`
      insert into funnel_changes (workspace_id, applied_on, job, source, code, n)
      select workspace_id, (applied_at at time zone 'UTC')::date, job, source, code, count(*)::smallint
      from application_funnel where workspace_id = ${workspace} group by 1, 2, 3, 4, 5, application_id`)
  })
  for (const groupBy of GROUPINGS) {
    const { body } = await service.get(`${PATH}?group_by=${groupBy}`, key)
    checkSums(body)
    assert.equal(body.groups.length, groupBy === 'none' ? 0 : groupBy === 'source' ? 3 : 2)
    for (const part of [body, ...body.groups]) {
      const all = Array.from({ length: count }, (_, i) => i + 1)
      const isRare = part.totals.applications === 30
      const mine = all.filter(
        n =>
          part === body ||
          (n > count - 30 === isRare && (groupBy !== 'source' || isRare || part.key === `source ${n % 2}`)),
      )
      const hired = mine.filter(n => n % 3 === 0)
      assert.deepEqual(
        [part.totals.applications, part.totals.hired, part.stages[0].advanced],
        [mine.length, hired.length, mine.length],
      )
      const median = (sorted: number[]) => (sorted.at((sorted.length - 1) / 2)! + sorted.at(sorted.length / 2)!) / 2
      assertSame(part.totals.median_days_to_hire, median(hired) / 1000, 'median of days')
      const hours = part.stages[0].median_hours_in_stage
      if (isRare) assertSame(hours, median(mine) / 100, 'median of hours')
      else assert.ok(Math.abs(hours / (median(mine) / 100) - 1) < 0.03, `${hours}`)
    }
  }
})
