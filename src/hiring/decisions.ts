import { ROLE_SCOPES, type Scope } from '../contract/scopes.ts'
import { fail } from '../kernel/errors/api-error.ts'
import { isHandle } from '../kernel/ids/handles.ts'
import type { OnApplication } from '../resources/hiring-team/index.ts'
import type { UserSession } from '../sign-in/sessions.ts'

/** The application of a path, for the person who is signed in. What is not a handle is like one that does not exist. */
export function onApplication(session: UserSession, params: Readonly<Record<'application', string>>): OnApplication {
  const applicationId = params.application
  if (!isHandle('application', applicationId)) fail('not_found')
  return { workspace: session.workspaceId, applicationId, userId: session.userId }
}

export const hasScope = ({ role }: UserSession, scope: Scope): boolean => ROLE_SCOPES[role].includes(scope)
