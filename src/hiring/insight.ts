import { APPLICATION_STATUSES, OPEN_STATUSES } from '../contract/application-status.ts'
import { ROLE_SCOPES, type Scope } from '../contract/scopes.ts'
import { type InputFault, refuseInput } from '../kernel/http/faults.ts'
import { handleParam, oneOfParam, parseInstant, textParam, timeParam } from '../kernel/http/params.ts'
import { SessionError } from '../programs/errors.ts'
import { fields } from '../programs/fields.ts'
import { countedApplications, outcomeStatuses, resolveWindow, windowFaults } from '../resources/analytics/index.ts'
import { STAGE_TYPES } from '../resources/jobs/shape.ts'
import { list } from './program.ts'

const OUTCOMES = ['reached', 'advanced', 'passed', 'current', 'rejected', 'withdrawn', 'hired'] as const

const GROUPINGS = ['job', 'department', 'source', 'week', 'month'] as const

const isDay = (text: string): boolean => parseInstant(`${text}T00:00:00Z`) !== undefined

/** The key of a group, as the funnel has it; only applications without a department have none. */
function groupFaults(by: (typeof GROUPINGS)[number] | undefined, key: string | undefined): InputFault[] {
  if (by === undefined) return key === undefined ? [] : [{ param: 'group_by', message: 'is required with group' }]
  if (key === undefined) return by === 'department' ? [] : [{ param: 'group', message: 'is required with group_by' }]
  if ((by === 'week' || by === 'month') && !isDay(key))
    return [{ param: 'group', message: 'must be the first day of a week or month, such as 2026-11-02' }]
  return []
}

/** Every number of the funnel opens the applications that it counts. */
export const insightEndpoints = [
  list({
    path: '/insight/applications',
    limited: 'job',
    jobRight: 'browse',
    scope: 'applications:read',
    query: {
      applied_after: timeParam('As for the funnel.'),
      applied_before: timeParam('As for the funnel.'),
      job_id: handleParam('Only applications for this job.', 'job'),
      department: textParam('Only applications for jobs of this department.'),
      source: textParam('Only applications from this source.'),
      status: oneOfParam('Only applications with this status, or open ones.', [
        ...APPLICATION_STATUSES,
        'open',
      ] as const),
      stage_type: oneOfParam('Only applications that reached a stage of this type.', STAGE_TYPES),
      stage_id: handleParam('Only applications that reached this stage.', 'pipeline_stage'),
      group_by: oneOfParam('As for the funnel: only applications of one of its groups.', GROUPINGS),
      group: textParam('The key of the group. Without it: those that have no department.'),
      outcome: oneOfParam('What became of them in the stage. Default: reached.', OUTCOMES),
    },
    order: { by: 'applied_at', tiebreaker: 'id', direction: 'desc', table: 'a' },
    returns: fields('id', 'applied_at', 'status', 'source', 'job_id', 'job_title', 'stage_name', 'name', 'match_pct'),
    handler: async ({ db, session, query, page, now, rights }) => {
      const at = new Date(now).toISOString()
      const faults = [...windowFaults(query, at), ...groupFaults(query.group_by, query.group)]
      if (faults.length > 0) refuseInput(faults)
      const { job_id: jobId, department, source, status, stage_type, stage_id, outcome = 'reached' } = query
      const funnel = {
        workspace: session.workspaceId,
        window: resolveWindow(query, at),
        grouping: 'none',
        jobId,
        department,
        source,
      } as const
      const part = {
        group: { by: query.group_by ?? ('none' as const), key: query.group ?? null },
        statuses:
          status && (status === 'open' ? OPEN_STATUSES : [status]).map(one => APPLICATION_STATUSES.indexOf(one)),
        stage: stage_id ? { id: stage_id } : stage_type ? { type: STAGE_TYPES.indexOf(stage_type) } : undefined,
        outcome:
          outcome === 'reached' || outcome === 'advanced' || outcome === 'passed' ? outcome : outcomeStatuses(outcome),
      }
      const may = (scope: Scope) => ROLE_SCOPES[session.role].includes(scope)
      // who reached which stage is the history of an application
      if (part.stage && outcome !== 'current' && !rights.has('discuss')) throw new SessionError('role_required')
      const rows = await db.query(countedApplications(funnel, part, page))
      const mayReadNames = may('applicants:read')
      return mayReadNames ? rows : rows.map(row => ({ ...row, name: null }))
    },
  }),
]
