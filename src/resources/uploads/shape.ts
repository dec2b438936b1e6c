import { called, handleField, int64, literal, map, object, shape, text, time, url } from '../../kernel/http/shape.ts'
import { field } from '../../kernel/record/field.ts'

export const uploadShape = shape('upload', 'A reserved résumé upload and the URL to send the file to.', {
  upload_id: field(handleField('upload'), { description: 'Send it as `resume_upload_id`.' }),
  content_type: field(text(), { description: 'As you declared it.' }),
  size_bytes: field(int64(), { description: 'As you declared it.' }),
  max_bytes: int64(),
  upload: field(
    called(
      'upload_target',
      object({
        method: literal('PUT'),
        url: url(),
        headers: map(text(), 'send them unchanged with the PUT request'),
        expires_at: time(),
      }),
    ),
    { description: 'Where and how to send the file. Do not send an Authorization header.' },
  ),
  expires_at: time(),
})
