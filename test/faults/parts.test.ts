import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { freePort } from '../harness/free-port.ts'
import { until } from '../harness/receiver.ts'
import { startS3 } from '../harness/s3.ts'
import { startMailServer } from '../harness/smtp.ts'
import { figure, readiness, startCluster } from './cluster.ts'
import { assertNothingLost, Load } from './load.ts'
import { startTcpProxy } from './tcp-proxy.ts'

const hasRedis = !spawnSync('redis-server', ['--version']).error
const redisPort = await freePort()
let redisServer: ChildProcess | undefined
const startRedis = () => {
  const args = ['--port', String(redisPort), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  redisServer = spawn('redis-server', args, { stdio: 'ignore' })
}
if (hasRedis) startRedis()
after(() => redisServer?.kill('SIGKILL'))
const limits = await startTcpProxy({ host: '127.0.0.1', port: redisPort })

const store = await startS3()
const storePort = Number(new URL(store.settings['S3_ENDPOINT']!).port)
const files = await startTcpProxy({ host: '127.0.0.1', port: storePort })

const mails = await startMailServer()
const mail = await startTcpProxy({ host: '127.0.0.1', port: Number(new URL(mails.url).port) })

const cluster = await startCluster()
const { db, workspace } = cluster
const settings = {
  ...store.settings,
  S3_ENDPOINT: `http://127.0.0.1:${files.port}`,
  ...(hasRedis ? { LIMITER: 'redis', REDIS_URL: `redis://127.0.0.1:${limits.port}` } : {}),
  SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
  SMTP_TIMEOUT_SECONDS: '8',
  MAIL_FROM: 'Hiring <no-reply@mail.hiring.dev>',
  LOG_LEVEL: 'error',
}
const api = await cluster.start('api', settings)
const worker = await cluster.start('worker', settings)
const load = new Load(cluster, () => [api])
await load.start()

const ready = (node = api) => until('ready', async () => (await readiness(node)).status === 200)
const named = (part: string, status: number) =>
  until(`/readyz names ${part}`, async () => {
    const found = await readiness(api)
    return found.failing.includes(part) && found.status === status
  })

/** One call without repeats. */
async function send(method: string, path: string, body: object, idempotencyKey: string = randomUUID()) {
  const beganAt = performance.now()
  const response = await fetch(api.base + path, {
    method,
    headers: {
      authorization: `Bearer ${cluster.key.secret}`,
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
    },
    body: JSON.stringify(body),
  })
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every kind
  const parsed = (await response.json()) as any
  const retryAfter = response.headers.get('retry-after')
  return { status: response.status, body: parsed, retryAfter, ms: performance.now() - beganAt }
}

test('Redis refuses, hangs, is killed: 429 limiter_unavailable, /readyz and metrics name it; service without a restart', {
  skip: hasRedis ? false : 'redis-server is not installed',
}, async () => {
  const faults: Record<string, [() => unknown, () => unknown]> = {
    refuses: [() => limits.set('refuse'), () => limits.set('pass')],
    hangs: [() => limits.set('hang'), () => limits.set('pass')],
    killed: [() => redisServer!.kill('SIGKILL'), startRedis],
  }
  for (const [fault, [begin, end]] of Object.entries(faults)) {
    const began = performance.now()
    const before = await figure(api, 'hiring_http_failures_total', 'limiter_unavailable')
    await begin()
    await until(`${fault}: refused`, () => load.refusals(began).length > 0)
    await named('limiter', 503)
    await until(
      'metrics',
      async () => (await figure(api, 'hiring_http_failures_total', 'limiter_unavailable')) > before,
    )
    await end()
    await load.progress()
    await ready()
    assert.deepEqual(load.refusals(began), ['429 limiter_unavailable'], fault)
    assert.ok(load.slowestMs(began) < 10_000, `${fault}: ${load.slowestMs(began)} ms`)
  }
})

const RESUME = 'Kim Doe\nWelder\n\nExperience\nWelder at Acme, 2019 - 2023\n'
/** An application whose résumé was uploaded; `apply` repeats under one Idempotency-Key. */
async function resumeOf(n: number) {
  const source = { system: 'acme_ats', external_id: `resume-${n}` }
  const job = await load.call('POST', '/jobs', {
    source,
    title: `Welder ${n}`,
    content: { summary: 'Work.' },
    publish: true,
  })
  load.acknowledged.push(`job.published ${job.id}`)
  const upload = { content_type: 'text/plain', size_bytes: RESUME.length, filename: 'resume.txt' }
  const { upload_id } = await load.call('POST', '/uploads', upload)
  const row = await db.one(sql<{ blob_key: string }>`
    select blob_key from uploads where workspace_id = ${workspace} and id = ${upload_id}`)
  store.objects.set(row!.blob_key, { body: Buffer.from(RESUME), type: 'text/plain' })
  const candidate = { first_name: 'Kim', last_name: 'Doe', email: `kim-${n}@people.dev` }
  const key = randomUUID()
  return () => send('POST', '/applications', { job_id: job.id, candidate, resume_upload_id: upload_id, source }, key)
}

const applications: string[] = []
test('S3 refuses, hangs: 429 datastore_unavailable for what needs a file, the rest works; then the same call works', async () => {
  const faults: Record<string, [() => unknown, () => unknown]> = {
    refuses: [() => files.set('refuse'), () => files.set('pass')],
    hangs: [() => files.set('hang'), () => files.set('pass')],
  }
  let n = 0
  for (const [fault, [begin, end]] of Object.entries(faults)) {
    const apply = await resumeOf(++n)
    const other = await resumeOf(++n)
    const waiting = (await other()).body
    applications.push(waiting.id)
    const began = performance.now()
    await begin()
    const refused = await apply()
    assert.deepEqual([refused.status, refused.body.detail.code], [429, 'datastore_unavailable'], fault)
    assert.ok(Number(refused.retryAfter) >= 1)
    assert.ok(refused.ms < 15_000, `${fault}: ${refused.ms} ms`)
    await named('files', 503)
    await load.progress(5)
    await end()
    await ready()
    const done = await apply()
    assert.equal(done.status, 201, fault)
    applications.push(done.body.id)
    load.acknowledged.push(`application.created ${waiting.id}`, `application.created ${done.body.id}`)
    assert.deepEqual(load.refusals(began), [], 'what needs no file goes on')
  }
})

test('SMTP refuses, hangs, responds with 4xx and 5xx, is cut after DATA: a clear error or queued, and no email is sent twice', async () => {
  const source = { system: 'acme_ats', external_id: 'mail' }
  const job = await load.call('POST', '/jobs', {
    source,
    title: 'Welder',
    content: { summary: 'Work.' },
    publish: true,
  })
  const candidate = { first_name: 'Kim', last_name: 'Doe', email: 'kim@people.dev' }
  const { id } = await load.call('POST', '/applications', { job_id: job.id, candidate, source })
  load.acknowledged.push(`job.published ${job.id}`, `application.created ${id}`)
  const message = (subject: string) => ({ to: { application_id: id }, subject, body_text: 'Thank you.' })

  for (const mode of ['refuse', 'hang'] as const) {
    const key = randomUUID()
    await mail.set(mode)
    const refused = await send('POST', '/messages', message(mode), key)
    assert.deepEqual([refused.status, refused.body.detail.code], [429, 'delivery_failed'], mode)
    assert.ok(refused.ms < 15_000)
    await mail.set('pass')
    // the outcome of a key stays; another key is another message
    const again = await send('POST', '/messages', message(mode), key)
    assert.deepEqual([again.status, again.body.detail.code], [429, 'delivery_failed'], mode)
    await until(`${mode}: sent in the end`, async () => {
      const { status, body } = await send('POST', '/messages', message(mode))
      return status === 200 && body.status === 'sent'
    })
  }
  for (const behaviour of ['defer recipient', 'refuse recipient', 'refuse after data'] as const) {
    mails.behaviour = behaviour
    const refused = await send('POST', '/messages', message(behaviour))
    assert.deepEqual([refused.status, refused.body.detail.code], [429, 'delivery_failed'], behaviour)
    assert.ok(Number(refused.retryAfter) >= 1)
    mails.behaviour = 'accept'
    const sent = await send('POST', '/messages', message(behaviour))
    assert.deepEqual([sent.status, sent.body.status], [200, 'sent'], behaviour)
  }
  const key = randomUUID()
  mails.behaviour = 'cut after data'
  const doubtful = await send('POST', '/messages', message('in doubt'), key)
  assert.deepEqual([doubtful.status, doubtful.body.status], [200, 'queued'])
  mails.behaviour = 'accept'
  for (let i = 0; i < 3; i++) {
    const again = await send('POST', '/messages', message('in doubt'), key)
    assert.deepEqual([again.status, again.body.status], [200, 'queued'])
  }
  const subjects = mails.arrived.map(({ raw }) => /^Subject: (.*)\r$/m.exec(raw.toString())?.[1]).sort()
  assert.deepEqual(subjects, ['defer recipient', 'hang', 'in doubt', 'refuse', 'refuse after data', 'refuse recipient'])
})

test('after all faults: nothing acknowledged is lost, nothing twice, and every résumé is read although the store was unavailable', async () => {
  await load.stop()
  const parsed = async () =>
    (await db.one(sql<{ n: number }>`
      select count(*) as n from applications where workspace_id = ${workspace} and id = any(${applications}::text[])
        and parse_status = 'parsed'`))!.n
  await until('every résumé is read', async () => (await parsed()) === applications.length)
  await assertNothingLost(cluster, load)
  await ready(worker)
})
