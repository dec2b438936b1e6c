import { APP_INSTALLS } from '../contract/app-installs.ts'
import { SECOND_FACTOR_POLICIES } from '../contract/second-factor.ts'
import { invalid } from '../kernel/errors/api-error.ts'
import { UserError } from '../kernel/errors/user-error.ts'
import { closed } from '../kernel/http/closed.ts'
import { Type } from '../kernel/schema/types.ts'
import { SessionError } from '../programs/errors.ts'
import { fields } from '../programs/fields.ts'
import { mayManageKeys } from '../resources/keys/index.ts'
import { insertChange, readFactors } from '../resources/second-factors/index.ts'
import { changeSettings, readLimits, selectWorkspaceSettings } from '../resources/workspaces/index.ts'
import { requireKeyManager } from './key-management.ts'
import { get, post } from './program.ts'

const SETTINGS = fields(
  'key_management_domains',
  'connected_app_writes',
  'webhooks_self_serve',
  'second_factor',
  'app_installs',
)

export const settingsEndpoints = [
  get({
    path: '/settings',
    returns: SETTINGS,
    handler: ({ db, session }) => db.only(selectWorkspaceSettings(session.workspaceId)),
  }),
  get({
    path: '/limits',
    // null: unlimited; `own` is what the operator set for the workspace, `value` what holds
    returns: { limits: fields('name', 'plan', 'own', 'value') },
    handler: async ({ db, session }) => ({
      limits: await readLimits(db, session.workspaceId),
    }),
  }),
  post({
    path: '/settings',
    sensitive: true,
    returns: SETTINGS,
    body: Type.Object(
      {
        key_management_domains: Type.Optional(Type.Array(Type.String({ maxLength: 253 }), { maxItems: 100 })),
        connected_app_writes: Type.Optional(Type.Boolean()),
        webhooks_self_serve: Type.Optional(Type.Boolean()),
        app_installs: Type.Optional(Type.Union(APP_INSTALLS.map(rule => Type.Literal(rule)))),
        second_factor: Type.Optional(Type.Union(SECOND_FACTOR_POLICIES.map(policy => Type.Literal(policy)))),
      },
      { ...closed, minProperties: 1 },
    ),
    handler: async ({ db, session, body }) => {
      // a user whose domain is not in the list may not manage keys, so they may not change the list, nor allow apps to
      // write
      if (body.key_management_domains || body.connected_app_writes || body.app_installs)
        await requireKeyManager(db, session)
      if (body.key_management_domains) {
        const wanted = body.key_management_domains.map(domain => domain.trim().replace(/^@/, '')).filter(Boolean)
        if (!mayManageKeys(session.email, wanted)) {
          invalid(
            'key_management_domains',
            'must include the domain of your own email address, or you could not change it back',
          )
        }
      }
      if (body.app_installs && session.role !== 'owner')
        throw new SessionError('role_required', 'Only owners can decide who installs apps.')
      const policy = body.second_factor
      if (policy !== undefined) {
        if (session.role !== 'owner')
          throw new SessionError('role_required', 'Only owners can decide who needs a second factor.')
        const { any } = await readFactors(db, { workspace: session.workspaceId, user: session.userId })
        if (policy !== 'optional' && !any)
          invalid('second_factor', 'needs a second factor of your own first: set one up in your account')
      }
      try {
        return await changeSettings(db, session.workspaceId, body, async tx => {
          if (policy === undefined) return
          await tx.query(insertChange(session.workspaceId, `policy_${policy}`, null, session.userId))
        })
      } catch (error) {
        if (error instanceof UserError) return invalid('key_management_domains', error.message)
        throw error
      }
    },
  }),
]
