import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Rights } from '../contract/scopes.ts'
import type { Environment } from '../kernel/access/key-format.ts'
import type { Queryable } from '../kernel/db/database.ts'
import { type BrowserSession, deriveCsrf, hashToken, newToken } from '../kernel/http/browser-session.ts'
import { clearCookie, readCookie, setCookie } from '../kernel/http/cookies.ts'
import { isUuid } from '../kernel/http/params.ts'
import { noteRequest } from '../kernel/http/request-line.ts'
import type { Services } from '../kernel/services/services.ts'
import type { Factor } from '../resources/second-factors/index.ts'
import { endUserSessions } from '../resources/users/index.ts'
import { userName } from '../resources/users/shape.ts'
import { satisfiesPolicy } from './second-factor/policy.ts'
import {
  type CompanyProof,
  deleteSession,
  insertSession,
  type Method,
  markSeen,
  type SessionRow,
  selectSessions,
  sessionByHash,
} from './store.ts'

/**
 * A session begins with a password, an emailed link or a passkey and belongs to one membership: a user in one workspace. It ends
 * when it was not used for IDLE_SECONDS, LIFETIME_SECONDS after it began, when the user signs out or ends it from
 * another browser, when the password changes, and when the membership ends. The browser has a random token in a
 * cookie that scripts cannot read; the database has its hash.
 */
export const IDLE_SECONDS = 12 * 3_600
export const LIFETIME_SECONDS = 7 * 86_400
const SEEN_EVERY_SECONDS = 60

export const SESSION_COOKIE = 'hiring_session'

/** A user who is signed in, in one workspace. */
export interface UserSession extends Rights, BrowserSession {
  id: string
  workspaceId: string
  workspaceName: string
  /** the kind of the workspace */
  environment: Environment
  userId: string
  email: string
  name: string
  method: Method
  signedInAt: string
  /** since the session began, by the clock of the database */
  ageSeconds: number
  /** when the person proved who they are; null and Infinity: the company's provider did not say */
  authenticatedAt: string | null
  authenticatedSeconds: number
  /** the second factor that was proved, and since when */
  factor: Factor | null
  factorAgeSeconds: number | null
  /** the workspace requires a second factor, and the session has none: only one can be set up */
  mustEnrol: boolean
}

/** The session of the browser that sent this request, if it may be used. */
export async function readSession(
  services: Pick<Services, 'db' | 'keyring' | 'publicUrl'>,
  request: IncomingMessage,
): Promise<UserSession | undefined> {
  return usable(await readAnySession(services, request))
}

export const usable = (session: UserSession | undefined): UserSession | undefined =>
  session?.mustEnrol ? undefined : session

export const whoOf = ({ workspaceId, userId }: UserSession) => ({ workspace: workspaceId, user: userId })

/** The same, also one that must not be used for anything but the setup of a second factor (`mustEnrol`). */
export async function readAnySession(
  services: Pick<Services, 'db' | 'keyring' | 'publicUrl'>,
  request: IncomingMessage,
): Promise<UserSession | undefined> {
  const { db, keyring } = services
  const token = readCookie(services, request, SESSION_COOKIE)
  if (token === undefined) return undefined
  const hash = hashToken(token)
  const row = await db.one(sessionByHash(hash, IDLE_SECONDS, LIFETIME_SECONDS))
  if (!row) return undefined
  noteRequest(request, { workspace: row.workspace_id, user: row.user_id })
  if (row.seen_seconds_ago >= SEEN_EVERY_SECONDS) await db.query(markSeen(hash))
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    workspaceName: row.workspace_name,
    environment: row.environment,
    userId: row.user_id,
    role: row.role,
    jobAccess: row.job_access,
    email: row.email ?? '',
    name: userName(row),
    ...deriveCsrf(keyring, `csrf ${row.id}`),
    method: row.method,
    signedInAt: row.created_at,
    ageSeconds: row.age_seconds,
    authenticatedAt: row.authenticated_at,
    authenticatedSeconds: row.authenticated_seconds_ago ?? Number.POSITIVE_INFINITY,
    factor: row.factor,
    factorAgeSeconds: row.factor_seconds_ago,
    mustEnrol: !satisfiesPolicy(row),
  }
}

/** Begins a session and returns the token for its cookie. */
export async function beginSession(
  tx: Queryable,
  member: { id: string; workspace_id: string },
  how: {
    method: Method
    factor?: Factor | undefined
    company?: CompanyProof | undefined
    address: string
    userAgent: string | undefined
  },
): Promise<string> {
  const token = newToken()
  await tx.query(
    insertSession({
      tokenHash: hashToken(token),
      id: randomUUID(),
      workspaceId: member.workspace_id,
      userId: member.id,
      method: how.method,
      factor: how.factor ?? null,
      company: how.company ?? null,
      address: how.address,
      userAgent: how.userAgent?.slice(0, 400) ?? null,
    }),
  )
  return token
}

export const sessionCookie = (services: Pick<Services, 'publicUrl'>, token: string): string =>
  setCookie(services, SESSION_COOKIE, token, LIFETIME_SECONDS)

export const endedSessionCookie = (services: Pick<Services, 'publicUrl'>): string =>
  clearCookie(services, SESSION_COOKIE)

/** The active sessions of a user, most recently used first. */
export const listSessions = (db: Queryable, user: { workspaceId: string; userId: string }): Promise<SessionRow[]> =>
  db.query(selectSessions(user.workspaceId, user.userId, IDLE_SECONDS, LIFETIME_SECONDS))

/** False if the user has no such session. */
export async function endSession(
  db: Queryable,
  user: { workspaceId: string; userId: string },
  id: string,
): Promise<boolean> {
  if (!isUuid(id)) return false
  return (await db.one(deleteSession(user.workspaceId, user.userId, id))) !== undefined
}

/** Ends all sessions of a user, or all but one; returns how many. */
export const endSessions = async (
  db: Queryable,
  user: { workspaceId: string; userId: string },
  but?: string,
): Promise<number> => (await db.query(endUserSessions(user.workspaceId, user.userId, but ?? null))).length
