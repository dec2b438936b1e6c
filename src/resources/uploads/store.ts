import { API_LIMITS } from '../../contract/limits.ts'
import { textLock } from '../../kernel/db/locks.ts'
import { ofWorkspace, type Partition } from '../../kernel/db/partitions.ts'
import { type Sql, sql } from '../../kernel/db/sql.ts'

/**
 * Makes reservations of one workspace take turns, so that the count before each is exact; those of its public forms and
 * of each vendor do not wait for those of partners. Ends with the transaction.
 */
export const lockReservations = (workspace: string, apart?: string) =>
  sql`select pg_advisory_xact_lock(${textLock('uploads', workspace, ...(apart === undefined ? [] : [apart]))})`

export const pendingUploads = (workspace: string, publicForm: boolean) =>
  sql<{ pending: number }>`
    select count(*)::integer as pending from uploads
    where workspace_id = ${workspace} and public_form = ${publicForm} and order_id is null and spent_at is null
      and expires_at > app_now()`

/** The reports that a vendor has reserved and not attached: all of them, and those of one of its orders. */
export const pendingReports = (workspace: string, { orderId, vendorId }: ReportTarget) =>
  sql<{ of_order: number; of_vendor: number }>`
    select count(*) filter (where u.order_id = ${orderId})::integer as of_order, count(*)::integer as of_vendor
    from uploads u join orders o on o.workspace_id = u.workspace_id and o.id = u.order_id
    where u.workspace_id = ${workspace} and o.workspace_id = ${workspace} and o.vendor_id = ${vendorId}
      and u.spent_at is null and u.expires_at > app_now()`

/** The order that a file is a report of. */
export interface ReportTarget {
  orderId: string
  /** who carries the order out */
  vendorId: string
}

export interface NewUpload {
  workspace: string
  id: string
  keyId: string | null
  contentType: string
  sizeBytes: number
  filename: string
  blobKey: string
  publicForm: boolean
  /** the order that its file is for */
  orderId: string | null
}

export const insertUpload = (u: NewUpload): Sql<{ put_expires_at: string; expires_at: string }> =>
  sql<{ put_expires_at: string; expires_at: string }>`
    insert into uploads
      (workspace_id, id, key_id, content_type, size_bytes, filename, blob_key, public_form, order_id, put_expires_at,
        expires_at)
    values (${u.workspace}, ${u.id}, ${u.keyId}, ${u.contentType}, ${u.sizeBytes}, ${u.filename}, ${u.blobKey},
      ${u.publicForm}, ${u.orderId},
      app_now() + ${API_LIMITS.uploadUrlSeconds}::integer * interval '1 second',
      app_now() + ${API_LIMITS.uploadLifetimeSeconds}::integer * interval '1 second')
    returning put_expires_at, expires_at`

export interface StoredUpload {
  id: string
  content_type: string
  filename: string
  blob_key: string
  public_form: boolean
  /** the order that its file is for; no application can claim it */
  order_id: string | null
  /** the application that claimed it */
  application_id: string | null
  consumed: boolean
  expired: boolean
}

export const uploadById = (workspace: string, id: string): Sql<StoredUpload> =>
  sql<StoredUpload>`
    select id, content_type, filename, blob_key, public_form, order_id, application_id, spent_at is not null as consumed, expires_at <= app_now() as expired
    from uploads where workspace_id = ${workspace} and id = ${id}`

/** Locked until the transaction ends: of two applications that claim it at the same time, the second sees it consumed. */
export const lockUpload = (workspace: string, id: string): Sql<StoredUpload> =>
  sql<StoredUpload>`${uploadById(workspace, id)} for update`

export const consumeUpload = (workspace: string, id: string, applicationId: string | null) => sql`
  update uploads set spent_at = app_now(), application_id = ${applicationId}
  where workspace_id = ${workspace} and id = ${id}`

interface UploadKey {
  workspace_id: string
  id: string
}

const IS_OVER = sql`
  u.expires_at <= app_now() and (u.application_id is null or u.expires_at <= app_now() - interval '1 day')`

export const expiredUploads = (limit: number): Sql<UploadKey> =>
  sql<UploadKey>`select u.workspace_id, u.id from uploads u where ${IS_OVER} order by u.expires_at limit ${limit}`

/**
 * Removes uploads whose hour is over. The file of one that was not attached is to be deleted; an attached one is a résumé's
 * by now, and its row is kept another day only to say that it was used.
 */
export const deleteUploads = (part: Partition<UploadKey>) =>
  sql<FileDeletion & { application_id: string | null }>`
    with due as materialized (
      select u.workspace_id, u.id
      from unnest(${part.rows.map(u => u.workspace_id)}::text[], ${part.rows.map(u => u.id)}::text[]) as o (workspace_id, id)
      join uploads u on u.workspace_id = o.workspace_id and u.id = o.id
      where ${IS_OVER} ${ofWorkspace(part, 'u.workspace_id')} for update of u skip locked
    )
    delete from uploads u using due d
    where u.workspace_id = d.workspace_id and u.id = d.id ${ofWorkspace(part, 'u.workspace_id')}
    returning u.workspace_id, u.blob_key, u.application_id`

/** A file to be removed from the file store. A key that ends with a slash is a folder. */
export interface FileDeletion {
  workspace_id: string
  blob_key: string
}

export const noteDeletions = (files: readonly FileDeletion[]) => sql`
  insert into file_deletions (workspace_id, blob_key)
  select workspace_id, blob_key
  from unnest(${files.map(f => f.workspace_id)}::text[], ${files.map(f => f.blob_key)}::text[]) as f (workspace_id, blob_key)
  on conflict do nothing`

export const pendingDeletions = (limit: number) =>
  sql<FileDeletion>`select workspace_id, blob_key from file_deletions order by added_at limit ${limit}`

export const clearDeletions = (part: Partition<FileDeletion>) => sql`
  delete from file_deletions d
  using unnest(${part.rows.map(f => f.workspace_id)}::text[], ${part.rows.map(f => f.blob_key)}::text[])
    as f (workspace_id, blob_key)
  where d.workspace_id = f.workspace_id and d.blob_key = f.blob_key ${ofWorkspace(part, 'd.workspace_id')}`

/** Files of records that no workspace's shard has. */
export const pendingBlobDeletions = (limit: number) =>
  sql<{ blob_key: string }>`select blob_key from blob_deletions order by added_at limit ${limit}`

export const clearBlobDeletions = (blobKeys: readonly string[]) => sql`
  delete from blob_deletions where blob_key = any(${blobKeys}::text[])`
