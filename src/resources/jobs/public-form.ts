import type { Queryable } from '../../kernel/db/database.ts'
import { defaultTexts } from './defaults.ts'
import { type PublicFormRow, publicFormRow } from './sections-store.ts'

export type PublicFormField = PublicFormRow['fields'][number] & {
  /** the label is that of the default form, which pages may translate */
  is_default_label: boolean
  /** the same of the help text */
  is_default_help_text: boolean
}

/** What the page of a job's application form shows. */
export type PublicFormView = Omit<PublicFormRow, 'fields'> & { fields: PublicFormField[] }

/** The application form of a job, whatever its status, in one statement; undefined if there is no such job. */
export async function readPublicForm(
  db: Queryable,
  workspace: string,
  job: { id: string } | { slug: string },
): Promise<PublicFormView | undefined> {
  const row = await db.one(publicFormRow(workspace, job))
  return row && { ...row, fields: row.fields.map(field => ({ ...field, ...defaultTexts(field) })) }
}
