import type { Scope } from '../contract/scopes.ts'
import { sharedScopes, toPersonCaller } from '../kernel/access/caller.ts'
import type { Database } from '../kernel/db/database.ts'
import type { Person } from '../kernel/http/pipeline.ts'
import { buildReach, type HiringSession } from './reach.ts'

/** What a read of the API returned, or why the role, or the state of the record, does not allow it. */
export type PartOrRefusal<T> = { data: T } | { refused: Refusal }

export interface Refusal {
  status: number
  code: string
  message: string
  /** only `insufficient_scope` has it */
  required_scope?: string
  /** only `resume_locked` has it */
  state?: string
  unlock_credits?: number
}

/** The caller of the API's endpoints who is signed in to our pages; `more`: scopes besides those of the role. */
export function callerFor(db: Database, session: HiringSession, now: number, more: readonly Scope[] = []): Person {
  const { userId, workspaceId, environment, name, role, jobAccess, jobRoles } = session
  const reach = buildReach(db, session)
  const caller = toPersonCaller({
    user_id: userId,
    workspace_id: workspaceId,
    environment,
    name,
    role,
    jobAccess,
    jobRoles,
  })
  return {
    caller: more.length === 0 ? caller : { ...caller, scopes: sharedScopes([...caller.scopes, ...more]) },
    now,
    ...(reach ? { reach } : {}),
  }
}
