import { type Sql, sql } from '../../kernel/db/sql.ts'

export interface ImportKey {
  kind: string
  target: string
  fingerprint: Buffer
}

export interface ImportState {
  bytes_done: number
  lines_done: number
  rows_stored: number
  bad_lines: number
}

const STATE = sql`bytes_done, lines_done, rows_stored, bad_lines`

/** The offset to start at: after the last batch of an interrupted import, otherwise 0. */
export const beginImport = (k: ImportKey): Sql<ImportState> =>
  sql<ImportState>`
    insert into imports as i (kind, target, fingerprint) values (${k.kind}, ${k.target}, ${k.fingerprint})
    on conflict (kind, target, fingerprint) do update set
      bytes_done = case when i.finished_at is null then i.bytes_done else 0 end,
      lines_done = case when i.finished_at is null then i.lines_done else 0 end,
      rows_stored = case when i.finished_at is null then i.rows_stored else 0 end,
      bad_lines = case when i.finished_at is null then i.bad_lines else 0 end,
      started_at = case when i.finished_at is null then i.started_at else app_now() end,
      finished_at = null
    returning ${STATE}`

/** Advances the progress from `from`. No row: another process imports the same file. */
export const advanceImport = (k: ImportKey, from: number, to: ImportState): Sql<{ advanced: true }> =>
  sql<{ advanced: true }>`
    update imports set bytes_done = ${to.bytes_done}, lines_done = ${to.lines_done}, rows_stored = ${to.rows_stored},
      bad_lines = ${to.bad_lines}
    where kind = ${k.kind} and target = ${k.target} and fingerprint = ${k.fingerprint} and bytes_done = ${from}
      and finished_at is null
    returning true as advanced`

export const finishImport = (k: ImportKey) =>
  sql`
    update imports set finished_at = app_now()
    where kind = ${k.kind} and target = ${k.target} and fingerprint = ${k.fingerprint}`

/** For this transaction: the server would end one that waits long for others. */
export const withoutIdleLimit = () => sql`select set_config('idle_in_transaction_session_timeout', '0', true)`
