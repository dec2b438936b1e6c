import { API_LIMITS } from '../../contract/limits.ts'
import { sha256 } from '../crypto/signing.ts'
import type { Queryable, Transaction } from '../db/database.ts'
import { textLock } from '../db/locks.ts'
import { sql } from '../db/sql.ts'
import { fail } from '../errors/api-error.ts'

/** An Idempotency-Key is unique within an API key, a workspace and a path. */
export interface IdempotencyScope {
  workspace: string
  keyId: string
  method: string
  path: string
  idempotencyKey: string
}

export interface StoredResponse {
  status: number
  body: string
}

/**
 * Takes the lock of this key for the rest of the transaction and returns the response to the first request, if there
 * was one. The record is written in the same transaction as the change (`storeResponse`), so a crash undoes both. It is
 * read by a second statement after the lock is taken: with one statement the snapshot would be older than the lock.
 */
export async function claimIdempotencyKey(
  tx: Queryable,
  scope: IdempotencyScope,
  body: Buffer,
): Promise<StoredResponse | undefined> {
  const locking = tx.one(sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(${textLock('idempotencyKey', ...Object.values(scope))}) as locked`)
  const reading = tx.one(readRecord(scope))
  const [lockRow, record] = await Promise.all([locking, reading])
  // A record that is visible belongs to a completed request, whichever request has the lock now.
  if (record) {
    if (!record.fingerprint.equals(sha256(body))) return fail('idempotency_key_reused')
    return { status: record.status, body: record.body }
  }
  return lockRow?.locked ? undefined : fail('idempotency_in_flight')
}

export function storeResponse(tx: Transaction, scope: IdempotencyScope, body: Buffer, response: StoredResponse): void {
  tx.defer(sql`
    insert into idempotency_records
      (workspace_id, key_id, method, path, idempotency_key, fingerprint, status, body, expires_at)
    values (${scope.workspace}, ${scope.keyId}, ${scope.method}, ${scope.path}, ${scope.idempotencyKey},
      ${sha256(body)}, ${response.status}, ${response.body},
      app_now() + ${API_LIMITS.idempotencyLifetimeSeconds}::integer * interval '1 second')
    on conflict (workspace_id, key_id, method, path, idempotency_key) do update set
      fingerprint = excluded.fingerprint, status = excluded.status, body = excluded.body,
      created_at = excluded.created_at, expires_at = excluded.expires_at`)
}

/** The key lost scopes: stored responses may show fields that it may no longer read. */
export const deleteResponses = (keyIds: readonly string[]) =>
  sql`delete from idempotency_records where key_id = any(${keyIds}::text[])`

const readRecord = (s: IdempotencyScope) =>
  sql<{ fingerprint: Buffer; status: number; body: string }>`
    select fingerprint, status, body from idempotency_records
    where workspace_id = ${s.workspace} and key_id = ${s.keyId} and method = ${s.method} and path = ${s.path}
      and idempotency_key = ${s.idempotencyKey} and expires_at > app_now()`
