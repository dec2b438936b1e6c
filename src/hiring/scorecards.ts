import { fail } from '../kernel/errors/api-error.ts'
import { closed } from '../kernel/http/closed.ts'
import { isHandle } from '../kernel/ids/handles.ts'
import { Type } from '../kernel/schema/types.ts'
import { fields } from '../programs/fields.ts'
import { applicationById } from '../resources/applications/index.ts'
import {
  askForCards,
  MAX_CRITERIA,
  readCriteria,
  readPanel,
  setCriteria,
  withdrawCardRequest,
} from '../resources/hiring-team/index.ts'
import { onApplication, readsInternal } from './decisions.ts'
import { get, post } from './program.ts'

const CRITERION = fields('name', 'description')
const CRITERIA = { version: true, criteria: CRITERION } as const
const PERSON = fields('id', 'name')
const CARD = {
  ...fields('id', 'created_at', 'summary', 'stage_name', 'recommendation', 'interviewed_at', 'report_url', 'mine'),
  ratings: fields('name', 'score', 'comment'),
  author: PERSON,
}

/** The list of scorecards of the API is not for the pages: this one shows cards of others after one's own is in. */
export const scorecardEndpoints = [
  get({
    path: '/applications/{application}/scorecards',
    limited: 'record',
    jobRight: 'feedback',
    scope: 'scorecards:write',
    returns: {
      ...fields('hidden', 'others'),
      cards: CARD,
      requests: { ...fields('requested_at', 'done'), user: PERSON },
      criteria: CRITERION,
    },
    handler: async ({ db, session, params }) => {
      const on = onApplication(session, params)
      const application = (await db.one(applicationById(on.workspace, on.applicationId))) ?? fail('not_found')
      const [panel, criteria] = await Promise.all([
        readPanel(db, on, readsInternal(session)),
        readCriteria(db, on.workspace, application.job_id),
      ])
      return { ...panel, criteria: criteria?.criteria ?? [] }
    },
  }),
  post({
    path: '/applications/{application}/scorecard-requests',
    limited: 'record',
    jobRight: 'decide',
    scope: 'scorecards:write',
    body: Type.Object({ user_ids: Type.Array(Type.String({ maxLength: 100 }), { minItems: 1, maxItems: 50 }) }, closed),
    handler: async ({ db, session, params, body }) => {
      await db.transaction(tx => askForCards(tx, onApplication(session, params), body.user_ids))
      return {}
    },
  }),
  post({
    path: '/applications/{application}/scorecard-requests/{user}/withdraw',
    limited: 'record',
    jobRight: 'decide',
    scope: 'scorecards:write',
    returns: fields('user_id'),
    handler: async ({ db, session, params }) => {
      const { workspace, applicationId } = onApplication(session, params)
      return db.one(withdrawCardRequest(workspace, applicationId, params.user))
    },
  }),
  get({
    path: '/jobs/{job}/criteria',
    limited: 'record',
    jobRight: 'read_setup',
    scope: 'jobs:read',
    returns: CRITERIA,
    handler: async ({ db, session, params }) =>
      isHandle('job', params.job) ? readCriteria(db, session.workspaceId, params.job) : undefined,
  }),
  post({
    path: '/jobs/{job}/criteria',
    limited: 'record',
    jobRight: 'setup',
    scope: 'jobs:manage',
    body: Type.Object(
      {
        criteria: Type.Array(
          Type.Object(
            {
              name: Type.String({ maxLength: 500 }),
              description: Type.Optional(Type.Union([Type.String({ maxLength: 500 }), Type.Null()])),
            },
            closed,
          ),
          { maxItems: MAX_CRITERIA },
        ),
        expected_version: Type.String({ maxLength: 100 }),
      },
      closed,
    ),
    returns: CRITERIA,
    handler: async ({ db, session, params, body }) => {
      const id = params.job
      if (!isHandle('job', id)) return undefined
      const wanted = { criteria: body.criteria, expectedVersion: body.expected_version, userId: session.userId }
      return db.transaction(tx => setCriteria(tx, session.workspaceId, id, wanted))
    },
  }),
]
