import { ROLE_SCOPES, type Scope } from '../contract/scopes.ts'
import { refuseInput } from '../kernel/http/faults.ts'
import { handleParam, oneOfParam, textParam, timeParam } from '../kernel/http/params.ts'
import { countedApplications, outcomeStatuses, windowFaults, windowOf } from '../resources/analytics/index.ts'
import { STATUSES } from '../resources/applications/shape.ts'
import { STAGE_TYPES } from '../resources/jobs/shape.ts'
import { type Endpoint, get } from '../sign-in/endpoints/endpoint.ts'
import { SessionError } from '../sign-in/endpoints/errors.ts'
import type { CountedApplicationResponse } from './api-types.ts'

const OUTCOMES = ['reached', 'advanced', 'current', 'rejected', 'withdrawn', 'hired'] as const

/** Every number of the funnel opens the applications that it counts. */
export const insightEndpoints: readonly Endpoint[] = [
  get({
    path: '/insight/applications',
    scope: 'applications:read',
    query: {
      applied_after: timeParam('As for the funnel.'),
      applied_before: timeParam('As for the funnel.'),
      job_id: handleParam('Only applications for this job.', 'job'),
      department: textParam('Only applications for jobs of this department.'),
      source: textParam('Only applications from this source.'),
      status: oneOfParam('Only applications with this status.', STATUSES),
      stage_type: oneOfParam('Only applications that reached a stage of this type.', STAGE_TYPES),
      stage_id: handleParam('Only applications that reached this stage.', 'pipeline_stage'),
      outcome: oneOfParam('What became of them in the stage. Default: reached.', OUTCOMES),
    },
    order: { by: 'applied_at', tiebreaker: 'id', direction: 'desc', table: 'a' },
    handler: async ({ db, session, query, page, now }): Promise<CountedApplicationResponse[]> => {
      const at = new Date(now).toISOString()
      const faults = windowFaults(query, at)
      if (faults.length > 0) refuseInput(faults)
      const { job_id: jobId, department, source, status, stage_type, stage_id, outcome = 'reached' } = query
      const funnel = {
        workspace: session.workspaceId,
        window: windowOf(query, at),
        grouping: 'none',
        jobId,
        department,
        source,
      } as const
      const part = {
        status: status && STATUSES.indexOf(status),
        stage: stage_id ? { id: stage_id } : stage_type ? { type: STAGE_TYPES.indexOf(stage_type) } : undefined,
        outcome: outcome === 'reached' || outcome === 'advanced' ? outcome : outcomeStatuses(outcome),
      }
      const may = (scope: Scope) => ROLE_SCOPES[session.role].includes(scope)
      // who reached which stage is the history of an application
      if (part.stage && outcome !== 'current' && !may('applications:internal:read'))
        throw new SessionError('role_required')
      const rows = await db.query(countedApplications(funnel, part, page))
      const mayReadNames = may('applicants:read')
      return mayReadNames ? rows : rows.map(row => ({ ...row, name: null }))
    },
  }),
]
