import { AUDITED_FIELDS } from '../contract/limits.ts'
import { type CallerName, withCallerNames } from '../kernel/access/caller-names.ts'
import type { Queryable } from '../kernel/db/database.ts'
import { oneOfParam, type QueryOf, textParam, timeParam } from '../kernel/http/params.ts'
import { csvLine } from '../kernel/text/csv.ts'
import { csvFile } from '../programs/endpoint.ts'
import { AUDIT_BATCH, type AuditFilter, type AuditRow, auditBatch, auditRows, selectReaders } from './audit-store.ts'
import { memberNames } from './members.ts'
import { file, get, list } from './program.ts'

const FILTERS = {
  key_id: textParam('The key, or the consent of an app.', 60),
  subject: textParam('The handle of a record.', 60),
  field: oneOfParam('What was read.', AUDITED_FIELDS),
  acting_user: textParam('The handle of a member on whose behalf an app read.', 60),
  after: timeParam('Only reads after this time.'),
  before: timeParam('Only reads before this time.'),
}

const filterOf = (query: QueryOf<typeof FILTERS>): AuditFilter => ({
  key: query.key_id?.trim(),
  subject: query.subject?.trim(),
  field: query.field,
  actingUser: query.acting_user?.trim(),
  after: query.after,
  before: query.before,
})

export const auditEndpoints = [
  list({
    path: '/audit',
    query: FILTERS,
    order: { by: 'at', tiebreaker: 'id', tiebreakerType: 'bigint', direction: 'desc', table: 'r' },
    handler: async ({ db, session, query, page }) => {
      const [rows, names] = await Promise.all([
        db.query(auditRows(session.workspaceId, filterOf(query), page)),
        memberNames(db, session.workspaceId),
      ])
      return (await withCallerNames(db, session.workspaceId, rows)).map(row => toResponse(row, names))
    },
  }),
  get({
    path: '/audit/options',
    handler: async ({ db, session }) => {
      const [readers, names] = await Promise.all([
        db.query(selectReaders(session.workspaceId)),
        memberNames(db, session.workspaceId),
      ])
      return { readers, people: [...names].map(([id, name]) => ({ id, name })) }
    },
  }),
  file({
    path: '/audit/personal-data-reads.csv',
    query: FILTERS,
    handler: async ({ db, session, query, now }) => {
      const day = new Date(now).toISOString().slice(0, 10)
      const lines = linesOf(db, session.workspaceId, filterOf(query))
      return csvFile(session, `personal-data-reads-${day}`, lines)
    },
  }),
]

const HEAD = [
  'at',
  'key_id',
  'key_name',
  'acting_user_id',
  'acting_user_name',
  'subject_object',
  'subject_id',
  'field',
  'units',
  'request_id',
]

/** Reads in batches, as the client consumes them: the log may have millions of rows. */
async function* linesOf(db: Queryable, workspace: string, filter: AuditFilter): AsyncGenerator<string> {
  const names = await memberNames(db, workspace)
  let text = csvLine(HEAD)
  let rows: AuditRow[] = []
  do {
    rows = await db.query(auditBatch(workspace, filter, rows.at(-1)))
    for (const row of await withCallerNames(db, workspace, rows)) {
      text += csvLine([
        row.at,
        row.key_id,
        row.key_name,
        row.acting_user_id,
        nameFrom(names, row),
        row.subject_object,
        row.subject_id,
        row.field,
        row.units,
        row.request_id,
      ])
    }
    yield text
    text = ''
  } while (rows.length === AUDIT_BATCH)
}

/** null for a former member */
const nameFrom = (names: ReadonlyMap<string, string>, { acting_user_id }: AuditRow): string | null =>
  names.get(acting_user_id ?? '') ?? null

const toResponse = (row: AuditRow & CallerName, names: ReadonlyMap<string, string>) => ({
  id: row.id,
  at: row.at,
  key: { id: row.key_id, name: row.key_name, is_app: row.is_app },
  subject: { object: row.subject_object, id: row.subject_id },
  field: row.field,
  units: row.units,
  request_id: row.request_id,
  /** on whose behalf an app read; `name` is null for a former member */
  acting_user: row.acting_user_id === null ? null : { id: row.acting_user_id, name: nameFrom(names, row) },
})
