import { batched } from '../batch.ts'
import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { fail } from '../failure.ts'
import { type Caller, type CallerRow, toCaller } from './caller.ts'
import { hashSecret, isWellFormed } from './key-format.ts'

export interface Authenticated {
  caller: Caller
  secretHash: string
  /** the database's time when it was asked, in milliseconds */
  now: number
}

const CACHE_SIZE = 10_000

/**
 * Finds the key behind a bearer token. The store is asked for every request, so that a revocation is in force for the
 * very next one in every process; requests that wait at the same moment share a statement. What is remembered is only
 * the unpacked form of a row, under the row's version.
 */
export class Authenticator {
  readonly #find: (hash: string) => Promise<Authenticated | undefined>
  readonly #callers = new Map<string, Caller>()
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
    this.#find = batched(hashes => this.#lookUp(hashes))
  }

  /** Every cause of refusal gives the one answer. */
  async authenticate(authorization: string | undefined, address: string): Promise<Authenticated> {
    const secret = bearerToken(authorization)
    if (secret === undefined || !isWellFormed(secret)) return fail('unauthenticated')
    const found = await this.#find(hashSecret(secret))
    if (!found?.caller.allowsAddress(address)) return fail('unauthenticated')
    return found
  }

  async #lookUp(hashes: string[]): Promise<(Authenticated | undefined)[]> {
    const wanted = hashes.length === 1 ? hashes : [...new Set(hashes)]
    const rows = await this.#db.query(validSecrets(wanted))
    const missing = rows.filter(row => !this.#callers.has(row.version))
    if (missing.length > 0) await this.#load(missing)
    const byHash = new Map<string, Authenticated>()
    for (const row of rows) {
      const caller = this.#callers.get(row.version)
      // absent when the key changed between the two statements; the caller's retry reads it afresh
      if (caller) byHash.set(row.secret_hash, { caller, secretHash: row.secret_hash, now: row.now })
    }
    return hashes.map(hash => byHash.get(hash))
  }

  async #load(rows: { key_id: string; version: string }[]): Promise<void> {
    if (this.#callers.size > CACHE_SIZE) this.#callers.clear()
    for (const { version, ...row } of await this.#db.query(callerRows(rows.map(r => r.key_id)))) {
      this.#callers.set(version, toCaller(row))
    }
  }
}

function bearerToken(header: string | undefined): string | undefined {
  if (header === undefined || header.length > 200) return undefined
  return /^Bearer +([^ ]+) *$/i.exec(header)?.[1]
}

/** `version` changes with every change of the key or of its workspace's plan. */
const validSecrets = (hashes: string[]) =>
  sql<{ secret_hash: string; key_id: string; version: string; now: number }>`
    select s.secret_hash, s.key_id, k.id || ':' || k.xmin || ':' || w.xmin as version,
      (extract(epoch from app_now()) * 1000)::bigint as now
    from api_key_secrets s
    join api_keys k on k.workspace_id = s.workspace_id and k.id = s.key_id
    join workspaces w on w.id = s.workspace_id
    where s.secret_hash = any(${hashes}::text[])
      and (s.expires_at is null or s.expires_at > app_now())
      and (k.expires_at is null or k.expires_at > app_now())
      and k.revoked_at is null`

const callerRows = (keyIds: string[]) =>
  sql<CallerRow & { version: string }>`
    select k.id || ':' || k.xmin || ':' || w.xmin as version, k.id as key_id, k.workspace_id, k.name, k.environment,
      k.scopes, k.workspace_scope, k.workspace_ids, w.plan, k.user_id, k.ip_allowlist, k.created_at, k.expires_at
    from api_keys k
    join workspaces w on w.id = k.workspace_id
    where k.id = any(${keyIds}::text[])`
