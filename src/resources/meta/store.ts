import type { Caller } from '../../kernel/access/caller.ts'
import { none, type Sql, sql } from '../../kernel/db/sql.ts'
import type { Page } from '../../kernel/http/list.ts'
import { previousSecretExpiry } from '../keys/store.ts'

/** What /me shows of a key, or of a token that stands for none, that is not known from authentication. */
export const keyFacts = (caller: Caller) =>
  sql<{ previous_secret_expires_at: string | null; messages_used_today: number; workspace_ids: string[] | null }>`
    select
      ${previousSecretExpiry} as previous_secret_expires_at,
      coalesce((select used from message_usage
        where workspace_id = ${caller.homeWorkspace} and key_id = ${caller.keyId} and day = app_now()::date
      ), 0) as messages_used_today,
      case when ${caller.workspaceScope === 'all'}::boolean then array(select id::text from workspaces order by id) end
        as workspace_ids
    from (select) as one
    left join api_keys k on k.workspace_id = ${caller.homeWorkspace} and k.id = ${caller.keyId}`

export interface ReadRow {
  id: number
  subject: { object: string; id: string }
  field: string
  units: number
  request_id: string
  acting_user_id: string | null
  at: string
}

export const personalDataReads = (caller: Caller, workspace: string, page: Page): Sql<ReadRow> => {
  const within = workspace === '' ? none : sql`and workspace_id = ${workspace}`
  return sql<ReadRow>`
    select id, json_build_object('object', subject_object, 'id', subject_id) as subject, field, units, request_id,
      acting_user_id, at
    from personal_data_reads where key_id = ${caller.keyId} ${within} ${page.clause}`
}
