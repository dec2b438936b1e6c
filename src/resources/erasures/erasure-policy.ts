import type { ColumnPolicy } from '../../kernel/record/record.ts'
import { applicantRecord } from '../applicants/shape.ts'
import {
  answersRecord,
  applicationRecord,
  noteRecord,
  scorecardRecord,
  scoreRecord,
  screeningRecord,
  stageTransitionRecord,
} from '../applications/shape.ts'
import { interviewRecord } from '../interviews/shape.ts'
import { formFieldRecord, jobRecord, questionRecord, stageRecord } from '../jobs/shape.ts'
import { listMembershipRecord, listRecord, projectRecord } from '../lists/shape.ts'
import { orderRecord, orderReportRecord, orderResultRecord } from '../orders/shape.ts'
import { packageRecord } from '../packages/shape.ts'
import { poolProfileRecord } from '../pool/shape.ts'
import { attachmentRecord, sourcedProfileRecord } from '../sourced-profiles/shape.ts'

const policiesOf = (records: readonly { table: string; policy: ColumnPolicy }[]): Record<string, ColumnPolicy> =>
  Object.fromEntries(records.map(({ table, policy }) => [table, policy]))

const WITH_APPLICANT = 'the row goes with the applicant'
const NO_CANDIDATE = 'contains no candidate data'
const OUT_OF_COUNTS = 'counts; an erased application is subtracted'
const TALLY = `n ${[0, 1, 2, 3, 4, 5, 6, 7].map(t => `reached_${t} ${[0, 1, 2, 3, 4, 5].map(s => `at_${t}_${s}`).join(' ')}`).join(' ')}`

/**
 * What an erasure does with each column. Columns of records declare it with the field; the columns of the other tables
 * are listed here. A test compares this list with the database, so every new column needs a decision.
 */
export const COLUMN_POLICY: Readonly<Record<string, ColumnPolicy>> = {
  ...policiesOf([
    jobRecord,
    stageRecord,
    formFieldRecord,
    questionRecord,
    applicationRecord,
    answersRecord,
    scoreRecord,
    screeningRecord,
    stageTransitionRecord,
    noteRecord,
    scorecardRecord,
    applicantRecord,
    sourcedProfileRecord,
    attachmentRecord,
    poolProfileRecord,
    projectRecord,
    listRecord,
    listMembershipRecord,
    packageRecord,
    orderRecord,
    orderResultRecord,
    orderReportRecord,
    interviewRecord,
  ]),

  // applicants and what belongs to them
  application_private_answers: {
    erased: 'equal_opportunity consents prescreen',
    retained: 'workspace_id application_id',
    how: WITH_APPLICANT,
  },
  application_files: {
    erased: 'filename mime bytes',
    retained: 'workspace_id id application_id field_id blob_key created_at',
    how: `${WITH_APPLICANT}, its file is removed`,
  },
  pending_submissions: {
    erased: 'network details content files',
    retained: 'workspace_id id application_id submitted_at',
    how: `${WITH_APPLICANT}, its files are removed`,
  },
  application_tags: {
    erased: 'tag_key name',
    retained: 'workspace_id application_id created_at',
    how: WITH_APPLICANT,
  },
  application_search: {
    erased: 'name_key names terms',
    retained: 'workspace_id application_id job_id applicant_id',
    how: WITH_APPLICANT,
  },
  status_transitions: {
    erased: 'from_status to_status',
    retained: 'workspace_id application_id id at key_id user_id',
    how: WITH_APPLICANT,
  },
  note_mentions: { retained: 'workspace_id note_id user_id created_at done_at', how: WITH_APPLICANT },
  scorecard_requests: {
    retained: 'workspace_id application_id user_id requested_by requested_at stage_id interview_id due_at mailed_at',
    how: WITH_APPLICANT,
  },
  scorecard_drafts: {
    erased: 'content',
    retained: 'workspace_id application_id user_id version updated_at',
    how: WITH_APPLICANT,
  },
  scorecard_remarks: { erased: 'body', retained: 'workspace_id id scorecard_id created_at', how: WITH_APPLICANT },
  interview_people: { retained: 'workspace_id interview_id user_id position', how: WITH_APPLICANT },
  interview_times: { retained: 'workspace_id interview_id starts_at ends_at', how: WITH_APPLICANT },
  task_states: {
    retained: 'workspace_id user_id kind subject application_id snoozed_at snoozed_until done_at',
    how: WITH_APPLICANT,
  },
  member_hours: { retained: 'workspace_id user_id time_zone hours', how: NO_CANDIDATE },
  member_calendars: { retained: 'workspace_id user_id secret_hash created_at', how: NO_CANDIDATE },
  team_mails: {
    erased: 'says',
    retained: `workspace_id id kind user_id application_id note_id attempt due_at sent_at sent_by created_at more interview_id
      method calendar`,
    how: `${WITH_APPLICANT}; a cancellation stays, and has nothing about a candidate`,
  },
  candidate_mails: {
    erased: 'address says',
    retained: `workspace_id id kind application_id applicant_id order_id interview_id language opens attempt due_at leased_until
      sent_at created_at`,
    how: 'rows of the person are deleted; those of an address that no one has, as soon as it was looked up',
  },
  test_mails: {
    erased: 'to_name to_address to_key reply_to subject body_text body_html',
    retained: 'workspace_id id sent_at',
    how: 'rows to the person are deleted; a test workspace holds no real people',
  },
  candidate_links: {
    erased: 'new_address',
    retained: 'workspace_id token_hash applicant_id purpose expires_at used_at',
    how: WITH_APPLICANT,
  },
  planned_erasures: {
    retained: 'workspace_id applicant_id reason reach requested_by requested_at due_at',
    how: WITH_APPLICANT,
  },
  applicant_requests: { retained: 'workspace_id id applicant_id kind user_id at', how: WITH_APPLICANT },
  candidate_sessions: {
    retained: 'workspace_id token_hash id applicant_id proof created_at expires_at',
    how: WITH_APPLICANT,
  },
  application_funnel: {
    erased: 'applied_at code days_to_hire source hours stages stays',
    retained: 'workspace_id application_id job lot gone',
    how: `${WITH_APPLICANT}; that of an application whose retention is over is counted on, and leads to no one`,
  },
  resumes: {
    erased: 'filename mime bytes parsed raw_text parsed_at',
    retained: `workspace_id id application_id applicant_id blob_key parse_status parse_error parse_attempts
      parse_leased_until parse_lease_token contact_rules created_at`,
    how: `${WITH_APPLICANT}, its file is removed`,
  },
  uploads: {
    erased: 'filename',
    retained: `workspace_id id key_id content_type size_bytes blob_key created_at put_expires_at expires_at spent_at
      application_id public_form order_id`,
    how: `${WITH_APPLICANT}, one for a report with its order; any other that was never attached belongs to no application and is removed after one hour`,
  },
  messages: {
    erased: 'idempotency_key fingerprint subject_sealed body_sealed',
    retained: `workspace_id id key_id application_id applicant_id status created_at sent_at template_name direction purpose
      scheduled_for claimed_at attempt failure`,
    how: 'overwritten; that a message was sent stays, by handles',
  },
  unsubscribes: {
    erased: 'email_key',
    retained: 'workspace_id source at opted_out_at',
    how: 'the row is deleted: suppression is stronger',
  },

  // sourced profiles and what belongs to them
  contact_values: {
    erased: 'value email_key',
    retained: 'workspace_id subject_object subject_id field kind status verified_at created_at',
    how: 'the row goes with the applicant or the sourced profile',
  },

  // the shared pool
  pool_terms: { erased: 'title_words terms', retained: 'profile_id changed', how: 'emptied, which memory follows' },
  pool_short_parts: { retained: 'field part', how: 'one or two letters, which identify no one' },
  pool_counting: { retained: 'begun_at', how: 'only records that an import counts words' },
  pool_vocabulary: { erased: 'word', retained: 'field profiles', how: 'words that no other profile has are deleted' },

  // identifiers of the person
  identities: {
    erased: 'value',
    retained: 'workspace_id kind person_id canonical_id created_at',
    how: 'the row is deleted',
  },
  erasures: {
    erased: 'identifiers',
    retained: 'id suppression_id requested_by asked_in requested_at completed_at',
    how: 'cleared when the erasure is complete',
  },
  erasure_requests: {
    erased: 'identifiers note',
    retained: `id workspace_id erasure_id reason state requested_at digests decided_at decided_by suppression_id
      notify_at`,
    how: 'identifiers are cleared by the decision, and the note by an erasure that reaches the workspace',
  },
  erasure_inquiries: {
    erased: 'identifiers',
    retained: 'workspace_id id erasure_id reason due_at',
    how: 'the row is deleted when the other workspaces were asked',
  },
  erasure_request_usage: { retained: 'workspace_id day used', how: 'counts' },
  suppressed_identifiers: {
    retained: 'reach kind sha256 suppression_id',
    how: 'hashes, so that the person is not created again',
  },
  suppressed_external_ids: {
    retained: 'workspace_id object sha256 suppression_id',
    how: 'hashes, so that no import creates the person again',
  },
  suppressions: {
    retained: 'id reach status reason applied_at delete_by completed_at',
    how: 'the record of the erasure',
  },
  workspace_suppressions: {
    retained: 'workspace_id sequence suppression_id subjects identifiers',
    how: 'handles, hashes',
  },
  suppression_log: { retained: 'workspace_id sequence suppression_id', how: 'the order of the entries' },
  suppression_acknowledgements: {
    retained: 'workspace_id suppression_id key_id deleted_at acknowledged_at',
    how: 'who confirmed',
  },
  erasure_targets: { retained: 'erasure_id object id workspace_id done_at', how: 'handles' },

  // copies and traces
  idempotency_records: {
    erased: 'idempotency_key fingerprint body path',
    retained: 'workspace_id key_id method status created_at expires_at',
    how: 'rows that name one of the records are deleted',
  },
  events: {
    erased: 'body',
    retained: 'workspace_id sequence id type origin_key_id audience created_at',
    how: 'events contain handles; the label of a list member, their only free text, is removed',
  },
  outbox: {
    erased: 'tail',
    retained: 'id workspace_id event_id type origin_key_id audience created_at head',
    how: 'as events',
  },
  shared_outbox: {
    retained: 'id event_id type origin_key_id created_at head tail',
    how: 'handles of profiles of the pool; these events have no free text',
  },
  exports: {
    erased: 'files',
    retained: `workspace_id id key_id resources view scopes status as_of_sequence rows_done rows_total leased_until created_at
      expires_at acting_user_id attempt tries swept`,
    how: 'exports of workspaces that had the person expire immediately, and their files are removed',
  },
  blob_deletions: { retained: 'blob_key added_at', how: 'file names, which consist of handles' },
  file_deletions: { retained: 'workspace_id blob_key added_at', how: 'file names, which consist of handles' },
  webhook_deliveries: {
    retained: `workspace_id id endpoint_id key_id event_sequence event_id event_type body status attempt response_status
      error next_attempt_at lease_token leased_until delivered_at created_at kind ready`,
    how: 'deliveries send the text of the event; a body of their own is that of a ping',
  },
  webhook_handovers: {
    retained:
      'workspace_id endpoint_id id key_id event_sequence event_id event_type lease_token leased_until created_at',
    how: 'deliveries in their first attempt, which send the text of the event',
  },
  webhook_stats: { retained: 'workspace_id endpoint_id hour delivered failed_attempts given_up', how: 'counts' },
  webhook_attempts: {
    retained: 'workspace_id delivery_id attempt sent_at duration_ms response_status error',
    how: 'errors are codes of the catalogue',
  },
  webhook_responses: {
    erased: 'body',
    retained: 'workspace_id delivery_id attempt',
    how: 'a receiver may return anything: all rows of workspaces that had the person are deleted, and the response of an attempt in flight is not stored',
  },
  personal_data_reads: {
    retained: 'workspace_id id key_id subject_object subject_id field units request_id acting_user_id at',
    how: 'the audit names record and field, never the value',
  },
  request_log: {
    retained: 'workspace_id id created_at key_id acting_user_id method route params status code param duration_ms',
    how: 'names of declared parameters, and values only of those that cannot be personal; rows are deleted after seven days',
  },
  imports: {
    retained: 'kind target fingerprint bytes_done lines_done rows_stored bad_lines started_at finished_at',
    how: 'a hash of the file',
  },

  // the product's users, their jobs, lists and settings
  users: {
    retained: `workspace_id id email email_key email_key_rank first_name last_name is_verified role photo_url password_hash
      created_at updated_at last_login_at job_access kind`,
    how: 'user accounts are not candidate data; their workspace closes them',
  },
  api_keys: {
    retained: `workspace_id id user_id name environment scopes granted_scopes workspace_scope workspace_ids ip_allowlist
      created_at expires_at revoked_at installation_id personal_data_reads_per_day suspended_at`,
    how: NO_CANDIDATE,
  },
  installations: {
    retained: `workspace_id id app_workspace_id app_id user_id key_id scopes offered_scopes personal_data_reads_per_day
      installed_by key_created_at installed_at updated_at suspended_at ended_at delete_by deletion_confirmed_at`,
    how: NO_CANDIDATE,
  },
  install_codes: {
    retained: `code_hash workspace_id user_id app_workspace_id app_id redirect_uri code_challenge scopes offered_scopes
      personal_data_reads_per_day created_at expires_at used_at key_id`,
    how: NO_CANDIDATE,
  },
  api_key_secrets: {
    retained: `secret_hash workspace_id key_id issue created_at expires_at version last_used_at last_used_address
      last_used_agent last_used_sdk`,
    how: NO_CANDIDATE,
  },
  // sign-in of members; attempts store only a hash of the email address
  sessions: {
    retained: `token_hash id workspace_id user_id method address user_agent created_at last_seen_at factor factor_at
      authenticated_at provider_session`,
    how: NO_CANDIDATE,
  },
  partner_sessions: { retained: 'token_hash secret_hash created_at expires_at', how: NO_CANDIDATE },
  sign_in_tickets: {
    retained: 'token_hash kind user_ids method provider_session created_at expires_at',
    how: NO_CANDIDATE,
  },
  authenticator_apps: {
    retained: 'workspace_id user_id secret_sealed confirmed_at last_step created_at',
    how: NO_CANDIDATE,
  },
  recovery_codes: { retained: 'workspace_id user_id code_hash created_at', how: NO_CANDIDATE },
  passkeys: {
    retained: `workspace_id id user_id credential_id public_key counter transports backed_up name created_at
      last_used_at`,
    how: NO_CANDIDATE,
  },
  passkey_challenges: { retained: 'challenge_hash purpose user_id expires_at', how: NO_CANDIDATE },
  sign_in_changes: { retained: 'workspace_id id change user_id by_user at', how: NO_CANDIDATE },
  sign_in_attempts: { retained: 'subject started_at used', how: 'signatures, for a day' },
  connected_apps: {
    retained: `workspace_id id name kind redirect_uris scopes created_by created_at updated_at revoked_at distribution
      optional_scopes publisher domains ip_allowlist review_status proposed suspended_at credential_id
      live_endpoint_id test_endpoint_id`,
    how: NO_CANDIDATE,
  },
  connected_app_secrets: {
    retained: 'secret_hash workspace_id app_id issue created_at expires_at',
    how: NO_CANDIDATE,
  },
  app_consents: { retained: 'workspace_id id app_id user_id scopes granted_at revoked_at', how: NO_CANDIDATE },
  oidc_records: {
    retained: `kind id_hash grant_hash workspace_id app_id user_id scopes payload created_at consumed_at expires_at`,
    how: NO_CANDIDATE,
  },
  oidc_signing_keys: { retained: 'id sealed created_at', how: NO_CANDIDATE },
  workspaces: {
    retained: 'id name plan own_limits closing_at environment mailbox_domain test_of created_at updated_at',
    how: NO_CANDIDATE,
  },
  workspace_deletions: {
    retained: `workspace_id requested_at requested_by delete_at notify_at notify_about endpoints started_at emptied_at
      completed_at lease_token leased_until counts`,
    how: 'handles and counts',
  },
  workspace_retention: {
    retained: `workspace_id application_months audit_days event_days delivery_days request_log_days updated_at due_at
      leased_until run_counts`,
    how: NO_CANDIDATE,
  },
  workspace_log: {
    retained: 'workspace_id id at action user_id details',
    how: 'handles, names of settings and counts',
  },
  company_sign_in: {
    retained: `workspace_id issuer client_id client_secret_sealed enabled enforced creates_members trusts_email role_claim
      role_rules default_role ends_provider_session version created_at updated_at`,
    how: NO_CANDIDATE,
  },
  company_domains: { retained: 'domain workspace_id', how: NO_CANDIDATE },
  company_identities: { retained: 'workspace_id user_id subject linked_at refused_at', how: NO_CANDIDATE },
  company_sign_in_flows: {
    retained: 'token_hash workspace_id purpose version return_to authenticate_since expires_at',
    how: NO_CANDIDATE,
  },
  company_logout_tokens: { retained: 'workspace_id token_hash expires_at', how: NO_CANDIDATE },
  company_sign_in_log: { retained: 'workspace_id id at event user_id actor_id detail', how: NO_CANDIDATE },
  career_slugs: { retained: 'slug workspace_id', how: NO_CANDIDATE },
  career_sites: {
    retained: `workspace_id slug enabled display_name headline introduction_md accent_color logo_blob_key logo_mime logo_width logo_height
      website_url privacy_url imprint_url listed contact_email country confirmations updated_at`,
    how: NO_CANDIDATE,
  },
  spent_challenges: { retained: 'workspace_id hash expires_at', how: 'hashes of random numbers, for hours' },
  workspace_settings: {
    retained: `workspace_id key_management_domains connected_app_writes webhooks_self_serve updated_at second_factor
      app_installs`,
    how: NO_CANDIDATE,
  },
  hiring_settings: {
    retained: 'workspace_id waiting_days reason_language feedback_hours full_names_in_calendars',
    how: NO_CANDIDATE,
  },
  member_settings: { retained: 'workspace_id user_id language time_zone', how: NO_CANDIDATE },
  message_templates: {
    retained: 'workspace_id id name name_key subject body purpose updated_at',
    how: 'texts for every candidate; no candidate data',
  },
  saved_views: {
    retained: 'workspace_id id user_id name page job_id query shared',
    how: 'filters of lists; words that candidates are searched by are not stored',
  },
  job_visits: { retained: 'workspace_id user_id job_id at', how: NO_CANDIDATE },
  job_team: { retained: 'workspace_id job_id user_id role added_at', how: NO_CANDIDATE },
  decision_reasons: {
    retained: 'workspace_id id side names position template_id archived',
    how: NO_CANDIDATE,
  },
  rejection_habits: { retained: 'workspace_id user_id job_id with_message', how: NO_CANDIDATE },
  interview_kits: {
    retained: 'workspace_id job_id stage_id intro questions criteria minutes interviewer_user_ids updated_at',
    how: NO_CANDIDATE,
  },
  scorecard_criteria: { retained: 'workspace_id job_id position name description', how: NO_CANDIDATE },
  job_rescores: {
    retained: 'workspace_id job_id version after_id requested_at lease_token leased_until',
    how: 'handles and states; no candidate data',
  },
  job_search: {
    retained: `workspace_id id updated_at status department location_type employment_type published_at source_system
      source_external_id terms layout`,
    how: NO_CANDIDATE,
  },
  search_rebuilds: { retained: 'workspace_id after requested_at', how: 'a handle, and a time' },
  job_words: { retained: 'workspace_id word lexeme', how: 'words of jobs' },
  job_history: {
    retained: 'workspace_id job_id at action key_id user_id fields previous next',
    how: NO_CANDIDATE,
  },
  template_form_changes: { retained: 'workspace_id after_id origin_key_id user_id', how: NO_CANDIDATE },
  webhook_endpoints: {
    retained: `workspace_id id key_id url description event_types enabled disabled_at disabled_reason
      signing_secret_version signing_secret_rotated_at consecutive_failures first_failure_at last_success_at
      last_failure_at created_at last_attempt_ms source_workspace_id source_id`,
    how: NO_CANDIDATE,
  },
  webhook_secrets: { retained: 'workspace_id endpoint_id version sealed expires_at', how: NO_CANDIDATE },

  // alerts to owners and admins: names of keys, counts and times
  alerts: {
    retained: `workspace_id id kind subject_id step period level details opened_at acknowledged_at acknowledged_by
      resolved_at`,
    how: NO_CANDIDATE,
  },
  alert_notifications: {
    retained: 'workspace_id id alert_id channel event user_id attempt due_at sent_at',
    how: NO_CANDIDATE,
  },
  alert_preferences: { retained: 'workspace_id user_id mail muted_kinds', how: NO_CANDIDATE },
  alert_webhooks: {
    retained: `workspace_id id url muted_kinds secret_version sealed previous_sealed previous_expires_at created_at
      last_attempt_at last_response_status last_error`,
    how: NO_CANDIDATE,
  },

  // credits: who paid for what, by handles
  credit_balances: { retained: 'workspace_id balance entries', how: NO_CANDIDATE },
  credit_entries: {
    retained: 'workspace_id sequence kind amount balance user_id subject_id note created_at',
    how: 'handles; the note is the reason of a grant',
  },

  // counters and internal state
  funnel_by_day: { retained: `workspace_id source since ${TALLY}`, how: OUT_OF_COUNTS },
  funnel_by_job: { retained: `workspace_id since job ${TALLY}`, how: OUT_OF_COUNTS },
  funnel_by_job_and_source: { retained: `workspace_id source since job ${TALLY}`, how: OUT_OF_COUNTS },
  funnel_changes: { retained: 'id workspace_id applied_on job source code n', how: OUT_OF_COUNTS },
  message_usage: { retained: 'workspace_id key_id day used', how: NO_CANDIDATE },
  monthly_usage: { retained: 'workspace_id month requests', how: NO_CANDIDATE },
  request_stats: {
    retained: 'workspace_id key_id hour requests client_errors server_errors limited',
    how: NO_CANDIDATE,
  },
  scope_usage: { retained: 'workspace_id installation_id scope last_used_on', how: NO_CANDIDATE },
  personal_data_usage: { retained: 'workspace_id key_id day used', how: NO_CANDIDATE },
  rate_windows: { retained: 'key_id tier started_at used', how: NO_CANDIDATE },
  worker_turns: {
    retained: 'workspace_id work last_turn_at busy_until hour_began_at spent_ms recent_ms',
    how: NO_CANDIDATE,
  },
  test_clocks: { retained: 'workspace_id environment offset_seconds target_seconds advancing', how: NO_CANDIDATE },
  event_logs: { retained: 'workspace_id last_sequence oldest_sequence lost epoch', how: NO_CANDIDATE },
  feed_state: { retained: 'only_row epoch', how: NO_CANDIDATE },
  installation: {
    retained: `only_row secret_check created_at id last_backup_at last_backup_name restored_at sending_held_at`,
    how: NO_CANDIDATE,
  },
  secret_keys: {
    retained: 'id is_first secret_check added_at used_from retired_at kept_sealed',
    how: NO_CANDIDATE,
  },
  secret_key_holders: {
    retained: 'process name backend backend_start known used seen_at',
    how: NO_CANDIDATE,
  },
  key_caches: { retained: 'id renewed_at applied', how: NO_CANDIDATE },
  key_changes: { retained: 'id made_at', how: NO_CANDIDATE },
  schema_migrations: { retained: 'version name hash applied_at', how: NO_CANDIDATE },
}

/** Tables that had a value of the person. */
export const ERASED_TABLES: readonly string[] = Object.entries(COLUMN_POLICY).flatMap(([table, { erased }]) =>
  erased === undefined ? [] : [table],
)
