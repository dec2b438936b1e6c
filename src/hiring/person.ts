import { toPersonCaller } from '../kernel/access/caller.ts'
import type { Person } from '../kernel/http/pipeline.ts'
import type { UserSession } from '../sign-in/sessions.ts'

/** The caller of the API's endpoints who is signed in to our pages. */
export const personOf = ({ userId, workspaceId, name, role }: UserSession, now: number): Person => ({
  caller: toPersonCaller({ user_id: userId, workspace_id: workspaceId, name, role }),
  now,
})
