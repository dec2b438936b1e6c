import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { routes } from '../../src/app.ts'
import { SCOPES } from '../../src/contract/scopes.ts'
import { sha256 } from '../../src/kernel/crypto/signing.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { requestErasure, runErasure } from '../../src/resources/erasures/index.ts'
import { importPoolBatch, readPoolLine, WordCounts } from '../../src/resources/pool/index.ts'
import { selectAcknowledgements } from '../../src/resources/suppressions/index.ts'
import { apply, newTenant, startWorld, type World } from '../applications/setup.ts'

const home = await startWorld()
const { service } = home
const { db } = service.services
const other: World = { service, ...(await newTenant(service)) }

async function erase(email: string): Promise<void> {
  const { id } = await requestErasure(db, { email, requestedBy: 'command_line' })
  await runErasure(service.services, id)
}
const read = async (at: World, query = '') => (await service.get(`/suppressions${query}`, at.key)).body

test('suppressions: 200: entries of the workspace with handles and hashes, oldest first, never a plain identifier', async () => {
  const { id, applicant_id } = await apply(
    home,
    {},
    { email: 'Log@Example.org', linkedin_url: 'https://linkedin.com/in/log' },
  )
  await erase('log@example.org')
  const { data, has_more, next_cursor, next_after } = await read(home)
  assert.equal(data.length, 1)
  const [row] = data
  assert.deepEqual(Object.keys(row), [
    'object',
    'id',
    'sequence',
    'status',
    'reason',
    'subjects',
    'identifiers',
    'applied_at',
    'delete_by',
    'completed_at',
  ])
  assert.deepEqual([row.object, row.status, row.reason], ['suppression', 'erased', 'erasure_request'])
  assert.deepEqual(row.subjects.slice(0, 2), [
    { object: 'applicant', id: applicant_id },
    { object: 'application', id },
  ])
  const digest = (kind: string, key: string) => ({ kind, algorithm: 'sha256', value: sha256(key).toString('hex') })
  assert.deepEqual(row.identifiers, [digest('email', 'log@example.org'), digest('linkedin_url', 'linkedin.com/in/log')])
  assert.equal(Date.parse(row.delete_by) - Date.parse(row.applied_at), 7 * 86_400_000)
  assert.deepEqual([has_more, next_cursor, next_after], [false, null, row.sequence])
  assert.deepEqual((await read(other)).data, [])
})

test('suppressions: 200: read onwards with after and next_after, page by page, to the end and no further', async () => {
  for (const name of ['p1', 'p2', 'p3']) {
    await apply(other, {}, { email: `${name}@example.org` })
    await erase(`${name}@example.org`)
  }
  const first = await read(other, '?limit=2')
  assert.deepEqual([first.data.length, first.has_more, first.next_after], [2, true, first.data[1].sequence])
  const second = await read(other, `?limit=2&after=${first.next_after}`)
  assert.deepEqual([second.data.length, second.has_more], [1, false])
  assert.ok(second.data[0].sequence > first.data[1].sequence)
  const end = await read(other, `?after=${second.next_after}`)
  assert.deepEqual([end.data, end.has_more, end.next_after], [[], false, second.next_after])
  assert.equal((await service.get('/suppressions?after=-1', other.key)).status, 400)
  assert.equal((await service.get('/suppressions?limit=101', other.key)).status, 400)
})

test('GET /suppressions: numbers count in the log of one workspace and say nothing of what happens in others', async () => {
  const [busy, quiet]: World[] = [
    { service, ...(await newTenant(service)) },
    { service, ...(await newTenant(service)) },
  ]
  const numbers = async (at: World) => (await read(at)).data.map((row: { sequence: number }) => row.sequence)
  for (const name of ['n1', 'n2', 'n3']) {
    await apply(busy!, {}, { email: `${name}@example.org` })
    await erase(`${name}@example.org`)
  }
  await apply(quiet!, {}, { email: 'n4@example.org' })
  await erase('n4@example.org')
  assert.deepEqual([await numbers(busy!), await numbers(quiet!)], [[1, 2, 3], [1]])
})

test('GET /suppressions: `after` beyond the end of the log returns the end, so that a reader misses nothing that follows', async () => {
  const { next_after: end } = await read(home)
  assert.ok(end > 0)
  for (const ahead of [end + 1, Number.MAX_SAFE_INTEGER]) {
    const { data, has_more, next_after } = await read(home, `?after=${ahead}`)
    assert.deepEqual([data, has_more, next_after], [[], false, end])
  }
})

test('suppressions: 200: never expires', async () => {
  clock.advance(400 * 86_400_000)
  try {
    assert.equal((await read(home)).data.length, 1)
  } finally {
    clock.reset()
  }
})

test('suppressions: 200: a profile of the shared pool concerns every workspace, within its own entry where it has one', async () => {
  const line = readPoolLine(JSON.stringify({ full_name: 'P', linkedin_url: 'https://linkedin.com/in/pooled' }))
  await db.transaction(tx => importPoolBatch(db, tx, [line], new WordCounts()))
  await apply(home, {}, { email: 'pooled@example.org', linkedin_url: 'https://linkedin.com/in/pooled' })
  await erase('pooled@example.org')
  const mine = (await read(home)).data.at(-1)
  const theirs = (await read(other, '?limit=100')).data.at(-1)
  assert.equal(mine.id, theirs.id)
  const kinds = (row: typeof mine) => row.subjects.map((s: { object: string }) => s.object)
  assert.deepEqual(kinds(theirs), ['pool_profile'])
  assert.deepEqual(
    theirs.identifiers.map((i: { kind: string }) => i.kind),
    ['linkedin_url'],
  )
  assert.deepEqual(kinds(mine), ['applicant', 'application', 'person', 'person', 'pool_profile'])
  const count = (await read(home, '?limit=100')).data.filter((row: { id: string }) => row.id === mine.id)
  assert.equal(count.length, 1)
})

test('suppressions: 200: a workspace is shown the hashes of identifiers that it or the pool held, none that only another one held', async () => {
  const linkedin_url = 'https://linkedin.com/in/several'
  await apply(home, {}, { email: 'several@example.org', linkedin_url })
  await apply(other, {}, { email: 'several.other@example.org', linkedin_url })
  await erase('several@example.org')
  const digests = async (at: World) =>
    (await read(at, '?limit=100')).data.at(-1).identifiers.map((i: { value: string }) => i.value)
  const both = sha256('linkedin.com/in/several').toString('hex')
  assert.deepEqual(await digests(home), [sha256('several@example.org').toString('hex'), both])
  assert.deepEqual(await digests(other), [sha256('several.other@example.org').toString('hex'), both])
})

test('suppressions: 200: entries from before holders were recorded per identifier show all to a single holder, and none to several', async () => {
  const entry = async (id: string, holders: readonly World[]) => {
    await db.query(sql`
      insert into suppressions (id, status, reason, delete_by) values (${id}, 'erased', 'erasure_request', app_now())`)
    await db.query(sql`
      insert into suppressed_identifiers (kind, sha256, suppression_id) values ('email', sha256('early'), ${id})`)
    for (const { workspace } of holders) {
      await db.query(
        sql`insert into workspace_suppressions (workspace_id, suppression_id) values (${workspace}, ${id})`,
      )
      await db.query(sql`
        insert into suppression_log (workspace_id, sequence, suppression_id)
        select ${workspace}, coalesce(max(sequence), 0) + 1, ${id} from suppression_log where workspace_id = ${workspace}`)
    }
  }
  const [single, several] = [randomUUID(), randomUUID()]
  await entry(single, [home])
  await entry(several, [home, other])
  const shown = async (at: World, id: string) =>
    (await read(at, '?limit=100')).data.find((row: { id: string }) => row.id === id).identifiers.length
  assert.deepEqual([await shown(home, single), await shown(home, several), await shown(other, several)], [1, 0, 0])
})

test('suppressions: 403 insufficient_scope: without events:read neither the log nor a confirmation', async () => {
  const key = await service.key({ workspace: home.workspace, scopes: ['jobs:read'] })
  const response = await service.get('/suppressions', key)
  assert.deepEqual([response.status, response.body.detail.required_scope], [403, 'events:read'])
})

const acknowledge = (at: World, id: string, body: unknown, headers: Record<string, string> = {}) =>
  service.post(`/suppressions/${id}/acknowledge`, at.key, body, { headers })

test('suppressions: 200 acknowledge: stored once for a key, and shown to the console; another time corrects it', async () => {
  const [entry] = (await read(home)).data
  assert.deepEqual(await db.query(selectAcknowledgements(home.workspace, entry.id)), [])
  const deleted_at = new Date(Date.parse(entry.applied_at) + 1_000).toISOString()
  const first = await acknowledge(home, entry.id, { deleted_at })
  assert.equal(first.status, 200)
  assert.deepEqual(Object.keys(first.body), [
    'object',
    'suppression_id',
    'workspace_id',
    'deleted_at',
    'acknowledged_at',
  ])
  assert.deepEqual(
    [first.body.object, first.body.suppression_id, first.body.workspace_id, first.body.deleted_at],
    ['suppression_acknowledgement', entry.id, home.workspace, deleted_at],
  )
  const again = await acknowledge(home, entry.id, { deleted_at: deleted_at.replace('Z', '+00:00') })
  assert.deepEqual(again.body, first.body)
  const corrected = await acknowledge(home, entry.id, { deleted_at: entry.applied_at })
  assert.equal(corrected.body.deleted_at, entry.applied_at)
  const rows = await db.query(selectAcknowledgements(home.workspace, entry.id))
  assert.deepEqual(
    rows.map(r => [r.key_id, r.deleted_at]),
    [[home.key.id, entry.applied_at]],
  )
  assert.deepEqual(await db.query(selectAcknowledgements(other.workspace, entry.id)), [])
})

test('suppressions: 200 acknowledge: with events:read alone, the only write without a write scope', async () => {
  const [entry] = (await read(other)).data
  const { email } = (await db.one(sql<{ email: string }>`select email from users where id = ${other.userId}`))!
  const key = await service.key({ workspace: other.workspace, userEmail: email, scopes: ['events:read'] })
  const confirmed = await acknowledge({ ...other, key }, entry.id, { deleted_at: entry.applied_at })
  assert.equal(confirmed.status, 200, confirmed.text)
  const others = routes.filter(
    ({ write, access }) => write && !(typeof access === 'object' && SCOPES[access.scope].access === 'write'),
  )
  assert.deepEqual(
    others.map(route => route.operationId),
    // the two of an installation need the secret of its app as well
    ['rotateInstallationKey', 'uninstallApp', 'acknowledgeSuppression'],
  )
})

test('suppressions: acknowledge: a repeat under one Idempotency-Key gets the first response, and emits no event', async () => {
  const [entry] = (await read(other)).data
  const headers = { 'idempotency-key': 'ack-00000001' }
  const body = { deleted_at: entry.applied_at }
  const first = await acknowledge(other, entry.id, body, headers)
  const second = await acknowledge(other, entry.id, body, headers)
  assert.deepEqual([second.headers.get('idempotent-replayed'), second.text], ['true', first.text])
  const reused = await acknowledge(other, entry.id, { deleted_at: entry.delete_by }, headers)
  assert.equal(reused.body.detail.code, 'idempotency_key_reused')
})

test('suppressions: 400 acknowledge: deleted_at is required, RFC 3339, and not in the future beyond a clock’s error', async () => {
  const [entry] = (await read(home)).data
  const at = async (body: unknown) => {
    const { status, body: response } = await acknowledge(home, entry.id, body)
    return [status, response.detail?.code, response.detail?.param]
  }
  const now = await db.now()
  const iso = (ms: number) => new Date(now + ms).toISOString()
  for (const body of [{}, { deleted_at: 'yesterday' }, { deleted_at: 5 }, { deleted_at: iso(400_000) }]) {
    assert.deepEqual(await at(body), [400, 'invalid_request', 'deleted_at'])
  }
  assert.equal((await at({ deleted_at: iso(0), note: 'x' }))[0], 400)
  assert.equal((await at({ deleted_at: iso(120_000) }))[0], 200)
})

test('suppressions: 404 acknowledge: another workspace’s suppression gets the same response as one that does not exist', async () => {
  const [entry] = (await read(home)).data
  const body = { deleted_at: entry.applied_at }
  const missing = await acknowledge(other, randomUUID(), body)
  const foreign = await acknowledge(other, entry.id, body)
  const malformed = await acknowledge(other, 'nonsense', body)
  const plain = (text: string) => text.replaceAll(/req_\w+/g, 'req')
  assert.equal(missing.status, 404)
  assert.deepEqual(plain(foreign.text), plain(missing.text))
  assert.deepEqual(plain(malformed.text), plain(missing.text))
  const stored = await db.query(sql`
    select 1 from suppression_acknowledgements where workspace_id = ${other.workspace} and suppression_id = ${entry.id}`)
  assert.deepEqual(stored, [])
})

test('suppressions: 403 write_requires_api_key: a confirmation needs a key that belongs to a user', async () => {
  const key = await service.key({ workspace: home.workspace, scopes: ['events:read'] })
  await db.query(sql`update api_keys set user_id = null where id = ${key.id}`)
  const [entry] = (await service.get('/suppressions', key)).body.data
  const response = await service.post(`/suppressions/${entry.id}/acknowledge`, key, { deleted_at: entry.applied_at })
  assert.deepEqual([response.status, response.body.detail.code], [403, 'write_requires_api_key'])
})
