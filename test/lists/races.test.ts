import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { addMembers, createList, deleteList, removeMembers } from '../../src/resources/lists/index.ts'
import { deleteProfile } from '../../src/resources/sourced-profiles/index.ts'
import { readFeed, typesOf } from '../harness/feed.ts'
import { sharedTestService } from '../harness/service.ts'
import { addProfile } from './fixture.ts'

const service = await sharedTestService()
const { db, blobs } = service.services

test('list races: adding, removing and deleting at the same time: counts and events add up', async () => {
  const { id: workspace, userEmail } = await service.workspace('enterprise')
  const key = await service.key({ workspace, userEmail })
  const actor = { workspace, originKeyId: null }
  const lists = await Promise.all(
    [1, 2, 3].map(n => db.transaction(tx => createList(tx, actor, { name: `list ${n}` }))),
  )
  const profiles = await Promise.all(Array.from({ length: 12 }, () => addProfile(service, workspace)))
  const members = profiles.map(sourced_profile_id => ({ sourced_profile_id }))
  const work = lists.flatMap(list => [
    ...[members, members.toReversed()].map(
      body => () => service.post(`/lists/${list.id}/members`, key, { members: body }),
    ),
    () => db.transaction(tx => removeMembers(tx, actor, list.id, profiles.slice(8))),
  ])
  const deletions = profiles
    .slice(0, 6)
    .map(id => () => db.transaction(tx => deleteProfile(tx, blobs, actor, id, 'duplicate')))
  const outcomes = await Promise.allSettled([...work, ...deletions].map(run => run()))
  assert.deepEqual(
    outcomes.filter(o => o.status === 'rejected'),
    [],
  )
  for (const outcome of outcomes) {
    const response = outcome.status === 'fulfilled' ? (outcome.value as { status?: number } | undefined) : undefined
    if (response?.status !== undefined) assert.equal(response.status, 200)
  }
  const counts = await db.query(sql<{ id: string; candidate_count: number; members: number }>`
    select l.id, l.candidate_count,
      (select count(*)::int from list_memberships m where m.workspace_id = l.workspace_id and m.list_id = l.id) as members
    from lists l where l.workspace_id = ${workspace}`)
  for (const row of counts) assert.equal(row.candidate_count, row.members)
  const types = typesOf(await readFeed(service, workspace))
  const count = (type: string) => types.filter(t => t === type).length
  const held = counts.reduce((sum, row) => sum + row.members, 0)
  assert.equal(count('list_membership.added') - count('list_membership.removed'), held)
  assert.equal(count('sourced_profile.deleted'), 6)
})

test('list races: a list that is deleted while members are added: either order, nothing left behind', async () => {
  const { id: workspace, userEmail } = await service.workspace('enterprise')
  const key = await service.key({ workspace, userEmail })
  const actor = { workspace, originKeyId: null }
  for (let round = 0; round < 5; round++) {
    const list = await db.transaction(tx => createList(tx, actor, { name: 'x' }))
    const members = [{ sourced_profile_id: await addProfile(service, workspace) }]
    const [response] = await Promise.all([
      service.post(`/lists/${list.id}/members`, key, { members }),
      db.transaction(tx => deleteList(tx, actor, list.id)),
    ])
    assert.ok(response.status === 200 || response.status === 404)
  }
  const types = typesOf(await readFeed(service, workspace))
  const count = (type: string) => types.filter(t => t === type).length
  assert.equal(count('list_membership.added'), count('list_membership.removed'))
  assert.equal(count('list.deleted'), 5)
})

test('list races: a reader that pages through a list while members are added misses none', async () => {
  const { id: workspace, userEmail } = await service.workspace('enterprise')
  const key = await service.key({ workspace, userEmail })
  const actor = { workspace, originKeyId: null }
  const list = await db.transaction(tx => createList(tx, actor, { name: 'read while written' }))
  const [early, late] = await Promise.all([addProfile(service, workspace), addProfile(service, workspace)])
  // the call that began first is the last to get its turn
  await db.transaction(async tx => {
    await tx.query(sql`select app_now()`)
    await db.query(sql`select pg_sleep(0.002)`)
    const members = [{ sourced_profile_id: late }]
    assert.equal((await service.post(`/lists/${list.id}/members`, key, { members })).status, 200)
    await addMembers(tx, actor, list.id, [{ sourced_profile_id: early }])
  })
  const { data } = (await service.get(`/lists/${list.id}/members`, key)).body
  assert.deepEqual(
    data.map((m: { sourced_profile_id: string }) => m.sourced_profile_id),
    [late, early],
  )
  assert.ok(data[0].added_at < data[1].added_at)
})
