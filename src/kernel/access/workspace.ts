import { batched } from '../async/batch.ts'
import { onceThere, type Soon } from '../async/soon.ts'
import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { fail } from '../errors/api-error.ts'
import { isHandle } from '../ids/handles.ts'
import type { Caller } from './caller.ts'
import type { KeyLease } from './key-cache.ts'

/**
 * Selects the workspace of a call. A key with one workspace need not name it. A key with several must, except if `rule`
 * is `any`; then the result is an empty text. The token of an app reaches its home, and its
 * installations where it names their workspace. A workspace without access gets the same response as a missing one.
 */
export class WorkspaceSelector {
  readonly #db: Database
  readonly #exists: (id: string) => Soon<boolean>

  constructor(db: Database, lease: KeyLease) {
    this.#db = db
    const lookUp = batched(async (ids: string[]) => {
      const cache = lease.trusted()
      const rows = await db.lookUp(openWorkspaces(ids))
      const found = new Set(rows.map(row => row.id))
      for (const id of found) cache?.addWorkspace(id)
      return ids.map(id => found.has(id))
    })
    this.#exists = id => lease.trusted()?.hasWorkspace(id) || lookUp(id)
  }

  select(caller: Caller, rule: 'one' | 'any', named: string | null): Soon<string> {
    if (named === null) {
      const only = onlyWorkspace(caller)
      if (only !== undefined) return only
      return rule === 'any' ? '' : fail('workspace_id_required', { param: 'workspace_id' })
    }
    return onceThere(this.#reaches(caller, named), reaches => (reaches ? named : fail('not_found')))
  }

  #reaches(caller: Caller, workspace: string): Soon<boolean> {
    if (caller.ownTokenOf !== undefined && workspace !== caller.homeWorkspace)
      return isHandle('workspace', workspace) && this.#isInstalled(caller.ownTokenOf, workspace)
    if (caller.workspaceScope !== 'all') return caller.workspaceIds.includes(workspace)
    return isHandle('workspace', workspace) && this.#exists(workspace)
  }

  async #isInstalled(app: string, workspace: string): Promise<boolean> {
    return (await this.#db.one(installedIn(app, workspace))) !== undefined
  }
}

/** The workspace has or had an installation of the app. */
const installedIn = (app: string, workspace: string) =>
  sql`
    select 1 from installations i join workspaces w on w.id = i.workspace_id and w.closing_at is null
    where i.workspace_id = ${workspace} and i.app_id = ${app}::uuid limit 1`

/** The database's time in milliseconds; undefined if the workspace is closed. */
export async function nowIfOpen(db: Database, workspace: string): Promise<number | undefined> {
  const row = await db.one(sql<{ now: string }>`
    select app_now() as now
    where not exists (select from workspaces where id = ${workspace} and closing_at is not null)`)
  return row && Date.parse(row.now)
}

/** Whether every call of a key must name its workspace. */
export const mustNameWorkspace = (caller: Caller): boolean => onlyWorkspace(caller) === undefined

/** The workspace of a key that has access to exactly one. */
export function onlyWorkspace(caller: Caller): string | undefined {
  return caller.workspaceScope !== 'all' && caller.workspaceIds.length === 1 ? caller.workspaceIds[0] : undefined
}

/** Live workspaces are all that a key with access to all has access to. */
export const OPEN_TO_ALL = sql`closing_at is null and environment = 'live'`

/** Those of the workspaces that serve requests of such a key. */
export const openWorkspaces = (ids: string[]) =>
  sql<{ id: string }>`select id from workspaces where id = any(${ids}::text[]) and ${OPEN_TO_ALL}`
