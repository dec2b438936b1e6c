import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { before, test } from 'node:test'
import { sequenceBatch } from '../../src/kernel/feed/sequencer.ts'
import { changeJobAccess, changeRole, removeUser } from '../../src/resources/users/index.ts'
import { apply, startWorld, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { until } from '../harness/receiver.ts'

let world: World
let member: Person

before(async () => {
  world = await startWorld()
  member = await signedIn(world.service, world.workspace, { role: 'member', program: 'hiring' })
})

interface Message {
  event?: string
  id?: string
  data?: string
}

/** The stream as a browser reads it: one message after another. */
async function listen(person: Person, lastEventId?: string) {
  const response = await fetch(`${world.service.origin}/hiring/api/live`, {
    headers: { cookie: person.cookie, ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) },
  })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let buffer = ''
  // which jobs the reader may see is said when the stream begins: `access` asks for it, the others pass it over
  const next = async (wanted?: 'access'): Promise<Message | undefined> => {
    for (;;) {
      const end = buffer.indexOf('\n\n')
      if (end >= 0) {
        const lines = buffer.slice(0, end).split('\n')
        buffer = buffer.slice(end + 2)
        const message = Object.fromEntries(
          lines.filter(line => !line.startsWith(':')).map(line => line.split(/: (.*)/s).slice(0, 2)),
        )
        const isAccess = message['event'] === 'access'
        if (Object.keys(message).length > 0 && isAccess === (wanted === 'access')) return message
        continue
      }
      const { value, done } = await reader.read()
      if (done) return undefined
      buffer += value
    }
  }
  return { response, next, close: () => reader.cancel() }
}

const publish = async () => {
  while ((await sequenceBatch(world.service.services.db)) > 0);
}

const move = (id: string, stage: number) =>
  world.service.post(`/applications/${id}/move`, world.key, { stage_id: world.job.stages[stage] })

test('live: 401 without a session', async () => {
  const response = await fetch(`${world.service.origin}/hiring/api/live`)
  assert.equal(response.status, 401)
  const { detail } = (await response.json()) as { detail: { code: string } }
  assert.equal(detail.code, 'sign_in_required')
})

test('live: a change of someone else arrives as the event of the feed, with its number; nothing personal is in it', async () => {
  const application = await apply(world)
  await publish()
  const stream = await listen(member)
  assert.equal(stream.response.headers.get('content-type'), 'text/event-stream; charset=utf-8')
  assert.equal((await stream.next())!.event, 'ready')
  assert.equal((await move(application.id, 1)).status, 200)
  await publish()
  const message = await stream.next()
  const event = JSON.parse(message!.data!)
  assert.equal(event.type, 'application.stage_changed')
  assert.equal(event.data.object.id, application.id)
  assert.equal(event.data.object.job_id, world.job.id)
  assert.match(message!.id!, /^\d+$/)
  assert.ok(!/Ada|Byron|@/.test(message!.data!))
  await stream.close()
})

test('live: a browser that comes back gets what it missed, in order; one that missed too much is asked to read again', async () => {
  const application = await apply(world)
  await publish()
  const first = await listen(member)
  const seen = (await first.next())!.id!
  await first.close()
  await move(application.id, 1)
  await move(application.id, 2)
  await publish()
  const again = await listen(member, seen)
  assert.equal((await again.next())!.event, 'ready')
  const numbers = [Number((await again.next())!.id), Number((await again.next())!.id)]
  assert.deepEqual(numbers, [Number(seen) + 1, Number(seen) + 2])
  await again.close()
  // a number that this log has not reached, as after a restored backup
  const ahead = await listen(member, '999999999')
  assert.equal((await ahead.next())!.event, 'reload')
  await ahead.close()
})

test('live: a role gets only events of types that it may read; another workspace gets none', async () => {
  const viewer = await signedIn(world.service, world.workspace, { role: 'viewer', program: 'hiring' })
  const other = await world.service.workspace()
  const stranger = await signedIn(world.service, other.id, { program: 'hiring' })
  const seesLess = await listen(viewer)
  const seesNone = await listen(stranger)
  await seesLess.next()
  await seesNone.next()
  // applicant.created needs applicants:read, which viewers do not have; the application's own event comes first for them
  const application = await apply(world)
  await publish()
  const types: string[] = []
  for (;;) {
    const message = await seesLess.next()
    const event = JSON.parse(message!.data!)
    types.push(event.type)
    if (event.type === 'application.created' && event.data.object.id === application.id) break
  }
  assert.ok(types.every(type => !type.startsWith('applicant.')))
  await seesNone.close()
  await seesLess.close()
})

test('live: the stream says which jobs a limited reader may see, and again when they are taken off a team or limited', async () => {
  const person = await signedIn(world.service, world.workspace, { role: 'member', program: 'hiring' })
  const owner = await signedIn(world.service, world.workspace, { program: 'hiring' })
  const team = (change: object) => owner.post(`/jobs/${world.job.id}/team`, { add: [], remove: [], ...change })
  const jobsOf = (message: Message | undefined) => JSON.parse(message!.data!).jobs
  const { db } = world.service.services
  const stream = await listen(person)
  assert.equal(jobsOf(await stream.next('access')), null)
  await changeJobAccess(db, { workspace: world.workspace, user: person.userId }, 'team')
  assert.deepEqual(jobsOf(await stream.next('access')), [])
  await stream.close()

  const limited = await listen(person)
  assert.deepEqual(jobsOf(await limited.next('access')), [])
  assert.equal((await team({ add: [person.userId] })).status, 200)
  assert.deepEqual(jobsOf(await limited.next('access')), [world.job.id])
  assert.equal((await team({ remove: [person.userId] })).status, 200)
  assert.deepEqual(jobsOf(await limited.next('access')), [])
  await limited.close()
})

test('live: 429 too_many_streams: the eleventh stream of a person; after one is closed, another is allowed', async () => {
  const busy = await signedIn(world.service, world.workspace, { role: 'member', program: 'hiring' })
  const streams = []
  for (let i = 0; i < 10; i++) streams.push(await listen(busy))
  const refused = await listen(busy)
  assert.equal(refused.response.status, 429)
  await refused.close()
  for (const stream of streams) await stream.close()
  // also when they are opened at the same moment
  const rush = await signedIn(world.service, world.workspace, { role: 'member', program: 'hiring' })
  const opened = await Promise.all(Array.from({ length: 30 }, () => listen(rush)))
  assert.equal(opened.filter(({ response }) => response.status === 200).length, 10)
  for (const stream of opened) await stream.close()
})

/** The messages until the stream ends by itself, and the seconds that took. */
async function untilEnd(stream: Awaited<ReturnType<typeof listen>>) {
  const begun = performance.now()
  const events: (string | undefined)[] = []
  for (let message = await stream.next(); message; message = await stream.next()) events.push(message.event)
  return { events, seconds: (performance.now() - begun) / 1000 }
}

/** A session is looked at every 2.5 seconds; five times that, because the machine may be busy. */
const LONGEST_SECONDS = 12.5

test('live: the stream ends within seconds of the sign-out, the removal of the person and a change of role; only who has a session can listen again', async () => {
  const { services, origin } = world.service
  const enter = () => signedIn(world.service, world.workspace, { role: 'admin', program: 'hiring' })
  const leaving = {
    'signs out': async ({ cookie }: Person, csrf: string) => {
      const body = new URLSearchParams({ csrf })
      const response = await fetch(`${origin}/sign-out`, {
        method: 'POST',
        body,
        headers: { cookie, origin },
        redirect: 'manual',
      })
      assert.equal(response.status, 303)
    },
    'is removed': ({ userId }: Person) =>
      removeUser(services.db, { workspace: world.workspace, user: userId }).then(() => {}),
    'has another role': ({ userId }: Person) =>
      changeRole(services.db, { workspace: world.workspace, user: userId }, 'viewer').then(() => {}),
  }
  await Promise.all(
    Object.entries(leaving).map(async ([what, leave]) => {
      const person = await enter()
      const { csrf_token } = (await person.get('/session')).body
      const stream = await listen(person)
      assert.equal((await stream.next())!.event, 'ready', what)
      await leave(person, csrf_token)
      const { events, seconds } = await untilEnd(stream)
      assert.ok(seconds < LONGEST_SECONDS, `${what}: ${seconds} seconds`)
      // a page that is notified shows the sign-in; with another role it connects again
      assert.equal(events.includes('signed_out'), what !== 'has another role', what)
      const again = await fetch(`${origin}/hiring/api/live`, { headers: { cookie: person.cookie } })
      assert.equal(again.status, what === 'has another role' ? 200 : 401, what)
      await again.body?.cancel()
    }),
  )
})

test('live: the stream ends when the server stops, without waiting for its limit', async () => {
  const own = await startWorld({ SHUTDOWN_SECONDS: '60' })
  const person = await signedIn(own.service, own.workspace, { role: 'owner', program: 'hiring' })
  const response = await fetch(`${own.service.origin}/hiring/api/live`, { headers: { cookie: person.cookie } })
  const reader = response.body!.getReader()
  await reader.read()
  const stopped = own.service.stop()
  let last = await reader.read()
  while (!last.done) last = await reader.read()
  await stopped
  assert.ok(last.done)
})

test('live: browsers that disconnect while the stream is being opened leave nothing behind', async () => {
  const hasty = await signedIn(world.service, world.workspace, { role: 'member', program: 'hiring' })
  const { port } = new URL(world.service.origin)
  for (let i = 0; i < 40; i++) {
    await new Promise<void>(resolve => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.write(`GET /hiring/api/live HTTP/1.1\r\nHost: x\r\nCookie: ${hasty.cookie}\r\n\r\n`)
        setTimeout(() => socket.destroy(), i % 8)
      })
      socket.once('close', () => resolve())
    })
  }
  // were one of them counted still, ten could not be open
  await until('all of them are forgotten', async () => {
    const streams = []
    for (let i = 0; i < 10; i++) streams.push(await listen(hasty))
    const opened = streams.filter(({ response }) => response.status === 200).length
    for (const stream of streams) await stream.close()
    return opened === 10
  })
})
