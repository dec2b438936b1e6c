import { API_LIMITS } from '../contract/limits.ts'
import { MESSAGE_PURPOSES } from '../contract/message-purposes.ts'
import { MANAGER_ROLES } from '../contract/roles.ts'
import { sha256 } from '../kernel/crypto/signing.ts'
import { fail } from '../kernel/errors/api-error.ts'
import { closed } from '../kernel/http/closed.ts'
import { bodyInstant, bodyTime } from '../kernel/http/formats.ts'
import { isUuid } from '../kernel/http/params.ts'
import type { IdempotentRequest } from '../kernel/http/route.ts'
import type { Arrived } from '../kernel/http/route-table.ts'
import { Type } from '../kernel/schema/types.ts'
import { fields } from '../programs/fields.ts'
import {
  addTemplate,
  editTemplate,
  removeTemplate,
  selectMessageTemplates,
  templateBody,
} from '../resources/message-templates/index.ts'
import {
  cancelMessage,
  MESSAGE_LIMITS,
  noteReply,
  readMessageFacts,
  readMessages,
  scheduleMessage,
} from '../resources/messages/index.ts'
import { readUnlessStopped } from '../resources/suppressions/index.ts'
import { hasScope, onApplication } from './decisions.ts'
import { get, list, post } from './program.ts'
import { limitedTo } from './reach.ts'

const TEMPLATE = fields('id', 'name', 'subject', 'body', 'purpose', 'updated_at')

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '\\S' })

/** A press that is repeated after a lost response has the key of the first. The same text to someone else is another press. */
function repeatOf({ request }: Arrived, application: string, body: unknown): IdempotentRequest | undefined {
  const idempotencyKey = request.headers['idempotency-key']
  if (typeof idempotencyKey !== 'string' || !API_LIMITS.idempotencyKeyPattern.test(idempotencyKey)) return undefined
  return { idempotencyKey, fingerprint: sha256(JSON.stringify([application, body])) }
}

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
      ...fields('id', 'application_id', 'direction', 'status', 'failure', 'purpose', 'sender', 'job_title'),
      ...fields('template_name', 'subject', 'body', 'created_at', 'scheduled_for', 'sent_at'),
    },
    handler: ({ services, db, session, params, page }) => {
      const { workspace, applicationId } = onApplication(session, params)
      const read = () => readMessages(services, workspace, applicationId, page, limitedTo(session))
      return readUnlessStopped({ db, workspace }, 'application', applicationId, read, [])
    },
  }),
  post({
    path: '/applications/{application}/messages',
    limited: 'record',
    jobRight: 'decide',
    scope: 'messages:send',
    body: Type.Object(
      {
        subject: text(MESSAGE_LIMITS.subject),
        body: text(MESSAGE_LIMITS.body),
        template_id: Type.Optional(Type.Union([Type.String({ maxLength: 100 }), Type.Null()])),
        send_at: Type.Optional(Type.Union([bodyTime(), Type.Null()])),
        purpose: Type.Optional(Type.Union(MESSAGE_PURPOSES.map(purpose => Type.Literal(purpose)))),
      },
      closed,
    ),
    returns: fields('id', 'scheduled_for'),
    handler: async ({ services, db, session, params, body, arrived }) => {
      const { subject, body: written, template_id, send_at, purpose = 'general' } = body
      const templateId = typeof template_id === 'string' && isUuid(template_id) ? template_id : null
      const draft = {
        subject,
        body: written,
        purpose,
        templateId,
        sendAt: send_at ? bodyInstant(send_at) : null,
        repeat: repeatOf(arrived, params.application, body),
      }
      const on = onApplication(session, params)
      const outcome = await db.transaction(tx => scheduleMessage(tx, services, on, draft))
      return 'message' in outcome ? outcome.message : fail('recipient_unsubscribed')
    },
  }),
  post({
    path: '/applications/{application}/messages/{message}/cancel',
    limited: 'record',
    jobRight: 'decide',
    scope: 'messages:send',
    returns: fields('id'),
    handler: async ({ db, session, params }) => {
      const canceled = await db.transaction(tx => cancelMessage(tx, onApplication(session, params), params.message))
      if (canceled && !canceled.canceled) fail('stale_resource', { message: 'The message has left already.' })
      return canceled
    },
  }),
  post({
    path: '/applications/{application}/replies',
    limited: 'record',
    jobRight: 'decide',
    scope: 'messages:send',
    body: Type.Object({ body: text(MESSAGE_LIMITS.body) }, closed),
    returns: fields('id'),
    handler: ({ services, db, session, params, body }) =>
      db.transaction(tx => noteReply(tx, services, onApplication(session, params), body.body)),
  }),
  get({
    path: '/applications/{application}/message-facts',
    limited: 'record',
    jobRight: 'decide',
    scope: 'messages:send',
    returns: {
      ...fields('blocked', 'remaining_today', 'limit_per_day'),
      values: fields('first_name', 'job_title', 'company', 'link'),
    },
    handler: async ({ services, session, params }) => {
      const facts = await readMessageFacts(services, onApplication(session, params))
      if (!facts) return undefined
      const { first_name, job_title, company, link, blocked, used_today } = facts
      const limit = API_LIMITS.messagesPerDay
      const shown = blocked !== 'stopped' && hasScope(session, 'applicants:read')
      return {
        values: {
          first_name: shown ? (first_name ?? '') : '',
          job_title,
          company,
          ...(link !== undefined && { link }),
        },
        /** why nothing can be sent, where that is known before */
        blocked,
        /** messages that the reader may still send today */
        remaining_today: Math.max(0, limit - used_today),
        limit_per_day: limit,
      }
    },
  }),
]
