import type { Queryable } from '../kernel/db/database.ts'
import { SessionError } from '../programs/errors.ts'
import type { Need, Visit } from '../programs/policy.ts'
import { corporateDomain, mayManageKeys } from '../resources/keys/index.ts'
import { selectWorkspaceSettings } from '../resources/workspaces/index.ts'
import type { UserSession } from '../sign-in/sessions.ts'

/** Why this person may not manage keys and connected apps, in a sentence; null if they may. */
export async function keyManagementRefused(db: Queryable, session: UserSession): Promise<string | null> {
  const settings = await db.one(selectWorkspaceSettings(session.workspaceId))
  const domains = settings?.key_management_domains ?? []
  if (mayManageKeys(session.email, domains)) return null
  return `Only people with an email address at one of these domains can manage keys and connected apps: ${domains.join(', ')}. Yours is ${corporateDomain(session.email)}.`
}

/** Whether this person manages keys and connected apps. */
export const keyManager: Need<Visit & { session: UserSession }> = {
  name: 'key manager',
  check: ({ services, session }) => requireKeyManager(services.db, session),
}

export async function requireKeyManager(db: Queryable, session: UserSession): Promise<void> {
  const refused = await keyManagementRefused(db, session)
  if (refused !== null) throw new SessionError('email_domain_not_allowed', refused)
}
