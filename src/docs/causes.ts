import type { ErrorCode } from '../contract/errors.ts'

/** Why each error happens, for the error reference; the catalogue has the message, the remedy and whether to retry. */
export const CAUSES: Readonly<Record<ErrorCode, string>> = {
  invalid_request:
    'A parameter or body field is missing, malformed, unknown, given twice, or contradicts another. Unknown query parameters are refused because a misspelt filter that is ignored returns the wrong rows. `errors` lists every fault that was found, with its `param`.',
  invalid_cursor:
    'The cursor is malformed, was issued to another key, belongs to another workspace, path or set of filters, or is older than one hour. The message says which.',
  invalid_timestamp:
    'A filter such as `updated_after` is not an RFC 3339 time with an offset. A `+` in a query string means a blank: write it as `%2B`, or use `Z`.',
  workspace_id_required:
    'The key reaches more than one workspace. There is no default and no mode that reads all of them at once.',
  unpublished_requires_opt_in:
    '`GET /jobs` was asked for drafts. Since most partners show jobs to the public, drafts are given only to who says so.',
  unknown_event_type: 'A name in `type` of `GET /events` is not in the event catalogue, perhaps misspelt.',
  not_an_identity:
    'An address such as `jobs@…` or `info@…` belongs to a role that several people share. Resolving it would tie strangers together.',
  result_window_exceeded: 'A listing was followed with cursors past its 10,000th row.',
  unsupported_source_system:
    '`source.system` has other characters, is too short or long, starts with `tahoe`, or is a name that the product uses itself.',
  invalid_idempotency_key:
    'The `Idempotency-Key` header is shorter than 8 or longer than 255 characters, or has characters outside the set.',
  idempotency_key_required:
    'Sending an e-mail cannot be undone, so a retry must be recognizable: `POST /messages` is refused without the header.',
  invalid_stage:
    'The stage is malformed, unknown, of another job or workspace, or final where a final one cannot be used. For list members: not one of the keys, nor a label that a member of the list already has.',
  invalid_event_type: 'A name in `event_types` of a webhook endpoint is not in the event catalogue.',
  event_type_not_permitted:
    'A webhook endpoint sees what its key may read. The key lacks the read scope of one of the types, or `events:read`.',
  webhook_url_not_allowed:
    'The URL is not https, has user info, a fragment or another port than 443 and 8443, names an IP address or localhost, or its host name does not resolve, or resolves to an address that is not public. The message says which.',
  invalid_upload: '`content_type` is not one of the accepted types, or `size_bytes` is not between 1 and 5,242,880.',
  unknown_answer_field: 'The form changed, or the question belongs to another job.',
  duplicate_answer_field: 'The same `field_id` stands twice in `answers`.',
  invalid_answer_value:
    'A choice is not among the options, a list was sent for a single choice, or text for a yes-or-no question.',
  answer_field_not_accepted:
    'Equal-opportunity answers and consents can come only from the candidate; section headers hold no answer; résumés are attached with `resume_upload_id`.',
  answer_field_reserved: 'The question asks for a detail of the person that has its own place in `candidate`.',
  missing_required_answers:
    'The form has required questions that `answers` does not contain. A required phone number or résumé is not counted.',
  upload_not_found: 'The id is unknown, of another workspace, or older than one hour.',
  resume_rejected: 'The file that arrived at the upload address is empty or larger than 5 MB. The upload id is spent.',
  payload_too_large:
    'The body is larger than 262,144 bytes. Files are not sent in the body but to the address of an upload.',
  request_timeout:
    'The head or the body of the request was still incomplete when its time was over: 15 seconds for the head and 30 for the body, unless the operator set other limits. The connection is closed.',
  method_not_allowed: 'The path exists, with other methods. HEAD is not served where an answer would be charged.',
  unauthenticated:
    'The `Authorization` header is missing or has another shape (`X-Api-Key: <key>`, the bare key without `Bearer`, `Basic …`, `Token …`, quotes around the key, a key in the query string or in a cookie), or the key is truncated, mistyped, unknown, revoked, expired, or used from an IP address that its allowlist does not contain. The response is the same for all of them, so that keys cannot be probed for.',
  insufficient_scope: 'The key was made without the scope in `required_scope`.',
  write_requires_api_key:
    'The call changes something and the credential is a token of the sign-in flow (and the workspace has not switched on writes for connected apps, or the call manages webhook endpoints, which belong to API keys) or a key without a user.',
  webhooks_self_serve_disabled: 'The workspace wants its webhook endpoints to be registered by its own people.',
  resume_locked:
    'Résumés can be downloaded for 90 days after the application and viewed for 120. After that the workspace must unlock them.',
  not_found:
    'No such endpoint: the message names the nearest one. Or no such record, or one in a workspace that the key does not reach: these are the same response on purpose. A handle with the prefix of another type is said to be one.',
  job_modified_concurrently:
    'Two pushes of the same job ran at the same time, or the job was changed in the product meanwhile.',
  invalid_job_transition:
    'Publish works from draft, unpublish and close from published, reopen from closed. The message names the call that works from the current status. With `POST /jobs` the other fields were stored before this answer.',
  stale_resource: 'Somebody changed the record after you read it.',
  application_modified_concurrently: 'The application changed at the same moment.',
  invalid_application_state:
    'Rejected, withdrawn and hired applications cannot be rejected; only rejected ones can be reopened.',
  idempotency_key_reused: 'A request with this key and other bytes in its body was answered within 24 hours.',
  idempotency_in_flight:
    'Your first request with this key has not been answered yet, usually because a client timed out and retried.',
  recipient_unsubscribed:
    'The person unsubscribed, is on the opt-out list of the workspace, or asked to be erased; or the address is reserved for tests.',
  sender_email_missing: 'Replies go to the user that the key belongs to, and that user has no address.',
  job_not_accepting_applications: 'The job is a draft or closed, or its switch for applications is off.',
  applicant_suppressed:
    'The person asked to be erased or that processing stop. The record of that wish outlives the data. Their applications and list memberships cannot be changed either.',
  applicant_unsubscribed:
    'The person unsubscribed in this workspace. An application that already exists is still returned with 200.',
  candidate_consent_required:
    'The form has a box that must be ticked by the candidate in person. No API can do it for them.',
  upload_already_used: 'An upload can be attached once, and it was.',
  upload_not_completed: 'The upload was reserved, and the file has not been sent to `upload.url` yet.',
  application_conflict: 'The same candidate was sent twice at the same moment, and the other request won.',
  webhook_endpoint_exists: 'Each key can register a URL once in a workspace, disabled endpoints included.',
  webhook_endpoint_limit_reached: 'A key can have 10 enabled endpoints and 100 in all; a workspace 20 enabled ones.',
  webhook_endpoint_disabled: 'Nothing is sent to a disabled endpoint, not even a test.',
  job_not_publishable:
    'The title is blank, there is neither summary nor description, no stage is open for applications, or `close_at` is in the past. `GET /jobs/{job_handle}/publish-readiness` says so beforehand.',
  rate_limit_exceeded:
    'More calls in a minute than the tier of the endpoint allows this key, or the monthly quota of the workspace is spent.',
  personal_data_quota_exceeded:
    'The values of this response do not fit into what is left of the daily budget; the message says how many it needs and how many are left. It is all or nothing: nothing was shown and nothing charged. A single record can be refused while smaller ones still fit.',
  message_quota_exceeded: 'The key has sent its 200 messages of the day (UTC).',
  too_many_pending_uploads: '500 uploads of the workspace are reserved and neither attached nor expired.',
  suppression_check_unavailable:
    'Whether the person asked to be erased could not be looked up. Rather than guess, the service did nothing.',
  limiter_unavailable: 'The store of the rate limiter does not answer.',
  datastore_unavailable: 'The database does not answer, or not in time.',
  pool_search_unavailable: 'The pool search is starting or overloaded.',
  delivery_failed:
    'The mail provider refused the message or did not respond. Nothing was sent. A retry with the same Idempotency-Key returns this failure again; a new key sends again.',
  internal_error:
    'A fault of the service. It was logged with everything needed to find it; the answer says nothing of it.',
}
