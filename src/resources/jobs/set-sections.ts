import { randomUUID } from 'node:crypto'
import type { Transaction } from '../../kernel/db/database.ts'
import { UserError } from '../../kernel/errors/user-error.ts'
import { appendEvents } from '../../kernel/feed/append.ts'
import { checkInput } from '../../kernel/http/body.ts'
import { newHandle } from '../../kernel/ids/handles.ts'
import { type Author, originKeyOf } from './author-rules.ts'
import { conditionOf, versionOf } from './condition-rules.ts'
import { ensureTemplateForm } from './defaults.ts'
import { emitTemplateChunk } from './emit-template-forms.ts'
import { insertHistory } from './history-store.ts'
import { lockExistingJob } from './lock.ts'
import { type JobSection, sectionsEvent } from './sections-event.ts'
import {
  type FormFieldInput,
  fieldsInput,
  type QuestionInput,
  questionsInput,
  type StageInput,
  stagesInput,
} from './sections-input.ts'
import {
  beginTemplateChange,
  dropQuestions,
  dropStages,
  fieldsOf,
  insertQuestions,
  lockTemplate,
  negatePositions,
  type Question,
  questionsOf,
  retireFields,
  type StoredFormField,
  type StoredStage,
  selectStages,
  writeFields,
  writeStages,
} from './sections-store.ts'
import { type StoredJob, touchJob } from './store.ts'

const MAX_ADAPTIVE = 5

interface SectionWrite {
  by?: Author
}

/** Replaces the stages of a job, in this order. A stage with an id keeps its handle; one with applications cannot be removed. */
export async function setStages(
  tx: Transaction,
  workspace: string,
  jobId: string,
  input: readonly StageInput[],
  write: SectionWrite = {},
): Promise<void> {
  checkInput(stagesInput, { stages: input })
  const job = await lockExistingJob(tx, workspace, jobId)
  const stored = await tx.query(selectStages(workspace, jobId))
  const next = input.map((stage, position): StoredStage => {
    if (stage.id !== undefined && !stored.some(s => s.id === stage.id)) {
      throw new UserError(`${stage.id} is not a stage of this job`)
    }
    return {
      id: stage.id ?? newHandle('pipeline_stage'),
      name: stage.name.trim(),
      position,
      type: stage.type,
      is_terminal: stage.is_terminal ?? (stage.type === 'hired' || stage.type === 'rejected'),
    }
  })
  requireDistinct(next.map(stage => stage.id))
  if (sameRows(stored, next)) return
  const withApplications = await tx.query(
    dropStages(
      workspace,
      jobId,
      next.map(stage => stage.id),
    ),
  )
  if (withApplications.length > 0) {
    throw new UserError(`stage ${withApplications[0]!.name} has applications; move them first`)
  }
  await tx.query(negatePositions(workspace, jobId))
  await tx.query(writeStages(workspace, jobId, next))
  await sectionsChanged(tx, workspace, job, job.form_is_template, 'pipeline_stages', write.by ?? null)
}

/** Gives a job a form of its own. A field with an id keeps it; one that is left out is retired and its answers remain. */
export async function setForm(
  tx: Transaction,
  workspace: string,
  jobId: string,
  input: readonly FormFieldInput[],
  write: SectionWrite = {},
): Promise<void> {
  const job = await lockExistingJob(tx, workspace, jobId)
  const changed = await replaceFields(tx, workspace, jobId, input)
  if (!changed && !job.form_is_template) return
  await sectionsChanged(tx, workspace, job, false, 'application_form', write.by ?? null)
}

/** Makes a job use the workspace's template again. Its own fields are retired. */
export async function useTemplateForm(
  tx: Transaction,
  workspace: string,
  jobId: string,
  write: SectionWrite = {},
): Promise<void> {
  const job = await lockExistingJob(tx, workspace, jobId)
  if (job.form_is_template) return
  await tx.query(retireFields(workspace, jobId, []))
  await sectionsChanged(tx, workspace, job, true, 'application_form', write.by ?? null)
}

/** Changes the workspace's template, and with it the form of every job that uses it: emit-template-forms.ts. */
export async function setTemplateForm(
  tx: Transaction,
  workspace: string,
  input: readonly FormFieldInput[],
  write: SectionWrite = {},
): Promise<void> {
  await tx.query(lockTemplate(workspace))
  await ensureTemplateForm(tx, workspace)
  if (!(await replaceFields(tx, workspace, null, input))) return
  await emitTemplateChunk(tx, (await tx.one(beginTemplateChange(workspace, write.by ?? null)))!)
}

async function replaceFields(
  tx: Transaction,
  workspace: string,
  jobId: string | null,
  input: readonly FormFieldInput[],
): Promise<boolean> {
  checkInput(fieldsInput, { fields: input })
  const stored = await tx.query(fieldsOf(workspace, jobId))
  const next: StoredFormField[] = []
  for (const [position, field] of input.entries()) {
    const before = stored.find(f => f.id === field.id)
    if (field.id !== undefined && !before) throw new UserError(`${field.id} is not a field of this form`)
    const needsOptions = field.type === 'select' || field.type === 'multiselect'
    const hasOptions = (field.options ?? []).length > 0
    if (needsOptions && !hasOptions) throw new UserError(`${field.label} needs options`)
    if (hasOptions && !needsOptions && field.type !== 'eeo') throw new UserError(`${field.label} does not take options`)
    const texts = { label: field.label.trim(), help_text: field.help_text ?? null, options: field.options ?? [] }
    next.push({
      id: field.id ?? randomUUID(),
      position,
      label: texts.label,
      type: field.type,
      required: field.required ?? false,
      section: field.section ?? null,
      help_text: texts.help_text,
      options: texts.options,
      max_length: field.max_length ?? null,
      candidate_field: field.candidate_field ?? null,
      condition: conditionOf(field, next),
      version: versionOf(texts, before),
    })
  }
  requireDistinct(next.map(field => field.id))
  if (sameRows(stored, next)) return false
  await tx.query(
    retireFields(
      workspace,
      jobId,
      next.map(field => field.id),
    ),
  )
  await tx.query(writeFields(workspace, jobId, next))
  return true
}

/** Replaces the pre-screen questions of a job: any number of common ones, up to five adaptive ones. */
export async function setQuestions(
  tx: Transaction,
  workspace: string,
  jobId: string,
  input: readonly QuestionInput[],
  write: SectionWrite = {},
): Promise<void> {
  checkInput(questionsInput, { questions: input })
  const job = await lockExistingJob(tx, workspace, jobId)
  const stored = await tx.query(questionsOf(workspace, jobId))
  const counts = { common: 0, adaptive: 0 }
  const next = input.map((question): Question => {
    if (question.id !== undefined && !stored.some(q => q.id === question.id)) {
      throw new UserError(`${question.id} is not a question of this job`)
    }
    const takesChoices = question.answer_type === 'choice' || question.answer_type === 'multi_choice'
    if (takesChoices !== (question.choices ?? []).length > 0) {
      throw new UserError(
        takesChoices ? `${question.response_key} needs choices` : `${question.response_key} does not take choices`,
      )
    }
    return {
      id: question.id ?? randomUUID(),
      kind: question.kind,
      position: counts[question.kind]++,
      prompt: question.prompt.trim(),
      response_key: question.response_key,
      answer_type: question.answer_type,
      choices: takesChoices ? question.choices! : null,
      required: question.required ?? false,
      source: question.source ?? 'recruiter',
    }
  })
  if (counts.adaptive > MAX_ADAPTIVE) throw new UserError(`a job can have at most ${MAX_ADAPTIVE} questions of its own`)
  requireDistinct(next.map(question => question.id))
  requireDistinct(next.map(question => question.response_key))
  const ordered = [...next.filter(q => q.kind === 'common'), ...next.filter(q => q.kind === 'adaptive')]
  if (sameRows(stored, ordered)) return
  await tx.query(dropQuestions(workspace, jobId))
  await tx.query(insertQuestions(workspace, jobId, ordered))
  await sectionsChanged(tx, workspace, job, job.form_is_template, 'prescreen_questions', write.by ?? null)
}

function requireDistinct(values: readonly string[]): void {
  const twice = values.find((value, i) => values.indexOf(value) !== i)
  if (twice !== undefined) throw new UserError(`${twice} occurs twice`)
}

/** Both sides have their members in the same order: one comes from a statement, the other is built in that order. */
const sameRows = (a: readonly object[], b: readonly object[]) => JSON.stringify(a) === JSON.stringify(b)

async function sectionsChanged(
  tx: Transaction,
  workspace: string,
  job: StoredJob,
  formIsTemplate: boolean,
  section: JobSection,
  by: Author,
): Promise<void> {
  const { updated_at } = (await tx.one(touchJob(workspace, job.id, formIsTemplate)))!
  await tx.query(
    insertHistory(workspace, [{ job: job.id, at: updated_at, action: 'edited', author: by, fields: [section] }]),
  )
  await appendEvents(tx, [
    sectionsEvent(workspace, { id: job.id, status: job.status, updated_at }, section, originKeyOf(by)),
  ])
}
