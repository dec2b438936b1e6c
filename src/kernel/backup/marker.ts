import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'

/**
 * While a store is being restored it has this table, outside the migrations: the service does not start on a store that
 * is half restored, and the next `hiring restore` knows how far the last one came.
 */
export const MARKER = 'restore_in_progress'

export interface RestoreBegun {
  backup: string
  /** whether all rows are in the database; before, there is none */
  loaded: boolean
}

export async function restoreBegun(db: Queryable): Promise<RestoreBegun | undefined> {
  const { exists } = await db.only(sql<{ exists: boolean }>`
    select to_regclass('public.restore_in_progress') is not null as exists`)
  return exists ? db.one(sql<RestoreBegun>`select backup, loaded from restore_in_progress`) : undefined
}

export const createMarker = () => sql`
  create table if not exists restore_in_progress (
    only_row boolean primary key default true check (only_row), backup text not null, loaded boolean not null default false)`

export const setMarker = ({ backup, loaded }: RestoreBegun) => sql`
  insert into restore_in_progress (backup, loaded) values (${backup}, ${loaded})
  on conflict (only_row) do update set backup = excluded.backup, loaded = excluded.loaded`

export const dropMarker = () => sql`drop table restore_in_progress`
