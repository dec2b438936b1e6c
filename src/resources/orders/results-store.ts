import { type Sql, sql, touched } from '../../kernel/db/sql.ts'
import type { ColumnsOf } from '../../kernel/record/field.ts'
import { columnsOf, groupColumns } from '../../kernel/record/record.ts'
import type { OrderScore } from './rules.ts'
import { type OrderResultRow, orderReportRecord, orderResultRecord } from './shape.ts'

const RESULT = columnsOf(orderResultRecord.fields)
const REPORT = columnsOf(orderReportRecord.fields)

type ResultColumns = ColumnsOf<typeof orderResultRecord.fields>
const grouped = groupColumns(orderResultRecord.fields)

export type StoredReport = ColumnsOf<typeof orderReportRecord.fields> & { order_id: string }

export const toResult = (columns: ResultColumns, reports: readonly StoredReport[]): OrderResultRow => ({
  ...grouped(columns),
  reports,
})

export const selectResult = (workspace: string, order: string): Sql<ResultColumns> =>
  sql<ResultColumns>`select ${RESULT} from order_results where workspace_id = ${workspace} and order_id = ${order}`

export const selectResultFingerprint = (workspace: string, order: string): Sql<{ fingerprint: string }> =>
  sql<{ fingerprint: string }>`
    select fingerprint from order_results where workspace_id = ${workspace} and order_id = ${order}`

export interface NewResult {
  fingerprint: string
  outcome: string
  score: OrderScore | null
  scorePct: number | null
  sections: readonly object[]
  summary: string | null
  late: boolean
  completedAt: string
}

/** The first result of an order, or the next revision of it. */
export const putResult = (workspace: string, order: string, r: NewResult): Sql => sql`
  insert into order_results as x (workspace_id, order_id, fingerprint, outcome, score_value, score_min, score_max,
    score_passing, score_unit, score_pct, sections, summary, late, completed_at)
  values (${workspace}, ${order}, ${r.fingerprint}, ${r.outcome}, ${r.score?.value ?? null}, ${r.score?.min ?? null},
    ${r.score?.max ?? null}, ${r.score?.passing ?? null}, ${r.score?.unit ?? null}, ${r.scorePct},
    ${JSON.stringify(r.sections)}::jsonb, ${r.summary}, ${r.late}, ${r.completedAt}::timestamptz)
  on conflict (workspace_id, order_id) do update set revision = x.revision + 1, fingerprint = excluded.fingerprint,
    outcome = excluded.outcome, score_value = excluded.score_value, score_min = excluded.score_min,
    score_max = excluded.score_max, score_passing = excluded.score_passing, score_unit = excluded.score_unit,
    score_pct = excluded.score_pct, sections = excluded.sections, summary = excluded.summary,
    completed_at = excluded.completed_at, updated_at = ${touched('x.updated_at', 'excluded.updated_at')}`

export const selectReports = (workspace: string, order: string): Sql<StoredReport> =>
  sql<StoredReport>`
    select ${REPORT}, order_id from order_reports where workspace_id = ${workspace} and order_id = ${order}
    order by created_at, id`

export interface ReportFile {
  id: string
  upload_id: string
  filename: string
  mime: string
  bytes: number
  blob_key: string
}

export const reportFiles = (workspace: string, order: string): Sql<ReportFile> =>
  sql<ReportFile>`
    select id, upload_id, filename, mime, bytes, blob_key from order_reports
    where workspace_id = ${workspace} and order_id = ${order}`

export const reportFile = (workspace: string, order: string, id: string): Sql<ReportFile> =>
  sql<ReportFile>`${reportFiles(workspace, order)} and id = ${id}::uuid`

export const insertReport = (workspace: string, order: string, f: ReportFile): Sql => sql`
  insert into order_reports (workspace_id, id, order_id, upload_id, filename, mime, bytes, blob_key)
  values (${workspace}, ${f.id}::uuid, ${order}, ${f.upload_id}, ${f.filename}, ${f.mime}, ${f.bytes}, ${f.blob_key})`

/** Reports that a correction left out; their files are to be deleted. */
export const deleteReports = (workspace: string, order: string, ids: readonly string[]): Sql => sql`
  with gone as (
    delete from order_reports
    where workspace_id = ${workspace} and order_id = ${order} and id = any(${ids}::uuid[]) returning blob_key
  )
  insert into file_deletions (workspace_id, blob_key) select ${workspace}, blob_key from gone on conflict do nothing`
