import { handleField, integer, nullable, object, shape, text, time } from '../../kernel/http/shape.ts'

export const personalDataReadShape = shape('personal_data_read', 'One personal-data value that this key received.', {
  subject: object({ object: text(), id: text() }),
  field: text(),
  units: integer(),
  request_id: handleField('request'),
  acting_user_id: nullable(handleField('user')),
  at: time(),
})
