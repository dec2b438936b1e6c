/** A test workspace that is not used for so many days is deleted. */
export const UNUSED_DAYS = 90

const LINK = /https?:\/\/[^\s<>"]+/g

function withoutPunctuation(link: string): string {
  let end = link.length
  while ('.,;:!?)]'.includes(link.charAt(end - 1))) end--
  return link.slice(0, end)
}

/** The URLs of a text, without the punctuation of the sentence that they end. */
export const linksIn = (text: string): string[] => (text.match(LINK) ?? []).map(withoutPunctuation)

/**
 * What a reset leaves, of the tables with rows of workspaces: who may enter, where events are sent, settings, and what
 * limits are counted in. A test compares this with the schema, so that every new table is decided.
 */
const RETAINED = new Set(
  `users sessions passkeys authenticator_apps recovery_codes sign_in_changes
  company_domains company_identities company_logout_tokens company_sign_in company_sign_in_flows company_sign_in_log
  api_keys api_key_secrets connected_apps connected_app_secrets app_consents installations install_codes oidc_records
  career_sites career_slugs hiring_settings workspace_settings workspace_retention workspace_log workspace_deletions
  webhook_endpoints webhook_secrets webhook_stats alert_preferences alert_webhooks
  event_logs monthly_usage request_log request_stats personal_data_usage message_usage erasure_request_usage worker_turns
  file_deletions`.split(/\s+/),
)

/** Whether a reset deletes the rows of a table. */
export const isReset = (table: string): boolean => !RETAINED.has(table)
