import { IMPORT_LIMITS } from '../contract/limits.ts'
import { runCooperatively } from '../kernel/async/cooperative.ts'
import type { Database } from '../kernel/db/database.ts'
import { present } from '../kernel/errors/present.ts'
import { UserError } from '../kernel/errors/user-error.ts'
import { newHandle } from '../kernel/ids/handles.ts'
import { Lines } from '../programs/endpoint.ts'
import { fields } from '../programs/fields.ts'
import { type ImportProgress, runImport } from '../resources/imports/index.ts'
import { addMembers, shownList } from '../resources/lists/index.ts'
import {
  checkProfiles,
  importProfiles,
  readProfile,
  readTableRow,
  TABLE_COLUMNS,
  tableColumns,
} from '../resources/sourced-profiles/index.ts'
import type { UserSession } from '../sign-in/sessions.ts'
import { postFile } from './program.ts'
import { actorOf } from './sourcing.ts'
import { describeTable, progressOf, readTable, TABLE_FIELDS, type TableRules } from './table-import.ts'

const CHECKED_TABLE = {
  ...TABLE_FIELDS,
  counts: fields('created', 'updated', 'unchanged', 'suppressed', 'invalid', 'blank'),
  lines: fields('line', 'fate', 'name', 'profile_id', 'changed', 'same_as_line', 'repeats_line', 'reason'),
}

/**
 * A table of profiles is checked first, which stores nothing, and then sent again to be imported. Both read it with the
 * rules of `hiring import sourced-profiles`. An import that was interrupted continues when the same table is sent again.
 */
export const sourcingImportEndpoints = [
  postFile({
    path: '/sourcing/import/check',
    limited: 'closed',
    scope: 'lists:write',
    tier: 'expensive',
    maxBytes: IMPORT_LIMITS.bytes,
    returns: CHECKED_TABLE,
    handler: async ({ db, session, body }) => checkTable(db, session, body),
  }),
  postFile({
    path: '/sourcing/import',
    limited: 'closed',
    scope: 'lists:write',
    tier: 'expensive',
    maxBytes: IMPORT_LIMITS.bytes,
    handler: ({ db, session, body }) => importTable(db, session, body, null),
  }),
  postFile({
    path: '/sourcing/lists/{list_id}/import',
    limited: 'closed',
    scope: 'lists:write',
    tier: 'expensive',
    maxBytes: IMPORT_LIMITS.bytes,
    handler: async ({ db, session, params, body }) => {
      const list = await db.one(shownList(session.workspaceId, params.list_id))
      return list && importTable(db, session, body, list.id)
    },
  }),
]

type NewProfile = ReturnType<typeof readTableRow>

const PROFILES: TableRules<NewProfile> = {
  fields: TABLE_COLUMNS,
  columns: tableColumns,
  examples: '"Name", "Title", "Company" or "LinkedIn"',
  maxLines: IMPORT_LIMITS.lines,
  readRow: (columns, cells) => readTableRow(columns, cells, newHandle('sourced_profile')),
}

/** What a row says, without what was made for it. */
const textOf = ({ id: _, linkedin_key: __, ...fields }: NewProfile): string => JSON.stringify(fields)

interface CheckedLine {
  line: number
  fate: 'created' | 'updated' | 'unchanged' | 'suppressed' | 'invalid' | 'blank'
  name: string | null
  profile_id: string | null
  /** the fields that it changes */
  changed: string[]
  /** the earlier line that names the same person */
  same_as_line: number | null
  /** the earlier line with the same text that becomes a profile of its own: nothing says that both are one person */
  repeats_line: number | null
  /** why it is invalid */
  reason: string | null
}

/** What an import would do. Nothing is stored. */
async function checkTable(db: Database, session: UserSession, bytes: Buffer) {
  const table = await runCooperatively(readTable(bytes, PROFILES))
  const { rows, invalid } = table
  const fates = await checkProfiles(
    db,
    session.workspaceId,
    rows.map(row => row.value),
  )
  const firstWith = new Map<string, number>()
  const stored = rows.map(({ line, value: profile }, i): CheckedLine => {
    const { fate, profile_id, changed, same_as } = present(fates[i], 'the fate of a row')
    const name = profile.full_name ?? profile.headline ?? profile.linkedin_url
    const text = textOf(profile)
    const repeated = firstWith.get(text)
    if (repeated === undefined) firstWith.set(text, line)
    return {
      line,
      fate,
      name: name === null ? null : String(name),
      // a profile that does not exist yet has no address
      profile_id: fate === 'created' || same_as !== null ? null : profile_id,
      changed,
      same_as_line: same_as === null ? null : (rows[same_as]?.line ?? null),
      repeats_line: fate === 'created' ? (repeated ?? null) : null,
      reason: null,
    }
  })
  const nothing = { name: null, profile_id: null, changed: [], same_as_line: null, repeats_line: null, reason: null }
  const skipped = invalid.map(
    ({ line, name, fault }): CheckedLine => ({ ...nothing, fate: 'invalid', line, name, reason: fault.message }),
  )
  const blank = table.blank.map((line): CheckedLine => ({ ...nothing, fate: 'blank', line }))
  const lines = [...stored, ...skipped, ...blank].sort((a, b) => a.line - b.line)
  const counts = { created: 0, updated: 0, unchanged: 0, suppressed: 0, invalid: 0, blank: 0 }
  for (const { fate } of lines) counts[fate]++
  return {
    ...describeTable(table, PROFILES),
    counts,
    lines,
  }
}

const FROM_FILE = { origin: 'import', acquisition: 'file_import', provider: null }
const BATCH = 500

async function importTable(db: Database, session: UserSession, bytes: Buffer, listId: string | null) {
  const { rows, invalid, blank } = await runCooperatively(readTable(bytes, PROFILES))
  const actor = actorOf(session)
  // lines, as in the check: two of them may be one profile
  const counts = { created: 0, updated: 0, unchanged: 0, suppressed: 0 }
  let earlier: number | undefined
  // the lines of the import: without handles, so that the same table is recognized after an interruption
  const lines = rows.map(({ value }) => textOf(value))
  const run = (onProgress: (progress: ImportProgress) => void) =>
    runImport(db, {
      kind: 'sourced-profiles-table',
      target: listId === null ? session.workspaceId : `${session.workspaceId} ${listId}`,
      file: Buffer.from(lines.join('\n')),
      batchSize: BATCH,
      read: line => readProfile(line, newHandle('sourced_profile')),
      store: async (tx, profiles) => {
        const { fates } = await importProfiles(tx, actor, FROM_FILE, profiles)
        const ids = [...new Set(fates.flatMap(({ profile_id }) => profile_id ?? []))]
        if (listId !== null && ids.length > 0) {
          const members = ids.map(sourced_profile_id => ({ sourced_profile_id }))
          if (!(await addMembers(tx, actor, listId, members))) throw new UserError('the list was deleted')
        }
        tx.afterCommit(() => {
          for (const { fate } of fates) counts[fate]++
        })
      },
      onBadLine: () => {},
      onProgress: progress => {
        // the first is what an interrupted run has stored
        earlier ??= progress.lines_done
        onProgress(progress)
      },
    })
  async function* reports() {
    for await (const { lines_done } of progressOf(run)) yield { done: lines_done, total: lines.length }
    // `earlier`: lines that an interrupted run had stored
    yield { result: { ...counts, invalid: invalid.length, blank: blank.length, earlier: earlier ?? 0 } }
  }
  return new Lines('import.ndjson', reports())
}
