import { none, type Sql, sql, touched } from '../../kernel/db/sql.ts'
import type { Order, Page } from '../../kernel/http/list.ts'

export interface OptOutRow {
  email_key: string
  /** names the row where the address may not be shown, as in a cursor */
  ref: string
  /** `opt_out`: the workspace put it on the list; otherwise how the person unsubscribed */
  source: 'link' | 'one_click' | 'product' | 'opt_out'
  at: string
}

export const NEWEST_FIRST: Order = { by: 'at', tiebreaker: 'ref', tiebreakerType: 'text', direction: 'desc' }

/** Addresses that the workspace does not mail: its own opt-outs, and people who unsubscribed. */
export const optOuts = (
  workspace: string,
  key: string | undefined,
  page: Page,
  /** a secret of ours: without it, no one can try addresses against a `ref` */
  pepper: string,
): Sql<OptOutRow> =>
  sql<OptOutRow>`
    select email_key, ref, source, at from (
      select email_key, encode(sha256(convert_to(${pepper}::text || email_key, 'UTF8')), 'hex') as ref, source, at from unsubscribes
      where workspace_id = ${workspace} ${key === undefined ? none : sql`and email_key = ${key}`}) as u
    where true ${page.clause}`

/** Returns the addresses that were on no list before. */
export const insertOptOuts = (workspace: string, keys: readonly string[]) =>
  sql<{ email_key: string }>`
    insert into unsubscribes (workspace_id, email_key, source)
    select ${workspace}, key, 'opt_out' from unnest(${keys}::text[]) as k (key)
    on conflict (workspace_id, email_key) do nothing returning email_key`

/** What these people said themselves comes first; the entry of the workspace is in force when they take it back. */
export const noteOptOuts = (workspace: string, keys: readonly string[]) => sql`
  update unsubscribes set opted_out_at = app_now()
  where workspace_id = ${workspace} and email_key = any(${keys}::text[]) and source <> 'opt_out' and opted_out_at is null`

/** Only the person themselves takes back what they said. */
export const deleteOptOut = (workspace: string, key: string) =>
  sql<{ email_key: string }>`
    delete from unsubscribes
    where workspace_id = ${workspace} and email_key = ${key} and source = 'opt_out' returning email_key`

/** Applicants with these addresses, of whom it changes whether they may be mailed. */
export const touchApplicantsAt = (workspace: string, keys: readonly string[]) =>
  sql<{ id: string; updated_at: string }>`
    update applicants set updated_at = ${touched()}
    where workspace_id = ${workspace} and email_key = any(${keys}::text[])
      and unsubscribed_at is null and suppressed_at is null
    returning id, updated_at`
