import { batched } from '../async/batch.ts'
import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { fail } from '../errors/api-error.ts'
import { isHandle } from '../ids/handles.ts'
import type { Caller } from './caller.ts'

/**
 * The workspace a call addresses. A key of one workspace never needs to name it; a key of several must, except where
 * `rule` is `any`, and gets an empty text there. One that the key does not reach gets the response of one that does not exist.
 */
export class WorkspaceSelector {
  readonly #exists: (id: string) => Promise<boolean>

  constructor(db: Database) {
    this.#exists = batched(async ids => {
      const rows = await db.lookUp(sql<{ id: string }>`select id from workspaces where id = any(${ids}::text[])`)
      const found = new Set(rows.map(row => row.id))
      return ids.map(id => found.has(id))
    })
  }

  async select(caller: Caller, rule: 'one' | 'any', named: string | null): Promise<string> {
    if (named === null) {
      const only = onlyWorkspace(caller)
      if (only !== undefined) return only
      return rule === 'any' ? '' : fail('workspace_id_required', { param: 'workspace_id' })
    }
    return (await this.#reaches(caller, named)) ? named : fail('not_found')
  }

  async #reaches(caller: Caller, workspace: string): Promise<boolean> {
    if (caller.workspaceScope !== 'all') return caller.workspaceIds.includes(workspace)
    return isHandle('workspace', workspace) && this.#exists(workspace)
  }
}

/** Whether every call of a key must name its workspace. */
export const mustNameWorkspace = (caller: Caller): boolean => onlyWorkspace(caller) === undefined

/** The single workspace of a key, if it reaches no other. */
export function onlyWorkspace(caller: Caller): string | undefined {
  return caller.workspaceScope !== 'all' && caller.workspaceIds.length === 1 ? caller.workspaceIds[0] : undefined
}
