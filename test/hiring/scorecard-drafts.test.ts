import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { removeUser } from '../../src/resources/users/index.ts'
import { apply, newTenant, readEvents, startWorld, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'

let world: World
let owner: Person
let peng: Person
let viewer: Person

before(async () => {
  world = await startWorld()
  const enter = (role: 'owner' | 'member' | 'viewer') =>
    signedIn(world.service, world.workspace, { role, program: 'hiring' })
  owner = await enter('owner')
  peng = await enter('member')
  viewer = await enter('viewer')
})

const path = (id: string) => `/applications/${id}/scorecard-draft`
const content = (summary: string) => ({
  recommendation: null,
  summary,
  ratings: [{ name: 'Depth', score: 4, comment: '' }],
  asked: ['Why us?'],
})
const save = (person: Person, id: string, summary: string, version: string | null) =>
  person.post(path(id), { content: content(summary), expected_version: version })
const draftOf = async (person: Person, id: string) => (await person.get(path(id))).body.draft
const rows = async (id: string) =>
  (await world.service.services.db.query(sql`select 1 from scorecard_drafts where application_id = ${id}`)).length
const changesOf = async (id: string) =>
  (await readEvents(world, world.workspace)).filter(({ data }) => data.object['id'] === id).length

test('a draft is there on another device, for its author alone, and changes nothing of the application', async () => {
  const { id } = await apply(world)
  const before = await changesOf(id)
  assert.equal(await draftOf(peng, id), null)
  const saved = await save(peng, id, 'half a card', null)
  assert.equal(saved.status, 200, saved.text)
  const phone = await draftOf(peng, id)
  assert.deepEqual([phone.content, phone.version], [content('half a card'), saved.body.draft.version])
  const more = await save(peng, id, 'the rest', phone.version)
  assert.notEqual(more.body.draft.version, phone.version)
  assert.equal((await draftOf(peng, id)).content.summary, 'the rest')
  const panel = await peng.get(`/applications/${id}/scorecards`)
  assert.equal(panel.body.draft.content.summary, 'the rest')
  for (const url of [path(id), `/applications/${id}/scorecards`, `/applications/${id}/activity`, `/candidates/${id}`])
    assert.ok(!(await owner.get(url)).text.includes('the rest'), url)
  assert.equal(await draftOf(owner, id), null)
  assert.equal(await changesOf(id), before)
})

test('409 stale_resource: a device that did not see the last save, the submission or the discard stores nothing', async () => {
  const { id } = await apply(world)
  const first = (await save(peng, id, 'laptop', null)).body.draft.version
  const second = (await save(peng, id, 'phone', first)).body.draft.version
  const stale = await save(peng, id, 'laptop again', first)
  assert.deepEqual([stale.status, stale.body.detail.code], [409, 'stale_resource'])
  assert.equal((await draftOf(peng, id)).content.summary, 'phone')
  assert.equal((await save(peng, id, 'new tab', null)).status, 409)
  const both = await Promise.all([save(peng, id, 'one', second), save(peng, id, 'two', second)])
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409])
  const { version } = await draftOf(peng, id)
  const gone = await peng.post(path(id), { content: null, expected_version: version })
  assert.deepEqual([gone.status, gone.body.draft], [200, null])
  assert.equal((await save(peng, id, 'late', version)).status, 409)
  assert.equal(await rows(id), 0)
})

test('a draft ends with the submission of its author, and not with a card that a key sends or a colleague submits', async () => {
  const { id } = await apply(world)
  const { version } = (await save(peng, id, 'mine', null)).body.draft
  const card = { recommendation: 'yes', summary: 'x' }
  assert.equal((await owner.post(`/v1/applications/${id}/scorecards`, card)).status, 201)
  assert.equal((await world.service.post(`/applications/${id}/scorecards`, world.key, card)).status, 201)
  assert.equal(await rows(id), 1)
  assert.equal((await peng.post(`/v1/applications/${id}/scorecards`, card)).status, 201)
  assert.equal(await rows(id), 0)
  assert.equal((await save(peng, id, 'after', version)).status, 409)
})

test('a draft ends with the application, with the member, and is not shown of a stopped person', async () => {
  const [one, two, three] = [await apply(world), await apply(world), await apply(world)]
  const { db } = world.service.services
  for (const { id } of [one, two, three]) assert.equal((await save(peng, id, 'x', null)).status, 200)
  await db.query(sql`delete from applications where workspace_id = ${world.workspace} and id = ${one.id}`)
  assert.equal(await rows(one.id), 0)
  await db.query(sql`update applicants set suppressed_at = app_now() where id = ${two.applicant_id}`)
  assert.equal(await draftOf(peng, two.id), null)
  assert.equal((await peng.get(`/applications/${two.id}/scorecards`)).body.draft, null)
  assert.ok((await save(peng, two.id, 'y', null)).status >= 400)
  const leaving = await signedIn(world.service, world.workspace, { role: 'member', program: 'hiring' })
  assert.equal((await save(leaving, three.id, 'z', null)).status, 200)
  assert.equal(await rows(three.id), 2)
  await removeUser(db, { workspace: world.workspace, user: leaving.userId })
  assert.equal(await rows(three.id), 1)
})

test('drafts: 403 for viewers, 404 for another workspace, 400 for what no form sends', async () => {
  const { id } = await apply(world)
  assert.equal((await viewer.get(path(id))).status, 403)
  assert.equal((await save(viewer, id, 'x', null)).status, 403)
  const other = await newTenant(world.service)
  const away = await apply({ service: world.service, ...other })
  for (const strange of [away.id, 'app_none']) {
    assert.equal((await peng.get(path(strange))).status, 404)
    assert.equal((await save(peng, strange, 'x', null)).status, 404)
  }
  for (const wrong of [
    { recommendation: 'maybe' },
    { ratings: [{ name: 'Depth', score: 6, comment: '' }] },
    { summary: 'x'.repeat(10_001) },
    { more: 1 },
  ]) {
    const sent = { content: { ...content('x'), ...wrong }, expected_version: null }
    assert.equal((await peng.post(path(id), sent)).status, 400, JSON.stringify(wrong))
  }
})

test('remarks: the author alone adds them, dated, to a card that stays as it was; partners get scorecards changed', async () => {
  const { id } = await apply(world)
  const other = await apply(world)
  const card = await peng.post(`/v1/applications/${id}/scorecards`, { recommendation: 'yes', summary: 'Good' })
  const remarks = (application: string, of = card.body.id) => `/applications/${application}/scorecards/${of}/remarks`
  const before = await changesOf(id)
  const added = await peng.post(remarks(id), { body: 'Also knows Rust.' })
  assert.equal(added.status, 200, added.text)
  const [event] = (await readEvents(world, world.workspace)).filter(({ data }) => data.object['id'] === id).slice(-1)
  assert.deepEqual([await changesOf(id), event?.type], [before + 1, 'application.updated'])
  assert.deepEqual(event?.data.object['changed'], ['scorecards'])
  await peng.post(remarks(id), { body: 'And Go.' })
  const { cards } = (await owner.get(`/applications/${id}/scorecards`)).body
  assert.equal(cards[0].summary, 'Good')
  assert.deepEqual(
    cards[0].remarks.map((remark: { body: string }) => remark.body),
    ['Also knows Rust.', 'And Go.'],
  )
  assert.equal(new Date(cards[0].remarks[0].created_at).toISOString(), added.body.created_at)
  assert.equal((await owner.post(remarks(id), { body: 'x' })).status, 404)
  assert.equal((await peng.post(remarks(other.id), { body: 'x' })).status, 404)
  assert.equal((await peng.post(remarks(id, 'nothing'), { body: 'x' })).status, 404)
  assert.equal((await peng.post(remarks(id), { body: '  ' })).status, 400)
  assert.equal((await viewer.post(remarks(id), { body: 'x' })).status, 403)
  // the API shows scorecards as they were
  const listed = (await world.service.get(`/applications/${id}/scorecards`, world.key)).body.data[0]
  assert.ok(!JSON.stringify(listed).includes('Rust'))
})
