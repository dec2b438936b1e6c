import type { PageLanguage } from '../../contract/page-languages.ts'
import { sql } from '../../kernel/db/sql.ts'

export interface MemberSettings {
  /** null: that of the browser */
  language: PageLanguage | null
  /** an IANA name; null: that of the browser */
  time_zone: string | null
}

/** They hold for a member without a row. */
export const DEFAULTS: MemberSettings = { language: null, time_zone: null }

const COLUMNS = sql`language, time_zone`

export const settingsOfMember = (workspace: string, userId: string) =>
  sql<MemberSettings>`select ${COLUMNS} from member_settings where workspace_id = ${workspace} and user_id = ${userId}`

/** Two changes at the same time are made one after the other: each sets only what it names. */
export const putMemberSettings = (workspace: string, userId: string, set: Partial<MemberSettings>) => {
  const { language = null, time_zone = null } = set
  const [names, zones] = [set.language !== undefined, set.time_zone !== undefined]
  return sql<MemberSettings>`
    insert into member_settings (workspace_id, user_id, language, time_zone)
    values (${workspace}, ${userId}, ${language}, ${time_zone})
    on conflict (workspace_id, user_id) do update set
      language = case when ${names}::boolean then excluded.language else member_settings.language end,
      time_zone = case when ${zones}::boolean then excluded.time_zone else member_settings.time_zone end
    returning ${COLUMNS}`
}
