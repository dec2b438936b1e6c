import assert from 'node:assert/strict'
import { test } from 'node:test'
import { revealCreditsOf } from '../../src/contract/plans.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { grantCredits, selectBalance } from '../../src/resources/credits/index.ts'
import type { Person } from '../console/setup.ts'
import { readFeed, typesOf } from '../harness/feed.ts'
import { sharedTestService } from '../harness/service.ts'
import { addProfile } from '../lists/fixture.ts'
import { load } from '../pool/fixture.ts'
import { newList, newTeam } from './sourcing-team.ts'

const service = await sharedTestService()
const { db } = service.services

const team = () => newTeam(service)

const home = await team()
const other = await team()

async function listWith(profiles: number, of = home) {
  const list = await newList(of.member)
  const ids: string[] = []
  for (let i = 0; i < profiles; i++) ids.push(await addProfile(service, of.workspace, `Person ${i}`))
  const members = ids.map(sourced_profile_id => ({ sourced_profile_id }))
  await of.member.post(`/v1/lists/${list.id}/members`, { members })
  const { data } = (await of.member.get(`/sourcing/lists/${list.id}/members`)).body
  return { list, profiles: ids, members: data as { id: string; sourced_profile_id: string; stage: string | null }[] }
}

test('projects: a project is created, renamed and archived; its lists are archived with it', async () => {
  const at = await team()
  const { status, body } = await at.member.post('/sourcing/projects', { name: ' Spring ', description: 'Hall 3' })
  assert.equal(status, 200)
  const list = await newList(at.member, { name: 'Welders', project_id: body.id })
  assert.equal((await at.member.post(`/sourcing/projects/${body.id}`, { name: 'Summer' })).status, 200)
  const [project] = (await at.viewer.get('/sourcing/projects')).body.data
  assert.deepEqual(
    [project.name, project.description, project.archived, project.list_count],
    ['Summer', 'Hall 3', false, 1],
  )
  await at.member.post(`/sourcing/projects/${body.id}`, { archived: true })
  assert.deepEqual((await at.viewer.get('/sourcing/lists')).body.data, [])
  const archived = (await at.viewer.get('/sourcing/lists?archived=true')).body.data
  assert.deepEqual(
    archived.map((row: { id: string; archived: boolean; project: { archived: boolean } }) => [
      row.id,
      row.archived,
      row.project.archived,
    ]),
    [[list.id, true, true]],
  )
  // the API shows lists as before
  assert.equal((await service.get('/lists', at.key)).body.data.length, 1)
})

test('projects: 400 for a blank name; 404 for a project of another workspace, as for a missing one', async () => {
  assert.equal((await home.member.post('/sourcing/projects', { name: '  ' })).status, 400)
  const { body } = await other.member.post('/sourcing/projects', { name: 'Theirs' })
  const foreign = await home.member.post(`/sourcing/projects/${body.id}`, { name: 'Mine' })
  const missing = await home.member.post('/sourcing/projects/prj_none', { name: 'Mine' })
  assert.deepEqual([foreign.status, missing.status], [404, 404])
  assert.equal(foreign.body.detail.message, missing.body.detail.message)
})

test('lists: rename emits list.updated; archive emits nothing and hides the list from the pages alone', async () => {
  const at = await team()
  const list = await newList(at.member)
  const seen = { name: 'Welders', description: null }
  assert.equal((await at.member.post(`/sourcing/lists/${list.id}`, { name: 'Fitters', seen })).status, 200)
  const before = typesOf(await readFeed(service, at.workspace))
  assert.deepEqual(before, ['list.created', 'list.updated'])
  assert.equal((await at.member.post(`/sourcing/lists/${list.id}`, { archived: true })).status, 200)
  assert.deepEqual(typesOf(await readFeed(service, at.workspace)), before)
  assert.deepEqual((await at.member.get('/sourcing/lists')).body.data, [])
  assert.equal((await at.member.get(`/sourcing/lists/${list.id}`)).body.archived, true)
  assert.equal((await at.member.post(`/sourcing/lists/${list.id}`, { archived: false })).status, 200)
  assert.equal((await at.member.get('/sourcing/lists?q=fitt')).body.data[0].name, 'Fitters')
})

test('lists: 409 stale_resource: a rename by someone who saw another name changes nothing', async () => {
  const list = await newList(home.member)
  const seen = { name: 'Welders', description: null }
  await home.owner.post(`/sourcing/lists/${list.id}`, { name: 'Fitters', seen })
  const late = await home.member.post(`/sourcing/lists/${list.id}`, { name: 'Turners', seen })
  assert.deepEqual([late.status, late.body.detail.code], [409, 'stale_resource'])
  assert.equal((await home.member.get(`/sourcing/lists/${list.id}`)).body.name, 'Fitters')
})

test('lists: members by stage, a new label, and the counts of each; 400 invalid_stage for a label that is too long', async () => {
  const { list, members } = await listWith(3)
  const path = `/sourcing/lists/${list.id}`
  const set = (ids: readonly string[], stage: string) => home.member.post(`${path}/stage`, { member_ids: ids, stage })
  const [a, b, c] = members.map(member => member.id) as [string, string, string]
  assert.deepEqual((await set([a, b], 'Call back')).body.results, [
    { member_id: a, status: 'changed' },
    { member_id: b, status: 'changed' },
  ])
  assert.equal((await set([c], 'hired')).status, 200)
  const { stages } = (await home.viewer.get(path)).body
  assert.deepEqual(
    stages.map((row: { stage: string | null; members: number }) => [row.stage, row.members]),
    [
      [null, 0],
      ['requested', 0],
      ['connected', 0],
      ['pending', 0],
      ['declined', 0],
      ['interviewing', 0],
      ['hired', 1],
      ['Call back', 2],
    ],
  )
  const labelled = (await home.member.get(`${path}/members?stage=Call%20back`)).body.data
  assert.deepEqual(labelled.map((row: { id: string }) => row.id).sort(), [a, b].sort())
  assert.deepEqual((await home.member.get(`${path}/members?stage=none`)).body.data, [])
  assert.equal((await set([a], 'none')).status, 200)
  assert.equal((await home.member.get(`${path}/members?stage=none`)).body.data[0].id, a)
  const long = await set([a], 'x'.repeat(41))
  assert.deepEqual([long.status, long.body.detail.code], [400, 'invalid_stage'])
})

test('lists: a member whose processing was stopped keeps the stage; the others change', async () => {
  const { list, members } = await listWith(2)
  const [stopped, free] = members as [(typeof members)[0], (typeof members)[0]]
  await db.query(sql`
    update sourced_profiles set suppressed_at = app_now()
    where workspace_id = ${home.workspace} and id = ${stopped.sourced_profile_id}`)
  const { body } = await home.member.post(`/sourcing/lists/${list.id}/stage`, {
    member_ids: [stopped.id, free.id, 'mbr_none'],
    stage: 'hired',
  })
  assert.deepEqual(
    body.results.map((row: { status: string }) => row.status),
    ['stopped', 'changed', 'not_found'],
  )
})

test('lists: members are removed and the list deleted, each with its events', async () => {
  const at = await team()
  const { list, profiles } = await listWith(3, at)
  const removed = await at.member.post(`/sourcing/lists/${list.id}/remove`, { profile_ids: profiles.slice(0, 2) })
  assert.deepEqual(removed.body, { id: list.id, candidate_count: 1 })
  assert.equal((await at.member.post(`/sourcing/lists/${list.id}/delete`)).status, 200)
  assert.deepEqual(typesOf(await readFeed(service, at.workspace)).slice(-5), [
    'list_membership.removed',
    'list_membership.removed',
    'list.updated',
    'list_membership.removed',
    'list.deleted',
  ])
  assert.equal((await at.member.get(`/sourcing/lists/${list.id}`)).status, 404)
})

test('POST /sourcing/lists/{id}/restore: people who were removed are back with their stages, in one step', async () => {
  const at = await team()
  const { list, members } = await listWith(3, at)
  const [a, b, c] = members.map(({ id }) => id) as [string, string, string]
  const path = `/sourcing/lists/${list.id}`
  await at.member.post(`${path}/stage`, { member_ids: [a], stage: 'hired' })
  await at.member.post(`${path}/stage`, { member_ids: [b], stage: 'Call back' })
  const stages = async () => {
    const { data } = (await at.member.get(`${path}/members`)).body
    return new Map(data.map((row: (typeof members)[0]) => [row.sourced_profile_id, row.stage]))
  }
  const before = await stages()
  const places = [...before].map(([sourced_profile_id, stage]) => ({ sourced_profile_id, stage }))
  await at.member.post(`${path}/remove`, { profile_ids: members.slice(0, 2).map(row => row.sourced_profile_id) })
  await at.member.post(`${path}/stage`, { member_ids: [c], stage: 'pending' })
  const events = (await readFeed(service, at.workspace)).length

  const { status, body } = await at.member.post(`${path}/restore`, { members: places })
  assert.deepEqual([status, body], [200, { missing: 0 }])
  assert.deepEqual(await stages(), before)
  assert.equal((await at.member.get(path)).body.candidate_count, 3)
  const written = (await readFeed(service, at.workspace)).slice(events)
  assert.deepEqual(typesOf(written), [
    'list_membership.added',
    'list_membership.added',
    'list.updated',
    'list_membership.stage_changed',
  ])
  // a reader of the list finds the stage after the first event
  assert.deepEqual(
    written
      .slice(0, 2)
      .map(event => event.data.object['stage'])
      .toSorted(),
    ['Call back', 'hired'],
  )
  assert.deepEqual((await at.member.post(`${path}/restore`, { members: places })).body, { missing: 0 })
  assert.equal((await readFeed(service, at.workspace)).length, events + written.length, 'nothing to restore, no event')
})

test('POST /sourcing/lists/{id}/restore: counts who cannot be in the list; a wrong stage changes nothing', async () => {
  const at = await team()
  const { list, profiles } = await listWith(2, at)
  const path = `/sourcing/lists/${list.id}`
  await at.member.post(`${path}/remove`, { profile_ids: profiles })
  await db.query(sql`
    update sourced_profiles set suppressed_at = app_now()
    where workspace_id = ${at.workspace} and id = ${profiles[0]!}`)
  const restore = (stage: string | null) =>
    at.member.post(`${path}/restore`, { members: profiles.map(sourced_profile_id => ({ sourced_profile_id, stage })) })
  const refused = await restore('x'.repeat(41))
  assert.deepEqual([refused.status, refused.body.detail.errors[0].param], [400, 'members[0].stage'])
  assert.equal((await at.member.get(path)).body.candidate_count, 0)
  assert.deepEqual((await restore('none')).body, { missing: 1 })
  assert.deepEqual(
    (await at.member.get(`${path}/members`)).body.data.map((row: { stage: string | null }) => row.stage),
    [null],
  )
  assert.equal((await at.member.get(path)).body.candidate_count, 1)
})

test('lists: 404 for every change of a list of another workspace, as for a missing one', async () => {
  const { list } = await listWith(1, other)
  const calls: [string, object | undefined][] = [
    ['', { name: 'Mine' }],
    ['/delete', undefined],
    ['/remove', { profile_ids: ['sp_none'] }],
    ['/restore', { members: [{ sourced_profile_id: 'sp_none', stage: null }] }],
    ['/stage', { member_ids: ['mbr_none'], stage: 'hired' }],
  ]
  for (const [path, body] of calls) {
    for (const id of [list.id, 'lst_none']) {
      assert.equal((await home.member.post(`/sourcing/lists/${id}${path}`, body)).status, 404, path)
    }
  }
  for (const path of ['', '/members', '/members.csv']) {
    assert.equal((await home.member.get(`/sourcing/lists/${list.id}${path}`)).status, 404, path)
  }
  assert.equal(
    (await home.member.post('/sourcing/pool/save', { list_id: list.id, profiles: [{ id: 'x' }] })).status,
    404,
  )
  assert.equal((await home.member.postFile(`/sourcing/lists/${list.id}/import`, Buffer.from('Name\nA'))).status, 404)
  assert.equal((await other.member.get(`/sourcing/lists/${list.id}`)).body.candidate_count, 1)
})

test('lists: a viewer sees lists, stages and counts, no person; every change is refused', async () => {
  const { list, members } = await listWith(1)
  const { status, body } = await home.viewer.get(`/sourcing/lists/${list.id}/members`)
  assert.equal(status, 200)
  assert.deepEqual(
    body.data.map((row: { id: string; person: unknown }) => [row.id, row.person]),
    [[members[0]!.id, null]],
  )
  // a search by name would tell who is in the list
  assert.equal((await home.viewer.get(`/sourcing/lists/${list.id}/members?q=none`)).body.data.length, 1)
  const member_ids = [members[0]!.id]
  for (const [path, input] of [
    ['/sourcing/projects', { name: 'x' }],
    [`/sourcing/lists/${list.id}`, { name: 'x' }],
    [`/sourcing/lists/${list.id}/delete`, undefined],
    [`/sourcing/lists/${list.id}/remove`, { profile_ids: ['x'] }],
    [`/sourcing/lists/${list.id}/stage`, { member_ids, stage: 'hired' }],
    ['/sourcing/pool/saved', { pool_ids: ['x'] }],
    ['/sourcing/pool/save', { list_id: list.id, profiles: [{ id: 'x' }] }],
  ] as const) {
    const refused = await home.viewer.post(path, input)
    assert.deepEqual([refused.status, refused.body.detail.code], [403, 'role_required'], path)
  }
  for (const path of [`/sourcing/lists/${list.id}/members.csv`, '/sourcing/profiles.csv', '/sourcing/pool.csv?q=x']) {
    assert.equal((await home.viewer.get(path)).status, 403, path)
  }
  for (const path of ['/sourcing/import/check', '/sourcing/import', `/sourcing/lists/${list.id}/import`]) {
    assert.equal((await home.viewer.postFile(path, Buffer.from('Name\nA'))).status, 403, path)
  }
})

const poolIds = async (person: Person, query: string): Promise<string[]> =>
  (await person.post('/v1/pool/search', { query })).body.data.map((row: { id: string }) => row.id)

test('pool: profiles are saved to a list with their score; a second time they are in it already', async () => {
  const at = await team()
  await load(service, [
    { full_name: 'Ida Weld', job_title: 'Zirconium welder', skills: ['TIG'] },
    { full_name: 'Odo Weld', job_title: 'Zirconium welder', skills: ['MIG'] },
  ])
  const [first, second] = (await poolIds(at.member, 'zirconium welder')) as [string, string]
  const list = await newList(at.member)
  const save = () =>
    at.member.post('/sourcing/pool/save', {
      list_id: list.id,
      profiles: [{ id: first, match_score: 91, match_tier: 'strong' }, { id: second }, { id: 'pp_none' }],
    })
  const { status, body } = await save()
  assert.equal(status, 200)
  assert.deepEqual(
    body.results.map((row: { status: string }) => row.status),
    ['added', 'added', 'not_found'],
  )
  assert.equal(body.list.candidate_count, 2)
  const profile = (await at.member.get(`/v1/sourced-profiles/${body.results[0].profile_id}`)).body
  assert.deepEqual(
    [profile.job_title, profile.match_score, profile.match_tier, profile.provenance.acquisition],
    ['Zirconium welder', 91, 'strong', 'pool_search'],
  )
  assert.deepEqual(typesOf(await readFeed(service, at.workspace)), [
    'list.created',
    'sourced_profile.created',
    'sourced_profile.created',
    'list_membership.added',
    'list_membership.added',
    'list.updated',
  ])
  assert.deepEqual(
    (await save()).body.results.map((row: { status: string }) => row.status),
    ['already_in_list', 'already_in_list', 'not_found'],
  )
  const { saved } = (await at.member.post('/sourcing/pool/saved', { pool_ids: [first, second] })).body
  assert.equal(saved.length, 2)
  assert.deepEqual((await other.member.post('/sourcing/pool/saved', { pool_ids: [first] })).body.saved, [])
})

test('pool: what the team knows about a person stays when the person is saved from the pool', async () => {
  const at = await team()
  const linkedin_url = 'https://www.linkedin.com/in/una-known'
  await load(service, [{ full_name: 'Una Known', job_title: 'Yttrium turner', linkedin_url }])
  await at.member.postFile('/sourcing/import', Buffer.from(`Name,Title,LinkedIn\nUna K.,Head turner,${linkedin_url}`))
  const [id] = (await poolIds(at.member, 'yttrium turner')) as [string]
  const list = await newList(at.member)
  const { body } = await at.member.post('/sourcing/pool/save', { list_id: list.id, profiles: [{ id }] })
  assert.equal(body.results[0].status, 'added')
  const profile = (await at.member.get(`/v1/sourced-profiles/${body.results[0].profile_id}`)).body
  assert.deepEqual([profile.full_name, profile.job_title], ['Una K.', 'Head turner'])
  assert.equal((await at.member.get('/v1/sourced-profiles')).body.data.length, 1)
})

test('profiles: the lists of a profile, with their names; none of another workspace', async () => {
  const { list, profiles } = await listWith(1)
  const { data } = (await home.viewer.get(`/sourcing/profiles/${profiles[0]}/lists`)).body
  assert.deepEqual([data[0].list.id, data[0].list.name, data[0].stage], [list.id, 'Welders', null])
  assert.equal((await other.owner.get(`/sourcing/profiles/${profiles[0]}/lists`)).status, 404)
})

const balance = async (workspace: string) => (await db.one(selectBalance(workspace)))?.balance ?? 0

test('reveal: details that the team found cost credits once for a profile, and are read with an audit row', async () => {
  const at = await team()
  const price = revealCreditsOf('enterprise')
  await grantCredits(db, at.workspace, { amount: price + 1, note: 'test' })
  const id = await addProfile(service, at.workspace)
  const reveal = (person: Person, values: object[]) => person.post(`/sourcing/profiles/${id}/reveal`, { values })
  const email = { field: 'email', value: 'jo@work.example', kind: 'work' }
  const first = await reveal(at.member, [email])
  assert.deepEqual([first.status, first.body], [200, {}])
  assert.equal(await balance(at.workspace), 1)
  assert.equal((await reveal(at.member, [email])).status, 200)
  assert.equal((await reveal(at.owner, [{ field: 'phone', value: '+49 30 1234', kind: 'mobile' }])).status, 200)
  assert.equal(await balance(at.workspace), 1)
  const [entry] = (await at.owner.get('/credits/entries')).body.data
  assert.deepEqual(
    [entry.kind, entry.amount, entry.subject_id, entry.by.id],
    ['contact_reveal', -price, id, at.member.userId],
  )
  assert.deepEqual(typesOf(await readFeed(service, at.workspace)), [
    'sourced_profile.updated',
    'sourced_profile.contact_info_revealed',
    'sourced_profile.contact_info_revealed',
  ])
  const shown = (await at.member.get(`/v1/sourced-profiles/${id}/contact-info`)).body
  assert.deepEqual([shown.emails[0].value, shown.restricted], ['jo@work.example', ['phones']])
  const reads = await db.query(sql`select acting_user_id, field from personal_data_reads where subject_id = ${id}`)
  assert.deepEqual(reads, [{ acting_user_id: at.member.userId, field: 'email' }])
})

test('reveal: 402 or 403 without credits or scope, 400 for what is no detail, 404 elsewhere; nothing is stored', async () => {
  const at = await team()
  const id = await addProfile(service, at.workspace)
  const reveal = (person: Person, values: object[], profile = id) =>
    person.post(`/sourcing/profiles/${profile}/reveal`, { values })
  const email = { field: 'email', value: 'jo@work.example', kind: 'work' }
  const poor = await reveal(at.member, [email])
  assert.equal(poor.body.detail.code, 'credits_insufficient')
  await grantCredits(db, at.workspace, { amount: 100, note: 'test' })
  const phone = await reveal(at.member, [{ field: 'phone', value: '030 1234', kind: 'work' }])
  assert.deepEqual([phone.status, phone.body.detail.code], [403, 'insufficient_scope'])
  assert.equal((await reveal(at.viewer, [email])).status, 403)
  const wrong = await reveal(at.owner, [email, { ...email, value: 'not one' }])
  assert.deepEqual(
    [wrong.status, wrong.body.detail.errors],
    [400, [{ param: 'values[1]', message: 'must be an email address' }]],
  )
  const theirs = await addProfile(service, other.workspace)
  const foreign = await reveal(at.owner, [email], theirs)
  const missing = await reveal(at.owner, [email], 'sp_none')
  assert.deepEqual([foreign.status, missing.status], [404, 404])
  assert.equal(foreign.body.detail.message, missing.body.detail.message)
  assert.equal(await balance(at.workspace), 100)
  assert.deepEqual(await db.query(sql`select 1 from contact_values where workspace_id = ${at.workspace}`), [])
})
