import { none, raw, type Sql, sql } from '../../kernel/db/sql.ts'
import type { Page } from '../../kernel/http/list.ts'

export interface CopiedMember {
  email: string
  first_name: string | null
  last_name: string | null
}

export const memberToCopy = (workspace: string, user: string): Sql<CopiedMember> =>
  sql<CopiedMember>`
    select email, first_name, last_name from users
    where workspace_id = ${workspace} and id = ${user} and email is not null`

const MAX_UNUSED = 20

/** Open test workspaces whose keys made no call for so many days, and which no person opened. */
export const unusedWorkspaces = (days: number): Sql<{ id: string }> => {
  const since = sql`app_now() - ${days}::integer * interval '1 day'`
  return sql<{ id: string }>`
    select w.id from workspaces w
    where w.environment = 'test' and w.closing_at is null and w.created_at < ${since}
      and not exists (select from api_key_secrets s where s.workspace_id = w.id and s.last_used_at >= ${since})
      and not exists (select from sessions s where s.workspace_id = w.id and s.last_seen_at >= ${since})
    order by w.id limit ${MAX_UNUSED}`
}

/** An email in the mailbox of a test workspace. */
export interface CapturedMail {
  id: string
  workspace_id: string
  to: string
  to_name: string | null
  reply_to: string | null
  subject: string
  text: string
  html: string | null
  sent_at: string
}

const MAIL = sql`
  id, workspace_id, to_address as "to", to_name, reply_to, subject, body_text as text, body_html as html, sent_at`

/** `to`: only emails to this address, as its key. */
export const capturedMails = (workspace: string, to: string | undefined, page: Page): Sql<CapturedMail> =>
  sql<CapturedMail>`
    select ${MAIL} from test_mails
    where workspace_id = ${workspace} ${to === undefined ? none : sql`and to_key = ${to}`} ${page.clause}`

export const capturedMail = (workspace: string, id: string): Sql<CapturedMail> =>
  sql<CapturedMail>`select ${MAIL} from test_mails where workspace_id = ${workspace} and id = ${id}`

export interface OwnTestWorkspace {
  id: string
  name: string
  created_at: string
}

/** The open test workspaces of a live one. */
export const selectTestWorkspaces = (workspace: string): Sql<OwnTestWorkspace> =>
  sql<OwnTestWorkspace>`
    select id, name, created_at from workspaces
    where test_of = ${workspace} and closing_at is null order by created_at, id`

export const lockRows = (table: string, workspace: string): Sql =>
  sql`select 1 from ${raw(table)} where workspace_id = ${workspace} for update`

export const deleteAll = (table: string, workspace: string): Sql<{ removed: number }> =>
  sql<{ removed: number }>`
    with removed as (
      delete from ${raw(table)} where workspace_id = ${workspace} returning 1
    )
    select count(*)::integer as removed from removed`

/** Files whose records are gone: a worker removes them. */
export const noteFiles = (workspace: string, files: readonly string[]): Sql => sql`
  insert into file_deletions (workspace_id, blob_key)
  select ${workspace}, f.blob_key from unnest(${files}::text[]) f (blob_key) on conflict do nothing`
