import type { JobPerson } from '../contract/job-rights.ts'
import { canBeLimited, isManager } from '../contract/roles.ts'
import type { LimitedPerson } from '../kernel/access/reach.ts'
import {
  checkReach,
  LIMITED_MESSAGE,
  type LimitedRule,
  limitOf,
  ROLE_IN_JOB_MESSAGE,
  readJobRoles,
} from '../kernel/access/reach.ts'
import type { Database } from '../kernel/db/database.ts'
import { fail } from '../kernel/errors/api-error.ts'
import type { Person } from '../kernel/http/pipeline.ts'
import type { Route } from '../kernel/http/route.ts'
import { SessionError } from '../programs/errors.ts'
import type { SessionKind } from '../programs/policy.ts'
import type { UserSession } from '../sign-in/sessions.ts'
import { userSession } from '../sign-in/user-session.ts'

/** A person in front of the hiring pages, with their roles by job. */
export interface HiringSession extends UserSession, JobPerson {}

/** The person whom a list is filtered by; undefined for people who see all candidates of the workspace. */
export const limitedTo = (session: HiringSession): LimitedPerson | undefined =>
  limitOf(session.workspaceId, session.userId, session)

/** For calls of the API. */
export function buildReach(db: Database, session: HiringSession): Person['reach'] {
  if (isManager(session)) return undefined
  return async (route, naming, complete) => {
    const rule = {
      rule: ruleOf(route),
      jobRight: route.jobRight,
      refuseLimited: () => refuseRoute(route, LIMITED_MESSAGE),
      refuseRight: () => refuseRoute(route, ROLE_IN_JOB_MESSAGE),
    }
    await checkReach(db, readerOf(session), rule, naming, complete)
  }
}

const readerOf = (session: HiringSession) => ({
  workspace: session.workspaceId,
  userId: session.userId,
  person: session,
})

const ruleOf = ({ limited }: Route): LimitedRule => (limited === 'keys' ? 'closed' : limited)

function refuseRoute({ access }: Route, message: string): never {
  const required_scope = typeof access === 'string' ? '' : access.scope
  return fail('insufficient_scope', { required_scope, message })
}

const refuse = (message: string) => (): never => {
  throw new SessionError('role_required', message)
}

/** Sessions of the hiring pages: what a call may do is checked by the rule and the right of its record. */
export const hiringSession: SessionKind<HiringSession> = {
  ...(userSession as unknown as SessionKind<HiringSession>),
  async find(visit) {
    const session = await userSession.find(visit)
    if (!session) return undefined
    const { workspaceId, userId, role } = session
    const jobRoles = canBeLimited(role) ? await readJobRoles(visit.services.db, workspaceId, userId) : new Map()
    return { ...session, jobRoles }
  },
  checkReach: (db, session, { limited = 'closed', jobRight }, naming, complete) => {
    const rule = {
      rule: limited,
      jobRight,
      refuseLimited: refuse(LIMITED_MESSAGE),
      refuseRight: refuse(ROLE_IN_JOB_MESSAGE),
    }
    return checkReach(db, readerOf(session), rule, naming, complete)
  },
}
