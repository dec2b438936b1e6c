import { PLANS } from '../contract/plans.ts'
import { isLimited, personScopes } from '../contract/scopes.ts'
import { jobsOf } from '../kernel/access/reach.ts'
import { fields } from '../programs/fields.ts'
import { readMemberSettings } from '../resources/member-settings/index.ts'
import { allWorkspaces } from '../resources/workspaces/index.ts'
import { mayUseConsole } from '../sign-in/landing-page.ts'
import { get } from './program.ts'

export const sessionEndpoints = [
  get({
    path: '/session',
    limited: 'open',
    returns: {
      ...fields('csrf_token', 'scopes', 'limited', 'jobs', 'job_roles', 'console', 'language', 'time_zone'),
      user: fields('id', 'name', 'email', 'role'),
      workspace: { ...fields('id', 'name', 'environment'), plan: fields('code', 'name') },
    },
    handler: async ({ db, session }) => {
      const [{ id, name, plan, environment }, { language, time_zone }] = await Promise.all([
        db.only(allWorkspaces(session.workspaceId)),
        readMemberSettings(db, session.workspaceId, session.userId),
      ])
      return {
        user: { id: session.userId, name: session.name, email: session.email, role: session.role },
        workspace: { id, name, environment, plan: plan && { code: plan, name: PLANS[plan].name } },
        csrf_token: session.csrfToken,
        /** what the role may do, in the words of the API; buttons that would be refused are not shown */
        scopes: [...personScopes(session)],
        /** only the jobs whose team the person is on */
        limited: isLimited(session),
        /** null: all jobs of the workspace */
        jobs: jobsOf(session),
        /** what the person is on the teams of jobs; `contract/job-rights.ts` says what they may do there */
        job_roles: Object.fromEntries(session.jobRoles),
        /** whether the console is for this person */
        console: mayUseConsole(session),
        /** null: those of the browser */
        language,
        time_zone,
      }
    },
  }),
]
