import { handleField, integer, jsonText, nullable, shape, text, time } from '../../kernel/http/shape.ts'
import { field } from '../../kernel/record/field.ts'

export const requestShape = shape('api_request', 'One call of this key, without its body.', {
  id: field(handleField('request'), {
    description: 'The request id: `request_id` of an error, and the header `Service-Request-Id` of every response.',
  }),
  workspace_id: field(handleField('workspace'), {
    description: 'The workspace of the call; that of the key if the call addressed none.',
  }),
  method: text(),
  route: field(nullable(text()), {
    description:
      'The path with its placeholders, such as `/jobs/{job_handle}`; null if no endpoint has the path, which is not stored.',
  }),
  params: jsonText({
    type: 'object',
    additionalProperties: { type: ['string', 'null'] },
    description:
      'Parameters of path and query by name. null: the value is not stored, because it may be personal or was not valid. Where no endpoint has the path, `did_you_mean` names the nearest one.',
  }),
  status: field(integer(), { description: 'The HTTP status of the response.' }),
  code: field(nullable(text()), { description: 'The error code; null if the call succeeded.' }),
  param: field(nullable(text()), { description: 'The parameter or field that the error named.' }),
  duration_ms: field(integer(), { description: 'Milliseconds from the headers of the request to the response.' }),
  acting_user_id: nullable(handleField('user')),
  created_at: time(),
})
