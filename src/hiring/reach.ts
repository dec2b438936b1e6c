import { isLimited } from '../contract/scopes.ts'
import { checkReach, LIMITED_MESSAGE, type LimitedRule } from '../kernel/access/reach.ts'
import type { Database } from '../kernel/db/database.ts'
import { fail } from '../kernel/errors/api-error.ts'
import type { Person } from '../kernel/http/pipeline.ts'
import type { Route } from '../kernel/http/route.ts'
import { SessionError } from '../programs/errors.ts'
import type { SessionKind } from '../programs/policy.ts'
import type { UserSession } from '../sign-in/sessions.ts'

/** The person whose jobs a list is filtered by; undefined for people with access to all jobs. */
export const limitedTo = (session: UserSession) =>
  isLimited(session) ? { workspace: session.workspaceId, userId: session.userId } : undefined

/** For calls of the API. */
export function buildReach(db: Database, session: UserSession): Person['reach'] {
  const person = limitedTo(session)
  if (!person) return undefined
  return (route, naming, complete) => {
    return checkReach(db, person, ruleOf(route), naming, { complete, refuse: () => refuseRoute(route) })
  }
}

const ruleOf = ({ limited }: Route): LimitedRule => (limited === 'keys' ? 'closed' : limited)

function refuseRoute({ access }: Route): never {
  const required_scope = typeof access === 'string' ? '' : access.scope
  return fail('insufficient_scope', { required_scope, message: LIMITED_MESSAGE })
}

/** For calls of the pages' own endpoints, by the rule of their record. */
export const checkEndpointReach: NonNullable<SessionKind<UserSession>['checkReach']> = async (
  db,
  session,
  rule,
  naming,
  complete,
) => {
  const person = limitedTo(session)
  if (!person) return
  const refuse = () => {
    throw new SessionError('role_required', LIMITED_MESSAGE)
  }
  await checkReach(db, person, rule, naming, { complete, refuse })
}
