import { randomUUID } from 'node:crypto'
import type { Queryable, Transaction } from '../../kernel/db/database.ts'
import { fail } from '../../kernel/errors/api-error.ts'
import { UserError } from '../../kernel/errors/user-error.ts'
import { refuseInput } from '../../kernel/http/faults.ts'
import { isUuid } from '../../kernel/http/params.ts'
import { MAX_TEMPLATES, type TemplateFields, templateNameKey } from './rules.ts'
import {
  deleteTemplate,
  insertTemplate,
  lockTemplate,
  lockWorkspaceTemplates,
  selectMessageTemplates,
  type TemplateRow,
  updateTemplate,
} from './store.ts'

const taken = (): never => refuseInput([{ param: 'name', message: 'is the name of another template' }])

const stored = (workspace: string, id: string, { name, subject, body, purpose = 'general' }: TemplateFields) => ({
  workspace,
  id,
  name: name.trim(),
  nameKey: templateNameKey(name),
  subject: subject.trim(),
  body,
  purpose,
})

/** Additions take turns, so that none that run at the same time exceed the limit together. */
export async function addTemplate(tx: Transaction, workspace: string, fields: TemplateFields): Promise<TemplateRow> {
  await tx.query(lockWorkspaceTemplates(workspace))
  if ((await tx.query(selectMessageTemplates(workspace))).length >= MAX_TEMPLATES)
    throw new UserError(`a workspace has at most ${MAX_TEMPLATES} templates`)
  return (await tx.one(insertTemplate(stored(workspace, randomUUID(), fields)))) ?? taken()
}

/** 409 if it was changed since it was read; undefined if it does not exist. */
export async function editTemplate(
  tx: Transaction,
  workspace: string,
  id: string,
  fields: TemplateFields,
): Promise<TemplateRow | undefined> {
  const before = isUuid(id) ? await tx.one(lockTemplate(workspace, id)) : undefined
  if (!before) return undefined
  const expected = fields.expected_updated_at
  if (expected !== undefined && Date.parse(expected) !== Date.parse(before.updated_at))
    fail('stale_resource', { message: 'Someone else changed the template while you were editing it.' })
  return (await tx.one(updateTemplate(stored(workspace, id, { purpose: before.purpose, ...fields })))) ?? taken()
}

/** Messages that were written from it keep its name. */
export const removeTemplate = async (db: Queryable, workspace: string, id: string): Promise<boolean> =>
  isUuid(id) && (await db.one(deleteTemplate(workspace, id))) !== undefined
