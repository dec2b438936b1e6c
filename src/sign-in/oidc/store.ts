import { type Sql, sql } from '../../kernel/db/sql.ts'
import { AUTHENTICATED_AT } from '../store.ts'

export interface NewRecord {
  kind: string
  idHash: string
  grantHash: string | null
  appId: string | null
  userId: string | null
  scopes: readonly string[]
  payload: object
  seconds: number
}

export const saveRecord = (r: NewRecord) => sql`
  insert into oidc_records (kind, id_hash, grant_hash, workspace_id, app_id, user_id, scopes, payload, expires_at)
  values (${r.kind}, ${r.idHash}, ${r.grantHash},
    (select workspace_id from connected_apps where id = ${r.appId}::uuid), ${r.appId}::uuid, ${r.userId},
    ${r.scopes}::text[], ${JSON.stringify(r.payload)}::jsonb, app_now() + ${r.seconds}::float8 * interval '1 second')
  on conflict (kind, id_hash) do update set payload = excluded.payload, expires_at = excluded.expires_at`

interface FoundRecord {
  payload: Record<string, unknown>
  remaining: number
  consumed: number | null
}

/** None of a workspace that is closed: its tokens are not valid, as for the API, and valid again after a restore. */
export const recordById = (kind: string, idHash: string): Sql<FoundRecord> =>
  sql<FoundRecord>`
    select payload, extract(epoch from expires_at - app_now())::float8 as remaining,
      extract(epoch from consumed_at)::float8 as consumed
    from oidc_records r where kind = ${kind} and id_hash = ${idHash} and expires_at > app_now()
      and not exists (select from workspaces w where w.id = r.workspace_id and w.closing_at is not null)`

/** Marks a record as consumed. Of two concurrent calls only one gets a row. */
export const consumeRecord = (kind: string, idHash: string) =>
  sql<{ kind: string }>`
    update oidc_records set consumed_at = app_now()
    where kind = ${kind} and id_hash = ${idHash} and consumed_at is null returning kind`

export const deleteRecord = (kind: string, idHash: string) => sql`
  delete from oidc_records where kind = ${kind} and id_hash = ${idHash}`

export const deleteByGrant = (kind: string, grantHash: string) => sql`
  delete from oidc_records where kind = ${kind} and grant_hash = ${grantHash}`

/** Deletes the grant of this record and everything that was issued for it. */
export const deleteFamily = (kind: string, idHash: string) => sql`
  with family as (
    select grant_hash from oidc_records where kind = ${kind} and id_hash = ${idHash}
  )
  delete from oidc_records r using family
  where r.grant_hash = family.grant_hash or (r.kind = 'Grant' and r.id_hash = family.grant_hash)`

/** Whether the person of a session authenticated after an interaction began, as `prompt=login` requires. */
export const beganSince = (sessionId: string, interactionHash: string) =>
  sql<{ since: boolean }>`
    select ${AUTHENTICATED_AT} > r.created_at as since from sessions s, oidc_records r
    where s.id = ${sessionId}::uuid and r.kind = 'Interaction' and r.id_hash = ${interactionHash}`

export const signingKeys = () =>
  sql<{ id: string; sealed: Buffer }>`select id, sealed from oidc_signing_keys order by created_at desc, id`

export const lockSigningKeys = () => sql`lock table oidc_signing_keys in share row exclusive mode`

export const insertSigningKey = (id: string, sealed: Buffer) => sql`
  insert into oidc_signing_keys (id, sealed) values (${id}::uuid, ${sealed})`
