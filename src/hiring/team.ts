import { JOB_ROLES, type JobRole } from '../contract/job-rights.ts'
import { closed } from '../kernel/http/closed.ts'
import { isHandle } from '../kernel/ids/handles.ts'
import { type TSchema, Type } from '../kernel/schema/types.ts'
import { fields } from '../programs/fields.ts'
import { changeTeam, readTeam } from '../resources/hiring-team/index.ts'
import { get, post } from './program.ts'

const people = Type.Array(Type.String({ maxLength: 100 }), { maxItems: 500 })

/** by the handles of users */
const roles = {
  type: 'object',
  additionalProperties: Type.Enum(JOB_ROLES),
} as TSchema<Record<string, JobRole>>

const TEAM = { people: fields('id', 'name', 'role', 'limited', 'on_team', 'job_role') }

/** Who works on a job. People who are limited to jobs see the team of theirs, and cannot change it. */
export const teamEndpoints = [
  get({
    path: '/jobs/{job}/team',
    limited: 'record',
    jobRight: 'see',
    scope: 'jobs:read',
    returns: TEAM,
    handler: async ({ db, session, params }) =>
      isHandle('job', params.job) ? readTeam(db, session.workspaceId, params.job) : undefined,
  }),
  post({
    path: '/jobs/{job}/team',
    limited: 'closed',
    jobRight: 'setup',
    scope: 'jobs:manage',
    body: Type.Object({ add: people, remove: people, roles: Type.Optional(roles) }, closed),
    returns: TEAM,
    handler: async ({ db, session, params, body }) => {
      const id = params.job
      return isHandle('job', id) ? db.transaction(tx => changeTeam(tx, session.workspaceId, id, body)) : undefined
    },
  }),
]
