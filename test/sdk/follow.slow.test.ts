import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import pg from 'pg'
import {
  CheckpointConflictError,
  CheckpointError,
  fileCheckpoint,
  sqliteCheckpoint,
} from '../../packages/sdk/src/checkpoints.ts'
import { type FeedEvent, FeedGapError, HiringClient, type StoredPosition } from '../../packages/sdk/src/index.ts'
import type { EventType } from '../../src/contract/events.ts'
import { emit } from '../harness/events.ts'
import { faultyNetwork } from '../harness/faulty-network.ts'
import { readFeed } from '../harness/feed.ts'
import { cloneDatabase } from '../harness/postgres.ts'
import { temporaryFolder } from '../harness/process.ts'
import { startTestService } from '../harness/service.ts'
import { startReader } from './start-reader.ts'

const service = await startTestService()
const network = await faultyNetwork(service.origin)
const { db } = service.services
const KILLS = 6

async function tenant() {
  const { id: workspace, userEmail } = await service.workspace('enterprise')
  const { secret } = await service.key({ workspace, userEmail })
  const publish = async (count: number) => {
    await emit(db, workspace, Array<EventType>(count).fill('job.updated'))
    return (await readFeed(service, workspace)).map(({ id }) => id as string)
  }
  const client = new HiringClient({ baseUrl: network.origin, apiKey: secret })
  return { workspace, secret, publish, client }
}

/** What the reader stored, in the order of its handling. */
const STORES: Record<string, { open(): Promise<string>; handled(path: string): Promise<string[]> }> = {
  file: {
    open: async () => join(temporaryFolder(), 'feed.json'),
    handled: async path => readFileSync(`${path}.log`, 'utf8').trim().split('\n'),
  },
  sqlite: {
    open: async () => join(temporaryFolder(), 'copy.db'),
    handled: async path => {
      const database = new DatabaseSync(path)
      const rows = database.prepare('select id from handled order by rowid').all() as { id: string }[]
      database.close()
      return rows.map(({ id }) => id)
    },
  },
  postgres: {
    open: async () => {
      const database = await cloneDatabase()
      after(() => database.drop())
      return database.url
    },
    handled: async url => {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      const { rows } = await client.query('select id from handled order by place')
      await client.end()
      return rows.map(({ id }) => id)
    },
  },
}

for (const [store, { open, handled }] of Object.entries(STORES)) {
  const guarantee = store === 'file' ? 'at least once' : 'exactly once'
  test(`SDK follow: a reader with a checkpoint in ${store} that is killed at random moments handles every event ${guarantee}, in order`, async () => {
    network.plan(() => 'none')
    const { secret, publish } = await tenant()
    const path = await open()
    const env = { READER_URL: service.origin, READER_KEY: secret, READER_STORE: store, READER_PATH: path }
    for (let i = 0; i < KILLS; i++) {
      await publish(60)
      const reader = startReader(env)
      await reader.batches(1 + Math.floor(Math.random() * 6))
      await new Promise(resolve => setTimeout(resolve, Math.random() * 8))
      reader.child.kill('SIGKILL')
      await reader.ended
      assert.equal(reader.errors(), '')
    }
    const published = await publish(3)
    const last = startReader({ ...env, READER_ONCE: '1' })
    assert.equal(await last.ended, 0, last.errors())
    const seen = await handled(path)
    assert.deepEqual([...new Set(seen)], published, 'none is lost, and their order is kept')
    if (store !== 'file') assert.deepEqual(seen, published, 'and none is handled twice')
  })
}

/** A checkpoint that shows what is saved. */
function memory(position?: StoredPosition) {
  const saved: StoredPosition[] = []
  return {
    saved,
    load: async () => saved.at(-1) ?? position,
    save: async (next: StoredPosition, work: (tx: undefined) => void | Promise<void>) => {
      await work(undefined)
      saved.push(next)
    },
  }
}

test('SDK follow: the position is saved after the events of a batch; a batch that fails comes again', async () => {
  network.plan(() => 'none')
  const { publish, client } = await tenant()
  const published = await publish(10)
  const checkpoint = memory()
  const seen: string[] = []
  const handle = (fails: boolean) => (events: FeedEvent[]) => {
    if (fails && seen.length === 4) throw new Error('disk full')
    seen.push(...events.map(({ id }) => id))
  }
  const options = { checkpoint, batchSize: 4, once: true }
  await assert.rejects(client.events.follow({ ...options, handle: handle(true) }), /disk full/)
  assert.deepEqual([seen, checkpoint.saved.length], [published.slice(0, 4), 1])
  await client.events.follow({ ...options, handle: handle(false) })
  assert.deepEqual(seen, published)
  const length = checkpoint.saved.length
  await client.events.follow({ ...options, handle: handle(false) })
  assert.equal(checkpoint.saved.length, length, 'without events nothing is saved')
})

test('SDK follow: from now skips the past, and stores its beginning before the first event', async () => {
  network.plan(() => 'none')
  const { publish, client } = await tenant()
  await publish(5)
  const checkpoint = memory()
  const seen: string[] = []
  const options = {
    checkpoint,
    once: true,
    from: 'now',
    handle: (events: FeedEvent[]) => void seen.push(...events.map(e => e.id)),
  } as const
  await client.events.follow(options)
  assert.deepEqual([seen, checkpoint.saved.length], [[], 1])
  const published = await publish(2)
  await client.events.follow(options)
  assert.deepEqual(seen, published.slice(-2))
})

test('SDK follow: a faulty network loses and reorders nothing', async () => {
  const { secret, publish } = await tenant()
  const published = await publish(450)
  const client = new HiringClient({
    baseUrl: network.origin,
    apiKey: secret,
    maxRetries: 1,
    timeoutMs: 1_000,
    runtime: { sleep: () => new Promise(resolve => setImmediate(resolve)) },
  })
  const faults = [
    'cut_request',
    'cut_body',
    'lose_response',
    { status: 503 },
    { status: 429, headers: { 'retry-after': '1' } },
    { status: 502, body: '<html>' },
  ] as const
  network.plan((_, n) => (n % 4 === 3 ? 'none' : faults[n % faults.length]!))
  const seen: string[] = []
  await client.events.follow({
    checkpoint: memory(),
    once: true,
    handle: events => void seen.push(...events.map(({ id }) => id)),
  })
  assert.deepEqual(seen, published)
})

test('SDK follow: a gap and a new epoch are thrown, or end with the position of a full copy', async () => {
  network.plan(() => 'none')
  const { publish, client } = await tenant()
  const published = await publish(6)
  const { epoch, after: end } = await client.events.end()
  const seen: string[] = []
  const handle = (events: FeedEvent[]) => void seen.push(...events.map(({ id }) => id))
  for (const [position, reason] of [
    [{ after: end + 100, epoch }, 'gap'],
    [{ after: end - 2, epoch: 'before the restore' }, 'epoch_changed'],
  ] as const) {
    await assert.rejects(
      client.events.follow({ checkpoint: memory(position), once: true, handle }),
      (error: FeedGapError) => {
        assert.ok(error instanceof FeedGapError)
        return error.reason === reason
      },
    )
    assert.deepEqual(seen, [], 'no event behind a gap is handled')
    const gaps: string[] = []
    const checkpoint = memory(position)
    const onGap = async (gap: FeedGapError) => {
      gaps.push(gap.reason)
      return { after: end - 3, epoch }
    }
    await client.events.follow({ checkpoint, once: true, handle, onGap })
    assert.deepEqual([gaps, seen.splice(0)], [[reason], published.slice(-3)])
    assert.deepEqual(checkpoint.saved.at(-1), { after: end, epoch })
  }
})

test('SDK follow: ends after the batch at hand when its signal is aborted', async () => {
  network.plan(() => 'none')
  const { publish, client } = await tenant()
  await publish(9)
  const checkpoint = memory()
  const controller = new AbortController()
  const handle = async () => controller.abort()
  await client.events.follow({ checkpoint, handle, batchSize: 3, signal: controller.signal })
  assert.equal(checkpoint.saved.length, 1)
  await client.events.follow({ checkpoint, handle, signal: controller.signal })
  assert.equal(checkpoint.saved.length, 1)
})

test('SDK checkpoints: a second reader with the same SQLite checkpoint is refused, and what it did is undone', async () => {
  const path = join(temporaryFolder(), 'copy.db')
  const [one, two] = [new DatabaseSync(path), new DatabaseSync(path)]
  one.exec('create table rows (n integer)')
  const [first, second] = [sqliteCheckpoint(one), sqliteCheckpoint(two)]
  await first.load()
  await second.load()
  const insert = (tx: DatabaseSync) => tx.exec('insert into rows values (1)')
  await first.save({ after: 1, epoch: 'e' }, insert)
  await assert.rejects(second.save({ after: 1, epoch: 'e' }, insert), CheckpointConflictError)
  assert.deepEqual(one.prepare('select count(*) as n from rows').get()!['n'], 1)
  assert.deepEqual(await second.load(), { after: 1, epoch: 'e' })
  await second.save({ after: 2, epoch: 'e' }, insert)
  assert.deepEqual(await sqliteCheckpoint(one, 'another').load(), undefined)
  one.close()
  two.close()
})

test('SDK checkpoints: a file is replaced in one step, in a folder that is made', async () => {
  const path = join(temporaryFolder(), 'deep', 'feed.json')
  const checkpoint = fileCheckpoint(path)
  assert.equal(await checkpoint.load(), undefined)
  await checkpoint.save({ after: 1, epoch: 'e' }, () => {})
  await assert.rejects(
    checkpoint.save({ after: 2, epoch: 'e' }, () => Promise.reject(new Error('no'))),
    /no/,
  )
  assert.deepEqual(await fileCheckpoint(path).load(), { after: 1, epoch: 'e' })
})

test('SDK checkpoints: a CheckpointError for a stored position that cannot be read, never a start from zero', async () => {
  const path = join(temporaryFolder(), 'feed.json')
  for (const text of ['', '{"after":', 'null', '{"epoch":"e"}']) {
    writeFileSync(path, text)
    await assert.rejects(fileCheckpoint(path).load(), CheckpointError, text)
  }
})
