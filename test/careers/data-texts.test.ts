import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseProfile } from '../../packages/resume-parser/src/index.ts'
import { isReference } from '../../src/careers/candidate/data-page.ts'
import { LANGUAGES } from '../../src/careers/language.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { MAIL_KINDS } from '../../src/resources/candidates/rules.ts'
import { CANDIDATE_ANSWERS, INTERVIEW_KINDS, INTERVIEW_STATUSES } from '../../src/resources/interviews/shape.ts'
import { sharedTestService } from '../harness/service.ts'

const { services } = await sharedTestService()

/** Columns of the tables that the page shows whole, without what the statements of `data-store.ts` remove. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  applicants: ['workspace_id', 'email_key', 'linkedin_key', 'suppressed_at'],
  application_scores: ['workspace_id', 'application_id'],
  screenings: ['workspace_id', 'application_id', 'ambiguous_caller'],
  sourced_profiles: ['workspace_id', 'linkedin_key', 'suppressed_at'],
}

/** Keys that the statements name, and those of records that are stored as JSON. */
const NAMED = [
  ...['field', 'value', 'kind', 'status', 'verified_at', 'stored_at', 'contact_values'],
  ...['source', 'at', 'applied_at', 'updated_at', 'source_system', 'voice_screening_opted_out', 'screening_phone'],
  ...['withdrawal_reason', 'label', 'accepted', 'version', 'help_text', 'language', 'filename', 'size', 'created_at'],
  ...['parsed_at', 'profile', 'text', 'name', 'times', 'first_at', 'last_at', 'subject', 'unsubscribed_at', 'address'],
  ...['system', 'type', 'link_origin', 'last_synced_at'],
  ...['starts_at', 'ends_at', 'time_zone', 'offered_times', 'place', 'meeting_url'],
  ...['interview_status', 'candidate_wish', 'candidate_words'],
  ...Object.keys(parseProfile('', '2026-01')),
]

const columnsOf = async (table: string): Promise<string[]> =>
  (
    await services.db.query(sql<{ name: string }>`
      select column_name::text as name from information_schema.columns
      where table_schema = current_schema() and table_name = ${table}`)
  ).map(({ name }) => name)

test('data page: every stored field has a text in every language', async () => {
  const keys = new Set(NAMED)
  for (const [table, removed] of Object.entries(SHOWN)) {
    const columns = await columnsOf(table)
    assert.ok(columns.length > removed.length, table)
    for (const column of columns) if (!removed.includes(column)) keys.add(column)
  }
  for (const { language, candidate } of LANGUAGES) {
    const missing = [...keys].filter(key => !isReference(key) && !Object.hasOwn(candidate.data.fields, key))
    assert.deepEqual(missing, [], language.code)
  }
})

/** Values that the tables accept in a column. */
async function valuesOf(table: string, column: string): Promise<string[]> {
  const checks = await services.db.query(sql<{ text: string }>`
    select pg_get_constraintdef(oid) as text from pg_constraint where conrelid = ${table}::regclass and contype = 'c'`)
  const check = checks.find(({ text }) => text.startsWith(`CHECK ((${column} = ANY`))
  assert.ok(check, `${table}.${column}`)
  return [...check.text.matchAll(/'([^']+)'::text/g)].map(([, value]) => value!)
}

test('data page: every value that a table or the service accepts has a text in every language', async () => {
  const wanted: [key: string, values: readonly string[]][] = [
    ['field', ['email', 'phone', 'resume_text', 'resume_file']],
    ['kind', ['message', 'reply', ...MAIL_KINDS, ...(await valuesOf('contact_values', 'kind'))]],
    ['kind', await valuesOf('candidate_mails', 'kind')],
    ['status', ['queued', 'sent', 'failed', 'received', ...(await valuesOf('contact_values', 'status'))]],
    ['origin', ['sourced', 'shared_pool', 'xray', 'import', ...(await valuesOf('applicants', 'origin'))]],
    ['acquisition', ['inbound_application', 'ats_sync', 'xray_search', 'file_import', 'public_profile']],
    ['consent_basis', ['candidate_submitted', 'customer_provided', 'legitimate_interest_sourcing', 'public_profile']],
    ['source', ['public_board', ...(await valuesOf('unsubscribes', 'source'))]],
    ['kind', INTERVIEW_KINDS],
    ['interview_status', INTERVIEW_STATUSES],
    ['candidate_wish', CANDIDATE_ANSWERS],
    ['call_status', await valuesOf('screenings', 'call_status')],
    ['completion_state', await valuesOf('screenings', 'completion_state')],
    ['consent_state', await valuesOf('screenings', 'consent_state')],
    ['match_tier', await valuesOf('sourced_profiles', 'match_tier')],
    ['education_level', ['doctorate', 'master', 'bachelor', 'associate', 'secondary']],
  ]
  for (const { language, candidate } of LANGUAGES) {
    const { values } = candidate.data
    const missing = wanted.flatMap(([key, all]) =>
      all.filter(value => !Object.hasOwn(values, `${key}.${value}`) && !Object.hasOwn(values, value)),
    )
    assert.deepEqual(missing, [], language.code)
  }
})
