import { ALERT_KIND_NAMES } from '../contract/alerts.ts'
import { closed } from '../kernel/http/closed.ts'
import { isUuid, oneOfParam } from '../kernel/http/params.ts'
import { Type } from '../kernel/schema/types.ts'
import {
  ALERT_STATES,
  type AlertRow,
  type AlertWebhookRow,
  acknowledgeAlert,
  alertsOf,
  changePreferences,
  countAlerts,
  describeAlert,
  readPreferences,
  removeWebhook,
  rotateWebhookSecret,
  saveWebhook,
  testAlertWebhook,
  webhookOf,
} from '../resources/alerts/index.ts'
import { checkTarget, countOnDemand, urlField } from '../resources/webhooks/index.ts'
import { type Endpoint, type EndpointCall, get, post } from '../sign-in/endpoints/endpoint.ts'
import type {
  AlertCountResponse,
  AlertResponse,
  AlertSettingsResponse,
  AlertWebhookResponse,
  AlertWebhookTestResponse,
  SavedAlertWebhookResponse,
} from './api-types/alerts.ts'
import { memberNames } from './members.ts'

const kindsField = Type.Array(Type.Union(ALERT_KIND_NAMES.map(kind => Type.Literal(kind))), {
  maxItems: ALERT_KIND_NAMES.length,
})

export const alertEndpoints: readonly Endpoint[] = [
  get({
    path: '/alerts',
    query: { state: oneOfParam('Open or resolved alerts; default open.', ALERT_STATES) },
    order: { by: 'opened_at', tiebreaker: 'id', tiebreakerType: 'uuid', direction: 'desc', table: 'a' },
    handler: async ({ db, session: { workspaceId }, query, page }): Promise<AlertResponse[]> => {
      const [rows, names] = await Promise.all([
        db.query(alertsOf(workspaceId, query.state ?? 'open', page)),
        memberNames(db, workspaceId),
      ])
      return rows.map(row => toResponse(row, names))
    },
  }),
  get({
    path: '/alerts/count',
    handler: async ({ db, session }): Promise<AlertCountResponse> => (await db.one(countAlerts(session.workspaceId)))!,
  }),
  post({
    path: '/alerts/{id}/acknowledge',
    handler: async ({ db, session, params }): Promise<AlertResponse | undefined> => {
      const id = params['id']!
      const row = isUuid(id) ? await acknowledgeAlert(db, session.workspaceId, id, session.userId) : undefined
      return row && toResponse(row, await memberNames(db, session.workspaceId))
    },
  }),
  get({ path: '/alert-settings', handler: settings }),
  post({
    path: '/alert-settings',
    body: Type.Object({ mail: Type.Boolean(), muted_kinds: kindsField }, closed),
    handler: async call => {
      const { db, session, body } = call
      await changePreferences(db, session.workspaceId, session.userId, body)
      return settings(call)
    },
  }),
  post({
    path: '/alert-webhook',
    sensitive: true,
    body: Type.Object({ url: urlField, muted_kinds: kindsField }, closed),
    handler: async ({ db, session, services, body }): Promise<SavedAlertWebhookResponse> => {
      const url = await checkTarget(body.url, services)
      const input = { url, mutedKinds: body.muted_kinds }
      const { webhook, signing_secret } = await saveWebhook(db, services.keyring, session.workspaceId, input)
      return { webhook: toWebhook(webhook), signing_secret }
    },
  }),
  post({
    path: '/alert-webhook/rotate',
    sensitive: true,
    handler: async ({ db, session, services }): Promise<SavedAlertWebhookResponse | undefined> => {
      const rotated = await rotateWebhookSecret(db, services.keyring, session.workspaceId)
      return rotated && { webhook: toWebhook(rotated.webhook), signing_secret: rotated.signing_secret }
    },
  }),
  post({
    path: '/alert-webhook/test',
    handler: async ({ session, services }): Promise<AlertWebhookTestResponse | undefined> => {
      await countOnDemand(services, session.workspaceId, 'test')
      const outcome = await testAlertWebhook(services, session.workspaceId)
      return outcome && { response_status: outcome.responseStatus, error: outcome.error }
    },
  }),
  post({
    path: '/alert-webhook/remove',
    sensitive: true,
    handler: async ({ db, session }): Promise<{ removed: true } | undefined> =>
      (await removeWebhook(db, session.workspaceId)) ? { removed: true } : undefined,
  }),
]

async function settings({ db, session }: Pick<EndpointCall, 'db' | 'session'>): Promise<AlertSettingsResponse> {
  const [{ mail, muted_kinds }, webhook] = await Promise.all([
    readPreferences(db, session.workspaceId, session.userId),
    db.one(webhookOf(session.workspaceId)),
  ])
  return { mail, muted_kinds, webhook: webhook ? toWebhook(webhook) : null }
}

const toWebhook = ({ id: _, secret_version: __, ...webhook }: AlertWebhookRow): AlertWebhookResponse => webhook

function toResponse(row: AlertRow, names: ReadonlyMap<string, string>): AlertResponse {
  const { id, kind, level, opened_at, acknowledged_at, acknowledged_by, resolved_at } = row
  return {
    id,
    kind,
    level,
    ...describeAlert(row),
    opened_at,
    acknowledged_at,
    acknowledged_by: acknowledged_by && (names.get(acknowledged_by) ?? 'a former member'),
    resolved_at,
  }
}
