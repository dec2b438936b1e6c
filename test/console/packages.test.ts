import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { newTenant, sharedWorld, type World } from '../applications/setup.ts'
import { type CheckVendor, checkVendor } from '../hiring/checks-setup.ts'
import { type Person, signedIn } from './setup.ts'

let world: World
let owner: Person
let vendor: CheckVendor

before(async () => {
  world = await sharedWorld()
  owner = await signedIn(world.service, world.workspace)
  vendor = checkVendor(world)
})

const listed = async (person: Person, more = ''): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await person.get(`/packages${more}`)).body.data.map((row: { id: string; status: string }) => [row.id, row.status]),
  )

test('console packages: 200 lists what vendors published, and offers and withdraws one as often as it is asked', async () => {
  const id = await vendor.package({ name: 'Welding', shares: ['phone'] }, 'pending')
  assert.equal((await listed(owner))[id], 'pending')
  const { body } = await owner.get('/packages?status=pending')
  const row = body.data.find((one: { id: string }) => one.id === id)
  assert.deepEqual(
    [row.name, row.vendor.name, row.shares, row.privacy_url],
    ['Welding', 'Codecraft', ['phone'], 'https://vendor.example/privacy'],
  )
  assert.ok(!('workspace_id' in row))
  for (const [act, status] of [
    ['offer', 'active'],
    ['offer', 'active'],
    ['withdraw', 'withdrawn'],
    ['withdraw', 'withdrawn'],
    ['offer', 'active'],
  ] as const) {
    const done = await owner.post(`/packages/${id}/${act}`)
    assert.deepEqual([done.status, done.body.status], [200, status], act)
  }
  assert.ok(!(id in (await listed(owner, '?status=withdrawn'))))
  assert.equal((await listed(owner, '?status=active,withdrawn'))[id], 'active')
})

test('console packages: 404 for another workspace as for a missing one; 403 for members; nothing changes', async () => {
  const id = await vendor.package({}, 'pending')
  const other = await newTenant(world.service)
  const stranger = await signedIn(world.service, other.workspace)
  const member = await signedIn(world.service, world.workspace, { role: 'member' })
  for (const act of ['offer', 'withdraw']) {
    assert.equal((await stranger.post(`/packages/${id}/${act}`)).status, 404)
    assert.equal((await owner.post(`/packages/pkg_unknown/${act}`)).status, 404)
    assert.equal((await owner.post(`/packages/x/${act}`)).status, 404)
    assert.equal((await member.post(`/packages/${id}/${act}`)).status, 403)
  }
  assert.equal((await member.get('/packages')).status, 403)
  assert.deepEqual(await listed(stranger), {})
  assert.equal((await listed(owner))[id], 'pending')
})
