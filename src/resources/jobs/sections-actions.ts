import { randomUUID } from 'node:crypto'
import { type Static, Type } from 'typebox'
import type { Transaction } from '../../kernel/db/database.ts'
import { fail } from '../../kernel/errors/api-error.ts'
import { UserError } from '../../kernel/errors/user-error.ts'
import { appendEvents } from '../../kernel/feed/append.ts'
import { newHandle } from '../../kernel/handles.ts'
import { checkInput } from '../../kernel/http/body.ts'
import {
  beginTemplateChange,
  continueTemplateChange,
  dropQuestions,
  dropStages,
  endTemplateChange,
  fieldsOf,
  insertQuestions,
  insertTemplate,
  lockTemplate,
  lockTemplateChange,
  negatePositions,
  type Question,
  questionsOf,
  retireFields,
  type StoredFormField,
  type StoredStage,
  selectStages,
  type TemplateChange,
  writeFields,
  writeStages,
} from './sections-store.ts'
import { ANSWER_TYPES, FORM_FIELD_TYPES, QUESTION_SOURCES, STAGE_TYPES } from './shape.ts'
import { lockJob, type StoredJob, storedJob, touchJob, touchTemplateJobs } from './store.ts'

/** What every new job starts with. */
const DEFAULT_STAGES: readonly Omit<StoredStage, 'id'>[] = [
  { name: 'Applied', position: 0, type: 'applied', is_terminal: false },
  { name: 'Screen', position: 1, type: 'screen', is_terminal: false },
  { name: 'Interview', position: 2, type: 'interview', is_terminal: false },
  { name: 'Offer', position: 3, type: 'offer', is_terminal: false },
  { name: 'Hired', position: 4, type: 'hired', is_terminal: true },
  { name: 'Rejected', position: 5, type: 'rejected', is_terminal: true },
]

export const openDefaultStages = DEFAULT_STAGES.filter(stage => !stage.is_terminal).length

/** The default stages with handles of their own, for one job. */
export const defaultStages = (): StoredStage[] =>
  DEFAULT_STAGES.map(stage => ({ ...stage, id: newHandle('pipeline_stage') }))

/** The job as it is once nobody else writes it. */
export async function lockStored(tx: Transaction, workspace: string, id: string): Promise<StoredJob | undefined> {
  return (await tx.one(lockJob(workspace, id))) && (await tx.one(storedJob(workspace, id)))
}

export async function addDefaultStages(tx: Transaction, workspace: string, job: string): Promise<void> {
  await tx.query(writeStages(workspace, job, defaultStages()))
}

const templateField = (
  id: string,
  position: number,
  label: string,
  type: StoredFormField['type'],
  candidateField: StoredFormField['candidate_field'],
  opts: Partial<StoredFormField> = {},
): StoredFormField => ({
  id,
  position,
  label,
  type,
  required: false,
  section: null,
  help_text: null,
  options: [],
  max_length: null,
  candidate_field: candidateField,
  ...opts,
})

/** Their ids are fixed, so that two processes that make the template at once make one. */
const TEMPLATE: readonly StoredFormField[] = [
  templateField('name', 0, 'Full name', 'text', 'name', { required: true, max_length: 200 }),
  templateField('email', 1, 'E-mail address', 'email', 'email', { required: true, max_length: 254 }),
  templateField('phone', 2, 'Phone', 'phone', 'phone', { max_length: 40 }),
  templateField('linkedin', 3, 'LinkedIn profile', 'url', 'linkedin', { max_length: 500 }),
  templateField('resume', 4, 'Résumé', 'file', 'resume', { help_text: 'PDF, Word, RTF or plain text, up to 5 MB.' }),
  templateField('cover_letter', 5, 'Cover letter', 'textarea', null, { max_length: 5000 }),
]

/** The template application form of a workspace, made where there is none yet. */
export async function ensureTemplateForm(tx: Transaction, workspace: string): Promise<void> {
  await tx.query(insertTemplate(workspace, TEMPLATE))
}

const strict = { additionalProperties: false } as const
const maybe = (maxLength: number) => Type.Optional(Type.Union([Type.String({ maxLength }), Type.Null()]))
const label = (maxLength: number) => Type.String({ maxLength, pattern: '\\S' })
const texts = (maxItems: number) => Type.Array(Type.String({ minLength: 1, maxLength: 500 }), { maxItems })

const stageInput = Type.Object(
  {
    id: Type.Optional(Type.String()),
    name: label(120),
    type: Type.Enum([...STAGE_TYPES]),
    is_terminal: Type.Optional(Type.Boolean()),
  },
  strict,
)
export type StageInput = Static<typeof stageInput>
const stagesInput = Type.Object({ stages: Type.Array(stageInput, { minItems: 1, maxItems: 50 }) }, strict)

const fieldInput = Type.Object(
  {
    id: Type.Optional(Type.String()),
    label: label(500),
    type: Type.Enum([...FORM_FIELD_TYPES]),
    required: Type.Optional(Type.Boolean()),
    section: maybe(200),
    help_text: maybe(2000),
    options: Type.Optional(texts(200)),
    max_length: Type.Optional(Type.Union([Type.Integer({ minimum: 1, maximum: 100_000 }), Type.Null()])),
    candidate_field: Type.Optional(
      Type.Union([Type.Enum(['name', 'email', 'phone', 'linkedin', 'resume']), Type.Null()]),
    ),
  },
  strict,
)
export type FormFieldInput = Static<typeof fieldInput>
const fieldsInput = Type.Object({ fields: Type.Array(fieldInput, { maxItems: 200 }) }, strict)

const questionInput = Type.Object(
  {
    id: Type.Optional(Type.String({ format: 'uuid' })),
    kind: Type.Enum(['common', 'adaptive']),
    prompt: label(1000),
    response_key: Type.String({ pattern: '^[a-z][a-z0-9_]{0,59}$' }),
    answer_type: Type.Enum([...ANSWER_TYPES]),
    choices: Type.Optional(Type.Union([texts(50), Type.Null()])),
    required: Type.Optional(Type.Boolean()),
    source: Type.Optional(Type.Enum([...QUESTION_SOURCES])),
  },
  strict,
)
export type QuestionInput = Static<typeof questionInput>
const questionsInput = Type.Object({ questions: Type.Array(questionInput, { maxItems: 50 }) }, strict)

const MAX_ADAPTIVE = 5

/** Replaces the stages of a job, in this order. A stage keeps its handle by its id; one that holds applications stays. */
export async function setStages(
  tx: Transaction,
  workspace: string,
  jobId: string,
  input: readonly StageInput[],
  originKeyId: string | null = null,
): Promise<void> {
  checkInput(stagesInput, { stages: input })
  const job = await lockedJob(tx, workspace, jobId)
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
  onlyOnce(next.map(stage => stage.id))
  if (sameRows(stored, next)) return
  const held = await tx.query(
    dropStages(
      workspace,
      jobId,
      next.map(stage => stage.id),
    ),
  )
  if (held.length > 0) throw new UserError(`stage ${held[0]!.name} holds applications; move them first`)
  await tx.query(negatePositions(workspace, jobId))
  await tx.query(writeStages(workspace, jobId, next))
  await sectionsChanged(tx, workspace, job, job.form_is_template, 'pipeline_stages', originKeyId)
}

/** Gives a job a form of its own. A field keeps its id; one that is left out is retired, its answers stay. */
export async function setForm(
  tx: Transaction,
  workspace: string,
  jobId: string,
  input: readonly FormFieldInput[],
  originKeyId: string | null = null,
): Promise<void> {
  const job = await lockedJob(tx, workspace, jobId)
  const changed = await replaceFields(tx, workspace, jobId, input)
  if (!changed && !job.form_is_template) return
  await sectionsChanged(tx, workspace, job, false, 'application_form', originKeyId)
}

/** Lets a job use the workspace's template again. Its own fields are retired. */
export async function useTemplateForm(
  tx: Transaction,
  workspace: string,
  jobId: string,
  originKeyId: string | null = null,
): Promise<void> {
  const job = await lockedJob(tx, workspace, jobId)
  if (job.form_is_template) return
  await tx.query(retireFields(workspace, jobId, []))
  await sectionsChanged(tx, workspace, job, true, 'application_form', originKeyId)
}

/**
 * Changes the workspace's template, and with it the form of every job that uses it: an event for each. The first are
 * told at once; where there are more, `announceTemplateForms` goes on, a piece a transaction.
 */
export async function setTemplateForm(
  tx: Transaction,
  workspace: string,
  input: readonly FormFieldInput[],
  originKeyId: string | null = null,
): Promise<void> {
  await tx.query(lockTemplate(workspace))
  await ensureTemplateForm(tx, workspace)
  if (!(await replaceFields(tx, workspace, null, input))) return
  await emitTemplateChunk(tx, (await tx.one(beginTemplateChange(workspace, originKeyId)))!)
}

/** Tells the next jobs of some workspace that their template changed; false where none is left to be told. */
export async function announceTemplateForms(tx: Transaction): Promise<boolean> {
  const change = await tx.one(lockTemplateChange())
  if (change) await emitTemplateChunk(tx, change)
  return change !== undefined
}

/** Jobs touched in one transaction: about a quarter of a second. */
const TEMPLATE_CHUNK = 500

async function emitTemplateChunk(tx: Transaction, change: TemplateChange): Promise<void> {
  const { workspace_id: workspace, after_id, origin_key_id } = change
  const jobs = await tx.query(touchTemplateJobs(workspace, after_id, TEMPLATE_CHUNK))
  await appendEvents(
    tx,
    jobs.map(job => sectionsEvent(workspace, job.id, job.updated_at, job.status, 'application_form', origin_key_id)),
  )
  const last = jobs
    .map(job => job.id)
    .sort()
    .at(-1)
  await tx.query(
    last === undefined || jobs.length < TEMPLATE_CHUNK
      ? endTemplateChange(workspace)
      : continueTemplateChange(workspace, last),
  )
}

async function replaceFields(
  tx: Transaction,
  workspace: string,
  jobId: string | null,
  input: readonly FormFieldInput[],
): Promise<boolean> {
  checkInput(fieldsInput, { fields: input })
  const stored = await tx.query(fieldsOf(workspace, jobId))
  const next = input.map((field, position): StoredFormField => {
    if (field.id !== undefined && !stored.some(f => f.id === field.id)) {
      throw new UserError(`${field.id} is not a field of this form`)
    }
    const takesOptions = field.type === 'select' || field.type === 'multiselect'
    if (takesOptions !== (field.options ?? []).length > 0) {
      throw new UserError(takesOptions ? `${field.label} needs options` : `${field.label} takes no options`)
    }
    return {
      id: field.id ?? randomUUID(),
      position,
      label: field.label.trim(),
      type: field.type,
      required: field.required ?? false,
      section: field.section ?? null,
      help_text: field.help_text ?? null,
      options: field.options ?? [],
      max_length: field.max_length ?? null,
      candidate_field: field.candidate_field ?? null,
    }
  })
  onlyOnce(next.map(field => field.id))
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

/** Replaces the pre-screen questions of a job: any number of standard ones, up to five of its own. */
export async function setQuestions(
  tx: Transaction,
  workspace: string,
  jobId: string,
  input: readonly QuestionInput[],
  originKeyId: string | null = null,
): Promise<void> {
  checkInput(questionsInput, { questions: input })
  const job = await lockedJob(tx, workspace, jobId)
  const stored = await tx.query(questionsOf(workspace, jobId))
  const counts = { common: 0, adaptive: 0 }
  const next = input.map((question): Question => {
    if (question.id !== undefined && !stored.some(q => q.id === question.id)) {
      throw new UserError(`${question.id} is not a question of this job`)
    }
    const takesChoices = question.answer_type === 'choice' || question.answer_type === 'multi_choice'
    if (takesChoices !== (question.choices ?? []).length > 0) {
      throw new UserError(
        takesChoices ? `${question.response_key} needs choices` : `${question.response_key} takes none`,
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
  if (counts.adaptive > MAX_ADAPTIVE) throw new UserError(`a job has at most ${MAX_ADAPTIVE} questions of its own`)
  onlyOnce(next.map(question => question.id))
  onlyOnce(next.map(question => question.response_key))
  const ordered = [...next.filter(q => q.kind === 'common'), ...next.filter(q => q.kind === 'adaptive')]
  if (sameRows(stored, ordered)) return
  await tx.query(dropQuestions(workspace, jobId))
  await tx.query(insertQuestions(workspace, jobId, ordered))
  await sectionsChanged(tx, workspace, job, job.form_is_template, 'prescreen_questions', originKeyId)
}

const lockedJob = async (tx: Transaction, workspace: string, id: string): Promise<StoredJob> =>
  (await lockStored(tx, workspace, id)) ?? fail('not_found')

function onlyOnce(values: readonly string[]): void {
  const twice = values.find((value, i) => values.indexOf(value) !== i)
  if (twice !== undefined) throw new UserError(`${twice} is given twice`)
}

/** Both sides have their members in the same order: one comes from a statement, the other is written like it. */
const sameRows = (a: readonly object[], b: readonly object[]) => JSON.stringify(a) === JSON.stringify(b)

type Section = 'pipeline_stages' | 'application_form' | 'prescreen_questions'

async function sectionsChanged(
  tx: Transaction,
  workspace: string,
  job: StoredJob,
  formIsTemplate: boolean,
  section: Section,
  originKeyId: string | null,
): Promise<void> {
  const { updated_at } = (await tx.one(touchJob(workspace, job.id, formIsTemplate)))!
  await appendEvents(tx, [sectionsEvent(workspace, job.id, updated_at, job.status, section, originKeyId)])
}

const sectionsEvent = (
  workspaceId: string,
  id: string,
  updatedAt: string,
  status: string,
  section: Section,
  originKeyId: string | null,
) => ({
  type: 'job.sections_updated' as const,
  workspaceId,
  id,
  updatedAt,
  values: { status },
  changed: [section],
  originKeyId,
})
