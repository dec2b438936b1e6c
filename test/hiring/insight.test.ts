import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { apply, newJob, newTenant, sharedWorld, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'

let world: World
let owner: Person
let viewer: Person

before(async () => {
  world = await sharedWorld()
  owner = await signedIn(world.service, world.workspace, { role: 'owner', program: 'hiring' })
  viewer = await signedIn(world.service, world.workspace, { role: 'viewer', program: 'hiring' })
  const { service, key, job } = world
  const move = (id: string, stage: number) =>
    service.post(`/applications/${id}/move`, key, { stage_id: job.stages[stage] })
  // one waits, two moved on, one of them is rejected in the interview, one is hired
  await apply(world)
  const screened = await apply(world)
  await move(screened.id, 1)
  const rejected = await apply(world)
  await move(rejected.id, 1)
  await move(rejected.id, 2)
  await service.post(`/applications/${rejected.id}/reject`, key, { reason: 'other' })
  const hired = await apply(world)
  await move(hired.id, 2)
  await service.post(`/applications/${hired.id}/hire`, key, {})
  await apply({ ...world, job: await newJob(service, world.workspace) })
})

const behind = async (person: Person, query: string) => {
  const { status, body } = await person.get(`/insight/applications?${query}`)
  assert.equal(status, 200)
  return body.data as { id: string; name: string | null; status: string }[]
}

test('insight: every number of the funnel has as many applications behind it, by status, by type and by stage', async () => {
  for (const job of [undefined, world.job.id]) {
    const filter = job === undefined ? '' : `&job_id=${job}`
    const { body: funnel } = await owner.get(`/v1/analytics/hiring-funnel?group_by=job${filter}`)
    assert.ok(funnel.totals.applications >= 4)
    assert.equal((await behind(owner, `limit=100${filter}`)).length, funnel.totals.applications)
    for (const status of ['new', 'in_review', 'advanced', 'rejected', 'withdrawn', 'hired']) {
      assert.equal((await behind(owner, `status=${status}${filter}`)).length, funnel.totals[status], status)
    }
    for (const stage of funnel.stages) {
      const part = stage.stage_id ? `stage_id=${stage.stage_id}` : `stage_type=${stage.stage_type}`
      for (const outcome of ['reached', 'current', 'advanced', 'rejected', 'withdrawn', 'hired']) {
        const rows = await behind(owner, `${part}&outcome=${outcome}${filter}`)
        assert.equal(rows.length, stage[outcome], `${part} ${outcome}`)
      }
    }
    for (const group of funnel.groups) {
      assert.equal((await behind(owner, `job_id=${group.key}`)).length, group.totals.applications)
    }
  }
})

const OUTCOMES = ['reached', 'current', 'advanced', 'rejected', 'withdrawn', 'hired'] as const

test('insight: every number of every group has as many applications behind it: job, department, source, week, month', async () => {
  const { service, workspace, key, job } = world
  const { db } = service.services
  await db.query(sql`update jobs set department = 'Welding' where workspace_id = ${workspace} and id = ${job.id}`)
  await apply(world, { source: { system: 'other_ats' } })
  // at the first moment of a week, which belongs to the week that begins there
  const early = await apply(world)
  await service.post(`/applications/${early.id}/move`, key, { stage_id: job.stages[2] })
  const monday = new Date(Date.now() - 21 * 86_400_000)
  monday.setUTCDate(monday.getUTCDate() - ((monday.getUTCDay() + 6) % 7))
  const at = `${monday.toISOString().slice(0, 10)}T00:00:00.000Z`
  await db.query(sql`
    update applications set applied_at = ${at}::timestamptz where workspace_id = ${workspace} and id = ${early.id}`)
  for (const grouping of ['job', 'department', 'source', 'week', 'month']) {
    const { body: funnel } = await owner.get(`/v1/analytics/hiring-funnel?group_by=${grouping}`)
    assert.ok(funnel.groups.length >= (grouping === 'month' ? 1 : 2), grouping)
    let sum = 0
    for (const group of funnel.groups) {
      const part = `group_by=${grouping}${group.key === null ? '' : `&group=${encodeURIComponent(group.key)}`}`
      const label = `${part} ${group.label}`
      const all = await behind(owner, `limit=100&${part}`)
      assert.equal(all.length, group.totals.applications, label)
      sum += all.length
      for (const status of ['new', 'in_review', 'advanced', 'rejected', 'withdrawn', 'hired']) {
        assert.equal((await behind(owner, `${part}&status=${status}`)).length, group.totals[status], label)
      }
      for (const stage of group.stages) {
        for (const outcome of OUTCOMES) {
          const rows = await behind(owner, `${part}&stage_type=${stage.stage_type}&outcome=${outcome}`)
          assert.equal(rows.length, stage[outcome], `${label} ${stage.stage_type} ${outcome}`)
        }
        const passed = await behind(owner, `${part}&stage_type=${stage.stage_type}&outcome=passed`)
        assert.equal(passed.length, stage.advanced + stage.hired, label)
        assert.ok(Math.abs(passed.length / stage.reached - stage.conversion_rate) < 0.0001, 'what the rate is of')
      }
    }
    assert.equal(sum, funnel.totals.applications)
  }
})

test('insight: 400 names the parameter where a group is no group of the funnel; one of another workspace is empty', async () => {
  for (const [query, param] of [
    ['group=2026-11-02', 'group_by'],
    ['group_by=week', 'group'],
    ['group_by=month&group=soon', 'group'],
    ['group_by=week&group=2026-02-30', 'group'],
    ['group_by=none', 'group_by'],
  ]) {
    const { status, body } = await owner.get(`/insight/applications?${query}`)
    assert.equal(status, 400, query)
    assert.equal(body.detail.errors[0].param, param, query)
  }
  const elsewhere = await newTenant(world.service)
  await apply({ ...world, ...elsewhere })
  assert.deepEqual(await behind(owner, `group_by=job&group=${elsewhere.job.id}`), [])
})

test('insight: who reached a stage is history: 403 for roles that may not read it; who is there now is not', async () => {
  const part = `stage_type=interview&outcome=reached`
  assert.equal((await viewer.get(`/insight/applications?${part}`)).status, 403)
  assert.equal((await viewer.get('/insight/applications?stage_type=interview&outcome=current')).status, 200)
})

test('insight: names only for roles that may read them; pages continue by cursor', async () => {
  assert.ok((await behind(owner, 'limit=100')).every(({ name }) => name === 'Ada Byron'))
  assert.ok((await behind(viewer, 'limit=100')).every(({ name }) => name === null))
  const first = (await owner.get('/insight/applications?limit=2')).body
  const second = (await owner.get(`/insight/applications?limit=2&cursor=${first.next_cursor}`)).body
  assert.equal(new Set([...first.data, ...second.data].map(({ id }: { id: string }) => id)).size, 4)
})

test('insight: 400 for a window that the funnel refuses, naming the parameter', async () => {
  const { status, body } = await owner.get('/insight/applications?applied_after=2001-01-01T00:00:00Z')
  assert.equal(status, 400)
  assert.equal(body.detail.errors[0].param, 'applied_after')
})

test('search: candidates by parts of a name for roles that may read names, members by name; wildcards are letters', async () => {
  await apply(world, {}, { first_name: 'Zenobia', last_name: 'Of_Palmyra' })
  const found = (await owner.get('/search?q=zenob%20palmy')).body
  assert.deepEqual(
    found.candidates.map((one: Record<string, string>) => [
      one['name'],
      one['job_title'],
      one['stage_name'],
      one['status'],
    ]),
    [['Zenobia Of_Palmyra', 'Engineer', 'Applied', 'new']],
  )
  assert.equal((await owner.get('/search?q=of_palm')).body.candidates.length, 1)
  assert.deepEqual((await owner.get('/search?q=o%25palm')).body.candidates, [])
  assert.equal((await owner.get('/search?q=ze')).body.candidates.length, 1, 'two letters begin a word')
  assert.deepEqual(
    (await owner.get('/search?q=en')).body.candidates,
    [],
    'two letters within words would read every name',
  )
  assert.deepEqual((await owner.get('/search?q=z')).body.candidates, [], 'one letter would read every name')
  assert.deepEqual((await viewer.get('/search?q=zenobia')).body.candidates, [])
  assert.ok((await viewer.get('/search?q=olga')).body.members.length > 0)
  assert.equal((await owner.get('/search?q=')).status, 400)
})
