import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { apply, newJob, startWorld, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'

let world: World
let owner: Person
let viewer: Person

before(async () => {
  world = await startWorld()
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
    found.candidates.map(({ name, job_title }: { name: string; job_title: string }) => [name, job_title]),
    [['Zenobia Of_Palmyra', 'Engineer']],
  )
  assert.equal((await owner.get('/search?q=of_palm')).body.candidates.length, 1)
  assert.deepEqual((await owner.get('/search?q=o%25palm')).body.candidates, [])
  assert.deepEqual((await owner.get('/search?q=ze')).body.candidates, [], 'two letters would read every name')
  assert.deepEqual((await viewer.get('/search?q=zenobia')).body.candidates, [])
  assert.ok((await viewer.get('/search?q=olga')).body.members.length > 0)
  assert.equal((await owner.get('/search?q=')).status, 400)
})
