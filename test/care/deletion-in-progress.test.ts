import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, test } from 'node:test'
import { deletionVerbs } from '../../src/cli/deletions.ts'
import { importVerbs } from '../../src/cli/import.ts'
import type { Blobs } from '../../src/kernel/blobs/blobs.ts'
import { LOCKS } from '../../src/kernel/db/locks.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { runNextDeletion } from '../../src/resources/deletions/index.ts'
import { exportsWaiting, runNextExport } from '../../src/resources/exports/index.ts'
import { withoutIdleLimit } from '../../src/resources/imports/store.ts'
import { lockSuppressionsExclusive } from '../../src/resources/suppressions/store.ts'
import { expireOnce } from '../../src/workers/expire-files.ts'
import { startTestService } from '../harness/service.ts'
import { runVerb } from '../harness/verb.ts'
import { newList, newTeam } from '../hiring/sourcing-team.ts'
import { mentions } from './mentions.ts'

const service = await startTestService({ ROLES: 'api' })
const { db, blobs } = service.services

beforeEach(() => clock.reset())

const verb = (name: string, args: string[], options: Record<string, string> = {}) =>
  runVerb(service, [...deletionVerbs, ...importVerbs], name, args, options)

const close = (workspace: string) => verb('workspaces delete', [workspace], { yes: workspace, now: '' })

async function filesOf(workspace: string): Promise<string[]> {
  const files: string[] = []
  for await (const key of blobs.list('')) if (key.includes(workspace)) files.push(key)
  return files
}

/** The rows and files of a workspace, and then what was written after they were deleted. */
async function deleteWhole(workspace: string): Promise<void> {
  while (await runNextDeletion(service.services));
  clock.advance(3 * 3_600_000)
  while (await runNextDeletion(service.services));
  const [row] = await db.query(sql<{ completed: boolean }>`
    select completed_at is not null as completed from workspace_deletions where workspace_id = ${workspace}`)
  assert.deepEqual(row, { completed: true })
}

const WHAT_STAYS = ['workspace_deletions', 'workspace_log']

/** Until someone waits for the lock of the suppressions. */
async function blocked(): Promise<void> {
  const waits = sql`
    select 1 from pg_locks where locktype = 'advisory' and not granted and objid = ${LOCKS.suppressions}::bigint::oid
      and database = (select oid from pg_database where datname = current_database())`
  while ((await db.query(waits)).length === 0);
}

test('an export that is being written while its workspace is deleted: ends, is not repeated, and leaves no row and no file', async () => {
  const { workspace, key } = await newTeam(service)
  const source = { system: 'acme_ats', external_id: '1' }
  assert.equal((await service.post('/jobs', key, { source, title: 'Welder' })).status, 201)
  assert.equal((await service.post('/exports', key, { resources: ['jobs', 'applications'] })).status, 201)

  // the store takes the first file while every row and file of the workspace is deleted, and then the file is there
  const reached = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const slow: Blobs = Object.assign(Object.create(blobs), {
    put: async (...args: Parameters<Blobs['put']>) => {
      reached.resolve()
      await released.promise
      return blobs.put(...args)
    },
  })
  const writing = runNextExport({ ...service.services, blobs: slow })
  await reached.promise
  await close(workspace)
  while (await runNextDeletion(service.services));
  assert.deepEqual(await db.query(sql`select 1 from exports where workspace_id = ${workspace}`), [])
  released.resolve()
  assert.equal(await writing, true)

  assert.equal(await runNextExport(service.services), false, 'nothing to repeat')
  assert.equal((await db.one(exportsWaiting))!.waiting, 0)
  await expireOnce(db, blobs)
  assert.deepEqual(await filesOf(workspace), [], 'removed by the next sweep, not only by the last look of the deletion')
  await deleteWhole(workspace)
  assert.deepEqual(await mentions(db, workspace), WHAT_STAYS)
  assert.deepEqual(await filesOf(workspace), [])
})

test('an export that waits when its workspace is closed: is ready after a restore; is deleted otherwise', async () => {
  const { workspace, key } = await newTeam(service)
  const { body } = await service.post('/exports', key, { resources: ['jobs'] })
  await verb('workspaces delete', [workspace], { yes: workspace })
  while (await runNextExport(service.services));
  await verb('workspaces restore', [workspace])
  assert.equal((await service.get(`/exports/${body.id}`, key)).body.status, 'ready')
  assert.equal((await filesOf(workspace)).length, 1)
  await close(workspace)
  await deleteWhole(workspace)
  assert.deepEqual([await mentions(db, workspace), await filesOf(workspace)], [WHAT_STAYS, []])
})

test('an import whose workspace is closed or deleted before its batch: 400 with the reason, nothing stored; no row is left', async () => {
  const TABLE = Buffer.from('Name,ID\nCy C,c-1\nDi D,d-1')
  for (const [until, reason] of [
    ['closed', /^Workspace wsp_\w+ is closed; what follows was not imported\.$/],
    ['deleted', /^There is no workspace wsp_\w+\.$/],
  ] as const) {
    const { workspace, member } = await newTeam(service)
    const list = await newList(member)
    const { sending } = await db.transaction(async tx => {
      // an import waits for this lock at the begin of each batch
      await tx.query(withoutIdleLimit())
      await tx.query(lockSuppressionsExclusive())
      const sending = member.postFile(`/sourcing/lists/${list.id}/import`, TABLE)
      await blocked()
      await close(workspace)
      if (until === 'deleted') while (await runNextDeletion(service.services));
      return { sending } // not awaited here: it ends after the lock
    })
    const { status, body } = await sending
    assert.equal(status, 400)
    assert.match(body.detail.message, reason)
    assert.deepEqual(await db.query(sql`select 1 from sourced_profiles where workspace_id = ${workspace}`), [])
    await deleteWhole(workspace)
    assert.deepEqual([await mentions(db, workspace), await filesOf(workspace)], [WHAT_STAYS, []])
    assert.equal((await member.postFile('/sourcing/import', TABLE)).status, 401)
  }
})

test('hiring import sourced-profiles: refused for a closed workspace; after a restore it continues', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'deletion-import-'))
  try {
    const file = join(folder, 'profiles.ndjson')
    await writeFile(file, '{"external_id": "e-1", "full_name": "Cy C"}\n')
    const { workspace } = await newTeam(service)
    await verb('workspaces delete', [workspace], { yes: workspace })
    const load = () => verb('import sourced-profiles', [file], { workspace })
    await assert.rejects(load, /is closed and will be deleted on .*; restore it first/)
    assert.deepEqual(await db.query(sql`select 1 from imports where target = ${workspace}`), [])
    await verb('workspaces restore', [workspace])
    assert.equal(((await load()).json as { created: number }).created, 1)
    await close(workspace)
    await deleteWhole(workspace)
    await assert.rejects(load, /there is no workspace/)
    assert.deepEqual(await mentions(db, workspace), WHAT_STAYS)
  } finally {
    await rm(folder, { recursive: true })
  }
})
