import assert from 'node:assert/strict'
import { test } from 'node:test'
import { funnelVerbs } from '../../src/cli/funnel.ts'
import { raw, sql } from '../../src/kernel/db/sql.ts'
import { addUpFunnel, checkFunnel } from '../../src/resources/analytics/index.ts'
import { deleteApplication, hireApplication } from '../../src/resources/applications/index.ts'
import { apply, newTenant, startWorld } from '../applications/setup.ts'
import { hiring } from '../harness/process.ts'
import { runVerb } from '../harness/verb.ts'

const world = await startWorld()
const { service } = world
const { db } = service.services
const NOTHING = { application_funnel: 0, funnel_by_day: 0, funnel_by_job: 0, funnel_by_job_and_source: 0 }

/** The same numbers in the same order each time. */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return sides => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

test('funnel counts: match the history at every moment while others apply, move, reject, reopen, hire and delete', async () => {
  const tenant = await newTenant(service)
  const { workspace, key, job } = tenant
  const open = (await Promise.all(Array.from({ length: 12 }, () => apply({ ...tenant, service })))).map(a => a.id)
  let done = false
  const adding = (async () => {
    while (!done) await addUpFunnel(db, 5)
  })()
  const checking = (async () => {
    for (let looks = 0; !done || looks < 2; looks++) assert.deepEqual((await checkFunnel(db)).differing, NOTHING)
  })()
  const acting = Array.from({ length: 6 }, async (_, who) => {
    const roll = dice(who + 1)
    for (let i = 0; i < 25; i++) {
      // the same few applications, so that several act on one of them
      const id = open[roll(open.length)]!
      const as = { workspace, id, originKeyId: null }
      const act = roll(8)
      if (act === 0) open.push((await apply({ ...tenant, service })).id)
      else if (act === 1) await service.post(`/applications/${id}/reject`, key, { reason: 'no' })
      else if (act === 2) await service.post(`/applications/${id}/reopen`, key, {})
      else if (act === 3) await service.post(`/applications/${id}/hire`, key)
      else if (act === 5 && roll(3) === 0) await db.transaction(tx => hireApplication(tx, as)).catch(() => {})
      else if (act === 4 && roll(4) === 0) await db.transaction(tx => deleteApplication(tx, as, 'test')).catch(() => {})
      else await service.post(`/applications/${id}/move`, key, { stage_id: job.stages[roll(job.stages.length)] })
    }
  })
  await Promise.all(acting)
  done = true
  await Promise.all([adding, checking])
  while ((await addUpFunnel(db, 1_000)) > 0);
  assert.deepEqual((await checkFunnel(db)).differing, NOTHING)
  assert.deepEqual(await db.query(sql`select 1 from funnel_changes`), [])
})

test('funnel check: reports success, or names each difference and exits with 1', async () => {
  const tenant = await newTenant(service)
  const one = await apply({ ...tenant, service })
  await service.post(`/applications/${one.id}/move`, tenant.key, { stage_id: tenant.job.stages[2] })
  while ((await addUpFunnel(db, 1_000)) > 0);
  const check = () => runVerb(service, funnelVerbs, 'funnel check', [], {})
  const right = await check()
  assert.match(right.text, /^the counts of \d+ applications match their history$/)
  assert.deepEqual([right.exitCode, (right.json as { differing: unknown }).differing], [0, NOTHING])
  for (const [table, change] of [
    ['application_funnel', 'stays = null'],
    ['funnel_by_day', 'n = n + 1'],
    ['funnel_by_job', 'n = n + 1'],
    ['funnel_by_job_and_source', 'n = n + 1'],
  ]) {
    const undo = change === 'n = n + 1' ? 'n = n - 1' : undefined
    const where = sql`where workspace_id = ${tenant.workspace}`
    await db.query(sql`update ${raw(table!)} set ${raw(change!)} ${where}`)
    const wrong = await check()
    assert.match(wrong.text, new RegExp(`^${table}: \\d+ rows differ from the history$`))
    assert.equal(wrong.exitCode, 1)
    if (undo) await db.query(sql`update ${raw(table!)} set ${raw(undo)} ${where}`)
    else await db.query(sql`select count_application(workspace_id, id) from applications ${where}`)
  }
  assert.equal((await check()).exitCode, 0)
})

test('funnel repair: whatever became wrong is right again, while others keep changing applications', async () => {
  const tenant = await newTenant(service)
  const { workspace, key, job } = tenant
  const ids = (await Promise.all(Array.from({ length: 8 }, () => apply({ ...tenant, service })))).map(a => a.id)
  const move = (id: string, stage: number) =>
    service.post(`/applications/${id}/move`, key, { stage_id: job.stages[stage] })
  for (const id of ids.slice(4)) await move(id, 1)
  while ((await addUpFunnel(db, 5)) > 0);
  const funnel = async () => {
    const { totals, stages, groups } = (await service.get('/analytics/hiring-funnel?group_by=job', key)).body
    return { totals, stages, groups }
  }
  const right = await funnel()
  const where = sql`where workspace_id = ${workspace}`
  // a row too many cannot be: it would belong to no application
  await db.query(sql`delete from application_funnel ${where} and application_id = ${ids[0]!}`)
  await db.query(sql`update application_funnel set code = 0, lot = lot + 1 ${where} and application_id = ${ids[1]!}`)
  await db.query(sql`update application_funnel set stays = '{1}' ${where} and application_id = ${ids[2]!}`)
  await db.query(sql`delete from funnel_changes ${where}`)
  await db.query(sql`delete from funnel_by_job ${where}`)
  await db.query(sql`update funnel_by_day set n = n + 7 ${where}`)
  await db.query(sql`update funnel_by_job_and_source set source = 'nowhere' ${where}`)
  const repair = () => runVerb(service, funnelVerbs, 'funnel repair', [], {})
  const wrong = await repair()
  assert.match(wrong.text, /^application_funnel: 3 rows differed and were recomputed$/m)
  assert.match(wrong.text, /^funnel_by_job: \d+ rows differed/m)
  assert.deepEqual(await funnel(), right)
  assert.deepEqual((await checkFunnel(db)).differing, NOTHING)
  while ((await addUpFunnel(db, 5)) > 0);
  assert.deepEqual(await funnel(), right)
  assert.match((await repair()).text, /match their history$/)

  let done = false
  const acting = Promise.all(
    ids.map(async (id, who) => {
      for (let i = 0; !done; i++) assert.equal((await move(id, (who + i) % 3)).status, 200)
    }),
  )
  const adding = (async () => {
    while (!done) await addUpFunnel(db, 3)
  })()
  for (let i = 0; i < 5; i++) {
    await db.query(sql`update funnel_by_day set n = n + 1 ${where}`)
    await repair()
    assert.deepEqual((await checkFunnel(db)).differing, NOTHING)
  }
  done = true
  await Promise.all([acting, adding])
  assert.deepEqual((await checkFunnel(db)).differing, NOTHING)
})

test('funnel check --help: what it does', async () => {
  const { code, stdout } = await hiring(['funnel', 'check', '--help'], {})
  assert.equal(code, 0)
  assert.match(stdout, /from stage history/)
})
