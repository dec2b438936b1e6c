import { raw, type Sql, sql, touched } from '../../kernel/db/sql.ts'
import { countWaiting } from '../../kernel/work/queue.ts'
import type { TenantTable } from './rules.ts'

export interface DeletionRow {
  workspace_id: string
  requested_at: string
  /** null: the operator */
  requested_by: string | null
  delete_at: string
  started_at: string | null
  emptied_at: string | null
  completed_at: string | null
  /** deleted rows by table, and files */
  counts: Readonly<Record<string, number>>
}

const DELETION = sql`
  workspace_id, requested_at, requested_by, delete_at, started_at, emptied_at, completed_at, counts`

export interface ClosableWorkspace {
  name: string
  closing_at: string | null
}

export const lockForClosing = (workspace: string): Sql<ClosableWorkspace> =>
  sql<ClosableWorkspace>`select name, closing_at from workspaces where id = ${workspace} for update`

export const markClosing = (workspace: string, closing: boolean) => sql`
  update workspaces set closing_at = case when ${closing}::boolean then app_now() end, updated_at = ${touched()}
  where id = ${workspace}`

export const insertDeletion = (
  workspace: string,
  by: { userId: string | null; graceDays: number; endpoints: readonly string[] },
): Sql<DeletionRow> =>
  sql<DeletionRow>`
    insert into workspace_deletions (workspace_id, requested_by, delete_at, endpoints)
    values (${workspace}, ${by.userId}, app_now() + ${by.graceDays}::integer * interval '1 day',
      ${by.endpoints}::uuid[])
    returning ${DELETION}`

/** A deletion of another copy of this store. */
export type EarlierDeletion = Pick<DeletionRow, 'workspace_id' | 'requested_at' | 'requested_by' | 'delete_at'>

/** At the time that it has there, or at an earlier one that it has here. Its owners got their emails there. */
export const insertRepeated = (d: EarlierDeletion, endpoints: readonly string[]): Sql<DeletionRow> =>
  sql<DeletionRow>`
    insert into workspace_deletions as here (workspace_id, requested_at, requested_by, delete_at, notify_at, endpoints)
    values (${d.workspace_id}, ${d.requested_at}::timestamptz, ${d.requested_by}, ${d.delete_at}::timestamptz, null,
      ${endpoints}::uuid[])
    on conflict (workspace_id) do update set delete_at = least(here.delete_at, excluded.delete_at), notify_at = null
    returning ${DELETION}`

export const hastenDeletion = (workspace: string): Sql<DeletionRow> =>
  sql<DeletionRow>`
    update workspace_deletions set delete_at = least(delete_at, app_now())
    where workspace_id = ${workspace} and completed_at is null returning ${DELETION}`

/** A deletion that has not begun. No row: it began, or there is none. */
export const cancelDeletion = (workspace: string): Sql<{ endpoints: string[] }> =>
  sql<{ endpoints: string[] }>`
    delete from workspace_deletions where workspace_id = ${workspace} and started_at is null returning endpoints`

export const selectDeletion = (workspace: string): Sql<DeletionRow> =>
  sql<DeletionRow>`select ${DELETION} from workspace_deletions where workspace_id = ${workspace}`

export const allDeletions = (): Sql<DeletionRow> =>
  sql<DeletionRow>`select ${DELETION} from workspace_deletions order by requested_at desc, workspace_id limit 1000`

// What stops when a workspace is closed. Keys, tokens, sign-in and pages look at `closing_at` themselves.

export const deleteWorkspaceSessions = (workspace: string) => sql`
  with partners as (
    delete from partner_sessions where secret_hash in (
      select secret_hash from api_key_secrets where workspace_id = ${workspace})
  )
  delete from sessions where workspace_id = ${workspace}`

/**
 * Emails and notifications that wait are put off beyond the deletion, and back by a restore. In UTC: a cluster refuses a
 * change that depends on the time zone of the session.
 */
const moved = (due: string, by: '+' | '-') =>
  raw(`(${due} at time zone 'UTC' ${by} interval '100 years') at time zone 'UTC'`)

const QUEUES = [
  { table: 'candidate_mails', due: 'due_at' },
  { table: 'team_mails', due: 'due_at' },
  { table: 'alert_notifications', due: 'due_at' },
  { table: 'messages', due: 'scheduled_for' },
]

export const putOffQueues = (workspace: string): Sql[] =>
  QUEUES.map(
    ({ table, due }) => sql`
      update ${raw(table)} set ${raw(due)} = ${moved(due, '+')}
      where workspace_id = ${workspace} and ${raw(due)} is not null`,
  )

export const resumeQueues = (workspace: string): Sql[] =>
  QUEUES.map(
    ({ table, due }) => sql`
      update ${raw(table)} set ${raw(due)} = ${moved(due, '-')}
      where workspace_id = ${workspace} and ${raw(due)} > app_now() + interval '50 years'`,
  )

// The tables of workspaces

/** These stay: they say that a workspace was deleted. */
const RETAINED_TABLES = ['workspace_deletions', 'workspace_log']

/** Every table with rows of workspaces, read from the catalogue: a table of a later version is never forgotten. */
export const tenantTables = (): Sql<TenantTable> =>
  sql<TenantTable>`
    select c.relname::text as name,
      array(select a.attname::text
        from pg_index i cross join unnest(i.indkey::smallint[]) with ordinality as k (attnum, n)
        join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
        where i.indrelid = c.oid and i.indisprimary order by k.n) as key,
      array(select distinct r.relname::text from pg_constraint f join pg_class r on r.oid = f.confrelid
        where f.contype = 'f' and f.conrelid = c.oid and f.confrelid <> c.oid) as refers_to
    from pg_class c
    join pg_attribute w on w.attrelid = c.oid and w.attname = 'workspace_id' and not w.attisdropped
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = current_schema()::regnamespace
      and c.relname <> all(${RETAINED_TABLES}::text[])
    order by c.relname`

export const countRows = (table: TenantTable, workspace: string): Sql<{ n: number }> =>
  sql<{ n: number }>`select count(*)::integer as n from ${raw(table.name)} where workspace_id = ${workspace}`

/** A batch costs the same however many rows there are: they are found by an index that begins with the workspace. */
export const deleteRows = (table: TenantTable, workspace: string, size: number): Sql<{ removed: number }> => {
  const [name, key] = [raw(table.name), raw(table.key.join(', '))]
  return sql<{ removed: number }>`
    with removed as (
      delete from ${name} where workspace_id = ${workspace} and (${key}) in (
        select ${key} from ${name} where workspace_id = ${workspace} limit ${size}
      ) returning 1
    )
    select count(*)::integer as removed from removed`
}

/** The ledger of credits refuses every other deletion. */
export const allowLedgerDeletion = () => sql`set local hiring.deleting_workspace = 'on'`

/**
 * What names the workspace in another way. Suppressions that reach the whole installation or another workspace stay, and
 * so does the record of an erasure that asked other workspaces, without the workspace that it was asked in.
 */
export const deleteReferences = (workspace: string): readonly Sql[] => [
  sql`update api_keys set workspace_ids = array_remove(workspace_ids, ${workspace}::text)
    where workspace_ids @> array[${workspace}::text]`,
  ...deleteSuppressionsOfWorkspace(workspace),
  // into the workspace, or into one of its lists
  sql`delete from imports where target = ${workspace} or starts_with(target, ${workspace}::text || ' ')`,
]

/** What was suppressed and erased in this workspace alone. */
export const deleteSuppressionsOfWorkspace = (workspace: string): readonly Sql[] => [
  sql`delete from suppressed_identifiers where reach = ${workspace}`,
  sql`delete from erasures e using suppressions s where s.id = e.suppression_id and s.reach = ${workspace}
    and not exists (select from erasure_requests r where r.erasure_id = e.id)
    and not exists (select from erasure_inquiries i where i.erasure_id = e.id)`,
  sql`update erasures set asked_in = null where asked_in = ${workspace}`,
  // its records are gone; one that reaches other workspaces continues there
  sql`update erasures e set identifiers = null, completed_at = app_now() from suppressions s
    where s.id = e.suppression_id and s.reach = ${workspace} and e.completed_at is null`,
  sql`delete from suppressions s where s.reach = ${workspace}
    and not exists (select from erasures e where e.suppression_id = s.id)
    and not exists (select from erasure_requests r where r.suppression_id = s.id)
    and not exists (select from workspace_suppressions w where w.suppression_id = s.id)
    and not exists (select from suppressed_external_ids x where x.suppression_id = s.id)`,
]

/** Removals of files that the deletion has done itself. Those that the workspace noted are rows of its own. */
export const clearFileNotes = (folders: readonly string[]) => sql`
  delete from blob_deletions where exists (
    select from unnest(${folders}::text[]) f (folder) where starts_with(blob_key, f.folder))`

/** The last row: what refers to it and was added since then goes with it. */
export const deleteWorkspace = (workspace: string): Sql<{ id: string }> =>
  sql<{ id: string }>`delete from workspaces where id = ${workspace} returning id`

export const memberIds = (workspace: string): Sql<{ id: string }> =>
  sql<{ id: string }>`select id from users where workspace_id = ${workspace}`

// The work of the deletion

/** How much later rows and files are looked for that a request or worker in flight still wrote. */
const LATE_HOURS = 2

const DUE = sql`
  completed_at is null and delete_at <= app_now()
  and (emptied_at is null or emptied_at <= app_now() - ${LATE_HOURS}::integer * interval '1 hour')`

/** Workspaces that are to be deleted now, also while a process has the lease: one that fails has it most of the time. */
export const deletionsWaiting = countWaiting(
  sql`coalesce(emptied_at + ${LATE_HOURS}::integer * interval '1 hour', delete_at)`,
  sql`workspace_deletions where ${DUE} order by delete_at`,
)

export interface ClaimedDeletion {
  workspace_id: string
  lease_token: string
  emptied_at: string | null
}

export const claimDeletion = (token: string, leaseSeconds: number): Sql<ClaimedDeletion> =>
  sql<ClaimedDeletion>`
    with due as (
      select workspace_id from workspace_deletions
      where ${DUE} and (leased_until is null or leased_until <= app_now()) order by delete_at, workspace_id limit 1
      for update skip locked
    )
    update workspace_deletions d set lease_token = ${token}::uuid, started_at = coalesce(started_at, app_now()),
      leased_until = app_now() + ${leaseSeconds}::integer * interval '1 second'
    from due where d.workspace_id = due.workspace_id
    returning d.workspace_id, d.lease_token, d.emptied_at`

/** Adds to the counts and renews the lease. No row: another process has taken the deletion. */
export const noteProgress = (
  { workspace_id, lease_token }: ClaimedDeletion,
  what: string,
  removed: number,
  leaseSeconds: number,
): Sql<{ ok: boolean }> =>
  sql<{ ok: boolean }>`
    update workspace_deletions set leased_until = app_now() + ${leaseSeconds}::integer * interval '1 second',
      counts = jsonb_set(counts, array[${what}::text],
        to_jsonb(coalesce((counts->>${what}::text)::bigint, 0) + ${removed}::bigint))
    where workspace_id = ${workspace_id} and lease_token = ${lease_token}::uuid returning true as ok`

export const releaseDeletion = ({ workspace_id, lease_token }: ClaimedDeletion, seconds: number) => sql`
  update workspace_deletions set leased_until = app_now() + ${seconds}::integer * interval '1 second', lease_token = null
  where workspace_id = ${workspace_id} and lease_token = ${lease_token}::uuid`

export const markEmptied = ({ workspace_id, lease_token }: ClaimedDeletion): Sql<DeletionRow> =>
  sql<DeletionRow>`
    update workspace_deletions set emptied_at = app_now(), notify_at = null, leased_until = null, lease_token = null
    where workspace_id = ${workspace_id} and lease_token = ${lease_token}::uuid returning ${DELETION}`

export const markCompleted = ({ workspace_id, lease_token }: ClaimedDeletion): Sql<DeletionRow> =>
  sql<DeletionRow>`
    update workspace_deletions set completed_at = app_now(), leased_until = null, lease_token = null
    where workspace_id = ${workspace_id} and lease_token = ${lease_token}::uuid returning ${DELETION}`

// Emails to owners

const NOTIFY_LEASE_SECONDS = 300
/** How long before the deletion owners are reminded of it. */
const REMIND_HOURS = 24

export interface DueNotice {
  workspace_id: string
  workspace_name: string
  delete_at: string
  about: 'scheduled' | 'reminder'
  owners: { id: string; email: string }[]
}

export const claimNotice = (): Sql<DueNotice> =>
  sql<DueNotice>`
    with due as (
      select workspace_id from workspace_deletions where notify_at <= app_now() order by notify_at limit 1
      for update skip locked
    )
    update workspace_deletions d set notify_at = app_now() + ${NOTIFY_LEASE_SECONDS}::integer * interval '1 second'
    from due, workspaces w where d.workspace_id = due.workspace_id and w.id = d.workspace_id
    returning d.workspace_id, w.name as workspace_name, d.delete_at, d.notify_about as about,
      (select coalesce(json_agg(json_build_object('id', u.id, 'email', u.email) order by u.id), '[]') from users u
        where u.workspace_id = d.workspace_id and u.role = 'owner' and u.email is not null) as owners`

/** After the first email comes a reminder, unless the deletion is nearer than that. */
export const noticeSent = ({ workspace_id, about }: DueNotice) => sql`
  update workspace_deletions set notify_about = 'reminder',
    notify_at = case when ${about} = 'scheduled'
      and delete_at - ${REMIND_HOURS}::integer * interval '1 hour' > app_now()
      then delete_at - ${REMIND_HOURS}::integer * interval '1 hour' end
  where workspace_id = ${workspace_id}`
