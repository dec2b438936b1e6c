import { handleField, nullable, object, oneOf, optional, type Row, shape, time } from '../../kernel/http/shape.ts'
import { field } from '../../kernel/record/field.ts'

export const messageShape = shape(
  'message',
  'An email to an applicant. `sent`: the mail provider accepted it. `queued`: it is being sent, or its result is unknown because the response of the mail provider was lost. It is never sent twice.',
  {
    id: handleField('message'),
    status: oneOf(['sent', 'queued']),
    to: field(
      object({
        application_id: optional(handleField('application')),
        applicant_id: optional(handleField('applicant')),
      }),
      { description: 'Exactly one of `application_id` or `applicant_id`.' },
    ),
    sent_at: nullable(time()),
  },
)

export type MessageRow = Row<typeof messageShape>
