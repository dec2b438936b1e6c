import { API_LIMITS } from '../../contract/limits.ts'
import { describedAs, withRules } from '../../kernel/http/body.ts'
import { closed } from '../../kernel/http/closed.ts'
import { type Route, writeOne } from '../../kernel/http/route.ts'
import { describeInput } from '../../kernel/record/write.ts'
import { Type } from '../../kernel/schema/types.ts'
import { reserveUpload } from './actions.ts'
import { RESUME_TYPES, uploadFaults } from './rules.ts'
import { uploadShape } from './shape.ts'

export const uploadRoutes: readonly Route[] = [
  writeOne({
    path: '/uploads',
    operationId: 'createUpload',
    limited: 'closed',
    tool: {
      effect: 'creates',
      note: 'Only useful if you can send an HTTP PUT request with the file.',
    },
    summary: 'Reserve a résumé upload',
    description: 'Then PUT the file to `upload.url` with exactly the headers in `upload.headers`.',
    group: 'Applications',
    scope: 'applications:write',
    tier: 'expensive',
    status: 201,
    shape: uploadShape,
    body: withRules(
      Type.Object(
        {
          content_type: describeInput(
            describedAs(Type.String({ maxLength: 200 }), { enum: RESUME_TYPES }),
            'PDF, DOCX, DOC, RTF or plain text, as a media type.',
          ),
          size_bytes: describeInput(
            describedAs(Type.Integer({ format: 'int64' }), { minimum: 1, maximum: API_LIMITS.resumeFileBytes }),
            'The exact length of the file, 1 to 5,242,880.',
          ),
          filename: describeInput(
            Type.Optional(Type.String({ maxLength: 1000 })),
            'A plain file name whose extension matches the type.',
          ),
        },
        closed,
      ),
      uploadFaults,
    ),
    errors: ['invalid_upload', 'too_many_pending_uploads'],
    handler: ({ tx, services, workspace, caller, body }) =>
      reserveUpload(tx, services.blobs, workspace, {
        contentType: body.content_type,
        sizeBytes: body.size_bytes,
        ...(body.filename === undefined ? {} : { filename: body.filename }),
        originKeyId: caller.originKeyId,
      }),
  }),
]
