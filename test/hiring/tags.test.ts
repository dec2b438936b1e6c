import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { apply, newTenant, readEvents, sharedWorld, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'

let world: World
let member: Person
let viewer: Person

before(async () => {
  world = await sharedWorld()
  member = await signedIn(world.service, world.workspace, { role: 'member', program: 'hiring' })
  viewer = await signedIn(world.service, world.workspace, { role: 'viewer', program: 'hiring' })
})

const change = (person: Person, id: string, body: object) => person.post(`/applications/${id}/tags`, body)
const tagsOf = async (person: Person, ids: string[]) =>
  (await person.get(`/tags/of-applications?application_ids=${ids.join(',')}`)).body.tags

test('hiring tags: added and removed once whatever the spelling; viewers read them and are refused a change', async () => {
  const { id } = await apply(world)
  assert.deepEqual((await change(member, id, { add: '  Second   Interview ' })).body.tags, ['Second Interview'])
  assert.deepEqual((await change(member, id, { add: 'second interview' })).body.tags, ['Second Interview'])
  assert.deepEqual((await change(member, id, { add: 'Berlin' })).body.tags, ['Berlin', 'Second Interview'])
  assert.equal((await change(viewer, id, { add: 'No' })).status, 403)
  assert.deepEqual(await tagsOf(viewer, [id]), { [id]: ['Berlin', 'Second Interview'] })
  assert.deepEqual((await change(member, id, { remove: 'BERLIN' })).body.tags, ['Second Interview'])
})

test('hiring tags: application.updated with `changed: ["tags"]` for a change, and none where nothing changed', async () => {
  const { id } = await apply(world)
  const updates = async () =>
    (await readEvents(world, world.workspace)).filter(
      event => event.type === 'application.updated' && event.data.object['id'] === id,
    )
  await change(member, id, { add: 'Remote' })
  await change(member, id, { add: 'remote' })
  await change(member, id, { remove: 'Nothing' })
  const events = await updates()
  assert.equal(events.length, 1)
  assert.deepEqual(events[0]!.data.object['changed'], ['tags'])
  assert.ok(!JSON.stringify(events).includes('Remote'))
})

test('hiring tags: many applications in one call, other workspaces left out; suggestions with the most used first', async () => {
  const [first, second] = [await apply(world), await apply(world)]
  await change(member, first.id, { add: 'Popular' })
  await change(member, second.id, { add: 'popular' })
  await change(member, second.id, { add: 'Rare' })
  const other = await newTenant(world.service)
  const away = await apply({ service: world.service, ...other })
  const stranger = await signedIn(world.service, other.workspace, { program: 'hiring' })
  await change(stranger, away.id, { add: 'Elsewhere' })
  assert.deepEqual(await tagsOf(viewer, [first.id, second.id, away.id, 'none']), {
    [first.id]: ['Popular'],
    [second.id]: ['popular', 'Rare'],
  })
  const { tags } = (await viewer.get('/tags')).body
  assert.ok(!tags.some((tag: { name: string }) => tag.name === 'Elsewhere'))
  assert.equal(tags[0].used, 2)
  assert.equal(tags[0].name, 'popular')
  for (const id of [away.id, 'app_none']) assert.equal((await change(member, id, { add: 'x' })).status, 404)
})

test('hiring tags: 400 for a blank or too long tag, a control character, a comma, and more than 20; nothing is stored', async () => {
  const { id } = await apply(world)
  for (const add of ['  ', 'x'.repeat(41), 'a\u0007b', 'a, b']) {
    const refused = await change(member, id, { add })
    assert.deepEqual([refused.status, refused.body.detail.param], [400, 'add'])
  }
  assert.equal((await change(member, id, {})).status, 400)
  for (let i = 0; i < 20; i++) await change(member, id, { add: `tag ${i}` })
  assert.equal((await change(member, id, { add: 'one more' })).status, 400)
  assert.equal((await tagsOf(member, [id]))[id].length, 20)
})

test('hiring tags: not shown and not changed for a person whose processing was stopped', async () => {
  const application = await apply(world)
  await change(member, application.id, { add: 'Before' })
  await world.service.services.db.query(
    sql`update applicants set suppressed_at = app_now() where id = ${application.applicant_id}`,
  )
  assert.deepEqual(await tagsOf(member, [application.id]), {})
  const many = await member.get(`/tags/of-applications?application_ids=${Array(201).fill('app_1').join(',')}`)
  assert.deepEqual([many.status, many.body.detail.param], [400, 'application_ids'])
  assert.equal((await change(member, application.id, { add: 'After' })).body.detail.code, 'applicant_suppressed')
})
