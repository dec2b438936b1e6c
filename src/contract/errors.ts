/**
 * The error catalogue: one row a code. `message` is the default sentence, `remedy` and `retry` feed the error reference,
 * `needs` names the detail fields without which the error may not be raised (checked by the compiler).
 */
export type ErrorType =
  | 'invalid_request'
  | 'authentication'
  | 'permission'
  | 'payment_required'
  | 'not_found'
  | 'conflict'
  | 'rate_limit'
  | 'unavailable'
  | 'server'

export type ErrorNeed = 'required_scope' | 'retry_after_seconds' | 'state' | 'unlock_credits'

export interface ErrorRow {
  status: number
  type: ErrorType
  message: string
  remedy: string
  /** Whether a retry may succeed: never, after the stated wait, once and immediately, or only under a new Idempotency-Key. */
  retry: 'no' | 'after_wait' | 'once' | 'with_new_key'
  needs?: readonly ErrorNeed[]
}

const invalid = (message: string, remedy: string, status = 400) =>
  ({ status, type: 'invalid_request', message, remedy, retry: 'no' }) as const
const conflict = (message: string, remedy: string) =>
  ({ status: 409, type: 'conflict', message, remedy, retry: 'no' }) as const
const forbidden = (message: string, remedy: string) =>
  ({ status: 403, type: 'permission', message, remedy, retry: 'no' }) as const
const limited = (message: string, remedy: string) =>
  ({ status: 429, type: 'rate_limit', message, remedy, retry: 'after_wait', needs: ['retry_after_seconds'] }) as const
const unavailable = (message: string) =>
  ({
    status: 429,
    type: 'unavailable',
    message,
    remedy: 'Nothing was done. Send the same request again after Retry-After seconds.',
    retry: 'after_wait',
    needs: ['retry_after_seconds'],
  }) as const

const table = {
  invalid_request: invalid(
    'The request has a missing, malformed or contradictory parameter or body field.',
    'Correct each entry of `errors`; `param` names the field.',
  ),
  invalid_cursor: invalid(
    'The cursor is not valid for this request.',
    'The message says why. Start again from the first page; send a cursor with the same key, path and filters, within one hour.',
  ),
  invalid_timestamp: invalid(
    'A time filter is not an RFC 3339 timestamp.',
    'Send a timestamp such as 2026-11-01T00:00:00Z.',
  ),
  workspace_id_required: invalid(
    'This key reaches several workspaces and none was named.',
    'Add ?workspace_id=<wsp_ handle>; GET /workspaces lists the handles.',
  ),
  unpublished_requires_opt_in: invalid(
    'Jobs that are not public were requested without include_unpublished=true.',
    'Add include_unpublished=true.',
  ),
  unknown_event_type: invalid('A name in `type` is not an event type.', 'Use names of the event catalogue.'),
  not_an_identity: invalid(
    'The address is shared by several people and does not identify a person.',
    'Resolve a personal address or a LinkedIn URL.',
  ),
  result_window_exceeded: invalid(
    'This listing was paged deeper than 10000 rows.',
    'Narrow the filters, for example with updated_after and updated_before, and start a new listing.',
  ),
  unsupported_source_system: invalid(
    'source.system is malformed or reserved.',
    'Send your own system name: 2 to 40 characters of a-z, 0-9 and _.',
  ),
  invalid_idempotency_key: invalid(
    'The Idempotency-Key header must be 8 to 255 characters from A-Z a-z 0-9 . _ : ~ -',
    'Send a UUID, for example.',
  ),
  idempotency_key_required: invalid(
    'This call needs an Idempotency-Key header.',
    'Send a new unique key for each intended action and repeat it on retries.',
  ),
  invalid_stage: invalid('The stage cannot be used here.', 'Read the stages that are valid for this job or list.'),
  invalid_event_type: invalid(
    'A name in event_types is not in the event catalogue.',
    'Use names of the event catalogue; `errors` lists every wrong one, with the nearest name.',
  ),
  event_type_not_permitted: invalid(
    'The key lacks the read scope of a requested event type.',
    'Leave the type out, or use a key that holds its scope.',
  ),
  webhook_url_not_allowed: invalid(
    'The webhook URL breaks the rules for endpoint URLs.',
    'Use an https URL with a DNS name whose every address is public, on port 443 or 8443. To receive webhooks on localhost, the operator of the service lists the host in WEBHOOK_ALLOW_HOSTS.',
  ),
  invalid_upload: invalid(
    'The file type or size is refused.',
    'Send a PDF, DOCX, DOC, RTF or TXT file of at most 5 MB.',
  ),
  unknown_answer_field: invalid(
    'An answer names a question that is not on the form.',
    'Use the field ids of GET /jobs/{job_handle}/application-form; the message lists them.',
  ),
  duplicate_answer_field: invalid('A question is answered twice.', 'Send one answer for each question.'),
  invalid_answer_value: invalid(
    'An answer has the wrong shape or is not one of the options.',
    'Send the shape and the options that the application form declares.',
  ),
  answer_field_not_accepted: invalid(
    'This question cannot be answered through the API.',
    'Leave the answer out: equal-opportunity questions, consent boxes, section headers and résumé fields are not accepted.',
  ),
  answer_field_reserved: invalid(
    'Name, e-mail, phone and LinkedIn questions are not answered here.',
    'Send these values in `candidate`.',
  ),
  missing_required_answers: invalid(
    'Required questions are not answered.',
    'Answer each question that `errors` names.',
  ),
  upload_not_found: invalid(
    'The upload is unknown or has expired.',
    'Reserve a new upload and send the file within 15 minutes.',
  ),
  resume_rejected: invalid(
    'The uploaded file is empty or larger than 5 MB; the upload id is spent.',
    'Reserve a new upload with a valid file.',
  ),
  payload_too_large: invalid('The request body is larger than 256 KB.', 'Send a smaller body.', 413),
  request_timeout: {
    ...invalid(
      'The request did not arrive in time.',
      'Send the whole request without a pause; nothing was processed, so it can be sent again.',
      408,
    ),
    retry: 'once',
  },
  method_not_allowed: invalid('This path does not accept this method.', 'Use a method of the Allow header.', 405),
  unauthenticated: {
    status: 401,
    type: 'authentication',
    message: 'The request has no valid API key. Send it as `Authorization: Bearer <API_KEY>`.',
    remedy:
      'Send `Authorization: Bearer ` and the key: no X-Api-Key header, no bare key, no Basic authentication, no query parameter, no quotes. Check that the key is complete, not revoked or expired, and used from an allowed IP address.',
    retry: 'no',
  },
  insufficient_scope: {
    status: 403,
    type: 'permission',
    message: 'The key lacks the scope that this call needs.',
    remedy: 'Use a key that holds `required_scope`. Scopes are fixed when a key is created.',
    retry: 'no',
    needs: ['required_scope'],
  },
  write_requires_api_key: forbidden(
    'Writes need an API key that belongs to a user.',
    'Use a key created by a user. Tokens of the sign-in flow can write only where the workspace allows it, and never manage webhook endpoints.',
  ),
  webhooks_self_serve_disabled: forbidden(
    'This workspace does not allow webhook endpoints to be managed through the API.',
    'Ask an owner or admin of the workspace to switch it on in the settings.',
  ),
  resume_locked: {
    status: 403,
    type: 'payment_required',
    message: 'The résumé is not available in its present access state.',
    remedy: 'The workspace can unlock it in the product; `unlock_credits` gives the price.',
    retry: 'no',
    needs: ['state', 'unlock_credits'],
  },
  not_found: {
    status: 404,
    type: 'not_found',
    message: 'There is no such object, or this key cannot reach it.',
    remedy: 'Check the path, the handle and its type prefix, and that the key reaches its workspace.',
    retry: 'no',
  },
  job_modified_concurrently: {
    ...conflict('The job changed during this request.', 'Read the job again and repeat the push.'),
    retry: 'once',
  },
  invalid_job_transition: conflict(
    'The job cannot make the requested move from its present status.',
    'Read the job and choose a move that its status allows.',
  ),
  stale_resource: conflict(
    'The record changed after expected_updated_at; nothing was changed.',
    'Read the record again, decide again, and send its new updated_at.',
  ),
  application_modified_concurrently: {
    ...conflict('The application changed between lock and write.', 'Read the application again and repeat the call.'),
    retry: 'once',
  },
  invalid_application_state: conflict(
    'The application cannot make this move from its present status.',
    'Only open applications can be rejected or hired, and only rejected ones reopened.',
  ),
  idempotency_key_reused: conflict(
    'This Idempotency-Key was used with a different body.',
    'Use a new key for a different request.',
  ),
  idempotency_in_flight: {
    ...conflict(
      'The first request with this Idempotency-Key is still running.',
      'Wait a moment and send the same request again.',
    ),
    retry: 'after_wait',
  },
  recipient_unsubscribed: conflict('This person must not be e-mailed.', 'Do not retry.'),
  sender_email_missing: conflict(
    'The user that this key belongs to has no e-mail address.',
    'Use the key of a user with an e-mail address.',
  ),
  job_not_accepting_applications: conflict(
    'The job is not published or does not accept applications.',
    'Read the job: status must be published and accept_applications true.',
  ),
  applicant_suppressed: conflict(
    'This person was erased or asked that processing stop. Nothing was created or changed.',
    'Do not retry.',
  ),
  applicant_unsubscribed: conflict('This person unsubscribed in this workspace; nothing was created.', 'Do not retry.'),
  candidate_consent_required: conflict(
    'The form has a required consent box that only the candidate can tick.',
    'Send the candidate to the public application page.',
  ),
  upload_already_used: conflict('The upload is already attached.', 'Reserve a new upload.'),
  upload_not_completed: conflict(
    'No file has arrived at the upload URL yet.',
    'PUT the file to upload.url, then repeat the call.',
  ),
  application_conflict: {
    ...conflict('The application was created at the same time and could not be read back.', 'Repeat the call.'),
    retry: 'once',
  },
  webhook_endpoint_exists: conflict(
    'This key already registered this URL in this workspace.',
    'Update the existing endpoint.',
  ),
  webhook_endpoint_limit_reached: conflict(
    'The number of webhook endpoints is at its limit.',
    'Disable endpoints that are no longer used.',
  ),
  webhook_endpoint_disabled: conflict('The webhook endpoint is disabled.', 'Enable it first.'),
  job_not_publishable: invalid('The job is not ready to be published.', 'Fix each entry in `errors`.', 422),
  rate_limit_exceeded: limited(
    'Too many requests for this key, or the monthly quota of the workspace is spent.',
    'Wait Retry-After seconds. Spread requests out, or move to a larger plan.',
  ),
  personal_data_quota_exceeded: limited(
    'The daily budget of personal-data reads does not cover this response.',
    'Wait for midnight UTC, or request fewer values. `Service-Personal-Data-Remaining` says how many are left.',
  ),
  message_quota_exceeded: limited('The daily message cap of this key is reached.', 'Wait for midnight UTC.'),
  too_many_pending_uploads: limited(
    'The workspace has 500 uploads that are not attached yet.',
    'Attach uploads, or wait until they expire.',
  ),
  suppression_check_unavailable: unavailable('The suppression list cannot be read at the moment; nothing was done.'),
  limiter_unavailable: unavailable('The rate limiter cannot be asked at the moment; nothing was done.'),
  datastore_unavailable: unavailable('The data store cannot be reached at the moment; nothing was done.'),
  pool_search_unavailable: unavailable('The pool search cannot answer at the moment.'),
  delivery_failed: {
    status: 429,
    type: 'unavailable',
    message: 'The mail provider did not accept the message. This Idempotency-Key keeps reporting the failure.',
    remedy: 'After Retry-After seconds, send the message with a new Idempotency-Key.',
    retry: 'with_new_key',
    needs: ['retry_after_seconds'],
  },
  internal_error: {
    status: 500,
    type: 'server',
    message: 'Something failed on our side. The request id identifies it in our log.',
    remedy: 'Retry once; if it fails again, report the request id.',
    retry: 'once',
  },
} as const satisfies Record<string, ErrorRow>

export type ErrorCode = keyof typeof table

export const ERRORS: Readonly<Record<ErrorCode, ErrorRow>> = table

export const ERROR_CODES = Object.keys(table) as ErrorCode[]

type NeedsOf<C extends ErrorCode> = (typeof table)[C] extends { needs: readonly (infer N)[] } ? N & ErrorNeed : never

interface Detail {
  required_scope: string
  retry_after_seconds: number
  state: string
  unlock_credits: number
}

export interface FieldFault {
  param: string
  message: string
}

/** What may accompany a code: its needs are mandatory, the rest is optional. */
export type ErrorDetails<C extends ErrorCode> = Pick<Detail, NeedsOf<C>> & {
  message?: string
  param?: string
  errors?: FieldFault[]
}

/** Codes that need nothing can be raised without details. */
export type PlainErrorCode = { [C in ErrorCode]: [NeedsOf<C>] extends [never] ? C : never }[ErrorCode]
