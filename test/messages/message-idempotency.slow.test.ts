import assert from 'node:assert/strict'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { beforeEach, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { unsubscribeApplicant } from '../../src/resources/applicants/index.ts'
import { lockWaits } from '../harness/lock-waits.ts'
import { startProcess, temporaryFolder } from '../harness/process.ts'
import { startTestService, type TestResponse } from '../harness/service.ts'
import type { Behaviour } from '../harness/smtp.ts'
import { messageTo, newIdempotencyKey, startMailWorld } from './setup.ts'

const SECRET_KEY = '5a'.repeat(32)
const world = await startMailWorld({ SECRET_KEY, SMTP_TIMEOUT_SECONDS: '2' })
const { service, workspace, key, mails, send, person, used } = world
const { db } = service.services

beforeEach(() => {
  mails.arrived.length = 0
  mails.behaviour = 'accept'
})

const replayed = (response: TestResponse) => response.headers.get('idempotent-replayed') === 'true'

/** A message and its Idempotency-Key: what is sent again and again. */
async function newMessage() {
  const idempotencyKey = newIdempotencyKey()
  const ada = await person()
  const body = messageTo({ applicant_id: ada.id })
  return { ada, body, idempotencyKey, send: (over: object = {}) => send({ ...body, ...over }, { idempotencyKey }) }
}

test('POST /messages: 200 sent, then the same response: repeats send nothing, use no quota and are marked as replayed', async () => {
  const message = await newMessage()
  const first = await message.send()
  const before = await used()
  for (let i = 0; i < 3; i++) {
    const again = await message.send()
    assert.deepEqual([again.status, again.text, replayed(again)], [200, first.text, true])
  }
  assert.equal(mails.arrived.length, 1)
  assert.equal(await used(), before)
})

test('POST /messages: 409 idempotency_key_reused: another body under the same key, whatever happened to the first', async () => {
  for (const behaviour of ['accept', 'refuse recipient', 'cut after data'] as const) {
    mails.behaviour = behaviour
    const message = await newMessage()
    await message.send()
    mails.behaviour = 'accept'
    const connections = mails.connections
    const other = await message.send({ subject: 'Another' })
    assert.deepEqual([other.status, other.body.detail.code], [409, 'idempotency_key_reused'])
    assert.equal(mails.connections, connections)
  }
})

test('POST /messages: the same Idempotency-Key of another API key is another one', async () => {
  const message = await newMessage()
  await message.send()
  const { userEmail } = await db
    .one(sql<{ email: string }>`select email from users where workspace_id = ${workspace}`)
    .then(row => ({ userEmail: row!.email }))
  const second = await service.key({ workspace, userEmail })
  const response = await send(message.body, { key: second, idempotencyKey: message.idempotencyKey })
  assert.deepEqual([response.body.status, replayed(response)], ['sent', false])
  assert.equal(mails.arrived.length, 2)
})

for (const behaviour of [
  'cut at connection',
  'cut before data',
  'refuse recipient',
  'refuse after data',
] as const satisfies Behaviour[]) {
  test(`POST /messages: 429 delivery_failed: ${behaviour}; the key repeats it and sends nothing, a new key sends`, async () => {
    const message = await newMessage()
    const before = await used()
    mails.behaviour = behaviour
    const first = await message.send()
    mails.behaviour = 'accept'
    assert.deepEqual([first.status, first.body.detail.code], [429, 'delivery_failed'])
    assert.equal(first.body.detail.type, 'unavailable')
    assert.ok(Number(first.headers.get('retry-after')) > 0)
    assert.equal(await used(), before)

    const connections = mails.connections
    const again = await message.send()
    assert.deepEqual([again.status, again.body.detail.code, replayed(again)], [429, 'delivery_failed', true])
    assert.deepEqual([mails.connections, mails.arrived.length], [connections, 0])

    assert.equal((await send(message.body)).body.status, 'sent')
    assert.equal(mails.arrived.length, 1)
    assert.equal(await used(), before + 1)
  })
}

for (const [behaviour, arrived] of [
  ['cut during data', 0],
  ['cut after data', 1],
  ['silent', 1],
] as const) {
  test(`POST /messages: 200 queued: ${behaviour}; in doubt, and never sent a second time`, async () => {
    const message = await newMessage()
    const before = await used()
    mails.behaviour = behaviour
    const body = { ...message.body, body_text: 'x'.repeat(20_000) }
    const first = await send(body, { idempotencyKey: message.idempotencyKey })
    mails.behaviour = 'accept'
    assert.deepEqual(
      [first.status, first.body.status, first.body.sent_at, replayed(first)],
      [200, 'queued', null, false],
    )
    const begun = mails.begun
    const again = await send(body, { idempotencyKey: message.idempotencyKey })
    assert.deepEqual([again.status, again.text, replayed(again)], [200, first.text, true])
    assert.deepEqual([mails.begun, mails.arrived.length], [begun, arrived])
    assert.equal(await used(), before + 1)
  })
}

test('POST /messages: 200 queued: repeats while the first is being delivered, however many; afterwards 200 sent', async () => {
  const message = await newMessage()
  const stop = mails.stopAt('text')
  const first = message.send()
  await stop.reached
  const connections = mails.connections
  const during = await Promise.all(Array.from({ length: 8 }, () => message.send()))
  for (const response of during) {
    assert.deepEqual(
      [response.status, response.body.status, response.body.sent_at, replayed(response)],
      [200, 'queued', null, true],
    )
  }
  stop.goOn()
  const done = await first
  assert.equal(done.body.status, 'sent')
  for (const { body } of during) assert.equal(body.id, done.body.id)
  const after = await message.send()
  assert.deepEqual([after.text, replayed(after)], [done.text, true])
  assert.deepEqual([mails.connections, mails.arrived.length], [connections, 1])
})

test('POST /messages: many at the same time with one key: one email, no failure', async () => {
  const message = await newMessage()
  const before = await used()
  const responses = await Promise.all(Array.from({ length: 12 }, () => message.send()))
  assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]))
  assert.equal(new Set(responses.map(({ body }) => body.id)).size, 1)
  assert.equal(responses.filter(response => !replayed(response)).length, 1)
  assert.equal(mails.arrived.length, 1)
  assert.equal(await used(), before + 1)
})

test('POST /messages: a refused request releases its key: once the cause is fixed, the same request is sent', async () => {
  const message = await newMessage()
  await db.query(sql`
    insert into unsubscribes (workspace_id, email_key, source) values (${workspace}, ${message.ada.email}, 'opt_out')`)
  const refused = await message.send()
  assert.deepEqual([refused.status, refused.body.detail.code], [409, 'recipient_unsubscribed'])
  await db.query(sql`delete from unsubscribes where workspace_id = ${workspace} and email_key = ${message.ada.email}`)
  const response = await message.send()
  assert.deepEqual([response.body.status, replayed(response)], ['sent', false])
})

test('POST /messages: after 24 hours an earlier send is still found, before the unsubscribe check and without using allowance', async () => {
  const message = await newMessage()
  const first = await message.send()
  await db.transaction(tx => unsubscribeApplicant(tx, workspace, message.ada.id, 'link'))
  clock.advance(40 * 86_400_000)
  try {
    const again = await message.send()
    assert.deepEqual([again.status, again.text, replayed(again)], [200, first.text, true])
    assert.equal(await used(), 0)
    assert.equal((await send(message.body)).body.detail.code, 'recipient_unsubscribed')
  } finally {
    clock.reset()
  }
  assert.equal(mails.arrived.length, 1)
})

const DAY_MS = 86_400_000

/** Runs at a time so much later that the keys of now are forgotten, or just not yet. */
async function later<T>(ms: number, run: () => Promise<T>): Promise<T> {
  clock.advance(ms)
  try {
    return await run()
  } finally {
    clock.reset()
  }
}

test('POST /messages, 24 hours later: a different body under the same key is a new message; both are found', async () => {
  const message = await newMessage()
  const first = await message.send()
  // a minute before the end of the day the key is still the first message's
  const early = await later(DAY_MS - 60_000, () => message.send({ subject: 'Other' }))
  assert.equal(early.body.detail.code, 'idempotency_key_reused')
  const second = await later(DAY_MS + 1_000, () => message.send({ subject: 'Other' }))
  assert.deepEqual([second.status, second.body.status, replayed(second)], [200, 'sent', false])
  assert.notEqual(second.body.id, first.body.id)
  await later(DAY_MS + 60_000, async () => {
    const again = await message.send({ subject: 'Other' })
    assert.deepEqual([again.text, replayed(again)], [second.text, true])
    // the key now belongs to the second message
    assert.equal((await message.send()).body.detail.code, 'idempotency_key_reused')
  })
  await later(3 * DAY_MS, async () => {
    const before = await used()
    for (const [over, sent] of [
      [{}, first],
      [{ subject: 'Other' }, second],
    ] as const) {
      const again = await message.send(over)
      assert.deepEqual([again.status, again.text, replayed(again)], [200, sent.text, true])
    }
    assert.equal(await used(), before)
  })
  assert.equal(mails.arrived.length, 2)
})

test('POST /messages, 24 hours later: a failed message is sent again under its key, once', async () => {
  const message = await newMessage()
  mails.behaviour = 'refuse recipient'
  assert.equal((await message.send()).body.detail.code, 'delivery_failed')
  mails.behaviour = 'accept'
  const early = await later(DAY_MS - 60_000, () => message.send())
  assert.deepEqual([early.body.detail.code, replayed(early)], ['delivery_failed', true])
  await later(DAY_MS + 1_000, async () => {
    const before = await used()
    const responses = await Promise.all(Array.from({ length: 6 }, () => message.send()))
    assert.ok(responses.every(response => response.status === 200))
    assert.equal(responses.filter(response => !replayed(response)).length, 1)
    assert.equal(new Set(responses.map(response => response.body.id)).size, 1)
    assert.equal(await used(), before + 1)
  })
  assert.equal(mails.arrived.length, 1)
})

test('POST /messages, 24 hours later: a message in doubt stays queued and is never sent again', async () => {
  const message = await newMessage()
  mails.behaviour = 'cut after data'
  const first = await message.send()
  assert.equal(first.body.status, 'queued')
  mails.behaviour = 'accept'
  const begun = mails.begun
  await later(2 * DAY_MS, async () => {
    const again = await message.send()
    assert.deepEqual([again.status, again.text, replayed(again)], [200, first.text, true])
  })
  assert.equal(mails.begun, begun)
})

test('POST /messages, 24 hours later: two bodies at the same time under one key; one is sent, the other is 409', async () => {
  const message = await newMessage()
  await message.send()
  await later(DAY_MS + 1_000, async () => {
    const responses = await Promise.all(['a', 'b', 'a', 'b'].map(subject => message.send({ subject })))
    assert.equal(responses.filter(a => a.status === 200 && !replayed(a)).length, 1)
    assert.equal(responses.filter(a => a.body.detail?.code === 'idempotency_key_reused').length, 2)
  })
  assert.equal(mails.arrived.length, 2)
})

/** Changes of messages fail with this code until `end`. */
async function failNotes(code: string): Promise<{ end(): Promise<void> }> {
  const session = await db.session()
  await session.script(`
    create function fail_notes() returns trigger language plpgsql as $$
      begin raise 'cannot be noted' using errcode = '${code}'; end $$;
    create trigger fail_notes before update on messages for each row execute function fail_notes();`)
  const end = async () => {
    await session.script('drop trigger fail_notes on messages; drop function fail_notes')
    await session.close()
  }
  return { end }
}

test('POST /messages: 200 queued: the mail was accepted and the store refuses the note; every repeat says the same', async () => {
  const message = await newMessage()
  const failing = await failNotes('P0001')
  const first = await message.send()
  await failing.end()
  assert.deepEqual([first.status, first.body.status], [200, 'queued'])
  assert.equal((await message.send()).text, first.text)
  assert.equal(mails.arrived.length, 1)
})

test('POST /messages: 200 sent: the database is unavailable for a moment after the mail was accepted; the result is recorded when it is back', async () => {
  const message = await newMessage()
  const failing = await failNotes('57P03')
  const { log } = service.services
  const { warn } = log
  let ended: Promise<void> | undefined
  log.warn = () => {
    ended ??= failing.end()
  }
  const first = await message.send()
  log.warn = warn
  assert.ok(ended, 'it was tried again')
  await ended
  assert.deepEqual([first.status, first.body.status], [200, 'sent'])
  assert.equal((await message.send()).text, first.text)
  assert.equal(mails.arrived.length, 1)
})

test('POST /messages: the response to the commit of the claim is lost: the mail is still sent, once', async () => {
  const wire = await cutWire()
  const behind = await startTestService(
    {
      DATABASE_URL: wire.url,
      SECRET_KEY,
      ROLES: 'api',
      LIMITER: 'postgres',
      LOG_LEVEL: 'silent',
      SMTP_URL: mails.url,
      MAIL_FROM: 'no-reply@mail.hiring.dev',
    },
    { database: service.database },
  )
  for (const lost of ['commit', 'commit and its response'] as const) {
    mails.arrived.length = 0
    const message = await newMessage()
    const sendBehind = () =>
      behind.post('/messages', key, message.body, { headers: { 'idempotency-key': message.idempotencyKey } })
    wire.cutAt(lost)
    const first = await sendBehind()
    assert.equal(wire.cuts(), 1)
    if (lost === 'commit') assert.deepEqual([first.status, first.body.detail.code], [429, 'datastore_unavailable'])
    else assert.deepEqual([first.status, first.body.status], [200, 'sent'])
    const again = await sendBehind()
    assert.deepEqual([again.status, again.body.status], [200, 'sent'])
    assert.equal(mails.arrived.length, 1)
  }
  await behind.stop()
  await wire.close()
})

/** A line to the database that can be cut when the next COMMIT goes to it, or when its response comes back. */
async function cutWire() {
  const { host, port, user, password, database } = service.database.connection
  const sockets = new Set<Socket>()
  let next: 'commit' | 'commit and its response' | undefined
  let cuts = 0
  const server = createServer(client => {
    const store = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    const both = [client, store]
    const cut = () => {
      for (const socket of both) socket.destroy()
    }
    for (const socket of both) {
      sockets.add(socket)
      socket.on('error', cut).on('close', cut)
    }
    const pass = (from: Socket, to: Socket, cutAt: typeof next, word: string) =>
      from.on('data', (bytes: Buffer) => {
        if (next !== cutAt || !bytes.includes(word)) return void to.write(bytes)
        next = undefined
        cuts++
        cut()
      })
    pass(client, store, 'commit', 'commit\0')
    pass(store, client, 'commit and its response', 'COMMIT\0')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const own = (server.address() as AddressInfo).port
  return {
    url: `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${own}/${database}`,
    cutAt: (point: NonNullable<typeof next>) => {
      next = point
      cuts = 0
    },
    cuts: () => cuts,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/** The service in a process of its own, on the same store, to be killed while it sends. */
async function startVictim() {
  const victim = await startProcess({
    DATABASE_URL: service.database.url,
    DATA_DIR: temporaryFolder(),
    SECRET_KEY,
    DEMO: 'off',
    ROLES: 'api',
    LIMITER: 'postgres',
    SMTP_URL: mails.url,
    MAIL_FROM: 'no-reply@mail.hiring.dev',
    LOG_LEVEL: 'silent',
  })
  return {
    send: ({ body, idempotencyKey }: { body: object; idempotencyKey: string }) =>
      fetch(`${victim.baseUrl}/messages`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key.secret}`,
          'content-type': 'application/json',
          'idempotency-key': idempotencyKey,
        },
        body: JSON.stringify(body),
      }).then(
        response => response.status,
        () => 'cut',
      ),
    async kill() {
      victim.child.kill('SIGKILL')
      await victim.ended
    },
  }
}

for (const [point, arrived] of [
  ['recipient', 0],
  ['text', 1],
] as const) {
  test(`POST /messages: killed while it sends, before the response to the ${point}: 200 queued, ${arrived} mails, never another`, async () => {
    const victim = await startVictim()
    const message = await newMessage()
    const stop = mails.stopAt(point)
    const response = victim.send(message)
    await stop.reached
    await victim.kill()
    stop.goOn()
    assert.equal(await response, 'cut')
    const begun = mails.begun
    for (let i = 0; i < 3; i++) {
      const again = await message.send()
      assert.deepEqual([again.status, again.body.status, replayed(again)], [200, 'queued', true])
    }
    assert.deepEqual([mails.begun, mails.arrived.length], [begun, arrived])
  })
}

test('POST /messages: killed before the claim is committed: nothing was done, the repeat sends the one email', async () => {
  const victim = await startVictim()
  const message = await newMessage()
  await whileLocked('message_usage', async () => {
    const response = victim.send(message)
    await someoneWaits(/message_usage/)
    await victim.kill()
    assert.equal(await response, 'cut')
  })
  const again = await message.send()
  assert.deepEqual([again.status, again.body.status, replayed(again)], [200, 'sent', false])
  assert.equal(mails.arrived.length, 1)
})

test('POST /messages: killed between the acceptance of the mail and its note: one email, whatever the note says', async () => {
  const victim = await startVictim()
  const message = await newMessage()
  const stop = mails.stopAt('text')
  const response = victim.send(message)
  await stop.reached
  await whileLocked('messages', async () => {
    stop.goOn()
    await someoneWaits(/update messages/)
    await victim.kill()
    assert.equal(await response, 'cut')
  })
  const again = await message.send()
  assert.deepEqual([again.status, replayed(again)], [200, true])
  assert.ok(['queued', 'sent'].includes(again.body.status))
  assert.equal(mails.arrived.length, 1)
})

async function whileLocked(table: 'messages' | 'message_usage', work: () => Promise<void>): Promise<void> {
  const session = await db.session()
  // readers pass, writers wait
  await session.script(`begin; lock table ${table} in share mode`)
  await work()
  await session.script('commit')
  await session.close()
}

async function someoneWaits(statement: RegExp): Promise<void> {
  while ((await lockWaits(db, statement)) === 0) await new Promise(resolve => setImmediate(resolve))
}
