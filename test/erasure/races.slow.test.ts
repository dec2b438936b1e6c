import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Transaction } from '../../src/kernel/db/database.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { parseNext } from '../../src/resources/applications/index.ts'
import { erasureById, requestErasure, runErasure } from '../../src/resources/erasures/index.ts'
import { resolveAll } from '../../src/resources/people/index.ts'
import { importProfiles, readProfile } from '../../src/resources/sourced-profiles/index.ts'
import { apply, body, endlessKeys, newJob, newTenant, startWorld, upload, type World } from '../applications/setup.ts'
import { readFeed } from '../harness/feed.ts'
import { until } from '../harness/receiver.ts'
import { killWorker, startWorker } from '../harness/worker-process.ts'

const home = await startWorld()
const { service } = home
const { db, blobs, log } = service.services

const url = (name: string) => `https://linkedin.com/in/${name}`

/** How often each event of the workspaces was emitted for a record, for those that must be emitted once. */
async function emitted(workspaces: readonly string[]): Promise<string[]> {
  const once = ['deleted', 'suppression_applied', 'erasure_completed']
  const all: string[] = []
  for (const workspace of workspaces) {
    for (const event of await readFeed(service, workspace)) {
      if (once.some(end => event.type.endsWith(end))) all.push(`${event.type} ${event.data.object.id} ${workspace}`)
    }
  }
  return all.toSorted()
}
const assertOnce = (events: readonly string[]) => assert.deepEqual(events, [...new Set(events)])

/** Nothing of the person in any table that they could have slipped into. */
async function assertGone(name: string): Promise<void> {
  const [row] = await db.query(sql`
    select (select count(*) from applicants where email_key like ${`${name}%`} or linkedin_key like ${`%/${name}%`})
      + (select count(*) from sourced_profiles where linkedin_key like ${`%/${name}%`})
      + (select count(*) from identities where value like ${`%${name}%`})
      + (select count(*) from contact_values where value like ${`${name}%`}) as left`)
  assert.deepEqual(row, { left: 0 })
}

test('erasure races: during applications, moves, notes, parsing and imports, an erasure leaves nothing and no record comes back', async () => {
  const { id } = await apply(
    home,
    { resume_upload_id: await upload(home) },
    { email: 'busy@example.org', linkedin_url: url('busy') },
  )
  const jobs = await Promise.all(Array.from({ length: 6 }, () => newJob(service, home.workspace)))
  const candidates = [
    { email: 'busy@example.org' },
    { email: 'busy.two@example.org', linkedin_url: url('busy') },
    { email: 'Busy@example.org', linkedin_url: url('busy') },
  ]
  let stop = false
  const statuses = new Set<number>()
  const writers = Array.from({ length: 6 }, async (_, i) => {
    const nextKey = endlessKeys(home)
    for (let n = 0; !stop; n++) {
      const key = await nextKey()
      const job = jobs[(i + n) % jobs.length]!
      const made = await service.post('/applications', key, body(job, {}, candidates[n % 3]))
      statuses.add(made.status)
      const target = made.body.id ?? id
      await service.post(`/applications/${target}/move`, key, { stage_id: job.stages[1 + (n % 2)] })
      await service.post(`/applications/${target}/notes`, key, { body: 'busy' })
    }
  })
  const importer = (async () => {
    while (!stop) {
      const row = readProfile(
        JSON.stringify({ full_name: 'Busy', linkedin_url: url('busy') }),
        newHandle('sourced_profile'),
      )
      const how = { origin: 'xray', acquisition: 'xray_search', provider: null }
      await db.transaction(tx => importProfiles(tx, { workspace: home.workspace, originKeyId: null }, how, [row]))
      await parseNext(db, blobs, log)
    }
  })()
  await until('some were created', () => statuses.has(201) && statuses.has(200))
  const erasure = await requestErasure(db, { email: 'busy@example.org', requestedBy: 'command_line' })
  await runErasure(service.services, erasure.id)
  await until('the next is refused', () => statuses.has(409))
  stop = true
  await Promise.all([...writers, importer])
  await assertGone('busy')
  assert.deepEqual([...statuses].toSorted(), [200, 201, 409])
  const events = await emitted([home.workspace])
  assertOnce(events)
  assert.ok(events.some(e => e.startsWith('applicant.deleted')))
})

test('erasure races: a person resolved during their erasure is not found, and no handle is stored again', async () => {
  await apply(home, {}, { email: 'looked.for@example.org', linkedin_url: url('looked-for') })
  await db.query(sql`delete from identities where workspace_id = ${home.workspace} and value like '%looked%'`)
  const asking = {
    db,
    workspace: home.workspace,
    scopes: new Set(['applicants:read'] as const),
    // the records are read by now, the handles are not stored yet
    inTransaction: async <T>(work: (tx: Transaction) => Promise<T>) => {
      const { id } = await requestErasure(db, { email: 'looked.for@example.org', requestedBy: 'command_line' })
      await runErasure(service.services, id)
      return db.transaction(work)
    },
  }
  assert.equal((await resolveAll(asking, [{ kind: 'email', value: 'looked.for@example.org' }])).size, 0)
  await assertGone('looked')
})

test('erasure races: requested twice at the same time, and run by four workers: one suppression, every event once', async () => {
  const { applicant_id } = await apply(home, {}, { email: 'twice@example.org', linkedin_url: url('twice') })
  const asked = await Promise.all([
    requestErasure(db, { email: 'twice@example.org', requestedBy: 'command_line' }),
    requestErasure(db, { linkedinUrl: url('twice'), requestedBy: 'command_line' }),
  ])
  assert.equal(asked[0].id, asked[1].id)
  assert.deepEqual(asked.map(a => a.isNew).toSorted(), [false, true])
  await Promise.all([...asked, ...asked].map(({ id }) => runErasure(service.services, id)))
  const events = (await emitted([home.workspace])).filter(e => e.includes(applicant_id) || e.startsWith('data_subject'))
  assertOnce(events)
  assert.ok(events.some(e => e === `applicant.deleted ${applicant_id} ${home.workspace}`))
})

test('erasure races: a crash after any batch: the next run continues from there, and emits nothing twice', async () => {
  const { id: applicationId } = await apply(
    home,
    { resume_upload_id: await upload(home) },
    { email: 'steps@example.org', linkedin_url: url('steps') },
  )
  const { id } = await requestErasure(db, { email: 'steps@example.org', requestedBy: 'command_line' })
  let runs = 0
  for (let done = false; !done; runs++) {
    assert.ok(runs < 50)
    const dying = () => {
      throw new Error('died')
    }
    done = await runErasure(service.services, id, dying).then(
      () => true,
      error => error.message !== 'died',
    )
    done ||= (await db.one(erasureById(id)))!.completed_at !== null
  }
  assert.ok(runs > 4, `${runs} steps`)
  await assertGone('steps')
  const events = await emitted([home.workspace])
  assertOnce(events)
  assert.ok(events.some(e => e === `application.deleted ${applicationId} ${home.workspace}`))
  assert.deepEqual(await db.query(sql`select 1 from file_deletions`), [])
})

test('erasure: with the file store unavailable, nothing is complete before the files are gone', async () => {
  await apply(home, { resume_upload_id: await upload(home) }, { email: 'files@example.org' })
  const { id } = await requestErasure(db, { email: 'files@example.org', requestedBy: 'command_line' })
  const away = new Proxy(blobs, {
    get: (target, name) =>
      name === 'remove' ? () => Promise.reject(new Error('the store is unavailable')) : Reflect.get(target, name),
  })
  await assert.rejects(runErasure({ ...service.services, blobs: away }, id), /the store is unavailable/)
  const halfway = (await db.one(erasureById(id)))!
  assert.deepEqual([halfway.status, halfway.completed_at], ['suppressed', null])
  assert.deepEqual(
    halfway.records.find(r => r.object === 'file'),
    { object: 'file', found: 1, done: 0 },
  )
  const done = await runErasure(service.services, id)
  assert.equal(done.status, 'erased')
})

test('erasure races: of two requests for one person, neither is complete before the files are gone, whichever deleted the record', async () => {
  const { applicant_id } = await apply(
    home,
    { resume_upload_id: await upload(home) },
    { email: 'hr@overlap.example', linkedin_url: url('overlap') },
  )
  const file = await db.one(sql<{ key: string }>`
    select r.blob_key as key from resumes r join applications a on a.workspace_id = r.workspace_id and a.id = r.application_id
    where a.workspace_id = ${home.workspace} and a.applicant_id = ${applicant_id}`)
  // an address shared by role is suppressed only where it was asked for: the second request has more to do
  const first = await requestErasure(db, { linkedinUrl: url('overlap'), requestedBy: 'command_line' })
  const second = await requestErasure(db, { email: 'hr@overlap.example', requestedBy: 'command_line' })
  assert.deepEqual([first.isNew, second.isNew], [true, true])
  const away = new Proxy(blobs, {
    get: (target, name) =>
      name === 'remove' ? () => Promise.reject(new Error('the store is unavailable')) : Reflect.get(target, name),
  })
  for (const { id } of [first, second]) {
    await assert.rejects(runErasure({ ...service.services, blobs: away }, id), /the store is unavailable/)
    assert.equal((await db.one(erasureById(id)))!.completed_at, null)
  }
  const completed = async () =>
    (await readFeed(service, home.workspace)).filter(
      event =>
        event.type === 'data_subject.erasure_completed' &&
        event.data.object.subjects.some((s: { id: string }) => s.id === applicant_id),
    ).length
  assert.equal(await completed(), 0)
  assert.ok(await blobs.stat(file!.key))
  await runErasure(service.services, second.id)
  assert.equal(await blobs.stat(file!.key), null)
  assert.equal(await completed(), 1)
  await runErasure(service.services, first.id)
  assert.equal(await completed(), 2)
  assertOnce(await emitted([home.workspace]))
})

test('erasure races: of two requests for one sourced profile, both complete, also while the folder of the other is not removed yet', async () => {
  await apply(home, {}, { email: 'hr@folder.example', linkedin_url: url('folder') })
  const row = readProfile(
    JSON.stringify({ full_name: 'Folder', linkedin_url: url('folder') }),
    newHandle('sourced_profile'),
  )
  const how = { origin: 'xray', acquisition: 'xray_search', provider: null }
  await db.transaction(tx => importProfiles(tx, { workspace: home.workspace, originKeyId: null }, how, [row]))
  const first = await requestErasure(db, { linkedinUrl: url('folder'), requestedBy: 'command_line' })
  const second = await requestErasure(db, { email: 'hr@folder.example', requestedBy: 'command_line' })
  assert.deepEqual([first.isNew, second.isNew], [true, true])
  const away = new Proxy(blobs, {
    get: (target, name) =>
      name === 'removeAll' ? () => Promise.reject(new Error('the store is unavailable')) : Reflect.get(target, name),
  })
  for (const { id } of [first, second])
    await assert.rejects(runErasure({ ...service.services, blobs: away }, id), /the store is unavailable/)
  for (const { id } of [second, first]) assert.equal((await runErasure(service.services, id)).status, 'erased')
  await assertGone('folder')
})

test('erasure races: kill -9 in the middle: another worker completes it, every event once', async () => {
  const worlds: World[] = [home]
  for (let i = 0; i < 3; i++) worlds.push({ service, ...(await newTenant(service)) })
  for (const world of worlds) await apply(world, {}, { email: 'killed@example.org', linkedin_url: url('killed') })
  const { id } = await requestErasure(db, { email: 'killed@example.org', requestedBy: 'command_line' })
  const settings = { DATABASE_URL: service.database.url, DATA_DIR: service.services.config.DATA_DIR }
  const progress = async () => (await db.one(erasureById(id)))!
  const erased = async () => (await progress()).records.find(r => r.object === 'applicant')!.done

  // another session locks the last applicant, so that the worker waits in the middle of its work
  const holder = await db.session()
  await holder.script('begin')
  const last = await db.one(sql<{ workspace_id: string; id: string }>`
    select workspace_id, id from applicants where email_key = 'killed@example.org' order by id desc limit 1`)
  await holder.query(sql`
    select 1 from applicants where workspace_id = ${last!.workspace_id} and id = ${last!.id} for update`)
  const first = await startWorker(settings)
  await until('the worker came as far as it could', async () => (await erased()) === worlds.length - 1)
  await killWorker(first)
  await holder.script('rollback')
  await holder.close()
  assert.equal((await progress()).completed_at, null)

  const second = await startWorker(settings)
  await until('another worker completed it', async () => (await progress()).completed_at !== null)
  await killWorker(second)
  await assertGone('killed')
  const events = await emitted(worlds.map(w => w.workspace))
  assertOnce(events)
  const suppression = (await progress()).suppression_id
  for (const type of ['suppression_applied', 'erasure_completed']) {
    const emitted = events.filter(e => e.startsWith(`data_subject.${type} ${suppression}`))
    assert.equal(emitted.length, worlds.length, type)
  }
})
