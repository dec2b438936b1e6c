import { mailboxDomain } from '../kernel/config/config.ts'
import { closed } from '../kernel/http/closed.ts'
import { Type } from '../kernel/schema/types.ts'
import { named } from '../programs/body-rules.ts'
import {
  capturedMail,
  capturedMails,
  createTestWorkspace,
  NEWEST_MAIL,
  selectTestWorkspaces,
} from '../resources/test-workspaces/index.ts'
import { get, list, post } from './program.ts'

/** Test workspaces of a live workspace, and the mailbox of a test workspace. */
export const testWorkspaceEndpoints = [
  get({
    path: '/test-workspaces',
    handler: async ({ db, session }) => ({ data: await db.query(selectTestWorkspaces(session.workspaceId)) }),
  }),
  post({
    path: '/test-workspaces',

    body: named(Type.Object({ name: Type.String({ minLength: 1, pattern: '\\S' }) }, closed), { name: 'workspace' }),
    handler: async ({ db, session, services, body }) => {
      const wanted = { name: body.name, of: session.workspaceId, mailboxDomain: mailboxDomain(services.config) }
      const { id, name } = await createTestWorkspace(db, wanted, session.userId)
      return { id, name }
    },
  }),
  list({
    path: '/mailbox',
    order: NEWEST_MAIL,
    returns: { id: true, to: true, subject: true, sent_at: true },
    handler: ({ db, session, page }) => db.query(capturedMails(session.workspaceId, undefined, page)),
  }),
  get({
    path: '/mailbox/{id}',
    handler: async ({ db, session, params }) => {
      const mail = await db.one(capturedMail(session.workspaceId, params.id))
      if (!mail) return undefined
      const { id, to, to_name, reply_to, subject, text, html, sent_at } = mail
      return { id, to, to_name, reply_to, subject, text, html, sent_at }
    },
  }),
]
