import type { Transaction } from '../../kernel/db/database.ts'
import { fail } from '../../kernel/errors/api-error.ts'
import { checkInput } from '../../kernel/http/body.ts'
import type { Author } from '../shared/author.ts'
import { addDraft } from './actions.ts'
import { type JobFields, jobEditInput } from './fields.ts'
import { readStoredJob } from './read-job.ts'
import type { FormFieldInput } from './sections-input.ts'
import { type StoredFormField, selectFormFields, selectQuestions, selectStages } from './sections-store.ts'
import { setForm, setQuestions } from './set-sections.ts'
import { setStages } from './set-stages.ts'
import { jobRecord } from './shape.ts'

/**
 * A new draft with the content, stages, form and questions of another job. What belongs to the other posting alone stays
 * there: when it closes, its public page, and its id in a partner's system.
 */
export async function duplicateJob(
  tx: Transaction,
  workspace: string,
  id: string,
  title: string,
  by: Author = null,
): Promise<string> {
  checkInput(jobEditInput, { title })
  const job = (await readStoredJob(tx, workspace, id)) ?? fail('not_found')
  const stages = await tx.query(selectStages(workspace, id))
  const fields = job.form_is_template ? undefined : await tx.query(selectFormFields(workspace, id))
  const questions = await tx.query(selectQuestions(workspace, id))

  const written = Object.fromEntries(jobRecord.written.map(name => [name, job[name]])) as unknown as JobFields
  const draft = { ...written, title: title.trim(), close_at: null, source_canonical_url: null }
  const copy = await addDraft(tx, workspace, draft, by)
  if (stages.length > 0) {
    const inputs = stages.map(({ name, type, is_terminal, order_package_ids }) => ({
      name,
      type,
      is_terminal,
      order_package_ids: [...order_package_ids],
    }))
    await setStages(tx, workspace, copy, inputs, { by })
  }
  if (fields) await setForm(tx, workspace, copy, fields.map(copyField), { by })
  if (questions.length > 0) {
    const inputs = questions.map(({ id: _, position: __, ...question }) => question)
    await setQuestions(tx, workspace, copy, inputs, { by })
  }
  return copy
}

/** The copies get ids of their own, so a condition names the earlier field by its position. */
function copyField(
  { id: _, position: __, version: ___, condition, ...field }: StoredFormField,
  _index: number,
  all: readonly StoredFormField[],
): FormFieldInput {
  const position = all.findIndex(({ id }) => id === condition?.field_id)
  return { ...field, condition: condition && position >= 0 ? { position, values: condition.values } : null }
}
