import { type Adapter, type AdapterPayload, errors } from 'oidc-provider'
import { APP_TOKEN_SCOPES } from '../../contract/scopes.ts'
import type { Database } from '../../kernel/db/database.ts'
import { hasSqlState } from '../../kernel/db/sqlstate.ts'
import { hashToken } from '../../kernel/http/browser-session.ts'
import { clock } from '../../kernel/time/clock.ts'
import { APP_SCOPES, type AppRow, activeApp } from '../../resources/connected-apps/index.ts'
import { type InstallableApp, readInstallable } from '../../resources/installations/index.ts'
import { consumeRecord, deleteByGrant, deleteFamily, deleteRecord, recordById, saveRecord } from './store.ts'

/**
 * Stores the provider's state in PostgreSQL. The clock of the database decides what has expired: expired records are
 * not found. The provider compares `exp` with the clock of this process again, so `exp` is converted to that clock.
 */
export class PostgresAdapter implements Adapter {
  readonly #db: Database
  readonly #kind: string

  constructor(db: Database, kind: string) {
    this.#db = db
    this.#kind = kind
  }

  async upsert(id: string, { jti: _, ...payload }: AdapterPayload, expiresIn: number): Promise<void> {
    const record = {
      kind: this.#kind,
      idHash: hashToken(id),
      grantHash: payload.grantId ? hashToken(payload.grantId) : null,
      appId: payload.clientId ?? null,
      userId: payload.accountId ?? null,
      scopes: typeof payload['scope'] === 'string' ? payload['scope'].split(' ') : [],
      payload,
      seconds: expiresIn,
    }
    try {
      await this.#db.query(saveRecord(record))
    } catch (error) {
      // the membership was deleted before this insert
      if (hasSqlState(error, 'foreignKeyViolation')) throw new errors.InvalidGrant('no such person')
      throw error
    }
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    if (this.#kind === 'Client') return this.#client(id)
    const row = await this.#db.one(recordById(this.#kind, hashToken(id)))
    if (!row) return undefined
    const now = Math.floor(clock.now() / 1000)
    const payload: AdapterPayload = { ...row.payload, jti: id, exp: now + Math.ceil(row.remaining) }
    if (row.consumed !== null) payload['consumed'] = Math.floor(row.consumed)
    return payload
  }

  /** A second use means that the token was stolen: everything issued for its grant is deleted. */
  async consume(id: string): Promise<void> {
    if (await this.#db.one(consumeRecord(this.#kind, hashToken(id)))) return
    await this.#db.query(deleteFamily(this.#kind, hashToken(id)))
    throw new errors.InvalidGrant('already used')
  }

  async destroy(id: string): Promise<void> {
    await this.#db.query(deleteRecord(this.#kind, hashToken(id)))
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.#db.query(deleteByGrant(this.#kind, hashToken(grantId)))
  }

  /** Used only by flows that are disabled. */
  async findByUid(): Promise<undefined> {
    return undefined
  }
  async findByUserCode(): Promise<undefined> {
    return undefined
  }

  async #client(id: string): Promise<AdapterPayload | undefined> {
    const app = await activeApp(this.#db, id)
    if (app) return metadataOf(app)
    const installable = await readInstallable(this.#db, id)
    return installable?.revoked_at === null && installable.suspended_at === null ? ownClientOf(installable) : undefined
  }
}

const metadataOf = (app: AppRow): AdapterPayload =>
  ({
    client_id: app.id,
    client_name: app.name,
    application_type: app.kind === 'native' ? 'native' : 'web',
    redirect_uris: app.redirect_uris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    scope: app.scopes.filter(scope => APP_SCOPES.includes(scope)).join(' '),
    workspace_id: app.workspace_id,
    // Only indicates that a secret exists; secrets are compared with their stored hashes.
    ...(app.kind === 'web'
      ? { token_endpoint_auth_method: 'client_secret_basic', client_secret: 'kept as a hash' }
      : { token_endpoint_auth_method: 'none' }),
  }) as AdapterPayload

/** No one signs in to an installable app: it only gets tokens for itself. */
const ownClientOf = (app: InstallableApp): AdapterPayload =>
  ({
    client_id: app.id,
    client_name: app.name,
    redirect_uris: [],
    grant_types: ['client_credentials'],
    response_types: [],
    scope: APP_TOKEN_SCOPES.join(' '),
    workspace_id: app.workspace_id,
    ip_allowlist: app.ip_allowlist,
    token_endpoint_auth_method: 'client_secret_basic',
    client_secret: 'kept as a hash',
  }) as AdapterPayload
