import { revealCreditsOf } from '../contract/plans.ts'
import { ROLE_SCOPES } from '../contract/scopes.ts'
import { fail } from '../kernel/errors/api-error.ts'
import { closed } from '../kernel/http/closed.ts'
import { Type } from '../kernel/schema/types.ts'
import { buyContactInfo } from '../resources/sourced-profiles/index.ts'
import { allWorkspaces } from '../resources/workspaces/index.ts'
import { post } from './program.ts'
import { actorOf } from './sourcing.ts'

const value = Type.Object(
  {
    field: Type.Union([Type.Literal('email'), Type.Literal('phone')]),
    value: Type.String({ minLength: 1, maxLength: 320 }),
    kind: Type.Union([Type.Literal('work'), Type.Literal('personal'), Type.Literal('mobile'), Type.Literal('other')]),
  },
  closed,
)

/** Details that the team found. They are read through the API, which audits each read; the response has none. */
export const sourcingRevealEndpoints = [
  post({
    path: '/sourcing/profiles/{profile_id}/reveal',
    limited: 'closed',
    scope: 'contact:read',
    body: Type.Object({ values: Type.Array(value, { minItems: 1, maxItems: 20 }) }, closed),
    handler: async ({ db, session, params, body }) => {
      const phones = body.values.some(({ field }) => field === 'phone')
      if (phones && !ROLE_SCOPES[session.role].includes('contact:phone:read')) {
        fail('insufficient_scope', {
          required_scope: 'contact:phone:read',
          message: 'Your role does not include phone numbers.',
        })
      }
      const workspace = await db.only(allWorkspaces(session.workspaceId))
      const paid = { price: revealCreditsOf(workspace.plan), userId: session.userId }
      await db.transaction(tx => buyContactInfo(tx, actorOf(session), params.profile_id, body.values, paid))
      return {}
    },
  }),
]
