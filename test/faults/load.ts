import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { EVENT_TYPES } from '../../src/contract/events.ts'
import { none, sql } from '../../src/kernel/db/sql.ts'
import { until } from '../harness/receiver.ts'
import type { Installation, Node } from './cluster.ts'

/** One try of a call. `none`: no response; `late`: none within the time limit of the client. */
export interface Try {
  status: number | 'none' | 'late'
  code: string | undefined
  retryAfter: string | null
  beganAt: number
  ms: number
}

export interface LoadOptions {
  /** how long a client waits for a response before it asks another process; longer than any limit of the service */
  timeoutMs?: number
  /** between two calls of a client, so that it stays within the rate limits of its key */
  pauseMs?: number
}

/** What a client repeats: it has to wait, its first try is still running, or the service failed. */
const REPEATED = new Set([409, 429, 500, 502, 503])

const READ_EVERY_MS = 500

// biome-ignore lint/suspicious/noExplicitAny: bodies of every kind
type Body = any

interface FeedEvent {
  id: string
  sequence: number
  type: string
  data: { object: { id: string } }
}

/**
 * Clients that write jobs and applications over HTTP, each call with an Idempotency-Key, and repeat a call until it is
 * acknowledged. What was acknowledged is kept. Another client follows the feed during that.
 */
export class Load {
  readonly tries: Try[] = []
  /** `type id` of each event that an acknowledged change has caused */
  readonly acknowledged: string[] = []
  /** the ids of the feed's events, in the order in which a reader got them while the faults went on */
  readonly read: string[] = []
  /** what the updates write: by job its title, by application its stage */
  readonly titles = new Map<string, string>()
  readonly stages = new Map<string, string>()
  readonly #cluster: Installation
  readonly #nodes: () => readonly Node[]
  readonly #options: Required<LoadOptions>
  #stopping = false
  #over = false
  #running: Promise<unknown> = Promise.resolve()
  #next = 0

  constructor(cluster: Installation, nodes: () => readonly Node[], options: LoadOptions = {}) {
    this.#cluster = cluster
    this.#nodes = nodes
    this.#options = { timeoutMs: 30_000, pauseMs: 60, ...options }
    // a test that failed leaves it running
    after(() => {
      this.#stopping = true
      this.#over = true
    })
  }

  /** Also creates the webhook endpoint that is sent every event. */
  async start(): Promise<void> {
    const { url } = this.#cluster.receiver
    await this.call('POST', '/webhooks/endpoints', { url, event_types: EVENT_TYPES })
    this.#running = Promise.all([this.#follow(), ...this.#cluster.keys.map(key => this.#client(key))])
    this.#running.catch(() => {}) // thrown by `stop`
    await this.progress()
  }

  /** Waits until more has been acknowledged. */
  async progress(changes = 10): Promise<void> {
    const before = this.acknowledged.length
    await until(`${changes} more changes`, () => this.acknowledged.length >= before + changes)
  }

  /** Everything that was begun is repeated until it is acknowledged. */
  async stop(): Promise<void> {
    this.#stopping = true
    await this.#running
  }

  /** A partner that reads the feed all the time: it never sees a gap, and never a number again. */
  async #follow(): Promise<void> {
    while (!this.#stopping) {
      const page = await this.call('GET', `/events?limit=100&after=${this.read.length}`)
      for (const { sequence, id } of page.data) {
        assert.equal(sequence, this.read.length + 1, 'the reader got the next number')
        this.read.push(id)
      }
      assert.equal(page.next_after, this.read.length, 'the reader continues after what it got, and skips nothing')
      await this.#assertChanged(page.data)
      await delay(READ_EVERY_MS)
    }
  }

  /** A reader of an event finds what it tells of. */
  async #assertChanged(events: readonly FeedEvent[]): Promise<void> {
    const idsOf = (type: string) => events.filter(event => event.type === type).map(event => event.data.object.id)
    const created = idsOf('application.created')
    const moved = idsOf('application.stage_changed')
    const updated = idsOf('job.updated')
    // the database may be the part that fails
    const found = await readRecords(this.#cluster, [...created, ...moved], updated).catch(() => undefined)
    if (!found) return
    const early = [
      ...created.filter(id => !found.stages.has(id)),
      ...moved.filter(id => found.stages.get(id) !== this.stages.get(id)),
      ...updated.filter(id => found.titles.get(id) !== this.titles.get(id)),
    ]
    assert.deepEqual(early, [], 'no event came before its change')
  }

  async #client(key: string): Promise<void> {
    while (!this.#stopping) {
      const source = { system: 'acme_ats', external_id: randomUUID() }
      const name = source.external_id.slice(0, 8)
      const job = await this.call(
        'POST',
        '/jobs',
        { source, title: `Welder ${name}`, content: { summary: 'Work.' }, publish: true },
        key,
      )
      this.acknowledged.push(`job.published ${job.id}`)
      const stages = await this.call('GET', `/jobs/${job.id}/pipeline-stages`, undefined, key)
      const application = await this.call(
        'POST',
        '/applications',
        {
          job_id: job.id,
          candidate: { first_name: 'Kim', last_name: name, email: `${source.external_id}@people.example` },
          source,
        },
        key,
      )
      this.acknowledged.push(`application.created ${application.id}`)
      // values that cost units of the key's budget, and have rows in the audit
      await this.call('GET', `/applicants/${application.applicant_id}/contact-info`, undefined, key)
      this.stages.set(application.id, stages.data[1].id)
      await this.call('POST', `/applications/${application.id}/move`, { stage_id: stages.data[1].id }, key)
      this.acknowledged.push(`application.stage_changed ${application.id}`)
      this.titles.set(job.id, `Fitter ${name}`)
      await this.call('POST', '/jobs', { source, title: `Fitter ${name}` }, key)
      this.acknowledged.push(`job.updated ${job.id}`)
    }
  }

  /** Repeats a call until it succeeds, at the next process each time. */
  async call(method: string, path: string, body?: object, key = this.#cluster.key.secret): Promise<Body> {
    const idempotencyKey = randomUUID()
    while (!this.#over) {
      const response = await this.#try(method, path, { key, idempotencyKey, body })
      if (response) return response
      await delay(this.#options.pauseMs)
    }
    throw new Error('the test has ended')
  }

  async #try(
    method: string,
    path: string,
    { key, idempotencyKey, body }: { key: string; idempotencyKey: string; body: object | undefined },
  ): Promise<Body> {
    const nodes = this.#nodes()
    const node = nodes[this.#next++ % nodes.length]!
    const beganAt = performance.now()
    const note = (status: Try['status'], code?: string, retryAfter: string | null = null) =>
      this.tries.push({ status, code, retryAfter, beganAt, ms: performance.now() - beganAt })
    await delay(this.#options.pauseMs)
    try {
      const response = await fetch(node.base + path, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(method === 'POST' ? { 'idempotency-key': idempotencyKey, 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
        signal: AbortSignal.timeout(this.#options.timeoutMs),
      })
      const parsed = (await response.json()) as Body
      note(response.status, parsed?.detail?.code, response.headers.get('retry-after'))
      if (response.ok) return parsed
      // any other refusal is one of the load itself, and would be repeated without end
      assert.ok(REPEATED.has(response.status), `${method} ${path}: ${response.status} ${parsed?.detail?.message}`)
      return undefined
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error
      note((error as Error).name === 'TimeoutError' ? 'late' : 'none')
      return undefined
    }
  }

  /** The responses other than a success, each once: `429 datastore_unavailable`. */
  refusals(since = 0): string[] {
    const refused = this.tries.filter(t => t.beganAt >= since && !(typeof t.status === 'number' && t.status < 300))
    for (const { status, code, retryAfter } of refused) {
      if (status === 429) assert.ok(Number(retryAfter) >= 1, `${code} without Retry-After`)
    }
    return [...new Set(refused.map(({ status, code }) => (code ? `${status} ${code}` : String(status))))].sort()
  }

  /** The slowest of those that got a response or were given up. */
  slowestMs(since = 0): number {
    return Math.max(0, ...this.tries.filter(t => t.beganAt >= since).map(t => t.ms))
  }
}

/** The stages of applications and the titles of jobs, of those that are there; without ids, of all. */
async function readRecords({ db, workspace }: Installation, applications?: string[], jobs?: string[]) {
  const among = (ids: string[] | undefined) => (ids ? sql`and id = any(${ids}::text[])` : none)
  const [moved, updated] = await Promise.all([
    db.query(sql<{ id: string; stage_id: string }>`
      select id, stage_id from applications where workspace_id = ${workspace} ${among(applications)}`),
    db.query(sql<{ id: string; title: string }>`
      select id, title from jobs where workspace_id = ${workspace} ${among(jobs)}`),
  ])
  return {
    stages: new Map(moved.map(row => [row.id, row.stage_id])),
    titles: new Map(updated.map(row => [row.id, row.title])),
  }
}

/**
 * The verdict after a fault: nothing that was acknowledged is lost, nothing happened twice, the feed has no gap, and every
 * event reached the receiver under its own id.
 */
export async function assertNothingLost(cluster: Installation, load: Load): Promise<void> {
  const { db, workspace, receiver } = cluster
  const count = async (statement: ReturnType<typeof sql<{ n: number }>>) => (await db.one(statement))!.n
  await until('the feed has everything', async () => (await count(sql`select count(*) as n from outbox`)) === 0)
  await until(
    'every webhook is delivered',
    async () =>
      (await count(
        sql`select (select count(*) from webhook_deliveries where workspace_id = ${workspace} and status <> 'delivered')
          + (select count(*) from webhook_handovers where workspace_id = ${workspace}) as n`,
      )) === 0,
  )

  const events: FeedEvent[] = []
  for (let after = 0, more = true; more; ) {
    const page = await load.call('GET', `/events?limit=100&after=${after}`)
    events.push(...page.data)
    assert.equal(page.gap, false)
    more = page.data.length > 0
    after = page.next_after
  }
  assert.deepEqual(
    events.map(event => event.sequence),
    events.map((_, i) => i + 1),
    'the numbers of the feed have no gap and none is there twice',
  )
  assert.equal(new Set(events.map(event => event.id)).size, events.length)
  const numbered = events.map(event => event.id).slice(0, load.read.length)
  assert.ok(load.read.length > 0)
  assert.deepEqual(load.read, numbered, 'what a reader got during the faults is what the feed has now')

  const shown = events.map(event => `${event.type} ${event.data.object.id}`)
  const counts = new Map<string, number>()
  for (const one of shown) counts.set(one, (counts.get(one) ?? 0) + 1)
  assert.equal(new Set(load.acknowledged).size, load.acknowledged.length)
  assert.deepEqual(
    load.acknowledged.filter(change => counts.get(change) !== 1),
    [],
    'every acknowledged change has exactly one event',
  )
  const caused = new Set(load.acknowledged)
  const types = new Set(load.acknowledged.map(change => change.split(' ')[0]))
  assert.deepEqual(
    shown.filter(one => types.has(one.split(' ')[0]!) && !caused.has(one)),
    [],
    'nothing happened that was not acknowledged in the end',
  )
  const { titles, stages } = await readRecords(cluster)
  assert.equal(titles.size, load.acknowledged.filter(change => change.startsWith('job.published')).length)
  assert.equal(stages.size, load.acknowledged.filter(change => change.startsWith('application.created')).length)
  // a client stops after the last of its changes; a test may have made records of its own
  const amongOwn = (found: Map<string, string>, own: Map<string, string>) =>
    new Map([...found].filter(([id]) => own.has(id)))
  assert.deepEqual(amongOwn(titles, load.titles), load.titles, 'every job has what its update wrote')
  assert.deepEqual(amongOwn(stages, load.stages), load.stages, 'every application is in the stage that it was moved to')
  const charged = await count(sql`
    select coalesce(sum(used), 0) as n from personal_data_usage where workspace_id = ${workspace}`)
  const audited = await count(sql`
    select coalesce(sum(units), 0) as n from personal_data_reads where workspace_id = ${workspace}`)
  assert.ok(charged > 0)
  assert.equal(charged, audited, 'what was charged is what was read')

  const received = new Map<string, Set<string>>()
  for (const { headers, body } of receiver.received) {
    const { id } = JSON.parse(body) as { id: string }
    const bodies = received.get(id) ?? new Set()
    received.set(id, bodies.add(body))
    assert.ok(Object.values(headers).includes(id), 'a header names the event')
  }
  assert.deepEqual(
    events.filter(event => !received.has(event.id)).map(event => `${event.type} ${event.sequence}`),
    [],
    'the receiver was sent every event',
  )
  assert.deepEqual(
    [...received].filter(([, bodies]) => bodies.size > 1).map(([id]) => id),
    [],
    'an event that is sent again is the same event',
  )
}
