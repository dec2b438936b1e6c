import {
  array,
  handleField,
  int64,
  nullable,
  object,
  oneOf,
  type Row,
  shape,
  time,
  url,
  uuid,
} from '../../kernel/http/shape.ts'
import { field } from '../../kernel/record/field.ts'
import { stageTransitionShape } from '../applications/shape.ts'

export const EXPORT_RESOURCES = [
  'jobs',
  'applications',
  'applicants',
  'sourced_profiles',
  'lists',
  'list_memberships',
  'stage_transitions',
] as const
export type ExportResource = (typeof EXPORT_RESOURCES)[number]

/** `list`: the rows of the list endpoints; `full`: those of the single reads. */
export const EXPORT_VIEWS = ['list', 'full'] as const
export type ExportView = (typeof EXPORT_VIEWS)[number]

export const EXPORT_STATUSES = ['pending', 'running', 'ready', 'failed', 'expired'] as const
export type ExportStatus = (typeof EXPORT_STATUSES)[number]

export const exportShape = shape(
  'export',
  'A full copy of resources with their exact state at `as_of_sequence`. Continue with `GET /events?after=<as_of_sequence>`.',
  {
    id: uuid(),
    created_at: time(),
    resources: field(array(oneOf(EXPORT_RESOURCES)), { description: 'What is copied.' }),
    status: field(oneOf(EXPORT_STATUSES), { description: '`failed` and `expired` are final, as is `ready`.' }),
    as_of_sequence: nullable(
      int64('The position in the change feed that the files correspond to; null until it is known.'),
    ),
    progress: object({
      rows_done: field(int64(), { description: 'Rows written so far.' }),
      rows_total: nullable(int64('Null until the rows are counted.')),
    }),
    files: field(
      array(
        object({
          resource: oneOf(EXPORT_RESOURCES),
          rows: int64(),
          bytes: int64('Size of the compressed file.'),
          url: url(),
        }),
      ),
      { description: 'Gzipped NDJSON. Each URL is valid for 300 seconds; read the export again for a new one.' },
    ),
    expires_at: time(),
  },
)

export type ExportRow = Row<typeof exportShape>

/** The endpoint nests transitions below their application; in a file each must name it. */
export const exportedTransitionShape = shape(
  'stage_transition',
  'A stage change of an application, as exported.',
  { application_id: handleField('application'), ...stageTransitionShape.fields },
  { component: 'exported_stage_transition' },
)
