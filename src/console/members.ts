import type { Queryable } from '../kernel/db/database.ts'
import { selectUsers } from '../resources/users/index.ts'
import { userName } from '../resources/users/shape.ts'

/** How the members of a workspace are called, by handle. */
export const memberNames = async (db: Queryable, workspace: string): Promise<ReadonlyMap<string, string>> =>
  new Map((await db.query(selectUsers(workspace))).map(user => [user.id, userName(user) || user.id]))
