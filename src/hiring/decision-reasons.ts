import { MANAGER_ROLES } from '../contract/roles.ts'
import { fields } from '../programs/fields.ts'
import { readReasonList, reasonsBody, selectHabit, setReasons } from '../resources/decision-reasons/index.ts'
import { get, post } from './program.ts'

const LIST = {
  ...fields('language', 'version'),
  reasons: fields('id', 'side', 'names', 'position', 'template_id', 'archived'),
}

export const decisionReasonEndpoints = [
  get({
    path: '/decision-reasons',
    limited: 'open',
    scope: 'applications:write',
    returns: LIST,
    handler: ({ db, session }) => readReasonList(db, session.workspaceId),
  }),
  post({
    path: '/decision-reasons',
    limited: 'closed',
    roles: MANAGER_ROLES,
    body: reasonsBody,
    returns: LIST,
    handler: ({ db, session, body }) => db.transaction(tx => setReasons(tx, session.workspaceId, body)),
  }),
  get({
    path: '/jobs/{job_id}/rejection-habit',
    limited: 'record',
    jobRight: 'decide',
    scope: 'applications:write',
    returns: fields('with_message'),
    handler: ({ db, session, params }) => db.one(selectHabit(session.workspaceId, session.userId, params.job_id)),
  }),
]
