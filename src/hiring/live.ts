import type { IncomingMessage, ServerResponse } from 'node:http'
import { EVENT_TYPES, EVENTS } from '../contract/events.ts'
import { isNarrowed } from '../contract/job-rights.ts'
import { personScopes, type Rights } from '../contract/scopes.ts'
import { jobsOf, readJobPeople, rightsOn } from '../kernel/access/reach.ts'
import { getOrCreate } from '../kernel/async/get-or-create.ts'
import type { Database } from '../kernel/db/database.ts'
import type { Services } from '../kernel/services/services.ts'
import { pause } from '../kernel/time/pause.ts'
import { RESPONDED } from '../programs/endpoint.ts'
import { SessionError } from '../programs/errors.ts'
import { lastSequences, liveEvents } from '../resources/events/index.ts'
import { readSession } from '../sign-in/sessions.ts'
import { live } from './program.ts'

/**
 * What others change, as it happens: the change feed as server-sent events, for people who are signed in. An event is the
 * one of the feed: thin, without personal values, and only of types that the role may read. A browser that was disconnected
 * sends the last number that it saw and gets what it missed, or `reload` if that is too much. `access` says which jobs the
 * reader may see, when the stream begins and whenever that changes: an open page must not show a job any longer whose team
 * the reader has left.
 */

/** How often the logs are looked at while anyone listens: one statement for all workspaces. */
const POLL_MS = 300
/** Teams have no events: who is on which is looked at so often, in one or two statements for each workspace that listens. */
const ACCESS_EVERY_POLLS = 3
/** Shorter than the time after which proxies drop a silent connection. */
const HEARTBEAT_MS = 15_000
/** A session that ended, or another role, is noticed this much later, and within five seconds on a busy machine. */
const SESSION_CHECK_MS = 2_500
/** Missed events up to here are sent; a page that missed more is quicker when it reads everything again. */
const MAX_MISSED = 500
/** Tabs of a browser share one stream, so this is a number of browsers. */
const MAX_STREAMS_OF_A_PERSON = 10
/** A browser that does not read: it connects again when it does. */
const MAX_UNREAD_BYTES = 262_144

interface Listener {
  workspace: string
  userId: string
  types: ReadonlySet<string>
  response: ServerResponse
  /** the last number that was sent or left out */
  sequence: number
  /** the last `access` that was sent, as it was sent */
  access?: string
}

const typesOf = (rights: Rights): ReadonlySet<string> =>
  new Set(EVENT_TYPES.filter(type => personScopes(rights).includes(EVENTS[type].scope)))

class LiveFeed {
  readonly #services: Services
  readonly #listeners = new Set<Listener>()
  /** open streams by user */
  readonly #streams = new Map<string, number>()
  #polling: Promise<void> | undefined

  constructor(services: Services) {
    this.#services = services
  }

  /** Counts a stream from before its first statement until it is closed. */
  reserve(userId: string, response: ServerResponse): void {
    const open = this.#streams.get(userId) ?? 0
    if (open >= MAX_STREAMS_OF_A_PERSON) throw new SessionError('too_many_streams')
    this.#streams.set(userId, open + 1)
    response.once('close', () => {
      const left = (this.#streams.get(userId) ?? 1) - 1
      if (left === 0) this.#streams.delete(userId)
      else this.#streams.set(userId, left)
    })
  }

  /** Sends to the listener until its response is closed. */
  add(listener: Listener): void {
    this.#listeners.add(listener)
    listener.response.once('close', () => this.#listeners.delete(listener))
    this.#polling ??= this.#poll().finally(() => {
      this.#polling = undefined
    })
  }

  async #poll(): Promise<void> {
    for (let round = 0; this.#listeners.size > 0; round++) {
      try {
        if (round % ACCESS_EVERY_POLLS === 0) await this.#sendAccess()
        await this.#sendNew()
      } catch (error) {
        // nothing is lost: the numbers say where to continue
        this.#services.log.debug({ err: error }, 'live events were not read')
      }
      await pause(POLL_MS)
    }
  }

  async #sendAccess(): Promise<void> {
    for (const [workspace, listeners] of Map.groupBy(this.#listeners, listener => listener.workspace)) {
      const users = [...new Set(listeners.map(({ userId }) => userId))]
      const members = await readJobPeople(this.#services.db, workspace, users)
      for (const listener of listeners) {
        const person = members.get(listener.userId)
        // someone who is no longer a member has no session either
        if (person === undefined || listener.response.writableEnded) continue
        const access = JSON.stringify({ jobs: jobsOf(person), job_roles: Object.fromEntries(person.jobRoles) })
        if (access !== listener.access) listener.response.write(`event: access\ndata: ${access}\n\n`)
        listener.access = access
      }
    }
  }

  async #sendNew(): Promise<void> {
    const { db } = this.#services
    const workspaces = [...new Set([...this.#listeners].map(({ workspace }) => workspace))]
    for (const { workspace_id, last_sequence } of await db.query(lastSequences(workspaces))) {
      const behind = [...this.#listeners].filter(l => l.workspace === workspace_id && l.sequence < last_sequence)
      if (behind.length === 0) continue
      const from = Math.min(...behind.map(({ sequence }) => sequence))
      const events = await db.query(liveEvents(workspace_id, from, MAX_MISSED))
      const visible = await eventsByReader(db, workspace_id, [...new Set(behind.map(({ userId }) => userId))], events)
      for (const listener of behind) send(listener, events, visible.get(listener.userId) ?? new Set())
    }
  }
}

interface LiveEvent {
  sequence: number
  type: string
  body: string
}

/**
 * What each reader may see of the events, looked up as they are sent: who was limited to jobs, or left the team of one, a
 * moment ago gets nothing of other jobs any more, and former members get nothing. What was deleted is visible by
 * the job that it belonged to.
 */
async function eventsByReader(
  db: Database,
  workspace: string,
  users: readonly string[],
  events: readonly LiveEvent[],
): Promise<ReadonlyMap<string, ReadonlySet<LiveEvent>>> {
  const people = await readJobPeople(db, workspace, users)
  const all = new Set(events)
  const subjects = [...people.values()].some(isNarrowed) ? events.map(subjectOf) : []
  const handles = [...new Set(subjects.flatMap(({ job, record }) => (job ? [job, record] : [record])))]
  const byReader = new Map<string, ReadonlySet<LiveEvent>>()
  for (const [userId, person] of people) {
    if (!isNarrowed(person)) byReader.set(userId, all)
    else {
      const rights = await rightsOn(db, { workspace, userId, person }, handles)
      const isVisible = ({ job, record }: Subject) =>
        (job !== undefined && rights.get(job)?.has('browse')) || rights.has(record)
      byReader.set(userId, new Set(subjects.filter(isVisible).map(({ event }) => event)))
    }
  }
  return byReader
}

/** The handles that decide who sees an event: of its job, where it names one, and of the candidate or record. */
interface Subject {
  event: LiveEvent
  job: string | undefined
  record: string
}

function subjectOf(event: LiveEvent): Subject {
  const { object } = JSON.parse(event.body).data
  return { event, job: object.job_id, record: object.application_id ?? object.id }
}

function send(listener: Listener, events: readonly LiveEvent[], readable: ReadonlySet<LiveEvent>): void {
  const { response, types } = listener
  if (response.writableLength > MAX_UNREAD_BYTES) return void response.destroy()
  const missed = events.filter(({ sequence }) => sequence > listener.sequence)
  const visible = missed.filter(event => types.has(event.type) && readable.has(event))
  listener.sequence = missed.at(-1)?.sequence ?? listener.sequence
  if (visible.length > 0) response.write(visible.map(({ sequence, body }) => message(sequence, body)).join(''))
}

/** The body of an event is one line of JSON. */
const message = (sequence: number, data: string, event?: string): string =>
  `${event ? `event: ${event}\n` : ''}id: ${sequence}\ndata: ${data}\n\n`

const feeds = new WeakMap<Services, LiveFeed>()

export const liveEndpoints = [
  live({
    path: '/live',
    // events of other jobs are left out as they are sent
    limited: 'open',
    handler: async ({ services, db, session, arrived: { request, response, stopping } }) => {
      const { workspaceId: workspace, userId } = session
      // 'close' was emitted already: what is added now would never be removed
      if (response.destroyed) return RESPONDED
      const feed = getOrCreate(feeds, services, () => new LiveFeed(services))
      feed.reserve(userId, response)
      const last = (await db.one(lastSequences([workspace])))?.last_sequence ?? 0
      if (response.destroyed) return RESPONDED
      const seen = lastSeen(request)
      const missedTooMuch = seen !== undefined && (last - seen > MAX_MISSED || seen > last)
      const sequence = seen === undefined || missedTooMuch ? last : seen
      response.writeHead(200, {
        'Content-Type': 'text/event-stream; charset=utf-8',
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
        // nginx would keep the events until its buffer is full
        'X-Accel-Buffering': 'no',
      })
      response.write(message(sequence, '{}', missedTooMuch ? 'reload' : 'ready'))
      keepOpen(services, request, response, { rights: session, stopping })
      feed.add({ workspace, userId, types: typesOf(session), response, sequence })
      return RESPONDED
    },
  }),
]

/** The number that a browser sends when it connects again. */
function lastSeen({ headers }: IncomingMessage): number | undefined {
  const text = headers['last-event-id']
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

/** Ends the stream with the session, with the server and with the browser; in between it shows that it is alive. */
function keepOpen(
  services: Services,
  request: IncomingMessage,
  response: ServerResponse,
  { rights, stopping }: { rights: Rights; stopping: AbortSignal },
): void {
  const end = () => void response.end()
  const heartbeat = setInterval(() => response.write(': \n\n'), HEARTBEAT_MS)
  const check = setInterval(async () => {
    // a database that is gone does not end the session
    const session = await readSession(services, request).catch(() => 'unknown' as const)
    if (session === undefined) response.end('event: signed_out\ndata: {}\n\n')
    // with other rights other types are visible: the browser connects again
    else if (session !== 'unknown' && (session.role !== rights.role || session.jobAccess !== rights.jobAccess)) end()
  }, SESSION_CHECK_MS)
  stopping.addEventListener('abort', end)
  response.once('close', () => {
    clearInterval(heartbeat)
    clearInterval(check)
    stopping.removeEventListener('abort', end)
  })
  if (stopping.aborted) end()
}
