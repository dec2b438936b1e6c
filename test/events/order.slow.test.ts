import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Database } from '../../src/kernel/db/database.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { appendEvents } from '../../src/kernel/feed/append.ts'
import { sequenceBatch } from '../../src/kernel/feed/sequencer.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { createLog } from '../../src/kernel/telemetry/log.ts'
import { startTestService } from '../harness/service.ts'
import { killWorker, startWorker } from '../harness/worker-process.ts'

/** A race lasts until so many events are committed, however long that takes here. */
const EVENTS = Number(process.env['HIRING_TEST_FEED_EVENTS'] ?? 1_000)
const WRITERS = 32
const READERS = 4

const service = await startTestService({ ROLES: 'api' })
const { id: workspace } = await service.workspace('enterprise')
// so many connections to a cluster may not be open in the usual time on a busy machine
const writersDb = new Database(service.database.connection, {
  connections: 2 * WRITERS,
  waitMs: 60_000,
  log: createLog('error'),
})
after(() => writersDb.close())

/** Commits, and sometimes rolls back, with pauses of random length inside the transaction. */
async function write(writer: number, goOn: () => boolean, count: (n: number) => void): Promise<string[]> {
  const committed: string[] = []
  while (goOn()) {
    const ids = Array.from({ length: 1 + Math.floor(Math.random() * 3) }, () => newHandle('job'))
    try {
      await writersDb.transaction(async tx => {
        for (const id of ids) {
          await appendEvents(tx, [
            {
              type: 'job.updated',
              workspaceId: workspace,
              id,
              updatedAt: '2026-11-01T00:00:00.000Z',
              values: { status: 'draft' },
              changed: [`writer ${writer}`],
              originKeyId: null,
            },
          ])
          await delay(Math.random() * 30)
        }
        if (Math.random() < 0.1) throw new Error('rolled back')
      })
      committed.push(...ids)
      count(ids.length)
    } catch (error) {
      assert.equal((error as Error).message, 'rolled back')
    }
  }
  return committed
}

interface Seen {
  sequence: number
  id: string
  event: string
}

async function tail(after: number, done: { all: number }): Promise<Seen[]> {
  const key = await service.key({ workspace })
  const seen: Seen[] = []
  while (seen.length < done.all) {
    const page = await service.get(`/events?after=${after}&limit=100`, key)
    assert.equal(page.status, 200, page.text)
    for (const event of page.body.data) {
      seen.push({ sequence: event.sequence, id: event.data.object.id, event: event.id })
    }
    after = page.body.next_after
    if (!page.body.has_more) await delay(30)
  }
  return seen
}

const openConnections = (count: number) =>
  Promise.all(Array.from({ length: count }, () => writersDb.transaction(tx => tx.query(sql`select 1`))))

/** Writes until there are enough events and `disturbed` says that enough has happened to the sequencers. */
async function race(disturbed: () => boolean = () => true): Promise<void> {
  // Connections are opened one after the other before the race: all at the same time, a busy machine may not open them in time.
  for (let i = 0; i < WRITERS; i++) await openConnections(i + 1)
  const from = await lastSequence()
  const done = { all: Number.POSITIVE_INFINITY }
  const readers = Promise.all(Array.from({ length: READERS }, () => tail(from, done)))
  let count = 0
  const goOn = () => count < EVENTS || !disturbed()
  const written = await Promise.all(Array.from({ length: WRITERS }, (_, i) => write(i, goOn, n => (count += n))))
  done.all = written.flat().length
  for (const seen of await readers) {
    assert.equal(new Set(seen.map(s => s.id)).size, seen.length, 'none twice')
    assert.deepEqual(new Set(seen.map(s => s.id)), new Set(written.flat()), 'none missed, none of a rolled-back change')
    for (let i = 1; i < seen.length; i++) assert.ok(seen[i]!.sequence > seen[i - 1]!.sequence, 'in order')
    const place = new Map(seen.map((s, i) => [s.id, i]))
    for (const ids of written) {
      for (let i = 1; i < ids.length; i++) {
        assert.ok(place.get(ids[i]!)! > place.get(ids[i - 1]!)!, 'a writer sees its own changes in their order')
      }
    }
  }
}

const lastSequence = async () =>
  (await writersDb.one(
    sql<{ last_sequence: number }>`select last_sequence from event_logs where workspace_id = ${workspace}`,
  ))!.last_sequence

const settings = { DATABASE_URL: service.database.url, DATA_DIR: service.services.config.DATA_DIR }

test('event order: 32 writers and four readers: no event missed, none out of order, none twice, while sequencers are killed again and again', async () => {
  let stopped = false
  let kills = 0
  const workers: ChildProcess[] = [await startWorker(settings), await startWorker(settings)]
  const killer = (async () => {
    for (let i = 0; !stopped; i = 1 - i) {
      const before = await lastSequence()
      while (!stopped && (await lastSequence()) < before + 50) await delay(20)
      await killWorker(workers[i]!)
      kills++
      workers[i] = await startWorker(settings)
    }
  })()
  try {
    await race(() => kills >= 2)
  } finally {
    stopped = true
    await killer
    for (const worker of workers) await killWorker(worker)
  }
})

test('event order: 32 writers and four readers, with several leaders: no event missed, none out of order, none twice', async () => {
  let stopped = false
  const loops = Array.from({ length: 3 }, async () => {
    const db = new Database(service.database.connection, { connections: 4, log: createLog('error') })
    while (!stopped) if ((await sequenceBatch(db)) === 0) await delay(5)
    await db.close()
  })
  try {
    await race()
  } finally {
    stopped = true
    await Promise.all(loops)
  }
})
