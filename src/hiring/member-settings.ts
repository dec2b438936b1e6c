import { PAGE_LANGUAGES } from '../contract/page-languages.ts'
import { closed } from '../kernel/http/closed.ts'
import { Type } from '../kernel/schema/types.ts'
import { fields } from '../programs/fields.ts'
import { readMemberSettings, setMemberSettings } from '../resources/member-settings/index.ts'
import { get, post } from './program.ts'

const SETTINGS = fields('language', 'time_zone')

/** Everyone has their own. */
export const memberSettingsEndpoints = [
  get({
    path: '/member-settings',
    limited: 'open',
    returns: SETTINGS,
    handler: ({ db, session }) => readMemberSettings(db, session.workspaceId, session.userId),
  }),
  post({
    path: '/member-settings',
    limited: 'open',
    body: Type.Object(
      {
        language: Type.Optional(Type.Union([...PAGE_LANGUAGES.map(code => Type.Literal(code)), Type.Null()])),
        time_zone: Type.Optional(Type.Union([Type.String({ minLength: 1, maxLength: 64 }), Type.Null()])),
      },
      closed,
    ),
    returns: SETTINGS,
    handler: ({ db, session, body }) => setMemberSettings(db, session.workspaceId, session.userId, body),
  }),
]
