import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { sharedContentPdf } from '../../packages/resume-parser/test/slow-files.ts'
import { type Sql, sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { parseNext } from '../../src/resources/applications/index.ts'
import { type ClaimedResume, claimResume, endReading, finishParsing } from '../../src/resources/resumes/index.ts'
import { nextWorkspaces, waitingWorkspaces } from '../../src/resources/resumes/parsing-store.ts'
import { apply, newTenant, startWorld, upload } from './setup.ts'

const { service } = await startWorld()
const { db, blobs, log } = service.services
const LIMITS = { fileSeconds: 20, hourlySeconds: 600 }
const TEXT = Buffer.from('Ada Byron\nEngineer of analytical engines\nLondon, United Kingdom\n')

interface Tenant {
  workspace: string
  /** applications with a waiting file, oldest first */
  waiting: string[]
}

async function tenant(files: number, file: Buffer = TEXT, mime = 'text/plain'): Promise<Tenant> {
  const own = { service, ...(await newTenant(service)) }
  const waiting: string[] = []
  for (let i = 0; i < files; i++) {
    waiting.push((await apply(own, { resume_upload_id: await upload(own, file, mime) })).id)
  }
  return { workspace: own.workspace, waiting }
}

/** Claims the next file, as a worker does, and ends its reading after so many seconds of it. */
async function readFor(seconds: number, limits = LIMITS): Promise<ClaimedResume | undefined> {
  const claimed = await claimResume(db, { limits })
  if (!claimed) return undefined
  await endReading(db, claimed, seconds * 1000)
  await db.transaction(tx => finishParsing(tx, claimed, 'internal'))
  return claimed
}

/** The workspaces of the next files, in the order in which they are read. */
async function order(count: number, seconds: (workspace: string) => number, limits = LIMITS): Promise<string[]> {
  const read: string[] = []
  for (let i = 0; i < count; i++) {
    const next = await claimResume(db, { limits })
    if (!next) break
    read.push(next.workspace_id)
    await endReading(db, next, seconds(next.workspace_id) * 1000)
    await db.transaction(tx => finishParsing(tx, next, 'internal'))
  }
  return read
}

// every test begins with an empty queue, in the first minute of an hour
beforeEach(async () => {
  await db.query(sql`update resumes set parse_status = 'failed' where parse_status in ('pending', 'parsing')`)
  await db.query(sql`delete from worker_turns`)
  clock.advance(3_600_000 - (clock.now() % 3_600_000) + 1_000)
})

test('résumé reading: workspaces take turns, however many files one of them has', async () => {
  const [a, b, c] = [await tenant(5), await tenant(2), await tenant(2)]
  const read = await order(9, () => 0.1)
  for (const one of [b, c]) assert.ok(read.lastIndexOf(one.workspace) < 6, 'served within its turns')
  assert.deepEqual(read.slice(6), [a.workspace, a.workspace, a.workspace])
})

test('résumé reading: the files of a workspace are read oldest first', async () => {
  const { waiting } = await tenant(3)
  const read: (string | undefined)[] = []
  for (const _ of waiting) read.push((await readFor(0.1))?.application_id)
  assert.deepEqual(read, waiting)
})

test('résumé reading: slow files of one workspace delay another workspace by one file at most', async () => {
  const hostile = await tenant(5)
  const ordinary = await tenant(4)
  const read = await order(9, workspace => (workspace === hostile.workspace ? 20 : 0.5))
  const before = read.slice(0, read.lastIndexOf(ordinary.workspace))
  assert.ok(before.filter(workspace => workspace === hostile.workspace).length <= 1, read.join(' '))
  assert.equal(read.filter(workspace => workspace === hostile.workspace).length, 5, 'they are read in the end')
})

test('résumé reading: a quick file now and then does not take a workspace out of the slow lane', async () => {
  const hostile = await tenant(4)
  await order(2, () => 20)
  await readFor(0.1)
  const ordinary = await tenant(1)
  assert.equal((await readFor(0.1))?.workspace_id, ordinary.workspace)
  assert.equal((await readFor(0.1))?.workspace_id, hostile.workspace)
})

test('résumé reading: a slow workspace is served after ten minutes although others still wait', async () => {
  const slow = await tenant(2)
  await readFor(20)
  const ordinary = await tenant(3)
  assert.equal((await readFor(0.1))?.workspace_id, ordinary.workspace)
  clock.advance(570_000)
  await readFor(0.1)
  clock.advance(31_000)
  assert.equal((await readFor(0.1))?.workspace_id, slow.workspace)
})

test('résumé reading: beyond its seconds of the hour a workspace comes after others, until the next hour', async () => {
  const limits = { fileSeconds: 20, hourlySeconds: 30 }
  const busy = await tenant(14)
  await order(8, () => 4, limits) // 32 seconds, none of them slow
  const ordinary = await tenant(3)
  assert.deepEqual(
    await order(3, () => 0.1, limits),
    [1, 2, 3].map(() => ordinary.workspace),
  )
  assert.equal((await readFor(0.1, limits))?.workspace_id, busy.workspace, 'alone, it is still served')
  const other = await tenant(3)
  await order(1, () => 0.1, limits)
  clock.advance(3_600_000)
  const read = await order(2, () => 0.1, limits)
  assert.deepEqual(new Set(read), new Set([busy.workspace, other.workspace]), 'in the next hour it has turns again')
})

test('résumé reading: workers that claim at the same moment take files of different workspaces', async () => {
  const tenants = [await tenant(6), await tenant(2), await tenant(2), await tenant(1)]
  const claims = await Promise.all(tenants.map(() => claimResume(db, { limits: LIMITS })))
  assert.deepEqual(claims.map(one => one?.workspace_id).toSorted(), tenants.map(one => one.workspace).toSorted())
})

test('résumé reading: while a file of a workspace is being read, a free worker prefers other workspaces', async () => {
  const hostile = await tenant(5)
  const first = await claimResume(db, { limits: LIMITS }) // not known to be slow yet
  const ordinary = await tenant(3)
  assert.equal(first?.workspace_id, hostile.workspace)
  assert.deepEqual(
    await order(3, () => 0.1),
    [1, 2, 3].map(() => ordinary.workspace),
  )
})

test('résumé reading: a worker that died leaves its seconds spent; its file is read when the lease has ended', async () => {
  const limits = { fileSeconds: 20, hourlySeconds: 15 }
  const { workspace, waiting } = await tenant(1)
  await claimResume(db, { limits })
  assert.equal(await claimResume(db, { limits }), undefined)
  clock.advance(91_000)
  const ordinary = await tenant(1)
  assert.equal((await readFor(0.1, limits))?.workspace_id, ordinary.workspace)
  const again = await claimResume(db, { limits })
  assert.deepEqual([again?.workspace_id, again?.application_id, again?.parse_attempts], [workspace, waiting[0], 2])
})

// The limit is processor time, so a busy machine takes many times longer to reach it: hence the longer time limit.
const UP_TO_TEN_MINUTES = { timeout: 600_000 }
test(
  'résumé reading: files that run into the time limit delay those of others by one file at most',
  UP_TO_TEN_MINUTES,
  async () => {
    const limits = { fileSeconds: 1, hourlySeconds: 600 }
    const hostile = await tenant(4, sharedContentPdf(7 * 1024 * 1024, 25), 'application/pdf')
    await parseNext(db, blobs, log, { limits })
    const ordinary = await tenant(3)
    // On a quiet machine the hostile workspace is in the slow lane by now and waits for all three. Where the machine is so
    // busy that every file is slow, the two take turns.
    for (let ordinaryRead = 0; ordinaryRead < 3; ) {
      await parseNext(db, blobs, log, { limits })
      const rows = await db.query(
        sql<{ workspace_id: string; parse_attempts: number }>`
        select workspace_id, parse_attempts from resumes
        where application_id = any(${[...hostile.waiting, ...ordinary.waiting]}) and parse_attempts > 0`,
      )
      ordinaryRead = rows.filter(row => row.workspace_id === ordinary.workspace).length
      assert.ok(
        rows.length - ordinaryRead <= 1 + ordinaryRead + 1,
        `${rows.length - ordinaryRead} hostile files were read`,
      )
    }
  },
)

test('résumé reading: the next workspace and its next file are found by index', async () => {
  const { workspace } = await tenant(1)
  const explained = (statement: Sql) =>
    db.transaction(async tx => {
      await tx.query(sql`set local enable_seqscan = off`)
      // among few files every index is as good as another
      await tx.query(sql`set local session_replication_role = replica`)
      await tx.query(sql`
        insert into resumes (workspace_id, id, application_id, filename, mime, bytes, blob_key, parse_status)
        select workspace_id, left(id, -4) || n, left(application_id, -4) || n, 'x', 'text/plain', 1, 'x', 'parsed'
        from resumes, generate_series(1000, 2999) n where workspace_id = ${workspace}`)
      await tx.query(sql`analyze resumes`)
      const plan = await tx.query(sql<{ 'QUERY PLAN': string }>`explain (costs off) ${statement}`)
      return plan.map(row => row['QUERY PLAN']).join('\n')
    })
  const rules = { hourlyMs: 1, slowMs: 1, longestWaitSeconds: 1 }
  const text = await explained(nextWorkspaces([workspace], rules, 20))
  assert.doesNotMatch(text, /Seq Scan on resumes/)
  assert.match(text, /(using|Index Scan on) resumes_to_parse/)
  const waiting = (await db.query(waitingWorkspaces())).map(row => row.workspace_id)
  assert.ok(waiting.includes(workspace))
  assert.equal(new Set(waiting).size, waiting.length)
})
