import { PLANS } from '../contract/plans.ts'
import { isLimited, personScopes } from '../contract/scopes.ts'
import { jobsOfMembers } from '../kernel/access/reach.ts'
import { allWorkspaces } from '../resources/workspaces/index.ts'
import { mayUseConsole } from '../sign-in/landing-page.ts'
import type { HiringSessionResponse } from './api-types.ts'
import { get } from './program.ts'

export const sessionEndpoints = [
  get({
    path: '/session',
    limited: 'open',
    handler: async ({ db, session }): Promise<HiringSessionResponse> => {
      const [[workspace], members] = await Promise.all([
        db.query(allWorkspaces(session.workspaceId)),
        jobsOfMembers(db, session.workspaceId, [session.userId]),
      ])
      const { id, name, plan } = workspace!
      const jobs = members.get(session.userId)
      return {
        user: { id: session.userId, name: session.name, email: session.email, role: session.role },
        workspace: { id, name, plan: plan && { code: plan, name: PLANS[plan].name } },
        csrf_token: session.csrfToken,
        scopes: [...personScopes(session)],
        limited: isLimited(session),
        // a person who was removed a moment ago has none
        jobs: jobs === undefined ? [] : jobs,
        console: mayUseConsole(session),
      }
    },
  }),
]
