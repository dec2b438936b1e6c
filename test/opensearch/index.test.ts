import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { SearchCluster } from '../../src/kernel/search-cluster/search-cluster.ts'
import { Supervisor } from '../../src/kernel/work/supervisor.ts'
import { erasureById, requestErasure, runErasure } from '../../src/resources/erasures/index.ts'
import { erasePoolProfile, poolWriter } from '../../src/resources/pool/index.ts'
import { PoolIndexes, type PoolIndexName } from '../../src/search/cluster/indexes.ts'
import { PoolWriter } from '../../src/search/cluster/pool-writer.ts'
import { engineFor } from '../../src/search/engine.ts'
import { continueErasures } from '../../src/workers/continue-erasures.ts'
import { indexPool } from '../../src/workers/index-pool.ts'
import { startTcpProxy } from '../faults/tcp-proxy.ts'
import { startOpenSearch } from '../harness/opensearch.ts'
import { hiring } from '../harness/process.ts'
import { until } from '../harness/receiver.ts'
import { startTestService } from '../harness/service.ts'
import { load, type PoolFields, settle } from '../pool/fixture.ts'
import { searchIn } from '../search/conformance.ts'

const opensearch = await startOpenSearch()
const { hostname, port } = new URL(opensearch.url)
/** Between the service and the cluster, to take it away. */
const proxy = await startTcpProxy({ host: hostname, port: Number(port) })
const alias = `test-${randomBytes(4).toString('hex')}`
const service = await startTestService({
  ROLES: 'api',
  SEARCH_URL: `http://127.0.0.1:${proxy.port}`,
  SEARCH_INDEX: alias,
  SEARCH_TIMEOUT_MS: '5000',
})
const { db } = service.services
const writer = poolWriter(db)!
/** Past the proxy, and without the limits of a request. */
const cluster = new SearchCluster({
  SEARCH_URL: [opensearch.url],
  SEARCH_CA: undefined,
  SEARCH_INDEX: alias,
  SEARCH_SHARDS: 1,
  SEARCH_TIMEOUT_MS: 30_000,
})
const indexes = new PoolIndexes(cluster)
const key = await service.key({
  workspace: (await service.workspace('enterprise')).id,
  scopes: ['pool:search', 'pool:read'],
})

async function caughtUp(by: PoolWriter = writer): Promise<void> {
  await settle(db)
  while (await by.run());
  for (const { name } of await indexes.list()) await indexes.refresh(name)
}
const write = async (lines: readonly PoolFields[]) => {
  await load(service, lines)
  await caughtUp()
}
const search = (title: string) => searchIn(service, { titles: [title] }, 50)
const serving = async (): Promise<PoolIndexName> => (await indexes.list()).find(index => index.serves)!

before(async () => {
  await load(
    service,
    [...Array(30)].map((_, i) => ({ full_name: `Lorimer ${i}`, job_title: 'Lorimer' })),
  )
})
after(async () => {
  for (const { name } of await indexes.list()) await indexes.drop(name)
  await cluster.close()
  await opensearch.stop()
})

test('POST /pool/search: 200 ranked in the database before the first index is built', async () => {
  assert.deepEqual(await indexes.list(), [])
  const { status, body } = await service.post('/pool/search', key, { terms: { titles: ['Lorimer'] }, limit: 5 })
  assert.deepEqual([status, body.data.length], [200, 5])
  const blocker = await db.session()
  await blocker.script('begin; lock table pool_terms in access exclusive mode')
  let most = 0
  let finished = 0
  const searches = Array.from({ length: 8 }, () => ask().then(() => finished++))
  await until('those that wait for too long are refused', async () => {
    const waiting = await db.query(sql`
      select 1 from pg_locks where relation = 'pool_terms'::regclass and not granted`)
    most = Math.max(most, waiting.length)
    return finished > 0
  })
  await blocker.script('rollback')
  await Promise.all([...searches, blocker.close()])
  assert.ok(most <= 2, `${most} at the same time`)
  await caughtUp()
  assert.equal((await serving()).notes.copied, 30)
  assert.equal((await search('Lorimer')).length, 30)
})

test('index of the pool: documents have terms and nothing else, and no search returns them', async () => {
  const { name } = await serving()
  const found = (await (await fetch(`${opensearch.url}/${name}/_search`)).json()) as { hits: { hits: object[] } }
  assert.deepEqual([...new Set(found.hits.hits.flatMap(hit => Object.keys(hit)))].sort(), ['_id', '_index', '_score'])
  const mapping = (await (await fetch(`${opensearch.url}/${name}/_mapping`)).json()) as Record<
    string,
    { mappings: { properties: object } }
  >
  assert.deepEqual(Object.keys(mapping[name]!.mappings.properties), ['terms', 'title_words'])
})

test('index of the pool: an older row and a late writer change nothing, also after an erasure', async () => {
  const { name } = await serving()
  const row = { profile_id: 'pool_late', title_words: 1 }
  const terms = async () => {
    await indexes.refresh(name)
    return indexes.countWithTerms(name, ['pool_late'])
  }
  await indexes.put(name, [{ ...row, terms: 't:new', version: 20 }])
  await indexes.put(name, [{ ...row, terms: '', version: 19 }])
  assert.equal(await terms(), 1)
  await indexes.put(name, [{ ...row, terms: '', version: 21 }])
  await indexes.put(name, [{ ...row, terms: 't:new', version: 20 }])
  assert.equal(await terms(), 0)
})

test('index of the pool: changes of many transactions are written, whatever the order of their commits', async () => {
  const { name } = await serving()
  const written = async (ids: readonly string[]) => {
    while (await writer.run());
    await indexes.refresh(name)
    return indexes.countWithTerms(name, ids)
  }
  const many = (n: number) => Array.from({ length: 1_500 }, (_, i) => `pool_many${n}x${i}`)
  const insert = (ids: string) =>
    `insert into pool_terms (profile_id, title_words, terms) select id, 1, '''w:many''' from unnest('{${ids}}'::text[]) as id`
  const [early, late] = [await db.session(), await db.session()]
  await early.script(`begin; ${insert('pool_early')}`)
  for (const n of [1, 2]) await late.script(insert(many(n).join(',')))
  assert.equal(await written([...many(1), ...many(2)]), 3_000)
  assert.equal(await written(['pool_early']), 0)
  await early.script('commit')
  assert.equal(await written(['pool_early']), 1)
  await Promise.all([early.close(), late.close()])
})

test('index of the pool: a write to one that was deleted fails and does not make it', async () => {
  const { name } = await serving()
  const gone = `${name.slice(0, -6)}000000`
  const row = { profile_id: 'pool_gone', title_words: 1, terms: 't:gone', version: 1 }
  await assert.rejects(indexes.put(gone, [row]), /does not exist any more/)
  await assert.rejects(indexes.remove(gone, ['pool_gone']), /does not exist any more/)
  assert.equal((await fetch(`${opensearch.url}/${gone}`)).status, 404)
})

test('index of the pool: one that was restored from a snapshot under a running writer is brought up to date', async () => {
  const { name, notes } = await serving()
  await caughtUp()
  const url = `${opensearch.url}/${name}`
  const { aliases, mappings } = Object.values(
    (await (await fetch(url)).json()) as Record<string, Record<string, object>>,
  )[0]!
  // as a snapshot of its beginning
  const body = JSON.stringify({
    aliases: { [alias]: aliases![alias as never] },
    mappings: { ...mappings, _meta: { ...notes, complete_before: 0 } },
  })
  await indexes.drop(name)
  const restored = await fetch(url, { method: 'PUT', body, headers: { 'content-type': 'application/json' } })
  assert.equal(restored.status, 200)
  await caughtUp()
  assert.equal((await search('Lorimer')).length, 30)
})

test('rebuild: searches find everything during it; an interrupted one continues; changes and erasures count', async () => {
  await write([{ full_name: 'Kept', job_title: 'Whittawer' }])
  const [kept] = await search('Whittawer')
  const old = await serving()
  const begun = await writer.begin()
  assert.equal((await writer.begin()).name, begun.name, 'one at a time')
  // a page was copied before the process ended
  await indexes.note(begun.name, { ...begun.notes, copied_to: kept!.id, copied: 7 })
  await indexes.put(begun.name, [{ profile_id: kept!.id, title_words: 1, terms: 't:whittaw', version: 1 }])
  assert.equal((await search('Lorimer')).length, 30)
  assert.equal((await serving()).name, old.name)
  await load(service, [{ full_name: 'During', job_title: 'Whittawer' }])
  await db.transaction(tx => erasePoolProfile(tx, kept!.id))
  await caughtUp(new PoolWriter(db, cluster))
  const now = await serving()
  assert.equal(now.name, begun.name)
  const left = await db.one(sql<{ others: number }>`
    select count(*)::integer as others from pool_terms where profile_id > ${kept!.id}`)
  assert.equal(now.notes.copied, 7 + left!.others)
  assert.equal(await indexes.countWithTerms(now.name, [kept!.id]), 0)
  assert.deepEqual(
    (await search('Whittawer')).map(p => p.name),
    ['During'],
  )
  // it may still serve a search that began before
  assert.deepEqual(
    (await indexes.list()).map(index => [index.name, index.serves]),
    [
      [old.name, false],
      [now.name, true],
    ],
  )
  await writer.begin().then(({ name }) => indexes.drop(name))
})

test('rebuild: after a restore the index is built again; that of another installation is left alone', async () => {
  const before = await serving()
  await indexes.note(before.name, { ...before.notes, history: 'of another server', complete_before: 1e15 })
  const row = { profile_id: 'pool_newer', title_words: 1, terms: 't:newer', version: 1e15 }
  await indexes.put(before.name, [row])
  await db.query(sql`insert into pool_terms (profile_id, title_words, terms) values ('pool_newer', 0, '')`)
  await engineFor(db).confirmErased(['pool_newer'])
  assert.equal(await indexes.countWithTerms(before.name, ['pool_newer']), 0, 'erased whatever its version')
  await write([{ full_name: 'After', job_title: 'Puddler' }])
  const after = await serving()
  assert.notEqual(after.name, before.name)
  assert.equal((await search('Puddler')).length, 1)
  await indexes.note(after.name, { ...after.notes, installation: 'another' })
  await assert.rejects(writer.run(), /belongs to another installation: set SEARCH_INDEX/)
  await assert.rejects(engineFor(db).check(), /belongs to another installation/)
  await indexes.put(after.name, [{ profile_id: 'pool_newer', title_words: 1, terms: 't:puddler', version: 1e15 + 1 }])
  await indexes.refresh(after.name)
  await engineFor(db).confirmErased(['pool_newer'])
  assert.equal(await indexes.countWithTerms(after.name, ['pool_newer']), 1, 'nothing is written to it')
  await load(service, [{ full_name: 'Elsewhere', job_title: 'Puddler' }])
  await settle(db)
  await until('it is searched in the database', async () => (await search('Puddler')).length === 2)
  await indexes.note(after.name, after.notes)
  await indexes.remove(after.name, ['pool_newer'])
  await caughtUp()
})

test('index-pool worker: of two processes one writes; the other takes over when it ends', async () => {
  const workers = [indexPool(service.services), indexPool(service.services)].map(([worker]) => {
    const stop = new AbortController()
    return { stop, ended: worker!.run(stop.signal) }
  })
  const holders = async () =>
    (
      await db.query(sql`select 1 from pg_locks where locktype = 'advisory' and objid = 4817215
      and database = (select oid from pg_database where datname = current_database()) and granted`)
    ).length
  const found = (title: string) => until(`${title} is found`, async () => (await search(title)).length === 1)
  try {
    await load(service, [{ full_name: 'One', job_title: 'Fuller' }])
    await found('Fuller')
    assert.equal(await holders(), 1)
    const env = {
      DATABASE_URL: service.database.url,
      DATA_DIR: service.services.config.DATA_DIR,
      SEARCH_URL: opensearch.url,
      SEARCH_INDEX: alias,
    }
    const before = (await serving()).name
    const rebuilt = await hiring(['search', 'rebuild', '--json'], env)
    assert.equal(rebuilt.code, 0, rebuilt.stderr)
    assert.notEqual((await serving()).name, before)
    const status = await hiring(['search', 'status'], env)
    assert.match(status.stdout, new RegExp(`${(await serving()).name} +in use +\\d+ +\\d+ +[\\d.]+ MB`))
    assert.match((await hiring(['doctor'], env)).stdout, /OK +search +SEARCH_URL, test-\w+ +test-\S+, \d+ documents/)
    const none = await hiring(['search', 'status'], { ...env, SEARCH_URL: '' })
    assert.deepEqual([none.code, /SEARCH_URL is not set/.test(none.stderr)], [1, true])
    workers[0]!.stop.abort()
    await workers[0]!.ended
    await load(service, [{ full_name: 'Two', job_title: 'Scrivener' }])
    await found('Scrivener')
    assert.equal(await holders(), 1)
  } finally {
    for (const { stop } of workers) stop.abort()
    await Promise.all(workers.map(({ ended }) => ended))
  }
})

test('index-pool and continue-erasures: both wait while the cluster is down, and count as running', async () => {
  const supervisor = new Supervisor(service.services.log)
  const linkedinUrl = 'linkedin.com/in/waits-for-the-cluster'
  await write([{ full_name: 'Waiting', job_title: 'Gongfermor', linkedin_url: linkedinUrl }])
  await proxy.set('refuse')
  for (const worker of [...indexPool(service.services), continueErasures(service.services)]) supervisor.start(worker)
  const { id } = await requestErasure(db, {
    email: undefined,
    linkedinUrl,
    reason: 'erasure_request',
    requestedBy: 'command_line',
  })
  try {
    for (const waits of ['the index of the pool waits', 'erasures wait']) {
      const line = `${waits} for the search cluster`
      await until(line, async () => service.logLines.some(logged => logged.includes(line)))
    }
    await proxy.set('pass')
    await until('the erasure is complete', async () => (await db.one(erasureById(id)))!.completed_at !== null)
    assert.deepEqual(
      supervisor.health().map(({ running, restarts }) => [running, restarts]),
      [
        [true, 0],
        [true, 0],
      ],
    )
  } finally {
    await proxy.set('pass')
    await supervisor.stop()
  }
})

const ask = () => service.post('/pool/search', key, { terms: { titles: ['Lorimer'] }, limit: 5 })
const checks = async () =>
  (await (await fetch(`${service.origin}/readyz`)).json()) as { checks: Record<string, string> }

test('POST /pool/search: 429 pool_search_unavailable while the cluster is down; /readyz says so and stays ready', async () => {
  await proxy.set('refuse')
  const { status, headers, body } = await ask()
  assert.deepEqual([status, body.detail.code, body.detail.type], [429, 'pool_search_unavailable', 'unavailable'])
  assert.ok(Number(headers.get('retry-after')) >= 1)
  assert.equal((await service.get('/pool/profiles?limit=1', key)).status, 200)
  await until('it is not ready', async () => (await checks()).checks['search'] === 'failing')
  assert.equal((await fetch(`${service.origin}/readyz`)).status, 200)
  await proxy.set('pass')
  await until('it searches again', async () => (await ask()).status === 200)
  await until('it is ready', async () => (await checks()).checks['search'] === 'ok')
})

test('search cluster: one that does not respond costs its timeout three times; then calls fail immediately, for a while', async () => {
  const silent = await startTcpProxy({ host: hostname, port: Number(port) })
  const slow = new SearchCluster({
    SEARCH_URL: [`http://127.0.0.1:${silent.port}`],
    SEARCH_CA: undefined,
    SEARCH_INDEX: alias,
    SEARCH_SHARDS: 1,
    SEARCH_TIMEOUT_MS: 200,
  })
  let sent = 0
  const call = () =>
    slow.ask((client, limits) => {
      sent++
      return client.indices.get({ index: alias }, limits) as never
    })
  const probe = () => slow.probe((client, limits) => client.indices.get({ index: alias }, limits) as never)
  for (let i = 0; i < 3; i++) {
    await silent.set('hang')
    await assert.rejects(call, { message: /no response in time/, retryAfterSeconds: 2 })
    await silent.set('pass')
    // whether a probe succeeds does not count
    if (i < 2) await until('the probe gets a response', () => probe().then(Boolean, () => false))
  }
  await assert.rejects(call, { message: /no response in time/, retryAfterSeconds: 5 })
  await assert.rejects(probe, { message: /no response in time/ }, 'searches are refused: not ready')
  assert.equal(sent, 3)
  await slow.close()
})

test('erasure: not completed while the cluster is down; then in no index, and nothing of it is logged', async () => {
  const email = undefined
  const linkedinUrl = 'linkedin.com/in/to-be-forgotten'
  await write([{ full_name: 'Forgotten', job_title: 'Knocker-up', linkedin_url: linkedinUrl }])
  const profile = (await search('Knocker-up'))[0]!.id
  const building = await writer.begin()
  await indexes.put(building.name, [{ profile_id: profile, title_words: 1, terms: 't:knocker', version: 1 }])
  await indexes.refresh(building.name)
  const { id } = await requestErasure(db, {
    email,
    linkedinUrl,
    reason: 'erasure_request',
    requestedBy: 'command_line',
  })
  await proxy.set('refuse')
  await assert.rejects(runErasure(service.services, id), /the search cluster is unavailable/)
  assert.equal((await db.one(erasureById(id)))!.completed_at, null)
  for (const { name } of [await serving(), building]) assert.equal(await indexes.countWithTerms(name, [profile]), 1)
  await proxy.set('pass')
  assert.notEqual((await runErasure(service.services, id)).completed_at, null)
  for (const { name } of await indexes.list()) assert.equal(await indexes.countWithTerms(name, [profile]), 0)
  assert.ok(!service.logLines.some(line => /knocker|forgotten/i.test(line)))
  await indexes.drop(building.name)
})
