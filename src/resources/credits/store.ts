import { none, type Sql, sql } from '../../kernel/db/sql.ts'
import type { CreditKind } from './rules.ts'

export interface CreditEntry {
  sequence: number
  kind: CreditKind
  amount: number
  /** after this entry */
  balance: number
  user_id: string | null
  subject_id: string | null
  note: string | null
  created_at: string
}

export interface NewEntry {
  workspace: string
  kind: CreditKind
  /** positive: given; negative: spent */
  amount: number
  userId: string | null
  subjectId: string | null
  note: string | null
}

const ENTRY = sql`sequence, kind, amount, balance, user_id, subject_id, note, created_at`

/** The first grant makes the row; a concurrent change waits for it. */
export const raiseBalance = (workspace: string, amount: number) =>
  sql<{ balance: number; entries: number }>`
    insert into credit_balances as b (workspace_id, balance, entries) values (${workspace}, ${amount}, 1)
    on conflict (workspace_id) do update set balance = b.balance + excluded.balance, entries = b.entries + 1
    returning balance, entries`

/** No row if the balance is too small: checked and lowered in one statement. */
export const lowerBalance = (workspace: string, amount: number) =>
  sql<{ balance: number; entries: number }>`
    update credit_balances set balance = balance - ${amount}, entries = entries + 1
    where workspace_id = ${workspace} and balance >= ${amount}
    returning balance, entries`

export const insertEntry = (e: NewEntry, after: { balance: number; entries: number }): Sql<CreditEntry> =>
  sql<CreditEntry>`
    insert into credit_entries (workspace_id, sequence, kind, amount, balance, user_id, subject_id, note)
    values (${e.workspace}, ${after.entries}, ${e.kind}, ${e.amount}, ${after.balance}, ${e.userId}, ${e.subjectId},
      ${e.note})
    returning ${ENTRY}`

export const selectBalance = (workspace: string) =>
  sql<{ balance: number }>`select balance from credit_balances where workspace_id = ${workspace}`

/** Newest first; `before` is the number of the last entry shown. */
export const selectCreditEntries = (workspace: string, limit: number, before?: number): Sql<CreditEntry> =>
  sql<CreditEntry>`
    select ${ENTRY} from credit_entries
    where workspace_id = ${workspace} ${before === undefined ? none : sql`and sequence < ${before}`}
    order by sequence desc limit ${limit}`
