import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { requestErasure, runErasure } from '../../src/resources/erasures/index.ts'
import { lockSuppressionsExclusive } from '../../src/resources/suppressions/index.ts'
import { readResponseBody } from '../../src/resources/webhooks/response-rules.ts'
import { pruneOnce } from '../../src/workers/prune-rows.ts'
import { apply, newTenant, type World } from '../applications/setup.ts'
import { emit } from '../harness/events.ts'
import { CA_FILE, startReceiver, testNames, until } from '../harness/receiver.ts'
import { startTestService } from '../harness/service.ts'

const receiver = await startReceiver()
const service = await startTestService(
  { WEBHOOK_ALLOW_HOSTS: receiver.host, WEBHOOK_CA: CA_FILE },
  { resolveName: testNames() },
)
const { db } = service.services

type Respond = (response: ServerResponse, body: string, request: IncomingMessage) => void
const responders = new Map<string, Respond>()
receiver.respond = (request, response, body) =>
  responders.get(request.url!.split('/').at(-1)!)!(response, body, request)

/** A workspace with an endpoint whose receiver responds as the test says. */
async function startEndpoint(types: readonly string[] = ['job.published']) {
  const world: World = { service, ...(await newTenant(service)) }
  const { workspace, key } = world
  const url = `${receiver.url}/${workspace}`
  const made = await service.post('/webhooks/endpoints', key, { url, event_types: types })
  assert.equal(made.status, 201, made.text)
  const stored = async () =>
    (
      await db.query(sql<{ body: string }>`
        select body from webhook_responses where workspace_id = ${workspace} order by delivery_id, attempt`)
    ).map(row => row.body)
  const deliveries = async () => (await service.get('/webhooks/deliveries', key)).body.data
  const latest = async () => {
    const [newest] = await deliveries()
    return newest && (await service.get(`/webhooks/deliveries/${newest.id}`, key)).body
  }
  return {
    ...world,
    stored,
    deliveries,
    latest,
    respond: (respond: Respond) => void responders.set(workspace, respond),
    /** sends one event and waits for the end of its attempt */
    async attempt(respond: Respond) {
      responders.set(workspace, respond)
      const before = (await deliveries()).length
      await emit(db, workspace, ['job.published'])
      await until('the attempt ended', async () => {
        const all = await deliveries()
        return all.length > before && all[0].status !== 'pending'
      })
      return (await latest()).attempts.at(-1)
    },
  }
}

const text = (status: number, body: string, headers: Record<string, string> = {}): Respond => {
  return response => void response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end(body)
}

test('GET /webhooks/deliveries/{id}: 200 with the response of each attempt: of success, failure and redirect; null without text', async () => {
  const e = await startEndpoint()
  assert.equal((await e.attempt(text(200, '{"stored":true}'))).response_body, '{"stored":true}')
  assert.equal((await e.attempt(text(500, 'no such queue: hiring\n'))).response_body, 'no such queue: hiring\n')
  assert.equal((await e.attempt(text(302, 'moved', { location: 'https://x.test/' }))).response_body, 'moved')
  assert.equal((await e.attempt(text(204, ''))).response_body, null)
  assert.equal((await e.attempt(text(200, ' \r\n '))).response_body, null)
  const image = text(200, '\x89PNG and so on', { 'content-type': 'image/png' })
  assert.equal((await e.attempt(image)).response_body, null)
  assert.equal((await e.attempt(text(200, 'x', { 'content-encoding': 'gzip' }))).response_body, null)
  assert.equal((await e.attempt(response => void response.socket!.destroy())).response_body, null)
  // the list of deliveries and the log do not have it
  assert.ok((await e.deliveries()).every((row: object) => !('response_body' in row) && !('attempts' in row)))
  assert.ok(service.logLines.every(line => !line.includes('no such queue')))
})

test('GET /webhooks/deliveries/{id}: 404 for another key of the workspace and for another workspace: its responses stay with the key', async () => {
  const e = await startEndpoint()
  await e.attempt(text(200, 'for this key alone'))
  const { id } = await e.latest()
  const user = (await db.one(sql<{ email: string }>`select email from users where id = ${e.userId}`))!.email
  const colleague = await service.key({ workspace: e.workspace, userEmail: user })
  const narrow = await service.key({ workspace: e.workspace, userEmail: user, scopes: ['events:read'] })
  assert.equal((await service.get(`/webhooks/deliveries/${id}`, colleague)).status, 404)
  assert.equal((await service.get(`/webhooks/deliveries/${id}`, (await newTenant(service)).key)).status, 404)
  assert.equal((await service.get(`/webhooks/deliveries/${id}`, narrow)).status, 403)
})

test('webhook responses: the first 1,024 bytes, cut between two characters; a long one does not fail the delivery', async () => {
  const e = await startEndpoint()
  const long = `a${'é'.repeat(40_000)}`
  const attempt = await e.attempt(text(200, long))
  assert.equal(attempt.error, null)
  assert.equal(attempt.response_body, `a${'é'.repeat(511)}`)
  const emoji = await e.attempt(text(200, `ab${'😀'.repeat(500)}`))
  assert.equal(emoji.response_body, `ab${'😀'.repeat(255)}`)
  // replaced characters take three bytes each: the limit holds for what is stored
  const bell = await e.attempt(text(200, '\x07'.repeat(1_024)))
  assert.equal(bell.response_body, '\ufffd'.repeat(341))
})

test('webhook responses: control characters and changes of direction are replaced; tabs and line ends stay', () => {
  const read = (body: string) => readResponseBody(Buffer.from(body), {})
  assert.equal(read('a\tb\r\nc\rd\ne'), 'a\tb\nc\nd\ne')
  assert.equal(read('\x1b[31mred\x07\x7f\u009b1m'), '\ufffd[31mred\ufffd\ufffd\ufffd1m')
  assert.equal(read('\u202egnp.exe \u2066x\u2069 \ufeff'), '\ufffdgnp.exe \ufffdx\ufffd \ufffd')
  assert.equal(read('a\0b'), null, 'a NUL byte means that it is not text')
  assert.equal(readResponseBody(Buffer.from([0x61, 0xff, 0x62]), {}), 'a\ufffdb')
  assert.equal(readResponseBody(Buffer.from([0x61, 0xf0, 0x9f]), {}), 'a')
})

test('webhook responses: a body that drips or breaks off: the status counts, with the text that arrived', async () => {
  const e = await startEndpoint()
  const dripping = await e.attempt(response => {
    response.writeHead(200)
    response.write('first')
  })
  assert.deepEqual([dripping.response_status, dripping.error, dripping.response_body], [200, null, 'first'])
  const broken = await e.attempt(response => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('half', () => response.socket!.destroy())
  })
  assert.deepEqual([broken.response_status, broken.error], [200, null])
  assert.ok(broken.response_body === 'half' || broken.response_body === null)
})

test('webhook responses: retention: a pruned delivery takes its responses with it', async () => {
  const e = await startEndpoint()
  await e.attempt(text(200, 'soon gone'))
  assert.deepEqual(await e.stored(), ['soon gone'])
  clock.advance(31 * 86_400_000)
  await pruneOnce(db)
  clock.reset()
  assert.deepEqual(await e.stored(), [])
})

const operator = { requestedBy: 'command_line' } as const

test('webhook responses: erasure: every stored response of the workspace is deleted, and those of others stay', async () => {
  const e = await startEndpoint()
  const other = await startEndpoint()
  await apply(e, {}, { email: 'echo@example.org' })
  await e.attempt(text(200, 'a candidate of yours: echo@example.org'))
  await other.attempt(text(200, 'kept'))
  const { id } = await requestErasure(db, { email: 'echo@example.org', ...operator })
  await runErasure(service.services, id)
  assert.deepEqual([await e.stored(), await other.stored()], [[], ['kept']])
  assert.equal((await e.latest()).attempts[0].response_body, null)
  assert.equal((await e.attempt(text(200, 'later ones are stored'))).response_body, 'later ones are stored')
})

test('webhook responses: erasure: the response to an attempt in flight is not stored, whether it ends before or after the erasure', async () => {
  for (const ends of ['before the records are erased', 'after the erasure'] as const) {
    const email = `flight.${ends.length}@example.org`
    const e = await startEndpoint()
    await apply(e, {}, { email })
    let held: (() => void) | undefined
    e.respond(response => {
      held = () => void response.writeHead(200).end(`known as ${email}`)
    })
    await emit(db, e.workspace, ['job.published'])
    await until('the attempt is in flight', () => held !== undefined)
    const finish = async () => {
      held!()
      await until('the attempt ended', async () => (await e.latest()).status === 'delivered')
    }
    const { id } = await requestErasure(db, { email, ...operator })
    if (ends === 'before the records are erased') await finish()
    await runErasure(service.services, id)
    if (ends === 'after the erasure') await finish()
    assert.deepEqual(await e.stored(), [], ends)
  }
})

test('webhook responses: erasure: later responses to events about the erased person are not stored', async () => {
  const e = await startEndpoint(['application.created', 'applicant.deleted', 'data_subject.erasure_completed'])
  let down = true
  e.respond((response, body) => {
    const failing = down && JSON.parse(body).type === 'application.created'
    response.writeHead(failing ? 500 : 200).end(`event about Echo Example: ${body}`)
  })
  await apply(e, {}, { email: 'again@example.org' })
  await until('the first attempt failed', async () => (await e.latest())?.status === 'retrying')
  assert.equal((await e.stored()).length, 1)
  const { id } = await requestErasure(db, { email: 'again@example.org', ...operator })
  await runErasure(service.services, id)
  down = false
  clock.advance(15_000)
  await until('all are delivered, the retry too', async () => {
    const all = await e.deliveries()
    return all.length === 3 && all.every((d: { status: string }) => d.status === 'delivered')
  })
  clock.reset()
  assert.deepEqual(await e.stored(), [])
})

test('webhook responses: while a person is being suppressed, a delivery is recorded without waiting, and without its response', async () => {
  const e = await startEndpoint()
  await db.transaction(async tx => {
    await tx.query(lockSuppressionsExclusive())
    const attempt = await e.attempt(text(200, 'not now'))
    assert.deepEqual([attempt.response_status, attempt.response_body], [200, null])
  })
  assert.equal((await e.attempt(text(200, 'now'))).response_body, 'now')
})
