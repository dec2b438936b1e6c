import type { Queryable } from '../../kernel/db/database.ts'
import { defaultTemplate, defaultTexts } from './defaults.ts'
import type { StoredFormField } from './sections-store.ts'
import { formToEdit, jobsWithOwnForm, questionsToEdit, stagesToEdit, templateToEdit } from './setup-store.ts'
import { formRows, versionOfRows } from './version-rules.ts'

/* What is changed by setStages, setForm, setTemplateForm and setQuestions, each with the version that they expect. */

export async function readStages(db: Queryable, workspace: string, jobId: string) {
  const row = await db.one(stagesToEdit(workspace, jobId))
  if (!row) return undefined
  const { stages, ...job } = row
  return { job, version: versionOfRows(stages.map(({ application_count: _, ...stage }) => stage)), stages }
}

const withDefaults = (fields: readonly StoredFormField[]) => fields.map(field => ({ ...field, ...defaultTexts(field) }))

export async function readJobForm(db: Queryable, workspace: string, jobId: string) {
  const row = await db.one(formToEdit(workspace, jobId))
  if (!row) return undefined
  const { id, title, status, is_template, has_phone_prescreen, fields, questions, has_template, template } = row
  return {
    job: { id, title, status },
    version: versionOfRows(formRows(is_template, fields)),
    is_template,
    has_phone_prescreen,
    fields: withDefaults(fields),
    template: withDefaults(has_template ? template : defaultTemplate()),
    questions,
  }
}

const OWN_FORMS_SHOWN = 20

export async function readTemplateForm(db: Queryable, workspace: string) {
  const [row, own_forms] = await Promise.all([
    db.only(templateToEdit(workspace)),
    db.query(jobsWithOwnForm(workspace, OWN_FORMS_SHOWN)),
  ])
  const { has_template, template, published, draft, closed, own, emitting } = row
  const fields = has_template ? template : defaultTemplate()
  return {
    version: versionOfRows(fields),
    fields: withDefaults(fields),
    jobs: { published, draft, closed, own },
    own_forms,
    emitting,
  }
}

export async function readQuestions(db: Queryable, workspace: string, jobId: string) {
  const row = await db.one(questionsToEdit(workspace, jobId))
  if (!row) return undefined
  const { questions, dial_in_code, ...job } = row
  return { job, version: versionOfRows(questions), dial_in_code, questions }
}
