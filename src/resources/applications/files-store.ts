import { none, sql } from '../../kernel/db/sql.ts'

export interface AnswerFile {
  id: string
  field_id: string
  filename: string
  mime: string
  bytes: number
  blob_key: string
  created_at: string
}

/** The files with which the questions of a form were answered, oldest first. */
export const selectAnswerFiles = (workspace: string, id: string, fileId?: string) =>
  sql<AnswerFile>`
    select f.id, f.field_id, f.filename, f.mime, f.bytes, f.blob_key, f.created_at from application_files f
    where f.workspace_id = ${workspace} and f.application_id = ${id}
      ${fileId === undefined ? none : sql`and f.id = ${fileId}::uuid`}
    order by f.created_at, f.id`
