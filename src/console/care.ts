import { RETENTION, RETENTION_KINDS } from '../contract/retention.ts'
import { invalid } from '../kernel/errors/api-error.ts'
import { UserError } from '../kernel/errors/user-error.ts'
import { closed } from '../kernel/http/closed.ts'
import { Type } from '../kernel/schema/types.ts'
import { SessionError } from '../programs/errors.ts'
import { fields } from '../programs/fields.ts'
import { scheduleDeletion } from '../resources/deletions/index.ts'
import { changeRetention, previewApplications, previewRetention, readRetention } from '../resources/retention/index.ts'
import { type Call, get, post } from './program.ts'

/**
 * Someone else at a browser that was left open cannot delete the workspace: the session must be this new. Those with a
 * second factor prove it instead.
 */
const RECENT_SIGN_IN_SECONDS = 900
const isRecent = ({ factor, authenticatedSeconds }: Call['session']): boolean =>
  factor !== null || authenticatedSeconds <= RECENT_SIGN_IN_SECONDS
const APPLICATIONS_SHOWN = 50

const retentionOf = async ({ db, session, services }: Call) => ({
  rows: (await readRetention(db, session.workspaceId, services.config)).map(row => {
    const { unit, least, most, endless, description } = RETENTION[row.kind]
    return { ...row, unit, least, most, endless, description }
  }),
  /** the longest time for applications that the installation allows; null: as long as the row says */
  longest_months: services.config.RETENTION_APPLICATION_MAX_MONTHS || null,
})

function requireOwner(session: Call['session']): void {
  if (session.role === 'owner') return
  const message = 'Only owners can set a shorter time, because what is deleted by it cannot be restored.'
  throw new SessionError('role_required', message)
}

const RETENTION_FIELDS = {
  // `own` is null if nothing was set and 0 without an end; `fallback` is the installation's, `value` is the one that applies
  rows: fields('kind', 'own', 'fallback', 'value', 'unit', 'least', 'most', 'endless', 'description'),
  longest_months: true,
} as const

const value = Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 100_000 }), Type.Null()]))

export const careEndpoints = [
  get({ path: '/retention', returns: RETENTION_FIELDS, handler: call => retentionOf(call) }),
  post({
    path: '/retention',
    sensitive: true,
    returns: RETENTION_FIELDS,
    body: Type.Object(
      { applications: value, audit: value, events: value, deliveries: value, request_log: value },
      { ...closed, minProperties: 1 },
    ),
    handler: async call => {
      const { db, session, services, body } = call
      try {
        const how = { config: services.config, userId: session.userId, refuseShorter: () => requireOwner(session) }
        await changeRetention(db, session.workspaceId, body, how)
      } catch (error) {
        const kind = RETENTION_KINDS.find(known => error instanceof UserError && error.message.startsWith(`${known} `))
        if (kind) return invalid(kind, (error as UserError).message.slice(kind.length + 1))
        throw error
      }
      return retentionOf(call as Call)
    },
  }),
  get({
    path: '/retention/preview',
    handler: async ({ db, session, services }) => {
      const { workspaceId } = session
      const [would_delete, applications] = await Promise.all([
        previewRetention(db, workspaceId, services.config),
        previewApplications(db, workspaceId, services.config, APPLICATIONS_SHOWN),
      ])
      return {
        would_delete,
        /** some of them, those without activity for the longest time first */
        applications: applications.map(({ id, status, updated_at }) => ({ id, status, updated_at })),
      }
    },
  }),
  get({
    path: '/workspace-deletion',
    roles: ['owner'],
    handler: async ({ session, services }) => ({
      grace_days: services.config.WORKSPACE_GRACE_DAYS,
      recently_signed_in: isRecent(session),
    }),
  }),
  post({
    path: '/workspace-deletion',
    roles: ['owner'],
    sensitive: true,
    body: Type.Object({ name: Type.String({ maxLength: 1_000 }) }, closed),
    handler: async ({ db, session, services, body }) => {
      if (!isRecent(session)) throw new SessionError('recent_sign_in_required')
      if (body.name.trim() !== session.workspaceName) invalid('name', 'is not the name of this workspace')
      const { delete_at } = await scheduleDeletion(db, session.workspaceId, {
        userId: session.userId,
        graceDays: services.config.WORKSPACE_GRACE_DAYS,
      })
      return { delete_at }
    },
  }),
]
