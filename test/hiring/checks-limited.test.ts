import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { apply, type Job, newJob, sharedWorld, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { type CheckVendor, checkVendor } from './checks-setup.ts'

let world: World
let owner: Person
/** on the team of `world.job` alone */
let limited: Person
let vendor: CheckVendor
let outside: Job

before(async () => {
  world = await sharedWorld()
  const enter = (role: 'owner' | 'member', program: 'hiring' | 'console' = 'hiring') =>
    signedIn(world.service, world.workspace, { role, program })
  owner = await enter('owner')
  limited = await enter('member')
  vendor = checkVendor(world)
  outside = await newJob(world.service, world.workspace)
  const boss = await enter('owner', 'console')
  assert.equal((await boss.post(`/people/${limited.userId}/job-access`, { job_access: 'team' })).status, 200)
  const joined = await owner.post(`/jobs/${world.job.id}/team`, { add: [limited.userId], remove: [] })
  assert.equal(joined.status, 200)
})

test('checks: people limited to jobs reach the orders of these jobs alone; others are like orders that do not exist', async () => {
  const packageId = await vendor.package()
  const [mine, theirs] = [await apply(world), await apply({ ...world, job: outside })]
  const place = async (person: Person, application: string) =>
    person.post(`/applications/${application}/orders`, { package_id: packageId })
  const [own, other] = [await place(limited, mine.id), await place(owner, theirs.id)]
  assert.deepEqual([own.status, other.status], [200, 200])
  for (const id of [own.body.id, other.body.id]) {
    await vendor.accept(id)
    await vendor.complete(id, { outcome: 'consider' })
  }
  assert.equal((await place(limited, theirs.id)).status, 404)
  for (const [path, status] of [
    [`/applications/${mine.id}/orders`, 200],
    [`/v1/orders/${own.body.id}`, 200],
    [`/v1/orders/${own.body.id}/result`, 200],
    [`/v1/orders?job_id=${world.job.id}`, 200],
    [`/v1/applications/${mine.id}/orders`, 200],
    [`/applications/${theirs.id}/orders`, 404],
    [`/v1/orders/${other.body.id}`, 404],
    [`/v1/orders/${other.body.id}/result`, 404],
    [`/v1/orders?job_id=${outside.id}`, 404],
    [`/v1/applications/${theirs.id}/orders`, 404],
    [`/v1/orders?job_id=${world.job.id}&application_id=${theirs.id}`, 404],
  ] as const)
    assert.equal((await limited.get(path)).status, status, path)
  for (const at of [`${theirs.id}/orders/${other.body.id}`, `${mine.id}/orders/${other.body.id}`])
    for (const [name, body] of [
      ['repeat', undefined],
      ['reviewed', { reviewed: true }],
      ['cancel', { notify_candidate: false }],
      ['extend', { due_at: new Date(Date.now() + 86_400_000).toISOString() }],
    ] as const)
      assert.equal((await limited.post(`/applications/${at}/${name}`, body)).status, 404, `${at} ${name}`)
  assert.notEqual((await limited.get('/v1/orders')).status, 200)
  const many = { package_id: packageId, application_ids: [mine.id, theirs.id] }
  for (const path of ['orders/preview', 'orders'])
    assert.equal((await limited.post(`/jobs/${world.job.id}/${path}`, many)).status, 404, path)
  const foreignAdverse = await limited.post('/applications/adverse-results', { application_ids: [mine.id, theirs.id] })
  assert.equal(foreignAdverse.status, 404)
  const ownAdverse = await limited.post('/applications/adverse-results', { application_ids: [mine.id] })
  assert.deepEqual(ownAdverse.body, { adverse: [mine.id] })
  const tasks = (await limited.get('/tasks')).body.checks.map((task: { order_id: string }) => task.order_id)
  assert.deepEqual([tasks.includes(own.body.id), tasks.includes(other.body.id)], [true, false])
})
