import { closed } from '../kernel/http/closed.ts'
import { isHandle } from '../kernel/ids/handles.ts'
import { Type } from '../kernel/schema/types.ts'
import { fields } from '../programs/fields.ts'
import { applicationById } from '../resources/applications/index.ts'
import {
  KIT_MINUTES,
  MAX_CRITERIA,
  MAX_KIT_PEOPLE,
  MAX_KIT_QUESTIONS,
  readInterviewDefaults,
  readKits,
  setKit,
} from '../resources/hiring-team/index.ts'
import { onApplication } from './decisions.ts'
import { get, post } from './program.ts'

const PERSON = fields('id', 'name')
const KITS = {
  criteria: fields('name', 'description'),
  stages: {
    ...fields('id', 'name', 'version'),
    kit: { ...fields('intro', 'criteria', 'minutes', 'interviewer_user_ids'), questions: fields('text', 'criterion') },
  },
  people: PERSON,
} as const

const text = (maxLength: number) => Type.String({ maxLength })
const textOrNull = (maxLength: number) => Type.Union([text(maxLength), Type.Null()])

const kitBody = Type.Object(
  {
    // the limits that a refusal names are counted in characters
    intro: textOrNull(10_000),
    questions: Type.Array(Type.Object({ text: text(1000), criterion: textOrNull(500) }, closed), {
      maxItems: MAX_KIT_QUESTIONS,
    }),
    criteria: Type.Union([Type.Array(text(500), { maxItems: MAX_CRITERIA }), Type.Null()]),
    minutes: Type.Union([Type.Integer({ minimum: KIT_MINUTES.least, maximum: KIT_MINUTES.most }), Type.Null()]),
    interviewer_user_ids: Type.Array(text(100), { maxItems: MAX_KIT_PEOPLE }),
  },
  closed,
)

/** What interviewers of each stage of a job are given, and what an interview there begins with when it is planned. */
export const kitEndpoints = [
  get({
    path: '/jobs/{job}/kits',
    limited: 'record',
    jobRight: 'read_setup',
    scope: 'jobs:read',
    returns: KITS,
    handler: async ({ db, session, params }) =>
      isHandle('job', params.job) ? readKits(db, session.workspaceId, params.job) : undefined,
  }),
  post({
    path: '/jobs/{job}/kits',
    limited: 'record',
    jobRight: 'setup',
    scope: 'jobs:manage',
    body: Type.Object({ stage_id: text(100), kit: kitBody, expected_version: text(100) }, closed),
    returns: KITS,
    handler: async ({ db, session, params, body }) => {
      const id = params.job
      if (!isHandle('job', id)) return undefined
      const change = { stageId: body.stage_id, kit: body.kit, expectedVersion: body.expected_version }
      return db.transaction(tx => setKit(tx, session.workspaceId, id, change))
    },
  }),
  get({
    path: '/applications/{application}/interview-defaults',
    limited: 'record',
    jobRight: 'decide',
    scope: 'applications:write',
    returns: { stages: { ...fields('stage_id', 'minutes'), people: PERSON } },
    handler: async ({ db, session, params }) => {
      const { workspace, applicationId } = onApplication(session, params)
      const application = await db.one(applicationById(workspace, applicationId))
      return application && { stages: await readInterviewDefaults(db, workspace, application.job_id) }
    },
  }),
]
