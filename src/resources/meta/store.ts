import type { Caller } from '../../kernel/access/caller.ts'
import { OPEN_TO_ALL } from '../../kernel/access/workspace.ts'
import { sql } from '../../kernel/db/sql.ts'
import { previousSecretExpiry } from '../keys/index.ts'

/** What /me shows and authentication does not know, of a key or of a token without one. */
export const keyFacts = (caller: Caller) =>
  sql<{ previous_secret_expires_at: string | null; messages_used_today: number; workspace_ids: string[] | null }>`
    select
      ${previousSecretExpiry} as previous_secret_expires_at,
      coalesce((select used from message_usage
        where workspace_id = ${caller.homeWorkspace} and key_id = ${caller.keyId} and day = app_now()::date
      ), 0) as messages_used_today,
      case when ${caller.workspaceScope === 'all'}::boolean then array(select id::text from workspaces where ${OPEN_TO_ALL} order by id) end
        as workspace_ids
    from (select) as one
    left join api_keys k on k.workspace_id = ${caller.homeWorkspace} and k.id = ${caller.keyId}`
