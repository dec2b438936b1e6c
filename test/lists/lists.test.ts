import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import {
  addMembers,
  createList,
  createProject,
  deleteList,
  removeMembers,
  setMemberStage,
  updateList,
} from '../../src/resources/lists/index.ts'
import { readFeed, typesOf } from '../harness/feed.ts'
import { nextInstant } from '../harness/next-instant.ts'
import { sharedTestService } from '../harness/service.ts'
import { addProfile } from './fixture.ts'

const service = await sharedTestService()
const { db } = service.services

async function workspaceWithKey() {
  const { id: workspace, userEmail } = await service.workspace('enterprise')
  const key = await service.key({ workspace, userEmail })
  return { workspace, key, actor: { workspace, originKeyId: null } }
}
const home = await workspaceWithKey()
const other = await workspaceWithKey()

const newList = async (of = home, body: object = { name: 'Backend' }) =>
  (await service.post('/lists', of.key, body)).body

test('lists: 201: a list with its fields; list.created with the origin', async () => {
  const at = await workspaceWithKey()
  const response = await service.post('/lists', at.key, { name: '  Backend  ', description: 'x' })
  assert.equal(response.status, 201)
  const list = response.body
  assert.deepEqual(Object.keys(list), [
    'object',
    'id',
    'workspace_id',
    'project_id',
    'name',
    'description',
    'candidate_count',
    'created_at',
    'updated_at',
    'links',
  ])
  assert.equal(list.object, 'list')
  assert.equal(list.name, 'Backend')
  assert.equal(list.candidate_count, 0)
  assert.deepEqual(list.links, {
    self: `/api/partner/v1/lists/${list.id}`,
    members: `/api/partner/v1/lists/${list.id}/members`,
  })
  const events = await readFeed(service, at.workspace)
  assert.deepEqual(typesOf(events), ['list.created'])
  assert.deepEqual(events[0].data.object, {
    object: 'list',
    id: list.id,
    workspace_id: at.workspace,
    updated_at: list.updated_at,
    project_id: list.project_id,
    origin: `api:${at.key.id}`,
  })
  const project = (await service.get(`/projects/${list.project_id}`, at.key)).body
  assert.equal(project.name, 'Imported')
  assert.deepEqual(Object.keys(project), [
    'object',
    'id',
    'workspace_id',
    'name',
    'description',
    'created_at',
    'updated_at',
    'links',
  ])
  assert.deepEqual((await service.get(`/lists/${list.id}`, at.key)).body, list)
})

test('lists: 201: names are not deduplicated; without a project the oldest one is taken', async () => {
  const at = await workspaceWithKey()
  const oldest = await db.transaction(tx => createProject(tx, at.actor, { name: 'First' }))
  const newer = await db.transaction(tx => createProject(tx, at.actor, { name: 'Second' }))
  const a = await newList(at)
  const b = await newList(at)
  assert.equal(a.project_id, oldest.id)
  assert.equal(a.name, b.name)
  assert.notEqual(a.id, b.id)
  const c = await newList(at, { name: 'c', project_id: newer.id, description: null })
  assert.equal(c.project_id, newer.id)
  const listed = (await service.get(`/projects/${newer.id}/lists`, at.key)).body
  assert.deepEqual(
    listed.data.map((l: { id: string }) => l.id),
    [c.id],
  )
  assert.equal((await service.get('/lists', at.key)).body.data.length, 3)
  assert.equal((await service.get('/projects', at.key)).body.data[0].id, newer.id)
})

test('lists: 201: twenty first calls at the same time make one project named Imported', async () => {
  const at = await workspaceWithKey()
  const responses = await Promise.all(Array.from({ length: 20 }, () => service.post('/lists', at.key, { name: 'x' })))
  assert.ok(responses.every(a => a.status === 201))
  const { data } = (await service.get('/projects', at.key)).body
  assert.equal(data.length, 1)
  assert.equal(data[0].name, 'Imported')
})

test('lists: 400 invalid_request: name and description are bounded', async () => {
  for (const body of [
    {},
    { name: '' },
    { name: '   ' },
    { name: 'x'.repeat(121) },
    { name: 'x', description: 'x'.repeat(501) },
    { name: 7 },
    { name: 'x', id: 'lst_x' },
  ]) {
    const response = await service.post('/lists', home.key, body)
    assert.equal(response.status, 400, JSON.stringify(body))
    assert.equal(response.body.detail.code, 'invalid_request')
  }
  assert.equal((await service.post('/lists', home.key, { name: ` ${'x'.repeat(120)} ` })).status, 201)
})

test('lists: 404: a project that is malformed, missing or of another workspace', async () => {
  const foreign = await db.transaction(tx => createProject(tx, other.actor, { name: 'Theirs' }))
  const responses = []
  for (const project_id of ['nonsense', newHandle('project'), foreign.id])
    responses.push(await service.post('/lists', home.key, { name: 'x', project_id }))
  for (const response of responses) {
    assert.equal(response.status, 404)
    assert.deepEqual({ ...response.body.detail, request_id: '' }, { ...responses[0]!.body.detail, request_id: '' })
  }
})

test('lists: 200: a batch always completes; results in request order; the counts sum up', async () => {
  const at = await workspaceWithKey()
  const list = await newList(at)
  const [a, b, blank] = [
    await addProfile(service, at.workspace),
    await addProfile(service, at.workspace),
    await addProfile(service, at.workspace, null),
  ]
  const foreign = await addProfile(service, other.workspace)
  await service.post(`/lists/${list.id}/members`, at.key, { members: [{ sourced_profile_id: a }] })
  const response = await service.post(`/lists/${list.id}/members`, at.key, {
    members: [
      { sourced_profile_id: b },
      { sourced_profile_id: a },
      { sourced_profile_id: b },
      { sourced_profile_id: foreign },
      { sourced_profile_id: blank },
      { sourced_profile_id: 'nonsense' },
      { sourced_profile_id: newHandle('sourced_profile') },
      { applicant_id: newHandle('applicant') },
      { applicant_id: 'nonsense' },
    ],
  })
  assert.equal(response.status, 200)
  const { results, ...counts } = response.body
  assert.deepEqual(counts, {
    object: 'list_member_batch',
    list_id: list.id,
    requested: 9,
    added: 1,
    already_in_list: 2,
    not_found: 4,
    unsupported: 2,
    candidate_count: 2,
  })
  assert.deepEqual(
    results.map((r: { status: string }) => r.status),
    [
      'added',
      'already_in_list',
      'already_in_list',
      'not_found',
      'not_found',
      'not_found',
      'not_found',
      'unsupported',
      'unsupported',
    ],
  )
  assert.deepEqual(
    results.map((r: { index: number }) => r.index),
    [0, 1, 2, 3, 4, 5, 6, 7, 8],
  )
  assert.deepEqual(Object.keys(results[0]), ['index', 'status', 'sourced_profile_id', 'applicant_id', 'membership'])
  assert.deepEqual(Object.keys(results[0].membership), [
    'object',
    'id',
    'list_id',
    'sourced_profile_id',
    'stage',
    'stage_updated_at',
    'added_at',
  ])
  assert.deepEqual(results[0].membership, results[2].membership)
  assert.equal(results[0].applicant_id, null)
  assert.equal(results[3].membership, null)
  assert.equal(results[8].applicant_id, 'nonsense')
  assert.equal((await service.get(`/lists/${list.id}`, at.key)).body.candidate_count, 2)
})

test('lists: 200: nothing added leaves candidate_count null, the list as it was, and no event', async () => {
  const at = await workspaceWithKey()
  const list = await newList(at)
  const response = await service.post(`/lists/${list.id}/members`, at.key, { members: [{ applicant_id: 'x' }] })
  assert.equal(response.body.candidate_count, null)
  assert.deepEqual((await service.get(`/lists/${list.id}`, at.key)).body, list)
  assert.deepEqual(typesOf(await readFeed(service, at.workspace)), ['list.created'])
})

test('events: list_membership.added for each new member in request order, then list.updated once', async () => {
  const at = await workspaceWithKey()
  const list = await newList(at)
  const profiles = await Promise.all([1, 2, 3].map(() => addProfile(service, at.workspace)))
  const { body } = await service.post(`/lists/${list.id}/members`, at.key, {
    members: profiles.map(sourced_profile_id => ({ sourced_profile_id })),
  })
  const events = (await readFeed(service, at.workspace)).slice(1)
  assert.deepEqual(typesOf(events), [
    'list_membership.added',
    'list_membership.added',
    'list_membership.added',
    'list.updated',
  ])
  assert.deepEqual(
    events.slice(0, 3).map(e => e.data.object.sourced_profile_id),
    profiles,
  )
  assert.deepEqual(events[0].data.object, {
    object: 'list_membership',
    id: body.results[0].membership.id,
    workspace_id: at.workspace,
    updated_at: body.results[0].membership.added_at,
    list_id: list.id,
    sourced_profile_id: profiles[0],
    stage: null,
    origin: `api:${at.key.id}`,
  })
  assert.equal(events[3].data.object.candidate_count, 3)
  assert.deepEqual(events[3].data.object.changed, ['candidate_count'])
  const listed = (await service.get(`/lists/${list.id}/members`, at.key)).body.data
  assert.deepEqual(
    listed.map((m: { sourced_profile_id: string }) => m.sourced_profile_id),
    profiles,
  )
})

test('lists: the same members sent by ten calls at the same time are added once', async () => {
  const at = await workspaceWithKey()
  const list = await newList(at)
  const profiles = await Promise.all([1, 2, 3, 4].map(() => addProfile(service, at.workspace)))
  const members = profiles.map(sourced_profile_id => ({ sourced_profile_id }))
  const responses = await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      service.post(`/lists/${list.id}/members`, at.key, { members: i % 2 ? members : members.toReversed() }),
    ),
  )
  assert.ok(responses.every(a => a.status === 200))
  assert.equal(
    responses.reduce((sum, a) => sum + a.body.added, 0),
    4,
  )
  assert.equal((await service.get(`/lists/${list.id}`, at.key)).body.candidate_count, 4)
  assert.equal(typesOf(await readFeed(service, at.workspace)).filter(t => t === 'list_membership.added').length, 4)
})

test('lists: 400 invalid_request: a member needs exactly one of the two handles; 1 to 50 of them', async () => {
  const list = await newList()
  const send = (members: unknown) => service.post(`/lists/${list.id}/members`, home.key, { members })
  const both = await send([{ applicant_id: 'x' }, { sourced_profile_id: 'x', applicant_id: 'y' }, {}])
  assert.equal(both.status, 400)
  assert.deepEqual(
    both.body.detail.errors.map((e: { param: string }) => e.param),
    ['members[1]', 'members[2]'],
  )
  assert.equal((await send([])).status, 400)
  assert.equal((await send(Array(51).fill({ applicant_id: 'x' }))).status, 400)
  assert.equal((await send(Array(50).fill({ applicant_id: 'x' }))).status, 200)
  assert.equal((await send([{ sourced_profile_id: null }])).status, 400)
})

async function member(at = home) {
  const list = await newList(at)
  const profile = await addProfile(service, at.workspace)
  const { body } = await service.post(`/lists/${list.id}/members`, at.key, {
    members: [{ sourced_profile_id: profile }],
  })
  const { membership } = body.results[0]
  return { list, profile, membership, path: `/lists/${list.id}/members/${membership.id}/stage` }
}

test('lists: 200: every stage key from every other; none clears; list_membership.stage_changed with old and new', async () => {
  const at = await workspaceWithKey()
  const { path, membership } = await member(at)
  let before: string | null = null
  for (const stage of ['requested', 'connected', 'pending', 'declined', 'interviewing', 'hired', 'none']) {
    const response = await service.post(path, at.key, { stage })
    assert.equal(response.status, 200)
    const after: string | null = stage === 'none' ? null : stage
    assert.equal(response.body.stage, after)
    const event = (await readFeed(service, at.workspace)).at(-1)
    assert.equal(event.type, 'list_membership.stage_changed')
    assert.equal(event.data.object.id, membership.id)
    assert.equal(event.data.object.stage, after)
    assert.equal(event.data.object.updated_at, response.body.stage_updated_at)
    assert.deepEqual(event.data.previous_attributes, { stage: before })
    before = after
  }
})

test('lists: 200: the same stage again refreshes stage_updated_at and emits nothing', async () => {
  const at = await workspaceWithKey()
  const { path } = await member(at)
  const first = await service.post(path, at.key, { stage: 'pending' })
  const events = (await readFeed(service, at.workspace)).length
  const again = await service.post(path, at.key, { stage: 'pending' })
  assert.equal(again.status, 200)
  assert.ok(again.body.stage_updated_at > first.body.stage_updated_at)
  assert.equal((await readFeed(service, at.workspace)).length, events)
})

test('lists: 400 invalid_stage: names stage, lists the keys and labels, repeats nothing; labels of the same list only', async () => {
  const at = await workspaceWithKey()
  const [one, two] = [await member(at), await member(at)]
  await db.transaction(tx =>
    setMemberStage(tx, at.actor, one.list.id, one.membership.id, 'Team fit', { newLabels: true }),
  )
  const refused = await service.post(two.path, at.key, { stage: 'Team fit' })
  assert.equal(refused.status, 400)
  assert.equal(refused.body.detail.code, 'invalid_stage')
  assert.equal(refused.body.detail.param, 'stage')
  assert.doesNotMatch(refused.text, /Team fit/)
  for (const key of ['requested', 'connected', 'pending', 'declined', 'interviewing', 'hired', 'none'])
    assert.ok(refused.body.detail.message.includes(key))

  const added = await addProfile(service, at.workspace)
  const { body } = await service.post(`/lists/${one.list.id}/members`, at.key, {
    members: [{ sourced_profile_id: added }],
  })
  const path = `/lists/${one.list.id}/members/${body.results[0].membership.id}/stage`
  assert.equal((await service.post(path, at.key, { stage: 'Team fit' })).body.stage, 'Team fit')
  const spelt = await service.post(path, at.key, { stage: 'team fit' })
  assert.equal(spelt.status, 400)
  assert.match(spelt.body.detail.message, /"Team fit"/)
  for (const stage of ['Requested', ' requested', 'NONE'])
    assert.equal((await service.post(path, at.key, { stage })).body.detail.code, 'invalid_stage')
  for (const stage of [5, null, ['hired'], undefined]) {
    const response = await service.post(path, at.key, { stage })
    assert.deepEqual([response.status, response.body.detail.code], [400, 'invalid_request'])
    assert.equal(response.body.detail.param, 'stage')
  }
})

test('lists: POST …/stage: 400 invalid_stage for every text that a list cannot hold, empty and too long ones too', async () => {
  const at = await workspaceWithKey()
  const { path } = await member(at)
  for (const stage of ['', ' ', 'x'.repeat(41), 'x'.repeat(5_000), '😀'.repeat(41)]) {
    const response = await service.post(path, at.key, { stage })
    assert.deepEqual([response.status, response.body.detail.code], [400, 'invalid_stage'], stage.slice(0, 50))
    assert.equal(response.body.detail.param, 'stage')
    assert.match(response.body.detail.message, /requested, connected, pending, declined, interviewing, hired, none/)
    assert.ok(!response.body.detail.message.includes('xxx'))
  }
  const nul = await service.post(path, at.key, { stage: 'hi\0red' })
  assert.deepEqual([nul.status, nul.body.detail.code], [400, 'invalid_request'])
})

test('lists: POST …/stage: the message names all labels of the list, and beyond a hundred how many more there are', async () => {
  const at = await workspaceWithKey()
  const { path, list } = await member(at)
  const label = (n: number) => `Label ${String(n).padStart(3, '0')}`
  const add = (from: number, to: number) =>
    db.query(sql`
      with profiles as (
        insert into sourced_profiles (workspace_id, id, origin, acquisition, full_name)
        select ${at.workspace}, 'cnd_' || lpad(n::text, 20, '0'), 'import', 'file_import', 'Someone'
        from generate_series(${from}::integer, ${to}::integer) n returning id
      )
      insert into list_memberships (workspace_id, id, list_id, sourced_profile_id, stage)
      select ${at.workspace}, 'mem_' || substr(id, 5), ${list.id}, id, 'Label ' || lpad(ltrim(substr(id, 5), '0'), 3, '0')
      from profiles`)
  await add(1, 60)
  const all = (await service.post(path, at.key, { stage: 'nothing' })).body.detail.message
  for (let n = 1; n <= 60; n++) assert.ok(all.includes(`"${label(n)}"`), label(n))
  assert.doesNotMatch(all, /more/)
  await add(61, 130)
  const many = (await service.post(path, at.key, { stage: 'nothing' })).body.detail.message
  assert.equal(many.match(/"Label \d+"/g).length, 100)
  assert.match(many, / and 30 more\./)
  assert.equal((await service.post(path, at.key, { stage: label(130) })).status, 200)
})

test('lists: list labels made in the product: 40 characters, whatever their UTF-16 length', async () => {
  const at = await workspaceWithKey()
  const { list, membership, path } = await member(at)
  const label = '😀'.repeat(40)
  await db.transaction(tx => setMemberStage(tx, at.actor, list.id, membership.id, label, { newLabels: true }))
  assert.equal((await service.post(path, at.key, { stage: label })).body.stage, label)
  await assert.rejects(
    db.transaction(tx => setMemberStage(tx, at.actor, list.id, membership.id, `${label}x`, { newLabels: true })),
    { code: 'invalid_stage' },
  )
})

test('lists: 404: another workspace’s list, project, member or profile is as one that does not exist', async () => {
  const theirs = await member(other)
  const ours = await member()
  const pairs: [string, string, unknown?][] = [
    [`/projects/${theirs.list.project_id}`, `/projects/${newHandle('project')}`],
    [`/projects/${theirs.list.project_id}/lists`, `/projects/${newHandle('project')}/lists`],
    [`/lists/${theirs.list.id}`, `/lists/${newHandle('list')}`],
    [`/lists/${theirs.list.id}/members`, `/lists/${newHandle('list')}/members`],
    [
      `/sourced-profiles/${theirs.profile}/list-memberships`,
      `/sourced-profiles/${newHandle('sourced_profile')}/list-memberships`,
    ],
    [`/lists/${theirs.list.id}/members`, `/lists/${newHandle('list')}/members`, { members: [{ applicant_id: 'x' }] }],
    [theirs.path, ours.path.replace(ours.membership.id, newHandle('list_membership')), { stage: 'hired' }],
    [
      ours.path.replace(ours.membership.id, theirs.membership.id),
      ours.path.replace(ours.list.id, newHandle('list')),
      { stage: 'hired' },
    ],
    ['/lists/nonsense', '/lists/lst_1'],
  ]
  for (const [a, b, body] of pairs) {
    const method = body ? 'POST' : 'GET'
    const responses = await Promise.all(
      [a, b].map(path => service.call(method, path, { key: home.key, ...(body ? { body } : {}) })),
    )
    for (const response of responses) {
      assert.equal(response.status, 404, a)
      assert.deepEqual({ ...response.body.detail, request_id: '' }, { ...responses[0]!.body.detail, request_id: '' })
    }
  }
  assert.equal((await service.get(`/lists/${theirs.list.id}`, other.key)).status, 200)
})

test('lists: 200: the memberships of a profile', async () => {
  const { profile, membership } = await member()
  const response = await service.get(`/sourced-profiles/${profile}/list-memberships`, home.key)
  assert.deepEqual(response.body.data, [membership])
})

test('lists: 403: reads need lists:read, writes lists:write and a key that belongs to a user', async () => {
  const reader = await service.key({ workspace: home.workspace, scopes: ['lists:read'] })
  const writer = await service.key({ workspace: home.workspace, scopes: ['lists:write'] })
  const denied = await service.get('/lists', writer)
  assert.equal(denied.status, 403)
  assert.equal(denied.body.detail.required_scope, 'lists:read')
  assert.equal((await service.post('/lists', reader, { name: 'x' })).body.detail.required_scope, 'lists:write')
  assert.equal((await service.post('/lists', writer, { name: 'x' })).body.detail.code, 'write_requires_api_key')
})

test('lists: Idempotency-Key: a repeat returns the first list and makes no second', async () => {
  const at = await workspaceWithKey()
  const opts = { headers: { 'idempotency-key': 'list-create-1' } }
  const first = await service.post('/lists', at.key, { name: 'x' }, opts)
  const again = await service.post('/lists', at.key, { name: 'x' }, opts)
  assert.deepEqual(again.body, first.body)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.equal((await service.get('/lists', at.key)).body.data.length, 1)
})

test('lists: product: renaming, removing members and deleting a list, with their events and no origin', async () => {
  const at = await workspaceWithKey()
  const list = await db.transaction(tx => createList(tx, at.actor, { name: 'x' }))
  const profiles = await Promise.all([1, 2, 3].map(() => addProfile(service, at.workspace)))
  await db.transaction(tx =>
    addMembers(
      tx,
      at.actor,
      list.id,
      profiles.map(sourced_profile_id => ({ sourced_profile_id })),
    ),
  )
  await db.transaction(tx => updateList(tx, at.actor, list.id, { name: 'x' }))
  await db.transaction(tx => updateList(tx, at.actor, list.id, { name: 'y' }))
  const after = await db.transaction(tx => removeMembers(tx, at.actor, list.id, [profiles[0]!]))
  assert.equal(after.candidate_count, 2)
  await db.transaction(tx => deleteList(tx, at.actor, list.id))
  const events = await readFeed(service, at.workspace)
  assert.deepEqual(typesOf(events).slice(5), [
    'list.updated',
    'list_membership.removed',
    'list.updated',
    'list_membership.removed',
    'list_membership.removed',
    'list.deleted',
  ])
  assert.deepEqual(events[5].data.object.changed, ['name'])
  assert.ok(events.every(e => !('origin' in e.data.object)))
  assert.equal((await service.get(`/lists/${list.id}`, at.key)).status, 404)
  await assert.rejects(
    db.transaction(tx => deleteList(tx, at.actor, list.id)),
    /there is no list/,
  )
  assert.equal((await db.query(sql`select 1 from list_memberships where workspace_id = ${at.workspace}`)).length, 0)
})

test('lists: 200: lists most recently updated first, also those of no project', async () => {
  const at = await workspaceWithKey()
  const first = await newList(at)
  await nextInstant(db)
  const second = await newList(at)
  const profile = await addProfile(service, at.workspace)
  await nextInstant(db)
  const orphan = newHandle('list')
  await db.query(sql`insert into lists (workspace_id, id, name) values (${at.workspace}, ${orphan}, 'No project')`)
  const listed = async (path: string) =>
    (await service.get(path, at.key)).body.data.map((l: { id: string; project_id: string | null }) => [
      l.id,
      l.project_id,
    ])
  const project = first.project_id
  assert.deepEqual(await listed('/lists'), [
    [orphan, null],
    [second.id, project],
    [first.id, project],
  ])
  await service.post(`/lists/${first.id}/members`, at.key, { members: [{ sourced_profile_id: profile }] })
  assert.deepEqual(await listed('/lists'), [
    [first.id, project],
    [orphan, null],
    [second.id, project],
  ])
  assert.deepEqual(await listed(`/projects/${project}/lists?order=asc`), [
    [second.id, project],
    [first.id, project],
  ])
})

test('lists: Idempotency-Key and general tier on every write: a repeat returns the first response and emits nothing', async () => {
  const at = await workspaceWithKey()
  const { list, path } = await member(at)
  const profile = await addProfile(service, at.workspace)
  const writes: [string, object, object][] = [
    [`/lists/${list.id}/members`, { members: [{ sourced_profile_id: profile }] }, { members: [{ applicant_id: 'x' }] }],
    [path, { stage: 'pending' }, { stage: 'hired' }],
  ]
  for (const [i, [to, body, another]] of writes.entries()) {
    const opts = { headers: { 'idempotency-key': `list-write-${i}` } }
    const first = await service.post(to, at.key, body, opts)
    assert.equal(first.status, 200)
    const { general_per_minute } = (await service.get('/me', at.key)).body.rate_limits
    assert.equal(first.headers.get('ratelimit-limit'), String(general_per_minute))
    const events = (await readFeed(service, at.workspace)).length
    const again = await service.post(to, at.key, body, opts)
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    assert.deepEqual(again.body, first.body)
    assert.equal((await readFeed(service, at.workspace)).length, events)
    const reused = await service.post(to, at.key, another, opts)
    assert.equal(reused.body.detail.code, 'idempotency_key_reused')
  }
})
