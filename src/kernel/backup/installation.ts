import type { Queryable } from '../db/database.ts'
import { type Sql, sql } from '../db/sql.ts'

/** The row in which the store describes itself. */
export interface Installation {
  id: string
  /** There is one for every secret key that is needed, in hexadecimal. */
  secret_checks: string[]
  last_backup_at: string | null
  last_backup_name: string | null
  restored_at: string | null
  sending_held_at: string | null
}

export const readInstallation = (db: Queryable): Promise<Installation> =>
  db.only(sql<Installation>`
    select id, last_backup_at, last_backup_name, restored_at, sending_held_at,
      coalesce(
        (select array_agg(encode(k.secret_check, 'hex') order by k.id) from secret_keys k
          where k.used_from is not null and k.retired_at is null),
        array[encode(i.secret_check, 'hex')]) as secret_checks
    from installation i`)

export const recordBackup = (name: string, at: string): Sql => sql`
  update installation set last_backup_at = ${at}::timestamptz, last_backup_name = ${name}`

/** Processes read it at start. */
export const holdSending = (held: boolean): Sql => sql`
  update installation set sending_held_at = case when ${held}::boolean then coalesce(sending_held_at, app_now()) end`

export const recordRestore = (): Sql => sql`
  update installation set restored_at = app_now(), sending_held_at = app_now()`
