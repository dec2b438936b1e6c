import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { retentionVerbs } from '../../src/cli/retention.ts'
import { workspaceVerbs } from '../../src/cli/workspaces.ts'
import { FIXED_RETENTION, RETENTION } from '../../src/contract/retention.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { checkFunnel } from '../../src/resources/analytics/index.ts'
import { addRetentionRuns, retentionWaiting, runNextRetention } from '../../src/resources/retention/index.ts'
import { claimRun, dueRuns, finishRun } from '../../src/resources/retention/store.ts'
import { pruneOnce } from '../../src/workers/prune-rows.ts'
import { apply, newJob, newTenant, type World } from '../applications/setup.ts'
import { readFeed } from '../harness/feed.ts'
import { startTestService } from '../harness/service.ts'
import { runVerb } from '../harness/verb.ts'

const service = await startTestService({ ROLES: 'api' })
const { db } = service.services
const DAY_MS = 86_400_000
const STEP = { applications: 2, audit: 1 }

const retention = (id: string, options: Record<string, string> = {}) =>
  runVerb(service, retentionVerbs, 'retention', [id], options)

const preview = async (id: string, proposed: Record<string, string> = {}): Promise<Record<string, number>> => {
  const { json } = await retention(id, { 'dry-run': '', ...proposed })
  const rows = (json as { would_delete: { kind: string; n: number }[] }).would_delete
  return Object.fromEntries(rows.map(({ kind, n }) => [kind, n]))
}

const NOTHING = { applications: 0, people: 0, audit: 0, events: 0, deliveries: 0, request_log: 0 }

test('retention: a dry run counts exactly what the run deletes; hired and current people stay, and the funnel counts all', async () => {
  const world: World = { service, ...(await newTenant(service)) }
  const { workspace, key } = world
  const second = await newJob(service, workspace)
  const closed = await newJob(service, workspace)
  const reject = async (id: string) =>
    assert.equal((await service.post(`/applications/${id}/reject`, key, { reason: 'No match' })).status, 200)
  const gone = await apply(world)
  const twice = await apply(world, {}, { email: 'twice@example.org' })
  const hired = await apply(world)
  const undecided = await apply({ ...world, job: closed })
  for (const { id } of [gone, twice]) await reject(id)
  assert.equal((await service.post(`/applications/${hired.id}/hire`, key, {})).status, 200)
  assert.equal((await service.post(`/jobs/${closed.id}/close`, key, {})).status, 200)
  assert.equal((await service.get(`/applicants/${gone.applicant_id}/contact-info`, key)).status, 200)
  const other: World = { service, ...(await newTenant(service)) }
  const elsewhere = await apply(other)
  await service.post(`/applications/${elsewhere.id}/reject`, other.key, { reason: 'No match' })
  await readFeed(service, workspace)

  clock.advance(200 * DAY_MS)
  const active = await apply({ ...world, job: second }, {}, { email: 'twice@example.org' })
  assert.equal(active.applicant_id, twice.applicant_id)
  const late = await apply(world)
  await reject(late.id)
  const window = `applied_after=${new Date(clock.now() - 300 * DAY_MS).toISOString()}`
  const funnel = async () => (await service.get(`/analytics/hiring-funnel?${window}`, key)).body
  const before = await funnel()
  assert.equal(before.totals.applications, 6)
  assert.deepEqual({ ...(await preview(workspace)), events: 0, request_log: 0 }, NOTHING)

  const values = { applications: '6', audit: '90' }
  const proposed = await preview(workspace, values)
  assert.deepEqual([proposed['applications'], proposed['people'], proposed['audit']], [3, 2, 1])
  const nothingSet = (await retention(workspace)).json as { retention: { own: number | null }[] }
  assert.ok(nothingSet.retention.every(({ own }) => own === null))
  await assert.rejects(() => preview(workspace, { audit: '1' }), /audit must be from 90/)
  const due = await retention(workspace, { 'dry-run': '', applications: '1' })
  assert.match(
    due.text,
    /which were not set\nthe next run for applications and audit: as soon as a worker process has time/,
  )

  assert.match((await retention(workspace, { ...values, applications: '1' })).text, /applications +1 month /)
  await retention(workspace, values)
  // logged requests are stored a moment later
  await service.services.requestLog.flush()
  const wanted = await preview(workspace)
  // `gone`, the old application of `twice`, and `undecided` of the closed job; `twice` has a current application
  assert.deepEqual([wanted['applications'], wanted['people'], wanted['audit']], [3, 2, 1])
  assert.ok(wanted['events']! > 0 && wanted['request_log']! > 0)

  const rows = async () => {
    const count = async (name: string, only = 'true') => {
      const text = `select count(*)::integer as n from ${name} where workspace_id = $1 and ${only}`
      return ((await db.one({ text, values: [workspace], name: '' })) as { n: number }).n
    }
    return {
      applications: await count('applications'),
      people: await count('applicants'),
      audit: await count('personal_data_reads'),
      events: await count('events'),
      deliveries: await count('webhook_deliveries'),
      // the calls of a moment ago may be stored at any time
      request_log: await count('request_log', `created_at < app_now() - interval '150 days'`),
    }
  }
  const held = await rows()
  while (await runNextRetention(service.services, STEP));
  await pruneOnce(db)
  const left = await rows()
  const deleted = Object.fromEntries(
    Object.entries(held).map(([kind, n]) => [kind, n - left[kind as keyof typeof left]]),
  )
  assert.deepEqual(deleted, wanted)
  assert.deepEqual(await preview(workspace), NOTHING)
  const { json, text } = await retention(workspace, { 'dry-run': '' })
  const { next_run_at: next } = json as { next_run_at: string }
  const inMs = Date.parse(next) - clock.now()
  assert.ok(inMs > 0 && inMs <= DAY_MS)
  assert.ok(text.includes(`the next run for applications and audit: ${next}`))

  const status = async (path: string, by = key) => (await service.get(path, by)).status
  for (const { id } of [gone, twice, undecided]) assert.equal(await status(`/applications/${id}`), 404)
  for (const { id } of [hired, active, late]) assert.equal(await status(`/applications/${id}`), 200)
  assert.equal(await status(`/applicants/${gone.applicant_id}`), 404)
  assert.equal(await status(`/applicants/${twice.applicant_id}`), 200)
  assert.equal(await status(`/applications/${elsewhere.id}`, other.key), 200)
  const events = (await readFeed(service, workspace)).filter(event => /deleted$/.test(event.type))
  assert.deepEqual(events.map(event => [event.type, event.data.object.reason]).toSorted(), [
    ['applicant.deleted', 'retention'],
    ['applicant.deleted', 'retention'],
    ['application.deleted', 'retention'],
    ['application.deleted', 'retention'],
    ['application.deleted', 'retention'],
  ])
  const after = await funnel()
  assert.deepEqual([after.totals, after.stages], [before.totals, before.stages])
  assert.ok(Object.values((await checkFunnel(db)).differing).every(n => n === 0))
  const log = (await runVerb(service, workspaceVerbs, 'workspaces log', [workspace])).json as {
    action: string
    details: object
  }[]
  assert.deepEqual([log[0]!.action, log[0]!.details], ['retention_run', { applications: 3, audit: 1, people: 2 }])
  assert.equal(await runNextRetention(service.services), false, 'once a day')
  clock.reset()
})

test('retention: an application that is reopened while the run is in progress stays', async () => {
  const world: World = { service, ...(await newTenant(service)) }
  const { workspace, key } = world
  const { id } = await apply(world)
  await service.post(`/applications/${id}/reject`, key, { reason: 'No match' })
  clock.advance(100 * DAY_MS)
  await retention(workspace, { applications: '1' })
  const reopened = db.transaction(async tx => {
    await tx.query(sql`select 1 from applications where workspace_id = ${workspace} and id = ${id} for update`)
    const run = (async () => {
      while (await runNextRetention(service.services));
    })()
    await tx.query(sql`
      update applications set status = 'in_review', updated_at = app_now()
      where workspace_id = ${workspace} and id = ${id}`)
    return { run }
  })
  await (await reopened).run
  assert.equal((await service.get(`/applications/${id}`, key)).status, 200)
  clock.reset()
})

test('retention: every workspace gets a daily run, and the next one is found by an index', async () => {
  await db.query(sql`
    insert into workspaces (id, name) select 'wsp_many' || n, 'Many' from generate_series(1, 3000) n`)
  await addRetentionRuns(db)
  const { n } = (await db.one(sql<{ n: number }>`
    select count(*)::integer as n from workspaces w
    where not exists (select from workspace_retention r where r.workspace_id = w.id)`))!
  assert.equal(n, 0)
  await db.query(
    sql`update workspace_retention set due_at = app_now() + interval '1 day' where workspace_id like 'wsp_many%'`,
  )
  await db.query(sql`analyze workspaces, workspace_retention`)
  const { text, values } = dueRuns(8)
  const plan = (await db.query({ name: '', text: `explain ${text}`, values })) as { 'QUERY PLAN': string }[]
  const lines = plan.map(row => row['QUERY PLAN']).join('\n')
  assert.match(lines, /Index Scan using workspace_retention_due/)
  assert.doesNotMatch(lines, /Seq Scan on (workspaces|workspace_retention)/)
  await db.query(sql`delete from workspaces where id like 'wsp_many%'`)
})

test('retention: the age of the queue is that of the whole run, however many turns it takes', async () => {
  const world: World = { service, ...(await newTenant(service)) }
  const { workspace, key } = world
  for (let i = 0; i < 5; i++) {
    const { id } = await apply(world)
    await service.post(`/applications/${id}/reject`, key, { reason: 'No match' })
  }
  clock.advance(100 * DAY_MS)
  await retention(workspace, { applications: '1' })
  await db.query(sql`
    update workspace_retention set due_at = app_now() + interval '1 day' where workspace_id <> ${workspace}`)
  for (const seconds of [3_600, 7_200]) {
    clock.advance(3_600_000)
    assert.equal(await runNextRetention(service.services, STEP), true)
    const { waiting, oldest_seconds: age } = (await db.one(retentionWaiting))!
    assert.equal(waiting, 1)
    assert.ok(age >= seconds && age < seconds + 600, `${age} s after ${seconds}`)
  }
  assert.equal(await runNextRetention(service.services, STEP), true)
  assert.deepEqual(await db.one(retentionWaiting), { waiting: 0, oldest_seconds: 0 })
  const [ended] = (await runVerb(service, workspaceVerbs, 'workspaces log', [workspace])).json as { details: object }[]
  assert.deepEqual(ended!.details, { applications: 5, people: 5 })
  clock.reset()
})

test('retention: a change during a run makes another one due', async () => {
  const { workspace } = await newTenant(service)
  await retention(workspace, { audit: '90' })
  await db.query(sql`
    update workspace_retention set due_at = app_now() + interval '1 day' where workspace_id <> ${workspace}`)
  const claim = async () => {
    const [due] = await db.query(dueRuns(1))
    return due && db.one(claimRun(due.workspace_id, 60))
  }
  const claimed = (await claim())!
  assert.equal(claimed.workspace_id, workspace)
  assert.equal(await claim(), undefined, 'claimed once')
  clock.advance(5)
  await retention(workspace, { audit: '120' })
  await db.one(finishRun(claimed))
  const again = (await claim())!
  assert.deepEqual([again.workspace_id, again.audit], [workspace, 120])
  await db.one(finishRun(again))
  assert.equal(await claim(), undefined)
  clock.reset()
})

test('hiring retention: what is shorter than promised or longer than allowed is refused and changes nothing', async () => {
  const { workspace } = await newTenant(service)
  const wrong: [Record<string, string>, RegExp][] = [
    [{ events: '29' }, /events must be from 30 to 365 days$/],
    [{ events: 'keep' }, /events must be from 30 to 365 days$/],
    [{ deliveries: '7' }, /from 30 to 365 days/],
    [{ 'request-log': '91' }, /from 7 to 90 days/],
    [{ audit: '89' }, /from 90 to 3650 days, or 0 for no end/],
    [{ applications: '121' }, /from 1 to 120 months, or 0 for no end/],
    [{ applications: 'soon' }, /must be a whole number, keep or default/],
  ]
  for (const [options, message] of wrong) await assert.rejects(() => retention(workspace, options), message)
  await assert.rejects(() => retention('wsp_missing'), /there is no workspace/)
  const { json } = await retention(workspace, { events: '60' })
  const rows = (json as { retention: { kind: string; own: number | null; value: number }[] }).retention
  const row = (kind: string) => rows.find(r => r.kind === kind)!
  assert.deepEqual([row('events').value, row('deliveries').value, row('deliveries').own], [60, 60, null])
  assert.equal(row('applications').value, 0)
})

test('retention: the table in docs/operating.md is that of the code', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/operating.md'), 'utf8')
  for (const [kind, rule] of Object.entries(RETENTION)) {
    const least = `${rule.least} ${rule.unit === 'months' && rule.least === 1 ? 'month' : rule.unit}`
    const fallback = rule.fallback === 0 ? 'no end' : `${rule.fallback} ${rule.unit}`
    assert.ok(
      text.includes(
        `| \`${kind}\` | ${rule.description} | ${fallback} | ${least} | ${rule.most.toLocaleString('en')} ${rule.unit}${rule.endless ? ', or no end' : ''} |`,
      ),
      kind,
    )
  }
  for (const [name, { of, after }] of Object.entries(FIXED_RETENTION))
    assert.ok(text.includes(`| \`${name}\` | ${of} | ${after} |`), name)
})
