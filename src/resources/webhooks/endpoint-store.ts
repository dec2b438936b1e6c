import { ofWorkspace, type Partition } from '../../kernel/db/partitions.ts'
import { none, raw, type Sql, sql } from '../../kernel/db/sql.ts'
import { present } from '../../kernel/errors/present.ts'
import type { Page } from '../../kernel/http/list.ts'
import type { Row } from '../../kernel/http/shape.ts'
import { type endpointShape, SIGNATURE_SCHEME } from './shape.ts'

export type EndpointRow = Row<typeof endpointShape>

/** A row of the table. A derived one has a source, and no URL. */
export interface StoredEndpoint extends Omit<EndpointRow, 'signature_scheme' | 'signing_secret' | 'url'> {
  key_id: string
  url: string | null
  source_workspace_id: string | null
  source_id: string | null
}

/** A key, or the keys that an installation has and had: its endpoint is moved from one to the next. */
export type KeyIds = string | readonly string[]

export const isOfKey = (column: string, keys: KeyIds): Sql =>
  typeof keys === 'string' ? sql`${raw(column)} = ${keys}` : sql`${raw(column)} = any(${keys}::text[])`

const endpointColumns = (workspace: string) => sql`
  e.id, e.url, e.description, e.event_types, e.enabled, e.disabled_at, e.disabled_reason, e.signing_secret_version,
  e.signing_secret_rotated_at, e.consecutive_failures, e.last_success_at, e.last_failure_at, e.created_at, e.key_id,
  e.source_workspace_id, e.source_id,
  (select s.expires_at from webhook_secrets s
    where s.workspace_id = ${workspace} and s.endpoint_id = e.id and s.expires_at > app_now()
    order by s.version desc limit 1) as previous_secret_expires_at`

/** Statements that lock several endpoints (as `e`) use this order, and lock deliveries later: no deadlocks. */
export const IN_ORDER = sql`order by e.workspace_id, e.id for no key update of e`

/** A derived endpoint has URL, event types and secret of its source. */
export const toEndpoint = (row: StoredEndpoint, source = row): EndpointRow & { key_id: string } => ({
  ...row,
  url: present(source.url, 'the URL of an endpoint'),
  event_types: source.event_types,
  signing_secret_version: source.signing_secret_version,
  signing_secret_rotated_at: source.signing_secret_rotated_at,
  previous_secret_expires_at: source.previous_secret_expires_at,
  signature_scheme: SIGNATURE_SCHEME,
})

export const selectEndpoints = (workspace: string, keys: KeyIds, page: Page): Sql<StoredEndpoint> =>
  sql<StoredEndpoint>`
    select ${endpointColumns(workspace)} from webhook_endpoints e
    where e.workspace_id = ${workspace} and ${isOfKey('e.key_id', keys)} ${page.clause}`

/** An endpoint of this key. Endpoints of other keys are not found. */
export const endpointById = (workspace: string, keys: KeyIds, id: string, lock?: 'for update'): Sql<StoredEndpoint> =>
  sql<StoredEndpoint>`
    select ${endpointColumns(workspace)} from webhook_endpoints e
    where e.workspace_id = ${workspace} and ${isOfKey('e.key_id', keys)} and e.id = ${id}::uuid
    ${lock ? sql`for no key update of e` : none}`

/** What endpoints are derived from. */
export const selectSourceEndpoint = (workspace: string, id: string): Sql<StoredEndpoint> =>
  sql<StoredEndpoint>`
    select ${endpointColumns(workspace)} from webhook_endpoints e
    where e.workspace_id = ${workspace} and e.id = ${id}::uuid and e.url is not null`

export type OwnedEndpoint = StoredEndpoint & { url: string; waiting: number }

/** The endpoints of a workspace, or the given one; enabled ones first. Derived ones belong to the app that is installed. */
export const endpointsOfWorkspace = (workspace: string, id?: string): Sql<OwnedEndpoint> =>
  sql<OwnedEndpoint>`
    select ${endpointColumns(workspace)},
      (select count(*) from webhook_deliveries d where d.workspace_id = ${workspace} and d.endpoint_id = e.id
        and d.status in ('pending', 'retrying'))
      + (select count(*) from webhook_handovers h where h.workspace_id = ${workspace} and h.endpoint_id = e.id) as waiting
    from webhook_endpoints e
    where e.workspace_id = ${workspace} and e.source_id is null
      ${id === undefined ? none : sql`and e.id = ${id}::uuid`}
    order by e.enabled desc, e.created_at desc, e.id limit 1000`

/** Serializes creating and enabling endpoints of a key, and its revocation, so that the limits are exact. */
export const lockKey = (keyId: string) =>
  sql<{ revoked: boolean }>`
    select revoked_at is not null as revoked from api_keys where id = ${keyId} for no key update`

/** Serializes creating and enabling endpoints of a workspace. */
export const lockWebhookSettings = (workspace: string) =>
  sql<{ webhooks_self_serve: boolean }>`
    select webhooks_self_serve from workspace_settings where workspace_id = ${workspace} for no key update`

export const countEndpoints = (workspace: string, keyId: string) =>
  sql<{ of_key: number; enabled_of_key: number; enabled_of_workspace: number }>`
    select
      (select count(*) from webhook_endpoints where key_id = ${keyId}) as of_key,
      (select count(*) from webhook_endpoints where key_id = ${keyId} and enabled) as enabled_of_key,
      (select count(*) from webhook_endpoints
        where workspace_id = ${workspace} and enabled and source_id is null) as enabled_of_workspace`

export const endpointWithUrl = (workspace: string, keyId: string, url: string) =>
  sql<{ id: string }>`
    select id from webhook_endpoints where workspace_id = ${workspace} and key_id = ${keyId} and url = ${url}`

export const insertEndpoint = (e: {
  workspace: string
  keyId: string
  id: string
  url: string
  description: string | null
  eventTypes: readonly string[]
}) => sql`
  insert into webhook_endpoints (workspace_id, id, key_id, url, description, event_types)
  values (${e.workspace}, ${e.id}::uuid, ${e.keyId}, ${e.url}, ${e.description}, ${e.eventTypes}::text[])`

export const updateEndpoint = (
  workspace: string,
  id: string,
  to: { url: string; description: string | null; eventTypes: readonly string[] },
) => sql`
  update webhook_endpoints
  set url = ${to.url}, description = ${to.description}, event_types = ${to.eventTypes}::text[]
  where workspace_id = ${workspace} and id = ${id}::uuid`

export const insertSecret = (workspace: string, id: string, version: number, sealed: Buffer) => sql`
  insert into webhook_secrets (workspace_id, endpoint_id, version, sealed)
  values (${workspace}, ${id}::uuid, ${version}::integer, ${sealed})`

/** The current secret expires after the overlap. An older one expires now, so that at most two secrets sign. */
export const expireSigningSecrets = (workspace: string, id: string, overlapSeconds: number) => sql`
  with gone as (
    delete from webhook_secrets where workspace_id = ${workspace} and endpoint_id = ${id}::uuid
      and (expires_at is not null or ${overlapSeconds}::integer = 0)
  ), ending as (
    update webhook_secrets set expires_at = app_now() + ${overlapSeconds}::integer * interval '1 second'
    where workspace_id = ${workspace} and endpoint_id = ${id}::uuid and expires_at is null
      and ${overlapSeconds}::integer > 0
  )
  update webhook_endpoints
  set signing_secret_version = signing_secret_version + 1, signing_secret_rotated_at = app_now()
  where workspace_id = ${workspace} and id = ${id}::uuid`

export const markEnabled = (workspace: string, id: string) => sql`
  update webhook_endpoints
  set enabled = true, disabled_at = null, disabled_reason = null, consecutive_failures = 0, first_failure_at = null
  where workspace_id = ${workspace} and id = ${id}::uuid`

export const markDisabled = (workspace: string, id: string, reason: 'manual') => sql`
  update webhook_endpoints set enabled = false, disabled_at = app_now(), disabled_reason = ${reason}
  where workspace_id = ${workspace} and id = ${id}::uuid and enabled`

export interface EndpointKey {
  workspace_id: string
  id: string
}

export const enabledOfKey = (keyId: string): Sql<EndpointKey> =>
  sql<EndpointKey>`select workspace_id, id from webhook_endpoints where key_id = ${keyId} and enabled`

export const keysOfWorkspace = (workspace: string) =>
  sql<{ id: string }>`select id from api_keys where workspace_id = ${workspace}`

/** The endpoints of a workspace, and those of its keys in others. */
export const enabledOfWorkspace = (workspace: string, keyIds: readonly string[]): Sql<EndpointKey> =>
  sql<EndpointKey>`
    select workspace_id, id from webhook_endpoints
    where enabled and (workspace_id = ${workspace} or key_id = any(${keyIds}::text[]))`

/**
 * An expired key can read nothing, so nothing may be sent for it either; nor for a workspace that is closed, whose last
 * requests may have registered an endpoint.
 */
export const enabledOfExpiredKeys = (): Sql<EndpointKey> =>
  sql<EndpointKey>`
    with enabled as materialized (
      select e.workspace_id, e.id, e.key_id from webhook_endpoints e where e.enabled
    )
    select e.workspace_id, e.id from enabled e join api_keys k on k.id = e.key_id
    where k.expires_at <= app_now() or e.workspace_id in (
      select d.workspace_id from workspace_deletions d where d.completed_at is null)`

/** Returns those that were enabled. */
export const disableForKey = (part: Partition<EndpointKey>): Sql<EndpointKey> =>
  sql<EndpointKey>`
    with locked as materialized (
      select e.workspace_id, e.id
      from unnest(${part.rows.map(e => e.workspace_id)}::text[], ${part.rows.map(e => e.id)}::uuid[])
        as o (workspace_id, id)
      join webhook_endpoints e on e.workspace_id = o.workspace_id and e.id = o.id
      where e.enabled ${ofWorkspace(part, 'e.workspace_id')}
      ${IN_ORDER}
    )
    update webhook_endpoints e set enabled = false, disabled_at = app_now(), disabled_reason = 'key_revoked'
    from locked l where e.workspace_id = l.workspace_id and e.id = l.id ${ofWorkspace(part, 'e.workspace_id')}
    returning e.workspace_id, e.id`

export const suspendedAmong = (ids: readonly string[]): Sql<EndpointKey> =>
  sql<EndpointKey>`
    with suspended as materialized (
      select e.workspace_id, e.id, e.key_id from webhook_endpoints e
      where e.id = any(${ids}::uuid[]) and e.disabled_reason = 'key_revoked'
    )
    select e.workspace_id, e.id from suspended e left join api_keys k on k.id = e.key_id
    left join connected_apps a on a.credential_id = e.key_id
    where a.id is not null or k.id is not null and k.revoked_at is null and k.suspended_at is null
      and (k.expires_at is null or k.expires_at > app_now())`

export const enableSuspended = ({ workspace_id, id }: EndpointKey) => sql`
  update webhook_endpoints set enabled = true, disabled_at = null, disabled_reason = null
  where workspace_id = ${workspace_id} and id = ${id}::uuid and disabled_reason = 'key_revoked'`
