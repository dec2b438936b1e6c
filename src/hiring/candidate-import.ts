import { IMPORT_LIMITS } from '../contract/limits.ts'
import { runCooperatively } from '../kernel/async/cooperative.ts'
import type { Database } from '../kernel/db/database.ts'
import { fail } from '../kernel/errors/api-error.ts'
import { present } from '../kernel/errors/present.ts'
import { handleParam } from '../kernel/http/params.ts'
import type { Services } from '../kernel/services/services.ts'
import { csvLine } from '../kernel/text/csv.ts'
import { csvFile, Lines } from '../programs/endpoint.ts'
import { fields } from '../programs/fields.ts'
import type { CheckedCandidate } from '../resources/applications/index.ts'
import {
  BadRow,
  CANDIDATE_COLUMNS,
  candidateColumns,
  importCandidates,
  readCandidateRow,
  readRowContext,
} from '../resources/candidate-imports/index.ts'
import { checkCandidatesWithNotes, type NewCandidate } from '../resources/hiring-team/index.ts'
import { type ImportProgress, runImport } from '../resources/imports/index.ts'
import { get, postFile } from './program.ts'
import type { HiringSession } from './reach.ts'
import { describeTable, progressOf, readTable, TABLE_FIELDS, type Table, type TableRules } from './table-import.ts'

const OUTCOMES = ['added', 'known_person', 'already_in_job', 'cannot_be_stored', 'invalid', 'blank'] as const
type Outcome = (typeof OUTCOMES)[number]

const CHECKED_TABLE = {
  ...TABLE_FIELDS,
  counts: fields(...OUTCOMES),
  lines: fields('line', 'outcome', 'name', 'application_id', 'same_as_line', 'problem', 'value'),
}

const RULES = {
  // the job is in the query, and its right is checked there for people with access to all jobs
  limited: 'closed',
  jobRight: 'decide',
  scope: 'applications:write',
  tier: 'expensive',
  maxBytes: IMPORT_LIMITS.bytes,
  query: { job_id: handleParam('The job that the candidates are put into.', 'job') },
} as const

/**
 * A table of candidates of a job is checked first, which stores nothing, and then sent again to be imported. Each line
 * becomes what the same person would become if the member added them by hand. An import that was interrupted continues
 * when the same table is sent again.
 */
export const candidateImportEndpoints = [
  postFile({
    ...RULES,
    path: '/import/candidates/check',
    returns: CHECKED_TABLE,
    handler: ({ db, session, query, body, now }) => checkTable(db, into(session, query.job_id), body, now),
  }),
  postFile({
    ...RULES,
    path: '/import/candidates',
    handler: ({ services, session, query, body, now }) => importTable(services, into(session, query.job_id), body, now),
  }),
  get({
    path: '/import/candidates/columns.csv',
    limited: 'closed',
    scope: 'applications:write',
    tier: 'expensive',
    handler: async ({ session }) => {
      async function* lines() {
        yield csvLine(CANDIDATE_COLUMNS)
      }
      return csvFile(session, 'columns', lines())
    },
  }),
]

interface Into {
  workspace: string
  jobId: string
  userId: string
}

const into = ({ workspaceId, userId }: HiringSession, jobId: string | undefined): Into => ({
  workspace: workspaceId,
  userId,
  jobId: jobId ?? fail('not_found'),
})

async function rulesFor(db: Database, to: Into, now: number): Promise<TableRules<NewCandidate>> {
  const context = await readRowContext(db, to, now)
  return {
    fields: CANDIDATE_COLUMNS,
    columns: candidateColumns,
    examples: '"Name", "Email", "Phone" or "Stage"',
    maxLines: IMPORT_LIMITS.candidates,
    readRow: (columns, cells) => readCandidateRow(columns, cells, context),
  }
}

interface CheckedLine {
  line: number
  outcome: Outcome
  name: string | null
  /** the application in the job that the person has already */
  application_id: string | null
  /** the earlier line that names the same person */
  same_as_line: number | null
  /** why it is not stored */
  problem: string | null
  /** the text or the field that the problem is about */
  value: string | null
}

const NOTHING = { name: null, application_id: null, same_as_line: null, problem: null, value: null }

const nameOf = ({ first_name, last_name }: NewCandidate): string | null =>
  [first_name, last_name].filter(part => part !== undefined).join(' ') || null

/** What an import would do. Nothing is stored. */
async function checkTable(db: Database, to: Into, bytes: Buffer, now: number) {
  const rules = await rulesFor(db, to, now)
  const table = await runCooperatively(readTable(bytes, rules))
  const candidates = table.rows.map(({ value }) => value)
  const checked = await checkCandidatesWithNotes(db, to, candidates)
  const lines = [
    ...table.rows.map(({ line, value }, i) => ({
      ...checkedLine(table, present(checked[i], 'the outcome of a row')),
      line,
      name: nameOf(value),
    })),
    ...table.invalid.map(({ line, name, fault }): CheckedLine => {
      const { problem = 'bad_text', value = null } = fault instanceof BadRow ? fault : {}
      return { ...NOTHING, line, outcome: 'invalid', name, problem, value }
    }),
    ...table.blank.map((line): CheckedLine => ({ ...NOTHING, line, outcome: 'blank' })),
  ].sort((a, b) => a.line - b.line)
  const counts = emptyCounts()
  for (const { outcome } of lines) counts[outcome]++
  return { ...describeTable(table, rules), counts, lines }
}

function checkedLine(table: Table<NewCandidate>, result: CheckedCandidate): Omit<CheckedLine, 'line' | 'name'> {
  const { outcome } = result
  if (outcome === 'already_in_job') {
    const earlier = result.same_as === null ? undefined : table.rows[result.same_as]
    return { ...NOTHING, outcome, application_id: result.application_id, same_as_line: earlier?.line ?? null }
  }
  if (outcome === 'cannot_be_stored') return { ...NOTHING, outcome, problem: result.reason }
  if (outcome !== 'invalid') return { ...NOTHING, outcome }
  const [fault] = result.faults
  return { ...NOTHING, outcome, problem: fault?.reason ?? fault?.code ?? 'bad_text', value: fault?.param ?? null }
}

const emptyCounts = (): Record<Outcome, number> => ({
  added: 0,
  known_person: 0,
  already_in_job: 0,
  cannot_be_stored: 0,
  invalid: 0,
  blank: 0,
})

/** Candidates who are stored in one transaction; each costs some twenty statements. */
const BATCH = 25

async function importTable({ db, blobs }: Services, to: Into, bytes: Buffer, now: number) {
  const table = await runCooperatively(readTable(bytes, await rulesFor(db, to, now)))
  const counts = { ...emptyCounts(), invalid: table.invalid.length, blank: table.blank.length }
  let earlier: number | undefined
  const lines = table.rows.map(({ value }) => JSON.stringify(value))
  const run = (onProgress: (progress: ImportProgress) => void) =>
    runImport(db, {
      kind: 'candidates-table',
      target: `${to.workspace} ${to.jobId}`,
      file: Buffer.from(lines.join('\n')),
      batchSize: BATCH,
      read: line => JSON.parse(line) as NewCandidate,
      store: async (tx, candidates) => {
        const results = await importCandidates(tx, blobs, to, candidates)
        tx.afterCommit(() => {
          for (const { outcome } of results) counts[outcome]++
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
    yield { result: { ...counts, earlier: earlier ?? 0 } }
  }
  return new Lines('import.ndjson', reports())
}
