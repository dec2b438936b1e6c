import { API_LIMITS } from '../contract/limits.ts'
import type { Queryable } from '../kernel/db/database.ts'
import { ApiError } from '../kernel/errors/api-error.ts'
import { closed } from '../kernel/http/closed.ts'
import { Type } from '../kernel/schema/types.ts'
import { named } from '../programs/body-rules.ts'
import { appById, rotateAppSecret } from '../resources/connected-apps/index.ts'
import {
  changeInstallable,
  type InstallableApp,
  readAppWebhooks,
  readInstallable,
  registerOwnApp,
  rotateInstallableWebhook,
  selectInstallables,
  submitApp,
} from '../resources/installations/index.ts'
import { checkTarget, eventTypesField, overlapField, urlField } from '../resources/webhooks/index.ts'
import { keyManager } from './key-management.ts'
import { type Call, get, post } from './program.ts'

const environmentField = Type.Union([Type.Literal('live'), Type.Literal('test')])
const texts = (minItems: number) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 2_000 }), { minItems, maxItems: 100 })

/** What an app asks for, and where it leads. */
const registrationFields = {
  name: Type.String({ minLength: 1, pattern: '\\S' }),
  redirect_uris: texts(1),
  domains: texts(1),
  scopes: texts(1),
  optional_scopes: texts(0),
}

/** Apps of this workspace that other workspaces install. */
export const publishedAppEndpoints = [
  get({
    path: '/published-apps',
    handler: async ({ db, session }) => ({
      data: (await db.query(selectInstallables(session.workspaceId))).map(toRow),
    }),
  }),
  get({
    path: '/published-apps/{id}',
    handler: async call => toResponse(call.db, await appOf(call)),
  }),
  post({
    path: '/published-apps',
    sensitive: true,
    needs: keyManager,
    body: named(Type.Object(registrationFields, closed), { name: 'app' }),
    handler: async ({ db, session, body }) => {
      const { client_secret, ...app } = await registerOwnApp(db, {
        workspace: session.workspaceId,
        name: body.name,
        redirectUris: body.redirect_uris,
        domains: body.domains,
        scopes: body.scopes,
        optionalScopes: body.optional_scopes,
      })
      return {
        app: toRow(app),
        /** shown this once */
        client_secret,
      }
    },
  }),
  post({
    path: '/published-apps/{id}/change',
    // codes and keys of all customers go where it says
    sensitive: true,
    needs: keyManager,
    body: named(Type.Object({ ...registrationFields, ip_allowlist: texts(0) }, closed), { name: 'app' }),
    handler: async call => {
      const { services, db, body } = call
      const { id } = await appOf(call)
      await changeInstallable(services.db, id, {
        name: body.name,
        redirectUris: body.redirect_uris,
        domains: body.domains,
        scopes: body.scopes,
        optionalScopes: body.optional_scopes,
        allowIp: body.ip_allowlist,
      })
      return toResponse(db, await appOf(call))
    },
  }),
  post({
    path: '/published-apps/{id}/rotate-secret',
    sensitive: true,
    needs: keyManager,
    body: Type.Object(
      { overlap_hours: Type.Integer({ minimum: 0, maximum: API_LIMITS.keyRotationMaxOverlapHours }) },
      closed,
    ),
    handler: async call => {
      const { db, session, body } = call
      const { id } = await appOf(call)
      const { client_secret } = await rotateAppSecret(db, { id, workspace: session.workspaceId }, body.overlap_hours)
      return {
        app: await toResponse(db, await appOf(call)),
        /** shown this once */
        client_secret,
      }
    },
  }),
  post({
    path: '/published-apps/{id}/submit',
    needs: keyManager,
    handler: async call => toResponse(call.db, await submitApp(call.services.db, (await appOf(call)).id)),
  }),
  post({
    path: '/published-apps/{id}/webhooks',
    // events of all customers go where it says
    sensitive: true,
    needs: keyManager,
    // null ends the webhooks of the environment; event types are those of both URLs
    body: Type.Union([
      Type.Object({ environment: environmentField, url: urlField, event_types: eventTypesField(1) }, closed),
      Type.Object({ environment: environmentField, url: Type.Null() }, closed),
    ]),
    handler: async call => {
      const { services, db, body } = call
      const { id } = await appOf(call)
      const wanted =
        'event_types' in body
          ? { [body.environment]: await checkTarget(body.url, services), eventTypes: body.event_types }
          : { [body.environment]: null }
      const { webhooks } = await changeInstallable(services.db, id, {}, { keyring: services.keyring, ...wanted })
      const saved = webhooks.find(({ environment }) => environment === body.environment)
      return {
        app: await toResponse(db, await appOf(call)),
        /** null if the URL had one before; shown this once */
        signing_secret: saved?.signing_secret ?? null,
      }
    },
  }),
  post({
    path: '/published-apps/{id}/rotate-webhook-secret',
    sensitive: true,
    needs: keyManager,
    body: Type.Object({ environment: environmentField, overlap_seconds: overlapField }, closed),
    handler: async call => {
      const { id } = await appOf(call)
      const { services, body } = call
      const rotation = { environment: body.environment, overlapSeconds: body.overlap_seconds }
      return { signing_secret: await rotateInstallableWebhook(services.db, services.keyring, id, rotation) }
    },
  }),
]

/** An installable app of this workspace; another's is not there. */
async function appOf({ db, session, params }: Pick<Call<'id'>, 'db' | 'session' | 'params'>): Promise<InstallableApp> {
  const app = await readInstallable(db, params.id)
  if (app?.workspace_id !== session.workspaceId || app.revoked_at !== null) throw new ApiError('not_found')
  return app
}

const toRow = (app: InstallableApp) => ({
  id: app.id,
  name: app.name,
  publisher: app.publisher,
  status: app.status,
  review_status: app.review_status,
  change_waits: app.proposed !== null,
  scopes: app.scopes,
  optional_scopes: app.optional_scopes,
  redirect_uris: app.redirect_uris,
  domains: app.domains,
  created_at: app.created_at,
})

async function toResponse(db: Queryable, app: InstallableApp) {
  const [webhooks, row] = await Promise.all([readAppWebhooks(db, app), db.only(appById(app.id))])
  return {
    ...toRow(app),
    ip_allowlist: app.ip_allowlist,
    /** what it becomes with the next approval; null: nothing waits */
    proposed: app.proposed,
    previous_secret_expires_at: row.previous_secret_expires_at,
    webhooks: webhooks.map(({ environment, url, event_types, enabled, previous_secret_expires_at }) => ({
      environment,
      url,
      event_types,
      enabled,
      previous_secret_expires_at,
    })),
  }
}
