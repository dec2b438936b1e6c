import { PERSON_ALLOWANCES } from '../contract/plans.ts'
import { CLOSED_TO_LIMITED, isLimited, personScopes } from '../contract/scopes.ts'
import { LIMITED_MESSAGE } from '../kernel/access/reach.ts'
import { SessionError } from '../programs/errors.ts'
import type { SessionKind } from '../programs/policy.ts'
import { readFactors } from '../resources/second-factors/index.ts'
import { isConfirmed, provedLately } from './second-factor/confirm.ts'
import { readAnySession, type UserSession, whoOf } from './sessions.ts'

/** A person who is signed in to a workspace, in front of the console or the hiring pages. */
export const userSession: SessionKind<UserSession> = {
  name: 'user',
  find: ({ services, request }) => readAnySession(services, request),
  checkReady({ mustEnrol }) {
    if (mustEnrol) throw new SessionError('second_factor_required')
  },
  checkRights(session, { roles, refusal, scope }) {
    if (roles && !roles.includes(session.role)) throw new SessionError('role_required', refusal)
    if (scope === undefined || personScopes(session).includes(scope)) return
    const isForJobs = isLimited(session) && CLOSED_TO_LIMITED.includes(scope)
    throw new SessionError('role_required', isForJobs ? LIMITED_MESSAGE : refusal)
  },
  isProved: provedLately,
  allowance: ({ userId }, tier) => ({ subject: userId, perMinute: PERSON_ALLOWANCES.perMinute[tier] }),
}

/** The same, also in a session that may only set up a second factor. Without one, the sign-in must have been lately. */
export const enrollingSession: SessionKind<UserSession> = {
  name: 'user',
  find: userSession.find,
  isProved: async (db, session) => isConfirmed(session, await readFactors(db, whoOf(session))),
}
