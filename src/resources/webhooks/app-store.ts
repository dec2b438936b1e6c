import type { Scope } from '../../contract/scopes.ts'
import { ofWorkspace, type Partition } from '../../kernel/db/partitions.ts'
import { type Sql, sql } from '../../kernel/db/sql.ts'
import { type EventText, stampedHead } from '../../kernel/feed/envelope.ts'
import { UNLISTED_SEQUENCE } from './delivery-store.ts'
import { type EndpointKey, IN_ORDER } from './endpoint-store.ts'

/** A row of an app in its home, from which endpoints of installations are derived. */
export interface EndpointSource {
  workspace_id: string
  id: string
}

export const insertDerived = (e: { workspace: string; id: string; keyId: string; source: EndpointSource }) => sql`
  insert into webhook_endpoints (workspace_id, id, key_id, event_types, source_workspace_id, source_id)
  values (${e.workspace}, ${e.id}::uuid, ${e.keyId}, '{}', ${e.source.workspace_id}, ${e.source.id}::uuid)`

/** The derived endpoint of a key; one that was disabled with the key is enabled. Locks it. */
export const moveDerived = (workspace: string, from: string, to: string): Sql<EndpointKey> =>
  sql<EndpointKey>`
    update webhook_endpoints set key_id = ${to}, enabled = enabled or disabled_reason = 'key_revoked',
      disabled_at = case when disabled_reason = 'key_revoked' then null else disabled_at end,
      disabled_reason = nullif(disabled_reason, 'key_revoked')
    where workspace_id = ${workspace} and key_id = ${from} and source_id is not null
    returning workspace_id, id`

/** The sequencer, which reads endpoints under this lock, creates no delivery for the key of before after it. */
export const lockLog = (workspace: string) => sql`
  select 1 from event_logs where workspace_id = ${workspace} for update`

export const moveDeliveries = ({ workspace_id, id }: EndpointKey, to: string) => sql`
  update webhook_deliveries set key_id = ${to}
  where workspace_id = ${workspace_id} and endpoint_id = ${id}::uuid and status in ('pending', 'retrying')`

export const moveHandOvers = ({ workspace_id, id }: EndpointKey, to: string) => sql`
  update webhook_handovers set key_id = ${to} where workspace_id = ${workspace_id} and endpoint_id = ${id}::uuid`

/** Derived endpoints that were disabled with this key. */
export const suspendedOfKey = (workspace: string, keyId: string) =>
  sql<{ id: string }>`
    select id from webhook_endpoints
    where workspace_id = ${workspace} and key_id = ${keyId} and source_id is not null and disabled_reason = 'key_revoked'`

/** The endpoints of all installations that are derived from it. */
export const derivedFrom = (source: string): Sql<EndpointKey> =>
  sql<EndpointKey>`select workspace_id, id from webhook_endpoints where source_id = ${source}::uuid`

/** Enables those that were disabled because their receiver did not respond. */
export const enableUnreachable = (part: Partition<EndpointKey>) => sql`
  with locked as materialized (
    select e.workspace_id, e.id
    from unnest(${part.rows.map(e => e.workspace_id)}::text[], ${part.rows.map(e => e.id)}::uuid[])
      as o (workspace_id, id)
    join webhook_endpoints e on e.workspace_id = o.workspace_id and e.id = o.id
    where e.disabled_reason in ('failing', 'gone') ${ofWorkspace(part, 'e.workspace_id')}
    ${IN_ORDER}
  )
  update webhook_endpoints e set enabled = true, disabled_at = null, disabled_reason = null, consecutive_failures = 0,
    first_failure_at = null
  from locked l where e.workspace_id = l.workspace_id and e.id = l.id ${ofWorkspace(part, 'e.workspace_id')}`

export const deleteEndpoint = (source: EndpointSource) => sql`
  delete from webhook_endpoints where workspace_id = ${source.workspace_id} and id = ${source.id}::uuid`

/** The newest installation of an app in a workspace, with all keys it had; without scopes unless its key is valid. */
export const newestInstallation = (workspace: string, app: string) =>
  sql<{ id: string; keys: string[]; scopes: Scope[] }>`
    select i.id, array(
        select x.id::text from api_keys x where x.workspace_id = i.workspace_id and x.installation_id = i.id order by x.id
      ) as keys,
      case when i.ended_at is null and k.revoked_at is null and k.suspended_at is null then k.scopes else '{}' end as scopes
    from installations i join api_keys k on k.workspace_id = i.workspace_id and k.id = i.key_id
    where i.workspace_id = ${workspace} and i.app_id = ${app}::uuid
    order by i.installed_at desc, i.id desc limit 1`

/** Nothing is queued where the app has no URL, or its endpoint is disabled. */
export const insertNotice = (n: {
  source: EndpointSource
  id: string
  eventId: string
  type: string
  text: EventText
}) => sql`
  insert into webhook_deliveries (workspace_id, id, endpoint_id, key_id, event_id, event_type, body, next_attempt_at)
  select e.workspace_id, ${n.id}::uuid, e.id, e.key_id, ${n.eventId}, ${n.type},
    ${stampedHead(n.text.head)} || ${UNLISTED_SEQUENCE} || ${n.text.tail}, app_now()
  from webhook_endpoints e where e.workspace_id = ${n.source.workspace_id} and e.id = ${n.source.id}::uuid and e.enabled`
