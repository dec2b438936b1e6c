import type { Caller } from '../../kernel/access/caller.ts'
import { none, type Sql, sql } from '../../kernel/db/sql.ts'
import type { Page } from '../../kernel/http/list.ts'

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
