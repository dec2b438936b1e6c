import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { grantCredits, selectBalance } from '../../src/resources/credits/index.ts'
import { apply, newTenant, readEvents, sharedWorld, upload, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'

let world: World
let owner: Person
let admin: Person
let member: Person
let viewer: Person

before(async () => {
  world = await sharedWorld()
  const enter = (role: 'owner' | 'admin' | 'member' | 'viewer') =>
    signedIn(world.service, world.workspace, { role, program: 'hiring' })
  owner = await enter('owner')
  admin = await enter('admin')
  member = await enter('member')
  viewer = await enter('viewer')
})

const withResume = async () => apply(world, { resume_upload_id: await upload(world) })

/** The résumé of someone who applied so many days ago is open until 90, shown without its file until 120, then locked. */
const withOldResume = async (days = 130) => {
  const application = await withResume()
  await world.service.services.db.query(sql`
    update applications set applied_at = app_now() - ${days}::integer * interval '1 day' where id = ${application.id}`)
  return application
}

const grant = (amount: number) => grantCredits(world.service.services.db, world.workspace, { amount, note: 'Order 1' })
const balance = async () => (await world.service.services.db.one(selectBalance(world.workspace)))?.balance ?? 0
const unlock = (person: Person, id: string) => person.post(`/applications/${id}/unlock-resume`)
const stateOf = async (id: string) => (await owner.get(`/v1/applications/${id}`)).body.resume_access.state

test('POST /applications/{id}/unlock-resume: 402 credits_insufficient: changes nothing and does not say the balance', async () => {
  const { id } = await withOldResume()
  const { status, body } = await unlock(member, id)
  assert.equal(status, 402)
  assert.equal(body.detail.code, 'credits_insufficient')
  assert.equal(body.detail.type, 'payment_required')
  assert.match(body.detail.message, /costs 50 credits/)
  assert.equal(await stateOf(id), 'locked')
  const changed = (await readEvents(world, world.workspace)).filter(e => e.type === 'resume.access_changed')
  assert.deepEqual(changed, [])
})

test('POST /applications/{id}/unlock-resume: 200 costs 50 once, also if two unlock it at the same time; the event has no origin', async () => {
  await grant(120)
  const { id } = await withOldResume()
  const both = await Promise.all([unlock(member, id), unlock(owner, id), unlock(member, id)])
  assert.deepEqual(
    both.map(({ status }) => status),
    [200, 200, 200],
  )
  assert.equal(await balance(), 70)
  assert.equal(await stateOf(id), 'unlocked')
  const changed = (await readEvents(world, world.workspace)).filter(e => e.type === 'resume.access_changed')
  assert.equal(changed.length, 1)
  assert.equal(changed[0]!.data.object['state'], 'unlocked')
  assert.ok(!('origin' in changed[0]!.data.object))
})

test('POST /applications/{id}/unlock-resume: 200 costs nothing while the résumé is open, also if two do it; 50 once it is not', async () => {
  const { id } = await withResume()
  const both = await Promise.all([unlock(member, id), unlock(owner, id)])
  assert.deepEqual(
    both.map(({ status }) => status),
    [200, 200],
  )
  assert.equal(await balance(), 70)
  assert.equal(await stateOf(id), 'open')
  const shown = await withOldResume(100)
  assert.equal(await stateOf(shown.id), 'view_only')
  assert.equal((await unlock(member, shown.id)).status, 200)
  assert.deepEqual([await stateOf(shown.id), await balance()], ['unlocked', 20])
  await grant(50)
  assert.equal((await unlock(member, shown.id)).status, 200)
  assert.equal(await balance(), 70, 'what is unlocked is not paid for again')
})

test('POST /applications/{id}/unlock-resume: 403 for a viewer; 404 for another workspace as for a missing one, and without a résumé', async () => {
  const { id } = await withOldResume()
  const refused = await unlock(viewer, id)
  assert.deepEqual([refused.status, refused.body.detail.code], [403, 'role_required'])
  const tenant = await newTenant(world.service)
  const stranger = await signedIn(world.service, tenant.workspace, { program: 'hiring' })
  await grantCredits(world.service.services.db, tenant.workspace, { amount: 500, note: 'Order 2' })
  const [other, missing] = await Promise.all([unlock(stranger, id), unlock(stranger, 'app_none')])
  assert.deepEqual([other.status, missing.status], [404, 404])
  assert.equal(other.body.detail.message, missing.body.detail.message)
  assert.equal((await unlock(owner, (await apply(world)).id)).status, 404)
  assert.equal(await balance(), 70)
})

test('POST /applications/{id}/unlock-resume: 409 applicant_suppressed: nothing is paid for a person whose processing was stopped', async () => {
  const { id, applicant_id } = await withOldResume()
  await world.service.services.db.query(sql`
    update applicants set suppressed_at = app_now() where workspace_id = ${world.workspace} and id = ${applicant_id}`)
  const { status, body } = await unlock(owner, id)
  assert.deepEqual([status, body.detail.code], [409, 'applicant_suppressed'])
  assert.equal(await balance(), 70)
})

test('GET /credits, /credits/entries: 200 for owners and admins; 403 for members and viewers', async () => {
  for (const path of ['/credits', '/credits/entries']) {
    const seen = await Promise.all([owner, admin, member, viewer].map(person => person.get(path)))
    assert.deepEqual(
      seen.map(({ status }) => status),
      [200, 200, 403, 403],
      path,
    )
  }
  assert.deepEqual((await owner.get('/credits')).body, {
    balance: 70,
    resume_unlock_price: 50,
    contact_reveal_price: 5,
  })
  const { data, next_before } = (await admin.get('/credits/entries')).body
  assert.equal(next_before, null)
  const [, , spent, granted] = data
  assert.deepEqual([spent.kind, spent.amount, spent.balance, granted.kind], ['resume_unlock', -50, 70, 'grant'])
  assert.ok([member.userId, owner.userId].includes(spent.by.id))
  assert.equal(spent.by.name, 'Pia')
  assert.deepEqual([granted.by, granted.note, granted.subject_id], [null, 'Order 1', null])
  assert.deepEqual((await owner.get('/credits/entries?before=2')).body.data, [granted])
  assert.equal((await owner.get('/credits/entries?before=0')).status, 400)
})

test('credits: the API for partners has no word about the balance', async () => {
  const { text } = await world.service.get('/openapi.json')
  const named = [...text.matchAll(/[a-z_]*credit[a-z_]*/gi)].map(([word]) => word)
  assert.deepEqual([...new Set(named)].toSorted(), ['unlock_credits'])
  assert.equal((await world.service.get('/credits', world.key)).status, 404)
})
