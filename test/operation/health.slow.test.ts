import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { createServer as createTlsServer } from 'node:tls'
import { routes } from '../../src/app.ts'
import { doctorVerb } from '../../src/cli/doctor.ts'
import { readConfig } from '../../src/kernel/config/config.ts'
import { LOCKS } from '../../src/kernel/db/locks.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { sequenceBatch } from '../../src/kernel/feed/sequencer.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { pause } from '../../src/kernel/time/pause.ts'
import { emit } from '../harness/events.ts'
import { freePort } from '../harness/free-port.ts'
import { cloneDatabase } from '../harness/postgres.ts'
import { hiring, temporaryFolder } from '../harness/process.ts'
import { RECEIVER_TLS } from '../harness/receiver.ts'
import { startS3 } from '../harness/s3.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { startMailServer } from '../harness/smtp.ts'

const readyz = async (service: TestService) => {
  const { status, body } = await service.call('GET', `${service.origin}/readyz`)
  return { status, ...body }
}
/** A database for the command line: an embedded one would have to be started for each call. */
const database = await cloneDatabase()
const command = () => ({
  DATABASE_URL: database.url,
  SECRET_KEY: 'ab'.repeat(32),
  DATA_DIR: temporaryFolder(),
  DEMO: 'off',
  PORT: '0',
})

/** Past the time for which any result is cached. */
const later = () => clock.advance(61_000)

const WELL = {
  database: 'ok',
  migrations: 'ok',
  limiter: 'ok',
  files: 'ok',
  workers: 'ok',
  disk: 'ok',
  mail: 'ok',
  search: 'ok',
}

/** Its loops begin when it listens, and one of them has to become the leader. */
async function startWithWorkers(settings: Record<string, string> = {}): Promise<TestService> {
  const service = await startTestService(settings)
  await workersOf(service, 'ok')
  return service
}
async function workersOf(service: TestService, expected: 'ok' | 'failing'): Promise<void> {
  for (;;) {
    if ((await readyz(service)).checks.workers === expected) return
    clock.advance(1_001)
    await pause(20)
  }
}

test('/readyz: 200 names every part that a request may need', async () => {
  const service = await startWithWorkers()
  assert.deepEqual(await readyz(service), { status: 'ready', checks: WELL })
  clock.reset()
})

test('/readyz: 503 names the schema when a migration is missing', async () => {
  const service = await startTestService({ ROLES: 'api' })
  const removed = await service.services.db.one(sql<{ name: string }>`
    delete from schema_migrations where name = (select max(name) from schema_migrations) returning name`)
  assert.ok(removed)
  const { status, checks } = await readyz(service)
  assert.equal(status, 'not ready')
  assert.deepEqual(checks, { ...WELL, migrations: 'failing', workers: 'failing' })
})

test('/readyz: 503 names the files when the S3 store is unavailable, 200 when it is back; probes are cheap', async () => {
  const store = await startS3()
  const service = await startWithWorkers({ ...store.settings, LOG_LEVEL: 'silent' })
  later()
  const before = store.lists
  for (let i = 0; i < 20; i++) assert.deepEqual(await readyz(service), { status: 'ready', checks: WELL })
  assert.equal(store.lists, before + 1, 'the store is asked once in a few seconds')
  for (const fault of ['stopped', 'silent']) {
    if (fault === 'stopped') await store.stop()
    else store.silent = true
    later()
    assert.deepEqual(await readyz(service), { status: 'not ready', checks: { ...WELL, files: 'failing' } }, fault)
    assert.equal((await fetch(`${service.origin}/readyz`)).status, 503)
    if (fault === 'stopped') await store.start()
    store.silent = false
    later()
    assert.deepEqual(await readyz(service), { status: 'ready', checks: WELL })
  }
  clock.reset()
})

test('/readyz: names the workers: 200 of an api process without any worker, 503 of a worker process that fails', async () => {
  const api = await startTestService({ ROLES: 'api', LOG_LEVEL: 'silent' })
  assert.deepEqual(await readyz(api), { status: 'ready', checks: { ...WELL, workers: 'failing' } })
  const worker = await startTestService(
    { ROLES: 'worker', METRICS_PORT: '0', LOG_LEVEL: 'silent', DATA_DIR: api.services.config.DATA_DIR },
    { database: api.database },
  )
  await workersOf(api, 'ok')
  const own = new URL('/readyz', worker.metricsUrl!).href
  const ready = await worker.call('GET', own)
  assert.equal(ready.status, 200)
  assert.deepEqual(ready.body, { status: 'ready', checks: WELL })
  // an event that cannot be published
  await worker.services.db.query(sql`alter table events rename to events_away`)
  await emit(api.services.db, (await api.workspace()).id, ['job.updated'])
  while ((await worker.call('GET', own)).status === 200) {
    clock.advance(1_001)
    await pause(20)
  }
  const failing = await worker.call('GET', own)
  assert.deepEqual([failing.status, failing.body.checks.workers], [503, 'failing'])
  await worker.services.db.query(sql`alter table events_away rename to events`)
  await workersOf(api, 'ok')
  clock.reset()
})

test('/readyz: names the workers for events of workspaces that wait too long; those of the pool may wait', async () => {
  const api = await startTestService({ ROLES: 'api', LOG_LEVEL: 'silent' })
  const { db } = api.services
  // another process leads, of a version that does not publish events of the pool
  const leader = await db.session()
  await leader.query(sql`select pg_advisory_lock(${LOCKS.eventSequencer})`)
  await emit(db, null, ['pool.batch_upserted'])
  await db.query(sql`update shared_outbox set created_at = created_at - interval '1 hour'`)
  assert.deepEqual(await readyz(api), { status: 'ready', checks: WELL })
  await emit(db, (await api.workspace()).id, ['job.updated'])
  await db.query(sql`update outbox set created_at = created_at - interval '1 hour'`)
  later()
  assert.deepEqual(await readyz(api), { status: 'ready', checks: { ...WELL, workers: 'failing' } })
  clock.reset()
  await leader.close()
})

test('/readyz: 200 although the mail server is unavailable, which it names', async () => {
  const mail = await startMailServer()
  const service = await startWithWorkers({
    SMTP_URL: mail.url,
    MAIL_FROM: 'jobs@firm.dev',
    SMTP_TIMEOUT_SECONDS: '1',
    LOG_LEVEL: 'silent',
  })
  assert.deepEqual(await readyz(service), { status: 'ready', checks: WELL })
  await readyz(service)
  assert.equal(mail.connections, 1, 'the mail server is asked once a minute')
  await mail.close()
  later()
  assert.deepEqual(await readyz(service), { status: 'ready', checks: { ...WELL, mail: 'failing' } })
  clock.reset()
})

test('/readyz: 200 names the search index that cannot be loaded, loads it again, and metrics show its size', async () => {
  const service = await startTestService({ ROLES: 'api', METRICS_PORT: '0', LOG_LEVEL: 'silent' })
  const { db } = service.services
  const searchState = async () => {
    clock.advance(5_001)
    const { status, checks } = await readyz(service)
    assert.equal(status, 'ready')
    return checks.search
  }
  const profiles = async () => {
    clock.advance(1_001)
    const { text } = await service.call('GET', service.metricsUrl!)
    assert.match(text, /^hiring_search_index_age_seconds \d/m)
    return /^hiring_search_index_profiles (\d+)$/m.exec(text)?.[1]
  }
  await db.query(sql`insert into pool_profiles (id, full_name, job_title) values ('pool_x', 'X', 'Welder')`)
  await db.query(sql`insert into pool_terms (profile_id, title_words, terms) values ('pool_x', 1, $$'t:welder'$$)`)
  assert.equal(await searchState(), 'ok')
  assert.equal(await profiles(), '0')
  await db.query(sql`alter table pool_terms rename to pool_terms_away`)
  const key = await service.key({ workspace: (await service.workspace('enterprise')).id })
  assert.equal((await service.post('/pool/search', key, { query: 'welder' })).status, 500)
  while ((await searchState()) === 'ok') await pause(20)
  assert.equal(await searchState(), 'failing')
  await db.query(sql`alter table pool_terms_away rename to pool_terms`)
  while ((await searchState()) === 'failing') await pause(20)
  assert.equal(await profiles(), '1')
  clock.reset()
})

test('start: refused with one line for a bucket that does not exist and for wrong credentials', async () => {
  const store = await startS3()
  const wrong: [Record<string, string>, RegExp][] = [
    [{ S3_BUCKET: 'nothing-here' }, /^hiring: the S3 store rejected the bucket "nothing-here" \(NoSuchBucket\): .*/],
    [{ S3_ACCESS_KEY_ID: 'AKIAUNKNOWN' }, /^hiring: the S3 store rejected the bucket "files" \(InvalidAccessKeyId\)/],
    [{ S3_SECRET_ACCESS_KEY: 'a-wrong-secret' }, /^hiring: the S3 store rejected .* \(SignatureDoesNotMatch\)/],
  ]
  const env = command()
  for (const [settings, words] of wrong) {
    const { code, stderr } = await hiring(['start'], { ...env, ...store.settings, ...settings })
    assert.equal(code, 1)
    assert.match(stderr, words)
    // a first start in a fresh clone also builds the pages
    const lines = stderr
      .trim()
      .split('\n')
      .filter(line => !line.startsWith('built '))
    assert.equal(lines.length, 1, stderr)
    assert.doesNotMatch(stderr, /a-wrong-secret/)
  }
  const { code, stdout } = await hiring(['doctor', '--json'], { ...env, ...store.settings, S3_BUCKET: 'nothing-here' })
  assert.equal(code, 1)
  const files = JSON.parse(stdout).checks.find((c: { name: string }) => c.name === 'files')
  assert.equal(files.state, 'failing')
  assert.match(files.detail, /"nothing-here" \(NoSuchBucket\)/)
})

test('start: an S3 store that is unavailable does not keep the service from starting; it is not ready', async () => {
  const store = await startS3()
  await store.stop()
  const service = await startTestService({ ...store.settings, LOG_LEVEL: 'silent' })
  await workersOf(service, 'ok')
  later()
  assert.equal((await readyz(service)).checks.files, 'failing')
  assert.equal((await service.get('/ping')).status, 200)
  await store.start()
  later()
  assert.deepEqual(await readyz(service), { status: 'ready', checks: WELL })
  clock.reset()
})

test('doctor: names the files, and fails where they cannot be stored', async t => {
  const files = async (env: Record<string, string>) => {
    const { stdout, code } = await hiring(['doctor', '--json'], env)
    const found = JSON.parse(stdout).checks.find((c: { name: string }) => c.name === 'files')
    return { code, state: found.state, detail: found.detail as string }
  }
  const env = command()
  const folder = await files(env)
  assert.deepEqual(folder, { code: 0, state: 'ok', detail: `${join(env.DATA_DIR, 'files')} is writable` })
  const store = await startS3()
  assert.deepEqual(await files({ ...env, ...store.settings }), {
    code: 0,
    state: 'ok',
    detail: 'bucket files is reachable',
  })
  await store.stop()
  const away = await files({ ...env, ...store.settings })
  assert.equal(away.code, 1)
  assert.equal(away.state, 'failing')
  if (process.getuid?.() === 0) return t.diagnostic('root may write everywhere')
  const shut = temporaryFolder()
  mkdirSync(join(shut, 'files/tmp'), { recursive: true })
  chmodSync(join(shut, 'files/tmp'), 0o500)
  assert.equal((await files({ ...env, DATA_DIR: shut })).state, 'failing')
})

test('metrics: not served on the public listener, and nowhere without METRICS_PORT', async () => {
  const service = await startTestService()
  assert.equal((await service.call('GET', `${service.origin}/metrics`)).status, 404)
  assert.equal(service.metricsUrl, undefined)
})

test('metrics: served on a listener of their own, on the loopback address, also by a worker', async () => {
  const service = await startTestService({ METRICS_PORT: '0' })
  const { id } = await service.workspace()
  await service.get('/me', await service.key({ workspace: id }))
  await service.get('/me')
  assert.match(service.metricsUrl!, /^http:\/\/127\.0\.0\.1:\d+\/metrics$/)
  const { status, text, headers } = await service.call('GET', service.metricsUrl!)
  assert.equal(status, 200)
  assert.match(headers.get('content-type')!, /^text\/plain; version=0\.0\.4/)
  assert.match(text, /\nhiring_http_requests_total\{method="GET",route="\/me",status="200"\} 1\n/)
  assert.match(text, /\nhiring_http_request_seconds_count\{method="GET",tier="general"\} 2\n/)
  assert.match(text, /\nhiring_http_failures_total\{code="unauthenticated"\} 1\n/)
  assert.match(text, /\nhiring_workers_failing 0\n/)
  assert.match(text, /\nhiring_http_connections \d+\n/)
  assert.match(text, /\nhiring_build_info\{version="\d+\.\d+\.\d+"\} 1\n/)
  const root = new URL(service.metricsUrl!).origin
  assert.equal((await service.call('GET', `${root}/`)).status, 404)
  assert.equal((await service.call('POST', service.metricsUrl!)).status, 405)
  assert.equal((await service.call('GET', `${root}/api/partner/v1/ping`)).status, 404)
  await service.stop()
  await assert.rejects(fetch(`${root}/metrics`))

  const worker = await startTestService({ METRICS_PORT: '0', ROLES: 'worker' })
  assert.match((await worker.call('GET', worker.metricsUrl!)).text, /\nhiring_workers_failing 0\n/)
})

test('/healthz and /readyz: served with the metrics, where the public does not reach them', async () => {
  const worker = await startTestService({ ROLES: 'worker', METRICS_PORT: '0' })
  const health = await worker.call('GET', new URL('/healthz', worker.metricsUrl!).href)
  assert.deepEqual([health.status, health.body], [200, { status: 'alive' }])
  assert.equal((await worker.call('POST', new URL('/readyz', worker.metricsUrl!).href)).status, 405)
})

test('metrics: what waits in each queue and for how long, and the connections of transactions', async () => {
  const service = await startTestService({ ROLES: 'api', METRICS_PORT: '0' }, { resolveName: async () => ['8.8.8.8'] })
  const { db } = service.services
  const figure = (text: string, name: string) => Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1])
  const scrape = async () => {
    clock.advance(1_001) // metrics are rendered once a second
    return (await service.call('GET', service.metricsUrl!)).text
  }
  const { id: workspace, userEmail } = await service.workspace('enterprise')
  const key = await service.key({ workspace, userEmail })
  await service.post('/webhooks/endpoints', key, { url: 'https://x.example.com/', event_types: ['job.updated'] })
  while ((await sequenceBatch(db)) > 0);
  const queues = [
    'feed',
    'webhooks',
    'resumes',
    'exports',
    'messages',
    'candidate_mails',
    'team_mails',
    'alerts',
    'workspace_deletions',
    'erasures',
    'erasure_request_mails',
    'retention',
  ]
  const empty = await scrape()
  for (const queue of queues) assert.equal(figure(empty, `hiring_queue_waiting{queue="${queue}"}`), 0, queue)
  await emit(db, workspace, ['job.updated', 'job.updated', 'job.published'])
  clock.advance(30_000)
  const waiting = await scrape()
  assert.equal(figure(waiting, 'hiring_queue_waiting{queue="feed"}'), 3)
  assert.ok(figure(waiting, 'hiring_queue_oldest_seconds{queue="feed"}') >= 30)
  while ((await sequenceBatch(db)) > 0);
  const published = await scrape()
  assert.equal(figure(published, 'hiring_queue_waiting{queue="feed"}'), 0)
  assert.equal(figure(published, 'hiring_queue_waiting{queue="webhooks"}'), 2)
  assert.equal(figure(published, 'hiring_database_connections{state="waiting"}'), 0)
  assert.match(published, /^hiring_database_connections\{state="idle"\} \d+$/m)
  clock.reset()
})

test('metrics: 200 with the other figures while the queues cannot be read', async () => {
  const service = await startTestService({ ROLES: 'api', METRICS_PORT: '0', LOG_LEVEL: 'silent' })
  await service.services.db.query(sql`alter table outbox rename to outbox_away`)
  const { status, text } = await service.call('GET', service.metricsUrl!)
  assert.equal(status, 200)
  assert.doesNotMatch(text, /^hiring_queue_waiting\{/m)
  assert.match(text, /^hiring_workers_failing 0$/m)
  await service.services.db.query(sql`alter table outbox_away rename to outbox`)
})

test('slow statements: logged with their text and time, without values; none with SLOW_STATEMENT_MS=0', async () => {
  const secret = 'never-in-the-log'
  const slow = sql`select pg_sleep(0.06), ${secret}::text as value, 'never-in-the-log'`
  const logged = async (limit: string) => {
    const service = await startTestService({ ROLES: 'api', SLOW_STATEMENT_MS: limit, LOG_LEVEL: 'warn' })
    const { db } = service.services
    await db.query(slow)
    await db.lookUp(slow)
    await db.transaction(tx => tx.query(slow))
    const lines = service.logLines.filter(line => line.includes('pg_sleep')).map(line => JSON.parse(line))
    assert.doesNotMatch(service.logLines.join(), new RegExp(secret))
    return lines
  }
  const lines = await logged('50')
  assert.equal(lines.length, 3)
  for (const { level, msg, ms, statement } of lines) {
    assert.deepEqual(
      [level, msg, statement],
      ['warn', 'slow statement', "select pg_sleep(0.06), $1::text as value, '?'"],
    )
    assert.ok(ms >= 50)
  }
  assert.deepEqual(await logged('0'), [])
})

test('metrics: a text of every endpoint and status stays small, and is rendered once a second', async t => {
  const service = await startTestService({ METRICS_PORT: '0' })
  const { metrics } = service.services
  for (const route of routes) {
    for (const status of [200, 201, 400, 401, 403, 404, 409, 429, 500]) metrics.request(route, status, 5)
  }
  const rendered = t.mock.method(metrics.registry, 'metrics')
  // the same second, however busy the machine is
  const now = clock.monotonic()
  t.mock.method(clock, 'monotonic', () => now)
  const text = await metrics.text()
  assert.ok(text.length < 150_000, `${text.length} characters`)
  for (let i = 0; i < 10; i++) assert.equal(await metrics.text(), text)
  assert.equal(rendered.mock.callCount(), 1)
})

test('start refused: a metrics port that is in use, or that is the port of the service', async () => {
  const port = String(await freePort())
  const taken = await startTestService({ METRICS_PORT: port })
  const { code, stderr } = await hiring(['start'], { ...command(), METRICS_PORT: port })
  assert.equal(code, 1)
  assert.match(stderr, /^hiring: metrics cannot be served, check METRICS_HOST and METRICS_PORT: .*EADDRINUSE/)
  await taken.stop()
  const same = await hiring(['start'], { PORT: '18999', METRICS_PORT: '18999' })
  assert.match(same.stderr, /METRICS_PORT must differ from PORT/)
})

test('doctor: says where metrics are served, and warns of an address that other machines can reach', async () => {
  const check = async (env: Record<string, string>) => {
    const { stdout } = await hiring(['doctor', '--json'], { ...command(), ...env })
    const found = JSON.parse(stdout).checks.find((c: { name: string }) => c.name === 'metrics')
    return `${found.state}: ${found.detail}`
  }
  assert.equal(await check({}), 'not used: not served: METRICS_PORT is not set')
  const service = await startTestService({ METRICS_PORT: '0', METRICS_HOST: '0.0.0.0' })
  const { port } = new URL(service.metricsUrl!)
  assert.equal(await check({ METRICS_PORT: port }), 'ok: served')
  assert.match(await check({ METRICS_PORT: port, METRICS_HOST: '0.0.0.0' }), /^warning: .*other machines can reach/)
})

test('doctor: disk, clock, certificate and background work: what is late or missing is a warning that says so', async () => {
  const checks = async (env: Record<string, string>) => {
    const { stdout, code } = await hiring(['doctor', '--json'], env)
    const found: { name: string; configured: string; state: string; detail: string }[] = JSON.parse(stdout).checks
    return { code, of: (name: string) => found.find(check => check.name === name)! }
  }
  const service = await startTestService({ ROLES: 'api', LOG_LEVEL: 'silent' })
  const { DATA_DIR } = service.services.config
  const tls = join(import.meta.dirname, '../harness/tls')
  const env = {
    ...command(),
    SECRET_KEY: readFileSync(join(DATA_DIR, 'secret.key'), 'utf8').trim(),
    DATABASE_URL: service.database.url,
    TLS_CERT: join(tls, 'receiver.pem'),
    TLS_KEY: join(tls, 'receiver.key'),
  }
  const { id: workspace } = await service.workspace()
  await emit(service.services.db, workspace, ['job.updated'])
  await service.services.db.query(sql`update outbox set created_at = created_at - interval '1 hour'`)
  const { code, of } = await checks(env)
  assert.equal(code, 0)
  assert.match(of('disk').detail, /^\d+ MB free$/)
  assert.deepEqual([of('clock').state, of('clock').detail], ['ok', 'the same time'])
  assert.match(of('certificate').detail, /valid for \d+ more days/)
  assert.equal(of('background work').state, 'warning')
  assert.match(
    of('background work').detail,
    /no worker process publishes events; late: feed \(1 wait, the oldest for 60 min\)/,
  )
  // without a certificate of its own, that of the proxy
  const { TLS_CERT, TLS_KEY, ...plain } = env
  const proxy = createTlsServer({ cert: readFileSync(TLS_CERT), key: readFileSync(TLS_KEY) }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const url = `https://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const behind = (await checks({ ...plain, PUBLIC_URL: url })).of('certificate')
  assert.match(`${behind.configured} ${behind.state} ${behind.detail}`, /^https:\S+ ok .* valid for \d+ more days/)
  proxy.close()
  const missing = (await checks({ ...plain, PUBLIC_URL: url })).of('certificate')
  assert.match(`${missing.state} ${missing.detail}`, /^warning not seen from here: .*ECONNREFUSED/)
})

test('doctor: the certificate at PUBLIC_URL: a warning in its last 14 days, a failure when it has expired', async () => {
  const proxy = createTlsServer(RECEIVER_TLS).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const PUBLIC_URL = `https://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const input = {
    args: [],
    option: () => undefined,
    options: () => [],
    flag: () => false,
    json: true,
    config: () => readConfig({ ...command(), PUBLIC_URL }),
  }
  const end = Date.parse(new X509Certificate(RECEIVER_TLS.cert).validTo)
  const seen = async (days: number) => {
    clock.reset()
    clock.advance(end - days * 86_400_000 - Date.now())
    const { json, exitCode } = await doctorVerb.run(input)
    const { checks } = json as { checks: { name: string; state: string; detail: string }[] }
    const { state, detail } = checks.find(check => check.name === 'certificate')!
    return `${exitCode} ${state}: ${detail}`
  }
  try {
    assert.match(await seen(14.5), /^0 ok: .*valid for 14 more days$/)
    assert.match(await seen(13.5), /^0 warning: .*valid for 13 more days$/)
    assert.match(await seen(-0.5), /^1 failing: expired on .* 2126 GMT$/)
  } finally {
    clock.reset()
    proxy.close()
  }
})
