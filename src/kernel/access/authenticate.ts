import { batched } from '../async/batch.ts'
import { onceThere, type Soon } from '../async/soon.ts'
import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import {
  type AppTokenRow,
  type Audience,
  type Caller,
  type CallerRow,
  type TokenRow,
  toAppTokenCaller,
  toCaller,
  toTokenCaller,
} from './caller.ts'
import type { KeyLease } from './key-cache.ts'
import { hashSecret, isWellFormed } from './key-format.ts'

export interface Authenticated {
  caller: Caller
  secretHash: string
  /** the database's time at the lookup, in milliseconds */
  now: number
}

/**
 * Whose secret it is. A type of its own, so that a secret that is not valid cannot be taken for one that is. `refused`: it
 * has expired, or the key may not be used from this IP address; the response is that for an unknown key.
 */
export interface KnownKey {
  key: Authenticated
  refused: boolean
}

/**
 * Finds the key of a bearer token. Keys are cached under a lease (key-cache.ts), so that a revocation takes effect with
 * the next request in every process. Without one, and for tokens of the sign-in flow, the database is queried for every
 * request; concurrent requests share a statement.
 */
export class Authenticator {
  readonly #find: (hash: string) => Soon<KnownKey | undefined>
  readonly #findToken: (hash: string) => Promise<KnownKey | undefined>
  readonly #db: Database
  readonly #lease: KeyLease

  constructor(db: Database, lease: KeyLease) {
    this.#db = db
    this.#lease = lease
    const lookUp = batched((hashes: string[]) => this.#lookUp(hashes))
    this.#find = hash => this.#cached(hash) ?? lookUp(hash)
    this.#findToken = batched(hashes => this.#lookUpTokens(hashes))
  }

  /** Whose secret it is, if that is known; `refused` says whether the call must be refused all the same. */
  identify(authorization: string | undefined, address: string, audience: Audience): Soon<KnownKey | undefined> {
    const secret = bearerToken(authorization)
    if (secret === undefined) return undefined
    const find = isWellFormed(secret) ? this.#find : isTokenShaped(secret) ? this.#findToken : undefined
    return onceThere(find?.(hashSecret(secret)), found => {
      if (!found || found.refused) return found
      const { caller } = found.key
      // RFC 8707: a token of the sign-in flow is valid only where it was requested for
      const isElsewhere = caller.audience !== null && caller.audience !== audience
      return { key: found.key, refused: isElsewhere || !caller.allowsAddress(address) }
    })
  }

  /** The key behind the hash of a secret, for a page on which it is signed in; undefined if it is not valid here and now. */
  async findBySecretHash(hash: string, address: string): Promise<Authenticated | undefined> {
    const found = await this.#find(hash)
    return found && !found.refused && found.key.caller.allowsAddress(address) ? found.key : undefined
  }

  #cached(hash: string): KnownKey | undefined {
    const key = this.#lease.trusted()?.key(hash)
    if (!key) return undefined
    const now = this.#lease.databaseNow()
    const refused = key.expiresAt !== null && key.expiresAt <= now
    return { key: { caller: key.caller, secretHash: hash, now }, refused }
  }

  async #lookUp(hashes: string[]): Promise<(KnownKey | undefined)[]> {
    const cache = this.#lease.trusted()
    const rows = await this.#db.lookUp(knownSecrets([...new Set(hashes)]))
    const byHash = new Map<string, KnownKey>()
    for (const { secret_hash, secret_expires_at, now, ...row } of rows) {
      const caller = toCaller(row)
      cache?.addKey(secret_hash, { caller, expiresAt: secret_expires_at })
      const refused = secret_expires_at !== null && secret_expires_at <= now
      byHash.set(secret_hash, { key: { caller, secretHash: secret_hash, now }, refused })
    }
    return hashes.map(hash => byHash.get(hash))
  }

  /** Tokens are not cached: they last an hour, and depend on the current role, consent and settings of the user. */
  async #lookUpTokens(hashes: string[]): Promise<(KnownKey | undefined)[]> {
    const byHash = new Map<string, KnownKey>()
    for (const { token_hash, now, ...row } of await this.#db.lookUp(validTokens([...new Set(hashes)])))
      byHash.set(token_hash, { key: { caller: toTokenCaller(row), secretHash: token_hash, now }, refused: false })
    const others = [...new Set(hashes)].filter(hash => !byHash.has(hash))
    const rows = others.length === 0 ? [] : await this.#db.lookUp(validAppTokens(others))
    for (const { token_hash, now, ...row } of rows)
      byHash.set(token_hash, { key: { caller: toAppTokenCaller(row), secretHash: token_hash, now }, refused: false })
    return hashes.map(hash => byHash.get(hash))
  }
}

function bearerToken(header: string | undefined): string | undefined {
  if (header === undefined || header.length > 200) return undefined
  return /^Bearer +([^ ]+) *$/i.exec(header)?.[1]
}

/** Access tokens of the sign-in flow are 43 characters of base64url. */
const isTokenShaped = (secret: string) => /^[A-Za-z0-9_-]{43}$/.test(secret)

/** Expired secrets are found too, since calls with them are logged; those of revoked keys are deleted, suspended ones unknown. */
export const knownSecrets = (hashes: string[]) =>
  sql<CallerRow & { secret_hash: string; secret_expires_at: number | null; now: number }>`
    with clock as materialized (select app_now() as now)
    select s.secret_hash, extract(epoch from s.expires_at) * 1000 as secret_expires_at,
      extract(epoch from clock.now) * 1000 as now, k.id as key_id, k.workspace_id,
      w.environment as workspace_environment, k.name, k.environment, k.scopes,
      k.workspace_scope,
      array(
        select o.id::text from unnest(k.workspace_ids) with ordinality as l (id, n)
        join workspaces o on o.id = l.id and o.closing_at is null order by l.n
      ) as workspace_ids, w.plan, w.own_limits, k.user_id, k.ip_allowlist, k.created_at, k.expires_at, k.installation_id, k.personal_data_reads_per_day,
      (select i.app_id from installations i where i.workspace_id = k.workspace_id and i.id = k.installation_id) as app_id
    from clock, api_key_secrets s
    join api_keys k on k.workspace_id = s.workspace_id and k.id = s.key_id and k.suspended_at is null
    join workspaces w on w.id = s.workspace_id and w.closing_at is null
    where s.secret_hash = any(${hashes}::text[])`

/**
 * A token is valid while its app, its consent, the membership of its user and its authorization are. A token that was
 * being issued while its authorization was revoked is not valid.
 */
const validTokens = (hashes: string[]) =>
  sql<TokenRow & { token_hash: string; now: number }>`
    with clock as materialized (select app_now() as now)
    select t.id_hash as token_hash, extract(epoch from clock.now) * 1000 as now, c.id as consent_id, c.workspace_id,
      w.environment as workspace_environment,
      a.name as app_name, u.id as user_id, u.role, u.job_access, t.scopes, t.payload->>'aud' as resource, w.plan, w.own_limits, s.connected_app_writes as writes, t.created_at,
      t.expires_at
    from clock, oidc_records t
    join oidc_records g on g.kind = 'Grant' and g.id_hash = t.grant_hash
    join connected_apps a on a.workspace_id = t.workspace_id and a.id = t.app_id and a.revoked_at is null
    join app_consents c
      on c.workspace_id = t.workspace_id and c.app_id = t.app_id and c.user_id = t.user_id and c.revoked_at is null
    join users u on u.workspace_id = t.workspace_id and u.id = t.user_id
    join workspaces w on w.id = t.workspace_id and w.closing_at is null
    join workspace_settings s on s.workspace_id = t.workspace_id
    where t.kind = 'AccessToken' and t.id_hash = any(${hashes}::text[]) and t.expires_at > clock.now
      and g.expires_at > clock.now`

/** A token of an app itself is valid while the app is: not while it is suspended, or its home is closed. */
const validAppTokens = (hashes: string[]) =>
  sql<AppTokenRow & { token_hash: string; now: number }>`
    with clock as materialized (select app_now() as now)
    select t.id_hash as token_hash, extract(epoch from clock.now) * 1000 as now, a.id as app_id, a.name as app_name,
      a.credential_id, a.workspace_id, w.environment as workspace_environment, w.plan, w.own_limits, a.ip_allowlist, t.created_at, t.expires_at
    from clock, oidc_records t
    join connected_apps a on a.workspace_id = t.workspace_id and a.id = t.app_id
      and a.distribution = 'installable' and a.revoked_at is null and a.suspended_at is null
    join workspaces w on w.id = a.workspace_id and w.closing_at is null
    where t.kind = 'ClientCredentials' and t.id_hash = any(${hashes}::text[]) and t.expires_at > clock.now
      and t.payload->>'aud' is null`
