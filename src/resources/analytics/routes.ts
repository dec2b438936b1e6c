import { readMaybeOld } from '../../kernel/db/replica.ts'
import { handleParam, oneOfParam, textParam, timeParam } from '../../kernel/http/params.ts'
import { type Route, readOne } from '../../kernel/http/route.ts'
import { readFunnel } from './actions.ts'
import { resolveWindow, windowFaults } from './rules.ts'
import { funnelShape, GROUPINGS } from './shape.ts'

export const analyticsRoutes: readonly Route[] = [
  readOne({
    path: '/analytics/hiring-funnel',
    operationId: 'getHiringFunnel',
    limited: 'job',
    jobRight: 'browse',
    summary: 'Get the hiring funnel',
    description: 'Computed from stage history. It has only counts and no personal data.',
    group: 'Analytics',
    scope: 'analytics:read',
    tier: 'expensive',
    query: {
      applied_after: timeParam(
        'Only applications submitted after this time. Default: 90 days before the end; at most 366 days.',
      ),
      applied_before: timeParam('Only applications submitted before this time. Default: now.'),
      job_id: handleParam('Only applications for this job. The stages are then those of the job.', 'job'),
      department: textParam('Only applications for jobs of this department.'),
      source: textParam('Only applications from this source.'),
      group_by: oneOfParam('Adds counts by group, largest groups first.', GROUPINGS),
    },
    rules: ({ query, now }) => windowFaults(query, new Date(now).toISOString()),
    shape: funnelShape,
    handler: async ({ workspace, query, services }) => {
      const generated_at = new Date(await services.db.now()).toISOString()
      const window = resolveWindow(query, generated_at)
      const { job_id: jobId, department, source, group_by: grouping = 'none' } = query
      const asked = { workspace, window, grouping, jobId, department, source }
      const counted = await readMaybeOld(services, db => readFunnel(db, asked))
      return {
        workspace_id: workspace,
        job_id: jobId ?? null,
        applied_after: window.after,
        applied_before: window.before,
        group_by: grouping,
        generated_at,
        ...counted,
      }
    },
  }),
]
