import { handleField, nullable, object, oneOf, optional, type Row, shape, time } from '../../kernel/http/shape.ts'

export const messageShape = shape(
  'message',
  'An email to an applicant. `sent`: the mail provider accepted it. `queued`: it is being sent, or its result is unknown because the response of the mail provider was lost. It is never sent twice.',
  {
    id: handleField('message'),
    status: oneOf(['sent', 'queued']),
    to: object({
      application_id: optional(handleField('application')),
      applicant_id: optional(handleField('applicant')),
    }),
    sent_at: nullable(time()),
  },
)

export type MessageRow = Row<typeof messageShape>
