import { handleField, integer, literal, map, object, shape, text, time, url } from '../../kernel/http/shape.ts'

export const uploadShape = shape('upload', 'A reserved résumé upload and the URL to send the file to.', {
  upload_id: handleField('upload'),
  content_type: text(),
  size_bytes: integer(),
  max_bytes: integer(),
  upload: object({
    method: literal('PUT'),
    url: url(),
    headers: map(text(), 'send them unchanged with the PUT request'),
    expires_at: time(),
  }),
  expires_at: time(),
})
