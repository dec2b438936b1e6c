import { ALERT_KIND_NAMES } from '../contract/alerts.ts'
import { closed } from '../kernel/http/closed.ts'
import { isUuid, oneOfParam } from '../kernel/http/params.ts'
import { Type } from '../kernel/schema/types.ts'
import { fields } from '../programs/fields.ts'
import {
  ALERT_STATES,
  type AlertRow,
  acknowledgeAlert,
  changePreferences,
  countAlerts,
  describeAlert,
  readPreferences,
  removeWebhook,
  rotateAlertWebhookSecret,
  saveWebhook,
  selectAlerts,
  selectAlertWebhook,
  testAlertWebhook,
} from '../resources/alerts/index.ts'
import { checkTarget, countOnDemand, urlField } from '../resources/webhooks/index.ts'
import { memberNames } from './members.ts'
import { type Call, get, list, post } from './program.ts'

const kindsField = Type.Array(Type.Union(ALERT_KIND_NAMES.map(kind => Type.Literal(kind))), {
  maxItems: ALERT_KIND_NAMES.length,
})

const WEBHOOK = {
  ...fields('url', 'muted_kinds', 'previous_secret_expires_at', 'created_at'),
  ...fields('last_attempt_at', 'last_response_status', 'last_error'),
}
const SETTINGS = { ...fields('mail', 'muted_kinds'), webhook: WEBHOOK } as const
const SAVED = { webhook: WEBHOOK, signing_secret: true } as const

export const alertEndpoints = [
  list({
    path: '/alerts',
    query: { state: oneOfParam('Open or resolved alerts; default open.', ALERT_STATES) },
    order: { by: 'opened_at', tiebreaker: 'id', tiebreakerType: 'uuid', direction: 'desc', table: 'a' },
    handler: async ({ db, session: { workspaceId }, query, page }) => {
      const [rows, names] = await Promise.all([
        db.query(selectAlerts(workspaceId, query.state ?? 'open', page)),
        memberNames(db, workspaceId),
      ])
      return rows.map(row => toResponse(row, names))
    },
  }),
  get({
    path: '/alerts/count',
    handler: ({ db, session }) => db.only(countAlerts(session.workspaceId)),
  }),
  post({
    path: '/alerts/{id}/acknowledge',
    handler: async ({ db, session, params }) => {
      const id = params.id
      const row = isUuid(id) ? await acknowledgeAlert(db, session.workspaceId, id, session.userId) : undefined
      return row && toResponse(row, await memberNames(db, session.workspaceId))
    },
  }),
  get({ path: '/alert-settings', returns: SETTINGS, handler: settings }),
  post({
    path: '/alert-settings',
    returns: SETTINGS,
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
    returns: SAVED,
    body: Type.Object({ url: urlField, muted_kinds: kindsField }, closed),
    handler: async ({ db, session, services, body }) => {
      const url = await checkTarget(body.url, services)
      return saveWebhook(db, services.keyring, session.workspaceId, { url, mutedKinds: body.muted_kinds })
    },
  }),
  post({
    path: '/alert-webhook/rotate',
    sensitive: true,
    returns: SAVED,
    handler: ({ db, session, services }) => rotateAlertWebhookSecret(db, services.keyring, session.workspaceId),
  }),
  post({
    path: '/alert-webhook/test',
    handler: async ({ session, services }) => {
      await countOnDemand(services, session.workspaceId, 'test')
      const outcome = await testAlertWebhook(services, session.workspaceId)
      return outcome && { response_status: outcome.responseStatus, error: outcome.error }
    },
  }),
  post({
    path: '/alert-webhook/remove',
    sensitive: true,
    handler: async ({ db, session }) =>
      (await removeWebhook(db, session.workspaceId)) ? { removed: true } : undefined,
  }),
]

async function settings({ db, session }: Pick<Call, 'db' | 'session'>) {
  const [preferences, webhook] = await Promise.all([
    readPreferences(db, session.workspaceId, session.userId),
    db.one(selectAlertWebhook(session.workspaceId)),
  ])
  return { ...preferences, webhook: webhook ?? null }
}

function toResponse(row: AlertRow, names: ReadonlyMap<string, string>) {
  const { id, kind, level, opened_at, acknowledged_at, acknowledged_by, resolved_at } = row
  return {
    id,
    kind,
    level,
    ...describeAlert(row),
    opened_at,
    acknowledged_at,
    /** the name of a member */
    acknowledged_by: acknowledged_by && (names.get(acknowledged_by) ?? 'a former member'),
    resolved_at,
  }
}
