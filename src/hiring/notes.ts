import type { JobRight } from '../contract/job-rights.ts'
import { NOTE_VISIBILITIES } from '../contract/note-visibility.ts'
import { isManager } from '../contract/roles.ts'
import { closed } from '../kernel/http/closed.ts'
import { handleParam, isUuid } from '../kernel/http/params.ts'
import { Type } from '../kernel/schema/types.ts'
import { fields } from '../programs/fields.ts'
import { noteRecord } from '../resources/applications/shape.ts'
import {
  countHiddenNotes,
  deleteOwnNote,
  editNote,
  MAX_MENTIONS,
  membersWithAccess,
  type NoteReader,
  readNotes,
  writeNote,
} from '../resources/hiring-team/index.ts'
import { readUnlessStopped } from '../resources/suppressions/index.ts'
import { onApplication } from './decisions.ts'
import { get, list, post } from './program.ts'
import type { HiringSession } from './reach.ts'

const NOTE = {
  ...noteRecord.input,
  mentions: Type.Array(Type.String({ maxLength: 100 }), { maxItems: MAX_MENTIONS }),
}

/** How the person of a call reads notes. */
export const noteReader = (session: HiringSession, rights: ReadonlySet<JobRight>): NoteReader => ({
  userId: session.userId,
  all: isManager(session),
  team: rights.has('discuss'),
})

export const noteEndpoints = [
  get({
    path: '/members',
    limited: 'open',
    scope: 'users:read',
    query: {
      application_id: handleParam('Only members who have access to the job of this application.', 'application'),
    },
    returns: { members: fields('id', 'name', 'role', 'reads_notes', 'writes_scorecards', 'decides') },
    handler: async ({ db, session, query }) => ({
      members: await membersWithAccess(db, session.workspaceId, query.application_id),
    }),
  }),
  list({
    path: '/applications/{application}/notes',
    limited: 'record',
    jobRight: 'feedback',
    scope: 'notes:write',
    order: { by: 'created_at', tiebreaker: 'id', direction: 'desc', tiebreakerType: 'uuid', table: 'n' },
    returns: {
      ...fields('id', 'body', 'visibility', 'created_at', 'edited_at', 'editable'),
      author: fields('id', 'name'),
      mentions: fields('id', 'name'),
    },
    handler: ({ db, session, params, page, rights }) => {
      const on = onApplication(session, params)
      const read = () => readNotes(db, on, noteReader(session, rights), page)
      return readUnlessStopped({ db, workspace: on.workspace }, 'application', on.applicationId, read, [])
    },
  }),
  post({
    path: '/applications/{application}/notes',
    limited: 'record',
    jobRight: 'feedback',
    scope: 'notes:write',
    body: Type.Object({ ...NOTE, visibility: Type.Optional(Type.Enum(NOTE_VISIBILITIES)) }, closed),
    returns: fields('id'),
    handler: ({ db, session, params, body }) =>
      db.transaction(tx => writeNote(tx, onApplication(session, params), body)),
  }),
  // a note of someone else is like one that does not exist
  post({
    path: '/applications/{application}/notes/{note}',
    limited: 'record',
    jobRight: 'feedback',
    scope: 'notes:write',
    body: Type.Object(NOTE, closed),
    returns: fields('id'),
    handler: async ({ db, session, params, body }) =>
      isUuid(params.note)
        ? db.transaction(tx => editNote(tx, onApplication(session, params), params.note, body))
        : undefined,
  }),
  post({
    path: '/applications/{application}/notes/{note}/delete',
    limited: 'record',
    jobRight: 'feedback',
    scope: 'notes:write',
    returns: fields('id'),
    handler: async ({ db, session, params }) =>
      isUuid(params.note)
        ? db.transaction(tx => deleteOwnNote(tx, onApplication(session, params), params.note))
        : undefined,
  }),
  get({
    path: '/applications/{application}/hidden-notes',
    limited: 'record',
    jobRight: 'feedback',
    scope: 'notes:write',
    returns: fields('hidden'),
    handler: ({ db, session, params, rights }) => {
      const { workspace, applicationId } = onApplication(session, params)
      // notes of the team that an interviewer reads after their scorecard
      return db.one(countHiddenNotes(workspace, applicationId, noteReader(session, rights)))
    },
  }),
]
