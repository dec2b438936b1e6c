import { MANAGER_ROLES, type Role } from '../contract/roles.ts'
import { ROLE_SCOPES } from '../contract/scopes.ts'
import type { ReachWords } from '../kernel/access/reach.ts'
import type { Queryable, Transaction } from '../kernel/db/database.ts'
import type { Static, TSchema } from '../kernel/schema/types.ts'
import { oneLine } from '../programs/body-rules.ts'
import { type Fields, fields } from '../programs/fields.ts'
import {
  formBody,
  questionsBody,
  readJobForm,
  readQuestions,
  readStages,
  readTemplateForm,
  setForm,
  setQuestions,
  setStages,
  setTemplateForm,
  stagesBody,
  useTemplateForm,
  versionBody,
} from '../resources/jobs/index.ts'
import { packagesForStages } from '../resources/orders/index.ts'
import type { UserSession } from '../sign-in/sessions.ts'
import { hasScope } from './decisions.ts'
import { type Call, get, post } from './program.ts'

/*
 * Stages, application form and pre-screen questions of a job, and the workspace's template form. A change names the
 * version that was read, and returns what is stored then: the next change starts from there.
 */

/** The part of a job that the path names. */
type Read<T> = (db: Queryable, session: UserSession, jobId: string) => Promise<T | undefined>

const part = <T>(read: Read<T>): Read<T> => read

const stages = part(async (db, session, jobId) => {
  const { workspaceId } = session
  const read = await readStages(db, workspaceId, jobId)
  if (!read) return undefined
  const named = [...new Set(read.stages.flatMap(({ order_package_ids }) => order_package_ids))]
  return {
    ...read,
    /** what a stage can order, and what one of them names; for roles that read orders */
    packages: hasScope(session, 'orders:read') ? await db.query(packagesForStages(workspaceId, named)) : [],
  }
})
const questions = part((db, { workspaceId }, jobId) => readQuestions(db, workspaceId, jobId))
const template = part((db, { workspaceId }) => readTemplateForm(db, workspaceId))

const form = part(async (db, { workspaceId, role }, jobId) => {
  const read = await readJobForm(db, workspaceId, jobId)
  // the API shows the questions only with this scope
  return read && { ...read, questions: ROLE_SCOPES[role].includes('jobs:screening:read') ? read.questions : [] }
})

const shown =
  <T>(read: Read<T>) =>
  ({ db, session, params }: Pick<Call, 'db' | 'session' | 'params'>) =>
    read(db, session, params['job_id'] ?? '')

type Change<P extends string, B extends TSchema, T, F> = ReachWords & {
  path: P
  body: B
  returns: F & Fields
  roles?: readonly Role[]
  read: Read<T>
  act: (
    tx: Transaction,
    session: Pick<UserSession, 'workspaceId' | 'userId'>,
    body: Static<B>,
    jobId: string,
  ) => Promise<void>
}

/** Responds with the part after the change, read in its transaction. */
const change = <const P extends string, B extends TSchema, T, F>({ read, act, ...rest }: Change<P, B, T, F>) =>
  post({
    scope: 'jobs:manage',
    ...rest,
    handler: ({ db, session, params, body }) => {
      const jobId = (params as Readonly<Record<string, string>>)['job_id'] ?? ''
      return db.transaction(async tx => {
        await act(tx, session, body, jobId)
        return read(tx, session, jobId)
      })
    },
  })

/** By the names that faults of the list have: `stages[0].name`. */
const namesOfStages = (body: unknown): Record<string, unknown> => {
  const { stages: given } = (body ?? {}) as { stages?: unknown }
  if (!Array.isArray(given)) return {}
  return Object.fromEntries(given.map((stage, i) => [`stages[${i}].name`, stage?.name]))
}

const JOB = fields('id', 'title', 'status')
const STAGES = {
  version: true,
  job: JOB,
  stages: fields('id', 'name', 'position', 'type', 'is_terminal', 'order_package_ids', 'application_count'),
  packages: fields('id', 'name', 'kind', 'vendor_name', 'status'),
} as const
const FORM_FIELD = {
  ...fields('id', 'position', 'label', 'type', 'required', 'section', 'help_text', 'options', 'max_length'),
  ...fields('candidate_field', 'version', 'is_default_label', 'is_default_help_text'),
  condition: fields('field_id', 'values'),
}
const QUESTION = {
  ...fields('id', 'kind', 'position', 'prompt', 'response_key', 'answer_type', 'choices', 'required', 'source'),
}
const FORM = {
  ...fields('version', 'is_template', 'has_phone_prescreen'),
  job: JOB,
  fields: FORM_FIELD,
  template: FORM_FIELD,
  questions: QUESTION,
}
const QUESTIONS = { ...fields('version', 'dial_in_code'), job: JOB, questions: QUESTION }
const TEMPLATE = {
  ...fields('version', 'emitting'),
  fields: FORM_FIELD,
  jobs: fields('published', 'draft', 'closed', 'own'),
  own_forms: JOB,
}

export const jobSetupEndpoints = [
  get({
    path: '/jobs/{job_id}/stages',
    returns: STAGES,
    limited: 'record',
    jobRight: 'read_setup',
    scope: 'jobs:read',
    handler: shown(stages),
  }),
  change({
    path: '/jobs/{job_id}/stages',
    limited: 'record',
    jobRight: 'setup',
    body: oneLine(stagesBody, namesOfStages),
    returns: STAGES,
    read: stages,
    act: (tx, { workspaceId, userId }, { stages: next, moves = [], expected_version: expectedVersion }, jobId) =>
      setStages(tx, workspaceId, jobId, next, { moves, expectedVersion, by: { userId } }),
  }),
  get({
    path: '/jobs/{job_id}/form',
    returns: FORM,
    limited: 'record',
    jobRight: 'read_setup',
    scope: 'jobs:read',
    handler: shown(form),
  }),
  change({
    path: '/jobs/{job_id}/form',
    limited: 'record',
    jobRight: 'setup',
    body: formBody,
    returns: FORM,
    read: form,
    act: (tx, { workspaceId, userId }, { fields, expected_version: expectedVersion }, jobId) =>
      setForm(tx, workspaceId, jobId, fields, { expectedVersion, by: { userId } }),
  }),
  change({
    path: '/jobs/{job_id}/form/use-template',
    limited: 'record',
    jobRight: 'setup',
    body: versionBody,
    returns: FORM,
    read: form,
    act: (tx, { workspaceId, userId }, { expected_version: expectedVersion }, jobId) =>
      useTemplateForm(tx, workspaceId, jobId, { expectedVersion, by: { userId } }),
  }),
  get({
    path: '/jobs/{job_id}/questions',
    returns: QUESTIONS,
    limited: 'record',
    jobRight: 'read_setup',
    scope: 'jobs:screening:read',
    handler: shown(questions),
  }),
  change({
    path: '/jobs/{job_id}/questions',
    limited: 'record',
    jobRight: 'setup',
    body: questionsBody,
    returns: QUESTIONS,
    read: questions,
    act: (tx, { workspaceId, userId }, { questions: next, expected_version: expectedVersion }, jobId) =>
      setQuestions(tx, workspaceId, jobId, next, { expectedVersion, by: { userId } }),
  }),
  get({ path: '/template-form', returns: TEMPLATE, limited: 'closed', scope: 'jobs:read', handler: shown(template) }),
  change({
    path: '/template-form',
    limited: 'closed',
    body: formBody,
    roles: MANAGER_ROLES,
    returns: TEMPLATE,
    read: template,
    act: (tx, { workspaceId, userId }, { fields, expected_version: expectedVersion }) =>
      setTemplateForm(tx, workspaceId, fields, { expectedVersion, by: { userId } }),
  }),
]
