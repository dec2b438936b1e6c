import { API_LIMITS } from '../../contract/limits.ts'
import type { Scope } from '../../contract/scopes.ts'
import { TEXT_LOCKS, textLock } from '../../kernel/db/locks.ts'
import { ofWorkspace, type Partition } from '../../kernel/db/partitions.ts'
import { none, raw, type Sql, sql } from '../../kernel/db/sql.ts'
import { countWaiting } from '../../kernel/work/queue.ts'
import type { ExportResource, ExportStatus, ExportView } from './shape.ts'

export interface WrittenFile {
  resource: ExportResource
  rows: number
  bytes: number
  key: string
}

export interface StoredExport {
  id: string
  created_at: string
  resources: ExportResource[]
  status: ExportStatus
  as_of_sequence: number | null
  rows_done: number
  rows_total: number | null
  files: WrittenFile[]
  expires_at: string
}

const EXPORT = sql`
  e.id, e.created_at, e.resources, e.status, e.as_of_sequence, e.rows_done, e.rows_total, e.files, e.expires_at`

/** The folder of an export's files, and that of one attempt. */
export const exportFolder = (workspace: string, id: string): string => `exports/${workspace}/${id}/`
export const attemptFolder = (workspace: string, id: string, attempt: string): string =>
  `${exportFolder(workspace, id)}${attempt}/`
const FOLDER = raw(`'exports/' || e.workspace_id || '/' || e.id || '/'`)
const ATTEMPT_FOLDER = sql`${FOLDER} || e.attempt || '/'`

/** Serializes new exports of one workspace until the transaction ends, so that the count before each is exact. */
export const lockCreation = (workspace: string) =>
  sql`select pg_advisory_xact_lock(${textLock('newExport', workspace)})`

export const countExports = (workspace: string) =>
  sql<{ open: number; retained: number; next_ends: number }>`
    select count(*) filter (where status in ('pending', 'running'))::integer as open, count(*)::integer as retained,
      ceil(extract(epoch from min(expires_at) - app_now()))::integer as next_ends
    from exports
    where workspace_id = ${workspace} and status in ('pending', 'running', 'ready') and expires_at > app_now()`

export interface NewExport {
  workspace: string
  id: string
  keyId: string
  actingUserId: string | null
  resources: readonly ExportResource[]
  view: ExportView
  scopes: readonly string[]
}

export const insertExport = (e: NewExport): Sql<StoredExport> =>
  sql<StoredExport>`
    insert into exports as e (workspace_id, id, key_id, acting_user_id, resources, view, scopes, expires_at)
    values (${e.workspace}, ${e.id}, ${e.keyId}, ${e.actingUserId}, ${e.resources}::text[], ${e.view}, ${e.scopes}::text[],
      app_now() + ${API_LIMITS.exportLifetimeSeconds}::integer * interval '1 second')
    returning ${EXPORT}`

export interface FoundExport extends StoredExport {
  view: ExportView
  /** the scopes of its key when it was requested */
  scopes: Scope[]
  expired: boolean
}

/** An expired export is shown as expired immediately, even before the sweeper removes it. */
export const exportById = (
  workspace: string,
  id: string,
  keyId: string,
  actingUserId: string | null,
): Sql<FoundExport> =>
  sql<FoundExport>`
    select ${EXPORT}, e.view, e.scopes, e.expires_at <= app_now() as expired from exports e
    where e.workspace_id = ${workspace} and e.id = ${id} and e.key_id = ${keyId}
      and e.acting_user_id is not distinct from ${actingUserId}::text`

export interface ClaimedExport {
  workspace_id: string
  id: string
  attempt: string
  tries: number
  resources: ExportResource[]
  view: ExportView
  scopes: string[]
  /** the key must name the workspace on every call, so every link in the rows names it */
  names_workspace: boolean
  status: 'running' | 'failed'
}

/** Exports that are not being written. */
export const exportsWaiting = countWaiting(
  sql`created_at`,
  sql`exports where status in ('pending', 'running') and (status = 'pending' or leased_until <= app_now())
      and expires_at > app_now()
    order by created_at`,
)

const CLAIMABLE = sql`
  e.expires_at > app_now() and (e.status = 'pending' or e.status = 'running' and e.leased_until <= app_now())`

export interface DueExport {
  workspace_id: string
  id: string
  /** its key was revoked or has expired */
  key_ended: boolean
  names_workspace: boolean
}

/**
 * Exports that are pending or whose lease has expired, the oldest first; workspaces with the fewest running exports come
 * before the others.
 */
export const dueExports = (most: number): Sql<DueExport> =>
  sql<DueExport>`
    with due as materialized (
      select e.workspace_id, e.id, e.key_id, coalesce(o.running, 0) as running, e.created_at from exports e
      left join (
        select workspace_id, count(*) as running from exports where status = 'running' and leased_until > app_now()
        group by workspace_id
      ) o on o.workspace_id = e.workspace_id
      where ${CLAIMABLE} order by coalesce(o.running, 0), e.created_at limit ${most}
    )
    select d.workspace_id, d.id, coalesce(k.revoked_at is not null or k.expires_at <= app_now(), false) as key_ended,
      coalesce(k.workspace_scope = 'all' or k.workspace_scope = 'list' and cardinality(k.workspace_ids) > 1, false)
        as names_workspace
    from due d left join api_keys k on k.id = d.key_id order by d.running, d.created_at`

/**
 * Claims an export; no row if another worker has it now. The files of its previous attempt are queued for deletion. It
 * fails instead if its key is no longer valid or it has no attempts left.
 */
export const claimExport = (
  due: DueExport,
  attempt: string,
  leaseSeconds: number,
  maxTries: number,
): Sql<Omit<ClaimedExport, 'names_workspace'>> =>
  sql<Omit<ClaimedExport, 'names_workspace'>>`
    with next as (
      select workspace_id, id, attempt from exports e
      where e.workspace_id = ${due.workspace_id} and e.id = ${due.id} and ${CLAIMABLE} for update skip locked
    ), left_over as (
      insert into file_deletions (workspace_id, blob_key)
      select ${due.workspace_id}, ${ATTEMPT_FOLDER} from next e where e.attempt is not null on conflict do nothing
    )
    update exports e set attempt = ${attempt}, tries = e.tries + 1, as_of_sequence = null, rows_done = 0,
      rows_total = null, leased_until = app_now() + ${leaseSeconds}::integer * interval '1 second',
      status = case when e.tries < ${maxTries}::integer and not ${due.key_ended}::boolean then 'running' else 'failed' end
    from next n where e.workspace_id = ${due.workspace_id} and e.id = n.id
    returning e.workspace_id, e.id, e.attempt, e.tries, e.resources, e.view, e.scopes, e.status`

/** An attempt may write and finish only while it holds the lease of its export. */
const holdsLease = (e: ClaimedExport) =>
  sql`e.workspace_id = ${e.workspace_id} and e.id = ${e.id} and e.attempt = ${e.attempt} and e.status = 'running'`

/** An erasure has this lock until it commits. During that time no snapshot of the workspace is taken. */
export const lockSnapshot = (workspace: string) =>
  sql`select pg_advisory_xact_lock_shared(${textLock('exportSnapshot', workspace)})`

export const lockOutSnapshots = (workspaces: readonly string[]) =>
  sql`
    select pg_advisory_xact_lock(hashtextextended(${TEXT_LOCKS.exportSnapshot}::text || ' ' || w, 0))
    from (select distinct w from unnest(${workspaces}::text[]) w order by w) ordered`

export const countExportedRows = (workspace: string, table: ExportResource) =>
  sql<{ rows: number }>`select count(*) as rows from ${raw(table)} where workspace_id = ${workspace}`

export const noteSnapshot = (e: ClaimedExport, asOf: number, total: number) =>
  sql<{ id: string }>`
    update exports e set as_of_sequence = ${asOf}::bigint, rows_total = ${total}::bigint where ${holdsLease(e)} returning e.id`

export const renewLease = (e: ClaimedExport, rowsDone: number, leaseSeconds: number) =>
  sql<{ id: string }>`
    update exports e set rows_done = ${rowsDone}::bigint,
      leased_until = app_now() + ${leaseSeconds}::integer * interval '1 second'
    where ${holdsLease(e)} returning e.id`

export const finishExport = (e: ClaimedExport, rowsDone: number, files: readonly WrittenFile[]) =>
  sql<{ id: string }>`
    update exports e set status = 'ready', rows_done = ${rowsDone}::bigint, rows_total = ${rowsDone}::bigint,
      files = ${JSON.stringify(files)}::jsonb, leased_until = null
    where ${holdsLease(e)} returning e.id`

/** Ends an attempt: its files are queued for deletion even if another worker has claimed the export. */
export const abandonExport = (e: ClaimedExport, then: 'pending' | 'failed' | { retryInSeconds: number }) => sql`
  with left_over as (
    insert into file_deletions (workspace_id, blob_key)
    values (${e.workspace_id}, ${attemptFolder(e.workspace_id, e.id, e.attempt)}) on conflict do nothing
  )
  update exports e set ${
    typeof then === 'string'
      ? sql`status = ${then}, leased_until = null, tries = case when ${then} = 'pending' then e.tries - 1 else e.tries end`
      : sql`leased_until = app_now() + ${then.retryInSeconds}::integer * interval '1 second'`
  }
  where ${holdsLease(e)}`

const DROPPED = sql`e.status in ('pending', 'running', 'ready')`

const drop = (workspace: string, which: Sql) => sql`
  with dropped as (
    select workspace_id, id, attempt from exports e
    where e.workspace_id = ${workspace} and ${DROPPED} ${which} order by id for update
  ), left_over as (
    insert into file_deletions (workspace_id, blob_key)
    select ${workspace}, ${ATTEMPT_FOLDER} from dropped e where e.attempt is not null on conflict do nothing
  )`

/** Deletes existing files; an export that is not ready yet starts over. */
export const restartExports = (workspace: string) => sql`
  ${drop(workspace, none)}
  update exports e set status = case when e.status = 'ready' then 'expired' else 'pending' end, files = '[]',
    attempt = null, tries = 0, leased_until = null, as_of_sequence = case when e.status = 'ready' then e.as_of_sequence end
  from dropped d where e.workspace_id = ${workspace} and e.id = d.id`

/** Which exports of a key: all, or those with some resources. */
const ofKey = (keyId: string, resources?: readonly ExportResource[]) =>
  sql`and e.key_id = ${keyId} ${resources ? sql`and e.resources && ${resources}::text[]` : none}`

export const workspacesWithExports = (keyId: string, resources?: readonly ExportResource[]) =>
  sql<{ workspace_id: string }>`
    select distinct e.workspace_id from exports e where ${DROPPED} ${ofKey(keyId, resources)} order by e.workspace_id`

export const dropExportsOfKey = (workspace: string, keyId: string, resources?: readonly ExportResource[]) => sql`
  ${drop(workspace, ofKey(keyId, resources))}
  update exports e set status = case when e.status = 'ready' then 'expired' else 'failed' end, files = '[]',
    leased_until = null
  from dropped d where e.workspace_id = ${workspace} and e.id = d.id`

interface ExportKey {
  workspace_id: string
  id: string
}

const EXPIRED = sql`e.expires_at <= app_now() and not e.swept`

export const expiredExports = (batchSize: number): Sql<ExportKey> =>
  sql<ExportKey>`
    select e.workspace_id, e.id from exports e where ${EXPIRED} order by e.expires_at limit ${batchSize}`

/** Expires exports. The files of all their attempts are to be deleted, also of those that crashed after the export was dropped. */
export const expireExports = (part: Partition<ExportKey>) =>
  sql<ExportKey>`
    with due as materialized (
      select e.workspace_id, e.id
      from unnest(${part.rows.map(e => e.workspace_id)}::text[], ${part.rows.map(e => e.id)}::uuid[]) as o (workspace_id, id)
      join exports e on e.workspace_id = o.workspace_id and e.id = o.id
      where ${EXPIRED} ${ofWorkspace(part, 'e.workspace_id')} for update of e skip locked
    )
    update exports e set status = 'expired', files = '[]', leased_until = null, swept = true
    from due d where e.workspace_id = d.workspace_id and e.id = d.id ${ofWorkspace(part, 'e.workspace_id')}
    returning e.workspace_id, e.id`

export const deleteOldExports = (batchSize: number) =>
  sql<{ forgotten: number }>`
    with gone as (
      delete from exports where (workspace_id, id) in (
        select workspace_id, id from exports
        where swept and expires_at < app_now() - ${API_LIMITS.exportRememberedDays}::integer * interval '1 day'
        order by expires_at limit ${batchSize}
      ) returning 1
    )
    select count(*)::integer as forgotten from gone`
