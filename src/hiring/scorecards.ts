import { closed } from '../kernel/http/closed.ts'
import { isUuid } from '../kernel/http/params.ts'
import { isHandle } from '../kernel/ids/handles.ts'
import { Type } from '../kernel/schema/types.ts'
import { fields } from '../programs/fields.ts'
import { noteRecord, RECOMMENDATIONS } from '../resources/applications/shape.ts'
import {
  addRemark,
  askForCards,
  MAX_CRITERIA,
  readCardDraft,
  readCriteria,
  readPanel,
  saveCardDraft,
  setCriteria,
  withdrawRequest,
} from '../resources/hiring-team/index.ts'
import { onApplication } from './decisions.ts'
import { get, post } from './program.ts'

const CRITERION = fields('name', 'description')
const CRITERIA = { version: true, criteria: CRITERION } as const
const PERSON = fields('id', 'name')
const REMARK = fields('id', 'body', 'created_at')
const CARD = {
  ...fields('id', 'created_at', 'summary', 'stage_name', 'recommendation', 'interviewed_at', 'report_url', 'mine'),
  ratings: fields('name', 'score', 'comment'),
  remarks: REMARK,
  author: PERSON,
}
const DRAFT = fields('content', 'version', 'updated_at')

/** What is not chosen yet is null. */
const draftContent = Type.Object(
  {
    recommendation: Type.Union([Type.Enum([...RECOMMENDATIONS]), Type.Null()]),
    summary: Type.String({ maxLength: 10_000 }),
    ratings: Type.Array(
      Type.Object(
        {
          name: Type.String({ maxLength: 500 }),
          score: Type.Union([Type.Integer({ minimum: 1, maximum: 5 }), Type.Null()]),
          comment: Type.String({ maxLength: 2000 }),
        },
        closed,
      ),
      { maxItems: 100 },
    ),
    asked: Type.Array(Type.String({ maxLength: 1000 }), { maxItems: 100 }),
  },
  closed,
)

const orNull = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S) => Type.Union([schema, Type.Null()])

/**
 * The list of scorecards of the API is not for the pages: this one shows what others wrote to people who were not asked, or
 * whose own card is in. A card is submitted with the endpoint of the API.
 */
export const scorecardEndpoints = [
  get({
    path: '/applications/{application}/scorecards',
    limited: 'record',
    jobRight: 'feedback',
    scope: 'scorecards:write',
    returns: {
      ...fields('hidden', 'stage_id', 'stage_name'),
      asked: fields('requested_at', 'stage_name'),
      cards: CARD,
      requests: { ...fields('requested_at', 'done', 'stage_name'), user: PERSON },
      criteria: CRITERION,
      kit: { ...fields('intro', 'minutes'), questions: fields('text', 'criterion') },
      draft: DRAFT,
    },
    handler: ({ db, session, params, rights }) => readPanel(db, onApplication(session, params), rights.has('discuss')),
  }),
  post({
    path: '/applications/{application}/scorecards/{scorecard}/remarks',
    limited: 'record',
    jobRight: 'feedback',
    scope: 'scorecards:write',
    body: Type.Object(noteRecord.input, closed),
    returns: REMARK,
    handler: async ({ db, session, params, body }) =>
      isUuid(params.scorecard)
        ? db.transaction(tx => addRemark(tx, onApplication(session, params), params.scorecard, body.body))
        : undefined,
  }),
  get({
    path: '/applications/{application}/scorecard-draft',
    limited: 'record',
    jobRight: 'feedback',
    scope: 'scorecards:write',
    returns: { draft: DRAFT },
    handler: async ({ db, session, params }) => ({ draft: await readCardDraft(db, onApplication(session, params)) }),
  }),
  post({
    path: '/applications/{application}/scorecard-draft',
    limited: 'record',
    jobRight: 'feedback',
    scope: 'scorecards:write',
    body: Type.Object(
      { content: orNull(draftContent), expected_version: orNull(Type.String({ maxLength: 100 })) },
      closed,
    ),
    returns: { draft: DRAFT },
    handler: ({ db, session, params, body }) =>
      db.transaction(async tx => ({
        draft: await saveCardDraft(tx, onApplication(session, params), {
          content: body.content,
          expectedVersion: body.expected_version,
        }),
      })),
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
    handler: ({ db, session, params }) =>
      db.transaction(tx => withdrawRequest(tx, onApplication(session, params), params.user)),
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
