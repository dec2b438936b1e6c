import { API_LIMITS } from '../contract/limits.ts'
import { parseRange } from '../kernel/access/caller.ts'
import type { Queryable } from '../kernel/db/database.ts'
import { ApiError, fail, invalid } from '../kernel/errors/api-error.ts'
import { closed } from '../kernel/http/closed.ts'
import { Type } from '../kernel/schema/types.ts'
import { named } from '../programs/body-rules.ts'
import { SessionError } from '../programs/errors.ts'
import {
  createKey,
  type IssuedKey,
  type KeyRow,
  keyById,
  keyState,
  listKeys,
  revokeKey,
  rotateKey,
  secretsOfKey,
} from '../resources/keys/index.ts'
import { countEndpoints } from '../resources/webhooks/index.ts'
import type { UserSession } from '../sign-in/sessions.ts'
import { keyManager } from './key-management.ts'
import { memberNames } from './members.ts'
import { type Call, get, post } from './program.ts'

const MAX_DAYS = 3_650
const MAX_RANGES = 50

export const keyEndpoints = [
  get({
    path: '/keys',
    handler: async ({ db, session, now }) => {
      const [keys, names] = await Promise.all([listKeys(db, session.workspaceId), memberNames(db, session.workspaceId)])
      return { data: keys.map(key => toResponse(key, session, names, now)) }
    },
  }),
  get({
    path: '/keys/{id}',
    handler: async ({ db, session, params, now }) => {
      const key = await readKey(db, session.workspaceId, params.id)
      if (!key) return undefined
      const [names, secrets, counts] = await Promise.all([
        memberNames(db, session.workspaceId),
        db.query(secretsOfKey(session.workspaceId, key.id)),
        db.one(countEndpoints(session.workspaceId, key.id)),
      ])
      return { ...toResponse(key, session, names, now), secrets, webhook_endpoints: counts?.of_key ?? 0 }
    },
  }),
  post({
    path: '/keys',
    sensitive: true,
    needs: keyManager,
    body: named(
      Type.Object(
        {
          name: Type.String({ minLength: 1, pattern: '\\S' }),
          scopes: Type.Array(Type.String({ maxLength: 100 }), { minItems: 1, maxItems: 100 }),
          ip_allowlist: Type.Array(Type.String({ maxLength: 60 }), { maxItems: MAX_RANGES }),
          expires_in_days: Type.Union([Type.Integer({ minimum: 1, maximum: MAX_DAYS }), Type.Null()]),
        },
        closed,
      ),
      { name: 'key' },
    ),
    handler: async call => {
      const { db, services, session, body } = call
      for (const [i, range] of body.ip_allowlist.entries()) {
        if (!parseRange(range))
          invalid(`ip_allowlist[${i}]`, 'must be an IP address or a CIDR range such as 203.0.113.0/24')
      }
      const issued = await createKey(db, {
        workspace: session.workspaceId,
        userEmail: session.email,
        name: body.name,
        scopes: body.scopes,
        // new keys of the demo are labeled like the one that it comes with
        environment: services.ownReceiver ? 'test' : undefined,
        allowIp: body.ip_allowlist,
        ...(body.expires_in_days === null ? {} : { expiresInDays: body.expires_in_days }),
      })
      return issuedResponse(call, issued)
    },
  }),
  post({
    path: '/keys/{id}/rotate',
    sensitive: true,
    needs: keyManager,
    body: Type.Object(
      { overlap_hours: Type.Integer({ minimum: 0, maximum: API_LIMITS.keyRotationMaxOverlapHours }) },
      closed,
    ),
    handler: async call => {
      const { db, session, params, body } = call
      const key = await readKey(db, session.workspaceId, params.id)
      if (!key) return undefined
      if (!mayRotate(key, session)) {
        throw new SessionError(
          'role_required',
          'Only the user a key belongs to and owners can rotate it. You can revoke it.',
        )
      }
      if (key.installation_id !== null)
        fail('invalid_request', { message: 'This key belongs to an installed app, which rotates it itself.' })
      // its secret would open workspaces that are not this person's
      if (key.workspace_scope !== 'single') {
        fail('invalid_request', {
          message: 'This key has access to other workspaces; it is rotated with the command line.',
        })
      }
      return issuedResponse(call, await rotateKey(db, key.id, body.overlap_hours))
    },
  }),
  post({
    path: '/keys/{id}/revoke',
    needs: keyManager,
    handler: async ({ db, session, params, now }) => {
      const key = await readKey(db, session.workspaceId, params.id)
      if (!key) return undefined
      const revoked = await revokeKey(db, key.id)
      return toResponse(revoked, session, await memberNames(db, session.workspaceId), now)
    },
  }),
]

/** A key of this workspace; another's is not there. */
export async function readKey(db: Queryable, workspace: string, id: string): Promise<KeyRow | undefined> {
  const key = await db.one(keyById(id))
  return key?.workspace_id === workspace ? key : undefined
}

/** A key that works now, or the one sentence that says why there is none. */
export async function requireLiveKey(db: Queryable, workspace: string, id: string, now: number): Promise<KeyRow> {
  const key = await readKey(db, workspace, id)
  if (!key) throw new ApiError('not_found')
  const state = keyState(key, now)
  if (state !== 'active') fail('invalid_request', { message: `The key ${key.name} is ${state}.` })
  return key
}

/** A secret acts in the name of the key's person: an admin who obtained an owner's would be one. */
const mayRotate = (key: KeyRow, session: UserSession): boolean =>
  session.role === 'owner' || key.user_id === session.userId

async function issuedResponse({ db, session, now }: Call, { secret, ...key }: IssuedKey) {
  return { key: toResponse(key, session, await memberNames(db, session.workspaceId), now), secret }
}

/** Field by field: nothing of a key leaves that is not named here. */
function toResponse(key: KeyRow, session: UserSession, names: ReadonlyMap<string, string>, now: number) {
  return {
    id: key.id,
    name: key.name,
    environment: key.environment,
    scopes: key.scopes,
    granted_scopes: key.granted_scopes,
    ip_allowlist: key.ip_allowlist,
    owner: key.user_id === null ? null : { id: key.user_id, name: names.get(key.user_id) ?? key.user_id },
    /** `single`: this workspace; the others reach further and are managed with the command line */
    reach: key.workspace_scope,
    state: keyState(key, now),
    /** this person may rotate it: it is theirs, or they are an owner */
    can_rotate: key.workspace_scope === 'single' && key.installation_id === null && mayRotate(key, session),
    created_at: key.created_at,
    expires_at: key.expires_at,
    revoked_at: key.revoked_at,
    last_used_at: key.last_used_at,
    previous_secret_expires_at: key.previous_secret_expires_at,
  }
}
