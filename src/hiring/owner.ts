import { closed } from '../kernel/http/closed.ts'
import { Type } from '../kernel/schema/types.ts'
import { fields } from '../programs/fields.ts'
import { changeOwner } from '../resources/applications/index.ts'
import { onApplication } from './decisions.ts'
import { post } from './program.ts'

export const ownerEndpoints = [
  post({
    path: '/applications/{application}/owner',
    limited: 'record',
    jobRight: 'decide',
    scope: 'applications:write',
    body: Type.Object(
      {
        /** null: the recruiters and hiring managers of the job are responsible */
        user_id: Type.Union([Type.String({ maxLength: 100 }), Type.Null()]),
      },
      closed,
    ),
    returns: fields('id', 'owner_user_id', 'updated_at'),
    handler: ({ db, session, params, body }) => {
      const { workspace, applicationId, userId } = onApplication(session, params)
      const change = { workspace, id: applicationId, userId, originKeyId: null, ownerUserId: body.user_id }
      return db.transaction(tx => changeOwner(tx, change))
    },
  }),
]
