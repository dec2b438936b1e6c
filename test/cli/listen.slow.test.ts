import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import Stripe from 'stripe'
import { EVENT_SCOPES } from '../../packages/cli/src/event-scopes.ts'
import { COMMANDS, CommandError } from '../../packages/cli/src/index.ts'
import { signingSecret } from '../../packages/cli/src/secret.ts'
import { verifyWebhook } from '../../packages/sdk/src/index.ts'
import { EVENT_TYPES, EVENTS, type EventType } from '../../src/contract/events.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { revokeKey } from '../../src/resources/keys/index.ts'
import { emit } from '../harness/events.ts'
import { faultyNetwork } from '../harness/faulty-network.ts'
import { freePort } from '../harness/free-port.ts'
import { CA_FILE, startReceiver, testNames, until } from '../harness/receiver.ts'
import { startTestService } from '../harness/service.ts'
import { configFolder, runCommand, startCommand, startLocalReceiver } from './run-cli.ts'

const remote = await startReceiver()
const service = await startTestService(
  { WEBHOOK_ALLOW_HOSTS: remote.host, WEBHOOK_CA: CA_FILE },
  { resolveName: testNames() },
)
const { db } = service.services
const network = await faultyNetwork(service.origin)

async function newTenant(scopes?: string[]) {
  const { id: workspace, userEmail } = await service.workspace('enterprise')
  const key = await service.key({
    workspace,
    userEmail,
    name: 'Laptop',
    ...(scopes ? { scopes: scopes as never } : {}),
  })
  const env = { HIRING_API_KEY: key.secret, HIRING_BASE_URL: service.origin }
  return { workspace, key, env, emit: (...types: EventType[]) => emit(db, workspace, types) }
}

const STARTED = 'Ctrl-C stops.'
const secretIn = (output: string) => /whsec_\S+/.exec(output)![0]

test('hiring-partner listen: posts the body and the headers of a real webhook, signed with the secret that it prints', async () => {
  const tenant = await newTenant()
  const local = await startLocalReceiver()
  const types = ['job.published', 'application.created', 'list_membership.added'] as const
  const made = await service.post('/webhooks/endpoints', tenant.key, { url: remote.url, event_types: types })
  assert.equal(made.status, 201)
  const listen = startCommand(['listen', '--forward-to', local.url], tenant.env)
  await listen.shows(STARTED)
  await tenant.emit(...types)
  await until('both receivers have the events', () => local.received.length === 3 && remote.received.length === 3)
  const secret = secretIn(listen.stdout())
  for (const [i, got] of local.received.entries()) {
    const real = remote.received.find(r => r.body === got.body)
    assert.ok(real, `the body of event ${i} is the real one, byte for byte`)
    assert.deepEqual(Object.keys(got.headers).toSorted(), Object.keys(real.headers).toSorted())
    const own = ['host', 'service-signature', 'service-delivery-id']
    const same = (headers: object) =>
      Object.entries(headers)
        .filter(([name]) => !own.includes(name))
        .toSorted()
    assert.deepEqual(same(got.headers), same(real.headers))
    assert.match(String(got.headers['service-delivery-id']), /^[0-9a-f-]{36}$/)
    const signature = String(got.headers['service-signature'])
    assert.equal((await verifyWebhook({ body: got.body, signature }, secret)).type, types[i])
    assert.ok(Stripe.webhooks.constructEvent(got.body, signature, secret))
    assert.equal(got.path, '/webhooks')
  }
  await listen.shows(/job\.published +evt_\w+ {2}200 {2}\d+ ms/)
  assert.equal(await listen.interrupt(), 0)
  assert.match(listen.stdout(), /Stopped: 3 events accepted\.\n$/)
  assert.equal(listen.stderr(), '')
  assert.ok(!listen.stdout().includes(tenant.key.secret))
})

test('hiring-partner listen: every event of the feed is forwarded byte for byte, whatever text it has', async () => {
  const tenant = await newTenant()
  const local = await startLocalReceiver()
  await tenant.emit(...EVENT_TYPES)
  const feed = async () => (await service.get('/events?limit=100', tenant.key)).text
  await until('all events are in the feed', async () => JSON.parse(await feed()).data.length === EVENT_TYPES.length)
  const listen = startCommand(['listen', '--forward-to', local.url, '--replay-from', 'start'], tenant.env)
  await until('all are forwarded', () => local.received.length === EVENT_TYPES.length)
  assert.ok((await feed()).includes(`"data":[${local.received.map(r => r.body).join(',')}]`))
  assert.equal(await listen.interrupt(), 0)
})

test('hiring-partner listen: the secret stays the same for a key on a machine, differs for another key, and can be given', async () => {
  const secretFor = async (apiKey: string, given?: string) => (await signingSecret(given, apiKey)).secret
  try {
    const first = await secretFor('svc_live_one')
    assert.match(first, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.equal(await secretFor('svc_live_one'), first)
    assert.notEqual(await secretFor('svc_live_other'), first)
    assert.equal(statSync(join(configFolder, 'seed')).mode & 0o777, 0o600)
    assert.equal(await secretFor('svc_live_one', 'whsec_mine'), 'whsec_mine')
    await assert.rejects(secretFor('svc_live_one', 'has spaces in it'), CommandError)
    // where no folder can be written, each run has its own
    process.env['HIRING_CONFIG_DIR'] = '/dev/null/folder'
    assert.deepEqual((await signingSecret(undefined, 'svc_live_one')).from, 'this run')
    assert.notEqual(await secretFor('svc_live_one'), await secretFor('svc_live_one'))
  } finally {
    process.env['HIRING_CONFIG_DIR'] = configFolder
  }
})

test('hiring-partner listen: a secret that was given is not printed, neither in lines nor in JSON; one that it made is', async () => {
  const tenant = await newTenant()
  const local = await startLocalReceiver()
  const given = 'whsec_of-the-real-endpoint'
  const begin = async (args: string[], env: Record<string, string> = {}) => {
    const listen = startCommand(['listen', '--forward-to', local.url, ...args], { ...tenant.env, ...env })
    await listen.shows(/Ctrl-C stops\.|"listening"/)
    assert.equal(await listen.interrupt(), 0)
    return listen.stdout() + listen.stderr()
  }
  const lines = await begin(['--secret', given])
  assert.match(lines, /Signing secret {2}as given\n/)
  const json = await begin(['--json'], { HIRING_WEBHOOK_SECRET: given })
  assert.match(json, /"signing_secret":null/)
  assert.ok(!(lines + json).includes(given))
  assert.match(await begin(['--json']), /"signing_secret":"whsec_[^"]{44}"/)
})

/** Sets the title of a terminal, in 7 and in 8 bits, clears it and turns the line around; as it is in JSON. */
const ESCAPES = '\\u001b]0;owned\\u0007\\u009b2J\\n\\r\\u202e'
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/

test('hiring-partner: texts of a hostile service and receiver never reach the terminal as control characters', async () => {
  const tenant = await newTenant()
  const local = await startLocalReceiver()
  local.respond = response => void response.writeHead(500).end(JSON.parse(`"${ESCAPES}"`))
  const env = { ...tenant.env, HIRING_BASE_URL: network.origin }
  await tenant.emit('job.published')
  await until('it is in the feed', async () => (await service.get('/events', tenant.key)).body.data.length === 1)
  const real = await service.get('/events', tenant.key)
  const [{ id, data }] = real.body.data
  const headers = { 'content-type': 'application/json' }
  let text: string = real.text
  for (const value of [id, 'job.published', data.object.id]) text = text.replaceAll(value, `${ESCAPES}${value}`)
  text = text.replaceAll(/"created_at":"/g, `$&${ESCAPES}`)
  network.plan(({ path }) =>
    /\/events\?.*after=0\b/.test(path) || path.endsWith('/events') ? { status: 200, headers, body: text } : 'none',
  )
  const tailed = await runCommand(['events', 'tail'], env)
  assert.match(tailed.stdout, /owned.*job\.published/, tailed.stderr)
  const asJson = await runCommand(['events', 'tail', '--json'], env)
  assert.equal(JSON.parse(asJson.stdout).type, JSON.parse(`"${ESCAPES}job.published"`))

  const event = /"data":\[(\{.*\})\]/s.exec(text)![1]!
  network.plan(({ path }) => (/\/events\/evt_/.test(path) ? { status: 200, headers, body: event } : 'none'))
  const resent = await runCommand(['resend', id, '--forward-to', local.url], env)
  assert.match(resent.stdout, /owned.*job\.published/, resent.stderr)

  const message = { code: 'forbidden', type: 'permission', message: 'REPLACED' }
  const body = JSON.stringify({ detail: message }).replace('REPLACED', `${ESCAPES}refused`)
  network.plan(() => ({ status: 403, headers, body }))
  const refused = await runCommand(['listen', '--forward-to', local.url], env)
  assert.match(refused.stderr, /^hiring-partner: .*owned.*refused/)
  const refusedJson = await runCommand(['listen', '--forward-to', local.url, '--json'], env)
  assert.match(JSON.parse(refusedJson.stderr).error, /refused/)
  const debugged = await runCommand(['events', 'tail'], { ...env, DEBUG: '1' })
  network.plan(({ path }) =>
    /\/events\?.*epoch=/.test(path) && path.includes('after=') ? { status: 200, headers, body: text } : 'none',
  )
  const listen = startCommand(['listen', '--forward-to', local.url, '--replay-from', 'start'], env)
  await listen.shows(/job\.published.*500/)
  await listen.interrupt()
  const outputs = { tailed, asJson, resent, refused, refusedJson, debugged }
  for (const [name, { stdout, stderr }] of Object.entries({
    ...outputs,
    listen: { stdout: listen.stdout(), stderr: listen.stderr() },
  })) {
    assert.doesNotMatch(stdout + stderr, CONTROL, `${name}: ${JSON.stringify(stdout + stderr)}`)
  }
})

test('hiring-partner listen: a failed response is shown with its text, and does not stop the next events', async () => {
  const tenant = await newTenant()
  const local = await startLocalReceiver()
  local.respond = (response, body) => {
    const published = JSON.parse(body).type === 'job.published'
    response.writeHead(published ? 500 : 302, { location: 'http://localhost:1/' }).end('no such\ntable \x1b[31mjobs')
  }
  const listen = startCommand(['listen', '--forward-to', local.url], tenant.env)
  await listen.shows(STARTED)
  await tenant.emit('job.published', 'job.closed')
  await listen.shows(/job\.closed +evt_\w+ {2}302/)
  assert.match(listen.stdout(), /job\.published +evt_\w+ {2}500 {2}\d+ ms\n +no such table \ufffd\[31mjobs\n/)
  await listen.shows(/redirects are not followed/)
  assert.equal(await listen.interrupt(), 0)
  assert.match(listen.stdout(), /Stopped: 0 events accepted, 2 attempts failed\./)
})

test('hiring-partner listen: a receiver that asks for a pause with Retry-After gets the event again as attempt 2', async () => {
  const tenant = await newTenant()
  const local = await startLocalReceiver()
  local.respond = response => {
    if (local.received.length === 1) response.writeHead(503, { 'retry-after': '1' }).end()
    else response.end()
  }
  const listen = startCommand(['listen', '--forward-to', local.url], tenant.env)
  await listen.shows(STARTED)
  await tenant.emit('job.published')
  await listen.shows('attempt 2')
  const [first, second] = local.received
  assert.deepEqual(
    [first!.headers['service-delivery-attempt'], second!.headers['service-delivery-attempt']],
    ['1', '2'],
  )
  assert.equal(second!.headers['service-delivery-id'], first!.headers['service-delivery-id'])
  await listen.interrupt()
})

test('hiring-partner listen: while the receiver does not run, it says so and events wait for it, in order', async () => {
  const tenant = await newTenant()
  const port = await freePort()
  const listen = startCommand(['listen', '--forward-to', `http://localhost:${port}/webhooks`], tenant.env)
  await listen.shows(`nothing listens on http://localhost:${port}`)
  await tenant.emit('job.published', 'job.closed')
  const local = await startLocalReceiver(port)
  await until('both arrive', () => local.received.length === 2)
  assert.deepEqual(
    local.received.map(r => [JSON.parse(r.body).type, r.headers['service-delivery-attempt']]),
    [
      ['job.published', '1'],
      ['job.closed', '1'],
    ],
  )
  // restarted: the connection that was kept is gone
  await local.close()
  const again = await startLocalReceiver(port)
  await tenant.emit('job.reopened')
  await until('the third arrives', () => again.received.length === 1)
  assert.equal(await listen.interrupt(), 0)
})

test('hiring-partner listen: --events forwards these types alone; --print-json prints the bodies to standard output', async () => {
  const tenant = await newTenant()
  const local = await startLocalReceiver()
  const args = ['listen', '--forward-to', local.url, '--events', 'job.closed, job.deleted', '--print-json']
  const listen = startCommand(args, tenant.env)
  await listen.shows(STARTED)
  assert.equal(listen.stdout(), '')
  await tenant.emit('job.published', 'job.closed', 'job.updated', 'job.deleted')
  await until('two arrive', () => local.received.length === 2)
  await listen.shows(/job\.deleted +evt_\w+ {2}200/)
  assert.equal(await listen.interrupt(), 0)
  assert.equal(listen.stdout(), local.received.map(r => `${r.body}\n`).join(''))
  assert.match(listen.stderr(), /Event types {5}job\.closed, job\.deleted\n/)
})

test('hiring-partner listen: --json prints one object a line: the beginning, each attempt and the end', async () => {
  const tenant = await newTenant()
  const local = await startLocalReceiver()
  const listen = startCommand(['listen', '--forward-to', local.url, '--json'], tenant.env)
  await listen.shows('"listening"')
  await tenant.emit('job.published')
  await listen.shows('"forwarded"')
  assert.equal(await listen.interrupt(), 0)
  const [begin, forwarded, end] = listen
    .stdout()
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  assert.deepEqual([begin.forward_to, begin.event_types.length], [local.url, EVENT_TYPES.length])
  assert.deepEqual(
    [forwarded.type, forwarded.status, forwarded.error, forwarded.attempt, forwarded.response_body],
    ['job.published', 200, null, 1, 'ok'],
  )
  assert.deepEqual(end, { object: 'stopped', accepted: 1, failed: 0 })
})

test('hiring-partner listen: --replay-from a sequence, a time, how long ago, and start; refused where the feed has no such place', async () => {
  const tenant = await newTenant()
  await tenant.emit('job.published', 'job.closed', 'job.reopened')
  await until('they are in the feed', async () => (await service.get('/events', tenant.key)).body.data.length === 3)
  // two weeks ago, ten minutes ago and now
  const shift = (sequence: number, minutes: number) => sql`
    update events set body = regexp_replace(body, '"created_at":"[^"]*"', '"created_at":"' || to_char(
      (app_now() - ${minutes}::integer * interval '1 minute') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"')
    where workspace_id = ${tenant.workspace} and sequence = ${sequence}::bigint`
  await db.query(shift(1, 20_000))
  await db.query(shift(2, 10))
  const replayed = async (from: string, count: number) => {
    const local = await startLocalReceiver()
    const listen = startCommand(['listen', '--forward-to', local.url, '--replay-from', from], tenant.env)
    await until(`${count} arrive from ${from}`, () => local.received.length >= count)
    await listen.interrupt()
    await local.close()
    return local.received.map(r => JSON.parse(r.body).sequence).join()
  }
  assert.equal(await replayed('start', 3), '1,2,3')
  assert.equal(await replayed('2', 1), '3')
  assert.equal(await replayed('1d', 2), '2,3')
  assert.equal(await replayed(new Date(Date.now() - 5 * 60_000).toISOString(), 1), '3')

  const refused = (from: string) => refusalOf(tenant.env, { 'replay-from': from })
  assert.match(await refused('99'), /beyond the end of the feed, which is 3/)
  assert.match(await refused('yesterday'), /--replay-from must be a sequence such as 1042/)
  assert.match(await refused('2026-11-31T00:00:00'), /--replay-from must be a sequence such as 1042/)
  await db.query(sql`update event_logs set oldest_sequence = 3 where workspace_id = ${tenant.workspace}`)
  assert.match(await refused('1'), /events after 1 are no longer retained: the oldest is 3/)
})

/** The message with which the command ends before it listens. */
async function refusalOf(env: { HIRING_API_KEY?: string; HIRING_BASE_URL?: string }, options: Record<string, string>) {
  const given: Record<string, string | undefined> = {
    key: env.HIRING_API_KEY,
    'base-url': env.HIRING_BASE_URL,
    'forward-to': 'http://localhost:1',
    ...options,
  }
  const { run } = COMMANDS.find(command => command.name === 'listen')!
  const input = { args: [], option: (name: string) => given[name], flag: () => false, json: false }
  const error = await run(input).then(
    () => assert.fail('it listened'),
    (error: unknown) => error,
  )
  assert.ok(error instanceof CommandError, String(error))
  return error.message
}

test('hiring-partner listen: cut connections, lost responses and an outage: every event arrives once and in order', async () => {
  const tenant = await newTenant()
  const local = await startLocalReceiver()
  const env = { ...tenant.env, HIRING_BASE_URL: network.origin }
  network.plan(() => 'none')
  const listen = startCommand(['listen', '--forward-to', local.url], env)
  await listen.shows(STARTED)
  network.plan((_, n) => (['cut_request', 'cut_body', 'lose_response', { status: 502 }, 'none'] as const)[n % 5]!)
  for (let i = 0; i < 4; i++) await tenant.emit('job.published', 'job.closed')
  await until('all arrive', () => local.received.length === 8)
  network.plan(() => 'cut_request')
  await listen.shows('the service is unavailable, next try in')
  await tenant.emit('job.deleted')
  network.plan(() => 'none')
  await until('the last one arrives', () => local.received.length === 9)
  assert.deepEqual(
    local.received.map(r => JSON.parse(r.body).sequence),
    [1, 2, 3, 4, 5, 6, 7, 8, 9],
  )
  await listen.shows('the service is available again')
  assert.equal(await listen.interrupt(), 0)
})

test('hiring-partner listen: 429: waits as long as Retry-After says, and continues', async () => {
  const tenant = await newTenant()
  const local = await startLocalReceiver()
  network.plan(() => 'none')
  const listen = startCommand(['listen', '--forward-to', local.url], { ...tenant.env, HIRING_BASE_URL: network.origin })
  await listen.shows(STARTED)
  const times: number[] = []
  const limited = {
    status: 429,
    headers: { 'content-type': 'application/json', 'retry-after': '3' },
    body: JSON.stringify({
      detail: { code: 'rate_limit_exceeded', type: 'rate_limit', message: 'Too many requests.' },
    }),
  }
  network.plan((_, n) => {
    times.push(performance.now())
    return n === 0 ? limited : 'none'
  })
  await tenant.emit('job.published')
  await until('it arrives', () => local.received.length === 1)
  assert.ok(times[1]! - times[0]! >= 2_990, `${times[1]! - times[0]!} ms`)
  assert.match(listen.stdout(), /rate limit reached, continuing in \d s/)
  assert.equal(await listen.interrupt(), 0)
})

test('hiring-partner listen: exit 1 and what to do: no key, a wrong key, missing scopes, an unknown type, no service', async () => {
  const tenant = await newTenant(['jobs:read', 'events:read'])
  const blind = await newTenant(['jobs:read'])
  assert.match(await refusalOf({}, {}), /^no API key: set HIRING_API_KEY, or use --key$/)
  assert.match(await refusalOf(tenant.env, { key: 'svc_live_wrong' }), /does not accept the API key/)
  assert.match(
    await refusalOf(blind.env, {}),
    /the key "Laptop" lacks the scope events:read: scopes cannot be added to a key, so ask/,
  )
  assert.match(
    await refusalOf(tenant.env, { events: 'job.closed,application.created' }),
    /^application\.created cannot be read: the key "Laptop" lacks the scope applications:read/,
  )
  assert.match(await refusalOf(tenant.env, { events: 'job.clsed' }), /job\.clsed.*job\.closed/)
  const nowhere = `http://127.0.0.1:${await freePort()}`
  assert.match(await refusalOf(tenant.env, { 'base-url': nowhere }), /does not run at this base URL/)
  assert.match(await refusalOf(tenant.env, { 'base-url': 'example.com' }), /must start with http/)
  assert.match(await refusalOf(tenant.env, { 'forward-to': 'localhost:3000' }), /--forward-to must be an http or https/)

  const refused = await runCommand(['listen', '--forward-to', 'http://localhost:1'], blind.env)
  assert.deepEqual([refused.code, refused.stdout], [1, ''])
  assert.match(refused.stderr, /^hiring-partner: the key "Laptop" lacks the scope events:read/)
  const usage = await runCommand(['listen'], tenant.env)
  assert.deepEqual(
    [usage.code, usage.stderr],
    [2, 'hiring-partner: listen needs --forward-to (hiring-partner listen --help)\n'],
  )
})

test('hiring-partner listen: types that the key cannot read are named; revoking the key ends it with exit 1', async () => {
  const tenant = await newTenant(['jobs:read', 'lists:read', 'events:read'])
  const local = await startLocalReceiver()
  const listen = startCommand(['listen', '--forward-to', local.url], tenant.env)
  await listen.shows(STARTED)
  assert.match(
    listen.stdout(),
    /Event types {5}15 types that the key can read\n {2}Not readable {4}types that need .*applications:read/,
  )
  await revokeKey(db, tenant.key.id)
  assert.equal(await listen.ended, 1)
  assert.match(listen.stderr(), /does not accept the API key/)
})

test('hiring-partner: the scopes of event types are those of the service', () => {
  assert.deepEqual(EVENT_SCOPES, Object.fromEntries(EVENT_TYPES.map(type => [type, EVENTS[type].scope])))
})
