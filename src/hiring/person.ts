import { toPersonCaller } from '../kernel/access/caller.ts'
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

/** The caller of the API's endpoints who is signed in to our pages. */
export function callerFor(db: Database, session: HiringSession, now: number): Person {
  const { userId, workspaceId, environment, name, role, jobAccess, jobRoles } = session
  const reach = buildReach(db, session)
  return {
    caller: toPersonCaller({
      user_id: userId,
      workspace_id: workspaceId,
      environment,
      name,
      role,
      jobAccess,
      jobRoles,
    }),
    now,
    ...(reach ? { reach } : {}),
  }
}
