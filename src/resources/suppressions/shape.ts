import {
  array,
  handleField,
  int64,
  literal,
  nullable,
  object,
  oneOf,
  shape,
  text,
  time,
  uuid,
} from '../../kernel/http/shape.ts'
import { field } from '../../kernel/record/field.ts'

export const REASONS = ['erasure_request', 'stop_processing', 'legal_request'] as const
export type Reason = (typeof REASONS)[number]

export const suppressionShape = shape(
  'suppression',
  'A person whose data must no longer be processed. Delete your copies of the named records by `delete_by`.',
  {
    id: uuid(),
    sequence: int64('The position in the log of this workspace: always increasing, never reused, not contiguous.'),
    status: oneOf(['suppressed', 'erased']),
    reason: oneOf(REASONS),
    subjects: field(
      array(object({ object: text(), id: text('The handle of a record of the person in this workspace.') })),
      { description: 'The handles of the person in this workspace.' },
    ),
    identifiers: field(
      array(
        object({
          kind: oneOf(['email', 'linkedin_url']),
          algorithm: literal('sha256'),
          value: text(
            'Hexadecimal digest of a normalized identifier from this workspace or the pool. The identifier itself is not stored.',
          ),
        }),
      ),
      { description: 'SHA-256 of the normalized identifiers. Use them to find your copies.' },
    ),
    applied_at: time(),
    delete_by: field(time(), { description: 'Delete your copies by this time.' }),
    completed_at: nullable(time()),
  },
  { resource: { name: 'suppressions', scope: 'events:read' } },
)

export const acknowledgementShape = shape(
  'suppression_acknowledgement',
  'A partner’s confirmation that it deleted its copies of a person’s records.',
  {
    suppression_id: uuid(),
    workspace_id: handleField('workspace'),
    deleted_at: field(time(), { description: 'When you deleted your copies.' }),
    acknowledged_at: time(),
  },
  { subject: row => ({ object: 'suppression', id: row.suppression_id }) },
)

/** Fields of a log page besides `data`. */
export const logFields = { next_after: int64('The last sequence read. Send it as `after` to continue.') }
