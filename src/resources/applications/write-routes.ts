import { API_LIMITS } from '../../contract/limits.ts'
import { EXTERNAL_ID_DESCRIPTION, SOURCE_SYSTEM_KEYWORDS, SYSTEM_DESCRIPTION } from '../../contract/source-systems.ts'
import { ApiError } from '../../kernel/errors/api-error.ts'
import { describedAs, notChecked } from '../../kernel/http/body.ts'
import { closed } from '../../kernel/http/closed.ts'
import type { InputFault } from '../../kernel/http/faults.ts'
import { asUri, bodyTime } from '../../kernel/http/formats.ts'
import { type Call, created, HandlerResponse, type Route, writeOne } from '../../kernel/http/route.ts'
import { COMPONENT } from '../../kernel/http/shape.ts'
import { describeInput } from '../../kernel/record/write.ts'
import { Type } from '../../kernel/schema/types.ts'
import {
  addNote,
  addScorecard,
  hireApplication,
  moveApplication,
  rejectApplication,
  reopenApplication,
} from './actions.ts'
import { createApplication, furtherFaults } from './create.ts'
import type { Change } from './locked-change.ts'
import { candidateInput, changedStageFaults, identityFaults } from './rules.ts'
import { applicationRecord, applicationShape, noteRecord, noteShape, scorecardRecord, scorecardShape } from './shape.ts'
import { applicationById, selectJobStages } from './store.ts'

const group = 'Applications'
const answerValue = {
  ...notChecked(Type.Union([Type.String(), Type.Boolean(), Type.Array(Type.String())])),
  [COMPONENT]: 'answer_value',
}
const params = { application_handle: 'application' } as const
const expected_updated_at = Type.Optional(bodyTime())

// biome-ignore lint/suspicious/noExplicitAny: the bodies differ; what is common to them is this one field
const changeOf = ({ workspace, params, caller, body }: Call<{ application_handle: string }, any, any>): Change => ({
  workspace,
  id: params.application_handle,
  expectedUpdatedAt: body.expected_updated_at,
  originKeyId: caller.originKeyId,
  userId: caller.userId,
})

const identityRules = (body: unknown) => {
  const { source, candidate } = (body ?? {}) as { source?: { system?: unknown }; candidate?: { email?: unknown } }
  return identityFaults(source?.system, candidate?.email)
}

/** Whether the stage of a body that is refused for its shape is one of the application's job. */
async function furtherStageFaults({
  db,
  workspace,
  params,
  body,
}: Call<{ application_handle: string }, unknown, unknown>): Promise<InputFault[]> {
  const { stage_id } = (body ?? {}) as { stage_id?: unknown }
  if (typeof stage_id !== 'string') return []
  const application = await db.one(applicationById(workspace, params.application_handle))
  if (!application) return []
  const stages = await db.query(selectJobStages(workspace, application.job_id))
  return changedStageFaults(stages, stage_id)
}

/** What every change of an application can be refused with. */
const CHANGE_ERRORS = ['stale_resource', 'applicant_suppressed', 'application_modified_concurrently'] as const

export const applicationWrites: readonly Route[] = [
  writeOne({
    path: '/applications',
    operationId: 'createApplication',
    // finds the person by email address, and an earlier application by the id of another system
    limited: 'closed',
    jobRight: 'decide',
    tool: { effect: 'changes' },
    summary: 'Create an application',
    description:
      'Returns the existing one of the same person or external id for the job, if there is one. No email is sent and no consent is recorded.',
    group,
    scope: 'applications:write',
    tier: 'expensive',
    status: 201,
    orStatus: 200,
    presentWithoutScopes: true,
    shape: applicationShape,
    body: Type.Object(
      {
        job_id: describeInput(Type.String({ maxLength: 100 }), 'A published job that accepts applications.'),
        candidate: describeInput(candidateInput, 'The response does not repeat these values.'),
        resume_upload_id: describeInput(
          Type.Optional(Type.String({ maxLength: 100 })),
          'The `upload_id` of an uploaded file. Can be used once.',
        ),
        source: Type.Object(
          {
            system: describeInput(
              describedAs(Type.String({ maxLength: 200 }), SOURCE_SYSTEM_KEYWORDS),
              SYSTEM_DESCRIPTION,
            ),
            external_id: describeInput(
              Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
              EXTERNAL_ID_DESCRIPTION,
            ),
          },
          closed,
        ),
        answers: describeInput(
          Type.Optional(
            Type.Array(
              Type.Object(
                {
                  field_id: describeInput(
                    Type.String({ maxLength: 200 }),
                    'The id of the question in the application form.',
                  ),
                  value: answerValue,
                },
                closed,
              ),
              { maxItems: API_LIMITS.answersPerApplication },
            ),
          ),
          'One entry for each question. Name, email, phone and LinkedIn URL go into `candidate`.',
        ),
        stage_id: describeInput(
          Type.Optional(Type.String({ maxLength: 100 })),
          'Default: the first stage of the job. A final stage is not allowed.',
        ),
      },
      closed,
    ),
    rules: ({ body }) => identityRules(body),
    furtherFaults: ({ db, workspace, body }) => furtherFaults(db, workspace, body),
    errors: [
      'unsupported_source_system',
      'job_not_accepting_applications',
      'applicant_suppressed',
      'applicant_unsubscribed',
      'candidate_consent_required',
      'suppression_check_unavailable',
      'invalid_stage',
      'unknown_answer_field',
      'duplicate_answer_field',
      'answer_field_not_accepted',
      'answer_field_reserved',
      'invalid_answer_value',
      'missing_required_answers',
      'upload_not_found',
      'upload_already_used',
      'upload_not_completed',
      'resume_rejected',
      'application_conflict',
    ],
    handler: async ({ tx, services, workspace, caller, body }) => {
      const { candidate, source } = body
      const outcome = await createApplication(tx, services.blobs, workspace, {
        jobId: body.job_id,
        candidate: {
          ...candidate,
          ...(candidate.linkedin_url === undefined ? {} : { linkedin_url: asUri(candidate.linkedin_url) }),
        },
        from: { system: source.system, externalId: source.external_id },
        resumeUploadId: body.resume_upload_id,
        answers: body.answers ?? [],
        stageId: body.stage_id,
        originKeyId: caller.originKeyId,
      })
      if (outcome instanceof ApiError) return outcome
      return new HandlerResponse(outcome.application, outcome.isNew ? 201 : 200)
    },
  }),
  writeOne({
    path: '/applications/{application_handle}/move',
    operationId: 'moveApplication',
    limited: 'record',
    jobRight: 'decide',
    tool: { effect: 'changes' },
    summary: 'Move an application to another stage',
    description: 'The stage must be one of its job. The status does not change.',
    group,
    scope: 'applications:write',
    params,
    shape: applicationShape,
    body: Type.Object({ stage_id: Type.String({ maxLength: 100 }), expected_updated_at }, closed),
    furtherFaults: furtherStageFaults,
    errors: ['invalid_stage', ...CHANGE_ERRORS],
    handler: call => moveApplication(call.tx, { ...changeOf(call), stageId: call.body.stage_id }),
  }),
  writeOne({
    path: '/applications/{application_handle}/reject',
    operationId: 'rejectApplication',
    limited: 'record',
    jobRight: 'decide',
    tool: { effect: 'overwrites' },
    summary: 'Reject an application',
    description: 'It must be open. The reason stays in the workspace; the candidate is not notified.',
    group,
    scope: 'applications:write',
    params,
    shape: applicationShape,
    body: Type.Object({ reason: applicationRecord.input.rejection_reason, expected_updated_at }, closed),
    errors: ['invalid_application_state', ...CHANGE_ERRORS],
    handler: call => rejectApplication(call.tx, { ...changeOf(call), reason: call.body.reason }),
  }),
  writeOne({
    path: '/applications/{application_handle}/hire',
    operationId: 'hireApplication',
    limited: 'record',
    jobRight: 'hire',
    tool: { effect: 'overwrites' },
    summary: 'Hire an applicant',
    description:
      'The application must be open (`new`, `in_review` or `advanced`). It moves to the job’s first stage of type `hired`, if the job has one.',
    group,
    scope: 'applications:write',
    params,
    shape: applicationShape,
    body: Type.Object({ expected_updated_at }, closed),
    bodyOptional: true,
    errors: ['invalid_application_state', ...CHANGE_ERRORS],
    handler: call => hireApplication(call.tx, changeOf(call)),
  }),
  writeOne({
    path: '/applications/{application_handle}/reopen',
    operationId: 'reopenApplication',
    limited: 'record',
    jobRight: 'decide',
    tool: { effect: 'changes' },
    summary: 'Reopen an application',
    description: 'It must be rejected. It returns to review in its previous stage.',
    group,
    scope: 'applications:write',
    params,
    shape: applicationShape,
    body: Type.Object({ expected_updated_at }, closed),
    bodyOptional: true,
    errors: ['invalid_application_state', ...CHANGE_ERRORS],
    handler: call => reopenApplication(call.tx, changeOf(call)),
  }),
  writeOne({
    path: '/applications/{application_handle}/notes',
    operationId: 'createNote',
    limited: 'record',
    jobRight: 'feedback',
    tool: { effect: 'creates' },
    summary: 'Add a note to an application',
    description: 'A note for the hiring team.',
    group,
    scope: 'notes:write',
    params,
    status: 201,
    shape: noteShape,
    body: Type.Object(noteRecord.input, closed),
    errors: ['applicant_suppressed', 'application_modified_concurrently'],
    handler: async call => {
      const authorUserId = call.caller.actingUserId ?? call.caller.userId
      const note = await addNote(call.tx, { ...changeOf(call), ...call.body, authorUserId })
      return note && created(note)
    },
  }),
  writeOne({
    path: '/applications/{application_handle}/scorecards',
    operationId: 'createScorecard',
    limited: 'record',
    jobRight: 'feedback',
    tool: { effect: 'creates' },
    summary: 'Add a scorecard to an application',
    description: 'The scorecard of an interviewer.',
    group,
    scope: 'scorecards:write',
    params,
    status: 201,
    shape: scorecardShape,
    furtherFaults: furtherStageFaults,
    body: Type.Object(scorecardRecord.input, closed),
    errors: ['invalid_stage', 'applicant_suppressed', 'application_modified_concurrently'],
    handler: async call => {
      const { body, caller, tx } = call
      const author_user_id = caller.actingUserId ?? caller.userId
      const card = { ...scorecardRecord.merge(undefined, body), author_user_id }
      const stored = await addScorecard(tx, { ...changeOf(call), card })
      return stored && created(stored)
    },
  }),
]
