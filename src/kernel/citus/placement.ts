/**
 * Where each table is when the store is a Citus cluster, which `hiring cluster distribute` makes of it. On plain PostgreSQL
 * all of this is one server and nothing here applies.
 *
 * - workspace: distributed by workspace_id, all of them colocated. The rows of one workspace are on one node: a change, its
 *   event, its budget and what is kept for a repeated request commit there together.
 * - coordinator: a plain table of the coordinator, with the reason why it cannot be with the workspaces.
 *
 * There are no reference tables: `workspaces` and `users` as such would draw every table that refers to them to all nodes,
 * and each of their row locks, too.
 */
export type TablePlace = 'workspace' | 'coordinator'

const wordsOf = (text: string): string[] => text.trim().split(/\s+/)

const COORDINATOR_TABLES = {
  'is looked up by a secret or a name that is unique over all workspaces': `
    api_key_secrets career_sites career_slugs company_domains company_sign_in_flows connected_app_secrets install_codes
    member_calendars oidc_records     partner_sessions passkey_challenges passkeys sessions sign_in_tickets`,
  'is referred to by such a table, or is read together with it for each request': `
    api_keys app_consents company_identities company_sign_in connected_apps installations member_settings users workspace_settings workspaces`,
  'belongs to signing in, which is the same for all workspaces of a person': `
    authenticator_apps company_logout_tokens company_sign_in_log oidc_signing_keys recovery_codes sign_in_attempts
    sign_in_changes`,
  'is about people wherever they are: a request to erase reaches every workspace': `
    erasure_inquiries erasure_request_usage erasure_requests erasure_targets erasures suppressed_external_ids
    suppressed_identifiers suppression_acknowledgements suppression_log suppressions workspace_suppressions`,
  'is the pool, which all workspaces share, or is written with it': `
    pool_counting pool_profiles pool_short_parts pool_terms pool_vocabulary shared_outbox`,
  'counts requests of many workspaces in one statement, and is read with the key': `
    monthly_usage rate_windows request_stats scope_usage`,
  'is written for members, who are on the coordinator, by a worker that looks at all workspaces': `
    alert_notifications alert_preferences alert_webhooks alerts`,
  'is about a workspace as a whole, and outlives it': `
    workspace_deletions workspace_log`,
  'is about the installation': `
    blob_deletions feed_state imports installation key_caches key_changes schema_migrations secret_key_holders secret_keys`,
} as const

/** In the order in which they are distributed: a table comes after those that its foreign keys refer to. */
export const WORKSPACE_TABLES: readonly string[] = wordsOf(`
  jobs pipeline_stages form_fields prescreen_questions job_search job_words job_history job_rescores job_team job_visits search_rebuilds
  scorecard_criteria interview_kits template_form_changes hiring_settings worker_turns decision_reasons rejection_habits saved_views
  applicants applications application_answers application_files application_funnel application_private_answers
  application_scores application_search application_tags pending_submissions stage_transitions status_transitions screenings notes note_mentions
  scorecards scorecard_drafts scorecard_remarks scorecard_requests team_mails resumes uploads file_deletions
  funnel_by_day funnel_by_job funnel_by_job_and_source funnel_changes
  sourced_profiles attachments projects lists list_memberships contact_values identities
  candidate_links candidate_mails candidate_sessions spent_challenges planned_erasures applicant_requests
  packages orders order_results order_reports
  interviews interview_people interview_times member_hours task_states
  messages message_templates message_usage unsubscribes test_mails test_clocks
  credit_balances credit_entries
  personal_data_reads personal_data_usage request_log idempotency_records workspace_retention
  outbox event_logs events exports
  webhook_endpoints webhook_secrets webhook_deliveries webhook_handovers webhook_attempts webhook_responses webhook_stats`)

/** Why a table is on the coordinator, by its name. */
export const COORDINATOR_REASONS: ReadonlyMap<string, string> = new Map(
  Object.entries(COORDINATOR_TABLES).flatMap(([reason, tables]) =>
    wordsOf(tables).map(name => [name, reason] as const),
  ),
)

/** Every table of the schema has a place. */
export const PLACEMENT: ReadonlyMap<string, TablePlace> = new Map<string, TablePlace>([
  ...WORKSPACE_TABLES.map(name => [name, 'workspace'] as const),
  ...[...COORDINATOR_REASONS.keys()].map(name => [name, 'coordinator'] as const),
])

/** A cluster does not have such a foreign key: a node cannot look into a table of the coordinator. */
export const refersToCoordinator = (key: { table: string; refers_to: string }): boolean =>
  WORKSPACE_TABLES.includes(key.table) && !WORKSPACE_TABLES.includes(key.refers_to)
