import type { Transaction } from '../kernel/db/database.ts'
import { raw, sql } from '../kernel/db/sql.ts'

export type Row = Record<string, unknown>

/** Rows in the making, table by table, and the files that belong to them. */
export class Draft {
  /** the database's time, in milliseconds; every date of the demo is counted from it */
  readonly now: number
  readonly #tables = new Map<string, Row[]>()
  readonly files: { key: string; contentType: string; body: Buffer }[] = []

  constructor(now: number) {
    this.now = now
  }

  add(table: Table, ...rows: Row[]): void {
    const known = this.#tables.get(table)
    if (known) known.push(...rows)
    else this.#tables.set(table, rows)
  }

  daysAgo(days: number): number {
    return Math.floor(this.now - days * DAY)
  }

  counts(): Record<string, number> {
    const counts: Record<string, number> = {}
    for (const table of TABLES) counts[table] = this.rows(table).length
    return counts
  }

  rows(table: Table): readonly Row[] {
    return this.#tables.get(table) ?? []
  }

  async insert(tx: Transaction): Promise<void> {
    for (const table of TABLES) {
      const rows = this.rows(table)
      if (rows.length > 0) await insertAll(tx, table, rows)
    }
  }
}

export const MINUTE = 60_000
export const HOUR = 3_600_000
export const DAY = 86_400_000

export const iso = (ms: number): string => new Date(ms).toISOString()

export const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms))

/** Parents before children. */
const TABLES = [
  'workspaces',
  'workspace_settings',
  'users',
  'api_keys',
  'api_key_secrets',
  'jobs',
  'pipeline_stages',
  'form_fields',
  'prescreen_questions',
  'applicants',
  'applications',
  'application_answers',
  'application_private_answers',
  'stage_transitions',
  'notes',
  'scorecards',
  'application_scores',
  'screenings',
  'resumes',
  'sourced_profiles',
  'contact_values',
  'attachments',
  'pool_profiles',
  'identities',
  'projects',
  'lists',
  'list_memberships',
  'messages',
  'message_usage',
  'unsubscribes',
  'suppressions',
  'suppressed_identifiers',
  'workspace_suppressions',
  'suppression_log',
  'monthly_usage',
  'request_stats',
  'personal_data_usage',
  'personal_data_reads',
] as const

export type Table = (typeof TABLES)[number]

/** One statement for a table, however many rows: the table itself says how each value is to be read. */
async function insertAll(tx: Transaction, table: Table, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0]!)
  // A column that only some rows name would be lost without a word.
  const odd = rows.find(row => Object.keys(row).length !== columns.length || columns.some(name => !(name in row)))
  if (odd) throw new Error(`rows of ${table} differ in their columns: ${Object.keys(odd).join(', ')}`)
  const names = raw(columns.join(', '))
  await tx.query(sql`
    insert into ${raw(table)} (${names})
    select ${names} from json_populate_recordset(null::${raw(table)}, ${JSON.stringify(rows)}::json)`)
}
