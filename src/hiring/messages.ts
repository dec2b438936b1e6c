import { API_LIMITS } from '../contract/limits.ts'
import { MANAGER_ROLES } from '../contract/roles.ts'
import { closed } from '../kernel/http/closed.ts'
import { isUuid } from '../kernel/http/params.ts'
import { isHandle } from '../kernel/ids/handles.ts'
import { Type } from '../kernel/schema/types.ts'
import { fields } from '../programs/fields.ts'
import {
  addTemplate,
  editTemplate,
  removeTemplate,
  selectMessageTemplates,
  templateBody,
} from '../resources/message-templates/index.ts'
import { readMessageFacts, readMessages, setTemplateName } from '../resources/messages/index.ts'
import { readUnlessStopped } from '../resources/suppressions/index.ts'
import { hasScope, onApplication } from './decisions.ts'
import { get, list, post } from './program.ts'
import { limitedTo } from './reach.ts'

const TEMPLATE = fields('id', 'name', 'subject', 'body', 'updated_at')

export const messageEndpoints = [
  get({
    path: '/message-templates',
    limited: 'open',
    scope: 'messages:send',
    returns: { templates: TEMPLATE },
    handler: async ({ db, session }) => ({
      templates: await db.query(selectMessageTemplates(session.workspaceId)),
    }),
  }),
  post({
    path: '/message-templates',
    limited: 'closed',
    roles: MANAGER_ROLES,
    body: templateBody,
    returns: TEMPLATE,
    handler: ({ db, session, body }) => db.transaction(tx => addTemplate(tx, session.workspaceId, body)),
  }),
  post({
    path: '/message-templates/{template}',
    limited: 'closed',
    roles: MANAGER_ROLES,
    body: templateBody,
    returns: TEMPLATE,
    handler: ({ db, session, params, body }) =>
      db.transaction(tx => editTemplate(tx, session.workspaceId, params.template, body)),
  }),
  post({
    path: '/message-templates/{template}/delete',
    limited: 'closed',
    roles: MANAGER_ROLES,
    handler: async ({ db, session, params }) =>
      (await removeTemplate(db, session.workspaceId, params.template)) ? {} : undefined,
  }),
  list({
    path: '/applications/{application}/messages',
    // the call is about the whole person: the handler leaves out what was written about other jobs
    limited: 'record',
    jobRight: 'messages',
    scope: 'messages:send',
    order: { by: 'created_at', tiebreaker: 'id', direction: 'desc', table: 'm' },
    returns: {
      ...fields('id', 'application_id', 'status', 'sender', 'job_title', 'template_name', 'created_at', 'sent_at'),
    },
    handler: ({ db, session, params, page }) => {
      const { workspace, applicationId } = onApplication(session, params)
      const read = () => readMessages(db, workspace, applicationId, page, limitedTo(session))
      return readUnlessStopped({ db, workspace }, 'application', applicationId, read, [])
    },
  }),
  get({
    path: '/applications/{application}/message-facts',
    limited: 'record',
    jobRight: 'decide',
    scope: 'messages:send',
    returns: {
      ...fields('blocked', 'remaining_today', 'limit_per_day'),
      values: fields('first_name', 'job_title', 'company'),
    },
    handler: async ({ services, session, params }) => {
      const facts = await readMessageFacts(services, onApplication(session, params))
      if (!facts) return undefined
      const { first_name, job_title, company, blocked, used_today } = facts
      const limit = API_LIMITS.messagesPerDay
      const shown = blocked !== 'stopped' && hasScope(session, 'applicants:read')
      return {
        values: { first_name: shown ? (first_name ?? '') : '', job_title, company },
        /** why nothing can be sent, where that is known before */
        blocked,
        /** messages that the reader may still send today */
        remaining_today: Math.max(0, limit - used_today),
        limit_per_day: limit,
      }
    },
  }),
  // the text is sent with POST /messages of the API, which knows no templates
  post({
    path: '/messages/{message}/template',
    limited: 'record',
    jobRight: 'decide',
    scope: 'messages:send',
    body: Type.Object({ template_id: Type.String({ maxLength: 100 }) }, closed),
    returns: fields('id'),
    handler: async ({ db, session, params, body }) =>
      isHandle('message', params.message) && isUuid(body.template_id)
        ? db.one(setTemplateName(session.workspaceId, params.message, session.userId, body.template_id))
        : undefined,
  }),
]
