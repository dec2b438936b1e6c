import { randomUUID } from 'node:crypto'
import type { Transaction } from '../../kernel/db/database.ts'
import { appendEvents } from '../../kernel/feed/append.ts'
import { checkInput } from '../../kernel/http/body.ts'
import { type InputFault, refuseIfAny } from '../../kernel/http/faults.ts'
import { type Author, originKeyOf } from '../shared/author.ts'
import { resolveCondition, textVersion } from './condition-rules.ts'
import { ensureTemplateForm } from './defaults.ts'
import { emitTemplateChunk } from './emit-template-forms.ts'
import { fieldWords, questionWords, type SectionLines, sectionLines, TEMPLATE_WORDS } from './history-rules.ts'
import { insertHistory, sectionValues } from './history-store.ts'
import { lockExistingJob } from './lock.ts'
import { repeated } from './section-rules.ts'
import { type JobSection, sectionsEvent } from './sections-event.ts'
import { type FormFieldInput, fieldsInput, type QuestionInput, questionsInput } from './sections-input.ts'
import {
  beginTemplateChange,
  dropQuestions,
  insertQuestions,
  lockFormTemplate,
  type Question,
  retireFields,
  type StoredFormField,
  selectFormFields,
  selectQuestions,
  writeFields,
} from './sections-store.ts'
import { type StoredJob, touchJob } from './store.ts'
import { formRows, requireVersion, type SectionWrite } from './version-rules.ts'

const MAX_ADAPTIVE = 5

/** Gives a job a form of its own. A field with an id keeps it; one that is left out is retired and its answers remain. */
export async function setForm(
  tx: Transaction,
  workspace: string,
  jobId: string,
  input: readonly FormFieldInput[],
  write: SectionWrite = {},
): Promise<void> {
  const job = await lockExistingJob(tx, workspace, jobId)
  const stored = await tx.query(selectFormFields(workspace, jobId))
  requireVersion(write, formRows(job.form_is_template, stored), 'the form')
  const next = await replaceFields(tx, workspace, jobId, input)
  if (!next && !job.form_is_template) return
  const own = sectionLines(stored, next ?? stored, fieldWords)
  const lines = job.form_is_template ? { ...own, previous: [TEMPLATE_WORDS], renamed: [] } : own
  await sectionsChanged(tx, workspace, job, false, 'application_form', write.by ?? null, lines)
}

/** Makes a job use the workspace's template again. Its own fields are retired. */
export async function useTemplateForm(
  tx: Transaction,
  workspace: string,
  jobId: string,
  write: SectionWrite = {},
): Promise<void> {
  const job = await lockExistingJob(tx, workspace, jobId)
  const stored = await tx.query(selectFormFields(workspace, jobId))
  requireVersion(write, formRows(job.form_is_template, stored), 'the form')
  if (job.form_is_template) return
  await tx.query(retireFields(workspace, jobId, []))
  const lines = { previous: stored.map(fieldWords), next: [TEMPLATE_WORDS], renamed: [] }
  await sectionsChanged(tx, workspace, job, true, 'application_form', write.by ?? null, lines)
}

/** Changes the workspace's template, and with it the form of every job that uses it: emit-template-forms.ts. */
export async function setTemplateForm(
  tx: Transaction,
  workspace: string,
  input: readonly FormFieldInput[],
  write: SectionWrite = {},
): Promise<void> {
  await tx.query(lockFormTemplate(workspace))
  await ensureTemplateForm(tx, workspace)
  const stored = await tx.query(selectFormFields(workspace, null))
  requireVersion(write, stored, 'the template form')
  const next = await replaceFields(tx, workspace, null, input)
  if (!next) return
  const change = await tx.only(beginTemplateChange(workspace, write.by ?? null))
  await emitTemplateChunk(tx, change, sectionValues('application_form', sectionLines(stored, next, fieldWords)))
}

/** The new fields; undefined if they are those that are stored. */
async function replaceFields(
  tx: Transaction,
  workspace: string,
  jobId: string | null,
  input: readonly FormFieldInput[],
): Promise<StoredFormField[] | undefined> {
  checkInput(fieldsInput, { fields: input })
  const stored = await tx.query(selectFormFields(workspace, jobId))
  const next: StoredFormField[] = []
  const faults: InputFault[] = []
  for (const [position, field] of input.entries()) {
    const before = stored.find(f => f.id === field.id)
    const condition = resolveCondition(field, next)
    const wrong = (name: string, message: string) => faults.push({ param: `fields[${position}].${name}`, message })
    if (field.id !== undefined && !before) wrong('id', 'is not a field of this form')
    const needsOptions = field.type === 'select' || field.type === 'multiselect'
    const hasOptions = (field.options ?? []).length > 0
    if (needsOptions && !hasOptions) wrong('options', 'needs at least one option')
    if (hasOptions && !needsOptions && field.type !== 'eeo') wrong('options', 'are not for a field of this type')
    if (condition && 'fault' in condition) wrong('condition', condition.fault)
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
      condition: condition && 'fault' in condition ? null : condition,
      version: textVersion(texts, before),
    })
  }
  refuseIfAny([...faults, ...repeated(next, 'id', 'fields')])
  if (sameRows(stored, next)) return undefined
  await tx.query(
    retireFields(
      workspace,
      jobId,
      next.map(field => field.id),
    ),
  )
  await tx.query(writeFields(workspace, jobId, next))
  return next
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
  const stored = await tx.query(selectQuestions(workspace, jobId))
  requireVersion(write, stored, 'the questions')
  const counts = { common: 0, adaptive: 0 }
  const faults: InputFault[] = []
  const next = input.map((question, i): Question => {
    const wrong = (name: string, message: string) => faults.push({ param: `questions[${i}].${name}`, message })
    if (question.id !== undefined && !stored.some(q => q.id === question.id)) {
      wrong('id', 'is not a question of this job')
    }
    const takesChoices = question.answer_type === 'choice' || question.answer_type === 'multi_choice'
    if (takesChoices !== (question.choices ?? []).length > 0) {
      wrong('choices', takesChoices ? 'needs at least one choice' : 'are not for an answer of this type')
    }
    return {
      id: question.id ?? randomUUID(),
      kind: question.kind,
      position: counts[question.kind]++,
      prompt: question.prompt.trim(),
      response_key: question.response_key,
      answer_type: question.answer_type,
      choices: takesChoices ? (question.choices ?? []) : null,
      required: question.required ?? false,
      source: question.source ?? 'recruiter',
    }
  })
  if (counts.adaptive > MAX_ADAPTIVE) {
    faults.push({ param: 'questions', message: `can have at most ${MAX_ADAPTIVE} of the job itself` })
  }
  refuseIfAny([...faults, ...repeated(next, 'id', 'questions'), ...repeated(next, 'response_key', 'questions')])
  const ordered = [...next.filter(q => q.kind === 'common'), ...next.filter(q => q.kind === 'adaptive')]
  if (sameRows(stored, ordered)) return
  await tx.query(dropQuestions(workspace, jobId))
  await tx.query(insertQuestions(workspace, jobId, ordered))
  const lines = sectionLines(stored, ordered, questionWords)
  await sectionsChanged(tx, workspace, job, job.form_is_template, 'prescreen_questions', write.by ?? null, lines)
}

/** Both sides have their members in the same order: one comes from a statement, the other is built in that order. */
export const sameRows = (a: readonly object[], b: readonly object[]) => JSON.stringify(a) === JSON.stringify(b)

export async function sectionsChanged(
  tx: Transaction,
  workspace: string,
  job: StoredJob,
  formIsTemplate: boolean,
  section: JobSection,
  by: Author,
  lines: SectionLines,
): Promise<void> {
  const { updated_at } = await tx.only(touchJob(workspace, job.id, formIsTemplate))
  await tx.query(
    insertHistory(workspace, [
      {
        job: job.id,
        at: updated_at,
        action: 'edited',
        author: by,
        fields: [section],
        ...sectionValues(section, lines),
      },
    ]),
  )
  await appendEvents(tx, [
    sectionsEvent(workspace, { id: job.id, status: job.status, updated_at }, section, originKeyOf(by)),
  ])
}
