import { raw, type Sql, sql } from '../../kernel/db/sql.ts'
import { objectAsTail, tailAsObject } from '../../kernel/feed/envelope.ts'
import type { Identifier, SuppressionScope } from '../suppressions/index.ts'
import type { Reason } from '../suppressions/shape.ts'
import type { ErasureTarget, StoredSubject } from './rules.ts'

export interface OpenErasure {
  id: string
  suppression_id: string
  reach: SuppressionScope
  reason: Reason
  identifiers: Identifier[]
  completed: boolean
}

/** Locks an erasure for one step. Rows that refer to it can still be added. */
export const lockErasure = (id: string): Sql<OpenErasure> =>
  sql<OpenErasure>`
    select e.id, e.suppression_id, s.reach, s.reason, e.identifiers, e.completed_at is not null as completed
    from erasures e join suppressions s on s.id = e.suppression_id where e.id = ${id} for no key update of e`

/** First records, then what they leave behind in a workspace, then files. */
const ORDER = [
  'applicant',
  'sourced_profile',
  'pool_profile',
  'application',
  'resume',
  'person',
  'workspace',
  'file',
  'folder',
  'message',
]

export const nextTarget = (erasureId: string): Sql<ErasureTarget> =>
  sql<ErasureTarget>`
    select object, id, workspace_id as workspace from erasure_targets
    where erasure_id = ${erasureId} and done_at is null
    order by array_position(${ORDER}::text[], object), id limit 1`

export const poolProfilesIn = (erasureId: string) =>
  sql<{ id: string }>`select id from erasure_targets where erasure_id = ${erasureId} and object = 'pool_profile'`

export const markDone = (erasureId: string, target: Pick<ErasureTarget, 'object' | 'id'>) => sql`
  update erasure_targets set done_at = app_now()
  where erasure_id = ${erasureId} and object = ${target.object} and id = ${target.id}`

export const applicantExists = (workspace: string, id: string) =>
  sql`select 1 from applicants where workspace_id = ${workspace} and id = ${id} for update`

export const profileExists = (workspace: string, id: string) =>
  sql`select 1 from sourced_profiles where workspace_id = ${workspace} and id = ${id} for update`

/** Emails of the careers site have the id of their row, with this before it (candidates/rules.ts). */
const CANDIDATE_MAIL = 'candidate-'
/** The same of invitations to interviewers, which can name the candidate. */
const TEAM_MAIL = 'team-'

/** Locked until the transaction ends: nothing is ordered for them. */
export const lockApplicationsOfApplicant = (workspace: string, applicant: string) => sql`
  select id from applications where workspace_id = ${workspace} and applicant_id = ${applicant} order by id for update`

/** Locked until the transaction ends: no vendor sends a report. */
export const lockOrdersOfApplicant = (workspace: string, applicant: string) => sql`
  select o.id from orders o join applications a on a.workspace_id = ${workspace} and a.id = o.application_id
  where o.workspace_id = ${workspace} and a.applicant_id = ${applicant} order by o.id for update of o`

/**
 * What is deleted with an applicant, by handle, and the files that must still be removed. Call it after the two locks: a
 * statement that waits for a lock does not see what was stored while it waited.
 */
export const ownedByApplicant = (workspace: string, id: string): Sql<ErasureTarget> =>
  sql<ErasureTarget>`
    with theirs as (
      select id from applications where workspace_id = ${workspace} and applicant_id = ${id}
    ), ordered as materialized (
      select o.id from theirs t join orders o on o.workspace_id = ${workspace} and o.application_id = t.id
    ), owned as (
      select 'application' as object, id::text from theirs
      union all select 'resume', r.id from theirs t
        join resumes r on r.workspace_id = ${workspace} and r.application_id = t.id
      union all select 'file', r.blob_key from theirs t
        join resumes r on r.workspace_id = ${workspace} and r.application_id = t.id
      union all select 'file', f.blob_key from theirs t
        join application_files f on f.workspace_id = ${workspace} and f.application_id = t.id
      union all select 'file', f ->> 'blob_key' from theirs t
        join pending_submissions s on s.workspace_id = ${workspace} and s.application_id = t.id,
        jsonb_array_elements(s.files) f
      union all select 'upload', u.id from theirs t
        join uploads u on u.workspace_id = ${workspace} and u.application_id = t.id
      union all select 'order', id from ordered
      union all select 'file', r.blob_key from ordered o
        join order_reports r on r.workspace_id = ${workspace} and r.order_id = o.id
      union all select 'upload', u.id from ordered o
        join uploads u on u.workspace_id = ${workspace} and u.order_id = o.id
      union all select 'file', u.blob_key from ordered o
        join uploads u on u.workspace_id = ${workspace} and u.order_id = o.id
      union all select 'message', m.id from messages m where m.workspace_id = ${workspace} and m.applicant_id = ${id}
      union all select 'message', ${CANDIDATE_MAIL}::text || m.id::text from candidate_mails m
        where m.workspace_id = ${workspace} and m.applicant_id = ${id}
      union all select 'message', ${TEAM_MAIL}::text || m.id::text from theirs t
        join team_mails m on m.workspace_id = ${workspace} and m.application_id = t.id and m.kind = 'interview'
    )
    select object, id, ${workspace}::text as workspace from owned`

export const ownedByProfile = (workspace: string, id: string): Sql<ErasureTarget> =>
  sql<ErasureTarget>`
    select 'file' as object, blob_key as id, ${workspace}::text as workspace from attachments
    where workspace_id = ${workspace} and profile_id = ${id}
    union all
    select 'list_membership', id, ${workspace} from list_memberships
    where workspace_id = ${workspace} and sourced_profile_id = ${id}`

/**
 * What another erasure, which deleted this record, has not removed yet. The record no longer leads to it, so this
 * erasure removes it too: neither of the two completes before it is removed.
 */
export const leftByOthers = (
  erasureId: string,
  record: ErasureTarget,
  objects: readonly string[],
): Sql<ErasureTarget> =>
  sql<ErasureTarget>`
    select distinct t.object, t.id, t.workspace_id as workspace
    from erasures e
    join erasure_targets r on r.erasure_id = e.id and r.object = ${record.object} and r.id = ${record.id}
    join erasure_targets t on t.erasure_id = e.id and t.done_at is null and t.object = any(${objects}::text[])
    where e.completed_at is null and e.id <> ${erasureId} and t.workspace_id = ${record.workspace}`

export const dropIdentity = (workspace: string, personId: string) => sql`
  delete from identities where workspace_id = ${workspace} and person_id = ${personId}`

export const targetIds = (erasureId: string, workspace: string): Sql<StoredSubject> =>
  sql<StoredSubject>`
    select object, id from erasure_targets
    where erasure_id = ${erasureId} and workspace_id = ${workspace} and object not in ('workspace', 'file', 'folder')`

/** A position in the scan of a workspace's idempotency records. */
export interface RecordCursor {
  key_id: string
  method: string
  path: string
  idempotency_key: string
}

/**
 * Deletes stored idempotent responses that contain the handle of one of the records: they may show data of the person.
 * A busy workspace has hundreds of thousands, and every text is searched, so a statement scans only the next `most`.
 * Returns the last one scanned; no row at the end.
 */
export const dropIdempotencyRecords = (
  workspace: string,
  handles: readonly string[],
  after: RecordCursor,
  most: number,
): Sql<RecordCursor> =>
  sql<RecordCursor>`
    with looked as materialized (
      select key_id, method, path, idempotency_key, body from idempotency_records
      where workspace_id = ${workspace} and (key_id, method, path, idempotency_key)
        > (${after.key_id}, ${after.method}, ${after.path}, ${after.idempotency_key})
      order by key_id, method, path, idempotency_key limit ${most}
    ), gone as (
      delete from idempotency_records r using looked l
      where r.workspace_id = ${workspace} and r.key_id = l.key_id and r.method = l.method and r.path = l.path
        and r.idempotency_key = l.idempotency_key and exists (
          select from unnest(${handles}::text[]) as h (id) where strpos(l.path, h.id) > 0 or strpos(l.body, h.id) > 0)
    )
    select key_id, method, path, idempotency_key from looked
    order by key_id desc, method desc, path desc, idempotency_key desc limit 1`

const MEMBER_EVENTS = ['list_membership.added', 'list_membership.stage_changed']

export interface StoredEventText {
  id: number
  text: string
}

/** Membership events of these profiles that have no sequence yet, as whole JSON objects. */
export const selectOutboxTexts = (workspace: string, profiles: readonly string[]): Sql<StoredEventText> =>
  sql<StoredEventText>`
    select id, ${tailAsObject} as text from outbox o
    where workspace_id = ${workspace} and type = any(${MEMBER_EVENTS}::text[])
      and exists (select from unnest(${profiles}::text[]) as p (id) where strpos(o.tail, p.id) > 0)
    for update`

export const rewriteOutbox = (workspace: string, id: number, text: string) => sql`
  update outbox set tail = ${objectAsTail(text)} where workspace_id = ${workspace} and id = ${id}`

/** The same among the next events of the feed, and the last one scanned; no row at the end. */
export const eventsAbout = (workspace: string, profiles: readonly string[], after: number, most: number) =>
  sql<{ through: number; found: StoredEventText[] }>`
    with looked as materialized (
      select sequence, type, body from events where workspace_id = ${workspace} and sequence > ${after}::bigint
      order by sequence limit ${most}
    )
    select max(sequence) as through, coalesce(json_agg(json_build_object('id', sequence, 'text', body))
      filter (where type = any(${MEMBER_EVENTS}::text[])
        and exists (select from unnest(${profiles}::text[]) as p (id) where strpos(body, p.id) > 0)), '[]') as found
    from looked having count(*) > 0`

export const rewriteEvent = (workspace: string, sequence: number, text: string) => sql`
  update events set body = ${text} where workspace_id = ${workspace} and sequence = ${sequence}::bigint`

/**
 * The longest time that sending an email takes. After that its result is unknown, and no process writes it any more.
 */
const SENDING_SECONDS = 60

export const beingSent = (workspace: string, id: string) => sql`
  select 1 from messages where workspace_id = ${workspace} and id = ${id} and status = 'sending'
    and coalesce(claimed_at, created_at) > app_now() - ${SENDING_SECONDS}::integer * interval '1 second'
  union all select 1 from candidate_mails
  where workspace_id = ${workspace} and ${CANDIDATE_MAIL}::text || id::text = ${id} and leased_until > app_now()`

/** The row of an email of the careers site, of which no copy is left. */
export const dropCandidateMail = (workspace: string, id: string) => sql`
  delete from candidate_mails where workspace_id = ${workspace} and ${CANDIDATE_MAIL}::text || id::text = ${id}`

/** Links that were requested for one of the addresses and not mailed yet. */
export const dropLinkRequests = (emails: readonly string[], reach: SuppressionScope) => sql`
  delete from candidate_mails where applicant_id is null and address = any(${emails}::text[])
    and (${reach} = 'installation' or workspace_id = ${reach})`

/** Emails to one of the addresses, in the mailboxes of test workspaces. */
export const dropCaptured = (emails: readonly string[], reach: SuppressionScope) => sql`
  delete from test_mails
  where to_key = any(${emails}::text[]) and (${reach} = 'installation' or workspace_id = ${reach})`

/** Folders of exports that were just queued for deletion: they contain data of the person. */
export const copiesToDelete = (workspace: string): Sql<ErasureTarget> =>
  sql<ErasureTarget>`
    select 'folder' as object, blob_key as id, ${workspace}::text as workspace from file_deletions
    where workspace_id = ${workspace} and starts_with(blob_key, 'exports/' || ${workspace}::text || '/')`

/** The same, as a process of an earlier release noted them. */
export const earlierCopiesToDelete = (workspace: string): Sql<ErasureTarget> =>
  sql<ErasureTarget>`
    select 'folder' as object, blob_key as id, ${workspace}::text as workspace from blob_deletions
    where starts_with(blob_key, 'exports/' || ${workspace}::text || '/')`

export const dropFileNote = (workspace: string, blobKey: string) => sql`
  delete from file_deletions where workspace_id = ${workspace} and blob_key = ${blobKey}`

export const dropIdentities = (identifiers: readonly Identifier[], reach: SuppressionScope) => sql`
  delete from identities i
  using unnest(${identifiers.map(i => i.kind)}::text[], ${identifiers.map(i => i.key)}::text[]) as w (kind, value)
  where i.kind = w.kind and i.value = w.value and (${reach} = 'installation' or i.workspace_id = ${reach})`

export const dropUnsubscribes = (emails: readonly string[], reach: SuppressionScope) =>
  sql`
    delete from unsubscribes
    where email_key = any(${emails}::text[]) and (${reach} = 'installation' or workspace_id = ${reach})`

export const completeErasure = (id: string) => sql`
  update erasures set completed_at = app_now(), identifiers = null where id = ${id}`

export interface CompletedEntry {
  suppression_id: string
  workspace: string | null
  subjects: StoredSubject[]
  reason: Reason
  delete_by: string
  completed_at: string
}

/**
 * Completes this suppression, and earlier ones within its reach that concern no one else: a person whose processing was
 * stopped before is now erased. Returns the entries of the workspaces that must be notified.
 */
export const completeSuppressions = (suppressionId: string, reach: SuppressionScope): Sql<CompletedEntry> =>
  sql<CompletedEntry>`
    with ended as (
      update suppressions s set status = 'erased', completed_at = app_now()
      where s.status = 'suppressed' and (${reach} = 'installation' or s.reach = ${reach})
        and (s.id = ${suppressionId} or (s.reason = 'stop_processing' and s.id in (
        select suppression_id from suppressed_identifiers) and not exists (
        select from suppressed_identifiers i where i.suppression_id = s.id and not exists (
          select from suppressed_identifiers mine
          where mine.suppression_id = ${suppressionId} and mine.kind = i.kind and mine.sha256 = i.sha256))))
      returning id, reason, delete_by, completed_at
    )
    select e.id as suppression_id, w.workspace_id as workspace, w.subjects, e.reason, e.delete_by, e.completed_at
    from ended e join workspace_suppressions w on w.suppression_id = e.id
    order by w.sequence`

/** Planner statistics contain samples of values. */
export const analyzeErased = (tables: readonly string[]) => sql`analyze ${raw(tables.join(', '))}`

export const canClearStatistics = () =>
  sql<{ can: boolean }>`select to_regproc('pg_clear_attribute_stats') is not null as can`

/**
 * Clears the statistics of those of the tables, with their index expressions, in which `analyze` found no rows: it leaves
 * their old samples. On a node of a cluster, of their shards. A text, because nodes get it without parameters. Needs
 * PostgreSQL 18.
 */
export const clearStatistics = (tables: readonly string[]): string => `
  select count(pg_clear_attribute_stats(s.schemaname::text, s.tablename::text, s.attname::text, s.inherited))
  from pg_stats s
  join pg_class c on c.relname = s.tablename and c.relnamespace = s.schemaname::text::regnamespace
  left join pg_index i on i.indexrelid = c.oid
  join pg_class t on t.oid = coalesce(i.indrelid, c.oid)
  where s.schemaname = current_schema() and t.reltuples = 0 and t.relname ~ '^(${tables.join('|')})(_[0-9]+)?$'`
