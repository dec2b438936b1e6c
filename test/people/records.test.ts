import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIVE_SCOPES } from '../../src/contract/scopes.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { editApplicant, importApplicant } from '../../src/resources/applicants/index.ts'
import { apply, newJob, newTenant, readEvents, sharedWorld, upload, type World } from '../applications/setup.ts'

const world = await sharedWorld()
const { service } = world
const { db } = service.services
const other = { service, ...(await newTenant(service)) }

const url = (name: string) => `https://www.linkedin.com/in/${name}`
const resolve = async (query: string, at: Pick<World, 'key'> = world) =>
  (await service.get(`/people/resolve?${query}`, at.key)).body
const idsOf = (body: { data: { id: string }[] }) => body.data.map(row => row.id)
const without = (...left: string[]) =>
  service.key({ workspace: world.workspace, scopes: LIVE_SCOPES.filter(scope => !left.includes(scope)) })

// two applicants of one LinkedIn address, one of them with two applications
const linkedin_url = url('ada')
const second = { ...world, job: await newJob(service, world.workspace) }
const one = await apply(world, { resume_upload_id: await upload(world) }, { email: 'a1@example.org', linkedin_url })
const two = await apply(second, { resume_upload_id: await upload(world) }, { email: 'a1@example.org' })
const three = await apply(world, {}, { email: 'a2@example.org', linkedin_url })
await apply(world, { resume_upload_id: await upload(world) }, { email: 'b@example.org', linkedin_url: url('bob') })
await apply(other, { resume_upload_id: await upload(other) }, { email: 'a1@example.org', linkedin_url })
const exact = await resolve(`linkedin_url=${linkedin_url}`)
const probable = await resolve('email=a1@example.org')

test('records of a person: 200 applications of a person: those of all applicants matched exactly, most recently updated first, in pages', async () => {
  const { status, body } = await service.get(`/people/${exact.id}/applications`, world.key)
  assert.equal(status, 200)
  assert.deepEqual(idsOf(body), [three.id, two.id, one.id])
  const listed = await service.get('/applications', world.key)
  assert.deepEqual(
    body.data[0],
    listed.body.data.find((row: { id: string }) => row.id === three.id),
  )
  const first = await service.get(`/people/${exact.id}/applications?limit=2`, world.key)
  assert.deepEqual(idsOf(first.body), [three.id, two.id])
  const next = await service.get(`/people/${exact.id}/applications?limit=2&cursor=${first.body.next_cursor}`, world.key)
  assert.deepEqual(idsOf(next.body), [one.id])
  assert.equal(next.body.has_more, false)
  assert.equal(exact.links.applications.endsWith(`/people/${exact.id}/applications`), true)
})

test('records of a person: 200 résumés of a person: rows as those of an applicant, newest first', async () => {
  const { status, body } = await service.get(`/people/${exact.id}/resumes`, world.key)
  assert.equal(status, 200)
  assert.deepEqual(
    body.data.map((row: { application_id: string }) => row.application_id),
    [two.id, one.id],
  )
  const ofApplicant = await service.get(`/applicants/${one.applicant_id}/resumes`, world.key)
  assert.deepEqual(body.data, ofApplicant.body.data)
  assert.equal(exact.links.resumes.endsWith(`/people/${exact.id}/resumes`), true)
})

test('records of a person: probable matches contribute nothing', async () => {
  assert.equal(probable.counts.applicants, 1)
  for (const kind of ['applications', 'resumes']) {
    const { status, body } = await service.get(`/people/${probable.id}/${kind}`, world.key)
    assert.equal(status, 200)
    assert.deepEqual(body.data, [])
  }
})

test('records of a person: applicants are considered only if the key holds applicants:read; without any record there is no person', async () => {
  const key = await without('applicants:read')
  for (const kind of ['applications', 'resumes'])
    assert.equal((await service.get(`/people/${exact.id}/${kind}`, key)).status, 404)
  const id = newHandle('sourced_profile')
  await db.query(sql`
    insert into sourced_profiles (workspace_id, id, full_name, linkedin_url, linkedin_key, origin, acquisition)
    values (${world.workspace}, ${id}, 'Ada', ${linkedin_url}, 'linkedin.com/in/ada', 'xray', 'xray_search')`)
  for (const kind of ['applications', 'resumes'])
    assert.deepEqual((await service.get(`/people/${exact.id}/${kind}`, key)).body.data, [])
})

test('records of a person: applicants whose processing was stopped contribute nothing', async () => {
  const gone = await apply(world, {}, { email: 's@example.org', linkedin_url: url('stopped') })
  await apply(world, {}, { email: 's2@example.org', linkedin_url: url('stopped') })
  const person = await resolve(`linkedin_url=${url('stopped')}`)
  await db.query(sql`update applicants set suppressed_at = app_now() where id = ${gone.applicant_id}`)
  const { body } = await service.get(`/people/${person.id}/applications`, world.key)
  assert.equal(body.data.length, 1)
  assert.notEqual(body.data[0].id, gone.id)
})

test('records of a person: 403 insufficient_scope and 404 for a person that is not there or another workspace’s', async () => {
  for (const [kind, scope] of [
    ['applications', 'applications:read'],
    ['resumes', 'resume:read'],
  ] as const) {
    const refused = await service.get(`/people/${exact.id}/${kind}`, await without(scope))
    assert.equal(refused.status, 403)
    assert.equal(refused.body.detail.required_scope, scope)
    const foreign = await service.get(`/people/${exact.id}/${kind}`, other.key)
    const missing = await service.get(`/people/${newHandle('person')}/${kind}`, other.key)
    assert.equal(foreign.status, 404)
    assert.deepEqual({ ...foreign.body.detail, request_id: '' }, { ...missing.body.detail, request_id: '' })
  }
})

const personEvents = async (workspace: string) =>
  (await readEvents(world, workspace))
    .filter(event => event.type.startsWith('person.'))
    .map(({ type, data: { object } }) => [type.slice('person.'.length), object['id'], object['canonical_id']])

test('events: an application with both identifiers emits their link once; no handle without a holder changes', async () => {
  const at = { service, ...(await newTenant(service)) }
  const person = { email: 'new@example.org', linkedin_url: url('new') }
  await apply(at, {}, person)
  const found = await resolve('email=new@example.org', at)
  const events = (await readEvents(at, at.workspace)).filter(event => event.type.startsWith('person.'))
  assert.deepEqual(await personEvents(at.workspace), [['identity_linked', found.canonical_id, found.canonical_id]])
  assert.equal(events[0]!.data.object['linked_id'], found.id)
  assert.equal(events[0]!.data.object['origin'], `api:${at.key.id}`)
  assert.notEqual(found.id, found.canonical_id)
  await apply({ ...at, job: await newJob(service, at.workspace) }, {}, person)
  assert.equal((await personEvents(at.workspace)).length, 1)
})

test('events: a blank filled by a later application moves the handle that was shown', async () => {
  const at = { service, ...(await newTenant(service)) }
  await apply(at, {}, { email: 'later@example.org' })
  const before = await resolve('email=later@example.org', at)
  assert.equal(before.canonical_id, before.id)
  const again = { ...at, job: await newJob(service, at.workspace) }
  await apply(again, {}, { email: 'later@example.org', linkedin_url: url('later') })
  const after = await resolve('email=later@example.org', at)
  assert.deepEqual(await personEvents(at.workspace), [
    ['identity_linked', after.canonical_id, after.canonical_id],
    ['canonical_id_changed', before.id, after.canonical_id],
  ])
})

test('events: edits and imports link, relink and end links; shared addresses belong to no person', async () => {
  const at = await newTenant(service)
  const ref = {
    system: 'greenhouse',
    type: null,
    id: '7',
    connection_id: null,
    link_origin: null,
    last_synced_at: null,
  }
  const id = await db.transaction(tx =>
    importApplicant(tx, at.workspace, ref, { email: 'i@example.org', linkedin_url: url('i1') }),
  )
  const edit = (details: Parameters<typeof editApplicant>[3]) =>
    db.transaction(tx => editApplicant(tx, at.workspace, id, details, null))
  const first = await resolve('email=i@example.org', at)
  await edit({ location: 'Paris' })
  await edit({ linkedin_url: url('i2') })
  const second = await resolve('email=i@example.org', at)
  await edit({ linkedin_url: null })
  const third = await resolve('email=i@example.org', at)
  assert.equal(new Set([first.canonical_id, second.canonical_id, third.canonical_id]).size, 3)
  assert.equal(third.canonical_id, first.id)
  await edit({ email: 'jobs@example.org', linkedin_url: url('i2') })
  assert.deepEqual(await personEvents(at.workspace), [
    ['identity_linked', first.canonical_id, first.canonical_id],
    ['identity_linked', second.canonical_id, second.canonical_id],
    ['canonical_id_changed', first.id, second.canonical_id],
    ['canonical_id_changed', first.id, first.id],
  ])
  assert.deepEqual((await resolve(`linkedin_url=${url('i2')}`, at)).aliases, [])
})

test('records of a person: an address that a person gives up loses its link', async () => {
  const at = { service, ...(await newTenant(service)) }
  const { applicant_id } = await apply(at, {}, { email: 'old@example.org', linkedin_url: url('moved') })
  const old = await resolve('email=old@example.org', at)
  await db.transaction(tx => editApplicant(tx, at.workspace, applicant_id, { email: 'fresh@example.org' }, null))
  const fresh = await resolve('email=fresh@example.org', at)
  assert.equal(fresh.canonical_id, old.canonical_id)
  assert.deepEqual(await personEvents(at.workspace), [
    ['identity_linked', old.canonical_id, old.canonical_id],
    ['canonical_id_changed', old.id, old.id],
    ['identity_linked', old.canonical_id, old.canonical_id],
  ])
})
