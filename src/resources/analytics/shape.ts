import {
  array,
  boolean,
  called,
  handleField,
  integer,
  nullable,
  number,
  object,
  oneOf,
  optional,
  type Row,
  shape,
  text,
  time,
} from '../../kernel/http/shape.ts'
import { field } from '../../kernel/record/field.ts'
import { STAGE_TYPES } from '../jobs/shape.ts'

/** Up to so many applications all medians are exact: measuring a million takes longer than counting them. */
export const MEASURED = 20_000
/** In every group at least so many are measured, or all where there are fewer. */
export const MEASURED_OF_GROUP = 100

export const GROUPINGS = ['none', 'job', 'department', 'source', 'week', 'month'] as const
export type Grouping = (typeof GROUPINGS)[number]

const totals = called(
  'funnel_totals',
  object({
    applications: integer(),
    new: integer(),
    in_review: integer(),
    advanced: integer(),
    rejected: integer(),
    withdrawn: integer(),
    hired: integer(),
    median_days_to_hire: nullable(number('Days from application to hire, of hired applications.')),
  }),
)

const stages = array(
  called(
    'funnel_stage',
    object({
      stage_type: oneOf(STAGE_TYPES),
      stage_id: optional(handleField('pipeline_stage')),
      name: optional(text()),
      position: integer('Position of the stage in its job; without job_id, the usual position of the type.'),
      reached: integer('Applications that were ever in the stage: the sum of the next five counts.'),
      current: integer('Open applications that are in the stage now.'),
      advanced: integer('Applications that moved on to another stage.'),
      rejected: integer('Applications that were rejected in the stage.'),
      withdrawn: integer('Applications that were withdrawn in the stage.'),
      hired: integer('Applications that were hired in the stage.'),
      conversion_rate: nullable(
        number('The share of applications that moved on or were hired, of those that reached the stage: 0 to 1.'),
      ),
      median_hours_in_stage: nullable(number('Hours in the stage, of applications that moved on.')),
    }),
  ),
)

export const funnelShape = shape(
  'hiring_funnel',
  `Counts of applications by status and by the stages they reached, computed from stage history. A stage of type \`rejected\` is not a funnel step: an application moved there counts in its previous stage. Counts and days to hire are exact. For more than ${MEASURED} applications, hours in stages are computed from a random sample of about that size, with at least ${MEASURED_OF_GROUP} applications (or all) of each group.`,
  {
    workspace_id: handleField('workspace'),
    job_id: nullable(handleField('job')),
    applied_after: time(),
    applied_before: time(),
    group_by: oneOf(GROUPINGS),
    generated_at: time(),
    totals,
    stages,
    groups: array(
      called(
        'funnel_group',
        object({
          key: nullable(
            text('A job, a department, a source, or the first day of a week (Monday) or month; null if there is none.'),
          ),
          label: nullable(text()),
          totals,
          stages,
        }),
      ),
    ),
    groups_truncated: field(boolean(), { description: 'Whether there are more groups than the 500 returned.' }),
  },
  { resource: { name: 'hiring_funnel', scope: 'analytics:read' } },
)

export type FunnelRow = Row<typeof funnelShape>
export type TotalsRow = FunnelRow['totals']
export type StageTally = FunnelRow['stages'][number]
