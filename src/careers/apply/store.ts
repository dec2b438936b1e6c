import { type Sql, sql } from '../../kernel/db/sql.ts'

/** Marks a form as sent; no row if it was before. Concurrent requests with the same form wait for each other here. */
export const consumeForm = (workspace: string, hash: string, seconds: number): Sql<{ hash: string }> =>
  sql<{ hash: string }>`
    insert into spent_challenges (workspace_id, hash, expires_at)
    values (${workspace}, ${hash}, app_now() + ${seconds}::integer * interval '1 second')
    on conflict do nothing returning hash`

export const isConsumed = (workspace: string, hash: string): Sql<{ hash: string }> =>
  sql<{ hash: string }>`select hash from spent_challenges where workspace_id = ${workspace} and hash = ${hash}`
