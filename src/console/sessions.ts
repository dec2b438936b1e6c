import { endSession, endSessions, listSessions } from '../sign-in/sessions.ts'
import { get, post } from './program.ts'

/** A person's own sessions. */
export const sessionEndpoints = [
  get({
    path: '/sessions',
    handler: async ({ db, session }) => ({
      data: (await listSessions(db, session)).map(row => ({
        id: row.id,
        current: row.id === session.id,
        method: row.method,
        /** the second factor that was proved */
        factor: row.factor,
        address: row.address,
        user_agent: row.user_agent,
        created_at: row.created_at,
        last_seen_at: row.last_seen_at,
      })),
    }),
  }),
  post({
    path: '/sessions/{id}/end',
    handler: async ({ db, session, params }) =>
      (await endSession(db, session, params.id)) ? { id: params.id } : undefined,
  }),
  post({
    path: '/sessions/end-others',
    handler: async ({ db, session }) => ({ ended: await endSessions(db, session, session.id) }),
  }),
]
