import type { Scope } from '../../contract/scopes.ts'
import { batched } from '../async/batch.ts'
import { getOrCreate } from '../async/get-or-create.ts'
import type { Soon } from '../async/soon.ts'
import type { Database } from '../db/database.ts'
import { type Sql, sql } from '../db/sql.ts'
import { present } from '../errors/present.ts'
import type { Log } from '../telemetry/log.ts'
import { clock } from '../time/clock.ts'
import { ScopeUsage } from './scope-usage.ts'

/**
 * The usage of workspaces and keys: the monthly quota, hourly counts for the console, and the last use of a secret.
 *
 * Counting every request in the database would make each read a write, so requests are counted here and added every
 * second. Close to the quota that would not be exact, so there each request is counted in the database before it is let
 * through. A process that is killed loses at most its last second, in the customer's favour; of the hourly counts, the last
 * five.
 */
const FLUSH_MS = 1_000
/**
 * How many intervals the counts and last uses of a key may wait: figures for people, with a row for each key, where a month
 * is one for each workspace. The first use of a key is stored with the next interval, since an erasure asks for it.
 */
const KEY_INTERVALS = 5
const KEYS_KNOWN = 10_000
/** The figures of a month are read again after this time: later than a flush of a busy process does it. */
const KNOWN_MS = 2 * FLUSH_MS
const HOUR_MS = 3_600_000
const MONTHS_KEPT = 10_000
/**
 * The distance to the quota from which requests are counted one by one: more than all processes count in one interval.
 */
const margin = (quota: number) => Math.max(2_000, quota * 0.02)

interface Month {
  /** requests of all processes, as last read from the database */
  known: number
  /** counted in this process and not stored yet */
  pending: number
  /** when `known` was read, by the monotonic clock: other processes count as well */
  readAt: number
}

interface Added {
  name: string
  entry: Month
  workspace: string
  month: string
  added: number
}

interface Hour {
  workspace: string
  key: string
  /** hours since the epoch */
  hour: number
  requests: number
  clientErrors: number
  serverErrors: number
  limited: number
}

/** A use of a secret: time, IP address and user agent. */
interface SecretUse {
  at: number
  address: string
  agent: string | undefined
}

interface Exact {
  workspace: string
  month: string
  quota: number
}

export class Usage {
  readonly #db: Database
  readonly #log: Log
  readonly #months = new Map<string, Month>()
  readonly #loading = new Map<string, Promise<Month>>()
  readonly #hours = new Map<string, Hour>()
  #secrets = new Map<string, SecretUse>()
  /** keys and hashes of secrets whose use was stored by this process */
  readonly #stored = new Set<string>()
  readonly #scopes = new ScopeUsage()
  readonly #countExactly: (request: Exact) => Promise<boolean>
  #timer: NodeJS.Timeout | undefined
  #flushing: Promise<void> = Promise.resolve()

  constructor(db: Database, log: Log) {
    this.#db = db
    this.#log = log
    this.#countExactly = batched(requests => this.#countInDatabase(requests))
  }

  start(): void {
    let intervals = 0
    this.#timer = setInterval(() => {
      this.#flush(++intervals % KEY_INTERVALS === 0).catch(error =>
        this.#log.warn({ err: error }, 'storing usage failed, retrying'),
      )
    }, FLUSH_MS)
    this.#timer.unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
  }

  /** Counts a request against the monthly quota. false: the quota is exhausted. */
  admit(workspace: string, quota: number | null, nowMs: number): Soon<boolean> {
    const month = monthOf(nowMs)
    const name = `${workspace} ${month}`
    if (quota === null) {
      getOrCreate(this.#months, name, () => ({ known: 0, pending: 0, readAt: clock.monotonic() })).pending++
      return true
    }
    const entry = this.#months.get(name)
    const count = (counted: Month) => this.#count(counted, { workspace, month, quota })
    // read again because of what other processes counted since this one was last asked
    if (entry && clock.monotonic() - entry.readAt <= KNOWN_MS) return count(entry)
    return this.#load(name, workspace, month).then(count)
  }

  #count(entry: Month, request: Exact): Soon<boolean> {
    if (entry.known + entry.pending >= request.quota - margin(request.quota)) return this.#countExactly(request)
    entry.pending++
    return true
  }

  /** Requests of this month, including those this process has not stored yet. */
  async usedThisMonth(workspace: string, nowMs: number): Promise<number> {
    const month = monthOf(nowMs)
    // counts in flight are in neither of the two numbers until they are stored
    await this.flush()
    const row = await this.#db.one(readMonth(workspace, month))
    return (row?.requests ?? 0) + (this.#months.get(`${workspace} ${month}`)?.pending ?? 0)
  }

  /** Counts the status of a request for the charts of the console. */
  record(workspace: string, key: string, secretHash: string, status: number, use: SecretUse): void {
    const hour = Math.floor(use.at / HOUR_MS)
    const entry = getOrCreate(this.#hours, `${key} ${hour}`, () => ({
      workspace,
      key,
      hour,
      requests: 0,
      clientErrors: 0,
      serverErrors: 0,
      limited: 0,
    }))
    entry.requests++
    if (status >= 500) entry.serverErrors++
    else if (status === 429) entry.limited++
    else if (status >= 400) entry.clientErrors++
    this.#secrets.set(secretHash, use)
  }

  /** Notes that an installation used these scopes, for the page that shows which ones it could do without. */
  recordScopes(workspace: string, installation: string, scopes: readonly Scope[], at: number): void {
    this.#scopes.record(workspace, installation, scopes, at)
  }

  /** Flushes run one after the other: the last one, at shutdown, waits for the one that the timer started. */
  flush(): Promise<void> {
    return this.#flush(true)
  }

  #flush(allKeys: boolean): Promise<void> {
    const store = async () => {
      await Promise.all([this.#flushMonths(), this.#flushHours(allKeys)])
      await this.#flushSecrets(allKeys)
      if (allKeys) await this.#scopes.flush(statement => this.#store(statement))
    }
    const flushed = this.#flushing.then(store)
    this.#flushing = flushed.catch(() => {}) // reported to the caller of flush()
    return flushed
  }

  async #flushMonths(): Promise<void> {
    const months: Added[] = []
    for (const [name, entry] of this.#months) {
      const [workspace, month] = name.split(' ') as [string, string]
      if (entry.pending > 0) months.push({ name, entry, workspace, month, added: entry.pending })
      // evicted only when nothing is pending: then it can be read again
      else if (this.#months.size > MONTHS_KEPT) this.#months.delete(name)
    }
    if (months.length === 0) return
    for (const { entry, added } of months) {
      entry.pending -= added
      entry.known += added
    }
    try {
      // sorted, so that two processes cannot deadlock
      months.sort((a, b) => (a.name < b.name ? -1 : 1))
      const rows = await this.#db.query(addToMonths(months))
      const stored = new Map(rows.map(row => [`${row.workspace_id} ${row.month}`, row.requests]))
      for (const { name, entry } of months) {
        entry.known = stored.get(name) ?? entry.known
        entry.readAt = clock.monotonic()
      }
    } catch (error) {
      for (const { entry, added } of months) {
        entry.pending += added
        entry.known -= added
      }
      throw error
    }
  }

  async #flushHours(all: boolean): Promise<void> {
    const hours = [...this.#take(this.#hours, all, ({ key }) => key).values()]
    if (hours.length === 0) return
    try {
      await this.#store(addHours(hours))
      this.#isStored(hours.map(({ key }) => key))
    } catch (error) {
      // put back with another name: requests have been counted since
      for (const h of hours) this.#hours.set(`${h.key} ${h.hour} ${this.#hours.size}`, h)
      throw error
    }
  }

  async #flushSecrets(all: boolean): Promise<void> {
    const secrets = this.#take(this.#secrets, all, (_, hash) => hash)
    if (secrets.size === 0) return
    const hashes = [...secrets.keys()]
    try {
      await this.#store(markSecretsUsed(hashes, [...secrets.values()]))
      this.#isStored(hashes)
    } catch (error) {
      this.#secrets = new Map([...secrets, ...this.#secrets])
      throw error
    }
  }

  /** In a transaction, which has a connection of its own: no read waits behind the rows of thousands of keys. */
  async #store(statement: Sql): Promise<void> {
    await this.#db.transaction(tx => tx.query(statement))
  }

  /** Removes from the map what is to be stored now: all of it, or what this process has not stored before. */
  #take<T>(from: Map<string, T>, all: boolean, nameOf: (entry: T, name: string) => string): Map<string, T> {
    const taken = new Map<string, T>()
    for (const [name, entry] of from) {
      if (!all && this.#stored.has(nameOf(entry, name))) continue
      taken.set(name, entry)
      from.delete(name)
    }
    return taken
  }

  #isStored(names: readonly string[]): void {
    if (this.#stored.size + names.length > KEYS_KNOWN) this.#stored.clear()
    for (const name of names) this.#stored.add(name)
  }

  #load(name: string, workspace: string, month: string): Promise<Month> {
    let loading = this.#loading.get(name)
    if (!loading) {
      loading = this.#db.only(addToMonths([{ workspace, month, added: 0 }])).then(row => {
        const entry = getOrCreate(this.#months, name, () => ({ known: 0, pending: 0, readAt: 0 }))
        entry.known = row.requests
        entry.readAt = clock.monotonic()
        return entry
      })
      this.#loading.set(name, loading)
      const forget = () => this.#loading.delete(name)
      loading.then(forget, forget)
    }
    return loading
  }

  async #countInDatabase(requests: Exact[]): Promise<boolean[]> {
    await this.#flushMonths()
    const groups = Map.groupBy(requests, r => `${r.workspace} ${r.month}`)
    const admitted = new Map<string, number>()
    for (const [name, group] of groups) {
      const { workspace, month, quota } = present(group[0], 'a request')
      const row = await this.#db.one(addUpTo(workspace, month, quota, group.length))
      admitted.set(name, row?.admitted ?? 0)
      const entry = this.#months.get(name)
      if (entry) entry.known = row?.requests ?? quota
    }
    return requests.map(r => {
      const name = `${r.workspace} ${r.month}`
      const left = admitted.get(name) ?? 0
      admitted.set(name, left - 1)
      return left > 0
    })
  }
}

let monthKnown = { from: 0, to: 0, name: '' }

/** `2026-11-01`. Cached, because every request needs it and it changes once a month. */
function monthOf(nowMs: number): string {
  if (nowMs < monthKnown.from || nowMs >= monthKnown.to) {
    const date = new Date(nowMs)
    const from = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
    const to = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
    monthKnown = { from, to, name: new Date(from).toISOString().slice(0, 10) }
  }
  return monthKnown.name
}

export const secondsToNextMonth = (nowMs: number): number => {
  const now = new Date(nowMs)
  return Math.max(1, Math.ceil((Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) - nowMs) / 1000))
}

export const secondsToMidnight = (nowMs: number): number =>
  Math.max(1, Math.ceil((86_400_000 - (nowMs % 86_400_000)) / 1000))

const readMonth = (workspace: string, month: string) =>
  sql<{ requests: number }>`
    select requests from monthly_usage where workspace_id = ${workspace} and month = ${month}::date`

const addToMonths = (months: Pick<Added, 'workspace' | 'month' | 'added'>[]) =>
  sql<{ workspace_id: string; month: string; requests: number }>`
    insert into monthly_usage as m (workspace_id, month, requests)
    select w, month, added
    from unnest(${months.map(m => m.workspace)}::text[], ${months.map(m => m.month)}::date[],
      ${months.map(m => m.added)}::bigint[]) as u (w, month, added)
    where exists (select from workspaces where id = w)
    on conflict (workspace_id, month) do update set requests = m.requests + excluded.requests
    returning workspace_id, month, requests`

const addUpTo = (workspace: string, month: string, quota: number, wanted: number) =>
  sql<{ requests: number; admitted: number }>`
    with before as (
      select requests from monthly_usage
      where workspace_id = ${workspace} and month = ${month}::date
      for update
    )
    update monthly_usage m
    set requests = before.requests + least(${wanted}::bigint, greatest(${quota}::bigint - before.requests, 0))
    from before
    where m.workspace_id = ${workspace} and m.month = ${month}::date
    returning m.requests, m.requests - before.requests as admitted`

const addHours = (hours: Hour[]) =>
  sql`
    insert into request_stats as s (workspace_id, key_id, hour, requests, client_errors, server_errors, limited)
    select w, k, h, sum(r), sum(ce), sum(se), sum(l) from unnest(
      ${hours.map(h => h.workspace)}::text[], ${hours.map(h => h.key)}::text[], ${hours.map(h => new Date(h.hour * HOUR_MS).toISOString())}::timestamptz[],
      ${hours.map(h => h.requests)}::bigint[], ${hours.map(h => h.clientErrors)}::bigint[],
      ${hours.map(h => h.serverErrors)}::bigint[], ${hours.map(h => h.limited)}::bigint[]) as u (w, k, h, r, ce, se, l)
    where exists (select from workspaces where id = w)
    group by w, k, h
    on conflict (workspace_id, key_id, hour) do update set
      requests = s.requests + excluded.requests,
      client_errors = s.client_errors + excluded.client_errors,
      server_errors = s.server_errors + excluded.server_errors,
      limited = s.limited + excluded.limited`

const AGENT_LENGTH = 200
/** The clients of this project name themselves and their version. */
const SDK_AGENT = '^hiring-partner-sdk(?:-python)?/[0-9A-Za-z.+-]+'

/**
 * Written only if the last write is more than a minute old, since a busy key would otherwise be written every second.
 * The first use after a rotation is written immediately, since users wait for it during a rotation.
 */
const markSecretsUsed = (hashes: string[], uses: SecretUse[]) =>
  sql`
    update api_key_secrets s set last_used_at = u.at, last_used_address = u.address, last_used_agent = u.agent,
      last_used_sdk = coalesce(substring(u.agent from ${SDK_AGENT}::text), s.last_used_sdk)
    from (
      select hash, to_timestamp(ms / 1000.0) as at, address, agent
      from unnest(${hashes}::text[], ${uses.map(u => u.at)}::bigint[], ${uses.map(u => u.address)}::text[],
        ${uses.map(u => u.agent?.slice(0, AGENT_LENGTH) ?? null)}::text[]) as t (hash, ms, address, agent)
    ) u
    where s.secret_hash = u.hash and (s.last_used_at is null or s.last_used_at < u.at - interval '1 minute'
      or s.last_used_at < (
        select max(created_at) from api_key_secrets n where n.workspace_id = s.workspace_id and n.key_id = s.key_id))`
