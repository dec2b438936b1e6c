import type { MessagePurpose } from '../../contract/message-purposes.ts'
import { type Sql, sql, touched } from '../../kernel/db/sql.ts'

export interface TemplateRow {
  id: string
  name: string
  subject: string
  body: string
  purpose: MessagePurpose
  updated_at: string
}

const TEMPLATE = sql`id, name, subject, body, purpose, updated_at`

export const selectMessageTemplates = (workspace: string): Sql<TemplateRow> =>
  sql<TemplateRow>`select ${TEMPLATE} from message_templates where workspace_id = ${workspace} order by name_key`

export const lockWorkspaceTemplates = (workspace: string) =>
  sql`select 1 from workspaces where id = ${workspace} for no key update`

export interface StoredTemplate {
  workspace: string
  id: string
  name: string
  nameKey: string
  subject: string
  body: string
  purpose: MessagePurpose
}

export const insertTemplate = (t: StoredTemplate): Sql<TemplateRow> =>
  sql<TemplateRow>`
    insert into message_templates (workspace_id, id, name, name_key, subject, body, purpose)
    values (${t.workspace}, ${t.id}::uuid, ${t.name}, ${t.nameKey}, ${t.subject}, ${t.body}, ${t.purpose})
    on conflict (workspace_id, name_key) do nothing returning ${TEMPLATE}`

export const lockTemplate = (workspace: string, id: string): Sql<TemplateRow> =>
  sql<TemplateRow>`
    select ${TEMPLATE} from message_templates where workspace_id = ${workspace} and id = ${id}::uuid for update`

/** No row if another template has the name. */
export const updateTemplate = (t: StoredTemplate): Sql<TemplateRow> =>
  sql<TemplateRow>`
    update message_templates set name = ${t.name}, name_key = ${t.nameKey}, subject = ${t.subject}, body = ${t.body},
      purpose = ${t.purpose},      updated_at = ${touched()}
    where workspace_id = ${t.workspace} and id = ${t.id}::uuid and not exists (
      select from message_templates o
      where o.workspace_id = ${t.workspace} and o.name_key = ${t.nameKey} and o.id <> ${t.id}::uuid)
    returning ${TEMPLATE}`

export const deleteTemplate = (workspace: string, id: string) =>
  sql<{ id: string }>`
    delete from message_templates where workspace_id = ${workspace} and id = ${id}::uuid returning id`
