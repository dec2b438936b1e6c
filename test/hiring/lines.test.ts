import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { apply, newJob, sharedWorld, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'

let world: World
let owner: Person

before(async () => {
  world = await sharedWorld()
  owner = await signedIn(world.service, world.workspace, { role: 'owner', program: 'hiring' })
})

/** Overrides of the reading direction, an isolate and a control character. */
const DISORDERING = ['\u202e', '\u202a', '\u2066', '\u2069', '\u0007']

/** The parameters that a 400 names. */
const faultsOf = async (path: string, body: object): Promise<string[]> => {
  const { status, body: response, text } = await owner.post(path, body)
  assert.equal(status, 400, text)
  return response.detail.errors.map(({ param }: { param: string }) => param)
}

test('hiring pages: 400 names a title, stage, tag, list or project that would reorder the text around it; nothing is stored', async () => {
  const job = await newJob(world.service, world.workspace)
  const { id } = await apply({ ...world, job })
  const list = (await owner.post('/v1/lists', { name: 'Welders' })).body.id
  const stages = (await owner.get(`/jobs/${job.id}/stages`)).body
  for (const sign of DISORDERING) {
    const text = `Wel${sign}der`
    assert.deepEqual(await faultsOf('/jobs', { job: { title: text } }), ['title'])
    assert.deepEqual(await faultsOf(`/jobs/${job.id}`, { changes: { title: text } }), ['title'])
    assert.deepEqual(await faultsOf(`/jobs/${job.id}/duplicate`, { title: text }), ['title'])
    assert.deepEqual(await faultsOf(`/applications/${id}/tags`, { add: text }), ['add'])
    assert.deepEqual(await faultsOf('/sourcing/projects', { name: text }), ['name'])
    assert.deepEqual(await faultsOf(`/sourcing/lists/${list}`, { name: text }), ['name'])
    const renamed = stages.stages.map(
      ({ id: stageId, name, type }: { id: string; name: string; type: string }, i: number) => ({
        id: stageId,
        type,
        name: i === 1 ? text : name,
      }),
    )
    assert.deepEqual(await faultsOf(`/jobs/${job.id}/stages`, { stages: renamed }), ['stages[1].name'])
  }
  assert.equal((await owner.get(`/v1/jobs/${job.id}`)).body.title, 'Engineer')
  assert.deepEqual((await owner.get(`/jobs/${job.id}/stages`)).body, stages)
})

test('hiring pages: 200 for titles and tags in scripts that are written from right to left', async () => {
  const job = await newJob(world.service, world.workspace)
  const changed = await owner.post(`/jobs/${job.id}`, { changes: { title: 'رتاك \u200c ולדר \u200f(A)' } })
  assert.equal(changed.status, 200, changed.text)
  const { id } = await apply({ ...world, job })
  assert.equal((await owner.post(`/applications/${id}/tags`, { add: 'מומלץ' })).status, 200)
})
