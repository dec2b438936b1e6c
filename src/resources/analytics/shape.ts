import {
  array,
  boolean,
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
import { STAGE_TYPES } from '../jobs/shape.ts'

/** Up to so many applications all medians are exact: measuring a million takes longer than counting them. */
export const MEASURED = 20_000
/** In every group at least so many are measured, or all where there are fewer. */
export const MEASURED_OF_GROUP = 100

export const GROUPINGS = ['none', 'job', 'department', 'source', 'week', 'month'] as const
export type Grouping = (typeof GROUPINGS)[number]

const totals = object({
  applications: integer(),
  new: integer(),
  in_review: integer(),
  advanced: integer(),
  rejected: integer(),
  withdrawn: integer(),
  hired: integer(),
  median_days_to_hire: nullable(number('Of those hired, from the application to the hire.')),
})

const stages = array(
  object({
    stage_type: oneOf(STAGE_TYPES),
    stage_id: optional(handleField('pipeline_stage')),
    name: optional(text()),
    position: integer('Of the stage in its job; without job_id, the usual place of the type.'),
    reached: integer('Applications that were ever in the stage: the sum of the next five.'),
    current: integer('Open, and in the stage now.'),
    advanced: integer('Went on to another stage.'),
    rejected: integer('Rejected in the stage.'),
    withdrawn: integer('Withdrawn in the stage.'),
    hired: integer('Hired in the stage.'),
    conversion_rate: nullable(number('Of those that reached it, how many went on or were hired: 0 to 1.')),
    median_hours_in_stage: nullable(number('Of those that went on.')),
  }),
)

export const funnelShape = shape(
  'hiring_funnel',
  `Counts of applications by status and by the stages that they reached, from the history of their stages. A stage of type \`rejected\` is a way out, not a step: who was moved there is counted in the last stage before it. Counts and days to hire are exact. Hours in stages of more than ${MEASURED} applications are those of about as many of them, drawn by lot; of each group of these at least ${MEASURED_OF_GROUP}, or all.`,
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
      object({
        key: nullable(text('A job, a department, a source, or the first day of a week (Monday) or month; null: none.')),
        label: nullable(text()),
        totals,
        stages,
      }),
    ),
    groups_truncated: boolean(),
  },
  { resource: { name: 'hiring_funnel', scope: 'analytics:read' } },
)

export type FunnelRow = Row<typeof funnelShape>
export type TotalsRow = FunnelRow['totals']
export type StageTally = FunnelRow['stages'][number]
