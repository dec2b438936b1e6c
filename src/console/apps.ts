import { API_LIMITS } from '../contract/limits.ts'
import type { Queryable } from '../kernel/db/database.ts'
import { ApiError } from '../kernel/errors/api-error.ts'
import { closed } from '../kernel/http/closed.ts'
import { isUuid } from '../kernel/http/params.ts'
import { Type } from '../kernel/schema/types.ts'
import { named } from '../programs/body-rules.ts'
import {
  type AppRow,
  appById,
  consentById,
  type IssuedApp,
  listApps,
  listConsents,
  registerApp,
  revokeApp,
  revokeConsent,
  rotateAppSecret,
} from '../resources/connected-apps/index.ts'
import { keyManager } from './key-management.ts'
import { memberNames } from './members.ts'
import { type Call, get, post } from './program.ts'

export const appEndpoints = [
  get({
    path: '/apps',
    handler: async ({ db, session }) => {
      const [apps, names] = await Promise.all([listApps(db, session.workspaceId), memberNames(db, session.workspaceId)])
      const own = apps.filter(({ distribution }) => distribution === 'workspace')
      return { data: own.map(app => toResponse(app, names)) }
    },
  }),
  get({
    path: '/apps/{id}',
    handler: async call => {
      const { db, session } = call
      const app = await appOf(call)
      const [names, consents] = await Promise.all([
        memberNames(db, session.workspaceId),
        listConsents(db, session.workspaceId, { app: app.id }),
      ])
      const people = consents.map(c => ({
        id: c.id,
        user: { id: c.user_id, name: names.get(c.user_id) ?? c.user_id, email: c.user_email },
        scopes: c.scopes,
        granted_at: c.granted_at,
      }))
      return { ...toResponse(app, names), people }
    },
  }),
  post({
    path: '/apps',
    sensitive: true,
    needs: keyManager,
    body: named(
      Type.Object(
        {
          name: Type.String({ minLength: 1, pattern: '\\S' }),
          kind: Type.Union([Type.Literal('web'), Type.Literal('browser'), Type.Literal('native')]),
          redirect_uris: Type.Array(Type.String({ minLength: 1, maxLength: 2_000 }), { minItems: 1, maxItems: 20 }),
          scopes: Type.Array(Type.String({ maxLength: 100 }), { maxItems: 100 }),
        },
        closed,
      ),
      { name: 'app' },
    ),
    handler: async ({ db, session, body }) =>
      issuedResponse(
        db,
        await registerApp(db, {
          workspace: session.workspaceId,
          name: body.name,
          kind: body.kind,
          redirectUris: body.redirect_uris,
          scopes: body.scopes,
          createdBy: session.userId,
        }),
      ),
  }),
  post({
    path: '/apps/{id}/rotate',
    sensitive: true,
    needs: keyManager,
    body: Type.Object(
      { overlap_hours: Type.Integer({ minimum: 0, maximum: API_LIMITS.keyRotationMaxOverlapHours }) },
      closed,
    ),
    handler: async call => {
      const { id } = await appOf(call)
      const { db, session, body } = call
      return issuedResponse(db, await rotateAppSecret(db, { id, workspace: session.workspaceId }, body.overlap_hours))
    },
  }),
  post({
    path: '/apps/{id}/revoke',
    sensitive: true,
    handler: async call => {
      const { id } = await appOf(call)
      const { db, session } = call
      const app = await revokeApp(db, { id, workspace: session.workspaceId })
      return toResponse(app, await memberNames(db, session.workspaceId))
    },
  }),
  post({
    path: '/consents/{id}/revoke',
    handler: async ({ db, session, params }) => {
      const consent = await db.one(consentById(session.workspaceId, params.id))
      if (!consent) return undefined
      const { id } = await revokeConsent(db, session.workspaceId, consent.id)
      return { id }
    },
  }),
]

/** An app of this workspace; another's is not there, and installable ones are managed with the command line. */
async function appOf({ db, session, params }: Pick<Call<'id'>, 'db' | 'session' | 'params'>): Promise<AppRow> {
  const app = isUuid(params.id) ? await db.one(appById(params.id)) : undefined
  if (app?.workspace_id !== session.workspaceId || app.distribution !== 'workspace') throw new ApiError('not_found')
  return app
}

const issuedResponse = async (db: Queryable, { client_secret, ...app }: IssuedApp) => ({
  app: toResponse(app, await memberNames(db, app.workspace_id)),
  /** shown this once; null for apps that cannot keep one */
  client_secret,
})

const toResponse = (app: AppRow, names: ReadonlyMap<string, string>) => ({
  id: app.id,
  name: app.name,
  kind: app.kind,
  redirect_uris: app.redirect_uris,
  scopes: app.scopes,
  created_by: app.created_by === null ? null : (names.get(app.created_by) ?? null),
  created_at: app.created_at,
  revoked_at: app.revoked_at,
  consents: app.consents,
  previous_secret_expires_at: app.previous_secret_expires_at,
})
