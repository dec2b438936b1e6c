import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { deletionVerbs } from '../../src/cli/deletions.ts'
import { keyVerbs } from '../../src/cli/keys.ts'
import { retentionVerbs } from '../../src/cli/retention.ts'
import { workspaceVerbs } from '../../src/cli/workspaces.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { sequenceBatch } from '../../src/kernel/feed/sequencer.ts'
import { sendNextMails } from '../../src/kernel/mail/queue.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { grantCredits } from '../../src/resources/credits/index.ts'
import { deletionMails, runNextDeletion } from '../../src/resources/deletions/index.ts'
import { claimDeletion, deletionsWaiting, noteProgress, tenantTables } from '../../src/resources/deletions/store.ts'
import { createJob } from '../../src/resources/jobs/index.ts'
import { newTenant } from '../applications/setup.ts'
import { signedIn } from '../console/setup.ts'
import { Plants, plantPerson } from '../erasure/planting.ts'
import { startTestService } from '../harness/service.ts'
import { runVerb } from '../harness/verb.ts'
import { mentions } from './mentions.ts'

const service = await startTestService({ ROLES: 'api' }, { resolveName: async () => ['8.8.8.8'] })
const { db, blobs, outbox } = service.services
const DAY_MS = 86_400_000

const verb = (name: string, args: string[], options: Record<string, string> = {}) =>
  runVerb(service, [...deletionVerbs, ...workspaceVerbs], name, args, options)

const tables = await db.query(tenantTables())

/** Rows of a workspace by table, and its files. */
async function holdings(workspace: string): Promise<Record<string, number>> {
  const { json } = await verb('workspaces delete', [workspace], { 'dry-run': '' })
  const { tables, files } = json as { tables: Record<string, number>; files: number }
  return { ...tables, files }
}

test('hiring workspaces delete: the workspace is closed from the next request on; a restore opens it again', async () => {
  const { id, userEmail } = await service.workspace('enterprise', 'Closing')
  const other = await service.workspace('enterprise')
  const key = await service.key({ workspace: id, userEmail })
  const list = await service.key({ workspace: other.id, reach: [other.id, id] })
  const all = await service.key({ workspace: other.id, reach: 'all' })
  const owner = await signedIn(service, id)
  const hiring = await signedIn(service, id, { program: 'hiring' })
  const endpoint = await service.post('/webhooks/endpoints', key, {
    url: 'https://x.example.com/',
    event_types: ['job.updated'],
  })
  assert.equal(endpoint.status, 201, endpoint.text)
  const { slug } = (await db.one(sql<{ slug: string }>`select slug from career_sites where workspace_id = ${id}`))!
  const states = async () => {
    const named = `/jobs?workspace_id=${id}`
    const responses = await Promise.all([
      service.get('/jobs', key),
      service.get(named, list),
      service.get(named, all),
      service.call('GET', `${service.origin}/careers/${slug}`),
    ])
    const { rows } = {
      rows: await db.query(sql<{ enabled: boolean }>`
      select enabled from webhook_endpoints where workspace_id = ${id}`),
    }
    return [...responses.map(({ status }) => status), ...rows.map(({ enabled }) => enabled)]
  }
  assert.deepEqual(await states(), [200, 200, 200, 200, true])

  await assert.rejects(() => verb('workspaces delete', [id], { yes: 'wsp_other' }), /--yes must be the id/)
  await assert.rejects(() => verb('workspaces restore', [id]), /is not scheduled for deletion/)
  assert.deepEqual(await states(), [200, 200, 200, 200, true])

  await verb('workspaces delete', [id], { yes: id })
  const refused = await service.get('/jobs', key)
  assert.equal(refused.body.detail.code, (await service.get('/jobs', 'hp_live_unknown')).body.detail.code)
  assert.deepEqual(await states(), [401, 404, 404, 404, false])
  assert.equal((await owner.get('/session')).status, 401)
  assert.equal((await hiring.get('/session')).status, 401)
  assert.ok((await service.get('/workspaces', all)).body.data.every((w: { id: string }) => w.id !== id))
  assert.ok(!(await service.get('/me', list)).body.workspace_ids.includes(id))
  await assert.rejects(() => verb('workspaces delete', [id], { yes: id }), /already scheduled/)
  assert.equal(await runNextDeletion(service.services), false, 'not before the grace period is over')

  await verb('workspaces restore', [id])
  assert.deepEqual(await states(), [200, 200, 200, 200, true])
  assert.equal((await owner.get('/session')).status, 401, 'people sign in again')
  const log = (await verb('workspaces log', [id])).json as { action: string }[]
  assert.deepEqual(
    log.map(({ action }) => action),
    ['deletion_canceled', 'deletion_scheduled'],
  )
})

test('a closed workspace: its keys, plan, name, limits, settings and retention are not changed; the error says how to restore it', async () => {
  const { id } = await service.workspace('growth', 'Closed')
  const other = await service.workspace()
  await verb('workspaces delete', [id], { yes: id })
  const closed = new RegExp(`workspace ${id} is closed and will be deleted on 20.*; restore it first`)
  const create = (workspace: string, more = {}) =>
    runVerb(service, keyVerbs, 'keys create', [], { workspace, scopes: 'all', ...more })
  await assert.rejects(() => create(id), closed)
  await assert.rejects(() => create(other.id, { workspaces: `${other.id},${id}` }), closed)
  await assert.rejects(() => verb('workspaces change', [id], { plan: 'starter' }), closed)
  await assert.rejects(() => verb('workspaces limits', [id], { set: 'general_per_minute=5' }), closed)
  await assert.rejects(() => verb('workspaces settings', [id], { 'connected-app-writes': 'off' }), closed)
  await assert.rejects(() => runVerb(service, retentionVerbs, 'retention', [id], { applications: '1' }), closed)
  assert.equal((await entries(id)).length, 1, 'only its deletion')
  await verb('workspaces restore', [id])
  await create(id)
  await verb('workspaces change', [id], { plan: 'starter' })
})

const entries = async (id: string) =>
  (await verb('workspaces log', [id])).json as { action: string; at: string; details: Record<string, string> }[]

test('hiring workspaces delete: 404 for the files of the workspace, also by a URL that was issued before; of others 200', async () => {
  const [closing, other] = [await service.workspace('starter'), await service.workspace('starter')]
  const bytes = Buffer.from('a file')
  const urlOf = async (workspace: string) => {
    const key = `resumes/${workspace}/${randomUUID()}`
    await blobs.put(key, bytes, { contentType: 'text/plain', bytes: bytes.length })
    return blobs.signedGet(key, { expiresInSeconds: 300, filename: 'a.txt', contentType: 'text/plain' })
  }
  const urls = [await urlOf(closing.id), await urlOf(other.id)]
  const statuses = () => Promise.all(urls.map(async url => (await fetch(url)).status))
  assert.deepEqual(await statuses(), [200, 200])
  await verb('workspaces delete', [closing.id], { yes: closing.id })
  assert.deepEqual(await statuses(), [404, 200])
  await verb('workspaces restore', [closing.id])
  assert.deepEqual(await statuses(), [200, 200])
})

test('hiring workspaces delete: owners are emailed when it is scheduled, and a day before', async () => {
  const { id, userId } = await service.workspace('enterprise', 'Reminded')
  const owner = await signedIn(service, id)
  await verb('workspaces delete', [id], { yes: id })
  const mails = async () =>
    (await outbox.list()).filter(
      mail => mail.audience && 'userIds' in mail.audience && mail.audience.userIds.includes(owner.userId),
    )
  while (await sendNextMails(service.services, deletionMails));
  assert.deepEqual(
    (await mails()).map(mail => mail.subject),
    ['Reminded will be deleted'],
  )
  clock.advance(6 * DAY_MS + 1_000)
  while (await sendNextMails(service.services, deletionMails));
  assert.equal((await mails()).length, 2)
  assert.ok((await mails()).some(mail => /^Reminder: Reminded will be deleted soon/.test(mail.subject)))
  while (await sendNextMails(service.services, deletionMails));
  assert.equal((await mails()).length, 2)
  assert.ok(userId)
  await verb('workspaces restore', [id])
  clock.reset()
})

test('deletion of a workspace: in batches, stopped in the middle and continued; nothing is left, and nothing of others is touched', async () => {
  const planted = await plantPerson(service, new Plants('a'))
  const deleted = planted.home.workspace
  const other = planted.away.workspace
  await grantCredits(db, deleted, { amount: 50, note: 'trial' })
  while ((await sequenceBatch(db)) > 0);
  // a row in every table, also in those that the product fills rarely
  const before = await holdings(other)
  assert.ok(Object.keys(await holdings(deleted)).length > 40)
  assert.ok((await holdings(deleted))['files']! > 3)

  await verb('workspaces delete', [deleted], { yes: deleted, now: '' })
  const stop = new AbortController()
  const running = runNextDeletion({ ...service.services, db: stoppingAfter(7, stop) }, stop.signal, 1)
  assert.equal(await running, true)
  const inProgress = (await verb('workspaces deleted', [])).json as { workspace_id: string; started_at: string }[]
  assert.ok(inProgress.find(row => row.workspace_id === deleted)!.started_at)
  assert.ok((await holdings(deleted))['users'], 'not done yet')
  await assert.rejects(() => verb('workspaces restore', [deleted]), /has begun: it cannot be restored/)

  // a process that was killed: another one follows when its lease has ended
  const killed = (await db.one(claimDeletion(randomUUID(), 60)))!
  assert.equal(await runNextDeletion(service.services), false)
  clock.advance(61_000)
  while (await runNextDeletion(service.services, undefined, 40));
  assert.equal(await db.one(noteProgress(killed, 'users', 1, 60)), undefined, 'its lease is lost')
  assert.deepEqual((await verb('workspaces list', [])).json as object[], await others(deleted))
  // what a request in flight still wrote, without a foreign key that refuses it
  await db.query(sql`
    insert into personal_data_reads (workspace_id, key_id, subject_object, subject_id, field, units, request_id)
    values (${deleted}, 'pk_x', 'applicant', 'apl_x', 'email', 1, 'req_x')`)
  await blobs.put(`resumes/${deleted}/late`, Buffer.from('late'), { contentType: 'text/plain' })
  clock.advance(3 * 3_600_000)
  while (await runNextDeletion(service.services));

  for (const table of tables) {
    const { n } = (await db.one({
      text: `select count(*)::integer as n from "${table.name}" where workspace_id = $1`,
      values: [deleted],
      name: '',
    })) as { n: number }
    assert.equal(n, 0, table.name)
  }
  assert.deepEqual(await mentions(db, deleted), ['workspace_deletions', 'workspace_log'])
  const files: string[] = []
  for await (const key of blobs.list('')) if (key.includes(deleted)) files.push(key)
  assert.deepEqual(files, [])
  assert.deepEqual(await holdings(other), before)

  const [row] = (
    (await verb('workspaces deleted', [])).json as {
      workspace_id: string
      completed_at: string
      counts: Record<string, number>
    }[]
  ).filter(({ workspace_id }) => workspace_id === deleted)
  assert.ok(row!.completed_at)
  assert.equal(row!.counts['workspaces'], 1)
  assert.equal(row!.counts['applications'], 1)
  const log = (await verb('workspaces log', [deleted])).json as { action: string; details: object }[]
  assert.deepEqual([log[0]!.action, log[0]!.details], ['deleted', row!.counts])
  clock.reset()
})

const others = async (workspace: string) =>
  ((await verb('workspaces list', [])).json as { id: string }[]).filter(({ id }) => id !== workspace)

/** The database, whose so-and-so-many-th transaction is followed by the end of the process. */
function stoppingAfter(transactions: number, stop: AbortController): typeof db {
  let n = 0
  return new Proxy(db, {
    get(target, name) {
      const value = Reflect.get(target, name, target)
      if (name !== 'transaction') return typeof value === 'function' ? value.bind(target) : value
      return async (...args: unknown[]) => {
        if (++n === transactions) stop.abort()
        return (value as (...args: unknown[]) => unknown).apply(target, args)
      }
    },
  })
}

test('deletion of a workspace: what a request in flight writes at the same time is deleted or refused; nothing is left', async () => {
  const { workspace } = await newTenant(service)
  await verb('workspaces delete', [workspace], { yes: workspace, now: '' })
  const writer = async () => {
    for (let n = 0; n < 6; n++) {
      const title = `Welder ${n}`
      await db.transaction(tx => createJob(tx, workspace, { title })).catch(() => 'refused')
    }
  }
  await Promise.all([writer(), writer(), runNextDeletion(service.services, undefined, 20)])
  // a failed batch is retried after half a minute, and the last look comes two hours after the last row
  for (let round = 0; round < 3; round++) {
    while (await runNextDeletion(service.services));
    clock.advance(3 * 3_600_000)
  }
  assert.deepEqual(await mentions(db, workspace), ['workspace_deletions', 'workspace_log'])
  await assert.rejects(() => db.transaction(tx => createJob(tx, workspace, { title: 'Late' })))
  clock.reset()
})

test('deletion of a workspace: one that fails is late by its real time, also between two attempts', async () => {
  // those of other tests are at their end
  clock.advance(3 * 3_600_000)
  while (await runNextDeletion(service.services));
  const { workspace } = await newTenant(service)
  await verb('workspaces delete', [workspace], { yes: workspace, now: '' })
  const unavailable = new Proxy(blobs, {
    get: () => () => {
      throw new Error('the file store is unavailable')
    },
  })
  clock.advance(7 * 3_600_000)
  assert.equal(await runNextDeletion({ ...service.services, blobs: unavailable }), true)
  assert.equal(await runNextDeletion(service.services), false, 'it is retried after half a minute')
  const { waiting, oldest_seconds: late } = (await db.one(deletionsWaiting))!
  assert.equal(waiting, 1)
  assert.ok(late >= 7 * 3_600 && late < 7 * 3_600 + 600, `${late} s`)
  clock.advance(31_000)
  while (await runNextDeletion(service.services));
  assert.deepEqual(await db.one(deletionsWaiting), { waiting: 0, oldest_seconds: 0 })
  clock.reset()
})

test('a suppression of the whole installation outlives the workspace: the person stays suppressed elsewhere', async () => {
  const gone = await newTenant(service)
  const id = randomUUID()
  await db.query(
    sql`insert into suppressions (id, status, reason, delete_by) values (${id}::uuid, 'erased', 'erasure_request', app_now())`,
  )
  await db.query(sql`
    insert into suppressed_identifiers (kind, sha256, suppression_id) values ('email', sha256('x'), ${id}::uuid)`)
  await db.query(sql`
    insert into workspace_suppressions (workspace_id, suppression_id) values (${gone.workspace}, ${id}::uuid)`)
  await verb('workspaces delete', [gone.workspace], { yes: gone.workspace, now: '' })
  while (await runNextDeletion(service.services));
  const left = await db.query(sql`select 1 from suppressed_identifiers where suppression_id = ${id}::uuid`)
  assert.equal(left.length, 1)
  assert.equal((await db.query(sql`select 1 from workspaces where id = ${gone.workspace}`)).length, 0)
})

test('deletion of a workspace: every table has an index that begins with the workspace, so that a batch costs the same in a large one', async () => {
  const indexed = await db.query(sql<{ name: string }>`
    select distinct c.relname::text as name from pg_index i join pg_class c on c.oid = i.indrelid
    join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
    where a.attname = 'workspace_id'
      and coalesce(pg_get_expr(i.indpred, i.indrelid), '') in ('', '(workspace_id IS NOT NULL)')`)
  // the sequencer empties the outbox all the time
  const names = new Set(['outbox', ...indexed.map(({ name }) => name)])
  assert.deepEqual(
    tables.map(({ name }) => name).filter(name => !names.has(name)),
    [],
  )
})

test('hiring workspaces log: the time of a deletion without a grace period, each step of it, and a new name; unknown ids are errors', async () => {
  const { id } = await service.workspace('growth', 'Short-lived')
  await verb('workspaces change', [id], { name: 'Short' })
  await verb('workspaces change', [id], { name: 'Short' })
  await verb('workspaces limits', [id], { set: 'requests_per_month=unlimited' })
  const { text } = await verb('workspaces log', [id])
  assert.match(text, /"requests_per_month":"unlimited"/)
  assert.doesNotMatch(text, /null|Short/)
  await verb('workspaces delete', [id], { yes: id })
  await verb('workspaces delete', [id], { yes: id, now: '' })
  while (await runNextDeletion(service.services));
  const log = await entries(id)
  assert.deepEqual(
    log.map(({ action }) => action),
    ['emptied', 'deletion_scheduled', 'deletion_scheduled', 'limits_changed', 'renamed'],
  )
  assert.deepEqual(log[1]!.details, { delete_at: log[1]!.at, now: true })
  assert.ok(!('now' in log[2]!.details) && log[2]!.details['delete_at']! > log[2]!.at)
  await assert.rejects(() => verb('workspaces restore', [id]), /was deleted: it cannot be restored/)

  const direct = (await service.workspace()).id
  await verb('workspaces delete', [direct], { yes: direct, now: '' })
  const [entry] = await entries(direct)
  assert.deepEqual(entry!.details, { delete_at: entry!.at, now: true })
  for (const name of ['workspaces log', 'workspaces restore'])
    await assert.rejects(() => verb(name, ['wsp_unknown']), /there is no workspace wsp_unknown/)
})
