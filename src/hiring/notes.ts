import { ROLE_SCOPES } from '../contract/scopes.ts'
import { closed } from '../kernel/http/closed.ts'
import { handleParam, isUuid } from '../kernel/http/params.ts'
import { Type } from '../kernel/schema/types.ts'
import { fields } from '../programs/fields.ts'
import { noteRecord } from '../resources/applications/shape.ts'
import {
  MAX_MENTIONS,
  membersWithAccess,
  readNotes,
  setMentionDone,
  writeNote,
} from '../resources/hiring-team/index.ts'
import { readUnlessStopped } from '../resources/suppressions/index.ts'
import { onApplication, readsInternal } from './decisions.ts'
import { get, list, post } from './program.ts'

export const noteEndpoints = [
  get({
    path: '/members',
    limited: 'open',
    scope: 'users:read',
    query: {
      application_id: handleParam('Only members who have access to the job of this application.', 'application'),
    },
    returns: { members: fields('id', 'name', 'role', 'reads_notes', 'writes_scorecards') },
    handler: async ({ db, session, query }) => ({
      members: (await membersWithAccess(db, session.workspaceId, query.application_id)).map(member => ({
        ...member,
        /** whether the role reads notes and scorecards of others */
        reads_notes: ROLE_SCOPES[member.role].includes('applications:internal:read'),
        writes_scorecards: ROLE_SCOPES[member.role].includes('scorecards:write'),
      })),
    }),
  }),
  list({
    path: '/applications/{application}/notes',
    limited: 'record',
    jobRight: 'feedback',
    scope: 'notes:write',
    order: { by: 'created_at', tiebreaker: 'id', direction: 'desc', tiebreakerType: 'uuid', table: 'n' },
    // authors see what they wrote; only some roles see what others wrote
    returns: { ...fields('id', 'body', 'created_at'), author: fields('id', 'name'), mentions: fields('id', 'name') },
    handler: ({ db, session, params, page }) => {
      const on = onApplication(session, params)
      const visible = { reader: on.userId, all: readsInternal(session) }
      const read = () => readNotes(db, on, visible, page)
      return readUnlessStopped({ db, workspace: on.workspace }, 'application', on.applicationId, read, [])
    },
  }),
  post({
    path: '/applications/{application}/notes',
    limited: 'record',
    jobRight: 'feedback',
    scope: 'notes:write',
    body: Type.Object(
      { ...noteRecord.input, mentions: Type.Array(Type.String({ maxLength: 100 }), { maxItems: MAX_MENTIONS }) },
      closed,
    ),
    returns: fields('id'),
    handler: ({ db, session, params, body }) =>
      db.transaction(tx => writeNote(tx, onApplication(session, params), body)),
  }),
  post({
    path: '/mentions/{note}/done',
    // only notes that name the reader
    limited: 'open',
    body: Type.Object({ done: Type.Boolean() }, closed),
    returns: fields('note_id'),
    handler: async ({ db, session, params, body }) =>
      isUuid(params.note)
        ? db.one(setMentionDone(session.workspaceId, params.note, session.userId, body.done))
        : undefined,
  }),
]
