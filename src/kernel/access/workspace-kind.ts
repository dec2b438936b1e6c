import { deleteOldest } from '../async/delete-oldest.ts'
import type { Queryable } from '../db/database.ts'
import { type Sql, sql } from '../db/sql.ts'
import { noteLiveWorkspace } from '../db/workspace-time.ts'
import { isReservedAddress } from '../text/person-keys.ts'
import type { Environment } from './key-format.ts'

/** These properties are fixed when a workspace is created. */
export interface WorkspaceKind {
  environment: Environment
  /** the domain whose mail a test workspace captures; null: a live workspace */
  mailboxDomain: string | null
}

const SIZE = 10_000

// Never stale: the database refuses a change, and no handle is used twice.
const cached = new Map<string, WorkspaceKind>()

/** Also of a closed workspace; undefined: there is none. */
export async function readWorkspaceKind(db: Queryable, workspace: string): Promise<WorkspaceKind | undefined> {
  const known = cached.get(workspace)
  if (known) return known
  const found = await db.one(kindOf(workspace))
  if (!found) return undefined
  if (cached.size >= SIZE) deleteOldest(cached)
  cached.set(workspace, found)
  if (found.environment === 'live') noteLiveWorkspace(workspace)
  return found
}

const kindOf = (workspace: string): Sql<WorkspaceKind> =>
  sql<WorkspaceKind>`
    select environment, mailbox_domain as "mailboxDomain" from workspaces where id = ${workspace}`

/** A workspace that is not there is not a test workspace: no record can be in it. */
export const isTestWorkspace = async (db: Queryable, workspace: string): Promise<boolean> =>
  (await readWorkspaceKind(db, workspace))?.environment === 'test'

/**
 * Why an address must not be stored in a workspace; undefined if it may be. A test workspace holds no real person, so its
 * addresses are in domains in which no one has a mailbox. Takes a key made by `emailKey`.
 */
export async function addressFault(db: Queryable, workspace: string, key: string): Promise<string | undefined> {
  const kind = await readWorkspaceKind(db, workspace)
  if (!kind || kind.mailboxDomain === null) return undefined
  if (isReservedAddress(key) || key.slice(key.lastIndexOf('@') + 1) === kind.mailboxDomain) return undefined
  return `must be in a domain reserved for tests, such as example.com, or in ${kind.mailboxDomain}: this is a test workspace`
}
