import { hasVendorAlone, vendorIdOfKey } from '../../kernel/access/vendor.ts'
import { sha256 } from '../../kernel/crypto/signing.ts'
import { LOCKS } from '../../kernel/db/locks.ts'
import { none, type Sql, sql } from '../../kernel/db/sql.ts'
import type { Row } from '../../kernel/http/shape.ts'
import type { acknowledgementShape, suppressionShape } from './shape.ts'

export interface Identifier {
  kind: 'email' | 'linkedin_url'
  /** normalized: emailKey or linkedinKey */
  key: string
}

/**
 * Taken by everything that may store a person, in its transaction, before any row is locked and before it reads the
 * suppression list. A suppression takes the lock exclusively: it waits for transactions that have read the list already,
 * and later ones read it with the new entries. So no suppressed person is stored in between.
 */
export const lockSuppressionsShared = () => sql`select pg_advisory_xact_lock_shared(${LOCKS.suppressions})`

/**
 * The same for a write that is left out rather than delayed: false while a suppression has or awaits the lock. The list
 * is read by a later statement, whose snapshot is newer than the lock.
 */
export const tryLockSuppressionsShared = () =>
  sql<{ locked: boolean }>`select pg_try_advisory_xact_lock_shared(${LOCKS.suppressions}) as locked`

/** For this transaction. Those who come later wait behind it, so it is asked for with a limit (erasures/actions.ts). */
export const lockSuppressionsExclusive = () => sql`select pg_advisory_xact_lock(${LOCKS.suppressions})`

/** Where a suppression applies: everywhere, in the shared pool alone, or in the workspace with this handle. */
export type SuppressionScope = 'installation' | 'pool' | (string & {})

/**
 * Which of these identifiers belong to people who were erased or asked that processing stop, in this workspace or in the
 * whole installation. null is the shared pool. What another workspace alone suppressed does not count here.
 */
export const suppressedAmong = (workspace: string | null, identifiers: readonly Identifier[]): Sql<{ place: number }> =>
  sql<{ place: number }>`
    select i.place::integer - 1 as place
    from unnest(${identifiers.map(i => i.kind)}::text[], ${identifiers.map(i => sha256(i.key))}::bytea[])
      with ordinality as i (kind, sha256, place)
    where exists (select from suppressed_identifiers s where s.reach in ('installation', ${workspace ?? 'pool'})
      and s.kind = i.kind and s.sha256 = i.sha256)`

/** Records that belong to a person and lead to more about them. */
export type PersonRecord = 'application' | 'applicant' | 'sourced_profile'

const STOPPED: Readonly<Record<PersonRecord, (workspace: string) => Sql>> = {
  applicant: () => sql`select p.suppressed_at is not null as stopped from applicants p`,
  sourced_profile: () => sql`select p.suppressed_at is not null as stopped from sourced_profiles p`,
  // the applicant may be deleted by now
  application: workspace => sql`
    select exists (select from applicants a
      where a.workspace_id = ${workspace} and a.id = p.applicant_id and a.suppressed_at is not null) as stopped
    from applications p`,
}

/** Whether processing of the person behind a record was stopped; no row if there is no such record. */
export const selectProcessing = (workspace: string, record: PersonRecord, id: string): Sql<{ stopped: boolean }> =>
  sql<{ stopped: boolean }>`${STOPPED[record](workspace)} where p.workspace_id = ${workspace} and p.id = ${id}`

export interface ExternalId {
  /** empty for the shared pool */
  workspace: string
  object: 'applicant' | 'sourced_profile' | 'pool_profile'
  /** as the other system calls the person; of applicants `<system> <id>` */
  id: string
}

/** Which of these names of other systems belong to suppressed people. */
export const suppressedExternalIds = (ids: readonly ExternalId[]): Sql<{ place: number }> =>
  sql<{ place: number }>`
    select i.place::integer - 1 as place
    from unnest(${ids.map(i => i.workspace)}::text[], ${ids.map(i => i.object)}::text[],
      ${ids.map(i => sha256(i.id))}::bytea[]) with ordinality as i (workspace_id, object, sha256, place)
    where exists (select from suppressed_external_ids s
      where s.workspace_id = i.workspace_id and s.object = i.object and s.sha256 = i.sha256)`

export type SuppressionRow = Row<typeof suppressionShape>

/**
 * The identifiers of suppression `s` that a workspace sees: its own suppression's, and of a wider one those that
 * its records or the pool's carried, never what only others knew. Entries from before this was noted show all of them
 * where no other workspace held the person, and none elsewhere.
 */
const identifiersSeenBy = (workspace: string) => sql`
  (select coalesce(json_agg(json_build_object('kind', i.kind, 'algorithm', 'sha256', 'value', encode(i.sha256, 'hex'))
      order by i.kind, i.sha256), '[]')
    from suppressed_identifiers i where i.suppression_id = s.id and (s.reach = ${workspace} or exists (
      select from workspace_suppressions e
      where e.suppression_id = s.id and (e.workspace_id = ${workspace} or e.workspace_id is null)
        and case when e.identifiers is not null then e.identifiers ? encode(i.sha256, 'hex')
          else e.workspace_id is not null and not exists (select from workspace_suppressions o
            where o.suppression_id = s.id and o.workspace_id <> e.workspace_id) end)))`

/** The subjects of an entry without the vendors that are noted with orders; only its own orders for a `vendor`. */
const shownSubjects = (subjects: Sql, vendor: string | undefined) => sql`
  coalesce((select jsonb_agg(e.subject - 'vendor_id' order by e.place)
    from jsonb_array_elements(${subjects}) with ordinality as e (subject, place)
    ${vendor === undefined ? none : sql`where e.subject ->> 'vendor_id' = ${vendor}`}), '[]')`

/** Only entries of the log `l` that name an order of the vendor, if one is given. */
const namesOrdersOf = (workspace: string, vendor: string | undefined): Sql =>
  vendor === undefined
    ? none
    : sql`and exists (select from workspace_suppressions h where h.suppression_id = l.suppression_id
        and h.workspace_id = ${workspace} and h.subjects @> ${JSON.stringify([{ vendor_id: vendor }])}::jsonb)`

/**
 * Entries of a workspace after a number, oldest first. What concerns the shared pool belongs to no workspace and is
 * every one's: it is part of the workspace's own entry where there is one, and an entry of its own where there is none.
 * A `vendor` sees what names orders of its own, and no identifiers.
 */
export const suppressionLog = (
  workspace: string,
  after: number,
  limit: number,
  vendor: string | undefined,
): Sql<SuppressionRow> =>
  sql<SuppressionRow>`
    select l.sequence, s.id, s.status, s.reason, s.applied_at, s.delete_by, s.completed_at,
      ${shownSubjects(sql`own.subjects`, vendor)} || ${shownSubjects(sql`pool.subjects`, vendor)} as subjects,
      ${vendor === undefined ? identifiersSeenBy(workspace) : sql`'[]'::json`} as identifiers
    from suppression_log l
    join suppressions s on s.id = l.suppression_id
    left join workspace_suppressions own on own.suppression_id = l.suppression_id and own.workspace_id = ${workspace}
    left join workspace_suppressions pool on pool.suppression_id = l.suppression_id and pool.workspace_id is null
    where l.workspace_id = ${workspace} and l.sequence > ${after}::bigint ${namesOrdersOf(workspace, vendor)}
    order by l.sequence limit ${limit}`

export const lastSuppression = (workspace: string, vendor: string | undefined) =>
  sql<{ sequence: number }>`
    select coalesce(max(l.sequence), 0) as sequence from suppression_log l
    where l.workspace_id = ${workspace} ${namesOrdersOf(workspace, vendor)}`

/** What is retained of one suppression: the handles that the workspace held, and hashes of the identifiers. */
export const suppressionById = (workspace: string, id: string): Sql<Pick<SuppressionRow, 'subjects' | 'identifiers'>> =>
  sql<Pick<SuppressionRow, 'subjects' | 'identifiers'>>`
    select coalesce((select jsonb_agg(subject - 'vendor_id') from workspace_suppressions w, jsonb_array_elements(w.subjects) as subject
        where w.suppression_id = s.id and (w.workspace_id = ${workspace} or w.workspace_id is null)), '[]') as subjects,
      ${identifiersSeenBy(workspace)} as identifiers
    from suppressions s where s.id = ${id}`

/** Whether a suppression is in the workspace's log, as a vendor without other rights sees it. */
export const concerns = (workspace: string, id: string, vendor: string | undefined) =>
  sql`
    select 1 from suppression_log l
    where l.workspace_id = ${workspace} and l.suppression_id = ${id} ${namesOrdersOf(workspace, vendor)}`

/** Who carried orders out: noted with the notice, since it outlives them. */
export const vendorsOfOrders = (workspace: string, orders: readonly string[]) =>
  sql<{ id: string; vendor_id: string }>`
    select id, vendor_id from orders where workspace_id = ${workspace} and id = any(${orders}::text[])`

export type AcknowledgementRow = Row<typeof acknowledgementShape>

/** The same again changes nothing; another time corrects the one before. */
export const putAcknowledgement = (
  workspace: string,
  id: string,
  keyId: string,
  deletedAt: string,
): Sql<AcknowledgementRow> =>
  sql<AcknowledgementRow>`
    insert into suppression_acknowledgements as a (workspace_id, suppression_id, key_id, deleted_at)
    values (${workspace}, ${id}, ${keyId}, ${deletedAt}::timestamptz)
    on conflict (workspace_id, suppression_id, key_id) do update set deleted_at = excluded.deleted_at,
      acknowledged_at = case when a.deleted_at = excluded.deleted_at then a.acknowledged_at
        else excluded.acknowledged_at end
    returning suppression_id, workspace_id, deleted_at, acknowledged_at`

export interface KeyAcknowledgement {
  key_id: string
  key_name: string | null
  deleted_at: string
  acknowledged_at: string
}

/** For the console: which keys of a workspace confirmed that their copies are deleted. */
export const selectAcknowledgements = (workspace: string, suppressionId: string): Sql<KeyAcknowledgement> =>
  sql<KeyAcknowledgement>`
    select a.key_id, k.name as key_name, a.deleted_at, a.acknowledged_at
    from suppression_acknowledgements a left join api_keys k on k.id = a.key_id
    where a.workspace_id = ${workspace} and a.suppression_id = ${suppressionId}
    order by a.acknowledged_at, a.key_id`

/**
 * Whether key `k` may have copies of the person of suppression `s` and has not confirmed that it deleted them. It can
 * confirm it, which a vendor without other rights can if the person had one of its orders, it made a call or `hasEndpoint`, which is sent events, and it is older than the erasure. Endpoints are not
 * where keys are when the store is a cluster, so the caller has read them.
 */
export const owesConfirmation = (workspace: Sql | string, hasEndpoint: Sql): Sql => sql`
  k.revoked_at is null and (k.expires_at is null or k.expires_at > app_now()) and k.user_id is not null
    and 'events:read' = any(k.scopes)
    and (s.status <> 'erased' or s.completed_at is null or k.created_at <= s.completed_at)
    and exists (select from workspace_suppressions h where h.suppression_id = s.id and h.subjects <> '[]'
      and (not ${hasVendorAlone('k')}
        or h.subjects @> jsonb_build_array(jsonb_build_object('vendor_id', ${vendorIdOfKey('k')})))
      and (h.workspace_id = ${workspace} or h.workspace_id is null))
    and not exists (select from suppression_acknowledgements y
      where y.workspace_id = ${workspace} and y.suppression_id = s.id and y.key_id = k.id)
    and (
      exists (select from api_key_secrets x
        where x.workspace_id = ${workspace} and x.key_id = k.id and x.last_used_at is not null)
      or exists (select from request_stats x where x.workspace_id = ${workspace} and x.key_id = k.id)
      or ${hasEndpoint})`

export const keysWithEndpoints = (workspace: string) =>
  sql<{ key_id: string }>`select distinct key_id from webhook_endpoints where workspace_id = ${workspace}`

/** Finds the keys of a workspace that owe a confirmation of these suppressions. */
export const unconfirmed = (workspace: string, ids: readonly string[], withEndpoints: readonly string[]) =>
  sql<{ suppression_id: string; id: string; name: string }>`
    select s.id as suppression_id, k.id, k.name from suppressions s, api_keys k
    where s.id = any(${ids}::uuid[]) and k.workspace_id = ${workspace}
      and ${owesConfirmation(workspace, sql`k.id = any(${withEndpoints}::text[])`)}
    order by k.created_at desc, k.id desc`
