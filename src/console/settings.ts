import { invalid } from '../kernel/errors/api-error.ts'
import { UserError } from '../kernel/errors/user-error.ts'
import { closed } from '../kernel/http/closed.ts'
import { Type } from '../kernel/schema/types.ts'
import { mayManageKeys } from '../resources/keys/index.ts'
import { changeSettings, readLimits, settingsOf } from '../resources/workspaces/index.ts'
import { type Endpoint, get, post } from '../sign-in/endpoints/endpoint.ts'
import type { LimitsResponse, SettingsResponse } from './api-types.ts'
import { requireKeyManager } from './key-management.ts'

export const settingsEndpoints: readonly Endpoint[] = [
  get({
    path: '/settings',
    handler: async ({ db, session }): Promise<SettingsResponse> => (await db.one(settingsOf(session.workspaceId)))!,
  }),
  get({
    path: '/limits',
    handler: async ({ db, session }): Promise<LimitsResponse> => ({
      limits: await readLimits(db, session.workspaceId),
    }),
  }),
  post({
    path: '/settings',
    body: Type.Object(
      {
        key_management_domains: Type.Optional(Type.Array(Type.String({ maxLength: 253 }), { maxItems: 100 })),
        connected_app_writes: Type.Optional(Type.Boolean()),
        webhooks_self_serve: Type.Optional(Type.Boolean()),
      },
      { ...closed, minProperties: 1 },
    ),
    handler: async ({ db, session, body }): Promise<SettingsResponse> => {
      // a user whose domain is not in the list may not manage keys, so they may not change the list, nor allow apps to
      // write
      if (body.key_management_domains || body.connected_app_writes) await requireKeyManager(db, session)
      if (body.key_management_domains) {
        const wanted = body.key_management_domains.map(domain => domain.trim().replace(/^@/, '')).filter(Boolean)
        if (!mayManageKeys(session.email, wanted)) {
          invalid(
            'key_management_domains',
            'must include the domain of your own email address, or you could not change it back',
          )
        }
      }
      try {
        return await changeSettings(db, session.workspaceId, body)
      } catch (error) {
        if (error instanceof UserError) return invalid('key_management_domains', error.message)
        throw error
      }
    },
  }),
]
