import type { Queryable } from '../db/queryable.ts'
import { sql } from '../db/sql.ts'

/** A record that names a key is shown with these fields. */
export interface CallerName {
  /** The name of the key, or of the app that acted; null: it was deleted. */
  key_name: string | null
  is_app: boolean
}

/** Those of the ids that are keys, consents of people to apps, or what the tokens of an app itself count as. A key of another workspace can act in this one. */
const callersAmong = (workspace: string, ids: readonly string[]) =>
  sql<{ id: string; name: string; is_app: boolean }>`
    select k.id, k.name, false as is_app from api_keys k where k.id = any(${ids}::text[])
    union all
    select c.id, a.name, true from app_consents c
    join connected_apps a on a.workspace_id = c.workspace_id and a.id = c.app_id
    where c.workspace_id = ${workspace} and c.id = any(${ids}::text[])
    union all
    select a.credential_id, a.name, true from connected_apps a
    where a.workspace_id = ${workspace} and a.credential_id = any(${ids}::text[])`

const UNKNOWN: CallerName = { key_name: null, is_app: false }

/** Adds the names to rows. Keys are not where the rows of a workspace are when the store is a cluster: no statement joins them. */
export async function withCallerNames<Row extends { key_id: string | null }>(
  db: Queryable,
  workspace: string,
  rows: readonly Row[],
): Promise<(Row & CallerName)[]> {
  const ids = [...new Set(rows.flatMap(({ key_id }) => key_id ?? []))]
  const found = ids.length === 0 ? [] : await db.query(callersAmong(workspace, ids))
  const names = new Map(found.map(({ id, name, is_app }) => [id, { key_name: name, is_app }]))
  return rows.map(row => ({ ...row, ...(names.get(row.key_id ?? '') ?? UNKNOWN) }))
}
