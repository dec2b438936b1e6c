import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
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

/** Offers what is there now. */
const offer = async (person: Person, id: string) => {
  const { updated_at } = (await owner.get(`/packages/${id}`)).body
  return person.post(`/packages/${id}/offer`, { expected_updated_at: updated_at })
}

const logOf = (id: string) =>
  world.service.services.db.query(sql`
    select action, user_id, details from workspace_log
    where workspace_id = ${world.workspace} and details->>'package' = ${id} order by id`)

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
    const done = await (act === 'offer' ? offer(owner, id) : owner.post(`/packages/${id}/withdraw`))
    assert.deepEqual([done.status, done.body.status], [200, status], act)
  }
  assert.deepEqual(
    await logOf(id),
    ['package_offered', 'package_withdrawn', 'package_offered'].map(action => ({
      action,
      user_id: owner.userId,
      details: { package: id, vendor: vendor.id, shares: ['phone'] },
    })),
  )
  assert.ok(!(id in (await listed(owner, '?status=withdrawn'))))
  assert.equal((await listed(owner, '?status=active,withdrawn'))[id], 'active')
})

test('console packages: 404 for another workspace as for a missing one; 403 for members; nothing changes', async () => {
  const id = await vendor.package({}, 'pending')
  const other = await newTenant(world.service)
  const stranger = await signedIn(world.service, other.workspace)
  const member = await signedIn(world.service, world.workspace, { role: 'member' })
  const expected_updated_at = new Date().toISOString()
  for (const [act, body] of [
    ['offer', { expected_updated_at }],
    ['withdraw', undefined],
  ] as const) {
    assert.equal((await stranger.post(`/packages/${id}/${act}`, body)).status, 404)
    assert.equal((await owner.post(`/packages/pkg_unknown/${act}`, body)).status, 404)
    assert.equal((await owner.post(`/packages/x/${act}`, body)).status, 404)
    assert.equal((await member.post(`/packages/${id}/${act}`, body)).status, 403)
  }
  for (const [person, path, status] of [
    [stranger, id, 404],
    [owner, 'pkg_unknown', 404],
    [owner, 'x', 404],
    [member, id, 403],
  ] as const)
    assert.equal((await person.get(`/packages/${path}`)).status, status)
  assert.equal((await member.get('/packages')).status, 403)
  assert.deepEqual(await listed(stranger), {})
  assert.equal((await listed(owner))[id], 'pending')
})

test('console packages: 409 stale_resource for a package that changed after it was read, 400 without a version; nothing is offered or logged', async () => {
  const external_id = 'changed while it waits'
  const id = await vendor.package({ external_id, shares: ['email'] }, 'pending')
  const read = (await owner.get(`/packages/${id}`)).body
  assert.equal(await vendor.package({ external_id, shares: ['email', 'phone', 'resume'] }, 'pending'), id)
  const refused = await owner.post(`/packages/${id}/offer`, { expected_updated_at: read.updated_at })
  assert.deepEqual([refused.status, refused.body.detail.code], [409, 'stale_resource'])
  for (const body of [undefined, {}, { expected_updated_at: null }])
    assert.equal((await owner.post(`/packages/${id}/offer`, body)).status, 400)
  assert.equal((await listed(owner))[id], 'pending')
  assert.deepEqual(await logOf(id), [])
  assert.equal((await offer(owner, id)).status, 200)
})
