import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { HiringClient, type StoredPosition, type SyncOptions } from '../../packages/sdk/src/index.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { requestErasure, runErasure } from '../../src/resources/erasures/index.ts'
import { apply, newTenant, type World } from '../applications/setup.ts'
import { faultyNetwork } from '../harness/faulty-network.ts'
import { temporaryFolder } from '../harness/process.ts'
import { startTestService } from '../harness/service.ts'
import { addProfile } from '../lists/fixture.ts'
import { startReader } from './start-reader.ts'

// biome-ignore lint/suspicious/noExplicitAny: rows of every kind
type SyncRow = Record<string, any>

const service = await startTestService()
const network = await faultyNetwork(service.origin)
const { db } = service.services

async function newWorld() {
  const world: World = { service, ...(await newTenant(service)) }
  const client = new HiringClient({
    baseUrl: network.origin,
    apiKey: world.key.secret,
    runtime: { sleep: () => new Promise(resolve => setTimeout(resolve, 5)) },
  })
  return { ...world, client }
}

/** More than one batch of rows. */
const insertLists = (workspace: string, count: number) =>
  db.query(sql`
    insert into lists (workspace_id, id, name)
    select ${workspace}, ids.id, 'List' from unnest(${Array.from({ length: count }, () => newHandle('list'))}::text[]) as ids (id)`)

const RESOURCES = ['jobs', 'applications', 'lists', 'list_memberships', 'stage_transitions'] as const

/** The state of the workspace as the endpoints show it. */
async function shown(client: HiringClient): Promise<Record<string, SyncRow[]>> {
  const rows = async (path: string, query = {}) => (await client.list<SyncRow>(path, query).toArray()).sort(byId)
  const single = async (path: string, query = {}) =>
    Promise.all((await rows(path, query)).map(({ id }) => client.request<SyncRow>({ path: `${path}/${id}` })))
  const lists = await rows('/lists')
  const applications = await single('/applications')
  return {
    jobs: await single('/jobs', { include_unpublished: true }),
    applications,
    lists,
    list_memberships: (
      await Promise.all(lists.filter(l => l['candidate_count'] > 0).map(({ id }) => rows(`/lists/${id}/members`)))
    ).flat(),
    stage_transitions: (
      await Promise.all(
        applications.map(async ({ id }) =>
          (
            await client.list<SyncRow>(`/applications/${id}/stage-transitions`).toArray()
          ).map(row => ({
            application_id: id,
            ...row,
          })),
        ),
      )
    ).flat(),
  }
}
const byId = (a: SyncRow, b: SyncRow) => (a['id'] < b['id'] ? -1 : 1)

/** A copy in memory, with what a partner's handlers do. */
function newCopy() {
  const tables = new Map<string, Map<string, { copy: string; row: SyncRow }>>(RESOURCES.map(name => [name, new Map()]))
  const saved: StoredPosition[] = []
  const prunes: string[] = []
  const keyOf = (row: SyncRow) => row['id'] ?? `${row['application_id']} ${row['at']}`
  const options: SyncOptions<undefined> = {
    resources: RESOURCES,
    once: true,
    checkpoint: {
      load: async () => saved.at(-1),
      save: async (position, work) => {
        await work(undefined)
        saved.push(JSON.parse(JSON.stringify(position)))
      },
    },
    upsert({ resource, rows, copy }) {
      for (const row of rows) tables.get(resource)!.set(keyOf(row), { copy, row })
    },
    remove({ resource, ids }) {
      for (const key of tables.get(resource)!.keys())
        if (ids.includes(key.split(' ')[0]!)) tables.get(resource)!.delete(key)
    },
    prune({ copy }) {
      prunes.push(copy)
      for (const table of tables.values()) for (const [key, row] of table) if (row.copy !== copy) table.delete(key)
    },
  }
  const rows = () =>
    Object.fromEntries([...tables].map(([name, table]) => [name, [...table].sort().map(([, { row }]) => row)]))
  return { options, saved, prunes, rows }
}

/** As text with sorted names. The number of applications of a job changes without an event of the job. */
const textOf = ({ application_count: _, ...row }: SyncRow) =>
  JSON.stringify(Object.fromEntries(Object.entries(row).sort()))
const sorted = (state: Record<string, SyncRow[]>) =>
  Object.fromEntries(Object.entries(state).map(([name, rows]) => [name, rows.map(textOf).sort()]))

const assertSame = async (client: HiringClient, copy: ReturnType<typeof newCopy>) =>
  assert.deepEqual(sorted(copy.rows()), sorted(await shown(client)))

test('SDK sync: a full copy and then the changes give the state that the endpoints show', async () => {
  network.plan(() => 'none')
  const world = await newWorld()
  const { client, workspace, job } = world
  await insertLists(workspace, 20)
  const first = await apply(world, {}, { email: 'first@example.org' })
  const copy = newCopy()
  await client.sync(copy.options)
  await assertSame(client, copy)
  assert.equal(copy.prunes.length, 1)

  const second = await apply(world, {}, { email: 'second@example.org' })
  await client.request({ method: 'POST', path: `/applications/${first.id}/move`, body: { stage_id: job.stages[1] } })
  await client.request({ method: 'POST', path: `/applications/${second.id}/reject`, body: { reason: 'No' } })
  const list = await client.request<SyncRow>({ method: 'POST', path: '/lists', body: { name: 'New' } })
  const profile = await addProfile(service, workspace)
  const body = { members: [{ sourced_profile_id: profile }] }
  await client.request({ method: 'POST', path: `/lists/${list['id']}/members`, body })
  await client.request({ method: 'POST', path: `/jobs/${job.id}/close` })
  await caughtUp(client, copy)
  await assertSame(client, copy)
  assert.equal(copy.prunes.length, 1, 'with one export')
})

/** Runs a sync until the events of the writes before are in the feed and applied. */
async function caughtUp(client: HiringClient, copy: ReturnType<typeof newCopy>): Promise<void> {
  const marker = await client.request<SyncRow>({ method: 'POST', path: '/lists', body: { name: 'Marker' } })
  while (!copy.rows()['lists']!.some(({ id }) => id === marker['id'])) await client.sync(copy.options)
}

test('SDK sync: records of a person who is erased are removed, also from a copy that is made afterwards', async () => {
  network.plan(() => 'none')
  const world = await newWorld()
  const { client } = world
  const stays = await apply(world, {}, { email: 'stays@example.org' })
  await apply(world, {}, { email: 'leaves@example.org' })
  const copy = newCopy()
  await client.sync(copy.options)
  assert.equal(copy.rows()['applications']!.length, 2)
  const { id } = await requestErasure(db, { email: 'leaves@example.org', requestedBy: 'command_line' })
  await caughtUp(client, copy)
  const left = () => copy.rows()['applications']!.map(row => row['id'])
  assert.deepEqual(left(), [stays.id], 'as soon as processing must stop')
  const another = newCopy()
  await client.sync(another.options)
  assert.deepEqual(
    another.rows()['applications']!.map(row => row['id']),
    [stays.id],
  )
  await runErasure(service.services, id)
  await caughtUp(client, copy)
  await assertSame(client, copy)
})

test('SDK sync: after a gap it makes a new copy, and removes what no longer exists', async () => {
  network.plan(() => 'none')
  const { client, workspace } = await newWorld()
  await insertLists(workspace, 3)
  const copy = newCopy()
  await client.sync(copy.options)
  await db.query(sql`delete from lists where id in (select id from lists where workspace_id = ${workspace} limit 1)`)
  copy.saved.push({ ...copy.saved.at(-1)!, after: 1_000_000 })
  await client.sync(copy.options)
  assert.equal(copy.prunes.length, 2)
  assert.equal(copy.rows()['lists']!.length, 2)
  copy.saved.push({ ...copy.saved.at(-1)!, epoch: 'before a restore' })
  await client.sync(copy.options)
  await assertSame(client, copy)
  assert.equal(new Set(copy.prunes).size, 3)
})

test('SDK sync: other resources than before need a new copy', async () => {
  network.plan(() => 'none')
  const { client } = await newWorld()
  const copy = newCopy()
  await client.sync({ ...copy.options, resources: ['jobs'] })
  assert.deepEqual([copy.rows()['jobs']!.length, copy.prunes.length], [1, 1])
  await client.sync(copy.options)
  assert.equal(copy.prunes.length, 2)
  await assertSame(client, copy)
})

test('SDK sync: files that are cut, URLs that expire and a service that fails lose no row', async () => {
  const { client, workspace } = await newWorld()
  await insertLists(workspace, 1_200)
  const faults = ['none', 'cut_body', { status: 503 }, 'none', { status: 404 }, 'cut_request', 'none', 'none'] as const
  // the storage is behind the network too
  const fetchBehind: typeof fetch = (input, init) => fetch(String(input).replace(service.origin, network.origin), init)
  const behind = new HiringClient({ ...client.options, fetch: fetchBehind })
  network.plan(({ path }, n) => {
    const fault = faults[n % faults.length]!
    return typeof fault === 'object' && fault.status === 404 && !path.startsWith('/storage') ? 'none' : fault
  })
  const copy = newCopy()
  await behind.sync(copy.options)
  network.plan(() => 'none')
  await assertSame(client, copy)
})

test('SDK sync: a process that is killed at random moments ends with the exact state', async () => {
  network.plan(() => 'none')
  const world = await newWorld()
  const { client, workspace, key, job } = world
  await insertLists(workspace, 1_700)
  const path = join(temporaryFolder(), 'copy.db')
  const env = { READER_URL: service.origin, READER_KEY: key.secret, READER_STORE: 'copy', READER_PATH: path }
  for (let i = 0; i < 6; i++) {
    const { id } = await apply(world, {}, { email: `person-${i}@example.org` })
    await client.request({ method: 'POST', path: `/applications/${id}/move`, body: { stage_id: job.stages[1] } })
    const reader = startReader(env)
    // in the middle of the copy first, then in the feed, where fewer batches come than are waited for
    const pause = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))
    await Promise.race([reader.batches(1 + (i % 4)), pause(3_000)])
    await pause(Math.random() * 30)
    reader.child.kill('SIGKILL')
    await reader.ended
    assert.equal(reader.errors(), '')
  }
  const database = new DatabaseSync(path)
  const marker = await client.request<SyncRow>({ method: 'POST', path: '/lists', body: { name: 'Marker' } })
  for (let found = 0; found === 0; ) {
    const last = startReader({ ...env, READER_ONCE: '1' })
    assert.equal(await last.ended, 0, last.errors())
    found = database.prepare('select id from copied where id = ?').all(marker['id']).length
  }
  const stored = database.prepare('select resource, row from copied').all() as { resource: string; row: string }[]
  const state: Record<string, SyncRow[]> = Object.fromEntries(RESOURCES.map(name => [name, []]))
  for (const { resource, row } of stored) state[resource]!.push(JSON.parse(row))
  assert.deepEqual(sorted(state), sorted(await shown(client)))
  database.close()
  const exports = await db.one(
    sql<{ n: number }>`select count(*)::integer as n from exports where workspace_id = ${workspace}`,
  )
  assert.equal(exports!.n, 1, 'every run continued with the same export')
})
