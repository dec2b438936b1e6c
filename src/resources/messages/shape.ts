import { handleField, nullable, object, oneOf, optional, type Row, shape, time } from '../../kernel/http/shape.ts'

export const messageShape = shape(
  'message',
  'An e-mail to an applicant. `sent`: the mail provider accepted it. `queued`: it is being delivered, or was handed over and the answer got lost; it is never sent a second time.',
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
