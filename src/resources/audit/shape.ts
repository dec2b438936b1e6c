import { called, handleField, integer, nullable, object, shape, text, time } from '../../kernel/http/shape.ts'
import { field } from '../../kernel/record/field.ts'

export const personalDataReadShape = shape('personal_data_read', 'One personal-data value that this key received.', {
  subject: called('record_subject', object({ object: text(), id: text() })),
  field: text(),
  units: field(integer(), { description: 'The number of units charged to the daily budget.' }),
  request_id: handleField('request'),
  acting_user_id: nullable(handleField('user')),
  at: time(),
})
